//! SQ-6: the end.

use super::*;
use crate::ruleset::Standing;

#[track_caller]
fn ending(game: &Game) -> (Standing, &'static str) {
    match SleepingQueens::turn(&game.state) {
        Turn::Over(ending) => (ending.standing, ending.rule.expect("the rules end it").id),
        turn => panic!("the game goes on: {turn:?}"),
    }
}

#[test]
pub(super) fn sq_6_1_enough_queens_win() {
    use Queen::*;
    for (seats, before) in [
        (2, &[Rose, Cake, Rainbow, Starfish][..]),
        (3, &[Rose, Cake, Rainbow, Starfish]),
        (4, &[Rose, Cake, Rainbow]),
        (5, &[Rose, Cake, Rainbow]),
    ] {
        let mut game = table(seats);
        laid_out(&mut game, A, before);
        game.when(0, king(9), [face(Ladybug)])
            .then(&Event::LastTurnEnded {})
            .shows(Rule::Enough);
        let (standing, rule) = ending(&game);
        assert_eq!((standing.winners, rule), (vec![A], "SQ-6.1"));
        assert_eq!(standing.reason, "enough_queens");
    }
}

#[test]
pub(super) fn sq_6_1_enough_points_win() {
    use Queen::*;
    for (seats, before, last, points) in [
        (2, [Heart, Pancake], Cat, 50),
        (3, [Heart, Pancake], Cat, 50),
        (4, [Heart, Ladybug], Moon, 40),
        (5, [Heart, Ladybug], Moon, 40),
    ] {
        let mut game = table(seats);
        laid_out(&mut game, A, &before);
        game.when(0, king(place_of(last)), [face(last)])
            .shows(Rule::Enough);
        let (standing, rule) = ending(&game);
        assert_eq!((standing.winners, rule), (vec![A], "SQ-6.1"));
        assert_eq!(standing.scores[0], points);
        assert_eq!(standing.reason, "enough_points");
    }
}

#[test]
fn sq_6_1_four_queens_or_forty_points_are_not_enough_for_three() {
    use Queen::*;
    let mut game = table(3);
    laid_out(&mut game, A, &[Heart, Pancake, Rose]);
    game.when(0, king(9), [face(Cake)]).turn_is(1);
}

#[test]
fn sq_6_1_a_stolen_queen_counts() {
    use Queen::*;
    let mut game = table(2);
    laid_out(&mut game, A, &[Heart, Pancake, Cat]);
    laid_out(&mut game, B, &[Cake, Rainbow]);
    game.state.places[Cat.index()].holder = Some(B);
    game.when(0, knight(B, Cat), []);
    game.when(1, Move::Allow {}, []).shows(Rule::Enough);
    let (standing, _) = ending(&game);
    assert_eq!((standing.winners, standing.scores), (vec![A], vec![50, 10]));
}

#[test]
fn sq_6_1_no_move_is_possible_after_the_end() {
    use Queen::*;
    let mut game = table(2);
    laid_out(&mut game, A, &[Rose, Cake, Rainbow, Starfish]);
    game.when(0, king(9), [face(Ladybug)]);
    assert_eq!(SleepingQueens::legal_moves(&game.state, A), []);
    assert_eq!(SleepingQueens::legal_moves(&game.state, B), []);
}

#[test]
pub(super) fn sq_6_2_most_points_win_when_all_are_awake() {
    use Queen::*;
    let mut game = table(3);
    laid_out(&mut game, A, &[Rose, Cake, Heart, Ladybug]);

    laid_out(&mut game, B, &[Rainbow, Cat, Peacock, Moon]);
    laid_out(&mut game, C, &[Dog, Pancake, Sunflower]);
    game.when(0, discard(&[Card::One]), []);
    game.when(1, discard(&[Card::One]), []);
    game.when(2, king(place_of(Starfish)), [face(Starfish)])
        .shows(Rule::AllAwake);
    let (standing, rule) = ending(&game);
    assert_eq!((rule, &*standing.reason), ("SQ-6.2", "all_awake"));
    assert_eq!(standing.scores, [40, 40, 45]);
    assert_eq!(standing.winners, [C]);
}

#[test]
fn cm_7_level_players_win_together() {
    use Queen::*;
    let mut game = table(5);
    laid_out(&mut game, A, &[Heart, Rose, Cake]);
    laid_out(&mut game, B, &[Pancake, Ladybug, Rainbow]);
    laid_out(&mut game, C, &[Cat, Moon]);
    laid_out(&mut game, Seat::new(3), &[Dog, Peacock, Starfish]);
    game.when(0, Move::Jester {}, [top(Card::Five)]);
    game.when(4, wake(place_of(Sunflower)), [face(Sunflower)]);
    let (standing, rule) = ending(&game);
    assert_eq!(rule, "SQ-6.2");
    assert_eq!(standing.scores, [30, 30, 25, 30, 10]);
    assert_eq!(standing.winners, [A, B, Seat::new(3)]);
}

#[test]
fn sq_6_2_a_queen_who_goes_back_sleeps() {
    use Queen::*;
    let mut game = table(3);
    laid_out(&mut game, A, &[Rose, Cake, Heart, Ladybug]);
    laid_out(&mut game, B, &[Rainbow, Starfish, Peacock, Moon]);
    laid_out(&mut game, C, &[Pancake, Sunflower]);
    game.when(0, discard(&[Card::One]), []);
    game.when(1, discard(&[Card::One]), []);
    game.when(2, king(place_of(Cat)), [face(Cat)]).turn_is(0);
    game.when(0, discard(&[Card::One]), []);
    game.when(1, discard(&[Card::One]), []);
    game.when(2, king(place_of(Dog)), [face(Dog)])
        .shows(Rule::CatAndDog)
        .turn_is(0);
}
