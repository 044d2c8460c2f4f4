//! A position laid out on the table again.

use super::SleepingQueens;
use super::cards::{Card, Queen, Slot};
use super::moves::Options;
use super::position::Position;
use super::possible;
use super::state::{HAND, Place, State};
use crate::cards::{Bag, Card as _, Hand, Pile, Tally};
use crate::placing::{expect_one_a_seat, expect_told};
use crate::ruleset::{Ruleset, Setup};
use crate::ruling::Violation;
use crate::seat::Seat;

/// The state that a position describes.
pub(super) fn place(setup: &Setup<Options>, told: &Position) -> Result<State, Violation> {
    let begun = SleepingQueens::initial_state(setup)?;
    expect_sizes(begun.seats, told)?;
    expect_box(&begun.deck, told)?;
    let state = State {
        places: places(told)?,
        ..laid_out(begun, told)
    };
    possible::expect(&state)?;
    expect_told::<SleepingQueens>(&state, told)?;
    Ok(state)
}

/// Makes sure that everybody is there, and that no hand is too large.
fn expect_sizes(seats: u8, told: &Position) -> Result<(), Violation> {
    expect_one_a_seat(&told.view.seats, seats)?;
    expect_one_a_seat(&told.seen_in_hands, seats)?;
    for (seat, (seen, known)) in
        Seat::all(seats).zip(told.view.seats.iter().zip(&told.seen_in_hands))
    {
        let (count, known) = (seen.hand.count, known.bag().len());
        Violation::unless(count <= HAND, || {
            format!("seat {seat} holds {count} cards, and a hand is {HAND} at most")
        })?;
        Violation::unless(known <= u16::from(count), || {
            format!("seat {seat} holds {count} cards, and {known} were seen going in")
        })?;
    }
    Ok(())
}

/// Makes sure that the box is told in full, each card and each queen once.
fn expect_box(deck: &Bag<Card>, told: &Position) -> Result<(), Violation> {
    let mut tally = Tally::EMPTY;
    tally
        .cards(&told.view.discard_pile.top)
        .bag(told.below_top.bag())
        .bag(told.unseen.bag());
    for known in &told.seen_in_hands {
        tally.bag(known.bag());
    }
    tally.expect(deck)?;
    let mut tally = Tally::EMPTY;
    tally
        .bag(told.in_draw_pile.bag())
        .bag(told.not_in_draw_pile.bag());
    tally.expect(deck)?;

    let mut tally = Tally::EMPTY;
    for seen in &told.view.seats {
        tally.cards(seen.queens.iter().map(|open| &open.queen));
    }
    tally
        .cards(told.asleep.iter().map(|sleeper| &sleeper.queen))
        .bag(told.unseen_queens.bag());
    tally.expect(&Queen::ALL.iter().copied().collect())?;

    let hands = told.view.seats.iter().zip(&told.seen_in_hands);
    let unknown: u32 = hands
        .map(|(seen, known)| u32::from(seen.hand.count) - u32::from(known.bag().len()))
        .sum();
    let (unseen, places) = (
        u32::from(told.unseen.bag().len()),
        u32::from(told.view.draw_pile) + unknown,
    );
    Violation::unless(unseen == places, || {
        format!("{unseen} cards are unseen, and draw pile and hands have {places} that are")
    })
}

/// Where the queens lie. Each is told once, so that every place has one when none is told twice.
fn places(told: &Position) -> Result<[Place; 12], Violation> {
    let mut places = [Place::default(); 12];
    let mut lay = |slot: Slot, queen: Queen, holder: Option<Seat>| {
        let place = &mut places[slot.offset()];
        Violation::unless(place.queen.is_none(), || {
            format!("two queens are told to come from place {slot}")
        })?;
        *place = Place {
            queen: Some(queen),
            holder,
        };
        Ok::<(), Violation>(())
    };
    // Every seat of the table is listed, in order.
    for (number, seen) in (0..).zip(&told.view.seats) {
        for open in &seen.queens {
            lay(open.slot, open.queen, Some(Seat::new(number)))?;
        }
    }
    for sleeper in &told.asleep {
        lay(sleeper.slot, sleeper.queen, None)?;
    }
    Ok(places)
}

/// Lays out the cards of a position whose numbers are right.
fn laid_out(mut state: State, told: &Position) -> State {
    let view = &told.view;
    for (hand, (seen, known)) in
        (state.hands.iter_mut()).zip(view.seats.iter().zip(&told.seen_in_hands))
    {
        let known = *known.bag();
        *hand = Hand {
            known,
            unknown: seen.hand.count - known.len() as u8,
        };
    }
    state.seat = view.seat;
    state.phase = told.phase.into();
    state.let_happen = told.let_happen;
    state.going_back = told.goes_back_to;
    state.pile = Pile {
        pool: *told.in_draw_pile.bag(),
        size: view.draw_pile,
    };
    state.top = view.discard_pile.top;
    state.discard = *told.below_top.bag();
    state.top.into_iter().for_each(|top| state.discard.add(top));
    state
}
