//! Two games that differ only in what a reader cannot know answer that reader alike.

use std::collections::HashMap;

use chrono::DateTime;
use domain::dealer::{Dealer, Secret, Shuffler};
use domain::game::Context;
use domain::game::desk::{Blueprint, Json};
use domain::record::Hash;
use domain::rulesets::{AnyDecision, AnyGame, GameKind};
use domain::seat::{Seat, Viewer};
use reqwest::Method;
use serde_json::{Value, json};

use crate::helpers::{Answer, Api, Caller, Game, Setup, TestApp, answer, read_move, value};

/// The seat that compares.
const SEAT: Viewer = Viewer::Seat(Seat::new(0));

/// How many deals are tried for two that look alike.
const DEALS: u64 = 1500;

/// Two deals that a viewer cannot tell apart, and moves after which it still cannot.
struct Twins {
    secrets: [Secret; 2],
    moves: Vec<(u8, Value)>,
}

fn secret(number: u64) -> Secret {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&number.to_be_bytes());
    Secret(bytes)
}

fn context() -> Context {
    Context::new(DateTime::default(), None, [0; 32])
}

fn deal(kind: GameKind, secret: Secret, viewer: Viewer) -> AnyDecision {
    let blueprint = Blueprint {
        id: String::new(),
        seats: *kind.seats().start(),
        options: None,
        position: None,
        rules_version: None,
        names: Hash::ZERO,
    };
    kind.create(blueprint, Dealer::Virtual(secret), &mut context(), viewer)
        .unwrap()
}

/// What the viewer is shown, without what may differ.
fn shown(events: &[Json]) -> Vec<Value> {
    events.iter().map(|event| blurred(value(event))).collect()
}

/// The game after a move, and what the viewer is shown of it.
fn after(game: &AnyGame, viewer: Viewer, seat: u8, mv: &Value) -> (AnyGame, Vec<Value>) {
    let command = read_move(game, seat, mv, &[]);
    let decision = game.decide(&command, &[], &mut context(), viewer).unwrap();
    (decision.game, shown(&decision.served))
}

fn truth(game: &AnyGame) -> Value {
    value(&game.view(Viewer::Open))
}

impl Twins {
    /// Deals cards many times, and takes of the pairs that look alike the one with which the most
    /// moves can be made; none when no two deals look alike.
    fn of(kind: GameKind, viewer: Viewer) -> Option<Self> {
        let mut seen: HashMap<String, u64> = HashMap::new();
        let mut best: Option<Self> = None;
        for number in 0..DEALS {
            let dealt = deal(kind, secret(number), viewer);
            let looks = json!(shown(&dealt.served)).to_string();
            let Some(other) = seen.insert(looks, number) else {
                continue;
            };
            let secrets = [secret(other), secret(number)];
            let games = secrets
                .clone()
                .map(|secret| deal(kind, secret, viewer).game);
            if truth(&games[0]) == truth(&games[1]) {
                continue;
            }
            let moves = moves_alike(games, viewer);
            let is_better = best
                .as_ref()
                .is_none_or(|best| best.moves.len() < moves.len());
            if is_better {
                best = Some(Self { secrets, moves });
            }
            if best.as_ref().is_some_and(|best| best.moves.len() >= ENOUGH) {
                break;
            }
        }
        best
    }
}

/// How many moves are enough.
const ENOUGH: usize = 6;

