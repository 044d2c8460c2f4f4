//! The cases, each named by what it shows.

use std::collections::BTreeSet;
use std::sync::Arc;

use chrono::DateTime;
use tokio::task::JoinSet;

use super::Backend;
use super::fixtures::{
    all_events, answer, append, commit, commit_events, event, id, stream, token, version,
};
use crate::{
    Answer, Commit, CommitError, EventStore, ListQuery, NewStream, Secret, StoreError, StoredEvent,
    Stream, Summary, Token, TokenHash, Visibility,
};

/// Fails at the line of the case unless the write was refused in this way.
macro_rules! assert_refused {
    ($result:expr, $refusal:pat $(if $guard:expr)?) => {
        match $result {
            Err($refusal) $(if $guard)? => {}
            other => panic!("expected {}, got {other:?}", stringify!($refusal $(if $guard)?)),
        }
    };
}

pub(super) async fn a_stream_comes_back_as_it_was_created(backend: &dyn Backend) {
    let store = backend.open().await;
    let created_at = DateTime::from_timestamp(1_795_953_600, 123_456_789).expect("in range");
    store.create(stream(1)).await.unwrap();
    store
        .create(NewStream {
            visibility: Visibility::Public,
            beside: r#"{"names":["Ä"]}"#.into(),
            parent: Some(id(1)),
            created_at,
            first: append(0, 3),
            ..stream(2)
        })
        .await
        .unwrap();
    store
        .create(NewStream {
            secret: None,
            ..stream(3)
        })
        .await
        .unwrap();

    let expected = Stream {
        id: id(2),
        kind: "chess".into(),
        visibility: Visibility::Public,
        secret: Some(Secret([2; 32])),
        beside: r#"{"names":["Ä"]}"#.into(),
        parent: Some(id(1)),
        created_at,
        version: 3,
        head: [3; 32],
        summary: append(0, 3).summary,
    };
    assert_eq!(store.stream(id(2)).await.unwrap(), Some(expected));
    let plain = store.stream(id(3)).await.unwrap().expect("it was created");
    assert_eq!(
        (plain.visibility, plain.secret, plain.parent),
        (Visibility::Private, None, None)
    );
}

pub(super) async fn a_stream_is_created_once(backend: &dyn Backend) {
    let store = backend.open().await;
    store.create(stream(1)).await.unwrap();

    let again = NewStream {
        kind: "go".into(),
        tokens: vec![token(1)],
        ..stream(1)
    };
    assert_refused!(store.create(again).await, CommitError::StreamExists(taken) if taken == id(1));

    assert_eq!(
        store.stream(id(1)).await.unwrap().expect("it exists").kind,
        "chess"
    );
    assert_eq!(store.token(token(1).hash).await.unwrap(), None);
}

pub(super) async fn a_commit_moves_version_head_and_summary(backend: &dyn Backend) {
    let store = backend.open().await;
    store.create(stream(1)).await.unwrap();
    let before = store.stream(id(1)).await.unwrap().expect("it exists");
    let summary = Summary {
        status: "over".into(),
        body: r#"{"result":[0]}"#.into(),
    };
    let mut commit = commit_events(1, 1, 2);
    commit.append.as_mut().expect("it appends").summary = summary.clone();

    store.commit(commit).await.unwrap();

    let expected = Stream {
        version: 3,
        head: [3; 32],
        summary,
        ..before
    };
    assert_eq!(store.stream(id(1)).await.unwrap(), Some(expected));
}

