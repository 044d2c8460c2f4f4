//! What is refused as a body, and that it is refused in time.

use std::time::Duration;

use reqwest::Method;
use reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE};
use tokio::io::AsyncReadExt;
use tokio::time::timeout;

use crate::helpers::{TestApp, answer};

const LARGEST: usize = 256 * 1024;

#[tokio::test]
async fn a_body_that_fits_is_taken() {
    let app = TestApp::start_with_probes(&[]).await;
    let body = app
        .post("/echo", r#"{"names":[{"name":"Anna"}]}"#)
        .await
        .good();
    assert_eq!(body["names"][0]["name"], "Anna");
}

#[tokio::test]
async fn what_is_no_json_is_refused() {
    let app = TestApp::start_with_probes(&[]).await;
    let deep = "[".repeat(100_000);
    for body in [
        &b""[..],
        b"{",
        b"{\"names\":[]} x",
        b"{\"names\":[]}{}",
        b"\xef\xbb\xbf{\"names\":[]}",
        b"{\"names\":[{\"name\":\"\xff\"}]}",
        b"{\"names\":[{\"name\":\"\\ud800\"}]}",
        b"{'names':[]}",
        b"{\"names\":[],}",
        b"{\"names\":[],\"names\":[]}",
        b"{\"names\":NaN}",
        deep.as_bytes(),
    ] {
        let shown = String::from_utf8_lossy(&body[..body.len().min(40)]).into_owned();
        let problem = app
            .post("/echo", body.to_vec())
            .await
            .problem(400, "invalid_request");
        assert_eq!(problem["instance"], "/echo", "{shown}");
    }
}

#[tokio::test]
async fn json_of_another_shape_is_refused_with_the_place() {
    let app = TestApp::start_with_probes(&[]).await;
    for (body, place) in [
        (r#"{"names":[{"name":7}]}"#, "/names/0/name"),
        (
            r#"{"names":[{"name":"A"},{"name":"B","x":1}]}"#,
            "/names/1/x",
        ),
        (r#"{"names":[["Anna"]]}"#, "/names/0"),
        (r#"{"names":null}"#, "/names"),
        (r#"{}"#, ""),
        (r#"[[]]"#, ""),
        (r#""names""#, ""),
        (r#"null"#, ""),
    ] {
        let problem = app
            .post("/echo", body)
            .await
            .problem(400, "invalid_request");
        assert_eq!(problem["errors"][0]["pointer"], place, "{body}");
    }
}

#[tokio::test]
async fn only_plain_json_is_a_media_type() {
    let app = TestApp::start_with_probes(&[]).await;
    let body = r#"{"names":[]}"#;
    let post = || app.request(Method::POST, "/echo").body(body);
    answer(post()).await.problem(415, "unsupported_media_type");
    for media_type in [
        "text/plain",
        "application/json; charset=utf-16",
        "application/x-ndjson",
    ] {
        answer(post().header(CONTENT_TYPE, media_type))
            .await
            .problem(415, "unsupported_media_type");
    }
    answer(post().header(CONTENT_TYPE, "application/json; charset=utf-8"))
        .await
        .good();

    let encoded = post()
        .header(CONTENT_TYPE, "application/json")
        .header(CONTENT_ENCODING, "gzip");
    answer(encoded).await.problem(415, "unsupported_media_type");
}

#[tokio::test]
async fn a_stated_length_beyond_the_bound_is_refused_unread() {
    let app = TestApp::start_with_probes(&[]).await;
    let received = app
        .raw(
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n\
             Content-Length: 2097152\r\n\r\n{",
        )
        .await;
    assert!(received.starts_with("HTTP/1.1 413 "), "{received}");
    assert!(received.contains("\"too_large\""), "{received}");
    app.post("/echo", " ".repeat(LARGEST + 1))
        .await
        .problem(413, "too_large");
}

#[tokio::test]
async fn a_body_without_a_stated_length_is_bounded_too() {
    let app = TestApp::start_with_probes(&[]).await;
    let chunk = format!("10000\r\n{}\r\n", " ".repeat(0x10000));
    let received = app
        .raw(&format!(
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n\
             Transfer-Encoding: chunked\r\n\r\n{}",
            chunk.repeat(5)
        ))
        .await;
    assert!(received.starts_with("HTTP/1.1 413 "), "{received}");
}

#[tokio::test]
async fn a_body_that_does_not_come_is_timed_out_and_the_connection_closed() {
    let app = TestApp::start_with_probes(&["--body-timeout", "200ms"]).await;
    let head = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n\
                Content-Length: 100\r\n\r\n{\"names\"";
    let received = timeout(Duration::from_secs(20), app.raw(head))
        .await
        .unwrap();
    assert!(received.starts_with("HTTP/1.1 408 "), "{received}");
    assert!(received.contains("\"timeout\""), "{received}");
    assert!(
        received.to_ascii_lowercase().contains("connection: close"),
        "{received}"
    );
}

#[tokio::test]
async fn a_head_that_does_not_come_is_timed_out() {
    let app = TestApp::start_with(&["--header-timeout", "200ms"]).await;
    let mut connection = app.connect("GET /v1/keys HTTP/1.1\r\nHost:").await;
    let mut received = String::new();
    let read = connection.read_to_string(&mut received);
    timeout(Duration::from_secs(20), read)
        .await
        .unwrap()
        .unwrap();
    assert!(received.starts_with("HTTP/1.1 408 "), "{received}");
}
