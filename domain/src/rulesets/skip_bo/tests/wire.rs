//! What is written in JSON, and what is hidden from whom.

use serde_json::{Value, json};

use super::position::Position;
use super::*;

#[track_caller]
fn same<T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug>(
    value: &T,
    written: Value,
) {
    assert_eq!(serde_json::to_value(value).expect("it is written"), written);
    let read: T = serde_json::from_value(written).expect("it is read");
    assert_eq!(read, *value);
}

#[track_caller]
fn unreadable<T: serde::de::DeserializeOwned + std::fmt::Debug>(written: Value) {
    let read = serde_json::from_value::<T>(written.clone());
    assert!(read.is_err(), "{written} is read as {read:?}");
}

#[test]
fn moves() {
    let from_hand = json!({"zone": "hand", "card": "5"});
    same(
        &play(hand("5"), 0),
        json!({"type": "play", "from": from_hand, "to": 0}),
    );
    same(
        &play(STOCK, 2),
        json!({"type": "play", "from": {"zone": "stock"}, "to": 2}),
    );
    same(
        &play(help(1), 2),
        json!({"type": "play", "from": {"zone": "help", "pile": 1}, "to": 2}),
    );
    same(
        &play(help_of(2, 1), 2),
        json!({"type": "play", "from": {"zone": "help", "pile": 1, "seat": 2}, "to": 2}),
    );
    same(
        &play(stock_of(2), 2),
        json!({"type": "play", "from": {"zone": "stock", "seat": 2}, "to": 2}),
    );
    same(
        &discard("joker", 3),
        json!({"type": "discard", "card": "joker", "pile": 3}),
    );
    same(&PASS, json!({"type": "pass"}));
}

#[test]
fn moves_that_no_game_of_this_kind_knows() {
    let from = json!({"zone": "stock"});
    for wrong in [
        json!({"type": "play", "from": from, "to": 4}),
        json!({"type": "play", "from": from, "to": -1}),
        json!({"type": "play", "from": from}),
        json!({"type": "play", "from": from, "to": 0, "card": "5"}),
        json!({"type": "play", "from": {"zone": "deck"}, "to": 0}),
        json!({"type": "play", "from": {"zone": "stock", "pile": 0}, "to": 0}),
        json!({"type": "play", "from": {"zone": "hand", "card": "5", "seat": 1}, "to": 0}),
        json!({"type": "play", "from": {"zone": "hand", "card": 5}, "to": 0}),
        json!({"type": "play", "from": {"zone": "hand", "card": "13"}, "to": 0}),
        json!({"type": "play", "from": {"zone": "help", "pile": 4}, "to": 0}),
        json!({"type": "play", "from": {"zone": "help", "pile": 0, "seat": 6}, "to": 0}),
        json!({"type": "play", "from": {"zone": "help", "pile": 0, "seat": -1}, "to": 0}),
        json!({"type": "discard", "card": "9", "pile": 4}),
        json!({"type": "discard", "card": "9"}),
        json!({"type": "pass", "seat": 0}),
        json!({"type": "skip"}),
        json!({}),
    ] {
        unreadable::<Move>(wrong);
    }
}

#[test]
fn outcomes_and_what_is_due() {
    same(
        &top(1, "7"),
        json!({"type": "stock_top", "seat": 1, "card": "7"}),
    );
    same(
        &draw(0, "5 joker"),
        json!({"type": "draw", "seat": 0, "cards": ["5", "joker"]}),
    );
    let drawn = Drawn::Counted { count: 2 };
    let seat = Seat::new(1);
    same(
        &Outcome::Draw(Draw { seat, drawn }),
        json!({"type": "draw", "seat": 1, "count": 2}),
    );
    same(
        &Due::StockTop { seat },
        json!({"type": "stock_top", "seat": 1}),
    );
    same(
        &Due::Draw { seat, count: 2 },
        json!({"type": "draw", "seat": 1, "count": 2}),
    );
    unreadable::<Outcome>(json!({"type": "draw", "seat": 0}));
    unreadable::<Outcome>(json!({"type": "draw", "seat": 0, "count": 1, "cards": ["5"]}));
    unreadable::<Outcome>(json!({"type": "draw", "seat": 0, "count": 1, "pile": 0}));
    unreadable::<Outcome>(json!({"type": "stock_top", "seat": 6, "card": "7"}));
    unreadable::<Outcome>(json!({"type": "stock_top", "seat": 1, "card": "7", "pile": 0}));
}

#[test]
fn an_outcome_answers_what_is_asked_of_the_seat_that_is_asked() {
    let due = Due::StockTop { seat: Seat::new(1) };
    assert!(SkipBo::answers(&due, &top(1, "7")));
    assert!(!SkipBo::answers(&due, &top(0, "7")));
    assert!(!SkipBo::answers(&due, &draw(1, "7")));
    let due = Due::Draw {
        seat: Seat::new(1),
        count: 2,
    };
    assert!(SkipBo::answers(&due, &draw(1, "7 8")));
    assert!(!SkipBo::answers(&due, &draw(1, "7")));
    assert!(!SkipBo::answers(&due, &draw(0, "7 8")));
    assert!(!SkipBo::answers(&due, &top(1, "7")));
}

