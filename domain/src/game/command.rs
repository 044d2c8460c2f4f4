//! What is wished of a game, and why it may be refused.

use chrono::{DateTime, Utc};

use crate::dealer::Shuffler;
use crate::record::Entry;
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
    /// A move that the rules forbid and that the table let pass.
    Stand {
        /// Whose.
        seat: Seat,
        /// Which.
        mv: R::Move,
        /// What the table played on from.
        position: Box<R::Position>,
    },
    /// A seat says that this is how it was.
    Confirm {
        /// Which seat.
        seat: Seat,
        /// The version up to which it agrees.
        up_to: u64,
    },
    /// A seat tells the referee its own hidden cards.
    Confide {
        /// Which seat.
        seat: Seat,
        /// All that it holds.
        cards: Vec<R::Held>,
    },
    /// The host gives a seat a new token.
    RenewToken {
        /// Which seat.
        seat: Seat,
    },
    /// Whoever sent the newest request takes it back.
    TakeBack,
    /// Somebody says that an event is not what happened.
    OpenDispute {
        /// The event.
        seq: u64,
        /// What is said to have happened.
        claim: String,
    },
    /// A seat votes; the host decides.
    Vote {
        /// The dispute.
        dispute: u32,
        /// How it should end.
        remedy: Wish<R>,
    },
    /// The claimant takes the dispute back.
    WithdrawDispute {
        /// The dispute.
        dispute: u32,
    },
}

/// How a dispute should end, as it is asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Wish<R: Ruleset> {
    /// The record stays as it is.
    Keep,
    /// The game is wound back to a version.
    Rewind(u64),
    /// The entry that caused the event is replaced by this one.
    Replace(Entry<R::Move, R::Outcome>),
}

impl<R: Ruleset> Command<R> {
    /// Whether judging it takes the whole record, not just the game at its end.
    pub fn reads_the_record(&self) -> bool {
        match self {
            Self::TakeBack | Self::OpenDispute { .. } | Self::Vote { .. } => true,
            Self::Move { .. }
            | Self::Declare { .. }
            | Self::Claim { .. }
            | Self::Abandon
            | Self::Stand { .. }
            | Self::Confirm { .. }
            | Self::Confide { .. }
            | Self::RenewToken { .. }
            | Self::WithdrawDispute { .. } => false,
        }
    }
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

/// Why a game cannot be set up, or a move cannot be made: always by a rule.
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

/// Why a command is not carried out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Declined {
    /// A rule forbids it.
    #[error(transparent)]
    Illegal(#[from] Violation),
    /// The position that it gives is impossible.
    #[error(transparent)]
    Impossible(Violation),
    /// A dispute is open, and until it is closed only votes, its withdrawal and the end of the game
    /// go on.
    #[error("dispute {0} is open: vote on it, or withdraw it")]
    Disputed(u32),
    /// The game never had a dispute of this number.
    #[error("there is no dispute {0}")]
    NoSuchDispute(u32),
    /// The dispute is over.
    #[error("dispute {0} is over")]
    DisputeOver(u32),
    /// A part of the command names something that the record does not have.
    #[error("{detail}")]
    Misplaced {
        /// The JSON pointer of the part.
        at: &'static str,
        /// What is wrong.
        detail: String,
    },
    /// Whoever asked has no right to it here.
    #[error("{0}")]
    NotTheirs(&'static str),
    /// It would tell of a past that nobody may read while the game runs.
    #[error("the past of this game is closed until it is over")]
    HistoryClosed,
    /// The record cannot be read.
    #[error("the record cannot be read: {0}")]
    Unreadable(String),
}
