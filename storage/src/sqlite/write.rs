//! What is written to the database.

use chrono::SecondsFormat;
use rusqlite::{Connection, OptionalExtension, params};

use crate::{
    Append, Commit, CommitError, NewStream, StreamId, Summary, Token, Version, Visibility,
};

/// A write, of a shape that was checked.
#[derive(Debug)]
pub(super) enum Write {
    Create(Box<NewStream>),
    Commit(Box<Commit>),
    /// Changes a row that means nothing, to find out whether writing is possible. It is as large as
    /// what a busy moment writes, since the last few free bytes of a disk make no store ready.
    Probe,
}

/// Why a write was not performed.
#[derive(Debug)]
pub(super) enum WriteError {
    Refused(CommitError),
    Sqlite(rusqlite::Error),
}

impl From<CommitError> for WriteError {
    fn from(error: CommitError) -> Self {
        Self::Refused(error)
    }
}

impl From<rusqlite::Error> for WriteError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl Write {
    /// Judges the write and performs it. When this fails, the caller takes back what it has
    /// changed.
    pub(super) fn perform(&self, connection: &Connection) -> Result<(), WriteError> {
        match self {
            Self::Create(stream) => create(connection, stream),
            Self::Commit(commit) => record(connection, commit),
            Self::Probe => {
                connection
                    .prepare_cached("UPDATE probe SET noise = randomblob(65536)")?
                    .execute([])?;
                Ok(())
            }
        }
    }
}

/// How many events a row holds at most, so that a page out of a long import does not read all of
/// it.
const BATCH: usize = 128;

fn create(connection: &Connection, new: &NewStream) -> Result<(), WriteError> {
    if find(connection, new.id)?.is_some() {
        return Err(CommitError::StreamExists(new.id).into());
    }
    let parent = match new.parent {
        Some(parent) => {
            let (row, _) = find(connection, parent)?.ok_or(CommitError::NoStream(parent))?;
            Some(row)
        }
        None => None,
    };
    let listed: Option<i64> = match new.visibility {
        Visibility::Public => connection
            .prepare_cached(
                "SELECT ifnull(max(listed), 0) + 1 FROM streams WHERE listed IS NOT NULL",
            )?
            .query_row([], |row| row.get(0))?,
        Visibility::Private => None,
    };
    let sql = "INSERT INTO streams (id, kind, listed, secret, beside, parent, created_at,
            status, summary)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
    connection.prepare_cached(sql)?.execute(params![
        new.id.0,
        new.kind,
        listed,
        new.secret.map(|secret| secret.0),
        new.beside,
        parent,
        new.created_at.to_rfc3339_opts(SecondsFormat::AutoSi, true),
        new.first.summary.status,
        new.first.summary.body,
    ])?;
    let stream = connection.last_insert_rowid();
    connection
        .prepare_cached("INSERT INTO heads (stream, version, head) VALUES (?, ?, ?)")?
        .execute(params![stream, new.first.version(), new.first.head])?;
    insert_events(connection, stream, &new.first)?;
    insert_tokens(connection, stream, &new.tokens)
}

fn record(connection: &Connection, commit: &Commit) -> Result<(), WriteError> {
    let Some((stream, version)) = find(connection, commit.stream)? else {
        return Err(CommitError::NoStream(commit.stream).into());
    };
    if let Some(answer) = &commit.answer {
        let sql = "SELECT 1 FROM answers WHERE stream = ? AND scope = ? AND key = ?";
        let answered =
            connection
                .prepare_cached(sql)?
                .exists(params![stream, answer.scope, answer.key])?;
        if answered {
            return Err(CommitError::Answered {
                key: answer.key.clone(),
            }
            .into());
        }
    }
    if version != commit.expected_version {
        let expected = commit.expected_version;
        return Err(CommitError::Conflict {
            expected,
            actual: version,
        }
        .into());
    }
    for hash in &commit.revoked {
        let sql = "UPDATE tokens SET revoked = 1 WHERE hash = ? AND stream = ? AND NOT revoked";
        if connection
            .prepare_cached(sql)?
            .execute(params![hash.0, stream])?
            == 0
        {
            return Err(CommitError::NoToken(*hash).into());
        }
    }
    insert_tokens(connection, stream, &commit.tokens)?;
    if let Some(append) = &commit.append {
        insert_events(connection, stream, append)?;
        connection
            .prepare_cached("UPDATE heads SET version = ?, head = ? WHERE stream = ?")?
            .execute(params![append.version(), append.head, stream])?;
        // A row that stays as it is costs no page.
        let sql = "UPDATE streams SET status = ?1, summary = ?2
            WHERE row = ?3 AND (status <> ?1 OR summary <> ?2)";
        let Summary { status, body } = &append.summary;
        connection
            .prepare_cached(sql)?
            .execute(params![status, body, stream])?;
    }
    if let Some(answer) = &commit.answer {
        let sql = "INSERT INTO answers (stream, scope, key, fingerprint, status, version, body)
            VALUES (?, ?, ?, ?, ?, ?, ?)";
        connection.prepare_cached(sql)?.execute(params![
            stream,
            answer.scope,
            answer.key,
            answer.fingerprint,
            answer.status,
            answer.version,
            answer.body,
        ])?;
    }
    Ok(())
}

/// The row and the version of a stream.
fn find(connection: &Connection, id: StreamId) -> rusqlite::Result<Option<(i64, Version)>> {
    connection
        .prepare_cached(
            "SELECT row, version FROM streams JOIN heads ON heads.stream = row WHERE id = ?",
        )?
        .query_row([id.0], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()
}

fn insert_events(connection: &Connection, stream: i64, append: &Append) -> rusqlite::Result<()> {
    let mut insert = connection
        .prepare_cached("INSERT INTO batches (stream, first, last, events) VALUES (?, ?, ?, ?)")?;
    for batch in append.events.chunks(BATCH) {
        let bodies: Vec<&str> = batch.iter().map(|event| event.body.as_str()).collect();
        let (first, last) = (batch[0].seq, batch[batch.len() - 1].seq);
        insert.execute(params![stream, first, last, bodies.join("\n")])?;
    }
    Ok(())
}

fn insert_tokens(connection: &Connection, stream: i64, tokens: &[Token]) -> Result<(), WriteError> {
    for token in tokens {
        let sql = "SELECT 1 FROM tokens WHERE hash = ?";
        if connection.prepare_cached(sql)?.exists([token.hash.0])? {
            return Err(CommitError::TokenTaken(token.hash).into());
        }
        let sql = "INSERT INTO tokens (hash, stream, role, seat) VALUES (?, ?, ?, ?)";
        let values = params![token.hash.0, stream, token.role, token.seat];
        connection.prepare_cached(sql)?.execute(values)?;
    }
    Ok(())
}
