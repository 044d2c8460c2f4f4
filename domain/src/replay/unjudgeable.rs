//! Why a record cannot be judged at all.

use crate::ruling::Violation;
use crate::wire::Malformed;

/// A record that cannot be judged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unjudgeable {
    /// A part of it is not what it should be.
    #[error("{at}: {detail}")]
    Malformed {
        /// Which part.
        at: Part,
        /// What is wrong.
        detail: String,
    },
    /// The rules forbid the game that it is of.
    #[error(transparent)]
    Setup(#[from] Violation),
}

impl From<Malformed> for Unjudgeable {
    fn from(found: Malformed) -> Self {
        Self::at(found.at, found.detail)
    }
}

/// A part of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// What stands at a JSON Pointer.
    Pointer(String),
    /// A line, from 1.
    Line(usize),
}

impl std::fmt::Display for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Pointer(whole) if whole.is_empty() => f.write_str("the record"),
            Self::Pointer(pointer) => f.write_str(pointer),
            Self::Line(number) => write!(f, "line {number}"),
        }
    }
}

impl Unjudgeable {
    /// What stands at a JSON Pointer is not what it should be.
    pub fn at(pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        Self::Malformed {
            at: Part::Pointer(pointer.into()),
            detail: detail.into(),
        }
    }

    /// A line, from 1, is not what it should be.
    pub fn at_line(number: usize, detail: impl Into<String>) -> Self {
        Self::Malformed {
            at: Part::Line(number),
            detail: detail.into(),
        }
    }
}
