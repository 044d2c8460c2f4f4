//! Reading a game: pages, lines, streams, past states, and the proofs that the record holds.

use domain::dealer::Mode;
use domain::rulesets::GameKind;
use reqwest::Method;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::helpers::{Api, Caller, Game, Play, SentEvent, Setup, TestApp, answer, served_text};

const MODES: [Mode; 2] = [Mode::Virtual, Mode::Table];

/// A game of two players after some moves, open to spectators.
async fn begun(api: &Api, kind: GameKind, mode: Mode) -> Game {
    let game = api
        .create(&Setup::new(kind, mode).seed_if_dealt(3).public())
        .await;
    Play::of(&game, 3).await.steps(10).await;
    game
}

async fn lines(caller: &Caller, path: &str) -> Vec<Value> {
    let request = caller
        .request(Method::GET, path)
        .header("accept", "application/x-ndjson");
    let answer = answer(request).await;
    assert_eq!(answer.header("content-type"), "application/x-ndjson");
    assert_eq!(answer.header("cache-control"), "private, no-store");
    let lines = answer.text().split_terminator('\n');
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn seqs(events: &[Value]) -> Vec<u64> {
    events
        .iter()
        .map(|event| event["seq"].as_u64().unwrap())
        .collect()
}

fn readers(game: &Game) -> Vec<Caller> {
    let seats = (0..game.seat_count()).map(|seat| game.seat(seat));
    seats.chain([game.host(), game.stranger()]).collect()
}

#[tokio::test]
async fn pages_lines_and_streams_tell_the_same() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        for mode in MODES {
            let game = begun(&app, *kind, mode).await;
            let last = game.host().version().await;
            for reader in readers(&game) {
                let events = reader.events().await;
                assert_eq!(seqs(&events), (1..=last).collect::<Vec<_>>());
                for limit in [1, 3, last, last + 1] {
                    let mut read = Vec::new();
                    let mut after = 0;
                    loop {
                        let path = format!("/events?after={after}&limit={limit}");
                        let page = reader.get(&path).await.good();
                        let part = page["events"].as_array().unwrap();
                        assert!(part.len() as u64 <= limit);
                        read.extend(part.iter().cloned());
                        after = page["next_after"].as_u64().unwrap();
                        assert_eq!(after, read.len() as u64);
                        assert_eq!(page["has_more"], after < last);
                        if page["has_more"] == false {
                            break;
                        }
                    }
                    assert_eq!(read, events);
                }
                let page = reader.get(&format!("/events?after={last}")).await.good();
                assert_eq!(
                    page,
                    json!({"events": [], "next_after": last, "has_more": false})
                );
                let page = reader.get("/events?after=999999").await.good();
                assert_eq!(page["next_after"], 999_999);

                assert_eq!(lines(&reader, "/events").await, events);
                assert_eq!(lines(&reader, "/events?after=4").await, events[4..]);
                assert!(
                    lines(&reader, &format!("/events?after={last}"))
                        .await
                        .is_empty()
                );

                let streamed = reader.follows(None).await.up_to(last).await;
                let told: Vec<Value> = streamed.iter().map(SentEvent::json).collect();
                assert_eq!(told, events);
            }
        }
    }
}

#[tokio::test]
async fn what_is_asked_of_events_is_checked() {
    let app = TestApp::start().await;
    let game = begun(&app, GameKind::ALL[0], Mode::Virtual).await;
    for query in [
        "limit=0",
        "limit=1001",
        "limit=-1",
        "limit=1e2",
        "after=-1",
        "after=x",
        "after=1.0",
        "after=18446744073709551616",
        "after=1&after=2",
        "from=1",
    ] {
        let answer = game.host().get(&format!("/events?{query}")).await;
        answer.problem(400, "invalid_request");
    }
    game.host()
        .get("/events?after=18446744073709551615")
        .await
        .good();
    let request = game
        .host()
        .request(Method::GET, "/events")
        .header("accept", "text/html");
    answer(request).await.problem(406, "not_acceptable");
    for id in ["x", "-1", "1.5", ""] {
        let request = game.host().request(Method::GET, "/events");
        let request = request
            .header("accept", "text/event-stream")
            .header("last-event-id", id);
        answer(request).await.problem(400, "invalid_request");
    }
}