pub(super) async fn events_come_back_in_order_and_in_pages(backend: &dyn Backend) {
    let store = backend.open().await;
    // Streams that grow in turns, by commits of different lengths.
    for n in [1, 2] {
        store.create(stream(n)).await.unwrap();
    }
    let mut version = 1;
    for count in [3, 1, 5, 2, 19, 1, 1, 40, 2, 63, 1, 2] {
        for n in [1, 2] {
            let commit = commit_events(n, version, count);
            store.commit(commit).await.unwrap();
        }
        version += count;
    }

    let all: Vec<_> = (1..=version).map(event).collect();
    assert_eq!(all_events(&*store, 1).await, all);
    // Every page, whether it begins and ends at a commit or inside one.
    for after in 0..=all.len() {
        for limit in [0, 1, 2, 31, 32, 33, 100, all.len() + 1] {
            let page = store.events(id(1), after as u64, limit).await.unwrap();
            let end = (after + limit).min(all.len());
            assert_eq!(page, all[after..end], "after {after}, limit {limit}");
        }
    }
    for after in [version + 1, u64::MAX] {
        assert_eq!(store.events(id(1), after, usize::MAX).await.unwrap(), []);
    }
}

pub(super) async fn a_long_batch_comes_back_in_pages(backend: &dyn Backend) {
    let store = backend.open().await;
    store
        .create(NewStream {
            first: append(0, 1000),
            ..stream(1)
        })
        .await
        .unwrap();
    store.commit(commit_events(1, 1000, 500)).await.unwrap();

    let all: Vec<_> = (1..=1500).map(event).collect();
    assert_eq!(all_events(&*store, 1).await, all);
    let mut pages = Vec::new();
    loop {
        let page = store.events(id(1), pages.len() as u64, 77).await.unwrap();
        if page.is_empty() {
            break;
        }
        pages.extend(page);
    }
    assert_eq!(pages, all);
}

pub(super) async fn any_text_comes_back_byte_for_byte(backend: &dyn Backend) {
    let store = backend.open().await;
    let texts = [
        "",
        " ",
        "not JSON",
        r#"{"b":1,"a":1,"a":2}"#,
        r#"{"nul":"\u0000","lone":"\ud800","break":"\n"}"#,
        "\u{1F409} \u{10FFFF} \u{FFFD} \u{FEFF} \u{202E}",
        "e\u{301} is not \u{E9}",
        "'; DROP TABLE streams; -- %s $1 ?1 \\",
        "tab\t return\r vertical\u{B} separator\u{2028}",
        "1.0",
        "1e400",
    ];
    let mut new = stream(1);
    new.first.events = (1..)
        .zip(texts)
        .map(|(seq, body)| StoredEvent {
            seq,
            body: body.into(),
        })
        .collect();
    let events = new.first.events.clone();
    let version = new.first.version();
    store.create(new).await.unwrap();
    assert_eq!(all_events(&*store, 1).await, events);

    // Outside events a line feed is as good as any other character.
    for (n, text) in (2..).zip(texts.into_iter().chain(["two\nlines\n"])) {
        let summary = Summary {
            status: text.into(),
            body: text.into(),
        };
        let mut new = stream(n);
        new.kind = text.into();
        new.beside = text.into();
        new.first.summary = summary.clone();
        new.tokens = vec![Token {
            role: text.into(),
            ..token(n)
        }];
        store.create(new).await.unwrap();
        let kept = Answer {
            body: text.into(),
            ..answer(text, text)
        };
        let commit = Commit {
            answer: Some(kept.clone()),
            ..commit(1, version)
        };
        store.commit(commit).await.unwrap();

        let stream = store.stream(id(n)).await.unwrap().expect("it was created");
        assert_eq!(
            (&*stream.kind, &*stream.beside, &stream.summary),
            (text, text, &summary)
        );
        assert_eq!(store.tokens(id(n)).await.unwrap()[0].role, text);
        assert_eq!(store.answer(id(1), text, text).await.unwrap(), Some(kept));
    }
}

