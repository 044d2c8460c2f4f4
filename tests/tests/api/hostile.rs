//! What no client of good will sends, at every route that takes a body: refused as what it is, and
//! nothing recorded.

use domain::rulesets::GameKind;
use reqwest::Method;
use serde_json::{Value, json};

use crate::helpers::{Answer, Api, Caller, Game, Play, Setup, TestApp, answer, some_outcome};

/// A route that takes a body, and a body that it takes.
struct Target {
    caller: Caller,
    path: String,
    body: Value,
}

impl Target {
    fn takes_records(&self) -> bool {
        ["/v1/games/import", "/v1/replays"].contains(&self.path.as_str())
    }

    async fn send(&self, body: impl Into<Vec<u8>>) -> Answer {
        self.caller.post(&self.path, body).await
    }
}

/// A game of each kind in which seat 0 is to move and seat 1 is to be claimed, with every route that
/// takes a body.
async fn targets(api: &Api, kind: GameKind) -> (Game, Vec<Target>) {
    let setup = Setup::table(kind).claimed(1);
    let game = api.create(&setup).await;
    let mut play = Play::of(&game, 2).await;
    let seat = play.until_a_seat().await.unwrap();
    let mv = play.choose(seat).await;
    let outcome = some_outcome(api, kind).await;
    let record = game.host().get("/record").await.good();
    let everyone = api.anyone();
    let at = |caller: &Caller, path: &str, body: Value| Target {
        caller: caller.clone(),
        path: path.to_owned(),
        body,
    };
    let host = game.host();
    let mut setup: Value = serde_json::from_str(&setup.to_string()).unwrap();
    setup["options"] = game.created["options"].clone();
    setup["rules_version"] = 1.into();
    let targets = vec![
        at(&everyone, "/v1/games", setup),
        at(&everyone, "/v1/games/import", record.clone()),
        at(&everyone, "/v1/replays", record),
        at(
            &host,
            "/moves",
            json!({"seat": 0, "move": mv, "outcomes": [outcome], "occurred_at": "2026-11-29T18:00:00Z"}),
        ),
        at(
            &host,
            "/rulings",
            json!({"seat": 0, "move": mv, "outcomes": [outcome]}),
        ),
        at(&host, "/declarations", json!({"outcomes": [outcome]})),
        at(&host, "/seats/1/claim", json!({"code": "ref_claim_0"})),
        at(&host, "/forks", json!({"at": 1})),
        at(
            &host,
            "/disputes/1/votes",
            json!({"remedy": "rewind", "to": 1}),
        ),
        at(&host, "/disputes/1/withdraw", json!({})),
        at(&host, "/takebacks", json!({})),
        at(&game.seat(0), "/confirmations", json!({"up_to": 1})),
        at(&game.seat(0), "/confidences", json!({"cards": []})),
        at(&host, "/seats/1/token", json!({})),
        at(&host, "/disputes", json!({"seq": 1, "claim": "no"})),
        at(&host, "/abandon", json!({})),
    ];
    (game, targets)
}

async fn games_listed(api: &Api) -> usize {
    let listed = api.get("/v1/games?limit=100").await.good();
    listed["games"].as_array().unwrap().len()
}

#[tokio::test]
async fn no_route_that_takes_a_body_is_forgotten_here() {
    let app = TestApp::start().await;
    let document = app.get("/openapi.json").await.good();
    let paths = document["paths"].as_object().unwrap().iter();
    let mut served: Vec<String> = paths
        .filter(|(_, item)| item.get("post").is_some())
        .map(|(path, _)| {
            path.replace("/v1/games/{id}", "")
                .replace("{seat}", "1")
                .replace("{n}", "1")
        })
        .collect();
    served.sort();
    let (_, targets) = targets(&app, GameKind::ALL[0]).await;
    let mut checked: Vec<String> = targets.into_iter().map(|target| target.path).collect();
    checked.sort();
    assert_eq!(served, checked);
}

