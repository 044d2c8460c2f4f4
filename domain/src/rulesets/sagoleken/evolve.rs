//! Applying facts.

use super::holdings::Fate;
use super::moves::{BonusCard, Card, CardDraw, Event, Face, Helpers};
use super::state::{Phase, Played, Princess, State};
use crate::cards::Hand;
use crate::seat::Seat;

impl State {
    /// Applies a fact.
    pub fn evolve(&mut self, event: &Event) {
        match event {
            Event::Drew(draw) => self.draw(draw),
            Event::CardPlayed { seat, card } => {
                self.hands[seat.index()].play(*card);
                self.round.push(Played {
                    seat: *seat,
                    card: *card,
                });
                self.moved += 1;
            }
            Event::PrincessRobbed { seat, with, from } => {
                self.holdings.lose(*seat, with.card());
                self.princesses[from.index()] = None;
                self.princesses[seat.index()] = Some(Princess::Robbed {
                    by: *with,
                    this_round: true,
                });
                self.moved += 1;
            }
            Event::PrincessRescued {
                seat,
                from,
                helpers,
            } => self.rescue(*seat, *from, *helpers),
            Event::PrincessSecured { seat } => {
                self.holdings
                    .learn(*seat, |held| held.has_prince_and_land());
                self.free(*seat);
                self.princesses[seat.index()] = Some(Princess::Lone);
                self.moved += 1;
            }
            Event::RoundWon { seat } => self.phase = Phase::Bonus(*seat),
            Event::BonusDrawn { bonus, .. } => {
                self.bonus_pile.give(1);
                self.drawn = Some(bonus.card);
            }
            Event::BonusKept { seat } => {
                if self.settle(*seat, Fate::Kept) == Some(Face::Known(BonusCard::Princess)) {
                    self.princesses[seat.index()] = Some(Princess::Lone);
                }
            }
            Event::BonusReturned { seat } => {
                if let Some(face) = self.settle(*seat, Fate::Returned) {
                    self.bonus_pile.put_under(face, self.mode);
                }
            }
            Event::LandDeclared { seat, held } => {
                self.holdings
                    .learn(*seat, |holding| holding.has(BonusCard::Land) == *held);
                self.phase = Phase::RescuerDraws(*seat);
            }
            Event::KingdomFormed { seat } => {
                if self.settle(*seat, Fate::Kingdom).is_none() {
                    self.holdings.lose(*seat, BonusCard::Prince);
                    self.holdings.lose(*seat, BonusCard::Land);
                }
                self.princesses[seat.index()] = None;
                self.kingdoms[seat.index()] += 1;
            }
            Event::RoundCleared { cards } => {
                self.phase = Phase::Refill(self.leader);
                self.clear(cards);
            }
            Event::LeadPassed { seat } => self.leader = *seat,
            Event::RoundBrokenOff { cards, first } => {
                self.phase = Phase::LastDraws(*first);
                self.clear(cards);
            }
            Event::HandCounted { seat, cards } => {
                self.hands[seat.offset()] = Hand {
                    known: cards.iter().copied().collect(),
                    unknown: 0,
                };
                let next = seat.get() + 1;
                self.phase = if next < self.seats {
                    Phase::FinalHands(Seat::new(next))
                } else {
                    Phase::Over
                };
            }
            Event::SatOut { .. }
            | Event::RoundDrawn { .. }
            | Event::RoundUncontested {}
            | Event::NoBonus { .. }
            | Event::AllPrincessesSafe {} => {}
        }
    }

    fn draw(&mut self, draw: &CardDraw) {
        self.draw_pile.give(draw.drawn.len() as u8);
        self.hands[draw.seat.index()].receive(&draw.drawn);
        self.go_on_when_drawn();
    }

    /// Once nobody lacks a card, the game goes on.
    fn go_on_when_drawn(&mut self) {
        if self.drawing().is_none() {
            self.phase = match self.phase {
                Phase::LastDraws(_) => Phase::FinalHands(Seat::new(0)),
                _ => Phase::Round,
            };
        }
    }

    fn rescue(&mut self, seat: Seat, from: Seat, helpers: Helpers) {
        self.holdings
            .learn(seat, |held| held.has(BonusCard::Prince));
        for card in helpers.cards() {
            self.hands[seat.index()].play(card);
            self.draw_pile.put_under(card, self.mode);
        }
        self.free(from);
        self.princesses[from.index()] = None;
        self.princesses[seat.index()] = Some(Princess::Lone);
        self.moved += 1;
        self.phase = Phase::Land(seat);
    }

    /// The card that lies on a robbed princess goes under the bonus pile.
    fn free(&mut self, seat: Seat) {
        if let Some(Princess::Robbed { by, .. }) = self.princess(seat) {
            self.bonus_pile.put_under(Face::Known(by.card()), self.mode);
        }
    }

    /// Tells what becomes of the drawn bonus card; gives it back, if one was drawn.
    fn settle(&mut self, seat: Seat, fate: Fate) -> Option<Face> {
        let face = self.drawn.take()?;
        let outside = self.bonus_outside();
        let princess = self.princess(seat);
        self.holdings.draw(seat, face, fate, princess, &outside);
        Some(face)
    }

    /// The round's cards go under the draw pile, and with them the round ends.
    fn clear(&mut self, cards: &[Card]) {
        for card in cards {
            self.draw_pile.put_under(*card, self.mode);
        }
        self.round.clear();
        self.moved = 0;
        for princess in self.princesses.iter_mut().flatten() {
            if let Princess::Robbed { this_round, .. } = princess {
                *this_round = false;
            }
        }
        self.go_on_when_drawn();
    }
}
