//! Disputes: a claim, a finding, votes, and what comes of them.

use std::collections::HashMap;

use domain::dealer::Mode;
use domain::record::Hash;
use domain::rulesets::GameKind;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::helpers::{Answer, Binary, Caller, Game, Play, Setup, TestApp, served_text};

const DRAGONS: GameKind = GameKind::SchatzDerDrachen;

async fn dispute(caller: &Caller, seq: u64, claim: &str) -> Answer {
    let body = json!({"seq": seq, "claim": claim});
    caller.post("/disputes", body.to_string()).await
}

async fn votes(caller: &Caller, n: u64, vote: &Value) -> Answer {
    let path = format!("/disputes/{n}/votes");
    caller.post(&path, vote.to_string()).await
}

async fn all_vote(game: &Game, n: u64, vote: &Value) -> Value {
    let mut last = Value::Null;
    for seat in 0..game.seat_count() {
        last = votes(&game.seat(seat), n, vote).await.good();
    }
    last
}

async fn disputes(caller: &Caller) -> Vec<Value> {
    let body = caller.get("/disputes").await.good();
    body["disputes"].as_array().unwrap().clone()
}

async fn verified(caller: &Caller) -> Value {
    let verification = caller.get("/verification").await.good();
    assert_eq!(verification["valid"], true, "{verification}");
    verification
}

fn reveal(slot: &str) -> Value {
    json!({"type": "reveal", "slot": slot})
}

fn tile(tile: &str) -> Value {
    json!({"type": "tile", "tile": tile})
}

/// A table at which Anna has turned a ring and another ring over, and has stopped.
async fn two_rings(app: &TestApp) -> Game {
    let game = app.create(&Setup::table(DRAGONS)).await;
    for slot in ["a1", "b1"] {
        let turned = game
            .seat(0)
            .moves_as(0, &reveal(slot), &[tile("ring")])
            .await;
        turned.good();
    }
    game.seat(0).moves(&json!({"type": "stop"})).await.good();
    game
}

