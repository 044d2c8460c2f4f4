//! What a table with real cards needs.

use domain::dealer::Mode;
use domain::rulesets::GameKind;
use serde_json::{Value, json};

use crate::helpers::{Caller, Game, Play, Setup, TestApp};

const DRAGONS: GameKind = GameKind::SchatzDerDrachen;
const QUEENS: GameKind = GameKind::SleepingQueens;

async fn position(caller: &Caller, at: u64) -> Value {
    caller.get(&format!("/position?at={at}")).await.good()
}

/// A game like another one, from a position.
fn from_position(game: &Game, position: Value) -> Setup {
    Setup::table(game.kind())
        .seats(game.seat_count())
        .with("position", position)
}

async fn verified(caller: &Caller) -> Value {
    let verification = caller.get("/verification").await.good();
    assert_eq!(verification["valid"], true, "{verification}");
    verification
}

fn reveal(slot: &str) -> Value {
    json!({"type": "reveal", "slot": slot})
}

fn tile(tile: &str) -> Value {
    json!({"type": "tile", "tile": tile})
}

/// The entries of a game's record, without who and when.
async fn entries(game: &Game) -> Vec<Value> {
    let record = game.host().get("/record").await.good();
    let mut entries = record["entries"].as_array().unwrap().clone();
    for entry in &mut entries {
        for beside in ["by", "at", "occurred_at"] {
            entry.as_object_mut().unwrap().remove(beside);
        }
    }
    entries
}

async fn submit(game: &Game, entry: &Value) -> Value {
    let host = game.host();
    match entry.get("outcome") {
        Some(outcome) => host.declares(std::slice::from_ref(outcome)).await.good(),
        None => {
            let seat = entry["seat"].as_u64().unwrap() as u8;
            host.moves_as(seat, &entry["move"], &[]).await.good()
        }
    }
}

#[tokio::test]
async fn a_game_from_a_position_goes_on_like_the_one_that_it_was_taken_from() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        let game = app.create(&Setup::table(*kind)).await;
        let mut play = Play::of(&game, 12).await;
        let mut positions = Vec::new();
        for step in 0..24 {
            if play.step().await.is_none() {
                break;
            }
            // When a game is over, readers see more than a position tells.
            if step % 6 == 3 && play.turn["kind"] != "over" {
                let taken = entries(&game).await.len();
                let now = game.host().version().await;
                positions.push((taken, now, position(&game.host(), now).await));
            }
        }
        let log = entries(&game).await;
        for (taken, at, from) in positions {
            let there = game.host().get(&format!("/state?at={at}")).await.good();
            assert_eq!(from["view"], there["view"], "{kind:?} at {at}");
            let again = app.create(&from_position(&game, from.clone())).await;
            let here = again.host().get("/state").await.good();
            assert_eq!(
                (&here["view"], &here["turn"]),
                (&there["view"], &there["turn"])
            );
            for entry in &log[taken..] {
                submit(&again, entry).await;
            }
            let there = game.host().get("/state").await.good();
            let here = again.host().get("/state").await.good();
            assert_eq!(
                (&here["view"], &here["turn"]),
                (&there["view"], &there["turn"])
            );
            verified(&again.host()).await;
            let record = again.host().get("/record").await.good();
            assert_eq!(record["position"], from);
            let verdict = app.post("/v1/replays", record.to_string()).await.good();
            assert_eq!(verdict["verdict"], "legal", "{verdict}");
            let imported = app
                .post("/v1/games/import", record.to_string())
                .await
                .good();
            let copy = Game::new((*app).clone(), imported);
            let copied = copy.host().get("/record").await.good();
            assert_eq!(copied["position"], from);
        }
    }
}

