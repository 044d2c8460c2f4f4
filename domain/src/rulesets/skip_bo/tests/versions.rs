//! Where the versions of the rules part.

use super::position::Position;
use super::*;
use crate::ruling::Common;

/// The stock of seat 0 fits, and so do other cards; its team-mate's stock fits as well.
fn stock_fits() -> Position {
    Position::of(4, two_teams())
        .hand(0, "1 7 joker")
        .stock(0, "3 9")
        .stock(2, "1 4")
        .help(0, 0, "1")
        .help(2, 1, "1")
        .building(1, "1 2")
        .building(2, "joker 2")
}

#[test]
fn sb_3_8_in_the_second_version_the_own_stock_comes_first() {
    for table in [
        stock_fits().second_version().dealt(),
        stock_fits().second_version().held(),
    ] {
        for other in [
            play(hand("1"), 0),
            play(hand("joker"), 0),
            play(help(0), 0),
            play(help_of(2, 1), 0),
            play(stock_of(2), 0),
            discard("7", 0),
            discard("12", 0),
            PASS,
        ] {
            let violation = table.refused(0, other, SecondVersion::StockFirst);
            assert_eq!(violation.rule, SecondVersion::StockFirst.citation());
        }
        table.refused(0, play(STOCK, 0), Rule::Building);
        let free = [play(STOCK, 1), play(STOCK, 2)];
        assert_eq!(SkipBo::legal_moves(&table.state, Seat::new(0)), free);
        for mv in free {
            let mut table = table.clone();
            table.when(0, mv, [top(0, "9")]);
            table.when(0, play(hand("1"), 0), []);
        }
    }
}

#[test]
fn sb_3_8_in_the_first_version_nobody_has_to_play() {
    for table in [stock_fits().dealt(), stock_fits().held()] {
        table.clone().when(0, play(hand("1"), 0), []);
        table.clone().when(0, play(help(0), 0), []);
    }
}

#[test]
fn sb_3_8_a_stock_that_does_not_fit_or_is_empty_compels_nobody() {
    let position = Position::of(4, two_teams())
        .second_version()
        .hand(0, "1 7")
        .stock(1, "2")
        .stock(2, "1 4")
        .help(0, 0, "1");
    for position in [position.clone(), position.stock(0, "5 9")] {
        for table in [position.clone().dealt(), position.held()] {
            table.clone().when(0, play(hand("1"), 0), []);
            table.clone().when(0, play(help(0), 0), []);
        }
    }
}

#[test]
fn sb_3_8_a_joker_on_the_stock_is_always_due() {
    let table = Position::of(2, options())
        .second_version()
        .hand(0, "1 7")
        .stock(0, "joker 9")
        .dealt();
    table.refused(0, discard("7", 0), SecondVersion::StockFirst);
}

#[test]
fn the_first_version_is_the_default_and_each_serves_its_own_text() {
    assert_eq!(SkipBo::VERSIONS, [1, 2]);
    let (first, second) = (SkipBo::rulebook(1), SkipBo::rulebook(2));
    let ids = |book: &Rulebook| book.rules().map(|rule| rule.id).collect::<Vec<_>>();
    assert_eq!(ids(first), ids(second));
    for (one, other) in first.rules().zip(second.rules()) {
        assert_eq!(one == other, one.id != "SB-3.8", "{one:?}");
    }
    assert_eq!(first.find("SB-3.8"), Some(Rule::NoCompulsion.citation()));
    assert_eq!(
        second.find("SB-3.8"),
        Some(SecondVersion::StockFirst.citation())
    );
    assert_eq!(second.find("CM-3"), Some(Common::Over.citation()));
}
