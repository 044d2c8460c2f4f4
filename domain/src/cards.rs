//! Hands, piles and the unseen: what is known, what may be, what is impossible.
//!
//! Cards of one kind are alike, so every collection where order does not matter is a count a kind.

mod counts;
mod tally;

use std::borrow::Cow;
use std::fmt::Debug;
use std::iter;
use std::marker::PhantomData;

pub use counts::Counts;
pub use tally::Tally;

use serde::{Deserialize, Serialize};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;
use utoipa::{PartialSchema, ToSchema};

use crate::dealer::Shuffler;
use crate::ruling::{Clue, Violation};
use crate::seat::{Seat, Viewer};

/// The most kinds of card that a box may hold.
pub const MOST_KINDS: usize = 16;

/// A kind of card (or tile, or token) of which a box holds several alike.
pub trait Card: Copy + Eq + Debug + Send + Sync + 'static {
    /// All kinds, in the order of the rulebook. At most [`MOST_KINDS`].
    const ALL: &'static [Self];

    /// The place of this kind in [`Card::ALL`].
    fn index(self) -> usize;

    /// The kind's name in JSON.
    fn name(self) -> &'static str;
}

/// Declares a kind of card: an enum with its names in JSON, in the order of the rulebook.
//
// The names are token trees: macros hand on literals inside invisible delimiters, and utoipa does
// not look into those for serde's names.
#[macro_export]
macro_rules! card {
    ($(#[$meta:meta])* $visibility:vis enum $card:ident as $schema:path {
        $($(#[$variant_meta:meta])* $name:ident = $json:tt),+ $(,)?
    }) => {
        $(#[$meta])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash,
            serde::Serialize, serde::Deserialize, utoipa::ToSchema,
        )]
        #[schema(as = $schema)]
        $visibility enum $card {
            $($(#[$variant_meta])* #[doc = concat!("`", $json, "`")] #[serde(rename = $json)] $name,)+
        }

        impl $crate::cards::Card for $card {
            const ALL: &'static [Self] = &[$(Self::$name),+];

            fn index(self) -> usize {
                self as usize
            }

            fn name(self) -> &'static str {
                match self { $(Self::$name => $json),+ }
            }
        }

        impl std::fmt::Display for $card {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str($crate::cards::Card::name(*self))
            }
        }
    };
}

/// A collection of cards in which order does not matter.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bag<C> {
    counts: [u8; MOST_KINDS],
    total: u16,
    kind: PhantomData<C>,
}

impl<C: Card> Bag<C> {
    /// No cards.
    pub const EMPTY: Self = Self {
        counts: [0; MOST_KINDS],
        total: 0,
        kind: PhantomData,
    };

    /// How many of `card` there are.
    pub fn count(&self, card: C) -> u8 {
        self.counts[card.index()]
    }

    /// How many cards there are.
    pub fn len(&self) -> u16 {
        self.total
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// Whether there is one of `card` at least.
    pub fn has(&self, card: C) -> bool {
        self.count(card) > 0
    }

    /// Puts one card in.
    pub fn add(&mut self, card: C) {
        self.add_many(card, 1);
    }

    /// Puts `count` cards of one kind in.
    pub fn add_many(&mut self, card: C, count: u8) {
        let held = &mut self.counts[card.index()];
        // No box holds 255 of a kind; what comes from outside is judged before it is counted.
        let more = count.min(u8::MAX - *held);
        *held += more;
        self.total += u16::from(more);
    }

    /// Puts all of `other` in.
    pub fn add_all(&mut self, other: &Self) {
        self.total = 0;
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count = count.saturating_add(more);
            self.total += u16::from(*count);
        }
    }

    /// Takes one card out; says whether there was one.
    pub fn take(&mut self, card: C) -> bool {
        let count = &mut self.counts[card.index()];
        let found = *count > 0;
        if found {
            *count -= 1;
            self.total -= 1;
        }
        found
    }

    /// What is left when `other` is taken out, as far as it is there.
    pub fn less(&self, other: &Self) -> Self {
        let mut rest = *self;
        rest.total = 0;
        for (count, fewer) in rest.counts.iter_mut().zip(other.counts) {
            *count = count.saturating_sub(fewer);
            rest.total += u16::from(*count);
        }
        rest
    }

    /// The kinds present with their counts, in the order of [`Card::ALL`].
    pub fn kinds(&self) -> impl Iterator<Item = (C, u8)> + '_ {
        // Of the kinds in a box few are in a hand, and moves are listed from hands.
        let mut present = self.present();
        iter::from_fn(move || {
            let at = present.trailing_zeros() as usize;
            present &= present.wrapping_sub(1);
            C::ALL.get(at).map(|card| (*card, self.counts[at]))
        })
    }

    /// A bit for each kind, which is set when there is one of it at least.
    fn present(&self) -> u16 {
        (self.counts.iter().zip(0..))
            .fold(0, |bits, (count, at)| bits | u16::from(*count > 0) << at)
    }

    /// Every card, in the order of [`Card::ALL`].
    pub fn cards(&self) -> impl Iterator<Item = C> + '_ {
        self.kinds()
            .flat_map(|(card, count)| std::iter::repeat_n(card, usize::from(count)))
    }

    /// Draws one card, each being equally likely.
    ///
    /// # Panics
    /// When the bag is empty: whoever asks chance for a card has counted them.
    pub fn draw(&mut self, shuffler: &mut Shuffler) -> C {
        let mut at = shuffler.below(u32::from(self.total));
        for card in C::ALL {
            let count = u32::from(self.count(*card));
            if at < count {
                self.take(*card);
                return *card;
            }
            at -= count;
        }
        unreachable!("a bag holds as many cards as it counts")
    }
}

