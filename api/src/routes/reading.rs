//! Reading a game: its state, its events, its fairness, and whether its record holds together.

use actix_web::http::header::ACCEPT;
use actix_web::web::{Data, Path, Query};
use actix_web::{HttpRequest, HttpResponse, get};
use domain::dealer::Dealer;
use domain::game::desk::{Json, TurnJson};
use domain::game::{Status, Stood, Verification};
use domain::record::Hash;
use domain::ruleset::Standing;
use domain::rulesets::{AnyGame, AnyView};
use domain::seat::Seat;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};

use crate::accept;
use crate::auth::Bearer;
use crate::etag::etag;
use crate::middleware::headers::private;
use crate::openapi::EventSchema;
use crate::problem::Problem;
use crate::referee::{Access, Referee};
use crate::shutdown::Shutdown;
use crate::stream;

/// Which version of a state.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct StateQuery {
    /// The version; now when it is left out.
    #[param(minimum = 1)]
    at: Option<u64>,
}

/// A state of a game.
#[derive(Debug, Serialize, ToSchema)]
pub struct StateBody {
    /// The game's id.
    game: String,
    /// The version.
    version: u64,
    /// Who had to act.
    turn: TurnJson,
    /// How the game ended; null while it went on.
    result: Option<Standing>,
    /// The table as the caller sees it.
    #[schema(value_type = AnyView)]
    view: Json,
}

impl StateBody {
    fn of(access: &Access, game: &AnyGame) -> Self {
        let brief = game.brief();
        Self {
            game: access.live.id.to_string(),
            version: brief.version,
            turn: brief.turn,
            result: brief.result,
            view: game.view(access.reader()),
        }
    }
}

/// Shows the table as the caller sees it
///
/// Now, or as it was at a version.
#[utoipa::path(
    tag = "reading",
    operation_id = "get_state",
    params(("id" = String, Path, description = "The game's id"), StateQuery),
    security((), ("token" = [])),
    responses(
        (status = 200, description = "The state", body = StateBody),
        (status = 401, description = "unauthorized"),
        (status = 403, description = "forbidden | history_closed"),
        (status = 404, description = "not_found")
    )
)]
#[get("/v1/games/{id}/state")]
pub(crate) async fn read_state(
    referee: Data<Referee>,
    id: Path<String>,
    bearer: Bearer,
    query: Query<StateQuery>,
) -> Result<HttpResponse, Problem> {
    let access = referee.enter(&id, bearer).await?;
    let body = match query.at {
        Some(at) => StateBody::of(&access, &referee.at(&access, at).await?),
        None => StateBody::of(&access, &access.snapshot.game),
    };
    let mut response = HttpResponse::Ok();
    private(&mut response).insert_header(etag(body.version));
    Ok(response.json(body))
}

/// Which events.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct EventsQuery {
    /// Only events with a seq above this.
    #[param(minimum = 0, default = 0)]
    after: Option<u64>,
    /// How many at most; JSON only.
    #[param(minimum = 1, maximum = 1000, default = 100)]
    limit: Option<usize>,
}

/// A page of events.
#[derive(Debug, Serialize, ToSchema)]
pub struct EventsPage {
    /// The events, as the caller may see them.
    #[schema(value_type = Vec<EventSchema>)]
    events: Vec<Json>,
    /// The last seq given, or `after` where none was.
    next_after: u64,
    /// Whether there are more.
    has_more: bool,
}

