mod position;

use super::*;
use crate::dealer::Mode;
use crate::ruleset::{FirstSeat, Standing};
use crate::ruling::{Common, RuleKind};
use crate::testing::{Lawful, Plan, Scenario, check_laws};

impl Lawful for SchatzDerDrachen {
    fn every_move(_state: &State) -> Vec<Move> {
        Slot::all()
            .map(|slot| Move::Reveal { slot })
            .chain(Slot::all().map(|to| Move::MoveSpider { to }))
            .chain([Move::Stop {}, Move::LeaveSpider {}])
            .collect()
    }

    fn conserves_cards(state: &State) -> bool {
        let lying = state
            .square
            .iter()
            .filter(|place| **place != Place::Empty)
            .count();
        let taken: usize = state
            .taken
            .iter()
            .map(|taken| usize::from(taken.len()))
            .sum();
        let unseen = Slot::all()
            .filter(|slot| state.at(*slot) == Place::Down(None))
            .count();
        lying + taken == 49 && usize::from(state.unseen().len()) == unseen
    }
}

#[test]
fn the_laws_hold() {
    check_laws::<SchatzDerDrachen>(&Plan {
        setups: (2..=5).map(|seats| (seats, Options::default())).collect(),
        games: 2,
        keen: 0.3,
        max_moves: 5_000,
        must_end: true,
        every: 7,
    });
}

type Table = Scenario<SchatzDerDrachen>;

fn table() -> Table {
    Table::table(3, Options::default())
}

fn slot(name: &str) -> Slot {
    serde_json::from_value(name.into()).expect("a place")
}

fn slots(names: &[&str]) -> Vec<Slot> {
    names.iter().map(|name| slot(name)).collect()
}

/// A tile that is turned over.
fn reveal(table: &mut Table, seat: u8, name: &str, tile: Tile) {
    table.when(
        seat,
        Move::Reveal { slot: slot(name) },
        [Outcome::Tile { tile }],
    );
}

/// Tiles that are turned over one after the other, row by row from `a1`.
fn reveal_all(table: &mut Table, seat: u8, tiles: &[Tile]) -> Vec<Slot> {
    let places: Vec<Slot> = Slot::all().take(tiles.len()).collect();
    for (place, tile) in places.iter().zip(tiles) {
        table.when(
            seat,
            Move::Reveal { slot: *place },
            [Outcome::Tile { tile: *tile }],
        );
    }
    places
}

fn stop(table: &mut Table, seat: u8) {
    table.when(seat, Move::Stop {}, []);
}

fn taken(table: &Table, seat: usize) -> Vec<(Tile, u8)> {
    table.state.taken[seat].kinds().collect()
}

/// A rule of effect or refusal without a test here does not compile.
#[test]
fn every_rule_is_shown_or_broken() {
    for rule in Rule::ALL {
        match rule {
            Rule::Tiles
            | Rule::Square
            | Rule::Treasures
            | Rule::Stopping
            | Rule::FaceDownViews
            | Rule::Notebook => {
                assert_eq!(rule.citation().kind, RuleKind::Definition);
            }
            Rule::OneAtLeast => sd_2_1_a_turn_has_one_tile_at_least(),
            Rule::FaceDownOnly => sd_2_2_only_what_lies_face_down(),
            Rule::Spider | Rule::NothingEarned => sd_3_1_a_spider_loses_the_turn(),
            Rule::Clash => sd_3_2_a_dragon_and_a_treasure_clash(),
            Rule::MoveSpider => sd_3_4_the_spider_is_moved_or_left_first(),
            Rule::Toys | Rule::Candlesticks | Rule::Singles | Rule::Incomplete => {
                sd_example_1_what_is_complete_is_taken();
            }
            Rule::Chests => sd_4_3_chests_in_fours(),
            Rule::NextPlayer => sd_4_6_the_next_player_clockwise(),
            Rule::OnlySpiders | Rule::SpidersAwarded | Rule::MostTiles => {
                sd_5_only_spiders_end_the_game();
            }
            Rule::SeenTiles => sd_6_1_a_seen_tile_keeps_its_face(),
        }
    }
}

