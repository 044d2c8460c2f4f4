//! Games in which the referee does not remember for the players: while they run, nothing before the
//! current turn is read, by any route.

use domain::dealer::Mode;
use domain::rulesets::GameKind;
use reqwest::Method;
use serde_json::{Value, json};

use crate::helpers::{
    Answer, Api, Caller, Game, Play, SentEvent, Setup, TestApp, answer, some_outcome,
};

/// The games that have the option.
fn forgetful() -> impl Iterator<Item = GameKind> {
    let has_option = |kind: &GameKind| {
        let options = kind.rulebook().options;
        options.iter().any(|option| option.name == "notebook")
    };
    GameKind::ALL.iter().copied().filter(has_option)
}

async fn create(api: &Api, kind: GameKind, mode: Mode) -> Game {
    let setup = Setup::new(kind, mode).seed_if_dealt(9).public();
    api.create(&setup.options(json!({"notebook": false}))).await
}

fn readers(game: &Game) -> Vec<Caller> {
    vec![game.seat(0), game.seat(1), game.host(), game.stranger()]
}

/// Plays until two turns have passed and a move was made in the third. Gives the seq of the event that
/// the current turn began with.
async fn into_a_later_turn(game: &Game) -> u64 {
    let mut play = Play::of(game, 5).await;
    let (mut began, mut turns) = (1, 0);
    loop {
        let told = play.step().await.unwrap().good();
        match turn_began(&told) {
            Some(seq) => (began, turns) = (seq, turns + 1),
            None if turns > 1 => return began,
            None => {}
        }
    }
}

/// The seq of the last event in an answer that began a turn.
fn turn_began(told: &Value) -> Option<u64> {
    let events = told["events"].as_array().unwrap();
    let began = events
        .iter()
        .rfind(|event| event["type"] == "turn_passed")?;
    began["seq"].as_u64()
}

#[track_caller]
fn expect_closed(answer: &Answer) {
    answer.problem(403, "history_closed");
}

async fn with_accept(caller: &Caller, path: &str, accept: &str) -> Answer {
    answer(caller.request(Method::GET, path).header("accept", accept)).await
}

#[tokio::test]
async fn there_are_games_that_can_be_played_without() {
    assert!(forgetful().count() >= 2);
}

#[tokio::test]
async fn what_lies_before_the_turn_is_closed_by_every_route() {
    let app = TestApp::start().await;
    for kind in forgetful() {
        for mode in [Mode::Virtual, Mode::Table] {
            let game = create(&app, kind, mode).await;
            let began = into_a_later_turn(&game).await;
            let now = game.host().version().await;
            assert!(began > 2 && began < now);
            for reader in readers(&game) {
                for after in [0, 1, began - 2] {
                    let path = format!("/events?after={after}");
                    expect_closed(&reader.get(&path).await);
                    expect_closed(&with_accept(&reader, &path, "application/x-ndjson").await);
                }
                expect_closed(&reader.get("/events").await);
                expect_closed(&reader.get("/record").await);
                expect_closed(&with_accept(&reader, "/record", "application/x-ndjson").await);
                for at in [1, 2, began - 1] {
                    expect_closed(&reader.get(&format!("/state?at={at}")).await);
                    expect_closed(&reader.get(&format!("/changes?from={at}&to={now}")).await);
                    expect_closed(&reader.get(&format!("/changes?from={now}&to={at}")).await);
                    let fork = json!({"at": at}).to_string();
                    expect_closed(&reader.post("/forks", fork).await);
                }

                // The current turn, and what is not the past, can be read.
                let turn = reader
                    .get(&format!("/events?after={}", began - 1))
                    .await
                    .good();
                let events = turn["events"].as_array().unwrap();
                assert_eq!(events.len() as u64, now - began + 1);
                for at in began..=now {
                    let state = reader.get(&format!("/state?at={at}")).await.good();
                    assert_eq!(state["version"], at);
                    let changes = format!("/changes?from={at}&to={now}");
                    assert_eq!(reader.get(&changes).await.status, 200);
                }
                let report = reader.get("/verification").await.good();
                assert_eq!(report["valid"], true);
            }
        }
    }
}

#[tokio::test]
async fn a_resumed_stream_has_a_gap_in_place_of_the_past() {
    let app = TestApp::start().await;
    for kind in forgetful() {
        let game = create(&app, kind, Mode::Virtual).await;
        let began = into_a_later_turn(&game).await;
        let now = game.host().version().await;
        for reader in readers(&game) {
            for seen in [None, Some(0), Some(1), Some(began - 2)] {
                let told = reader.follows(seen).await.up_to(now).await;
                let gap = SentEvent {
                    kind: "gap".to_owned(),
                    id: None,
                    data: "{}".to_owned(),
                };
                assert_eq!(told[0], gap);
                let ids: Vec<u64> = told[1..].iter().map(|event| event.id.unwrap()).collect();
                assert_eq!(ids, (began..=now).collect::<Vec<_>>());
            }
            let told = reader.follows(Some(began - 1)).await.up_to(now).await;
            assert_eq!(told[0].id, Some(began));
        }
    }
}

