//! The servers that are measured, as processes of their own.

use std::io;
use std::process::Stdio;

use hyper::Uri;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// A running server. It is ended when this is dropped.
#[derive(Debug)]
pub(super) struct Server {
    url: Uri,
    _process: Child,
    /// Where its files are.
    _directory: Option<TempDir>,
}

impl Server {
    /// A referee on a file of its own.
    pub(super) async fn start_referee() -> io::Result<Self> {
        let directory = tempfile::tempdir()?;
        let mut command = Command::new(std::env::current_exe()?);
        command
            .args(["serve", "--listen", "127.0.0.1:0", "--database"])
            .arg(directory.path().join("referee.db"));
        Self::start(command, Some(directory)).await
    }

    /// The server to compare with.
    pub(super) async fn start_bare() -> io::Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("bare");
        Self::start(command, None).await
    }

    async fn start(mut command: Command, directory: Option<TempDir>) -> io::Result<Self> {
        let mut process = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let mut line = String::new();
        if let Some(out) = process.stdout.take() {
            BufReader::new(out).read_line(&mut line).await?;
        }
        let url = line
            .trim_end()
            .strip_prefix("listening on ")
            .and_then(|url| url.parse().ok())
            .ok_or_else(|| io::Error::other("the server did not start"))?;
        Ok(Self {
            url,
            _process: process,
            _directory: directory,
        })
    }

    /// Where it listens.
    pub(super) fn url(&self) -> Uri {
        self.url.clone()
    }
}
