//! Games at a table written down and begun from there, hands told to the referee, and the rules that
//! events are permitted by.

use serde_json::json;

use super::*;
use crate::dealer::Shuffler;
use crate::ruling::Common;
use crate::testing::{
    CardLeaves, Plan, check_confidences, check_false_confidences, check_mangling,
    check_permissions, check_played_on, check_tampering, check_upsets, guessed,
};

const LEAVES: CardLeaves = CardLeaves {
    names: &[
        &[
            "king", "jester", "knight", "potion", "wand", "dragon", "1", "2", "3", "4", "5", "6",
            "7", "8", "9", "10",
        ],
        &[
            "rose",
            "cake",
            "rainbow",
            "starfish",
            "pancake",
            "cat",
            "dog",
            "heart",
            "ladybug",
            "peacock",
            "moon",
            "sunflower",
        ],
    ],
    counts: &["count", "draw_pile"],
};

fn plan(games: u64, every: u64) -> Plan<Options> {
    let attacks = Deck {
        jester: 12,
        knight: 12,
        potion: 12,
        wand: 6,
        dragon: 6,
        ..Deck::default()
    };
    let options = |deck| Options {
        deck,
        ..Options::default()
    };
    Plan {
        setups: vec![
            (2, options(Deck::default())),
            (3, options(attacks)),
            (5, options(Deck::default())),
        ],
        games,
        keen: 0.2,
        max_moves: 300,
        must_end: false,
        every,
    }
}

fn setup(seats: u8) -> Setup<Options> {
    Setup {
        seats,
        options: Options::default(),
        rules_version: 1,
        mode: Mode::Table,
    }
}

/// The game begun from the position of this one.
#[track_caller]
fn placed(game: &Game, seats: u8) -> Game {
    let position = SleepingQueens::position(&game.state);
    match SleepingQueens::place(&setup(seats), &position) {
        Ok(state) => Scenario::standing(state, Mode::Table),
        Err(violation) => panic!("{violation}"),
    }
}

#[track_caller]
fn refusal(position: &Position) -> String {
    let violation = SleepingQueens::place(&setup(2), position).expect_err("an impossible position");
    assert_eq!(violation.rule.id, Common::Knowledge.citation().id);
    violation.detail.into_owned()
}

#[test]
fn a_position_is_judged_as_the_game_that_it_was_taken_from() {
    check_played_on::<SleepingQueens>(&plan(2, 40));
}

#[test]
fn one_changed_card_shows() {
    check_tampering::<SleepingQueens>(&plan(1, 60), LEAVES);
}

#[test]
fn whatever_position_is_accepted_can_be_played_on() {
    check_mangling::<SleepingQueens>(&plan(1, 25), LEAVES, 300);
}

/// Changes something of a table, with every card and queen still there.
fn upset(state: &mut State, shuffler: &mut Shuffler) {
    let seat = Seat::new(shuffler.below(state.seats.into()) as u8);
    let slot = slot(shuffler.below(12) as u8 + 1);
    let why = [Waking::King, Waking::Count, Waking::Rose][shuffler.below(3) as usize];
    match shuffler.below(7) {
        0 => state.seat = seat,
        1 => {
            let queen = state.at(slot).queen.unwrap_or(Queen::Rose);
            let phases = [
                Phase::Dealing(seat),
                Phase::Acting,
                Phase::TurningUp,
                Phase::Choosing(seat, why),
                Phase::Uncovering(seat, slot, why),
                Phase::Answering(seat, Attack::Knight, queen),
                Phase::Answering(seat, Attack::Potion, queen),
                Phase::Replacing(seat),
                Phase::Refilling,
                Phase::Over,
            ];
            state.phase = phases[shuffler.below(phases.len() as u32) as usize];
        }
        2 => state.let_happen = Some(seat),
        3 => state.going_back = Some(slot),
        4 => {
            let back = &mut state.hands[seat.index()].unknown;
            state.pile.size += u16::from(*back > 0);
            *back = back.saturating_sub(1);
        }
        5 if !state.discard.is_empty() => {
            let card = state.discard.draw(shuffler);
            state.hands[seat.index()].known.add(card);
            state.top = state.discard.cards().next();
        }
        _ => {
            let mut unseen = state.unseen_queens();
            let place = &mut state.places[slot.offset()];
            if place.queen.is_none() {
                place.queen = Some(unseen.draw(shuffler));
            }
            place.holder = Some(seat).filter(|_| place.holder != Some(seat));
        }
    }
}

