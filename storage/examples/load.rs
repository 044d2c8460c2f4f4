//! Measures a store under load: 64 clients, each with a stream of its own, each committing 3
//! events of 350 bytes and waiting for the answer before the next, first without and then with
//! an answer of 1,200 bytes to keep; then every stream is read, as a whole and in pages of 100.
//!
//! `cargo run --release -p storage --example load`

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use storage::{
    Answer, Append, Commit, EventStore, NewStream, Secret, SqliteOptions, SqliteStore, StoredEvent,
    StreamId, Summary, Version, Visibility,
};
use tokio::task::JoinSet;
use uuid::Uuid;

const CLIENTS: u64 = 64;
const HALF: u64 = 166;
const EVENTS: u64 = 3;
/// The events of a stream in the end; its creation is a commit too.
const LENGTH: u64 = (1 + 2 * HALF) * EVENTS;
const PAGE: usize = 100;

fn id(client: u64) -> StreamId {
    StreamId(Uuid::from_u128(client.into()))
}

fn append(version: Version) -> Append {
    Append {
        events: (version + 1..=version + EVENTS)
            .map(|seq| StoredEvent {
                seq,
                body: "e".repeat(350),
            })
            .collect(),
        head: [0; 32],
        summary: Summary {
            status: "in_progress".into(),
            body: "s".repeat(600),
        },
    }
}

async fn begin(store: &dyn EventStore, client: u64) {
    let new = NewStream {
        id: id(client),
        kind: "chess".into(),
        visibility: Visibility::Public,
        secret: Some(Secret([0; 32])),
        beside: "{}".into(),
        parent: None,
        created_at: chrono::DateTime::UNIX_EPOCH,
        first: append(0),
        tokens: Vec::new(),
    };
    store.create(new).await.expect("the stream is new");
}

/// Commits half of a stream, from the commit `first` on.
async fn play(store: Arc<dyn EventStore>, client: u64, first: u64, answer: Option<Answer>) {
    for commit in first..first + HALF {
        let version = commit * EVENTS;
        let answer = answer.clone().map(|answer| Answer {
            key: commit.to_string(),
            ..answer
        });
        let commit = Commit {
            stream: id(client),
            expected_version: version,
            append: Some(append(version)),
            tokens: Vec::new(),
            revoked: Vec::new(),
            answer,
        };
        store
            .commit(commit)
            .await
            .expect("nobody else writes to the stream");
    }
}

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> Result<(), Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("load.db");
    let store: Arc<dyn EventStore> = Arc::new(SqliteStore::open(&path, &SqliteOptions::default())?);
    for client in 0..CLIENTS {
        begin(&*store, client).await;
    }

    let answer = Answer {
        scope: "f".repeat(64),
        key: String::new(),
        fingerprint: [0; 32],
        status: 200,
        version: 0,
        body: "a".repeat(1200),
    };
    let halves = [
        (1, None, "without answers"),
        (1 + HALF, Some(answer), "with answers"),
    ];
    for (first, answer, what) in halves {
        let time = Instant::now();
        let mut clients = JoinSet::new();
        for client in 0..CLIENTS {
            clients.spawn(play(Arc::clone(&store), client, first, answer.clone()));
        }
        clients.join_all().await;
        report(CLIENTS * HALF, time, &format!("durable commits/s {what}"));
    }

    let time = Instant::now();
    for client in 0..CLIENTS {
        let events = store.events(id(client), 0, usize::MAX).await?;
        assert_eq!(events.len() as u64, LENGTH, "every event is read");
    }
    report(CLIENTS * LENGTH, time, "events read/s in whole streams");

    let time = Instant::now();
    for client in 0..CLIENTS {
        let mut after = 0;
        while after < LENGTH {
            after += store.events(id(client), after, PAGE).await?.len() as u64;
        }
    }
    report(CLIENTS * LENGTH, time, "events read/s in pages");
    store.close().await;
    Ok(())
}

fn report(count: u64, since: Instant, what: &str) {
    println!(
        "{:>10.0} {what}",
        count as f64 / since.elapsed().as_secs_f64()
    );
}
