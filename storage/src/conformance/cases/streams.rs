//! Streams: created once, found again, named by their parents.

use std::sync::Arc;

use chrono::DateTime;
use tokio::task::JoinSet;

use crate::conformance::Backend;
use crate::conformance::fixtures::{
    all_events, append, commit, commit_events, id, stream, stream_with, token,
};
use crate::{CommitError, ListQuery, NewStream, Secret, Stream, TokenHash, Visibility};

pub(in crate::conformance) async fn a_stream_comes_back_as_it_was_created(backend: &dyn Backend) {
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

pub(in crate::conformance) async fn a_stream_is_created_once(backend: &dyn Backend) {
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

pub(in crate::conformance) async fn a_refused_creation_leaves_nothing(backend: &dyn Backend) {
    let store = backend.open().await;
    store.create(stream_with(1, vec![token(1)])).await.unwrap();
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

pub(in crate::conformance) async fn of_racing_creations_exactly_one_is_recorded(
    backend: &dyn Backend,
) {
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

pub(in crate::conformance) async fn children_are_named_oldest_first(backend: &dyn Backend) {
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

pub(in crate::conformance) async fn what_is_unknown_is_not_there(backend: &dyn Backend) {
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
