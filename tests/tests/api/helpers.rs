//! A server of its own for every test, and what is needed to talk to it.

mod binary;
mod game;
mod play;
mod script;
mod search;
mod stream;

pub(crate) use binary::{Binary, finished, referee};
pub(crate) use game::{Caller, Game, Setup};
pub(crate) use play::{Play, served_text, some_outcome};
pub(crate) use script::{Step, created, dealer, read_move, value};
pub(crate) use search::{Patience, Search, Wish};
pub(crate) use stream::{EventStream, SentEvent};

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::ops::Deref;
use std::path::Path;

use actix_web::web::{self, Json};
use actix_web::{HttpServer, Responder};
use api::app::{self, Shared};
use api::body::JsonBody;
use api::cli::{Cli, Command};
use api::config::Config;
use api::problem::Problem;
use api::server::Application;
use api::shutdown;
use clap::Parser;
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Client, Method, RequestBuilder, StatusCode};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// A server as its clients know it.
#[derive(Clone, Debug)]
pub(crate) struct Api {
    base: String,
    client: Client,
}

impl Api {
    /// The server at `base`, such as `http://127.0.0.1:8080`.
    pub(crate) fn at(base: String) -> Self {
        let client = Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .build()
            .unwrap();
        Self { base, client }
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.base))
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        answer(self.request(Method::GET, path)).await
    }

    /// Posts bytes as they are, as JSON.
    pub(crate) async fn post(&self, path: &str, body: impl Into<reqwest::Body>) -> Answer {
        answer(
            self.request(Method::POST, path)
                .header(CONTENT_TYPE, "application/json")
                .body(body),
        )
        .await
    }

    /// Creates a game.
    pub(crate) async fn create(&self, setup: &Setup) -> Game {
        let answer = self.post("/v1/games", setup.to_string()).await;
        Game::new(self.clone(), answer.good())
    }
}

/// A running server with a directory of its own. It is stopped when this is dropped.
pub(crate) struct TestApp {
    pub(crate) address: SocketAddr,
    pub(crate) metrics_address: Option<SocketAddr>,
    pub(crate) directory: TempDir,
    api: Api,
    flags: Vec<String>,
    stop: oneshot::Sender<()>,
    stopped: JoinHandle<io::Result<()>>,
}

impl Deref for TestApp {
    type Target = Api;

    fn deref(&self) -> &Api {
        &self.api
    }
}

impl TestApp {
    /// The server with the usual configuration.
    pub(crate) async fn start() -> Self {
        Self::start_with(&[]).await
    }

    /// The server with these flags of `referee serve`.
    pub(crate) async fn start_with(flags: &[&str]) -> Self {
        let flags = flags.iter().map(|flag| (*flag).to_owned()).collect();
        Self::start_in(tempfile::tempdir().unwrap(), flags)
    }

    /// The server on a copy of a database.
    pub(crate) async fn start_on(database: &Path) -> Self {
        let directory = tempfile::tempdir().unwrap();
        std::fs::copy(database, directory.path().join("referee.db")).unwrap();
        Self::start_in(directory, Vec::new())
    }

    /// Stops the server, and starts another on the same files.
    pub(crate) async fn restart(self) -> Self {
        let flags = self.flags.clone();
        Self::start_in(self.stop().await, flags)
    }

    /// Stops the server, and leaves its files.
    pub(crate) async fn stop(self) -> TempDir {
        drop(self.stop);
        self.stopped.await.unwrap().unwrap();
        self.directory
    }

    fn start_in(directory: TempDir, flags: Vec<String>) -> Self {
        let application = Application::build(config(&directory, &flags)).unwrap();
        let address = application.address();
        let metrics_address = application.metrics_address();
        let (stop, stopped) = oneshot::channel();
        let stopped = async {
            let _ = stopped.await;
        };
        Self {
            address,
            metrics_address,
            directory,
            api: Api::at(format!("http://{address}")),
            flags,
            stop,
            stopped: tokio::spawn(application.run_until(stopped, || ())),
        }
    }

