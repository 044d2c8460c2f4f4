//! The OpenAPI document and the page that shows it.

use std::path::Path;

use serde_json::Value;

use crate::helpers::TestApp;

/// With `UPDATE_OPENAPI` set the checked-in document is written anew.
#[tokio::test]
async fn the_checked_in_document_is_the_one_served() {
    let app = TestApp::start().await;
    let served = app.get("/openapi.json").await.good();
    let pretty = format!("{served:#}\n");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../openapi/openapi.json");
    if std::env::var_os("UPDATE_OPENAPI").is_some() {
        std::fs::write(&file, &pretty).unwrap();
    }
    let checked_in = std::fs::read_to_string(&file).unwrap();
    assert!(
        checked_in == pretty,
        "openapi/openapi.json is out of date: run this test with UPDATE_OPENAPI=1"
    );
}

#[tokio::test]
async fn every_operation_says_what_a_client_needs() {
    let app = TestApp::start().await;
    let document = app.get("/openapi.json").await.good();
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
    let mut ids = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let text = |name: &str| operation[name].as_str().unwrap_or_default().to_owned();
            for name in ["operationId", "summary", "description"] {
                assert!(!text(name).is_empty(), "{name} of {method} {path}");
            }
            assert_eq!(
                operation["tags"].as_array().map(Vec::len),
                Some(1),
                "{method} {path}"
            );
            for (status, response) in operation["responses"].as_object().unwrap() {
                let refusal = status.starts_with(['4', '5']);
                assert!(
                    !refusal || is_problem(&document, response),
                    "{status} of {method} {path}"
                );
            }
            ids.push(text("operationId"));
        }
    }
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count, "operation ids are unique");
}

fn is_problem(document: &Value, response: &Value) -> bool {
    let response = match response["$ref"].as_str() {
        Some(reference) => document.pointer(reference.trim_start_matches('#')).unwrap(),
        None => response,
    };
    let content = &response["content"]["application/problem+json"];
    content["schema"]["$ref"] == "#/components/schemas/Problem" && content["examples"].is_object()
}

#[tokio::test]
async fn the_page_comes_from_here_alone() {
    let app = TestApp::start().await;
    let page = app.get("/docs").await;
    assert_eq!(page.status, 200);
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    let policy = page.header("content-security-policy");
    assert!(policy.contains("connect-src 'self'"), "{policy}");
    for attribute in ["src=\"", "href=\""] {
        for target in page.text().split(attribute).skip(1) {
            let target = target.split('"').next().unwrap();
            assert!(!target.contains(':'), "{target}");
            assert_eq!(app.get(&format!("/{target}")).await.status, 200, "{target}");
        }
    }
    let start = app.get("/docs/swagger-initializer.js").await;
    assert!(start.text().contains("\"openapi.json\""));
    assert!(!start.text().contains("://"), "{}", start.text());
}
