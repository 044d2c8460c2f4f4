//! Positions: what is accepted, and what does not add up.

use super::view::Lies;
use super::*;
use crate::cards::Bag;
use crate::ruling::Violation;
use crate::testing::{
    CardLeaves, check_mangling, check_permissions, check_played_on, check_tampering,
};

const LEAVES: CardLeaves = CardLeaves {
    names: &[&[
        "spider",
        "dragon",
        "ring",
        "ball",
        "car",
        "doll",
        "candlestick",
        "chest",
    ]],
    counts: &["count", "score"],
};

fn plan(every: u64) -> Plan<Options> {
    Plan {
        setups: vec![(2, Options::default()), (5, Options::default())],
        games: 2,
        keen: 0.3,
        max_moves: 5_000,
        must_end: true,
        every,
    }
}

fn at_table(seats: u8) -> Setup<Options> {
    Setup {
        seats,
        options: Options::default(),
        rules_version: 1,
        mode: Mode::Table,
    }
}

/// A state as it comes back from its position.
#[track_caller]
fn placed_again(state: &State) -> State {
    SchatzDerDrachen::place(&at_table(3), &SchatzDerDrachen::position(state))
        .expect("it is possible")
}

#[test]
fn a_game_begun_from_a_position_goes_on_as_the_original() {
    check_played_on::<SchatzDerDrachen>(&plan(40));
}

#[test]
fn no_tile_of_a_position_can_be_another() {
    check_tampering::<SchatzDerDrachen>(&plan(60), LEAVES);
}

#[test]
fn whatever_is_accepted_can_be_played() {
    check_mangling::<SchatzDerDrachen>(&plan(100), LEAVES, 20);
}

#[test]
fn events_are_permitted_by_the_rules_that_draw_them() {
    check_permissions::<SchatzDerDrachen>(&plan(100));
}

#[test]
fn only_a_face_that_is_turned_up_reveals_something() {
    let mut table = spider_found();
    let types = |table: &Table| -> Vec<bool> {
        let reveals = |effect: &Effect<Event>| SchatzDerDrachen::reveals(&effect.event);
        table.last.iter().map(reveals).collect()
    };
    assert_eq!(types(&table), [false, true, false]);
    table.when(1, Move::MoveSpider { to: slot("a1") }, []);
    assert!(!types(&table).contains(&true));
}

/// Seat 1 is in the middle of its turn, with seen tiles and one that is being turned over.
fn in_a_turn() -> Table {
    let mut table = table();
    reveal(&mut table, 0, "a1", Tile::Ball);
    reveal(&mut table, 0, "b1", Tile::Ring);
    stop(&mut table, 0);
    reveal(&mut table, 1, "c1", Tile::Dragon);
    table.when(1, Move::Reveal { slot: slot("d1") }, []);
    table
}

#[test]
fn a_position_in_the_middle_of_a_turn_judges_as_the_original() {
    let table = in_a_turn();
    let position = SchatzDerDrachen::position(&table.state);
    assert_eq!(position.phase, Phase::Turning(slot("d1")));
    let seen = SeenTile {
        slot: slot("a1"),
        tile: Tile::Ball,
    };
    assert_eq!(position.seen, [seen]);
    assert_eq!(position.unseen.bag().len(), 46);
    let mut placed = Table::standing(placed_again(&table.state), Mode::Table);
    placed.declare([Outcome::Tile { tile: Tile::Chest }]);
    placed.shows(Rule::Clash).turn_is(2);
}

#[test]
fn a_position_with_a_spider_to_move_judges_as_the_original() {
    let table = spider_found();
    let placed = placed_again(&table.state);
    let placed = Table::standing(placed, Mode::Table);
    placed.refused(1, Move::Stop {}, Rule::MoveSpider);
}

/// A change of [`in_a_turn`]'s position is refused for this.
fn refused(change: impl FnOnce(&mut Position)) -> Violation {
    let mut position = SchatzDerDrachen::position(&in_a_turn().state);
    change(&mut position);
    let violation = SchatzDerDrachen::place(&at_table(3), &position).expect_err("refused");
    assert_eq!(violation.rule, Common::Knowledge.citation(), "{violation}");
    violation
}

#[test]
fn what_does_not_add_up_is_named() {
    let kind = |tile| -> Bag<Tile> { [tile].into_iter().collect() };
    for (violation, told) in [
        (
            refused(|position| position.seen[0].tile = Tile::Car),
            "ball",
        ),
        (
            refused(|position| {
                position.unseen = position.unseen.bag().less(&kind(Tile::Spider)).into()
            }),
            "spider",
        ),
        (
            refused(|position| position.view.square[10].lies = Lies::Empty),
            "45 tiles lie face down",
        ),
        (
            refused(|position| position.phase = Phase::Turning(slot("b1"))),
            "no tile lies face down at b1",
        ),
        (
            refused(|position| position.phase = Phase::Spider(slot("c1"))),
            "no spider at c1",
        ),
        (refused(|position| position.phase = Phase::Over), "not over"),
        (
            refused(|position| position.view.opened.clear()),
            "places opened in this turn",
        ),
        (
            refused(|position| position.seen[0].slot = slot("b1")),
            "on record for b1",
        ),
        (
            refused(|position| position.view.seat = Seat::new(3)),
            "seat 3",
        ),
        (
            refused(|position| position.view.seats.truncate(2)),
            "2 seats",
        ),
        (
            refused(|position| position.view.seats[0].score = 2),
            "contradicts itself",
        ),
    ] {
        assert!(violation.detail.contains(told), "{violation}");
    }
}

#[test]
fn what_a_table_let_pass_is_a_position() {
    // Seat 0 took a single ball, which no set allows; the rest of the box is where it was.
    let mut table = in_a_turn();
    table.state.square[slot("a1").index()] = Place::Empty;
    table.state.taken[0].add(Tile::Ball);
    let placed = placed_again(&table.state);
    assert_eq!(placed, table.state);
}

#[test]
fn the_spiders_are_where_the_dragons_put_them() {
    let mut table = nearly_over(&[Tile::Ring], [5, 4, 3]);
    reveal_all(&mut table, 0, &[Tile::Ring]);
    stop(&mut table, 0);
    let setup = at_table(3);
    assert_eq!(placed_again(&table.state), table.state);
    let mut given_to_another = table.state.clone();
    for _ in 0..3 {
        given_to_another.taken[0].take(Tile::Spider);
        given_to_another.taken[2].add(Tile::Spider);
    }
    let mut not_over = table.state.clone();
    not_over.phase = Phase::Choosing;
    for state in [given_to_another, not_over] {
        let position = SchatzDerDrachen::position(&state);
        let violation = SchatzDerDrachen::place(&setup, &position).expect_err("refused");
        assert_eq!(violation.rule, Common::Knowledge.citation(), "{violation}");
    }
}

#[test]
fn nobody_has_hidden_tiles_to_confide() {
    let mut state = in_a_turn().state;
    let violation = SchatzDerDrachen::confide(&mut state, Seat::new(0), &[Tile::Ring])
        .expect_err("nothing is hidden");
    assert_eq!(violation.rule, Common::Hidden.citation());
}
