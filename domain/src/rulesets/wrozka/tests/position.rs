//! Positions: what is accepted, and what does not add up.

use super::*;
use crate::ruleset::FirstSeat;
use crate::ruling::Common;
use crate::testing::{
    CardLeaves, check_mangling, check_permissions, check_played_on, check_tampering,
};

const LEAVES: CardLeaves = CardLeaves {
    names: &[
        &["pink", "blue", "yellow", "green"],
        &["diadem", "necklace", "handbag", "fan", "carriage"],
    ],
    counts: &[],
};

/// A game on a board of few places, which the changes of positions meet the less often.
fn on_the_small_board() -> (u8, Options) {
    let options = Options {
        board: Some(board::small()),
        colours: Some(vec![Colour::Green, Colour::Pink]),
        first_seat: FirstSeat(1),
        ..Options::default()
    };
    (2, options)
}

fn plan(setups: Vec<(u8, Options)>, every: u64) -> Plan<Options> {
    Plan {
        setups,
        games: 2,
        keen: 0.4,
        max_moves: 5_000,
        must_end: true,
        every,
    }
}

fn both() -> Vec<(u8, Options)> {
    vec![(3, Options::default()), on_the_small_board()]
}

fn two() -> Setup<Options> {
    Setup {
        seats: 2,
        options: Options::default(),
        rules_version: 1,
        mode: Mode::Table,
    }
}

/// A state as it comes back from its position.
#[track_caller]
fn placed_again(state: &State) -> State {
    Wrozka::place(&two(), &Wrozka::position(state)).expect("it is possible")
}

#[test]
fn a_game_begun_from_a_position_goes_on_as_the_original() {
    check_played_on::<Wrozka>(&plan(both(), 40));
}

#[test]
fn no_token_of_a_position_can_be_another() {
    check_tampering::<Wrozka>(&plan(both(), 40), LEAVES);
}

#[test]
fn whatever_is_accepted_can_be_played() {
    check_mangling::<Wrozka>(&plan(vec![on_the_small_board()], 10), LEAVES, 400);
}

#[test]
fn events_are_permitted_by_the_rules_that_draw_them() {
    check_permissions::<Wrozka>(&plan(both(), 100));
}

/// Seat 0 has seen the fan at r1 and left it; seat 1 is turning up the token at r3.
fn turning_up() -> Scenario<Wrozka> {
    let mut table = with_pawns(["r0", "r2"]);
    table.declare([die(1)]);
    table.when(0, to("r1"), []);
    table.when(0, Move::Reveal {}, [fan(Colour::Blue), die(1)]);
    table.when(1, to("r3"), []);
    table.when(1, Move::Reveal {}, []);
    table
}

#[test]
fn only_a_face_that_is_turned_up_reveals_something() {
    let mut table = turning_up();
    table.declare([carriage()]);
    let reveals = |effect: &Effect<Event>| Wrozka::reveals(&effect.event);
    let shown: Vec<bool> = table.last.iter().map(reveals).collect();
    assert_eq!(shown, [true, false, false]);
}

#[test]
fn a_position_in_the_middle_of_a_turn_judges_as_the_original() {
    let table = turning_up();
    let position = Wrozka::position(&table.state);
    assert_eq!(position.phase, Phase::TurningUp);
    let seen = SeenToken {
        place: id("r1"),
        token: Token::Fan {
            colour: Colour::Blue,
        },
    };
    assert_eq!(position.seen, [seen]);
    assert_eq!(position.unseen.len(), 9);
    let placed = placed_again(&table.state);
    let mut placed = Scenario::<Wrozka>::standing(placed, Mode::Table);
    placed.impossible(fan(Colour::Blue), Rule::SeenTokens);
    placed.declare([carriage()]);
    placed.then(&Event::TokenTurnedDown { place: id("r3") });
}

