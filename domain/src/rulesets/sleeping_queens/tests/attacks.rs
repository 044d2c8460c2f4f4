//! SQ-3.2, SQ-3.3, SQ-3.6 and SQ-5: attacks and answers.

use super::*;

/// A game of two in which B has the moon and the cat queen, and A is on turn.
fn facing(attacker: &[Card], defender: &[Card]) -> Game {
    let mut game = holding(2, &[attacker, defender]);
    open(&mut game, B, &[(3, Queen::Moon), (5, Queen::Cat)]);
    game
}

/// The same at a table.
fn facing_at_a_table() -> Game {
    let mut game = table(2);
    open(&mut game, B, &[(3, Queen::Moon), (5, Queen::Cat)]);
    game
}

#[test]
pub(super) fn sq_3_2_a_knight_brings_the_queen_over() {
    let mut game = facing_at_a_table();
    game.when(0, knight(B, Queen::Moon), []).turn_is(1);
    assert_eq!(queens_of(&game, A), []);
    game.when(1, Move::Allow {}, [])
        .then(&Event::QueenStolen {
            seat: A,
            queen: Queen::Moon,
        })
        .shows(Rule::Knight)
        .turn_is(1);
    assert_eq!(queens_of(&game, A), [Queen::Moon]);
    assert_eq!(queens_of(&game, B), [Queen::Cat]);
    assert!(game.state.discard.has(Card::Knight));
    assert_eq!(game.state.hand(A).len(), 5);
}

#[test]
pub(super) fn sq_3_3_a_potion_sends_the_queen_back_to_her_place() {
    let mut game = facing_at_a_table();
    game.when(0, potion(B, Queen::Moon), []);
    game.when(1, Move::Allow {}, [])
        .then(&Event::QueenPutToSleep {
            slot: slot(3),
            queen: Queen::Moon,
        })
        .shows(Rule::Potion)
        .turn_is(1);
    assert!(game.state.sleeps(slot(3)));
    // Her face is on record: nobody declares it.
    game.when(1, king(3), []).then(&Event::QueenWoken {
        seat: B,
        slot: slot(3),
        queen: Queen::Moon,
    });
}

#[test]
fn sq_3_3_a_stolen_queen_goes_back_to_the_place_that_she_was_woken_from() {
    let mut game = facing_at_a_table();
    game.when(0, knight(B, Queen::Moon), []);
    game.when(1, Move::Allow {}, []);
    game.when(1, potion(A, Queen::Moon), []);
    game.when(0, Move::Allow {}, []);
    assert!(game.state.sleeps(slot(3)));
    assert_eq!(game.state.at(slot(3)).queen, Some(Queen::Moon));
}

#[test]
pub(super) fn sq_3_2_and_3_3_need_the_card_and_an_open_queen_of_another() {
    let armed = facing(&[Card::Knight, Card::Potion], &[]);
    let unarmed = facing(&[Card::King], &[]);
    for (with, rule) in [
        (Attack::Knight, Rule::Knight),
        (Attack::Potion, Rule::Potion),
    ] {
        let mut own = armed.clone();
        open(&mut own, A, &[(1, Queen::Rose)]);
        own.refused(0, attack(with, A, Queen::Rose), rule);
        armed.refused(0, attack(with, Seat::new(4), Queen::Moon), rule);
        armed.refused(0, attack(with, B, Queen::Rose), rule);
        unarmed.refused(0, attack(with, B, Queen::Moon), rule);
    }
}

#[test]
fn attacks_are_listed_by_seat_and_queen() {
    let mut game = holding(3, &[&[Card::Knight, Card::Potion]]);
    open(&mut game, C, &[(1, Queen::Heart), (2, Queen::Cake)]);
    open(&mut game, B, &[(3, Queen::Moon), (4, Queen::Dog)]);
    open(&mut game, A, &[(5, Queen::Cat)]);
    assert_eq!(
        SleepingQueens::legal_moves(&game.state, A)[..7],
        [
            knight(B, Queen::Moon),
            knight(C, Queen::Cake),
            knight(C, Queen::Heart),
            potion(B, Queen::Dog),
            potion(B, Queen::Moon),
            potion(C, Queen::Cake),
            potion(C, Queen::Heart),
        ]
    );
}

#[test]
pub(super) fn sq_3_6_a_dragon_or_wand_is_no_action() {
    let game = holding(2, &[&[Card::Dragon, Card::Wand]]);
    game.refused(0, defend(Card::Dragon), Rule::NoAction);
    game.refused(0, defend(Card::Wand), Rule::NoAction);
}

#[test]
fn sq_5_1_without_an_attack_no_other_card_answers_anything() {
    let game = holding(2, &[&[Card::King]]);
    game.refused(0, defend(Card::King), Rule::Answer);
}

#[test]
pub(super) fn sq_5_1_nothing_happens_before_the_answer() {
    let mut game = facing_at_a_table();
    game.when(0, knight(B, Queen::Moon), []).turn_is(1);
    for mv in [
        king(1),
        knight(A, Queen::Moon),
        potion(A, Queen::Moon),
        Move::Jester {},
        wake(1),
        discard(&[Card::One]),
    ] {
        game.refused(1, mv, Rule::Answer);
    }
    assert_eq!(
        SleepingQueens::legal_moves(&game.state, B),
        [defend(Card::Dragon), Move::Allow {}]
    );
}

