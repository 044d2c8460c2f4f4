//! Measures three ways to lay events on disk, to choose the one that `storage::sqlite` uses:
//!
//! - `batches`: a row a commit, holding all its events, in an append-only table;
//! - `events`: a row an event in an append-only table;
//! - `clustered`: a row an event in a `WITHOUT ROWID` table, in the order of the streams.
//!
//! 64 streams are written at once, a commit of 3 events of 350 bytes to each in every group, as
//! 64 clients that wait for their answers make a group commit; then each stream is read as a
//! whole. The layouts take turns, and the best round of each counts, since the machine's other
//! work can only slow a round down.
//!
//! `cargo run --release -p storage --example layout`

use std::time::{Duration, Instant};

use rusqlite::{Connection, Result, TransactionBehavior, params};

const STREAMS: i64 = 64;
const COMMITS: i64 = 333;
const EVENTS: i64 = 3;
const ROUNDS: usize = 7;

struct Layout {
    name: &'static str,
    schema: &'static str,
    write: fn(&Connection, i64, i64, &[String]) -> Result<()>,
    read: fn(&Connection, i64) -> Result<Vec<String>>,
}

const LAYOUTS: [Layout; 3] = [
    Layout {
        name: "batches",
        schema: "CREATE TABLE batches (stream INTEGER NOT NULL, first INTEGER NOT NULL,
                     last INTEGER NOT NULL, events TEXT NOT NULL) STRICT;
                 CREATE UNIQUE INDEX batches_in_order ON batches (stream, first);",
        write: |connection, stream, first, events| {
            connection
                .prepare_cached("INSERT INTO batches VALUES (?, ?, ?, ?)")?
                .execute(params![
                    stream,
                    first,
                    first + EVENTS - 1,
                    events.join("\n")
                ])
                .map(drop)
        },
        read: |connection, stream| {
            let mut statement = connection
                .prepare_cached("SELECT events FROM batches WHERE stream = ? ORDER BY first")?;
            let mut rows = statement.query([stream])?;
            let mut events = Vec::new();
            while let Some(row) = rows.next()? {
                events.extend(row.get_ref(0)?.as_str()?.split('\n').map(str::to_owned));
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

fn write_rows(connection: &Connection, stream: i64, first: i64, events: &[String]) -> Result<()> {
    let mut insert = connection.prepare_cached("INSERT INTO events VALUES (?, ?, ?)")?;
    for (seq, body) in (first..).zip(events) {
        insert.execute(params![stream, seq, body])?;
    }
    Ok(())
}

fn read_rows(connection: &Connection, stream: i64) -> Result<Vec<String>> {
    connection
        .prepare_cached("SELECT body FROM events WHERE stream = ? ORDER BY seq")?
        .query_map([stream], |row| row.get(0))?
        .collect()
}

/// The time to write everything, and to read it with a connection of its own.
fn measure(layout: &Layout) -> Result<(Duration, Duration)> {
    let directory = tempfile::tempdir().expect("a directory for the database can be made");
    let path = directory.path().join("layout.db");
    let mut connection = Connection::open(&path)?;
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 16384;
         CREATE TABLE streams (id INTEGER PRIMARY KEY, version INTEGER NOT NULL,
             summary TEXT NOT NULL) STRICT;",
    )?;
    connection.execute_batch(layout.schema)?;
    let summary = "s".repeat(600);
    for stream in 1..=STREAMS {
        connection.execute(
            "INSERT INTO streams VALUES (?, 0, ?)",
            params![stream, summary],
        )?;
    }

    let events = vec!["e".repeat(350); EVENTS as usize];
    let begin = Instant::now();
    for _ in 0..COMMITS {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for stream in 1..=STREAMS {
            let version: i64 = transaction
                .prepare_cached("SELECT version FROM streams WHERE id = ?")?
                .query_row([stream], |row| row.get(0))?;
            (layout.write)(&transaction, stream, version + 1, &events)?;
            transaction
                .prepare_cached("UPDATE streams SET version = ?, summary = ? WHERE id = ?")?
                .execute(params![version + EVENTS, summary, stream])?;
        }
        transaction.commit()?;
    }
    let written = begin.elapsed();

    let reader = Connection::open(&path)?;
    let begin = Instant::now();
    for stream in 1..=STREAMS {
        let read = (layout.read)(&reader, stream)?;
        assert_eq!(read.len() as i64, COMMITS * EVENTS, "every event is read");
    }
    Ok((written, begin.elapsed()))
}

fn main() -> Result<()> {
    let mut best = [(Duration::MAX, Duration::MAX); LAYOUTS.len()];
    for _ in 0..ROUNDS {
        for (best, layout) in best.iter_mut().zip(&LAYOUTS) {
            let (written, read) = measure(layout)?;
            *best = (best.0.min(written), best.1.min(read));
        }
    }
    println!(
        "{:10} {:>20} {:>20}",
        "layout", "durable commits/s", "events read/s"
    );
    for ((written, read), layout) in best.iter().zip(&LAYOUTS) {
        let commits = (STREAMS * COMMITS) as f64;
        println!(
            "{:10} {:20.0} {:20.0}",
            layout.name,
            commits / written.as_secs_f64(),
            commits * EVENTS as f64 / read.as_secs_f64(),
        );
    }
    Ok(())
}
