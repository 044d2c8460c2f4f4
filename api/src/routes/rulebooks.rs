//! The rulebooks, as they are cited.

use actix_web::web::Path;
use actix_web::{HttpResponse, get};
use domain::rulesets::GameKind;
use domain::ruling::{Citation, Common, OptionText};
use serde::Serialize;
use utoipa::ToSchema;

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
    /// The version of the rules that new games are judged by unless they ask for another.
    rules_version: u16,
    /// All versions that can be judged by.
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
pub struct Rulebooks {
    /// One a game.
    rulebooks: Vec<RulebookBody>,
}

/// Lists the rulebooks
///
/// Every rule has an id, which refusals cite.
#[utoipa::path(
    tag = "rulebooks",
    operation_id = "list_rulebooks",
    responses((status = 200, description = "The rulebooks", body = Rulebooks))
)]
#[get("/v1/rulebooks")]
pub(crate) async fn list() -> HttpResponse {
    let rulebooks = GameKind::ALL.iter().map(|kind| body(*kind)).collect();
    HttpResponse::Ok()
        .insert_header(("Content-Language", "en"))
        .json(Rulebooks { rulebooks })
}

/// Gives a game's rulebook
///
/// With options, their defaults and bounds, and for each ruling of ours its reason.
#[utoipa::path(
    tag = "rulebooks",
    operation_id = "get_rulebook",
    params(("game" = GameKind, Path, description = "The game's id")),
    responses(
        (status = 200, description = "The rulebook", body = RulebookBody),
        (status = 404, description = "not_found")
    )
)]
#[get("/v1/rulebooks/{game}")]
pub(crate) async fn read(game: Path<String>) -> Result<HttpResponse, Problem> {
    let kind = GameKind::from_name(&game).ok_or_else(Problem::no_such_path)?;
    Ok(HttpResponse::Ok()
        .insert_header(("Content-Language", "en"))
        .json(body(kind)))
}

fn body(kind: GameKind) -> RulebookBody {
    let rulebook = kind.rulebook();
    let seats = kind.seats();
    RulebookBody {
        id: kind,
        title: rulebook.title,
        summary: rulebook.summary,
        rules_version: kind.rules_versions()[0],
        rules_versions: kind.rules_versions(),
        players: Players {
            minimum: *seats.start(),
            maximum: *seats.end(),
        },
        options: rulebook.options,
        rules: Common::CITATIONS.iter().chain(rulebook.rules).collect(),
    }
}
