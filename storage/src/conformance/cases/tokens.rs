//! Tokens: what opens a stream, and for how long.

use crate::conformance::Backend;
use crate::conformance::fixtures::{commit_events, id, stream, stream_with, token};
use crate::{Commit, CommitError, Token};

pub(in crate::conformance) async fn tokens_open_their_stream_until_they_are_revoked(
    backend: &dyn Backend,
) {
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
        .create(stream_with(1, vec![host.clone(), last.clone()]))
        .await
        .unwrap();
    store.create(stream_with(2, vec![token(2)])).await.unwrap();
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

pub(in crate::conformance) async fn a_token_is_known_once_for_ever(backend: &dyn Backend) {
    let store = backend.open().await;
    store
        .create(stream_with(1, vec![token(1), token(2)]))
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

pub(in crate::conformance) async fn only_tokens_of_the_stream_can_be_revoked(
    backend: &dyn Backend,
) {
    let store = backend.open().await;
    store
        .create(stream_with(1, vec![token(1), token(2)]))
        .await
        .unwrap();
    store.create(stream_with(2, vec![token(3)])).await.unwrap();
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