#[test]
pub(super) fn sq_5_1_without_an_attack_there_is_nothing_to_allow() {
    table(2).refused(0, Move::Allow {}, Rule::Answer);
}

#[test]
pub(super) fn sq_5_2_asks_whatever_is_in_the_hand() {
    for hand in [&[Card::Dragon][..], &[Card::King], &[]] {
        for with in [Attack::Knight, Attack::Potion] {
            let mut game = facing(&[Card::Knight, Card::Potion], hand);
            game.when(0, attack(with, B, Queen::Moon), [])
                .then(&Event::AnswerAsked { seat: B })
                .shows(Rule::AlwaysAsked)
                .turn_is(1);
        }
    }
}

#[test]
pub(super) fn sq_5_3_defender_and_attacker_draw() {
    for (with, card) in [(Attack::Knight, Card::Dragon), (Attack::Potion, Card::Wand)] {
        let mut game = facing_at_a_table();
        game.when(0, attack(with, B, Queen::Moon), []);
        game.when(1, defend(card), [])
            .then(&drew(B, 1))
            .then(&drew(A, 1))
            .shows(Rule::Defended)
            .turn_is(1);
        assert_eq!(game.last[1].event, drew(B, 1), "the defender draws first");
        assert!(game.state.discard.has(with.card()) && game.state.discard.has(card));
        assert_eq!(queens_of(&game, B), [Queen::Cat, Queen::Moon]);
    }
}

#[test]
fn sq_5_3_the_defender_draws_one_card_and_the_attacker_all_that_are_missing() {
    let mut game = facing_at_a_table();
    game.state.hands[0].unknown = 3;
    game.state.hands[1].unknown = 3;
    game.when(0, knight(B, Queen::Moon), []);
    game.when(1, defend(Card::Dragon), [])
        .then(&drew(B, 1))
        .then(&drew(A, 3))
        .turn_is(1);
    assert_eq!(game.state.hand(B).len(), 3);
}

#[test]
fn sq_5_3_a_reshuffle_before_the_defender_draws_includes_both_cards() {
    let mut game = facing_at_a_table();
    shorten(&mut game, 0, &[Card::Knight, Card::Dragon]);
    let discarded = game.state.discard.len();
    game.when(0, knight(B, Queen::Moon), []);
    game.when(1, defend(Card::Dragon), [])
        .then(&Event::Reshuffled {});
    assert_eq!(game.state.pile.size, discarded + 2 - 2);
    assert!(game.state.discard.is_empty());
}

#[test]
fn sq_5_3_the_defenders_own_turn_comes_as_usual() {
    let mut game = table(3);
    open(&mut game, C, &[(3, Queen::Moon)]);
    game.when(0, knight(C, Queen::Moon), []);
    game.when(2, defend(Card::Dragon), []).turn_is(1);
    game.when(1, discard(&[Card::One]), []).turn_is(2);
}

#[test]
pub(super) fn sq_5_4_let_happen_is_final() {
    let mut game = facing(&[Card::Knight], &[Card::Dragon]);
    game.when(0, knight(B, Queen::Moon), []);
    game.when(
        1,
        Move::Allow {},
        [drawn(
            A,
            &[Card::One, Card::Two, Card::Three, Card::Four, Card::Five],
        )],
    )
    .turn_is(1);
    game.refused(1, defend(Card::Dragon), Rule::Final);
    game.refused(1, Move::Allow {}, Rule::Final);
}

#[test]
pub(super) fn sq_5_5_needs_the_right_card() {
    use Card::*;
    let mut game = facing(&[Knight, Potion], &[Dragon, Wand, King]);
    game.when(0, knight(B, Queen::Moon), []);
    game.refused(1, defend(Wand), Rule::RightCard);
    game.refused(1, defend(King), Rule::RightCard);
    let mut game = facing(&[Knight, Potion], &[Dragon, Wand, King]);
    game.when(0, potion(B, Queen::Moon), []);
    game.refused(1, defend(Dragon), Rule::RightCard);
    let mut game = facing(&[Knight, Potion], &[King]);
    game.when(0, knight(B, Queen::Moon), []);
    game.refused(1, defend(Dragon), Rule::RightCard);
}

#[test]
fn who_is_attacked_learns_nothing_more_than_the_table() {
    let hand = &[Card::Dragon, Card::One, Card::Two, Card::Three, Card::Four];
    let other = &[Card::King, Card::One, Card::Two, Card::Three, Card::Four];
    let seen_by = |viewer: Viewer, hand: &[Card]| {
        let mut game = facing(&[Card::Knight], hand);
        let effects = game.when(0, knight(B, Queen::Moon), []).last.clone();
        let seen: Vec<_> = effects
            .iter()
            .map(|effect| {
                (
                    SleepingQueens::mask(&effect.event, viewer).into_owned(),
                    effect.rule,
                )
            })
            .collect();
        (
            seen,
            SleepingQueens::view(&game.state, viewer),
            SleepingQueens::turn(&game.state),
        )
    };
    for viewer in [Viewer::Seat(A), Viewer::Spectator] {
        assert_eq!(seen_by(viewer, hand), seen_by(viewer, other));
    }
}
