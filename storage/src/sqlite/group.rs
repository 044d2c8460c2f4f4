//! The group commit: many writes, one transaction.

use std::sync::Arc;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, ffi};
use tracing::{error, warn};

use super::write::{Pen, Write, WriteError};
use crate::{Cause, CommitError};

/// The connection that writes, and whether it still does.
#[derive(Debug)]
pub(super) struct Recorder {
    connection: Connection,
    /// Why nothing is recorded any more.
    failed: Option<Cause>,
}

impl Recorder {
    pub(super) fn new(connection: Connection) -> Self {
        Self {
            connection,
            failed: None,
        }
    }

    /// Performs the writes in order, and says of each what became of it. When this returns, what
    /// it calls recorded is on disk.
    ///
    /// # Errors
    /// The cause for which none of them was recorded.
    pub(super) fn record(
        &mut self,
        group: &[Write],
    ) -> Result<Vec<Result<(), CommitError>>, Cause> {
        if let Some(cause) = &self.failed {
            return Err(Arc::clone(cause));
        }
        transact(&self.connection, group).map_err(|error| {
            let passes = passes(&error);
            let cause: Cause = Arc::new(error);
            if passes && self.connection.is_autocommit() {
                warn!(error = %cause, writes = group.len(), "writes were not recorded");
            } else {
                error!(error = %cause, "nothing is recorded from now on");
                self.failed = Some(Arc::clone(&cause));
            }
            cause
        })
    }

    /// Moves the log into the database and leaves the file. After a failure the files stay as they
    /// are: what was acknowledged is in them, and the next opening recovers it.
    pub(super) fn close(self) {
        if self.failed.is_some() {
            let keep = DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
            if let Err(error) = self.connection.set_db_config(keep, true) {
                error!(%error, "the write-ahead log may be moved into the database");
            }
            return;
        }
        let checkpoint = self
            .connection
            .query_row("PRAGMA wal_checkpoint(truncate)", [], |_| Ok(()));
        if let Err(error) = checkpoint {
            warn!(%error, "the write-ahead log stays as it is");
        }
    }
}

fn transact(
    connection: &Connection,
    group: &[Write],
) -> rusqlite::Result<Vec<Result<(), CommitError>>> {
    let straight = in_transaction(connection, |pen| perform_all(connection, pen, group))?;
    if let Some(results) = straight {
        return Ok(results);
    }
    let each = in_transaction(connection, |pen| {
        perform_each(connection, pen, group).map(Some)
    })?;
    Ok(each.expect("with savepoints the work always comes to something"))
}

