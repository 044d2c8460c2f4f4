//! What is written in JSON, and the options.

use serde_json::{Value, json};

use super::*;
use crate::cards::Card as _;
use crate::ruleset::Setup;
use crate::ruling::Common;

fn reads<T: crate::ruleset::Wire>(value: &T, json: Value) {
    assert_eq!(serde_json::to_value(value).unwrap(), json);
    assert_eq!(serde_json::from_value::<T>(json).unwrap(), *value);
}

#[test]
fn moves_are_written_so() {
    reads(&play(Card::Wind), json!({"type": "play", "card": "wind"}));
    reads(
        &rob(Robber::Dragon, 2),
        json!({"type": "rob", "with": "dragon", "seat": 2}),
    );
    reads(
        &rescue(2, Helpers::Fairies),
        json!({"type": "rescue", "seat": 2, "helpers": "fairies"}),
    );
    reads(
        &rescue(0, Helpers::Wind),
        json!({"type": "rescue", "seat": 0, "helpers": "wind"}),
    );
    reads(&Move::Secure {}, json!({"type": "secure"}));
}

#[test]
fn what_no_such_game_has_does_not_parse() {
    for malformed in [
        json!({"type": "play", "card": "princess"}),
        json!({"type": "rob", "with": "prince", "seat": 1}),
        json!({"type": "rob", "with": "nix", "seat": 4}),
        json!({"type": "rescue", "seat": -1, "helpers": "wind"}),
        json!({"type": "rescue", "seat": 1, "helpers": "elves"}),
        json!({"type": "secure", "seat": 1}),
        json!({"type": "pass"}),
    ] {
        assert!(serde_json::from_value::<Move>(malformed).is_err());
    }
    for malformed in [
        json!({"type": "bonus", "card": "wind"}),
        json!({"type": "bonus", "card": "land", "returned": 1}),
        json!({"type": "bonus", "card": "land", "face": "up"}),
        json!({"type": "land"}),
        json!({"type": "final_hand", "seat": 4, "cards": []}),
    ] {
        assert!(serde_json::from_value::<Outcome>(malformed).is_err());
    }
}

#[test]
fn outcomes_are_written_so() {
    reads(&princess(), json!({"type": "bonus", "card": "princess"}));
    reads(&hidden(), json!({"type": "bonus", "card": "hidden"}));
    reads(
        &returned(),
        json!({"type": "bonus", "card": "hidden", "returned": true}),
    );
    reads(
        &kingdom(BonusCard::Land),
        json!({"type": "bonus", "card": "land", "kingdom": true}),
    );
    reads(&land(true), json!({"type": "land", "held": true}));
    reads(
        &Outcome::FinalHand {
            seat: seat(0),
            cards: vec![Card::Dwarf, Card::Elf],
        },
        json!({"type": "final_hand", "seat": 0, "cards": ["dwarf", "elf"]}),
    );
    reads(
        &Outcome::Draw(CardDraw {
            seat: Seat::new(0),
            drawn: Drawn::Known {
                cards: vec![Card::TrollChild],
            },
        }),
        json!({"type": "draw", "seat": 0, "cards": ["troll_child"]}),
    );
    reads(
        &Outcome::Draw(CardDraw {
            seat: Seat::new(3),
            drawn: Drawn::Counted { count: 2 },
        }),
        json!({"type": "draw", "seat": 3, "count": 2}),
    );
}

#[test]
fn what_is_awaited_is_written_so() {
    let seat = Seat::new(1);
    for (due, json) in [
        (
            Due::Draw { seat, count: 6 },
            json!({"type": "draw", "seat": 1, "count": 6}),
        ),
        (Due::Bonus { seat }, json!({"type": "bonus", "seat": 1})),
        (Due::Land { seat }, json!({"type": "land", "seat": 1})),
        (
            Due::FinalHand { seat, count: 6 },
            json!({"type": "final_hand", "seat": 1, "count": 6}),
        ),
    ] {
        reads(&due, json);
    }
}