pub(super) async fn events_out_of_shape_are_refused(backend: &dyn Backend) {
    let store = backend.open().await;
    store.create(stream(1)).await.unwrap();
    let seqs = |seqs: &[u64]| {
        let mut commit = commit_events(1, 1, 1);
        commit.append.as_mut().expect("it appends").events =
            seqs.iter().copied().map(event).collect();
        commit
    };

    assert_refused!(store.commit(seqs(&[])).await, CommitError::Empty);
    for (given, gap) in [
        (&[3][..], (2, 3)),
        (&[1], (2, 1)),
        (&[0], (2, 0)),
        (&[2, 4], (3, 4)),
        (&[2, 2], (3, 2)),
        (&[2, 3, 1], (4, 1)),
        (&[u64::MAX], (2, u64::MAX)),
    ] {
        assert_refused!(
            store.commit(seqs(given)).await,
            CommitError::Gap { expected, found } if (expected, found) == gap
        );
    }
    let mut two_lines = seqs(&[2, 3]);
    two_lines.append.as_mut().expect("it appends").events[1].body = "two\nlines".into();
    assert_refused!(
        store.commit(two_lines).await,
        CommitError::LineBreak { seq: 3 }
    );
    // The shape is judged before anything that is stored.
    assert_refused!(
        store
            .create(NewStream {
                first: append(1, 1),
                ..stream(2)
            })
            .await,
        CommitError::Gap {
            expected: 1,
            found: 2
        }
    );

    assert_eq!(all_events(&*store, 1).await, [event(1)]);
    assert_eq!(store.stream(id(2)).await.unwrap(), None);
}

pub(super) async fn a_conflict_names_both_versions(backend: &dyn Backend) {
    let store = backend.open().await;
    store
        .create(NewStream {
            first: append(0, 3),
            ..stream(1)
        })
        .await
        .unwrap();

    for expected_version in [0, 2, 4, 1 << 62, u64::MAX - 1] {
        for commit in [
            commit_events(1, expected_version, 1),
            commit(1, expected_version),
        ] {
            assert_refused!(
                store.commit(commit).await,
                CommitError::Conflict { expected, actual: 3 } if expected == expected_version
            );
        }
    }
    assert_eq!(all_events(&*store, 1).await.len(), 3);
}

pub(super) async fn of_racing_commits_exactly_one_is_recorded(backend: &dyn Backend) {
    let store = backend.open().await;
    store.create(stream(1)).await.unwrap();

    for round in 1..=20 {
        let mut racers = JoinSet::new();
        for racer in 0..8 {
            let store = Arc::clone(&store);
            racers.spawn(async move {
                let mut commit = commit_events(1, round, 1);
                let body = format!("racer {racer}");
                commit.append.as_mut().expect("it appends").events[0].body = body.clone();
                store.commit(commit).await.map(|()| body)
            });
        }
        let mut winners = Vec::new();
        while let Some(racer) = racers.join_next().await {
            match racer.expect("no racer panics") {
                Ok(body) => winners.push(body),
                Err(CommitError::Conflict { expected, actual }) => {
                    assert_eq!((expected, actual), (round, round + 1));
                }
                Err(other) => panic!("lost for another reason: {other:?}"),
            }
        }
        assert_eq!(winners.len(), 1);
        let last = store.events(id(1), round, 1).await.unwrap();
        assert_eq!(last[0].body, winners[0]);
    }
}

pub(super) async fn of_racing_creations_exactly_one_is_recorded(backend: &dyn Backend) {
    let store = backend.open().await;
    let mut racers = JoinSet::new();
    for racer in 0..8 {
        let store = Arc::clone(&store);
        let kind = format!("racer {racer}");
        racers.spawn(async move {
            let new = NewStream {
                kind: kind.clone(),
                ..stream(1)
            };
            store.create(new).await.map(|()| kind)
        });
    }
    let mut winners = Vec::new();
    while let Some(racer) = racers.join_next().await {
        match racer.expect("no racer panics") {
            Ok(kind) => winners.push(kind),
            Err(CommitError::StreamExists(taken)) => assert_eq!(taken, id(1)),
            Err(other) => panic!("lost for another reason: {other:?}"),
        }
    }
    assert_eq!(winners.len(), 1);
    assert_eq!(
        store
            .stream(id(1))
            .await
            .unwrap()
            .expect("it was created")
            .kind,
        winners[0]
    );
}

