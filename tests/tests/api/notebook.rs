//! Games in which the referee does not remember for the players: while they run, nothing before the
//! current turn is read, by any route.

use domain::dealer::Mode;
use domain::rulesets::GameKind;
use reqwest::Method;
use serde_json::{Value, json};

use crate::helpers::{Answer, Api, Caller, Game, Play, SentEvent, Setup, TestApp, answer};

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

/// Plays until a turn has passed and a second one has begun, with one move made in it. Gives the seq
/// of the event that the current turn began with.
async fn into_a_later_turn(game: &Game) -> u64 {
    let mut play = Play::of_events(game, Vec::new(), 5).await;
    let mut began = 1;
    let mut turns = 0;
    loop {
        let told = play.step().await.unwrap().good();
        let events = told["events"].as_array().unwrap();
        let passed = events.iter().rfind(|event| event["type"] == "turn_passed");
        if let Some(passed) = passed {
            began = passed["seq"].as_u64().unwrap();
            turns += 1;
        } else if turns > 1 {
            return began;
        }
    }
}

#[track_caller]
fn expect_closed(answer: &Answer) {
    answer.problem(403, "history_closed");
}

async fn with_accept(caller: &Caller, path: &str, accept: &str) -> Answer {
    answer(caller.request(Method::GET, path).header("accept", accept)).await
}
