//! Wróżka's rules, broken and shown, and the laws over its games.

mod board;
mod examples;
mod moving;
mod position;
mod setup;
mod tokens;
mod walks;
mod wire;

use super::*;
use crate::dealer::Mode;
use crate::ruling::RuleKind;
use crate::testing::{Lawful, Plan, Scenario, check_laws};

impl Lawful for Wrozka {
    fn every_move(state: &State) -> Vec<Move> {
        let places = state.map.board().places.iter().map(|place| id(&place.id));
        places
            .chain([id("nowhere")])
            .map(|to| Move::Move { to })
            .chain([Move::Reveal {}, Move::Leave {}])
            .collect()
    }

    fn conserves_cards(state: &State) -> bool {
        let players = usize::from(state.seats);
        let on_cards: u8 = state.cards.iter().map(Tokens::len).sum();
        let lying = state.lying.len();
        let seen = state.seen.iter().flatten();
        let own_only = state.cards[..players]
            .iter()
            .zip(state.colours)
            .all(|(card, own)| {
                card.iter()
                    .all(|token| token.colour().is_none_or(|c| c == own))
            });
        let laid = match state.phase {
            Phase::Laying => lying == 0 && on_cards == 0,
            _ => lying + usize::from(on_cards) == 5 * players,
        };
        let unseen = 5 * players - usize::from(on_cards) - seen.clone().count();
        laid && own_only
            && usize::from(state.unseen().len()) == unseen
            && seen.clone().all(|seen| state.lying.has(seen.place))
    }
}

#[test]
fn the_laws_hold() {
    let small = Options {
        board: Some(board::small()),
        colours: Some(vec![Colour::Green, Colour::Pink]),
        first_seat: crate::ruleset::FirstSeat(1),
        ..Options::default()
    };
    check_laws::<Wrozka>(&Plan {
        setups: (2..=4)
            .map(|seats| (seats, Options::default()))
            .chain([(2, small)])
            .collect(),
        games: 2,
        keen: 0.4,
        max_moves: 5_000,
        must_end: true,
        every: 7,
    });
}

#[test]
fn folding_takes_events_that_no_game_makes() {
    let (seat, place, nowhere) = (Seat::new(5), id("r14"), id("nowhere"));
    let token = Token::Carriage {};
    let mut events = vec![
        Event::PawnMoved {
            seat,
            from: place,
            to: nowhere,
        },
        Event::PawnMoved {
            seat,
            from: nowhere,
            to: place,
        },
        Event::TokenTaken { seat, place, token },
        Event::TokenTaken {
            seat,
            place: nowhere,
            token,
        },
        Event::TokenTurnedDown { place: nowhere },
        Event::TurnPassed { seat },
    ];
    let places = Board::default().places;
    events.extend(places.iter().map(|place| Event::TokenRevealed {
        place: id(&place.id),
        token,
    }));
    let taken = Event::TokenTaken {
        seat: Seat::new(0),
        place,
        token,
    };
    events.extend(std::iter::repeat_n(taken, 300));
    let mut state = table().state;
    for event in &events {
        Wrozka::evolve(&mut state, event);
        let view = Wrozka::view(&state, Viewer::Spectator);
        assert_eq!((view.seat, view.seats.len()), (Seat::new(0), 2));
        assert_eq!(view.tokens, ids(&HALF));
    }
}

