//! Sagoleken, shown rule by rule.

mod bonus;
mod confidences;
mod contest;
mod ending;
mod knowledge;
mod laws;
mod manoeuvres;
mod masking;
mod model;
mod position;
mod wire;

use super::*;
use crate::cards::{Bag, Drawn, Hand};
use crate::dealer::Mode;
use crate::ruling::{RuleKind, Violation};
use crate::seat::Seat;
use crate::testing::Scenario;

type Game = Scenario<Sagoleken>;

/// What shows a rule: breaks it, if it forbids something; makes it act, if it has an effect. Rules
/// that only say what things are need nothing.
fn shown_by(rule: Rule) -> Option<fn()> {
    let test: fn() = match rule {
        Rule::DrawCards
        | Rule::BonusCards
        | Rule::Rank
        | Rule::Kingdom
        | Rule::RobbingFormsNone => return None,
        Rule::CardPoints => wire::sl_1_4_card_points_have_bounds,
        Rule::Deal => contest::sl_2_1_everybody_is_dealt_six_cards,
        Rule::OneMove => contest::sl_3_1_only_a_card_of_the_hand_can_be_played,
        Rule::SitOut => contest::sl_3_2_who_makes_a_manoeuvre_does_not_contest,
        Rule::Strongest => contest::sl_3_3_the_strongest_card_wins,
        Rule::Level => contest::sl_3_4_a_level_round_is_drawn_and_the_lead_stays,
        Rule::NoContest => contest::sl_3_5_manoeuvres_alone_are_no_contest,
        Rule::WinnerDraws => contest::sl_3_6_an_empty_bonus_pile_gives_nothing,
        Rule::Refill => contest::sl_3_7_cards_go_under_and_the_leader_draws_first,
        Rule::WinnerLeads => contest::sl_3_8_the_winner_leads,
        Rule::OpenOrKept => bonus::sl_4_1_a_princess_is_shown_and_the_rest_is_hidden,
        Rule::OneOfEach => bonus::sl_4_2_a_second_of_a_kind_goes_back,
        Rule::KingdomAtOnce => bonus::sl_4_4_a_drawn_card_completes_a_kingdom,
        Rule::Rob => manoeuvres::sl_5_1_robbing_takes_a_robber_and_a_lone_princess,
        Rule::RobbedOnce => manoeuvres::sl_5_2_a_robbed_princess_is_not_robbed_again,
        Rule::Rescue => manoeuvres::sl_5_4_rescuing_takes_a_prince_and_helpers,
        Rule::Rescued => manoeuvres::sl_5_5_a_rescuer_with_a_land_has_a_kingdom,
        Rule::Secure => manoeuvres::sl_5_6_securing_takes_prince_and_land_and_a_round,
        Rule::NotByDrawing => manoeuvres::sl_5_7_drawing_does_not_secure,
        Rule::ThirdKingdom => ending::sl_6_1_the_third_kingdom_ends_the_game,
        Rule::Score => ending::sl_6_2_hands_are_counted_at_six_cards,
        Rule::MostPoints => ending::sl_6_3_the_most_points_win,
        Rule::Knowledge => knowledge::sl_7_1_what_cannot_be_is_refused,
    };
    Some(test)
}

#[test]
fn every_rule_that_acts_is_shown() {
    for rule in Rule::ALL {
        let acts = match rule.citation().kind {
            RuleKind::Refusal | RuleKind::Effect => true,
            RuleKind::Definition | RuleKind::Etiquette => false,
        };
        let test = shown_by(*rule);
        assert_eq!(test.is_some(), acts, "{}", rule.citation().id);
        if let Some(test) = test {
            test();
        }
    }
}

fn table(seats: u8) -> Game {
    Scenario::table(seats, Options::default())
}

fn seat(number: u8) -> SeatIndex {
    SeatIndex::new(number).unwrap()
}

fn play(card: Card) -> Move {
    Move::Play { card }
}

fn rob(with: Robber, from: u8) -> Move {
    Move::Rob {
        with,
        seat: seat(from),
    }
}

fn rescue(from: u8, helpers: Helpers) -> Move {
    Move::Rescue {
        seat: seat(from),
        helpers,
    }
}