#[tokio::test]
async fn a_stream_tells_the_past_then_what_happens_then_that_it_is_over() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        for mode in MODES {
            let game = begun(&app, *kind, mode).await;
            let mut streams = Vec::new();
            for reader in readers(&game) {
                let mut stream = reader.follows(None).await;
                stream.up_to(game.host().version().await).await;
                streams.push((reader, stream));
            }
            let mut play = Play::of(&game, 4).await;
            for _ in 0..4 {
                let Some(recorded) = play.step().await else {
                    break;
                };
                let recorded = recorded.good();
                let (from, to) = (
                    recorded["events"][0]["seq"].as_u64().unwrap(),
                    recorded["version"].as_u64().unwrap(),
                );
                for (reader, stream) in &mut streams {
                    let told = stream.up_to(to).await;
                    let path = format!("/events?after={}", from - 1);
                    let page = reader.get(&path).await.good();
                    let told: Vec<Value> = told.iter().map(SentEvent::json).collect();
                    assert_eq!(told, *page["events"].as_array().unwrap());
                }
            }
            let version = game.host().version().await;
            game.host().abandons().await.good();
            for (_, stream) in &mut streams {
                let rest = stream.read_all().await;
                assert_eq!(rest.len(), 2);
                assert_eq!(rest[0].id, Some(version + 1));
                assert_eq!(rest[0].json()["type"], "game_abandoned");
                let over = SentEvent {
                    kind: "over".to_owned(),
                    id: None,
                    data: "{}".to_owned(),
                };
                assert_eq!(rest[1], over);
                let open = game.host().events().await;
                for salt in open.iter().filter_map(|event| event["salt"].as_str()) {
                    assert!(!stream.received.contains(salt), "opened in /events alone");
                }
            }
            let late = game
                .stranger()
                .follows(Some(version))
                .await
                .read_all()
                .await;
            assert_eq!(late.len(), 2);
            assert_eq!(late[1].kind, "over");
        }
    }
}

#[tokio::test]
async fn a_stream_is_resumed_behind_the_last_event_that_arrived() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        let game = begun(&app, *kind, Mode::Virtual).await;
        let last = game.host().version().await;
        for seen in [0, 1, last - 1] {
            let rest = game.seat(0).follows(Some(seen)).await.up_to(last).await;
            let ids: Vec<u64> = rest.iter().filter_map(|event| event.id).collect();
            assert_eq!(ids, (seen + 1..=last).collect::<Vec<_>>());
        }
        // The header of a reconnecting client counts, not the address that it began with.
        let request = game
            .seat(0)
            .request(Method::GET, &format!("/events?after={}", last - 1));
        let request = request
            .header("accept", "text/event-stream")
            .header("last-event-id", "1");
        let mut response = request.send().await.unwrap();
        let mut text = String::new();
        while !text.contains(&format!("id: {last}\n")) {
            let chunk = response.chunk().await.unwrap().unwrap();
            text += std::str::from_utf8(&chunk).unwrap();
        }
        assert!(
            text.contains("id: 2\n") && !text.contains("id: 1\n"),
            "{text}"
        );
        // Waiting behind the end: only what is new comes.
        let mut waiting = game.seat(0).follows(Some(last)).await;
        let recorded = Play::of(&game, 4).await.step().await.unwrap().good();
        let first = waiting.next().await.unwrap();
        assert_eq!(first.id, Some(last + 1));
        assert_eq!(first.json()["seq"], recorded["events"][0]["seq"]);
    }
}

#[tokio::test]
async fn a_past_state_is_what_readers_saw_then() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        for mode in MODES {
            let game = app.create(&Setup::new(*kind, mode).public()).await;
            let mut play = Play::of(&game, 7).await;
            let mut seen = Vec::new();
            for _ in 0..10 {
                for (place, reader) in readers(&game).into_iter().enumerate() {
                    let state = reader.get("/state").await;
                    let version = state.good()["version"].clone();
                    assert_eq!(state.header("etag"), format!("\"{version}\""));
                    seen.push((place, version, state.good()));
                }
                play.step().await;
            }
            for (place, version, state) in seen {
                let reader = &readers(&game)[place];
                assert_eq!(state["game"], game.id());
                let then = reader.get(&format!("/state?at={version}")).await.good();
                assert_eq!(then, state);
            }
            let now = game.host().version().await;
            for at in [0, now + 1, u64::MAX] {
                let answer = game.host().get(&format!("/state?at={at}")).await;
                answer.problem(400, "invalid_request");
            }
            let first = game.host().get("/state?at=1").await.good();
            assert_eq!(first["version"], 1);
        }
    }
}

