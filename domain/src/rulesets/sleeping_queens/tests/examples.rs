//! The worked examples of the rulebook, in its order.

use super::*;

#[test]
fn example_1_the_count_goes_round_to_the_player() {
    let mut game = table(3);
    game.when(0, Move::Jester {}, [top(Card::Four)])
        .then(&Event::Counted { seat: A })
        .turn_is(0);
}

#[test]
fn example_2_a_sum_goes_together() {
    use Card::*;
    let mut game = holding(2, &[&[One, Three, Four, Five, King]]);
    game.refused(0, discard(&[One, Three, Five]), Rule::Discard);
    game.when(0, discard(&[One, Three, Four]), []);
}

#[test]
fn example_3_pairs_and_sums() {
    use Card::*;
    let game = table(2);
    game.clone().when(0, discard(&[Four, Four]), []);
    game.clone().when(0, discard(&[Two, Two, Four]), []);
    game.refused(0, discard(&[Four, Four, Four]), Rule::Discard);
}

#[test]
fn example_4_the_dog_queen_sleeps_again_beside_the_cat_queen() {
    let mut game = table(3);
    open(&mut game, C, &[(2, Queen::Cat)]);
    game.when(0, discard(&[Card::One]), []);
    game.when(1, discard(&[Card::One]), []);
    game.when(2, king(8), [face(Queen::Dog)])
        .then(&Event::QueenWentBack {
            slot: slot(8),
            queen: Queen::Dog,
        });
    assert_eq!(queens_of(&game, C), [Queen::Cat]);
}

#[test]
fn example_5_who_holds_no_dragon_is_asked_all_the_same() {
    let mut game = holding(2, &[&[Card::King; 5], &[Card::Knight]]);
    open(&mut game, A, &[(2, Queen::Moon)]);
    game.state.seat = B;
    game.when(1, knight(A, Queen::Moon), []).turn_is(0);
    assert_eq!(
        SleepingQueens::legal_moves(&game.state, A),
        [Move::Allow {}]
    );
}

#[test]
fn example_6_a_dragon_does_not_answer_a_potion() {
    let mut game = table(2);
    open(&mut game, A, &[(2, Queen::Moon)]);
    game.when(0, discard(&[Card::One]), []);
    game.when(1, potion(A, Queen::Moon), []);
    game.refused(0, defend(Card::Dragon), Rule::RightCard);
}

#[test]
fn example_7_five_queens_worth_forty_win_for_three() {
    use Queen::*;
    let mut game = table(3);
    laid_out(&mut game, A, &[Rose, Cake, Rainbow, Starfish]);
    game.when(0, king(place_of(Heart)), [face(Heart)])
        .shows(Rule::Enough);
    let Turn::Over(ending) = SleepingQueens::turn(&game.state) else {
        panic!("the game goes on")
    };
    assert_eq!(ending.standing.scores, [40, 0, 0]);
    assert_eq!(ending.standing.winners, [A]);
}

#[test]
fn example_8_the_rose_queen_is_hers_who_wakes_her() {
    let mut game = table(3);
    game.when(0, Move::Jester {}, [top(Card::Two)]).turn_is(1);
    game.when(1, wake(3), [face(Queen::Rose)]).turn_is(1);
    game.when(1, wake(4), [face(Queen::Moon)]).turn_is(1);
    assert_eq!(queens_of(&game, B), [Queen::Rose, Queen::Moon]);
    // B has not had a turn yet.
    game.shows(Rule::Clockwise);
}

#[test]
fn example_9_a_stolen_rose_queen_wakes_nobody() {
    let mut game = table(2);
    open(&mut game, B, &[(1, Queen::Rose)]);
    game.when(0, knight(B, Queen::Rose), []);
    game.when(1, Move::Allow {}, []).turn_is(1);
    assert_eq!(queens_of(&game, A), [Queen::Rose]);
    assert_eq!(game.state.phase, Phase::Acting);
}

#[test]
fn example_10_a_jester_that_turns_up_a_jester() {
    let mut game = table(3);
    for _ in 0..4 {
        game.when(0, Move::Jester {}, [top(Card::Jester)])
            .turn_is(0);
        assert_eq!(game.state.hand(A).known.count(Card::Jester), 1);
    }
    assert_eq!(game.state.discard.count(Card::Jester), 4);
    game.refused(1, Move::Jester {}, Rule::PossibleHands);
}

#[test]
fn example_11_the_count_gives_another_player_the_fifth_queen() {
    use Queen::*;
    let mut game = table(3);
    laid_out(&mut game, B, &[Cake, Rainbow, Starfish, Moon]);
    game.when(0, Move::Jester {}, [top(Card::Two)]);
    game.when(1, wake(place_of(Ladybug)), [face(Ladybug)])
        .then(&drew(A, 1))
        .shows(Rule::Enough);
    let Turn::Over(ending) = SleepingQueens::turn(&game.state) else {
        panic!("the game goes on")
    };
    assert_eq!(ending.standing.winners, [B]);
}

#[test]
fn example_12_a_queen_who_goes_back_is_no_fifth() {
    use Queen::*;
    let mut game = table(3);
    laid_out(&mut game, A, &[Cat, Cake, Rainbow, Starfish]);
    game.when(0, king(place_of(Dog)), [face(Dog)]).turn_is(1);
}
