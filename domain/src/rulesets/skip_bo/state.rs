//! A match: its terms, the round that is being played, and the scores.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::moves::{Card, Due, Event, PLACES, Place, Source};
use super::piles::{Building, Stock, Unseen, full_box};
use super::terms::Terms;
use crate::cards::{Bag, Drawn, Hand};
use crate::ruleset::Standing;
use crate::seat::{MOST_SEATS, Seat};

/// The cards of a full hand (SB-2.3).
pub(super) const HAND: u8 = 5;

/// Why a hand is drawn up to five.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = skip_bo::Refill)]
pub enum Refill {
    /// Its last card was played (SB-3.4).
    LastCardPlayed,
    /// It was empty, and there may be cards again (SB-3.10).
    LeftEmpty,
    /// The turn was closed (SB-3.6).
    TurnClosed,
}

/// What the round waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The stocks' tops and the hands are dealt.
    Dealing,
    /// The player on turn acts.
    Playing,
    /// The hand of the player on turn is drawn up to five, as far as there is something to draw;
    /// where there is nothing, the player acts without.
    Filling(Refill),
    /// Nothing: the round is over, won by this player's team or by nobody.
    RoundOver(Option<Seat>),
}

/// What a player has.
#[derive(Clone, Debug, PartialEq)]
pub struct Player {
    /// The stock.
    pub stock: Stock,
    /// The hand.
    pub hand: Hand<Card>,
    /// The help piles, each from the bottom up.
    pub help: [Vec<Card>; PLACES],
    /// The points of all rounds; in a team the team's.
    pub score: u32,
}

/// All that judging needs.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// What was agreed.
    pub terms: Terms,
    /// The number of the round, from 1.
    pub round: u32,
    /// The seat that began the round.
    pub starting_seat: Seat,
    /// Whose turn it is.
    pub seat: Seat,
    /// What the round waits for.
    pub phase: Phase,
    /// Whether a card was played in this turn.
    pub played: bool,
    /// How many players in a row, up to now, passed without playing a card (SB-3.11).
    pub idle: u8,
    /// The players, in seat order; beyond the number of seats nobody.
    pub players: [Player; MOST_SEATS as usize],
    /// The building piles.
    pub building: [Building; PLACES],
    /// The cards of the completed piles.
    pub completed: Bag<Card>,
    /// The cards that nobody sees.
    pub unseen: Unseen,
}

impl State {
    /// The first round before anything is dealt.
    pub fn new(terms: Terms, first: Seat) -> Self {
        let nobody = || Player {
            stock: Stock::default(),
            hand: Hand::EMPTY,
            help: Default::default(),
            score: 0,
        };
        let mut state = Self {
            terms,
            round: 1,
            starting_seat: first,
            seat: first,
            phase: Phase::Dealing,
            played: false,
            idle: 0,
            players: std::array::from_fn(|_| nobody()),
            building: Default::default(),
            completed: Bag::EMPTY,
            unseen: Unseen::dealt(0),
        };
        state.gather();
        state
    }

    /// Puts all cards face down again: stocks and draw pile, no hands (SB-5.4).
    fn gather(&mut self) {
        let down = self.terms.stock_size;
        for player in self.players.iter_mut().take(self.terms.seats.into()) {
            player.stock = Stock { down, top: None };
            player.hand = Hand::EMPTY;
            player.help.iter_mut().for_each(Vec::clear);
        }
        let stocks = u16::from(down) * u16::from(self.terms.seats);
        self.building = Default::default();
        self.completed = Bag::EMPTY;
        self.unseen = Unseen::dealt(full_box().len() - stocks);
        self.seat = self.starting_seat;
        self.phase = Phase::Dealing;
        self.played = false;
        self.idle = 0;
    }

    /// A player.
    pub fn player(&self, seat: Seat) -> &Player {
        &self.players[seat.index()]
    }

    fn player_mut(&mut self, seat: Seat) -> &mut Player {
        &mut self.players[seat.index()]
    }

    /// Whether the own stock must be played before anything else (SB-3.8).
    pub fn stock_is_due(&self, seat: Seat) -> bool {
        let fits = |card| Place::all().any(|to| self.building(to).takes(card));
        self.terms.version.compels_stock() && self.player(seat).stock.top.is_some_and(fits)
    }

    /// What lies at a building place.
    pub fn building(&self, place: Place) -> &Building {
        &self.building[place.offset()]
    }

    /// The cards that can be turned up on a stock: those that can lie in one (SB-6.2). Plays from
    /// unknown hands are judged by less (SB-6.1), so a record may leave too few of these for the
    /// stocks; then it is every card that is not on record.
    pub fn possible_stock_tops(&self) -> Bag<Card> {
        let down: u16 = (self.players.iter())
            .map(|player| u16::from(player.stock.down))
            .sum();
        let in_stocks = self.unseen.in_stocks();
        if in_stocks.len() < down {
            self.unseen.anywhere
        } else {
            in_stocks
        }
    }

