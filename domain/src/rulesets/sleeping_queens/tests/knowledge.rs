//! SQ-7, CM-4 and CM-5: what is impossible by what is on record.

use super::*;
use crate::game::{Course, Source};
use crate::ruling::Common;

/// A table game of two in which all four 1s have been laid away.
fn without_ones() -> Game {
    let mut game = table(2);
    game.when(0, discard(&[Card::One, Card::One]), []);
    game.when(1, discard(&[Card::One, Card::One]), []);
    game
}

fn clue_card(card: Card) -> Option<Clue> {
    Some(Clue::Card(card.name().to_owned()))
}

#[test]
pub(super) fn sq_7_1_refuses_what_no_hand_can_hold() {
    let game = without_ones();
    let violation = game.refused(0, discard(&[Card::One]), Rule::PossibleHands);
    assert_eq!(violation.clue, clue_card(Card::One));
    game.refused(
        0,
        discard(&[Card::One, Card::Two, Card::Three]),
        Rule::PossibleHands,
    );
    assert!(!SleepingQueens::legal_moves(&game.state, A).contains(&discard(&[Card::One])));
}

#[test]
fn sq_7_1_holds_for_every_action_and_for_answers() {
    let none = Deck {
        king: 1,
        jester: 0,
        knight: 1,
        potion: 0,
        wand: 0,
        dragon: 0,
    };
    let options = Options {
        deck: none,
        ..Options::default()
    };
    let mut game = Game::table(2, options);
    game.refused(0, Move::Jester {}, Rule::PossibleHands);
    game.when(0, king(1), [face(Queen::Moon)]);
    game.refused(1, king(2), Rule::PossibleHands);
    game.refused(1, potion(A, Queen::Moon), Rule::PossibleHands);
    game.when(1, knight(A, Queen::Moon), []).turn_is(0);
    game.refused(0, defend(Card::Dragon), Rule::PossibleHands);
    assert_eq!(
        SleepingQueens::legal_moves(&game.state, A),
        [Move::Allow {}]
    );
}

#[test]
fn sq_7_1_takes_the_last_card_of_a_kind() {
    let mut game = table(2);
    game.when(0, discard(&[Card::One, Card::One]), []);
    game.when(1, discard(&[Card::One]), []);
    game.when(0, discard(&[Card::One]), []);
}

#[test]
fn sq_7_1_a_card_that_was_seen_going_in_is_nobody_elses() {
    let mut game = table(2);
    for card in [Card::Dragon, Card::Wand, Card::Wand, Card::Wand] {
        game.when(0, Move::Jester {}, [top(card)]);
    }
    game.when(0, discard(&[Card::Dragon]), []);
    game.refused(1, discard(&[Card::Wand]), Rule::PossibleHands);
    game.when(1, discard(&[Card::Dragon]), []);
    game.when(0, discard(&[Card::Wand]), []);
}

#[test]
fn sq_7_1_known_cards_leave_room_for_so_many_others() {
    let mut game = table(2);
    for card in [Card::Dragon, Card::Wand, Card::Wand, Card::King] {
        game.when(0, Move::Jester {}, [top(card)]);
    }
    let violation = game.refused(0, discard(&[Card::Four, Card::Four]), Rule::PossibleHands);
    assert_eq!(violation.clue, Some(Clue::Place("hand 0".to_owned())));
    let bearing = |event: &Event| {
        SleepingQueens::bears_on(event, violation.clue.as_ref().expect("a contradiction"))
    };
    assert!(bearing(&Event::CardTurnedUp {
        seat: A,
        card: Card::Wand
    }));
    assert!(!bearing(&Event::CardTurnedUp {
        seat: B,
        card: Card::Wand
    }));
    game.when(0, discard(&[Card::Four]), []);
}

#[test]
fn sq_7_1_a_hand_that_is_wholly_known_breaks_the_rule_of_the_move() {
    let mut game = table(2);
    for card in [Card::Dragon, Card::Wand, Card::Wand, Card::Jester] {
        game.when(0, Move::Jester {}, [top(card)]);
    }
    game.when(0, Move::Jester {}, [top(Card::Potion)]);
    game.state.hands[0].unknown = 0;
    let violation = game.refused(0, king(1), Rule::King);
    assert_eq!(violation.clue, None);
}

