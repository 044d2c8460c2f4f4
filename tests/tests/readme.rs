//! The README's curl lines, run as they are printed against the real binary.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

/// The server in a directory of its own, ended when this is dropped.
struct Server {
    process: Child,
    url: String,
    directory: TempDir,
}

impl Server {
    fn start() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let mut process = Command::new(env!("CARGO_BIN_EXE_referee-under-test"))
            .args(["serve", "--listen", "127.0.0.1:0", "--database"])
            .arg(directory.path().join("referee.db"))
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut out = BufReader::new(process.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        let url = line
            .trim()
            .strip_prefix("listening on ")
            .unwrap()
            .to_owned();
        Self {
            process,
            url,
            directory,
        }
    }

    /// What a block of the README prints.
    fn run(&self, block: &str) -> String {
        let mut shell = Command::new("sh")
            .arg("-eu")
            .current_dir(self.directory.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let block = block.replace("http://127.0.0.1:8080", &self.url);
        shell
            .stdin
            .take()
            .unwrap()
            .write_all(block.as_bytes())
            .unwrap();
        let output = shell.wait_with_output().unwrap();
        assert!(output.status.success(), "{block}");
        String::from_utf8(output.stdout).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The README's fenced blocks of shell, with the heading that each stands under.
fn blocks() -> Vec<(String, String)> {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let readme = std::fs::read_to_string(readme).unwrap();
    let mut heading = "";
    let mut blocks = Vec::new();
    let mut block: Option<String> = None;
    for line in readme.lines() {
        match (&mut block, line) {
            (Some(_), "```") => blocks.extend(block.take().map(|text| (heading.to_owned(), text))),
            (Some(text), line) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, "```sh") => block = Some(String::new()),
            (None, line) => heading = line.strip_prefix("## ").unwrap_or(heading),
        }
    }
    blocks
}

#[test]
fn the_curl_lines_do_what_the_text_says() {
    let server = Server::start();
    let blocks = blocks();
    assert!(blocks.len() >= 2);
    for (heading, block) in blocks {
        let printed = server.run(&block);
        let expected: &[&str] = match heading.as_str() {
            "A first game" => &[
                r#""moves":[{"move":{"type":"reveal","slot":"a1"}}"#,
                r#""type":"tile_revealed""#,
                r#""code":"illegal_move""#,
                r#""view":{"#,
                r#""has_more":false"#,
                r#""type":"game_abandoned""#,
                r#""secret":""#,
                r#""fairness":"ok""#,
            ],
            "A table" => &[
                r#""awaiting":{"type":"tile","slot":"a1"}"#,
                r#""rule":{"id":"SD-6.1""#,
                r#""evidence":["#,
            ],
            "A dispute" => &[
                r#""type":"dispute_opened""#,
                r#""finding":{"before":{"version":4"#,
                r#""preview":{"replayed":1"#,
                r#""type":"rewound","#,
                r#""replays":6"#,
                r#""valid":true"#,
            ],
            other => panic!("the block under {other:?} is not checked"),
        };
        for text in expected {
            assert!(
                printed.contains(text),
                "{heading}: {text} is not in\n{printed}"
            );
        }
    }
}
