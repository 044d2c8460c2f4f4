//! SQ-1 and SQ-2.

use super::*;
use crate::game::Course;
use crate::ruleset::{FirstSeat, Setup};
use crate::ruling::Common;

fn refused(seats: u8, options: Options) -> Violation {
    let setup = Setup {
        seats,
        options,
        rules_version: 1,
        mode: Mode::Virtual,
    };
    match Course::<SleepingQueens>::new(&setup) {
        Ok(_) => panic!("{setup:?} is accepted"),
        Err(refusal) => refusal.violation().clone(),
    }
}

fn with(deck: Deck) -> Options {
    Options {
        deck,
        ..Options::default()
    }
}

#[test]
fn sq_1_1_the_queens_and_their_points() {
    let points: Vec<u8> = Queen::ALL.iter().map(|queen| queen.points()).collect();
    assert_eq!(points, [5, 5, 5, 5, 15, 15, 15, 20, 10, 10, 10, 10]);
}

#[test]
fn sq_1_2_the_usual_deck_has_67_cards() {
    let deck = Deck::default().cards().expect("the usual deck");
    let counts: Vec<u8> = Card::ALL.iter().map(|card| deck.count(*card)).collect();
    assert_eq!(deck.len(), 67);
    assert_eq!(counts, [8, 5, 4, 4, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4]);
}

#[test]
pub(super) fn sq_1_2_refuses_counts_out_of_bounds() {
    let usual = Deck::default;
    for deck in [
        Deck { king: 0, ..usual() },
        Deck {
            king: 21,
            ..usual()
        },
        Deck {
            jester: -1,
            ..usual()
        },
        Deck {
            knight: 21,
            ..usual()
        },
        Deck {
            potion: 256,
            ..usual()
        },
        Deck {
            wand: i64::MIN,
            ..usual()
        },
        Deck {
            dragon: i64::MAX,
            ..usual()
        },
    ] {
        assert_eq!(refused(2, with(deck)).rule, Rule::Cards.citation());
    }
}

#[test]
fn sq_1_2_takes_the_bounds_themselves() {
    let least = Deck {
        king: 1,
        jester: 0,
        knight: 0,
        potion: 0,
        wand: 0,
        dragon: 0,
    };
    let most = Deck {
        king: 20,
        jester: 20,
        knight: 20,
        potion: 20,
        wand: 20,
        dragon: 20,
    };
    for (deck, cards) in [(least, 41), (most, 160)] {
        let game = Game::table(5, with(deck));
        assert_eq!(game.state.pile.size, cards - 25);
        game.turn_is(0);
    }
}

#[test]
fn sq_1_2_what_a_deck_leaves_out_keeps_its_default() {
    let options: Options = serde_json::from_str(r#"{"deck":{"king":10}}"#).expect("part of a deck");
    let expected = Deck {
        king: 10,
        ..Deck::default()
    };
    assert_eq!(options, with(expected));
    for malformed in [
        r#"{"deck":{"queen":1}}"#,
        r#"{"deck":{"king":1.5}}"#,
        r#"{"deck":null}"#,
        r#"{"decks":{}}"#,
    ] {
        assert!(
            serde_json::from_str::<Options>(malformed).is_err(),
            "{malformed}"
        );
    }
}

#[test]
fn cm_1_seats() {
    for seats in [0, 1, 6] {
        assert_eq!(
            refused(seats, Options::default()).rule,
            Common::Seats.citation()
        );
    }
    let first_seat = FirstSeat(3);
    let options = Options {
        first_seat,
        ..Options::default()
    };
    assert_eq!(refused(3, options).rule, Common::Seats.citation());
}

#[test]
fn sq_2_1_all_queens_sleep_in_numbered_places() {
    let places: Vec<u8> = table(2).state.sleeping().map(|slot| slot.get()).collect();
    assert_eq!(places, (1..=12).collect::<Vec<u8>>());
}

#[test]
pub(super) fn sq_2_2_deals_five_to_everybody() {
    let game = table(3);
    for seat in Seat::all(3) {
        game.then(&drew(seat, 5));
        assert_eq!(game.state.hand(seat).len(), 5);
    }
    game.shows(Rule::Deal);
    assert_eq!((game.state.pile.size, game.state.discard.len()), (52, 0));
}

#[test]
pub(super) fn sq_2_3_turns_go_round_from_the_first_seat() {
    let options = Options {
        first_seat: FirstSeat(2),
        ..Options::default()
    };
    let mut game = Game::table(3, options);
    for (seat, next) in [(2, 0), (0, 1), (1, 2)] {
        game.turn_is(seat).shows(if seat == 2 {
            Rule::Deal
        } else {
            Rule::Clockwise
        });
        game.when(seat, discard(&[Card::One]), []);
        game.then(&Event::TurnPassed {
            seat: Seat::new(next),
        });
    }
}
