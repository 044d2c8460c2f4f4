//! What is read from the database.

use chrono::{DateTime, Utc};
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row, ToSql};

use super::readers::ReadError;
use super::write::{Found, find};
use crate::{
    Answer, ListQuery, Listed, Secret, StoreError, StoredEvent, Stream, StreamId, Summary, Token,
    TokenHash, Version, Visibility,
};

/// Batches with a seq that this divides are in an index. It stands in the schema, too.
const MARKED: Version = 32;

pub(super) fn stream(connection: &Connection, id: StreamId) -> Result<Option<Stream>, ReadError> {
    let sql = "SELECT kind, listed IS NOT NULL, secret, beside,
            (SELECT id FROM streams AS parents WHERE parents.row = streams.parent),
            created_at, version, head, status, summary
        FROM streams JOIN heads ON heads.stream = streams.row WHERE id = ?";
    let stream = connection
        .prepare_cached(sql)?
        .query_row([id.0], |row| {
            let visibility = match row.get(1)? {
                true => Visibility::Public,
                false => Visibility::Private,
            };
            Ok(Stream {
                id,
                kind: row.get(0)?,
                visibility,
                secret: row.get::<_, Option<_>>(2)?.map(Secret),
                beside: row.get(3)?,
                parent: row.get::<_, Option<_>>(4)?.map(StreamId),
                created_at: time(row, 5)?,
                version: row.get(6)?,
                head: row.get(7)?,
                summary: Summary {
                    status: row.get(8)?,
                    body: row.get(9)?,
                },
            })
        })
        .optional()?;
    Ok(stream)
}

/// Refuses to give fewer events than were recorded: a record with a hole or without its end would
/// look like a whole one.
pub(super) fn events(
    connection: &Connection,
    id: StreamId,
    after: Version,
    limit: usize,
) -> Result<Vec<StoredEvent>, ReadError> {
    // The version and the events have to be of one moment.
    let snapshot = connection.unchecked_transaction()?;
    let Some(found) = find(&snapshot, id)? else {
        return Ok(Vec::new());
    };
    let end = after.saturating_add(limit as u64).min(found.version);
    let mut events = Vec::new();
    if end <= after {
        return Ok(events);
    }
    let corrupt = |seq| ReadError::from(StoreError::Corrupt { stream: id, seq });

    let (row, mut last) = behind(&snapshot, &found, end)?.ok_or_else(|| corrupt(end))?;
    let mut row = Some(row);
    let sql = "SELECT first, last, previous, events FROM batches WHERE row = ? AND stream = ?";
    let mut batch = snapshot.prepare_cached(sql)?;
    while last > after {
        let mut rows = batch.query((row, found.row))?;
        let Some(batch) = rows.next()? else {
            return Err(corrupt(last));
        };
        let (first, ends): (Version, Version) = (batch.get(0)?, batch.get(1)?);
        let bodies = batch.get_ref(3)?.as_str().map_err(rusqlite::Error::from)?;
        let breaks = bodies.bytes().filter(|byte| *byte == b'\n').count() as Version;
        if ends != last || last.checked_sub(first) != Some(breaks) {
            return Err(corrupt(last));
        }
        let stored = (first..=last).rev().zip(bodies.rsplit('\n'));
        let stored = stored.filter(|(seq, _)| (after + 1..=end).contains(seq));
        events.extend(stored.map(|(seq, body)| StoredEvent {
            seq,
            body: body.to_owned(),
        }));
        row = batch.get(2)?;
        last = first.saturating_sub(1);
    }
    events.reverse();
    Ok(events)
}

