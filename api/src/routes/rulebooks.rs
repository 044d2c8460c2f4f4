//! The rulebooks, as they are cited.

use actix_web::web::{Path, Query};
use actix_web::{HttpResponse, get};
use domain::rulesets::GameKind;
use domain::ruling::{Citation, Common, OptionText, Rulebook};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::problem::Problem;

/// A rulebook.
#[derive(Debug, Serialize, ToSchema)]
pub struct RulebookBody {
    /// The game's id.
    id: GameKind,
    /// Its name for people.
    title: &'static str,
    /// What kind of game it is.
    summary: &'static str,
    /// The version of the rules that this is.
    rules_version: u16,
    /// All versions that can be judged by; new games are judged by the first unless they ask for
    /// another.
    rules_versions: &'static [u16],
    /// How many may play.
    players: Players,
    /// The questions that the rules leave to the players.
    options: &'static [OptionText],
    /// The rules: those that all games share, then the game's own.
    rules: Vec<&'static Citation>,
}

/// How many may play.
#[derive(Debug, Serialize, ToSchema)]
pub struct Players {
    /// The fewest.
    minimum: u8,
    /// The most.
    maximum: u8,
}

/// All rulebooks.
#[derive(Debug, Serialize, ToSchema)]
pub struct RulebookList {
    /// One a game.
    rulebooks: Vec<RulebookBody>,
}

/// Lists the rulebooks
///
/// Every rule has an id, which refusals cite.
#[utoipa::path(
    tag = "rulebooks",
    operation_id = "list_rulebooks",
    responses((status = 200, description = "The rulebooks", body = RulebookList))
)]
#[get("/v1/rulebooks")]
pub(crate) async fn list() -> HttpResponse {
    let default = |kind: &GameKind| body(*kind, kind.rules_versions()[0], kind.rulebook());
    let rulebooks = GameKind::ALL.iter().map(default).collect();
    HttpResponse::Ok()
        .insert_header(("Content-Language", "en"))
        .json(RulebookList { rulebooks })
}

/// Which version of a rulebook.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct RulebookQuery {
    /// The version of the rules; the default when left out.
    #[param(minimum = 1)]
    rules_version: Option<u16>,
}

/// Gives a game's rulebook
///
/// With options, their defaults and bounds, and for each ruling of ours its reason.
#[utoipa::path(
    tag = "rulebooks",
    operation_id = "get_rulebook",
    params(("game" = GameKind, Path, description = "The game's id"), RulebookQuery),
    responses(
        (status = 200, description = "The rulebook", body = RulebookBody),
        (status = 404, description = "not_found")
    )
)]
#[get("/v1/rulebooks/{game}")]
pub(crate) async fn read(
    game: Path<String>,
    query: Query<RulebookQuery>,
) -> Result<HttpResponse, Problem> {
    let kind = GameKind::from_name(&game).ok_or_else(Problem::no_such_path)?;
    let version = query.rules_version.unwrap_or(kind.rules_versions()[0]);
    let rulebook = kind.rulebook_of(version).ok_or_else(|| {
        Problem::invalid_request(format!("there is no version {version} of these rules"))
    })?;
    Ok(HttpResponse::Ok()
        .insert_header(("Content-Language", "en"))
        .json(body(kind, version, rulebook)))
}

fn body(kind: GameKind, rules_version: u16, rulebook: &'static Rulebook) -> RulebookBody {
    let seats = kind.seats();
    RulebookBody {
        id: kind,
        title: rulebook.title,
        summary: rulebook.summary,
        rules_version,
        rules_versions: kind.rules_versions(),
        players: Players {
            minimum: *seats.start(),
            maximum: *seats.end(),
        },
        options: rulebook.options,
        rules: Common::CITATIONS.iter().chain(rulebook.rules()).collect(),
    }
}