#[test]
fn events_are_written_so() {
    let one = Seat::new(1);
    let zero = Seat::new(0);
    for (event, json) in [
        (
            Event::Drew(CardDraw {
                seat: one,
                drawn: Drawn::Counted { count: 1 },
            }),
            json!({"type": "drew", "data": {"seat": 1, "count": 1}}),
        ),
        (
            Event::CardPlayed {
                seat: one,
                card: Card::Elf,
            },
            json!({"type": "card_played", "data": {"seat": 1, "card": "elf"}}),
        ),
        (
            Event::PrincessRobbed {
                seat: one,
                with: Robber::Nix,
                from: zero,
            },
            json!({"type": "princess_robbed", "data": {"seat": 1, "with": "nix", "from": 0}}),
        ),
        (
            Event::PrincessRescued {
                seat: one,
                from: zero,
                helpers: Helpers::Wind,
            },
            json!({"type": "princess_rescued", "data": {"seat": 1, "from": 0, "helpers": "wind"}}),
        ),
        (
            Event::PrincessSecured { seat: one },
            json!({"type": "princess_secured", "data": {"seat": 1}}),
        ),
        (
            Event::SatOut { seat: one },
            json!({"type": "sat_out", "data": {"seat": 1}}),
        ),
        (
            Event::RoundWon { seat: one },
            json!({"type": "round_won", "data": {"seat": 1}}),
        ),
        (
            Event::RoundDrawn { card: Card::Fairy },
            json!({"type": "round_drawn", "data": {"card": "fairy"}}),
        ),
        (
            Event::RoundUncontested {},
            json!({"type": "round_uncontested", "data": {}}),
        ),
        (
            Event::NoBonus { seat: one },
            json!({"type": "no_bonus", "data": {"seat": 1}}),
        ),
        (
            Event::BonusDrawn {
                seat: one,
                bonus: BonusDraw::of(Face::Known(BonusCard::Prince)),
                seen: Some(BonusDraw {
                    returned: true,
                    ..BonusDraw::of(Face::Hidden)
                }),
            },
            json!({"type": "bonus_drawn", "data": {
                "seat": 1, "bonus": {"card": "prince"}, "seen": {"card": "hidden", "returned": true}
            }}),
        ),
        (
            Event::BonusKept { seat: one },
            json!({"type": "bonus_kept", "data": {"seat": 1}}),
        ),
        (
            Event::BonusReturned { seat: one },
            json!({"type": "bonus_returned", "data": {"seat": 1}}),
        ),
        (
            Event::LandDeclared {
                seat: one,
                held: false,
            },
            json!({"type": "land_declared", "data": {"seat": 1, "held": false}}),
        ),
        (
            Event::KingdomFormed { seat: one },
            json!({"type": "kingdom_formed", "data": {"seat": 1}}),
        ),
        (
            Event::RoundCleared {
                cards: vec![Card::Wind],
            },
            json!({"type": "round_cleared", "data": {"cards": ["wind"]}}),
        ),
        (
            Event::LeadPassed { seat: one },
            json!({"type": "lead_passed", "data": {"seat": 1}}),
        ),
        (
            Event::AllPrincessesSafe {},
            json!({"type": "all_princesses_safe", "data": {}}),
        ),
        (
            Event::RoundBrokenOff {
                cards: vec![],
                first: one,
            },
            json!({"type": "round_broken_off", "data": {"cards": [], "first": 1}}),
        ),
        (
            Event::HandCounted {
                seat: seat(1),
                cards: vec![Card::Elf],
            },
            json!({"type": "hand_counted", "data": {"seat": 1, "cards": ["elf"]}}),
        ),
    ] {
        reads(&event, json);
    }
}

#[test]
fn the_view_is_written_so() {
    let mut game = table(2);
    game.wins(1, princess()).wins(0, hidden());
    game.makes(rob(Robber::Dragon, 1)).plays(Card::Elf);
    let view = Sagoleken::view(&game.state, crate::seat::Viewer::Spectator);
    reads(
        &view,
        json!({
            "leader": 0,
            "round": [{"seat": 1, "card": "elf"}],
            "sat_out": [0],
            "draw_pile": 25,
            "bonus_pile": 13,
            "seats": [
                {
                    "seat": 0, "hand": {"count": 6}, "held": {"count": 0}, "kingdoms": 0,
                    "princess": {"robbed_with": "dragon", "robbed_this_round": true}
                },
                {"seat": 1, "hand": {"count": 5}, "held": {"count": 0}, "kingdoms": 0}
            ]
        }),
    );
}

fn set_up(options: Value) -> Result<State, Violation> {
    Sagoleken::initial_state(&Setup {
        seats: 3,
        options: serde_json::from_value(options).unwrap(),
        rules_version: 1,
        mode: Mode::Virtual,
    })
}

#[test]
pub(super) fn sl_1_4_card_points_have_bounds() {
    for points in [101, -101, i64::MAX, i64::MIN] {
        let refused = set_up(json!({"card_points": {"elf": points}})).unwrap_err();
        assert_eq!(refused.rule, Rule::CardPoints.citation());
    }
    let state = set_up(json!({"card_points": {"elf": 100, "wind": -100}})).unwrap();
    assert_eq!(state.points[Card::Elf.index()], 100);
    assert_eq!(state.points[Card::Wind.index()], -100);
    assert_eq!(
        state.points[Card::Witch.index()],
        -3,
        "left out, so as by default"
    );
}

#[test]
fn cm_1_the_first_seat_is_one_of_the_table() {
    let refused = set_up(json!({"first_seat": 3})).unwrap_err();
    assert_eq!(refused.rule, Common::Seats.citation());
    assert_eq!(
        set_up(json!({"first_seat": 2})).unwrap().leader,
        Seat::new(2)
    );
}

#[test]
fn options_are_filled_and_closed() {
    let defaults = json!({
        "first_seat": 0,
        "card_points": {
            "troll_child": -1, "troll_father": -5, "troll_mother": -5, "dwarf": 1, "witch": -3,
            "elf": 3, "fairy": 2, "wind": 0
        }
    });
    reads(&Options::default(), defaults.clone());
    let read: Options = serde_json::from_value(json!({})).unwrap();
    assert_eq!(serde_json::to_value(read).unwrap(), defaults);
    for (option, default) in Sagoleken::rulebook(1)
        .options
        .iter()
        .map(|text| (text.name, text.default))
    {
        let default: Value = serde_json::from_str(default).unwrap();
        assert_eq!(default, defaults[option]);
    }
    for malformed in [
        json!({"cards": 1}),
        json!({"card_points": {"goblin": 1}}),
        json!({"card_points": {"elf": 1.5}}),
        json!({"first_seat": "0"}),
    ] {
        assert!(serde_json::from_value::<Options>(malformed).is_err());
    }
}
