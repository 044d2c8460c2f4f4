//! Creating games.

use domain::dealer::Mode;
use domain::rulesets::GameKind;
use ed25519_dalek::{Signature, VerifyingKey};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::helpers::{Answer, Api, Game, Play, Setup, TestApp};

const MODES: [Mode; 2] = [Mode::Virtual, Mode::Table];

async fn post(api: &Api, setup: &Setup) -> Answer {
    api.post("/v1/games", setup.to_string()).await
}

#[tokio::test]
async fn a_game_is_created_where_its_location_says() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        for mode in MODES {
            let setup = Setup::new(*kind, mode).claimed(1);
            let answer = post(&app, &setup).await;
            assert_eq!(answer.status, 201);
            let created = answer.good();
            let location = format!("/v1/games/{}", created["id"].as_str().unwrap());
            assert_eq!(answer.header("location"), location);
            assert_eq!(answer.header("etag"), format!("\"{}\"", created["version"]));
            assert_eq!(answer.header("cache-control"), "private, no-store");
            assert_eq!(answer.header("vary"), "Authorization");

            for (member, value) in [
                ("game", json!(kind)),
                ("mode", json!(mode)),
                ("visibility", json!("private")),
                ("rules_version", json!(1)),
                ("status", json!("in_progress")),
                ("tokens_held_by", json!("creator")),
                ("seeded", json!(false)),
                ("result", Value::Null),
            ] {
                assert_eq!(created[member], value, "{member}");
            }
            assert_eq!(created["seats"][0]["seat"], 0);
            assert_eq!(created["seats"][0]["name"], "Player 0");
            assert!(created["seats"][0]["token"].is_string());
            assert!(created["seats"][0].get("claim_code").is_none());
            assert!(created["seats"][1]["claim_code"].is_string());
            assert!(created["seats"][1].get("token").is_none());
            let commitment = &created["fairness"]["commitment"];
            assert_eq!(commitment.is_string(), mode == Mode::Virtual);
            let turn = created["turn"]["kind"].as_str().unwrap();
            assert!(turn == "seat" || mode == Mode::Table && turn == "chance");

            let game = Game::new((*app).clone(), created);
            let mut told = game.created.clone();
            for secret in ["host_token", "receipt"] {
                assert!(told.as_object_mut().unwrap().remove(secret).is_some());
            }
            told["seats"][0].as_object_mut().unwrap().remove("token");
            told["seats"][1]
                .as_object_mut()
                .unwrap()
                .remove("claim_code");
            assert_eq!(game.seat(0).summary().await, told, "no token is told twice");
        }
    }
}

#[tokio::test]
async fn the_receipt_is_signed_by_a_listed_key_and_holds_the_last_hash() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        let game = app.create(&Setup::dealt(*kind)).await;
        let receipt = &game.created["receipt"];
        expect_signed(&app, receipt).await;
        assert_eq!(receipt["game"], game.created["id"]);
        assert_eq!(receipt["version"], game.created["version"]);
        let events = game.host().events().await;
        assert_eq!(receipt["hash"], events.last().unwrap()["hash"]);

        let mut play = Play::of(&game, 1).await;
        let answer = play.step().await.unwrap().good();
        expect_signed(&app, &answer["receipt"]).await;
        assert_eq!(answer["receipt"]["version"], answer["version"]);
    }
}

/// Verifies a receipt as README tells clients to: Ed25519 over the JCS form without the signature.
async fn expect_signed(api: &Api, receipt: &Value) {
    let keys = api.get("/v1/keys").await.good();
    let named = |key: &&Value| key["key"] == receipt["key"];
    let key = keys["keys"].as_array().unwrap().iter().find(named).unwrap();
    let public: [u8; 32] = unhex(&key["public_key"]);
    let signature: [u8; 64] = unhex(&receipt["signature"]);
    let mut signed = receipt.clone();
    signed.as_object_mut().unwrap().remove("signature");
    let signed = serde_json_canonicalizer::to_vec(&signed).unwrap();
    VerifyingKey::from_bytes(&public)
        .unwrap()
        .verify_strict(&signed, &Signature::from_bytes(&signature))
        .unwrap();
}

fn unhex<const N: usize>(text: &Value) -> [u8; N] {
    let bytes = hex::decode(text.as_str().unwrap()).unwrap();
    bytes.try_into().unwrap()
}

#[tokio::test]
async fn the_seats_hold_the_tokens_when_all_are_claimed() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        let setup = (0..*kind.seats().start()).fold(Setup::dealt(*kind), |setup, seat| {
            setup.claimed(usize::from(seat))
        });
        let game = app.create(&setup).await;
        assert_eq!(game.created["tokens_held_by"], "seats");
        assert!(game.created["host_token"].is_string());
    }
}

