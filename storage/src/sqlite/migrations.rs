//! The schema, and how an older one becomes the present one.
//!
//! `PRAGMA user_version` counts the migrations that a database has had; `PRAGMA application_id`
//! says that it is ours. A migration that was released is never edited: a change is a new file.

use rusqlite::{Connection, TransactionBehavior};
use thiserror::Error;

use super::open::OpenError;
use super::readers::ReadError;

const MIGRATIONS: [&str; 3] = [
    include_str!("migrations/0001_record.sql"),
    include_str!("migrations/0002_heads.sql"),
    include_str!("migrations/0003_chain.sql"),
];

const NEWEST: usize = MIGRATIONS.len();
const NEWER: usize = NEWEST + 1;

/// `Refe` in ASCII.
const APPLICATION_ID: u32 = 0x5265_6665;

/// How many migrations a database has had: none when it is empty.
pub(super) fn schema(connection: &Connection) -> Result<usize, OpenError> {
    // One statement, so that the three are of one moment while another process migrates.
    let sql = "SELECT application_id, user_version, NOT EXISTS (SELECT 1 FROM sqlite_schema)
        FROM pragma_application_id, pragma_user_version";
    let (application, schema, empty): (u32, usize, bool) =
        connection.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    match (application, schema) {
        (0, 0) if empty => Ok(0),
        (APPLICATION_ID, 1..=NEWEST) => Ok(schema),
        (APPLICATION_ID, NEWER..) => Err(OpenError::Newer {
            found: schema,
            known: NEWEST,
        }),
        _ => Err(OpenError::Foreign),
    }
}

/// Brings a database to the newest schema, in one transaction.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), OpenError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Again, inside the transaction: another process may have been faster.
    let before = schema(&transaction)?;
    for migration in MIGRATIONS.iter().skip(before) {
        transaction.execute_batch(migration)?;
    }
    if before < NEWEST {
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", NEWEST)?;
    }
    transaction.commit()?;
    Ok(())
}

/// Whether a database still has the newest schema: a newer program may have migrated it since.
pub(super) fn check(connection: &Connection) -> Result<(), ReadError> {
    let found: usize = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if found != NEWEST {
        return Err(ReadError::unavailable(SchemaChanged { found }));
    }
    Ok(())
}

#[derive(Debug, Error)]
#[error("the database has been given schema {found}, and this program writes {NEWEST}")]
struct SchemaChanged {
    found: usize,
}
