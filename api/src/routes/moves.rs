//! Moves, declarations, and what would come of them.

use actix_web::web::{Data, Path, Query};
use actix_web::{HttpRequest, HttpResponse, get, post};
use chrono::{DateTime, Utc};
use domain::game::desk::Json;
use domain::rulesets::{AnyMove, AnyOutcome, AnyPosition};
use domain::seat::Seat;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::auth::Bearer;
use crate::body::JsonBody;
use crate::etag::etag;
use crate::middleware::headers::private;
use crate::problem::{BrokenRule, Problem};
use crate::referee::{Recorded, Referee, broken, broken_rule, malformed_problem, setup_problem};
use crate::routes::recording::{Recording, answered, check_time};

/// A move to make or to judge.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveRequest {
    /// The seat that moves; may be left out with a seat's token.
    #[serde(skip_serializing_if = "Option::is_none")]
    seat: Option<Seat>,
    /// The move.
    #[serde(rename = "move")]
    #[schema(value_type = AnyMove)]
    mv: Json,
    /// At a table: what chance is asked from this move up to the next point where a seat must act,
    /// in order. What is not given is awaited.
    #[schema(value_type = Option<Vec<AnyOutcome>>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    outcomes: Option<Vec<Json>>,
    /// When it happened, if that was not just now.
    #[serde(skip_serializing_if = "Option::is_none")]
    occurred_at: Option<DateTime<Utc>>,
    /// At a table, by the host: the rules forbid the move, the table let it pass, and play goes on
    /// from what came of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    stand: Option<StandRequest>,
}

/// What came of a move that the rules forbid.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StandRequest {
    /// The position after it.
    #[schema(value_type = AnyPosition)]
    position: Json,
}

/// Outcomes that everybody at a table saw.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Declaration {
    /// The outcomes that are awaited, in order; one at least.
    #[schema(value_type = Vec<AnyOutcome>, min_items = 1)]
    outcomes: Vec<Json>,
    /// When it happened, if that was not just now.
    #[serde(skip_serializing_if = "Option::is_none")]
    occurred_at: Option<DateTime<Utc>>,
}

/// Makes a move
///
/// Judged on the state after everything that was recorded before; the answer comes when it is
/// durable. A refusal cites the rule and, where the record contradicts the request, the events that
/// do.
#[utoipa::path(
    tag = "moves",
    operation_id = "make_move",
    params(
        ("id" = String, Path, description = "The game's id"),
        ("If-Match" = Option<String>, Header, description = "The version that the game must have, quoted"),
        ("Idempotency-Key" = Option<String>, Header, description = "Makes the request safe to send again")
    ),
    request_body(content = MoveRequest, examples(
        ("In a virtual game" = (value = json!({"move": {"type": "reveal", "slot": "c4"}}))),
        ("At a table" = (value = json!({
            "seat": 0, "move": {"type": "reveal", "slot": "c4"},
            "outcomes": [{"type": "tile", "tile": "ball"}], "occurred_at": "2026-11-29T18:00:00Z"
        })))
    )),
    security(("token" = [])),
    responses(
        (status = 200, description = "The move is recorded", body = Recorded),
        (status = 401, description = "unauthorized"),
        (status = 403, description = "forbidden | history_closed"),
        (status = 404, description = "not_found"),
        (status = 409, description = "disputed | idempotency_conflict"),
        (status = 412, description = "version_mismatch"),
        (status = 422, description = "illegal_move | invalid_setup")
    )
)]
#[post("/v1/games/{id}/moves")]
pub(crate) async fn make(
    request: HttpRequest,
    referee: Data<Referee>,
    id: Path<String>,
    bearer: Bearer,
    body: JsonBody,
) -> Result<HttpResponse, Problem> {
    let access = referee.enter(&id, bearer).await?;
    access.expect_player()?;
    let asked: MoveRequest = body.parse()?;
    check_time(asked.occurred_at)?;
    let seat = access.speaks_for(asked.seat)?;
    let outcomes = asked.outcomes.unwrap_or_default();
    let game = &access.snapshot.game;
    let command = match &asked.stand {
        None => game
            .read_move(seat, &asked.mv, &outcomes)
            .map_err(|malformed| malformed_problem(&malformed))?,
        Some(stand) => {
            access.expect_host()?;
            if !outcomes.is_empty() {
                let detail = "the position already tells what came of a move that stood";
                return Err(Problem::invalid_field("/outcomes", detail));
            }
            game.read_stand(seat, &asked.mv, &stand.position)
                .map_err(setup_problem)?
        }
    };
    let recording = Recording::of(&request, &bearer, || body.fingerprint())?;
    let submission = recording.submission(&access, command, asked.occurred_at);
    Ok(answered(referee.submit(&access.live, submission).await?))
}