#[test]
fn whatever_a_table_lets_pass_can_be_played_on() {
    check_upsets::<SleepingQueens>(&plan(2, 10), upset, 60);
}

#[test]
fn an_attacked_seat_still_owes_its_answer() {
    let mut game = table(2);
    game.when(0, king(3), [face(Queen::Moon)]);
    game.when(1, knight(A, Queen::Moon), []);
    let mut again = placed(&game, 2);
    again.turn_is(0).refused(0, king(4), Rule::Answer);
    again.when(0, defend(Card::Dragon), []).turn_is(0);
    let mut again = placed(&game, 2);
    again.when(0, Move::Allow {}, []);
    assert_eq!(queens_of(&again, B), [Queen::Moon]);
}

#[test]
fn a_defence_is_placed_between_its_draws_also_after_a_shuffle() {
    let mut game = table(2);
    game.when(0, king(3), [face(Queen::Moon)]);
    game.when(1, knight(A, Queen::Moon), []);
    shorten(&mut game, 0, &[Card::Dragon]);
    let defence = SleepingQueens::decide(&game.state, A, &defend(Card::Dragon));
    let mut effects = defence.expect("a dragon may be held");
    assert!(effects.contains(&Effect::under(Rule::Reshuffle, Event::Reshuffled {})));
    for waiting in [Phase::Replacing(A), Phase::Refilling, Phase::Acting] {
        for effect in &effects {
            SleepingQueens::evolve(&mut game.state, &effect.event);
        }
        assert_eq!(game.state.phase, waiting);
        assert_eq!(placed(&game, 2).state, game.state);
        if let Some(draw) = SleepingQueens::face_down(&game.state) {
            effects = SleepingQueens::resolve(&game.state, &draw).expect("cards to draw");
        }
    }
}

#[test]
fn the_rose_queen_still_wakes_another() {
    let mut game = table(2);
    game.when(0, king(3), [face(Queen::Rose)]);
    let mut again = placed(&game, 2);
    again.turn_is(0).refused(0, king(4), Rule::Rose);
    again.when(0, wake(4), [face(Queen::Moon)]).turn_is(1);
    assert_eq!(queens_of(&again, A), [Queen::Rose, Queen::Moon]);
}

#[test]
fn a_queen_whose_face_is_due_is_turned_up_by_her_place() {
    let mut game = table(2);
    game.when(0, king(3), []);
    let mut again = placed(&game, 2);
    again.declare([face(Queen::Heart)]).turn_is(1);
    assert_eq!(queens_of(&again, A), [Queen::Heart]);
}

#[test]
fn a_queen_put_to_sleep_stays_on_record() {
    let mut game = table(2);
    game.when(0, king(3), [face(Queen::Moon)]);
    game.when(1, potion(A, Queen::Moon), []);
    game.when(0, Move::Allow {}, []);
    let position = SleepingQueens::position(&game.state);
    let json = serde_json::to_value(&position).expect("JSON");
    assert_eq!(json["asleep"], json!([{"slot": 3, "queen": "moon"}]));
    let mut again = placed(&game, 2);
    again.when(0, king(3), []).turn_is(1);
    assert_eq!(queens_of(&again, A), [Queen::Moon]);
}

