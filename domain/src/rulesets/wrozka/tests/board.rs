//! Boards that are taken and boards that are refused (WR-1.2).

use super::*;
use crate::ruleset::Setup;

/// A board for two: a line of eight note places from the castle that ends in a ring of four more,
/// with a star as a dead end beside the castle.
pub(super) fn small() -> Board {
    let mut board = Board {
        places: vec![
            place("home", PlaceKind::Castle),
            place("sky", PlaceKind::Star),
        ],
        paths: vec![path("home", "sky"), path("home", "n0")],
    };
    for at in 0..12 {
        board.places.push(place(&format!("n{at}"), PlaceKind::Note));
        if at > 0 {
            board
                .paths
                .push(path(&format!("n{}", at - 1), &format!("n{at}")));
        }
    }
    board.paths.push(path("n11", "n8"));
    board
}

pub(super) fn place(id: &str, kind: PlaceKind) -> BoardPlace {
    BoardPlace {
        id: id.to_owned(),
        kind,
        x: None,
        y: None,
    }
}

pub(super) fn path(one: &str, other: &str) -> [String; 2] {
    [one.to_owned(), other.to_owned()]
}

fn set_up(seats: u8, board: Board) -> Result<State, Violation> {
    Wrozka::initial_state(&Setup {
        seats,
        options: Options {
            board: Some(board),
            ..Options::default()
        },
        rules_version: 1,
        mode: Mode::Virtual,
    })
}

#[track_caller]
fn refused(board: Board, detail: &str) {
    let violation = set_up(2, board).expect_err("the board is refused");
    assert_eq!(violation.rule.id, "WR-1.2");
    assert!(violation.detail.contains(detail), "{violation}");
}

/// The small board, changed.
#[track_caller]
fn changed(change: impl FnOnce(&mut Board), detail: &str) {
    let mut board = small();
    change(&mut board);
    refused(board, detail);
}

#[test]
fn wr_1_2_a_board_of_ones_own_is_played_on() {
    let state = set_up(2, small()).expect("the board is taken");
    assert_eq!(state.map.id(state.map.castle()), id("home"));
    assert_eq!(Wrozka::view(&state, Viewer::Spectator).board, small());
}

#[test]
pub(super) fn wr_1_2_a_board_must_have_one_castle() {
    changed(|board| board.places[0].kind = PlaceKind::Blank, "no castle");
    changed(
        |board| board.places[1].kind = PlaceKind::Castle,
        "more than one",
    );
    refused(
        Board {
            places: vec![],
            paths: vec![],
        },
        "no castle",
    );
}

#[test]
fn wr_1_2_a_board_must_have_more_note_places_than_tokens() {
    let notes = |count: usize| {
        let mut board = small();
        for place in board.places.iter_mut().skip(2 + count) {
            place.kind = PlaceKind::Blank;
        }
        board
    };
    refused(notes(10), "10 note places");
    assert!(set_up(2, notes(11)).is_ok());
    let three = set_up(3, notes(12)).expect_err("three players have 15 tokens");
    assert_eq!(three.rule, Rule::Board.citation());
}

#[test]
fn wr_1_2_names_are_unlike_and_not_too_long() {
    changed(
        |board| board.places[1] = place("n3", PlaceKind::Star),
        "two places are called n3",
    );
    let named = |name: String| {
        let mut board = small();
        board.paths[0][1].clone_from(&name);
        board.places[1].id = name;
        board
    };
    assert!(set_up(2, named("ż".repeat(20))).is_ok());
    refused(named("ż".repeat(20) + "n"), "41 bytes");
    refused(named("n".repeat(100_000)), "100000 bytes");
}

#[test]
fn wr_1_2_paths_join_two_places_of_the_board_once() {
    changed(
        |board| board.paths.push(path("n1", "moon")),
        "not on the board",
    );
    changed(
        |board| board.paths.push(path("n1", &"n".repeat(41))),
        "not on the board",
    );
    changed(
        |board| board.paths.push(path("n1", "n1")),
        "from n1 to itself",
    );
    changed(
        |board| board.paths.push(path("n1", "n2")),
        "two paths join n1 and n2",
    );
    changed(
        |board| board.paths.push(path("n2", "n1")),
        "two paths join n2 and n1",
    );
}

#[test]
fn wr_1_2_every_place_is_within_reach() {
    changed(
        |board| board.places.push(place("moon", PlaceKind::Blank)),
        "to moon",
    );
    changed(|board| drop(board.paths.remove(1)), "to n0");
}

#[test]
fn wr_1_2_a_board_has_at_most_a_thousand_places() {
    let line = |count: usize| {
        let mut board = small();
        let mut last = "sky".to_owned();
        for at in board.places.len()..count {
            let next = format!("b{at}");
            board.places.push(place(&next, PlaceKind::Blank));
            board.paths.push([last, next.clone()]);
            last = next;
        }
        board
    };
    assert!(set_up(2, line(1_000)).is_ok());
    refused(line(1_001), "1001 places");
    refused(line(10_000), "10000 places");
}

#[test]
fn the_referees_own_board_is_that_of_the_rulebook() {
    let board = Board::default();
    let count = |kind| {
        board
            .places
            .iter()
            .filter(|place| place.kind == kind)
            .count()
    };
    assert_eq!(
        [
            PlaceKind::Castle,
            PlaceKind::Note,
            PlaceKind::Star,
            PlaceKind::Blank
        ]
        .map(count),
        [1, 24, 4, 4 + 8]
    );
    assert_eq!(board.paths.len(), 32 + 4 * 3);
    assert!(set_up(4, board.clone()).is_ok());
    for (index, kind) in [
        (0, PlaceKind::Blank),
        (1, PlaceKind::Note),
        (20, PlaceKind::Star),
    ] {
        assert_eq!(board.places[index].kind, kind);
        assert_eq!(board.places[index].id, format!("r{index}"));
    }
    for joined in [
        ["r31", "r0"],
        ["castle", "s3a"],
        ["s3a", "s3b"],
        ["s3b", "r24"],
    ] {
        assert!(
            board.paths.contains(&joined.map(str::to_owned)),
            "{joined:?}"
        );
    }
}

#[test]
fn the_referees_own_board_can_be_drawn() {
    let board = Board::default();
    let drawn: Vec<(f64, f64)> = board
        .places
        .iter()
        .map(|place| (place.x.expect("an x"), place.y.expect("a y")))
        .collect();
    for (at, (x, y)) in drawn.iter().enumerate() {
        assert!((0.0..=1.0).contains(x) && (0.0..=1.0).contains(y));
        assert!(!drawn[..at].contains(&(*x, *y)), "two places at {x}, {y}");
    }
    assert_eq!((drawn[0], drawn[8]), ((0.5, 0.1), (0.9, 0.5)));
}
