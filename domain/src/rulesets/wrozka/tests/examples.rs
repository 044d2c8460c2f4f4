//! The worked examples of the rulebook.

use super::*;

/// The pawns stand so, and no token lies anywhere.
fn bare(places: [&str; 2]) -> Scenario<Wrozka> {
    let mut table = with_pawns(places);
    table.state.lying = PlaceSet::EMPTY;
    table
}

#[test]
fn example_1_from_the_castle_three_steps_lead_to_the_ring() {
    let mut table = table();
    table.declare([die(3)]);
    assert_eq!(ends(&table), ["r0", "r8", "r16", "r24"]);
}

#[test]
fn example_2_the_pawn_stops_at_a_token_or_goes_on() {
    let mut table = bare(["r1", "castle"]);
    table
        .state
        .lying
        .insert(table.state.map.find(&id("r3")).expect("the board has it"));
    table.declare([die(5)]);
    for end in ["r3", "r6"] {
        assert!(ends(&table).contains(&end.to_owned()), "{end}");
    }
    table.refused(0, to("r2"), Rule::Steps);
}

#[test]
fn example_3_two_steps_do_not_lead_back() {
    let mut table = bare(["r0", "castle"]);
    table.declare([die(2)]);
    assert_eq!(ends(&table), ["r2", "r30", "s0a"]);
    table.refused(0, to("r0"), Rule::Steps);
}

#[test]
fn example_4_the_own_fan_is_taken_and_a_second_carriage_is_not() {
    let mut table = with_pawns(["r0", "castle"]);
    table.declare([die(1)]).when(0, to("r1"), []);
    table
        .when(0, Move::Reveal {}, [fan(Colour::Pink), die(1)])
        .turn_is(0);
    give(&mut table, &DRESSED[..3]);
    give(&mut table, &[Token::Carriage {}]);
    table
        .when(0, to("r2"), [])
        .when(0, Move::Reveal {}, [carriage()]);
    table.then(&Event::TokenTurnedDown { place: id("r2") });
}

#[test]
fn example_5_three_accessories_are_not_enough_for_a_carriage() {
    let mut table = with_pawns(["r0", "castle"]);
    give(&mut table, &DRESSED[..3]);
    table.declare([die(1)]).when(0, to("r1"), []);
    table
        .when(0, Move::Reveal {}, [carriage(), die(1)])
        .turn_is(1);
    table.then(&Event::TokenTurnedDown { place: id("r1") });
}

#[test]
pub(super) fn example_6_a_carriage_stops_at_the_castle_and_wins() {
    let mut table = with_pawns(["s0b", "r20"]);
    give(&mut table, &DRESSED);
    give(&mut table, &[Token::Carriage {}]);
    table.declare([die(6)]).when(0, to("castle"), []);
    table
        .then(&Event::CastleReached { seat: Seat::new(0) })
        .shows(Rule::Winner);
    let Turn::Over(ending) = Wrozka::turn(&table.state) else {
        panic!("the game is over");
    };
    assert_eq!(ending.rule, Some(Rule::Winner.citation()));
    assert_eq!(ending.standing.winners, [Seat::new(0)]);
    assert_eq!(ending.standing.scores, [5, 0]);
    assert_eq!(ending.standing.reason, "castle_reached");
}

#[test]
fn example_7_after_a_star_the_turn_is_still_the_same_players() {
    let mut table = with_pawns(["r5", "castle"]);
    table.declare([die(1)]);
    table.when(0, to("r4"), [die(6)]).turn_is(0);
}

#[test]
fn wr_4_1_the_exact_number_wins_as_well_and_a_card_alone_does_not() {
    for (tokens, wins) in [(&DRESSED[..], false), (&[Token::Carriage {}][..], true)] {
        let mut table = with_pawns(["s0b", "r20"]);
        give(&mut table, tokens);
        table.declare([die(2)]).when(0, to("castle"), []);
        assert_eq!(matches!(Wrozka::turn(&table.state), Turn::Over(_)), wins);
    }
}
