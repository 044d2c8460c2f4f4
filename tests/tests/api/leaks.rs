//! What is hidden stays hidden while a game runs, from everybody and by every route.
//!
//! Three things that lean on each other: of a hidden event nobody is shown the content but its
//! owner; whatever else is answered follows from the events that the reader was shown; and none of
//! the bytes that were received holds a salt, a secret or another's token.

use domain::dealer::{Dealer, Secret};
use domain::game::Declined;
use domain::rulesets::{AnyGame, GameKind};
use domain::seat::{Seat, Viewer};
use reqwest::Method;
use serde_json::{Value, json};

use crate::helpers::{
    Answer, Api, Caller, EventStream, Game, Play, Setup, TestApp, answer, read_move, served_text,
    value,
};

/// A reader of a running game, and all that it received.
struct Ear {
    viewer: Viewer,
    caller: Caller,
    stream: EventStream,
    /// Every answer, headers first.
    heard: String,
    /// The events as they were shown, and the texts that a record of them would hold.
    events: Vec<Value>,
    texts: Vec<String>,
}

impl Ear {
    async fn new(viewer: Viewer, caller: Caller) -> Self {
        Self {
            viewer,
            stream: caller.follows(None).await,
            caller,
            heard: String::new(),
            events: Vec::new(),
            texts: Vec::new(),
        }
    }

    /// One for every seat, the host and a spectator.
    async fn all(game: &Game) -> Vec<Self> {
        let mut ears = Vec::new();
        for seat in 0..game.seat_count() {
            ears.push(Self::new(Viewer::Seat(Seat::new(seat)), game.seat(seat)).await);
        }
        ears.push(Self::new(Viewer::Spectator, game.host()).await);
        ears.push(Self::new(Viewer::Spectator, game.stranger()).await);
        ears
    }

    fn seat(&self) -> Option<u8> {
        match self.viewer {
            Viewer::Seat(seat) => Some(seat.number()),
            Viewer::Spectator | Viewer::Open => None,
        }
    }

    fn hear(&mut self, answer: &Answer) {
        let text = String::from_utf8_lossy(&answer.body);
        self.heard += &format!("{:?}\n{text}\n", answer.headers);
    }

    async fn get(&mut self, path: &str) -> Answer {
        let answer = self.caller.get(path).await;
        self.hear(&answer);
        answer
    }

    async fn post(&mut self, path: &str, body: &Value) -> Answer {
        let answer = self.caller.post(path, body.to_string()).await;
        self.hear(&answer);
        answer
    }

