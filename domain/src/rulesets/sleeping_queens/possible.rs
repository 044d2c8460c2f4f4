//! Whether a game can have come to stand so.
//!
//! Cards and queens are counted already; this is about what players can have done with them. Whatever
//! play can lead to is let pass, and what is let pass can be played on.

use super::cards::{Card, Queen};
use super::moves::Attack;
use super::state::{HAND, Phase, Place, State, Waking};
use crate::cards::Bag;
use crate::ruling::Violation;
use crate::seat::Seat;

type Checked = Result<(), Violation>;

/// Makes sure that a game that `first` began can have come to stand so.
pub(super) fn expect(state: &State, first: Seat) -> Checked {
    expect_seats(state)?;
    expect_hands(state)?;
    expect_piles(state)?;
    expect_pair(state)?;
    expect_undecided(state)?;
    match state.phase {
        Phase::Dealing(_) => expect_deal(state, first),
        Phase::Acting | Phase::Over => Ok(()),
        Phase::TurningUp => expect_jester(state),
        Phase::Choosing(seat, why) => expect_waking(state, seat, why),
        Phase::Uncovering(seat, slot, why) => {
            Violation::unless(state.sleeps(slot), || {
                format!("no queen sleeps in place {slot} to be woken")
            })?;
            expect_waking(state, seat, why)
        }
        Phase::Answering(seat, attack, queen) => expect_attack(state, seat, attack, queen),
        Phase::Replacing(seat) => expect_defence(state, seat),
        Phase::Refilling => expect_action(state),
    }
}

fn expect_seats(state: &State) -> Checked {
    let acting = match state.phase {
        Phase::Dealing(seat)
        | Phase::Choosing(seat, _)
        | Phase::Uncovering(seat, ..)
        | Phase::Answering(seat, ..)
        | Phase::Replacing(seat) => Some(seat),
        Phase::Acting | Phase::TurningUp | Phase::Refilling | Phase::Over => None,
    };
    let named = [Some(state.seat), acting, state.let_happen];
    for seat in named.into_iter().flatten() {
        Violation::unless(seat.number() < state.seats, || {
            format!("there is no seat {seat} among {}", state.seats)
        })?;
    }
    let attack_goes_on = matches!(
        state.phase,
        Phase::Dealing(_) | Phase::Answering(..) | Phase::Replacing(_)
    );
    Violation::unless(!attack_goes_on || state.let_happen.is_none(), || {
        "the latest attack cannot have been let happen".to_owned()
    })
}