    /// What chance is asked. Once a round is over that is the deal of the next.
    pub fn due(&self) -> Option<Due> {
        if let Phase::RoundOver(_) = self.phase {
            return Some(Due::StockTop { seat: Seat::new(0) });
        }
        let mut seats = Seat::all(self.terms.seats);
        if let Some(seat) = seats.find(|seat| self.player(*seat).stock.is_turning()) {
            return Some(Due::StockTop { seat });
        }
        let seat = match self.phase {
            Phase::Dealing => {
                Seat::all(self.terms.seats).find(|seat| self.player(*seat).hand.is_empty())?
            }
            Phase::Filling(_) => self.seat,
            Phase::Playing | Phase::RoundOver(_) => return None,
        };
        let missing = HAND.saturating_sub(self.player(seat).hand.len());
        let count = missing.min(u8::try_from(self.unseen.pile.size).unwrap_or(u8::MAX));
        (count > 0).then_some(Due::Draw { seat, count })
    }

    /// How the match ended, if it has (SB-5.3, SB-3.11).
    pub fn standing(&self) -> Option<Standing> {
        let Phase::RoundOver(winner) = self.phase else {
            return None;
        };
        let reason = match (self.terms.target_score, winner) {
            (None, Some(_)) => "stock_emptied",
            (None, None) => "stalemate",
            (Some(target), Some(seat)) if self.player(seat).score >= target => "target_score",
            (Some(_), _) => return None,
        };
        Some(Standing {
            winners: winner.map_or_else(Vec::new, |seat| self.terms.team(seat).collect()),
            scores: Seat::all(self.terms.seats)
                .map(|seat| self.player(seat).score.into())
                .collect(),
            reason: reason.into(),
        })
    }

    /// Applies a fact.
    pub fn evolve(&mut self, event: &Event) {
        match event {
            Event::StockTopTurned { seat, card } => {
                let stock = &mut self.player_mut(*seat).stock;
                stock.down = stock.down.saturating_sub(1);
                stock.top = Some(*card);
                self.unseen.turn(*card);
            }
            Event::Drew(draw) => self.receive(draw.seat, &draw.drawn),
            Event::CardPlayed {
                seat,
                from,
                card,
                to,
            } => {
                self.take_from(*seat, *from);
                self.building[to.offset()].push(*card);
                self.played = true;
                self.idle = 0;
                self.phase = match from {
                    _ if !self.player(*seat).hand.is_empty() => Phase::Playing,
                    Source::Hand { .. } => Phase::Filling(Refill::LastCardPlayed),
                    Source::Stock { .. } | Source::Help { .. } => Phase::Filling(Refill::LeftEmpty),
                };
            }
            Event::CardDiscarded { seat, card, pile } => {
                self.take_from(*seat, Source::Hand { card: *card });
                self.player_mut(*seat).help[pile.offset()].push(*card);
                self.idle = 0;
                self.phase = Phase::Filling(Refill::TurnClosed);
            }
            Event::Passed { .. } => {
                self.idle = if self.played {
                    0
                } else {
                    self.idle.saturating_add(1)
                };
            }
            Event::PileCompleted { pile } => {
                let pile = std::mem::take(&mut self.building[pile.offset()]);
                (pile.cards().iter()).for_each(|card| self.completed.add(*card));
            }
            Event::Reshuffled { .. } => {
                self.unseen.reshuffle(self.completed);
                self.completed = Bag::EMPTY;
            }
            Event::TurnPassed { seat } => {
                self.seat = *seat;
                self.played = false;
                self.phase = if self.player(*seat).hand.is_empty() {
                    Phase::Filling(Refill::LeftEmpty)
                } else {
                    Phase::Playing
                };
            }
            Event::RoundWon { .. } => {}
            Event::RoundScored { seats, points } => {
                for seat in seats {
                    let score = &mut self.player_mut(*seat).score;
                    *score = score.saturating_add(*points);
                }
                self.phase = Phase::RoundOver(seats.first().copied());
            }
            Event::RoundStalemate {} => self.phase = Phase::RoundOver(None),
            Event::RoundBegun { round, seat } => {
                self.round = *round;
                self.starting_seat = *seat;
                self.gather();
            }
        }
    }

    fn take_from(&mut self, seat: Seat, source: Source) {
        match source {
            Source::Hand { card } => {
                let hand = &mut self.players[seat.index()].hand;
                if !hand.known.has(card) {
                    self.unseen.show(card);
                }
                hand.play(card);
            }
            Source::Stock { seat: mate } => {
                self.player_mut(mate.unwrap_or(seat)).stock.top = None;
            }
            Source::Help { pile, seat: mate } => {
                self.player_mut(mate.unwrap_or(seat)).help[pile.offset()].pop();
            }
        }
    }

    fn receive(&mut self, seat: Seat, drawn: &Drawn<Card>) {
        self.player_mut(seat).hand.receive(drawn);
        self.unseen.draw(drawn);
        let full = |seat: Seat| self.player(seat).hand.len() >= HAND;
        let used_up = self.unseen.pile.size == 0 && self.completed.is_empty();
        let done = match self.phase {
            Phase::Dealing => Seat::all(self.terms.seats).all(full),
            Phase::Filling(Refill::LastCardPlayed | Refill::LeftEmpty) => full(seat) || used_up,
            // The turn passes with an event of its own.
            Phase::Filling(Refill::TurnClosed) | Phase::Playing | Phase::RoundOver(_) => false,
        };
        if done {
            self.phase = Phase::Playing;
        }
    }
}