/// Reads the events of a game
///
/// As pages of JSON; as NDJSON, the whole rest, an event a line; or as a stream of server-sent
/// events: the past, then what happens, until `event: over`. A stream is resumed with
/// `Last-Event-ID`. When the game is over, events show what they hid, with their salts, as they were
/// hashed.
#[utoipa::path(
    tag = "reading",
    operation_id = "list_events",
    params(
        ("id" = String, Path, description = "The game's id"),
        EventsQuery,
        ("Last-Event-ID" = Option<String>, Header, description = "The seq that a stream is resumed after; streams only")
    ),
    security((), ("token" = [])),
    responses(
        (status = 200, description = "The events", content(
            (EventsPage = "application/json"),
            (String = "application/x-ndjson", example = "{\"v\":1,\"seq\":1,…}\n"),
            (String = "text/event-stream", example = "id: 1\ndata: {\"v\":1,\"seq\":1,…}\n\n")
        )),
        (status = 401, description = "unauthorized"),
        (status = 403, description = "forbidden | history_closed"),
        (status = 404, description = "not_found")
    )
)]
#[get("/v1/games/{id}/events")]
pub(crate) async fn read_events(
    request: HttpRequest,
    referee: Data<Referee>,
    shutdown: Data<Shutdown>,
    id: Path<String>,
    bearer: Bearer,
    query: Query<EventsQuery>,
) -> Result<HttpResponse, Problem> {
    let access = referee.enter(&id, bearer).await?;
    let limit = match query.limit.unwrap_or(100) {
        limit @ 1..=1000 => limit,
        _ => return Err(Problem::invalid_request("limit is a number from 1 to 1000")),
    };
    let after = query.after.unwrap_or(0);
    let offers = [
        "application/json",
        "application/x-ndjson",
        "text/event-stream",
    ];
    match accept::preferred(request.headers(), &offers) {
        Some("application/x-ndjson") => {
            access.expect_open(after.saturating_add(1))?;
            Ok(stream::lines(referee.into_inner(), access, after))
        }
        Some("text/event-stream") => {
            let after = last_event_id(&request)?.unwrap_or(after);
            let shutdown = shutdown.get_ref().clone();
            Ok(stream::server_sent(
                referee.into_inner(),
                access,
                after,
                shutdown,
            ))
        }
        Some(_) => {
            access.expect_open(after.saturating_add(1))?;
            let viewer = access.snapshot.game.viewer(access.reader());
            let mut page = stream::page(&referee, &access.live, viewer, after, limit + 1).await?;
            let has_more = page.len() > limit;
            page.truncate(limit);
            let next_after = page.last().map_or(after, |event| event.seq);
            let events: Result<Vec<Json>, _> = page
                .into_iter()
                .map(|event| RawValue::from_string(event.text))
                .collect();
            let events = events.map_err(Problem::internal)?;
            let mut response = HttpResponse::Ok();
            private(&mut response).append_header(("Vary", ACCEPT.as_str()));
            Ok(response.json(EventsPage {
                events,
                next_after,
                has_more,
            }))
        }
        None => Err(Problem::not_acceptable(offers)),
    }
}

fn last_event_id(request: &HttpRequest) -> Result<Option<u64>, Problem> {
    let Some(header) = request.headers().get("last-event-id") else {
        return Ok(None);
    };
    header
        .to_str()
        .ok()
        .and_then(|seq| seq.trim().parse().ok())
        .map(Some)
        .ok_or_else(|| Problem::invalid_request("Last-Event-ID is the seq of an event"))
}

/// What the dealer is held to, and what it can be checked with.
#[derive(Debug, Serialize, ToSchema)]
pub struct FairnessBody {
    /// SHA-256 of the secret's 32 bytes; null at a table.
    commitment: Option<Hash>,
    /// The secret in hex, once the game is over; null before, and at a table.
    secret: Option<String>,
}

/// Shows what the dealer is held to
///
/// The commitment from the start; the secret when the game is over. Every outcome follows from the
/// secret, the outcome's number and a digest of the entries in force before it.
#[utoipa::path(
    tag = "reading",
    operation_id = "get_fairness",
    params(("id" = String, Path, description = "The game's id")),
    security((), ("token" = [])),
    responses(
        (status = 200, description = "Commitment and secret", body = FairnessBody),
        (status = 401, description = "unauthorized"),
        (status = 403, description = "forbidden | history_closed"),
        (status = 404, description = "not_found")
    )
)]
#[get("/v1/games/{id}/fairness")]
pub(crate) async fn read_fairness(
    referee: Data<Referee>,
    id: Path<String>,
    bearer: Bearer,
) -> Result<HttpResponse, Problem> {
    let access = referee.enter(&id, bearer).await?;
    let brief = access.snapshot.game.brief();
    let secret = match access.snapshot.game.dealer() {
        Dealer::Virtual(secret) if brief.status != Status::InProgress => {
            Some(hex::encode(secret.0))
        }
        Dealer::Virtual(_) | Dealer::Table => None,
    };
    let mut response = HttpResponse::Ok();
    private(&mut response);
    Ok(response.json(FairnessBody {
        commitment: brief.commitment,
        secret,
    }))
}

