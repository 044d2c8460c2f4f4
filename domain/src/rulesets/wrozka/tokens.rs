//! The note tokens and what is on their faces.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::card;
use crate::cards::Card;
use crate::dealer::Shuffler;

card! {
    /// The colour of a fairy card and of the accessories that belong on it (WR-1.1).
    pub enum Colour as wrozka::Colour {
        Pink = "pink",
        Blue = "blue",
        Yellow = "yellow",
        Green = "green",
    }
}

/// The face of a note token (WR-1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = wrozka::Token)]
pub enum Token {
    /// A diadem.
    Diadem {
        /// Whose card it belongs on.
        colour: Colour,
    },
    /// A necklace.
    Necklace {
        /// Whose card it belongs on.
        colour: Colour,
    },
    /// A handbag.
    Handbag {
        /// Whose card it belongs on.
        colour: Colour,
    },
    /// A fan.
    Fan {
        /// Whose card it belongs on.
        colour: Colour,
    },
    /// A carriage, for whoever has all four accessories.
    Carriage {},
}

impl Token {
    /// The accessories of one colour, in the order of the rulebook.
    pub const fn accessories(colour: Colour) -> [Self; 4] {
        [
            Self::Diadem { colour },
            Self::Necklace { colour },
            Self::Handbag { colour },
            Self::Fan { colour },
        ]
    }

    /// The card that an accessory belongs on; none for a carriage.
    pub fn colour(self) -> Option<Colour> {
        match self {
            Self::Diadem { colour }
            | Self::Necklace { colour }
            | Self::Handbag { colour }
            | Self::Fan { colour } => Some(colour),
            Self::Carriage {} => None,
        }
    }

    /// The one bit of an accessory in [`Tokens`]; none for a carriage.
    fn bit(self) -> Option<u16> {
        let (place, colour) = match self {
            Self::Diadem { colour } => (0, colour),
            Self::Necklace { colour } => (1, colour),
            Self::Handbag { colour } => (2, colour),
            Self::Fan { colour } => (3, colour),
            Self::Carriage {} => return None,
        };
        Some(1 << (4 * colour.index() + place))
    }
}

impl std::fmt::Display for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Diadem { colour } => write!(f, "{colour} diadem"),
            Self::Necklace { colour } => write!(f, "{colour} necklace"),
            Self::Handbag { colour } => write!(f, "{colour} handbag"),
            Self::Fan { colour } => write!(f, "{colour} fan"),
            Self::Carriage {} => f.write_str("carriage"),
        }
    }
}

/// A collection of tokens in which order does not matter. There is one of every accessory in the
/// box, so a bit says whether it is here; carriages are alike and counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tokens {
    accessories: u16,
    carriages: u8,
}

impl Tokens {
    /// No tokens.
    pub const EMPTY: Self = Self {
        accessories: 0,
        carriages: 0,
    };

    /// The tokens that a game is played with when these colours are (WR-2.2).
    pub fn in_play(colours: &[Colour]) -> Self {
        let mut tokens = Self::EMPTY;
        for colour in colours {
            for accessory in Token::accessories(*colour) {
                tokens.add(accessory);
            }
            tokens.add(Token::Carriage {});
        }
        tokens
    }

    /// How many tokens there are.
    pub fn len(&self) -> u8 {
        (self.accessories.count_ones() as u8).saturating_add(self.carriages)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        *self == Self::EMPTY
    }

    /// Whether there is one of `token` at least.
    pub fn has(&self, token: Token) -> bool {
        match token.bit() {
            Some(bit) => self.accessories & bit != 0,
            None => self.carriages > 0,
        }
    }

    /// Puts a token in.
    pub fn add(&mut self, token: Token) {
        match token.bit() {
            Some(bit) => self.accessories |= bit,
            None => self.carriages = self.carriages.saturating_add(1),
        }
    }

    /// Takes a token out, if it is there.
    pub fn take(&mut self, token: Token) {
        match token.bit() {
            Some(bit) => self.accessories &= !bit,
            None => self.carriages = self.carriages.saturating_sub(1),
        }
    }

    /// What is left when `other` is taken out, as far as it is there.
    pub fn less(&self, other: &Self) -> Self {
        Self {
            accessories: self.accessories & !other.accessories,
            carriages: self.carriages.saturating_sub(other.carriages),
        }
    }

    /// Every token: accessories colour by colour, then carriages.
    pub fn iter(&self) -> impl Iterator<Item = Token> + '_ {
        Colour::ALL
            .iter()
            .flat_map(|colour| Token::accessories(*colour))
            .filter(|token| self.has(*token))
            .chain(std::iter::repeat_n(
                Token::Carriage {},
                usize::from(self.carriages),
            ))
    }

    /// One of the tokens, each being equally likely.
    ///
    /// # Panics
    /// When there are none: whoever asks chance for a face has counted them.
    pub fn draw(&self, shuffler: &mut Shuffler) -> Token {
        let at = shuffler.below(u32::from(self.len()));
        self.iter()
            .nth(at as usize)
            .expect("there are as many tokens as are counted")
    }
}
