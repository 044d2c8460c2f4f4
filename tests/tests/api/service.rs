//! Health, keys, metrics.

use std::os::unix::fs::PermissionsExt;

use crate::helpers::TestApp;

#[tokio::test]
async fn a_running_server_is_live_and_ready() {
    let app = TestApp::start().await;
    for path in ["/health/live", "/health/ready"] {
        assert_eq!(app.get(path).await.good()["status"], "ok");
    }
}

#[tokio::test]
async fn answers_are_safe_in_a_browser_and_have_names() {
    let app = TestApp::start().await;
    let (one, other) = (app.get("/v1/keys").await, app.get("/v1/keys").await);
    assert_eq!(one.header("x-content-type-options"), "nosniff");
    assert!(
        one.header("content-security-policy")
            .contains("default-src 'none'")
    );
    assert!(!one.header("x-request-id").is_empty());
    assert_ne!(one.header("x-request-id"), other.header("x-request-id"));
}

#[tokio::test]
async fn the_signing_key_is_made_beside_the_database_for_its_owner_alone() {
    let app = TestApp::start().await;
    let file = app.directory.path().join("referee.db.key");
    assert_eq!(
        file.metadata().unwrap().permissions().mode() & 0o7777,
        0o600
    );

    let keys = app.get("/v1/keys").await.good();
    let key = &keys["keys"][0];
    assert_eq!(key["algorithm"], "Ed25519");
    assert_eq!(
        hex::decode(key["public_key"].as_str().unwrap())
            .unwrap()
            .len(),
        32
    );
    let secret = std::fs::read_to_string(file).unwrap();
    assert!(!keys.to_string().contains(secret.trim()));
}

#[tokio::test]
async fn metrics_have_a_listener_of_their_own() {
    let app = TestApp::start_with(&["--metrics-listen", "127.0.0.1:0"]).await;
    app.get("/v1/keys").await.good();
    app.get("/problems/disputed").await.good();
    app.get("/nothing").await.problem(404, "not_found");
    app.get("/metrics").await.problem(404, "not_found");

    let metrics = format!("http://{}/metrics", app.metrics_address.unwrap());
    let text = reqwest::get(metrics).await.unwrap().text().await.unwrap();
    for line in [
        "referee_http_requests_total{method=\"GET\",route=\"/v1/keys\",status=\"2xx\"} 1",
        "referee_http_requests_total{method=\"GET\",route=\"/problems/{code}\",status=\"2xx\"} 1",
        "referee_http_requests_total{method=\"GET\",route=\"unmatched\",status=\"4xx\"} 2",
        "referee_http_request_duration_seconds_count{method=\"GET\",route=\"/v1/keys\"} 1",
    ] {
        assert!(text.contains(line), "{line} in\n{text}");
    }
    assert!(!text.contains("/problems/disputed"));
}

#[tokio::test]
async fn without_being_asked_for_there_are_no_metrics() {
    assert_eq!(TestApp::start().await.metrics_address, None);
}
