//! Playing, closing a turn, drawing and passing.

use super::position::Position;
use super::*;
use crate::ruling::Common;

/// Two completed piles.
const TWO_PILES: &str = "1 2 3 4 5 6 7 8 9 10 11 12 1 2 3 4 5 6 7 8 9 10 11 12";
/// A pile that wants a 12.
const ELEVEN: &str = "1 2 joker 4 5 6 7 8 9 10 11";

#[test]
pub(super) fn sb_3_1_a_pile_takes_the_next_number_or_a_joker() {
    let position = Position::of(2, options())
        .hand(0, "1 2 3 6 joker")
        .stock(0, "5 9")
        .help(0, 1, "4 3")
        .building(1, "1 joker")
        .building(2, "joker 2 3 4");
    for table in [position.clone().dealt(), position.held()] {
        table.refused(0, play(hand("2"), 0), Rule::Building);
        table.refused(0, play(hand("1"), 1), Rule::Building);
        table.refused(0, play(hand("2"), 1), Rule::Building);
        table.refused(0, play(STOCK, 1), Rule::Building);
        table.refused(0, play(help(1), 0), Rule::Building);
        table.clone().when(0, play(hand("1"), 0), []);
        table.clone().when(0, play(hand("joker"), 0), []);
        table.clone().when(0, play(hand("3"), 1), []);
        table.clone().when(0, play(hand("joker"), 1), []);
        table.clone().when(0, play(help(1), 1), []);
        table.clone().when(0, play(STOCK, 2), [top(0, "9")]);
    }
}

#[test]
pub(super) fn sb_3_2_what_is_not_there_cannot_be_played() {
    let position = Position::of(4, two_teams())
        .hand(0, "1 9")
        .stock(1, "1")
        .stock(2, "4")
        .help(1, 0, "1");
    let dealt = position.clone().dealt();
    dealt.refused(0, play(hand("joker"), 0), Rule::Playing);
    for table in [dealt, position.held()] {
        table.refused(0, play(STOCK, 0), Rule::Playing);
        table.refused(0, play(help(0), 0), Rule::Playing);
    }
}

#[test]
fn sb_3_2_a_place_is_asked_for_only_after_the_card() {
    let table = Position::of(2, options())
        .hand(0, "9")
        .stock(1, "3")
        .dealt();
    table.refused(0, play(hand("7"), 0), Rule::Playing);
    table.refused(0, play(hand("9"), 0), Rule::Building);
}

#[test]
fn sb_3_2_any_number_of_cards_is_played_from_anywhere() {
    let mut table = two_players(["2", "9"]);
    table
        .when(0, play(hand("1"), 0), [])
        .when(0, play(STOCK, 0), [top(0, "3")])
        .when(0, play(STOCK, 0), [top(0, "12")])
        .when(0, play(hand("joker"), 0), [])
        .when(0, discard("5", 2), [])
        .when(1, discard("9", 0), [])
        .when(0, play(help(2), 0), [])
        .turn_is(0);
    let pile = table.state.building(place(0)).cards();
    assert_eq!(pile, cards("1 2 3 joker 5"));
}

#[test]
pub(super) fn sb_3_3_the_next_stock_card_is_turned_up_at_once() {
    let mut table = two_players(["1", "9"]);
    table.when(0, play(STOCK, 3), []);
    let due = Due::StockTop { seat: Seat::new(0) };
    assert_eq!(SkipBo::turn(&table.state), Turn::Chance(due));
    table
        .declare([top(0, "joker")])
        .shows(Rule::NextTop)
        .turn_is(0);
    assert_eq!(table.state.player(Seat::new(0)).stock.len(), 29);
}

#[test]
fn sb_3_3_the_stock_is_turned_before_anything_is_drawn() {
    let mut table = Position::of(2, options())
        .stock(0, "12 7")
        .stock(1, "3")
        .building(0, ELEVEN)
        .dealt();
    table.when(0, play(STOCK, 0), [top(0, "7"), draw(0, "12 1 joker 2 11")]);
    let told: Vec<&str> = table.told().into_iter().map(|(_, rule)| rule).collect();
    assert_eq!(told, ["", "SB-3.5", "SB-3.3", "SB-3.9", "SB-3.10"]);
}

#[test]
fn sb_3_3_nothing_is_shuffled_before_the_stock_is_turned() {
    let mut table = Position::of(2, options())
        .stock(0, "12 7")
        .stock(1, "3")
        .building(0, ELEVEN)
        .held();
    table.when(0, play(STOCK, 0), []);
    assert_eq!(table.state.completed.len(), 12);
    // All twelve are on record, the last of them in the pile just completed.
    table.impossible(top(0, "12"), Common::Knowledge);
    table.declare([top(0, "7")]);
    assert_eq!(table.state.completed.len(), 0);
    assert_eq!(table.state.unseen.pile.size, 7);
}

