//! Who may do what: every role at every route, in private and public games, dealt and at a table.

use std::collections::BTreeSet;

use domain::dealer::Mode;
use domain::rulesets::GameKind;
use reqwest::Method;
use serde_json::{Value, json};

use crate::helpers::{Answer, Caller, Game, Play, Setup, TestApp, some_outcome};

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    NoToken,
    UnknownToken,
    OtherGamesToken,
    OtherSeat,
    OwnSeat,
    Host,
}

use Role::*;

const ROLES: [Role; 6] = [
    NoToken,
    UnknownToken,
    OtherGamesToken,
    OtherSeat,
    OwnSeat,
    Host,
];

/// What is asked, for seat 0 where it is for a seat.
struct Route {
    method: Method,
    /// As the OpenAPI document writes it, below the game's own path.
    template: &'static str,
    path: &'static str,
    body: Option<Value>,
}

fn reads(path: &'static str) -> Route {
    Route {
        method: Method::GET,
        template: path,
        path,
        body: None,
    }
}

fn posts(path: &'static str, body: Value) -> Route {
    Route {
        method: Method::POST,
        template: path,
        path,
        body: Some(body),
    }
}

/// Every route of a game. What ends it comes last.
fn routes(mv: &Value, outcome: &Value) -> Vec<Route> {
    vec![
        reads(""),
        reads("/state"),
        reads("/events"),
        reads("/fairness"),
        reads("/verification"),
        reads("/record"),
        reads("/position"),
        reads("/disputes"),
        Route {
            path: "/legal-moves?seat=0",
            ..reads("/legal-moves")
        },
        Route {
            path: "/changes?from=1&to=1",
            ..reads("/changes")
        },
        posts("/forks", json!({"at": 1})),
        posts("/rulings", json!({"seat": 0, "move": mv})),
        posts("/declarations", json!({"outcomes": [outcome]})),
        Route {
            path: "/seats/1/claim",
            ..posts("/seats/{seat}/claim", json!({"code": "wrong"}))
        },
        posts("/disputes", json!({"seq": 1, "claim": "no"})),
        Route {
            path: "/disputes/1/votes",
            ..posts("/disputes/{n}/votes", json!({"remedy": "keep"}))
        },
        Route {
            path: "/disputes/1/withdraw",
            ..posts("/disputes/{n}/withdraw", json!({}))
        },
        posts("/confirmations", json!({"up_to": 1})),
        posts("/confidences", json!({"cards": []})),
        posts("/takebacks", json!({})),
        posts("/moves", json!({"seat": 0, "move": mv})),
        posts("/abandon", json!({})),
        Route {
            path: "/seats/1/token",
            ..posts("/seats/{seat}/token", json!({}))
        },
    ]
}

/// The status and code that the contract gives; no code where it goes well.
fn expected(role: Role, route: &Route, public: bool, mode: Mode) -> (u16, &'static str) {
    match role {
        NoToken | UnknownToken | OtherGamesToken if !public => return (404, "not_found"),
        UnknownToken => return (401, "unauthorized"),
        OtherGamesToken => return (403, "forbidden"),
        NoToken | OtherSeat | OwnSeat | Host => {}
    }
    let table = mode == Mode::Table;
    match (route.template, role) {
        ("/forks", _) if table => (201, ""),
        ("/forks", _) => (409, "not_over"),
        ("/seats/{seat}/claim", _) => (403, "forbidden"),
        ("/position", _) if !table => (403, "forbidden"),
        // What there is to read of a public game, everybody reads.
        (_, NoToken) if route.method == Method::POST || route.template == "/legal-moves" => {
            (401, "unauthorized")
        }
        ("/moves" | "/rulings" | "/legal-moves", OtherSeat) => (403, "forbidden"),
        ("/moves" | "/rulings" | "/legal-moves" | "/declarations", Host) if !table => {
            (403, "forbidden")
        }
        // Nothing is awaited: the rules forbid it, which only those learn who may declare.
        ("/declarations", _) => (422, "illegal_move"),
        ("/abandon" | "/seats/{seat}/token", OtherSeat | OwnSeat) => (403, "forbidden"),
        ("/disputes", Host) if !table && route.method == Method::POST => (403, "forbidden"),
        // What the game was created with is nobody's move.
        ("/disputes", _) if route.method == Method::POST => (400, "invalid_request"),
        ("/disputes/{n}/votes" | "/disputes/{n}/withdraw", _) => (404, "not_found"),
        ("/confirmations" | "/confidences" | "/seats/{seat}/token", _) if !table => {
            (403, "forbidden")
        }
        ("/confirmations" | "/confidences", Host) => (403, "forbidden"),
        // Nobody holds no cards, or nobody holds any: the rules say which.
        ("/confidences", _) => (422, "illegal_move"),
        // The newest request is a confirmation, or the game is dealt.
        ("/takebacks", _) => (403, "forbidden"),
        _ => (200, ""),
    }
}

