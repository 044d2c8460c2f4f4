//! Creating games, finding them, claiming seats, ending them.

use actix_web::http::header::LOCATION;
use actix_web::web::{Data, Path, Query};
use actix_web::{HttpRequest, HttpResponse, get, post};
use domain::dealer::{Mode, Secret};
use domain::game::Status;
use domain::game::desk::{Blueprint, Json};
use domain::rulesets::{AnyOptions, AnyPosition, GameKind};
use domain::seat::{Seat, Viewer};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};

use crate::auth::{Bearer, Token, TokenHash, TokenKind};
use crate::body::{EmptyBody, JsonBody};
use crate::etag::{etag, is_held};
use crate::idempotency::IdempotencyKey;
use crate::keys::Receipt;
use crate::middleware::headers::private;
use crate::problem::Problem;
use crate::referee::{
    Answer, Beside, Claim, Founding, Live, Recorded, Referee, Role, Submission, Summary,
    Visibility, setup_problem, status_name, store_problem, token,
};
use crate::routes::recording::{Recording, answered};

/// The longest name, in characters.
const LONGEST_NAME: usize = 64;

/// A game to create.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    /// Which game.
    game: GameKind,
    /// Who supplies outcomes.
    mode: Mode,
    /// Who sits where, from seat 0 clockwise.
    seats: Vec<NewSeat>,
    /// Answers to the questions that the rules leave open; see the game's rulebook.
    #[schema(value_type = Option<AnyOptions>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    options: Option<Json>,
    /// The version of the rules to judge by; 1 when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    rules_version: Option<u16>,
    /// Who may find it.
    #[serde(default)]
    visibility: Visibility,
    /// The dealer's secret, 64 hex digits; virtual games only. The summary tells that it was given.
    #[schema(pattern = "^[0-9A-Fa-f]{64}$")]
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<String>,
    /// At a table: the position to begin with, as `/v1/games/{id}/position` gives it; the first one
    /// when left out.
    #[schema(value_type = Option<AnyPosition>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<Json>,
}

/// A seat of a game to create.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewSeat {
    /// The player's name: 1 to 64 characters, none of them a control or bidirectional override.
    #[schema(min_length = 1, max_length = 64)]
    name: String,
    /// Whether the seat's token is to be collected with a code.
    #[serde(default)]
    claim: bool,
}

/// A game that was created. Tokens and claim codes are shown here and nowhere again.
#[derive(Debug, Serialize, ToSchema)]
pub struct CreatedGame {
    /// The game.
    #[serde(flatten)]
    game: Summary,
    /// The host's token.
    host_token: String,
    /// Signed proof of what was recorded.
    receipt: Receipt,
}

/// Creates and starts a game
///
/// A virtual game is dealt as far as a seat must act; at a table the referee waits for what
/// everybody sees. The number of seats and the options are judged by the game's rules.
#[utoipa::path(
    tag = "games",
    operation_id = "create_game",
    request_body(content = NewGame, examples(
        ("A virtual game" = (value = json!({
            "game": "schatz_der_drachen", "mode": "virtual",
            "seats": [{"name": "Anna"}, {"name": "Bo", "claim": true}],
            "options": {"first_seat": 0}, "visibility": "private"
        }))),
        ("A table" = (value = json!({
            "game": "schatz_der_drachen", "mode": "table", "seats": [{"name": "Anna"}, {"name": "Bo"}]
        })))
    )),
    responses(
        (status = 201, description = "The game, with its tokens", body = CreatedGame, headers(
            ("ETag" = String, description = "The version, quoted"),
            ("Location" = String, description = "Where the game is")
        )),
        (status = 422, description = "invalid_setup")
    )
)]
#[post("/v1/games")]
pub(crate) async fn create(
    request: HttpRequest,
    referee: Data<Referee>,
    body: JsonBody,
) -> Result<HttpResponse, Problem> {
    IdempotencyKey::refuse(request.headers())?;
    let new: NewGame = body.parse()?;
    for (place, seat) in new.seats.iter().enumerate() {
        check_name(place, &seat.name)?;
    }
    let secret = dealers_secret(&new)?;
    let seats = Openings::of(new.seats.iter().map(|seat| seat.claim))?;
    let names: Vec<String> = new.seats.iter().map(|seat| seat.name.clone()).collect();
    let founding = seats.founding(new.game, names, new.visibility, secret, new.seed.is_some())?;
    let (live, receipt) = referee
        .found(founding, async |heir, dealer, mut context| {
            let blueprint = Blueprint {
                id: heir.id,
                // More seats than a byte counts are as many as no game allows.
                seats: u8::try_from(new.seats.len()).unwrap_or(u8::MAX),
                options: new.options.as_deref(),
                rules_version: new.rules_version,
                position: new.position.as_deref(),
                names: heir.names,
            };
            new.game
                .create(blueprint, dealer, &mut context, Viewer::Spectator)
                .map_err(setup_problem)
        })
        .await?;
    Ok(seats.created(&live, receipt))
}

