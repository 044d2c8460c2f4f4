//! Whole games: carried away, judged again, brought back, forked.

use actix_web::web::{Data, Path, Query};
use actix_web::{HttpRequest, HttpResponse, get, post};
use domain::dealer::Mode;
use domain::game::Status;
use domain::game::desk::Json;
use domain::replay::{
    FORMAT, ImportError, Judgement, Manner, Part, RecordSeat, Unjudgeable, Verdict,
};
use domain::rulesets::{AnyOptions, AnyPosition, GameKind};
use domain::seat::Viewer;
use json_patch::diff;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};

use crate::accept;
use crate::auth::Bearer;
use crate::body::{JsonBody, RecordBody, parse_record};
use crate::etag::etag;
use crate::idempotency::IdempotencyKey;
use crate::middleware::headers::private;
use crate::openapi::EventSchema;
use crate::problem::Problem;
use crate::referee::{Access, Referee, Visibility, broken, cited};
use crate::routes::games::{CreatedGame, Openings, check_name, new_secret};

const JSON: &str = "application/json";
const NDJSON: &str = "application/x-ndjson";
/// The largest integer that every JSON reader holds exactly.
const LARGEST_INTEGER: u64 = (1 << 53) - 1;
const JSON_PATCH: &str = "application/json-patch+json";

/// The portable record of a game.
#[derive(Debug, Serialize, ToSchema)]
pub struct GameRecord {
    /// What is known before anything was done.
    #[serde(flatten)]
    header: RecordHeader,
    /// What was submitted, declared or dealt, in order.
    #[schema(value_type = Vec<Object>)]
    entries: Vec<Json>,
    /// The events.
    #[schema(value_type = Vec<EventSchema>)]
    events: Vec<Json>,
}

/// The head of a record.
#[derive(Debug, Serialize, ToSchema)]
pub struct RecordHeader {
    /// What this is: `referee-record/1`.
    format: &'static str,
    /// Which game.
    game: GameKind,
    /// The version of the rules that it was judged by.
    rules_version: u16,
    /// Who supplied outcomes.
    mode: Mode,
    /// Who sat where.
    seats: Vec<RecordSeat>,
    /// 16 bytes in hex that were hashed with the names: SHA-256 over them and the JCS form of the
    /// list of names is `names` of the first event.
    names_salt: String,
    /// The options.
    #[schema(value_type = AnyOptions)]
    options: Json,
    /// The position that it began with, where that was not the first one.
    #[schema(value_type = Option<AnyPosition>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<Json>,
    /// Whether something is hidden from the caller.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    masked: bool,
}

/// Gives the portable record of a game
///
/// Everything that judging it again needs: header, entries, events. As NDJSON, the header and then
/// an entry a line. While a virtual game runs, the record is masked for the caller and says so.
#[utoipa::path(
    tag = "records",
    operation_id = "get_record",
    params(("id" = String, Path, description = "The game's id")),
    security((), ("token" = [])),
    responses(
        (status = 200, description = "The record", content(
            (GameRecord = "application/json"),
            (String = "application/x-ndjson", example = "{\"format\":\"referee-record/1\",…}\n{\"seat\":0,\"move\":{…}}\n")
        )),
        (status = 401, description = "unauthorized"),
        (status = 403, description = "forbidden | history_closed"),
        (status = 404, description = "not_found")
    )
)]
#[get("/v1/games/{id}/record")]
pub(crate) async fn read(
    request: HttpRequest,
    referee: Data<Referee>,
    id: Path<String>,
    bearer: Bearer,
) -> Result<HttpResponse, Problem> {
    let access = referee.enter(&id, bearer).await?;
    access.expect_open(1)?;
    let game = &access.snapshot.game;
    let viewer = game.viewer(access.reader());
    let texts = referee.texts(access.live.id, game.version()).await?;
    let offers = [JSON, NDJSON];
    let form = accept::preferred(request.headers(), &offers)
        .ok_or_else(|| Problem::not_acceptable(offers))?;
    let record = record_of(&access, &texts, viewer).map_err(Problem::internal)?;
    let mut response = HttpResponse::Ok();
    private(&mut response)
        .append_header(("Vary", "Accept"))
        .insert_header(etag(game.version()));
    if form == JSON {
        return Ok(response.json(record));
    }
    let mut lines = serde_json::to_string(&record.header).map_err(Problem::internal)? + "\n";
    for entry in &record.entries {
        lines.push_str(entry.get());
        lines.push('\n');
    }
    Ok(response.content_type(NDJSON).body(lines))
}