/// A change of [`turning_up`]'s position is refused for this.
fn refused(change: impl FnOnce(&mut Position)) -> Violation {
    let mut position = Wrozka::position(&turning_up().state);
    change(&mut position);
    let violation = Wrozka::place(&two(), &position).expect_err("refused");
    assert_eq!(violation.rule, Common::Knowledge.citation(), "{violation}");
    violation
}

#[test]
fn what_does_not_add_up_is_named() {
    let green = Token::Fan {
        colour: Colour::Green,
    };
    let pink = Token::Fan {
        colour: Colour::Pink,
    };
    for (violation, told) in [
        (refused(|position| position.unseen[0] = green), "left out"),
        (refused(|position| position.unseen[0] = pink), "pink diadem"),
        (
            refused(|position| position.view.seats[1].card.push(position.unseen.remove(0))),
            "no place on the blue card",
        ),
        (
            refused(|position| {
                let carriages = position.unseen.split_off(7);
                position.view.seats[1].card.extend(carriages);
            }),
            "no place on the blue card",
        ),
        (
            refused(|position| position.view.tokens[5] = id("r8")),
            "r8 is not a note place",
        ),
        (
            refused(|position| position.view.tokens[5] = id("r1")),
            "two tokens cannot lie at r1",
        ),
        (
            refused(|position| position.view.tokens[5] = id("nowhere")),
            "no place nowhere",
        ),
        (
            refused(|position| position.view.tokens.truncate(9)),
            "8 tokens lie face down",
        ),
        (
            refused(|position| position.seen[0].place = id("r15")),
            "on record for r15",
        ),
        (
            refused(|position| position.view.seats[1].place = id("r4")),
            "no token lies at r4",
        ),
        (
            refused(|position| position.phase = Phase::Laying),
            "still to be told",
        ),
        (
            refused(|position| position.phase = Phase::Over),
            "not at the castle",
        ),
        (
            refused(|position| position.phase = Phase::Rolling),
            "contradicts itself",
        ),
        (
            refused(|position| position.view.board.places[0].kind = PlaceKind::Star),
            "contradicts itself",
        ),
        (
            refused(|position| position.view.seat = Seat::new(2)),
            "seat 2",
        ),
    ] {
        assert!(violation.detail.contains(told), "{violation}");
    }
}

#[test]
fn a_pawn_that_can_end_nowhere_awaits_no_move() {
    let mut setup = two();
    setup.options.board = Some(board::small());
    let mut state = Wrozka::initial_state(&setup).expect("a board for two");
    let place = |name: &str| state.map.find(&id(name)).expect("the board has it");
    let (sky, near) = (place("sky"), place("n0"));
    state.lying =
        (2..12)
            .map(|at| place(&format!("n{at}")))
            .fold(PlaceSet::EMPTY, |mut lying, place| {
                lying.insert(place);
                lying
            });
    state.pawns[..2].copy_from_slice(&[sky, near]);
    for (value, possible) in [(2, false), (3, true)] {
        state.phase = Phase::Moving(Die::new(value).expect("a number on the die"));
        let placed = Wrozka::place(&setup, &Wrozka::position(&state));
        assert_eq!(placed.is_ok(), possible, "{placed:?}");
    }
}

#[test]
fn who_is_at_the_castle_with_a_carriage_has_won() {
    let mut table = with_pawns(["castle", "r0"]);
    give(&mut table, &DRESSED);
    give(&mut table, &[Token::Carriage {}]);
    table.state.phase = Phase::Over;
    let over = table.state.clone();
    assert_eq!(placed_again(&over), over);
    table.state.phase = Phase::Rolling;
    let position = Wrozka::position(&table.state);
    let violation = Wrozka::place(&two(), &position).expect_err("the game is over");
    assert!(violation.detail.contains("over"), "{violation}");
}

#[test]
fn nobody_has_hidden_tokens_to_confide() {
    let mut state = table().state;
    let confided = Wrozka::confide(&mut state, Seat::new(0), &[Token::Carriage {}]);
    let violation = confided.expect_err("nothing is hidden");
    assert_eq!(violation.rule, Common::Hidden.citation());
}