/// A receipt to look for.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct VerificationQuery {
    /// The version of a receipt; with `hash`.
    #[param(minimum = 1)]
    version: Option<u64>,
    /// The hash of a receipt; with `version`.
    #[param(pattern = "^[0-9a-f]{64}$")]
    hash: Option<String>,
}

/// What replaying the record found.
#[derive(Debug, Serialize, ToSchema)]
pub struct VerificationBody {
    /// The checks.
    #[serde(flatten)]
    verification: Verification,
    /// The moves that stood although the rules forbid them. They do not make the record invalid.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    irregularities: Vec<Stood>,
    /// Once a table's game is over: the seats whose confidences contradict those of other seats.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    contradicted: Vec<Seat>,
    /// Whether the record holds what the receipt was given for; where one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    receipt: Option<ReceiptCheck>,
}

/// Whether the record still holds an event.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReceiptCheck {
    /// The version asked for.
    version: u64,
    /// The hash asked for.
    hash: Hash,
    /// Whether the event with that seq has that hash.
    held: bool,
}

/// Replays the record from nothing
///
/// The chain of hashes, the rules, and (when the game is over) the dealer. With `version` and `hash`
/// of a receipt, also whether the record still holds what the receipt was given for: a chain alone
/// cannot show that its tail is gone.
#[utoipa::path(
    tag = "reading",
    operation_id = "verify_game",
    params(("id" = String, Path, description = "The game's id"), VerificationQuery),
    security((), ("token" = [])),
    responses(
        (status = 200, description = "What was found", body = VerificationBody),
        (status = 401, description = "unauthorized"),
        (status = 403, description = "forbidden | history_closed"),
        (status = 404, description = "not_found")
    )
)]
#[get("/v1/games/{id}/verification")]
pub(crate) async fn verify(
    referee: Data<Referee>,
    id: Path<String>,
    bearer: Bearer,
    query: Query<VerificationQuery>,
) -> Result<HttpResponse, Problem> {
    let access = referee.enter(&id, bearer).await?;
    let receipt = match (query.version, &query.hash) {
        (None, None) => None,
        (Some(version), Some(hash)) => {
            let hash = Hash::from_hex(hash)
                .ok_or_else(|| Problem::invalid_request("hash is 64 lower-case hex digits"))?;
            Some((version, hash))
        }
        _ => return Err(Problem::invalid_request("version and hash go together")),
    };
    let game = access.snapshot.game.clone();
    let texts = referee.texts(access.live.id, game.version()).await?;
    let kind = access.live.kind;
    let body = actix_web::web::block(move || {
        let held = |version: u64, hash: Hash| {
            let text = version
                .checked_sub(1)
                .and_then(|at| texts.get(usize::try_from(at).ok()?));
            text.is_some_and(|text| Hash::of(text.as_bytes()) == hash)
        };
        let brief = game.brief();
        VerificationBody {
            irregularities: brief.irregularities,
            contradicted: brief.contradicted,
            verification: kind.verify(&texts, game.dealer(), game.head()),
            receipt: receipt.map(|(version, hash)| ReceiptCheck {
                version,
                hash,
                held: held(version, hash),
            }),
        }
    })
    .await
    .map_err(Problem::internal)?;
    let mut response = HttpResponse::Ok();
    private(&mut response);
    Ok(response.json(body))
}
