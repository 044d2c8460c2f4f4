//! Games at a table written down and begun from there, hands told to the referee, and the rules that
//! events are permitted by.

use serde_json::json;

use super::laws::{short, teams};
use super::position::Position as Stand;
use super::*;
use crate::cards::Hand;
use crate::dealer::Shuffler;
use crate::ruling::Common;
use crate::testing::{
    CardLeaves, Plan, check_confidences, check_false_confidences, check_mangling,
    check_permissions, check_played_on, check_tampering, check_upsets, guessed,
};

const LEAVES: CardLeaves = CardLeaves {
    names: &[&[
        "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "joker",
    ]],
    counts: &["count", "draw_pile", "completed"],
};

fn plan(setups: Vec<(u8, Options)>, every: u64) -> Plan<Options> {
    Plan {
        setups,
        games: 1,
        keen: 0.9,
        max_moves: 400,
        must_end: false,
        every,
    }
}

fn all_sorts() -> Vec<(u8, Options)> {
    vec![
        (2, short(2, 90)),
        (3, one_round()),
        (4, teams(&[&[0, 2], &[1, 3]], true)),
        (6, one_round()),
    ]
}

fn placed(table: &Table, setup: &Setup<Options>) -> Result<State, Violation> {
    SkipBo::place(setup, &SkipBo::position(&table.state))
}

#[test]
fn a_position_is_judged_as_the_game_that_it_was_taken_from() {
    check_played_on::<SkipBo>(&plan(all_sorts(), 150));
}

#[test]
fn one_changed_card_shows() {
    check_tampering::<SkipBo>(&plan(all_sorts(), 250), LEAVES);
}

#[test]
fn whatever_position_is_accepted_can_be_played_on() {
    check_mangling::<SkipBo>(&plan(all_sorts(), 60), LEAVES, 120);
}

/// Changes something of a table, with every card still there.
fn upset(state: &mut State, shuffler: &mut Shuffler) {
    let seat = Seat::new(shuffler.below(state.terms.seats.into()) as u8);
    let place = shuffler.below(4) as usize;
    match shuffler.below(9) {
        0 => state.seat = seat,
        1 => {
            let phases = [
                Phase::Dealing,
                Phase::Playing,
                Phase::Filling(Refill::LastCardPlayed),
                Phase::Filling(Refill::LeftEmpty),
                Phase::Filling(Refill::TurnClosed),
                Phase::RoundOver(Some(seat)),
                Phase::RoundOver(None),
            ];
            state.phase = phases[shuffler.below(phases.len() as u32) as usize];
        }
        2 => state.idle = shuffler.below(4) as u8,
        3 => state.players[seat.index()].score = shuffler.below(500),
        4 => {
            let hand = &mut state.players[seat.index()].hand;
            state.unseen.pile.size += u16::from(hand.unknown);
            *hand = Hand::EMPTY;
        }
        5 => {
            let card = state.players[seat.index()].help[place].pop();
            card.into_iter()
                .for_each(|card| state.building[place].push(card));
        }
        6 => {
            let top = state.players[seat.index()].stock.top.take();
            top.into_iter().for_each(|card| state.completed.add(card));
        }
        7 => {
            let pile = std::mem::take(&mut state.building[place]);
            (pile.cards().iter()).for_each(|card| state.completed.add(*card));
        }
        _ => {
            let drawn = std::mem::take(&mut state.unseen.pile.size);
            for _ in 0..drawn {
                let card = state.unseen.anywhere.draw(shuffler);
                state.players[seat.index()].help[place].push(card);
            }
        }
    }
}

#[test]
fn whatever_a_table_lets_pass_can_be_played_on() {
    check_upsets::<SkipBo>(&plan(all_sorts(), 30), upset, 10);
}

#[test]
fn a_game_goes_on_from_the_middle_of_a_turn() {
    let mut table = two_players(["1", "9"]);
    table.when(0, play(STOCK, 0), []);
    let waiting = placed(&table, &setup(2, options())).expect("a stock is to be turned up");
    let mut table = Table::standing(waiting, Mode::Table);
    table.declare([top(0, "2")]).turn_is(0);
    table.when(0, play(STOCK, 0), [top(0, "5")]);
    let stands = placed(&table, &setup(2, options())).expect("a turn half played");
    assert_eq!(stands, table.state);
    assert!(stands.played);
}