#[tokio::test]
async fn a_client_that_holds_the_version_gets_no_body() {
    let app = TestApp::start().await;
    let game = begun(&app, GameKind::ALL[0], Mode::Virtual).await;
    let ask = async |tag: String| {
        let request = game
            .host()
            .request(Method::GET, "")
            .header("if-none-match", tag);
        answer(request).await
    };
    let version = game.host().version().await;
    for tag in [
        format!("\"{version}\""),
        format!("W/\"{version}\""),
        "*".to_owned(),
    ] {
        let answer = ask(tag).await;
        assert_eq!(answer.status, 304);
        assert!(answer.body.is_empty());
        assert_eq!(answer.header("etag"), format!("\"{version}\""));
    }
    assert_eq!(
        ask(format!("\"{}\"", version - 1)).await.good()["version"],
        version
    );
}

#[tokio::test]
async fn the_secret_is_committed_to_from_the_start_and_published_at_the_end() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        let game = begun(&app, *kind, Mode::Virtual).await;
        let commitment = game.created["fairness"]["commitment"].clone();
        for reader in readers(&game) {
            let fairness = reader.get("/fairness").await.good();
            assert_eq!(fairness, json!({"commitment": commitment, "secret": null}));
        }
        assert_eq!(
            game.host().events().await[0]["data"]["commitment"],
            commitment
        );
        game.host().abandons().await.good();
        let fairness = game.stranger().get("/fairness").await.good();
        let secret = hex::decode(fairness["secret"].as_str().unwrap()).unwrap();
        assert_eq!(secret, [3; 32]);
        assert_eq!(commitment, hex::encode(Sha256::digest(secret)));

        let table = begun(&app, *kind, Mode::Table).await;
        table.host().abandons().await.good();
        let fairness = table.host().get("/fairness").await.good();
        assert_eq!(fairness, json!({"commitment": null, "secret": null}));
    }
}

#[tokio::test]
async fn a_record_is_verified_before_and_after_its_end() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        for (mode, before, after) in [
            (Mode::Virtual, "pending", "ok"),
            (Mode::Table, "not_applicable", "not_applicable"),
        ] {
            let game = begun(&app, *kind, mode).await;
            for (fairness, is_last) in [(before, false), (after, true)] {
                for reader in readers(&game) {
                    let report = reader.get("/verification").await.good();
                    let events = game.host().version().await;
                    let checks = json!({"chain": "ok", "rules": "ok", "fairness": fairness});
                    assert_eq!(
                        report,
                        json!({"valid": true, "events": events, "checks": checks})
                    );
                }
                if !is_last {
                    game.host().abandons().await.good();
                }
            }
        }
    }
}

#[tokio::test]
async fn a_receipt_shows_whether_the_record_still_holds_it() {
    let app = TestApp::start().await;
    let game = app.create(&Setup::dealt(GameKind::ALL[0])).await;
    let mut receipts = vec![game.created["receipt"].clone()];
    let mut play = Play::of(&game, 5).await;
    for _ in 0..5 {
        receipts.push(play.step().await.unwrap().good()["receipt"].clone());
    }
    let ask = async |version: &Value, hash: &str| {
        let path = format!("/verification?version={version}&hash={hash}");
        game.seat(0).get(&path).await
    };
    for receipt in &receipts {
        let (version, hash) = (&receipt["version"], receipt["hash"].as_str().unwrap());
        let told = ask(version, hash).await.good();
        assert_eq!(
            told["receipt"],
            json!({"version": version, "hash": hash, "held": true})
        );
        assert_eq!(told["valid"], true);
    }
    let (old, new) = (&receipts[0], &receipts[1]);
    for (version, hash) in [
        (&old["version"], new["hash"].as_str().unwrap()),
        (&json!(9999), new["hash"].as_str().unwrap()),
        (&json!(0), new["hash"].as_str().unwrap()),
        (&new["version"], &"0".repeat(64)),
    ] {
        assert_eq!(ask(version, hash).await.good()["receipt"]["held"], false);
    }
    let hash = new["hash"].as_str().unwrap();
    for wrong in ["", "0", &hash.to_uppercase(), &hash[1..]] {
        ask(&json!(1), wrong).await.problem(400, "invalid_request");
    }
    for query in [
        "version=1".to_owned(),
        format!("hash={hash}"),
        format!("version=-1&hash={hash}"),
    ] {
        let answer = game.seat(0).get(&format!("/verification?{query}")).await;
        answer.problem(400, "invalid_request");
    }
}