    /// The server with routes that only show what is around every route: `POST /echo` takes a
    /// [`Greeting`], `GET /panic` fails.
    pub(crate) async fn start_with_probes(flags: &[&str]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let flags: Vec<String> = flags.iter().map(|flag| (*flag).to_owned()).collect();
        let (_trigger, shutdown) = shutdown::channel();
        let shared = Shared::prepare(&config(&directory, &flags), None, shutdown).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let server = HttpServer::new(move || {
            app::application(&shared)
                .route("/echo", web::post().to(echo))
                .route("/panic", web::get().to(panicking))
        });
        let server = server
            .workers(1)
            .disable_signals()
            .listen(listener)
            .unwrap()
            .run();
        let handle = server.handle();
        let (stop, stopped) = oneshot::channel::<()>();
        tokio::spawn(async move {
            let _ = stopped.await;
            handle.stop(false).await;
        });
        Self {
            address,
            metrics_address: None,
            directory,
            api: Api::at(format!("http://{address}")),
            flags,
            stop,
            stopped: tokio::spawn(server),
        }
    }

    /// Writes `text` to a connection and reads until the server closes it.
    pub(crate) async fn raw(&self, text: &str) -> String {
        let mut connection = self.connect(text).await;
        let mut received = Vec::new();
        // A server that closes early may reset the connection; what came before counts.
        let _ = connection.read_to_end(&mut received).await;
        String::from_utf8(received).unwrap()
    }

    /// A connection on which `text` was sent.
    pub(crate) async fn connect(&self, text: &str) -> TcpStream {
        let mut connection = TcpStream::connect(self.address).await.unwrap();
        connection.write_all(text.as_bytes()).await.unwrap();
        connection
    }
}

/// What `referee serve` with these flags would run with.
fn config(directory: &TempDir, flags: &[String]) -> Config {
    let database = directory.path().join("referee.db");
    let fixed = ["referee", "serve", "--listen", "127.0.0.1:0", "--database"];
    let mut arguments = fixed.to_vec();
    arguments.push(database.to_str().unwrap());
    arguments.extend(flags.iter().map(String::as_str));
    if !arguments.contains(&"--workers") {
        arguments.extend(["--workers", "1"]);
    }
    match Cli::parse_from(arguments).command {
        Command::Serve(config) => *config,
        other => panic!("{other:?} does not serve"),
    }
}

/// An answer, received as a whole.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

pub(crate) async fn answer(request: RequestBuilder) -> Answer {
    let response = request.send().await.unwrap();
    Answer {
        status: response.status(),
        headers: response.headers().clone(),
        body: response.bytes().await.unwrap().to_vec(),
    }
}

impl Answer {
    /// The header's value; empty where there is none.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    /// The body of an answer that went well.
    #[track_caller]
    pub(crate) fn good(&self) -> Value {
        assert!(self.status.is_success(), "{} {}", self.status, self.text());
        assert_eq!(self.header("content-type"), "application/json");
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The body of a refusal, which has to be this one and complete.
    #[track_caller]
    pub(crate) fn problem(&self, status: u16, code: &str) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", self.text());
        assert_eq!(self.header("content-type"), "application/problem+json");
        assert_eq!(self.header("x-content-type-options"), "nosniff");
        assert!(!self.header("x-request-id").is_empty());
        let body: Value = serde_json::from_slice(&self.body).unwrap();
        assert_eq!(body["code"], code, "{body}");
        assert_eq!(body["status"], status);
        assert_eq!(body["type"], format!("/problems/{code}"));
        for member in ["title", "detail", "instance"] {
            assert!(body[member].is_string(), "{member} of {body}");
        }
        body
    }

    /// The body of a refusal by this rule.
    #[track_caller]
    pub(crate) fn against(&self, rule: &str) -> Value {
        let body = self.problem(422, "illegal_move");
        assert_eq!(body["rule"]["id"], rule, "{body}");
        assert!(body["version"].is_u64(), "{body}");
        assert!(body["evidence"].is_array(), "{body}");
        body
    }

    /// What tells this answer from others to the same request: status, body and headers, without
    /// what is new in every answer.
    pub(crate) fn essence(&self) -> (StatusCode, HeaderMap, Vec<u8>) {
        let mut headers = self.headers.clone();
        headers.remove("date");
        headers.remove("x-request-id");
        (self.status, headers, self.body.clone())
    }
}

/// A small body with a nested place for mistakes.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Greeting {
    pub(crate) names: Vec<Name>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Name {
    pub(crate) name: String,
}

async fn echo(body: JsonBody) -> Result<impl Responder, Problem> {
    body.parse::<Greeting>().map(Json)
}

async fn panicking() -> &'static str {
    panic!("this handler always fails")
}
