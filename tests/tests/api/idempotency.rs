//! Every request that records, sent twice.

use domain::rulesets::GameKind;
use serde_json::{Value, json};

use crate::helpers::{Answer, Caller, Game, Play, Setup, TestApp};

/// A request that records, with a key.
#[derive(Clone, Debug)]
struct Request {
    caller: Caller,
    path: String,
    body: String,
    key: String,
}

impl Request {
    fn new(caller: Caller, path: &str, body: &Value, key: &str) -> Self {
        Self {
            caller,
            path: path.to_owned(),
            body: body.to_string(),
            key: key.to_owned(),
        }
    }

    async fn send(&self) -> Answer {
        let headers = [("idempotency-key", self.key.as_str())];
        let (path, body) = (&self.path, self.body.clone());
        self.caller.post_with(path, body, &headers).await
    }
}

fn reveal(slot: &str) -> Value {
    json!({"type": "reveal", "slot": slot})
}

/// One request for every route that records, for what is recorded and what is refused by a rule, in
/// an order in which they can be sent. Each was answered once, with the status that it names.
async fn requests(game: &Game) -> Vec<(Request, Answer)> {
    let tile = json!({"type": "tile", "tile": "ring"});
    let mut answered = Vec::new();
    for (caller, path, body, status) in [
        (game.seat(0), "/moves", json!({"move": reveal("a1")}), 200),
        (game.seat(0), "/moves", json!({"move": reveal("b1")}), 422),
        (
            game.host(),
            "/declarations",
            json!({"outcomes": [tile]}),
            200,
        ),
        (
            game.seat(0),
            "/declarations",
            json!({"outcomes": [tile]}),
            422,
        ),
        (
            game.host(),
            "/moves",
            json!({"seat": 0, "move": reveal("c1"), "outcomes": [tile], "occurred_at": "2026-11-29T18:00:00Z"}),
            200,
        ),
        (
            game.stranger(),
            "/seats/1/claim",
            json!({"code": game.claim_code(1)}),
            200,
        ),
        (game.host(), "/abandon", json!({}), 200),
        (game.host(), "/abandon", json!({}), 422),
        (game.seat(0), "/moves", json!({"move": reveal("d1")}), 422),
    ] {
        let key = format!("key-{}", answered.len());
        let request = Request::new(caller, path, &body, &key);
        let answer = request.send().await;
        assert_eq!(answer.status, status, "{path}: {}", answer.text());
        assert_eq!(answer.header("idempotent-replayed"), "");
        expect_replayed(&request, &answer, game).await;
        answered.push((request, answer));
    }
    answered
}

async fn expect_replayed(request: &Request, first: &Answer, game: &Game) {
    let before = game.host().summary().await;
    let again = request.send().await;
    assert_eq!(again.header("idempotent-replayed"), "true", "{request:?}");
    let (status, mut headers, body) = again.essence();
    headers.remove("idempotent-replayed");
    assert_eq!((status, headers, body), first.essence(), "{request:?}");
    assert_eq!(game.host().summary().await, before, "{request:?}");
}

async fn game(app: &TestApp) -> Game {
    let setup = Setup::table(GameKind::SchatzDerDrachen).claimed(1);
    app.create(&setup).await
}

#[tokio::test]
async fn a_request_sent_twice_is_recorded_once_and_answered_alike_for_ever() {
    let app = TestApp::start().await;
    let mut game = game(&app).await;
    let answered = requests(&game).await;
    // The version has moved on since each of them, and the game is over.
    for (request, answer) in &answered {
        expect_replayed(request, answer, &game).await;
    }
    let events = game.host().events().await;
    let app = app.restart().await;
    game = game.moved_to(&app);
    for (request, answer) in answered {
        let request = Request {
            caller: request.caller.moved_to(&app),
            ..request
        };
        expect_replayed(&request, &answer, &game).await;
    }
    assert_eq!(game.host().events().await, events);
}

#[tokio::test]
async fn in_every_game_a_move_sent_twice_is_made_once() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        let game = app.create(&Setup::dealt(*kind)).await;
        let mut play = Play::of(&game, 12).await;
        let mut answered: Vec<(Request, Answer)> = Vec::new();
        for step in 0..6 {
            let seat = play.until_a_seat().await.unwrap();
            let body = json!({"move": play.choose(seat).await});
            let request = Request::new(game.seat(seat), "/moves", &body, &format!("{step}"));
            let answer = request.send().await;
            play.saw(&answer.good());
            expect_replayed(&request, &answer, &game).await;
            answered.push((request, answer));
        }
        for (request, answer) in &answered {
            expect_replayed(request, answer, &game).await;
        }
        let report = game.host().get("/verification").await.good();
        assert_eq!(report["valid"], true, "{report}");
    }
}