#[test]
fn a_position_of_the_second_version_compels_the_stock() {
    let table = two_players(["1", "9"]);
    let second = Setup {
        rules_version: 2,
        ..setup(2, options())
    };
    let state = placed(&table, &second).expect("the same cards");
    Table::standing(state, Mode::Table).refused(0, discard("4", 0), SecondVersion::StockFirst);
}

#[test]
fn a_position_has_the_cards_of_the_box() {
    let table = two_players(["1", "9"]);
    let mut told = SkipBo::position(&table.state);
    told.view.seats[0].help[2] = cards("7");
    let violation = SkipBo::place(&setup(2, options()), &told).expect_err("a seven too many");
    assert_eq!(violation.rule.id, Common::Knowledge.citation().id);
    assert_eq!(
        violation.detail,
        "cards of the kind 7 are counted 13 times, and the box holds 12"
    );
    let mut told = SkipBo::position(&table.state);
    told.view.seats[1].hand.count = 6;
    let violation = SkipBo::place(&setup(2, options()), &told).expect_err("six in hand");
    assert_eq!(
        violation.detail,
        "seat 1 holds 6 cards, and a hand is 5 at most"
    );
}

/// A game at a table begun from this position, changed.
#[track_caller]
fn changed(table: &Table, options: Options, change: impl FnOnce(&mut Position)) -> Table {
    let mut told = SkipBo::position(&table.state);
    change(&mut told);
    let state = SkipBo::place(&setup(2, options), &told).expect("a position of some table");
    Table::standing(state, Mode::Table)
}

#[test]
fn a_card_that_did_not_fit_and_was_let_lie_is_built_on() {
    let table = Stand::of(2, options())
        .stock(0, "8 2")
        .stock(1, "9 2")
        .hand(0, "9 10 11 12 6")
        .hand(1, "8 8 8 8 8")
        .building(1, "1 2 3 4 5")
        .held();
    let mut table = changed(&table, options(), |told| {
        let buried = &mut told.view.seats[1].help[3];
        let seven = buried.iter().position(|card| *card == Card::Seven);
        let seven = buried.remove(seven.expect("all cards that are named nowhere"));
        told.view.building[1].cards.push(seven);
        told.view.building[1].next = Some(Card::Eight);
    });
    table.refused(0, play(hand("6"), 1), Rule::Building);
    table.when(0, play(STOCK, 1), [top(0, "2")]);
    for card in ["9", "10", "11", "12"] {
        table.when(0, play(hand(card), 1), []);
    }
    assert_eq!(table.state.completed.len(), 11);
    let again = placed(&table, &setup(2, options())).expect("no whole pile was completed");
    assert_eq!(again, table.state);
}

#[test]
fn scores_and_passes_that_the_rules_did_not_give_are_played_on_from() {
    let table = two_players(["1", "9"]);
    let mut table = changed(&table, options(), |told| {
        told.view.seats[0].score = 7;
        told.view.seats[1].score = u32::MAX;
        told.view.round = u32::MAX;
        told.view.starting_seat = Seat::new(1);
        told.view.idle = 1;
    });
    table.when(0, play(STOCK, 0), [top(0, "5")]).turn_is(0);
    assert_eq!(table.state.idle, 0);
}

#[test]
fn a_hand_that_was_not_filled_waits_for_its_owner_to_close_a_turn() {
    let table = Stand::of(2, options())
        .stock(0, "8 2")
        .stock(1, "9 2")
        .hand(0, "9 10 11 12 1")
        .hand(1, "8 8")
        .pile("3 4 5 6 7 3")
        .held();
    let mut table = changed(&table, options(), |_| {});
    table.when(0, discard("9", 0), []);
    table.when(1, discard("8", 0), []);
    let held = |seat| table.state.player(Seat::new(seat)).hand.len();
    assert_eq!((held(0), held(1)), (5, 5));
}

