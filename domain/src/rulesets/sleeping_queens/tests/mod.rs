//! Sleeping Queens by its rules, by its worked examples, and by the laws of every game.

mod attacks;
mod endings;
mod examples;
mod knowledge;
mod laws;
mod placing;
mod queens;
mod setup;
mod turns;
mod wire;

use super::*;
use crate::cards::{Bag, Card as _, Draw, Drawn, Hand, Pile};
use crate::dealer::Mode;
use crate::ruling::RuleKind;
use crate::testing::Scenario;

type Game = Scenario<SleepingQueens>;

const A: Seat = Seat::new(0);
const B: Seat = Seat::new(1);
const C: Seat = Seat::new(2);

fn slot(number: u8) -> Slot {
    Slot::new(number).expect("a place from 1 to 12")
}

fn king(number: u8) -> Move {
    Move::King { slot: slot(number) }
}

fn wake(number: u8) -> Move {
    Move::Wake { slot: slot(number) }
}

fn knight(seat: Seat, queen: Queen) -> Move {
    attack(Attack::Knight, seat, queen)
}

fn potion(seat: Seat, queen: Queen) -> Move {
    attack(Attack::Potion, seat, queen)
}

fn attack(with: Attack, seat: Seat, queen: Queen) -> Move {
    with.at(Target::new(seat.number()).expect("one of five"), queen)
}

fn defend(card: Card) -> Move {
    Move::Defend { card }
}

fn discard(cards: &[Card]) -> Move {
    Move::Discard {
        cards: cards.into(),
    }
}

fn face(queen: Queen) -> Outcome {
    Outcome::Queen { queen }
}

fn top(card: Card) -> Outcome {
    Outcome::TopCard { card }
}

fn drawn(seat: Seat, cards: &[Card]) -> Outcome {
    let cards = cards.to_vec();
    let drawn = Drawn::Known { cards };
    Outcome::Draw(Draw { seat, drawn })
}

fn drew(seat: Seat, count: u8) -> Event {
    let drawn = Drawn::Counted { count };
    Event::Drew(Draw { seat, drawn })
}

/// A table game with the usual deck, dealt.
#[track_caller]
fn table(seats: u8) -> Game {
    Scenario::table(seats, Options::default())
}

/// A virtual game in which the players hold these cards, seat 0 first, and everybody else five
/// cards of what is left; seat 0 is on turn.
fn holding(seats: u8, hands: &[&[Card]]) -> Game {
    let deck = Deck::default().cards().expect("the usual deck");
    let mut state = State::new(seats, Mode::Virtual, A, deck);
    let mut rest = deck;
    for (seat, cards) in Seat::all(seats).zip(hands) {
        let known: Bag<Card> = cards.iter().copied().collect();
        state.hands[seat.index()] = Hand { known, unknown: 0 };
        rest = rest.less(&known);
    }
    for seat in Seat::all(seats).skip(hands.len()) {
        let known: Bag<Card> = rest.cards().take(5).collect();
        state.hands[seat.index()] = Hand { known, unknown: 0 };
        rest = rest.less(&known);
    }
    state.pile = Pile::of(rest);
    state.phase = Phase::Acting;
    Scenario::standing(state, Mode::Virtual)
}

/// Lays queens open before a player, as if they had been woken from these places.
fn open(game: &mut Game, seat: Seat, queens: &[(u8, Queen)]) {
    for (number, queen) in queens {
        game.state.places[slot(*number).offset()] = Place {
            queen: Some(*queen),
            holder: Some(seat),
        };
    }
}

/// Lays queens open before a player, each woken from the place of her number in SQ-1.1.
fn laid_out(game: &mut Game, seat: Seat, queens: &[Queen]) {
    for queen in queens {
        open(game, seat, &[(place_of(*queen), *queen)]);
    }
}

fn place_of(queen: Queen) -> u8 {
    queen.index() as u8 + 1
}

/// Moves cards from the draw pile to the discard pile until so many are left to draw; those named
/// stay.
fn shorten(game: &mut Game, left: u16, stay: &[Card]) {
    let stay: Bag<Card> = stay.iter().copied().collect();
    let may_go = game.state.pile_may_hold().less(&stay);
    let going = usize::from(game.state.pile.size - left);
    for card in may_go.cards().take(going) {
        game.state.pile.draw_seen(card);
        game.state.discard.add(card);
    }
    assert_eq!(game.state.pile.size, left);
}

