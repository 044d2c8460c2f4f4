//! The suite, run on the backend in a file.

use std::sync::Arc;

use async_trait::async_trait;
use storage::conformance::Backend;
use storage::{EventStore, SqliteOptions, SqliteStore};
use tempfile::TempDir;

struct Sqlite {
    directory: TempDir,
}

impl Sqlite {
    fn new() -> Self {
        Self {
            directory: tempfile::tempdir().expect("a directory can be made"),
        }
    }
}

#[async_trait]
impl Backend for Sqlite {
    async fn open(&self) -> Arc<dyn EventStore> {
        let path = self.directory.path().join("referee.db");
        Arc::new(SqliteStore::open(path, &SqliteOptions::default()).expect("the store opens"))
    }
}

storage::conformance!(Sqlite::new());