pub(super) async fn an_answer_is_kept_without_events(backend: &dyn Backend) {
    let store = backend.open().await;
    store.create(stream(1)).await.unwrap();
    let before = store.stream(id(1)).await.unwrap();
    let refusal = Answer {
        status: 422,
        ..answer("anna", "key")
    };

    store
        .commit(Commit {
            answer: Some(refusal.clone()),
            ..commit(1, 1)
        })
        .await
        .unwrap();

    assert_eq!(
        store.answer(id(1), "anna", "key").await.unwrap(),
        Some(refusal)
    );
    assert_eq!(store.stream(id(1)).await.unwrap(), before);
    assert_eq!(all_events(&*store, 1).await, [event(1)]);
}

pub(super) async fn an_answer_is_given_once_in_its_scope(backend: &dyn Backend) {
    let store = backend.open().await;
    for n in [1, 2] {
        store.create(stream(n)).await.unwrap();
    }
    let first = answer("anna", "key");
    let answered = |n, version, answer: &Answer| Commit {
        answer: Some(answer.clone()),
        ..commit_events(n, version, 1)
    };
    store.commit(answered(1, 1, &first)).await.unwrap();

    // The same key again, at the version of the stream and at an old one.
    for version in [2, 1] {
        let second = Answer {
            status: 201,
            ..first.clone()
        };
        assert_refused!(
            store.commit(answered(1, version, &second)).await,
            CommitError::Answered { key } if key == "key"
        );
    }
    assert_eq!(
        store.answer(id(1), "anna", "key").await.unwrap().as_ref(),
        Some(&first)
    );
    assert_eq!(version(&*store, 1).await, 2);

    // Another scope, another key, another stream.
    let others = [
        (1, "bo", "key"),
        (1, "anna", "KEY"),
        (1, "annak", "ey"),
        (2, "anna", "key"),
    ];
    for (n, scope, key) in others {
        let at = version(&*store, n).await;
        assert_eq!(store.answer(id(n), scope, key).await.unwrap(), None);
        let other = answer(scope, key);
        store.commit(answered(n, at, &other)).await.unwrap();
        assert_eq!(store.answer(id(n), scope, key).await.unwrap(), Some(other));
    }
    assert_eq!(
        store.answer(id(1), "anna", "key").await.unwrap(),
        Some(first)
    );
}

pub(super) async fn tokens_open_their_stream_until_they_are_revoked(backend: &dyn Backend) {
    let store = backend.open().await;
    let host = Token {
        role: "host".into(),
        seat: None,
        ..token(9)
    };
    let last = Token {
        seat: Some(255),
        ..token(1)
    };
    store
        .create(NewStream {
            tokens: vec![host.clone(), last.clone()],
            ..stream(1)
        })
        .await
        .unwrap();
    store
        .create(NewStream {
            tokens: vec![token(2)],
            ..stream(2)
        })
        .await
        .unwrap();
    assert_eq!(
        store.token(host.hash).await.unwrap(),
        Some((id(1), host.clone()))
    );
    assert_eq!(
        store.token(last.hash).await.unwrap(),
        Some((id(1), last.clone()))
    );
    assert_eq!(
        store.token(token(2).hash).await.unwrap(),
        Some((id(2), token(2)))
    );
    assert_eq!(
        store.tokens(id(1)).await.unwrap(),
        [host.clone(), last.clone()]
    );

    let new = Token {
        seat: Some(255),
        ..token(3)
    };
    let exchange = Commit {
        tokens: vec![new.clone()],
        revoked: vec![last.hash],
        ..commit_events(1, 1, 1)
    };
    store.commit(exchange).await.unwrap();

    assert_eq!(store.token(last.hash).await.unwrap(), None);
    assert_eq!(
        store.token(new.hash).await.unwrap(),
        Some((id(1), new.clone()))
    );
    assert_eq!(store.tokens(id(1)).await.unwrap(), [host, new]);
    assert_eq!(store.tokens(id(2)).await.unwrap(), [token(2)]);
}