#[test]
pub(super) fn sb_3_4_an_emptied_hand_draws_five() {
    let mut table = two_players(["9", "9"]);
    for name in ["1", "2", "3", "joker"] {
        table.when(0, play(hand(name), 0), []);
        assert_eq!(table.told().len(), 1);
    }
    table
        .when(0, play(hand("5"), 0), [])
        .then(&drew(0, 5))
        .shows(Rule::FiveMore)
        .turn_is(0);
}

#[test]
fn sb_3_4_an_emptied_hand_draws_what_there_is() {
    let mut table = Position::of(2, options())
        .hand(0, "1")
        .stock(0, "8")
        .stock(1, "3")
        .pile("4 9")
        .dealt();
    table.when(0, play(hand("1"), 0), [draw(0, "9 4")]);
    table.turn_is(0).refused(0, PASS, Rule::Passing);
    assert_eq!(table.state.player(Seat::new(0)).hand.len(), 2);
}

#[test]
pub(super) fn sb_3_5_a_pile_that_reaches_12_leaves_the_table() {
    let mut table = Position::of(2, options())
        .hand(0, "12 1 8")
        .stock(0, "9")
        .stock(1, "3")
        .building(2, ELEVEN)
        .held();
    table
        .when(0, play(hand("12"), 2), [])
        .then(&Event::PileCompleted { pile: place(2) })
        .shows(Rule::Completed);
    assert_eq!(table.state.completed.len(), 12);
    assert_eq!(table.state.completed.count(card("joker")), 1);
    assert_eq!(table.state.completed.count(card("3")), 0);
    table.refused(0, play(hand("8"), 2), Rule::Building);
    table.when(0, play(hand("1"), 2), []);
}

#[test]
pub(super) fn sb_3_6_a_turn_is_closed_with_a_card_of_the_hand() {
    let mut table = Position::of(2, options())
        .hand(0, "7 joker")
        .hand(1, "2 3 4 5 6")
        .stock(0, "9")
        .stock(1, "3")
        .help(0, 0, "11")
        .pile("1 2 3 4 5 6")
        .dealt();
    table.refused(0, discard("9", 0), Rule::Closing);
    table.refused(0, discard("11", 1), Rule::Closing);
    table.when(0, discard("joker", 0), [draw(0, "1 2 3 6")]);
    let turn_passed = Event::TurnPassed { seat: Seat::new(1) };
    assert_eq!(
        table.told(),
        [
            (
                Event::CardDiscarded {
                    seat: Seat::new(0),
                    card: card("joker"),
                    pile: place(0)
                },
                ""
            ),
            (drew(0, 4), "SB-3.6"),
            (turn_passed, "SB-3.6"),
        ]
    );
    table.turn_is(1);
    // The joker has no number there: next time it goes wherever it is wanted.
    table.when(1, discard("6", 0), [draw(1, "5")]);
    table.when(0, play(help(0), 0), []);
    table.when(0, play(hand("2"), 0), []);
    assert_eq!(table.state.player(Seat::new(0)).help[0], cards("11"));
}

#[test]
fn sb_3_6_without_a_hand_no_turn_is_closed() {
    let position = Position::of(2, options()).stock(0, "9").stock(1, "3");
    for table in [position.clone().dealt(), position.held()] {
        table.refused(0, discard("9", 0), Rule::Closing);
    }
}

#[test]
fn sb_3_8_nobody_has_to_play() {
    let mut table = two_players(["1", "1"]);
    table.when(0, discard("1", 0), []).turn_is(1);
    table.when(1, discard("2", 0), []).turn_is(0);
}

#[test]
pub(super) fn sb_3_9_completed_piles_replace_a_draw_pile_that_is_used_up() {
    let mut table = Position::of(2, options())
        .hand(0, "6 7 8 9")
        .hand(1, "2 3 4 5 7")
        .stock(0, "9")
        .stock(1, "3")
        .pile("10 11")
        .completed(TWO_PILES)
        .held();
    table.when(0, discard("8", 0), []);
    // Used up exactly: nothing is shuffled before a card is wanted.
    assert_eq!(table.told()[1].0, drew(0, 2));
    assert_eq!(table.told().len(), 3);
    table.turn_is(1);
    table.when(1, discard("7", 0), []);
    let told: Vec<(Event, &str)> = table.told().split_off(1);
    assert_eq!(
        told,
        [
            (Event::Reshuffled { count: 24 }, "SB-3.9"),
            (drew(1, 1), "SB-3.6"),
            (Event::TurnPassed { seat: Seat::new(0) }, "SB-3.6"),
        ]
    );
    assert_eq!(table.state.unseen.pile.size, 23);
    assert!(table.state.completed.is_empty());
}

