//! The table: hands, piles, princesses, what is held face down, and how far the round has come.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::holdings::Holdings;
use super::moves::{BonusCard, Card, Face, MOST_SEATS, Robber};
use super::pile::Pile;
use crate::cards::{Bag, Card as _, Hand};
use crate::dealer::Mode;
use crate::ruleset::Standing;
use crate::seat::Seat;

/// Six cards in the hand before every round (SL-2.1, SL-3.7).
pub const HAND: u8 = 6;

/// A princess before a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Princess {
    /// She lies alone.
    Lone,
    /// She was robbed.
    Robbed {
        /// The card that lies on her.
        by: Robber,
        /// Whether that was in this round (SL-5.6).
        this_round: bool,
    },
}

/// A card in the round, and who played it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// Who.
    pub seat: Seat,
    /// Which.
    pub card: Card,
}

/// What the game waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(
    tag = "type",
    content = "seat",
    rename_all = "snake_case",
    deny_unknown_fields
)]
#[schema(as = sagoleken::Phase)]
pub enum Phase {
    /// The first hands (SL-2.1).
    Deal,
    /// A move.
    Round,
    /// The bonus card of the round's winner (SL-3.6).
    Bonus(Seat),
    /// Whether this rescuer holds a land (SL-5.5).
    Land(Seat),
    /// The rescuer's draw up to six (SL-5.4).
    RescuerDraws(Seat),
    /// Everybody's draw up to six, from the leader of the round that is over (SL-3.7).
    Refill(Seat),
    /// Everybody's last draw up to six, this player's first and then from the leader (SL-6.2).
    LastDraws(Seat),
    /// The hands, laid open from this seat on (SL-6.2).
    FinalHands(Seat),
    /// Nothing: the game is over.
    Over,
}

/// All that judging needs.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The number of players.
    pub seats: u8,
    /// Who supplies outcomes: a table sees no faces of hidden cards, and relies on no order in the
    /// piles.
    pub mode: Mode,
    /// What each card counts at the end, by its place in [`Card::ALL`](crate::cards::Card::ALL).
    pub points: [i64; Card::ALL.len()],
    /// What the game waits for.
    pub phase: Phase,
    /// Who leads the round.
    pub leader: Seat,
    /// How many players have made their move in the round.
    pub moved: u8,
    /// The cards in the round, in the order in which they were played.
    pub round: Vec<Played>,
    /// The players' hands.
    pub hands: [Hand<Card>; MOST_SEATS],
    /// The draw pile.
    pub draw_pile: Pile<Card>,
    /// The bonus pile.
    pub bonus_pile: Pile<Face>,
    /// The bonus card that was drawn and of which it is not yet told what becomes.
    pub drawn: Option<Face>,
    /// The bonus cards that players hold face down.
    pub holdings: Holdings,
    /// The princess before each player.
    pub princesses: [Option<Princess>; MOST_SEATS],
    /// Each player's kingdoms.
    pub kingdoms: [u8; MOST_SEATS],
}

impl State {
    /// How many princesses there are (SL-1.2).
    pub const PRINCESSES: u8 = 3;

    /// The table before the first hands are dealt.
    pub fn new(seats: u8, mode: Mode, leader: Seat, points: [i64; Card::ALL.len()]) -> Self {
        Self {
            seats,
            mode,
            points,
            phase: Phase::Deal,
            leader,
            moved: 0,
            round: Vec::with_capacity(MOST_SEATS),
            hands: [Hand::EMPTY; MOST_SEATS],
            draw_pile: Pile::shuffled(Self::draw_cards().len()),
            bonus_pile: Pile::shuffled(Self::bonus_cards().len()),
            drawn: None,
            holdings: Holdings::none(),
            princesses: [None; MOST_SEATS],
            kingdoms: [0; MOST_SEATS],
        }
    }