/// What opens a seat.
enum Opening {
    /// The creator gets its token.
    Token { seat: Seat, token: Token },
    /// Whoever has the code gets its token, once.
    Code { code: Token, claim: Claim },
}

impl Opening {
    fn of(seat: Seat, claim: bool) -> Result<Self, Problem> {
        if claim {
            let code = Token::generate(TokenKind::Claim).map_err(Problem::internal)?;
            let claim = Claim::of(code.hash(), random()?);
            Ok(Self::Code { code, claim })
        } else {
            let token = Token::generate(TokenKind::Seat).map_err(Problem::internal)?;
            Ok(Self::Token { seat, token })
        }
    }

    fn stored(&self) -> Option<storage::Token> {
        match self {
            Self::Token { seat, token: opens } => Some(token(opens.hash(), Role::Seat(*seat))),
            Self::Code { .. } => None,
        }
    }

    fn claim(&self) -> Option<Claim> {
        match self {
            Self::Token { .. } => None,
            Self::Code { claim, .. } => Some(claim.clone()),
        }
    }
}

/// What opens a new game.
pub(crate) struct Openings {
    host: Token,
    seats: Vec<Opening>,
}

impl Openings {
    /// For seats that are to be claimed, or whose tokens the creator gets.
    pub(crate) fn of(claims: impl Iterator<Item = bool>) -> Result<Self, Problem> {
        let seats = (0..u8::MAX)
            .map(Seat::new)
            .zip(claims)
            .map(|(seat, claim)| Opening::of(seat, claim))
            .collect::<Result<_, _>>()?;
        let host = Token::generate(TokenKind::Host).map_err(Problem::internal)?;
        Ok(Self { host, seats })
    }

    /// What the new game needs, its past left aside.
    pub(crate) fn founding(
        &self,
        kind: GameKind,
        names: Vec<String>,
        visibility: Visibility,
        secret: Option<Secret>,
        seeded: bool,
    ) -> Result<Founding, Problem> {
        let mut tokens = vec![token(self.host.hash(), Role::Host)];
        tokens.extend(self.seats.iter().filter_map(Opening::stored));
        Ok(Founding {
            kind,
            beside: Beside {
                names,
                names_salt: hex::encode(random::<16>()?),
                seeded,
                claims: self.seats.iter().map(Opening::claim).collect(),
            },
            visibility,
            secret,
            tokens,
            parent: None,
        })
    }

    /// The answer to a creation.
    pub(crate) fn created(self, live: &Live, receipt: Receipt) -> HttpResponse {
        let mut game = live.summary(&live.snapshot());
        for (told, opening) in game.seats.iter_mut().zip(self.seats) {
            match opening {
                Opening::Token { token, .. } => told.token = Some(token.reveal()),
                Opening::Code { code, .. } => told.claim_code = Some(code.reveal()),
            }
        }
        let mut response = HttpResponse::Created();
        private(&mut response)
            .insert_header((LOCATION, format!("/v1/games/{}", game.id)))
            .insert_header(etag(game.version));
        response.json(CreatedGame {
            game,
            host_token: self.host.reveal(),
            receipt,
        })
    }
}

/// A secret for a new virtual game; none at a table.
pub(crate) fn new_secret(mode: Mode) -> Result<Option<Secret>, Problem> {
    match mode {
        Mode::Virtual => Ok(Some(Secret(random()?))),
        Mode::Table => Ok(None),
    }
}

pub(crate) fn random<const N: usize>() -> Result<[u8; N], Problem> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(Problem::internal)?;
    Ok(bytes)
}

pub(crate) fn check_name(place: usize, name: &str) -> Result<(), Problem> {
    let pointer = format!("/seats/{place}/name");
    let length = name.chars().count();
    if length == 0 || length > LONGEST_NAME {
        let detail = format!("a name has 1 to {LONGEST_NAME} characters, and this has {length}");
        return Err(Problem::invalid_field(pointer, detail));
    }
    if name.chars().any(crate::problem::is_deceptive) {
        let detail = "a name holds no control characters and no bidirectional overrides";
        return Err(Problem::invalid_field(pointer, detail));
    }
    Ok(())
}

