//! What is written to the database.

use chrono::SecondsFormat;
use rusqlite::{CachedStatement, Connection, OptionalExtension, Row, params};

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

/// How many events a row holds at most, so that a page out of a long import does not read all of
/// it.
const BATCH: usize = 128;

/// A connection in a transaction, with the statements that every commit needs, so that they are
/// looked up once a group and not once a member.
pub(super) struct Pen<'c> {
    connection: &'c Connection,
    find: CachedStatement<'c>,
    insert: CachedStatement<'c>,
    advance: CachedStatement<'c>,
}

impl<'c> Pen<'c> {
    pub(super) fn take(connection: &'c Connection) -> rusqlite::Result<Self> {
        Ok(Self {
            connection,
            find: connection.prepare_cached(
                "SELECT row, version, tail, (status, summary) IS (?, ?)
                FROM streams JOIN heads ON heads.stream = row WHERE id = ?",
            )?,
            insert: connection.prepare_cached(
                "INSERT INTO batches (stream, first, last, previous, events)
                VALUES (?, ?, ?, ?, ?)",
            )?,
            advance: connection.prepare_cached(
                "UPDATE heads SET version = ?, head = ?, tail = ? WHERE stream = ?",
            )?,
        })
    }

    /// Judges a write and performs it. When this fails, the caller takes back what it has changed.
    pub(super) fn perform(&mut self, write: &Write) -> Result<(), WriteError> {
        match write {
            Write::Create(stream) => self.create(stream),
            Write::Commit(commit) => self.record(commit),
            Write::Probe => {
                self.connection
                    .prepare_cached("UPDATE probe SET noise = randomblob(65536)")?
                    .execute([])?;
                Ok(())
            }
        }
    }

    fn create(&mut self, new: &NewStream) -> Result<(), WriteError> {
        let connection = self.connection;
        if find(connection, new.id)?.is_some() {
            return Err(CommitError::StreamExists(new.id).into());
        }
        let parent = match new.parent {
            Some(parent) => {
                let found = find(connection, parent)?.ok_or(CommitError::NoStream(parent))?;
                Some(found.row)
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
        self.insert_events(stream, None, &new.first)?;
        insert_tokens(connection, stream, &new.tokens)
    }

    fn record(&mut self, commit: &Commit) -> Result<(), WriteError> {
        let connection = self.connection;
        let summary = commit.append.as_ref().map(|append| &append.summary);
        let values = params![
            summary.map(|summary| &summary.status),
            summary.map(|summary| &summary.body),
            commit.stream.0
        ];
        let found = self
            .find
            .query_row(values, |row| Ok((Found::read(row)?, row.get(3)?)))
            .optional()?;
        let Some((found, summary_stays)): Option<(Found, bool)> = found else {
            return Err(CommitError::NoStream(commit.stream).into());
        };
        let (stream, version) = (found.row, found.version);
        if let Some(answer) = &commit.answer {
            let sql = "SELECT 1 FROM answers WHERE stream = ? AND scope = ? AND key = ?";
            let answered = connection.prepare_cached(sql)?.exists(params![
                stream,
                answer.scope,
                answer.key
            ])?;
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
            self.insert_events(stream, Some(found.tail), append)?;
            // A row that stays as it is costs no page.
            if !summary_stays {
                let Summary { status, body } = &append.summary;
                connection
                    .prepare_cached("UPDATE streams SET status = ?, summary = ? WHERE row = ?")?
                    .execute(params![status, body, stream])?;
            }
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

    /// Puts events behind the batch in the row `tail`, or begins a stream with them.
    fn insert_events(
        &mut self,
        stream: i64,
        mut tail: Option<i64>,
        append: &Append,
    ) -> rusqlite::Result<()> {
        for batch in append.events.chunks(BATCH) {
            let bodies: Vec<&str> = batch.iter().map(|event| event.body.as_str()).collect();
            let (first, last) = (batch[0].seq, batch[batch.len() - 1].seq);
            let values = params![stream, first, last, tail, bodies.join("\n")];
            let row = self.insert.insert(values)?;
            let values = params![last, append.head, row, stream];
            match tail {
                None => {
                    let sql = "INSERT INTO heads (version, head, tail, stream) VALUES (?, ?, ?, ?)";
                    self.connection.prepare_cached(sql)?.execute(values)?
                }
                Some(_) => self.advance.execute(values)?,
            };
            tail = Some(row);
        }
        Ok(())
    }
}

/// Where a stream stands.
#[derive(Debug)]
pub(super) struct Found {
    /// Its row.
    pub(super) row: i64,
    /// The seq of its last event.
    pub(super) version: Version,
    /// The row of its last batch.
    pub(super) tail: i64,
}

impl Found {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            row: row.get(0)?,
            version: row.get(1)?,
            tail: row.get(2)?,
        })
    }
}

/// Where a stream stands, if there is one of this id.
pub(super) fn find(connection: &Connection, id: StreamId) -> rusqlite::Result<Option<Found>> {
    connection
        .prepare_cached(
            "SELECT row, version, tail FROM streams JOIN heads ON heads.stream = row WHERE id = ?",
        )?
        .query_row([id.0], Found::read)
        .optional()
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
