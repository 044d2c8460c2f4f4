//! Moves, declarations, rulings: what is recorded, what is refused, and in which order.

use domain::dealer::Mode;
use domain::rulesets::GameKind;
use serde_json::{Value, json};

use crate::helpers::{Game, Play, Setup, TestApp, some_outcome};

fn reveal(slot: &str) -> Value {
    json!({"type": "reveal", "slot": slot})
}

fn tile(face: &str) -> Value {
    json!({"type": "tile", "tile": face})
}

fn stop() -> Value {
    json!({"type": "stop"})
}

/// Schatz der Drachen at a table of two: one kind of move leads to one kind of outcome.
async fn dragons(app: &TestApp) -> Game {
    app.create(&Setup::table(GameKind::SchatzDerDrachen)).await
}

/// Makes sure that nothing was recorded since `before` was read.
async fn expect_unchanged(game: &Game, before: &Value) {
    assert_eq!(game.host().summary().await, *before);
}

#[tokio::test]
async fn a_move_is_answered_with_what_was_recorded() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        for mode in [Mode::Virtual, Mode::Table] {
            let game = app.create(&Setup::new(*kind, mode).seed_if_dealt(4)).await;
            let mut play = Play::of(&game, 4).await;
            for _ in 0..8 {
                let before = game.host().version().await;
                let actor = play.turn.clone();
                let answer = play.step().await.unwrap();
                let body = answer.good();
                assert_eq!(body["game"], game.id());
                assert_eq!(answer.header("etag"), format!("\"{}\"", body["version"]));
                let events = body["events"].as_array().unwrap();
                let seqs: Vec<u64> = events.iter().map(|e| e["seq"].as_u64().unwrap()).collect();
                let version = body["version"].as_u64().unwrap();
                assert_eq!(seqs, (before + 1..=version).collect::<Vec<_>>());
                assert_eq!(events[0]["actor"]["kind"], actor["kind"]);
                assert_eq!(events.last().unwrap()["hash"], body["receipt"]["hash"]);

                let summary = game.host().summary().await;
                for member in ["version", "turn", "result"] {
                    assert_eq!(summary[member], body[member]);
                }
            }
        }
    }
}

#[tokio::test]
async fn outcomes_are_declared_with_the_move_one_by_one_or_all_later() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        let setup = Setup::table(*kind);
        let (at_once, one_by_one) = (app.create(&setup).await, app.create(&setup).await);
        let host = at_once.host();
        let unasked = some_outcome(&app, *kind).await;
        let mut play = Play::of(&at_once, 9).await;
        let mut declared = 0;
        for _ in 0..30 {
            if play.turn["kind"] == "over" {
                break;
            }
            let Some(seat) = play.turn["seat"].as_u64() else {
                let outcomes = play.awaited();
                declare_each(&one_by_one, &outcomes).await;
                play.saw(&host.declares(&outcomes).await.good());
                continue;
            };
            let (mv, outcomes) = play.plan(seat as u8).await;
            declared += outcomes.len();
            if !outcomes.is_empty() {
                let before = host.summary().await;
                let surplus = [outcomes.clone(), vec![unasked.clone()]].concat();
                host.moves_as(seat as u8, &mv, &surplus)
                    .await
                    .against("CM-4");
                expect_unchanged(&at_once, &before).await;
            }
            one_by_one.seat(seat as u8).moves(&mv).await.good();
            declare_each(&one_by_one, &outcomes).await;
            play.saw(&host.moves_as(seat as u8, &mv, &outcomes).await.good());
        }
        assert!(
            declared > 1,
            "{kind:?}: {declared} outcomes came with moves"
        );
        let (one, other) = (contents(&at_once).await, contents(&one_by_one).await);
        assert_eq!(one[1..], other[1..]);
    }
}

async fn declare_each(game: &Game, outcomes: &[Value]) {
    for outcome in outcomes {
        assert_eq!(game.host().summary().await["turn"]["kind"], "chance");
        game.seat(0)
            .declares(std::slice::from_ref(outcome))
            .await
            .good();
    }
}

