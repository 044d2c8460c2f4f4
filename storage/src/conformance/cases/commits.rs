//! Commits: whole or not at all, one at a time a stream.

use std::collections::BTreeSet;
use std::sync::Arc;

use tokio::task::JoinSet;

use crate::conformance::Backend;
use crate::conformance::fixtures::{
    all_events, answer, append, commit, commit_events, event, id, stream, stream_with, token,
};
use crate::{Commit, CommitError, ListQuery, NewStream, Stream, Summary, Visibility};

pub(in crate::conformance) async fn a_commit_moves_version_head_and_summary(backend: &dyn Backend) {
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

pub(in crate::conformance) async fn a_conflict_names_both_versions(backend: &dyn Backend) {
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

pub(in crate::conformance) async fn of_racing_commits_exactly_one_is_recorded(
    backend: &dyn Backend,
) {
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

pub(in crate::conformance) async fn a_refused_commit_leaves_nothing(backend: &dyn Backend) {
    let store = backend.open().await;
    store.create(stream_with(1, vec![token(1)])).await.unwrap();
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

pub(in crate::conformance) async fn concurrent_commits_to_many_streams_are_all_recorded(
    backend: &dyn Backend,
) {
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
