//! Measures four ways to lay events on disk, to choose the one that `storage::sqlite` uses:
//!
//! - `chained`: a row a commit, holding all its events, in an append-only table; it names the row
//!   before it, and one row in a few is in an index;
//! - `batches`: the same with an index of all rows;
//! - `events`: a row an event in an append-only table;
//! - `clustered`: a row an event in a `WITHOUT ROWID` table, in the order of the streams.
//!
//! 64 streams are written in turns, 16 commits of 3 events of 350 bytes in every transaction, which
//! is about what 64 clients make that wait for their answers; then each stream is read as a whole,
//! and then page by page from its beginning. The layouts take turns, and the best round of each counts, since the machine's other
//! work can only slow a round down.
//!
//! `cargo run --release -p storage --example layout`

use std::time::{Duration, Instant};

use rusqlite::{Connection, Result, TransactionBehavior, params};

const STREAMS: i64 = 64;
const COMMITS: i64 = 333;
const EVENTS: i64 = 3;
const ROUNDS: usize = 7;

/// How many commits are one transaction.
const GROUP: usize = 16;
/// How many events a page has.
const PAGE: i64 = 100;
/// Of how many seqs one is marked.
const MARKED: i64 = 32;

struct Layout {
    name: &'static str,
    schema: &'static str,
    write: fn(&Connection, &Head, &[String]) -> Result<()>,
    read: fn(&Connection, &Head, i64, i64) -> Result<Vec<String>>,
}

/// Where a stream stands.
struct Head {
    stream: i64,
    version: i64,
    tail: Option<i64>,
}

const LAYOUTS: [Layout; 4] = [
    Layout {
        name: "chained",
        schema: "CREATE TABLE batches (row INTEGER PRIMARY KEY, stream INTEGER NOT NULL,
                     first INTEGER NOT NULL, last INTEGER NOT NULL, previous INTEGER,
                     events TEXT NOT NULL) STRICT;
                 CREATE UNIQUE INDEX batches_marked ON batches (stream, first)
                     WHERE last / 32 > (first - 1) / 32;",
        write: |connection, head, events| {
            let sql = "INSERT INTO batches (stream, first, last, previous, events)
                VALUES (?, ?, ?, ?, ?)";
            let (first, last) = (head.version + 1, head.version + EVENTS);
            let values = params![head.stream, first, last, head.tail, events.join("\n")];
            connection.prepare_cached(sql)?.execute(values).map(drop)
        },
        read: |connection, head, after, end| {
            let mark = (end + MARKED - 1) / MARKED * MARKED;
            let mut row = match mark > head.version {
                true => head.tail,
                false => {
                    let sql = "SELECT row FROM batches INDEXED BY batches_marked
                        WHERE stream = ? AND first <= ? AND last / 32 > (first - 1) / 32
                        ORDER BY first DESC LIMIT 1";
                    let mut marked = connection.prepare_cached(sql)?;
                    Some(marked.query_row((head.stream, mark), |row| row.get(0))?)
                }
            };
            let sql = "SELECT first, last, previous, events FROM batches WHERE row = ?";
            let mut batch = connection.prepare_cached(sql)?;
            let mut events = Vec::new();
            while let Some(number) = row {
                let first = batch.query_row([number], |batch| {
                    let (first, last): (i64, i64) = (batch.get(0)?, batch.get(1)?);
                    let bodies = batch.get_ref(3)?.as_str()?.rsplit('\n');
                    let told = (first..=last).rev().zip(bodies);
                    let told = told.filter(|(seq, _)| (after + 1..=end).contains(seq));
                    events.extend(told.map(|(_, body)| body.to_owned()));
                    row = batch.get(2)?;
                    Ok(first)
                })?;
                if first <= after + 1 {
                    break;
                }
            }
            events.reverse();
            Ok(events)
        },
    },
    Layout {
        name: "batches",
        schema: "CREATE TABLE batches (stream INTEGER NOT NULL, first INTEGER NOT NULL,
                     last INTEGER NOT NULL, events TEXT NOT NULL) STRICT;
                 CREATE UNIQUE INDEX batches_in_order ON batches (stream, first);",
        write: |connection, head, events| {
            let sql = "INSERT INTO batches VALUES (?, ?, ?, ?)";
            let (first, last) = (head.version + 1, head.version + EVENTS);
            let values = params![head.stream, first, last, events.join("\n")];
            connection.prepare_cached(sql)?.execute(values).map(drop)
        },
        read: |connection, head, after, end| {
            let mut statement = connection.prepare_cached(
                "SELECT first, last, events FROM batches WHERE stream = ?1 AND first <= ?3
                    AND first >= (SELECT max(first) FROM batches
                        WHERE stream = ?1 AND first <= ?2)
                ORDER BY first",
            )?;
            let mut rows = statement.query((head.stream, after + 1, end))?;
            let mut events = Vec::new();
            while let Some(row) = rows.next()? {
                let (first, last): (i64, i64) = (row.get(0)?, row.get(1)?);
                let told = (first..=last).zip(row.get_ref(2)?.as_str()?.split('\n'));
                let told = told.filter(|(seq, _)| (after + 1..=end).contains(seq));
                events.extend(told.map(|(_, body)| body.to_owned()));
            }
            Ok(events)
        },
    },
    Layout {
        name: "events",
        schema: "CREATE TABLE events (stream INTEGER NOT NULL, seq INTEGER NOT NULL,
                     body TEXT NOT NULL) STRICT;
                 CREATE UNIQUE INDEX events_in_order ON events (stream, seq);",
        write: write_rows,
        read: read_rows,
    },
    Layout {
        name: "clustered",
        schema: "CREATE TABLE events (stream INTEGER NOT NULL, seq INTEGER NOT NULL,
                     body TEXT NOT NULL, PRIMARY KEY (stream, seq)) STRICT, WITHOUT ROWID;",
        write: write_rows,
        read: read_rows,
    },
];