fn types(events: &Value) -> Vec<&str> {
    let events = events.as_array().unwrap();
    events
        .iter()
        .map(|event| event["type"].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn a_misread_tile_is_replaced_and_what_followed_is_recorded_again() {
    let app = TestApp::start().await;
    let game = two_rings(&app).await;
    let before = game.host().events().await;
    let misread = before
        .iter()
        .rfind(|event| event["type"] == "tile_revealed")
        .unwrap();
    let seq = misread["seq"].as_u64().unwrap();

    let opened = dispute(&game.seat(1), seq, "that was a ball").await.good();
    assert_eq!(
        types(&opened["events"]),
        ["dispute_opened", "dispute_found"]
    );
    let told = &opened["dispute"];
    assert_eq!((&told["n"], &told["status"]), (&json!(1), &json!("open")));
    let finding = &told["finding"];
    assert_eq!(finding["event"], *misread);
    assert_eq!(finding["entry"]["outcome"], tile("ring"));
    assert_eq!(finding["by"], json!({"role": "seat", "seat": 0}));
    assert_eq!(
        finding["rule"]["id"].as_str().unwrap().split('-').next(),
        Some("SD")
    );
    let state = format!("/state?at={}", seq - 1);
    assert_eq!(
        finding["before"]["view"],
        game.host().get(&state).await.good()["view"]
    );

    let vote = json!({"remedy": "replace", "entry": {"outcome": tile("ball")}});
    let voted = votes(&game.seat(0), 1, &vote).await.good();
    assert_eq!(types(&voted["events"]), ["dispute_voted"]);
    let proposal = &voted["dispute"]["proposals"][0];
    assert_eq!(proposal["seats"], json!([0]));
    let closed = votes(&game.seat(1), 1, &vote).await.good();
    let recorded = closed["events"].as_array().unwrap();
    assert_eq!(
        types(&closed["events"])[..3],
        ["dispute_voted", "dispute_closed", "rewound"]
    );
    assert_eq!(recorded[2]["data"]["to"], seq - 1);
    assert!(recorded[3].get("replays").is_none(), "{}", recorded[3]);
    assert!(
        recorded[4]["replays"]
            .as_u64()
            .is_some_and(|replayed| replayed > seq)
    );
    assert_eq!(closed["dispute"]["status"], "closed");

    // What was voted on is what happened.
    let now = game.host().get("/state").await.good();
    assert_eq!(proposal["preview"]["view"], now["view"]);
    assert_eq!(proposal["preview"]["turn"], now["turn"]);
    let after = game.host().events().await;
    assert_eq!(after[..before.len()], before[..], "nothing is ever gone");
    verified(&game.host()).await;
    let record = game.host().get("/record").await.good();
    let verdict = app.post("/v1/replays", record.to_string()).await.good();
    assert_eq!(verdict["verdict"], "legal", "{verdict}");
}

#[tokio::test]
async fn what_no_longer_holds_on_the_corrected_past_is_not_recorded_again() {
    let app = TestApp::start().await;
    let game = app.create(&Setup::table(DRAGONS)).await;
    let anna = game.seat(0);
    // The box holds four balls.
    let turned = [
        ("a1", "ring"),
        ("b1", "ball"),
        ("c1", "ball"),
        ("d1", "ball"),
        ("e1", "ball"),
    ];
    let mut last = Value::Null;
    for (slot, face) in turned {
        last = anna.moves_as(0, &reveal(slot), &[tile(face)]).await.good();
    }
    let fourth = last["events"][1]["seq"].clone();

    dispute(&game.host(), 3, "that was a ball, too")
        .await
        .good();
    let vote = json!({"remedy": "replace", "entry": {"outcome": tile("ball")}});
    let previewed = votes(&game.seat(1), 1, &vote).await.good();
    let preview = previewed["dispute"]["proposals"][0]["preview"].clone();
    let closed = votes(&game.host(), 1, &vote).await.good();
    let stopped = &closed["dispute"]["stopped"];
    assert_eq!(preview["stopped"], *stopped);
    assert_eq!(stopped["seq"], fourth, "{closed}");
    assert!(
        stopped["rule"].is_string() && stopped["detail"].is_string(),
        "{closed}"
    );
    assert_eq!(types(&closed["events"]).last(), Some(&"replay_stopped"));
    assert_eq!(closed["turn"]["kind"], "chance");
    verified(&game.host()).await;
}

#[tokio::test]
async fn while_a_dispute_is_open_only_it_goes_on() {
    let app = TestApp::start().await;
    let game = app.create(&Setup::table(DRAGONS).claimed(1)).await;
    let anna = game.seat(0);
    anna.moves(&reveal("a1")).await.good();
    dispute(&anna, 2, "I never moved").await.good();
    let version = game.host().version().await;
    assert_eq!(game.host().summary().await["dispute"], 1);

    let body = json!({"move": reveal("a1")}).to_string();
    let claim = json!({"code": game.claim_code(1)}).to_string();
    for (path, body) in [
        ("/moves", body.clone()),
        ("/rulings", body),
        (
            "/declarations",
            json!({"outcomes": [tile("ring")]}).to_string(),
        ),
        ("/disputes", json!({"seq": 2, "claim": "again"}).to_string()),
        ("/takebacks", "{}".to_owned()),
        ("/confirmations", json!({"up_to": 1}).to_string()),
        ("/seats/1/claim", claim),
    ] {
        anna.post(path, body).await.problem(409, "disputed");
    }
    let renewal = game.host().post("/seats/1/token", "{}").await;
    renewal.problem(409, "disputed");
    assert_eq!(game.host().version().await, version);
    for path in [
        "",
        "/state",
        "/events",
        "/legal-moves",
        "/record",
        "/position",
        "/disputes",
    ] {
        anna.get(path).await.good();
    }

    game.host()
        .post("/disputes/1/withdraw", "{}")
        .await
        .problem(403, "forbidden");
    anna.post("/disputes/1/withdraw", "{}").await.good();
    assert_eq!(disputes(&anna).await[0]["status"], "withdrawn");
    game.host().declares(&[tile("ring")]).await.good();

    dispute(&anna, 2, "still").await.good();
    game.host().abandons().await.good();
    assert_eq!(disputes(&anna).await[1]["status"], "lapsed");
    verified(&anna).await;
}

#[tokio::test]
async fn a_vote_may_be_changed_until_all_agree_and_counts_for_nothing_after_that() {
    let app = TestApp::start().await;
    let game = two_rings(&app).await;
    dispute(&game.seat(0), 2, "no").await.good();
    let (keep, back) = (
        json!({"remedy": "keep"}),
        json!({"remedy": "rewind", "to": 1}),
    );
    votes(&game.seat(0), 1, &back).await.good();
    votes(&game.seat(0), 1, &back).await.good();
    votes(&game.seat(1), 1, &keep).await.good();
    let told = &disputes(&game.host()).await[0];
    assert_eq!(told["votes"].as_array().unwrap().len(), 2);
    assert_eq!(told["proposals"].as_array().unwrap().len(), 2);
    let before = game.host().get("/state").await.good();
    let closed = votes(&game.seat(0), 1, &keep).await.good();
    assert_eq!(
        types(&closed["events"]),
        ["dispute_voted", "dispute_closed"]
    );
    assert_eq!(closed["dispute"]["outcome"], keep);
    assert_eq!(
        game.host().get("/state").await.good()["view"],
        before["view"]
    );

    votes(&game.seat(1), 1, &back)
        .await
        .problem(409, "dispute_over");
    votes(&game.seat(1), 2, &back)
        .await
        .problem(404, "not_found");
    game.stranger()
        .post("/disputes/1/votes", keep.to_string())
        .await
        .problem(404, "not_found");
    let closing = game.seat(0).post("/disputes/1/withdraw", "{}").await;
    closing.problem(409, "dispute_over");
}

#[tokio::test]
async fn a_remedy_that_cannot_be_carried_out_is_not_voted_on() {
    let app = TestApp::start().await;
    let game = two_rings(&app).await;
    // An event amid a request: the move of a request that declared its tile too.
    let amid = 2;
    dispute(&game.seat(0), 3, "no").await.good();
    let version = game.host().version().await;
    for to in [
        0,
        amid,
        version - 1,
        version,
        version + 1,
        u64::from(u32::MAX),
    ] {
        let vote = json!({"remedy": "rewind", "to": to});
        votes(&game.seat(0), 1, &vote)
            .await
            .problem(400, "invalid_request");
    }
    for vote in [
        json!({"remedy": "rewind"}),
        json!({"remedy": "keep", "to": 1}),
        json!({"remedy": "replace", "to": 1}),
        json!({"remedy": "replace", "entry": {"seat": 0, "move": {"type": "stop"}}}),
        json!({"remedy": "replace", "entry": {"outcome": {"type": "tile", "tile": "cat"}}}),
        json!({"remedy": "replace", "entry": {"seat": 5, "move": {"type": "stop"}}}),
        json!({"remedy": "replace", "entry": [0]}),
        json!({"remedy": "burn"}),
    ] {
        votes(&game.seat(0), 1, &vote)
            .await
            .problem(400, "invalid_request");
    }
    let fourth = json!({"remedy": "replace", "entry": {"seat": 1, "move": {"type": "stop"}}});
    votes(&game.host(), 1, &json!({"remedy": "keep"}))
        .await
        .good();
    dispute(&game.seat(0), 2, "it was Bo's").await.good();
    votes(&game.seat(0), 2, &fourth).await.against("CM-2");
    assert!(
        disputes(&game.host()).await[1]["votes"]
            .as_array()
            .unwrap()
            .is_empty()
    );
}

#[tokio::test]
async fn only_what_is_in_force_is_disputed() {
    let app = TestApp::start().await;
    let game = two_rings(&app).await;
    let version = game.host().version().await;
    for seq in [0, 1, version + 1] {
        dispute(&game.seat(0), seq, "no")
            .await
            .problem(400, "invalid_request");
    }
    for claim in [String::new(), "x".repeat(501), "a\u{202e}b".to_owned()] {
        dispute(&game.seat(0), 2, &claim)
            .await
            .problem(400, "invalid_request");
    }
    dispute(&game.seat(0), 2, &"ö".repeat(500)).await.good();
    let back = json!({"remedy": "rewind", "to": 1});
    let wound_back = votes(&game.host(), 1, &back).await.good();
    assert_eq!(types(&wound_back["events"]), ["dispute_closed", "rewound"]);
    assert_eq!(wound_back["events"][1]["data"]["revealed_since"], true);
    dispute(&game.seat(0), 2, "once more")
        .await
        .problem(400, "invalid_request");
}

#[tokio::test]
async fn a_virtual_game_is_wound_back_by_all_its_seats_and_nothing_is_replaced() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        let game = app.create(&Setup::dealt(*kind)).await;
        let mut play = Play::of(&game, 5).await;
        let first = game.host().version().await;
        play.steps(1).await;
        let version = game.host().version().await;
        dispute(&game.host(), version, "no")
            .await
            .problem(403, "forbidden");
        dispute(&game.seat(1), version, "no").await.good();
        let mv = play_any_move(&game).await;
        let replace = json!({"remedy": "replace", "entry": mv});
        votes(&game.seat(0), 1, &replace)
            .await
            .problem(403, "forbidden");
        let back = json!({"remedy": "rewind", "to": first});
        votes(&game.host(), 1, &back)
            .await
            .problem(403, "forbidden");
        let before = game.seat(0).get(&format!("/state?at={first}")).await.good();
        let closed = all_vote(&game, 1, &back).await;
        assert_eq!(closed["dispute"]["status"], "closed", "{closed}");
        let now = game.seat(0).get("/state").await.good();
        assert_eq!(
            (&now["view"], &now["turn"]),
            (&before["view"], &before["turn"])
        );
        Play::of(&game, 6).await.steps(6).await;
        let version = game.host().version().await;
        let last = game.host().events().await;
        let last = last
            .iter()
            .rfind(|event| event["actor"]["kind"] == "seat")
            .unwrap();
        dispute(&game.seat(0), last["seq"].as_u64().unwrap(), "hm")
            .await
            .good();
        votes(&game.host(), 2, &json!({"remedy": "keep"}))
            .await
            .good();
        assert!(version < game.host().version().await);
        verified(&game.host()).await;
        game.host().abandons().await.good();
        assert_eq!(verified(&game.host()).await["checks"]["fairness"], "ok");
        let over = dispute(&game.seat(0), 2, "no").await;
        over.against("CM-3");
    }
}