#[tokio::test]
async fn once_over_everything_is_open_and_every_hash_is_that_of_what_is_served() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        for mode in MODES {
            let game = begun(&app, *kind, mode).await;
            let running: Vec<Vec<Value>> = {
                let mut told = Vec::new();
                for reader in readers(&game) {
                    told.push(reader.events().await);
                }
                told
            };
            game.host().abandons().await.good();
            let open = game.stranger().events().await;
            for reader in readers(&game) {
                assert_eq!(reader.events().await, open);
                assert_eq!(lines(&reader, "/events").await, open);
                let record = reader.get("/record").await.good();
                assert_eq!(record["events"], json!(open));
                assert!(record.get("masked").is_none());
            }
            let mut prev = "0".repeat(64);
            for event in &open {
                assert_eq!(event["prev"], prev);
                let hash = hex::encode(Sha256::digest(served_text(event)));
                assert_eq!(event["hash"], hash);
                prev = hash;
                if let Some(salt) = event.get("salt") {
                    assert_eq!(hex::decode(salt.as_str().unwrap()).unwrap().len(), 16);
                    assert_eq!(mode, Mode::Virtual, "a table hides nothing from its record");
                }
            }
            // What was shown while it ran: the same hashes, and no salt.
            for events in &running {
                for (shown, event) in events.iter().zip(&open) {
                    assert!(shown.get("salt").is_none());
                    for member in [
                        "v", "seq", "at", "actor", "by", "type", "rule", "prev", "hash",
                    ] {
                        assert_eq!(shown[member], event[member]);
                    }
                    if event.get("salt").is_none() {
                        assert_eq!(shown, event);
                    }
                }
            }
            let salts: Vec<&Value> = open.iter().filter_map(|event| event.get("salt")).collect();
            let distinct: std::collections::BTreeSet<String> =
                salts.iter().map(|s| s.to_string()).collect();
            assert_eq!(
                distinct.len(),
                salts.len(),
                "each event has a salt of its own"
            );
        }
    }
}

#[tokio::test]
async fn the_record_holds_what_was_submitted_declared_and_dealt() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        for mode in MODES {
            let game = app.create(&Setup::new(*kind, mode)).await;
            let mut play = Play::of(&game, 2).await;
            let mut moves = 0;
            for _ in 0..10 {
                moves += usize::from(play.turn["kind"] == "seat");
                play.step().await.unwrap();
            }
            game.host().abandons().await.good();
            let answer = game.seat(0).get("/record").await;
            let record = answer.good();
            for (member, value) in [
                ("format", json!("referee-record/1")),
                ("game", json!(kind)),
                ("mode", json!(mode)),
                ("rules_version", json!(1)),
                ("options", game.created["options"].clone()),
            ] {
                assert_eq!(record[member], value, "{member}");
            }
            assert_eq!(record["seats"][1], json!({"name": "Player 1"}));
            let entries = record["entries"].as_array().unwrap();
            let recorded = entries.iter().filter(|entry| entry.get("move").is_some());
            assert_eq!(recorded.count(), moves);
            assert_eq!(entries.last().unwrap()["abandon"], json!({}));
            for entry in entries {
                assert!(entry["at"].is_string());
                let dealt = entry.get("outcome").is_some() && mode == Mode::Virtual;
                assert_eq!(entry.get("by").is_none(), dealt, "{entry}");
            }
        }
    }
}

#[tokio::test]
async fn a_running_record_is_masked_and_says_so() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        let game = begun(&app, *kind, Mode::Virtual).await;
        let mut told = Vec::new();
        for reader in readers(&game) {
            told.push(reader.get("/record").await.good());
        }
        game.host().abandons().await.good();
        let open = game.host().get("/record").await.good();
        let hides = open["events"]
            .as_array()
            .unwrap()
            .iter()
            .any(|event| event.get("salt").is_some());
        for record in &told {
            assert_eq!(record.get("masked"), hides.then_some(&json!(true)));
            let entries = record["entries"].as_array().unwrap();
            assert_eq!(entries.len() + 1, open["entries"].as_array().unwrap().len());
        }
    }
}
