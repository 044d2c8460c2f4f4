//! Random games without a record: for simulation and for tests.

use std::mem::{Discriminant, discriminant};

use crate::dealer::Shuffler;
use crate::ruleset::{Effect, Ending, Ruleset, Setup, Turn};
use crate::ruling::Violation;

/// A random player: a kind of move first, then a move of that kind.
#[derive(Clone, Copy, Debug)]
pub struct RandomPlayer {
    /// How often, in 0 to 1, the player takes a move that makes the most progress instead, where
    /// some move makes any ([`Ruleset::keenness`]).
    pub keen: f64,
}

impl RandomPlayer {
    /// Chooses one of the legal moves; none when there are none.
    pub fn choose<'m, R: Ruleset>(
        self,
        state: &R::State,
        moves: &'m [R::Move],
        shuffler: &mut Shuffler,
    ) -> Option<&'m R::Move> {
        if self.keen > 0.0 && f64::from(shuffler.word()) < self.keen * f64::from(u32::MAX) {
            let keenest = moves
                .iter()
                .map(|mv| R::keenness(state, mv))
                .max()
                .unwrap_or(0);
            if keenest > 0 {
                return pick(moves, shuffler, |mv| R::keenness(state, mv) == keenest);
            }
        }
        // A kind of move is a variant of the move's type.
        let mut kinds: Vec<Discriminant<R::Move>> = Vec::with_capacity(8);
        for mv in moves {
            let kind = discriminant(mv);
            if kinds.last() != Some(&kind) && !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        let bound = u32::try_from(kinds.len()).ok().filter(|count| *count > 0)?;
        let kind = kinds[shuffler.below(bound) as usize];
        pick(moves, shuffler, |mv| discriminant(mv) == kind)
    }
}

fn pick<'m, M>(
    moves: &'m [M],
    shuffler: &mut Shuffler,
    wanted: impl Fn(&M) -> bool,
) -> Option<&'m M> {
    let count = moves.iter().filter(|mv| wanted(mv)).count();
    let chosen = shuffler.below(u32::try_from(count).ok().filter(|count| *count > 0)?);
    moves.iter().filter(|mv| wanted(mv)).nth(chosen as usize)
}

/// What came of a random game.
#[derive(Clone, Debug)]
pub struct Playout {
    /// How many moves were made.
    pub moves: u64,
    /// How many events they and chance made.
    pub events: u64,
    /// How it ended; none when it was broken off.
    pub ending: Option<Ending>,
}

/// Plays a random virtual game, at most `max_moves` long; `observe` sees every event.
///
/// # Errors
/// When the game cannot be set up so.
///
/// # Panics
/// When the rules contradict themselves: they refuse a move that they listed, or an outcome that
/// they sampled, or leave a seat without a move.
pub fn play<R: Ruleset>(
    setup: &Setup<R::Options>,
    player: RandomPlayer,
    shuffler: &mut Shuffler,
    max_moves: u64,
    mut observe: impl FnMut(&Effect<R::Event>),
) -> Result<Playout, Violation> {
    let mut state = R::initial_state(setup)?;
    let mut playout = Playout {
        moves: 0,
        events: 0,
        ending: None,
    };
    loop {
        let effects = match R::turn(&state) {
            Turn::Over(ending) => {
                playout.ending = Some(ending);
                return Ok(playout);
            }
            Turn::Chance(_) => {
                let outcome = R::on_record(&state).unwrap_or_else(|| R::sample(&state, shuffler));
                R::resolve(&state, &outcome).expect("a sampled outcome is possible")
            }
            Turn::Seat(_) if playout.moves == max_moves => return Ok(playout),
            Turn::Seat(seat) => {
                playout.moves += 1;
                let moves = R::legal_moves(&state, seat);
                let mv = player
                    .choose::<R>(&state, &moves, shuffler)
                    .expect("a seat on turn has a legal move");
                R::decide(&state, seat, mv).expect("a listed move is legal")
            }
        };
        for effect in &effects {
            playout.events += 1;
            R::evolve(&mut state, &effect.event);
            observe(effect);
        }
    }
}