#[test]
fn sd_2_1_a_turn_has_one_tile_at_least() {
    table().refused(0, Move::Stop {}, Rule::OneAtLeast);
}

#[test]
fn sd_2_2_only_what_lies_face_down() {
    let mut table = table();
    reveal(&mut table, 0, "c4", Tile::Ring);
    table.refused(0, Move::Reveal { slot: slot("c4") }, Rule::FaceDownOnly);
    stop(&mut table, 0);
    table.refused(1, Move::Reveal { slot: slot("c4") }, Rule::FaceDownOnly);
}

#[test]
fn sd_3_1_a_spider_loses_the_turn() {
    let mut table = table();
    reveal(&mut table, 0, "a1", Tile::Ring);
    reveal(&mut table, 0, "a2", Tile::Spider);
    table
        .shows(Rule::Spider)
        .shows(Rule::NothingEarned)
        .then(&Event::TurnedDown {
            slots: slots(&["a1", "a2"]),
        })
        .turn_is(1);
    assert_eq!(table.state.at(slot("a1")), Place::Down(Some(Tile::Ring)));
    assert!(table.state.taken.iter().all(|taken| taken.is_empty()));
}

#[test]
fn sd_3_2_a_dragon_and_a_treasure_clash() {
    for treasure in [
        Tile::Ball,
        Tile::Car,
        Tile::Doll,
        Tile::Candlestick,
        Tile::Chest,
    ] {
        for [first, second] in [[Tile::Dragon, treasure], [treasure, Tile::Dragon]] {
            let mut table = table();
            reveal_all(&mut table, 0, &[Tile::Ring, first, Tile::Ring, second]);
            table.shows(Rule::Clash).turn_is(1);
        }
    }
}

#[test]
fn sd_3_2_rings_never_clash() {
    let mut table = table();
    reveal_all(&mut table, 0, &[Tile::Ring, Tile::Dragon, Tile::Ring]);
    table.turn_is(0);
    let mut table = self::table();
    reveal_all(&mut table, 0, &[Tile::Ring, Tile::Chest, Tile::Ring]);
    table.turn_is(0);
}

/// A table where `a1` is empty, and seat 1 has turned a spider over at `a2`.
fn spider_found() -> Table {
    let mut table = table();
    reveal(&mut table, 0, "a1", Tile::Ring);
    stop(&mut table, 0);
    reveal(&mut table, 1, "a2", Tile::Spider);
    table
}

#[test]
fn sd_3_4_the_spider_is_moved_or_left_first() {
    let table = spider_found();
    table
        .turn_is(1)
        .then(&Event::SpiderFound { slot: slot("a2") });
    table.refused(1, Move::Reveal { slot: slot("a3") }, Rule::MoveSpider);
    table.refused(1, Move::Stop {}, Rule::MoveSpider);
    table.refused(1, Move::MoveSpider { to: slot("a3") }, Rule::MoveSpider);
    table.refused(1, Move::MoveSpider { to: slot("a2") }, Rule::MoveSpider);
    let moves = SchatzDerDrachen::legal_moves(&table.state, Seat::new(1));
    assert_eq!(
        moves,
        [Move::MoveSpider { to: slot("a1") }, Move::LeaveSpider {}]
    );
}

#[test]
fn sd_3_4_a_moved_spider_is_known_where_it_lies() {
    let mut table = spider_found();
    table
        .when(1, Move::MoveSpider { to: slot("a1") }, [])
        .turn_is(2);
    assert_eq!(table.state.at(slot("a1")), Place::Down(Some(Tile::Spider)));
    assert_eq!(table.state.at(slot("a2")), Place::Empty);
    // The face at a1 is on record, so nobody is asked for it.
    table.when(2, Move::Reveal { slot: slot("a1") }, []);
    table
        .then(&Event::TileRevealed {
            slot: slot("a1"),
            tile: Tile::Spider,
        })
        .turn_is(2);
}

