//! Who sits where, who acts, and whose eyes look.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::wire::Index;

/// The most seats that any game has (CM-1).
pub const MOST_SEATS: u8 = 6;

/// A place at the table, numbered from 0 clockwise (CM-1). Below [`MOST_SEATS`] when it was read
/// from outside; whether a game has that seat is for the game to say.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(try_from = "u8")]
#[schema(value_type = u8, minimum = 0, maximum = 5)]
pub struct Seat(u8);

impl Seat {
    /// The seat with this number.
    pub const fn new(number: u8) -> Self {
        Self(number)
    }

    /// The number as a list index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The number as it is written.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The next seat clockwise at a table of `seats`.
    pub const fn next(self, seats: u8) -> Self {
        self.step(1, seats)
    }

    /// The seat `steps` further clockwise at a table of `seats`.
    pub const fn step(self, steps: u8, seats: u8) -> Self {
        Self(((self.0 as u16 + steps as u16) % seats as u16) as u8)
    }

    /// All seats of a table, in order.
    pub fn all(seats: u8) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        (0..seats).map(Self)
    }

    /// All seats of a table clockwise, beginning with this one.
    pub fn round(self, seats: u8) -> impl Iterator<Item = Self> + Clone {
        (0..seats).map(move |steps| self.step(steps, seats))
    }
}

impl TryFrom<u8> for Seat {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, String> {
        if number < MOST_SEATS {
            Ok(Self(number))
        } else {
            Err(format!(
                "seat {number} does not exist: the largest table has {MOST_SEATS} seats"
            ))
        }
    }
}

impl<const MAX: u8> From<Index<0, MAX>> for Seat {
    fn from(index: Index<0, MAX>) -> Self {
        Self(index.get())
    }
}

impl std::fmt::Display for Seat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// Whom an event speaks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Actor {
    /// A player's own act.
    Seat {
        /// Which player.
        seat: Seat,
    },
    /// A shuffle, a draw, a die, a face turned up (CM-4).
    Chance {},
    /// The keeper of the game.
    Host {},
    /// A consequence that the rules draw.
    Referee {},
}

/// Whose token a request carried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "role", rename_all = "snake_case", deny_unknown_fields)]
pub enum By {
    /// The host's token.
    Host {},
    /// A seat's token.
    Seat {
        /// Which seat's.
        seat: Seat,
    },
}

/// Whose eyes a state or an event is shown to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Viewer {
    /// A player.
    Seat(Seat),
    /// Anybody who may read the game and holds no seat, the host included.
    Spectator,
    /// Whoever reads a game that is over: everything on record is open.
    Open,
}

impl Viewer {
    /// Whether this viewer sees what `seat` alone may see.
    pub fn sees(self, seat: Seat) -> bool {
        match self {
            Self::Seat(own) => own == seat,
            Self::Spectator => false,
            Self::Open => true,
        }
    }
}
