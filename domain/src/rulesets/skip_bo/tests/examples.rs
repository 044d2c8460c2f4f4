//! The worked examples of the rules, where the referee deals and at a table alike.

use super::position::Position;
use super::*;
use crate::dealer::Mode;

/// Both ways to play a position: the mode, and the game.
fn both(position: Position) -> [(Mode, Table); 2] {
    [
        (Mode::Virtual, position.clone().dealt()),
        (Mode::Table, position.held()),
    ]
}

/// The draws of a game in this mode: nobody declares them at a table.
fn drawn<const N: usize>(mode: Mode, draws: [Outcome; N]) -> Vec<Outcome> {
    match mode {
        Mode::Virtual => draws.into(),
        Mode::Table => Vec::new(),
    }
}

#[test]
fn example_1_a_joker_opens_a_pile_as_1() {
    let position = Position::of(2, options())
        .hand(0, "joker joker 1 2 3")
        .stock(0, "9")
        .stock(1, "9");
    for (_, mut table) in both(position) {
        table.when(0, play(hand("joker"), 0), []);
        table.refused(0, play(hand("1"), 0), Rule::Building);
        table.refused(0, play(hand("3"), 0), Rule::Building);
        table.clone().when(0, play(hand("2"), 0), []);
        table.when(0, play(hand("joker"), 0), []);
    }
}

#[test]
fn example_2_a_joker_completes_a_pile_as_12() {
    let position = Position::of(2, options())
        .hand(0, "joker 1 2")
        .stock(0, "9")
        .stock(1, "9")
        .building(3, "1 2 3 4 5 6 7 8 9 10 11");
    for (_, mut table) in both(position) {
        table
            .when(0, play(hand("joker"), 3), [])
            .then(&Event::PileCompleted { pile: place(3) });
        table.refused(0, play(hand("2"), 3), Rule::Building);
        table.when(0, play(hand("1"), 3), []);
    }
}

#[test]
fn example_3_the_last_hand_card_played_brings_five_more() {
    let position = Position::of(2, options())
        .hand(0, "1")
        .stock(0, "9")
        .stock(1, "9")
        .pile("2 3 4 5 6 7");
    for (mode, mut table) in both(position) {
        table
            .when(0, play(hand("1"), 0), drawn(mode, [draw(0, "7 6 5 4 3")]))
            .turn_is(0);
        assert_eq!(table.told()[1], (drew(0, 5), "SB-3.4"));
    }
}

#[test]
fn example_4_the_last_hand_card_discarded_ends_the_turn() {
    let position = Position::of(2, options())
        .hand(0, "7")
        .hand(1, "1")
        .stock(0, "9")
        .stock(1, "9")
        .pile("2 3 4 5 6 7");
    for (mode, mut table) in both(position) {
        table
            .when(0, discard("7", 0), drawn(mode, [draw(0, "7 6 5 4 3")]))
            .turn_is(1);
        assert_eq!(table.state.player(Seat::new(0)).hand.len(), 5);
    }
}

#[test]
fn example_5_two_players_0_and_7_left_score_60() {
    let position = Position::of(2, one_round())
        .hand(0, "2")
        .stock(0, "1")
        .stock(1, "9 1 2 3 4 5 6");
    for (_, mut table) in both(position) {
        table.when(0, play(STOCK, 0), []);
        let standing = table.ending().standing;
        assert_eq!(
            (standing.winners, standing.scores),
            (vec![Seat::new(0)], vec![60, 0])
        );
    }
}

#[test]
fn example_6_stocks_too_large_for_the_table() {
    for (seats, size) in [(6, 30), (5, 21), (4, 31), (3, 41)] {
        let options = Options {
            stock_size: Some(size),
            ..options()
        };
        let violation = Terms::agreed(&setup(seats, options)).expect_err("too large");
        assert_eq!(violation.rule, Rule::StockSize.citation());
    }
}

#[test]
fn example_7_the_completed_pile_is_shuffled_before_five_are_drawn() {
    let position = Position::of(2, options())
        .hand(0, "12")
        .stock(0, "9")
        .stock(1, "9")
        .building(0, "1 2 3 4 5 6 joker 8 9 10 11");
    for (mode, mut table) in both(position) {
        let draws = drawn(mode, [draw(0, "12 1 joker 2 3")]);
        table.when(0, play(hand("12"), 0), draws).turn_is(0);
        let told = table.told().split_off(1);
        assert_eq!(
            told,
            [
                (Event::PileCompleted { pile: place(0) }, "SB-3.5"),
                (Event::Reshuffled { count: 12 }, "SB-3.9"),
                (drew(0, 5), "SB-3.4"),
            ]
        );
        assert_eq!(table.state.unseen.pile.size, 7);
    }
}

#[test]
fn example_8_a_draw_goes_on_after_the_shuffle() {
    let position = Position::of(2, options())
        .hand(0, "3 8")
        .hand(1, "6")
        .stock(0, "9")
        .stock(1, "9")
        .pile("1 7")
        .completed("1 2 3 4 5 6 7 8 9 10 11 12 1 2 3 4 5 6 7 8 9 10 joker joker");
    for (mode, mut table) in both(position) {
        let draws = drawn(mode, [draw(0, "7 1"), draw(0, "joker 12")]);
        table.when(0, discard("8", 0), draws).turn_is(1);
        let told = table.told().split_off(1);
        assert_eq!(
            told,
            [
                (drew(0, 2), "SB-3.6"),
                (Event::Reshuffled { count: 24 }, "SB-3.9"),
                (drew(0, 2), "SB-3.6"),
                (Event::TurnPassed { seat: Seat::new(1) }, "SB-3.6"),
            ]
        );
        assert_eq!(table.state.unseen.pile.size, 22);
        assert_eq!(table.state.player(Seat::new(0)).hand.len(), 5);
    }
}

#[test]
fn example_9_a_team_wins_with_its_last_stock() {
    let position = Position::of(4, two_teams())
        .hand(0, "8")
        .hand(1, "7")
        .hand(2, "7")
        .stock(0, "1")
        .stock(1, "9 9 9")
        .stock(2, "2")
        .stock(3, "9 4 4 4");
    for (_, mut table) in both(position) {
        table.when(0, play(STOCK, 0), []).turn_is(0);
        table.when(0, discard("8", 0), []);
        table.when(1, discard("7", 0), []);
        table.when(2, play(STOCK, 0), []).shows(Rule::TeamWins);
        let standing = table.ending().standing;
        assert_eq!(standing.winners, [Seat::new(0), Seat::new(2)]);
        assert_eq!(standing.scores, [60, 0, 60, 0], "25 + 5 × (3 + 4)");
    }
}
