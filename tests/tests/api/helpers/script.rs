//! Whole games worked out without a server: what to send, request by request.

use chrono::{DateTime, TimeDelta};
use domain::dealer::{Dealer, Mode, Secret, Shuffler};
use domain::game::Context;
use domain::game::desk::{Blueprint, Json};
use domain::playout::RandomPlayer;
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
    /// What a random player does where a game stands, and, at a table, what comes up then; none when
    /// the game is over.
    pub(crate) fn random(
        game: &AnyGame,
        player: RandomPlayer,
        shuffler: &mut Shuffler,
    ) -> Option<Self> {
        let mut step = match game.random_move(player, shuffler) {
            Some((seat, mv)) => Self::Move {
                seat: seat.number(),
                mv: value(&mv),
                outcomes: Vec::new(),
            },
            None => Self::Declare {
                outcomes: vec![value(&game.random_outcome(shuffler)?)],
            },
        };
        step.complete(game, shuffler);
        Some(step)
    }

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
        let decision = game.decide(&self.command(game), &mut context(number), viewer);
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
pub(crate) fn created(kind: GameKind, seats: u8, options: &Value, dealer: Dealer) -> AnyDecision {
    let options = raw(options);
    let blueprint = Blueprint {
        id: "00000000-0000-0000-0000-000000000000".to_owned(),
        seats,
        options: Some(&options),
        rules_version: None,
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

/// Steps from here to the end, found by playing at random and keeping the shortest way.
///
/// From every position on that way it is tried again whether there is a shorter one, `tries` times.
pub(crate) fn short_way(start: &AnyGame, tries: usize, shuffler: &mut Shuffler) -> Vec<Step> {
    let mut game = start.clone();
    let mut done = Vec::new();
    let mut ahead: Option<Vec<Step>> = None;
    loop {
        for keen in [0.0, 0.3, 0.9].into_iter().cycle().take(tries) {
            let bound = ahead.as_ref().map_or(usize::MAX, Vec::len);
            let found = random_way(&game, RandomPlayer { keen }, bound, shuffler);
            ahead = found.or(ahead);
        }
        let mut way = ahead.take().unwrap_or_default().into_iter();
        let Some(step) = way.next() else { return done };
        game = step.after(&game, 0).game;
        done.push(step);
        ahead = Some(way.collect());
    }
}

/// Steps to the end, if there are fewer than `bound`.
fn random_way(
    start: &AnyGame,
    player: RandomPlayer,
    bound: usize,
    shuffler: &mut Shuffler,
) -> Option<Vec<Step>> {
    let mut game = start.clone();
    let mut steps = Vec::new();
    while let Some(step) = Step::random(&game, player, shuffler) {
        if steps.len() + 1 >= bound {
            return None;
        }
        game = step.after(&game, 0).game;
        steps.push(step);
    }
    Some(steps)
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