/// The row of a batch that holds the seq `end` or is soon behind it, and its last seq: where a walk
/// backwards along the chain begins. None when the batch that should be marked is not.
fn behind(
    snapshot: &Connection,
    stream: &Found,
    end: Version,
) -> rusqlite::Result<Option<(i64, Version)>> {
    let mark = end.next_multiple_of(MARKED);
    if mark > stream.version {
        return Ok(Some((stream.tail, stream.version)));
    }
    let sql = "SELECT row, last FROM batches INDEXED BY batches_marked
        WHERE stream = ? AND first <= ? AND last / 32 > (first - 1) / 32
        ORDER BY first DESC LIMIT 1";
    let marked: Option<(i64, Version)> = snapshot
        .prepare_cached(sql)?
        .query_row((stream.row, mark), |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    Ok(marked.filter(|(_, last)| *last >= mark))
}

pub(super) fn answer(
    connection: &Connection,
    id: StreamId,
    scope: String,
    key: String,
) -> Result<Option<Answer>, ReadError> {
    let sql = "SELECT fingerprint, status, version, body FROM answers
        WHERE stream = (SELECT row FROM streams WHERE id = ?) AND scope = ? AND key = ?";
    let answer = connection
        .prepare_cached(sql)?
        .query_row((id.0, &scope, &key), |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
        })
        .optional()?;
    Ok(answer.map(|(fingerprint, status, version, body)| Answer {
        scope,
        key,
        fingerprint,
        status,
        version,
        body,
    }))
}

pub(super) fn token(
    connection: &Connection,
    hash: TokenHash,
) -> Result<Option<(StreamId, Token)>, ReadError> {
    let sql = "SELECT role, seat, id FROM tokens JOIN streams ON streams.row = tokens.stream
        WHERE hash = ? AND NOT revoked";
    let token = connection
        .prepare_cached(sql)?
        .query_row([hash.0], |row| {
            let token = Token {
                hash,
                role: row.get(0)?,
                seat: row.get(1)?,
            };
            Ok((StreamId(row.get(2)?), token))
        })
        .optional()?;
    Ok(token)
}

pub(super) fn tokens(connection: &Connection, id: StreamId) -> Result<Vec<Token>, ReadError> {
    let sql = "SELECT hash, role, seat FROM tokens
        WHERE stream = (SELECT row FROM streams WHERE id = ?) AND NOT revoked ORDER BY row";
    let tokens = connection
        .prepare_cached(sql)?
        .query_map([id.0], |row| {
            Ok(Token {
                hash: TokenHash(row.get(0)?),
                role: row.get(1)?,
                seat: row.get(2)?,
            })
        })?
        .collect::<Result<_, _>>()?;
    Ok(tokens)
}

pub(super) fn list(connection: &Connection, query: &ListQuery) -> Result<Vec<Listed>, ReadError> {
    let before = query.before.map_or(i64::MAX, saturate);
    let limit = saturate(query.limit as u64);
    // Written for each combination of filters, so that SQLite finds the index that fits it.
    let mut sql = String::from("SELECT id, summary, listed FROM streams WHERE listed < ?");
    let mut values: Vec<&dyn ToSql> = vec![&before];
    if let Some(kind) = &query.kind {
        sql.push_str(" AND kind = ?");
        values.push(kind);
    }
    if let Some(status) = &query.status {
        sql.push_str(" AND status = ?");
        values.push(status);
    }
    sql.push_str(" ORDER BY listed DESC LIMIT ?");
    values.push(&limit);
    let page = connection
        .prepare_cached(&sql)?
        .query_map(values.as_slice(), |row| {
            Ok(Listed {
                id: StreamId(row.get(0)?),
                summary: row.get(1)?,
                cursor: row.get(2)?,
            })
        })?
        .collect::<Result<_, _>>()?;
    Ok(page)
}

pub(super) fn children(connection: &Connection, id: StreamId) -> Result<Vec<StreamId>, ReadError> {
    let sql = "SELECT id FROM streams
        WHERE parent = (SELECT row FROM streams AS parents WHERE parents.id = ?) ORDER BY row";
    let children = connection
        .prepare_cached(sql)?
        .query_map([id.0], |row| Ok(StreamId(row.get(0)?)))?
        .collect::<Result<_, _>>()?;
    Ok(children)
}

/// SQLite's integers are signed; nothing stored is above their bound.
fn saturate(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

fn time(row: &Row<'_>, column: usize) -> rusqlite::Result<DateTime<Utc>> {
    let text = row.get_ref(column)?.as_str()?;
    DateTime::parse_from_rfc3339(text)
        .map(|time| time.to_utc())
        .map_err(|error| {
            rusqlite::Error::FromSqlConversionFailure(column, Type::Text, Box::new(error))
        })
}