#[tokio::test]
async fn names_are_short_and_hide_nothing() {
    let app = TestApp::start().await;
    let kind = GameKind::ALL[0];
    let named = |name: &str| {
        let mut setup = Setup::table(kind);
        setup = setup.with("seats", json!([{"name": name}, {"name": "Bo"}]));
        setup
    };
    for name in [
        "A",
        "Åsa Öberg-Ńowak",
        "Wróżka 🧚‍♀️",
        &"x".repeat(64),
        &"🐉".repeat(64),
    ] {
        let answer = post(&app, &named(name)).await.good();
        assert_eq!(answer["seats"][0]["name"], name);
    }
    for name in [
        "",
        &"x".repeat(65),
        "a\nb",
        "a\u{0}b",
        "a\u{7f}b",
        "a\u{85}b",
        "a\u{202e}b",
        "a\u{2066}b",
        "a\u{200f}b",
    ] {
        let problem = post(&app, &named(name))
            .await
            .problem(400, "invalid_request");
        let pointer = &problem["errors"][0]["pointer"];
        assert_eq!(pointer, "/seats/0/name", "{name:?}");
    }
}

#[tokio::test]
async fn names_are_bound_to_the_chain_by_a_salted_digest() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        let game = app.create(&Setup::dealt(*kind)).await;
        let record = game.host().get("/record").await.good();
        let salt: [u8; 16] = unhex(&record["names_salt"]);
        let seats = record["seats"].as_array().unwrap();
        let names: Vec<&Value> = seats.iter().map(|seat| &seat["name"]).collect();
        let digest = Sha256::new()
            .chain_update(salt)
            .chain_update(serde_json_canonicalizer::to_vec(&names).unwrap())
            .finalize();
        let created = &record["events"][0]["data"];
        assert_eq!(created["names"], hex::encode(digest));
        assert!(!created.to_string().contains("Player 0"));
    }
}

#[tokio::test]
async fn the_rules_judge_the_number_of_players() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        for mode in MODES {
            for count in kind.seats() {
                let game = app.create(&Setup::new(*kind, mode).seats(count)).await;
                assert_eq!(game.seat_count(), count);
            }
            for count in [0, kind.seats().start() - 1, kind.seats().end() + 1, 255] {
                let answer = post(&app, &Setup::new(*kind, mode).seats(count)).await;
                let problem = answer.problem(422, "invalid_setup");
                assert_eq!(problem["rule"]["id"], "CM-1", "{count} seats");
            }
        }
    }
    let crowd: Vec<Value> = vec![json!({"name": "x"}); 3000];
    let setup = Setup::table(GameKind::ALL[0]).with("seats", crowd.into());
    let problem = post(&app, &setup).await.problem(422, "invalid_setup");
    assert_eq!(problem["rule"]["id"], "CM-1");
}

#[tokio::test]
async fn the_rules_judge_options_of_the_right_type() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        for seat in [-1, 2, 6, 1_000_000_000_000_i64] {
            let setup = Setup::dealt(*kind).options(json!({"first_seat": seat}));
            let problem = post(&app, &setup).await.problem(422, "invalid_setup");
            assert_eq!(problem["rule"]["id"], "CM-1", "first seat {seat}");
        }
        let game = app
            .create(&Setup::dealt(*kind).options(json!({"first_seat": 1})))
            .await;
        assert_eq!(game.created["options"]["first_seat"], 1);
        assert_eq!(game.created["turn"], json!({"kind": "seat", "seat": 1}));
    }
}

