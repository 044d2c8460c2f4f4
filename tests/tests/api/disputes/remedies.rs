//! What comes of a dispute that all agree on.

use std::collections::HashMap;

use domain::dealer::Mode;
use domain::rulesets::GameKind;
use serde_json::{Value, json};

use super::{
    DRAGONS, all_vote, dispute, disputes, reveal, tile, two_rings, types, verified, votes,
};
use crate::helpers::{Game, Play, Setup, TestApp};

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