/// What happened, without who told it when.
async fn contents(game: &Game) -> Vec<Value> {
    let events = game.host().events().await.into_iter();
    let told = events.map(|e| json!([e["seq"], e["actor"], e["type"], e["data"], e["rule"]]));
    told.collect()
}

#[tokio::test]
async fn several_outcomes_are_declared_at_once() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        let game = app.create(&Setup::table(*kind)).await;
        let unasked = some_outcome(&app, *kind).await;
        let mut play = Play::of(&game, 2).await;
        for _ in 0..3 {
            while play.turn["kind"] != "chance" {
                play.step().await.unwrap();
            }
            let awaited = play.awaited();
            let surplus = [awaited.clone(), vec![unasked.clone()]].concat();
            let before = game.host().summary().await;
            game.seat(1).declares(&surplus).await.against("CM-4");
            expect_unchanged(&game, &before).await;
            let body = game.seat(1).declares(&awaited).await.good();
            assert_eq!(body["events"][0]["actor"], json!({"kind": "chance"}));
            assert_eq!(body["events"][0]["by"], json!({"role": "seat", "seat": 1}));
            assert_ne!(body["turn"]["kind"], "chance");
            play.saw(&body);
        }
    }
}

#[tokio::test]
async fn an_outcome_of_another_kind_is_not_the_one_awaited() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        // Gather one outcome of each kind that this game has, then offer the wrong ones.
        let game = app.create(&Setup::table(*kind)).await;
        let mut play = Play::of(&game, 6).await;
        let mut known: Vec<Value> = Vec::new();
        for _ in 0..40 {
            if play.turn["kind"] == "chance" {
                let due = play.turn["awaiting"]["type"].clone();
                for other in known.iter().filter(|outcome| outcome["type"] != due) {
                    let before = game.host().summary().await;
                    let answer = game.host().declares(std::slice::from_ref(other)).await;
                    answer.against("CM-4");
                    expect_unchanged(&game, &before).await;
                }
                if known.iter().all(|outcome| outcome["type"] != due) {
                    known.push(play.outcome());
                }
            }
            play.step().await;
        }
        assert!(!known.is_empty());
    }
}

#[tokio::test]
async fn an_outcome_that_nobody_awaits_is_refused() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        for mode in [Mode::Virtual, Mode::Table] {
            let game = app.create(&Setup::new(*kind, mode)).await;
            let mut play = Play::of(&game, 1).await;
            let seat = play.until_a_seat().await.unwrap();
            let before = game.host().summary().await;
            let outcome = some_outcome(&app, *kind).await;
            game.seat(seat)
                .declares(std::slice::from_ref(&outcome))
                .await
                .against("CM-4");
            if mode == Mode::Virtual {
                let mv = play.choose(seat).await;
                let answer = game.seat(seat).moves_as(seat, &mv, &[outcome]).await;
                answer.against("CM-4");
            }
            game.seat(seat)
                .declares(&[])
                .await
                .problem(400, "invalid_request");
            expect_unchanged(&game, &before).await;
        }
    }
}

