//! Plain values for the cases, to be changed in what a case is about.

use chrono::DateTime;
use uuid::Uuid;

use crate::{
    Answer, Append, Commit, EventStore, NewStream, Secret, StoredEvent, StreamId, Summary, Token,
    TokenHash, Version, Visibility,
};

pub(super) fn id(n: u8) -> StreamId {
    StreamId(Uuid::from_u128(n.into()))
}

pub(super) fn event(seq: Version) -> StoredEvent {
    StoredEvent {
        seq,
        body: format!(r#"{{"seq":{seq}}}"#),
    }
}

/// `count` events after `version`.
pub(super) fn append(version: Version, count: u64) -> Append {
    let last = version + count;
    Append {
        events: (version + 1..=last).map(event).collect(),
        head: [last as u8; 32],
        summary: Summary {
            status: "in_progress".into(),
            body: format!(r#"{{"version":{last}}}"#),
        },
    }
}

/// A private stream with one event and no tokens.
pub(super) fn stream(n: u8) -> NewStream {
    NewStream {
        id: id(n),
        kind: "chess".into(),
        visibility: Visibility::Private,
        secret: Some(Secret([n; 32])),
        beside: "{}".into(),
        parent: None,
        created_at: DateTime::UNIX_EPOCH,
        first: append(0, 1),
        tokens: Vec::new(),
    }
}

/// A private stream with one event, and these tokens.
pub(super) fn stream_with(n: u8, tokens: Vec<Token>) -> NewStream {
    NewStream {
        tokens,
        ..stream(n)
    }
}

/// A commit of nothing.
pub(super) fn commit(n: u8, expected_version: Version) -> Commit {
    Commit {
        stream: id(n),
        expected_version,
        append: None,
        tokens: Vec::new(),
        revoked: Vec::new(),
        answer: None,
    }
}

/// A commit of `count` events.
pub(super) fn commit_events(n: u8, expected_version: Version, count: u64) -> Commit {
    Commit {
        append: Some(append(expected_version, count)),
        ..commit(n, expected_version)
    }
}

pub(super) fn token(hash: u8) -> Token {
    Token {
        hash: TokenHash([hash; 32]),
        role: "seat".into(),
        seat: Some(0),
    }
}

pub(super) fn answer(scope: &str, key: &str) -> Answer {
    Answer {
        scope: scope.into(),
        key: key.into(),
        fingerprint: [7; 32],
        status: 200,
        version: 1,
        body: format!(r#"{{"scope":"{scope}","key":"{key}"}}"#),
    }
}

pub(super) async fn all_events(store: &dyn EventStore, n: u8) -> Vec<StoredEvent> {
    store
        .events(id(n), 0, usize::MAX)
        .await
        .expect("the store reads")
}

pub(super) async fn version(store: &dyn EventStore, n: u8) -> Version {
    store
        .stream(id(n))
        .await
        .expect("the store reads")
        .expect("the stream exists")
        .version
}
