//! What is wished of a game, and why it may be refused.

use chrono::{DateTime, Utc};

use crate::dealer::Shuffler;
use crate::ruleset::Ruleset;
use crate::ruling::Violation;
use crate::seat::{By, Seat};

/// A wish, from somebody who has the right to it.
#[derive(Clone, Debug)]
pub enum Command<R: Ruleset> {
    /// A seat's move.
    Move {
        /// Whose.
        seat: Seat,
        /// Which.
        mv: R::Move,
        /// The outcomes declared with it, in order.
        outcomes: Vec<R::Outcome>,
    },
    /// Outcomes declared on their own.
    Declare {
        /// The outcomes, in order; one at least.
        outcomes: Vec<R::Outcome>,
    },
    /// The holder of a seat's claim code collects its token.
    Claim {
        /// Which seat.
        seat: Seat,
    },
    /// The host ends the game.
    Abandon,
}

/// What comes with a command from outside: the time, whose token it was, and salts.
pub struct Context {
    /// Now.
    pub at: DateTime<Utc>,
    /// When it happened, where the players said so.
    pub occurred_at: Option<DateTime<Utc>>,
    /// Whose token it was.
    pub by: Option<By>,
    salts: Shuffler,
}

impl Context {
    /// A context with salts from 32 random bytes that nobody else knows.
    pub fn new(at: DateTime<Utc>, by: Option<By>, entropy: [u8; 32]) -> Self {
        Self {
            at,
            occurred_at: None,
            by,
            salts: Shuffler::keyed(entropy),
        }
    }

    /// The next salt: 16 bytes in hex.
    pub(super) fn salt(&mut self) -> String {
        let bytes: Vec<u8> = (0..4)
            .flat_map(|_| self.salts.word().to_le_bytes())
            .collect();
        hex::encode(bytes)
    }
}

/// Why a command is refused: always by a rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The game cannot be set up so.
    #[error(transparent)]
    Setup(Violation),
    /// The move or outcome is against a rule.
    #[error(transparent)]
    Illegal(#[from] Violation),
}

impl Refusal {
    /// The broken rule.
    pub fn violation(&self) -> &Violation {
        match self {
            Self::Setup(violation) | Self::Illegal(violation) => violation,
        }
    }
}