#[tokio::test]
async fn a_declaration_that_contradicts_the_record_is_refused_with_the_evidence() {
    let app = TestApp::start().await;
    let game = dragons(&app).await;
    let host = game.host();
    let seen = host
        .moves_as(0, &reveal("a1"), &[tile("ball")])
        .await
        .good();
    let seen_at = seen["events"][1]["seq"].clone();
    host.moves_as(0, &stop(), &[]).await.good();

    // A face on record is not asked for; one that is given all the same must agree.
    let before = host.summary().await;
    let problem = host
        .moves_as(1, &reveal("a1"), &[tile("car")])
        .await
        .against("SD-6.1");
    assert_eq!(problem["evidence"], json!([seen_at]));
    assert!(problem["detail"].as_str().unwrap().contains("ball"));
    assert_eq!(problem["version"], before["version"]);
    expect_unchanged(&game, &before).await;
    let agreed = host
        .moves_as(1, &reveal("a1"), &[tile("ball")])
        .await
        .good();
    assert_eq!(agreed["turn"], json!({"kind": "seat", "seat": 1}));

    // The box has four balls: a fifth contradicts all four.
    let mut balls = vec![seen_at];
    for slot in ["b1", "c1", "d1"] {
        let told = host
            .moves_as(1, &reveal(slot), &[tile("ball")])
            .await
            .good();
        balls.push(told["events"][1]["seq"].clone());
    }
    let problem = host
        .moves_as(1, &reveal("e1"), &[tile("ball")])
        .await
        .against("SD-6.1");
    let evidence = problem["evidence"].as_array().unwrap();
    for ball in &balls {
        assert!(evidence.contains(ball), "{ball} among {evidence:?}");
    }
    let events = host.events().await;
    for seq in evidence {
        let event = &events[seq.as_u64().unwrap() as usize - 1];
        assert_eq!(event["data"]["tile"], "ball", "{event}");
    }
    let ruling = json!({"seat": 1, "move": reveal("e1"), "outcomes": [tile("ball")]});
    let ruling = host.post("/rulings", ruling.to_string()).await.good();
    assert_eq!(ruling["rule"]["id"], "SD-6.1");
    assert_eq!(ruling["evidence"], problem["evidence"]);
}

#[tokio::test]
async fn when_it_happened_is_kept_beside_when_it_was_told() {
    let app = TestApp::start().await;
    let game = dragons(&app).await;
    let body = |at: &str| json!({"seat": 0, "move": reveal("a1"), "occurred_at": at, "outcomes": [tile("ball")]});
    for wrong in [
        "",
        "yesterday",
        "2026-11-29",
        "2026-11-29T18:00:00",
        "2026-13-01T00:00:00Z",
        "+12026-11-29T18:00:00Z",
        "-0001-01-01T00:00:00Z",
    ] {
        let answer = game.host().post("/moves", body(wrong).to_string()).await;
        answer.problem(400, "invalid_request");
    }
    let told = game
        .host()
        .post("/moves", body("2026-11-29T19:00:00.5+01:00").to_string())
        .await;
    let told = told.good();
    for event in told["events"].as_array().unwrap() {
        assert_eq!(event["occurred_at"], "2026-11-29T18:00:00.500Z");
        assert!(event["at"].as_str().unwrap().ends_with('Z'));
    }
    let later = json!({"outcomes": [tile("ring")], "occurred_at": "1999-12-31T23:59:59Z"});
    game.host().moves_as(0, &reveal("b1"), &[]).await.good();
    let told = game
        .seat(1)
        .post("/declarations", later.to_string())
        .await
        .good();
    assert_eq!(told["events"][0]["occurred_at"], "1999-12-31T23:59:59Z");
    let report = game.host().get("/verification").await.good();
    assert_eq!(report["valid"], true, "{report}");
}

