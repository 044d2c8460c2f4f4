//! The queens, the cards, and whose turn it is.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::cards::{Card, Queen, Slot};
use super::moves::{Attack, Due, Event};
use super::rules::Rule;
use crate::cards::{Bag, Card as _, Drawn, Hand, Pile};
use crate::dealer::Mode;
use crate::ruleset::Standing;
use crate::seat::{MOST_SEATS, Seat};

/// How many cards a hand is drawn up to (SQ-2.2, SQ-3.7).
pub(super) const HAND: u8 = 5;

/// A place, and the queen who was dealt to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The queen, if she is on record (SQ-7.2).
    pub queen: Option<Queen>,
    /// The player whom she lies in front of; nobody while she sleeps.
    pub holder: Option<Seat>,
}

/// Why a queen is woken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = sleeping_queens::Waking)]
pub enum Waking {
    /// A king was played (SQ-3.1).
    King,
    /// The count of a jester ended on the player (SQ-3.4).
    Count,
    /// The rose queen was woken (SQ-4.1).
    Rose,
}

impl Waking {
    /// The rule that wakes her.
    pub fn rule(self) -> Rule {
        match self {
            Self::King => Rule::King,
            Self::Count => Rule::Jester,
            Self::Rose => Rule::Rose,
        }
    }
}

/// What the game waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The first hand of this player, dealt seat by seat.
    Dealing(Seat),
    /// The player on turn acts.
    Acting,
    /// The card that the jester of the player on turn turns up.
    TurningUp,
    /// This player names a place (SQ-3.4, SQ-4.1).
    Choosing(Seat, Waking),
    /// The face of the queen in a place, whom this player wakes.
    Uncovering(Seat, Slot, Waking),
    /// This player answers an attack on a queen (SQ-5.1).
    Answering(Seat, Attack, Queen),
    /// The card of this player, who has defended (SQ-5.3).
    Replacing(Seat),
    /// The cards of the player on turn, whose action is done (SQ-3.7).
    Refilling,
    /// Nothing: the game is over.
    Over,
}

/// All that judging needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// The number of players.
    pub seats: u8,
    /// Who deals; at a table nobody sees what goes to a hand.
    pub mode: Mode,
    /// All cards that players can hold (SQ-1.2).
    pub deck: Bag<Card>,
    /// Whose turn it is.
    pub seat: Seat,
    /// What the game waits for.
    pub phase: Phase,
    /// The places, in order.
    pub places: [Place; 12],
    /// The place to which a queen goes back when the turn ends (SQ-4.2).
    pub going_back: Option<Slot>,
    /// The player who let the latest attack happen (SQ-5.4).
    pub let_happen: Option<Seat>,
    /// The hands, in seat order.
    pub hands: [Hand<Card>; MOST_SEATS as usize],
    /// The draw pile.
    pub pile: Pile<Card>,
    /// The discard pile.
    pub discard: Bag<Card>,
    /// Its top card.
    pub top: Option<Card>,
}

impl State {
    /// The table before the first hand is dealt.
    pub fn new(seats: u8, mode: Mode, first: Seat, deck: Bag<Card>) -> Self {
        Self {
            seats,
            mode,
            deck,
            seat: first,
            phase: Phase::Dealing(Seat::new(0)),
            places: [Place::default(); 12],
            going_back: None,
            let_happen: None,
            hands: [Hand::EMPTY; MOST_SEATS as usize],
            pile: Pile::of(deck),
            discard: Bag::EMPTY,
            top: None,
        }
    }

    /// A place.
    pub fn at(&self, slot: Slot) -> Place {
        self.places[slot.offset()]
    }

    /// A player's hand.
    pub fn hand(&self, seat: Seat) -> &Hand<Card> {
        &self.hands[seat.index()]
    }

    /// Whether a queen sleeps in a place.
    pub fn sleeps(&self, slot: Slot) -> bool {
        self.at(slot).holder.is_none()
    }