/// An entry that is a move of this kind of game.
async fn play_any_move(game: &Game) -> Value {
    let events = game.host().events().await;
    let moved = events
        .iter()
        .rfind(|event| event["actor"]["kind"] == "seat")
        .unwrap();
    let record = game.host().get("/record").await.good();
    let entries = record["entries"].as_array().unwrap();
    let entry = entries
        .iter()
        .rfind(|entry| entry.get("move").is_some())
        .unwrap();
    json!({"seat": moved["actor"]["seat"], "move": entry["move"]})
}

#[tokio::test]
async fn a_game_wound_back_at_random_is_played_on_and_verifies() {
    let app = TestApp::start().await;
    let mut told = HashMap::new();
    for kind in GameKind::ALL {
        for mode in [Mode::Virtual, Mode::Table] {
            let game = app.create(&Setup::new(*kind, mode)).await;
            let mut ends = vec![game.host().version().await];
            let mut play = Play::of(&game, 9).await;
            for _ in 0..3 {
                for _ in 0..4 {
                    if let Some(answer) = play.step().await {
                        ends.push(answer.good()["version"].as_u64().unwrap());
                    }
                }
                let place = play.below(ends.len());
                let seq = ends[ends.len() - 1];
                let Ok(opened) =
                    serde_json::from_slice::<Value>(&dispute(&game.seat(0), seq, "no").await.body)
                else {
                    panic!("no JSON")
                };
                let Some(n) = opened["dispute"]["n"].as_u64() else {
                    break;
                };
                let to = ends[place];
                let before = game.seat(1).get(&format!("/state?at={to}")).await.good();
                all_vote(&game, n, &json!({"remedy": "rewind", "to": to})).await;
                let now = game.seat(1).get("/state").await.good();
                assert_eq!(now["view"], before["view"], "{kind:?} back to {to}");
                ends.truncate(place + 1);
                ends.push(game.host().version().await);
                play = Play::of(&game, 10).await;
            }
            verified(&game.host()).await;
            told.insert(
                game.id().to_owned(),
                (game.clone(), game.host().events().await),
            );
        }
    }
    let app = app.restart().await;
    for (game, events) in told.into_values() {
        let game = game.moved_to(&app);
        assert_eq!(game.host().events().await, events);
        verified(&game.host()).await;
        Play::of(&game, 11).await.steps(2).await;
        verified(&game.host()).await;
    }
}

