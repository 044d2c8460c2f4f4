//! Whole games worked out without a server: what to send, request by request.

use chrono::{DateTime, TimeDelta};
use domain::dealer::{Dealer, Mode, Secret, Shuffler};
use domain::game::Context;
use domain::game::desk::{Blueprint, Json};
use domain::record::Hash;
use domain::rulesets::{AnyCommand, AnyDecision, AnyGame, GameKind};
use domain::seat::{Seat, Viewer};
use serde_json::Value;
use serde_json::value::RawValue;

use super::{Answer, Game};

/// What one request does.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// A seat moves, and these outcomes are declared with it.
    Move {
        seat: u8,
        mv: Value,
        outcomes: Vec<Value>,
    },
    /// Outcomes are declared on their own.
    Declare { outcomes: Vec<Value> },
}

impl Step {
    /// Adds what is still asked of chance up to the next point where a seat must act.
    pub(crate) fn complete(&mut self, game: &AnyGame, shuffler: &mut Shuffler) {
        while let Some(outcome) = self.after(game, 0).game.random_outcome(shuffler) {
            let (Self::Move { outcomes, .. } | Self::Declare { outcomes }) = self;
            outcomes.push(value(&outcome));
        }
    }

    /// What it leads to, as the request with this number.
    pub(crate) fn after(&self, game: &AnyGame, number: usize) -> AnyDecision {
        let viewer = Viewer::Spectator;
        let decision = game.decide(&self.command(game), &[], &mut context(number), viewer);
        decision.unwrap()
    }

    fn command(&self, game: &AnyGame) -> AnyCommand {
        match self {
            Self::Move { seat, mv, outcomes } => read_move(game, *seat, mv, outcomes),
            Self::Declare { outcomes } => game.read_declaration(&raws(outcomes)).unwrap(),
        }
    }

    /// Sends it, as the seat or, where it is nobody's move, as the host.
    pub(crate) async fn send(&self, game: &Game) -> Answer {
        match self {
            Self::Move { seat, mv, outcomes } => {
                game.seat(*seat).moves_as(*seat, mv, outcomes).await
            }
            Self::Declare { outcomes } => game.host().declares(outcomes).await,
        }
    }
}

/// A seat's move, as the game reads it.
pub(crate) fn read_move(game: &AnyGame, seat: u8, mv: &Value, outcomes: &[Value]) -> AnyCommand {
    let command = game.read_move(Seat::new(seat), &raw(mv), &raws(outcomes));
    command.unwrap()
}

/// Times and salts of the request with this number: always the same.
fn context(number: usize) -> Context {
    let at = DateTime::UNIX_EPOCH + TimeDelta::seconds(number as i64);
    Context::new(at, None, Hash::of(&number.to_be_bytes()).0)
}

/// A game before anything was sent.
pub(crate) fn created(
    kind: GameKind,
    rules_version: u16,
    seats: u8,
    options: &Value,
    dealer: Dealer,
) -> AnyDecision {
    let options = raw(options);
    let blueprint = Blueprint {
        id: "00000000-0000-0000-0000-000000000000".to_owned(),
        seats,
        options: Some(&options),
        position: None,
        rules_version: Some(rules_version),
        names: Hash::ZERO,
    };
    let viewer = Viewer::Spectator;
    kind.create(blueprint, dealer, &mut context(0), viewer)
        .unwrap()
}

/// The dealer with a secret that is 32 times this byte; at a table there is none.
pub(crate) fn dealer(mode: Mode, byte: u8) -> Dealer {
    match mode {
        Mode::Virtual => Dealer::Virtual(Secret([byte; 32])),
        Mode::Table => Dealer::Table,
    }
}

pub(crate) fn raw(value: &Value) -> Json {
    RawValue::from_string(value.to_string()).unwrap()
}

fn raws(values: &[Value]) -> Vec<Json> {
    values.iter().map(raw).collect()
}

pub(crate) fn value(json: &RawValue) -> Value {
    serde_json::from_str(json.get()).unwrap()
}
