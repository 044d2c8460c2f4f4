//! Whether a round can go on from where it is said to stand.
//!
//! The cards are counted already. A table may have let something pass, so a position need not be one
//! that the rules lead to; but its parts may not contradict each other, and whatever the round waits
//! for must be able to come.

use super::state::{HAND, Phase, Refill, State};
use crate::placing::expect_seat;
use crate::ruling::Violation;
use crate::seat::Seat;

type Checked = Result<(), Violation>;

/// Makes sure that a match can go on, or have ended, so.
pub(super) fn expect(state: &State) -> Checked {
    expect_round(state)?;
    expect_teams(state)?;
    expect_draw_pile(state)?;
    match state.phase {
        Phase::Dealing => expect_deal(state),
        Phase::Playing => expect_play(state),
        Phase::Filling(refill) => expect_refill(state, refill),
        Phase::RoundOver(winner) => expect_end(state, winner),
    }
}

fn expect_round(state: &State) -> Checked {
    let round = state.round;
    Violation::unless(round > 0, || "rounds are counted from 1".to_owned())?;
    Violation::unless(round == 1 || state.terms.target_score.is_some(), || {
        format!("one round is played, and this is round {round}")
    })
}

/// A team scores as one (SB-5.2).
fn expect_teams(state: &State) -> Checked {
    let terms = &state.terms;
    for seat in Seat::all(terms.seats) {
        for mate in terms.team_mates(seat) {
            Violation::unless(state.player(seat).score == state.player(mate).score, || {
                format!("seats {seat} and {mate} are one team and have different scores")
            })?;
        }
    }
    Ok(())
}

fn expect_draw_pile(state: &State) -> Checked {
    let pile = &state.unseen.pile;
    let (size, most) = (pile.size, pile.pool.len());
    Violation::unless(size <= most, || {
        format!("the draw pile has {size} cards, and {most} can lie there")
    })
}

/// A round in which all players have passed in a row is over (SB-3.11).
fn expect_running(state: &State) -> Checked {
    let (idle, seats) = (state.idle, state.terms.seats);
    Violation::unless(idle < seats, || {
        format!("{idle} of {seats} players have passed in a row, and the round goes on")
    })
}

/// Tops are turned up and whole hands are dealt, and something of that is yet to come (SB-2.1, SB-2.3).
fn expect_deal(state: &State) -> Checked {
    expect_running(state)?;
    let hands = || Seat::all(state.terms.seats).map(|seat| state.player(seat).hand.len());
    Violation::unless(hands().all(|held| held == 0 || held == HAND), || {
        format!("hands of {HAND} are dealt, and somebody has another number of cards")
    })?;
    let missing = u16::from(HAND) * hands().filter(|held| *held == 0).count() as u16;
    Violation::unless(missing > 0, || {
        "everybody has been dealt cards, and the round begins".to_owned()
    })?;
    let size = state.unseen.pile.size;
    Violation::unless(missing <= size, || {
        format!("{missing} cards are to be dealt, and the draw pile has {size}")
    })
}

/// Who has no card left is not playing but drawing, as far as there is something to draw.
fn expect_play(state: &State) -> Checked {
    expect_running(state)?;
    let seat = state.seat;
    Violation::unless(!state.player(seat).hand.is_empty(), || {
        format!("seat {seat} plays without a card in hand, and none were drawn")
    })
}

/// A hand is drawn up while there are cards for it. Completed piles are shuffled with what happens
/// before, so they are waited for only while a stock's next top comes first (SB-3.3, SB-3.9).
fn expect_refill(state: &State, refill: Refill) -> Checked {
    expect_running(state)?;
    let held = state.player(state.seat).hand.len();
    let mut players = Seat::all(state.terms.seats).map(|seat| state.player(seat));
    let turns = players.any(|player| player.stock.is_turning());
    let (pile, completed) = (state.unseen.pile.size, state.completed.len());
    let draws = held < HAND && (pile > 0 || (turns && completed > 0));
    let acts_without = match refill {
        Refill::TurnClosed => false,
        Refill::LastCardPlayed | Refill::LeftEmpty => held == 0 && pile == 0 && completed == 0,
    };
    Violation::unless(draws || acts_without, || {
        format!("seat {} cannot be drawing up a hand now", state.seat)
    })
}

/// The match is over: won with nothing left in stock, and with enough points where it is played for
/// points (SB-5.1, SB-5.3), or a single round that nobody could end (SB-3.11).
fn expect_end(state: &State, winner: Option<Seat>) -> Checked {
    let (terms, idle) = (&state.terms, state.idle);
    Violation::unless(idle <= terms.seats, || {
        format!("{idle} of {} players have passed in a row", terms.seats)
    })?;
    let Some(winner) = winner else {
        return Violation::unless(terms.target_score.is_none(), || {
            "a match for points is over, and nobody has won".to_owned()
        });
    };
    expect_seat(winner, terms.seats)?;
    let score = state.player(winner).score;
    let has_won = terms.team(winner).next() == Some(winner)
        && (terms.team(winner)).all(|mate| state.player(mate).stock.is_empty())
        && terms.target_score.is_none_or(|target| score >= target);
    Violation::unless(has_won, || {
        format!("seat {winner} cannot have won the match with {score} points")
    })
}
