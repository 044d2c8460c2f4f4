//! Random games without a record: for simulation and for tests.

use std::mem::{Discriminant, discriminant};

use smallvec::SmallVec;

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
            let keenest = keenest::<R>(state, moves);
            if let Some(bound) = bound(keenest.len()) {
                return Some(keenest[shuffler.below(bound) as usize]);
            }
        }
        let kinds = kinds(moves);
        let (kind, count) = kinds[shuffler.below(bound(kinds.len())?) as usize];
        let chosen = shuffler.below(bound(count)?);
        moves
            .iter()
            .filter(|mv| discriminant(*mv) == kind)
            .nth(chosen as usize)
    }
}

/// The moves that make the most progress; none when no move makes any.
fn keenest<'m, R: Ruleset>(state: &R::State, moves: &'m [R::Move]) -> SmallVec<[&'m R::Move; 32]> {
    let mut most = 1;
    let mut keenest = SmallVec::new();
    for mv in moves {
        let keenness = R::keenness(state, mv);
        if keenness > most {
            most = keenness;
            keenest.clear();
        }
        if keenness == most {
            keenest.push(mv);
        }
    }
    keenest
}

/// The kinds of moves, in the order in which they come up first, and how many there are of each. A
/// kind of move is a variant of the move's type.
fn kinds<M>(moves: &[M]) -> SmallVec<[(Discriminant<M>, usize); 8]> {
    let mut kinds = SmallVec::<[(Discriminant<M>, usize); 8]>::new();
    let alike = |one: &M, other: &M| discriminant(one) == discriminant(other);
    // Moves of a kind are mostly listed together.
    for run in moves.chunk_by(alike) {
        let kind = discriminant(&run[0]);
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, count)) => *count += run.len(),
            None => kinds.push((kind, run.len())),
        }
    }
    kinds
}

/// A number of things to choose from, if there are any.
fn bound(count: usize) -> Option<u32> {
    u32::try_from(count).ok().filter(|count| *count > 0)
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
