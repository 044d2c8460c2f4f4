//! What a player tells the referee of cards that nobody else sees.

use super::decide::holder;
use super::holdings::Held;
use super::moves::{BonusCard, Card, HiddenCard};
use super::state::State;
use crate::ruling::{Common, Violation};
use crate::seat::Seat;

/// Takes down all that a player has hidden from the others: the hand, and the bonus cards held face
/// down.
pub(super) fn confide(
    state: &mut State,
    seat: Seat,
    cards: &[HiddenCard],
) -> Result<(), Violation> {
    let (hand, bonus) = sorted_out(cards);
    let hand = state.hand(seat).told(seat, &hand, &state.unseen())?;
    let held = bonus
        .iter()
        .try_fold(Held::NONE, |held, card| held.and(*card))
        .filter(|told| state.holdings.may(seat, |held| held == *told))
        .ok_or_else(|| cannot_hold(state, seat, &bonus))?;
    state.hands[seat.index()] = hand;
    state.holdings.learn(seat, |one| one == held);
    Ok(())
}

/// The cards of the hand, and the bonus cards.
fn sorted_out(cards: &[HiddenCard]) -> (Vec<Card>, Vec<BonusCard>) {
    let hand = cards.iter().filter_map(|card| match card {
        HiddenCard::InHand(card) => Some(*card),
        HiddenCard::FaceDown(_) => None,
    });
    let bonus = cards.iter().filter_map(|card| match card {
        HiddenCard::FaceDown(card) => Some(*card),
        HiddenCard::InHand(_) => None,
    });
    (hand.collect(), bonus.collect())
}

fn cannot_hold(state: &State, seat: Seat, told: &[BonusCard]) -> Violation {
    let count = state.holdings.counts[seat.index()];
    let detail = if told.len() == usize::from(count) {
        let names: Vec<String> = told.iter().map(BonusCard::to_string).collect();
        format!(
            "seat {seat} cannot hold just {} face down",
            names.join(", ")
        )
    } else {
        let told = told.len();
        format!("seat {seat} holds {count} bonus cards face down, and {told} are told")
    };
    Violation::of(Common::Knowledge, detail).contradicted_by(holder(seat))
}