pub(super) async fn a_token_is_known_once_for_ever(backend: &dyn Backend) {
    let store = backend.open().await;
    store
        .create(NewStream {
            tokens: vec![token(1), token(2)],
            ..stream(1)
        })
        .await
        .unwrap();
    store.create(stream(2)).await.unwrap();
    store
        .commit(Commit {
            revoked: vec![token(2).hash],
            ..commit_events(1, 1, 1)
        })
        .await
        .unwrap();

    for taken in [token(1), token(2)] {
        for (n, at) in [(1, 2), (2, 1)] {
            let commit = Commit {
                tokens: vec![token(3), taken.clone()],
                ..commit_events(n, at, 1)
            };
            assert_refused!(
                store.commit(commit).await,
                CommitError::TokenTaken(hash) if hash == taken.hash
            );
        }
    }
    let twice = Commit {
        tokens: vec![token(3), token(3)],
        ..commit_events(1, 2, 1)
    };
    assert_refused!(
        store.commit(twice).await,
        CommitError::TokenTaken(hash) if hash == token(3).hash
    );

    assert_eq!(
        store.token(token(1).hash).await.unwrap(),
        Some((id(1), token(1)))
    );
    assert_eq!(store.token(token(2).hash).await.unwrap(), None);
    assert_eq!(store.token(token(3).hash).await.unwrap(), None);
}

pub(super) async fn only_tokens_of_the_stream_can_be_revoked(backend: &dyn Backend) {
    let store = backend.open().await;
    store
        .create(NewStream {
            tokens: vec![token(1), token(2)],
            ..stream(1)
        })
        .await
        .unwrap();
    store
        .create(NewStream {
            tokens: vec![token(3)],
            ..stream(2)
        })
        .await
        .unwrap();
    store
        .commit(Commit {
            revoked: vec![token(2).hash],
            ..commit_events(1, 1, 1)
        })
        .await
        .unwrap();

    // Another stream's, one revoked before, one that never was.
    for hash in [token(3).hash, token(2).hash, token(4).hash] {
        let commit = Commit {
            revoked: vec![token(1).hash, hash],
            ..commit_events(1, 2, 1)
        };
        assert_refused!(
            store.commit(commit).await,
            CommitError::NoToken(missing) if missing == hash
        );
    }

    assert_eq!(store.tokens(id(1)).await.unwrap(), [token(1)]);
    assert_eq!(store.tokens(id(2)).await.unwrap(), [token(3)]);
}

pub(super) async fn a_refused_commit_leaves_nothing(backend: &dyn Backend) {
    let store = backend.open().await;
    store
        .create(NewStream {
            tokens: vec![token(1)],
            ..stream(1)
        })
        .await
        .unwrap();
    let kept = answer("anna", "kept");
    store
        .commit(Commit {
            answer: Some(kept),
            ..commit(1, 1)
        })
        .await
        .unwrap();
    let before = store.stream(id(1)).await.unwrap();
    let whole = || Commit {
        tokens: vec![token(2)],
        revoked: vec![token(1).hash],
        answer: Some(answer("anna", "new")),
        ..commit_events(1, 1, 2)
    };

    let mut conflict = whole();
    conflict.expected_version = 2;
    conflict.append = Some(append(2, 2));
    assert_refused!(store.commit(conflict).await, CommitError::Conflict { .. });
    let answered = Commit {
        answer: Some(answer("anna", "kept")),
        ..whole()
    };
    assert_refused!(store.commit(answered).await, CommitError::Answered { .. });
    let no_token = Commit {
        revoked: vec![token(1).hash, token(8).hash],
        ..whole()
    };
    assert_refused!(store.commit(no_token).await, CommitError::NoToken(_));
    let taken = Commit {
        tokens: vec![token(2), token(1)],
        ..whole()
    };
    assert_refused!(store.commit(taken).await, CommitError::TokenTaken(_));

    assert_eq!(store.stream(id(1)).await.unwrap(), before);
    assert_eq!(all_events(&*store, 1).await, [event(1)]);
    assert_eq!(store.tokens(id(1)).await.unwrap(), [token(1)]);
    assert_eq!(store.token(token(2).hash).await.unwrap(), None);
    assert_eq!(store.answer(id(1), "anna", "new").await.unwrap(), None);
    // And nothing of them is in the way.
    store.commit(whole()).await.unwrap();
}

