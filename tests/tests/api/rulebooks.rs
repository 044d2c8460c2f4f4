//! Rulebooks: what is cited can be looked up.

use std::collections::BTreeSet;

use domain::rulesets::GameKind;
use serde_json::{Value, json};

use crate::helpers::{Api, Play, Setup, TestApp};

async fn rulebook(api: &Api, kind: GameKind) -> Value {
    api.get(&format!("/v1/rulebooks/{}", kind.name()))
        .await
        .good()
}

fn ids(rulebook: &Value) -> Vec<&str> {
    let rules = rulebook["rules"].as_array().unwrap();
    rules
        .iter()
        .map(|rule| rule["id"].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn every_game_has_a_rulebook() {
    let app = TestApp::start().await;
    let all = app.get("/v1/rulebooks").await.good();
    let all = all["rulebooks"].as_array().unwrap();
    assert_eq!(all.len(), GameKind::ALL.len());
    for (kind, listed) in GameKind::ALL.iter().zip(all) {
        let book = rulebook(&app, *kind).await;
        assert_eq!(book, *listed);
        assert_eq!(book["id"], json!(kind));
        assert_eq!(book["rules_version"], 1);
        assert_eq!(book["players"]["minimum"], *kind.seats().start());
        assert_eq!(book["players"]["maximum"], *kind.seats().end());
        let found = ids(&book);
        let distinct: BTreeSet<&str> = found.iter().copied().collect();
        assert_eq!(distinct.len(), found.len(), "a rule has an id of its own");
        for rule in book["rules"].as_array().unwrap() {
            for member in ["title", "text"] {
                assert!(!rule[member].as_str().unwrap().is_empty(), "{rule}");
            }
            let kind = rule["kind"].as_str().unwrap();
            assert!(
                ["refusal", "effect", "definition", "etiquette"].contains(&kind),
                "{rule}"
            );
            let source = rule["source"].as_str().unwrap();
            assert!(["sheet", "product", "ruling"].contains(&source), "{rule}");
            assert!(source != "ruling" || rule["reason"].is_string(), "{rule}");
        }
    }
    for unknown in ["chess", "Skip_Bo", "skip-bo", "%00"] {
        app.get(&format!("/v1/rulebooks/{unknown}"))
            .await
            .problem(404, "not_found");
    }
}

#[tokio::test]
async fn the_defaults_that_a_rulebook_names_are_those_of_a_game() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        let book = rulebook(&app, *kind).await;
        let game = app.create(&Setup::dealt(*kind)).await;
        let options = book["options"].as_array().unwrap();
        for option in options {
            let name = option["name"].as_str().unwrap();
            assert_eq!(game.created["options"][name], option["default"], "{name}");
        }
        let created = game.created["options"].as_object().unwrap();
        assert_eq!(created.len(), options.len(), "{created:?}");
    }
}

#[tokio::test]
async fn what_is_cited_stands_in_the_rulebook() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        let book = rulebook(&app, *kind).await;
        let game = app.create(&Setup::dealt(*kind)).await;
        let mut play = Play::of(&game, 1).await;
        for _ in 0..30 {
            if let Some(seat) = play.turn["seat"].as_u64() {
                let mv = play.choose(seat as u8).await;
                let other = (seat as u8 + 1) % game.seat_count();
                let refused = game.seat(other).moves(&mv).await.against("CM-2");
                let rules = book["rules"].as_array().unwrap();
                let cited = rules.iter().find(|rule| rule["id"] == "CM-2").unwrap();
                for member in ["title", "text"] {
                    assert_eq!(refused["rule"][member], cited[member]);
                }
            }
            play.step().await;
        }
        let ids = ids(&book);
        for event in game.host().events().await {
            if let Some(rule) = event["rule"].as_str() {
                assert!(ids.contains(&rule), "{event}");
            }
            let is_consequence = event["actor"]["kind"] == "referee";
            assert!(!is_consequence || event["rule"].is_string(), "{event}");
        }
    }
}