#[tokio::test]
async fn what_is_no_json_is_refused_everywhere() {
    let app = TestApp::start().await;
    let (game, targets) = targets(&app, GameKind::SchatzDerDrachen).await;
    let before = game.host().summary().await;
    let nested = [vec![b'['; 100_000], vec![b']'; 100_000]].concat();
    let deep = format!("{}1{}", "{\"seat\":".repeat(1000), "}".repeat(1000));
    for target in &targets {
        for body in [
            &b" "[..],
            b"{",
            b"null",
            b"[]",
            b"7",
            b"\"{}\"",
            b"{}{}",
            b"{} x",
            b"{'seat':0}",
            b"{\"seat\":0,}",
            b"{\"seat\":NaN}",
            b"{\"seat\":1e400}",
            b"{\"seat\":18446744073709551616}",
            b"{\"seat\":9007199254740993}",
            b"{\"seat\":-1e-400,\"x\":1e400}",
            b"{\"seat\":00}",
            b"{\"seat\":0,\"seat\":0}",
            b"{\"\\u0073eat\":0,\"seat\":0}",
            b"{\"seat\":\"\\ud800\"}",
            b"{\"seat\":\"\xff\xfe\"}",
            b"{\"seat\":\"\xed\xa0\x80\"}",
            b"{\"seat\":\"\x00\"}",
            b"\xef\xbb\xbf{}",
            b"\x00",
            nested.as_slice(),
            deep.as_bytes(),
        ] {
            let shown = String::from_utf8_lossy(&body[..body.len().min(40)]).into_owned();
            let answer = target.send(body).await;
            assert_eq!(
                answer.status,
                400,
                "{shown} at {}: {}",
                target.path,
                answer.text()
            );
            answer.problem(400, "invalid_request");
        }
        let unknown = target.send(r#"{"no_such_field":0}"#).await;
        unknown.problem(400, "invalid_request");
    }
    assert_eq!(game.host().summary().await, before);
}

#[tokio::test]
async fn a_body_too_long_or_of_another_type_is_refused_everywhere() {
    let app = TestApp::start().await;
    let (game, targets) = targets(&app, GameKind::SchatzDerDrachen).await;
    let before = game.host().summary().await;
    let long = format!("{{\"x\":\"{}\"}}", "x".repeat(2 << 20));
    for target in &targets {
        let answer = target.send(long.clone()).await;
        match target.takes_records() {
            true => answer.problem(400, "invalid_request"),
            false => answer.problem(413, "too_large"),
        };
        for media_type in [
            "text/plain",
            "application/x-www-form-urlencoded",
            "application/json; charset=latin1",
        ] {
            let request = target.caller.request(Method::POST, &target.path);
            let request = request.header("content-type", media_type).body("{}");
            crate::helpers::answer(request)
                .await
                .problem(415, "unsupported_media_type");
        }
        let request = target.caller.request(Method::POST, &target.path);
        let request = request.header("content-type", "application/json");
        let request = request.header("content-encoding", "gzip").body("{}");
        crate::helpers::answer(request)
            .await
            .problem(415, "unsupported_media_type");
    }
    assert_eq!(game.host().summary().await, before);
}

/// Every body that differs from `good` in one place: another value, or a member more.
fn mutations(good: &Value) -> Vec<String> {
    const VALUES: [&str; 17] = [
        "null",
        "true",
        "-1",
        "255",
        "256",
        "0.5",
        "2.0",
        "4294967296",
        "9007199254740991",
        "\"\"",
        "\"z9\"",
        "\"\\u0000\"",
        "\"0\"",
        "[]",
        "{}",
        "[[]]",
        "{\"type\":\"\"}",
    ];
    const MARK: &str = "\u{1f9ea}";
    let mut bodies = Vec::new();
    for place in places(good, String::new()) {
        let mut marked = good.clone();
        *marked.pointer_mut(&place).unwrap() = MARK.into();
        let marked = marked.to_string();
        let mark = format!("\"{MARK}\"");
        bodies.extend(VALUES.iter().map(|value| marked.replace(&mark, value)));
        let mut longer = good.clone();
        match longer.pointer_mut(&place).unwrap() {
            Value::Object(members) => drop(members.insert("extra".to_owned(), json!(1))),
            Value::Array(items) => items.push(items.first().cloned().unwrap_or(json!(1))),
            _ => continue,
        }
        bodies.push(longer.to_string());
    }
    bodies
}

/// The JSON Pointers of all places in a value; of lists, of the first item.
fn places(value: &Value, at: String) -> Vec<String> {
    let below: Vec<(String, &Value)> = match value {
        Value::Object(members) => members
            .iter()
            .map(|(name, value)| (name.clone(), value))
            .collect(),
        Value::Array(items) => items
            .iter()
            .take(1)
            .enumerate()
            .map(|(place, value)| (place.to_string(), value))
            .collect(),
        _ => Vec::new(),
    };
    let mut found = vec![at.clone()];
    for (name, value) in below {
        found.extend(places(value, format!("{at}/{name}")));
    }
    found
}

#[tokio::test]
async fn whatever_is_changed_in_a_good_body_no_answer_is_a_failure() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        let (game, targets) = targets(&app, *kind).await;
        // Records are read alike for all games.
        let is_first = *kind == GameKind::ALL[0];
        for target in targets
            .iter()
            .filter(|target| is_first || !target.takes_records())
        {
            let mut version = game.host().version().await;
            for body in mutations(&target.body) {
                // Held to the version, the next request would fail if this one left a trace.
                let tag = format!("\"{version}\"");
                let headers = [("if-match", tag.as_str())];
                let answer = target
                    .caller
                    .post_with(&target.path, body.clone(), &headers);
                let answer = answer.await;
                match answer.status.as_u16() {
                    200 | 201 => version = game.host().version().await,
                    400 => drop(answer.problem(400, "invalid_request")),
                    403 => drop(answer.problem(403, "forbidden")),
                    404 => drop(answer.problem(404, "not_found")),
                    409 => drop(answer.problem(409, "disputed")),
                    422 => assert_eq!(answer.header("content-type"), "application/problem+json"),
                    _ => panic!("{body} at {}: {}", target.path, answer.text()),
                }
            }
            assert_eq!(game.host().version().await, version);
        }
        let report = game.host().get("/verification").await.good();
        assert_eq!(report["valid"], true, "{report}");
    }
    assert_eq!(games_listed(&app).await, 0);
}

