//! Turning tokens up, and what is on record of them.

use super::*;

/// Seat 0 in pink comes from r0 to the token at r1.
fn at_a_token() -> Scenario<Wrozka> {
    let mut table = with_pawns(["r0", "castle"]);
    table.declare([die(1)]).when(0, to("r1"), []);
    table
}

fn seat(number: u8) -> Seat {
    Seat::new(number)
}

#[test]
pub(super) fn wr_3_5_the_token_is_settled_before_anything_else() {
    let table = at_a_token();
    table.turn_is(0);
    table.refused(0, to("r2"), Rule::Token);
    table.refused(0, to("nowhere"), Rule::Token);
    let moves = Wrozka::legal_moves(&table.state, seat(0));
    assert_eq!(moves, [Move::Reveal {}, Move::Leave {}]);
}

#[test]
fn wr_3_5_a_token_may_be_left() {
    let mut table = at_a_token();
    table.when(0, Move::Leave {}, []);
    table.then(&Event::TokenLeft {
        seat: seat(0),
        place: id("r1"),
    });
    table
        .then(&Event::TurnPassed { seat: seat(1) })
        .shows(Rule::Token);
    assert!(table.state.lying.has(table.state.pawns[0]));
}

#[test]
fn wr_3_5_an_accessory_of_the_own_colour_is_taken() {
    let token = Token::Fan {
        colour: Colour::Pink,
    };
    let (seat, place) = (seat(0), id("r1"));
    let mut table = at_a_token();
    table.when(0, Move::Reveal {}, [fan(Colour::Pink)]);
    table.then(&Event::TokenChosen { seat, place });
    table.then(&Event::TokenRevealed { place, token });
    table
        .then(&Event::TokenTaken { seat, place, token })
        .shows(Rule::Token);
    table.then(&Event::RollsAgain { seat });
    let view = Wrozka::view(&table.state, Viewer::Spectator);
    assert_eq!(view.seats[0].card, [token]);
    assert!(!view.tokens.contains(&place));
    assert_eq!(Wrozka::turn(&table.state), Turn::Chance(Due::Die { seat }));
}

#[test]
fn wr_3_5_an_accessory_of_another_colour_is_turned_down() {
    let mut table = at_a_token();
    table.when(0, Move::Reveal {}, [fan(Colour::Blue)]);
    table
        .then(&Event::TokenTurnedDown { place: id("r1") })
        .shows(Rule::Token);
    table.then(&Event::TurnPassed { seat: seat(1) });
    assert!(
        Wrozka::view(&table.state, Viewer::Spectator)
            .tokens
            .contains(&id("r1"))
    );
}

#[test]
fn wr_3_5_a_carriage_is_for_a_complete_card_that_has_none() {
    let dressed_with_carriage = [&DRESSED[..], &[Token::Carriage {}]].concat();
    for (tokens, taken) in [
        (&[][..], false),
        (&DRESSED[..3], false),
        (&DRESSED[..], true),
        (&dressed_with_carriage, false),
    ] {
        let mut table = at_a_token();
        give(&mut table, tokens);
        table.when(0, Move::Reveal {}, [carriage()]);
        let place = id("r1");
        table.then(&if taken {
            Event::TokenTaken {
                seat: seat(0),
                place,
                token: Token::Carriage {},
            }
        } else {
            Event::TokenTurnedDown { place }
        });
    }
}

#[test]
fn wr_3_5_a_token_that_was_left_is_not_offered_again_without_coming_back() {
    let mut table = at_a_token();
    table.when(0, Move::Leave {}, [die(3)]);
    table.when(1, to("r0"), [die(1)]).turn_is(0);
    table.refused(0, Move::Reveal {}, Rule::Steps);
    table.refused(0, to("r1"), Rule::Steps);
}

#[test]
pub(super) fn wr_2_2_what_was_left_out_does_not_turn_up() {
    let mut table = at_a_token();
    table.when(0, Move::Reveal {}, []);
    table.impossible(fan(Colour::Yellow), Rule::LeftOut);
    table.impossible(fan(Colour::Green), Rule::LeftOut);
    table.declare([fan(Colour::Blue)]);
}

/// Seat 0 has turned up the blue fan at r1, and seat 1 has come to r0.
fn blue_fan_seen() -> Scenario<Wrozka> {
    let mut table = at_a_token();
    table.when(0, Move::Reveal {}, [fan(Colour::Blue), die(3)]);
    table.when(1, to("r0"), []);
    table
}

