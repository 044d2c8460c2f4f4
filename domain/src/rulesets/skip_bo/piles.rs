//! The piles of one round: what lies open, and where the unseen cards can lie.

use super::moves::Card;
use crate::cards::{Bag, Card as _, Drawn, Pile};

/// The height at which a building pile is completed (SB-3.5).
pub(super) const FULL: u8 = 12;

/// A building pile. A table may have let a card lie that does not fit; the pile goes on from that
/// card, so what it has reached need not be the number of its cards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Building {
    cards: Vec<Card>,
    reached: u8,
}

impl Building {
    /// The number that the top card stands for; 0 where no card lies.
    pub fn reached(&self) -> u8 {
        self.reached
    }

    /// The number that goes on next; none when the pile is complete.
    pub fn next(&self) -> Option<Card> {
        (self.reached < FULL).then(|| Card::ALL[usize::from(self.reached)])
    }

    /// Whether `card` fits (SB-3.1).
    pub fn takes(&self, card: Card) -> bool {
        self.next()
            .is_some_and(|next| card == next || card == Card::Joker)
    }

    /// Lays a card on top. A joker stands for the next number, and a number for itself, whether it
    /// fits or not.
    pub fn push(&mut self, card: Card) {
        self.reached = match card {
            Card::Joker => self.reached.saturating_add(1),
            number => number.index() as u8 + 1,
        };
        self.cards.push(card);
    }

    /// The cards from the bottom up.
    pub fn cards(&self) -> &[Card] {
        &self.cards
    }
}

/// A player's stock (SB-2.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stock {
    /// How many cards lie face down.
    pub down: u8,
    /// The open top; none when the stock is empty or its top is yet to be turned up.
    pub top: Option<Card>,
}

impl Stock {
    /// How many cards it has.
    pub fn len(self) -> u8 {
        self.down + u8::from(self.top.is_some())
    }

    /// Whether it has none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Whether a card is to be turned up (SB-2.1, SB-3.3).
    pub fn is_turning(self) -> bool {
        self.top.is_none() && self.down > 0
    }
}

/// The cards whose faces are not on record, and where they can lie (SB-6.1, SB-6.2).
///
/// Whoever knows every hand has them exactly: until the first shuffle stocks and draw pile share
/// what is `anywhere`; after it the draw pile holds what is left of the cards shuffled, and the
/// stocks hold the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unseen {
    /// All of them: in the draw pile, face down in stocks, and in hands that are not known.
    pub anywhere: Bag<Card>,
    /// The kinds, with their greatest numbers, that can lie in the stocks.
    pub stocks: Bag<Card>,
    /// The draw pile, with the cards that can lie in it.
    pub pile: Pile<Card>,
}

impl Unseen {
    /// A round's cards before any is seen, with `size` of them in the draw pile.
    pub fn dealt(size: u16) -> Self {
        let cards = full_box();
        Self {
            anywhere: cards,
            stocks: cards,
            pile: Pile { pool: cards, size },
        }
    }

    /// The cards that can be turned up on a stock.
    pub fn in_stocks(&self) -> Bag<Card> {
        common(&self.stocks, &self.anywhere)
    }

    /// The cards that can be drawn.
    pub fn in_pile(&self) -> Pile<Card> {
        Pile {
            pool: common(&self.pile.pool, &self.anywhere),
            size: self.pile.size,
        }
    }

    /// A card was turned up on a stock.
    pub fn turn(&mut self, card: Card) {
        self.anywhere.take(card);
        self.stocks.take(card);
    }

    /// Cards went to a hand.
    pub fn draw(&mut self, drawn: &Drawn<Card>) {
        self.pile.give(drawn);
        if let Drawn::Known { cards } = drawn {
            for card in cards {
                self.anywhere.take(*card);
            }
        }
    }

    /// A card came out of a hand that was not known.
    pub fn show(&mut self, card: Card) {
        self.anywhere.take(card);
    }

    /// The completed piles became the draw pile (SB-3.9), which was empty: what was unseen before
    /// lies in stocks and hands.
    pub fn reshuffle(&mut self, completed: Bag<Card>) {
        self.stocks = self.in_stocks();
        self.anywhere.add_all(&completed);
        self.pile = Pile::of(completed);
    }
}

/// The cards in the box (SB-1.1).
pub(super) fn full_box() -> Bag<Card> {
    let mut cards = Bag::EMPTY;
    for card in Card::ALL {
        cards.add_many(*card, copies(*card));
    }
    cards
}

/// How many cards of a kind the box holds.
pub(super) fn copies(card: Card) -> u8 {
    if card == Card::Joker { 18 } else { 12 }
}

/// What two bags have in common.
fn common(one: &Bag<Card>, other: &Bag<Card>) -> Bag<Card> {
    one.less(&one.less(other))
}