fn record_of(
    access: &Access,
    texts: &[String],
    viewer: Viewer,
) -> Result<GameRecord, Box<dyn std::error::Error>> {
    let kind = access.live.kind;
    let brief = access.snapshot.game.brief();
    let told = kind.entries(texts, viewer)?;
    let events = texts
        .iter()
        .map(|text| Ok(RawValue::from_string(kind.serve(text, viewer)?)?))
        .collect::<Result<_, Box<dyn std::error::Error>>>()?;
    let beside = &access.live.beside;
    let header = RecordHeader {
        format: FORMAT,
        game: kind,
        rules_version: brief.rules_version,
        mode: brief.mode,
        seats: beside
            .names
            .iter()
            .map(|name| RecordSeat { name: name.clone() })
            .collect(),
        names_salt: beside.names_salt.clone(),
        options: brief.options,
        position: brief.position,
        masked: told.masked || access.snapshot.game.is_masked(),
    };
    Ok(GameRecord {
        header,
        entries: told.entries,
        events,
    })
}

/// A record as a document describes it.
#[derive(ToSchema)]
#[allow(
    dead_code,
    reason = "only its description is used: records are read as they come"
)]
struct ForeignRecord {
    /// What this is: `referee-record/1`.
    format: String,
    /// Which game.
    game: GameKind,
    /// The version of the rules that it was judged by; 1 when left out.
    rules_version: Option<u16>,
    /// Who supplied outcomes.
    mode: Mode,
    /// Who sat where.
    seats: Vec<RecordSeat>,
    /// What the names were hashed with.
    names_salt: Option<String>,
    /// The options; the defaults when left out.
    #[schema(value_type = Option<AnyOptions>)]
    options: Option<Json>,
    /// The position that it began with; the first one when left out.
    #[schema(value_type = Option<AnyPosition>)]
    position: Option<Json>,
    /// Whether it leaves out what was hidden from whoever exported it.
    masked: Option<bool>,
    /// What was done, in order; with `events`, or without.
    #[schema(value_type = Option<Vec<Object>>)]
    entries: Option<Vec<Json>>,
    /// What was recorded of it; with `entries`, or without.
    #[schema(value_type = Option<Vec<Object>>)]
    events: Option<Vec<Json>>,
}

/// How to judge a record.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ReplayQuery {
    /// Judge only so many entries.
    #[param(minimum = 0, maximum = 9_007_199_254_740_991_i64)]
    entries: Option<u64>,
    /// Leave out what is refused, judge on, and tell what came of each entry.
    #[param(default = false)]
    tolerant: Option<bool>,
    /// Judge by this version of the rules instead of the record's own.
    #[param(minimum = 1)]
    rules_version: Option<u16>,
}

/// What came of judging a record.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReplayAnswer {
    /// The judgement.
    #[serde(flatten)]
    judgement: Judgement,
    /// Where events diverge: the RFC 6902 patch that makes what was found what was expected.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Object>>)]
    difference: Option<Value>,
}

impl ReplayAnswer {
    /// The judgement.
    pub fn judgement(&self) -> &Judgement {
        &self.judgement
    }

    /// The answer for a judgement.
    pub fn of(judgement: Judgement) -> Self {
        let difference = match &judgement.verdict {
            Verdict::Diverged {
                expected, found, ..
            } => serde_json::to_value(diff(&told_by(found, expected), expected)).ok(),
            Verdict::Legal { .. } | Verdict::Illegal { .. } => None,
        };
        Self {
            judgement,
            difference,
        }
    }
}

/// What was found, without what the rules say nothing of: times, hashes, salts.
fn told_by(found: &Value, expected: &Value) -> Value {
    match (found, expected) {
        (Value::Object(found), Value::Object(expected)) => {
            let judged = |name: &String| expected.contains_key(name) || name == "rule";
            let fields = found.iter().filter(|(name, _)| judged(name));
            Value::Object(
                fields
                    .map(|(name, value)| (name.clone(), value.clone()))
                    .collect(),
            )
        }
        (found, _) => found.clone(),
    }
}

