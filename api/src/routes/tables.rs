//! What a table with real cards needs: positions, takebacks, confirmations, confidences, new tokens.

use actix_web::web::{Data, Path, Query, block};
use actix_web::{HttpRequest, HttpResponse, get, post};
use domain::game::desk::Json;
use domain::rulesets::{AnyHeld, AnyPosition};
use domain::seat::Seat;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::auth::{Bearer, Token, TokenKind};
use crate::body::{EmptyBody, JsonBody};
use crate::etag::etag;
use crate::middleware::headers::private;
use crate::problem::Problem;
use crate::referee::{Recorded, Referee, Role, Submission, malformed_problem, token};
use crate::routes::games::{ClaimedSeat, random, with_token};
use crate::routes::recording::{Recording, answered};

/// Which version of a position.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PositionQuery {
    /// The version; now when it is left out.
    #[param(minimum = 1)]
    at: Option<u64>,
}

/// Writes a table down
///
/// What everybody sees and all else that judging needs: faces on record, piles, what is owed, orders.
/// A game that is created with it judges everything as this one would. Where the version lies amid
/// the consequences of a move or outcome, it is the position after all of them.
#[utoipa::path(
    tag = "tables",
    operation_id = "get_position",
    params(("id" = String, Path, description = "The game's id"), PositionQuery),
    security((), ("token" = [])),
    responses(
        (status = 200, description = "The position", body = AnyPosition),
        (status = 401, description = "unauthorized"),
        (status = 403, description = "forbidden | history_closed"),
        (status = 404, description = "not_found")
    )
)]
#[get("/v1/games/{id}/position")]
pub(crate) async fn position(
    referee: Data<Referee>,
    id: Path<String>,
    bearer: Bearer,
    query: Query<PositionQuery>,
) -> Result<HttpResponse, Problem> {
    let access = referee.enter(&id, bearer).await?;
    access.expect_table()?;
    let now = access.snapshot.game.version();
    let at = query.at.unwrap_or(now);
    if at == 0 || at > now {
        let detail = format!("the versions of this game are 1 to {now}");
        return Err(Problem::invalid_request(detail));
    }
    // A position tells the faces on record of what lies face down.
    if access.snapshot.game.history_from().is_some() {
        return Err(Problem::history_closed());
    }
    let texts = referee.texts(access.live.id, now).await?;
    let kind = access.live.kind;
    let position = block(move || kind.position(&texts, at)).await;
    let position = position.map_err(Problem::internal)?;
    let mut response = HttpResponse::Ok();
    private(&mut response).insert_header(etag(at));
    Ok(response.json(position.map_err(Problem::internal)?))
}

/// Takes the newest request back
///
/// A misclick: by the token that made the newest request, while nothing followed. It is recorded as
/// `rewound`.
#[utoipa::path(
    tag = "tables",
    operation_id = "take_back",
    params(
        ("id" = String, Path, description = "The game's id"),
        ("If-Match" = Option<String>, Header, description = "The version that the game must have, quoted"),
        ("Idempotency-Key" = Option<String>, Header, description = "Makes the request safe to send again")
    ),
    security(("token" = [])),
    responses(
        (status = 200, description = "The request is taken back", body = Recorded),
        (status = 401, description = "unauthorized"),
        (status = 403, description = "forbidden | history_closed"),
        (status = 404, description = "not_found"),
        (status = 409, description = "disputed | idempotency_conflict"),
        (status = 412, description = "version_mismatch")
    )
)]
#[post("/v1/games/{id}/takebacks")]
pub(crate) async fn take_back(
    request: HttpRequest,
    referee: Data<Referee>,
    id: Path<String>,
    bearer: Bearer,
    body: EmptyBody,
) -> Result<HttpResponse, Problem> {
    let access = referee.enter(&id, bearer).await?;
    access.expect_member()?;
    access.expect_table()?;
    let command = access.snapshot.game.take_back();
    let recording = Recording::of(&request, &bearer, || body.fingerprint())?;
    recording.record(&referee, &access, command).await
}

/// How far a seat agrees.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConfirmationRequest {
    /// The version up to which the record tells how it was.
    #[schema(minimum = 1)]
    up_to: u64,
}

/// Confirms the record
///
/// A seat says: up to this version, this is how it was. A move that a seat sends with its own token
/// confirms what went before, too.
#[utoipa::path(
    tag = "tables",
    operation_id = "confirm_record",
    params(
        ("id" = String, Path, description = "The game's id"),
        ("If-Match" = Option<String>, Header, description = "The version that the game must have, quoted"),
        ("Idempotency-Key" = Option<String>, Header, description = "Makes the request safe to send again")
    ),
    request_body(content = ConfirmationRequest, example = json!({"up_to": 44})),
    security(("token" = [])),
    responses(
        (status = 200, description = "The confirmation is recorded", body = Recorded),
        (status = 401, description = "unauthorized"),
        (status = 403, description = "forbidden | history_closed"),
        (status = 404, description = "not_found"),
        (status = 409, description = "disputed | idempotency_conflict"),
        (status = 412, description = "version_mismatch")
    )
)]
#[post("/v1/games/{id}/confirmations")]
pub(crate) async fn confirm(
    request: HttpRequest,
    referee: Data<Referee>,
    id: Path<String>,
    bearer: Bearer,
    body: JsonBody,
) -> Result<HttpResponse, Problem> {
    let access = referee.enter(&id, bearer).await?;
    let seat = access.own_seat()?;
    access.expect_table()?;
    let asked: ConfirmationRequest = body.parse()?;
    let command = access.snapshot.game.confirm(seat, asked.up_to);
    let recording = Recording::of(&request, &bearer, || body.fingerprint())?;
    recording.record(&referee, &access, command).await
}