/// The test that breaks or shows a rule; none where there is nothing to break or show.
fn test_of(rule: Rule) -> Option<fn()> {
    match rule {
        Rule::Contents | Rule::FirstPlayer | Rule::StoppingEarly => None,
        Rule::FaceDownViews | Rule::Notebook => None,
        Rule::Board => Some(board::wr_1_2_a_board_must_have_one_castle),
        Rule::Colours => Some(setup::wr_2_1_every_seat_has_a_colour_of_its_own),
        Rule::LeftOut => Some(tokens::wr_2_2_what_was_left_out_does_not_turn_up),
        Rule::Layout => Some(setup::wr_2_3_tokens_lie_on_note_places_one_a_place),
        Rule::Steps => Some(moving::wr_3_1_a_move_ends_after_exactly_the_steps_on_the_die),
        Rule::Occupied => Some(moving::wr_3_3_no_move_ends_beside_another_pawn),
        Rule::NoMove => Some(moving::wr_3_4_without_a_move_the_turn_passes),
        Rule::Token => Some(tokens::wr_3_5_the_token_is_settled_before_anything_else),
        Rule::Star => Some(moving::wr_3_6_a_star_lets_roll_again),
        Rule::Elsewhere => Some(moving::wr_3_7_anywhere_else_the_turn_passes),
        Rule::Winner => Some(examples::example_6_a_carriage_stops_at_the_castle_and_wins),
        Rule::SeenTokens => Some(tokens::wr_5_1_a_seen_token_keeps_its_face),
    }
}

#[test]
fn every_rule_that_does_something_has_a_test() {
    for rule in Rule::ALL {
        let does_something = match rule.citation().kind {
            RuleKind::Refusal | RuleKind::Effect => true,
            RuleKind::Definition | RuleKind::Etiquette => false,
        };
        assert_eq!(test_of(*rule).is_some(), does_something, "{rule:?}");
        test_of(*rule).unwrap_or(|| {})();
    }
}

fn id(text: &str) -> PlaceId {
    PlaceId::new(text).expect("the name fits")
}

fn ids(texts: &[&str]) -> Vec<PlaceId> {
    texts.iter().map(|text| id(text)).collect()
}

fn to(place: &str) -> Move {
    Move::Move { to: id(place) }
}

fn die(value: u8) -> Outcome {
    Outcome::Die {
        value: Die::new(value).expect("a number on the die"),
    }
}

fn layout(places: &[&str]) -> Outcome {
    Outcome::Layout {
        places: ids(places),
    }
}

fn fan(colour: Colour) -> Outcome {
    Outcome::Token(Token::Fan { colour })
}

fn carriage() -> Outcome {
    Outcome::Token(Token::Carriage {})
}

/// Ten places for the tokens of two players, on one half of the ring: r1 to r3 and r5 to r7, then
/// r9 to r11 and r13.
const HALF: [&str; 10] = [
    "r1", "r2", "r3", "r5", "r6", "r7", "r9", "r10", "r11", "r13",
];

/// A table game of two, pink and blue, with the tokens on [`HALF`] of the ring; seat 0 is to roll.
fn table() -> Scenario<Wrozka> {
    let mut table = Scenario::table(2, Options::default());
    table.declare([layout(&HALF)]);
    table
}

/// The same, with the pawns on these places.
fn with_pawns(places: [&str; 2]) -> Scenario<Wrozka> {
    let mut state = table().state;
    for (pawn, place) in state.pawns.iter_mut().zip(places) {
        *pawn = state.map.find(&id(place)).expect("the board has it");
    }
    Scenario::standing(state, Mode::Table)
}

/// Gives the player on turn these tokens, taken from places where they lay unseen.
fn give(scenario: &mut Scenario<Wrozka>, tokens: &[Token]) {
    let state = &mut scenario.state;
    let places: Vec<Place> = state.lying.iter().collect();
    for (token, place) in tokens.iter().zip(places.iter().rev()) {
        state.lying.remove(*place);
        state.cards[state.seat.index()].add(*token);
    }
}

/// All that a player in pink needs but the carriage.
const DRESSED: [Token; 4] = Token::accessories(Colour::Pink);

/// Where the player on turn may move.
fn ends(scenario: &Scenario<Wrozka>) -> Vec<String> {
    Wrozka::legal_moves(&scenario.state, scenario.state.seat)
        .iter()
        .map(|mv| match mv {
            Move::Move { to } => to.to_string(),
            Move::Reveal {} | Move::Leave {} => panic!("{mv:?} is no move of the pawn"),
        })
        .collect()
}
