//! Pages of other origins.

use reqwest::Method;
use reqwest::header::{ACCESS_CONTROL_REQUEST_HEADERS, ACCESS_CONTROL_REQUEST_METHOD, ORIGIN};

use crate::helpers::{Answer, TestApp, answer};

const PAGE: &str = "https://table.example";

async fn get_from(app: &TestApp, path: &str) -> Answer {
    answer(app.request(Method::GET, path).header(ORIGIN, PAGE)).await
}

#[tokio::test]
async fn no_origin_is_allowed_unless_asked_for() {
    let app = TestApp::start().await;
    let answer = get_from(&app, "/v1/keys").await;
    assert_eq!(answer.header("access-control-allow-origin"), "");
}

#[tokio::test]
async fn an_allowed_origin_may_call_and_read_what_it_needs() {
    let app = TestApp::start_with(&["--cors-origin", PAGE]).await;
    let preflight = answer(
        app.request(Method::OPTIONS, "/v1/keys")
            .header(ORIGIN, PAGE)
            .header(ACCESS_CONTROL_REQUEST_METHOD, "POST")
            .header(
                ACCESS_CONTROL_REQUEST_HEADERS,
                "authorization,if-match,idempotency-key",
            ),
    )
    .await;
    assert!(preflight.status.is_success(), "{preflight:?}");
    assert_eq!(preflight.header("access-control-allow-origin"), PAGE);

    for path in ["/v1/keys", "/nothing"] {
        let answer = get_from(&app, path).await;
        assert_eq!(answer.header("access-control-allow-origin"), PAGE);
        assert_eq!(answer.header("access-control-allow-credentials"), "");
        let exposed = answer
            .header("access-control-expose-headers")
            .to_ascii_lowercase();
        for name in [
            "etag",
            "location",
            "retry-after",
            "idempotent-replayed",
            "x-request-id",
        ] {
            assert!(exposed.contains(name), "{name} in {exposed}");
        }
    }
    get_from(&app, "/nothing").await.problem(404, "not_found");
}

#[tokio::test]
async fn another_origin_is_told_nothing() {
    let app = TestApp::start_with(&["--cors-origin", "https://other.example"]).await;
    let answer = get_from(&app, "/v1/keys").await;
    assert_eq!(answer.header("access-control-allow-origin"), "");
}

#[tokio::test]
async fn any_origin_can_be_allowed() {
    let app = TestApp::start_with(&["--cors-origin", "*"]).await;
    let answer = get_from(&app, "/v1/keys").await;
    assert_eq!(answer.header("access-control-allow-origin"), "*");
}