fn dealers_secret(new: &NewGame) -> Result<Option<Secret>, Problem> {
    let given = match &new.seed {
        None => None,
        Some(seed) => {
            let mut bytes = [0; 32];
            hex::decode_to_slice(seed, &mut bytes)
                .map_err(|_| Problem::invalid_field("/seed", "a seed is 64 hex digits"))?;
            Some(bytes)
        }
    };
    match (new.mode, given) {
        (Mode::Table, None) => Ok(None),
        (Mode::Table, Some(_)) => Err(Problem::invalid_field(
            "/seed",
            "nobody deals for the referee at a table",
        )),
        (Mode::Virtual, Some(bytes)) => Ok(Some(Secret(bytes))),
        (mode @ Mode::Virtual, None) => new_secret(mode),
    }
}

/// Which public games to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// Only games of this kind.
    game: Option<GameKind>,
    /// Only games that stand so.
    status: Option<Status>,
    /// How many at most.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<usize>,
    /// Where to go on: `next` of the page before.
    cursor: Option<String>,
}

/// A page of public games.
#[derive(Debug, Serialize, ToSchema)]
pub struct GamesPage {
    /// The games, newest first.
    #[schema(value_type = Vec<Summary>)]
    games: Vec<Json>,
    /// The cursor of the next page; null on the last.
    next: Option<String>,
}

/// Lists public games
///
/// Newest first.
#[utoipa::path(
    tag = "games",
    operation_id = "list_games",
    params(ListQuery),
    responses((status = 200, description = "A page of games", body = GamesPage))
)]
#[get("/v1/games")]
pub(crate) async fn list(
    referee: Data<Referee>,
    query: Query<ListQuery>,
) -> Result<HttpResponse, Problem> {
    let limit = match query.limit.unwrap_or(20) {
        limit @ 1..=100 => limit,
        _ => return Err(Problem::invalid_request("limit is a number from 1 to 100")),
    };
    let before = match &query.cursor {
        None => None,
        Some(cursor) => Some(
            u64::from_str_radix(cursor, 16)
                .ok()
                .filter(|before| i64::try_from(*before).is_ok())
                .ok_or_else(|| Problem::invalid_request("cursor is not one of this list's"))?,
        ),
    };
    let page = storage::ListQuery {
        kind: query.game.map(|kind| kind.name().to_owned()),
        status: query.status.map(|status| status_name(status).to_owned()),
        before,
        limit: limit + 1,
    };
    let mut listed = referee.store().list(page).await.map_err(store_problem)?;
    let more = listed.len() > limit;
    listed.truncate(limit);
    let next = listed
        .last()
        .filter(|_| more)
        .map(|last| format!("{:x}", last.cursor));
    let games: Result<Vec<Json>, _> = listed
        .into_iter()
        .map(|listed| RawValue::from_string(listed.summary))
        .collect();
    Ok(HttpResponse::Ok().json(GamesPage {
        games: games.map_err(Problem::internal)?,
        next,
    }))
}

/// Tells how a game stands
///
/// What everybody who may know of the game may know: no tokens, no cards. The `ETag` is the
/// version, quoted.
#[utoipa::path(
    tag = "games",
    operation_id = "get_game",
    params(("id" = String, Path, description = "The game's id")),
    security((), ("token" = [])),
    responses(
        (status = 200, description = "The game", body = Summary, headers(
            ("ETag" = String, description = "The version, quoted")
        )),
        (status = 304, description = "The version is the one named by `If-None-Match`"),
        (status = 401, description = "unauthorized"),
        (status = 403, description = "forbidden"),
        (status = 404, description = "not_found")
    )
)]
#[get("/v1/games/{id}")]
pub(crate) async fn read(
    request: HttpRequest,
    referee: Data<Referee>,
    id: Path<String>,
    bearer: Bearer,
) -> Result<HttpResponse, Problem> {
    let access = referee.enter(&id, bearer).await?;
    let mut summary = access.live.summary(&access.snapshot);
    summary.forks = referee.forks(access.live.id).await?;
    let mut response = match is_held(request.headers(), summary.version) {
        true => HttpResponse::NotModified(),
        false => HttpResponse::Ok(),
    };
    private(&mut response).insert_header(etag(summary.version));
    Ok(match is_held(request.headers(), summary.version) {
        true => response.finish(),
        false => response.json(summary),
    })
}

