//! Random moves and outcomes of any game, in JSON.

use crate::dealer::Shuffler;
use crate::game::Course;
use crate::game::desk::{Json, raw};
use crate::playout::RandomPlayer;
use crate::ruleset::{Ruleset, Turn};
use crate::seat::Seat;

/// What a random player does on the seat that is on turn.
pub(crate) fn random_move<R: Ruleset>(
    course: &Course<R>,
    player: RandomPlayer,
    shuffler: &mut Shuffler,
) -> Option<(Seat, Json)> {
    let Turn::Seat(seat) = course.turn() else {
        return None;
    };
    let moves = course.legal_moves(seat);
    let chosen = player.choose::<R>(&course.state, &moves, shuffler)?;
    Some((seat, raw(chosen)))
}

/// An outcome that can come up, while chance is due.
pub(crate) fn random_outcome<R: Ruleset>(
    course: &Course<R>,
    shuffler: &mut Shuffler,
) -> Option<Json> {
    match course.turn() {
        Turn::Chance(_) => Some(raw(&R::sample(&course.state, shuffler))),
        Turn::Seat(_) | Turn::Over(_) => None,
    }
}