#[tokio::test]
async fn a_place_that_no_such_game_has_is_malformed() {
    let app = TestApp::start().await;
    for (kind, moves) in [
        (
            GameKind::SchatzDerDrachen,
            vec![
                json!({"type": "reveal", "slot": "z9"}),
                json!({"type": "reveal", "slot": "a8"}),
                json!({"type": "reveal", "slot": "a0"}),
                json!({"type": "reveal", "slot": "A1"}),
                json!({"type": "reveal", "slot": "a1 "}),
                json!({"type": "reveal", "slot": "a\u{0}"}),
                json!({"type": "reveal", "slot": ["a1"]}),
                json!({"type": "reveal", "slot": {"a1": null}}),
                json!({"type": "reveal"}),
                json!({"type": "stop", "slot": "a1"}),
                json!({"type": "Stop"}),
                json!(["reveal", "a1"]),
                json!({"reveal": {"slot": "a1"}}),
            ],
        ),
        (
            GameKind::SleepingQueens,
            vec![
                json!({"type": "king", "slot": 13}),
                json!({"type": "king", "slot": 0}),
                json!({"type": "king", "slot": -1}),
                json!({"type": "king", "slot": 1.0}),
                json!({"type": "king", "slot": "1"}),
            ],
        ),
        (
            GameKind::SkipBo,
            vec![
                json!({"type": "discard", "card": "5", "pile": 4}),
                json!({"type": "discard", "card": "5", "pile": 255}),
                json!({"type": "discard", "card": 5, "pile": 0}),
                json!({"type": "discard", "card": "13", "pile": 0}),
                json!({"type": "discard", "card": {"5": null}, "pile": 0}),
                json!({"type": "play", "from": {"zone": 0, "card": "5"}, "to": 0}),
                json!({"type": "play", "from": ["hand", "5"], "to": 0}),
                json!({"type": "play", "from": {"zone": "stock", "seat": 9}, "to": 0}),
                json!({"type": "pass", "seat": 0}),
            ],
        ),
    ] {
        let game = app.create(&Setup::dealt(kind)).await;
        let before = game.host().summary().await;
        for mv in moves {
            for path in ["/moves", "/rulings"] {
                let body = json!({"move": mv}).to_string();
                let answer = game.seat(0).post(path, body).await;
                let problem = answer.problem(400, "invalid_request");
                let pointer = problem["errors"][0]["pointer"].as_str().unwrap();
                assert!(pointer.starts_with("/move"), "{mv}: {problem}");
            }
        }
        assert_eq!(game.host().summary().await, before);
    }
}

