//! Disputes: what is said to have happened otherwise, and how it is put right.

use actix_web::web::{Data, Path, block};
use actix_web::{HttpRequest, HttpResponse, get, post};
use domain::game::DisputeReport;
use domain::game::desk::{Json, WishJson};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::auth::Bearer;
use crate::body::{EmptyBody, JsonBody};
use crate::etag::etag;
use crate::middleware::headers::private;
use crate::problem::{Problem, is_deceptive};
use crate::referee::{AboutDispute, Recorded, Referee, Submission, malformed_problem};
use crate::routes::recording::{Recording, answered};

/// The longest claim, in characters.
const LONGEST_CLAIM: usize = 500;

/// A claim about an event.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DisputeRequest {
    /// The seq of the event: a move, an outcome, or a consequence of one, that is in force.
    #[schema(minimum = 1)]
    seq: u64,
    /// What is said to have happened, in words: 1 to 500 characters, none of them a control character
    /// other than a line feed, or a bidirectional override.
    #[schema(min_length = 1, max_length = 500)]
    claim: String,
}

/// Opens a dispute
///
/// By a seat, or by the host of a table. Until it is closed only votes, its withdrawal, abandoning
/// and reading go on. The answer's `dispute` is what the referee finds on record, as far as the
/// caller may see it.
#[utoipa::path(
    tag = "disputes",
    operation_id = "open_dispute",
    params(
        ("id" = String, Path, description = "The game's id"),
        ("If-Match" = Option<String>, Header, description = "The version that the game must have, quoted"),
        ("Idempotency-Key" = Option<String>, Header, description = "Makes the request safe to send again")
    ),
    request_body(content = DisputeRequest, example = json!({"seq": 44, "claim": "that was a 6, not a 9"})),
    security(("token" = [])),
    responses(
        (status = 200, description = "The dispute is open", body = Recorded),
        (status = 401, description = "unauthorized"),
        (status = 403, description = "forbidden | history_closed"),
        (status = 404, description = "not_found"),
        (status = 409, description = "disputed | idempotency_conflict"),
        (status = 412, description = "version_mismatch"),
        (status = 422, description = "illegal_move")
    )
)]
#[post("/v1/games/{id}/disputes")]
pub(crate) async fn open(
    request: HttpRequest,
    referee: Data<Referee>,
    id: Path<String>,
    bearer: Bearer,
    body: JsonBody,
) -> Result<HttpResponse, Problem> {
    let access = referee.enter(&id, bearer).await?;
    access.expect_player()?;
    let asked: DisputeRequest = body.parse()?;
    check_claim(&asked.claim)?;
    access.expect_open(asked.seq)?;
    let recording = Recording::of(&request, &bearer, || body.fingerprint())?;
    let command = access.snapshot.game.open_dispute(asked.seq, asked.claim);
    let submission = Submission {
        dispute: Some(AboutDispute::Opened),
        ..recording.submission(&access, command, None)
    };
    Ok(answered(referee.submit(&access.live, submission).await?))
}

fn check_claim(claim: &str) -> Result<(), Problem> {
    let length = claim.chars().count();
    if length == 0 || length > LONGEST_CLAIM {
        let detail = format!("a claim has 1 to {LONGEST_CLAIM} characters, and this has {length}");
        return Err(Problem::invalid_field("/claim", detail));
    }
    if claim.chars().any(|c| c != '\n' && is_deceptive(c)) {
        let detail = "a claim holds no control characters and no bidirectional overrides";
        return Err(Problem::invalid_field("/claim", detail));
    }
    Ok(())
}

/// All disputes of a game.
#[derive(Debug, Serialize, ToSchema)]
pub struct DisputesPage {
    /// In the order in which they were opened.
    disputes: Vec<DisputeReport>,
}

/// Lists the disputes of a game
///
/// With what the referee finds, the votes, what each remedy voted for would lead to, and how each
/// ended; as far as the caller may see it.
#[utoipa::path(
    tag = "disputes",
    operation_id = "list_disputes",
    params(("id" = String, Path, description = "The game's id")),
    security((), ("token" = [])),
    responses(
        (status = 200, description = "The disputes", body = DisputesPage),
        (status = 401, description = "unauthorized"),
        (status = 403, description = "forbidden"),
        (status = 404, description = "not_found")
    )
)]
#[get("/v1/games/{id}/disputes")]
pub(crate) async fn list(
    referee: Data<Referee>,
    id: Path<String>,
    bearer: Bearer,
) -> Result<HttpResponse, Problem> {
    let access = referee.enter(&id, bearer).await?;
    let version = access.snapshot.game.version();
    let texts = referee.texts(access.live.id, version).await?;
    let (reader, snapshot) = (access.reader(), access.snapshot.clone());
    let disputes = block(move || snapshot.game.disputes(&texts, reader, None)).await;
    let disputes = disputes.map_err(Problem::internal)?;
    let mut response = HttpResponse::Ok();
    private(&mut response).insert_header(etag(version));
    Ok(response.json(DisputesPage {
        disputes: disputes.map_err(Problem::internal)?,
    }))
}