impl<C: Card> FromIterator<C> for Bag<C> {
    fn from_iter<I: IntoIterator<Item = C>>(cards: I) -> Self {
        let mut bag = Self::EMPTY;
        for card in cards {
            bag.add(card);
        }
        bag
    }
}

impl<C: Card> Debug for Bag<C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.kinds()).finish()
    }
}

/// A hand: the cards in it that are known to whoever holds this state, and how many more there are.
///
/// A dealer that deals every card knows all of them; at a table, and in a viewer's own picture of
/// the game, most hands are only counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hand<C: Card> {
    /// The cards that are known to be here.
    pub known: Bag<C>,
    /// How many more there are.
    pub unknown: u8,
}

impl<C: Card> Hand<C> {
    /// No cards.
    pub const EMPTY: Self = Self {
        known: Bag::EMPTY,
        unknown: 0,
    };

    /// How many cards there are.
    pub fn len(&self) -> u8 {
        self.known.len() as u8 + self.unknown
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many of `card` may be here at most, when `unaccounted` cards lie anywhere unseen.
    pub fn may_hold(&self, card: C, unaccounted: &Bag<C>) -> u8 {
        self.known.count(card) + unaccounted.count(card).min(self.unknown)
    }

    /// Takes a card out: a known one if there is one, else one of the unknown.
    pub fn play(&mut self, card: C) {
        if !self.known.take(card) {
            self.unknown = self.unknown.saturating_sub(1);
        }
    }

    /// The hand after `seat`, whose it is, has told all of it, when `unaccounted` cards lie anywhere
    /// unseen.
    ///
    /// # Errors
    /// CM-5 when these are not as many cards as are held, when one that is known to be here is not
    /// among them, or when more of a kind are told than can be here.
    pub fn told(&self, seat: Seat, cards: &[C], unaccounted: &Bag<C>) -> Result<Self, Violation> {
        if cards.len() != usize::from(self.len()) {
            let detail = format!(
                "seat {seat} holds {} cards, and {} are told",
                self.len(),
                cards.len()
            );
            return Err(Violation::impossible(detail));
        }
        let known: Bag<C> = cards.iter().copied().collect();
        if let Some((card, _)) = self.known.less(&known).kinds().next() {
            let (name, held) = (card.name(), self.known.count(card));
            let detail =
                format!("seat {seat} still holds {held} of the kind {name}, and fewer are told");
            return Err(Violation::impossible(detail));
        }
        let newly_told = known.less(&self.known);
        if let Some((card, _)) = newly_told.less(unaccounted).kinds().next() {
            let name = card.name();
            let detail = format!("too many cards of the kind {name} are on record elsewhere");
            let clue = Clue::Card(name.to_owned());
            return Err(Violation::impossible(detail).contradicted_by(clue));
        }
        Ok(Self { known, unknown: 0 })
    }

    /// Takes in what was drawn.
    pub fn receive(&mut self, drawn: &Drawn<C>) {
        match drawn {
            Drawn::Known { cards } => cards.iter().for_each(|card| self.known.add(*card)),
            Drawn::Counted { count } => self.unknown += count,
        }
    }
}

/// A face-down pile in which the order is not relied on: a pool of cards that can lie in it, and
/// how many do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pile<C: Card> {
    /// The cards that can lie here. As many as lie here, when every draw was seen.
    pub pool: Bag<C>,
    /// How many cards lie here.
    pub size: u16,
}

impl<C: Card> Pile<C> {
    /// A pile that holds exactly these cards, shuffled.
    pub fn of(cards: Bag<C>) -> Self {
        Self {
            size: cards.len(),
            pool: cards,
        }
    }

    /// Whether `card` can be drawn, when `unaccounted` cards lie anywhere unseen (CM-4, CM-5).
    pub fn may_hold(&self, card: C, unaccounted: &Bag<C>) -> bool {
        self.size > 0 && self.pool.has(card) && unaccounted.has(card)
    }

    /// Takes out one card that was seen.
    pub fn draw_seen(&mut self, card: C) {
        self.pool.take(card);
        self.size = self.size.saturating_sub(1);
    }

    /// Takes out what was drawn.
    pub fn give(&mut self, drawn: &Drawn<C>) {
        match drawn {
            Drawn::Known { cards } => cards.iter().for_each(|card| self.draw_seen(*card)),
            Drawn::Counted { count } => self.size = self.size.saturating_sub(u16::from(*count)),
        }
    }

