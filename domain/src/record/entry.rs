//! What was submitted, declared or dealt, in order: all that is needed to judge a game again.

use serde::{Deserialize, Serialize};

use super::{Hash, canonical};
use crate::ruleset::Cause;
use crate::seat::Seat;

/// A move or an outcome as it went into the record, written `{"seat":0,"move":{…}}` or
/// `{"outcome":{…}}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Entry<M, O> {
    /// A seat's move.
    Move {
        /// Whose.
        seat: Seat,
        /// Which.
        #[serde(rename = "move")]
        mv: M,
    },
    /// An outcome of chance.
    Outcome {
        /// Which.
        outcome: O,
    },
}

impl<M, O> From<Cause<M, O>> for Entry<M, O> {
    fn from(cause: Cause<M, O>) -> Self {
        match cause {
            Cause::Move { seat, mv } => Self::Move { seat, mv },
            Cause::Outcome(outcome) => Self::Outcome { outcome },
        }
    }
}

impl<M, O> From<Entry<M, O>> for Cause<M, O> {
    fn from(entry: Entry<M, O>) -> Self {
        match entry {
            Entry::Move { seat, mv } => Self::Move { seat, mv },
            Entry::Outcome { outcome } => Self::Outcome(outcome),
        }
    }
}

/// A digest of the entries in force so far. It starts as 32 zero bytes; each entry makes it
/// `SHA-256(digest || JCS of the entry)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryDigest(pub Hash);

impl EntryDigest {
    /// The digest of no entries.
    pub const START: Self = Self(Hash::ZERO);

    /// The digest with one entry more.
    pub fn with<M: Serialize, O: Serialize>(self, entry: &Entry<M, O>) -> Self {
        Self(Hash::of_parts(&[&self.0.0, canonical(entry).as_bytes()]))
    }
}