#[tokio::test]
async fn a_position_that_does_not_add_up_is_refused() {
    let app = TestApp::start().await;
    let game = app.create(&Setup::table(DRAGONS)).await;
    game.seat(0)
        .moves_as(0, &reveal("a1"), &[tile("ring")])
        .await
        .good();
    let good = position(&game.host(), game.host().version().await).await;
    let text = good.to_string();
    let bad: Value = serde_json::from_str(&text.replacen("\"ring\"", "\"chest\"", 1)).unwrap();
    assert_ne!(bad, good);
    let refused = app
        .post("/v1/games", from_position(&game, bad).to_string())
        .await;
    let problem = refused.problem(422, "invalid_setup");
    assert_eq!(problem["rule"]["id"], "CM-5");
    for number in [-1, 300, 1_000_000_000] {
        let mut bad = good.clone();
        bad["unseen"]["ring"] = number.into();
        let refused = app
            .post("/v1/games", from_position(&game, bad).to_string())
            .await;
        assert_eq!(refused.problem(422, "invalid_setup")["rule"]["id"], "CM-5");
    }
    let dealt = Setup::new(DRAGONS, Mode::Virtual).with("position", good.clone());
    let refused = app.post("/v1/games", dealt.to_string()).await;
    assert_eq!(refused.problem(422, "invalid_setup")["rule"]["id"], "CM-5");
    let other = Setup::table(QUEENS).with("position", good.clone());
    app.post("/v1/games", other.to_string())
        .await
        .problem(400, "invalid_request");
    let more = from_position(&game, good).seats(3);
    app.post("/v1/games", more.to_string())
        .await
        .problem(422, "invalid_setup");

    let dealt = app.create(&Setup::dealt(DRAGONS)).await;
    dealt
        .seat(0)
        .get("/position")
        .await
        .problem(403, "forbidden");
    game.host()
        .get("/position?at=0")
        .await
        .problem(400, "invalid_request");
    game.host()
        .get("/position?at=99")
        .await
        .problem(400, "invalid_request");
}

#[tokio::test]
async fn a_move_that_stood_is_recorded_with_the_rule_that_it_broke() {
    let app = TestApp::start().await;
    let game = app.create(&Setup::table(DRAGONS)).await;
    let now = position(&game.host(), 1).await;
    // Bo moved out of turn, and nobody minded: the tile was a ring, and it is Anna's turn again.
    let opened = app.create(&Setup::table(DRAGONS)).await;
    opened
        .seat(0)
        .moves_as(0, &reveal("a1"), &[tile("ring")])
        .await
        .good();
    let after = position(&opened.host(), opened.host().version().await).await;
    let stood = json!({"seat": 1, "move": reveal("a1"), "stand": {"position": after}});
    game.seat(1)
        .post("/moves", stood.to_string())
        .await
        .problem(403, "forbidden");
    let recorded = game.host().post("/moves", stood.to_string()).await.good();
    let event = &recorded["events"][0];
    assert_eq!(event["type"], "irregularity");
    assert_eq!(event["data"]["rule"], "CM-2");
    assert_eq!(event["actor"], json!({"kind": "seat", "seat": 1}));
    let state = game.host().get("/state").await.good();
    assert_eq!(state["view"], after["view"]);

    let legal = json!({"seat": 0, "move": reveal("b1"), "stand": {"position": now}});
    game.host()
        .post("/moves", legal.to_string())
        .await
        .against("CM-5");
    let text = after.to_string().replacen("\"ring\"", "\"chest\"", 1);
    let bad: Value = serde_json::from_str(&text).unwrap();
    let bad = json!({"seat": 1, "move": reveal("b1"), "stand": {"position": bad}});
    let refused = game.host().post("/moves", bad.to_string()).await;
    assert_eq!(refused.problem(422, "invalid_setup")["rule"]["id"], "CM-5");
    game.host()
        .post("/rulings", stood.to_string())
        .await
        .problem(400, "invalid_request");

    game.seat(0)
        .moves_as(0, &reveal("b1"), &[tile("ring")])
        .await
        .good();
    let listed = json!([{
        "seq": event["seq"], "seat": 1, "move": reveal("a1"), "rule": "CM-2", "in_force": true
    }]);
    assert_eq!(game.host().summary().await["irregularities"], listed);
    assert_eq!(verified(&game.host()).await["irregularities"], listed);
    let record = game.host().get("/record").await.good();
    assert_eq!(record["entries"][0]["stand"]["position"], after);
    for part in ["entries", "events", "names_salt"] {
        let mut record = record.clone();
        record.as_object_mut().unwrap().remove(part);
        let verdict = app.post("/v1/replays", record.to_string()).await.good();
        assert_eq!(verdict["verdict"], "legal", "{verdict}");
        assert_eq!(verdict["irregularities"][0]["rule"], "CM-2");
    }
    let imported = app
        .post("/v1/games/import", record.to_string())
        .await
        .good();
    let copy = Game::new((*app).clone(), imported);
    assert_eq!(
        copy.host().summary().await["irregularities"][0]["rule"],
        "CM-2"
    );
    let app = app.restart().await;
    let game = game.moved_to(&app);
    game.seat(0).moves(&json!({"type": "stop"})).await.good();
    verified(&game.host()).await;
}