#[tokio::test]
async fn the_same_json_is_the_same_request() {
    let app = TestApp::start().await;
    let game = game(&app).await;
    let send = async |body: &str| {
        let headers = [("idempotency-key", "k")];
        game.seat(0).post_with("/moves", body, &headers).await
    };
    let first = send(r#"{"seat":0,"move":{"type":"reveal","slot":"a1"}}"#).await;
    for same in [
        r#" { "move" : { "slot" : "a1", "type" : "reveal" }, "seat" : 0 } "#,
        r#"{"seat":0,"move":{"type":"reveal","slot":"\u00611"}}"#,
    ] {
        let again = send(same).await;
        assert_eq!(again.header("idempotent-replayed"), "true", "{same}");
        assert_eq!(again.body, first.body);
    }
    for other in [
        r#"{"move":{"type":"reveal","slot":"a1"}}"#,
        r#"{"seat":0,"move":{"type":"reveal","slot":"b1"}}"#,
        r#"{"seat":0,"move":{"type":"reveal","slot":"a1"},"outcomes":[]}"#,
    ] {
        send(other).await.problem(409, "idempotency_conflict");
    }
}

#[tokio::test]
async fn a_key_belongs_to_a_token_and_stands_for_one_request() {
    let app = TestApp::start().await;
    let (game, other_game) = (game(&app).await, game(&app).await);
    let first = Request::new(game.seat(0), "/moves", &json!({"move": reveal("a1")}), "k");
    let answer = first.send().await;
    answer.good();

    let tile = json!({"outcomes": [{"type": "tile", "tile": "ring"}]});
    let other_path = Request::new(game.seat(0), "/declarations", &tile, "k");
    other_path.send().await.problem(409, "idempotency_conflict");
    let host_s_own = Request::new(game.host(), "/declarations", &tile, "k");
    let told = host_s_own.send().await;
    assert_eq!(told.header("idempotent-replayed"), "");
    told.good();
    let elsewhere = Request::new(
        other_game.seat(0),
        "/moves",
        &json!({"move": reveal("a1")}),
        "k",
    );
    let told = elsewhere.send().await;
    assert_eq!(told.header("idempotent-replayed"), "");
    assert_eq!(told.good()["game"], other_game.id());
    expect_replayed(&first, &answer, &game).await;
    let unkeyed = game.seat(0).moves(&reveal("a1")).await;
    unkeyed.against("SD-2.2");
}

#[tokio::test]
async fn what_was_not_judged_is_not_kept() {
    let app = TestApp::start().await;
    let game = game(&app).await;
    let send = async |body: &Value, tag: &str| {
        let headers = [("idempotency-key", "k"), ("if-match", tag)];
        game.seat(0)
            .post_with("/moves", body.to_string(), &headers)
            .await
    };
    send(&json!({"move": reveal("a1")}), "\"99\"")
        .await
        .problem(412, "version_mismatch");
    send(&json!({"move": reveal("z1")}), "*")
        .await
        .problem(400, "invalid_request");
    let told = send(&json!({"move": reveal("b1")}), "*").await;
    assert_eq!(told.header("idempotent-replayed"), "");
    told.good();
    // The key is looked at before the version: the client that lost the answer gets it.
    let again = send(&json!({"move": reveal("b1")}), "\"1\"").await;
    assert_eq!(again.header("idempotent-replayed"), "true");
    assert_eq!(again.body, told.body);
}

#[tokio::test]
async fn a_key_is_short_and_visible() {
    let app = TestApp::start().await;
    let game = game(&app).await;
    let body = json!({"move": reveal("a1")}).to_string();
    for key in ["", "two words", &"k".repeat(256)] {
        let headers = [("idempotency-key", key)];
        let answer = game
            .seat(0)
            .post_with("/moves", body.clone(), &headers)
            .await;
        answer.problem(400, "invalid_request");
    }
    let twice = [("idempotency-key", "a"), ("idempotency-key", "b")];
    let answer = game.seat(0).post_with("/moves", body.clone(), &twice).await;
    answer.problem(400, "invalid_request");
    let longest = "k".repeat(255);
    let headers = [("idempotency-key", longest.as_str())];
    game.seat(0)
        .post_with("/moves", body, &headers)
        .await
        .good();
}

#[tokio::test]
async fn of_many_copies_at_once_one_is_recorded() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        let game = app.create(&Setup::dealt(*kind)).await;
        let mut play = Play::of(&game, 2).await;
        let seat = play.until_a_seat().await.unwrap();
        let body = json!({"move": play.choose(seat).await});
        let request = Request::new(game.seat(seat), "/moves", &body, "k");
        let copies = (0..8).map(|_| {
            let request = request.clone();
            tokio::spawn(async move { request.send().await })
        });
        let (mut bodies, mut replayed) = (Vec::new(), 0);
        for copy in copies.collect::<Vec<_>>() {
            let answer = copy.await.unwrap();
            replayed += usize::from(answer.header("idempotent-replayed") == "true");
            answer.good();
            bodies.push(answer.body);
        }
        bodies.dedup();
        assert_eq!((bodies.len(), replayed), (1, 7));
    }
}
