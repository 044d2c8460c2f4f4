//! Games to create, created games, and those who talk about them.

use std::fmt;

use domain::dealer::{Mode, Secret};
use domain::rulesets::GameKind;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use super::{Answer, Api, answer};

/// The body of a request that creates a game.
#[derive(Clone, Debug)]
pub(crate) struct Setup(Value);

impl Setup {
    /// A private game for the fewest players that it allows. Its cards are another time others.
    pub(crate) fn new(kind: GameKind, mode: Mode) -> Self {
        Self(json!({"game": kind, "mode": mode})).seats(*kind.seats().start())
    }

    /// A game that the referee deals, every time alike.
    pub(crate) fn dealt(kind: GameKind) -> Self {
        Self::new(kind, Mode::Virtual).seed(1)
    }

    /// A game whose cards the players hold.
    pub(crate) fn table(kind: GameKind) -> Self {
        Self::new(kind, Mode::Table)
    }

    pub(crate) fn seats(self, count: u8) -> Self {
        let seats = (0..count).map(|seat| json!({"name": format!("Player {seat}")}));
        self.with("seats", seats.collect())
    }

    /// The seat is claimed with a code.
    pub(crate) fn claimed(mut self, seat: usize) -> Self {
        self.0["seats"][seat]["claim"] = true.into();
        self
    }

    pub(crate) fn public(self) -> Self {
        self.with("visibility", "public".into())
    }

    /// The dealer's secret is 32 times this byte.
    pub(crate) fn seed(self, byte: u8) -> Self {
        self.secret(&Secret([byte; 32]))
    }

    pub(crate) fn secret(self, secret: &Secret) -> Self {
        self.with("seed", hex::encode(secret.0).into())
    }

    /// The same, where the referee deals.
    pub(crate) fn seed_if_dealt(self, byte: u8) -> Self {
        match self.0["mode"] == "virtual" {
            true => self.seed(byte),
            false => self,
        }
    }

    pub(crate) fn options(self, options: Value) -> Self {
        self.with("options", options)
    }

    pub(crate) fn with(mut self, member: &str, value: Value) -> Self {
        self.0[member] = value;
        self
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A game that was created.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    /// The answer to its creation.
    pub(crate) created: Value,
    api: Api,
}

impl Game {
    pub(crate) fn new(api: Api, created: Value) -> Self {
        Self { created, api }
    }

    pub(crate) fn id(&self) -> &str {
        self.created["id"].as_str().unwrap()
    }

    pub(crate) fn kind(&self) -> GameKind {
        GameKind::from_name(self.created["game"].as_str().unwrap()).unwrap()
    }

    pub(crate) fn is_table(&self) -> bool {
        self.created["mode"] == "table"
    }

    pub(crate) fn seat_count(&self) -> u8 {
        self.created["seats"].as_array().unwrap().len() as u8
    }

    /// The holder of a seat's token.
    pub(crate) fn seat(&self, seat: u8) -> Caller {
        self.with_token(self.seat_token(seat))
    }

    pub(crate) fn seat_token(&self, seat: u8) -> &str {
        let seat = &self.created["seats"][usize::from(seat)];
        seat["token"].as_str().unwrap()
    }

    pub(crate) fn claim_code(&self, seat: u8) -> &str {
        let seat = &self.created["seats"][usize::from(seat)];
        seat["claim_code"].as_str().unwrap()
    }

    pub(crate) fn host(&self) -> Caller {
        self.with_token(self.host_token())
    }

    pub(crate) fn host_token(&self) -> &str {
        self.created["host_token"].as_str().unwrap()
    }

    /// Somebody without a token.
    pub(crate) fn stranger(&self) -> Caller {
        self.api.anyone().about(self.id())
    }

    pub(crate) fn with_token(&self, token: &str) -> Caller {
        Caller {
            token: Some(token.to_owned()),
            ..self.stranger()
        }
    }

    /// The same game at another server.
    pub(crate) fn moved_to(&self, api: &Api) -> Self {
        Self {
            created: self.created.clone(),
            api: api.clone(),
        }
    }
}

impl Api {
    /// Somebody without a token. Paths are whole.
    pub(crate) fn anyone(&self) -> Caller {
        Caller {
            api: self.clone(),
            game: String::new(),
            token: None,
        }
    }
}

/// Somebody who talks about one game. Paths are those below the game's own.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    api: Api,
    game: String,
    token: Option<String>,
}

impl Caller {
    /// The same person, talking about another game or about none that exists.
    pub(crate) fn about(&self, id: &str) -> Self {
        Self {
            game: format!("/v1/games/{id}"),
            ..self.clone()
        }
    }

    /// The same person at another server.
    pub(crate) fn moved_to(&self, api: &Api) -> Self {
        Self {
            api: api.clone(),
            ..self.clone()
        }
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.api.request(method, &format!("{}{path}", self.game));
        match &self.token {
            Some(token) => request.header(AUTHORIZATION, format!("Bearer {token}")),
            None => request,
        }
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        answer(self.request(Method::GET, path)).await
    }

    /// Posts bytes as they are, as JSON.
    pub(crate) async fn post(&self, path: &str, body: impl Into<Vec<u8>>) -> Answer {
        self.post_with(path, body, &[]).await
    }

    pub(crate) async fn post_with(
        &self,
        path: &str,
        body: impl Into<Vec<u8>>,
        headers: &[(&str, &str)],
    ) -> Answer {
        let request = self
            .request(Method::POST, path)
            .header(CONTENT_TYPE, "application/json")
            .body(body.into());
        let request = headers.iter().fold(request, |request, (name, value)| {
            request.header(*name, *value)
        });
        answer(request).await
    }

    /// Makes a move.
    pub(crate) async fn moves(&self, mv: &Value) -> Answer {
        self.post("/moves", json!({"move": mv}).to_string()).await
    }

    /// Makes a seat's move, declaring these outcomes with it.
    pub(crate) async fn moves_as(&self, seat: u8, mv: &Value, outcomes: &[Value]) -> Answer {
        let body = json!({"seat": seat, "move": mv, "outcomes": outcomes});
        self.post("/moves", body.to_string()).await
    }

    pub(crate) async fn declares(&self, outcomes: &[Value]) -> Answer {
        let body = json!({"outcomes": outcomes});
        self.post("/declarations", body.to_string()).await
    }

    pub(crate) async fn abandons(&self) -> Answer {
        self.post("/abandon", "{}").await
    }

    /// How the game stands.
    pub(crate) async fn summary(&self) -> Value {
        self.get("").await.good()
    }

    pub(crate) async fn version(&self) -> u64 {
        self.summary().await["version"].as_u64().unwrap()
    }

    /// The legal moves of the caller's own seat.
    pub(crate) async fn legal_moves(&self) -> Vec<Value> {
        let body = self.get("/legal-moves").await.good();
        let moves = body["moves"].as_array().unwrap();
        moves.iter().map(|legal| legal["move"].clone()).collect()
    }

    /// All events, as the caller may see them.
    pub(crate) async fn events(&self) -> Vec<Value> {
        let page = self.get("/events?limit=1000").await.good();
        assert_eq!(page["has_more"], false, "more events than a test needs");
        page["events"].as_array().unwrap().clone()
    }
}
