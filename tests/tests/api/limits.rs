//! How often an address may call.

use crate::helpers::TestApp;

#[tokio::test]
async fn beyond_its_rate_an_address_is_told_to_wait() {
    let app = TestApp::start_with(&["--rate-limit", "1", "--rate-burst", "2"]).await;
    app.get("/v1/keys").await.good();
    app.get("/nothing").await.problem(404, "not_found");
    let answer = app.get("/v1/keys").await;
    answer.problem(429, "too_many_requests");
    assert_eq!(answer.header("retry-after"), "1");
    app.get("/health/live").await.good();
}

#[tokio::test]
async fn without_a_limit_nobody_waits() {
    let app = TestApp::start().await;
    for _ in 0..50 {
        app.get("/v1/keys").await.good();
    }
}
