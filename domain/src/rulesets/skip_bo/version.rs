//! The versions of these rules, and where they part.
//!
//! A further version is a variant of [`Version`], a table of amendments beside those in `rules`, and
//! a question such as [`Version::compels_stock`] that the rules ask where they part. Games that
//! were begun under an earlier one stay under it.

use super::rules::{FIRST, SECOND};
use crate::ruling::Rulebook;

/// A version of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Version {
    /// Nobody has to play.
    First,
    /// The own stock comes first.
    Second,
}

impl Version {
    /// Every version's number, the default first.
    pub(super) const NUMBERS: &'static [u16] = &[1, 2];

    /// The version with this number; the newest for a number beyond all.
    pub fn numbered(number: u16) -> Self {
        match number {
            0 | 1 => Self::First,
            _ => Self::Second,
        }
    }

    /// Whether the own stock must be played while it fits (SB-3.8).
    pub fn compels_stock(self) -> bool {
        self >= Self::Second
    }

    /// What is served and cited.
    pub(super) fn rulebook(self) -> &'static Rulebook {
        match self {
            Self::First => &FIRST,
            Self::Second => &SECOND,
        }
    }
}