/// A vote: how a dispute should end.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct VoteRequest {
    /// What should be done.
    remedy: RemedyName,
    /// With `rewind`: the version whose state is to be in force again, which ends a recorded request.
    #[schema(minimum = 1)]
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<u64>,
    /// With `replace`: `{"seat":0,"move":{…}}` or `{"outcome":{…}}`, of the same kind as what it
    /// replaces.
    #[schema(value_type = Option<Object>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    entry: Option<Json>,
}

/// What is done about a dispute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RemedyName {
    /// The record stays as it is.
    Keep,
    /// The game is wound back.
    Rewind,
    /// The entry that caused the event is replaced, and what followed is recorded again; at a table.
    Replace,
}

impl VoteRequest {
    fn wish(&self) -> Result<WishJson<'_>, Problem> {
        let told = match (self.remedy, self.to, &self.entry) {
            (RemedyName::Keep, None, None) => return Ok(WishJson::Keep),
            (RemedyName::Rewind, Some(to), None) => return Ok(WishJson::Rewind(to)),
            (RemedyName::Replace, None, Some(entry)) => return Ok(WishJson::Replace(entry)),
            (RemedyName::Keep, ..) => "`keep` takes neither `to` nor `entry`",
            (RemedyName::Rewind, ..) => "`rewind` takes `to`, and no `entry`",
            (RemedyName::Replace, ..) => "`replace` takes `entry`, and no `to`",
        };
        Err(Problem::invalid_field("/remedy", told))
    }
}

/// Votes on a dispute
///
/// Each seat votes, and may vote again. A remedy for which all seats have voted is carried out, in
/// the same answer. The host of a table decides alone; that of a virtual game may close the dispute
/// with `keep`.
#[utoipa::path(
    tag = "disputes",
    operation_id = "vote_on_dispute",
    params(
        ("id" = String, Path, description = "The game's id"),
        ("n" = u32, Path, description = "The dispute's number, from 1"),
        ("If-Match" = Option<String>, Header, description = "The version that the game must have, quoted"),
        ("Idempotency-Key" = Option<String>, Header, description = "Makes the request safe to send again")
    ),
    request_body(content = VoteRequest, examples(
        ("The record stays" = (value = json!({"remedy": "keep"}))),
        ("The game is wound back" = (value = json!({"remedy": "rewind", "to": 43}))),
        ("An entry is replaced" = (value = json!({
            "remedy": "replace", "entry": {"outcome": {"type": "tile", "tile": "ring"}}
        })))
    )),
    security(("token" = [])),
    responses(
        (status = 200, description = "The vote is recorded, and the remedy carried out where all agree", body = Recorded),
        (status = 401, description = "unauthorized"),
        (status = 403, description = "forbidden | history_closed"),
        (status = 404, description = "not_found"),
        (status = 409, description = "dispute_over | idempotency_conflict"),
        (status = 412, description = "version_mismatch"),
        (status = 422, description = "illegal_move")
    )
)]
#[post("/v1/games/{id}/disputes/{n}/votes")]
pub(crate) async fn vote(
    request: HttpRequest,
    referee: Data<Referee>,
    path: Path<(String, u32)>,
    bearer: Bearer,
    body: JsonBody,
) -> Result<HttpResponse, Problem> {
    let (id, n) = path.into_inner();
    let access = referee.enter(&id, bearer).await?;
    access.expect_member()?;
    let asked: VoteRequest = body.parse()?;
    let command = (access.snapshot.game)
        .read_vote(n, asked.wish()?)
        .map_err(|malformed| malformed_problem(&malformed))?;
    let recording = Recording::of(&request, &bearer, || body.fingerprint())?;
    let submission = Submission {
        dispute: Some(AboutDispute::Number(n)),
        ..recording.submission(&access, command, None)
    };
    Ok(answered(referee.submit(&access.live, submission).await?))
}

/// Takes a dispute back
///
/// By the claimant.
#[utoipa::path(
    tag = "disputes",
    operation_id = "withdraw_dispute",
    params(
        ("id" = String, Path, description = "The game's id"),
        ("n" = u32, Path, description = "The dispute's number, from 1"),
        ("If-Match" = Option<String>, Header, description = "The version that the game must have, quoted"),
        ("Idempotency-Key" = Option<String>, Header, description = "Makes the request safe to send again")
    ),
    security(("token" = [])),
    responses(
        (status = 200, description = "The dispute is withdrawn", body = Recorded),
        (status = 401, description = "unauthorized"),
        (status = 403, description = "forbidden | history_closed"),
        (status = 404, description = "not_found"),
        (status = 409, description = "dispute_over | idempotency_conflict"),
        (status = 412, description = "version_mismatch")
    )
)]
#[post("/v1/games/{id}/disputes/{n}/withdraw")]
pub(crate) async fn withdraw(
    request: HttpRequest,
    referee: Data<Referee>,
    path: Path<(String, u32)>,
    bearer: Bearer,
    body: EmptyBody,
) -> Result<HttpResponse, Problem> {
    let (id, n) = path.into_inner();
    let access = referee.enter(&id, bearer).await?;
    access.expect_member()?;
    let command = access.snapshot.game.withdraw_dispute(n);
    let recording = Recording::of(&request, &bearer, || body.fingerprint())?;
    let submission = Submission {
        dispute: Some(AboutDispute::Number(n)),
        ..recording.submission(&access, command, None)
    };
    Ok(answered(referee.submit(&access.live, submission).await?))
}
