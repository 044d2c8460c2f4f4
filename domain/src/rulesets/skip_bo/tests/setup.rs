//! The box, the deal and the options.

use super::*;
use crate::dealer::Mode;
use crate::rulesets::skip_bo::piles::full_box;
use crate::ruling::Common;

fn set_up(seats: u8, options: Options) -> Result<State, Violation> {
    SkipBo::initial_state(&Setup {
        seats,
        options,
        rules_version: 1,
        mode: Mode::Virtual,
    })
}

#[track_caller]
fn refused(seats: u8, options: Options, rule: impl Into<&'static crate::ruling::Citation>) {
    match set_up(seats, options.clone()) {
        Ok(_) => panic!("{options:?} is accepted for {seats}"),
        Err(violation) => assert_eq!(violation.rule.id, rule.into().id, "{violation}"),
    }
}

fn stock(stock_size: i64) -> Options {
    Options {
        stock_size: Some(stock_size),
        ..options()
    }
}

#[test]
fn sb_1_1_the_box_holds_162_cards() {
    let cards = full_box();
    assert_eq!(cards.len(), 162);
    assert_eq!(cards.count(card("1")), 12);
    assert_eq!(cards.count(card("12")), 12);
    assert_eq!(cards.count(card("joker")), 18);
}

#[test]
pub(super) fn sb_2_1_the_stocks_are_turned_up_seat_by_seat() {
    for (seats, size) in [(2, 30), (3, 30), (4, 30), (5, 20), (6, 20)] {
        let mut table = Table::table(seats, options());
        for seat in 0..seats {
            let due = Due::StockTop {
                seat: Seat::new(seat),
            };
            assert_eq!(SkipBo::turn(&table.state), Turn::Chance(due));
            table.declare([top(seat, "7")]).shows(Rule::Stocks);
            let stock = table.state.player(Seat::new(seat)).stock;
            assert_eq!((stock.len(), stock.top), (size, Some(card("7"))));
        }
        table.turn_is(0);
    }
}

#[test]
pub(super) fn sb_2_2_a_stock_has_its_bounds() {
    for (seats, most) in [(2, 40), (3, 40), (4, 30), (5, 20), (6, 20)] {
        for size in [1, 10, most] {
            let state = set_up(seats, stock(size)).expect("within the bounds");
            assert_eq!(i64::from(state.player(Seat::new(0)).stock.len()), size);
        }
        for size in [i64::MIN, -1, 0, most + 1, 256 + 1, i64::MAX] {
            refused(seats, stock(size), Rule::StockSize);
        }
    }
}

#[test]
pub(super) fn sb_2_3_everybody_is_dealt_five_and_the_rest_is_the_draw_pile() {
    for (seats, rest) in [(2, 92), (3, 57), (4, 22), (5, 37), (6, 12)] {
        let mut table = Table::table(seats, options());
        table.declare((0..seats).map(|seat| top(seat, "1")));
        table.shows(Rule::Hands).turn_is(0);
        for seat in 0..seats {
            table.then(&drew(seat, 5));
        }
        assert_eq!(table.state.unseen.pile.size, rest);
    }
}

#[test]
pub(super) fn sb_2_4_teams_are_two_or_three_of_one_size() {
    let teams = |teams: &[&[i64]]| Options {
        teams: Some(teams.iter().map(|team| team.to_vec()).collect()),
        ..options()
    };
    for (seats, accepted) in [
        (4, teams(&[&[0, 2], &[1, 3]])),
        (4, teams(&[&[3, 0], &[1, 2]])),
        (6, teams(&[&[0, 1, 2], &[3, 4, 5]])),
        (6, teams(&[&[0, 3], &[1, 4], &[2, 5]])),
    ] {
        assert!(set_up(seats, accepted).is_ok());
    }
    for (seats, wrong) in [
        (4, teams(&[])),
        (4, teams(&[&[0, 1, 2, 3]])),
        (4, teams(&[&[0], &[1], &[2], &[3]])),
        (3, teams(&[&[0], &[1], &[2]])),
        (2, teams(&[&[0], &[1]])),
        (2, teams(&[&[], &[]])),
        (4, teams(&[&[0, 1, 2], &[3]])),
        (5, teams(&[&[0, 2], &[1, 3]])),
        (6, teams(&[&[0, 2], &[1, 3]])),
        (4, teams(&[&[0, 2], &[1, 2]])),
        (4, teams(&[&[0, 0], &[1, 3]])),
        (4, teams(&[&[0, 2], &[1, 4]])),
        (4, teams(&[&[0, 2], &[1, -1]])),
        (4, teams(&[&[0, 2], &[1, 259]])),
    ] {
        refused(seats, wrong, Rule::Teams);
    }
}

#[test]
pub(super) fn sb_5_3_a_target_has_its_bounds() {
    let target = |score| Options {
        target_score: Some(score),
        ..options()
    };
    for score in [1, 500, 10_000] {
        assert!(set_up(2, target(score)).is_ok());
    }
    for score in [i64::MIN, -1, 0, 10_001, i64::MAX] {
        refused(2, target(score), Rule::Target);
    }
    assert_eq!(
        set_up(2, one_round()).expect("null").terms.target_score,
        None
    );
}

#[test]
fn cm_1_the_first_seat_is_one_of_the_table() {
    let first = |seat| Options {
        first_seat: crate::ruleset::FirstSeat(seat),
        ..options()
    };
    refused(2, first(2), Common::Seats);
    refused(2, first(-1), Common::Seats);
    let mut table = Table::table(3, first(2));
    table
        .declare([top(0, "1"), top(1, "2"), top(2, "3")])
        .turn_is(2);
}

#[test]
fn partner_stock_means_nothing_without_teams() {
    let open = Options {
        partner_stock: true,
        ..options()
    };
    let mut table = Table::table(2, open);
    table.declare([top(0, "2"), top(1, "1")]);
    table.refused(0, play(stock_of(1), 0), Rule::TeamMates);
}

#[test]
fn options_are_read_with_their_defaults() {
    let read = |text: &str| serde_json::from_str::<Options>(text);
    assert_eq!(read("{}").expect("defaults"), options());
    assert_eq!(read(r#"{"target_score":null}"#).expect("null"), one_round());
    assert_eq!(options().target_score, Some(500));
    assert!(read(r#"{"colour":"red"}"#).is_err());
    assert!(read(r#"{"stock_size":"ten"}"#).is_err());
    for option in SkipBo::rulebook(1).options {
        let one = format!(r#"{{"{}":{}}}"#, option.name, option.default);
        assert_eq!(read(&one).expect("a default"), options(), "{}", option.name);
    }
}
