//! What happens in the life of any game.

use std::borrow::Cow;

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
    // Tried first when it is read, since most events are of this kind. No type is of both kinds.
    /// What the game's own rules know.
    Game(E),
    /// What any game may meet.
    Life(Life),
}

impl<E> GameEvent<E> {
    /// Whether it holds something that not everybody may see.
    pub fn hides<R: Ruleset<Event = E>>(&self) -> bool
    where
        E: Clone,
    {
        matches!(self.masked::<R>(Viewer::Spectator), Cow::Owned(_))
    }

    /// The event as `viewer` may see it; borrowed when it hides nothing from that viewer.
    pub fn masked<R: Ruleset<Event = E>>(&self, viewer: Viewer) -> Cow<'_, Self>
    where
        E: Clone,
    {
        match self {
            Self::Life(Life::Confided(Confided {
                seat,
                cards: Some(_),
            })) if !viewer.sees(*seat) => {
                let (seat, cards) = (*seat, None);
                Cow::Owned(Self::Life(Life::Confided(Confided { seat, cards })))
            }
            Self::Life(_) => Cow::Borrowed(self),
            Self::Game(event) => match R::mask(event, viewer) {
                Cow::Owned(masked) => Cow::Owned(Self::Game(masked)),
                Cow::Borrowed(_) => Cow::Borrowed(self),
            },
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
    /// The host gave a seat a new token; the old one opens nothing any more.
    TokenRenewed {
        /// Which seat.
        seat: Seat,
    },
    /// Somebody says that an event is not what happened.
    DisputeOpened(DisputeOpened),
    /// What the referee finds on record about it.
    DisputeFound(DisputeFound),
    /// A seat says how the dispute should end.
    DisputeVoted(DisputeVoted),
    /// The claimant takes the dispute back.
    DisputeWithdrawn {
        /// Its number in the game, from 1.
        dispute: u32,
    },
    /// The dispute ends with a remedy, and what the remedy does follows.
    DisputeClosed {
        /// Its number in the game, from 1.
        dispute: u32,
        /// The remedy.
        outcome: Remedy,
    },
    /// A dispute ended without a remedy: the game was abandoned, or is a fork of the one that it goes
    /// on in.
    DisputeLapsed {
        /// Its number in the game, from 1.
        dispute: u32,
    },
    /// Recording again what followed a replaced entry came to its end early.
    ReplayStopped(ReplayStopped),
    /// A seat says that this is how it was.
    Confirmed {
        /// Which seat.
        seat: Seat,
        /// The version up to which it agrees.
        up_to: u64,
    },
    /// A seat told the referee its own hidden cards.
    Confided(Confided),
    /// A move that the rules forbid and that the table let pass.
    Irregularity(Irregularity),
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
    /// The position that it begins with, where that is not the first one; a table's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub position: Option<serde_json::Value>,
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
    /// Whether something hidden was shown in what was wound back. Depends on the types of those
    /// events alone.
    pub revealed_since: bool,
}

/// A claim about an event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DisputeOpened {
    /// The dispute's number in the game, from 1.
    pub dispute: u32,
    /// The seq of the event that it is about.
    pub seq: u64,
    /// What is said to have happened, in the claimant's words.
    pub claim: String,
}

/// What is on record about a claim, as far as everybody may know it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DisputeFound {
    /// The dispute's number in the game, from 1.
    pub dispute: u32,
    /// The seq of the move or outcome that the event belongs to.
    pub entry: u64,
    /// The id of the rule by which the event was possible.
    pub rule: String,
    /// The version up to which the claimant had agreed with the record, if it ever did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmed_up_to: Option<u64>,
}

/// A vote.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DisputeVoted {
    /// The dispute's number in the game, from 1.
    pub dispute: u32,
    /// Whose vote.
    pub seat: Seat,
    /// For which remedy. Takes the place of an earlier vote.
    pub vote: Remedy,
}

/// How a dispute may end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "remedy", rename_all = "snake_case", deny_unknown_fields)]
pub enum Remedy {
    /// The record stays as it is.
    Keep {},
    /// The game is wound back.
    Rewind {
        /// The version whose state is in force again.
        to: u64,
    },
    /// The entry that caused the event is replaced, and what followed is recorded again. At tables
    /// only.
    Replace {
        /// `{"seat":0,"move":{…}}` or `{"outcome":{…}}`, of the same kind as what it replaces.
        #[schema(value_type = Object)]
        entry: serde_json::Value,
    },
}

/// Why what followed a replaced entry was not all recorded again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplayStopped {
    /// The seq of the first entry that no longer holds on the corrected past.
    pub seq: u64,
    /// The id of the rule that forbids it now.
    pub rule: String,
    /// Why, in the game's terms.
    pub detail: String,
}

/// What a seat told of its own hidden cards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Confided {
    /// Which seat.
    pub seat: Seat,
    /// The names of the cards; shown to that seat alone until the game is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<String>>)]
    pub cards: Option<Vec<serde_json::Value>>,
}

/// A move that stood although the rules forbid it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Irregularity {
    /// Whose move.
    pub seat: Seat,
    /// The move.
    #[serde(rename = "move")]
    #[schema(value_type = Object)]
    pub mv: serde_json::Value,
    /// The id of the rule that it broke.
    pub rule: String,
    /// The position that the table played on from.
    #[schema(value_type = Object)]
    pub position: serde_json::Value,
}

impl Life {
    /// Whether it is neither an entry nor a consequence of one: it stands beside the game, and no
    /// rule asks for it.
    pub(crate) fn is_aside(&self) -> bool {
        match self {
            Self::SeatClaimed { .. }
            | Self::TokenRenewed { .. }
            | Self::DisputeOpened(_)
            | Self::DisputeFound(_)
            | Self::DisputeVoted(_)
            | Self::DisputeWithdrawn { .. }
            | Self::DisputeClosed { .. }
            | Self::DisputeLapsed { .. }
            | Self::ReplayStopped(_)
            | Self::Confirmed { .. }
            | Self::Confided(_) => true,
            Self::GameCreated(_)
            | Self::Irregularity(_)
            | Self::Rewound(_)
            | Self::GameAbandoned {}
            | Self::GameOver(_) => false,
        }
    }
}
