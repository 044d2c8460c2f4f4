//! Databases that earlier versions wrote: each opens, verifies, reads as it did, and goes on.
//!
//! `frozen/v1.db` was written in schema version 1 of events, and `frozen/v1.json` tells what its
//! games were and who holds them. Neither is ever written again: whoever raises the schema version
//! first adds a pair for it, with
//! `cargo test -p tests --test api -- --ignored a_database_is_written_to_be_frozen`.

use std::fs;
use std::path::{Path, PathBuf};

use domain::dealer::Mode;
use domain::record::SCHEMA_VERSION;
use domain::rulesets::GameKind;
use serde_json::{Value, json};

use crate::helpers::{Game, Play, Setup, TestApp};

fn frozen(version: u8, ending: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("frozen");
    directory.join(format!("v{version}.{ending}"))
}

/// What a game showed when it was frozen.
async fn shown(game: &Game) -> Value {
    json!({
        "created": game.created,
        "version": game.host().version().await,
        "view": game.host().get("/state").await.good()["view"],
        "record": game.host().get("/record").await.good()["entries"],
    })
}

#[tokio::test]
async fn a_database_of_every_schema_version_opens_verifies_and_goes_on() {
    for version in 1..=SCHEMA_VERSION {
        let app = TestApp::start_on(&frozen(version, "db")).await;
        let told = fs::read(frozen(version, "json")).unwrap();
        let games: Vec<Value> = serde_json::from_slice(&told).unwrap();
        assert!(!games.is_empty());
        for told in games {
            let game = Game::new((*app).clone(), told["created"].clone());
            assert_eq!(shown(&game).await, told, "{}", game.id());
            let verification = game.host().get("/verification").await.good();
            assert_eq!(verification["valid"], true, "{}: {verification}", game.id());
            assert_eq!(verification["events"], told["version"]);
            if game.host().summary().await["status"] != "in_progress" {
                continue;
            }
            let answer = Play::of(&game, 1).await.step().await.expect("it goes on");
            assert!(answer.good()["version"].as_u64() > told["version"].as_u64());
            let verification = game.host().get("/verification").await.good();
            assert_eq!(verification["valid"], true, "{}: {verification}", game.id());
        }
    }
}

#[tokio::test]
#[ignore = "writes the files that the test above reads"]
async fn a_database_is_written_to_be_frozen() {
    let database = frozen(SCHEMA_VERSION, "db");
    assert!(
        !database.exists(),
        "a frozen database is never written again"
    );
    let app = TestApp::start().await;
    let mut games = Vec::new();
    for kind in GameKind::ALL {
        for mode in [Mode::Virtual, Mode::Table] {
            for (steps, ends) in [(4, false), (6, true)] {
                let mut setup = Setup::new(*kind, mode).claimed(1);
                if *kind == GameKind::SkipBo {
                    setup = setup.options(json!({"stock_size": 1, "target_score": null}));
                }
                let mut created = app.create(&setup).await.created;
                let claim = json!({"code": created["seats"][1]["claim_code"]}).to_string();
                let game = Game::new((*app).clone(), created.clone());
                let claimed = game.stranger().post("/seats/1/claim", claim).await.good();
                created["seats"][1]["token"] = claimed["token"].clone();
                let game = Game::new((*app).clone(), created);
                Play::of(&game, 5).await.steps(steps).await;
                if ends && game.host().summary().await["status"] == "in_progress" {
                    game.host().abandons().await.good();
                }
                games.push(shown(&game).await);
            }
        }
    }
    let directory = app.stop().await;
    fs::create_dir_all(database.parent().unwrap()).unwrap();
    fs::copy(directory.path().join("referee.db"), &database).unwrap();
    fs::write(
        frozen(SCHEMA_VERSION, "json"),
        format!("{:#}\n", Value::from(games)),
    )
    .unwrap();
}