#[tokio::test]
async fn a_seat_that_no_such_game_has_is_malformed() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        let game = app.create(&Setup::table(*kind)).await;
        let mut play = Play::of(&game, 2).await;
        let seat = play.until_a_seat().await.unwrap();
        let mv = play.choose(seat).await;
        for seat in [
            json!(2),
            json!(9),
            json!(255),
            json!(256),
            json!(-1),
            json!(0.0),
            json!("0"),
            json!([0]),
            json!(true),
        ] {
            for path in ["/moves", "/rulings"] {
                let body = json!({"seat": seat, "move": mv}).to_string();
                let problem = game
                    .host()
                    .post(path, body)
                    .await
                    .problem(400, "invalid_request");
                assert_eq!(problem["errors"][0]["pointer"], "/seat", "{seat}");
            }
        }
        for query in [
            "seat=2",
            "seat=9",
            "seat=255",
            "seat=256",
            "seat=-1",
            "seat=0.0",
            "seat=",
            "seat=0&seat=1",
        ] {
            let answer = game.host().get(&format!("/legal-moves?{query}")).await;
            answer.problem(400, "invalid_request");
        }
    }
}

#[tokio::test]
async fn an_id_that_is_none_finds_nothing() {
    let app = TestApp::start().await;
    let everyone = app.anyone();
    for id in [
        "0",
        "null",
        "%00",
        "..%2f..",
        "00000000-0000-0000-0000-000000000000",
        "zzzzzzzz-zzzz-zzzz-zzzz-zzzzzzzzzzzz",
        &"f".repeat(4000),
    ] {
        for path in ["", "/state", "/events", "/record"] {
            let path = format!("/v1/games/{id}{path}");
            everyone.get(&path).await.problem(404, "not_found");
        }
    }
}

#[tokio::test]
async fn a_credential_that_is_none_is_an_unknown_one() {
    let app = TestApp::start().await;
    let game = app.create(&Setup::dealt(GameKind::ALL[0]).public()).await;
    for credential in [
        "",
        "Bearer",
        "Bearer ",
        "Basic dTpw",
        game.host_token(),
        &format!("Bearer {}x", game.host_token()),
        &format!("Bearer {}", game.host_token().to_uppercase()),
        &format!("Token {}", game.host_token()),
        &format!("Bearer {}", "x".repeat(8000)),
    ] {
        let request = game.stranger().request(Method::GET, "/state");
        let request = request.header("authorization", credential);
        answer(request).await.problem(401, "unauthorized");
    }
    let request = game.host().request(Method::GET, "/state");
    let twice = request.header("authorization", format!("Bearer {}", game.host_token()));
    answer(twice).await.problem(401, "unauthorized");
}