/// Declares outcomes at a table
///
/// What everybody saw and chance was asked for: a tile's face, a die, a card turned up.
#[utoipa::path(
    tag = "moves",
    operation_id = "declare_outcomes",
    params(
        ("id" = String, Path, description = "The game's id"),
        ("If-Match" = Option<String>, Header, description = "The version that the game must have, quoted"),
        ("Idempotency-Key" = Option<String>, Header, description = "Makes the request safe to send again")
    ),
    request_body(content = Declaration, example = json!({"outcomes": [{"type": "tile", "tile": "ball"}]})),
    security(("token" = [])),
    responses(
        (status = 200, description = "The outcomes are recorded", body = Recorded),
        (status = 401, description = "unauthorized"),
        (status = 403, description = "forbidden | history_closed"),
        (status = 404, description = "not_found"),
        (status = 409, description = "disputed | idempotency_conflict"),
        (status = 412, description = "version_mismatch"),
        (status = 422, description = "illegal_move")
    )
)]
#[post("/v1/games/{id}/declarations")]
pub(crate) async fn declare(
    request: HttpRequest,
    referee: Data<Referee>,
    id: Path<String>,
    bearer: Bearer,
    body: JsonBody,
) -> Result<HttpResponse, Problem> {
    let access = referee.enter(&id, bearer).await?;
    access.expect_player()?;
    let asked: Declaration = body.parse()?;
    check_time(asked.occurred_at)?;
    if asked.outcomes.is_empty() {
        return Err(Problem::invalid_field(
            "/outcomes",
            "a declaration has one outcome at least",
        ));
    }
    let command = access
        .snapshot
        .game
        .read_declaration(&asked.outcomes)
        .map_err(|malformed| malformed_problem(&malformed))?;
    let recording = Recording::of(&request, &bearer, || body.fingerprint())?;
    let submission = recording.submission(&access, command, asked.occurred_at);
    Ok(answered(referee.submit(&access.live, submission).await?))
}

/// Which seat's moves.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct LegalMovesQuery {
    /// The seat; needed with the token of a table's host.
    #[param(value_type = Option<u8>, minimum = 0, maximum = 5)]
    seat: Option<u8>,
}

/// What a seat may do now.
#[derive(Debug, Serialize, ToSchema)]
pub struct LegalMoves {
    /// The version that this is so at.
    version: u64,
    /// The seat.
    seat: Seat,
    /// Every legal move; empty when it is not that seat's turn.
    moves: Vec<LegalMove>,
}

/// A legal move.
#[derive(Debug, Serialize, ToSchema)]
pub struct LegalMove {
    /// As it is submitted.
    #[serde(rename = "move")]
    #[schema(value_type = AnyMove)]
    mv: Json,
}

