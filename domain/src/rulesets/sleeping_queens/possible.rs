//! Whether a game can go on from where it is said to stand.
//!
//! Cards and queens are counted already. A table may have let something pass, so a position need not
//! be one that the rules lead to; but its parts may not contradict each other, and whatever the game
//! waits for must be able to come.

use super::cards::Queen;
use super::state::{HAND, Phase, State};
use crate::placing::expect_seat;
use crate::ruling::Violation;
use crate::seat::Seat;

type Checked = Result<(), Violation>;

/// Makes sure that a game can go on, or have ended, so.
pub(super) fn expect(state: &State) -> Checked {
    expect_seats(state)?;
    expect_hands(state)?;
    expect_piles(state)?;
    expect_going_back(state)?;
    expect_queens(state)
}

fn expect_seats(state: &State) -> Checked {
    let awaited = match state.phase {
        Phase::Dealing(seat)
        | Phase::Choosing(seat, _)
        | Phase::Uncovering(seat, ..)
        | Phase::Answering(seat, ..)
        | Phase::Replacing(seat) => Some(seat),
        Phase::Acting | Phase::TurningUp | Phase::Refilling | Phase::Over => None,
    };
    for seat in [Some(state.seat), awaited, state.let_happen]
        .into_iter()
        .flatten()
    {
        expect_seat(seat, state.seats)?;
    }
    let (Phase::Answering(seat, ..) | Phase::Replacing(seat)) = state.phase else {
        return Ok(());
    };
    Violation::unless(seat != state.seat, || {
        format!("seat {seat} is on turn, and attacked nobody else")
    })?;
    Violation::unless(state.let_happen.is_none(), || {
        "the latest attack is answered now, and was not let happen".to_owned()
    })
}

/// Hands may have been filled too little. But there is room for a card that is due, and who has no
/// cards is about to draw some, for nobody could act without.
fn expect_hands(state: &State) -> Checked {
    for seat in Seat::all(state.seats) {
        let own = seat == state.seat;
        let possible = match state.phase {
            Phase::Dealing(next) if seat >= next => 0..=0,
            Phase::Replacing(defender) if seat == defender => 0..=HAND - 1,
            Phase::TurningUp | Phase::Refilling if own => 0..=HAND - 1,
            Phase::Choosing(..)
            | Phase::Uncovering(..)
            | Phase::Answering(..)
            | Phase::Replacing(_)
                if own =>
            {
                0..=HAND
            }
            Phase::Dealing(_)
            | Phase::Acting
            | Phase::TurningUp
            | Phase::Choosing(..)
            | Phase::Uncovering(..)
            | Phase::Answering(..)
            | Phase::Replacing(_)
            | Phase::Refilling
            | Phase::Over => 1..=HAND,
        };
        let held = state.hand(seat).len();
        Violation::unless(possible.contains(&held), || {
            format!("seat {seat} cannot hold {held} cards now")
        })?;
    }
    Ok(())
}

/// The draw pile has cards that can lie in it, and one to give where one is wanted.
fn expect_piles(state: &State) -> Checked {
    Violation::unless(state.top.is_some() || state.discard.is_empty(), || {
        "the discard pile has cards and no top".to_owned()
    })?;
    let size = state.pile.size;
    let most = state.pile_may_hold().len();
    Violation::unless(size <= most, || {
        format!("the draw pile has {size} cards, and {most} can lie there at most")
    })?;
    let draws = state.phase == Phase::TurningUp || state.wanted().is_some();
    Violation::unless(!draws || size > 0, || {
        "the draw pile would have been shuffled anew for the card that is due".to_owned()
    })
}

/// A queen goes back from a pair of cat and dog, once the turn's other draws are done (SQ-4.2).
fn expect_going_back(state: &State) -> Checked {
    let Some(slot) = state.going_back else {
        return Ok(());
    };
    let place = state.at(slot);
    let has_pair = (place.holder.zip(place.queen.and_then(Queen::rival)))
        .is_some_and(|(holder, rival)| state.holds(holder, rival));
    Violation::unless(has_pair && state.phase == Phase::Refilling, || {
        format!("no queen is to go back to place {slot} now")
    })
}

/// The queens that the game waits for are there, and it is over only when it is decided.
fn expect_queens(state: &State) -> Checked {
    match state.phase {
        Phase::Uncovering(_, slot, _) => Violation::unless(state.sleeps(slot), || {
            format!("no queen sleeps in place {slot} to be woken")
        }),
        Phase::Answering(seat, _, queen) => Violation::unless(state.holds(seat, queen), || {
            format!("seat {seat} has no open queen {queen} that could be attacked")
        }),
        // A jester may oblige a player to wake one.
        Phase::Dealing(_) | Phase::Acting | Phase::TurningUp | Phase::Choosing(..) => {
            Violation::unless(state.sleeping().next().is_some(), || {
                "no queen sleeps any more, and the game goes on".to_owned()
            })
        }
        Phase::Over => Violation::unless(state.decided().is_some(), || {
            "the game is over, and nobody has enough while queens sleep".to_owned()
        }),
        Phase::Replacing(_) | Phase::Refilling => Ok(()),
    }
}
