//! The end of a round, points, the next round, the match.

use super::position::Position;
use super::*;

/// Three players, nobody with a card in hand or a card to draw; only stocks can be played.
fn empty_handed(options: Options) -> Position {
    Position::of(3, options)
        .stock(0, "5 9")
        .stock(1, "1 9")
        .stock(2, "7 9")
}

#[test]
pub(super) fn sb_3_11_a_round_in_which_all_pass_is_a_stalemate() {
    let mut table = empty_handed(one_round()).held();
    table.when(0, PASS, []).when(1, PASS, []).turn_is(2);
    table.when(2, PASS, []);
    let passed = Event::Passed { seat: Seat::new(2) };
    assert_eq!(
        table.told(),
        [(passed, ""), (Event::RoundStalemate {}, "SB-3.11")]
    );
    let ending = table.ending();
    assert_eq!(ending.rule, Some(Rule::Stalemate.citation()));
    assert_eq!(ending.standing.winners, []);
    assert_eq!(ending.standing.scores, [0, 0, 0]);
    assert_eq!(ending.standing.reason, "stalemate");
}

#[test]
fn sb_3_11_a_pass_after_a_play_begins_the_count_anew() {
    let mut table = empty_handed(one_round()).held();
    table
        .when(0, PASS, [])
        .when(1, play(STOCK, 0), [top(1, "9")])
        .when(1, PASS, [])
        .when(2, PASS, [])
        .when(0, PASS, [])
        .turn_is(1);
    table.when(1, PASS, []).shows(Rule::Stalemate);
}

#[test]
fn sb_3_11_a_closed_turn_begins_the_count_anew() {
    let mut table = empty_handed(one_round()).hand(2, "8 11").held();
    table
        .when(0, PASS, [])
        .when(1, PASS, [])
        .when(2, discard("8", 0), [])
        .when(0, PASS, [])
        .when(1, PASS, [])
        .when(2, discard("11", 0), [])
        .when(0, PASS, [])
        .when(1, PASS, [])
        .turn_is(2);
    table.when(2, PASS, []).shows(Rule::Stalemate);
}

#[test]
fn sb_3_11_in_a_match_a_stalemate_scores_nothing_and_the_next_round_is_dealt() {
    let mut table = empty_handed(options()).score(1, 470).held();
    table
        .when(0, PASS, [])
        .when(1, PASS, [])
        .when(2, PASS, [])
        .shows(Rule::Stalemate)
        .then(&Event::RoundBegun {
            round: 2,
            seat: Seat::new(1),
        });
    let scores = table.state.players.iter().map(|player| player.score);
    assert_eq!(scores.take(3).collect::<Vec<_>>(), [0, 470, 0]);
}

#[test]
pub(super) fn sb_5_1_the_last_stock_card_wins_at_once() {
    let mut table = Position::of(2, one_round())
        .stock(0, "12")
        .stock(1, "3 4")
        .building(0, "1 2 3 4 5 6 7 8 9 10 11")
        .held();
    table.when(0, play(STOCK, 0), []);
    let seats = vec![Seat::new(0)];
    let told: Vec<(Event, &str)> = table.told().split_off(1);
    assert_eq!(
        told,
        [
            (Event::PileCompleted { pile: place(0) }, "SB-3.5"),
            (
                Event::RoundWon {
                    seats: seats.clone()
                },
                "SB-5.1"
            ),
            (Event::RoundScored { seats, points: 35 }, "SB-5.2"),
        ],
        "nothing is drawn, though the hand is empty and a pile was completed"
    );
    let ending = table.ending();
    assert_eq!(ending.standing.winners, [Seat::new(0)]);
    assert_eq!(ending.standing.reason, "stock_emptied");
}

#[test]
pub(super) fn sb_5_2_the_winner_scores_25_and_5_a_card() {
    let mut table = Position::of(3, one_round())
        .hand(0, "2")
        .stock(0, "1")
        .stock(1, "3 4 4")
        .stock(2, "3")
        .held();
    table.when(0, play(STOCK, 0), []).shows(Rule::Scoring);
    assert_eq!(table.ending().standing.scores, [25 + 5 * 4, 0, 0]);
}

#[test]
fn sb_5_3_the_first_to_reach_the_target_wins_the_match() {
    let position = |score| {
        Position::of(2, options())
            .stock(0, "1")
            .stock(1, "3 4")
            .score(0, score)
            .score(1, 499)
            .held()
    };
    let mut table = position(465);
    table.when(0, play(STOCK, 0), []);
    let ending = table.ending();
    assert_eq!(ending.rule, Some(Rule::Target.citation()));
    assert_eq!(ending.standing.winners, [Seat::new(0)]);
    assert_eq!(ending.standing.scores, [500, 499]);
    assert_eq!(ending.standing.reason, "target_score");

    let mut table = position(464);
    table.when(0, play(STOCK, 0), []).shows(Rule::NextRound);
    assert_eq!(table.state.standing(), None);
}

#[test]
pub(super) fn sb_5_4_the_next_round_is_dealt_from_all_cards() {
    let mut table = Position::of(3, options())
        .hand(1, "4 joker")
        .stock(0, "1")
        .stock(1, "3 4")
        .stock(2, "9")
        .help(1, 1, "7 8")
        .building(1, "1 2")
        .completed("1 2 3 4 5 6 7 8 9 10 11 12")
        .held();
    table.when(0, play(STOCK, 0), [top(0, "1"), top(1, "2"), top(2, "2")]);
    table.then(&Event::RoundBegun {
        round: 2,
        seat: Seat::new(1),
    });
    table.then(&drew(2, 5)).turn_is(1);
    let state = &table.state;
    assert_eq!((state.round, state.starting_seat), (2, Seat::new(1)));
    assert_eq!(state.player(Seat::new(0)).score, 40);
    assert_eq!(state.unseen.pile.size, 162 - 3 * 35);
    assert_eq!(state.unseen.anywhere.len(), 162 - 3);
    assert!(state.completed.is_empty());
    assert!(state.building.iter().all(|pile| pile.reached() == 0));
    for player in &state.players[..3] {
        assert_eq!((player.stock.len(), player.hand.len()), (30, 5));
        assert!(player.help.iter().all(Vec::is_empty));
    }
}

#[test]
fn sb_5_4_the_beginning_goes_round() {
    let short = Options {
        stock_size: Some(1),
        ..options()
    };
    let mut table = Table::table(2, short);
    for beginner in [0, 1, 0, 1] {
        table.declare([top(0, "1"), top(1, "1")]).turn_is(beginner);
        table.when(beginner, play(STOCK, 0), []);
    }
    assert_eq!(table.state.round, 5);
    assert_eq!(table.state.player(Seat::new(0)).score, 60);
}

#[test]
fn between_two_rounds_nothing_is_over_and_nobody_is_on_turn() {
    let mut table = Position::of(2, options())
        .stock(0, "1")
        .stock(1, "3")
        .dealt();
    let effects = SkipBo::decide(&table.state, Seat::new(0), &play(STOCK, 0)).expect("it fits");
    for effect in effects {
        SkipBo::evolve(&mut table.state, &effect.event);
        let turn = SkipBo::turn(&table.state);
        assert!(!matches!(turn, Turn::Over(_)), "after {effect:?}");
    }
}