#[test]
fn a_position_has_the_cards_and_queens_of_the_box() {
    let mut game = table(2);
    game.when(0, king(3), [face(Queen::Moon)]);
    let position = SleepingQueens::position(&game.state);

    let mut told = position.clone();
    told.view.discard_pile.top = Some(Card::Wand);
    assert_eq!(
        refusal(&told),
        "cards of the kind king are counted 7 times, and the box holds 8"
    );
    let mut told = position.clone();
    told.view.seats[0].queens[0].queen = Queen::Cake;
    assert_eq!(
        refusal(&told),
        "cards of the kind cake are counted 2 times, and the box holds 1"
    );
    let mut told = position.clone();
    told.view.seats[1].hand.count = 6;
    assert_eq!(
        refusal(&told),
        "seat 1 holds 6 cards, and a hand is 5 at most"
    );
}

#[test]
fn what_is_owed_can_be_given() {
    let mut game = table(2);
    game.when(0, king(3), [face(Queen::Moon)]);
    let refused = |phase: Stage| {
        let mut told = SleepingQueens::position(&game.state);
        told.phase = phase;
        refusal(&told)
    };
    assert_eq!(
        refused(Stage::Refilling {}),
        "seat 1 cannot hold 5 cards now"
    );
    let (seat, slot, why) = (A, slot(3), Waking::King);
    assert_eq!(
        refused(Stage::Uncovering { seat, slot, why }),
        "no queen sleeps in place 3 to be woken"
    );
    let (attack, queen) = (Attack::Knight, Queen::Cake);
    assert_eq!(
        refused(Stage::Answering {
            seat,
            attack,
            queen
        }),
        "seat 0 has no open queen cake that could be attacked"
    );
    assert_eq!(
        refused(Stage::Over {}),
        "the game is over, and nobody has enough while queens sleep"
    );
}

/// The game begun from a position that the rules do not lead to.
#[track_caller]
fn changed(game: &Game, change: impl FnOnce(&mut State)) -> Game {
    let mut changed = Scenario::standing(game.state, Mode::Table);
    change(&mut changed.state);
    placed(&changed, 2)
}

#[test]
fn a_hand_that_was_not_filled_is_filled_when_its_owner_has_acted() {
    let mut game = table(2);
    game.when(0, discard(&[Card::One]), []);
    let mut game = changed(&game, |state| {
        state.hands[A.index()].unknown -= 1;
        state.pile.size += 1;
    });
    let held = |game: &Game| [A, B].map(|seat| game.state.hand(seat).len());
    game.when(1, discard(&[Card::Two]), []).turn_is(0);
    assert_eq!(held(&game), [4, 5]);
    game.when(0, discard(&[Card::Three]), []).turn_is(1);
    assert_eq!(held(&game), [5, 5]);
}

#[test]
fn queens_that_the_rules_did_not_give_stay_where_the_table_let_them_lie() {
    let mut game = changed(&table(2), |state| {
        let laid = [(1, Queen::Cat), (2, Queen::Dog), (3, Queen::Rose)];
        for (place, queen) in laid {
            state.places[slot(place).offset()] = Place {
                queen: Some(queen),
                holder: Some(A),
            };
        }
        state.phase = Phase::Choosing(A, Waking::King);
    });
    game.when(0, wake(4), [face(Queen::Moon)]).turn_is(1);
    assert_eq!(
        queens_of(&game, A),
        [Queen::Rose, Queen::Cat, Queen::Dog, Queen::Moon]
    );
    game.when(1, knight(A, Queen::Dog), []);
    game.when(0, Move::Allow {}, []).turn_is(0);
    assert_eq!(queens_of(&game, B), [Queen::Dog]);
}

#[test]
fn a_hand_that_was_told_is_judged_strictly() {
    let mut game = table(2);
    let hand = [Card::King, Card::Two, Card::Two, Card::Four, Card::Wand];
    SleepingQueens::confide(&mut game.state, A, &hand).expect("a hand");
    game.refused(0, knight(B, Queen::Moon), Rule::Knight);
    game.refused(0, Move::Jester {}, Rule::Jester);
    game.refused(0, discard(&[Card::Seven]), Rule::Discard);
    game.when(0, discard(&[Card::Two, Card::Two, Card::Four]), []);
    game.when(1, king(1), [face(Queen::Moon)]);
    // Three cards were drawn since, and any of them may be a jester; of kings one more is held.
    let listed = SleepingQueens::legal_moves(&game.state, A);
    assert!(listed.contains(&Move::Jester {}) && listed.contains(&king(2)));
    game.when(0, king(2), [face(Queen::Cat)]);
}

