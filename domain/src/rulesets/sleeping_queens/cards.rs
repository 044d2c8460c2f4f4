//! What is in the box.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use utoipa::ToSchema;

use super::rules::Rule;
use crate::card;
use crate::cards::{Bag, Card as _};
use crate::ruling::Violation;
use crate::wire::Index;

card! {
    /// A card that players hold (SQ-1.2).
    pub enum Card as sleeping_queens::Card {
        King = "king",
        Jester = "jester",
        Knight = "knight",
        Potion = "potion",
        Wand = "wand",
        Dragon = "dragon",
        One = "1",
        Two = "2",
        Three = "3",
        Four = "4",
        Five = "5",
        Six = "6",
        Seven = "7",
        Eight = "8",
        Nine = "9",
        Ten = "10",
    }
}

/// How many cards there are of each number (SQ-1.2).
const OF_EACH_NUMBER: u8 = 4;

/// A few cards in the order in which a player named them: no more than a hand holds, unless somebody
/// asks for what cannot be.
pub type Cards = SmallVec<[Card; 16]>;

impl Card {
    /// The number cards, from 1 to 10.
    pub const NUMBERS: [Self; 10] = [
        Self::One,
        Self::Two,
        Self::Three,
        Self::Four,
        Self::Five,
        Self::Six,
        Self::Seven,
        Self::Eight,
        Self::Nine,
        Self::Ten,
    ];

    /// The number on it; none on an action card.
    pub fn number(self) -> Option<u8> {
        (self.index() + 1)
            .checked_sub(Self::One.index())
            .filter(|number| *number > 0)
            .map(|number| number as u8)
    }
}

card! {
    /// A queen (SQ-1.1).
    pub enum Queen as sleeping_queens::Queen {
        Rose = "rose",
        Cake = "cake",
        Rainbow = "rainbow",
        Starfish = "starfish",
        Pancake = "pancake",
        Cat = "cat",
        Dog = "dog",
        Heart = "heart",
        Ladybug = "ladybug",
        Peacock = "peacock",
        Moon = "moon",
        Sunflower = "sunflower",
    }
}

impl Queen {
    /// What she counts (SQ-1.1).
    pub fn points(self) -> u8 {
        match self {
            Self::Rose | Self::Cake | Self::Rainbow | Self::Starfish => 5,
            Self::Ladybug | Self::Peacock | Self::Moon | Self::Sunflower => 10,
            Self::Pancake | Self::Cat | Self::Dog => 15,
            Self::Heart => 20,
        }
    }

    /// The queen whom nobody may hold together with this one (SQ-4.2).
    pub fn rival(self) -> Option<Self> {
        match self {
            Self::Cat => Some(Self::Dog),
            Self::Dog => Some(Self::Cat),
            Self::Rose
            | Self::Cake
            | Self::Rainbow
            | Self::Starfish
            | Self::Pancake
            | Self::Heart
            | Self::Ladybug
            | Self::Peacock
            | Self::Moon
            | Self::Sunflower => None,
        }
    }
}

/// One of the places, 1 to 12, in which the queens lie down to sleep (SQ-2.1).
pub type Slot = Index<1, 12>;

/// How many cards of each action there are (SQ-1.2). Editions differ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(as = sleeping_queens::Deck)]
pub struct Deck {
    /// Kings: 1 to 20.
    #[schema(minimum = 1, maximum = 20)]
    pub king: i64,
    /// Jesters: 0 to 20.
    #[schema(minimum = 0, maximum = 20)]
    pub jester: i64,
    /// Knights: 0 to 20.
    #[schema(minimum = 0, maximum = 20)]
    pub knight: i64,
    /// Potions: 0 to 20.
    #[schema(minimum = 0, maximum = 20)]
    pub potion: i64,
    /// Wands: 0 to 20.
    #[schema(minimum = 0, maximum = 20)]
    pub wand: i64,
    /// Dragons: 0 to 20.
    #[schema(minimum = 0, maximum = 20)]
    pub dragon: i64,
}

impl Default for Deck {
    fn default() -> Self {
        Self {
            king: 8,
            jester: 5,
            knight: 4,
            potion: 4,
            wand: 3,
            dragon: 3,
        }
    }
}

impl Deck {
    /// All cards that players can hold. There are 41 at least, and five players hold 25 at most, so
    /// a game never runs out of cards to draw.
    ///
    /// # Errors
    /// SQ-1.2 when a count is out of bounds.
    pub(super) fn cards(&self) -> Result<Bag<Card>, Violation> {
        let mut cards = Bag::EMPTY;
        for (card, count, least) in [
            (Card::King, self.king, 1),
            (Card::Jester, self.jester, 0),
            (Card::Knight, self.knight, 0),
            (Card::Potion, self.potion, 0),
            (Card::Wand, self.wand, 0),
            (Card::Dragon, self.dragon, 0),
        ] {
            match u8::try_from(count) {
                Ok(count) if (least..=20).contains(&count) => cards.add_many(card, count),
                _ => {
                    let detail = format!(
                        "deck.{card} is {count}, and there may be {least} to 20 of that card"
                    );
                    return Err(Violation::of(Rule::Cards, detail));
                }
            }
        }
        for number in Card::NUMBERS {
            cards.add_many(number, OF_EACH_NUMBER);
        }
        Ok(cards)
    }
}
