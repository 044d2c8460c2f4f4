//! What a seat tells the referee of its own hand.

use super::moves::Card;
use super::state::State;
use crate::ruling::{Common, Violation};
use crate::seat::Seat;

/// Takes down the whole hand of a seat. Cards drawn later are unknown until the seat tells them too.
pub(super) fn confide(state: &mut State, seat: Seat, cards: &[Card]) -> Result<(), Violation> {
    if seat.number() >= state.terms.seats {
        let detail = format!("there is no seat {seat} at this table");
        return Err(Violation::of(Common::Seats, detail));
    }
    let hand = state.players[seat.index()].hand;
    let told = hand.told(seat, cards, &state.unseen.anywhere)?;
    state.unseen.anywhere = state.unseen.anywhere.less(&told.known.less(&hand.known));
    state.players[seat.index()].hand = told;
    Ok(())
}
