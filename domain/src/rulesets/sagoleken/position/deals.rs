//! What a position tells of bonus cards held face down.

use super::BonusDeal;
use crate::cards::Tally;
use crate::placing::expect_one_a_seat;
use crate::rulesets::sagoleken::holdings::{Deal, Held, Holdings};
use crate::rulesets::sagoleken::moves::{BonusCard, MOST_SEATS};
use crate::rulesets::sagoleken::state::{Phase, Princess, State};
use crate::rulesets::sagoleken::view::View;
use crate::ruling::Violation;
use crate::seat::Seat;

/// Every deal accounts for all bonus cards and gives every player as many as everybody sees.
pub(super) fn holdings(
    state: &State,
    view: &View,
    told: &[BonusDeal],
) -> Result<Holdings, Violation> {
    let mut counts = [0; MOST_SEATS];
    for (count, seat) in counts.iter_mut().zip(&view.seats) {
        *count = seat.held.count;
    }
    let mut deals: Vec<Deal> = Vec::with_capacity(told.len());
    for deal in told {
        expect_bonus_cards(state, deal)?;
        if deal.pile.bag().len() != u16::from(view.bonus_pile) {
            return Err(Violation::impossible(format!(
                "the bonus pile has {} cards, and a deal lays {} there",
                view.bonus_pile,
                deal.pile.bag().len()
            )));
        }
        expect_one_a_seat(&deal.held, state.seats)?;
        let mut held = [Held::NONE; MOST_SEATS];
        for (seat, cards) in Seat::all(state.seats).zip(&deal.held) {
            held[seat.index()] = held_by(state, seat, cards, counts[seat.index()])?;
        }
        if deals.last().is_some_and(|last| *last >= held) {
            let detail = "the deals are told in the order of what the seats hold, each once";
            return Err(Violation::impossible(detail));
        }
        deals.push(held);
    }
    if deals.is_empty() {
        let detail = "there is no way in which bonus cards may be held";
        return Err(Violation::impossible(detail));
    }
    Ok(Holdings { counts, deals })
}

fn expect_bonus_cards(state: &State, deal: &BonusDeal) -> Result<(), Violation> {
    let mut tally = Tally::EMPTY;
    tally.bag(deal.pile.bag()).cards(deal.held.iter().flatten());
    for princess in state.princesses.iter().flatten() {
        tally.cards(&[BonusCard::Princess]);
        if let Princess::Robbed { by, .. } = princess {
            tally.cards(&[by.card()]);
        }
    }
    for _ in 0..super::kingdoms(state) {
        tally.cards(&[BonusCard::Princess, BonusCard::Prince, BonusCard::Land]);
    }
    tally.expect(&State::bonus_cards())
}

fn held_by(state: &State, seat: Seat, cards: &[BonusCard], count: u8) -> Result<Held, Violation> {
    let held = cards
        .iter()
        .try_fold(Held::NONE, |held, card| held.and(*card));
    let Some(held) = held else {
        let detail = format!("seat {seat} holds bonus cards that do not go together");
        return Err(Violation::impossible(detail));
    };
    if cards.len() != usize::from(count) {
        return Err(Violation::impossible(format!(
            "seat {seat} holds {count} bonus cards, and a deal gives it {}",
            cards.len()
        )));
    }
    let makes_a_kingdom =
        held.has_prince_and_land() && state.princess(seat) == Some(Princess::Lone);
    if makes_a_kingdom && state.phase != Phase::Land(seat) {
        let detail =
            format!("the lone princess, the prince and the land of seat {seat} are a kingdom");
        return Err(Violation::impossible(detail));
    }
    Ok(held)
}