#[tokio::test]
async fn a_table_that_is_over_is_disputed_and_goes_on() {
    let app = TestApp::start().await;
    let game = app.create(&Setup::table(DRAGONS)).await;
    Play::of(&game, 2).await.steps(3).await;
    let version = game.host().version().await;
    game.host().abandons().await.good();
    dispute(&game.seat(0), version, "we were not done")
        .await
        .good();
    votes(&game.host(), 1, &json!({"remedy": "rewind", "to": version}))
        .await
        .good();
    let summary = game.host().summary().await;
    assert_eq!(
        (&summary["status"], &summary["result"]),
        (&json!("in_progress"), &Value::Null)
    );
    Play::of(&game, 3).await.steps(2).await;
    verified(&game.host()).await;
}

#[tokio::test]
async fn two_seats_that_vote_at_once_are_both_heard_and_a_vote_sent_twice_is_one() {
    let app = TestApp::start().await;
    let game = two_rings(&app).await;
    dispute(&game.seat(0), 2, "no").await.good();
    let (keep, back) = (
        json!({"remedy": "keep"}),
        json!({"remedy": "rewind", "to": 1}),
    );
    let (anna, bo) = (game.seat(0), game.seat(1));
    let (one, other) = tokio::join!(votes(&anna, 1, &keep), votes(&bo, 1, &back));
    let versions = [
        one.good()["version"].as_u64(),
        other.good()["version"].as_u64(),
    ];
    assert_ne!(versions[0], versions[1]);
    let told = &disputes(&anna).await[0];
    assert_eq!(
        (&told["status"], told["votes"].as_array().unwrap().len()),
        (&json!("open"), 2)
    );

    let key = [("idempotency-key", "deciding")];
    let body = back.to_string();
    let path = "/disputes/1/votes";
    let first = anna.post_with(path, body.as_str(), &key).await;
    first.good();
    let version = game.host().version().await;
    let again = anna.post_with(path, body.as_str(), &key).await;
    assert_eq!(again.header("idempotent-replayed"), "true");
    assert_eq!(again.body, first.body);
    assert_eq!(game.host().version().await, version);
    anna.post_with(path, body.as_str(), &[("if-match", "\"3\"")])
        .await
        .problem(412, "version_mismatch");
}

