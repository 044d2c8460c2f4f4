//! What a game owes its players beyond the rules of one turn.

use chrono::{DateTime, Utc};

use super::*;
use crate::cards::Card;
use crate::rulesets::schatz_der_drachen::{self as schatz, SchatzDerDrachen};
use crate::rulesets::sleeping_queens::{self as queens, SleepingQueens};
use crate::rulesets::wrozka::{self, Wrozka};
use crate::ruling::Clue;
use crate::seat::Viewer;

fn context() -> Context {
    Context::new(DateTime::<Utc>::UNIX_EPOCH, None, [0; 32])
}

/// A table game of two.
fn table<R: Ruleset>(options: R::Options) -> Game<R> {
    created(options).game
}

fn created<R: Ruleset>(options: R::Options) -> Decision<R> {
    let new = NewGame {
        id: "a".to_owned(),
        setup: Setup {
            seats: 2,
            options,
            rules_version: R::VERSIONS[0],
            mode: Mode::Table,
        },
        position: None,
        names: Hash::ZERO,
        origin: None,
    };
    let created = Game::create(new, Dealer::Table, &mut context());
    created.expect("the options are legal")
}

fn played<R: Ruleset>(game: &Game<R>, command: Command<R>) -> Game<R> {
    let decision = game.decide(&command, &mut context());
    decision.expect("the command is legal").game
}

fn refusal<R: Ruleset>(game: &Game<R>, command: Command<R>) -> Violation {
    let refused = game.decide(&command, &mut context());
    match refused.expect_err("the command is illegal") {
        Declined::Illegal(violation) => violation,
        declined => panic!("no rule forbids it: {declined}"),
    }
}

fn place(name: &str) -> schatz::Slot {
    serde_json::from_value(name.into()).expect("a place of the square")
}

fn turn_over(seat: u8, slot: &str, tiles: &[schatz::Tile]) -> Command<SchatzDerDrachen> {
    Command::Move {
        seat: Seat::new(seat),
        mv: schatz::Move::Reveal { slot: place(slot) },
        outcomes: tiles
            .iter()
            .map(|tile| schatz::Outcome::Tile { tile: *tile })
            .collect(),
    }
}

#[test]
fn a_request_that_is_wrong_in_any_case_does_not_tell_a_seen_tile() {
    use schatz::Tile;

    let options = schatz::Options {
        notebook: false,
        ..Default::default()
    };
    let game = table::<SchatzDerDrachen>(options);
    let game = played(&game, turn_over(0, "a1", &[Tile::Spider]));
    for tile in Tile::ALL {
        let one_too_many = [*tile, *tile];
        assert_eq!(
            refusal(&game, turn_over(1, "a1", &one_too_many)),
            refusal(&game, turn_over(1, "b1", &one_too_many)),
        );
    }
    let violation = refusal(&game, turn_over(1, "a1", &[Tile::Ball]));
    assert_eq!(violation.rule.id, "SD-6.1");
    played(&game, turn_over(1, "a1", &[Tile::Spider]));
}

#[test]
fn evidence_is_what_still_holds() {
    use schatz::{Event, Move, Tile};

    let mv = |seat, mv| Command::Move {
        seat: Seat::new(seat),
        mv,
        outcomes: Vec::new(),
    };
    let Decision {
        mut events,
        mut game,
    } = created::<SchatzDerDrachen>(Default::default());
    for command in [
        turn_over(0, "a1", &[Tile::Ring]),
        mv(0, Move::Stop {}),
        turn_over(1, "b1", &[Tile::Spider]),
        mv(1, Move::MoveSpider { to: place("a1") }),
        turn_over(0, "c1", &[Tile::Ring]),
    ] {
        let decision = game.decide(&command, &mut context()).expect("legal");
        events.extend(decision.events);
        game = decision.game;
    }
    let texts: Vec<String> = events.iter().map(|sealed| sealed.text.clone()).collect();
    let seq_of = |wanted: fn(&Event) -> bool| {
        let found = events.iter().rfind(|sealed| match &sealed.envelope.event {
            GameEvent::Game(event) => wanted(event),
            GameEvent::Life(_) => false,
        });
        found.expect("it happened").envelope.seq
    };
    let moved = seq_of(|event| matches!(event, Event::SpiderMoved { .. }));
    let taken = seq_of(|event| matches!(event, Event::TilesTaken { .. }));
    let lies_open = seq_of(|event| matches!(event, Event::TileRevealed { .. }));
    for (clue, expected) in [
        (Clue::Place("a1".to_owned()), vec![moved]),
        (Clue::Card("spider".to_owned()), vec![moved]),
        (Clue::Card("ring".to_owned()), vec![taken, lies_open]),
    ] {
        let evidence = desk::evidence::<SchatzDerDrachen>(&texts, &clue, Viewer::Spectator);
        assert_eq!(evidence.expect("a record"), expected, "{clue:?}");
    }
}