#[test]
fn sq_7_1_shuffled_cards_are_unaccounted_for_again() {
    let mut game = without_ones();
    shorten(&mut game, 0, &[Card::Two]);
    game.when(0, discard(&[Card::Two]), [])
        .shows(Rule::Reshuffle);
    // One card has been drawn since, and nobody saw which.
    game.when(1, discard(&[Card::One]), []).turn_is(0);
}

#[test]
fn sq_7_1_just_after_a_shuffle_the_cards_shuffled_lie_in_the_draw_pile() {
    let mut game = without_ones();
    shorten(&mut game, 0, &[Card::Jester]);
    game.when(0, Move::Jester {}, [top(Card::Knight)])
        .shows(Rule::Reshuffle)
        .turn_is(0);
    let violation = game.refused(0, discard(&[Card::One]), Rule::PossibleHands);
    let clue = violation.clue.expect("a contradiction");
    assert!(SleepingQueens::bears_on(&Event::Reshuffled {}, &clue));
    assert!(!SleepingQueens::bears_on(
        &Event::Discarded {
            seat: A,
            cards: vec![Card::One].into()
        },
        &clue
    ));
}

/// Lays out the unseen cards so that a hand has these: a virtual game that a table's record allows.
fn laid_out_for(state: &State, seat: Seat, cards: &[Card]) -> State {
    let mut virtual_state = *state;
    virtual_state.mode = Mode::Virtual;
    let mut rest = state.unaccounted();
    let mut give = |hand: &mut Hand<Card>, card: Card| {
        assert!(
            rest.take(card) && hand.unknown > 0,
            "{card} cannot be there"
        );
        hand.unknown -= 1;
        hand.known.add(card);
    };
    let hand = &mut virtual_state.hands[seat.index()];
    let needed = cards
        .iter()
        .copied()
        .collect::<Bag<Card>>()
        .less(&hand.known);
    needed.cards().for_each(|card| give(hand, card));
    let mut pile = Bag::EMPTY;
    let mut pool = state.pile.pool;
    for card in rest.cards() {
        if pile.len() < state.pile.size && pool.take(card) {
            pile.add(card);
        }
    }
    assert_eq!(pile.len(), state.pile.size, "the draw pile lacks cards");
    let mut others = rest.less(&pile).cards().collect::<Vec<_>>();
    for hand in &mut virtual_state.hands {
        for card in others.drain(..usize::from(hand.unknown)) {
            hand.known.add(card);
        }
        hand.unknown = 0;
    }
    assert!(others.is_empty(), "the hands have room for all the others");
    virtual_state.pile = Pile::of(pile);
    virtual_state
}

#[test]
fn sq_7_1_whatever_a_table_accepts_some_deal_allows() {
    let player = crate::playout::RandomPlayer { keen: 0.0 };
    let mut shuffler = crate::dealer::Shuffler::seeded(3);
    let deck = Deck {
        king: 2,
        ..Deck::default()
    };
    for seats in 2..=5 {
        let options = Options {
            deck: deck.clone(),
            ..Options::default()
        };
        let mut game = Game::table(seats, options);
        while let Turn::Seat(seat) = SleepingQueens::turn(&game.state) {
            let legal = SleepingQueens::legal_moves(&game.state, seat);
            for mv in &legal {
                let cards = match mv {
                    Move::King { .. } => vec![Card::King],
                    Move::Knight { .. } => vec![Card::Knight],
                    Move::Potion { .. } => vec![Card::Potion],
                    Move::Jester {} => vec![Card::Jester],
                    Move::Defend { card } => vec![*card],
                    Move::Discard { cards } => cards.to_vec(),
                    Move::Allow {} | Move::Wake { .. } => vec![],
                };
                let deal = laid_out_for(&game.state, seat, &cards);
                SleepingQueens::decide(&deal, seat, mv).expect("some deal allows it");
            }
            let mv = player.choose::<SleepingQueens>(&game.state, &legal, &mut shuffler);
            game.when(seat.number(), mv.expect("a legal move").clone(), []);
            while let Turn::Chance(_) = SleepingQueens::turn(&game.state) {
                let outcome = SleepingQueens::sample(&game.state, &mut shuffler);
                game.declare([outcome]);
            }
        }
    }
}