/// Everybody holds five but for what this turn has used: no deck runs out (SQ-3.8).
fn expect_hands(state: &State) -> Checked {
    for seat in Seat::all(state.seats) {
        let own = seat == state.seat;
        let held = match state.phase {
            Phase::Dealing(next) if seat < next => HAND..=HAND,
            Phase::Dealing(_) => 0..=0,
            Phase::Replacing(defender) if own || seat == defender => HAND - 1..=HAND - 1,
            Phase::TurningUp
            | Phase::Choosing(..)
            | Phase::Uncovering(..)
            | Phase::Answering(..)
                if own =>
            {
                HAND - 1..=HAND - 1
            }
            Phase::Refilling if own => 0..=HAND - 1,
            Phase::Acting
            | Phase::TurningUp
            | Phase::Choosing(..)
            | Phase::Uncovering(..)
            | Phase::Answering(..)
            | Phase::Replacing(_)
            | Phase::Refilling
            | Phase::Over => HAND..=HAND,
        };
        let count = state.hand(seat).len();
        Violation::unless(held.contains(&count), || {
            format!("seat {seat} cannot hold {count} cards now")
        })?;
        let known = &state.hand(seat).known;
        Violation::unless(
            known.kinds().all(|(card, _)| card.number().is_none()),
            || format!("no number was seen going into the hand of seat {seat}"),
        )?;
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

/// Nobody has the cat and the dog queen but while one of them is to go back (SQ-4.2).
fn expect_pair(state: &State) -> Checked {
    let holders = state.holders();
    let [cat, dog] = [Queen::Cat, Queen::Dog].map(|queen| holders[queen as usize]);
    let pair = cat.is_some() && cat == dog;
    let goes_back = match state.going_back {
        None => false,
        Some(slot) => {
            let of_pair = state.at(slot).queen.and_then(Queen::rival).is_some();
            Violation::unless(of_pair && state.phase == Phase::Refilling, || {
                format!("no queen is to go back to place {slot} now")
            })?;
            true
        }
    };
    Violation::unless(pair == goes_back, || {
        "one queen of a pair of cat and dog goes back at the end of the turn".to_owned()
    })
}

/// The game is over when a turn has ended with it decided (SQ-6.1, SQ-6.2).
fn expect_undecided(state: &State) -> Checked {
    match state.phase {
        // This turn's queens are woken, and not counted yet.
        Phase::Refilling
        | Phase::Choosing(_, Waking::Rose)
        | Phase::Uncovering(_, _, Waking::Rose) => Ok(()),
        Phase::Over => Violation::unless(state.decided().is_some(), || {
            "the game is over, and nobody has enough while queens sleep".to_owned()
        }),
        Phase::Dealing(_)
        | Phase::Acting
        | Phase::TurningUp
        | Phase::Choosing(..)
        | Phase::Uncovering(..)
        | Phase::Answering(..)
        | Phase::Replacing(_) => Violation::unless(state.decided().is_none(), || {
            "the game was decided before this turn".to_owned()
        }),
    }
}

fn expect_deal(state: &State, first: Seat) -> Checked {
    let untouched = state.seat == first
        && state.discard.is_empty()
        && state.pile.pool == state.deck
        && state.places.iter().all(|place| *place == Place::default());
    Violation::unless(untouched, || {
        "the first hands are dealt, and something has happened before".to_owned()
    })
}

/// Whether the draw pile is the discard pile as it was shuffled, with nothing laid away or drawn since.
fn just_shuffled(state: &State) -> bool {
    state.discard.is_empty() && state.pile.size == state.pile.pool.len()
}

/// The cards that lay on the discard pile until the last shuffle, if that was just now.
fn laid_away(state: &State) -> &Bag<Card> {
    if just_shuffled(state) {
        &state.pile.pool
    } else {
        &state.discard
    }
}

/// A card was laid away in this turn. It may have been shuffled since; then no more than the card of a
/// defender has been drawn before what the player on turn draws.
fn expect_action(state: &State) -> Checked {
    let drawn = state.pile.pool.len().saturating_sub(state.pile.size);
    Violation::unless(!state.discard.is_empty() || drawn <= 1, || {
        "a turn's action is done, and no card was laid away for it".to_owned()
    })
}

fn expect_jester(state: &State) -> Checked {
    let on_top = match state.top {
        Some(top) => top == Card::Jester,
        None => just_shuffled(state) && state.pile.pool.has(Card::Jester),
    };
    Violation::unless(on_top, || {
        "a card is to be turned up, and no jester was played last".to_owned()
    })
}

/// The card played last lets this player wake a queen, and there is one.
fn expect_waking(state: &State, seat: Seat, why: Waking) -> Checked {
    let by_king = state.top == Some(Card::King) && seat == state.seat;
    let by_count = (state.top.and_then(Card::number))
        .is_some_and(|number| state.seat.step(number - 1, state.seats) == seat);
    let choosing = matches!(state.phase, Phase::Choosing(..));
    let may_wake = match why {
        // The place is named with the king.
        Waking::King => by_king && !choosing,
        Waking::Count => by_count,
        Waking::Rose => (by_king || by_count) && state.holds(seat, Queen::Rose),
    };
    Violation::unless(may_wake && state.sleeping().next().is_some(), || {
        format!("nothing lets seat {seat} wake a queen now")
    })
}

/// An attack is answered that can have been made (SQ-3.2, SQ-3.3, SQ-4.3).
fn expect_attack(state: &State, seat: Seat, attack: Attack, queen: Queen) -> Checked {
    let takes_pair = attack == Attack::Knight
        && (queen.rival()).is_some_and(|rival| state.holds(state.seat, rival));
    let could_be_made = seat != state.seat
        && state.holds(seat, queen)
        && state.top == Some(attack.card())
        && !takes_pair;
    Violation::unless(could_be_made, || {
        format!(
            "seat {} cannot have attacked the {queen} queen of seat {seat}",
            state.seat
        )
    })
}

/// A player who was attacked has defended, and both cards were laid away.
fn expect_defence(state: &State, seat: Seat) -> Checked {
    let laid = laid_away(state);
    let defended = [Attack::Knight, Attack::Potion].into_iter().any(|attack| {
        let on_top = state.top.is_none_or(|top| top == attack.defence());
        on_top && laid.has(attack.card()) && laid.has(attack.defence())
    });
    let attacked = seat != state.seat && state.holders().contains(&Some(seat));
    Violation::unless(defended && attacked, || {
        format!("seat {seat} cannot have defended a queen now")
    })
}
