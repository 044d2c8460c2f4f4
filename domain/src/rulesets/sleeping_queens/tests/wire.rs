//! What is written in JSON, and who sees what of it.

use super::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::fmt::Debug;

/// A value is written so, and read back from it.
#[track_caller]
fn is_written<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, json: Value) {
    assert_eq!(serde_json::to_value(value).expect("it is written"), json);
    assert_eq!(
        serde_json::from_value::<T>(json).expect("it is read"),
        *value
    );
}

#[track_caller]
fn is_malformed<T: DeserializeOwned + Debug>(json: Value) {
    if let Ok(value) = serde_json::from_value::<T>(json) {
        panic!("{value:?} is read");
    }
}

#[test]
fn moves() {
    is_written(&king(4), json!({"type":"king","slot":4}));
    is_written(
        &knight(B, Queen::Moon),
        json!({"type":"knight","seat":1,"queen":"moon"}),
    );
    is_written(
        &potion(B, Queen::Moon),
        json!({"type":"potion","seat":1,"queen":"moon"}),
    );
    is_written(
        &defend(Card::Dragon),
        json!({"type":"defend","card":"dragon"}),
    );
    is_written(&Move::Allow {}, json!({"type":"allow"}));
    is_written(&Move::Jester {}, json!({"type":"jester"}));
    is_written(&wake(7), json!({"type":"wake","slot":7}));
    is_written(
        &discard(&[Card::One, Card::Three, Card::Four]),
        json!({"type":"discard","cards":["1","3","4"]}),
    );
}

#[test]
fn moves_that_no_such_game_has() {
    for malformed in [
        json!({"type":"king","slot":0}),
        json!({"type":"king","slot":13}),
        json!({"type":"king","slot":1.0}),
        json!({"type":"king","slot":"1"}),
        json!({"type":"king"}),
        json!({"type":"king","slot":1,"queen":"moon"}),
        json!({"type":"knight","seat":5,"queen":"moon"}),
        json!({"type":"knight","seat":1,"queen":"queen"}),
        json!({"type":"allow","seat":1}),
        json!({"type":"jester","card":"1"}),
        json!({"type":"discard","cards":["11"]}),
        json!({"type":"discard","cards":[1]}),
        json!({"type":"pass"}),
    ] {
        is_malformed::<Move>(malformed);
    }
}

#[test]
fn outcomes() {
    is_written(&face(Queen::Rose), json!({"type":"queen","queen":"rose"}));
    is_written(&top(Card::Four), json!({"type":"top_card","card":"4"}));
    is_written(
        &drawn(A, &[Card::Five, Card::King]),
        json!({"type":"draw","seat":0,"cards":["5","king"]}),
    );
    let drawn = Drawn::Counted { count: 2 };
    is_written(
        &Outcome::Draw(Draw { seat: A, drawn }),
        json!({"type":"draw","seat":0,"count":2}),
    );
    is_malformed::<Outcome>(json!({"type":"draw","seat":0}));
    is_malformed::<Outcome>(json!({"type":"draw","seat":0,"count":1,"top":"king"}));
    is_malformed::<Outcome>(json!({"type":"queen","queen":"rose","slot":1}));
}

#[test]
fn what_is_awaited() {
    is_written(
        &Due::Queen { slot: slot(4) },
        json!({"type":"queen","slot":4}),
    );
    is_written(&Due::TopCard {}, json!({"type":"top_card"}));
    is_written(
        &Due::Draw { seat: A, count: 5 },
        json!({"type":"draw","seat":0,"count":5}),
    );
}