#[tokio::test]
async fn checks_come_in_the_order_that_the_contract_gives() {
    let app = TestApp::start().await;
    let game = app
        .create(&Setup::table(GameKind::SchatzDerDrachen).public())
        .await;
    let good = json!({"seat": 0, "move": reveal("a1")}).to_string();
    let malformed = json!({"seat": 0, "move": reveal("z9")}).to_string();
    let (host, own, other) = (game.host(), game.seat(0), game.seat(1));
    let used = [("idempotency-key", "used")];
    host.post_with("/moves", good.clone(), &used).await.good();
    let version = host.version().await;
    let stale = ("if-match", "\"1\"");

    // The right to the game, then the shape.
    game.stranger()
        .post("/moves", malformed.clone())
        .await
        .problem(401, "unauthorized");
    other
        .post("/moves", malformed.clone())
        .await
        .problem(403, "forbidden");
    let dealt = app.create(&Setup::dealt(GameKind::SchatzDerDrachen)).await;
    dealt
        .host()
        .post("/moves", malformed.clone())
        .await
        .problem(403, "forbidden");
    // The shape, then the idempotency key.
    host.post_with("/moves", malformed, &[used[0], stale])
        .await
        .problem(400, "invalid_request");
    // The key, then the version.
    let another = json!({"seat": 0, "move": reveal("b1")}).to_string();
    let answer = host
        .post_with("/moves", another.clone(), &[used[0], stale])
        .await;
    answer.problem(409, "idempotency_conflict");
    let answer = host
        .post_with("/moves", good.clone(), &[used[0], stale])
        .await;
    answer.good();
    // The version, then the rules.
    let answer = own.post_with("/moves", another.clone(), &[stale]).await;
    assert_eq!(answer.problem(412, "version_mismatch")["version"], version);
    // CM-4 before CM-2: a tile is awaited, and it is not this seat's turn either.
    other.moves(&reveal("b1")).await.against("CM-4");
    host.declares(&[tile("ring")]).await.good();
    // CM-2 before the game's own: the place is open already, and it is not this seat's turn.
    other.moves(&reveal("a1")).await.against("CM-2");
    own.moves(&reveal("a1")).await.against("SD-2.2");
    assert_eq!(host.version().await, version + 1);
    // The version before CM-3, and CM-3 before all other rules.
    host.abandons().await.good();
    own.post_with("/moves", another, &[stale])
        .await
        .problem(412, "version_mismatch");
    other.moves(&reveal("a1")).await.against("CM-3");
    host.declares(&[tile("ring")]).await.against("CM-3");
    host.abandons().await.against("CM-3");
    dealt.host().abandons().await.good();
    let answer = dealt
        .seat(1)
        .moves_as(1, &reveal("a1"), &[tile("ring")])
        .await;
    answer.against("CM-3");
}

#[tokio::test]
async fn the_version_is_held_to_what_the_client_saw() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        let game = app.create(&Setup::dealt(*kind)).await;
        let mut play = Play::of(&game, 3).await;
        let seat = play.until_a_seat().await.unwrap();
        let mv = json!({"move": play.choose(seat).await}).to_string();
        let version = game.host().version().await;
        let attempt = async |tag: &str| {
            let headers = [("if-match", tag)];
            game.seat(seat)
                .post_with("/moves", mv.clone(), &headers)
                .await
        };
        for tag in [
            format!("\"{}\"", version + 1),
            format!("\"{}\"", version - 1),
            format!("W/\"{version}\""),
            format!("\"0{version}\""),
            "\"\"".to_owned(),
            "\"18446744073709551616\"".to_owned(),
        ] {
            let problem = attempt(&tag).await.problem(412, "version_mismatch");
            assert_eq!(problem["version"], version, "{tag}");
        }
        for tag in [
            format!("{version}"),
            "\"".to_owned(),
            String::new(),
            "nonsense".to_owned(),
        ] {
            attempt(&tag).await.problem(400, "invalid_request");
        }
        assert_eq!(game.host().version().await, version);
        attempt(&format!("\"999\", \"{version}\"")).await.good();
        play = Play::of(&game, 3).await;
        let seat = play.until_a_seat().await.unwrap();
        let mv = json!({"move": play.choose(seat).await}).to_string();
        let any = [("if-match", "*")];
        game.seat(seat).post_with("/moves", mv, &any).await.good();
    }
}

