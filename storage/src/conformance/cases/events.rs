//! Events: in order, in pages, byte for byte.

use crate::conformance::Backend;
use crate::conformance::fixtures::{
    all_events, answer, append, commit, commit_events, event, id, stream, token,
};
use crate::{Answer, Commit, CommitError, NewStream, StoredEvent, Summary, Token};

pub(in crate::conformance) async fn events_come_back_in_order_and_in_pages(backend: &dyn Backend) {
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

pub(in crate::conformance) async fn a_long_batch_comes_back_in_pages(backend: &dyn Backend) {
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

pub(in crate::conformance) async fn any_text_comes_back_byte_for_byte(backend: &dyn Backend) {
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

pub(in crate::conformance) async fn events_out_of_shape_are_refused(backend: &dyn Backend) {
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
