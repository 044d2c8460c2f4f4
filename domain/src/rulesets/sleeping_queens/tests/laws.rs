//! The laws over random games: the usual deck, and decks that are short of something.

use super::super::*;
use crate::cards::{Bag, Card as _};
use crate::testing::{Lawful, Plan, check_laws};

impl Lawful for SleepingQueens {
    fn every_move(_state: &State) -> Vec<Move> {
        let at_queens = |attack: Attack| {
            Target::all()
                .flat_map(move |seat| Queen::ALL.iter().map(move |queen| attack.at(seat, *queen)))
        };
        Slot::all()
            .map(|slot| Move::King { slot })
            .chain(Slot::all().map(|slot| Move::Wake { slot }))
            .chain(at_queens(Attack::Knight))
            .chain(at_queens(Attack::Potion))
            .chain(Card::ALL.iter().map(|card| Move::Defend { card: *card }))
            .chain([Move::Allow {}, Move::Jester {}])
            .chain(
                rising(Card::ALL, 2)
                    .into_iter()
                    .chain(rising(&Card::NUMBERS, 5))
                    .map(|cards| Move::Discard {
                        cards: cards.into(),
                    }),
            )
            .collect()
    }

    fn conserves_cards(state: &State) -> bool {
        let hands = || Seat::all(state.seats).map(|seat| state.hand(seat));
        let in_hands: u16 = hands().map(|hand| u16::from(hand.len())).sum();
        let unknown: u16 = hands().map(|hand| u16::from(hand.unknown)).sum();
        let mut shown = state.discard;
        hands().for_each(|hand| shown.add_all(&hand.known));
        let awake: Bag<Queen> = state
            .places
            .iter()
            .filter(|place| place.holder.is_some())
            .filter_map(|place| place.queen)
            .collect();
        in_hands + state.pile.size + state.discard.len() == state.deck.len()
            && shown.less(&state.deck).is_empty()
            && state.unaccounted().len() == state.pile.size + unknown
            && state.pile_may_hold().len() >= state.pile.size
            && awake.cards().count() + state.sleeping().count() == 12
            && awake.kinds().all(|(_, count)| count == 1)
    }
}

/// Every choice of so many of these kinds, and of any fewer but none, each in rising order.
fn rising(kinds: &[Card], size: usize) -> Vec<Vec<Card>> {
    let Some(fewer) = size.checked_sub(1).filter(|fewer| *fewer > 0) else {
        return kinds.iter().map(|card| vec![*card]).collect();
    };
    let shorter = rising(kinds, fewer);
    let longer = shorter
        .iter()
        .filter(|cards| cards.len() == fewer)
        .flat_map(|cards| {
            let last = *cards.last().expect("no choice is empty");
            kinds
                .iter()
                .filter(move |card| **card >= last)
                .map(|card| cards.iter().copied().chain([*card]).collect())
        })
        .collect::<Vec<Vec<Card>>>();
    shorter.into_iter().chain(longer).collect()
}

fn plan(setups: Vec<(u8, Options)>) -> Plan<Options> {
    Plan {
        setups,
        games: 3,
        keen: 0.2,
        max_moves: 3_000,
        must_end: true,
        every: 23,
    }
}

#[test]
fn the_laws_hold() {
    check_laws::<SleepingQueens>(&plan(
        (2..=5).map(|seats| (seats, Options::default())).collect(),
    ));
}

#[test]
fn the_laws_hold_with_other_decks() {
    let only_kings = Deck {
        king: 1,
        jester: 0,
        knight: 0,
        potion: 0,
        wand: 0,
        dragon: 0,
    };
    let jesters = Deck {
        jester: 20,
        ..only_kings.clone()
    };
    let attacks = Deck {
        king: 20,
        jester: 1,
        knight: 20,
        potion: 20,
        wand: 20,
        dragon: 20,
    };
    let setups = [
        (5, only_kings),
        (2, jesters.clone()),
        (5, jesters),
        (4, attacks),
    ]
    .into_iter()
    .map(|(seats, deck)| {
        let first_seat = crate::ruleset::FirstSeat(i64::from(seats) - 1);
        (seats, Options { first_seat, deck })
    })
    .collect();
    check_laws::<SleepingQueens>(&plan(setups));
}