/// What a seat holds.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConfidenceRequest {
    /// All cards of its hand.
    #[schema(value_type = Vec<AnyHeld>)]
    cards: Vec<Json>,
}

/// Tells the referee a seat's own cards
///
/// Moves that the seat sends with its own token are judged strictly from then on; nobody else's are,
/// and nobody else is shown the cards until the game is over.
#[utoipa::path(
    tag = "tables",
    operation_id = "confide_cards",
    params(
        ("id" = String, Path, description = "The game's id"),
        ("If-Match" = Option<String>, Header, description = "The version that the game must have, quoted"),
        ("Idempotency-Key" = Option<String>, Header, description = "Makes the request safe to send again")
    ),
    request_body(content = ConfidenceRequest, example = json!({"cards": ["king", "5", "5", "jester", "2"]})),
    security(("token" = [])),
    responses(
        (status = 200, description = "The cards are taken down", body = Recorded),
        (status = 401, description = "unauthorized"),
        (status = 403, description = "forbidden | history_closed"),
        (status = 404, description = "not_found"),
        (status = 409, description = "disputed | idempotency_conflict"),
        (status = 412, description = "version_mismatch"),
        (status = 422, description = "illegal_move")
    )
)]
#[post("/v1/games/{id}/confidences")]
pub(crate) async fn confide(
    request: HttpRequest,
    referee: Data<Referee>,
    id: Path<String>,
    bearer: Bearer,
    body: JsonBody,
) -> Result<HttpResponse, Problem> {
    let access = referee.enter(&id, bearer).await?;
    let seat = access.own_seat()?;
    access.expect_table()?;
    let asked: ConfidenceRequest = body.parse()?;
    let command = (access.snapshot.game)
        .read_confidence(seat, &asked.cards)
        .map_err(|malformed| malformed_problem(&malformed))?;
    let recording = Recording::of(&request, &bearer, || body.fingerprint())?;
    recording.record(&referee, &access, command).await
}

/// Gives a seat a new token
///
/// For a lost phone: by the host of a table. The old token opens nothing from then on, and everybody
/// sees that there is a new one.
#[utoipa::path(
    tag = "tables",
    operation_id = "renew_token",
    params(
        ("id" = String, Path, description = "The game's id"),
        ("seat" = u8, Path, description = "The seat"),
        ("If-Match" = Option<String>, Header, description = "The version that the game must have, quoted"),
        ("Idempotency-Key" = Option<String>, Header, description = "Makes the request safe to send again")
    ),
    security(("token" = [])),
    responses(
        (status = 200, description = "The seat has a new token", body = ClaimedSeat),
        (status = 401, description = "unauthorized"),
        (status = 403, description = "forbidden | history_closed"),
        (status = 404, description = "not_found"),
        (status = 409, description = "disputed | idempotency_conflict"),
        (status = 412, description = "version_mismatch")
    )
)]
#[post("/v1/games/{id}/seats/{seat}/token")]
pub(crate) async fn renew_token(
    request: HttpRequest,
    referee: Data<Referee>,
    path: Path<(String, u8)>,
    bearer: Bearer,
    body: EmptyBody,
) -> Result<HttpResponse, Problem> {
    let (id, number) = path.into_inner();
    let access = referee.enter(&id, bearer).await?;
    access.expect_host()?;
    access.expect_table()?;
    if usize::from(number) >= access.live.beside.names.len() {
        return Err(Problem::not_found());
    }
    let seat = Seat::new(number);
    let recording = Recording::of(&request, &bearer, || body.fingerprint())?;
    // A request that is sent again under its key gets the same token, which is kept nowhere.
    let once = match recording.key() {
        Some(key) => format!("key {key}"),
        None => format!("once {}", hex::encode(random::<16>()?)),
    };
    let game = access.live.id.to_string();
    let bytes = referee.derive_token(&["seat token", &game, &number.to_string(), &once]);
    let new = Token::from_bytes(TokenKind::Seat, bytes);
    let submission = Submission {
        token: Some(token(new.hash(), Role::Seat(seat))),
        ends_tokens_of: Some(seat),
        ..recording.submission(&access, access.snapshot.game.renew_token(seat), None)
    };
    let mut answer = referee.submit(&access.live, submission).await?;
    if answer.status == 200 {
        answer.body = with_token(&answer, seat, new)?;
    }
    Ok(answered(answer))
}
