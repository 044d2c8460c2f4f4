//! SQ-4: queens with a property.

use super::*;

#[test]
pub(super) fn sq_4_1_the_rose_queen_wakes_another() {
    let mut game = table(2);
    game.when(0, king(1), [face(Queen::Rose)])
        .then(&Event::WakeGranted { seat: A })
        .shows(Rule::Rose)
        .turn_is(0);
    game.when(0, wake(2), [face(Queen::Moon)])
        .shows(Rule::Rose)
        .turn_is(1);
    assert_eq!(queens_of(&game, A), [Queen::Rose, Queen::Moon]);
}

#[test]
pub(super) fn sq_4_1_the_other_is_woken_before_anything_else() {
    let mut game = table(2);
    game.when(0, king(1), [face(Queen::Rose)]);
    for mv in [
        king(2),
        Move::Jester {},
        discard(&[Card::One]),
        Move::Allow {},
        wake(1),
    ] {
        game.refused(0, mv, Rule::Rose);
    }
}

#[test]
fn sq_4_1_a_rose_queen_who_slept_again_wakes_another_again() {
    let mut game = table(2);
    open(&mut game, A, &[(1, Queen::Rose)]);
    game.when(0, discard(&[Card::One]), []);
    game.when(1, potion(A, Queen::Rose), []);
    game.when(0, Move::Allow {}, []);
    game.when(0, king(1), [])
        .then(&Event::WakeGranted { seat: A })
        .turn_is(0);
}

#[test]
fn sq_4_1_the_last_to_wake_wakes_nobody() {
    use Queen::*;
    let mut game = table(3);
    laid_out(&mut game, A, &[Cake, Rainbow, Pancake, Heart]);
    laid_out(&mut game, B, &[Starfish, Cat, Ladybug, Moon]);
    laid_out(&mut game, C, &[Dog, Peacock, Sunflower]);
    game.when(0, discard(&[Card::One]), []);
    game.when(1, discard(&[Card::One]), []);
    game.when(2, king(place_of(Rose)), [face(Rose)])
        .shows(Rule::AllAwake);
    assert!(
        !game
            .last
            .iter()
            .any(|effect| matches!(effect.event, Event::WakeGranted { .. }))
    );
}

#[test]
pub(super) fn sq_4_2_the_one_just_woken_goes_back() {
    for (held, woken) in [(Queen::Cat, Queen::Dog), (Queen::Dog, Queen::Cat)] {
        let mut game = table(2);
        open(&mut game, A, &[(6, held)]);
        game.when(0, king(9), [face(woken)])
            .then(&Event::QueenWentBack {
                slot: slot(9),
                queen: woken,
            })
            .shows(Rule::CatAndDog)
            .turn_is(1);
        assert_eq!(queens_of(&game, A), [held]);
        assert!(game.state.sleeps(slot(9)));
        assert_eq!(game.state.going_back, None);
    }
}

#[test]
fn sq_4_2_until_the_end_of_the_turn_both_lie_open() {
    let mut game = holding(2, &[&[Card::King]]);
    open(&mut game, A, &[(6, Queen::Cat)]);
    game.when(0, king(9), [face(Queen::Dog)]);
    assert_eq!(queens_of(&game, A), [Queen::Cat, Queen::Dog]);
    let view = SleepingQueens::view(&game.state, Viewer::Spectator);
    assert_eq!(view.going_back, Some(Queen::Dog));
}

#[test]
fn sq_4_2_what_others_hold_does_not_matter() {
    let mut game = table(2);
    open(&mut game, B, &[(6, Queen::Cat)]);
    game.when(0, king(9), [face(Queen::Dog)]).turn_is(1);
    assert_eq!(queens_of(&game, A), [Queen::Dog]);
}

#[test]
fn sq_4_2_holds_for_a_player_who_is_not_on_turn() {
    let mut game = table(3);
    open(&mut game, B, &[(6, Queen::Dog)]);
    game.when(0, Move::Jester {}, [top(Card::Two)]);
    game.when(1, wake(4), [face(Queen::Cat)])
        .then(&Event::QueenWentBack {
            slot: slot(4),
            queen: Queen::Cat,
        })
        .turn_is(1);
    assert_eq!(queens_of(&game, B), [Queen::Dog]);
}

#[test]
fn sq_4_2_holds_for_the_wake_that_the_rose_queen_grants() {
    let mut game = table(2);
    open(&mut game, A, &[(6, Queen::Dog)]);
    game.when(0, king(1), [face(Queen::Rose)]);
    game.when(0, wake(2), [face(Queen::Cat)])
        .shows(Rule::CatAndDog)
        .turn_is(1);
    assert_eq!(queens_of(&game, A), [Queen::Rose, Queen::Dog]);
}

#[test]
pub(super) fn sq_4_3_a_knight_does_not_make_the_pair() {
    for (held, named) in [(Queen::Cat, Queen::Dog), (Queen::Dog, Queen::Cat)] {
        let mut game = holding(2, &[&[Card::Knight, Card::Potion]]);
        open(&mut game, A, &[(6, held)]);
        open(&mut game, B, &[(7, named), (8, Queen::Moon)]);
        game.refused(0, knight(B, named), Rule::NoStolenPair);
        assert_eq!(
            SleepingQueens::legal_moves(&game.state, A)
                .iter()
                .filter(|mv| matches!(mv, Move::Knight { .. }))
                .collect::<Vec<_>>(),
            [&knight(B, Queen::Moon)]
        );
        game.when(0, potion(B, named), []).turn_is(1);
    }
}
