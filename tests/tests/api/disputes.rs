//! Disputes: a claim, a finding, votes, and what comes of them.

mod records;
mod remedies;

use domain::dealer::Mode;
use domain::rulesets::GameKind;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::helpers::{Answer, Binary, Caller, Game, Play, Setup, TestApp};

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
