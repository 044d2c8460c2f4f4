//! Random play of any game, and what follows from the events that somebody was shown.

use chrono::DateTime;
use domain::dealer::{Dealer, Shuffler};
use domain::game::Context;
use domain::game::desk::Json;
use domain::rulesets::{AnyGame, GameKind};
use domain::seat::{Seat, Viewer};
use serde_json::Value;
use serde_json::value::RawValue;

use super::game::moves_of;
use super::{Answer, Game};

/// The text of an event as it is hashed: what is served, without its hash, in RFC 8785 form.
pub(crate) fn served_text(event: &Value) -> String {
    let mut hashed = event.clone();
    hashed.as_object_mut().unwrap().remove("hash");
    serde_json_canonicalizer::to_string(&hashed).unwrap()
}

/// The game as it follows from events that somebody was shown, masked or not.
pub(crate) fn picture(kind: GameKind, events: &[Value]) -> AnyGame {
    let texts: Vec<String> = events.iter().map(served_text).collect();
    kind.fold(&texts, Dealer::Table).unwrap()
}

/// Plays a game at random, a request at a time. The same seed plays the same game.
pub(crate) struct Play<'g> {
    game: &'g Game,
    shuffler: Shuffler,
    /// Who must act, as the last answer said.
    pub(crate) turn: Value,
    /// At a table, all events so far: what can come up follows from them.
    events: Vec<Value>,
}

impl<'g> Play<'g> {
    /// Goes on from where the game stands.
    pub(crate) async fn of(game: &'g Game, seed: u64) -> Self {
        let events = match game.is_table() {
            true => game.host().events().await,
            false => Vec::new(),
        };
        Self {
            game,
            shuffler: Shuffler::seeded(seed),
            turn: game.host().summary().await["turn"].clone(),
            events,
        }
    }

    /// One move, or one declaration where an outcome is awaited; none when the game is over.
    pub(crate) async fn step(&mut self) -> Option<Answer> {
        let answer = match self.turn["kind"].as_str().unwrap() {
            "seat" => {
                let seat = self.turn["seat"].as_u64().unwrap() as u8;
                let mv = self.choose(seat).await;
                self.game.seat(seat).moves(&mv).await
            }
            "chance" => {
                let outcome = self.outcome();
                self.game.host().declares(&[outcome]).await
            }
            _ => return None,
        };
        let body = answer.good();
        self.turn = body["turn"].clone();
        if self.game.is_table() {
            let recorded = body["events"].as_array().unwrap();
            self.events.extend(recorded.iter().cloned());
        }
        Some(answer)
    }

    /// So many steps, or fewer when the game is over.
    pub(crate) async fn steps(&mut self, count: usize) -> &mut Self {
        for _ in 0..count {
            if self.step().await.is_none() {
                break;
            }
        }
        self
    }

    /// Steps until a seat must act, or the game is over.
    pub(crate) async fn to_a_seat(&mut self) -> Option<u8> {
        while self.turn["kind"] == "chance" {
            self.step().await;
        }
        self.turn["seat"].as_u64().map(|seat| seat as u8)
    }

    /// A legal move of a seat: a kind of move first, then one of that kind.
    pub(crate) async fn choose(&mut self, seat: u8) -> Value {
        let path = format!("/legal-moves?seat={seat}");
        let moves = moves_of(&self.game.seat(seat).get(&path).await.good());
        let mut kinds: Vec<&Value> = Vec::new();
        for mv in &moves {
            if !kinds.contains(&&mv["type"]) {
                kinds.push(&mv["type"]);
            }
        }
        let kind = kinds[self.below(kinds.len())].clone();
        let of_kind: Vec<&Value> = moves.iter().filter(|mv| mv["type"] == kind).collect();
        of_kind[self.below(of_kind.len())].clone()
    }

    /// An outcome that can come up now.
    pub(crate) fn outcome(&mut self) -> Value {
        let game = picture(self.game.kind(), &self.events);
        value(&game.random_outcome(&mut self.shuffler).unwrap())
    }

    /// A random move of a seat at a table, with all the outcomes that chance is asked from it up to
    /// the next point where a seat must act.
    pub(crate) async fn plan(&mut self, seat: u8) -> Plan {
        let mv = self.choose(seat).await;
        let before = picture(self.game.kind(), &self.events);
        let mut outcomes = Vec::new();
        loop {
            let after = decide(&before, seat, &mv, &outcomes);
            match after.random_outcome(&mut self.shuffler) {
                Some(outcome) => outcomes.push(value(&outcome)),
                None => return Plan { mv, outcomes },
            }
        }
    }

    /// A number below a bound.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.shuffler.below(bound as u32) as usize
    }
}

/// A move, and what chance is asked after it.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) mv: Value,
    pub(crate) outcomes: Vec<Value>,
}

/// The game after a move that the rules allow.
fn decide(game: &AnyGame, seat: u8, mv: &Value, outcomes: &[Value]) -> AnyGame {
    let outcomes: Vec<Json> = outcomes.iter().map(raw).collect();
    let command = game.read_move(Seat::new(seat), &raw(mv), &outcomes);
    let mut context = Context::new(DateTime::default(), None, [0; 32]);
    let decision = game.decide(&command.unwrap(), &mut context, Viewer::Spectator);
    decision.unwrap().game
}

fn raw(value: &Value) -> Json {
    RawValue::from_string(value.to_string()).unwrap()
}

fn value(json: &RawValue) -> Value {
    serde_json::from_str(json.get()).unwrap()
}