    /// The cards of the draw pile (SL-1.1).
    pub fn draw_cards() -> Bag<Card> {
        let mut cards = Bag::EMPTY;
        for (card, count) in [
            (Card::TrollChild, 11),
            (Card::TrollFather, 1),
            (Card::TrollMother, 1),
            (Card::Dwarf, 7),
            (Card::Witch, 3),
            (Card::Elf, 3),
            (Card::Fairy, 7),
            (Card::Wind, 4),
        ] {
            cards.add_many(card, count);
        }
        cards
    }

    /// The cards of the bonus pile (SL-1.2).
    pub fn bonus_cards() -> Bag<BonusCard> {
        let mut cards = Bag::EMPTY;
        for (card, count) in [
            (BonusCard::Princess, Self::PRINCESSES),
            (BonusCard::Prince, 5),
            (BonusCard::Land, 5),
            (BonusCard::Dragon, 1),
            (BonusCard::Nix, 1),
        ] {
            cards.add_many(card, count);
        }
        cards
    }

    /// Whose move it is, while somebody's is.
    pub fn mover(&self) -> Seat {
        self.leader.step(self.moved, self.seats)
    }

    /// Whether the next move is the last of the round.
    pub fn is_last_move(&self) -> bool {
        self.moved + 1 >= self.seats
    }

    /// The hand of a player.
    pub fn hand(&self, seat: Seat) -> &Hand<Card> {
        &self.hands[seat.index()]
    }

    /// How many cards a player lacks of six.
    pub fn lacks(&self, seat: Seat) -> u8 {
        HAND.saturating_sub(self.hand(seat).len())
    }

    /// The princess before a player.
    pub fn princess(&self, seat: Seat) -> Option<Princess> {
        self.princesses[seat.index()]
    }

    /// Who draws next, while somebody draws to the hand.
    pub fn drawing(&self) -> Option<Seat> {
        let lacking = |seat: &Seat| self.lacks(*seat) > 0;
        match self.phase {
            Phase::Deal => self.leader.round(self.seats).find(lacking),
            Phase::Refill(from) => from.round(self.seats).find(lacking),
            Phase::RescuerDraws(seat) => Some(seat).filter(lacking),
            Phase::LastDraws(first) => [first]
                .into_iter()
                .chain(self.leader.round(self.seats))
                .find(lacking),
            Phase::Round
            | Phase::Bonus(_)
            | Phase::Land(_)
            | Phase::FinalHands(_)
            | Phase::Over => None,
        }
    }

    /// The cards that lie neither in the round nor in a hand that is known: what a hand that is not
    /// known, or the draw pile, may hold.
    pub fn unseen(&self) -> Bag<Card> {
        let mut unseen = Self::draw_cards();
        for hand in &self.hands[..usize::from(self.seats)] {
            unseen = unseen.less(&hand.known);
        }
        for played in &self.round {
            unseen.take(played.card);
        }
        unseen
    }

    /// How many of a card a player's hand may hold.
    pub fn may_hold(&self, seat: Seat, card: Card) -> u8 {
        let hand = self.hand(seat);
        if hand.unknown == 0 {
            hand.known.count(card)
        } else {
            hand.may_hold(card, &self.unseen())
        }
    }

    /// The bonus cards that lie neither open on the table nor in a kingdom: what lies in the bonus
    /// pile or is held face down.
    pub fn bonus_outside(&self) -> Bag<BonusCard> {
        let mut outside = Self::bonus_cards();
        for princess in self.princesses.iter().flatten() {
            outside.take(BonusCard::Princess);
            if let Princess::Robbed { by, .. } = princess {
                outside.take(by.card());
            }
        }
        for _ in 0..self.kingdoms.iter().sum() {
            outside.take(BonusCard::Princess);
            outside.take(BonusCard::Prince);
            outside.take(BonusCard::Land);
        }
        outside
    }

    /// Kingdoms and the points of the hands (SL-6.2, SL-6.3).
    pub fn standing(&self) -> Standing {
        let score = |seat: Seat| {
            let points = self.hand(seat).known.kinds();
            let points = points.map(|(card, count)| i64::from(count) * self.points[card.index()]);
            50 * i64::from(self.kingdoms[seat.index()]) + points.sum::<i64>()
        };
        Standing::most_points(Seat::all(self.seats).map(score).collect(), "most_points")
    }
}
