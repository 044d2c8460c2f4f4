//! What a seat tells the referee of its own hand.

use super::cards::Card;
use super::knowledge::DRAW_PILE;
use super::state::State;
use crate::ruling::{Clue, Common, Violation};
use crate::seat::Seat;

/// Takes down the whole hand of a seat. Cards drawn later are unknown until the seat tells them too.
pub(super) fn confide(state: &mut State, seat: Seat, cards: &[Card]) -> Result<(), Violation> {
    if seat.number() >= state.seats {
        let detail = format!("there is no seat {seat} at this table");
        return Err(Violation::of(Common::Seats, detail));
    }
    let told = (state.hand(seat)).told(seat, cards, &state.unaccounted())?;
    if !state.may_hold_all(seat, &told.known) {
        let detail = "by what was shuffled and what was drawn since, too many of these cards still \
                      lie in the draw pile";
        let clue = Clue::Place(DRAW_PILE.to_owned());
        return Err(Violation::impossible(detail).contradicted_by(clue));
    }
    state.hands[seat.index()] = told;
    Ok(())
}