fn draw(card: Face) -> Outcome {
    Outcome::Bonus(BonusDraw::of(card))
}

fn hidden() -> Outcome {
    draw(Face::Hidden)
}

fn returned() -> Outcome {
    Outcome::Bonus(BonusDraw {
        returned: true,
        ..BonusDraw::of(Face::Hidden)
    })
}

fn shows(card: BonusCard) -> Outcome {
    draw(Face::Known(card))
}

fn princess() -> Outcome {
    shows(BonusCard::Princess)
}

fn kingdom(card: BonusCard) -> Outcome {
    Outcome::Bonus(BonusDraw {
        kingdom: true,
        ..BonusDraw::of(Face::Known(card))
    })
}

fn land(held: bool) -> Outcome {
    Outcome::Land { held }
}

fn final_hand(number: u8, cards: [Card; 6]) -> Outcome {
    Outcome::FinalHand {
        seat: seat(number),
        cards: cards.to_vec(),
    }
}

/// What is told of a table game beyond single moves.
trait Telling {
    /// Whoever is on turn plays this card.
    fn plays(&mut self, card: Card) -> &mut Self;

    /// Whoever is on turn makes this move.
    fn makes(&mut self, mv: Move) -> &mut Self;

    /// The players who have not moved play the round to its end, and this one, who is among them,
    /// wins it; the bonus card is not declared yet.
    fn contest(&mut self, winner: u8) -> &mut Self;

    /// The same, and this bonus card is declared.
    fn wins(&mut self, winner: u8, bonus: Outcome) -> &mut Self;
}

impl Telling for Game {
    #[track_caller]
    fn plays(&mut self, card: Card) -> &mut Self {
        self.makes(play(card))
    }

    #[track_caller]
    fn makes(&mut self, mv: Move) -> &mut Self {
        let mover = self.state.mover().number();
        self.when(mover, mv, [])
    }

    #[track_caller]
    fn contest(&mut self, winner: u8) -> &mut Self {
        loop {
            let mover = self.state.mover().number();
            let last = self.state.is_last_move();
            self.plays(if mover == winner {
                Card::Elf
            } else {
                Card::Dwarf
            });
            if last {
                return self;
            }
        }
    }

    #[track_caller]
    fn wins(&mut self, winner: u8, bonus: Outcome) -> &mut Self {
        self.contest(winner).declare([bonus])
    }
}

/// A virtual game in its first round, with these hands; what they leave lies in the draw pile.
fn dealt(hands: &[[Card; 6]]) -> State {
    let seats = hands.len() as u8;
    let points = CardPoints::default().points().unwrap();
    let mut state = State::new(seats, Mode::Virtual, Seat::new(0), points);
    state.phase = Phase::Round;
    for (hand, cards) in state.hands.iter_mut().zip(hands) {
        *hand = Hand {
            known: cards.iter().copied().collect(),
            unknown: 0,
        };
    }
    state.draw_pile.top = 37 - 6 * seats;
    state
}

/// Six of the commonest cards.
const CHILDREN: [Card; 6] = [Card::TrollChild; 6];

/// Gives players bonus cards to hold, from the bonus pile.
fn holding<const N: usize>(state: &mut State, held: [(u8, BonusCard); N]) {
    for (seat, card) in held {
        for deal in &mut state.holdings.deals {
            let held = &mut deal[usize::from(seat)];
            *held = held.with(card);
        }
        state.holdings.counts[usize::from(seat)] += 1;
        state.bonus_pile.top -= 1;
    }
}

/// Lays a princess before a player, from the bonus pile, with the card that she is robbed with.
fn princess_before(state: &mut State, seat: u8, robbed_with: Option<Robber>) {
    state.bonus_pile.top -= 1 + u8::from(robbed_with.is_some());
    state.princesses[usize::from(seat)] = Some(match robbed_with {
        None => Princess::Lone,
        Some(by) => Princess::Robbed {
            by,
            this_round: false,
        },
    });
}

fn virtually(state: State) -> Game {
    Scenario::standing(state, Mode::Virtual)
}

fn clue_of(violation: &Violation) -> &str {
    match violation.clue.as_ref().unwrap() {
        Clue::Place(text) | Clue::Card(text) => text,
    }
}