#[tokio::test]
async fn a_malformed_setup_is_refused_with_the_place() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        for (setup, place) in [
            (Setup::dealt(*kind).with("game", "chess".into()), "/game"),
            (Setup::dealt(*kind).with("mode", "tabel".into()), "/mode"),
            (Setup::dealt(*kind).with("seats", json!({})), "/seats"),
            (
                Setup::dealt(*kind).with("seats", json!(["Anna"])),
                "/seats/0",
            ),
            (
                Setup::dealt(*kind).with("seats", json!([["Anna", true]])),
                "/seats/0",
            ),
            (
                Setup::dealt(*kind).with("seats", json!([{"name": 7}])),
                "/seats/0/name",
            ),
            (
                Setup::dealt(*kind).with("seats", json!([{"name": "A", "claim": 1}])),
                "/seats/0/claim",
            ),
            (
                Setup::dealt(*kind).with("seats", json!([{"name": "A", "token": "x"}])),
                "/seats/0/token",
            ),
            (
                Setup::dealt(*kind).with("visibility", "secret".into()),
                "/visibility",
            ),
            (
                Setup::dealt(*kind).with("rules_version", json!(2.0)),
                "/rules_version",
            ),
            (
                Setup::dealt(*kind).with("rules_version", json!(0)),
                "/rules_version",
            ),
            (
                Setup::dealt(*kind).with("rules_version", json!(70000)),
                "/rules_version",
            ),
            (Setup::dealt(*kind).with("seed", "00".into()), "/seed"),
            (
                Setup::dealt(*kind).with("seed", "0g".repeat(32).into()),
                "/seed",
            ),
            (Setup::dealt(*kind).with("seed", json!(7)), "/seed"),
            (Setup::table(*kind).seed(1), "/seed"),
            (
                Setup::dealt(*kind).options(json!({"first_seat": "0"})),
                "/options",
            ),
            (
                Setup::dealt(*kind).options(json!({"first_seat": 0.5})),
                "/options",
            ),
            (
                Setup::dealt(*kind).options(json!({"first_chair": 0})),
                "/options",
            ),
            (Setup::dealt(*kind).options(json!([0])), "/options"),
            (Setup::dealt(*kind).options(json!("default")), "/options"),
            (Setup::dealt(*kind).with("extra", Value::Null), "/extra"),
        ] {
            let problem = post(&app, &setup).await.problem(400, "invalid_request");
            let pointer = problem["errors"][0]["pointer"].as_str().unwrap();
            assert!(pointer.starts_with(place), "{setup}: {problem}");
        }
    }
    let listed = app.get("/v1/games").await.good();
    assert_eq!(listed["games"], json!([]));
}

#[tokio::test]
async fn creation_takes_no_idempotency_key() {
    let app = TestApp::start().await;
    let setup = Setup::dealt(GameKind::ALL[0]);
    let request = app
        .request(reqwest::Method::POST, "/v1/games")
        .header("content-type", "application/json")
        .header("idempotency-key", "k")
        .body(setup.to_string());
    crate::helpers::answer(request)
        .await
        .problem(400, "invalid_request");
}

#[tokio::test]
async fn a_public_game_is_listed_and_a_private_one_is_not() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        app.create(&Setup::dealt(*kind)).await;
        let open = app.create(&Setup::dealt(*kind).public()).await;
        let over = app.create(&Setup::table(*kind).public()).await;
        over.host().abandons().await.good();

        let list = async |query: &str| -> Vec<String> {
            let page = app
                .get(&format!("/v1/games?game={}{query}", kind.name()))
                .await
                .good();
            let games = page["games"].as_array().unwrap().iter();
            games
                .map(|game| game["id"].as_str().unwrap().to_owned())
                .collect()
        };
        assert_eq!(list("").await, [over.id(), open.id()], "newest first");
        assert_eq!(list("&status=in_progress").await, [open.id()]);
        assert_eq!(list("&status=abandoned").await, [over.id()]);
        assert_eq!(list("&status=over").await, [""; 0]);
        let page = app
            .get(&format!("/v1/games?game={}&limit=1", kind.name()))
            .await
            .good();
        assert_eq!(page["games"][0], over.host().summary().await);
        assert_eq!(
            list(&format!("&cursor={}", page["next"].as_str().unwrap())).await,
            [open.id()]
        );
    }
    let all = app.get("/v1/games?limit=100").await.good();
    assert_eq!(
        all["games"].as_array().unwrap().len(),
        2 * GameKind::ALL.len()
    );
    assert_eq!(all["next"], Value::Null);
    for query in [
        "limit=0",
        "limit=101",
        "limit=x",
        "cursor=zz",
        "cursor=-1",
        "game=chess",
        "status=won",
        "cursor=ffffffffffffffff",
    ] {
        app.get(&format!("/v1/games?{query}"))
            .await
            .problem(400, "invalid_request");
    }
}

#[tokio::test]
async fn the_same_seed_and_the_same_moves_give_the_same_outcomes() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        let setup = Setup::dealt(*kind).seed(7);
        let (one, other) = (app.create(&setup).await, app.create(&setup).await);
        assert_eq!(one.created["seeded"], true);
        assert_eq!(one.created["fairness"], other.created["fairness"]);
        for game in [&one, &other] {
            Play::of(game, 3).await.steps(12).await;
            game.host().abandons().await.good();
        }
        let told = told(&one).await;
        assert_eq!(told, self::told(&other).await);
        let third = app.create(&Setup::dealt(*kind).seed(8)).await;
        Play::of(&third, 3).await.steps(12).await;
        third.host().abandons().await.good();
        assert_ne!(
            told,
            self::told(&third).await,
            "another seed, other outcomes"
        );
    }
}

/// The entries of a game's record, without their times.
async fn told(game: &Game) -> Vec<Value> {
    let record = game.host().get("/record").await.good();
    let mut entries = record["entries"].as_array().unwrap().clone();
    for entry in &mut entries {
        entry.as_object_mut().unwrap().remove("at");
    }
    entries
}