#[tokio::test]
async fn seats_confirm_what_was_logged() {
    let app = TestApp::start().await;
    let game = app.create(&Setup::table(DRAGONS)).await;
    let confirmed = async || game.host().summary().await["confirmed"].clone();
    assert_eq!(confirmed().await, json!([]));
    game.host()
        .moves_as(0, &reveal("a1"), &[tile("ring")])
        .await
        .good();
    assert_eq!(confirmed().await, json!([]), "the host speaks for nobody");
    let body = json!({"up_to": 2}).to_string();
    game.host()
        .post("/confirmations", body.clone())
        .await
        .problem(403, "forbidden");
    let answer = game.seat(1).post("/confirmations", body).await.good();
    assert_eq!(answer["events"][0]["type"], "confirmed");
    assert_eq!(confirmed().await, json!([{"seat": 1, "up_to": 2}]));
    let version = game.host().version().await;
    game.seat(0)
        .moves_as(0, &reveal("b1"), &[tile("ring")])
        .await
        .good();
    assert_eq!(
        confirmed().await,
        json!([{"seat": 0, "up_to": version}, {"seat": 1, "up_to": 2}])
    );
    for up_to in [0, 1_000] {
        let body = json!({"up_to": up_to}).to_string();
        game.seat(1)
            .post("/confirmations", body)
            .await
            .problem(400, "invalid_request");
    }
    let claim = json!({"seq": 2, "claim": "no"}).to_string();
    let opened = game.seat(0).post("/disputes", claim).await.good();
    assert_eq!(opened["dispute"]["finding"]["confirmed_up_to"], version);
    let vote = json!({"remedy": "rewind", "to": 1}).to_string();
    game.host().post("/disputes/1/votes", vote).await.good();
    assert_eq!(
        confirmed().await,
        json!([{"seat": 0, "up_to": 1}, {"seat": 1, "up_to": 1}])
    );
    let dealt = app.create(&Setup::dealt(DRAGONS)).await;
    let body = json!({"up_to": 1}).to_string();
    dealt
        .seat(0)
        .post("/confirmations", body)
        .await
        .problem(403, "forbidden");
    assert!(dealt.host().summary().await.get("confirmed").is_none());
}