#[test]
fn a_position_fits_the_options() {
    let table = two_players(["1", "9"]);
    for (seats, other) in [(3, options()), (2, short(10, 500))] {
        let violation = placed(&table, &setup(seats, other)).expect_err("another table");
        assert_eq!(violation.rule.id, Common::Knowledge.citation().id);
    }
    let violation = placed(&table, &setup(2, short(41, 500))).expect_err("a stock too large");
    assert_eq!(violation.rule.id, Rule::StockSize.citation().id);
}

#[test]
fn a_hand_that_was_told_is_judged_strictly() {
    let mut table = two_players(["1", "9"]);
    let seat = Seat::new(0);
    SkipBo::confide(&mut table.state, seat, &cards("1 2 4 4 joker")).expect("a hand");
    table.refused(0, play(hand("12"), 0), Rule::Playing);
    table.refused(0, discard("3", 0), Rule::Closing);
    table.when(0, play(hand("joker"), 0), []);
    table.refused(0, play(hand("joker"), 1), Rule::Playing);
    table.when(0, play(hand("2"), 0), []);
    table.when(0, discard("4", 1), []);
    table.when(1, discard("8", 0), []);
    // Three of the five were drawn since, and may be anything.
    table.when(0, play(hand("3"), 0), []);
}

#[test]
fn what_a_seat_tells_fits_what_is_on_record_and_what_it_told_before() {
    let mut table = Stand::of(2, options())
        .stock(0, "1 2")
        .stock(1, "9 2")
        .hand(0, "3 4 5 6 7")
        .hand(1, "8 8 8 8 8")
        .help(1, 0, "12 12 12 12 12 12 12 12 12 12 12 12")
        .held();
    let seat = Seat::new(0);
    for wrong in ["3 4 5 6", "3 4 5 6 7 8", "3 4 5 6 12"] {
        let state = table.state.clone();
        let violation =
            SkipBo::confide(&mut table.state, seat, &cards(wrong)).expect_err("a wrong hand");
        assert_eq!(violation.rule.id, Common::Knowledge.citation().id);
        assert_eq!(table.state, state, "{wrong}");
    }
    SkipBo::confide(&mut table.state, seat, &cards("3 4 5 6 7")).expect("the hand");
    SkipBo::confide(&mut table.state, seat, &cards("7 6 5 4 3")).expect("the same hand");
    SkipBo::confide(&mut table.state, seat, &cards("3 4 5 6 8")).expect_err("another hand");
}

#[test]
fn true_hands_and_what_is_played_from_them_are_never_refused() {
    let hand: fn(&State, Seat) -> &Hand<Card> = |state, seat| &state.player(seat).hand;
    check_confidences::<SkipBo>(&plan(all_sorts(), 1), hand);
}

#[test]
fn false_hands_are_judged_all_the_same() {
    check_false_confidences::<SkipBo>(&plan(all_sorts(), 40), &|state, seat, shuffler| {
        guessed(&state.player(seat).hand, state.unseen.anywhere, shuffler)
    });
}

#[test]
fn every_event_is_permitted_by_a_rule() {
    let setups = all_sorts()
        .into_iter()
        .chain([(2, short(30, 60))])
        .collect();
    check_permissions::<SkipBo>(&plan(setups, 1));
}

#[test]
fn the_hidden_is_shown_by_draws_and_by_cards_turned_up_or_laid_down() {
    assert!(SkipBo::reveals(&drew(0, 5)));
    assert!(!SkipBo::reveals(&Event::Passed { seat: Seat::new(0) }));
    let seats = vec![Seat::new(0), Seat::new(2)];
    assert_eq!(
        SkipBo::permitted_by(&Event::RoundWon { seats }).id,
        Rule::TeamWins.citation().id
    );
}

#[test]
fn a_position_tells_every_card() {
    let position = SkipBo::position(&two_players(["1", "joker"]).state);
    let json = serde_json::to_value(&position).expect("JSON");
    assert_eq!(json["phase"], json!({"type": "playing"}));
    assert_eq!(json["unseen"]["joker"], 17);
    assert_eq!(json["not_in_stocks"], json!({"1": 1, "joker": 1}));
    assert_eq!(json["not_in_draw_pile"], json!({}));
}
