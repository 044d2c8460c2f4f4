//! The binary as an operator meets it.

use rustix::process::Signal;

use crate::helpers::{Binary, finished, referee};

#[tokio::test]
async fn it_says_where_it_listens_and_stops_cleanly_when_told() {
    for signal in [Signal::TERM, Signal::INT] {
        let directory = tempfile::tempdir().unwrap();
        let binary = Binary::serve(directory.path(), &[]).await;
        let api = binary.api();
        api.get("/health/ready").await.good();

        // The client keeps its connection: that must not keep the server.
        let output = binary.stop(signal).await;
        assert!(output.status.success(), "{output:?}");
        assert!(output.stdout.is_empty(), "one line and no more");
        let again = api.request(reqwest::Method::GET, "/health/live");
        assert!(again.send().await.is_err());
        assert!(directory.path().join("referee.db.key").exists());
    }
}

#[tokio::test]
async fn its_log_can_be_read_by_programs() {
    let directory = tempfile::tempdir().unwrap();
    let binary = Binary::serve(directory.path(), &["--log-format", "json"]).await;
    let output = binary.stop(Signal::TERM).await;
    let log = String::from_utf8(output.stderr).unwrap();
    assert!(!log.is_empty());
    for line in log.lines() {
        assert!(
            serde_json::from_str::<serde_json::Value>(line).is_ok(),
            "{line}"
        );
    }
}

#[tokio::test]
async fn it_does_not_start_with_a_key_that_others_can_read() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let key = directory.path().join("key");
    std::fs::write(&key, "00".repeat(32)).unwrap();
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o644)).unwrap();
    let arguments = ["serve", "--listen", "127.0.0.1:0", "--signing-key", "key"];
    let output = finished(referee(directory.path(), &arguments)).await;
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("0644"));
}

#[tokio::test]
async fn it_says_why_it_cannot_listen() {
    let directory = tempfile::tempdir().unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let output = finished(referee(directory.path(), &["serve", "--listen", &address])).await;
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(
        error.contains(&format!("cannot listen on {address}")),
        "{error}"
    );
}

#[tokio::test]
async fn it_prints_the_openapi_document() {
    let directory = tempfile::tempdir().unwrap();
    let output = finished(referee(directory.path(), &["openapi"])).await;
    assert!(output.status.success());
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["info"]["title"], "Referee");
}
