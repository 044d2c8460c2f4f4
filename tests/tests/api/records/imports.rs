//! Games that are imported, forked and compared.

use domain::dealer::Mode;
use domain::rulesets::GameKind;
use reqwest::Method;
use reqwest::header::CONTENT_TYPE;
use serde_json::{Value, json};

use super::{DRAGONS, illegal, judge, played, record, without};
use crate::helpers::{Game, Play, Setup, TestApp, answer};

#[tokio::test]
async fn an_imported_game_is_read_verified_and_played_on() {
    let app = TestApp::start().await;
    for mode in [Mode::Virtual, Mode::Table] {
        let setup = Setup::new(DRAGONS, mode);
        let parent = played(&app, setup, 5).await;
        let whole = record(&parent.host()).await;
        let answer = app.post("/v1/games/import", whole.to_string()).await;
        assert_eq!(answer.status, 201);
        let created = answer.good();
        assert_eq!(
            answer.header("location"),
            format!("/v1/games/{}", created["id"].as_str().unwrap())
        );
        let game = Game::new((*app).clone(), created);
        let last = whole["events"].as_array().unwrap().last().unwrap()["hash"].clone();
        let summary = game.host().summary().await;
        assert_eq!(summary["imported_from"], last);
        assert_eq!(summary["version"], parent.host().version().await);
        assert_ne!(game.id(), parent.id());
        parent.seat(0).get("/state").await.good();
        game.stranger().get("").await.problem(404, "not_found");
        game.with_token(parent.seat_token(0))
            .get("")
            .await
            .problem(404, "not_found");

        Play::of(&game, 9).await.steps(3).await;
        game.host().abandons().await;
        let verification = game.host().get("/verification").await.good();
        assert_eq!(verification["valid"], true, "{verification}");
        let fairness = if mode == Mode::Virtual {
            "imported"
        } else {
            "not_applicable"
        };
        assert_eq!(verification["checks"]["fairness"], fairness);
        assert_eq!(
            judge(&app, "", &record(&game.host()).await).await.good()["verdict"],
            "legal"
        );
    }
}

#[tokio::test]
async fn what_is_not_legal_is_not_imported() {
    let app = TestApp::start().await;
    let refusal = app.post("/v1/games/import", illegal().to_string()).await;
    refusal.against("CM-2");
    let game = played(&app, Setup::table(DRAGONS), 4).await;
    let mut damaged = record(&game.host()).await;
    damaged["events"][2]["at"] = "2001-01-01T00:00:00Z".into();
    for record in [&damaged, &without(&damaged, "entries")] {
        let refusal = app.post("/v1/games/import", record.to_string()).await;
        let problem = refusal.problem(400, "invalid_request");
        assert_eq!(problem["errors"][0]["pointer"], "/events/2");
    }
    let mut empty = damaged.clone();
    empty["events"] = json!([]);
    app.post("/v1/games/import", empty.to_string())
        .await
        .problem(400, "invalid_request");
    let mut unnamed = illegal();
    unnamed["seats"][1]["name"] = "".into();
    app.post("/v1/games/import", unnamed.to_string())
        .await
        .problem(400, "invalid_request");
    let keyed = app
        .request(Method::POST, "/v1/games/import")
        .header(CONTENT_TYPE, "application/json")
        .header("idempotency-key", "\"k\"")
        .body(without(&illegal(), "events").to_string());
    answer(keyed).await.problem(400, "invalid_request");
}

#[tokio::test]
async fn a_masked_record_is_imported_to_be_read_and_not_played_on() {
    let app = TestApp::start().await;
    let parent = played(&app, Setup::dealt(GameKind::SkipBo), 3).await;
    let masked = record(&parent.seat(0)).await;
    let imported = app
        .post("/v1/games/import", masked.to_string())
        .await
        .good();
    let game = Game::new((*app).clone(), imported);
    let theirs = parent.host().get("/state").await.good();
    let ours = game.host().get("/state").await.good();
    assert_eq!(ours["view"], theirs["view"]);
    let seat = ours["turn"]["seat"].as_u64().unwrap() as u8;
    assert!(game.seat(seat).legal_moves().await.is_empty());
    let pass = json!({"type": "pass"});
    game.seat(seat).moves(&pass).await.against("CM-4");
    game.host().abandons().await.good();
    let verification = game.host().get("/verification").await.good();
    assert_eq!(verification["valid"], true, "{verification}");
    assert_eq!(record(&game.host()).await["masked"], true);
}

