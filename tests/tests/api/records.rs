//! Whole games: exported, judged, imported, forked, compared.

mod imports;

use std::process::Stdio;

use domain::dealer::Mode;
use domain::rulesets::GameKind;
use reqwest::Method;
use reqwest::header::CONTENT_TYPE;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;

use crate::helpers::{Answer, Api, Caller, Game, Play, Setup, TestApp, answer, finished, referee};

const DRAGONS: GameKind = GameKind::SchatzDerDrachen;

async fn judge(api: &Api, query: &str, record: &Value) -> Answer {
    api.post(&format!("/v1/replays{query}"), record.to_string())
        .await
}

async fn judge_lines(api: &Api, text: impl Into<reqwest::Body>) -> Answer {
    answer(
        api.request(Method::POST, "/v1/replays")
            .header(CONTENT_TYPE, "application/x-ndjson")
            .body(text),
    )
    .await
}

async fn played(app: &TestApp, setup: Setup, steps: usize) -> Game {
    let game = app.create(&setup).await;
    Play::of(&game, 3).await.steps(steps).await;
    game
}

async fn record(caller: &Caller) -> Value {
    caller.get("/record").await.good()
}

async fn record_as_lines(caller: &Caller) -> String {
    let request = caller.request(Method::GET, "/record");
    let answer = answer(request.header("accept", "application/x-ndjson")).await;
    assert_eq!(answer.header("content-type"), "application/x-ndjson");
    answer.text().to_owned()
}

fn without(record: &Value, part: &str) -> Value {
    let mut record = record.clone();
    record.as_object_mut().unwrap().remove(part);
    record
}

/// A small record whose first seat moves out of turn at the end.
fn illegal() -> Value {
    json!({
        "format": "referee-record/1", "game": "schatz_der_drachen", "mode": "table",
        "seats": [{"name": "Anna"}, {"name": "Bo"}],
        "entries": [{"seat": 1, "move": {"type": "stop"}}]
    })
}

#[tokio::test]
async fn a_record_is_legal_for_whoever_exports_it() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        for mode in [Mode::Virtual, Mode::Table] {
            let game = played(&app, Setup::new(*kind, mode).public(), 8).await;
            let version = game.host().version().await;
            for caller in [game.seat(0), game.seat(1), game.host(), game.stranger()] {
                let whole = record(&caller).await;
                assert_eq!(whole["format"], "referee-record/1");
                for record in [
                    &whole,
                    &without(&whole, "entries"),
                    &without(&whole, "events"),
                ] {
                    let verdict = judge(&app, "", record).await.good();
                    assert_eq!(verdict["verdict"], "legal", "{verdict}");
                    assert_eq!(verdict["version"], version, "{verdict}");
                    assert_eq!(verdict["masked"], whole["masked"], "{verdict}");
                }
                let lines = record_as_lines(&caller).await;
                let verdict = judge_lines(&app, lines).await.good();
                assert_eq!(verdict["verdict"], "legal", "{verdict}");
                assert_eq!(verdict["turn"], game.host().summary().await["turn"]);
            }
        }
    }
}

#[tokio::test]
async fn a_running_virtual_record_hides_what_its_reader_may_not_know() {
    let app = TestApp::start().await;
    let game = played(&app, Setup::dealt(GameKind::SkipBo), 2).await;
    let own = record(&game.seat(0)).await;
    assert_eq!(own["masked"], true);
    assert!(
        own["events"]
            .as_array()
            .unwrap()
            .iter()
            .all(|event| event["salt"].is_null())
    );
    for entry in own["entries"].as_array().unwrap() {
        let outcome = &entry["outcome"];
        if outcome["type"] == "draw" {
            assert_eq!(outcome["cards"].is_array(), outcome["seat"] == 0, "{entry}");
        }
    }
    game.host().abandons().await.good();
    let opened = record(&game.seat(0)).await;
    assert!(opened["masked"].is_null());
    assert_eq!(judge(&app, "", &opened).await.good()["verdict"], "legal");
}