/// Does work in a transaction. It is rolled back when the work fails or comes to nothing. These are
/// not rusqlite's transactions, whose statements are parsed anew each time.
fn in_transaction<T>(
    connection: &Connection,
    work: impl FnOnce(&mut Pen<'_>) -> rusqlite::Result<Option<T>>,
) -> rusqlite::Result<Option<T>> {
    run(connection, "BEGIN IMMEDIATE")?;
    let done = Pen::take(connection).and_then(|mut pen| work(&mut pen));
    let done = match done {
        Ok(Some(done)) => run(connection, "COMMIT").map(|()| Some(done)),
        nothing => nothing,
    };
    // SQLite itself has rolled back after some errors.
    if !matches!(done, Ok(Some(_))) && !connection.is_autocommit() {
        let ended = run(connection, "ROLLBACK");
        return done.and_then(|nothing| ended.map(|()| nothing));
    }
    done
}

/// The group with a savepoint for each member.
fn perform_each(
    connection: &Connection,
    pen: &mut Pen<'_>,
    group: &[Write],
) -> rusqlite::Result<Vec<Result<(), CommitError>>> {
    let mut results = Vec::with_capacity(group.len());
    for write in group {
        run(connection, "SAVEPOINT member")?;
        let result = perform(pen, write)?;
        if result.is_err() {
            run(connection, "ROLLBACK TO member")?;
        }
        run(connection, "RELEASE member")?;
        results.push(result);
    }
    Ok(results)
}

/// The group without a savepoint for each member, for which SQLite copies every page that the member
/// changes. None when a member failed after it had changed something.
fn perform_all(
    connection: &Connection,
    pen: &mut Pen<'_>,
    group: &[Write],
) -> rusqlite::Result<Option<Vec<Result<(), CommitError>>>> {
    let mut results = Vec::with_capacity(group.len());
    for write in group {
        let before = connection.total_changes();
        let result = perform(pen, write)?;
        if result.is_err() && connection.total_changes() != before {
            return Ok(None);
        }
        results.push(result);
    }
    Ok(Some(results))
}

/// Performs one write, and says what became of it.
///
/// # Errors
/// What ends the transaction.
fn perform(pen: &mut Pen<'_>, write: &Write) -> rusqlite::Result<Result<(), CommitError>> {
    match pen.perform(write) {
        Ok(()) => Ok(Ok(())),
        Err(WriteError::Refused(refusal)) => Ok(Err(refusal)),
        Err(WriteError::Sqlite(error)) if lies_in_the_write(&error) => {
            Ok(Err(CommitError::Unavailable(Arc::new(error))))
        }
        Err(WriteError::Sqlite(error)) => Err(error),
    }
}

fn run(connection: &Connection, sql: &str) -> rusqlite::Result<()> {
    connection.prepare_cached(sql)?.execute([]).map(drop)
}

/// Whether an error concerns one write, and the transaction can go on without it.
fn lies_in_the_write(error: &rusqlite::Error) -> bool {
    match error.sqlite_error_code() {
        Some(code) => matches!(code, ErrorCode::ConstraintViolation | ErrorCode::TooBig),
        // Of rusqlite's own errors: a value that does not fit.
        None => true,
    }
}

/// Whether the next transaction may succeed after this error, and if it does can be trusted.
fn passes(error: &rusqlite::Error) -> bool {
    let Some(ffi::Error {
        code,
        extended_code,
    }) = error.sqlite_error()
    else {
        return true;
    };
    match code {
        // No room for the index of the write-ahead log: a full disk by another name.
        ErrorCode::SystemIoFailure => *extended_code == ffi::SQLITE_IOERR_SHMSIZE,
        ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::time::Duration;

    use chrono::DateTime;
    use uuid::Uuid;

    use super::super::open::open_writer;
    use super::*;
    use crate::{Append, NewStream, StoredEvent, StreamId, Summary, Visibility};

    fn recorder(path: &Path) -> Recorder {
        Recorder::new(open_writer(path, Duration::ZERO).unwrap())
    }

    fn create(n: u128, body: String) -> Write {
        Write::Create(Box::new(NewStream {
            id: StreamId(Uuid::from_u128(n)),
            kind: "chess".into(),
            visibility: Visibility::Private,
            secret: None,
            beside: "{}".into(),
            parent: None,
            created_at: DateTime::UNIX_EPOCH,
            first: Append {
                events: vec![StoredEvent { seq: 1, body }],
                head: [0; 32],
                summary: Summary {
                    status: "in_progress".into(),
                    body: "{}".into(),
                },
            },
            tokens: Vec::new(),
        }))
    }

    fn streams(recorder: &Recorder) -> u64 {
        let count = "SELECT count(*) FROM streams";
        recorder
            .connection
            .query_row(count, [], |row| row.get(0))
            .unwrap()
    }

    #[test]
    fn a_full_disk_refuses_the_group_and_passes() {
        let directory = tempfile::tempdir().unwrap();
        let mut recorder = recorder(&directory.path().join("referee.db"));
        recorder.record(&[create(1, "small".into())]).unwrap();
        let pages: u64 = recorder
            .connection
            .pragma_query_value(None, "page_count", |row| row.get(0))
            .unwrap();
        recorder
            .connection
            .pragma_update(None, "max_page_count", pages)
            .unwrap();

        // The second does not fit; the first was judged in the same transaction.
        let group = [create(2, "small".into()), create(3, "large".repeat(10_000))];
        assert!(recorder.record(&group).is_err());
        assert_eq!(streams(&recorder), 1);

        recorder
            .connection
            .pragma_update(None, "max_page_count", 1 << 30)
            .unwrap();
        let results = recorder.record(&group).unwrap();
        assert!(results.iter().all(Result::is_ok), "{results:?}");
        assert_eq!(streams(&recorder), 3);
    }

    #[test]
    fn a_write_that_sqlite_refuses_leaves_the_others_as_they_are() {
        let directory = tempfile::tempdir().unwrap();
        let mut recorder = recorder(&directory.path().join("referee.db"));
        let limit = rusqlite::limits::Limit::SQLITE_LIMIT_LENGTH;
        recorder.connection.set_limit(limit, 10_000).unwrap();

        let group = [
            create(1, "small".into()),
            create(2, "large".repeat(10_000)),
            create(1, "twice".into()),
            create(3, "small".into()),
        ];
        let results = recorder.record(&group).unwrap();

        assert!(matches!(
            results[..],
            [
                Ok(()),
                Err(CommitError::Unavailable(_)),
                Err(CommitError::StreamExists(_)),
                Ok(())
            ]
        ));
        assert_eq!(streams(&recorder), 2);
    }

    #[test]
    fn after_damage_nothing_is_recorded_any_more() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("referee.db");
        let mut recorder = recorder(&path);
        recorder.record(&[create(1, "small".into())]).unwrap();
        recorder
            .connection
            .query_row("PRAGMA wal_checkpoint(truncate)", [], |_| Ok(()))
            .unwrap();
        recorder
            .connection
            .execute_batch("PRAGMA shrink_memory")
            .unwrap();
        let whole = fs::read(&path).unwrap();
        fs::write(
            &path,
            [&whole[..100], &vec![0xAA; whole.len() - 100]].concat(),
        )
        .unwrap();
        assert!(recorder.record(&[create(2, "small".into())]).is_err());

        // Also when what is read seems in order again.
        fs::write(&path, whole).unwrap();
        recorder
            .connection
            .execute_batch("PRAGMA shrink_memory")
            .unwrap();
        assert_eq!(streams(&recorder), 1);
        assert!(recorder.record(&[create(2, "small".into())]).is_err());
        assert_eq!(streams(&recorder), 1);

        recorder.close();
        assert!(
            path.with_extension("db-wal").exists(),
            "the files stay as they are"
        );
    }

    #[test]
    fn no_second_fsync_is_trusted() {
        let failure = |code| rusqlite::Error::SqliteFailure(ffi::Error::new(code), None);
        for code in [
            ffi::SQLITE_IOERR_FSYNC,
            ffi::SQLITE_IOERR_WRITE,
            ffi::SQLITE_CORRUPT,
        ] {
            assert!(!passes(&failure(code)), "{code}");
        }
        for code in [
            ffi::SQLITE_FULL,
            ffi::SQLITE_BUSY,
            ffi::SQLITE_IOERR_SHMSIZE,
        ] {
            assert!(passes(&failure(code)), "{code}");
        }
    }
}
