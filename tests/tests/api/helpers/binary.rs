//! The binary as a process of its own.

use std::path::Path;
use std::process::{Output, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;

use super::Api;

/// Longer than anything here takes; what takes longer hangs.
const LONG: Duration = Duration::from_secs(30);

/// The binary in a directory, with these arguments and no settings from outside.
pub(crate) fn referee(directory: &Path, arguments: &[&str]) -> Command {
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

pub(crate) async fn finished(mut command: Command) -> Output {
    timeout(LONG, command.output()).await.unwrap().unwrap()
}

/// A serving process.
pub(crate) struct Binary {
    child: Child,
    /// What it said that it answers at.
    pub(crate) address: String,
}

impl Binary {
    /// Starts `referee serve` on a free port, and waits until it answers.
    pub(crate) async fn serve(directory: &Path, flags: &[&str]) -> Self {
        let arguments = [&["serve", "--listen", "127.0.0.1:0"], flags].concat();
        let mut child = referee(directory, &arguments).spawn().unwrap();
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
        Self { child, address }
    }

    pub(crate) fn api(&self) -> Api {
        Api::at(self.address.clone())
    }

    /// Sends a signal, and waits for the end.
    pub(crate) async fn stop(self, signal: Signal) -> Output {
        let pid = Pid::from_raw(self.child.id().unwrap() as i32).unwrap();
        kill_process(pid, signal).unwrap();
        timeout(LONG, self.child.wait_with_output())
            .await
            .unwrap()
            .unwrap()
    }
}
