//! Records that hold disputes.

use domain::record::Hash;
use serde_json::{Value, json};

use super::{all_vote, dispute, disputes, tile, two_rings, verified, votes};
use crate::helpers::{Game, Play, TestApp, served_text};

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