/// Judges a record without storing anything
///
/// Entries are judged by the rules, one after the other; events are compared with what the entries
/// lead to, and their hashes checked. The verdict names the first entry that a rule forbids, or the
/// first event that does not follow.
#[utoipa::path(
    tag = "records",
    operation_id = "judge_record",
    params(ReplayQuery),
    request_body(content(
        (ForeignRecord = "application/json", example = json!({
            "format": "referee-record/1", "game": "schatz_der_drachen", "mode": "table",
            "seats": [{"name": "Anna"}, {"name": "Bo"}],
            "entries": [{"seat": 0, "move": {"type": "reveal", "slot": "c4"}},
                        {"outcome": {"type": "tile", "tile": "ball"}}]
        })),
        (String = "application/x-ndjson")
    )),
    responses(
        (status = 200, description = "The verdict", body = ReplayAnswer),
        (status = 422, description = "invalid_setup")
    )
)]
#[post("/v1/replays")]
pub(crate) async fn judge(
    query: Query<ReplayQuery>,
    body: RecordBody,
) -> Result<HttpResponse, Problem> {
    if query
        .entries
        .is_some_and(|entries| entries > LARGEST_INTEGER)
    {
        return Err(Problem::invalid_request(
            "entries is a number up to 2^53 - 1",
        ));
    }
    let manner = Manner {
        entries: query.entries,
        tolerant: query.tolerant.unwrap_or(false),
        rules_version: query.rules_version,
    };
    let answer = aside(move || {
        let record = parse_record(body.format, &body.bytes).map_err(unjudgeable_problem)?;
        let judgement = record.game.judge(&record, manner);
        judgement.map(ReplayAnswer::of).map_err(unjudgeable_problem)
    })
    .await?;
    Ok(HttpResponse::Ok().json(answer))
}

fn unjudgeable_problem(unjudgeable: Unjudgeable) -> Problem {
    match unjudgeable {
        Unjudgeable::Malformed {
            at: Part::Pointer(pointer),
            detail,
        } => Problem::invalid_field(pointer, detail),
        Unjudgeable::Malformed {
            at: at @ Part::Line(_),
            detail,
        } => Problem::invalid_request(format!("{at}: {detail}")),
        Unjudgeable::Setup(violation) => {
            Problem::invalid_setup(broken(&violation), violation.detail)
        }
    }
}

/// Stores a legal record as a new game
///
/// The new game is the caller's, private, with new tokens for all seats. Its past keeps its entries;
/// a virtual game takes a new secret for what is still to come. A game that was imported from a
/// masked record can be read and not played on.
#[utoipa::path(
    tag = "records",
    operation_id = "import_record",
    request_body(content(
        (ForeignRecord = "application/json", example = json!({
            "format": "referee-record/1", "game": "schatz_der_drachen", "mode": "table",
            "seats": [{"name": "Anna"}, {"name": "Bo"}],
            "entries": [{"seat": 0, "move": {"type": "reveal", "slot": "c4"}},
                        {"outcome": {"type": "tile", "tile": "ball"}}]
        })),
        (String = "application/x-ndjson")
    )),
    responses(
        (status = 201, description = "The game, with its tokens", body = CreatedGame, headers(
            ("ETag" = String, description = "The version, quoted"),
            ("Location" = String, description = "Where the game is")
        )),
        (status = 422, description = "illegal_move | invalid_setup")
    )
)]
#[post("/v1/games/import")]
pub(crate) async fn import(
    request: HttpRequest,
    referee: Data<Referee>,
    body: RecordBody,
) -> Result<HttpResponse, Problem> {
    IdempotencyKey::refuse(request.headers())?;
    let (body, kind, mode, seats) = aside(move || {
        let record = parse_record(body.format, &body.bytes).map_err(unjudgeable_problem)?;
        let (kind, mode, seats) = (record.game, record.mode, record.seats);
        Ok((body, kind, mode, seats))
    })
    .await?;
    for (place, seat) in seats.iter().enumerate() {
        check_name(place, &seat.name)?;
    }
    let names: Vec<String> = seats.into_iter().map(|seat| seat.name).collect();
    let openings = Openings::of(names.iter().map(|_| false))?;
    let secret = new_secret(mode)?;
    let founding = openings.founding(kind, names, Visibility::Private, secret, false)?;
    let import = async move |heir, dealer, mut context| {
        aside(move || {
            let record = parse_record(body.format, &body.bytes).map_err(unjudgeable_problem)?;
            kind.import(&record, heir, dealer, &mut context)
                .map_err(import_problem)
        })
        .await
    };
    let (live, receipt) = referee.found(founding, import).await?;
    Ok(openings.created(&live, receipt))
}

/// Does what takes long beside the requests that are served meanwhile.
async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    actix_web::web::block(work)
        .await
        .map_err(Problem::internal)?
}

fn import_problem(error: ImportError) -> Problem {
    match error {
        ImportError::Unjudgeable(unjudgeable) => unjudgeable_problem(unjudgeable),
        ImportError::Unreadable(unreadable) => Problem::internal(unreadable),
        ImportError::NotLegal(judgement) => match judgement.verdict {
            Verdict::Illegal {
                at_entry,
                rule,
                detail,
                ..
            } => {
                let detail = format!("entry {at_entry}: {detail}");
                Problem::illegal_move(cited(rule), detail, judgement.version, Vec::new())
            }
            Verdict::Diverged { at_seq, .. } => {
                let pointer = format!("/events/{}", at_seq.saturating_sub(1));
                Problem::invalid_field(pointer, "the entries do not lead to this event")
            }
            Verdict::Legal { .. } => Problem::internal("a legal record was not imported"),
        },
    }
}

