//! Many clients at once.

use std::collections::BTreeSet;

use domain::rulesets::GameKind;
use serde_json::{Value, json};

use crate::helpers::{Answer, Game, Play, Setup, TestApp};

const CLIENTS: usize = 8;

/// Sends a move by each client at once.
async fn race(
    game: &Game,
    seat: u8,
    moves: Vec<Value>,
    headers: Vec<(&'static str, String)>,
) -> Vec<Answer> {
    let clients = moves.into_iter().map(|mv| {
        let (caller, headers) = (game.seat(seat), headers.clone());
        tokio::spawn(async move {
            let headers: Vec<(&str, &str)> =
                headers.iter().map(|(n, v)| (*n, v.as_str())).collect();
            let body = json!({"move": mv}).to_string();
            caller.post_with("/moves", body, &headers).await
        })
    });
    let mut answers = Vec::new();
    for client in clients.collect::<Vec<_>>() {
        answers.push(client.await.unwrap());
    }
    answers
}

/// As many legal moves as there are clients, different ones as far as there are.
async fn moves(game: &Game, seat: u8) -> Vec<Value> {
    let legal = game.seat(seat).legal_moves().await;
    legal.iter().cycle().take(CLIENTS).cloned().collect()
}

async fn expect_sound(game: &Game) {
    let report = game.host().get("/verification").await.good();
    assert_eq!(report["valid"], true, "{report}");
    let seqs: Vec<u64> = game
        .host()
        .events()
        .await
        .iter()
        .map(|e| e["seq"].as_u64().unwrap())
        .collect();
    assert_eq!(seqs, (1..=seqs.len() as u64).collect::<Vec<_>>());
}

#[tokio::test]
async fn of_those_who_saw_the_same_version_exactly_one_is_recorded() {
    let app = TestApp::start_with(&["--workers", "4"]).await;
    for kind in GameKind::ALL {
        let game = app.create(&Setup::dealt(*kind)).await;
        let mut play = Play::of(&game, 1).await;
        for _ in 0..4 {
            let Some(seat) = play.until_a_seat().await else {
                break;
            };
            let version = game.host().version().await;
            let moves = moves(&game, seat).await;
            let tag = vec![("if-match", format!("\"{version}\""))];
            let answers = race(&game, seat, moves, tag).await;
            let (won, lost): (Vec<_>, Vec<_>) = answers.iter().partition(|a| a.status == 200);
            assert_eq!(won.len(), 1);
            let told = won[0].good();
            for answer in lost {
                let problem = answer.problem(412, "version_mismatch");
                assert_eq!(problem["version"], told["version"]);
            }
            assert_eq!(game.host().version().await, told["version"]);
            play.saw(&told);
        }
        expect_sound(&game).await;
    }
}

#[tokio::test]
async fn without_a_condition_each_is_judged_on_what_came_before() {
    let app = TestApp::start_with(&["--workers", "4"]).await;
    for kind in GameKind::ALL {
        let game = app.create(&Setup::dealt(*kind)).await;
        let mut play = Play::of(&game, 1).await;
        let mut version = game.host().version().await;
        for _ in 0..4 {
            let Some(seat) = play.until_a_seat().await else {
                break;
            };
            let moves = moves(&game, seat).await;
            let answers = race(&game, seat, moves, Vec::new()).await;
            let mut seqs = BTreeSet::new();
            let mut turns = vec![(version, play.turn.clone())];
            for answer in &answers {
                if answer.status == 422 {
                    let problem: Value = serde_json::from_slice(&answer.body).unwrap();
                    let judged_at = problem["version"].as_u64().unwrap();
                    assert!(judged_at > version, "each move was legal before the race");
                    continue;
                }
                let told = answer.good();
                for event in told["events"].as_array().unwrap() {
                    assert!(seqs.insert(event["seq"].as_u64().unwrap()), "told twice");
                }
                turns.push((told["version"].as_u64().unwrap(), told["turn"].clone()));
            }
            let last = *seqs.last().expect("the first of them is legal");
            assert_eq!(seqs, (version + 1..=last).collect());
            version = last;
            turns.sort_by_key(|(version, _)| *version);
            let (at, turn) = turns.pop().unwrap();
            assert_eq!(at, version);
            play.turn = turn;
        }
        expect_sound(&game).await;
    }
}

#[tokio::test]
async fn readers_see_whole_requests_only() {
    let app = TestApp::start_with(&["--workers", "4"]).await;
    for kind in GameKind::ALL {
        let game = app.create(&Setup::dealt(*kind).public()).await;
        let reader = game.stranger();
        let reading = tokio::spawn(async move {
            let mut versions = BTreeSet::new();
            loop {
                let summary = reader.summary().await;
                let version = summary["version"].as_u64().unwrap();
                let state = reader.get(&format!("/state?at={version}")).await.good();
                assert_eq!(state["turn"], summary["turn"]);
                versions.insert(version);
                if summary["status"] == "abandoned" {
                    return versions;
                }
            }
        });
        let mut ends = BTreeSet::from([game.created["version"].as_u64().unwrap()]);
        let mut play = Play::of(&game, 6).await;
        for _ in 0..20 {
            let Some(answer) = play.step().await else {
                break;
            };
            ends.insert(answer.good()["version"].as_u64().unwrap());
        }
        let abandoned = game.host().abandons().await.good();
        ends.insert(abandoned["version"].as_u64().unwrap());
        let seen = reading.await.unwrap();
        assert!(
            seen.is_subset(&ends),
            "{seen:?} are not ends of requests: {ends:?}"
        );
    }
}