/// Which queens a player has.
fn queens_of(game: &Game, seat: Seat) -> Vec<Queen> {
    let holders = game.state.holders();
    Queen::ALL
        .iter()
        .copied()
        .filter(|queen| holders[queen.index()] == Some(seat))
        .collect()
}

/// The tests that break a rule or show it.
fn proofs(rule: Rule) -> &'static [fn()] {
    match rule {
        Rule::Queens | Rule::Asleep | Rule::HandsDoNotCount => &[],
        Rule::Cards => &[setup::sq_1_2_refuses_counts_out_of_bounds],
        Rule::Deal => &[setup::sq_2_2_deals_five_to_everybody],
        Rule::Clockwise => &[setup::sq_2_3_turns_go_round_from_the_first_seat],
        Rule::King => &[
            turns::sq_3_1_a_king_wakes_the_queen_in_a_place,
            turns::sq_3_1_needs_a_king_and_a_sleeping_queen,
        ],
        Rule::Knight => &[
            attacks::sq_3_2_a_knight_brings_the_queen_over,
            attacks::sq_3_2_and_3_3_need_the_card_and_an_open_queen_of_another,
        ],
        Rule::Potion => &[
            attacks::sq_3_3_a_potion_sends_the_queen_back_to_her_place,
            attacks::sq_3_2_and_3_3_need_the_card_and_an_open_queen_of_another,
        ],
        Rule::Jester => &[
            turns::sq_3_4_counts_clockwise_from_the_player,
            turns::sq_3_4_a_card_that_is_no_number_goes_to_the_hand,
            turns::sq_3_4_needs_a_jester,
            turns::sq_3_4_a_wake_must_be_owed_and_comes_first,
        ],
        Rule::Discard => &[turns::sq_3_5_says_what_goes_together],
        Rule::NoAction => &[attacks::sq_3_6_a_dragon_or_wand_is_no_action],
        Rule::Refill => &[turns::sq_3_7_draws_up_to_five],
        Rule::Reshuffle => &[
            turns::sq_3_8_shuffles_in_the_middle_of_a_draw,
            turns::sq_3_8_shuffles_the_jester_too,
            turns::sq_3_8_draws_what_there_is,
        ],
        Rule::Rose => &[
            queens::sq_4_1_the_rose_queen_wakes_another,
            queens::sq_4_1_the_other_is_woken_before_anything_else,
        ],
        Rule::CatAndDog => &[queens::sq_4_2_the_one_just_woken_goes_back],
        Rule::NoStolenPair => &[queens::sq_4_3_a_knight_does_not_make_the_pair],
        Rule::Answer => &[
            attacks::sq_5_1_nothing_happens_before_the_answer,
            attacks::sq_5_1_without_an_attack_there_is_nothing_to_allow,
        ],
        Rule::AlwaysAsked => &[attacks::sq_5_2_asks_whatever_is_in_the_hand],
        Rule::Defended => &[attacks::sq_5_3_defender_and_attacker_draw],
        Rule::Final => &[attacks::sq_5_4_let_happen_is_final],
        Rule::RightCard => &[attacks::sq_5_5_needs_the_right_card],
        Rule::Enough => &[
            endings::sq_6_1_enough_queens_win,
            endings::sq_6_1_enough_points_win,
        ],
        Rule::AllAwake => &[endings::sq_6_2_most_points_win_when_all_are_awake],
        Rule::PossibleHands => &[knowledge::sq_7_1_refuses_what_no_hand_can_hold],
        Rule::SeenQueens => &[knowledge::sq_7_2_a_queen_on_record_is_the_one_who_wakes],
    }
}

#[test]
fn every_rule_that_acts_has_a_test() {
    for rule in Rule::ALL {
        let acts = matches!(rule.citation().kind, RuleKind::Refusal | RuleKind::Effect);
        assert_eq!(!proofs(*rule).is_empty(), acts, "{rule:?}");
    }
}
