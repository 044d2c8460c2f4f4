//! SQ-3: what the player on turn does, and what is drawn.

use super::*;

#[test]
pub(super) fn sq_3_1_a_king_wakes_the_queen_in_a_place() {
    let mut game = table(2);
    game.when(0, king(4), [face(Queen::Moon)])
        .then(&Event::QueenWoken {
            seat: A,
            slot: slot(4),
            queen: Queen::Moon,
        })
        .shows(Rule::King);
    assert_eq!(queens_of(&game, A), [Queen::Moon]);
    assert_eq!(game.state.discard.count(Card::King), 1);
    game.turn_is(1);
}

#[test]
fn sq_3_1_waits_for_the_face_of_the_queen() {
    let mut game = table(2);
    game.when(0, king(4), []);
    assert_eq!(
        SleepingQueens::turn(&game.state),
        Turn::Chance(Due::Queen { slot: slot(4) })
    );
    game.declare([face(Queen::Moon)]).turn_is(1);
}

#[test]
pub(super) fn sq_3_1_needs_a_king_and_a_sleeping_queen() {
    let mut game = holding(2, &[&[Card::Jester, Card::One], &[Card::King]]);
    game.refused(0, king(1), Rule::King);
    open(&mut game, A, &[(1, Queen::Moon)]);
    game.state.seat = B;
    game.refused(1, king(1), Rule::King);
}

#[test]
pub(super) fn sq_3_4_counts_clockwise_from_the_player() {
    for (seats, card, on) in [
        (2, Card::One, 1),
        (2, Card::Ten, 0),
        (5, Card::Ten, 0),
        (5, Card::Three, 3),
        (4, Card::Nine, 1),
    ] {
        let mut game = table(seats);
        game.when(0, discard(&[Card::Two]), []);
        game.when(1, Move::Jester {}, [top(card)])
            .then(&Event::Counted {
                seat: Seat::new(on),
            })
            .shows(Rule::Jester)
            .turn_is(on);
        assert!(game.state.discard.has(card));
        let queen = face(Queen::Moon);
        game.when(on, wake(7), [queen]).shows(Rule::Jester);
        assert_eq!(queens_of(&game, Seat::new(on)), [Queen::Moon]);
        game.turn_is(2 % seats);
        assert!(Seat::all(seats).all(|seat| game.state.hand(seat).len() == 5));
    }
}

#[test]
pub(super) fn sq_3_4_a_card_that_is_no_number_goes_to_the_hand() {
    let mut game = table(3);
    game.when(0, Move::Jester {}, [top(Card::Dragon)])
        .then(&Event::AnotherTurn { seat: A })
        .shows(Rule::Jester)
        .turn_is(0);
    assert_eq!(game.state.hand(A).len(), 5);
    assert!(game.state.hand(A).known.has(Card::Dragon));
    assert!(!game.state.discard.has(Card::Dragon));
    game.when(0, discard(&[Card::Dragon]), []).turn_is(1);
}

#[test]
pub(super) fn sq_3_4_needs_a_jester() {
    let game = holding(2, &[&[Card::King, Card::Dragon]]);
    game.refused(0, Move::Jester {}, Rule::Jester);
}

#[test]
pub(super) fn sq_3_4_a_wake_must_be_owed_and_comes_first() {
    let mut game = table(3);
    game.refused(0, wake(1), Rule::Jester);
    game.when(0, king(1), [face(Queen::Moon)]);
    game.when(1, Move::Jester {}, [top(Card::Two)]).turn_is(2);
    for mv in [
        king(2),
        knight(A, Queen::Moon),
        potion(A, Queen::Moon),
        Move::Jester {},
        discard(&[Card::One]),
        defend(Card::Dragon),
        Move::Allow {},
        wake(1),
    ] {
        game.refused(2, mv, Rule::Jester);
    }
    let legal = SleepingQueens::legal_moves(&game.state, C);
    assert_eq!(legal, (2..=12).map(wake).collect::<Vec<_>>());
}

#[test]
pub(super) fn sq_3_5_says_what_goes_together() {
    use Card::*;
    let game = table(2);
    for cards in [
        &[Dragon][..],
        &[King],
        &[Ten],
        &[Four, Four],
        &[One, Three, Four],
        &[Four, One, Three],
        &[Two, Two, Four],
        &[One, One, One, One, Four],
        &[Ten, Two, Three, Four, One],
    ] {
        let mut game = game.clone();
        game.when(0, discard(cards), []).turn_is(1);
        assert_eq!(game.state.discard.len() as usize, cards.len());
    }
    for cards in [
        &[][..],
        &[King, King],
        &[Four, Five],
        &[Four, Four, Four],
        &[One, Three, Five],
        &[One, Three, Four, Four],
        &[King, One, One],
        &[Dragon, Four, Four],
        &[One, One, One, One, Four, Eight],
        &[One; 300],
    ] {
        game.refused(0, discard(cards), Rule::Discard);
    }
}