    /// The places in which a queen sleeps.
    pub fn sleeping(&self) -> impl Iterator<Item = Slot> + Clone + '_ {
        Slot::all().filter(|slot| self.sleeps(*slot))
    }

    /// The place that a queen on record was dealt to.
    pub fn place_of(&self, queen: Queen) -> Option<Slot> {
        Slot::all().find(|slot| self.at(*slot).queen == Some(queen))
    }

    /// Whether a queen lies in front of this player.
    pub fn holds(&self, seat: Seat, queen: Queen) -> bool {
        let place = Place {
            queen: Some(queen),
            holder: Some(seat),
        };
        self.places.contains(&place)
    }

    /// Whom each queen lies in front of, in the order of SQ-1.1.
    pub fn holders(&self) -> [Option<Seat>; 12] {
        let mut holders = [None; 12];
        for place in &self.places {
            if let Some(queen) = place.queen {
                holders[queen.index()] = place.holder;
            }
        }
        holders
    }

    /// The queens whose place is not on record.
    pub fn unseen_queens(&self) -> Bag<Queen> {
        let seen = self.places.iter().filter_map(|place| place.queen).collect();
        let all: Bag<Queen> = Queen::ALL.iter().copied().collect();
        all.less(&seen)
    }

    /// What chance is asked, where the game waits for it.
    pub fn due(&self) -> Option<Due> {
        match self.phase {
            Phase::Uncovering(_, slot, _) => Some(Due::Queen { slot }),
            Phase::TurningUp => Some(Due::TopCard {}),
            Phase::Dealing(_) | Phase::Replacing(_) | Phase::Refilling => {
                self.draw().map(|(seat, count)| Due::Draw { seat, count })
            }
            Phase::Acting | Phase::Choosing(..) | Phase::Answering(..) | Phase::Over => None,
        }
    }

    /// Who draws next, and how many cards at once: no more than the draw pile has.
    pub fn draw(&self) -> Option<(Seat, u8)> {
        let (seat, wanted) = self.wanted()?;
        let count = u16::from(wanted).min(self.pile.size);
        (count > 0).then_some((seat, count as u8))
    }

    /// Who still needs cards now, and how many.
    pub fn wanted(&self) -> Option<(Seat, u8)> {
        let (seat, wanted) = match self.phase {
            Phase::Dealing(seat) => (seat, HAND),
            Phase::Replacing(seat) => (seat, 1),
            Phase::Refilling => (self.seat, HAND.saturating_sub(self.hand(self.seat).len())),
            Phase::Acting
            | Phase::TurningUp
            | Phase::Choosing(..)
            | Phase::Uncovering(..)
            | Phase::Answering(..)
            | Phase::Over => return None,
        };
        (wanted > 0).then_some((seat, wanted))
    }

    /// The rule by which the turn that ends now is the last; none when the game goes on.
    pub fn decided(&self) -> Option<Rule> {
        if self.tallies().any(|tally| tally.wins(self.seats)) {
            Some(Rule::Enough)
        } else if self.sleeping().next().is_none() {
            Some(Rule::AllAwake)
        } else {
            None
        }
    }

    /// Who has won, and by which rule.
    pub fn standing(&self) -> (Standing, Rule) {
        let scores: Vec<i64> = self.tallies().map(|tally| tally.points.into()).collect();
        let enough = |wins: fn(Tally, u8) -> bool| -> Vec<Seat> {
            Seat::all(self.seats)
                .zip(self.tallies())
                .filter_map(|(seat, tally)| wins(tally, self.seats).then_some(seat))
                .collect()
        };
        let winners = enough(Tally::wins);
        if winners.is_empty() {
            return (Standing::most_points(scores, "all_awake"), Rule::AllAwake);
        }
        let reason = if enough(Tally::enough_queens).is_empty() {
            "enough_points"
        } else {
            "enough_queens"
        };
        let standing = Standing {
            winners,
            scores,
            reason: reason.into(),
        };
        (standing, Rule::Enough)
    }

    /// What each player has, in seat order.
    pub fn tallies(&self) -> impl Iterator<Item = Tally> {
        let mut tallies = [Tally::default(); MOST_SEATS as usize];
        for place in &self.places {
            if let (Some(queen), Some(holder)) = (place.queen, place.holder) {
                let tally = &mut tallies[holder.index()];
                tally.queens += 1;
                tally.points += queen.points();
            }
        }
        tallies.into_iter().take(usize::from(self.seats))
    }

    /// Applies a fact.
    pub fn evolve(&mut self, event: &Event) {
        match event {
            Event::KingPlayed { seat, slot } => {
                self.play(*seat, Card::King);
                self.phase = Phase::Uncovering(*seat, *slot, Waking::King);
            }
            Event::Attacked {
                seat,
                with,
                target,
                queen,
            } => {
                self.play(*seat, with.card());
                self.let_happen = None;
                self.phase = Phase::Answering(Seat::from(*target), *with, *queen);
            }
            Event::Defended { seat, card } => {
                self.play(*seat, *card);
                self.phase = Phase::Replacing(*seat);
            }
            Event::Allowed { seat } => {
                self.let_happen = Some(*seat);
                self.phase = Phase::Refilling;
            }
            Event::QueenStolen { seat, queen } => {
                if let Some(slot) = self.place_of(*queen) {
                    self.places[slot.offset()].holder = Some(*seat);
                }
            }
            Event::QueenPutToSleep { slot, .. } => self.places[slot.offset()].holder = None,
            Event::QueenWentBack { slot, .. } => {
                self.places[slot.offset()].holder = None;
                self.going_back = None;
            }
            Event::JesterPlayed { seat } => {
                self.play(*seat, Card::Jester);
                self.phase = Phase::TurningUp;
            }
            Event::CardTurnedUp { seat, card } => {
                self.pile.draw_seen(*card);
                match card.number() {
                    Some(_) => self.lay_away(*card),
                    None => self.hands[seat.index()].known.add(*card),
                }
            }
            Event::AnotherTurn { .. } => self.phase = Phase::Acting,
            Event::Counted { seat } => self.phase = Phase::Choosing(*seat, Waking::Count),
            Event::WakeGranted { seat } => self.phase = Phase::Choosing(*seat, Waking::Rose),
            Event::WakeChosen { seat, slot } => {
                let why = match self.phase {
                    Phase::Choosing(_, why) => why,
                    _ => Waking::Count,
                };
                self.phase = Phase::Uncovering(*seat, *slot, why);
            }
            Event::QueenWoken { seat, slot, queen } => {
                if queen.rival().is_some_and(|rival| self.holds(*seat, rival)) {
                    self.going_back = Some(*slot);
                }
                self.places[slot.offset()] = Place {
                    queen: Some(*queen),
                    holder: Some(*seat),
                };
                self.phase = Phase::Refilling;
            }
            Event::Discarded { seat, cards } => {
                cards.iter().for_each(|card| self.play(*seat, *card));
                self.phase = Phase::Refilling;
            }
            Event::Reshuffled {} => {
                self.pile = Pile::of(self.discard);
                self.discard = Bag::EMPTY;
                self.top = None;
            }
            Event::Drew(draw) => self.drew(draw.seat, &draw.drawn),
            Event::TurnPassed { seat } => {
                self.seat = *seat;
                self.phase = Phase::Acting;
            }
            Event::LastTurnEnded {} => self.phase = Phase::Over,
            Event::AnswerAsked { .. } => {}
        }
    }

    fn drew(&mut self, seat: Seat, drawn: &Drawn<Card>) {
        self.pile.give(drawn);
        self.hands[seat.index()].receive(drawn);
        self.phase = match self.phase {
            Phase::Dealing(_) if seat.number() + 1 < self.seats => {
                Phase::Dealing(seat.next(self.seats))
            }
            Phase::Dealing(_) => Phase::Acting,
            _ => Phase::Refilling,
        };
    }

    fn play(&mut self, seat: Seat, card: Card) {
        self.hands[seat.index()].play(card);
        self.lay_away(card);
    }

    fn lay_away(&mut self, card: Card) {
        self.discard.add(card);
        self.top = Some(card);
    }
}

/// The queens in front of one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many they are.
    pub queens: u8,
    /// What they count together.
    pub points: u8,
}

impl Tally {
    /// Whether this wins at a table of `seats` (SQ-6.1).
    pub fn wins(self, seats: u8) -> bool {
        self.enough_queens(seats) || self.points >= if seats <= 3 { 50 } else { 40 }
    }

    /// Whether it wins by the number of queens.
    pub fn enough_queens(self, seats: u8) -> bool {
        self.queens >= if seats <= 3 { 5 } else { 4 }
    }
}