/// Ends a game without a winner
///
/// By the host. What was hidden is open from then on.
#[utoipa::path(
    tag = "games",
    operation_id = "abandon_game",
    params(
        ("id" = String, Path, description = "The game's id"),
        ("If-Match" = Option<String>, Header, description = "The version that the game must have, quoted"),
        ("Idempotency-Key" = Option<String>, Header, description = "Makes the request safe to send again")
    ),
    security(("token" = [])),
    responses(
        (status = 200, description = "The game is abandoned", body = Recorded),
        (status = 401, description = "unauthorized"),
        (status = 403, description = "forbidden | history_closed"),
        (status = 404, description = "not_found"),
        (status = 409, description = "idempotency_conflict"),
        (status = 412, description = "version_mismatch"),
        (status = 422, description = "illegal_move")
    )
)]
#[post("/v1/games/{id}/abandon")]
pub(crate) async fn abandon(
    request: HttpRequest,
    referee: Data<Referee>,
    id: Path<String>,
    bearer: Bearer,
    body: EmptyBody,
) -> Result<HttpResponse, Problem> {
    let access = referee.enter(&id, bearer).await?;
    access.expect_host()?;
    let recording = Recording::of(&request, &bearer, || body.fingerprint())?;
    let command = access.snapshot.game.abandon();
    recording.record(&referee, &access, command).await
}

/// A claim code.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClaimRequest {
    /// The code that the creator passed on.
    code: String,
}

/// A seat that was claimed. The token is shown here and nowhere again.
#[derive(Debug, Serialize, ToSchema)]
pub struct ClaimedSeat {
    /// Which seat.
    seat: Seat,
    /// The seat's token.
    token: String,
    /// What was recorded.
    #[serde(flatten)]
    #[schema(inline = false)]
    recorded: Recorded,
}

/// Collects a seat's token with its claim code
///
/// Once; everybody sees that the seat was claimed.
#[utoipa::path(
    tag = "games",
    operation_id = "claim_seat",
    params(
        ("id" = String, Path, description = "The game's id"),
        ("seat" = u8, Path, description = "The seat"),
        ("If-Match" = Option<String>, Header, description = "The version that the game must have, quoted"),
        ("Idempotency-Key" = Option<String>, Header, description = "Makes the request safe to send again")
    ),
    request_body(content = ClaimRequest, example = json!({"code": "ref_claim_2bd806c97f0e00af1a1fc3328fa763a9269723c8"})),
    responses(
        (status = 200, description = "The seat is claimed", body = ClaimedSeat),
        (status = 401, description = "unauthorized"),
        (status = 403, description = "forbidden | history_closed"),
        (status = 404, description = "not_found"),
        (status = 409, description = "disputed | idempotency_conflict"),
        (status = 412, description = "version_mismatch")
    )
)]
#[post("/v1/games/{id}/seats/{seat}/claim")]
pub(crate) async fn claim_seat(
    request: HttpRequest,
    referee: Data<Referee>,
    path: Path<(String, u8)>,
    bearer: Bearer,
    body: JsonBody,
) -> Result<HttpResponse, Problem> {
    let (id, number) = path.into_inner();
    let live = referee.live(&id).await?.ok_or_else(Problem::not_found)?;
    let asked: ClaimRequest = match body.parse() {
        Ok(asked) => asked,
        Err(malformed) => {
            // Only who may know of the game is told what the request lacks.
            referee.enter(&id, bearer).await?;
            return Err(malformed);
        }
    };
    let code = TokenHash::of(asked.code.as_bytes());
    let claim = live
        .beside
        .claims
        .get(usize::from(number))
        .and_then(Option::as_ref);
    let Some(claim) = claim.filter(|claim| claim.is_opened_by(&code)) else {
        // The code is the right to a private game; without it the game may not even be known of.
        referee.enter(&id, bearer).await?;
        return Err(Problem::forbidden("this code does not claim this seat"));
    };
    let seat = Seat::new(number);
    let seat_token = Token::from_bytes(TokenKind::Seat, claim.token_bytes(&asked.code));
    let recording = Recording::scoped(
        &request,
        || format!("claim {number}"),
        || body.fingerprint(),
    )?;
    let snapshot = live.snapshot();
    let submission = Submission {
        by: Role::Seat(seat).by(),
        reader: Role::Seat(seat).viewer(),
        token: Some(token(seat_token.hash(), Role::Seat(seat))),
        ..recording.anonymous(snapshot.game.claim(seat))
    };
    let mut answer = referee.submit(&live, submission).await?;
    if answer.status == 200 {
        answer.body = with_token(&answer, seat, seat_token)?;
    }
    Ok(answered(answer))
}

/// Puts the token into the answer, which is kept without it.
pub(crate) fn with_token(answer: &Answer, seat: Seat, token: Token) -> Result<String, Problem> {
    let recorded: &str = &answer.body;
    let rest = recorded
        .strip_prefix('{')
        .ok_or_else(|| Problem::internal("an answer that is no JSON object"))?;
    let token = token.reveal();
    Ok(format!("{{\"seat\":{seat},\"token\":\"{token}\",{rest}"))
}
