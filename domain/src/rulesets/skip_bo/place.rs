//! A position laid out on the table again.

use super::SkipBo;
use super::moves::{Card, Options, PLACES};
use super::piles::{Building, FULL, Stock, Unseen, full_box};
use super::position::Position;
use super::possible;
use super::state::{HAND, State};
use super::terms::Terms;
use super::view::{SeatView, StockView, View};
use crate::cards::{Bag, Hand, Pile, Tally};
use crate::placing::{expect_one_a_seat, expect_seat, expect_told};
use crate::ruleset::{Ruleset, Setup};
use crate::ruling::Violation;
use crate::seat::Seat;

/// The state that a position describes.
pub(super) fn place(setup: &Setup<Options>, told: &Position) -> Result<State, Violation> {
    let begun = SkipBo::initial_state(setup)?;
    expect_sizes(&begun.terms, &told.view)?;
    expect_box(told)?;
    let state = laid_out(begun, told)?;
    possible::expect(&state)?;
    expect_told::<SkipBo>(&state, told)?;
    Ok(state)
}

/// Makes sure that everybody and every pile is there, and none is too large.
fn expect_sizes(terms: &Terms, view: &View) -> Result<(), Violation> {
    expect_one_a_seat(&view.seats, terms.seats)?;
    for seat in [view.seat, view.starting_seat] {
        expect_seat(seat, terms.seats)?;
    }
    let building = view.building.len();
    Violation::unless(building == PLACES, || {
        format!("there are {PLACES} building places, not {building}")
    })?;
    for (seat, seen) in Seat::all(terms.seats).zip(&view.seats) {
        let (help, held) = (seen.help.len(), seen.hand.count);
        Violation::unless(help == PLACES, || {
            format!("seat {seat} has {help} help piles, and they are {PLACES}")
        })?;
        Violation::unless(held <= HAND, || {
            format!("seat {seat} holds {held} cards, and a hand is {HAND} at most")
        })?;
        let StockView { count, top } = seen.stock;
        let possible = u8::from(top.is_some())..=terms.stock_size;
        Violation::unless(possible.contains(&count), || {
            let began = terms.stock_size;
            format!("the stock of seat {seat} has {count} cards, and it began with {began}")
        })?;
    }
    Ok(())
}

/// How many cards of a stock lie face down.
fn down(seen: &SeatView) -> u8 {
    seen.stock.count - u8::from(seen.stock.top.is_some())
}

/// Makes sure that the box is told in full, each card once.
fn expect_box(told: &Position) -> Result<(), Violation> {
    let view = &told.view;
    let mut tally = Tally::EMPTY;
    for pile in &view.building {
        tally.cards(&pile.cards);
    }
    for seen in &view.seats {
        tally
            .cards(&seen.stock.top)
            .cards(seen.help.iter().flatten());
    }
    tally.bag(told.completed.bag()).bag(told.unseen.bag());
    tally.expect(&full_box())?;
    for (possible, others) in [
        (&told.in_stocks, &told.not_in_stocks),
        (&told.in_draw_pile, &told.not_in_draw_pile),
    ] {
        let mut tally = Tally::EMPTY;
        tally.bag(possible.bag()).bag(others.bag());
        tally.expect(&full_box())?;
    }
    let face_down = |seen: &SeatView| u32::from(seen.hand.count) + u32::from(down(seen));
    let places: u32 = u32::from(view.draw_pile) + view.seats.iter().map(face_down).sum::<u32>();
    let unseen = told.unseen.bag().len();
    Violation::unless(u32::from(unseen) == places, || {
        format!("{unseen} cards are unseen, and draw pile, stocks and hands have {places} that are")
    })
}

/// Lays out a position whose sizes are right.
fn laid_out(mut state: State, told: &Position) -> Result<State, Violation> {
    let view = &told.view;
    for (player, seen) in state.players.iter_mut().zip(&view.seats) {
        player.stock = Stock {
            down: down(seen),
            top: seen.stock.top,
        };
        player.hand = Hand {
            known: Bag::EMPTY,
            unknown: seen.hand.count,
        };
        for (pile, cards) in player.help.iter_mut().zip(&seen.help) {
            pile.clone_from(cards);
        }
        player.score = seen.score;
    }
    for (place, (pile, seen)) in state.building.iter_mut().zip(&view.building).enumerate() {
        *pile = built(place, &seen.cards)?;
    }
    state.round = view.round;
    state.starting_seat = view.starting_seat;
    state.seat = view.seat;
    state.phase = told.phase.into();
    state.played = view.played;
    state.idle = view.idle;
    state.completed = *told.completed.bag();
    state.unseen = Unseen {
        anywhere: *told.unseen.bag(),
        stocks: *told.in_stocks.bag(),
        pile: Pile {
            pool: *told.in_draw_pile.bag(),
            size: view.draw_pile,
        },
    };
    Ok(state)
}

/// A building pile of these cards. Some of them may not fit those below; the pile goes on from its top.
fn built(place: usize, cards: &[Card]) -> Result<Building, Violation> {
    let mut pile = Building::default();
    cards.iter().for_each(|card| pile.push(*card));
    Violation::unless(pile.reached() < FULL, || {
        format!("building pile {place} is complete, and left the table then")
    })?;
    Ok(pile)
}