#[tokio::test]
async fn a_game_is_forked_by_whoever_may_read_it() {
    let app = TestApp::start().await;
    let parent = played(&app, Setup::table(DRAGONS), 6).await;
    let body = json!({"at": 3}).to_string();
    parent
        .stranger()
        .post("/forks", body.clone())
        .await
        .problem(404, "not_found");
    let public = played(&app, Setup::table(DRAGONS).public(), 6).await;
    let forked = public.stranger().post("/forks", body.clone()).await;
    assert_eq!(forked.status, 201, "{}", forked.text());
    public
        .with_token("nonsense")
        .post("/forks", body.clone())
        .await
        .problem(401, "unauthorized");
    public
        .with_token(parent.host_token())
        .post("/forks", body.clone())
        .await
        .problem(403, "forbidden");
    for at in [json!(0), json!(1000), json!("3"), json!(2.5)] {
        let refusal = parent
            .host()
            .post("/forks", json!({"at": at}).to_string())
            .await;
        refusal.problem(400, "invalid_request");
    }
    let keyed = parent
        .host()
        .post_with("/forks", body.clone(), &[("idempotency-key", "\"k\"")])
        .await;
    keyed.problem(400, "invalid_request");

    let before = parent.host().events().await;
    let fork = Game::new(
        (*app).clone(),
        parent.seat(1).post("/forks", body).await.good(),
    );
    assert_eq!(
        fork.created["forked_from"],
        json!({"game": parent.id(), "version": 3})
    );
    assert!(fork.created["opened"].is_null());
    assert_eq!(parent.host().summary().await["forks"], json!([fork.id()]));
    assert_eq!(
        fork.host().summary().await["forked_from"]["game"],
        parent.id()
    );
    let view = |state: Value| state["view"].clone();
    assert_eq!(
        view(fork.host().get("/state?at=3").await.good()),
        view(parent.host().get("/state?at=3").await.good())
    );
    fork.with_token(parent.seat_token(0))
        .get("")
        .await
        .problem(404, "not_found");
    Play::of(&fork, 4).await.steps(4).await;
    assert_eq!(fork.host().get("/verification").await.good()["valid"], true);
    assert_eq!(parent.host().events().await, before);
}

#[tokio::test]
async fn a_virtual_game_is_forked_once_it_is_over_and_the_fork_says_so() {
    let app = TestApp::start().await;
    let parent = played(&app, Setup::dealt(GameKind::SkipBo), 3).await;
    let body = json!({"at": parent.host().version().await}).to_string();
    parent
        .host()
        .post("/forks", body.clone())
        .await
        .problem(409, "not_over");
    parent.host().abandons().await.good();
    let fork = Game::new(
        (*app).clone(),
        parent.host().post("/forks", body).await.good(),
    );
    assert_eq!(fork.created["opened"], true);
    assert_eq!(fork.created["status"], "in_progress");
    assert_ne!(
        fork.created["fairness"]["commitment"],
        parent.created["fairness"]["commitment"]
    );
    Play::of(&fork, 4).await.steps(5).await;
    fork.host().abandons().await.good();
    assert_eq!(fork.host().summary().await["opened"], true);
    let verification = fork.host().get("/verification").await.good();
    assert_eq!(
        (&verification["valid"], &verification["checks"]["fairness"]),
        (&json!(true), &json!("imported"))
    );
    let secret = |fairness: Value| fairness["secret"].as_str().unwrap().to_owned();
    assert_ne!(
        secret(fork.host().get("/fairness").await.good()),
        secret(parent.host().get("/fairness").await.good())
    );
}

#[tokio::test]
async fn a_patch_makes_one_view_the_other() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        let game = played(&app, Setup::table(*kind).public(), 6).await;
        let version = game.host().version().await;
        for (from, to) in [(1, version), (version, 1), (2, 2)] {
            let view = async |at: u64| {
                let state = game.stranger().get(&format!("/state?at={at}")).await.good();
                state["view"].clone()
            };
            let path = format!("/changes?from={from}&to={to}");
            let request = game.stranger().request(Method::GET, &path);
            let answer = answer(request).await;
            assert_eq!(answer.status, 200, "{}", answer.text());
            assert_eq!(answer.header("content-type"), "application/json-patch+json");
            let patch: json_patch::Patch = serde_json::from_slice(&answer.body).unwrap();
            let mut patched = view(from).await;
            json_patch::patch(&mut patched, &patch).unwrap();
            assert_eq!(patched, view(to).await, "{kind:?} from {from} to {to}");
        }
        for query in [
            "",
            "?from=1",
            "?from=0&to=1",
            "?from=1&to=999",
            "?from=1&to=2&at=3",
        ] {
            let path = format!("/changes{query}");
            game.host().get(&path).await.problem(400, "invalid_request");
        }
    }
    let private = app.create(&Setup::table(DRAGONS)).await;
    private
        .stranger()
        .get("/changes?from=1&to=1")
        .await
        .problem(404, "not_found");
}
