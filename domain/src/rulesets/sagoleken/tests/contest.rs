//! The deal, the round and its contest (SL-2 and SL-3).

use super::*;
use crate::ruleset::Effect;

#[test]
pub(super) fn sl_2_1_everybody_is_dealt_six_cards() {
    let options = Options {
        first_seat: crate::ruleset::FirstSeat(1),
        ..Options::default()
    };
    let game = Game::table(3, options);
    game.shows(Rule::Deal).turn_is(1);
    let hands: Vec<u8> = game.state.hands[..3].iter().map(Hand::len).collect();
    assert_eq!(hands, [6, 6, 6]);
    assert_eq!(game.state.draw_pile.size(), 37 - 18);
    assert_eq!(game.state.bonus_pile.size(), 15);
}

#[test]
pub(super) fn sl_3_1_only_a_card_of_the_hand_can_be_played() {
    let mut game = table(2);
    game.plays(Card::TrollFather);
    let refused = game.refused(1, play(Card::TrollFather), Rule::OneMove);
    assert_eq!(clue_of(&refused), "troll_father");
    game.when(1, play(Card::TrollMother), []);

    let game = virtually(dealt(&[CHILDREN, [Card::Dwarf; 6]]));
    let refused = game.refused(0, play(Card::Dwarf), Rule::OneMove);
    assert_eq!(refused.clue, None, "a hand that is known needs no evidence");
}

#[test]
fn sl_3_1_a_hand_that_nobody_knows_may_hold_what_lies_nowhere_else() {
    let mut game = table(4);
    for _ in 0..3 {
        game.plays(Card::Wind);
    }
    let plays = Card::ALL.iter().map(|card| play(*card));
    assert!(plays.eq(Sagoleken::legal_moves(&game.state, Seat::new(3))));
    game.plays(Card::Wind);
    assert_eq!(game.state.phase, Phase::Bonus(Seat::new(3)));
}

#[test]
fn sl_3_1_any_card_may_be_played_on_a_stronger_one() {
    let mut game = table(2);
    game.plays(Card::Wind).plays(Card::TrollChild);
    game.then(&Event::RoundWon { seat: Seat::new(0) });
}

/// A table where seat 1 has a princess who lies alone, seat 0 holds one card that is not known, and
/// seat 0 leads.
fn princess_and_holder(seats: u8) -> Game {
    let mut game = table(seats);
    game.wins(1, princess()).wins(0, hidden());
    game
}

#[test]
pub(super) fn sl_3_2_who_makes_a_manoeuvre_does_not_contest() {
    // Worked example 5: the elf wins, and the robber has made the move of the round.
    let mut game = princess_and_holder(3);
    game.plays(Card::Dwarf).plays(Card::Elf).plays(Card::Fairy);
    game.declare([hidden()]).turn_is(2);
    game.plays(Card::Elf).makes(rob(Robber::Dragon, 1));
    game.shows(Rule::SitOut)
        .then(&Event::SatOut { seat: Seat::new(0) });
    game.plays(Card::Dwarf);
    game.then(&Event::RoundWon { seat: Seat::new(2) });
    game.declare([returned()]).turn_is(2);
}

fn contest(cards: &[Card]) -> Vec<Effect<Event>> {
    let mut game = table(cards.len() as u8);
    for card in cards {
        game.plays(*card);
    }
    game.last
}

fn won_by(cards: &[Card]) -> Option<u8> {
    let effects = contest(cards);
    effects.iter().find_map(|effect| match effect.event {
        Event::RoundWon { seat } => Some(seat.number()),
        _ => None,
    })
}

#[test]
pub(super) fn sl_3_3_the_strongest_card_wins() {
    use Card::{Dwarf, Elf, Fairy, TrollChild, TrollFather, TrollMother, Wind, Witch};
    // Worked examples 1, 3 and 4.
    assert_eq!(won_by(&[TrollChild, Dwarf, Witch, Fairy]), Some(3));
    assert_eq!(won_by(&[Fairy, Wind, Wind]), Some(2));
    assert_eq!(won_by(&[Wind, Fairy, Fairy]), Some(0));
    assert_eq!(won_by(&[Wind, Wind, Fairy, Wind]), Some(3));
    // A weaker pair is in nobody's way.
    assert_eq!(won_by(&[Dwarf, Dwarf, Witch]), Some(2));
    assert_eq!(won_by(&[Elf, Fairy, Elf]), Some(1));
    let ranks = [
        TrollChild,
        TrollFather,
        TrollMother,
        Dwarf,
        Witch,
        Elf,
        Fairy,
        Wind,
    ];
    for pair in ranks.windows(2) {
        assert_eq!(won_by(&[pair[1], pair[0]]), Some(0));
        assert_eq!(won_by(&[pair[0], pair[1]]), Some(1));
    }
}

