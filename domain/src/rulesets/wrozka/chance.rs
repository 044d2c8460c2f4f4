//! What chance is asked, and what a dealer answers.

use super::moves::{Die, Due, Outcome};
use super::state::{Phase, State};
use crate::dealer::Shuffler;

/// What is asked; nothing while a seat is to move, and when the game is over.
pub(super) fn due(state: &State) -> Option<Due> {
    match state.phase {
        Phase::Laying => Some(Due::Layout {
            count: state.tokens().len(),
        }),
        Phase::Rolling => Some(Due::Die { seat: state.seat }),
        Phase::TurningUp => Some(Due::Token {
            place: state.here_id(),
        }),
        Phase::Moving(_) | Phase::Choosing | Phase::Over => None,
    }
}

/// Draws what is asked.
pub(super) fn sample(state: &State, shuffler: &mut Shuffler) -> Outcome {
    match state.phase {
        Phase::Laying => layout(state, shuffler),
        Phase::TurningUp => Outcome::Token(state.unseen().draw(shuffler)),
        Phase::Rolling | Phase::Moving(_) | Phase::Choosing | Phase::Over => Outcome::Die {
            value: roll(shuffler),
        },
    }
}

fn roll(shuffler: &mut Shuffler) -> Die {
    Die::new(shuffler.below(6) as u8 + 1).expect("a number below six, and one, is on a die")
}

/// Places for the tokens in the board's order, every choice of places being equally likely: of the
/// places still to come, each is taken with the chance that it is among those still needed.
fn layout(state: &State, shuffler: &mut Shuffler) -> Outcome {
    let mut to_come = state.map.notes().count() as u32;
    let mut needed = u32::from(state.tokens().len());
    let mut places = Vec::with_capacity(needed as usize);
    for place in state.map.notes() {
        if shuffler.below(to_come) < needed {
            places.push(state.map.id(place));
            needed -= 1;
        }
        to_come -= 1;
    }
    Outcome::Layout { places }
}