/// Lists a seat's legal moves
///
/// Exactly what the referee accepts now; at a table, what some deal allows.
#[utoipa::path(
    tag = "moves",
    operation_id = "list_legal_moves",
    params(("id" = String, Path, description = "The game's id"), LegalMovesQuery),
    security(("token" = [])),
    responses(
        (status = 200, description = "The legal moves", body = LegalMoves),
        (status = 401, description = "unauthorized"),
        (status = 403, description = "forbidden | history_closed"),
        (status = 404, description = "not_found")
    )
)]
#[get("/v1/games/{id}/legal-moves")]
pub(crate) async fn legal(
    referee: Data<Referee>,
    id: Path<String>,
    bearer: Bearer,
    query: Query<LegalMovesQuery>,
) -> Result<HttpResponse, Problem> {
    let access = referee.enter(&id, bearer).await?;
    access.expect_player()?;
    let seat = access.speaks_for(query.seat.map(Seat::new))?;
    let game = &access.snapshot.game;
    let moves = game
        .legal_moves(seat, access.role.by())
        .into_iter()
        .map(|mv| LegalMove { mv })
        .collect();
    let version = game.version();
    let mut response = HttpResponse::Ok();
    private(&mut response).insert_header(etag(version));
    Ok(response.json(LegalMoves {
        version,
        seat,
        moves,
    }))
}

/// What the referee finds of a move.
#[derive(Debug, Serialize, ToSchema)]
pub struct Ruling {
    /// Whether it would be recorded.
    legal: bool,
    /// The rule that forbids it.
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<BrokenRule>,
    /// Why, in the game's terms.
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
    /// The events on record that contradict it.
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<Vec<u64>>,
}

/// Judges a move without recording anything
///
/// The dealer is not asked, and nothing of what would come is told.
#[utoipa::path(
    tag = "moves",
    operation_id = "rule_on_move",
    params(("id" = String, Path, description = "The game's id")),
    request_body(content = MoveRequest, example = json!({"move": {"type": "reveal", "slot": "c4"}})),
    security(("token" = [])),
    responses(
        (status = 200, description = "The ruling", body = Ruling),
        (status = 401, description = "unauthorized"),
        (status = 403, description = "forbidden | history_closed"),
        (status = 404, description = "not_found"),
        (status = 409, description = "disputed")
    )
)]
#[post("/v1/games/{id}/rulings")]
pub(crate) async fn rule(
    referee: Data<Referee>,
    id: Path<String>,
    bearer: Bearer,
    body: JsonBody,
) -> Result<HttpResponse, Problem> {
    let access = referee.enter(&id, bearer).await?;
    access.expect_player()?;
    let asked: MoveRequest = body.parse()?;
    check_time(asked.occurred_at)?;
    let seat = access.speaks_for(asked.seat)?;
    let game = &access.snapshot.game;
    if asked.stand.is_some() {
        let detail = "a ruling says what the rules allow, not what the table let pass";
        return Err(Problem::invalid_field("/stand", detail));
    }
    let outcomes = asked.outcomes.unwrap_or_default();
    if game.history_from().is_some() && !outcomes.is_empty() {
        // Trying faces would read the notebook that the players chose to do without.
        return Err(Problem::history_closed());
    }
    let command = game
        .read_move(seat, &asked.mv, &outcomes)
        .map_err(|malformed| malformed_problem(&malformed))?;
    let judged = game.judge(&command, access.role.by());
    let ruling = match judged.map_err(broken_rule) {
        Ok(()) => Ruling {
            legal: true,
            rule: None,
            detail: None,
            evidence: None,
        },
        Err(violation) => {
            let violation = violation?;
            let reader = access.reader();
            let found = referee.evidence(&access.live, &access.snapshot, &violation, reader);
            let evidence = found.await?;
            Ruling {
                legal: false,
                rule: Some(broken(&violation)),
                detail: Some(violation.detail.into_owned()),
                evidence: Some(evidence).filter(|evidence| !evidence.is_empty()),
            }
        }
    };
    let mut response = HttpResponse::Ok();
    private(&mut response).insert_header(etag(game.version()));
    Ok(response.json(ruling))
}
