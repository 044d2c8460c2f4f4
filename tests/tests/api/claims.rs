//! Seats that are claimed with a code.

use domain::rulesets::GameKind;
use serde_json::{Value, json};

use crate::helpers::{Answer, Caller, Game, Play, Setup, TestApp};

async fn claims(caller: &Caller, seat: u8, code: &str) -> Answer {
    let body = json!({"code": code}).to_string();
    caller.post(&format!("/seats/{seat}/claim"), body).await
}

/// A game in which seat 1 is to be claimed.
async fn game(app: &TestApp) -> Game {
    app.create(&Setup::dealt(GameKind::ALL[0]).claimed(1)).await
}

#[tokio::test]
async fn a_code_gives_the_seats_token_and_all_see_that_it_did() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        let game = app.create(&Setup::dealt(*kind).claimed(1)).await;
        let before = game.host().summary().await;
        assert_eq!(before["seats"][1]["claimed"], false);
        assert!(before["seats"][0].get("claimed").is_none());

        let answer = claims(&game.stranger(), 1, game.claim_code(1)).await;
        let claimed = answer.good();
        assert_eq!(answer.header("cache-control"), "private, no-store");
        assert_eq!(claimed["seat"], 1);
        assert_eq!(claimed["version"], before["version"].as_u64().unwrap() + 1);
        assert_eq!(answer.header("etag"), format!("\"{}\"", claimed["version"]));
        assert_eq!(claimed["turn"], before["turn"]);
        assert_eq!(claimed["receipt"]["version"], claimed["version"]);
        let told = &claimed["events"][0];
        assert_eq!(told["type"], "seat_claimed");
        assert_eq!(told["data"], json!({"seat": 1}));
        assert_eq!(told["by"], json!({"role": "seat", "seat": 1}));

        for reader in [game.host(), game.seat(0)] {
            assert_eq!(reader.events().await.last().unwrap(), told);
            assert_eq!(reader.summary().await["seats"][1]["claimed"], true);
        }
        let own = game.with_token(claimed["token"].as_str().unwrap());
        assert_eq!(own.get("/legal-moves").await.good()["seat"], 1);
        let turn = &claimed["turn"];
        assert_eq!(own.legal_moves().await.is_empty(), turn["seat"] != 1);
    }
}

#[tokio::test]
async fn a_claim_is_possible_at_any_time_and_moves_nobody() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        let setup = Setup::dealt(*kind)
            .claimed(1)
            .options(json!({"first_seat": 0}));
        let game = app.create(&setup).await;
        let turn = Play::of(&game, 1).await.step().await.unwrap().good()["turn"].clone();
        let claimed = claims(&game.stranger(), 1, game.claim_code(1)).await.good();
        assert_eq!(claimed["turn"], turn);
        game.host().abandons().await.good();
        let report = game.host().get("/verification").await.good();
        assert_eq!(report["valid"], true, "{report}");

        let setup = Setup::dealt(*kind).claimed(1);
        let over = app.create(&setup).await;
        over.host().abandons().await.good();
        claims(&over.stranger(), 1, over.claim_code(1)).await.good();
        let report = over.host().get("/verification").await.good();
        assert_eq!(report["valid"], true, "{report}");
    }
}

#[tokio::test]
async fn a_code_is_used_once() {
    let app = TestApp::start().await;
    let game = game(&app).await;
    let token = claims(&game.stranger(), 1, game.claim_code(1)).await.good()["token"].clone();
    let version = game.host().version().await;
    for caller in [game.stranger(), game.host(), game.seat(0)] {
        let problem = claims(&caller, 1, game.claim_code(1))
            .await
            .problem(403, "forbidden");
        assert!(!problem.to_string().contains(token.as_str().unwrap()));
    }
    assert_eq!(game.host().version().await, version);
    let owner = game.with_token(token.as_str().unwrap());
    owner.summary().await;
}

#[tokio::test]
async fn of_many_who_claim_at_once_one_gets_the_token() {
    let app = TestApp::start().await;
    let game = game(&app).await;
    let attempts = (0..8).map(|_| {
        let game = game.clone();
        tokio::spawn(async move { claims(&game.stranger(), 1, game.claim_code(1)).await })
    });
    let mut given = 0;
    for attempt in attempts.collect::<Vec<_>>() {
        let answer = attempt.await.unwrap();
        match answer.status.as_u16() {
            200 => given += 1,
            _ => drop(answer.problem(403, "forbidden")),
        }
    }
    assert_eq!(given, 1);
    assert_eq!(
        game.host().version().await,
        game.created["version"].as_u64().unwrap() + 1
    );
}

#[tokio::test]
async fn a_wrong_code_claims_nothing() {
    let app = TestApp::start().await;
    for public in [false, true] {
        let setup = Setup::dealt(GameKind::ALL[0]).claimed(1);
        let game = app
            .create(&if public { setup.public() } else { setup })
            .await;
        let other = app.create(&Setup::dealt(GameKind::ALL[0]).claimed(1)).await;
        let code = game.claim_code(1);
        for (seat, code) in [
            (1, other.claim_code(1)),
            (1, game.host_token()),
            (1, game.seat_token(0)),
            (1, &code[..code.len() - 1]),
            (1, ""),
            (0, code),
            (5, code),
            (255, code),
        ] {
            claims(&game.host(), seat, code)
                .await
                .problem(403, "forbidden");
            let answer = claims(&game.stranger(), seat, code).await;
            match public {
                true => answer.problem(403, "forbidden"),
                false => answer.problem(404, "not_found"),
            };
        }
        game.host()
            .post("/seats/256/claim", json!({"code": code}).to_string())
            .await
            .problem(400, "invalid_request");
        game.host()
            .post("/seats/-1/claim", json!({"code": code}).to_string())
            .await
            .problem(400, "invalid_request");
        for body in [
            json!({}),
            json!({"code": 1}),
            json!({"code": null}),
            json!([code]),
            json!({"code": code, "seat": 1}),
        ] {
            let answer = game.host().post("/seats/1/claim", body.to_string()).await;
            answer.problem(400, "invalid_request");
        }
        assert_eq!(game.host().summary().await["seats"][1]["claimed"], false);
        assert_eq!(game.host().version().await, game.created["version"]);
    }
}

#[tokio::test]
async fn a_code_is_no_token() {
    let app = TestApp::start().await;
    let game = game(&app).await;
    let holder = game.with_token(game.claim_code(1));
    holder.get("").await.problem(404, "not_found");
    holder.get("/state").await.problem(404, "not_found");
}

#[tokio::test]
async fn a_claim_can_be_held_to_a_version() {
    let app = TestApp::start().await;
    let game = game(&app).await;
    let version: Value = game.created["version"].clone();
    let body = json!({"code": game.claim_code(1)}).to_string();
    let claim = async |tag: String| {
        let headers = [("if-match", tag.as_str())];
        game.stranger()
            .post_with("/seats/1/claim", body.clone(), &headers)
            .await
    };
    claim("\"999\"".to_owned())
        .await
        .problem(412, "version_mismatch");
    claim(format!("\"{version}\"")).await.good();
}
