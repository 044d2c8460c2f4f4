//! How moves, outcomes, events and options are written.

use super::*;
use crate::ruleset::FirstSeat;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::fmt::Debug;

#[track_caller]
fn written<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, text: Value) {
    assert_eq!(serde_json::to_value(value).expect("it is written"), text);
    assert_eq!(
        serde_json::from_value::<T>(text).expect("it is read"),
        *value
    );
}

#[track_caller]
fn malformed<T: DeserializeOwned + Debug>(text: Value) {
    if let Ok(value) = serde_json::from_value::<T>(text) {
        panic!("{value:?} is read");
    }
}

#[test]
fn moves() {
    written(&to("r5"), json!({"type": "move", "to": "r5"}));
    written(&Move::Reveal {}, json!({"type": "reveal"}));
    written(&Move::Leave {}, json!({"type": "leave"}));
    for text in [
        json!({"type": "move"}),
        json!({"type": "move", "to": 5}),
        json!({"type": "move", "to": null}),
        json!({"type": "move", "to": "n".repeat(41)}),
        json!({"type": "move", "to": "r5", "steps": 3}),
        json!({"type": "reveal", "place": "r5"}),
        json!({"type": "leave", "x": 1}),
        json!({"type": "stop"}),
    ] {
        malformed::<Move>(text);
    }
}

#[test]
fn outcomes() {
    written(&die(4), json!({"type": "die", "value": 4}));
    written(
        &fan(Colour::Blue),
        json!({"type": "token", "kind": "fan", "colour": "blue"}),
    );
    written(&carriage(), json!({"type": "token", "kind": "carriage"}));
    written(
        &layout(&["r1", "r2"]),
        json!({"type": "layout", "places": ["r1", "r2"]}),
    );
    for text in [
        json!({"type": "die", "value": 0}),
        json!({"type": "die", "value": 7}),
        json!({"type": "die", "value": 1.5}),
        json!({"type": "die", "value": "4"}),
        json!({"type": "token", "kind": "fan"}),
        json!({"type": "token", "kind": "fan", "colour": "red"}),
        json!({"type": "token", "kind": "fan", "colour": "blue", "x": 1}),
        json!({"type": "token", "kind": "carriage", "colour": "blue"}),
        json!({"type": "token", "colour": "blue"}),
        json!({"type": "token", "kind": "wand", "colour": "blue"}),
        json!({"type": "layout", "places": "r1"}),
        json!({"type": "layout"}),
    ] {
        malformed::<Outcome>(text);
    }
}

#[test]
fn what_is_due() {
    let seat = Seat::new(1);
    for (due, text) in [
        (
            Due::Layout { count: 15 },
            json!({"type": "layout", "count": 15}),
        ),
        (Due::Die { seat }, json!({"type": "die", "seat": 1})),
        (
            Due::Token { place: id("r1") },
            json!({"type": "token", "place": "r1"}),
        ),
    ] {
        written(&due, text);
    }
    let dues = [
        Due::Layout { count: 10 },
        Due::Die { seat },
        Due::Token { place: id("r1") },
    ];
    for (at, outcome) in [layout(&HALF), die(3), carriage()].iter().enumerate() {
        for (asked, due) in dues.iter().enumerate() {
            assert_eq!(Wrozka::answers(due, outcome), at == asked);
        }
    }
}

#[test]
fn events() {
    let (seat, place) = (Seat::new(1), id("r1"));
    let token = Token::Necklace {
        colour: Colour::Pink,
    };
    let face = json!({"kind": "necklace", "colour": "pink"});
    let both = json!({"seat": 1, "place": "r1"});
    let written = |event: Event, name: &str, data: Value| {
        written(&event, json!({"type": name, "data": data}));
    };
    let places = ids(&["r1", "r2"]);
    written(
        Event::TokensLaid { places },
        "tokens_laid",
        json!({"places": ["r1", "r2"]}),
    );
    let value = Die::new(6).expect("on the die");
    written(
        Event::DieRolled { seat, value },
        "die_rolled",
        json!({"seat": 1, "value": 6}),
    );
    written(
        Event::PawnMoved {
            seat,
            from: id("castle"),
            to: place,
        },
        "pawn_moved",
        json!({"seat": 1, "from": "castle", "to": "r1"}),
    );
    written(
        Event::TokenChosen { seat, place },
        "token_chosen",
        both.clone(),
    );
    written(Event::TokenLeft { seat, place }, "token_left", both);
    written(
        Event::TokenRevealed { place, token },
        "token_revealed",
        json!({"place": "r1", "token": face}),
    );
    written(
        Event::TokenTaken { seat, place, token },
        "token_taken",
        json!({"seat": 1, "place": "r1", "token": face}),
    );
    written(
        Event::TokenTurnedDown { place },
        "token_turned_down",
        json!({"place": "r1"}),
    );
    written(
        Event::RollsAgain { seat },
        "rolls_again",
        json!({"seat": 1}),
    );
    written(
        Event::TurnPassed { seat },
        "turn_passed",
        json!({"seat": 1}),
    );
    written(
        Event::CastleReached { seat },
        "castle_reached",
        json!({"seat": 1}),
    );
}