#[test]
pub(super) fn wr_5_1_a_seen_token_keeps_its_face() {
    let mut table = blue_fan_seen();
    table.declare([die(6)]);
    table
        .when(0, to("r7"), [])
        .when(0, Move::Leave {}, [die(1)]);
    assert_eq!(Wrozka::on_record(&table.state), None);
    let choose = Event::TokenChosen {
        seat: seat(1),
        place: id("r1"),
    };
    table.when(1, to("r1"), []);
    Wrozka::evolve(&mut table.state, &choose);
    assert_eq!(Wrozka::on_record(&table.state), Some(fan(Colour::Blue)));
    for wrong in [fan(Colour::Pink), carriage()] {
        let violation = table.impossible(wrong, Rule::SeenTokens);
        let clue = violation.clue.expect("the record says otherwise");
        assert_eq!(clue, Clue::Place("r1".to_owned()));
        let seen = |place| Event::TokenRevealed {
            place: id(place),
            token: Token::Fan {
                colour: Colour::Blue,
            },
        };
        assert!(Wrozka::bears_on(&seen("r1"), &clue));
        assert!(!Wrozka::bears_on(&seen("r2"), &clue));
        assert!(!Wrozka::bears_on(&choose, &clue));
    }
}

#[test]
fn wr_5_1_nobody_is_asked_for_a_face_on_record() {
    let mut table = blue_fan_seen();
    table.declare([die(6)]);
    table
        .when(0, to("r7"), [])
        .when(0, Move::Leave {}, [die(1)]);
    table.when(1, to("r1"), []).when(1, Move::Reveal {}, []);
    let token = Token::Fan {
        colour: Colour::Blue,
    };
    table.then(&Event::TokenTaken {
        seat: seat(1),
        place: id("r1"),
        token,
    });
}

#[test]
fn wr_5_1_a_face_that_is_accounted_for_does_not_turn_up_again() {
    let mut table = blue_fan_seen();
    table.declare([die(1)]);
    table.when(0, to("r2"), []).when(0, Move::Reveal {}, []);
    let violation = table.impossible(fan(Colour::Blue), Rule::SeenTokens);
    let clue = violation.clue.expect("the record says otherwise");
    assert_eq!(clue, Clue::Card("blue fan".to_owned()));
    let seen = |token| Event::TokenRevealed {
        place: id("r1"),
        token,
    };
    assert!(Wrozka::bears_on(
        &seen(Token::Fan {
            colour: Colour::Blue
        }),
        &clue
    ));
    assert!(!Wrozka::bears_on(
        &seen(Token::Fan {
            colour: Colour::Pink
        }),
        &clue
    ));
    table.declare([fan(Colour::Pink)]);
}

#[test]
fn wr_5_1_taken_tokens_are_accounted_for() {
    let mut table = at_a_token();
    give(
        &mut table,
        &[Token::Fan {
            colour: Colour::Pink,
        }],
    );
    table.when(0, Move::Reveal {}, []);
    table.impossible(fan(Colour::Pink), Rule::SeenTokens);
}

#[test]
fn wr_5_1_there_are_as_many_carriages_as_players() {
    let mut table = with_pawns(["r0", "r23"]);
    table.declare([die(1)]).when(0, to("r1"), []);
    table.when(0, Move::Reveal {}, [carriage(), die(1)]);
    table.when(1, to("r22"), [die(1)]).when(0, to("r2"), []);
    table.when(0, Move::Reveal {}, [carriage(), die(1)]);
    table.when(1, to("r21"), [die(1)]).when(0, to("r3"), []);
    table.when(0, Move::Reveal {}, []);
    table.impossible(carriage(), Rule::SeenTokens);
    table.declare([fan(Colour::Pink)]).shows(Rule::Token);
}

#[test]
fn wr_5_1_any_face_not_accounted_for_can_turn_up() {
    let mut table = at_a_token();
    table.when(0, Move::Reveal {}, []);
    for token in table.state.tokens().iter() {
        assert!(
            Wrozka::resolve(&table.state, &Outcome::Token(token)).is_ok(),
            "{token}"
        );
    }
}

#[test]
fn wr_5_2_a_seen_token_is_shown_face_down() {
    let seen = blue_fan_seen();
    let mut unseen = seen.state.clone();
    unseen.seen = [None; MOST_TOKENS];
    let viewer = Viewer::Seat(seat(0));
    assert_eq!(
        Wrozka::view(&seen.state, viewer),
        Wrozka::view(&unseen, viewer)
    );
}

#[test]
fn every_token_can_be_drawn() {
    let state = table().state;
    let mut shuffler = Shuffler::seeded(2);
    let tokens = state.unseen();
    let mut drawn = Vec::new();
    for _ in 0..300 {
        let token = tokens.draw(&mut shuffler);
        if !drawn.contains(&token) {
            drawn.push(token);
        }
    }
    assert_eq!(
        drawn.len(),
        9,
        "eight accessories and the carriages: {drawn:?}"
    );
}

#[test]
fn nothing_is_hidden_from_anybody() {
    let event = Event::TokenTurnedDown { place: id("r1") };
    for viewer in [Viewer::Seat(seat(0)), Viewer::Spectator, Viewer::Open] {
        assert!(matches!(Wrozka::mask(&event, viewer), Cow::Borrowed(_)));
    }
}