    /// What a dealer who knows the whole pile draws from the top, `count` cards.
    pub fn sample(&self, count: u8, shuffler: &mut Shuffler) -> Vec<C> {
        let mut pool = self.pool;
        (0..count).map(|_| pool.draw(shuffler)).collect()
    }
}

/// Cards that went to a hand: named to whoever may know them, counted for everybody else (CM-4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Drawn<C> {
    /// Which cards, in the order in which they were drawn.
    Known {
        /// The cards.
        cards: Vec<C>,
    },
    /// How many.
    Counted {
        /// The number of cards.
        count: u8,
    },
}

impl<C> Drawn<C> {
    /// How many cards were drawn.
    pub fn len(&self) -> usize {
        match self {
            Self::Known { cards } => cards.len(),
            Self::Counted { count } => usize::from(*count),
        }
    }

    /// Whether none was.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A draw to a hand, as an outcome and as an event: `{"seat":0,"cards":["5"]}` to whoever may know
/// the cards, `{"seat":0,"count":1}` to everybody else (CM-4).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "DrawFields<C>", into = "DrawFields<C>")]
#[serde(bound(
    serialize = "C: Clone + Serialize",
    deserialize = "C: Deserialize<'de>"
))]
pub struct Draw<C> {
    /// Whose hand.
    pub seat: Seat,
    /// What went there.
    pub drawn: Drawn<C>,
}

impl<C: Clone> Draw<C> {
    /// Whether the cards are only counted.
    pub fn is_counted(&self) -> bool {
        matches!(self.drawn, Drawn::Counted { .. })
    }

    /// The draw as `viewer` may see it.
    pub fn masked(&self, viewer: Viewer) -> Cow<'_, Self> {
        match &self.drawn {
            Drawn::Known { cards } if !viewer.sees(self.seat) => Cow::Owned(Self {
                seat: self.seat,
                drawn: Drawn::Counted {
                    count: cards.len() as u8,
                },
            }),
            Drawn::Known { .. } | Drawn::Counted { .. } => Cow::Borrowed(self),
        }
    }
}

/// How a [`Draw`] is written: with `cards` or with `count`.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct DrawFields<C> {
    /// Whose hand.
    seat: Seat,
    /// Which cards, in the order in which they were drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    cards: Option<Vec<C>>,
    /// How many cards, where they are hidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u8>,
}

impl<C> TryFrom<DrawFields<C>> for Draw<C> {
    type Error = &'static str;

    fn try_from(fields: DrawFields<C>) -> Result<Self, Self::Error> {
        let drawn = match (fields.cards, fields.count) {
            (Some(cards), None) if cards.len() <= usize::from(u8::MAX) => Drawn::Known { cards },
            (None, Some(count)) => Drawn::Counted { count },
            (Some(_), None) => return Err("a draw of more than 255 cards"),
            (None, None) | (Some(_), Some(_)) => {
                return Err("a draw has either `cards` or `count`");
            }
        };
        Ok(Self {
            seat: fields.seat,
            drawn,
        })
    }
}

impl<C> From<Draw<C>> for DrawFields<C> {
    fn from(draw: Draw<C>) -> Self {
        let (cards, count) = match draw.drawn {
            Drawn::Known { cards } => (Some(cards), None),
            Drawn::Counted { count } => (None, Some(count)),
        };
        Self {
            seat: draw.seat,
            cards,
            count,
        }
    }
}

impl<C: ToSchema> PartialSchema for Draw<C> {
    fn schema() -> RefOr<Schema> {
        DrawFields::<C>::schema()
    }
}

impl<C: ToSchema> ToSchema for Draw<C> {
    fn name() -> Cow<'static, str> {
        Cow::Owned(format!("Draw.{}", C::name()))
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        DrawFields::<C>::schemas(schemas);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    // As many kinds as a box may hold.
    use crate::rulesets::sleeping_queens::Card as Full;

    proptest! {
        #[test]
        fn a_bag_lists_the_kinds_that_are_present_in_order(counts in any::<[u8; MOST_KINDS]>()) {
            prop_assert_eq!(Full::ALL.len(), MOST_KINDS);
            let mut bag = Bag::EMPTY;
            for (card, count) in Full::ALL.iter().zip(counts) {
                bag.add_many(*card, count % 3);
            }
            let present: Vec<_> = (Full::ALL.iter().copied())
                .zip(counts.map(|count| count % 3))
                .filter(|(_, count)| *count > 0)
                .collect();
            prop_assert_eq!(bag.kinds().collect::<Vec<_>>(), present);
        }
    }

    #[test]
    fn the_schema_of_cards_has_their_names_in_json() {
        card! {
            /// A suit.
            enum Suit as testing::Suit {
                Hearts = "red_hearts",
                Spades = "black_spades",
            }
        }
        let schema = serde_json::to_value(Suit::schema()).expect("JSON");
        assert_eq!(schema["enum"], json!(["red_hearts", "black_spades"]));
        assert_eq!(json!(Suit::ALL), schema["enum"]);
    }
}