#[test]
fn options() {
    let all = json!({"first_seat": 0, "colours": null, "board": null, "notebook": true});
    written(&Options::default(), all);
    let read: Options = serde_json::from_value(json!({})).expect("everything has a default");
    assert_eq!(read, Options::default());
    let board = json!({
        "places": [{"id": "r0", "kind": "blank", "x": 0.5, "y": 0.1}, {"id": "c", "kind": "castle"}],
        "paths": [["r0", "c"]],
    });
    let chosen = json!({
        "first_seat": 1, "colours": ["green", "pink"], "board": board, "notebook": false,
    });
    let read: Options = serde_json::from_value(chosen.clone()).expect("it is read");
    assert_eq!(read.first_seat, FirstSeat(1));
    assert_eq!(read.colours, Some(vec![Colour::Green, Colour::Pink]));
    written(&read, chosen);
}

#[test]
fn malformed_options_are_not_read() {
    for text in [
        json!({"notebook": 1}),
        json!({"notebook": "true"}),
        json!({"colours": "pink"}),
        json!({"colours": ["red", "pink"]}),
        json!({"first_seat": "0"}),
        json!({"dice": 2}),
        json!({"board": []}),
        json!({"board": {"places": []}}),
        json!({"board": {"places": [], "paths": [], "name": "Ogród"}}),
        json!({"board": {"places": [], "paths": [["a"]]}}),
        json!({"board": {"places": [], "paths": [["a", "b", "c"]]}}),
        json!({"board": {"places": [], "paths": [["a", 1]]}}),
        json!({"board": {"places": ["a"], "paths": []}}),
        json!({"board": {"places": [{"id": "a"}], "paths": []}}),
        json!({"board": {"places": [{"id": 1, "kind": "note"}], "paths": []}}),
        json!({"board": {"places": [{"id": "a", "kind": "cloud"}], "paths": []}}),
        json!({"board": {"places": [{"id": "a", "kind": "note", "x": "0"}], "paths": []}}),
        json!({"board": {"places": [{"id": "a", "kind": "note", "z": 0}], "paths": []}}),
    ] {
        malformed::<Options>(text);
    }
    for number in ["NaN", "Infinity", "1e999"] {
        let text = format!(
            r#"{{"board":{{"places":[{{"id":"a","kind":"note","x":{number}}}],"paths":[]}}}}"#
        );
        assert!(serde_json::from_str::<Options>(&text).is_err(), "{number}");
    }
}

#[test]
fn names_of_places_are_kept_as_they_are() {
    for name in ["", "r0", "n\0", "zażółć", &"n".repeat(40)] {
        written(&id(name), json!(name));
    }
    assert_eq!(PlaceId::new(&"n".repeat(41)), None);
    assert_ne!(id("n"), id("n\0"));
}

#[test]
fn a_table_is_shown_whole() {
    let mut table = with_pawns(["r0", "castle"]);
    table.declare([die(1)]);
    let view = |table: &Scenario<Wrozka>| {
        let view = Wrozka::view(&table.state, Viewer::Spectator);
        let mut text = serde_json::to_value(&view).expect("it is written");
        let board = text["board"].take();
        assert_eq!(
            board["places"][0],
            json!({"id": "r0", "kind": "blank", "x": 0.5, "y": 0.1})
        );
        text
    };
    let seats = |place: &str| {
        json!([
            {"seat": 0, "colour": "pink", "place": place, "card": []},
            {"seat": 1, "colour": "blue", "place": "castle", "card": []},
        ])
    };
    assert_eq!(
        view(&table),
        json!({"seat": 0, "die": 1, "tokens": HALF, "seats": seats("r0"), "board": null})
    );
    table.when(0, to("r1"), []);
    assert_eq!(
        view(&table),
        json!({"seat": 0, "token": "r1", "tokens": HALF, "seats": seats("r1"), "board": null})
    );
}

/// Options as the record writes and reads them again, to the last bit of a coordinate.
#[test]
fn coordinates_survive_the_record() {
    let number = |text: &str| serde_json::from_str::<f64>(text).expect("a number");
    for text in [
        "0.1",
        "0.30000000000000004",
        "1e17",
        "-0.0",
        "5e-324",
        "123456789.123456789",
    ] {
        let mut board = board::small();
        board.places[0].x = Some(number(text));
        let text = crate::record::canonical(&board);
        let back: Value = serde_json::from_str(&text).expect("it is read");
        assert_eq!(crate::record::canonical(&back), text);
        assert_eq!(
            serde_json::from_value::<Board>(back).expect("a board"),
            board
        );
    }
}
