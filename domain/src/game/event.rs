//! What happens in the life of any game.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::past::Origin;
use crate::dealer::Mode;
use crate::record::Hash;
use crate::ruleset::{Ruleset, Standing};
use crate::seat::{Seat, Viewer};

/// An event of a game: of its life, or of its rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum GameEvent<E> {
    /// What any game may meet.
    Life(Life),
    /// What the game's own rules know.
    Game(E),
}

impl<E> GameEvent<E> {
    /// Whether it holds something that not everybody may see.
    pub fn hides<R: Ruleset<Event = E>>(&self) -> bool
    where
        E: Clone,
    {
        match self {
            Self::Life(_) => false,
            Self::Game(event) => {
                matches!(
                    R::mask(event, Viewer::Spectator),
                    std::borrow::Cow::Owned(_)
                )
            }
        }
    }
}

/// What may happen to any game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(
    tag = "type",
    content = "data",
    rename_all = "snake_case",
    deny_unknown_fields
)]
pub enum Life {
    /// The game was created: a [`Created`].
    #[schema(value_type = Object)]
    GameCreated(serde_json::Value),
    /// A seat's token was collected with its claim code.
    SeatClaimed {
        /// Which seat.
        seat: Seat,
    },
    /// The game was wound back.
    Rewound(Rewound),
    /// The host ended the game; nobody won.
    GameAbandoned {},
    /// The rules ended the game.
    GameOver(Standing),
}

/// What a game was created with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Created<O> {
    /// The game's id.
    pub id: String,
    /// The kind of game.
    pub game: String,
    /// Who supplies outcomes.
    pub mode: Mode,
    /// The version of the rules that it is judged by.
    pub rules_version: u16,
    /// The number of seats.
    pub seats: u8,
    /// The answers to the questions that the rules leave open.
    pub options: O,
    /// SHA-256 of a salt and the names, which are kept beside the chain.
    pub names: Hash,
    /// SHA-256 of the dealer's secret; a virtual game's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commitment: Option<Hash>,
    /// Where its past comes from, if it did not begin here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
}

/// How far a game was wound back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Rewound {
    /// The version whose state is in force again.
    pub to: u64,
}