#[tokio::test]
async fn a_ruling_is_what_the_move_would_meet_and_leaves_no_trace() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        let setup = Setup::dealt(*kind).seed(11);
        let (asked, unasked) = (app.create(&setup).await, app.create(&setup).await);
        let mut play = Play::of(&asked, 5).await;
        let mut silent = Play::of(&unasked, 5).await;
        for _ in 0..4 {
            let seat = play.until_a_seat().await.unwrap();
            let other = (seat + 1) % asked.seat_count();
            let before = asked.host().summary().await;
            let legal = asked.seat(seat).legal_moves().await;
            for mv in &legal {
                let body = json!({"move": mv}).to_string();
                let ruling = asked.seat(seat).post("/rulings", body.clone()).await;
                assert_eq!(ruling.text(), r#"{"legal":true}"#);
                let ruling = asked.seat(other).post("/rulings", body).await.good();
                assert_eq!(ruling["legal"], false);
                assert_eq!(ruling["rule"]["id"], "CM-2");
                for member in ["title", "text"] {
                    assert!(ruling["rule"][member].is_string());
                }
                assert!(ruling["detail"].is_string());
            }
            expect_unchanged(&asked, &before).await;
            play.step().await.unwrap();
            silent.step().await.unwrap();
        }
        assert_eq!(contents(&asked).await[1..], contents(&unasked).await[1..]);
    }
}

#[tokio::test]
async fn rulings_have_no_idempotency() {
    let app = TestApp::start().await;
    let game = app.create(&Setup::dealt(GameKind::SchatzDerDrachen)).await;
    let key = [("idempotency-key", "k")];
    let ask = async |slot: &str| {
        let body = json!({"move": reveal(slot)}).to_string();
        game.seat(0).post_with("/rulings", body, &key).await
    };
    assert_eq!(ask("a1").await.good()["legal"], true);
    let again = ask("b1").await;
    assert_eq!(again.good()["legal"], true);
    assert_eq!(again.header("idempotent-replayed"), "");
    let body = json!({"move": reveal("a1")}).to_string();
    let answer = game.seat(0).post_with("/moves", body, &key).await;
    assert_eq!(answer.header("idempotent-replayed"), "");
    answer.good();
}

#[tokio::test]
async fn listed_moves_are_all_that_is_accepted() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        for mode in [Mode::Virtual, Mode::Table] {
            let game = app.create(&Setup::new(*kind, mode).seed_if_dealt(21)).await;
            let mut play = Play::of(&game, 8).await;
            let mut seen: Vec<Value> = Vec::new();
            for _ in 0..6 {
                let Some(seat) = play.until_a_seat().await else {
                    break;
                };
                let answer = game.seat(seat).get("/legal-moves").await;
                let body = answer.good();
                let version = game.host().version().await;
                assert_eq!(body["version"], version);
                assert_eq!(body["seat"], seat);
                assert_eq!(answer.header("etag"), format!("\"{version}\""));
                let legal = game.seat(seat).legal_moves().await;
                for other in (0..game.seat_count()).filter(|other| *other != seat) {
                    assert!(game.seat(other).legal_moves().await.is_empty());
                }
                if mode == Mode::Table {
                    let path = format!("/legal-moves?seat={seat}");
                    assert_eq!(game.host().get(&path).await.good(), body);
                }
                // What was once legal and is not listed now is refused.
                for mv in &seen {
                    let body = json!({"move": mv}).to_string();
                    let ruling = game.seat(seat).post("/rulings", body).await.good();
                    assert_eq!(ruling["legal"], legal.contains(mv), "{mv}");
                }
                let unseen = legal.into_iter().filter(|mv| !seen.contains(mv));
                let unseen: Vec<Value> = unseen.take(30).collect();
                seen.extend(unseen);
                play.step().await.unwrap();
            }
        }
    }
}

#[tokio::test]
async fn while_chance_is_due_no_seat_has_a_move() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        let game = app.create(&Setup::table(*kind)).await;
        let mut play = Play::of(&game, 3).await;
        let mut mv = None;
        while play.turn["kind"] != "chance" || mv.is_none() {
            if let Some(seat) = play.turn["seat"].as_u64() {
                mv = Some(play.choose(seat as u8).await);
            }
            play.step().await.unwrap();
        }
        for seat in 0..game.seat_count() {
            assert!(game.seat(seat).legal_moves().await.is_empty());
            game.seat(seat)
                .moves(mv.as_ref().unwrap())
                .await
                .against("CM-4");
        }
    }
}