#[test]
fn events() {
    let (seat, to, pile) = (Seat::new(1), place(2), place(3));
    let written = |name: &str, data: Value| json!({"type": name, "data": data});
    same(
        &Event::StockTopTurned {
            seat,
            card: card("12"),
        },
        written("stock_top_turned", json!({"seat": 1, "card": "12"})),
    );
    same(&drew(1, 4), written("drew", json!({"seat": 1, "count": 4})));
    same(
        &Event::CardPlayed {
            seat,
            from: help_of(2, 1),
            card: card("joker"),
            to,
        },
        written(
            "card_played",
            json!({
                "seat": 1,
                "from": {"zone": "help", "pile": 1, "seat": 2},
                "card": "joker",
                "to": 2
            }),
        ),
    );
    same(
        &Event::CardDiscarded {
            seat,
            card: card("9"),
            pile,
        },
        written("card_discarded", json!({"seat": 1, "card": "9", "pile": 3})),
    );
    same(
        &Event::Passed { seat },
        written("passed", json!({"seat": 1})),
    );
    same(
        &Event::PileCompleted { pile },
        written("pile_completed", json!({"pile": 3})),
    );
    same(
        &Event::Reshuffled { count: 24 },
        written("reshuffled", json!({"count": 24})),
    );
    same(
        &Event::TurnPassed { seat },
        written("turn_passed", json!({"seat": 1})),
    );
    same(
        &Event::RoundWon { seats: vec![seat] },
        written("round_won", json!({"seats": [1]})),
    );
    same(
        &Event::RoundScored {
            seats: vec![seat],
            points: 60,
        },
        written("round_scored", json!({"seats": [1], "points": 60})),
    );
    same(
        &Event::RoundStalemate {},
        written("round_stalemate", json!({})),
    );
    same(
        &Event::RoundBegun { round: 2, seat },
        written("round_begun", json!({"round": 2, "seat": 1})),
    );
}

#[test]
fn options_as_they_are_written() {
    same(
        &options(),
        json!({
            "first_seat": 0,
            "stock_size": null,
            "teams": null,
            "partner_stock": false,
            "target_score": 500
        }),
    );
}

#[test]
fn a_draw_is_seen_by_its_owner_alone() {
    let Outcome::Draw(cards) = draw(1, "5 joker") else {
        panic!("a draw")
    };
    let event = Event::Drew(cards);
    for viewer in [Viewer::Seat(Seat::new(1)), Viewer::Open] {
        assert!(matches!(SkipBo::mask(&event, viewer), Cow::Borrowed(_)));
    }
    for viewer in [Viewer::Seat(Seat::new(0)), Viewer::Spectator] {
        let masked = SkipBo::mask(&event, viewer);
        assert!(matches!(masked, Cow::Owned(_)), "it asks for a salt");
        assert_eq!(*masked, drew(1, 2));
    }
    let open = Event::StockTopTurned {
        seat: Seat::new(1),
        card: card("5"),
    };
    assert!(matches!(
        SkipBo::mask(&open, Viewer::Spectator),
        Cow::Borrowed(_)
    ));
}

#[test]
fn a_view_shows_what_lies_open_and_the_own_hand() {
    let table = Position::of(2, options())
        .hand(0, "5 joker 2")
        .hand(1, "7")
        .stock(0, "9 1 2")
        .stock(1, "")
        .building(1, "1 joker")
        .help(0, 2, "3 4")
        .completed("1 2 3 4 5 6 7 8 9 10 11 12")
        .pile("8 8")
        .dealt();
    let mut view = serde_json::to_value(SkipBo::view(&table.state, Viewer::Seat(Seat::new(0))))
        .expect("a view is written");
    assert_eq!(
        view["building"][1],
        json!({"cards": ["1", "joker"], "next": "3"})
    );
    assert_eq!(view["building"][0], json!({"cards": [], "next": "1"}));
    assert_eq!(
        (&view["draw_pile"], &view["completed"]),
        (&json!(2), &json!(12))
    );
    assert_eq!(
        view["seats"][0].take(),
        json!({
            "seat": 0,
            "score": 0,
            "stock": {"count": 3, "top": "9"},
            "hand": {"count": 3, "cards": ["2", "5", "joker"]},
            "help": [[], [], ["3", "4"], []]
        })
    );
    assert_eq!(view["seats"][1]["hand"], json!({"count": 1}));
    assert_eq!(view["seats"][1]["stock"], json!({"count": 0}));
    for (viewer, shown) in [(Viewer::Spectator, false), (Viewer::Open, true)] {
        let hands = SkipBo::view(&table.state, viewer).seats;
        assert!(hands.iter().all(|seat| seat.hand.cards.is_some() == shown));
    }
}

#[test]
fn a_table_shows_how_many_cards_are_held() {
    let table = two_players(["9", "9"]);
    let view = SkipBo::view(&table.state, Viewer::Seat(Seat::new(0)));
    assert_eq!(
        (view.seats[0].hand.count, &view.seats[0].hand.cards),
        (5, &None)
    );
}