#[test]
fn sb_3_9_a_completed_pile_waits_while_there_is_something_to_draw() {
    let mut table = Position::of(2, options())
        .hand(0, "12 9")
        .hand(1, "5 5 5 5 5")
        .stock(0, "9")
        .stock(1, "3")
        .building(0, ELEVEN)
        .pile("1 2 3 4 6")
        .held();
    table.when(0, play(hand("12"), 0), []);
    assert_eq!(table.told().len(), 2);
    table.when(0, discard("9", 0), []).turn_is(1);
    assert_eq!(table.state.unseen.pile.size, 0);
    assert_eq!(table.state.completed.len(), 12);
}

#[test]
fn sb_3_9_with_nothing_to_draw_a_turn_ends_without() {
    let mut table = Position::of(2, options())
        .hand(0, "12 9")
        .hand(1, "5")
        .stock(0, "9")
        .stock(1, "3")
        .held();
    table.when(0, discard("9", 0), []);
    let told: Vec<&str> = table.told().into_iter().map(|(_, rule)| rule).collect();
    assert_eq!(told, ["", "SB-3.6"]);
    table.turn_is(1);
    assert_eq!(table.state.player(Seat::new(0)).hand.len(), 1);
}

#[test]
pub(super) fn sb_3_10_only_an_empty_hand_passes() {
    let table = two_players(["9", "9"]);
    table.refused(0, PASS, Rule::Passing);

    let mut table = Position::of(2, options())
        .hand(1, "5")
        .stock(0, "1 9")
        .stock(1, "3")
        .held();
    // The stock could be played, but need not be.
    table.when(0, PASS, []);
    let turn_passed = Event::TurnPassed { seat: Seat::new(1) };
    let passed = Event::Passed { seat: Seat::new(0) };
    assert_eq!(table.told(), [(passed, ""), (turn_passed, "SB-3.10")]);
    table.turn_is(1);
}

#[test]
fn sb_3_10_five_are_drawn_after_the_play_that_makes_cards_available() {
    let mut table = Position::of(2, options())
        .stock(0, "9")
        .stock(1, "3")
        .help(0, 0, "1 12")
        .building(0, ELEVEN)
        .held();
    table.when(0, play(help(0), 0), []);
    let told: Vec<(Event, &str)> = table.told().split_off(1);
    assert_eq!(
        told,
        [
            (Event::PileCompleted { pile: place(0) }, "SB-3.5"),
            (Event::Reshuffled { count: 12 }, "SB-3.9"),
            (drew(0, 5), "SB-3.10"),
        ]
    );
    table.turn_is(0);
}

#[test]
fn sb_3_10_five_are_drawn_when_a_turn_begins() {
    let mut table = Position::of(2, options())
        .hand(0, "12 6")
        .stock(0, "9")
        .stock(1, "3")
        .building(0, ELEVEN)
        .held();
    table
        .when(0, play(hand("12"), 0), [])
        .when(0, discard("6", 0), []);
    let told: Vec<(Event, &str)> = table.told().split_off(1);
    assert_eq!(
        told,
        [
            (Event::Reshuffled { count: 12 }, "SB-3.9"),
            (drew(0, 5), "SB-3.6"),
            (Event::TurnPassed { seat: Seat::new(1) }, "SB-3.6"),
            (drew(1, 5), "SB-3.10"),
        ]
    );
    table.turn_is(1);
    assert_eq!(table.state.unseen.pile.size, 2);
}

#[test]
fn sb_3_10_a_pile_used_up_by_the_turn_before_is_shuffled_when_the_turn_begins() {
    let mut table = Position::of(2, options())
        .hand(0, "3 6 7 8 9")
        .stock(0, "9")
        .stock(1, "3")
        .pile("4")
        .completed(TWO_PILES)
        .held();
    table.when(0, discard("6", 0), []);
    let told: Vec<(Event, &str)> = table.told().split_off(1);
    assert_eq!(
        told,
        [
            (drew(0, 1), "SB-3.6"),
            (Event::TurnPassed { seat: Seat::new(1) }, "SB-3.6"),
            (Event::Reshuffled { count: 24 }, "SB-3.9"),
            (drew(1, 5), "SB-3.10"),
        ]
    );
}

#[test]
fn sb_3_10_an_emptied_hand_plays_on_from_stock_and_help_piles() {
    let mut table = Position::of(2, options())
        .hand(0, "1")
        .stock(0, "2 9")
        .stock(1, "3")
        .help(0, 1, "3")
        .held();
    table
        .when(0, play(hand("1"), 0), [])
        .when(0, play(STOCK, 0), [top(0, "9")])
        .when(0, play(help(1), 0), [])
        .when(0, PASS, [])
        .turn_is(1);
}
