//! The store in one SQLite file.
//!
//! # Writing
//! One thread writes. It takes whatever has queued up, records it in one transaction, and
//! answers each member of the group only after `COMMIT` has returned, which with
//! `synchronous=FULL` is after the fsync. So an fsync is paid once a group, and the group grows
//! with the load by itself. Every member is judged on its own: one that is refused leaves the
//! others as they are. When the transaction fails, all of its members are
//! [`Unavailable`](crate::CommitError::Unavailable), those that were refused too, since they may
//! have been judged by what is now rolled back.
//!
//! A full disk or a lock held by someone else passes, and the store goes on. After an I/O error
//! or damage it records nothing until it is opened again: once an fsync has failed, the kernel
//! may have dropped what it could not write, and a second fsync that succeeds proves nothing.
//! Reading goes on.
//!
//! # Reading
//! A small pool of read-only connections, used on the runtime's blocking threads. In WAL mode
//! readers and the writer do not wait for each other.
//!
//! # Two stores on one file
//! are safe, in one process or in two: a version is compared and replaced inside one
//! `BEGIN IMMEDIATE` transaction, and SQLite grants only one of those at a time in a file. The
//! slower one sees a [`Conflict`](crate::CommitError::Conflict), as if it had lost a race within
//! one store. This holds on a local disk; the locks of network file systems cannot be relied on.
//!
//! # Layout
//! The events of a commit are one row, joined by line feeds, in a table that only grows. A row names
//! the row before it of the same stream, and only a row with a seq that 32 divides is in an index:
//! a commit writes whole pages, and in an index of all rows each stream writes to a page of its own.
//! So a page of events is read backwards, from the first marked row that is behind it. The example
//! `layout` writes to 64 streams in turns, 16 commits of 3 events of 350 bytes in a transaction,
//! reads them back, and compares this with an index of all rows, with a row an event, and with rows
//! clustered by (stream, seq) in a `WITHOUT ROWID` table:
//!
//! | layout | durable commits a second | events read a second | in pages of 100 |
//! | --- | --- | --- | --- |
//! | a row a commit, chained | 1 | 1 | 1 |
//! | a row a commit, all indexed | 0.8 | 1.25 | 1.1 |
//! | a row an event | 0.7 | 1.2 | 1.2 |
//! | a row an event, clustered | 0.5 | 1.55 | 1.5 |
//!
//! What every commit changes, the version and the hash of the last event, is kept apart from what a
//! stream keeps: a page holds the heads of many streams.
//!
//! `cargo run --release -p storage --example layout` measures it again, on a machine that does
//! nothing else: otherwise the disk decides. What the whole store reaches is measured by the example
//! `load`.

mod group;
mod migrations;
mod open;
mod read;
mod readers;
mod write;
mod writer;

use std::path::{self, Path};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use async_trait::async_trait;
use thiserror::Error;

pub use self::open::OpenError;
use self::readers::Readers;
use self::write::Write;
use self::writer::Writer;
use crate::{
    Answer, Commit, CommitError, EventStore, ListQuery, Listed, NewStream, StoreError, StoredEvent,
    Stream, StreamId, Token, TokenHash, Version,
};

/// How a [`SqliteStore`] uses the machine.
#[derive(Debug, Clone)]
pub struct SqliteOptions {
    /// How many reads run at once; at least 1.
    pub readers: u32,
    /// How long to wait for a lock that another process holds.
    pub busy_timeout: Duration,
}

impl Default for SqliteOptions {
    fn default() -> Self {
        let readers = thread::available_parallelism().map_or(2, |n| n.get().clamp(2, 8) as u32);
        Self {
            readers,
            busy_timeout: Duration::from_secs(5),
        }
    }
}

/// A store in one SQLite file. Dropping it blocks until the queue is written;
/// [`close`](EventStore::close) does the same without blocking.
#[derive(Debug)]
pub struct SqliteStore {
    // Dropped first, so that the writer is the last to leave the file and clears the WAL.
    readers: Readers,
    writer: Writer,
}

impl SqliteStore {
    /// Opens the store in this file, and makes or upgrades it where needed. Blocks.
    ///
    /// # Errors
    /// See [`OpenError`]; a file that is not a store of a version known here is left as it was.
    pub fn open(path: impl AsRef<Path>, options: &SqliteOptions) -> Result<Self, OpenError> {
        // An absolute path is never taken for a URI or for `:memory:`.
        let path = path::absolute(path).map_err(OpenError::File)?;
        let connection = open::open_writer(&path, options.busy_timeout)?;
        let writer =
            Writer::start(connection).map_err(|error| OpenError::Other(Arc::new(error)))?;
        Ok(Self {
            readers: Readers::new(path, options.readers, options.busy_timeout),
            writer,
        })
    }
}

#[async_trait]
impl EventStore for SqliteStore {
    async fn create(&self, stream: NewStream) -> Result<(), CommitError> {
        stream.first.follows(0)?;
        self.writer.write(Write::Create(Box::new(stream))).await
    }

    async fn commit(&self, commit: Commit) -> Result<(), CommitError> {
        if let Some(append) = &commit.append {
            append.follows(commit.expected_version)?;
        }
        self.writer.write(Write::Commit(Box::new(commit))).await
    }

    async fn stream(&self, id: StreamId) -> Result<Option<Stream>, StoreError> {
        self.readers
            .read(move |connection| read::stream(connection, id))
            .await
    }

    async fn events(
        &self,
        id: StreamId,
        after: Version,
        limit: usize,
    ) -> Result<Vec<StoredEvent>, StoreError> {
        self.readers
            .read(move |connection| read::events(connection, id, after, limit))
            .await
    }

    async fn answer(
        &self,
        id: StreamId,
        scope: &str,
        key: &str,
    ) -> Result<Option<Answer>, StoreError> {
        let (scope, key) = (scope.to_owned(), key.to_owned());
        self.readers
            .read(move |connection| read::answer(connection, id, scope, key))
            .await
    }

    async fn token(&self, hash: TokenHash) -> Result<Option<(StreamId, Token)>, StoreError> {
        self.readers
            .read(move |connection| read::token(connection, hash))
            .await
    }

    async fn tokens(&self, id: StreamId) -> Result<Vec<Token>, StoreError> {
        self.readers
            .read(move |connection| read::tokens(connection, id))
            .await
    }

    async fn list(&self, query: ListQuery) -> Result<Vec<Listed>, StoreError> {
        self.readers
            .read(move |connection| read::list(connection, &query))
            .await
    }

    async fn children(&self, id: StreamId) -> Result<Vec<StreamId>, StoreError> {
        self.readers
            .read(move |connection| read::children(connection, id))
            .await
    }

    async fn check(&self) -> Result<(), StoreError> {
        self.readers.read(migrations::check).await?;
        self.writer
            .write(Write::Probe)
            .await
            .map_err(|error| match error {
                CommitError::Unavailable(cause) => StoreError::Unavailable(cause),
                refused => StoreError::Unavailable(Arc::new(refused)),
            })
    }

    async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
    }
}

/// The cause for whatever comes after the end of a store.
#[derive(Debug, Error)]
#[error("the store is closed")]
struct Closed;
