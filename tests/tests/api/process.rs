//! The binary as an operator meets it.

use std::path::Path;
use std::process::{Output, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;

const LONG: Duration = Duration::from_secs(30);

fn referee(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee-under-test"));
    command
        .args(arguments)
        .current_dir(directory)
        .env_remove("REFEREE_LISTEN")
        .env_remove("REFEREE_DATABASE")
        .env_remove("RUST_LOG")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    command
}

async fn finished(mut command: Command) -> Output {
    timeout(LONG, command.output()).await.unwrap().unwrap()
}

/// Starts the server and waits for the line that says where it listens.
async fn serving(directory: &Path, arguments: &[&str]) -> (Child, String) {
    let mut child = referee(directory, arguments).spawn().unwrap();
    let mut line = String::new();
    let mut out = BufReader::new(child.stdout.as_mut().unwrap());
    timeout(LONG, out.read_line(&mut line))
        .await
        .unwrap()
        .unwrap();
    let address = line
        .trim_end()
        .strip_prefix("listening on ")
        .unwrap()
        .to_owned();
    (child, address)
}

async fn stop(child: Child, signal: Signal) -> Output {
    let pid = Pid::from_raw(child.id().unwrap() as i32).unwrap();
    kill_process(pid, signal).unwrap();
    timeout(LONG, child.wait_with_output())
        .await
        .unwrap()
        .unwrap()
}

#[tokio::test]
async fn it_says_where_it_listens_and_stops_cleanly_when_told() {
    for signal in [Signal::TERM, Signal::INT] {
        let directory = tempfile::tempdir().unwrap();
        let (child, address) =
            serving(directory.path(), &["serve", "--listen", "127.0.0.1:0"]).await;
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let answer = client
            .get(format!("{address}/health/ready"))
            .send()
            .await
            .unwrap();
        assert_eq!(answer.status(), 200);

        // The client keeps its connection: that must not keep the server.
        let output = stop(child, signal).await;
        assert!(output.status.success(), "{output:?}");
        assert!(output.stdout.is_empty(), "one line and no more");
        assert!(
            client
                .get(format!("{address}/health/live"))
                .send()
                .await
                .is_err()
        );
        assert!(directory.path().join("referee.db.key").exists());
    }
}

#[tokio::test]
async fn its_log_can_be_read_by_programs() {
    let directory = tempfile::tempdir().unwrap();
    let arguments = ["serve", "--listen", "127.0.0.1:0", "--log-format", "json"];
    let (child, _) = serving(directory.path(), &arguments).await;
    let output = stop(child, Signal::TERM).await;
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