/// Moves that are legal in both games and after which they still look alike.
fn moves_alike([mut one, mut other]: [AnyGame; 2], viewer: Viewer) -> Vec<(u8, Value)> {
    let mut shuffler = Shuffler::seeded(1);
    let mut moves = Vec::new();
    'next: while moves.len() < ENOUGH {
        let turn = serde_json::to_value(one.brief().turn).unwrap();
        let Some(seat) = turn["seat"].as_u64().map(|seat| seat as u8) else {
            break;
        };
        let legal = |game: &AnyGame| -> Vec<Value> {
            let moves = game.legal_moves(Seat::new(seat), None);
            moves.iter().map(|mv| value(mv)).collect()
        };
        let mut candidates = legal(&one);
        let in_other = legal(&other);
        candidates.retain(|mv| in_other.contains(mv));
        shuffler.shuffle(&mut candidates);
        for mv in candidates.into_iter().take(20) {
            let (one_then, shown) = after(&one, viewer, seat, &mv);
            let (other_then, also_shown) = after(&other, viewer, seat, &mv);
            let goes_on = one_then.brief().result.is_none();
            if goes_on && shown == also_shown && truth(&one_then) != truth(&other_then) {
                (one, other) = (one_then, other_then);
                moves.push((seat, mv));
                continue 'next;
            }
        }
        break;
    }
    moves
}

/// A value without ids, times, tokens, commitments, hashes, receipts and signatures.
fn blurred(value: Value) -> Value {
    match value {
        Value::Object(members) => members
            .into_iter()
            .map(|(name, value)| (name, blurred(value)))
            .collect(),
        Value::Array(items) => items.into_iter().map(blurred).collect(),
        Value::String(text) if is_unlike(&text) => "…".into(),
        other => other,
    }
}

fn is_unlike(text: &str) -> bool {
    let is_hex = text
        .bytes()
        .all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    is_hex && [32, 36, 64, 128].contains(&text.len()) || DateTime::parse_from_rfc3339(text).is_ok()
}

/// Every answer that the caller gets now, without what may differ.
async fn answers(caller: &Caller, moves: &[Value]) -> Vec<(String, Value)> {
    let version = caller.version().await;
    let mut told = Vec::new();
    let mut tell = |asked: String, answer: Answer| {
        let (status, mut headers, _) = answer.essence();
        // A time without a fraction is shorter.
        headers.remove("content-length");
        let body: Vec<Value> = answer
            .text()
            .lines()
            .map(|line| line.strip_prefix("data: ").unwrap_or(line))
            .map(|line| serde_json::from_str(line).map_or_else(|_| line.into(), blurred))
            .map(without_instance)
            .collect();
        told.push((
            asked,
            json!([status.as_u16(), format!("{headers:?}"), body]),
        ));
    };
    for path in [
        "".to_owned(),
        "/state".to_owned(),
        format!("/state?at={}", version / 2 + 1),
        "/events?limit=1000".to_owned(),
        "/events?after=3&limit=2".to_owned(),
        "/record".to_owned(),
        "/fairness".to_owned(),
        "/verification".to_owned(),
        "/legal-moves".to_owned(),
        "/disputes".to_owned(),
        format!("/changes?from=1&to={version}"),
    ] {
        let answer = caller.get(&path).await;
        tell(path, answer);
    }
    let lines = caller
        .request(Method::GET, "/events")
        .header("accept", "application/x-ndjson");
    tell("lines".to_owned(), answer(lines).await);
    for mv in moves {
        let body = json!({"move": mv}).to_string();
        tell(
            format!("ruling on {mv}"),
            caller.post("/rulings", body.clone()).await,
        );
        let headers = [("if-match", "\"1\"")];
        tell(
            format!("stale {mv}"),
            caller.post_with("/moves", body, &headers).await,
        );
    }
    let stream = caller.follows(None).await.up_to(version).await;
    let stream: Vec<Value> = stream.iter().map(|event| blurred(event.json())).collect();
    told.push(("stream".to_owned(), stream.into()));
    told
}

/// A problem names the path of the request, and with it the game.
fn without_instance(mut line: Value) -> Value {
    if let Some(members) = line.as_object_mut() {
        members.remove("instance");
    }
    line
}

