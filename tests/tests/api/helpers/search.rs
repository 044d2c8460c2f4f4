//! Searching for a short game in which certain things happen.

use std::cmp::Reverse;

use domain::dealer::Shuffler;
use domain::playout::RandomPlayer;
use domain::rulesets::{AnyDecision, AnyGame};
use serde_json::Value;

use super::script::{Step, value};

/// Something that is to happen in a game: events in a row of which each contains what is asked of
/// it, a member and an element at a time.
#[derive(Clone, Debug)]
pub(crate) struct Wish(Vec<Value>);

impl Wish {
    /// One event, or an array of them in a row.
    pub(crate) fn new(wanted: Value) -> Self {
        match wanted {
            Value::Array(row) => Self(row),
            single => Self(vec![single]),
        }
    }

    /// Whether the last of these events are what is wished.
    fn ends(&self, events: &[Value]) -> bool {
        let from = events.len().checked_sub(self.0.len());
        from.is_some_and(|from| events[from..].iter().zip(&self.0).all(contains))
    }

    /// Whether it happens anywhere among these events.
    pub(crate) fn is_met_by(&self, events: &[Value]) -> bool {
        events.windows(self.0.len()).any(|row| self.ends(row))
    }
}

fn contains((whole, wanted): (&Value, &Value)) -> bool {
    match (whole, wanted) {
        (Value::Object(whole), Value::Object(wanted)) => wanted.iter().all(|(name, wanted)| {
            let found = whole.get(name);
            found.is_some_and(|found| contains((found, wanted)))
        }),
        (whole, wanted) => whole == wanted,
    }
}

/// What players hold back for as long as they can do anything else.
#[derive(Clone, Debug)]
pub(crate) struct Patience {
    /// The moves: those that contain this.
    pub(crate) with: Value,
    /// Until an event contains this.
    pub(crate) until: Value,
}

/// What is searched for.
pub(crate) struct Search<'w> {
    pub(crate) wishes: &'w [Wish],
    pub(crate) patience: Option<&'w Patience>,
    /// The most events that a game may have.
    pub(crate) longest: u64,
}

/// A game on the way, with what happened in it.
#[derive(Clone)]
struct Place {
    game: AnyGame,
    /// Which wishes are met.
    met: Vec<bool>,
    /// Whether there is still a reason for patience.
    is_patient: bool,
    /// As many of the last events as a wish may ask for.
    recent: Vec<Value>,
}

impl Place {
    fn count(&self) -> usize {
        self.met.iter().filter(|met| **met).count()
    }
}

/// A way to an end.
struct Way {
    steps: Vec<Step>,
    met: usize,
    events: u64,
}

impl Way {
    fn worth(&self) -> (usize, Reverse<u64>) {
        (self.met, Reverse(self.events))
    }
}

impl Search<'_> {
    /// Steps from a game that was just begun to its end that meet every wish, and the fewest of
    /// those found; none when a wish was not met.
    ///
    /// They are found by playing at random, and from every position on the best way so far it is
    /// tried `tries` times more whether there is a better one.
    pub(crate) fn run(
        &self,
        begun: AnyDecision,
        tries: usize,
        shuffler: &mut Shuffler,
    ) -> Option<Vec<Step>> {
        const FIRST: usize = 40;
        let mut place = Place {
            met: vec![false; self.wishes.len()],
            is_patient: self.patience.is_some(),
            recent: Vec::new(),
            game: begun.game.clone(),
        };
        self.arrive(&mut place, begun);
        let mut done = Vec::new();
        let mut ahead: Option<Way> = None;
        loop {
            let tries = if done.is_empty() {
                FIRST * tries
            } else {
                tries
            };
            for keen in [0.0, 0.3, 0.6, 0.9].into_iter().cycle().take(tries) {
                let found = self.playout(&place, RandomPlayer { keen }, ahead.as_ref(), shuffler);
                ahead = found.or(ahead);
            }
            let Way { steps, met, events } = ahead?;
            let mut steps = steps.into_iter();
            let Some(step) = steps.next() else {
                return (met == self.wishes.len()).then_some(done);
            };
            let decision = step.after(&place.game, 0);
            self.arrive(&mut place, decision);
            done.push(step);
            ahead = Some(Way {
                steps: steps.collect(),
                met,
                events,
            });
        }
    }

    /// A way to the end that a random player takes, if it is better than the best so far.
    fn playout(
        &self,
        start: &Place,
        player: RandomPlayer,
        best: Option<&Way>,
        shuffler: &mut Shuffler,
    ) -> Option<Way> {
        let bound = match best {
            Some(best) if best.met == self.wishes.len() => best.events - 1,
            _ => self.longest,
        };
        let mut place = start.clone();
        let mut steps = Vec::new();
        while let Some(step) = self.step(&place, player, shuffler) {
            let decision = step.after(&place.game, 0);
            self.arrive(&mut place, decision);
            steps.push(step);
            if place.game.version() > bound {
                return None;
            }
        }
        let way = Way {
            steps,
            met: place.count(),
            events: place.game.version(),
        };
        best.is_none_or(|best| way.worth() > best.worth())
            .then_some(way)
    }

    /// What a player does where a game stands, and, at a table, what comes up then; none when the
    /// game is over.
    fn step(&self, place: &Place, player: RandomPlayer, shuffler: &mut Shuffler) -> Option<Step> {
        const ATTEMPTS: usize = 8;
        let game = &place.game;
        let mut moves = (0..ATTEMPTS).map_while(|_| {
            let (seat, mv) = game.random_move(player, shuffler)?;
            Some((seat.number(), value(&mv)))
        });
        let first = moves.next();
        let chosen = match (self.patience, first) {
            (Some(patience), Some(first))
                if place.is_patient && contains((&first.1, &patience.with)) =>
            {
                let mut others = moves.filter(|(_, mv)| !contains((mv, &patience.with)));
                Some(others.next().unwrap_or(first))
            }
            (_, first) => first,
        };
        let mut step = match chosen {
            Some((seat, mv)) => Step::Move {
                seat,
                mv,
                outcomes: Vec::new(),
            },
            None => Step::Declare {
                outcomes: vec![value(&game.random_outcome(shuffler)?)],
            },
        };
        step.complete(game, shuffler);
        Some(step)
    }

    fn arrive(&self, place: &mut Place, decision: AnyDecision) {
        let row = self.wishes.iter().map(|wish| wish.0.len()).max();
        for stored in &decision.stored {
            place
                .recent
                .push(serde_json::from_str(&stored.text).unwrap());
            if place.recent.len() > row.unwrap_or(1) {
                place.recent.remove(0);
            }
            for (met, wish) in place.met.iter_mut().zip(self.wishes) {
                *met = *met || wish.ends(&place.recent);
            }
            let event = place.recent.last().unwrap();
            place.is_patient &= self
                .patience
                .is_some_and(|patience| !contains((event, &patience.until)));
        }
        place.game = decision.game;
    }
}