#[tokio::test]
async fn a_finding_shows_its_reader_what_the_reader_may_see_and_no_more() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        let game = app.create(&Setup::dealt(*kind).public()).await;
        Play::of(&game, 4).await.steps(5).await;
        let events = game.seat(0).events().await;
        let disputed: Vec<u64> = (events.iter().skip(1))
            .map(|event| event["seq"].as_u64().unwrap())
            .collect();
        for (n, seq) in (1..).zip(disputed) {
            dispute(&game.seat(0), seq, "no").await.good();
            let back = json!({"remedy": "rewind", "to": 1});
            let voted = votes(&game.seat(1), n, &back).await;
            for caller in [game.seat(0), game.seat(1), game.host(), game.stranger()] {
                let told = disputes(&caller).await.pop().unwrap();
                let shown = &caller.events().await[seq as usize - 1];
                assert_eq!(told["finding"]["event"], *shown, "{kind:?} {seq}");
                let at = format!("/state?at={}", seq - 1);
                let state = caller.get(&at).await.good();
                assert_eq!(
                    told["finding"]["before"]["view"], state["view"],
                    "{kind:?} {seq}"
                );
                if voted.status.is_success() {
                    let first = caller.get("/state?at=1").await.good();
                    assert_eq!(told["proposals"][0]["preview"]["view"], first["view"]);
                }
            }
            game.seat(0)
                .post(&format!("/disputes/{n}/withdraw"), "{}")
                .await
                .good();
        }
    }
}

