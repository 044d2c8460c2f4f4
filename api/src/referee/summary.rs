//! What everybody who may know of a game may know of it.

use chrono::{DateTime, Utc};
use domain::dealer::Mode;
use domain::game::desk::{Json, TurnJson};
use domain::game::{Confirmation, Parent, Status, Stood};
use domain::record::Hash;
use domain::ruleset::Standing;
use domain::rulesets::{AnyGame, AnyOptions, GameKind};
use domain::seat::Seat;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Live;

/// Who may find a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Without a right to it the game does not exist.
    #[default]
    Private,
    /// Anyone may read what a spectator sees, and the game is listed.
    Public,
}

impl From<Visibility> for storage::Visibility {
    fn from(visibility: Visibility) -> Self {
        match visibility {
            Visibility::Private => Self::Private,
            Visibility::Public => Self::Public,
        }
    }
}

impl From<storage::Visibility> for Visibility {
    fn from(visibility: storage::Visibility) -> Self {
        match visibility {
            storage::Visibility::Private => Self::Private,
            storage::Visibility::Public => Self::Public,
        }
    }
}

/// Who got the tokens of the seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TokensHeldBy {
    /// The creator got one at least, and can read that seat's hand.
    Creator,
    /// Every seat is to be claimed.
    Seats,
}

/// A game, as it is told to all who may know of it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Summary {
    /// The game's id.
    pub id: String,
    /// Which game.
    pub game: GameKind,
    /// Who supplies outcomes.
    pub mode: Mode,
    /// Who may find it.
    pub visibility: Visibility,
    /// The version of the rules that it is judged by.
    pub rules_version: u16,
    /// Whether it goes on.
    pub status: Status,
    /// The seq of its last event.
    pub version: u64,
    /// When it was created.
    pub created_at: DateTime<Utc>,
    /// Who sits where.
    pub seats: Vec<SeatSummary>,
    /// Who got the tokens of the seats.
    pub tokens_held_by: TokensHeldBy,
    /// Whether the creator gave the dealer's secret, and so can know the cards.
    pub seeded: bool,
    /// The options in force.
    #[schema(value_type = AnyOptions)]
    pub options: Json,
    /// What the dealer is held to.
    pub fairness: Fairness,
    /// Who must act.
    pub turn: TurnJson,
    /// How it ended; null while it goes on.
    pub result: Option<Standing>,
    /// How far each seat that ever agreed agrees with the record, at a table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirmed: Option<Vec<Confirmation>>,
    /// The moves that stood although the rules forbid them, at a table.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub irregularities: Vec<Stood>,
    /// The number of the dispute that is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dispute: Option<u32>,
    /// Once a table's game is over: the seats whose confidences contradict those of other seats.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contradicted: Vec<Seat>,
    /// The last hash of the record that its past was imported from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub imported_from: Option<Hash>,
    /// The game that it is a fork of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forked_from: Option<Parent>,
    /// Whether what was in the hands when it began is public: it is the fork of a game that was over.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub opened: bool,
    /// The games that are forks of it, in the answer about this game alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub forks: Vec<String>,
}

/// A seat and who sits there.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SeatSummary {
    /// Which seat.
    pub seat: Seat,
    /// The player's name.
    pub name: String,
    /// Whether the seat's token was collected; only for a seat that is claimed with a code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claimed: Option<bool>,
    /// The seat's token, in the answer to the creation alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// The code that gives the seat's token once, in the answer to the creation alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claim_code: Option<String>,
}

/// What the dealer is held to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Fairness {
    /// SHA-256 of the dealer's secret; null at a table.
    pub commitment: Option<Hash>,
}

impl Summary {
    pub(super) fn of(live: &Live, game: &AnyGame) -> Self {
        let brief = game.brief();
        let origin = brief.origin;
        let imported_from = origin.as_ref().and_then(|origin| origin.imported_from);
        let forked_from = origin.and_then(|origin| origin.forked_from);
        let claims = &live.beside.claims;
        let seat = |(seat, name): (u8, &String)| {
            let seat = Seat::new(seat);
            let claimable = claims.get(seat.index()).is_some_and(Option::is_some);
            SeatSummary {
                seat,
                name: name.clone(),
                claimed: claimable.then(|| brief.claimed.contains(&seat)),
                token: None,
                claim_code: None,
            }
        };
        Self {
            id: live.id.to_string(),
            game: live.kind,
            mode: brief.mode,
            visibility: live.visibility,
            rules_version: brief.rules_version,
            status: brief.status,
            version: brief.version,
            created_at: live.created_at,
            seats: (0..).zip(&live.beside.names).map(seat).collect(),
            tokens_held_by: match claims.iter().all(Option::is_some) {
                true => TokensHeldBy::Seats,
                false => TokensHeldBy::Creator,
            },
            seeded: live.beside.seeded,
            options: brief.options,
            fairness: Fairness {
                commitment: brief.commitment,
            },
            turn: brief.turn,
            result: brief.result,
            confirmed: (brief.mode == Mode::Table).then_some(brief.confirmed),
            irregularities: brief.irregularities,
            dispute: brief.dispute,
            contradicted: brief.contradicted,
            opened: forked_from.is_some() && brief.mode == Mode::Virtual,
            forked_from,
            imported_from,
            forks: Vec::new(),
        }
    }
}

/// A status as lists are filtered by it: its JSON name.
pub fn status_name(status: Status) -> &'static str {
    match status {
        Status::InProgress => "in_progress",
        Status::Over => "over",
        Status::Abandoned => "abandoned",
    }
}