pub(super) async fn a_refused_creation_leaves_nothing(backend: &dyn Backend) {
    let store = backend.open().await;
    store
        .create(NewStream {
            tokens: vec![token(1)],
            ..stream(1)
        })
        .await
        .unwrap();
    let whole = || NewStream {
        visibility: Visibility::Public,
        tokens: vec![token(2)],
        ..stream(2)
    };

    let orphan = NewStream {
        parent: Some(id(9)),
        ..whole()
    };
    assert_refused!(store.create(orphan).await, CommitError::NoStream(parent) if parent == id(9));
    let taken = NewStream {
        tokens: vec![token(2), token(1)],
        ..whole()
    };
    assert_refused!(store.create(taken).await, CommitError::TokenTaken(_));

    assert_eq!(store.stream(id(2)).await.unwrap(), None);
    assert_eq!(all_events(&*store, 2).await, []);
    assert_eq!(store.token(token(2).hash).await.unwrap(), None);
    assert_eq!(
        store
            .list(ListQuery {
                limit: 9,
                ..ListQuery::default()
            })
            .await
            .unwrap(),
        []
    );
    store.create(whole()).await.unwrap();
}

pub(super) async fn public_streams_are_listed_newest_first(backend: &dyn Backend) {
    let store = backend.open().await;
    for n in 1..=9 {
        let visibility = if n % 3 == 0 {
            Visibility::Private
        } else {
            Visibility::Public
        };
        // The order is that of recording, whatever the clock said.
        let created_at = DateTime::from_timestamp(1000 - i64::from(n), 0).expect("in range");
        store
            .create(NewStream {
                visibility,
                created_at,
                ..stream(n)
            })
            .await
            .unwrap();
    }
    let newest_first = [8, 7, 5, 4, 2, 1].map(id);

    for limit in 1..=7 {
        let mut seen = Vec::new();
        let mut before = None;
        loop {
            let query = ListQuery {
                before,
                limit,
                ..ListQuery::default()
            };
            let page = store.list(query).await.unwrap();
            assert!(page.len() <= limit);
            let Some(last) = page.last() else { break };
            before = Some(last.cursor);
            seen.extend(page.iter().map(|listed| listed.id));
        }
        assert_eq!(seen, newest_first, "limit {limit}");
    }
    // A stream that begins while somebody pages is not in the pages that follow.
    let page = |before| ListQuery {
        before,
        limit: 3,
        ..ListQuery::default()
    };
    let first = store.list(page(None)).await.unwrap();
    store
        .create(NewStream {
            visibility: Visibility::Public,
            ..stream(10)
        })
        .await
        .unwrap();
    let second = store.list(page(Some(first[2].cursor))).await.unwrap();
    let ids: Vec<_> = first
        .iter()
        .chain(&second)
        .map(|listed| listed.id)
        .collect();
    assert_eq!(ids, newest_first);

    let none = store.list(ListQuery::default()).await.unwrap();
    assert_eq!(none, []);
    let beyond = ListQuery {
        before: Some(u64::MAX),
        limit: usize::MAX,
        ..ListQuery::default()
    };
    assert_eq!(store.list(beyond).await.unwrap().len(), 7);
}