mod tokens {
    use super::*;
    use wrozka::{Colour, Die, Outcome, PlaceId, Token};

    const PINK_FAN: Token = Token::Fan {
        colour: Colour::Pink,
    };

    fn id(name: &str) -> PlaceId {
        PlaceId::new(name).expect("the name fits")
    }

    fn die(value: u8) -> Outcome {
        let value = Die::new(value).expect("a number on the die");
        Outcome::Die { value }
    }

    fn mv(seat: u8, mv: wrozka::Move, outcomes: &[Outcome]) -> Command<Wrozka> {
        Command::Move {
            seat: Seat::new(seat),
            mv,
            outcomes: outcomes.to_vec(),
        }
    }

    fn to(seat: u8, place: &str, outcomes: &[Outcome]) -> Command<Wrozka> {
        mv(seat, wrozka::Move::Move { to: id(place) }, outcomes)
    }

    /// Blue, on seat 1, has come to the token on r1: once before pink turned up a token there that
    /// neither of them needs, and once when nobody has turned it up.
    fn at_a_token(notebook: bool) -> [Game<Wrozka>; 2] {
        let options = wrozka::Options {
            notebook,
            ..Default::default()
        };
        let half = [
            "r1", "r2", "r3", "r5", "r6", "r7", "r9", "r10", "r11", "r13",
        ];
        let layout = Outcome::Layout {
            places: half.map(id).to_vec(),
        };
        let laid = Command::Declare {
            outcomes: vec![layout, die(4)],
        };
        let come = played(&table(options), laid);
        let come = played(&come, to(0, "r1", &[]));
        let blue_fan = Outcome::Token(Token::Fan {
            colour: Colour::Blue,
        });
        let turned_up = mv(0, wrozka::Move::Reveal {}, &[blue_fan, die(1)]);
        let left = mv(0, wrozka::Move::Leave {}, &[die(1)]);
        [turned_up, left].map(|done| {
            let game = played(&come, done);
            let game = played(&game, to(1, "s0a", &[die(1)]));
            let game = played(&game, to(0, "r0", &[die(3)]));
            played(&game, to(1, "r1", &[]))
        })
    }

    #[test]
    fn a_request_that_is_wrong_in_any_case_does_not_tell_a_seen_token() {
        let [seen, unseen] = at_a_token(false);
        let carriage = || Outcome::Token(Token::Carriage {});
        let own = || {
            Outcome::Token(Token::Fan {
                colour: Colour::Blue,
            })
        };
        for outcomes in [
            vec![own(), carriage()],
            vec![Outcome::Token(PINK_FAN), carriage()],
            vec![die(1)],
            vec![die(1), die(1)],
        ] {
            let reveal = mv(1, wrozka::Move::Reveal {}, &outcomes);
            assert_eq!(refusal(&seen, reveal.clone()), refusal(&unseen, reveal));
        }
        let wrong = mv(1, wrozka::Move::Reveal {}, &[Outcome::Token(PINK_FAN)]);
        assert_eq!(refusal(&seen, wrong).rule.id, "WR-5.1");
        let recorded = played(&seen, mv(1, wrozka::Move::Reveal {}, &[own(), die(1)]));
        assert_eq!(recorded.turn(), Turn::Seat(Seat::new(1)));
    }

    #[test]
    fn with_a_notebook_a_seen_token_need_not_be_told() {
        let [seen, _] = at_a_token(true);
        let rolled = played(&seen, mv(1, wrozka::Move::Reveal {}, &[die(1)]));
        assert_eq!(rolled.turn(), Turn::Seat(Seat::new(1)));
    }
}

#[test]
fn a_confidence_binds_its_seat_while_it_leaves_a_legal_move() {
    let mut course = table::<SleepingQueens>(queens::Options::default()).course;
    let seat = Seat::new(0);
    let kings = [queens::Card::King; 5];
    course.confide(seat, &kings).expect("a hand that may be");
    let one_king = queens::Move::Discard {
        cards: [queens::Card::King].into_iter().collect(),
    };
    let another = queens::Move::Jester {};
    assert!(course.honest_moves(seat).contains(&one_king));
    assert!(!course.honest_moves(seat).contains(&another));
    assert!(course.expect_honest(seat, &another).is_err());
    // Now all kings lie open elsewhere.
    course.state.discard.add_many(queens::Card::King, 8);
    course.state.top = Some(queens::Card::King);
    course.state.pile.size -= 8;
    assert_eq!(course.honest_moves(seat), course.legal_moves(seat));
    assert!(course.honest_moves(seat).contains(&another));
    assert_eq!(course.expect_honest(seat, &another), Ok(()));
}