/// A game in which seat 0 is to move, with seat 1 to be claimed and holding a token all the same.
struct Stage {
    game: Game,
    other_seat: String,
    mv: Value,
    outcome: Value,
}

async fn stage(app: &TestApp, kind: GameKind, mode: Mode, public: bool) -> Stage {
    let setup = Setup::new(kind, mode).claimed(1).seed_if_dealt(5);
    let setup = if public { setup.public() } else { setup };
    let game = app.create(&setup).await;
    let claim = json!({"code": game.claim_code(1)}).to_string();
    let claimed = game.stranger().post("/seats/1/claim", claim).await.good();
    let mut play = Play::of(&game, 2).await;
    assert_eq!(play.until_a_seat().await, Some(0));
    let mv = play.choose(0).await;
    Stage {
        other_seat: claimed["token"].as_str().unwrap().to_owned(),
        mv,
        outcome: some_outcome(app, kind).await,
        game,
    }
}

impl Stage {
    fn caller(&self, role: Role, elsewhere: &Game) -> Caller {
        match role {
            NoToken => self.game.stranger(),
            UnknownToken => self
                .game
                .with_token("ref_seat_0000000000000000000000000000000000000000"),
            OtherGamesToken => self.game.with_token(elsewhere.seat_token(0)),
            OtherSeat => self.game.with_token(&self.other_seat),
            OwnSeat => self.game.seat(0),
            Host => self.game.host(),
        }
    }
}

async fn ask(caller: &Caller, route: &Route) -> Answer {
    match &route.body {
        None => caller.get(route.path).await,
        Some(body) => caller.post(route.path, body.to_string()).await,
    }
}

#[track_caller]
fn check(answer: &Answer, (status, code): (u16, &str), told: &str) {
    assert_eq!(answer.status, status, "{told}: {}", answer.text());
    if !code.is_empty() {
        answer.problem(status, code);
    }
    assert_eq!(
        answer.header("cache-control"),
        "private, no-store",
        "{told}"
    );
    assert!(answer.header("vary").contains("Authorization"), "{told}");
    let challenge = answer.header("www-authenticate");
    assert_eq!(challenge == "Bearer", status == 401, "{told}");
}

#[tokio::test]
async fn every_role_at_every_route() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        let elsewhere = app.create(&Setup::dealt(*kind)).await;
        for mode in [Mode::Virtual, Mode::Table] {
            for public in [false, true] {
                let stage = stage(&app, *kind, mode, public).await;
                let mut version = stage.game.host().version().await;
                for route in routes(&stage.mv, &stage.outcome) {
                    for role in ROLES {
                        let told = format!(
                            "{kind:?} {mode:?} public={public} {role:?} {} {}",
                            route.method, route.path
                        );
                        let expected = expected(role, &route, public, mode);
                        let answer = ask(&stage.caller(role, &elsewhere), &route).await;
                        check(&answer, expected, &told);
                        let now = stage.game.host().version().await;
                        let records = expected.0 == 200
                            && route.method == Method::POST
                            && route.path != "/rulings";
                        assert_eq!(now > version, records, "{told}");
                        version = now;
                        if records && route.path == "/moves" {
                            // The host's turn at the same move comes in a game of its own.
                            break;
                        }
                    }
                }
            }
        }
    }
}