#[tokio::test]
async fn a_kept_answer_is_closed_with_the_turn_that_it_tells_of() {
    let app = TestApp::start().await;
    for kind in forgetful() {
        let game = create(&app, kind, Mode::Virtual).await;
        let mut play = Play::of(&game, 5).await;
        let mut began = 1;
        let mut kept: Vec<(u8, String, Value)> = Vec::new();
        for step in 0..12 {
            let seat = play.until_a_seat().await.unwrap();
            let body = json!({"move": play.choose(seat).await}).to_string();
            let told = again(&game, seat, &body, step).await.good();
            play.saw(&told);
            began = turn_began(&told).unwrap_or(began);
            kept.push((seat, body, told));
            for (step, (seat, body, told)) in kept.iter().enumerate() {
                let answer = again(&game, *seat, body, step).await;
                match told["events"][0]["seq"].as_u64() < Some(began) {
                    true => expect_closed(&answer),
                    false => assert_eq!(answer.good(), *told),
                }
            }
        }
        game.host().abandons().await.good();
        for (step, (seat, body, told)) in kept.iter().enumerate() {
            assert_eq!(again(&game, *seat, body, step).await.good(), *told);
        }
    }
}

/// Sends the move under the key that is its number.
async fn again(game: &Game, seat: u8, body: &str, number: usize) -> Answer {
    let key = number.to_string();
    let headers = [("idempotency-key", key.as_str())];
    game.seat(seat).post_with("/moves", body, &headers).await
}

#[tokio::test]
async fn a_kept_refusal_is_closed_with_the_turn_that_it_was_given_in() {
    let app = TestApp::start().await;
    for kind in forgetful() {
        let game = create(&app, kind, Mode::Virtual).await;
        let mut play = Play::of(&game, 5).await;
        let seat = play.until_a_seat().await.unwrap();
        let other = (seat + 1) % game.seat_count();
        let body = json!({"move": play.choose(seat).await}).to_string();
        let refused = again(&game, other, &body, 0).await;
        refused.against("CM-2");
        assert_eq!(again(&game, other, &body, 0).await.body, refused.body);
        into_a_later_turn(&game).await;
        expect_closed(&again(&game, other, &body, 0).await);
    }
}

#[tokio::test]
async fn rulings_take_no_outcomes_and_refusals_name_no_face() {
    let app = TestApp::start().await;
    for kind in forgetful() {
        for mode in [Mode::Virtual, Mode::Table] {
            let game = create(&app, kind, mode).await;
            let mut play = Play::of(&game, 5).await;
            let seat = play.until_a_seat().await.unwrap();
            let mv = play.choose(seat).await;
            let outcome = some_outcome(&app, kind).await;
            let body = json!({"move": mv, "outcomes": [outcome]}).to_string();
            expect_closed(&game.seat(seat).post("/rulings", body).await);
            let body = json!({"move": mv, "outcomes": []}).to_string();
            let ruling = game.seat(seat).post("/rulings", body).await;
            assert_eq!(ruling.good()["legal"], true);
        }
    }

    let kind = GameKind::SchatzDerDrachen;
    let game = create(&app, kind, Mode::Table).await;
    let reveal = json!({"type": "reveal", "slot": "a1"});
    let tile = |face: &str| json!({"type": "tile", "tile": face});
    let host = game.host();
    host.moves_as(0, &reveal, &[tile("ball")]).await.good();
    host.moves_as(0, &json!({"type": "stop"}), &[]).await.good();
    let problem = host
        .moves_as(1, &reveal, &[tile("car")])
        .await
        .against("SD-6.1");
    assert_eq!(problem["evidence"], json!([]));
    let detail = problem["detail"].as_str().unwrap();
    assert!(!detail.contains("ball"), "{detail}");
}

#[tokio::test]
async fn when_the_game_is_over_everything_is_open() {
    let app = TestApp::start().await;
    for kind in forgetful() {
        let game = create(&app, kind, Mode::Virtual).await;
        into_a_later_turn(&game).await;
        game.host().abandons().await.good();
        for reader in readers(&game) {
            assert_eq!(reader.events().await[0]["seq"], 1);
            reader.get("/record").await.good();
            reader.get("/state?at=2").await.good();
            let told = reader.follows(Some(0)).await.read_all().await;
            assert_eq!(told[0].id, Some(1));
        }
    }
}