#[test]
fn events() {
    let (seat, slot, queen) = (A, slot(4), Queen::Moon);
    let with = Attack::Potion;
    let target = Target::new(1).expect("one of five");
    let cards = vec![Card::Four, Card::Four].into();
    let named = Drawn::Known {
        cards: vec![Card::Wand],
    };
    for (event, json) in [
        (
            Event::KingPlayed { seat, slot },
            json!({"type":"king_played","data":{"seat":0,"slot":4}}),
        ),
        (
            Event::Attacked {
                seat,
                with,
                target,
                queen,
            },
            json!({"type":"attacked","data":{"seat":0,"with":"potion","target":1,"queen":"moon"}}),
        ),
        (
            Event::AnswerAsked { seat: B },
            json!({"type":"answer_asked","data":{"seat":1}}),
        ),
        (
            Event::Defended {
                seat: B,
                card: Card::Wand,
            },
            json!({"type":"defended","data":{"seat":1,"card":"wand"}}),
        ),
        (
            Event::Allowed { seat: B },
            json!({"type":"allowed","data":{"seat":1}}),
        ),
        (
            Event::QueenStolen { seat, queen },
            json!({"type":"queen_stolen","data":{"seat":0,"queen":"moon"}}),
        ),
        (
            Event::QueenPutToSleep { slot, queen },
            json!({"type":"queen_put_to_sleep","data":{"slot":4,"queen":"moon"}}),
        ),
        (
            Event::JesterPlayed { seat },
            json!({"type":"jester_played","data":{"seat":0}}),
        ),
        (
            Event::CardTurnedUp {
                seat,
                card: Card::Ten,
            },
            json!({"type":"card_turned_up","data":{"seat":0,"card":"10"}}),
        ),
        (
            Event::AnotherTurn { seat },
            json!({"type":"another_turn","data":{"seat":0}}),
        ),
        (
            Event::Counted { seat },
            json!({"type":"counted","data":{"seat":0}}),
        ),
        (
            Event::WakeGranted { seat },
            json!({"type":"wake_granted","data":{"seat":0}}),
        ),
        (
            Event::WakeChosen { seat, slot },
            json!({"type":"wake_chosen","data":{"seat":0,"slot":4}}),
        ),
        (
            Event::QueenWoken { seat, slot, queen },
            json!({"type":"queen_woken","data":{"seat":0,"slot":4,"queen":"moon"}}),
        ),
        (
            Event::Discarded { seat, cards },
            json!({"type":"discarded","data":{"seat":0,"cards":["4","4"]}}),
        ),
        (Event::Reshuffled {}, json!({"type":"reshuffled","data":{}})),
        (
            Event::Drew(Draw { seat, drawn: named }),
            json!({"type":"drew","data":{"seat":0,"cards":["wand"]}}),
        ),
        (
            drew(seat, 1),
            json!({"type":"drew","data":{"seat":0,"count":1}}),
        ),
        (
            Event::QueenWentBack { slot, queen },
            json!({"type":"queen_went_back","data":{"slot":4,"queen":"moon"}}),
        ),
        (
            Event::TurnPassed { seat: B },
            json!({"type":"turn_passed","data":{"seat":1}}),
        ),
        (
            Event::LastTurnEnded {},
            json!({"type":"last_turn_ended","data":{}}),
        ),
    ] {
        is_written(&event, json);
        if !matches!(event, Event::Drew(_)) {
            assert!(matches!(
                SleepingQueens::mask(&event, Viewer::Spectator),
                Cow::Borrowed(_)
            ));
        }
    }
}

#[test]
fn a_draw_shows_its_cards_to_its_player_alone() {
    let cards = vec![Card::Wand, Card::King];
    let drawn = Drawn::Known { cards };
    let event = Event::Drew(Draw { seat: A, drawn });
    for viewer in [Viewer::Seat(A), Viewer::Open] {
        assert!(matches!(
            SleepingQueens::mask(&event, viewer),
            Cow::Borrowed(_)
        ));
    }
    for viewer in [Viewer::Seat(B), Viewer::Spectator] {
        assert_eq!(
            SleepingQueens::mask(&event, viewer),
            Cow::<Event>::Owned(drew(A, 2))
        );
    }
}