#[test]
fn sd_3_4_the_spider_may_be_left() {
    let mut table = spider_found();
    table
        .when(1, Move::LeaveSpider {}, [])
        .shows(Rule::Spider)
        .turn_is(2);
    assert_eq!(table.state.at(slot("a2")), Place::Down(Some(Tile::Spider)));
}

#[test]
fn sd_3_4_without_a_spider_there_is_none_to_move() {
    let table = table();
    table.refused(0, Move::MoveSpider { to: slot("a1") }, Rule::MoveSpider);
    table.refused(0, Move::LeaveSpider {}, Rule::MoveSpider);
}

const EXAMPLE: [Tile; 9] = [
    Tile::Ball,
    Tile::Candlestick,
    Tile::Candlestick,
    Tile::Doll,
    Tile::Ring,
    Tile::Candlestick,
    Tile::Ball,
    Tile::Candlestick,
    Tile::Ring,
];

#[test]
fn sd_example_1_what_is_complete_is_taken() {
    let mut table = table();
    let places = reveal_all(&mut table, 0, &EXAMPLE);
    stop(&mut table, 0);
    assert_eq!(
        taken(&table, 0),
        [(Tile::Ring, 2), (Tile::Ball, 2), (Tile::Candlestick, 3)]
    );
    table
        .shows(Rule::Toys)
        .shows(Rule::Candlesticks)
        .shows(Rule::Singles)
        .shows(Rule::Incomplete)
        .then(&Event::TurnedDown {
            slots: vec![places[3], places[7]],
        });
}

#[test]
fn sd_example_2_one_more_and_a_dragon() {
    let mut table = table();
    let places = reveal_all(&mut table, 0, &EXAMPLE);
    reveal(&mut table, 0, "g7", Tile::Dragon);
    let turned = places.into_iter().chain([slot("g7")]).collect();
    table.then(&Event::TurnedDown { slots: turned }).turn_is(1);
    assert!(taken(&table, 0).is_empty());
}

#[test]
fn sd_example_3_a_chest_on_a_dragon() {
    let mut table = table();
    reveal_all(
        &mut table,
        0,
        &[Tile::Dragon, Tile::Ring, Tile::Ring, Tile::Chest],
    );
    table.shows(Rule::Clash).turn_is(1);
}

#[test]
fn sd_example_4_dragons_and_a_ring() {
    let mut table = table();
    reveal_all(
        &mut table,
        0,
        &[Tile::Dragon, Tile::Dragon, Tile::Ring, Tile::Dragon],
    );
    stop(&mut table, 0);
    assert_eq!(taken(&table, 0), [(Tile::Dragon, 3), (Tile::Ring, 1)]);
}

#[test]
fn sd_example_5_the_third_ball_stays() {
    let mut table = table();
    let places = reveal_all(&mut table, 0, &[Tile::Ball; 3]);
    stop(&mut table, 0);
    assert_eq!(taken(&table, 0), [(Tile::Ball, 2)]);
    assert_eq!(table.state.at(places[2]), Place::Down(Some(Tile::Ball)));
}

#[test]
fn sd_4_3_chests_in_fours() {
    for (open, taken_at_stop) in [(3, 0), (4, 4), (5, 4), (7, 4), (8, 8)] {
        let mut table = table();
        reveal_all(&mut table, 0, &[Tile::Chest; 8][..open]);
        stop(&mut table, 0);
        assert_eq!(
            table.state.taken[0].count(Tile::Chest),
            taken_at_stop,
            "{open} chests open"
        );
        if taken_at_stop > 0 {
            table.shows(Rule::Chests);
        }
    }
}

