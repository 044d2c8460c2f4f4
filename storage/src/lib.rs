//! The record: event streams, the answers that were given, and the tokens that open them.
//!
//! The crate knows no game. What it keeps is opaque to it: an event is the text that was hashed,
//! a summary and what lies beside a stream are texts of the caller's. Its own promises are
//! these, and the suite in the feature `conformance` holds every backend to them:
//!
//! 1. **Acknowledged means durable.** A write that returned `Ok` is on disk and survives the
//!    loss of the process and of power.
//! 2. **All or nothing.** The events of a [`Commit`], its tokens, its answer and the summary
//!    become visible together; a refused one leaves no trace.
//! 3. **Gapless order.** The events of a stream are numbered from 1 without gaps, and of two
//!    commits made at one version exactly one is recorded.
//! 4. **Append-only.** No event and no answer is ever changed or removed, and each is given back
//!    byte for byte.
//!
//! **Invariant:** no SQL, and no type of a database, leaves this crate, and nothing of HTTP or of
//! a game enters it.

mod error;
mod record;
pub mod sqlite;

#[cfg(feature = "conformance")]
pub mod conformance;

use async_trait::async_trait;

pub use self::error::{Cause, CommitError, StoreError};
pub use self::record::{
    Answer, Append, Commit, ListQuery, Listed, NewStream, Secret, StoredEvent, Stream, StreamId,
    Summary, Token, TokenHash, Version, Visibility,
};
pub use self::sqlite::{OpenError, SqliteOptions, SqliteStore};

/// A store of event streams.
///
/// Every method may be called from any task at any time; use it as `Arc<dyn EventStore>`. A read
/// that starts after a write returned sees that write.
///
/// Dropping the future of a write does not take the write back: it may be recorded all the same.
#[async_trait]
pub trait EventStore: Send + Sync {
    /// Records a new stream with its first events and tokens.
    ///
    /// # Errors
    /// In this order: [`Empty`](CommitError::Empty), [`Gap`](CommitError::Gap) or
    /// [`LineBreak`](CommitError::LineBreak) for events out of shape;
    /// [`StreamExists`](CommitError::StreamExists); [`NoStream`](CommitError::NoStream) when the
    /// parent is not in this store; [`TokenTaken`](CommitError::TokenTaken);
    /// [`Unavailable`](CommitError::Unavailable).
    async fn create(&self, stream: NewStream) -> Result<(), CommitError>;

    /// Records what follows in a stream from one request.
    ///
    /// # Errors
    /// In this order: [`Empty`](CommitError::Empty), [`Gap`](CommitError::Gap) or
    /// [`LineBreak`](CommitError::LineBreak) for events out of shape;
    /// [`NoStream`](CommitError::NoStream); [`Answered`](CommitError::Answered), whatever the
    /// version; [`Conflict`](CommitError::Conflict); [`NoToken`](CommitError::NoToken);
    /// [`TokenTaken`](CommitError::TokenTaken); [`Unavailable`](CommitError::Unavailable).
    async fn commit(&self, commit: Commit) -> Result<(), CommitError>;

    /// A stream as it stands now, without its events.
    async fn stream(&self, id: StreamId) -> Result<Option<Stream>, StoreError>;

    /// At most `limit` events of a stream with a seq above `after`, in order; none for a stream
    /// that does not exist.
    async fn events(
        &self,
        id: StreamId,
        after: Version,
        limit: usize,
    ) -> Result<Vec<StoredEvent>, StoreError>;

    /// The answer that was given in this scope under this key.
    async fn answer(
        &self,
        id: StreamId,
        scope: &str,
        key: &str,
    ) -> Result<Option<Answer>, StoreError>;

    /// The token with this hash and the stream that it opens. A revoked one is not found.
    async fn token(&self, hash: TokenHash) -> Result<Option<(StreamId, Token)>, StoreError>;

    /// The tokens of a stream that are not revoked, oldest first.
    async fn tokens(&self, id: StreamId) -> Result<Vec<Token>, StoreError>;

    /// One page of the public streams, newest first.
    async fn list(&self, query: ListQuery) -> Result<Vec<Listed>, StoreError>;

    /// The streams, public or not, that name this one as their parent, oldest first.
    async fn children(&self, id: StreamId) -> Result<Vec<StreamId>, StoreError>;

    /// Whether the store is ready: reads, has the schema that this program knows, and records
    /// durably. It finds out by doing all three, so it costs a write.
    async fn check(&self) -> Result<(), StoreError>;

    /// Finishes the writes that were accepted, puts the store into the state in which it is best
    /// left, and ends it: every later call is [`Unavailable`](StoreError::Unavailable), a second
    /// `close` does nothing.
    async fn close(&self);
}
