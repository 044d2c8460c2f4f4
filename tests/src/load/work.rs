//! What a client does, again and again.

use std::sync::Arc;
use std::time::{Duration, Instant};

use hyper::body::Bytes;
use hyper::header::{ETAG, HeaderValue};
use hyper::{StatusCode, Uri};
use serde::Deserialize;

use super::bare;
use super::connection::{Connection, Failure};
use super::script::Script;

/// Work that is measured.
pub(super) trait Work {
    /// Does it once, and says how long the answer took.
    async fn once(&mut self) -> Result<Duration, Failure>;
}

/// Posts the same body to the bare server.
#[derive(Debug)]
pub(super) struct Echoes {
    connection: Connection,
    path: Uri,
    token: HeaderValue,
    due: String,
}

impl Echoes {
    pub(super) async fn begin(url: &Uri) -> Result<Self, Failure> {
        Ok(Self {
            connection: Connection::open(url).await?,
            path: Uri::from_static("/"),
            // Read by nobody; a request for a move carries as much.
            token: bearer(&"t".repeat(49))?,
            due: bare::answer(),
        })
    }
}

impl Work for Echoes {
    async fn once(&mut self) -> Result<Duration, Failure> {
        let begun = Instant::now();
        let body = Bytes::from_static(bare::BODY.as_bytes());
        let answer = self.connection.post(&self.path, Some(&self.token), body);
        let answer = answer.await?.expect(StatusCode::OK)?;
        let taken = begun.elapsed();
        match answer.body == self.due {
            true => Ok(taken),
            false => Err(answer.unexpected()),
        }
    }
}

/// Plays one game after the other.
#[derive(Debug)]
pub(super) struct Games {
    url: Uri,
    connection: Connection,
    scripts: Arc<[Script]>,
    /// Which script is next.
    next: usize,
    sitting: Option<Sitting>,
    /// How many games were created.
    pub(super) games: u64,
}

/// A game that is being played.
#[derive(Debug)]
struct Sitting {
    script: usize,
    /// How many of the script's moves were made.
    made: usize,
    moves: Uri,
    verification: Uri,
    tokens: Vec<HeaderValue>,
}

#[derive(Deserialize)]
struct Created {
    id: String,
    seats: Vec<Opened>,
}

#[derive(Deserialize)]
struct Opened {
    token: String,
}

#[derive(Deserialize)]
struct Verified {
    valid: bool,
    events: u64,
}

impl Games {
    pub(super) async fn begin(
        url: &Uri,
        scripts: Arc<[Script]>,
        client: usize,
    ) -> Result<Self, Failure> {
        Ok(Self {
            url: url.clone(),
            connection: Connection::open(url).await?,
            next: client % scripts.len(),
            scripts,
            sitting: None,
            games: 0,
        })
    }

    async fn create(&mut self) -> Result<Sitting, Failure> {
        if self.connection.is_closed() {
            self.connection = Connection::open(&self.url).await?;
        }
        let number = self.next;
        self.next = (number + 1) % self.scripts.len();
        let script = &self.scripts[number];
        let path = Uri::from_static("/v1/games");
        let answer = self.connection.post(&path, None, script.creation.clone());
        let answer = answer.await?.expect(StatusCode::CREATED)?;
        if answer.headers.get(ETAG) != Some(&script.created) {
            return Err(answer.unexpected());
        }
        let created: Created =
            serde_json::from_slice(&answer.body).map_err(|_| answer.unexpected())?;
        let path = |last: &str| format!("/v1/games/{}/{last}", created.id).parse();
        let tokens = created.seats.iter().map(|seat| bearer(&seat.token));
        self.games += 1;
        Ok(Sitting {
            script: number,
            made: 0,
            moves: path("moves").map_err(|_| answer.unexpected())?,
            verification: path("verification").map_err(|_| answer.unexpected())?,
            tokens: tokens.collect::<Result<_, _>>()?,
        })
    }

    /// Makes sure that the record on disk holds what was answered in the current game.
    pub(super) async fn verify(&mut self) -> Result<(), Failure> {
        let Some(sitting) = &self.sitting else {
            return Ok(());
        };
        let token = sitting.tokens.first();
        let answer = self.connection.get(&sitting.verification, token);
        let answer = answer.await?.expect(StatusCode::OK)?;
        let verified: Verified =
            serde_json::from_slice(&answer.body).map_err(|_| answer.unexpected())?;
        let version = self.scripts[sitting.script].version(sitting.made);
        match verified.valid && format!("\"{}\"", verified.events) == *version {
            true => Ok(()),
            false => Err(answer.unexpected()),
        }
    }
}

impl Work for Games {
    async fn once(&mut self) -> Result<Duration, Failure> {
        let mut sitting = match self.sitting.take() {
            Some(sitting) if sitting.made < self.scripts[sitting.script].moves.len() => sitting,
            Some(_) | None => self.create().await?,
        };
        let mv = &self.scripts[sitting.script].moves[sitting.made];
        let begun = Instant::now();
        let token = &sitting.tokens[mv.seat];
        let answer = self
            .connection
            .post(&sitting.moves, Some(token), mv.body.clone());
        let answer = answer.await?.expect(StatusCode::OK)?;
        let taken = begun.elapsed();
        if answer.headers.get(ETAG) != Some(&mv.recorded) {
            return Err(answer.unexpected());
        }
        sitting.made += 1;
        self.sitting = Some(sitting);
        Ok(taken)
    }
}

fn bearer(token: &str) -> Result<HeaderValue, Failure> {
    HeaderValue::from_str(&format!("Bearer {token}"))
        .map_err(|_| Failure::Answer("a token that no header can hold".to_owned()))
}
