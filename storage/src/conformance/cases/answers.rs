//! Answers that are kept under a key.

use crate::conformance::Backend;
use crate::conformance::fixtures::{
    all_events, answer, commit, commit_events, event, id, stream, version,
};
use crate::{Answer, Commit, CommitError};

pub(in crate::conformance) async fn an_answer_is_kept_without_events(backend: &dyn Backend) {
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

pub(in crate::conformance) async fn an_answer_is_given_once_in_its_scope(backend: &dyn Backend) {
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