#[tokio::test]
async fn a_verdict_names_the_rule_and_the_state_before_it() {
    let app = TestApp::start().await;
    let verdict = judge(&app, "", &illegal()).await.good();
    assert_eq!(verdict["verdict"], "illegal");
    assert_eq!(
        (&verdict["at_entry"], &verdict["rule"]["id"]),
        (&json!(0), &json!("CM-2"))
    );
    assert_eq!(verdict["version"], 1);
    assert!(verdict["detail"].is_string() && verdict["view"].is_object());

    let game = played(&app, Setup::table(DRAGONS), 6).await;
    let mut damaged = record(&game.host()).await;
    let event = &mut damaged["events"][3];
    event["at"] = "2001-01-01T00:00:00Z".into();
    let verdict = judge(&app, "", &without(&damaged, "entries")).await.good();
    assert_eq!(
        (&verdict["verdict"], &verdict["at_seq"]),
        (&json!("diverged"), &json!(4))
    );

    let whole = record(&game.host()).await;
    let mut entries = whole["entries"].as_array().unwrap().clone();
    let extra = entries.pop().unwrap();
    let mut shorter = whole.clone();
    shorter["entries"] = entries.clone().into();
    let verdict = judge(&app, "", &shorter).await.good();
    assert_eq!(verdict["verdict"], "diverged");
    assert_eq!(verdict["expected"], Value::Null);
    assert!(verdict["found"].is_object());

    let verdict = judge(&app, "?entries=2", &whole).await.good();
    assert_eq!(
        (&verdict["verdict"], &verdict["entries"]),
        (&json!("legal"), &json!(2))
    );

    entries.insert(0, extra);
    shorter["entries"] = entries.into();
    let log = without(&shorter, "events");
    let verdict = judge(&app, "?tolerant=true", &log).await.good();
    assert_eq!(verdict["lines"][0]["result"], "refused");
    assert!(
        verdict["lines"][0]["rule"]["id"].is_string() && verdict["lines"][0]["detail"].is_string()
    );
    assert!(verdict["rules_seen"].is_object());
}

#[tokio::test]
async fn a_record_is_judged_by_the_version_of_the_rules_that_is_asked_for() {
    let app = TestApp::start().await;
    let first = app.get("/v1/rulebooks/skip_bo").await.good();
    let second = app
        .get("/v1/rulebooks/skip_bo?rules_version=2")
        .await
        .good();
    assert_eq!(
        (&first["rules_version"], &second["rules_version"]),
        (&json!(1), &json!(2))
    );
    assert_eq!(first["rules_versions"], json!([1, 2]));
    let rule = |book: &Value| {
        let rules = book["rules"].as_array().unwrap();
        rules
            .iter()
            .find(|rule| rule["id"] == "SB-3.8")
            .unwrap()
            .clone()
    };
    assert_ne!(rule(&first), rule(&second));
    app.get("/v1/rulebooks/skip_bo?rules_version=3")
        .await
        .problem(400, "invalid_request");
    app.get("/v1/rulebooks/wrozka?rules_version=2")
        .await
        .problem(400, "invalid_request");

    let by_second = Setup::dealt(GameKind::SkipBo).with("rules_version", 2.into());
    let game = played(&app, by_second, 4).await;
    assert_eq!(game.host().summary().await["rules_version"], 2);

    let setup = Setup::table(GameKind::SkipBo).seats(2);
    let game = app.create(&setup).await;
    let host = game.host();
    let tops = [("1", 0), ("2", 1)]
        .map(|(card, seat)| json!({"type": "stock_top", "seat": seat, "card": card}));
    host.declares(&tops).await.good();
    let slight = json!({"type": "discard", "card": "7", "pile": 0});
    game.seat(0).moves(&slight).await.good();
    let whole = record(&host).await;
    for record in [
        &whole,
        &without(&whole, "entries"),
        &without(&whole, "events"),
    ] {
        let verdict = judge(&app, "?rules_version=2", record).await.good();
        assert_eq!(verdict["verdict"], "illegal", "{verdict}");
        assert_eq!(verdict["rule"]["id"], "SB-3.8");
        assert_eq!(verdict["rule"]["text"], rule(&second)["text"]);
        assert_eq!(
            verdict["rules_differ"],
            json!({"pinned": 1, "judged_by": 2, "at_entry": 2})
        );
        let verdict = judge(&app, "", record).await.good();
        assert_eq!(
            (&verdict["verdict"], &verdict["rules_differ"]),
            (&json!("legal"), &Value::Null)
        );
    }
    judge(&app, "?rules_version=7", &whole)
        .await
        .problem(400, "invalid_request");
}

