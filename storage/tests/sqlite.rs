//! What only a store in a file can show: how it treats files, locks and damage.

#![expect(clippy::unwrap_used, reason = "these are tests, their helpers too")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Duration;

use rusqlite::Connection;
use storage::{
    Answer, Append, Commit, CommitError, EventStore, NewStream, OpenError, SqliteOptions,
    SqliteStore, StoreError, StoredEvent, StreamId, Summary, Token, TokenHash, Visibility,
};
use tempfile::TempDir;
use uuid::Uuid;

const ID: StreamId = StreamId(Uuid::from_u128(1));

fn file() -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("referee.db");
    (directory, path)
}

fn open(path: &Path) -> SqliteStore {
    SqliteStore::open(path, &SqliteOptions::default()).unwrap()
}

fn append(first: u64, last: u64) -> Append {
    let event = |seq| StoredEvent {
        seq,
        body: format!("event {seq}"),
    };
    Append {
        events: (first..=last).map(event).collect(),
        head: [last as u8; 32],
        summary: Summary {
            status: "in_progress".into(),
            body: "{}".into(),
        },
    }
}

/// A public stream with one event and one token.
fn stream(id: StreamId) -> NewStream {
    NewStream {
        id,
        kind: "chess".into(),
        visibility: Visibility::Public,
        secret: None,
        beside: "{}".into(),
        parent: None,
        created_at: chrono::DateTime::UNIX_EPOCH,
        first: append(1, 1),
        tokens: vec![Token {
            hash: TokenHash(Uuid::as_bytes(&id.0).repeat(2).try_into().unwrap()),
            role: "host".into(),
            seat: None,
        }],
    }
}

/// Two events and an answer after `version`.
fn commit(version: u64) -> Commit {
    Commit {
        stream: ID,
        expected_version: version,
        append: Some(append(version + 1, version + 2)),
        tokens: Vec::new(),
        revoked: Vec::new(),
        answer: Some(Answer {
            scope: "anna".into(),
            key: version.to_string(),
            fingerprint: [0; 32],
            status: 200,
            version: version + 2,
            body: "{}".into(),
        }),
    }
}

/// A store in this file with a stream of 41 events: one, and twenty commits of two.
async fn played(path: &Path) -> SqliteStore {
    let store = open(path);
    store.create(stream(ID)).await.unwrap();
    for round in 0..20 {
        store.commit(commit(1 + 2 * round)).await.unwrap();
    }
    store
}

/// A file with a stream of five events, two answers and a revoked token beside the one in force.
async fn written(path: &Path) {
    let store = open(path);
    store.create(stream(ID)).await.unwrap();
    let token = |n| Token {
        hash: TokenHash([n; 32]),
        role: "seat".into(),
        seat: Some(n),
    };
    store
        .commit(Commit {
            tokens: vec![token(1)],
            ..commit(1)
        })
        .await
        .unwrap();
    store
        .commit(Commit {
            revoked: vec![token(1).hash],
            ..commit(3)
        })
        .await
        .unwrap();
    store.close().await;
}