/// Where to fork a game.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ForkRequest {
    /// The version up to which the past is shared.
    #[schema(minimum = 1)]
    at: u64,
}

/// Forks a game
///
/// A new game of the caller's with the same past up to a version, and new tokens. Where the version
/// lies amid the consequences of a move, they all belong to the past. A virtual game can be forked
/// once it is over; the fork takes a new secret from there on.
#[utoipa::path(
    tag = "records",
    operation_id = "fork_game",
    params(("id" = String, Path, description = "The game's id")),
    request_body(content = ForkRequest, example = json!({"at": 40})),
    security((), ("token" = [])),
    responses(
        (status = 201, description = "The game, with its tokens", body = CreatedGame, headers(
            ("ETag" = String, description = "The version, quoted"),
            ("Location" = String, description = "Where the game is")
        )),
        (status = 401, description = "unauthorized"),
        (status = 403, description = "forbidden | history_closed"),
        (status = 404, description = "not_found"),
        (status = 409, description = "not_over")
    )
)]
#[post("/v1/games/{id}/forks")]
pub(crate) async fn fork(
    request: HttpRequest,
    referee: Data<Referee>,
    id: Path<String>,
    bearer: Bearer,
    body: JsonBody,
) -> Result<HttpResponse, Problem> {
    let access = referee.enter(&id, bearer).await?;
    let asked: ForkRequest = body.parse()?;
    IdempotencyKey::refuse(request.headers())?;
    let game = &access.snapshot.game;
    let now = game.version();
    if asked.at == 0 || asked.at > now {
        let detail = format!("the versions of this game are 1 to {now}");
        return Err(Problem::invalid_field("/at", detail));
    }
    // The host of a fork may end it, and so open what the players of this game may not read.
    access.expect_open(1)?;
    let brief = game.brief();
    if brief.mode == Mode::Virtual && brief.status == Status::InProgress {
        return Err(Problem::not_over());
    }
    let texts = referee.texts(access.live.id, now).await?;
    let names = access.live.beside.names.clone();
    let openings = Openings::of(names.iter().map(|_| false))?;
    let secret = new_secret(brief.mode)?;
    let kind = access.live.kind;
    let mut founding = openings.founding(kind, names, Visibility::Private, secret, false)?;
    founding.parent = Some(access.live.id);
    let fork = async move |heir, dealer, mut context| {
        aside(move || {
            kind.fork(&texts, asked.at, heir, dealer, &mut context)
                .map_err(Problem::internal)
        })
        .await
    };
    let (live, receipt) = referee.found(founding, fork).await?;
    Ok(openings.created(&live, receipt))
}

/// Which versions to compare.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ChangesQuery {
    /// The version before.
    #[param(minimum = 1)]
    from: u64,
    /// The version after.
    #[param(minimum = 1)]
    to: u64,
}

/// Compares two views of a game
///
/// The RFC 6902 patch that makes the caller's view at one version the one at the other.
#[utoipa::path(
    tag = "records",
    operation_id = "get_changes",
    params(("id" = String, Path, description = "The game's id"), ChangesQuery),
    security((), ("token" = [])),
    responses(
        (status = 200, description = "The patch", content(
            (Vec<Object> = "application/json-patch+json", example = json!([{"op": "replace", "path": "/seat", "value": 1}])),
            (Vec<Object> = "application/json", example = json!([{"op": "replace", "path": "/seat", "value": 1}]))
        )),
        (status = 401, description = "unauthorized"),
        (status = 403, description = "forbidden | history_closed"),
        (status = 404, description = "not_found")
    )
)]
#[get("/v1/games/{id}/changes")]
pub(crate) async fn changes(
    request: HttpRequest,
    referee: Data<Referee>,
    id: Path<String>,
    bearer: Bearer,
    query: Query<ChangesQuery>,
) -> Result<HttpResponse, Problem> {
    let access = referee.enter(&id, bearer).await?;
    let offers = [JSON_PATCH, JSON];
    let form = accept::preferred(request.headers(), &offers)
        .ok_or_else(|| Problem::not_acceptable(offers))?;
    let before = view_at(&referee, &access, query.from).await?;
    let after = view_at(&referee, &access, query.to).await?;
    let patch = serde_json::to_string(&diff(&before, &after)).map_err(Problem::internal)?;
    let mut response = HttpResponse::Ok();
    private(&mut response).append_header(("Vary", "Accept"));
    Ok(response.content_type(form).body(patch))
}

async fn view_at(referee: &Referee, access: &Access, at: u64) -> Result<Value, Problem> {
    let game = referee.at(access, at).await?;
    serde_json::from_str(game.view(access.reader()).get()).map_err(Problem::internal)
}
