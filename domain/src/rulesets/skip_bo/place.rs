//! A position laid out on the table again.

use super::SkipBo;
use super::moves::{Card, Options, PLACES};
use super::piles::{Building, FULL, Stock, Unseen, full_box};
use super::position::{Position, position};
use super::possible;
use super::state::{HAND, State};
use super::terms::Terms;
use super::view::{SeatView, StockView, View};
use crate::cards::{Bag, Hand, Pile, Tally};
use crate::ruleset::{Ruleset, Setup};
use crate::ruling::Violation;
use crate::seat::Seat;

/// The state that a position describes.
pub(super) fn place(setup: &Setup<Options>, told: &Position) -> Result<State, Violation> {
    let begun = SkipBo::initial_state(setup)?;
    expect_sizes(&begun.terms, &told.view)?;
    expect_box(told)?;
    let state = laid_out(begun.clone(), told)?;
    possible::expect(&state, begun.starting_seat)?;
    if position(&state) != *told {
        return Err(Violation::impossible(
            "the numbers of cards in the view are not those of the cards that are told",
        ));
    }
    Ok(state)
}

/// Makes sure that everybody and every pile is there, and none is too large.
fn expect_sizes(terms: &Terms, view: &View) -> Result<(), Violation> {
    let seats = terms.seats;
    if view.seats.len() != usize::from(seats) {
        let detail = format!(
            "the view has {} seats, and {seats} are at the table",
            view.seats.len()
        );
        return Err(Violation::impossible(detail));
    }
    if let Some(nobody) = [view.seat, view.starting_seat]
        .into_iter()
        .find(|seat| seat.number() >= seats)
    {
        let detail = format!("there is no seat {nobody} among {seats}");
        return Err(Violation::impossible(detail));
    }
    if view.building.len() != PLACES {
        let detail = format!(
            "there are {PLACES} building places, not {}",
            view.building.len()
        );
        return Err(Violation::impossible(detail));
    }
    for (seat, seen) in Seat::all(seats).zip(&view.seats) {
        if seen.help.len() != PLACES {
            let detail = format!(
                "seat {seat} has {} help piles, and they are {PLACES}",
                seen.help.len()
            );
            return Err(Violation::impossible(detail));
        }
        if seen.hand.count > HAND {
            let detail = format!(
                "seat {seat} holds {} cards, and a hand is {HAND} at most",
                seen.hand.count
            );
            return Err(Violation::impossible(detail));
        }
        let StockView { count, top } = seen.stock;
        if count > terms.stock_size || count < u8::from(top.is_some()) {
            let detail = format!(
                "the stock of seat {seat} has {count} cards, and it began with {}",
                terms.stock_size
            );
            return Err(Violation::impossible(detail));
        }
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
    if u32::from(unseen) != places {
        let detail = format!(
            "{unseen} cards are unseen, and draw pile, stocks and hands have {places} that are"
        );
        return Err(Violation::impossible(detail));
    }
    Ok(())
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

/// A building pile of these cards.
fn built(place: usize, cards: &[Card]) -> Result<Building, Violation> {
    let mut pile = Building::default();
    for card in cards {
        if !pile.takes(*card) {
            let detail = format!(
                "a {card} cannot lie on {} cards of building pile {place}",
                pile.height()
            );
            return Err(Violation::impossible(detail));
        }
        pile.push(*card);
    }
    if pile.height() == FULL {
        let detail = format!("building pile {place} is complete, and left the table then");
        return Err(Violation::impossible(detail));
    }
    Ok(pile)
}