#[test]
fn sd_4_2_candlesticks_in_threes() {
    for (open, taken_at_stop) in [(2, 0), (3, 3), (5, 3), (6, 6)] {
        let mut table = table();
        reveal_all(&mut table, 0, &[Tile::Candlestick; 6][..open]);
        stop(&mut table, 0);
        assert_eq!(table.state.taken[0].count(Tile::Candlestick), taken_at_stop);
    }
}

#[test]
fn sd_4_6_the_next_player_clockwise() {
    let mut table = Table::table(
        2,
        Options {
            first_seat: FirstSeat(1),
            ..Options::default()
        },
    );
    reveal(&mut table, 1, "a1", Tile::Ring);
    stop(&mut table, 1);
    table.shows(Rule::NextPlayer).turn_is(0);
}

#[test]
fn sd_example_7_a_spider_first_of_all() {
    let mut table = table();
    reveal(&mut table, 0, "d4", Tile::Spider);
    table.turn_is(1);
}

/// A game in which only these tiles and the spiders lie in the square, with dragons as given.
fn nearly_over(rest: &[Tile], dragons: [u8; 3]) -> Table {
    let mut state = State::new(3, Seat::new(0), true);
    let mut left = State::full_box();
    for (seat, dragons) in dragons.into_iter().enumerate() {
        state.taken[seat].add_many(Tile::Dragon, dragons);
    }
    for tile in rest.iter().chain(&[Tile::Spider; 3]) {
        left.take(*tile);
    }
    for (tile, count) in left.kinds().filter(|(tile, _)| *tile != Tile::Dragon) {
        state.taken[2].add_many(tile, count);
    }
    let lying = rest.len() + 3;
    for place in &mut state.square[lying..] {
        *place = Place::Empty;
    }
    Table::standing(state, Mode::Table)
}

#[test]
fn sd_5_only_spiders_end_the_game() {
    let mut table = nearly_over(&[Tile::Ring], [5, 4, 3]);
    reveal_all(&mut table, 0, &[Tile::Ring]);
    stop(&mut table, 0);
    table
        .shows(Rule::OnlySpiders)
        .shows(Rule::SpidersAwarded)
        .then(&Event::SpidersAwarded { seat: Seat::new(0) });
    let standing = Standing {
        winners: vec![Seat::new(2)],
        scores: vec![5 + 1 + 3, 4, 3 + 33],
        reason: "most_tiles".into(),
    };
    let Turn::Over(ending) = SchatzDerDrachen::turn(&table.state) else {
        panic!("not over")
    };
    assert_eq!(
        (ending.standing, ending.rule),
        (standing, Some(Rule::MostTiles.citation()))
    );
}

#[test]
fn sd_example_8_level_in_dragons() {
    let mut table = nearly_over(&[Tile::Ring], [5, 5, 2]);
    reveal_all(&mut table, 0, &[Tile::Ring]);
    stop(&mut table, 0);
    let awarded = |effect: &Effect<Event>| matches!(effect.event, Event::SpidersAwarded { .. });
    assert!(!table.last.iter().any(awarded));
    assert!(matches!(
        SchatzDerDrachen::turn(&table.state),
        Turn::Over(_)
    ));
}

#[test]
fn sd_5_2_the_last_dragons_count() {
    let mut table = nearly_over(&[Tile::Dragon, Tile::Dragon], [4, 5, 1]);
    reveal_all(&mut table, 0, &[Tile::Dragon, Tile::Dragon]);
    stop(&mut table, 0);
    table.then(&Event::SpidersAwarded { seat: Seat::new(0) });
}

#[test]
fn cm_7_players_who_are_level_win_together() {
    let mut state = State::new(3, Seat::new(0), true);
    state.taken[0].add_many(Tile::Ring, 2);
    state.taken[2].add_many(Tile::Ball, 2);
    assert_eq!(state.standing().winners, [Seat::new(0), Seat::new(2)]);
}

