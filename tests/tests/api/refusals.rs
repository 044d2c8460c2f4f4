//! Every refusal is a problem, whoever refuses.

use reqwest::Method;
use reqwest::header::{ACCEPT, ACCEPT_ENCODING};

use crate::helpers::{TestApp, answer};

#[tokio::test]
async fn an_unknown_path_is_not_found() {
    let app = TestApp::start().await;
    for path in [
        "/",
        "/nothing",
        "/v1",
        "/v1/keys/1",
        "/v2/keys",
        "/docs/nothing.html",
    ] {
        let body = app.get(path).await.problem(404, "not_found");
        assert_eq!(body["instance"], path);
    }
}

#[tokio::test]
async fn a_wrong_method_is_answered_with_those_allowed() {
    let app = TestApp::start().await;
    for method in [
        Method::POST,
        Method::PUT,
        Method::DELETE,
        Method::PATCH,
        Method::OPTIONS,
    ] {
        let answer = answer(app.request(method, "/v1/keys")).await;
        answer.problem(405, "method_not_allowed");
        assert_eq!(answer.header("allow"), "GET, HEAD");
    }
    let made_up = Method::from_bytes(b"BREW").unwrap();
    answer(app.request(made_up, "/v1/keys"))
        .await
        .problem(405, "method_not_allowed");
}

#[tokio::test]
async fn an_unacceptable_representation_is_refused_with_those_there_are() {
    let app = TestApp::start().await;
    let body = answer(
        app.request(Method::GET, "/v1/keys")
            .header(ACCEPT, "text/html, image/*"),
    )
    .await
    .problem(406, "not_acceptable");
    assert!(
        body["detail"]
            .as_str()
            .unwrap()
            .contains("application/json")
    );
    for accept in [
        "application/*",
        "text/html, */*;q=0.1",
        "application/json",
        "nonsense",
    ] {
        answer(app.request(Method::GET, "/v1/keys").header(ACCEPT, accept))
            .await
            .good();
    }
}

#[tokio::test]
async fn an_unknown_query_parameter_is_refused() {
    let app = TestApp::start().await;
    for query in ["limit=1", "=", "limi%74", "a&b"] {
        app.get(&format!("/v1/keys?{query}"))
            .await
            .problem(400, "invalid_request");
    }
    app.get("/v1/keys?").await.good();
}

#[tokio::test]
async fn a_path_or_query_that_is_no_text_is_refused() {
    let app = TestApp::start().await;
    for path in [
        "/problems/%ff",
        "/problems/%C3%28",
        "/problems/%zz",
        "/v1/keys?a=%ff",
        "/v1/keys?%",
    ] {
        let received = app
            .raw(&format!(
                "GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            ))
            .await;
        assert!(received.starts_with("HTTP/1.1 400 "), "{path}: {received}");
        assert!(
            received.contains("\"invalid_request\""),
            "{path}: {received}"
        );
    }
}

#[tokio::test]
async fn a_panic_is_an_internal_problem_and_the_server_goes_on() {
    let app = TestApp::start_with_probes(&[]).await;
    for _ in 0..2 {
        let answer = app.get("/panic").await;
        assert_eq!(answer.status.as_u16(), 500);
        assert_eq!(answer.header("content-type"), "application/problem+json");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert!(answer.text().contains("\"internal\""));
        assert!(!answer.text().contains("always fails"), "{}", answer.text());
    }
    app.get("/v1/keys").await.good();
}

#[tokio::test]
async fn head_is_get_without_the_body() {
    let app = TestApp::start().await;
    let get = app.get("/v1/keys").await;
    let head = answer(
        app.request(Method::HEAD, "/v1/keys")
            .header(ACCEPT_ENCODING, "gzip"),
    )
    .await;
    assert_eq!(head.status, 200);
    assert_eq!(head.header("content-length"), get.body.len().to_string());
    assert!(head.body.is_empty());
    assert_eq!(
        answer(app.request(Method::HEAD, "/nothing")).await.status,
        404
    );
}

#[tokio::test]
async fn the_type_of_a_problem_leads_to_an_explanation() {
    let app = TestApp::start().await;
    let problem = app.get("/nothing").await.problem(404, "not_found");
    let uri = problem["type"].as_str().unwrap();

    let explained = app.get(uri).await.good();
    assert_eq!(explained["type"], problem["type"]);
    assert_eq!(explained["title"], problem["title"]);

    let page = answer(app.request(Method::GET, uri).header(ACCEPT, "text/html")).await;
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    assert!(page.text().contains(problem["title"].as_str().unwrap()));

    app.get("/problems/unheard_of")
        .await
        .problem(404, "not_found");
}