#[tokio::test]
async fn the_record_cannot_be_changed_by_sql() {
    let (_directory, path) = file();
    written(&path).await;
    let raw = Connection::open(&path).unwrap();
    let dump = |table: &str| -> Vec<String> {
        let columns = match table {
            "batches" => {
                "row || stream || '|' || first || '|' || last || ifnull(previous, '-') || events"
            }
            "answers" => "row || '|' || scope || '|' || key || '|' || status || '|' || body",
            "tokens" => "row || '|' || hex(hash) || '|' || role || '|' || revoked",
            "heads" => "stream || '|' || version || '|' || hex(head) || tail",
            _ => "row || '|' || hex(id) || '|' || kind || '|' || summary || '|' || beside",
        };
        let mut statement = raw
            .prepare(&format!("SELECT {columns} FROM {table}"))
            .unwrap();
        statement
            .query_map([], |row| row.get(0))
            .unwrap()
            .map(Result::unwrap)
            .collect()
    };
    let tables = ["streams", "heads", "batches", "answers", "tokens"];
    let before = tables.map(dump);
    assert_eq!(before.each_ref().map(Vec::len), [1, 1, 3, 2, 2]);

    for (statement, why) in [
        ("DELETE FROM batches", "events are never deleted"),
        (
            "UPDATE batches SET events = 'x' WHERE first = 2",
            "events are never changed",
        ),
        (
            "UPDATE batches SET row = 99 WHERE first = 2",
            "events are never changed",
        ),
        (
            "REPLACE INTO batches VALUES (1, 1, 6, 6, 3, 'x')",
            "events follow each other",
        ),
        (
            "REPLACE INTO batches VALUES (9, 1, 2, 3, 1, 'x')",
            "events follow each other",
        ),
        (
            "INSERT INTO batches VALUES (9, 1, 3, 6, 3, 'x')",
            "events follow each other",
        ),
        (
            "INSERT INTO batches VALUES (9, 1, 7, 7, 3, 'x')",
            "events follow each other",
        ),
        (
            "INSERT INTO batches VALUES (9, 1, 6, 6, 2, 'x')",
            "events follow each other",
        ),
        (
            "INSERT INTO batches VALUES (9, 1, 1, 1, NULL, 'x')",
            "events follow each other",
        ),
        ("DELETE FROM answers", "answers are never deleted"),
        ("UPDATE answers SET body = 'x'", "answers are never changed"),
        (
            "REPLACE INTO answers VALUES (1, 1, 'a', 'b', zeroblob(32), 200, 1, 'x')",
            "answers are never replaced",
        ),
        (
            "REPLACE INTO answers VALUES (9, 1, 'anna', '1', zeroblob(32), 200, 1, 'x')",
            "answers are never replaced",
        ),
        ("DELETE FROM tokens", "tokens are never deleted"),
        (
            "UPDATE tokens SET role = 'host'",
            "tokens are never changed",
        ),
        (
            "UPDATE tokens SET revoked = 0 WHERE revoked",
            "a revoked token stays revoked",
        ),
        (
            "REPLACE INTO tokens SELECT row, hash, stream, 'host', seat, 0 FROM tokens",
            "tokens are never replaced",
        ),
        ("DELETE FROM streams", "streams are never deleted"),
        (
            "UPDATE streams SET beside = 'x'",
            "streams keep what they were created with",
        ),
        (
            "UPDATE streams SET secret = zeroblob(32)",
            "streams keep what they were created with",
        ),
        ("UPDATE heads SET version = 1", "a version never goes back"),
        (
            "UPDATE heads SET version = 9, tail = 2",
            "a version never goes back",
        ),
        (
            "UPDATE heads SET head = zeroblob(32)",
            "a version never goes back",
        ),
        ("DELETE FROM heads", "heads are never deleted"),
        (
            "UPDATE heads SET stream = 9",
            "a head stays with its stream",
        ),
        (
            "REPLACE INTO heads SELECT * FROM heads",
            "heads are never replaced",
        ),
        (
            "REPLACE INTO streams SELECT * FROM streams",
            "streams are never replaced",
        ),
    ] {
        let refusal = raw.execute(statement, []).expect_err(statement);
        assert_eq!(refusal.to_string(), why, "{statement}");
    }
    assert_eq!(tables.map(dump), before);
}

