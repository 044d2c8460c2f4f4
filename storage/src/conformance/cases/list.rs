//! The list of public streams.

use chrono::DateTime;

use crate::conformance::Backend;
use crate::conformance::fixtures::{commit_events, id, stream};
use crate::{ListQuery, NewStream, Visibility};

pub(in crate::conformance) async fn public_streams_are_listed_newest_first(backend: &dyn Backend) {
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

pub(in crate::conformance) async fn the_list_is_filtered_by_kind_and_by_status_now(
    backend: &dyn Backend,
) {
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
