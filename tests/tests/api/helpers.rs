//! A server of its own for every test, and what is needed to talk to it.

use std::net::{SocketAddr, TcpListener};

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

/// A running server with a directory of its own. It is stopped when this is dropped.
pub(crate) struct TestApp {
    pub(crate) address: SocketAddr,
    pub(crate) metrics_address: Option<SocketAddr>,
    pub(crate) directory: TempDir,
    client: Client,
    _stop: oneshot::Sender<()>,
}

impl TestApp {
    /// The server with the usual configuration.
    pub(crate) async fn start() -> Self {
        Self::start_with(&[]).await
    }

    /// The server with these flags of `referee serve`.
    pub(crate) async fn start_with(flags: &[&str]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let application = Application::build(config(&directory, flags)).unwrap();
        let address = application.address();
        let metrics_address = application.metrics_address();
        let (stop, stopped) = oneshot::channel();
        let stopped = async {
            let _ = stopped.await;
        };
        tokio::spawn(application.run_until(stopped, || ()));
        Self {
            address,
            metrics_address,
            directory,
            client: client(),
            _stop: stop,
        }
    }

    /// The server with routes that only show what is around every route: `POST /echo` takes a
    /// [`Greeting`], `GET /panic` fails.
    pub(crate) async fn start_with_probes(flags: &[&str]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let (_trigger, shutdown) = shutdown::channel();
        let shared = Shared::prepare(&config(&directory, flags), None, shutdown).unwrap();
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
        tokio::spawn(server);
        tokio::spawn(async move {
            let _ = stopped.await;
            handle.stop(false).await;
        });
        Self {
            address,
            metrics_address: None,
            directory,
            client: client(),
            _stop: stop,
        }
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client
            .request(method, format!("http://{}{path}", self.address))
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

fn client() -> Client {
    Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .build()
        .unwrap()
}

/// What `referee serve` with these flags would run with.
fn config(directory: &TempDir, flags: &[&str]) -> Config {
    let database = directory.path().join("referee.db");
    let fixed = [
        "referee",
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--workers",
        "1",
        "--database",
    ];
    let arguments = fixed.into_iter().chain([database.to_str().unwrap()]);
    match Cli::parse_from(arguments.chain(flags.iter().copied())).command {
        Command::Serve(config) => *config,
        other => panic!("{other:?} does not serve"),
    }
}

/// An answer, received as a whole.
#[derive(Debug)]
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