#[test]
fn sq_3_5_cards_are_recorded_as_they_were_named() {
    let mut game = table(2);
    let mv = discard(&[Card::Four, Card::One, Card::Three]);
    game.when(0, mv.clone(), []);
    let seat = A;
    let fact = &game.last[0].event;
    assert_eq!(SleepingQueens::cause(fact), Some(Cause::Move { seat, mv }));
}

#[test]
fn sq_3_5_cards_must_be_in_the_hand() {
    use Card::*;
    let game = holding(2, &[&[Four, One, Three, Dragon, Wand]]);
    for cards in [&[Five][..], &[Four, Four], &[One, Two, Three], &[King]] {
        game.refused(0, discard(cards), Rule::Discard);
    }
}

#[test]
fn sq_3_5_legal_moves_list_each_set_once_in_order() {
    use Card::*;
    let game = holding(2, &[&[Four, Two, One, Two, One]]);
    let expected: Vec<Move> = [
        &[One][..],
        &[Two],
        &[Four],
        &[One, One],
        &[Two, Two],
        &[One, One, Two],
        &[Two, Two, Four],
        &[One, One, Two, Four],
    ]
    .into_iter()
    .map(discard)
    .collect();
    assert_eq!(SleepingQueens::legal_moves(&game.state, A), expected);
}

#[test]
fn sq_3_5_at_a_table_everything_goes_that_the_deck_allows() {
    let discards = SleepingQueens::legal_moves(&table(2).state, A)
        .into_iter()
        .filter(|mv| matches!(mv, Move::Discard { .. }))
        .count();
    // 16 cards, 10 pairs, and a sum for each way to write 2 to 10 as 2, 3 or 4 numbers.
    assert_eq!(discards, 16 + 10 + 25 + 31 + 27);
}

#[test]
pub(super) fn sq_3_7_draws_up_to_five() {
    let mut game = table(2);
    game.when(0, discard(&[Card::One, Card::Three, Card::Four]), [])
        .then(&drew(A, 3))
        .shows(Rule::Refill)
        .turn_is(1);
    assert_eq!(game.state.pile.size, 67 - 10 - 3);
}

#[test]
pub(super) fn sq_3_8_shuffles_in_the_middle_of_a_draw() {
    let mut game = table(2);
    shorten(&mut game, 1, &[Card::One, Card::Three, Card::Four]);
    game.when(0, discard(&[Card::One, Card::Three, Card::Four]), [])
        .shows(Rule::Reshuffle)
        .turn_is(1);
    let events: Vec<_> = game.last[1..].iter().map(|effect| &effect.event).collect();
    assert_eq!(
        events,
        [
            &drew(A, 1),
            &Event::Reshuffled {},
            &drew(A, 2),
            &Event::TurnPassed { seat: B }
        ]
    );
    assert_eq!(game.state.pile.size, 67 - 10);
    assert!(game.state.discard.is_empty());
}

#[test]
fn sq_3_8_does_not_shuffle_before_a_card_is_needed() {
    let mut game = table(2);
    shorten(&mut game, 1, &[Card::One]);
    game.when(0, discard(&[Card::One]), []).turn_is(1);
    assert_eq!(game.state.pile.size, 0);
    assert!(
        !game
            .last
            .iter()
            .any(|effect| effect.event == Event::Reshuffled {})
    );
}

#[test]
pub(super) fn sq_3_8_shuffles_the_jester_too() {
    let mut game = table(2);
    shorten(&mut game, 0, &[Card::Jester]);
    let discarded = game.state.discard.len();
    game.when(0, Move::Jester {}, [])
        .then(&Event::Reshuffled {})
        .shows(Rule::Reshuffle);
    assert_eq!(game.state.pile.size, discarded + 1);
    game.declare([top(Card::Jester)]).turn_is(0);
}

#[test]
fn sq_3_8_a_jester_alone_turns_itself_up() {
    let mut game = holding(2, &[&[Card::Jester, Card::One]]);
    game.state.pile = Pile::of(Bag::EMPTY);
    for _ in 0..3 {
        game.when(0, Move::Jester {}, [top(Card::Jester)])
            .turn_is(0);
    }
}

#[test]
pub(super) fn sq_3_8_draws_what_there_is() {
    // No deck is so small (SQ-1.2): cards are taken from the box here.
    let mut game = table(2);
    game.state.pile = Pile::of(Bag::EMPTY);
    game.when(0, discard(&[Card::Four, Card::Four]), [])
        .then(&Event::Reshuffled {})
        .then(&drew(A, 2))
        .turn_is(1);
    assert_eq!(game.state.pile.size, 0);
    game.state.hands[1].unknown = 3;
    game.when(1, discard(&[Card::Two]), [])
        .shows(Rule::Reshuffle)
        .then(&drew(B, 1))
        .turn_is(0);
    assert_eq!(game.state.hand(B).len(), 3);
}