#[test]
fn sq_7_1_a_virtual_hand_is_judged_by_what_is_in_it() {
    let game = holding(2, &[&[Card::One]]);
    let violation = game.refused(0, discard(&[Card::Two]), Rule::Discard);
    assert_eq!(violation.clue, None);
}

#[test]
pub(super) fn sq_7_2_a_queen_on_record_is_the_one_who_wakes() {
    let mut game = table(2);
    game.when(0, king(4), [face(Queen::Moon)]);
    game.when(1, potion(A, Queen::Moon), []);
    game.when(0, Move::Allow {}, []);
    let mut asked = game.clone();
    asked.state.evolve(&Event::KingPlayed {
        seat: A,
        slot: slot(4),
    });
    let violation = asked.impossible(face(Queen::Heart), Rule::SeenQueens);
    assert_eq!(violation.clue, Some(Clue::Place("4".to_owned())));
    assert_eq!(
        SleepingQueens::on_record(&asked.state),
        Some(face(Queen::Moon))
    );
    game.when(0, king(4), []).then(&Event::QueenWoken {
        seat: A,
        slot: slot(4),
        queen: Queen::Moon,
    });
}

#[test]
fn sq_7_2_a_declared_face_is_checked_against_the_record() {
    let mut game = table(2);
    game.when(0, king(4), [face(Queen::Moon)]);
    game.when(1, potion(A, Queen::Moon), []);
    game.when(0, Move::Allow {}, []);
    game.state.evolve(&Event::KingPlayed {
        seat: A,
        slot: slot(4),
    });
    let setup = crate::ruleset::Setup {
        seats: 2,
        options: Options::default(),
        rules_version: 1,
        mode: Mode::Table,
    };
    let mut course = Course::<SleepingQueens>::new(&setup).expect("a usual game");
    course.state = game.state;
    let declared = |queen| {
        let given = vec![face(queen)];
        let mut source = Source::of(&crate::dealer::Dealer::Table, given)?;
        course.next_outcome(&mut source)
    };
    let refused = declared(Queen::Heart).expect_err("another queen lies there");
    assert_eq!(refused.rule, Rule::SeenQueens.citation());
    let step = declared(Queen::Moon)
        .expect("she lies there")
        .expect("she is due");
    assert_eq!(step.entry, None);
}

#[test]
fn cm_5_a_queen_lies_in_one_place() {
    let mut game = table(2);
    game.when(0, king(4), [face(Queen::Moon)]);
    game.when(1, king(5), []);
    let violation = game.impossible(face(Queen::Moon), Common::Knowledge);
    let clue = violation.clue.expect("a contradiction");
    assert!(SleepingQueens::bears_on(
        &Event::QueenWoken {
            seat: A,
            slot: slot(4),
            queen: Queen::Moon
        },
        &clue
    ));
    game.declare([face(Queen::Heart)]);
}

#[test]
fn cm_5_a_jester_turns_up_what_can_lie_in_the_draw_pile() {
    let mut game = without_ones();
    game.when(0, Move::Jester {}, []);
    let violation = game.impossible(top(Card::One), Common::Knowledge);
    assert_eq!(violation.clue, clue_card(Card::One));
    game.declare([top(Card::Two)]);
}

#[test]
fn cm_4_after_a_shuffle_only_the_cards_shuffled_can_be_turned_up() {
    let mut game = table(2);
    let stay = [Card::Ten, Card::Ten, Card::Ten, Card::Ten, Card::Jester];
    shorten(&mut game, 0, &stay);
    game.when(0, Move::Jester {}, []);
    let violation = game.impossible(top(Card::Ten), Common::Knowledge);
    let clue = violation.clue.expect("a contradiction");
    assert!(SleepingQueens::bears_on(&Event::Reshuffled {}, &clue));
    game.declare([top(Card::Jester)]);
}

#[test]
fn cm_4_nobody_at_a_table_names_a_hidden_draw() {
    let mut game = table(2);
    game.state.evolve(&Event::Discarded {
        seat: A,
        cards: vec![Card::One].into(),
    });
    game.impossible(drawn(A, &[Card::King]), Common::Chance);
    assert_eq!(
        SleepingQueens::face_down(&game.state),
        Some(Outcome::Draw(Draw {
            seat: A,
            drawn: Drawn::Counted { count: 1 }
        }))
    );
}