/// What the viewer is told while the last event is disputed and seats vote on it. The dispute is
/// withdrawn in the end.
async fn disputed(game: &Game, caller: &Caller, viewer: Viewer) -> Vec<Value> {
    let version = game.host().version().await;
    let created = game.created["version"].as_u64().unwrap();
    let claim = json!({"seq": version, "claim": "it was not so"}).to_string();
    let opened = game.seat(1).post("/disputes", claim).await;
    if !opened.status.is_success() {
        return vec![opened.status.as_u16().into()];
    }
    let opened = opened.good();
    let path = format!("/disputes/{}", opened["dispute"]["n"]);
    let mut told = Vec::new();
    for vote in [
        json!({"remedy": "rewind", "to": created}),
        json!({"remedy": "keep"}),
    ] {
        let voted = game
            .seat(0)
            .post(&format!("{path}/votes"), vote.to_string())
            .await;
        if viewer == Viewer::Seat(Seat::new(0)) {
            told.push(blurred(voted.good()));
        }
        told.push(blurred(caller.get("/disputes").await.good()));
    }
    let end = format!("{path}/withdraw");
    game.seat(1).post(&end, "{}").await.good();
    told.push(blurred(caller.get("/events?limit=1000").await.good()));
    told.push(blurred(caller.get("/disputes").await.good()));
    told
}

/// Plays both games, and compares all that the viewer is answered on the way.
async fn compare(api: &Api, kind: GameKind, viewer: Viewer, twins: &Twins) {
    let moves: Vec<Value> = twins.moves.iter().map(|(_, mv)| mv.clone()).collect();
    let mut games = Vec::new();
    for secret in &twins.secrets {
        let setup = Setup::dealt(kind).secret(secret).public();
        games.push(api.create(&setup).await);
    }
    let caller = |game: &Game| match viewer {
        Viewer::Seat(seat) => game.seat(seat.number()),
        Viewer::Spectator | Viewer::Open => game.stranger(),
    };
    for step in 0..=twins.moves.len() {
        let one = answers(&caller(&games[0]), &moves).await;
        let other = answers(&caller(&games[1]), &moves).await;
        for ((asked, one), (_, other)) in one.iter().zip(&other) {
            assert_eq!(one, other, "{kind:?} after {step} moves: {asked}");
        }
        let mut told = Vec::new();
        for game in &games {
            told.push(disputed(game, &caller(game), viewer).await);
        }
        assert_eq!(told[0], told[1], "{kind:?} disputed after {step} moves");
        let Some((seat, mv)) = twins.moves.get(step) else {
            break;
        };
        let mut told = Vec::new();
        for game in &games {
            told.push(blurred(game.seat(*seat).moves(mv).await.good()));
        }
        if viewer == Viewer::Seat(Seat::new(*seat)) {
            assert_eq!(told[0], told[1], "{kind:?} at move {step}");
        }
    }
    let mut open = Vec::new();
    for game in &games {
        game.host().abandons().await.good();
        let record = game.host().get("/record").await.good();
        open.push(blurred(record)["entries"].clone());
    }
    assert_ne!(open[0], open[1], "{kind:?}: they were different games");
}

#[tokio::test]
async fn what_a_seat_cannot_know_changes_no_answer_that_it_gets() {
    let app = TestApp::start().await;
    let mut compared = 0;
    for kind in GameKind::ALL {
        // In a game with many cards no two deals give a seat the same ones.
        if let Some(twins) = Twins::of(*kind, SEAT) {
            assert!(!twins.moves.is_empty(), "{kind:?}");
            compare(&app, *kind, SEAT, &twins).await;
            compared += 1;
        }
    }
    assert!(compared > 1, "{compared} games");
}

#[tokio::test]
async fn what_spectators_cannot_know_changes_no_answer_that_they_get() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        let dealt = deal(*kind, secret(0), Viewer::Spectator).game;
        if value(&dealt.view(Viewer::Spectator)) == truth(&dealt) {
            // Nothing is hidden that somebody knows.
            continue;
        }
        let twins = Twins::of(*kind, Viewer::Spectator).unwrap();
        assert!(twins.moves.len() > 2, "{kind:?}: {:?}", twins.moves);
        compare(&app, *kind, Viewer::Spectator, &twins).await;
    }
}