#[tokio::test]
async fn a_past_that_is_closed_stays_closed_in_a_dispute() {
    let app = TestApp::start().await;
    for kind in [DRAGONS, GameKind::Wrozka] {
        for mode in [Mode::Table, Mode::Virtual] {
            let closed = Setup::new(kind, mode).options(json!({"notebook": false}));
            let game = app.create(&closed.public()).await;
            let mut play = Play::of(&game, 8).await;
            let mut answer = Value::Null;
            for _ in 0..30 {
                answer = play.step().await.unwrap().good();
            }
            let last = answer["version"].as_u64().unwrap();
            dispute(&game.seat(0), 2, "no")
                .await
                .problem(403, "history_closed");
            let Ok(opened) =
                serde_json::from_slice::<Value>(&dispute(&game.seat(0), last, "no").await.body)
            else {
                panic!("no JSON")
            };
            assert_eq!(opened["dispute"]["n"], 1, "{opened}");
            assert_eq!(opened["dispute"]["finding"]["contradicts"], json!([]));
            let back = json!({"remedy": "rewind", "to": game.created["version"]});
            let voted = votes(&game.seat(0), 1, &back).await.good();
            assert_eq!(voted["dispute"]["proposals"][0]["preview"], Value::Null);
            if mode == Mode::Table {
                let record = json!({"remedy": "replace", "entry": {"outcome": tile("ring")}});
                if kind == DRAGONS {
                    let refused = votes(&game.seat(0), 1, &record).await;
                    assert!(
                        [400, 403].contains(&refused.status.as_u16()),
                        "{}",
                        refused.text()
                    );
                }
                game.seat(0)
                    .get("/position")
                    .await
                    .problem(403, "history_closed");
            }
            votes(&game.seat(1), 1, &back).await.good();
            game.seat(0)
                .get("/events?after=0")
                .await
                .problem(403, "history_closed");
            assert_eq!(disputes(&game.seat(0)).await, Vec::<Value>::new());
        }
    }
}

