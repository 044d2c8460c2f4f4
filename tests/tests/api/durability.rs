//! What was answered is on disk: the server is killed amid requests and started again on its file.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use domain::dealer::Shuffler;
use domain::rulesets::GameKind;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, Response};
use rustix::process::Signal;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::Notify;

use crate::helpers::{Answer, Api, Binary, Game, Setup};

const CLIENTS: usize = 8;

/// How often the server is killed.
const KILLS: usize = 4;

/// A client that plays all seats of its own game, and keeps what it was told.
struct Client {
    game: Game,
    shuffler: Shuffler,
    /// The receipts of all that was answered.
    receipts: Vec<Value>,
    /// The requests that this server answered before it was killed, with the answers.
    answered: Vec<(Pending, Vec<u8>)>,
    /// The request that was sent and not answered.
    pending: Option<Pending>,
    sent: usize,
}

/// What all clients together have done since the server was started.
struct Load {
    answered: AtomicUsize,
    /// How many answers are waited for.
    bound: usize,
    stopped: AtomicUsize,
    enough: Notify,
}

impl Load {
    fn new(bound: usize) -> Self {
        Self {
            answered: AtomicUsize::new(0),
            bound,
            stopped: AtomicUsize::new(0),
            enough: Notify::new(),
        }
    }

    fn was_answered(&self) {
        if self.answered.fetch_add(1, Ordering::Relaxed) + 1 == self.bound {
            self.enough.notify_one();
        }
    }

    fn has_stopped(&self) {
        if self.stopped.fetch_add(1, Ordering::Relaxed) + 1 == CLIENTS {
            self.enough.notify_one();
        }
    }
}

/// A move with the key that it is sent under.
#[derive(Clone, Debug)]
struct Pending {
    seat: u8,
    body: String,
    key: String,
}

impl Client {
    async fn new(api: &Api, number: usize) -> Self {
        let kind = GameKind::ALL[number % GameKind::ALL.len()];
        let game = api.create(&Setup::dealt(kind).seed(number as u8)).await;
        Self {
            receipts: vec![game.created["receipt"].clone()],
            answered: Vec::new(),
            shuffler: Shuffler::seeded(number as u64),
            pending: None,
            sent: 0,
            game,
        }
    }

    /// Moves until the server is gone, or the game over.
    async fn play(&mut self, load: &Load) {
        while self.step().await.is_some() {
            load.was_answered();
        }
        load.has_stopped();
    }

    /// Sends what is pending, or else a new move; none when there was no answer, or when the game is
    /// over.
    async fn step(&mut self) -> Option<()> {
        if self.pending.is_none() {
            self.pending = Some(self.choose().await?);
        }
        let pending = self.pending.clone()?;
        let caller = self.game.seat(pending.seat);
        let response: Response = caller
            .request(Method::POST, "/moves")
            .header(CONTENT_TYPE, "application/json")
            .header("idempotency-key", &pending.key)
            .body(pending.body.clone())
            .send()
            .await
            .ok()?;
        assert_eq!(response.status(), 200);
        let body = response.bytes().await.ok()?.to_vec();
        let told: Value = serde_json::from_slice(&body).unwrap();
        self.receipts.push(told["receipt"].clone());
        self.answered.push((pending, body));
        self.pending = None;
        Some(())
    }

    async fn choose(&mut self) -> Option<Pending> {
        let turn = self.read("").await?["turn"].clone();
        let seat = turn["seat"].as_u64()? as u8;
        let response = self.game.seat(seat).request(Method::GET, "/legal-moves");
        let listed: Value = response.send().await.ok()?.json().await.ok()?;
        let moves = listed["moves"].as_array().unwrap();
        let chosen = self.shuffler.below(moves.len() as u32) as usize;
        self.sent += 1;
        Some(Pending {
            seat,
            body: moves[chosen].to_string(),
            key: self.sent.to_string(),
        })
    }

    async fn read(&self, path: &str) -> Option<Value> {
        let request = self.game.host().request(Method::GET, path);
        request.send().await.ok()?.json().await.ok()
    }

    /// Sends a request again, or for the first time.
    async fn send(&self, pending: &Pending) -> Answer {
        let headers = [("idempotency-key", pending.key.as_str())];
        let mover = self.game.seat(pending.seat);
        let body = pending.body.as_str();
        mover.post_with("/moves", body, &headers).await
    }