pub(super) async fn the_list_is_filtered_by_kind_and_by_status_now(backend: &dyn Backend) {
    let store = backend.open().await;
    for (n, kind) in (1..).zip(["chess", "go", "chess", "go", "chess"]) {
        let new = NewStream {
            kind: kind.into(),
            visibility: Visibility::Public,
            ..stream(n)
        };
        store.create(new).await.unwrap();
    }
    store
        .create(NewStream {
            kind: "go".into(),
            ..stream(6)
        })
        .await
        .unwrap();
    for n in [1, 2, 6] {
        let mut over = commit_events(n, 1, 1);
        over.append.as_mut().expect("it appends").summary.status = "over".into();
        store.commit(over).await.unwrap();
    }

    for (kind, status, expected) in [
        (None, None, &[5, 4, 3, 2, 1][..]),
        (Some("chess"), None, &[5, 3, 1]),
        (None, Some("over"), &[2, 1]),
        (None, Some("in_progress"), &[5, 4, 3]),
        (Some("chess"), Some("over"), &[1]),
        (Some("go"), Some("in_progress"), &[4]),
        (Some("CHESS"), None, &[]),
        (None, Some("abandoned"), &[]),
    ] {
        let query = ListQuery {
            kind: kind.map(Into::into),
            status: status.map(Into::into),
            before: None,
            limit: 9,
        };
        let listed = store.list(query.clone()).await.unwrap();
        let ids: Vec<_> = listed.iter().map(|listed| listed.id).collect();
        let expected: Vec<_> = expected.iter().copied().map(id).collect();
        assert_eq!(ids, expected, "{query:?}");
        // What is listed is what the stream says of itself, and a page goes on behind its cursor.
        for (place, listed) in listed.iter().enumerate() {
            let stream = store
                .stream(listed.id)
                .await
                .unwrap()
                .expect("it is listed");
            assert_eq!(listed.summary, stream.summary.body);
            let rest = ListQuery {
                before: Some(listed.cursor),
                ..query.clone()
            };
            let rest: Vec<_> = store
                .list(rest)
                .await
                .unwrap()
                .iter()
                .map(|listed| listed.id)
                .collect();
            assert_eq!(rest, expected[place + 1..]);
        }
    }
}

pub(super) async fn children_are_named_oldest_first(backend: &dyn Backend) {
    let store = backend.open().await;
    store.create(stream(5)).await.unwrap();
    for (n, parent) in [(9, 5), (1, 5), (7, 9), (3, 5)] {
        store
            .create(NewStream {
                parent: Some(id(parent)),
                ..stream(n)
            })
            .await
            .unwrap();
    }
    assert_eq!(store.children(id(5)).await.unwrap(), [9, 1, 3].map(id));
    assert_eq!(store.children(id(9)).await.unwrap(), [id(7)]);
    assert_eq!(store.children(id(7)).await.unwrap(), []);
}

pub(super) async fn what_is_unknown_is_not_there(backend: &dyn Backend) {
    let store = backend.open().await;
    store.create(stream(1)).await.unwrap();

    for unknown in [commit_events(2, 1, 1), commit_events(2, 0, 1), commit(2, 0)] {
        assert_refused!(store.commit(unknown).await, CommitError::NoStream(no) if no == id(2));
    }
    assert_eq!(store.stream(id(2)).await.unwrap(), None);
    assert_eq!(all_events(&*store, 2).await, []);
    assert_eq!(store.tokens(id(2)).await.unwrap(), []);
    assert_eq!(store.children(id(2)).await.unwrap(), []);
    assert_eq!(store.answer(id(2), "anna", "key").await.unwrap(), None);
    assert_eq!(store.answer(id(1), "anna", "key").await.unwrap(), None);
    assert_eq!(store.token(TokenHash([0; 32])).await.unwrap(), None);
}

