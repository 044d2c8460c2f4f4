//! Whether the cards that are said to lie somewhere are those of the box.

use std::marker::PhantomData;

use super::{Bag, Card, MOST_KINDS};
use crate::ruling::Violation;

/// A count of cards from everywhere, to be compared with the box. It takes in what was read from
/// outside: however many cards are said to lie somewhere, nothing overflows.
#[derive(Clone, Debug)]
pub struct Tally<C> {
    counts: [u64; MOST_KINDS],
    kind: PhantomData<C>,
}

impl<C: Card> Tally<C> {
    /// Nothing counted so far.
    pub const EMPTY: Self = Self {
        counts: [0; MOST_KINDS],
        kind: PhantomData,
    };

    /// Counts cards one by one.
    pub fn cards<'c>(&mut self, cards: impl IntoIterator<Item = &'c C>) -> &mut Self {
        for card in cards {
            self.counts[card.index()] += 1;
        }
        self
    }

    /// Counts all of a bag.
    pub fn bag(&mut self, bag: &Bag<C>) -> &mut Self {
        for (card, count) in bag.kinds() {
            self.counts[card.index()] += u64::from(count);
        }
        self
    }

    /// Makes sure that what was counted is the whole box, each card once.
    ///
    /// # Errors
    /// CM-5, naming the first kind of which there are too many or too few.
    pub fn expect(&self, boxed: &Bag<C>) -> Result<(), Violation> {
        for card in C::ALL {
            let (counted, held) = (self.counts[card.index()], boxed.count(*card));
            if counted != u64::from(held) {
                let detail = format!(
                    "cards of the kind {} are counted {counted} times, and the box holds {held}",
                    card.name()
                );
                return Err(Violation::impossible(detail));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card;
    use crate::ruling::Common;

    card! {
        /// A suit.
        enum Suit as testing::Suit {
            Hearts = "hearts",
            Spades = "spades",
        }
    }

    #[test]
    fn a_box_is_complete_with_each_card_once() {
        let boxed: Bag<Suit> = [Suit::Hearts, Suit::Spades, Suit::Spades]
            .into_iter()
            .collect();
        let mut tally = Tally::EMPTY;
        tally.cards(&[Suit::Spades]).bag(&boxed);
        let violation = tally.expect(&boxed).expect_err("a card too many");
        assert_eq!(violation.rule.id, Common::Knowledge.citation().id);
        assert_eq!(
            violation.detail,
            "cards of the kind spades are counted 3 times, and the box holds 2"
        );
        let mut tally = Tally::EMPTY;
        tally.cards(&[Suit::Hearts, Suit::Spades, Suit::Spades]);
        assert_eq!(tally.expect(&boxed), Ok(()));
    }
}
