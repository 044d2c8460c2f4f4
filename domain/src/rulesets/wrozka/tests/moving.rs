//! Rolling and moving the pawn.

use super::*;
use crate::ruling::Common;

#[test]
pub(super) fn wr_3_1_a_move_ends_after_exactly_the_steps_on_the_die() {
    let mut table = with_pawns(["r27", "castle"]);
    table.declare([die(2)]);
    assert_eq!(ends(&table), ["r25", "r29"]);
    for elsewhere in ["r26", "r28", "r30", "castle", "nowhere"] {
        table.refused(0, to(elsewhere), Rule::Steps);
    }
    table.when(0, to("r29"), []).then(&Event::PawnMoved {
        seat: Seat::new(0),
        from: id("r27"),
        to: id("r29"),
    });
}

#[test]
fn wr_3_1_the_pawn_never_turns_back_on_its_step() {
    let mut table = with_pawns(["r27", "castle"]);
    table.declare([die(2)]);
    table.refused(0, to("r27"), Rule::Steps);
}

#[test]
fn wr_3_1_at_forks_the_way_is_free() {
    let mut table = with_pawns(["s3a", "castle"]);
    table.declare([die(3)]);
    assert_eq!(ends(&table), ["r23", "r25", "s0b", "s1b", "s2b"]);
}

#[test]
fn wr_3_1_the_pawn_moves_before_anything_else() {
    let mut table = with_pawns(["r1", "castle"]);
    table.declare([die(2)]);
    // A token lies at r1, but the pawn has not come there in this move.
    table.refused(0, Move::Reveal {}, Rule::Steps);
    table.refused(0, Move::Leave {}, Rule::Steps);
}

#[test]
fn wr_3_1_a_loop_may_lead_back_to_the_start() {
    let options = Options {
        board: Some(board::small()),
        ..Options::default()
    };
    let mut table = Scenario::<Wrozka>::table(2, options);
    let tokens = ["n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8", "n9"];
    table.declare([layout(&tokens)]);
    let at = table.state.map.find(&id("n10")).expect("the board has it");
    table.state.pawns[0] = at;
    // Around n10, n11, n8, n9 in four steps.
    table.declare([die(4)]);
    assert!(ends(&table).contains(&"n10".to_owned()));
    table.when(0, to("n10"), []).shows(Rule::Elsewhere);

    // The own place also serves to stop early, when the loop is shorter than the die.
    table.state.seat = Seat::new(0);
    table.state.phase = Phase::Rolling;
    table.state.pawns[0] = table.state.map.find(&id("n9")).expect("the board has it");
    table.declare([die(5)]);
    table.when(0, to("n9"), []).turn_is(0);
    assert_eq!(table.state.phase, Phase::Choosing);
}

#[test]
fn wr_3_1_the_castle_is_walked_over_like_any_place() {
    let mut table = with_pawns(["s0a", "castle"]);
    table.declare([die(2)]);
    assert_eq!(ends(&table), ["r0", "s1a", "s2a", "s3a"]);
}

#[test]
fn wr_3_2_the_pawn_may_stop_early_at_a_token_only() {
    let mut table = with_pawns(["r31", "castle"]);
    table.declare([die(5)]);
    // Tokens lie at r1, r2 and r3; the other ends are five steps away.
    assert_eq!(
        ends(&table),
        ["r1", "r2", "r3", "r4", "r26", "s1a", "s2a", "s3a"]
    );
    table.refused(0, to("r0"), Rule::Steps);
    table.refused(0, to("r30"), Rule::Steps);
    table.refused(0, to("castle"), Rule::Steps);
}

#[test]
fn wr_3_2_only_a_carriage_stops_early_at_the_castle() {
    for (tokens, stops) in [(&DRESSED[..], false), (&[Token::Carriage {}], true)] {
        let mut table = with_pawns(["s0b", "r20"]);
        give(&mut table, tokens);
        table.declare([die(4)]);
        assert_eq!(ends(&table).contains(&"castle".to_owned()), stops);
    }
}