pub(super) async fn concurrent_commits_to_many_streams_are_all_recorded(backend: &dyn Backend) {
    let store = backend.open().await;
    let mut players = JoinSet::new();
    for n in 1..=32 {
        let store = Arc::clone(&store);
        players.spawn(async move {
            store
                .create(NewStream {
                    visibility: Visibility::Public,
                    ..stream(n)
                })
                .await
                .unwrap();
            for version in 1..=10 {
                let mut commit = commit_events(n, version, 1);
                commit.append.as_mut().expect("it appends").events[0].body =
                    format!("{n}, {version}");
                commit.answer = Some(answer("anna", &version.to_string()));
                store.commit(commit).await.unwrap();
                // Who was answered sees it at once; and a refused neighbour does no harm.
                assert_eq!(store.events(id(n), version, 9).await.unwrap().len(), 1);
                let late = store.commit(commit_events(n, version, 1)).await;
                assert_refused!(late, CommitError::Conflict { .. });
            }
        });
    }
    while let Some(player) = players.join_next().await {
        player.expect("no player panics");
    }

    for n in 1..=32 {
        let bodies: Vec<_> = all_events(&*store, n)
            .await
            .into_iter()
            .map(|event| event.body)
            .collect();
        let mut expected = vec![event(1).body];
        expected.extend((1..=10).map(|version| format!("{n}, {version}")));
        assert_eq!(bodies, expected);
        assert!(store.answer(id(n), "anna", "10").await.unwrap().is_some());
    }
    let listed = store
        .list(ListQuery {
            limit: 99,
            ..ListQuery::default()
        })
        .await
        .unwrap();
    let cursors: BTreeSet<_> = listed.iter().map(|listed| listed.cursor).collect();
    assert_eq!((listed.len(), cursors.len()), (32, 32));
}

pub(super) async fn a_store_in_order_is_ready(backend: &dyn Backend) {
    let store = backend.open().await;
    store.check().await.unwrap();
    store.create(stream(1)).await.unwrap();
    store.check().await.unwrap();
    assert_eq!(version(&*store, 1).await, 1);
}

pub(super) async fn a_closed_store_is_unavailable(backend: &dyn Backend) {
    let store = backend.open().await;
    store.create(stream(1)).await.unwrap();

    store.close().await;
    store.close().await;

    assert_refused!(store.create(stream(2)).await, CommitError::Unavailable(_));
    assert_refused!(
        store.commit(commit_events(1, 1, 1)).await,
        CommitError::Unavailable(_)
    );
    assert_refused!(store.stream(id(1)).await, StoreError::Unavailable(_));
    assert_refused!(store.events(id(1), 0, 1).await, StoreError::Unavailable(_));
    assert_refused!(store.check().await, StoreError::Unavailable(_));
}

pub(super) async fn what_was_acknowledged_is_there_after_reopening(backend: &dyn Backend) {
    let store = backend.open().await;
    let new = NewStream {
        visibility: Visibility::Public,
        tokens: vec![token(1), token(2)],
        ..stream(1)
    };
    store.create(new).await.unwrap();
    let commit = Commit {
        tokens: vec![token(3)],
        revoked: vec![token(1).hash],
        answer: Some(answer("anna", "key")),
        ..commit_events(1, 1, 3)
    };
    store.commit(commit).await.unwrap();
    let before = everything(&*store).await;
    store.close().await;
    drop(store);

    let store = backend.open().await;
    assert_eq!(everything(&*store).await, before);
    assert_eq!(store.token(token(1).hash).await.unwrap(), None);
    assert_eq!(
        store.answer(id(1), "anna", "key").await.unwrap(),
        Some(answer("anna", "key"))
    );
    store.commit(commit_events(1, 4, 1)).await.unwrap();
}

async fn everything(store: &dyn EventStore) -> impl PartialEq + std::fmt::Debug + use<> {
    let list = ListQuery {
        limit: 9,
        ..ListQuery::default()
    };
    (
        store.stream(id(1)).await.unwrap(),
        all_events(store, 1).await,
        store.tokens(id(1)).await.unwrap(),
        store.list(list).await.unwrap(),
    )
}
