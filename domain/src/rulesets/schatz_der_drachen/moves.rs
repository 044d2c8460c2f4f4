//! What is written in JSON.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use utoipa::ToSchema;

use crate::card;
use crate::ruleset::FirstSeat;
use crate::seat::Seat;

card! {
    /// A tile (SD-1.1).
    pub enum Tile as schatz_der_drachen::Tile {
        Spider = "spider",
        Dragon = "dragon",
        Ring = "ring",
        Ball = "ball",
        Car = "car",
        Doll = "doll",
        Candlestick = "candlestick",
        Chest = "chest",
    }
}

impl Tile {
    /// Whether it is a treasure (SD-1.3).
    pub fn is_treasure(self) -> bool {
        match self {
            Self::Ball | Self::Car | Self::Doll | Self::Candlestick | Self::Chest => true,
            Self::Spider | Self::Dragon | Self::Ring => false,
        }
    }
}

/// A place in the square: column letter, then row number, `a1` to `g7` (SD-1.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, ToSchema)]
#[schema(as = schatz_der_drachen::Slot, value_type = String, pattern = "^[a-g][1-7]$")]
pub struct Slot(u8);

impl Slot {
    /// The number of places.
    pub const COUNT: usize = 49;

    /// All places, row by row.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        (0..Self::COUNT as u8).map(Self)
    }

    /// The place in the square, counted row by row.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    fn parse(text: &str) -> Option<Self> {
        let [column @ b'a'..=b'g', row @ b'1'..=b'7'] = text.as_bytes() else {
            return None;
        };
        Some(Self((row - b'1') * 7 + (column - b'a')))
    }
}

impl std::fmt::Display for Slot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (row, column) = (self.0 / 7, self.0 % 7);
        write!(f, "{}{}", char::from(b'a' + column), char::from(b'1' + row))
    }
}

impl Serialize for Slot {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Slot {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| de::Error::custom("expected a place from `a1` to `g7`"))
    }
}

/// The options of Schatz der Drachen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(as = schatz_der_drachen::Options)]
pub struct Options {
    /// The seat that begins (CM-1).
    pub first_seat: FirstSeat,
    /// Whether the referee remembers for the players (SD-7.1).
    #[schema(default = true)]
    pub notebook: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            first_seat: FirstSeat::default(),
            notebook: true,
        }
    }
}

/// A move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = schatz_der_drachen::Move)]
pub enum Move {
    /// Turn a tile over.
    Reveal {
        /// Where it lies.
        slot: Slot,
    },
    /// Stop, and take what is complete.
    Stop {},
    /// Lay the spider on an empty place before it is turned down.
    MoveSpider {
        /// The empty place.
        to: Slot,
    },
    /// Leave the spider where it is.
    LeaveSpider {},
}

/// What chance produced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = schatz_der_drachen::Outcome)]
pub enum Outcome {
    /// The face of the tile that is being turned over.
    Tile {
        /// The face.
        tile: Tile,
    },
}

/// What chance is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = schatz_der_drachen::Due)]
pub enum Due {
    /// The face of a tile.
    Tile {
        /// Where it lies.
        slot: Slot,
    },
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(
    tag = "type",
    content = "data",
    rename_all = "snake_case",
    deny_unknown_fields
)]
#[schema(as = schatz_der_drachen::Event)]
pub enum Event {
    /// A player reached for a tile.
    TileChosen {
        /// Who.
        seat: Seat,
        /// Where it lies.
        slot: Slot,
    },
    /// The tile was turned over.
    TileRevealed {
        /// Where it lies.
        slot: Slot,
        /// Its face.
        tile: Tile,
    },
    /// A spider stopped the player, who may move it first.
    SpiderFound {
        /// Where it lies.
        slot: Slot,
    },
    /// The spider was laid on an empty place.
    SpiderMoved {
        /// Who moved it.
        seat: Seat,
        /// Where it lay.
        from: Slot,
        /// Where it lies.
        to: Slot,
    },
    /// The spider was left where it lay.
    SpiderLeft {
        /// Who left it.
        seat: Seat,
    },
    /// The turn earns nothing.
    TurnLost {},
    /// The player stopped.
    Stopped {
        /// Who.
        seat: Seat,
    },
    /// Tiles of one kind were taken.
    TilesTaken {
        /// Who took them.
        seat: Seat,
        /// Their face.
        tile: Tile,
        /// Where they lay.
        slots: Vec<Slot>,
    },
    /// Tiles were turned face down in their places.
    TurnedDown {
        /// Where they lie.
        slots: Vec<Slot>,
    },
    /// The next player is on turn.
    TurnPassed {
        /// Who.
        seat: Seat,
    },
    /// Nothing but spiders lies in the square.
    OnlySpidersLeft {},
    /// The player with the most dragons received the spiders.
    SpidersAwarded {
        /// Who.
        seat: Seat,
    },
}