#[test]
pub(super) fn wr_3_3_no_move_ends_beside_another_pawn() {
    let mut table = with_pawns(["r27", "r29"]);
    table.declare([die(2)]);
    assert_eq!(ends(&table), ["r25"]);
    table.refused(0, to("r29"), Rule::Occupied);
}

#[test]
fn wr_3_3_a_place_beyond_reach_is_refused_for_that() {
    let mut table = with_pawns(["r27", "r30"]);
    table.declare([die(2)]);
    table.refused(0, to("r30"), Rule::Steps);
}

#[test]
fn wr_3_3_nobody_stops_early_beside_another_pawn() {
    let mut table = with_pawns(["r31", "r2"]);
    table.declare([die(5)]);
    table.refused(0, to("r2"), Rule::Occupied);
    // Walking over it is allowed.
    table.when(0, to("r3"), []).turn_is(0);
}

#[test]
fn wr_3_3_the_castle_holds_many() {
    let mut table = with_pawns(["s0b", "castle"]);
    table.declare([die(2)]);
    table.when(0, to("castle"), []).shows(Rule::Elsewhere);
    assert_eq!(table.state.pawns[0], table.state.pawns[1]);
}

#[test]
pub(super) fn wr_3_4_without_a_move_the_turn_passes() {
    let options = Options {
        board: Some(board::small()),
        ..Options::default()
    };
    let mut table = Scenario::<Wrozka>::table(2, options);
    let tokens = ["n2", "n3", "n4", "n5", "n6", "n7", "n8", "n9", "n10", "n11"];
    table.declare([layout(&tokens)]);
    let place = |name: &str| table.state.map.find(&id(name)).expect("the board has it");
    let (sky, home, near) = (place("sky"), place("home"), place("n0"));
    // The only way from the dead end leads over the castle to a place that is taken.
    table.state.pawns = [sky, near, home, home];
    let next = Event::TurnPassed { seat: Seat::new(1) };
    table.declare([die(2)]).then(&next).shows(Rule::NoMove);
    assert_eq!(
        Wrozka::turn(&table.state),
        Turn::Chance(Due::Die { seat: Seat::new(1) })
    );
    // One step more leads past the other pawn.
    table.declare([die(1)]);
    table.when(1, to("n1"), [die(2)]).turn_is(0);
}

#[test]
pub(super) fn wr_3_6_a_star_lets_roll_again() {
    let mut table = with_pawns(["r31", "castle"]);
    table.declare([die(5)]);
    let again = Event::RollsAgain { seat: Seat::new(0) };
    table.when(0, to("r4"), []).then(&again).shows(Rule::Star);
    assert_eq!(
        Wrozka::turn(&table.state),
        Turn::Chance(Due::Die { seat: Seat::new(0) })
    );
}

#[test]
pub(super) fn wr_3_7_anywhere_else_the_turn_passes() {
    // A blank place, a note place without a token, and the castle without a carriage.
    for (from, number, end) in [("r22", 2, "r24"), ("r22", 1, "r23"), ("s1a", 1, "castle")] {
        let mut table = with_pawns([from, "castle"]);
        table.declare([die(number)]);
        let next = Event::TurnPassed { seat: Seat::new(1) };
        table
            .when(0, to(end), [])
            .then(&next)
            .shows(Rule::Elsewhere);
    }
}

#[test]
fn the_turn_goes_round_clockwise() {
    let mut table = with_pawns(["r22", "r18"]);
    table.declare([die(1)]).turn_is(0);
    table.when(0, to("r23"), [die(1)]).turn_is(1);
    table.when(1, to("r19"), [die(1)]).turn_is(0);
}

#[test]
fn a_move_out_of_time_is_refused_under_cm_4() {
    let table = table();
    table.refused(0, to("r0"), Common::Chance);
    table.refused(0, Move::Reveal {}, Common::Chance);
}