    async fn lines(&mut self, path: &str) -> Vec<Value> {
        let request = self.caller.request(Method::GET, path);
        let answer = answer(request.header("accept", "application/x-ndjson")).await;
        self.hear(&answer);
        let lines = answer.text().lines();
        lines
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// Reads the events that are new, by every way there is.
    async fn listen(&mut self) {
        let path = format!("/events?limit=1000&after={}", self.events.len());
        let page = self.get(&path).await.good();
        let new = page["events"].as_array().unwrap();
        assert_eq!(self.lines(&path).await, *new);
        if let Some(last) = new.last() {
            let streamed = self.stream.up_to(last["seq"].as_u64().unwrap()).await;
            let streamed: Vec<Value> = streamed.iter().map(|event| event.json()).collect();
            assert_eq!(streamed, *new);
        }
        self.texts.extend(new.iter().map(served_text));
        self.events.extend(new.iter().cloned());
    }

    /// The game as it follows from what was shown, up to a version.
    fn picture(&self, kind: GameKind, version: usize) -> AnyGame {
        let dealer = Dealer::Virtual(Secret([0; 32]));
        kind.fold(&self.texts[..version], dealer).unwrap()
    }

    /// Asks everything, and compares what depends on hidden things with the picture.
    async fn compare(&mut self, kind: GameKind, moves: &[Value]) {
        self.listen().await;
        let now = self.events.len();
        let picture = self.picture(kind, now);
        let told = format!("{kind:?} {:?} at {now}", self.viewer);

        let state = self.get("/state").await.good();
        expect_state(&state, &picture, self.viewer, &told);
        for at in [now / 2, now - 1] {
            let then = self.get(&format!("/state?at={at}")).await.good();
            let picture = self.picture(kind, at);
            expect_state(&then, &picture, self.viewer, &told);
        }
        let summary = self.get("").await.good();
        assert_eq!(summary["turn"], turn(&picture), "{told}");
        assert_eq!(summary["version"], now, "{told}");

        let record = self.get("/record").await.good();
        let entries = kind.entries(&self.texts, self.viewer).unwrap();
        let entries: Vec<Value> = entries.entries.iter().map(|entry| value(entry)).collect();
        assert_eq!(record["entries"], json!(entries), "{told}");
        assert_eq!(record["events"], json!(self.events), "{told}");
        assert_eq!(self.lines("/record").await[1..], entries, "{told}");

        let changes = format!("/changes?from={}&to={now}", now / 2);
        assert_eq!(self.get(&changes).await.status, 200);
        let fork = self.post("/forks", &json!({"at": now})).await;
        fork.problem(409, "not_over");
        let fairness = self.get("/fairness").await.good();
        assert_eq!(fairness["secret"], Value::Null);
        let report = self.get("/verification").await.good();
        assert_eq!(report["checks"]["fairness"], "pending");

        if let Some(seat) = self.seat() {
            self.compare_moves(&picture, seat, moves, &told).await;
        }
    }

    /// What the seat may do, and what it is told of moves that it may not make.
    async fn compare_moves(&mut self, picture: &AnyGame, seat: u8, moves: &[Value], told: &str) {
        let listed = self.get("/legal-moves").await.good();
        let legal: Vec<Value> = picture
            .legal_moves(Seat::new(seat), None)
            .iter()
            .map(|mv| json!({"move": value(mv)}))
            .collect();
        assert_eq!(listed["moves"], json!(legal), "{told}");
        for mv in moves {
            let ruling = self.post("/rulings", &json!({"move": mv})).await.good();
            match picture.judge(&read_move(picture, seat, mv, &[]), None) {
                Ok(()) => assert_eq!(ruling, json!({"legal": true}), "{told}: {mv}"),
                Err(Declined::Illegal(violation)) => {
                    assert_eq!(ruling["rule"]["id"], violation.rule.id, "{told}: {mv}");
                    assert_eq!(ruling["detail"], *violation.detail, "{told}: {mv}");
                    let refused = self.post("/moves", &json!({"move": mv})).await;
                    let refused = refused.against(violation.rule.id);
                    assert_eq!(refused["detail"], *violation.detail, "{told}: {mv}");
                }
                Err(declined) => panic!("{told}: {mv}: {declined}"),
            }
        }
    }
}

fn turn(game: &AnyGame) -> Value {
    serde_json::to_value(game.brief().turn).unwrap()
}

#[track_caller]
fn expect_state(state: &Value, picture: &AnyGame, viewer: Viewer, told: &str) {
    assert_eq!(state["version"], picture.version(), "{told}");
    assert_eq!(state["turn"], turn(picture), "{told}");
    assert_eq!(state["view"], value(&picture.view(viewer)), "{told}");
}

/// What one reader was shown of an event that hides something, beside the truth.
#[track_caller]
fn expect_hidden(shown: &Value, truth: &Value, seat: Option<u8>) {
    let owner = truth["data"]["seat"].as_u64().unwrap();
    if seat.map(u64::from) == Some(owner) {
        assert_eq!(shown["data"], truth["data"], "a seat sees its own");
        return;
    }
    assert_eq!(shown["data"]["seat"], owner);
    assert_ne!(shown["data"], truth["data"]);
    if let Some(seen) = truth["data"].get("seen") {
        // The record says what everybody saw, for it could not be told from the card alone.
        assert_eq!(shown["data"], json!({"seat": owner, "bonus": seen}));
        return;
    }
    expect_no_content(&shown["data"], shown);
}

/// Numbers may be counted; every word is `hidden`, and nothing is listed.
#[track_caller]
fn expect_no_content(data: &Value, event: &Value) {
    match data {
        Value::Object(members) => members
            .values()
            .for_each(|value| expect_no_content(value, event)),
        Value::String(word) => assert_eq!(word, "hidden", "{event}"),
        Value::Array(_) => panic!("{event} lists what is hidden"),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Plays a game with every reader listening, then compares what they heard with the truth.
async fn listen_to(api: &Api, kind: GameKind, seats: u8) {
    let setup = Setup::dealt(kind).seats(seats).seed(40 + seats).public();
    let game = api.create(&setup).await;
    let mut ears = Ear::all(&game).await;
    let mut play = Play::of(&game, u64::from(seats)).await;
    let mut moves: Vec<Value> = Vec::new();
    for step in 0..24 {
        let Some(seat) = play.until_a_seat().await else {
            break;
        };
        if step % 12 == 6 {
            for ear in &mut ears {
                ear.compare(kind, &moves).await;
            }
        }
        let mv = play.choose(seat).await;
        if !moves.contains(&mv) && moves.len() < 4 {
            moves.push(mv.clone());
        }
        let ear = &mut ears[usize::from(seat)];
        let told = ear.post("/moves", &json!({"move": mv})).await.good();
        play.saw(&told);
        if play.turn["kind"] == "over" {
            break;
        }
        ear.listen().await;
        let events = told["events"].as_array().unwrap();
        assert!(ear.events.ends_with(events), "{told}");
    }
    if play.turn["kind"] != "over" {
        for ear in &mut ears {
            ear.listen().await;
        }
        game.host().abandons().await.good();
    }
    for ear in &mut ears {
        ear.stream.read_all().await;
    }

    let record = game.stranger().get("/record").await.good();
    let open = record["events"].as_array().unwrap();
    let secret = game.stranger().get("/fairness").await.good();
    let secret = secret["secret"].as_str().unwrap();
    let mut hidden = 0;
    for ear in &ears {
        let heard = format!("{}{}", ear.heard, ear.stream.received);
        assert!(!heard.contains(secret));
        for token in tokens_of_others(&game, ear.seat()) {
            assert!(!heard.contains(&token));
        }
        for (shown, truth) in ear.events.iter().zip(open) {
            if let Some(salt) = truth["salt"].as_str() {
                assert!(!heard.contains(salt), "{:?}: {truth}", ear.viewer);
                expect_hidden(shown, truth, ear.seat());
                hidden += 1;
            }
        }
    }
    let hides = ["sagoleken", "skip_bo", "sleeping_queens"].contains(&kind.name());
    assert_eq!(hidden > 0, hides, "{kind:?} hides something");
}

fn tokens_of_others(game: &Game, seat: Option<u8>) -> Vec<String> {
    let seats = (0..game.seat_count()).filter(|other| Some(*other) != seat);
    let mut tokens: Vec<String> = seats.map(|seat| game.seat_token(seat).to_owned()).collect();
    tokens.push(game.host_token().to_owned());
    tokens
}

#[tokio::test]
async fn nobody_hears_of_what_is_hidden() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        for seats in kind.seats() {
            listen_to(&app, *kind, seats).await;
        }
    }
}