#[test]
fn a_hand_shows_its_cards_to_its_player_alone() {
    let mut game = holding(2, &[&[Card::Wand, Card::King]]);
    open(&mut game, B, &[(3, Queen::Moon), (2, Queen::Cake)]);
    game.when(0, king(3 + 1), [face(Queen::Rose)]);
    let view = |viewer| {
        serde_json::to_value(SleepingQueens::view(&game.state, viewer)).expect("a view is JSON")
    };
    let seat_a = |hand: Value| {
        json!({
            "seat": 0,
            "queens": [{"queen":"rose","slot":4,"points":5}],
            "points": 5,
            "hand": hand,
        })
    };
    assert_eq!(
        view(Viewer::Seat(A))["seats"][0],
        seat_a(json!({"count":1,"cards":["wand"]}))
    );
    assert_eq!(
        view(Viewer::Seat(B))["seats"][0],
        seat_a(json!({"count":1}))
    );
    let spectated = view(Viewer::Spectator);
    assert_eq!(spectated["seats"][0], seat_a(json!({"count":1})));
    assert_eq!(
        spectated["seats"][1]["queens"],
        json!([
            {"queen":"cake","slot":2,"points":5},
            {"queen":"moon","slot":3,"points":10},
        ])
    );
    assert_eq!(spectated["owed"], json!({"type":"wake","seat":0}));
    assert_eq!(spectated["sleeping"], json!([1, 5, 6, 7, 8, 9, 10, 11, 12]));
    assert_eq!(spectated["discard_pile"], json!({"count":1,"top":"king"}));
    assert_eq!(spectated["draw_pile"], 67 - 7);
}

#[test]
fn a_queen_who_was_seen_is_not_shown_while_she_sleeps() {
    let mut game = table(2);
    game.when(0, king(4), [face(Queen::Moon)]);
    game.when(1, potion(A, Queen::Moon), []);
    let view = serde_json::to_value(SleepingQueens::view(&game.state, Viewer::Spectator));
    assert_eq!(
        view.expect("a view is JSON")["owed"],
        json!({"type":"answer","seat":0,"attack":"potion","queen":"moon"})
    );
    game.when(0, Move::Allow {}, []);
    let view = serde_json::to_string(&SleepingQueens::view(&game.state, Viewer::Spectator));
    assert!(!view.expect("a view is JSON").contains("moon"));
}

#[test]
fn options() {
    is_written(
        &Options::default(),
        json!({
            "first_seat": 0,
            "deck": {"king":8,"jester":5,"knight":4,"potion":4,"wand":3,"dragon":3},
        }),
    );
    let served = SleepingQueens::rulebook(1)
        .options
        .iter()
        .map(|option| {
            let default: Value = serde_json::from_str(option.default).expect("JSON");
            (option.name.to_owned(), default)
        })
        .collect::<serde_json::Map<_, _>>();
    let read: Options = serde_json::from_value(served.into()).expect("options");
    assert_eq!(read, Options::default());
}

#[test]
fn what_bears_on_a_card() {
    let clue = |card: Card| Clue::Card(card.name().to_owned());
    let target = Target::new(1).expect("one of five");
    for (event, card) in [
        (
            Event::KingPlayed {
                seat: A,
                slot: slot(1),
            },
            Card::King,
        ),
        (
            Event::Attacked {
                seat: A,
                with: Attack::Knight,
                target,
                queen: Queen::Moon,
            },
            Card::Knight,
        ),
        (
            Event::Defended {
                seat: A,
                card: Card::Dragon,
            },
            Card::Dragon,
        ),
        (Event::JesterPlayed { seat: A }, Card::Jester),
        (
            Event::CardTurnedUp {
                seat: A,
                card: Card::One,
            },
            Card::One,
        ),
        (
            Event::Discarded {
                seat: A,
                cards: vec![Card::Wand].into(),
            },
            Card::Wand,
        ),
    ] {
        for other in Card::ALL {
            let bears = SleepingQueens::bears_on(&event, &clue(*other));
            assert_eq!(bears, *other == card, "{event:?} on {other}");
        }
    }
}