    /// Makes sure that the server, started again, holds all that it answered and answers it as it
    /// did, and at most the one request more that it did not answer; and that this one has one
    /// effect, whether it was recorded before or is now.
    async fn check(&mut self, api: &Api) {
        self.game = self.game.moved_to(api);
        let host = self.game.host();
        let told = self.receipts.last().unwrap()["version"].as_u64().unwrap();
        let found = host.version().await;
        assert!(
            found >= told,
            "version {told} was answered, and {found} is there"
        );
        assert!(
            found == told || self.pending.is_some(),
            "nothing else was asked"
        );

        for (answered, before) in std::mem::take(&mut self.answered) {
            let again = self.send(&answered).await;
            assert_eq!(again.header("idempotent-replayed"), "true");
            assert_eq!(again.body, before);
        }
        assert_eq!(host.version().await, found);

        let recorded_before = found > told;
        if let Some(pending) = self.pending.take() {
            let answer = self.send(&pending).await;
            let is_replayed = answer.header("idempotent-replayed") == "true";
            assert_eq!(is_replayed, recorded_before, "{pending:?}");
            let body = answer.good();
            let first = body["events"][0]["seq"].as_u64().unwrap();
            assert_eq!(first, told + 1);
            assert_eq!(host.version().await, body["version"]);
            let again = self.send(&pending).await;
            assert_eq!(again.body, answer.body);
            self.receipts.push(body["receipt"].clone());
        }
        let report = host.get("/verification").await.good();
        assert_eq!(report["valid"], true, "{report}");
        let events = host.events().await;
        assert_eq!(events.len() as u64, host.version().await);
        for receipt in &self.receipts {
            let seq = receipt["version"].as_u64().unwrap();
            let event = &events[seq as usize - 1];
            assert_eq!(event["seq"], seq);
            assert_eq!(event["hash"], receipt["hash"]);
        }
    }
}

#[tokio::test]
async fn what_was_answered_survives_a_kill_and_what_was_not_has_one_effect() {
    let directory: TempDir = tempfile::tempdir().unwrap();
    let mut shuffler = Shuffler::seeded(2026);
    let mut binary = Binary::serve(directory.path(), &[]).await;
    let mut clients = Vec::new();
    for number in 0..CLIENTS {
        clients.push(Client::new(&binary.api(), number).await);
    }
    let mut pending = 0;
    for _ in 0..KILLS {
        // Not at a moment of the clock, but amid the requests after a random number of answers.
        let bound = 20 + shuffler.below(60) as usize;
        let load = Arc::new(Load::new(bound));
        let playing: Vec<_> = clients
            .into_iter()
            .map(|mut client| {
                let load = load.clone();
                tokio::spawn(async move {
                    client.play(&load).await;
                    client
                })
            })
            .collect();
        load.enough.notified().await;
        binary.stop(Signal::KILL).await;
        clients = Vec::new();
        for client in playing {
            clients.push(client.await.unwrap());
        }
        pending += clients
            .iter()
            .filter(|client| client.pending.is_some())
            .count();

        binary = Binary::serve(directory.path(), &[]).await;
        for client in &mut clients {
            client.check(&binary.api()).await;
        }
    }
    assert!(
        pending > 0,
        "no request was under way when the server was killed"
    );
}

#[tokio::test]
async fn tokens_claims_and_abandonment_survive_a_kill() {
    let directory = tempfile::tempdir().unwrap();
    let binary = Binary::serve(directory.path(), &[]).await;
    let setup = Setup::dealt(GameKind::ALL[0]).claimed(1);
    let game = binary.api().create(&setup).await;
    let claim = json!({"code": game.claim_code(1)}).to_string();
    let claimed = game
        .stranger()
        .post("/seats/1/claim", claim.clone())
        .await
        .good();
    let other = binary.api().create(&setup).await;
    other.host().abandons().await.good();
    let keys = binary.api().get("/v1/keys").await.good();
    binary.stop(Signal::KILL).await;

    let binary = Binary::serve(directory.path(), &[]).await;
    let game = game.moved_to(&binary.api());
    let token = claimed["token"].as_str().unwrap();
    assert_eq!(game.with_token(token).version().await, claimed["version"]);
    assert_eq!(game.host().summary().await["seats"][1]["claimed"], true);
    game.stranger()
        .post("/seats/1/claim", claim)
        .await
        .problem(403, "forbidden");
    let other = other.moved_to(&binary.api());
    assert_eq!(other.host().summary().await["status"], "abandoned");
    assert_eq!(binary.api().get("/v1/keys").await.good(), keys);
}