#[tokio::test]
async fn a_record_with_disputes_is_judged_imported_and_forked() {
    let app = TestApp::start().await;
    let game = two_rings(&app).await;
    dispute(&game.seat(1), 5, "that was a ball").await.good();
    let vote = json!({"remedy": "replace", "entry": {"outcome": tile("ball")}});
    votes(&game.host(), 1, &vote).await.good();
    let amid = game.host().version().await;
    dispute(&game.seat(0), 2, "and this?").await.good();

    let record = game.host().get("/record").await.good();
    let mut imported = app
        .post("/v1/games/import", record.to_string())
        .await
        .good();
    let copy = Game::new((*app).clone(), imported.take());
    let events = copy.host().events().await;
    let originals = game.host().events().await;
    assert_eq!(events.len(), originals.len());
    for (event, original) in events.iter().zip(&originals).skip(1) {
        for same in ["type", "data", "actor", "by", "replays", "rule"] {
            assert_eq!(event[same], original[same], "{event}");
        }
    }
    // The dispute goes on in the copy, and is left behind by a fork.
    votes(&copy.host(), 2, &json!({"remedy": "keep"}))
        .await
        .good();
    verified(&copy.host()).await;
    for at in [amid, game.host().version().await] {
        let body = json!({"at": at}).to_string();
        let forked = game.host().post("/forks", body).await.good();
        let fork = Game::new((*app).clone(), forked);
        Play::of(&fork, 1).await.steps(2).await;
        verified(&fork.host()).await;
        let there = game.host().get(&format!("/state?at={at}")).await.good();
        let here = fork.host().get(&format!("/state?at={at}")).await.good();
        assert_eq!(here["view"], there["view"]);
    }
}

/// A record with its events tied together anew.
fn tied_anew(mut record: Value) -> Value {
    let mut prev = Value::from("0".repeat(64));
    for event in record["events"].as_array_mut().unwrap() {
        event["prev"] = prev;
        prev = Hash::of(served_text(event).as_bytes()).to_string().into();
        event["hash"] = prev.clone();
    }
    record
}

#[tokio::test]
async fn votes_of_a_record_from_elsewhere_that_cannot_be_carried_out_promise_nothing() {
    let app = TestApp::start().await;
    let game = two_rings(&app).await;
    dispute(&game.seat(0), 2, "no").await.good();
    let back = json!({"remedy": "rewind", "to": 1});
    votes(&game.seat(0), 1, &back).await.good();
    let mut record = game.host().get("/record").await.good();
    record.as_object_mut().unwrap().remove("entries");
    let last = record["events"].as_array().unwrap().len() - 1;
    for to in [0, 2, 1_000] {
        let mut record = record.clone();
        record["events"][last]["data"]["vote"]["to"] = to.into();
        let record = tied_anew(record).to_string();
        let imported = app.post("/v1/games/import", record).await.good();
        let copy = Game::new((*app).clone(), imported);
        let told = disputes(&copy.seat(1)).await;
        assert_eq!(told[0]["proposals"][0]["preview"], Value::Null, "{to}");
        let keep = json!({"remedy": "keep"});
        all_vote(&copy, 1, &keep).await;
        verified(&copy.host()).await;
    }
}

#[tokio::test]
async fn a_deciding_vote_and_its_effect_survive_a_kill_together() {
    let directory = tempfile::tempdir().unwrap();
    let binary = Binary::serve(directory.path(), &[]).await;
    let game = binary.api().create(&Setup::table(DRAGONS)).await;
    game.seat(0)
        .moves_as(0, &reveal("a1"), &[tile("ring")])
        .await
        .good();
    dispute(&game.seat(0), 2, "no").await.good();
    let back = json!({"remedy": "rewind", "to": game.created["version"]});
    votes(&game.seat(0), 1, &back).await.good();
    let closed = votes(&game.seat(1), 1, &back).await.good();
    binary.stop(Signal::KILL).await;

    let binary = Binary::serve(directory.path(), &[]).await;
    let game = game.moved_to(&binary.api());
    let events = game.host().events().await;
    let last: Vec<&str> = (events.iter().rev().take(3))
        .map(|event| event["type"].as_str().unwrap())
        .collect();
    assert_eq!(last, ["rewound", "dispute_closed", "dispute_voted"]);
    assert_eq!(
        game.host().version().await,
        closed["version"].as_u64().unwrap()
    );
    verified(&game.host()).await;
    binary.stop(Signal::TERM).await;
}