#[tokio::test]
async fn a_record_that_cannot_be_judged_says_where() {
    let app = TestApp::start().await;
    let pointer = |body: Value| body["errors"][0]["pointer"].as_str().unwrap().to_owned();
    let good = illegal();
    let mut bad = good.clone();
    bad["entries"][0]["move"]["type"] = "fly".into();
    assert_eq!(
        pointer(judge(&app, "", &bad).await.problem(400, "invalid_request")),
        "/entries/0/move"
    );
    let mut bad = good.clone();
    bad["format"] = "referee-record/9".into();
    assert_eq!(
        pointer(judge(&app, "", &bad).await.problem(400, "invalid_request")),
        "/format"
    );
    let mut bad = good.clone();
    bad["seats"] = json!([]);
    for path in ["/v1/replays", "/v1/games/import"] {
        let refusal = app.post(path, bad.to_string()).await;
        assert_eq!(refusal.problem(422, "invalid_setup")["rule"]["id"], "CM-1");
    }
    judge(&app, "?tolerant=maybe", &good)
        .await
        .problem(400, "invalid_request");
    judge(&app, "?lenient=true", &good)
        .await
        .problem(400, "invalid_request");
    let twice = good.to_string().replacen('{', r#"{"mode":"table","#, 1);
    app.post("/v1/replays", twice)
        .await
        .problem(400, "invalid_request");

    let header = without(&good, "entries").to_string();
    for (text, line) in [
        (format!("\u{feff}{header}\n"), "line 1"),
        (format!("{header}\r\n\r\n{{\"seat\":0,"), "line 3"),
        (
            format!("{header}\n{{\"abandon\":{{}},\"abandon\":{{}}}}\n"),
            "line 2",
        ),
        (format!("{header}\n{}\n", "[".repeat(1 << 20)), "line 2"),
        (String::new(), "line 1"),
    ] {
        let body = judge_lines(&app, text)
            .await
            .problem(400, "invalid_request");
        assert!(body["detail"].as_str().unwrap().contains(line), "{body}");
    }
}

#[tokio::test]
async fn records_may_be_far_larger_than_other_bodies_and_no_larger_than_64_mib() {
    let app = TestApp::start().await;
    let long = format!(
        "{}\n{}",
        without(&illegal(), "entries"),
        "\n".repeat(4 << 20)
    );
    assert_eq!(judge_lines(&app, long).await.good()["verdict"], "legal");
    for path in ["/v1/replays", "/v1/games/import"] {
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n",
            64 * 1024 * 1024 + 1
        );
        let answer = app.raw(&head).await;
        assert!(answer.starts_with("HTTP/1.1 413 "), "{answer}");
    }
}

#[tokio::test]
async fn a_record_of_more_parts_than_any_game_has_is_refused_with_the_reason() {
    let app = TestApp::start().await;
    let header = without(&illegal(), "entries").to_string();
    let header = header.strip_suffix('}').unwrap();
    let many = format!("{header},\"entries\":[{}1]}}", "1,".repeat(1_000_000));
    let long = format!("{header},\"entries\":[[{}1]]}}", "1,".repeat(1 << 20));
    for (text, reason) in [
        (many, "at most 1000000 entries"),
        (long, "at most 1048576 bytes"),
    ] {
        for path in ["/v1/replays", "/v1/games/import"] {
            let refusal = app.post(path, text.clone()).await;
            let body = refusal.problem(400, "invalid_request");
            let why = body["errors"][0]["detail"].as_str().unwrap();
            assert!(why.contains(reason), "{body}");
        }
    }
}