#[test]
fn a_defence_from_a_told_hand_must_be_in_it() {
    let mut game = table(2);
    game.when(0, king(3), [face(Queen::Moon)]);
    let hand = [Card::King, Card::Two, Card::Two, Card::Four, Card::Wand];
    SleepingQueens::confide(&mut game.state, A, &hand).expect("a hand");
    game.when(1, knight(A, Queen::Moon), []);
    game.refused(0, defend(Card::Dragon), Rule::RightCard);
    assert_eq!(
        SleepingQueens::legal_moves(&game.state, A),
        [Move::Allow {}]
    );
}

#[test]
fn what_a_seat_tells_fits_what_is_on_record_and_what_it_told_before() {
    let mut game = table(2);
    game.when(0, Move::Jester {}, [top(Card::Dragon)]);
    let rest = [Card::One, Card::Two, Card::Three, Card::Four];
    let hand = |more: &[Card]| [&rest, more].concat();
    for wrong in [hand(&[]), hand(&[Card::Five]), [Card::Dragon; 5].to_vec()] {
        let violation = SleepingQueens::confide(&mut game.state, A, &wrong);
        let violation = violation.expect_err("a wrong hand");
        assert_eq!(violation.rule.id, Common::Knowledge.citation().id);
        assert!(game.state.hand(A).unknown == 4, "{wrong:?}");
    }
    let told = hand(&[Card::Dragon]);
    SleepingQueens::confide(&mut game.state, A, &told).expect("the hand");
    SleepingQueens::confide(&mut game.state, A, &told).expect("the same hand");
    let other = [Card::Dragon, Card::One, Card::Two, Card::Three, Card::Five];
    SleepingQueens::confide(&mut game.state, A, &other).expect_err("another hand");
}

#[test]
fn what_was_shuffled_and_not_drawn_is_in_no_hand() {
    let mut game = table(2);
    shorten(&mut game, 0, &[]);
    game.state.pile = Pile::of(game.state.discard);
    game.state.discard = Bag::EMPTY;
    let unseen = game.state.unaccounted();
    let shuffled = game.state.pile.pool;
    let elsewhere: Vec<Card> = unseen.less(&shuffled).cards().take(5).collect();
    let violation = SleepingQueens::confide(
        &mut game.state,
        A,
        &shuffled.cards().take(5).collect::<Vec<_>>(),
    );
    assert_eq!(
        violation.expect_err("cards of the draw pile").rule.id,
        Common::Knowledge.citation().id
    );
    SleepingQueens::confide(&mut game.state, A, &elsewhere).expect("cards dealt before");
}

#[test]
fn true_hands_and_what_is_played_from_them_are_never_refused() {
    let hand: fn(&State, Seat) -> &Hand<Card> = |state, seat| state.hand(seat);
    check_confidences::<SleepingQueens>(&plan(1, 1), hand);
}

#[test]
fn false_hands_are_judged_all_the_same() {
    check_false_confidences::<SleepingQueens>(&plan(2, 40), &|state, seat, shuffler| {
        guessed(state.hand(seat), state.unaccounted(), shuffler)
    });
}

#[test]
fn every_event_is_permitted_by_a_rule() {
    check_permissions::<SleepingQueens>(&plan(8, 1));
}

#[test]
fn the_hidden_is_shown_by_draws_and_by_cards_laid_down_or_turned_up() {
    assert!(SleepingQueens::reveals(&drew(A, 1)));
    assert!(SleepingQueens::reveals(&Event::JesterPlayed { seat: A }));
    assert!(!SleepingQueens::reveals(&Event::Allowed { seat: A }));
}