#[tokio::test]
async fn a_database_of_a_newer_version_is_refused_and_left_alone() {
    let (_directory, path) = file();
    written(&path).await;
    Connection::open(&path)
        .unwrap()
        .pragma_update(None, "user_version", 4)
        .unwrap();
    let before = fs::read(&path).unwrap();

    let refusal = SqliteStore::open(&path, &SqliteOptions::default()).unwrap_err();

    assert!(
        matches!(refusal, OpenError::Newer { found: 4, known: 3 }),
        "{refusal:?}"
    );
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[tokio::test]
async fn a_file_of_something_else_is_refused_and_left_alone() {
    let (_directory, path) = file();
    let tables = |path: &Path| {
        Connection::open(path)
            .unwrap()
            .execute_batch("CREATE TABLE recipes (name TEXT)")
            .unwrap();
    };
    let application = |path: &Path| {
        Connection::open(path)
            .unwrap()
            .pragma_update(None, "application_id", 7)
            .unwrap();
    };
    let schema = |path: &Path| {
        Connection::open(path)
            .unwrap()
            .pragma_update(None, "user_version", 1)
            .unwrap();
    };
    let text = |path: &Path| fs::write(path, "Dear diary, ".repeat(1000)).unwrap();

    for foreign in [&tables as &dyn Fn(&Path), &application, &schema, &text] {
        foreign(&path);
        let before = fs::read(&path).unwrap();
        let refusal = SqliteStore::open(&path, &SqliteOptions::default()).unwrap_err();
        assert!(matches!(refusal, OpenError::Foreign), "{refusal:?}");
        assert_eq!(fs::read(&path).unwrap(), before);
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn a_directory_that_is_not_there_is_named_as_the_trouble() {
    let (_directory, path) = file();
    let refusal = SqliteStore::open(path.join("referee.db"), &SqliteOptions::default());
    assert!(matches!(refusal, Err(OpenError::File(_))), "{refusal:?}");
}

#[cfg(unix)]
#[tokio::test]
async fn only_the_owner_can_read_the_files() {
    use std::os::unix::fs::PermissionsExt;

    let (directory, path) = file();
    let store = open(&path);
    store.create(stream(ID)).await.unwrap();
    for entry in fs::read_dir(directory.path()).unwrap() {
        let entry = entry.unwrap();
        let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{entry:?}");
    }
}

#[tokio::test]
async fn what_is_queued_is_written_when_the_store_is_dropped() {
    let (_directory, path) = file();
    let store = open(&path);
    // Polled once, which puts it into the queue, and given up.
    tokio::select! {
        biased;
        _ = store.create(stream(ID)) => {}
        () = std::future::ready(()) => {}
    }
    drop(store);

    assert!(
        !path.with_extension("db-wal").exists(),
        "the log was moved into the database"
    );
    assert!(open(&path).stream(ID).await.unwrap().is_some());
}

#[tokio::test]
async fn what_was_acknowledged_is_in_the_files_of_a_running_store() {
    let (directory, path) = file();
    let store = open(&path);
    store.create(stream(ID)).await.unwrap();
    for round in 0..20 {
        let version = 1 + 2 * round;
        store.commit(commit(version)).await.unwrap();

        // What the disk would hold after a kill.
        let copy = directory.path().join(format!("copy-{round}.db"));
        fs::copy(&path, &copy).unwrap();
        fs::copy(path.with_extension("db-wal"), copy.with_extension("db-wal")).unwrap();

        let copy = open(&copy);
        let events = copy.events(ID, 0, usize::MAX).await.unwrap();
        assert_eq!(events, append(1, version + 2).events);
        assert!(
            copy.answer(ID, "anna", &version.to_string())
                .await
                .unwrap()
                .is_some()
        );
    }
}

#[tokio::test]
async fn a_torn_log_loses_whole_commits_from_its_end_only() {
    let (directory, path) = file();
    // As long as it is open, its log is there.
    let _store = played(&path).await;
    let log = fs::read(path.with_extension("db-wal")).unwrap();
    let mut versions = Vec::new();
    for cut in (0..=20).map(|part| log.len() * part / 20) {
        let copy = directory.path().join(format!("copy-{cut}.db"));
        fs::copy(&path, &copy).unwrap();
        fs::write(copy.with_extension("db-wal"), &log[..cut]).unwrap();

        let copy = open(&copy);
        let version = copy
            .stream(ID)
            .await
            .unwrap()
            .map_or(0, |stream| stream.version);
        let events = copy.events(ID, 0, usize::MAX).await.unwrap();
        assert_eq!(events, append(1, version).events);
        versions.push(version);
    }
    assert!(versions.is_sorted(), "{versions:?}");
    assert_eq!((versions.first(), versions.last()), (Some(&0), Some(&41)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_stores_on_one_file_record_one_of_racing_commits() {
    let (_directory, path) = file();
    let stores = [Arc::new(open(&path)), Arc::new(open(&path))];
    stores[0].create(stream(ID)).await.unwrap();

    for round in 0..20 {
        let version = 1 + 2 * round;
        let racers = stores.each_ref().map(|store| {
            let store = Arc::clone(store);
            tokio::spawn(async move {
                store
                    .commit(Commit {
                        answer: None,
                        ..commit(version)
                    })
                    .await
            })
        });
        let mut won = 0;
        for racer in racers {
            match racer.await.unwrap() {
                Ok(()) => won += 1,
                Err(CommitError::Conflict { expected, actual }) => {
                    assert_eq!((expected, actual), (version, version + 2));
                }
                Err(other) => panic!("lost for another reason: {other:?}"),
            }
        }
        assert_eq!(won, 1);
    }
    for store in stores {
        let events = store.events(ID, 0, usize::MAX).await.unwrap();
        assert_eq!(events, append(1, 41).events);
        store.check().await.unwrap();
    }
}

#[test]
fn stores_that_open_a_new_file_at_once_all_find_it_made() {
    let (_directory, path) = file();
    let start = Barrier::new(8);
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                start.wait();
                open(&path);
            });
        }
    });
}

#[tokio::test]
async fn a_lock_held_by_another_process_is_waited_for_and_then_reported() {
    let (_directory, path) = file();
    let options = SqliteOptions {
        busy_timeout: Duration::from_millis(20),
        ..SqliteOptions::default()
    };
    let store = SqliteStore::open(&path, &options).unwrap();
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();

    let refusal = store.create(stream(ID)).await;
    assert!(
        matches!(refusal, Err(CommitError::Unavailable(_))),
        "{refusal:?}"
    );
    assert!(matches!(
        store.check().await,
        Err(StoreError::Unavailable(_))
    ));
    assert_eq!(store.stream(ID).await.unwrap(), None, "reading goes on");

    other.execute_batch("ROLLBACK").unwrap();
    store.create(stream(ID)).await.unwrap();
    store.check().await.unwrap();
}

#[tokio::test]
async fn a_store_whose_file_was_migrated_by_a_newer_program_is_not_ready() {
    let (_directory, path) = file();
    let store = open(&path);
    Connection::open(&path)
        .unwrap()
        .pragma_update(None, "user_version", 4)
        .unwrap();
    let refusal = store.check().await;
    assert!(
        matches!(refusal, Err(StoreError::Unavailable(_))),
        "{refusal:?}"
    );
}

#[tokio::test]
async fn a_record_with_a_hole_is_not_read_as_a_whole_one() {
    // The batches hold events 1, 2 to 3 and 4 to 5.
    for (damage, seq) in [
        ("DELETE FROM batches WHERE first = 1", 1),
        ("DELETE FROM batches WHERE first = 2", 3),
        ("DELETE FROM batches WHERE first = 4", 5),
        ("DELETE FROM batches", 5),
        ("UPDATE batches SET events = 'event 2' WHERE first = 2", 3),
        ("UPDATE batches SET last = 5 WHERE first = 2", 3),
        ("UPDATE batches SET previous = 1 WHERE first = 4", 3),
        ("UPDATE batches SET previous = NULL WHERE first = 4", 3),
        ("UPDATE heads SET version = 7, tail = 4", 7),
    ] {
        let (_directory, path) = file();
        written(&path).await;
        let raw = Connection::open(&path).unwrap();
        raw.execute_batch("DROP TRIGGER batches_stay; DROP TRIGGER batches_keep")
            .unwrap();
        raw.execute(damage, []).unwrap();

        let store = open(&path);
        let read = store.events(ID, 0, usize::MAX).await;
        assert!(
            matches!(read, Err(StoreError::Corrupt { stream: ID, seq: found }) if found == seq),
            "{damage}: {read:?}"
        );
    }
}

#[tokio::test]
async fn a_page_is_not_read_from_a_record_that_lost_the_batch_it_is_found_by() {
    let (_directory, path) = file();
    let store = played(&path).await;
    // Of the batches 1, 2 to 3, and so on, that of 32 and 33 is the first in the index.
    assert_eq!(store.events(ID, 4, 3).await.unwrap(), append(5, 7).events);
    store.close().await;
    let raw = Connection::open(&path).unwrap();
    raw.execute_batch("DROP TRIGGER batches_stay; DELETE FROM batches WHERE first = 32")
        .unwrap();

    let store = open(&path);
    let read = store.events(ID, 4, 3).await;
    assert!(
        matches!(read, Err(StoreError::Corrupt { stream: ID, seq: 7 })),
        "{read:?}"
    );
    let read = store.events(ID, 33, 8).await;
    assert_eq!(
        read.unwrap(),
        append(34, 41).events,
        "nothing of it is lost"
    );
}

#[tokio::test]
async fn a_path_is_a_path_whatever_it_looks_like() {
    let directory = tempfile::tempdir().unwrap();
    for name in [":memory:", "file:referee.db?mode=memory", "spaced name.db"] {
        let path = directory.path().join(name);
        let store = open(&path);
        store.create(stream(ID)).await.unwrap();
        store.close().await;
        assert!(open(&path).stream(ID).await.unwrap().is_some());
    }
}