#[tokio::test]
async fn the_host_of_a_table_moves_for_any_seat() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        let stage = stage(&app, *kind, Mode::Table, false).await;
        let host = stage.game.host();
        let answer = host.moves_as(0, &stage.mv, &[]).await.good();
        let first = &answer["events"][0];
        assert_eq!(first["actor"], json!({"kind": "seat", "seat": 0}));
        assert_eq!(first["by"], json!({"role": "host"}));
        host.moves(&stage.mv).await.problem(400, "invalid_request");
        host.get("/legal-moves")
            .await
            .problem(400, "invalid_request");
    }
}

#[tokio::test]
async fn a_private_game_answers_strangers_like_none_at_all() {
    const NONE: &str = "01890a5d-ac96-774b-bcce-b302099a8057";
    let app = TestApp::start().await;
    let kind = GameKind::ALL[0];
    let elsewhere = app.create(&Setup::dealt(kind)).await;
    for mode in [Mode::Virtual, Mode::Table] {
        let stage = stage(&app, kind, mode, false).await;
        let mut routes = routes(&stage.mv, &stage.outcome);
        for (path, template) in [
            ("/state?at=0", "/state"),
            ("/state?at=99999", "/state"),
            ("/state?at=x", "/state"),
            ("/events?limit=0", "/events"),
            ("/events?after=-1", "/events"),
            ("/verification?version=1", "/verification"),
            ("/verification?version=1&hash=0", "/verification"),
            ("/changes?from=0&to=1", "/changes"),
            ("/changes?from=1", "/changes"),
            ("/position?at=0", "/position"),
            ("/position?at=x", "/position"),
            ("/legal-moves?seat=77", "/legal-moves"),
            ("/legal-moves?chair=0", "/legal-moves"),
        ] {
            routes.push(Route {
                path,
                ..reads(template)
            });
        }
        for path in [
            "/moves",
            "/rulings",
            "/declarations",
            "/abandon",
            "/seats/0/claim",
            "/seats/1/claim",
            "/seats/9/claim",
            "/seats/x/claim",
            "/seats/0/token",
            "/disputes",
            "/disputes/1/votes",
            "/disputes/1/withdraw",
            "/disputes/x/votes",
            "/confirmations",
            "/confidences",
            "/takebacks",
        ] {
            for body in [
                json!({"wrong": 1}),
                json!([]),
                json!({"seat": 9, "move": {}}),
                json!({"code": 1}),
            ] {
                routes.push(posts(path, body));
            }
        }
        for route in &routes {
            for role in [NoToken, UnknownToken, OtherGamesToken] {
                let caller = stage.caller(role, &elsewhere);
                let private = ask(&caller, route).await;
                let missing = ask(&caller.about(NONE), route).await;
                let mut told = private.essence();
                if private.status == 400 {
                    // A path that no game could have is refused before any game is looked for.
                    told.2 = private.text().replace(stage.game.id(), NONE).into_bytes();
                }
                assert_eq!(told, missing.essence(), "{mode:?} {role:?} {}", route.path);
            }
        }
    }
}

#[tokio::test]
async fn no_route_of_a_game_is_forgotten_here() {
    let app = TestApp::start().await;
    let document = app.get("/openapi.json").await.good();
    let served: BTreeSet<(String, String)> = document["paths"]
        .as_object()
        .unwrap()
        .iter()
        .filter_map(|(path, item)| Some((path.strip_prefix("/v1/games/{id}")?, item)))
        .flat_map(|(path, item)| {
            let methods = item.as_object().unwrap().keys();
            methods.map(|method| (method.to_uppercase(), path.to_owned()))
        })
        .collect();
    let checked = routes(&Value::Null, &Value::Null).into_iter();
    let checked = checked.map(|route| (route.method.to_string(), route.template.to_owned()));
    assert_eq!(served, checked.collect());
}

#[tokio::test]
async fn what_belongs_to_no_game_needs_no_token() {
    let app = TestApp::start().await;
    for path in ["/v1/games", "/v1/keys", "/v1/rulebooks"] {
        let request = app
            .request(Method::GET, path)
            .bearer_auth("ref_host_unknown");
        crate::helpers::answer(request).await.good();
    }
}