fn write_rows(connection: &Connection, head: &Head, events: &[String]) -> Result<()> {
    let mut insert = connection.prepare_cached("INSERT INTO events VALUES (?, ?, ?)")?;
    for (seq, body) in (head.version + 1..).zip(events) {
        insert.execute(params![head.stream, seq, body])?;
    }
    Ok(())
}

fn read_rows(connection: &Connection, head: &Head, after: i64, end: i64) -> Result<Vec<String>> {
    connection
        .prepare_cached(
            "SELECT body FROM events WHERE stream = ? AND seq > ? AND seq <= ? ORDER BY seq",
        )?
        .query_map((head.stream, after, end), |row| row.get(0))?
        .collect()
}

fn head(connection: &Connection, stream: i64) -> Result<Head> {
    connection
        .prepare_cached("SELECT version, tail FROM heads WHERE stream = ?")?
        .query_row([stream], |row| {
            Ok(Head {
                stream,
                version: row.get(0)?,
                tail: row.get(1)?,
            })
        })
}

/// The times to write everything, to read each stream as a whole, and to read it page by page.
fn measure(layout: &Layout) -> Result<[Duration; 3]> {
    let directory = tempfile::tempdir().expect("a directory for the database can be made");
    let path = directory.path().join("layout.db");
    let mut connection = Connection::open(&path)?;
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 16384;
         CREATE TABLE heads (stream INTEGER PRIMARY KEY, version INTEGER NOT NULL, tail INTEGER)
             STRICT;",
    )?;
    connection.execute_batch(layout.schema)?;
    let streams: Vec<i64> = (1..=STREAMS).collect();
    for stream in &streams {
        connection.execute("INSERT INTO heads VALUES (?, 0, NULL)", [stream])?;
    }

    let events = vec!["e".repeat(350); EVENTS as usize];
    let begin = Instant::now();
    for _ in 0..COMMITS {
        for group in streams.chunks(GROUP) {
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            for stream in group {
                let head = head(&transaction, *stream)?;
                (layout.write)(&transaction, &head, &events)?;
                let row = transaction.last_insert_rowid();
                transaction
                    .prepare_cached("UPDATE heads SET version = ?, tail = ? WHERE stream = ?")?
                    .execute(params![head.version + EVENTS, row, stream])?;
            }
            transaction.commit()?;
        }
    }
    let written = begin.elapsed();

    // What is read is of one moment, as the store reads it.
    let reader = Connection::open(&path)?;
    let reader = reader.unchecked_transaction()?;
    let begin = Instant::now();
    for stream in &streams {
        let head = head(&reader, *stream)?;
        let read = (layout.read)(&reader, &head, 0, head.version)?;
        assert_eq!(read.len() as i64, COMMITS * EVENTS, "every event is read");
    }
    let whole = begin.elapsed();
    let begin = Instant::now();
    for stream in &streams {
        let head = head(&reader, *stream)?;
        for after in (0..head.version).step_by(PAGE as usize) {
            let end = (after + PAGE).min(head.version);
            let read = (layout.read)(&reader, &head, after, end)?;
            assert_eq!(read.len() as i64, end - after, "every event is read");
        }
    }
    Ok([written, whole, begin.elapsed()])
}

fn main() -> Result<()> {
    let mut best = [[Duration::MAX; 3]; LAYOUTS.len()];
    for _ in 0..ROUNDS {
        for (best, layout) in best.iter_mut().zip(&LAYOUTS) {
            for (best, now) in best.iter_mut().zip(measure(layout)?) {
                *best = now.min(*best);
            }
        }
    }
    println!(
        "{:10} {:>20} {:>20} {:>20}",
        "layout", "durable commits/s", "events read/s", "in pages/s"
    );
    for ([written, whole, paged], layout) in best.iter().zip(&LAYOUTS) {
        let commits = (STREAMS * COMMITS) as f64;
        println!(
            "{:10} {:20.0} {:20.0} {:20.0}",
            layout.name,
            commits / written.as_secs_f64(),
            commits * EVENTS as f64 / whole.as_secs_f64(),
            commits * EVENTS as f64 / paged.as_secs_f64(),
        );
    }
    Ok(())
}
