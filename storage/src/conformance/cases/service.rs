//! A store as a whole: ready, closed, opened again.

use crate::conformance::Backend;
use crate::conformance::fixtures::{all_events, answer, commit_events, id, stream, token, version};
use crate::{Commit, CommitError, EventStore, ListQuery, NewStream, StoreError, Visibility};

pub(in crate::conformance) async fn a_store_in_order_is_ready(backend: &dyn Backend) {
    let store = backend.open().await;
    store.check().await.unwrap();
    store.create(stream(1)).await.unwrap();
    store.check().await.unwrap();
    assert_eq!(version(&*store, 1).await, 1);
}

pub(in crate::conformance) async fn a_closed_store_is_unavailable(backend: &dyn Backend) {
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

pub(in crate::conformance) async fn what_was_acknowledged_is_there_after_reopening(
    backend: &dyn Backend,
) {
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
