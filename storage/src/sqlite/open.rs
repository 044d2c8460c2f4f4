//! Opening the file: by which SQLite, with which settings, and whether it is a store at all.

use std::fs::OpenOptions;
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use thiserror::Error;

use super::migrations;
use crate::Cause;

/// Why a store was not opened.
#[derive(Debug, Error)]
pub enum OpenError {
    /// The program was linked with an SQLite that can corrupt a database in WAL mode when two
    /// connections write and checkpoint at once (<https://sqlite.org/wal.html#walresetbug>).
    #[error("SQLite {found} has the WAL-reset bug, 3.51.3 is needed")]
    Unsafe {
        /// The version that the program was linked with.
        found: &'static str,
    },
    /// The file cannot be made or reached.
    #[error("the database file cannot be made")]
    File(#[source] io::Error),
    /// The file is something else: the database of another program, or no database.
    #[error("the file is not a database of this program")]
    Foreign,
    /// The file was written by a newer version of the program.
    #[error("the database has schema {found}, and this program knows those up to {known}")]
    Newer {
        /// The schema of the file.
        found: usize,
        /// The newest that this program knows.
        known: usize,
    },
    /// The file system cannot hold a write-ahead log.
    #[error("the journal mode is {mode:?} where a write-ahead log is needed")]
    NoWal {
        /// The mode that the database stayed in.
        mode: String,
    },
    /// SQLite or the operating system refused something else.
    #[error("the database cannot be opened")]
    Other(#[source] Cause),
}

impl From<rusqlite::Error> for OpenError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => Self::Foreign,
            _ => Self::Other(Cause::from(Box::from(error))),
        }
    }
}

/// 3.51.3, as SQLite numbers its versions.
const OLDEST_SAFE: i32 = 3_051_003;

/// After how many pages of 4 KiB in the WAL they are moved into the database. A stream's pages are
/// written over and over while it lives, so a long WAL saves most of the moving. But until it is
/// begun again it grows, and a commit that makes the file longer waits for its new length, too.
const CHECKPOINT_PAGES: u32 = 8_192;

/// How many prepared statements a connection keeps: more than there are in this crate.
const STATEMENTS: usize = 64;

/// The one connection that writes, to a database of the newest schema.
pub(super) fn open_writer(path: &Path, busy_timeout: Duration) -> Result<Connection, OpenError> {
    safe(rusqlite::version_number())?;
    create_file(path).map_err(OpenError::File)?;
    let mut connection = open(path, OpenFlags::SQLITE_OPEN_READ_WRITE, busy_timeout)?;
    // Before anything is written, the journal mode included.
    migrations::schema(&connection)?;

    use_wal(&connection, busy_timeout)?;
    connection.pragma_update(None, "synchronous", "full")?;
    // Elsewhere than on macOS, where fsync leaves the data in the drive's cache, these do nothing.
    connection.pragma_update(None, "fullfsync", true)?;
    connection.pragma_update(None, "checkpoint_fullfsync", true)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
    migrations::migrate(&mut connection)?;
    Ok(connection)
}

/// SQLite does not wait for the lock that this change needs, so that is done here: two processes
/// may make one file at once.
fn use_wal(connection: &Connection, busy_timeout: Duration) -> Result<(), OpenError> {
    let begin = Instant::now();
    loop {
        let mode: rusqlite::Result<String> =
            connection.pragma_update_and_check(None, "journal_mode", "wal", |row| row.get(0));
        match mode {
            Ok(mode) if mode == "wal" => return Ok(()),
            Ok(mode) => return Err(OpenError::NoWal { mode }),
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                    && begin.elapsed() < busy_timeout =>
            {
                thread::sleep(Duration::from_millis(5));
            }
            Err(error) => return Err(error.into()),
        }
    }
}

/// A connection that reads, to a database that [`open_writer`] has opened before.
pub(super) fn open_reader(path: &Path, busy_timeout: Duration) -> rusqlite::Result<Connection> {
    open(path, OpenFlags::SQLITE_OPEN_READ_ONLY, busy_timeout)
}

fn open(path: &Path, flags: OpenFlags, busy_timeout: Duration) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(busy_timeout)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    // Without it a join over a table with partial indexes is planned anew for every value bound.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(connection)
}

fn safe(version: i32) -> Result<(), OpenError> {
    if version < OLDEST_SAFE {
        return Err(OpenError::Unsafe {
            found: rusqlite::version(),
        });
    }
    Ok(())
}

/// Makes the file where there is none, so that only its owner can read it: it holds secrets.
/// SQLite gives the files that it puts beside it the same rights.
fn create_file(path: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_sqlite_with_the_wal_reset_bug_is_refused() {
        assert!(matches!(safe(3_051_002), Err(OpenError::Unsafe { .. })));
        assert!(safe(3_051_003).is_ok());
    }
}