#[tokio::test]
async fn the_command_line_judges_as_the_service_does() {
    let app = TestApp::start().await;
    let game = played(&app, Setup::table(DRAGONS), 6).await;
    let whole = record(&game.host()).await;
    let lines = record_as_lines(&game.host()).await;
    let directory = tempfile::tempdir().unwrap();
    let mut diverged = whole.clone();
    diverged["events"][2]["hash"] = "0".repeat(64).into();
    let mut impossible = illegal();
    impossible["seats"] = json!([]);
    for (name, text) in [
        ("whole.json", whole.to_string()),
        ("pretty.json", format!("{whole:#}")),
        ("lines.ndjson", lines.clone()),
        ("illegal.json", illegal().to_string()),
        ("diverged.json", without(&diverged, "entries").to_string()),
        ("impossible.json", impossible.to_string()),
        ("half.json", whole.to_string()[..100].to_owned()),
        ("half.ndjson", lines[..lines.len() - 5].to_owned()),
    ] {
        std::fs::write(directory.path().join(name), text).unwrap();
    }
    for (files, code) in [
        (&["whole.json"][..], 0),
        (&["pretty.json", "lines.ndjson"], 0),
        (&["illegal.json"], 1),
        (&["diverged.json"], 1),
        (&["impossible.json"], 1),
        (&["half.json"], 2),
        (&["half.ndjson"], 2),
        (&["missing.json"], 2),
        (&["whole.json", "illegal.json"], 1),
        (&["illegal.json", "half.json", "whole.json"], 2),
    ] {
        for json in [false, true] {
            let flag = ["--json"];
            let flags = if json { &flag[..] } else { &[] };
            let arguments = [&["replay"], flags, files].concat();
            let output = finished(referee(directory.path(), &arguments)).await;
            let told = String::from_utf8(output.stdout).unwrap();
            assert_eq!(output.status.code(), Some(code), "{files:?}: {told}");
            if json {
                let answers: Vec<Value> = told
                    .lines()
                    .map(|line| serde_json::from_str(line).unwrap())
                    .collect();
                assert_eq!(answers.len(), files.len());
            } else {
                assert!(files.iter().all(|file| told.contains(file)), "{told}");
            }
        }
    }
    let half = finished(referee(directory.path(), &["replay", "half.ndjson"])).await;
    let last = format!("line {}", lines.lines().count());
    assert!(String::from_utf8(half.stdout).unwrap().contains(&last));

    let files = ["replay", "whole.json", "illegal.json", "half.json"];
    let several = finished(referee(directory.path(), &files)).await;
    let told = String::from_utf8(several.stdout).unwrap();
    let last = told.lines().last();
    assert_eq!(last, Some("1 legal, 1 not legal, 1 unreadable"), "{told}");
    let files = ["replay", "--tolerant", "illegal.json"];
    let tolerant = finished(referee(directory.path(), &files)).await;
    assert_eq!(tolerant.status.code(), Some(1));
    let told = String::from_utf8(tolerant.stdout).unwrap();
    assert!(
        told.lines().any(|line| line.contains(" refused: ")),
        "{told}"
    );

    let by_service = judge(&app, "", &whole).await.good();
    let by_command = finished(referee(
        directory.path(),
        &["replay", "--json", "whole.json"],
    ))
    .await;
    let by_command: Value = serde_json::from_slice(&by_command.stdout).unwrap();
    assert_eq!(by_command["judgement"], by_service);

    for (text, code) in [
        (whole.to_string(), 0),
        (lines, 0),
        (illegal().to_string(), 1),
        (String::new(), 2),
    ] {
        let mut command = referee(directory.path(), &["replay", "-"]);
        let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(text.as_bytes()).await.unwrap();
        drop(input);
        assert_eq!(
            child.wait_with_output().await.unwrap().status.code(),
            Some(code)
        );
    }
}