#[test]
fn sd_6_1_a_seen_tile_keeps_its_face() {
    let mut table = table();
    reveal_all(&mut table, 0, &[Tile::Ball, Tile::Dragon]);
    table.when(
        1,
        Move::Reveal { slot: slot("c1") },
        [Outcome::Tile { tile: Tile::Ring }],
    );
    let mut asked = table.clone();
    // Nobody is asked for a face that is on record.
    asked
        .when(1, Move::Reveal { slot: slot("a1") }, [])
        .turn_is(1);
    let chosen = SchatzDerDrachen::decide(
        &table.state,
        Seat::new(1),
        &Move::Reveal { slot: slot("a1") },
    )
    .expect("legal");
    SchatzDerDrachen::evolve(&mut table.state, &chosen[0].event);
    let violation = table.impossible(Outcome::Tile { tile: Tile::Car }, Rule::SeenTiles);
    assert_eq!(violation.clue, Some(Clue::Place("a1".to_owned())));
}

#[test]
fn sd_6_1_a_face_must_be_unaccounted_for() {
    let mut table = table();
    reveal_all(&mut table, 0, &[Tile::Ball; 4]);
    let chosen = SchatzDerDrachen::decide(
        &table.state,
        Seat::new(0),
        &Move::Reveal { slot: slot("g7") },
    )
    .expect("legal");
    SchatzDerDrachen::evolve(&mut table.state, &chosen[0].event);
    let violation = table.impossible(Outcome::Tile { tile: Tile::Ball }, Rule::SeenTiles);
    assert_eq!(violation.clue, Some(Clue::Card("ball".to_owned())));
}

#[test]
fn sd_7_1_without_a_notebook_no_refusal_names_a_face() {
    let mut table = Table::table(
        2,
        Options {
            notebook: false,
            ..Options::default()
        },
    );
    reveal_all(&mut table, 0, &[Tile::Ball, Tile::Spider]);
    table
        .when(1, Move::Reveal { slot: slot("a1") }, [])
        .turn_is(1);
    let mut turning = table.state.clone();
    turning.phase = Phase::Turning(slot("a1"));
    let turning = Table::standing(turning, Mode::Table);
    let violation = turning.impossible(Outcome::Tile { tile: Tile::Car }, Rule::SeenTiles);
    assert!(
        Tile::ALL
            .iter()
            .all(|tile| !violation.detail.contains(tile.name())),
        "{violation}"
    );
}

#[test]
fn cm_1_the_first_seat_must_exist() {
    for first_seat in [-1, 3, i64::MAX] {
        let setup = Setup {
            seats: 3,
            options: Options {
                first_seat: FirstSeat(first_seat),
                ..Options::default()
            },
            rules_version: 1,
            mode: Mode::Virtual,
        };
        let violation = SchatzDerDrachen::initial_state(&setup).expect_err("no such seat");
        assert_eq!(violation.rule, Common::Seats.citation());
    }
}

#[test]
fn moves_are_written_as_the_rulebook_says() {
    for text in [
        r#"{"type":"reveal","slot":"c4"}"#,
        r#"{"type":"stop"}"#,
        r#"{"type":"move_spider","to":"e2"}"#,
        r#"{"type":"leave_spider"}"#,
    ] {
        let mv: Move = serde_json::from_str(text).expect("a move");
        assert_eq!(serde_json::to_string(&mv).expect("JSON"), text);
    }
    for text in [
        r#"{"type":"reveal","slot":"z9"}"#,
        r#"{"type":"reveal","slot":"a8"}"#,
        r#"{"type":"reveal","slot":"A1"}"#,
        r#"{"type":"reveal"}"#,
        r#"{"type":"stop","slot":"a1"}"#,
        r#"{"type":"pass"}"#,
    ] {
        assert!(serde_json::from_str::<Move>(text).is_err(), "{text}");
    }
}