#[test]
pub(super) fn sl_3_4_a_level_round_is_drawn_and_the_lead_stays() {
    // Worked example 2.
    let mut game = table(3);
    game.wins(1, hidden()).turn_is(1);
    game.plays(Card::Fairy)
        .plays(Card::Fairy)
        .plays(Card::Dwarf);
    game.shows(Rule::Level)
        .then(&Event::RoundDrawn { card: Card::Fairy })
        .turn_is(1);
    assert_eq!(
        game.state.bonus_pile.size(),
        14,
        "nobody draws a bonus card"
    );
    let hands: Vec<u8> = game.state.hands[..3].iter().map(Hand::len).collect();
    assert_eq!(hands, [6, 6, 6], "everybody draws up to six all the same");
}

#[test]
pub(super) fn sl_3_5_manoeuvres_alone_are_no_contest() {
    let mut game = table(2);
    game.wins(1, princess())
        .wins(1, hidden())
        .wins(0, hidden())
        .turn_is(0);
    game.makes(rob(Robber::Dragon, 1))
        .makes(rescue(0, Helpers::Wind));
    game.shows(Rule::NoContest)
        .then(&Event::RoundUncontested {})
        .then(&Event::RoundCleared { cards: vec![] })
        .turn_is(0);
}

#[test]
pub(super) fn sl_3_6_an_empty_bonus_pile_gives_nothing() {
    let mut game = table(2);
    game.plays(Card::Dwarf).plays(Card::Elf);
    assert_eq!(
        Sagoleken::turn(&game.state),
        Turn::Chance(Due::Bonus { seat: Seat::new(1) })
    );
    game.declare([hidden()]).shows(Rule::WinnerDraws);

    // Two kingdoms, one princess under the dragon, and every other card held by somebody.
    let mut state = dealt(&[
        CHILDREN,
        [Card::Fairy; 6],
        [Card::Dwarf; 6],
        [
            Card::Witch,
            Card::Witch,
            Card::Witch,
            Card::Elf,
            Card::Elf,
            Card::Elf,
        ],
    ]);
    state.kingdoms = [2, 0, 0, 0];
    state.bonus_pile.top -= 6;
    princess_before(&mut state, 0, Some(Robber::Dragon));
    holding(
        &mut state,
        [
            (0, BonusCard::Land),
            (1, BonusCard::Prince),
            (1, BonusCard::Land),
            (1, BonusCard::Nix),
            (2, BonusCard::Prince),
            (2, BonusCard::Land),
            (3, BonusCard::Prince),
        ],
    );
    assert_eq!(state.bonus_pile.size(), 0);
    let mut game = virtually(state);
    for card in [Card::TrollChild, Card::Fairy, Card::Dwarf, Card::Elf] {
        game.plays(card);
    }
    game.shows(Rule::WinnerDraws)
        .then(&Event::NoBonus { seat: Seat::new(1) })
        .then(&Event::LeadPassed { seat: Seat::new(1) });
}

#[test]
pub(super) fn sl_3_7_cards_go_under_and_the_leader_draws_first() {
    let mut game = table(3);
    game.wins(2, hidden());
    game.plays(Card::Fairy).plays(Card::Dwarf).plays(Card::Elf);
    game.declare([hidden()]);
    game.shows(Rule::Refill).then(&Event::RoundCleared {
        cards: vec![Card::Fairy, Card::Dwarf, Card::Elf],
    });
    let drew: Vec<u8> = game
        .last
        .iter()
        .filter_map(|effect| match &effect.event {
            Event::Drew(draw) => Some(draw.seat.number()),
            _ => None,
        })
        .collect();
    assert_eq!(drew, [2, 0, 1]);
}

#[test]
pub(super) fn sl_3_8_the_winner_leads() {
    let mut game = table(3);
    game.wins(2, hidden());
    game.shows(Rule::WinnerLeads)
        .then(&Event::LeadPassed { seat: Seat::new(2) })
        .turn_is(2);
    game.plays(Card::Dwarf).turn_is(0);
}

#[test]
fn a_virtual_draw_pile_gives_up_what_was_put_under_it_in_order() {
    let mut trolls = CHILDREN;
    trolls[0] = Card::TrollFather;
    let mut state = dealt(&[[Card::Dwarf; 6], trolls]);
    state.hands[0].known = Bag::from_iter([Card::Dwarf; 3]);
    state.phase = Phase::Refill(Seat::new(0));
    // One card lies on those that were put under.
    state.draw_pile = Pile {
        top: 1,
        under: vec![Card::Elf, Card::Wind],
    };
    let drawn = |cards: [Card; 3]| {
        Outcome::Draw(CardDraw {
            seat: Seat::new(0),
            drawn: Drawn::Known {
                cards: cards.to_vec(),
            },
        })
    };
    let mut game = virtually(state);
    let swapped = drawn([Card::Fairy, Card::Wind, Card::Elf]);
    game.impossible(swapped, Rule::Knowledge);
    let in_a_hand = drawn([Card::TrollFather, Card::Elf, Card::Wind]);
    game.impossible(in_a_hand, Rule::Knowledge);
    game.declare([drawn([Card::Fairy, Card::Elf, Card::Wind])]);
    assert_eq!(game.state.draw_pile.size(), 0);
}
