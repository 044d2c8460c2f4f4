//! The connections that read.

use std::error::Error;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rusqlite::Connection;
use tokio::sync::Semaphore;
use tokio::task;

use super::{Closed, open};
use crate::StoreError;

/// Why a read failed, before the backend's own error is hidden from the caller.
#[derive(Debug)]
pub(super) enum ReadError {
    Sqlite(rusqlite::Error),
    Store(StoreError),
}

impl ReadError {
    pub(super) fn unavailable(cause: impl Error + Send + Sync + 'static) -> Self {
        Self::Store(unavailable(cause))
    }
}

impl From<rusqlite::Error> for ReadError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<StoreError> for ReadError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// A pool. A connection is opened when it is first needed, and not used again after an error.
#[derive(Debug)]
pub(super) struct Readers {
    pool: Arc<Pool>,
    permits: Arc<Semaphore>,
    size: u32,
}

#[derive(Debug)]
struct Pool {
    path: PathBuf,
    busy_timeout: Duration,
    idle: Mutex<Vec<Connection>>,
}

impl Readers {
    pub(super) fn new(path: PathBuf, size: u32, busy_timeout: Duration) -> Self {
        let size = size.max(1);
        let pool = Arc::new(Pool {
            path,
            busy_timeout,
            idle: Mutex::default(),
        });
        Self {
            pool,
            permits: Arc::new(Semaphore::new(size as usize)),
            size,
        }
    }

    /// Runs a read on a thread that may block.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, ReadError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let permit = Arc::clone(&self.permits)
            .acquire_owned()
            .await
            .map_err(|_| unavailable(Closed))?;
        let pool = Arc::clone(&self.pool);
        let run = move || {
            // Held by the thread: the read goes on when its caller no longer waits for it.
            let _permit = permit;
            pool.read(read)
        };
        task::spawn_blocking(run).await.map_err(unavailable)?
    }

    /// Waits for the reads that run and closes the connections.
    pub(super) async fn close(&self) {
        // Fails only when it was closed before.
        let all = self.permits.acquire_many(self.size).await;
        self.permits.close();
        self.pool
            .idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
        drop(all);
    }
}

impl Pool {
    fn read<T>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, ReadError>,
    ) -> Result<T, StoreError> {
        let idle = self
            .idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        let connection = match idle {
            Some(connection) => connection,
            None => open::open_reader(&self.path, self.busy_timeout).map_err(unavailable)?,
        };
        match read(&connection) {
            Ok(value) => {
                self.idle
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push(connection);
                Ok(value)
            }
            Err(ReadError::Sqlite(error)) => Err(unavailable(error)),
            Err(ReadError::Store(error)) => Err(error),
        }
    }
}

fn unavailable(cause: impl Error + Send + Sync + 'static) -> StoreError {
    StoreError::Unavailable(Arc::new(cause))
}
