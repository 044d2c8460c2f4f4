//! Whether what is awaited fits the table.

use super::kingdoms;
use crate::rulesets::sagoleken::moves::BonusCard;
use crate::rulesets::sagoleken::round::Contest;
use crate::rulesets::sagoleken::state::{Phase, Princess, State};
use crate::ruling::Violation;
use crate::seat::Seat;

/// Makes sure that what the game waits for can be awaited with the cards as they lie, and that
/// judging it has what it relies on: somebody who draws, a card to play, a bonus card to draw.
pub(super) fn expect_phase(state: &State) -> Result<(), Violation> {
    let refused = |detail: &'static str| Err(Violation::impossible(detail));
    let is_counted = matches!(
        state.phase,
        Phase::LastDraws(_) | Phase::FinalHands(_) | Phase::Over
    );
    if is_counted != (kingdoms(state) == u16::from(State::PRINCESSES)) {
        return refused("hands are counted when the third princess is in a kingdom, and only then");
    }
    expect_robbers(state)?;
    match state.phase {
        Phase::Deal | Phase::Refill(_) | Phase::LastDraws(_) | Phase::RescuerDraws(_)
            if state.drawing().is_none() =>
        {
            refused("nobody lacks a card who could draw one")
        }
        Phase::Deal if state.bonus_pile.size() < State::bonus_cards().len() as u8 => {
            refused("no bonus card has been drawn before the hands are dealt")
        }
        Phase::Deal
        | Phase::Refill(_)
        | Phase::LastDraws(_)
        | Phase::FinalHands(_)
        | Phase::Over
            if state.moved > 0 =>
        {
            refused("a round is under way, and cards are drawn or counted that follow one")
        }
        Phase::Round if state.moved == state.seats => {
            refused("all have moved in the round, and a move is awaited")
        }
        Phase::Round => expect_cards_to_play(state),
        Phase::Bonus(seat) => {
            let won = Contest::of(state.round.iter().copied()) == Contest::Won(seat);
            if won && state.moved == state.seats && state.bonus_pile.size() > 0 {
                Ok(())
            } else {
                refused("a bonus card is drawn by the winner of a round in which all have moved")
            }
        }
        Phase::Land(seat) => {
            expect_rescuer(state, seat)?;
            if state.princess(seat) != Some(Princess::Lone) {
                return refused("who rescued a princess has her");
            }
            if state
                .holdings
                .deals
                .iter()
                .all(|deal| deal[seat.index()].has(BonusCard::Prince))
            {
                Ok(())
            } else {
                refused("who rescued a princess holds a prince")
            }
        }
        Phase::RescuerDraws(seat) => expect_rescuer(state, seat),
        Phase::FinalHands(_) | Phase::Over => expect_counted_hands(state),
        Phase::Deal | Phase::Refill(_) | Phase::LastDraws(_) => Ok(()),
    }
}

/// A princess can have been robbed in this round by those who have moved without playing a card.
fn expect_robbers(state: &State) -> Result<(), Violation> {
    let robbed = |seat: &Seat| {
        let princess = state.princess(*seat);
        matches!(
            princess,
            Some(Princess::Robbed {
                this_round: true,
                ..
            })
        )
    };
    match Seat::all(state.seats).find(|seat| robbed(seat) && !sat_out(state, *seat)) {
        None => Ok(()),
        Some(seat) => Err(Violation::impossible(format!(
            "seat {seat} has robbed no princess in this round"
        ))),
    }
}

fn sat_out(state: &State, seat: Seat) -> bool {
    let mut moved = state.leader.round(state.seats).take(state.moved.into());
    moved.any(|mover| mover == seat) && state.round.iter().all(|played| played.seat != seat)
}

/// Those who are still to move in the round have a card to play.
fn expect_cards_to_play(state: &State) -> Result<(), Violation> {
    let mut to_move = state.leader.round(state.seats).skip(state.moved.into());
    match to_move.find(|seat| state.hand(*seat).is_empty()) {
        None => Ok(()),
        Some(seat) => Err(Violation::impossible(format!(
            "seat {seat} is to move in the round, and has no card"
        ))),
    }
}

/// The last move was this player's, and took helpers from the hand.
fn expect_rescuer(state: &State, seat: Seat) -> Result<(), Violation> {
    expect_cards_to_play(state)?;
    let last = (state.moved > 0).then(|| state.leader.step(state.moved - 1, state.seats));
    let rescued = last == Some(seat) && sat_out(state, seat) && state.lacks(seat) > 0;
    Violation::unless(rescued, || {
        format!("seat {seat} did not rescue a princess in the last move")
    })
}

/// Hands of six, laid open by those before the player whose hand is awaited.
fn expect_counted_hands(state: &State) -> Result<(), Violation> {
    let laid_open = |seat: Seat| match state.phase {
        Phase::FinalHands(next) => seat < next,
        _ => true,
    };
    let fits =
        |seat: Seat| state.lacks(seat) == 0 && (state.hand(seat).unknown == 0) == laid_open(seat);
    match Seat::all(state.seats).find(|seat| !fits(*seat)) {
        None => Ok(()),
        Some(seat) => Err(Violation::impossible(format!(
            "the hand of seat {seat} is not as it is when hands are counted"
        ))),
    }
}