#[test]
fn cm_4_a_draw_comes_from_the_draw_pile() {
    let mut game = holding(2, &[&[Card::One; 4], &[]]);
    game.state.evolve(&Event::Discarded {
        seat: A,
        cards: vec![Card::One].into(),
    });
    game.impossible(drawn(A, &[Card::One, Card::Two]), Common::Chance);
    game.declare([drawn(A, &[Card::Two, Card::Two])]).turn_is(1);
}

/// Which of these events, by their places from 0, say something about a clue and still hold after
/// the last of them.
fn evidence(events: &[Event], clue: &Clue) -> Vec<u64> {
    SleepingQueens::evidence((0..).zip(events), clue, Viewer::Spectator)
}

fn laid(seat: Seat, card: Card) -> Event {
    let cards = [card].into_iter().collect();
    Event::Discarded { seat, cards }
}

fn turned_up(seat: Seat, card: Card) -> Event {
    Event::CardTurnedUp { seat, card }
}

#[test]
fn evidence_of_the_discard_pile_ends_with_a_shuffle() {
    let events = [
        laid(A, Card::Ten),
        turned_up(A, Card::Ten),
        Event::Reshuffled {},
        laid(B, Card::Ten),
    ];
    let clue = clue_card(Card::Ten).expect("a clue");
    assert_eq!(evidence(&events[..2], &clue), [0, 1]);
    assert_eq!(evidence(&events, &clue), [3]);
}

#[test]
fn evidence_of_the_draw_pile_is_the_last_shuffle() {
    let events = [
        Event::Reshuffled {},
        laid(A, Card::Ten),
        Event::Reshuffled {},
    ];
    let clue = Clue::Place(super::super::knowledge::DRAW_PILE.to_owned());
    assert_eq!(evidence(&events, &clue), [2]);
}

#[test]
fn evidence_of_a_queen_outlasts_shuffles() {
    let woken = Event::QueenWoken {
        seat: A,
        slot: slot(1),
        queen: Queen::Moon,
    };
    let clue = Clue::Card(Queen::Moon.name().to_owned());
    assert_eq!(evidence(&[woken, Event::Reshuffled {}], &clue), [0]);
}

#[test]
fn evidence_of_a_card_brought_to_a_hand_ends_when_that_hand_lays_it_down() {
    let events = [
        turned_up(A, Card::Wand),
        Event::Reshuffled {},
        laid(B, Card::Wand),
        laid(A, Card::Wand),
        Event::Reshuffled {},
    ];
    let clue = clue_card(Card::Wand).expect("a clue");
    assert_eq!(evidence(&events[..3], &clue), [0, 2]);
    assert_eq!(evidence(&events[..4], &clue), [2, 3]);
    assert_eq!(evidence(&events, &clue), Vec::<u64>::new());
}

#[test]
fn evidence_of_two_cards_brought_to_a_hand_holds_for_the_one_that_stays() {
    let king = Event::KingPlayed {
        seat: A,
        slot: slot(1),
    };
    let events = [
        turned_up(A, Card::King),
        turned_up(A, Card::King),
        king.clone(),
        king,
    ];
    let clue = clue_card(Card::King).expect("a clue");
    assert_eq!(evidence(&events[..3], &clue), [1, 2]);
    assert_eq!(evidence(&events, &clue), [2, 3]);
}

#[test]
fn an_outcome_answers_what_is_asked() {
    let draw = Due::Draw { seat: A, count: 1 };
    let asked = [Due::Queen { slot: slot(1) }, Due::TopCard {}, draw];
    let given = [face(Queen::Moon), top(Card::One), drawn(A, &[Card::One])];
    for (place, due) in asked.iter().enumerate() {
        for (other, outcome) in given.iter().enumerate() {
            assert_eq!(SleepingQueens::answers(due, outcome), place == other);
        }
    }
    let [.., draw] = asked;
    assert!(!SleepingQueens::answers(&draw, &drawn(B, &[Card::One])));
    assert!(!SleepingQueens::answers(
        &draw,
        &drawn(A, &[Card::One, Card::Two])
    ));
}