#[tokio::test]
async fn a_hand_that_was_confided_binds_its_own_seat_and_shows_to_nobody_else() {
    let app = TestApp::start().await;
    let game = app.create(&Setup::table(QUEENS).public()).await;
    let anna = game.seat(0);
    let public = anna.legal_moves().await;
    let cards = json!({"cards": ["1", "1", "2", "2", "dragon"]}).to_string();
    let told = anna.post("/confidences", cards).await.good();
    let seq = told["version"].as_u64().unwrap();
    assert_eq!(
        told["events"][0]["data"]["cards"],
        json!(["1", "1", "2", "2", "dragon"])
    );
    assert!(told["events"][0].get("salt").is_none());
    for caller in [game.seat(1), game.host(), game.stranger()] {
        let events = caller.events().await;
        let event = &events[seq as usize - 1];
        assert_eq!(event["data"], json!({"seat": 0}));
        assert!(event.get("salt").is_none(), "{event}");
        for path in [
            "/record",
            "/state",
            "/position",
            "",
            "/disputes",
            "/verification",
        ] {
            let answer = caller.get(path).await;
            assert!(!answer.text().contains(r#""2","dragon""#), "{path}");
        }
    }

    // What nobody holds who holds these cards is refused to Anna, and to nobody who speaks for her.
    let strict = anna.legal_moves().await;
    assert!(strict.len() < public.len());
    let kept: Vec<&Value> = public.iter().filter(|mv| !strict.contains(mv)).collect();
    let king = kept[0];
    anna.moves(king).await.problem(422, "illegal_move");
    let ruling = anna
        .post("/rulings", json!({"move": king}).to_string())
        .await
        .good();
    assert_eq!(ruling["legal"], false);
    let body = json!({"seat": 0, "move": king}).to_string();
    assert_eq!(
        game.host().post("/rulings", body).await.good(),
        json!({"legal": true})
    );
    let asked = game.host().get("/legal-moves?seat=0").await.good();
    assert_eq!(asked["moves"].as_array().unwrap().len(), public.len());

    let too_many = json!({"cards": ["1", "1", "1", "1", "1"]}).to_string();
    anna.post("/confidences", too_many).await.against("CM-5");
    let few = json!({"cards": ["1"]}).to_string();
    anna.post("/confidences", few).await.against("CM-5");
    let unknown = json!({"cards": ["1", "1", "2", "2", "bishop"]}).to_string();
    anna.post("/confidences", unknown)
        .await
        .problem(400, "invalid_request");
    game.host()
        .post("/confidences", "{\"cards\":[]}")
        .await
        .problem(403, "forbidden");

    // Bo contradicts Anna: there are four cards of each number.
    let bo = json!({"cards": ["1", "1", "1", "1", "2"]}).to_string();
    game.seat(1).post("/confidences", bo).await.good();
    assert!(game.host().summary().await.get("contradicted").is_none());
    let at = json!({"at": game.host().version().await}).to_string();
    let forked = game.seat(0).post("/forks", at).await.good();
    let fork = Game::new((*app).clone(), forked);
    assert_eq!(fork.seat(0).legal_moves().await.len(), public.len());

    let app = app.restart().await;
    let game = game.moved_to(&app);
    assert_eq!(game.seat(0).legal_moves().await, strict);
    game.host().abandons().await.good();
    assert_eq!(game.host().summary().await["contradicted"], json!([1]));
    let events = game.stranger().events().await;
    let opened = &events[seq as usize - 1];
    assert_eq!(opened["data"]["cards"][4], "dragon");
    assert!(opened["salt"].is_string());
    assert_eq!(verified(&game.stranger()).await["contradicted"], json!([1]));
}

#[tokio::test]
async fn where_nobody_holds_hidden_cards_nobody_confides_any() {
    let app = TestApp::start().await;
    let game = app.create(&Setup::table(DRAGONS)).await;
    game.seat(0)
        .post("/confidences", "{\"cards\":[]}")
        .await
        .against("CM-6");
    let dealt = app.create(&Setup::dealt(QUEENS)).await;
    dealt
        .seat(0)
        .post("/confidences", "{\"cards\":[]}")
        .await
        .problem(403, "forbidden");
}

#[tokio::test]
async fn a_misclick_is_taken_back_by_who_made_it_while_nothing_followed() {
    let app = TestApp::start().await;
    let game = app.create(&Setup::table(DRAGONS)).await;
    let take_back = async |caller: &Caller| caller.post("/takebacks", "{}").await;
    take_back(&game.host()).await.problem(403, "forbidden");
    game.seat(0)
        .moves_as(0, &reveal("a1"), &[tile("ring")])
        .await
        .good();
    take_back(&game.seat(1)).await.problem(403, "forbidden");
    take_back(&game.host()).await.problem(403, "forbidden");
    let answer = take_back(&game.seat(0)).await.good();
    assert_eq!(answer["events"][0]["type"], "rewound");
    assert_eq!(
        answer["events"][0]["data"],
        json!({"to": 1, "revealed_since": true})
    );
    take_back(&game.seat(0)).await.problem(403, "forbidden");

    game.seat(0).moves(&reveal("a1")).await.good();
    game.seat(0).declares(&[tile("ball")]).await.good();
    take_back(&game.seat(0)).await.good();
    assert_eq!(game.host().summary().await["turn"]["kind"], "chance");
    game.host().declares(&[tile("ball")]).await.good();
    game.seat(1)
        .post("/confirmations", json!({"up_to": 1}).to_string())
        .await
        .good();
    take_back(&game.host()).await.problem(403, "forbidden");
    game.host().abandons().await.good();
    take_back(&game.host()).await.good();
    assert_eq!(game.host().summary().await["status"], "in_progress");
    verified(&game.host()).await;

    let dealt = app.create(&Setup::dealt(DRAGONS)).await;
    dealt.seat(0).moves(&reveal("a1")).await.good();
    take_back(&dealt.seat(0)).await.problem(403, "forbidden");
}

#[tokio::test]
async fn a_lost_phone_is_replaced_by_a_new_token() {
    let app = TestApp::start().await;
    let game = app.create(&Setup::table(DRAGONS).public()).await;
    let mut stream = game.seat(0).follows(None).await;
    game.seat(0)
        .post("/seats/0/token", "{}")
        .await
        .problem(403, "forbidden");
    game.host()
        .post("/seats/7/token", "{}")
        .await
        .problem(404, "not_found");
    let key = [("idempotency-key", "lost")];
    let first = game.host().post_with("/seats/0/token", "{}", &key).await;
    let renewed = first.good();
    assert_eq!(renewed["events"][0]["type"], "token_renewed");
    assert_eq!(renewed["events"][0]["data"], json!({"seat": 0}));
    let again = game.host().post_with("/seats/0/token", "{}", &key).await;
    assert_eq!(again.body, first.body);

    while stream.next().await.is_some() {}
    game.seat(0)
        .moves(&reveal("a1"))
        .await
        .problem(401, "unauthorized");
    let new = game.with_token(renewed["token"].as_str().unwrap());
    new.moves(&reveal("a1")).await.good();
    let app = app.restart().await;
    let game = game.moved_to(&app);
    game.seat(0)
        .declares(&[tile("ring")])
        .await
        .problem(401, "unauthorized");
    new.moved_to(&app).declares(&[tile("ring")]).await.good();

    let dealt = app.create(&Setup::dealt(DRAGONS)).await;
    dealt
        .host()
        .post("/seats/0/token", "{}")
        .await
        .problem(403, "forbidden");
}
