//! Every refusal, as RFC 9457 `application/problem+json`.
//!
//! Handlers and extractors return a [`Problem`] made by the constructor that is named as the client
//! sees it; nothing else in this crate writes an error body. What other libraries answer by
//! themselves is turned into a problem by [`crate::middleware::render`].
//!
//! A problem holds nothing that tells one request from another, apart from `instance`: equal
//! refusals are equal bytes. [`Problem::not_found`] fixes `instance` too, so that a game that does
//! not exist and one that the caller may not know of cannot be told apart.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::{ALLOW, CONTENT_TYPE, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use actix_web::{HttpResponse, ResponseError};
use bytes::Bytes;
use serde::Serialize;
use utoipa::ToSchema;

use crate::middleware::headers::private;

/// The media type of every refusal.
pub const MEDIA_TYPE: &str = "application/problem+json";

/// Longest text that a refusal quotes from a request, in characters.
const LONGEST_QUOTE: usize = 200;

/// One table gives the enum, its names on the wire, the statuses and the pages at
/// `/problems/{code}`.
macro_rules! codes {
    ($($code:ident = $wire:literal, $status:literal, $title:literal, $about:literal;)+) => {
        /// What was wrong, for programs. Stable: codes are added, never renamed.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, ToSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum Code {
            $(#[doc = $about] $code,)+
        }

        impl Code {
            /// Every code, by status.
            pub const ALL: &[Code] = &[$(Code::$code,)+];

            /// The name on the wire.
            pub const fn name(self) -> &'static str {
                match self { $(Code::$code => $wire,)+ }
            }

            /// The URI reference that identifies the kind of problem, and answers with a page on it.
            pub const fn type_uri(self) -> &'static str {
                match self { $(Code::$code => concat!("/problems/", $wire),)+ }
            }

            /// The status that it is always sent with.
            pub const fn status(self) -> u16 {
                match self { $(Code::$code => $status,)+ }
            }

            /// A short summary, the same for every occurrence.
            pub const fn title(self) -> &'static str {
                match self { $(Code::$code => $title,)+ }
            }

            /// What it means and what a client can do about it.
            pub const fn about(self) -> &'static str {
                match self { $(Code::$code => $about,)+ }
            }
        }
    };
}

codes! {
    InvalidRequest = "invalid_request", 400, "The request is malformed",
        "The request is not what this operation reads: no JSON, a wrong type, an unknown field or \
         value, a place that no such game has, a malformed header or query. `detail` and `errors` \
         say where. Sending it again unchanged cannot succeed.";
    Unauthorized = "unauthorized", 401, "A valid token is needed",
        "The operation needs a token and got none, or one that is not known. Send the seat's or the \
         host's token as `Authorization: Bearer …`.";
    Forbidden = "forbidden", 403, "The token does not allow this",
        "The token is known, but belongs to another game or has no right to this operation here.";
    HistoryClosed = "history_closed", 403, "This part of the record is not open yet",
        "The game still runs, and what was asked for is opened when it is over.";
    NotFound = "not_found", 404, "Not found",
        "Nothing is here, or nothing that the caller may know of. A private game answers like one \
         that does not exist to everybody without a right to it.";
    MethodNotAllowed = "method_not_allowed", 405, "The method is not allowed here",
        "The path exists, but not for this method. The `Allow` header lists those that it has.";
    NotAcceptable = "not_acceptable", 406, "No acceptable representation",
        "The `Accept` header excludes every media type that this operation can answer with.";
    Timeout = "timeout", 408, "The request took too long to arrive",
        "The body was not received in time. The connection is closed; the request can be repeated.";
    IdempotencyConflict = "idempotency_conflict", 409, "The idempotency key was used before",
        "The same token has already sent this `Idempotency-Key` with another method, path or body. \
         A new request needs a new key.";
    Disputed = "disputed", 409, "A dispute is open",
        "Until the open dispute is closed, only votes, its withdrawal, abandoning and reading go on.";
    DisputeOver = "dispute_over", 409, "The dispute is over",
        "The dispute was closed, withdrawn, or ended with the game. Nothing more is voted on it; open \
         another one.";
    NotOver = "not_over", 409, "The game is not over",
        "The operation is possible once the game is over or abandoned.";
    VersionMismatch = "version_mismatch", 412, "The game has moved on",
        "The version in `If-Match` is not the game's version, which is in `version`. Read what \
         happened since and decide anew.";
    TooLarge = "too_large", 413, "The body is too large",
        "The body is larger than this operation takes. `detail` states the bound.";
    UnsupportedMediaType = "unsupported_media_type", 415, "The body has a media type not taken here",
        "Bodies are `application/json` in UTF-8 without a content encoding, unless the operation \
         says otherwise.";
    IllegalMove = "illegal_move", 422, "The rules forbid this",
        "The request is well-formed, and the rule in `rule` forbids it in the position at `version`. \
         `evidence` lists the events, by seq, that contradict it.";
    InvalidSetup = "invalid_setup", 422, "The rules do not know such a setup",
        "Options, seats, board or position are well-formed, and the rule in `rule` does not allow \
         them.";
    TooManyRequests = "too_many_requests", 429, "Too many requests",
        "The address has sent more requests than allowed. Wait for the seconds in `Retry-After`.";
    Internal = "internal", 500, "The referee failed",
        "A defect on the server's side; the cause is in its log. A request with an \
         `Idempotency-Key` can be repeated safely.";
    Unavailable = "unavailable", 503, "The referee is not available",
        "The server is starting, stopping, or cannot reach its store. Repeat the request after the \
         seconds in `Retry-After`, with the same `Idempotency-Key` where it has one.";
}

impl Code {
    /// The code with this name on the wire.
    pub fn from_name(name: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.name() == name)
    }

    /// The codes that are sent with this status.
    pub fn with_status(status: u16) -> impl Iterator<Item = Code> {
        Code::ALL
            .iter()
            .copied()
            .filter(move |code| code.status() == status)
    }
}

/// A place in a request that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct FieldError {
    /// Where in the body, as a JSON Pointer (RFC 6901); empty for the whole of it.
    #[schema(example = "/seats/0/name")]
    pub pointer: String,
    /// What is wrong there.
    #[schema(example = "invalid type: integer `7`, expected a string")]
    pub detail: String,
}

/// The rule that a refusal rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct BrokenRule {
    /// Where it stands in the game's rulebook.
    #[schema(example = "CM-2")]
    pub id: String,
    /// Its heading.
    #[schema(example = "Out of turn")]
    pub title: String,
    /// What it says.
    #[schema(example = "Only the seat whose turn it is may move.")]
    pub text: String,
}

/// A refusal (RFC 9457). Fields that do not apply are left out.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Problem)]
pub struct Details {
    /// Identifies the kind of problem; a page about it is found there.
    #[serde(rename = "type")]
    #[schema(value_type = String, format = "uri-reference", example = "/problems/illegal_move")]
    pub type_uri: &'static str,
    /// A summary of the kind of problem.
    #[schema(value_type = String, example = "The rules forbid this")]
    pub title: &'static str,
    /// The HTTP status.
    #[schema(minimum = 400, maximum = 599, example = 422)]
    pub status: u16,
    /// What was wrong this time, for people.
    #[schema(value_type = String, example = "it is the turn of seat 1")]
    pub detail: Cow<'static, str>,
    /// What the request was about: its path, without the query.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = "uri-reference", nullable = false, example = "/v1/games")]
    pub instance: Option<Cow<'static, str>>,
    /// What was wrong, for programs.
    pub code: Code,
    /// The places in the body that are wrong.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub errors: Vec<FieldError>,
    /// The rule that it rests on.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub rule: Option<BrokenRule>,
    /// The game's version that the request was judged at.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = 9)]
    pub version: Option<u64>,
    /// The seqs of events that the caller can read and that contradict the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub evidence: Option<Vec<u64>>,
}

/// A refusal on its way to the client.
#[derive(Clone)]
pub struct Problem(Box<Refusal>);

#[derive(Clone)]
struct Refusal {
    details: Details,
    header: Option<Header>,
    closes: bool,
    cause: Option<String>,
}

/// What some statuses owe the client beside the body.
#[derive(Clone)]
enum Header {
    Allow(HeaderValue),
    RetryAfter(u64),
    Authenticate,
}

impl Problem {
    fn new(code: Code, detail: impl Into<Cow<'static, str>>) -> Self {
        Self(Box::new(Refusal {
            details: Details {
                type_uri: code.type_uri(),
                title: code.title(),
                status: code.status(),
                detail: detail.into(),
                instance: None,
                code,
                errors: Vec::new(),
                rule: None,
                version: None,
                evidence: None,
            },
            header: None,
            closes: false,
            cause: None,
        }))
    }

    /// 400: what is wrong with the request, and where. Text quoted from the request is cut short
    /// and stripped of control characters.
    pub fn invalid_request(detail: impl AsRef<str>) -> Self {
        Self::new(Code::InvalidRequest, legible(detail.as_ref()))
    }

    /// 400: the value at `pointer` (JSON Pointer) in the body is wrong.
    pub fn invalid_field(pointer: impl Into<String>, detail: impl AsRef<str>) -> Self {
        let error = FieldError {
            pointer: legible(&pointer.into()),
            detail: legible(detail.as_ref()),
        };
        let detail = match error.pointer.as_str() {
            "" => error.detail.clone(),
            pointer => format!("{pointer}: {}", error.detail),
        };
        let mut problem = Self::new(Code::InvalidRequest, detail);
        problem.0.details.errors.push(error);
        problem
    }

    /// 401: no token, or an unknown one, where a known one is needed.
    pub fn unauthorized() -> Self {
        let mut problem = Self::new(
            Code::Unauthorized,
            "this needs the token of a seat or of the host",
        );
        problem.0.header = Some(Header::Authenticate);
        problem
    }

    /// 403: a token of another game, or without this right.
    pub fn forbidden(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::Forbidden, detail)
    }

    /// 403: a part of the record that is opened when the game is over.
    pub fn history_closed() -> Self {
        Self::new(Code::HistoryClosed, "this is opened when the game is over")
    }

    /// 404: the same bytes for whatever does not exist and whatever the caller may not know of.
    pub fn not_found() -> Self {
        let mut problem = Self::new(Code::NotFound, "there is no such thing here");
        problem.0.details.instance = Some(Cow::Borrowed("/v1/games"));
        problem
    }

    /// 405: the path exists for the methods in `allow` alone.
    pub fn method_not_allowed(allow: &str) -> Self {
        let mut problem = Self::new(
            Code::MethodNotAllowed,
            format!("the methods allowed here: {allow}"),
        );
        problem.0.header = HeaderValue::from_str(allow).ok().map(Header::Allow);
        problem
    }

    /// 406: none of the media types that there are is acceptable to the client.
    pub fn not_acceptable<'a>(available: impl IntoIterator<Item = &'a str>) -> Self {
        let available = available.into_iter().collect::<Vec<_>>().join(", ");
        Self::new(
            Code::NotAcceptable,
            format!("this is available as {available}"),
        )
    }

    /// 408: the body did not arrive in time. Closes the connection.
    pub fn timeout() -> Self {
        let mut problem = Self::new(Code::Timeout, "the body did not arrive in time");
        problem.0.closes = true;
        problem
    }

    /// 409: the key was used for another request.
    pub fn idempotency_conflict() -> Self {
        Self::new(
            Code::IdempotencyConflict,
            "this key was sent with another request before",
        )
    }

    /// 409: an open dispute stands in the way.
    pub fn disputed() -> Self {
        Self::new(Code::Disputed, "an open dispute has to be closed first")
    }

    /// 409: the dispute takes no votes any more.
    pub fn dispute_over() -> Self {
        Self::new(Code::DisputeOver, "this dispute is over")
    }

    /// 409: possible only once the game is over.
    pub fn not_over() -> Self {
        Self::new(Code::NotOver, "this is possible once the game is over")
    }

    /// 412: `If-Match` names another version than the game's.
    pub fn version_mismatch(current: u64) -> Self {
        let mut problem = Self::new(
            Code::VersionMismatch,
            format!("the game is at version {current}"),
        );
        problem.0.details.version = Some(current);
        problem
    }

    /// 413: more than `limit` bytes. Closes the connection, since the rest is not read.
    pub fn too_large(limit: usize) -> Self {
        let mut problem = Self::new(Code::TooLarge, format!("the body exceeds {limit} bytes"));
        problem.0.closes = true;
        problem
    }

    /// 415: the body is not in `expected`.
    pub fn unsupported_media_type(expected: impl fmt::Display) -> Self {
        Self::new(
            Code::UnsupportedMediaType,
            format!("the body has to be {expected}"),
        )
    }

    /// 422: `rule` forbids the move at `version`. `evidence` must hold only what the caller can
    /// read.
    pub fn illegal_move(
        rule: BrokenRule,
        detail: impl Into<Cow<'static, str>>,
        version: u64,
        evidence: Vec<u64>,
    ) -> Self {
        let mut problem = Self::new(Code::IllegalMove, detail);
        problem.0.details.rule = Some(rule);
        problem.0.details.version = Some(version);
        problem.0.details.evidence = Some(evidence);
        problem
    }

    /// 422: `rule` does not allow these options, seats or this position.
    pub fn invalid_setup(rule: BrokenRule, detail: impl Into<Cow<'static, str>>) -> Self {
        let mut problem = Self::new(Code::InvalidSetup, detail);
        problem.0.details.rule = Some(rule);
        problem
    }

    /// 429: the next request is taken after `wait`.
    pub fn too_many_requests(wait: Duration) -> Self {
        let seconds = whole_seconds(wait);
        let mut problem = Self::new(
            Code::TooManyRequests,
            format!("wait for {seconds} s before the next request"),
        );
        problem.0.header = Some(Header::RetryAfter(seconds));
        problem
    }

    /// 503: worth another try after `wait`. The cause goes to the log alone.
    pub fn unavailable(wait: Duration, cause: impl fmt::Display) -> Self {
        let mut problem = Self::new(Code::Unavailable, "the referee cannot answer at the moment");
        problem.0.header = Some(Header::RetryAfter(whole_seconds(wait)));
        problem.0.cause = Some(cause.to_string());
        problem
    }

    /// 500: a defect of ours. The cause goes to the log alone.
    pub fn internal(cause: impl fmt::Display) -> Self {
        let mut problem = Self::new(Code::Internal, "an internal error occurred");
        problem.0.cause = Some(cause.to_string());
        problem
    }

    /// The problem for a refusal that carries a status alone, as libraries make them.
    pub fn from_status(status: StatusCode, cause: impl fmt::Display) -> Self {
        match status.as_u16() {
            404 => Self::no_such_path(),
            401 => Self::unauthorized(),
            408 => Self::timeout(),
            415 => Self::unsupported_media_type("application/json"),
            503 => Self::unavailable(Duration::from_secs(1), cause),
            500.. => Self::internal(cause),
            other => {
                let code = Code::with_status(other)
                    .next()
                    .unwrap_or(Code::InvalidRequest);
                Self::new(code, legible(&cause.to_string()))
            }
        }
    }

    /// 404 for a path that no route has.
    pub fn no_such_path() -> Self {
        Self::new(Code::NotFound, "there is no such path")
    }

    /// The code.
    pub fn code(&self) -> Code {
        self.0.details.code
    }

    /// What is sent to the client.
    pub fn details(&self) -> &Details {
        &self.0.details
    }

    /// Why, for the log; never sent.
    pub fn cause(&self) -> Option<&str> {
        self.0.cause.as_deref()
    }

    /// The body of the answer to a request for `path`. Equal for equal problems and paths, so that
    /// it can be kept and sent again.
    pub fn body(&self, path: &str) -> Bytes {
        let mut details = self.0.details.clone();
        if details.instance.is_none() && path.len() <= LONGEST_QUOTE {
            details.instance = Some(Cow::Owned(path.to_owned()));
        }
        encode(&details)
    }
}

impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        StatusCode::from_u16(self.0.details.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// The answer without `instance`, which [`crate::middleware::render`] adds: it knows the path.
    /// No cache may keep it: most refusals depend on the token, and a 404 would be kept unasked.
    fn error_response(&self) -> HttpResponse {
        let mut response = HttpResponse::build(self.status_code());
        private(&mut response).insert_header((CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE)));
        match &self.0.header {
            Some(Header::Allow(methods)) => response.insert_header((ALLOW, methods.clone())),
            Some(Header::RetryAfter(seconds)) => response.insert_header((RETRY_AFTER, *seconds)),
            Some(Header::Authenticate) => {
                response.insert_header((WWW_AUTHENTICATE, HeaderValue::from_static("Bearer")))
            }
            None => &mut response,
        };
        if self.0.closes {
            response.force_close();
        }
        response.body(encode(&self.0.details))
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code().name(), self.0.details.detail)
    }
}

impl fmt::Debug for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Problem")
            .field("details", &self.0.details)
            .field("cause", &self.0.cause)
            .finish_non_exhaustive()
    }
}

impl std::error::Error for Problem {}

fn encode(details: &Details) -> Bytes {
    serde_json::to_vec(details)
        .expect("strings and numbers have a JSON form")
        .into()
}

/// `Retry-After` counts whole seconds; rounded down, the client would come too early.
fn whole_seconds(wait: Duration) -> u64 {
    wait.as_secs() + u64::from(wait.subsec_nanos() > 0)
}

/// Text that may quote a request: no control or direction-changing characters, and not too long.
fn legible(text: &str) -> String {
    let mut characters = text
        .chars()
        .map(|c| if is_deceptive(c) { '\u{FFFD}' } else { c });
    let mut legible: String = characters.by_ref().take(LONGEST_QUOTE).collect();
    if characters.next().is_some() {
        legible.push('…');
    }
    legible
}

/// Whether a character can make text look like something else: a control, or one that changes the
/// direction of writing.
pub fn is_deceptive(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_in_the_table_is_the_name_on_the_wire() {
        for code in Code::ALL {
            assert_eq!(serde_json::to_value(code).unwrap(), code.name());
            assert_eq!(Code::from_name(code.name()), Some(*code));
        }
    }

    #[test]
    fn a_missing_thing_is_the_same_bytes_whatever_was_asked_for() {
        let problem = Problem::not_found();
        assert_eq!(
            problem.body("/v1/games/a"),
            problem.body("/v1/games/b/moves")
        );
    }

    #[test]
    fn other_refusals_name_the_path_unless_it_is_long() {
        let problem = Problem::disputed();
        let body: serde_json::Value =
            serde_json::from_slice(&problem.body("/v1/games/a/moves")).unwrap();
        assert_eq!(body["instance"], "/v1/games/a/moves");
        let body: serde_json::Value =
            serde_json::from_slice(&problem.body(&"/x".repeat(200))).unwrap();
        assert!(body.get("instance").is_none());
    }

    #[test]
    fn quoted_text_is_cut_and_cleaned() {
        let detail = Problem::invalid_request(format!("\u{202E}\n{}", "x".repeat(1000)))
            .details()
            .detail
            .to_string();
        assert!(detail.starts_with("\u{FFFD}\u{FFFD}x"));
        assert_eq!(detail.chars().count(), LONGEST_QUOTE + 1);
    }

    #[test]
    fn the_cause_stays_here() {
        let problem = Problem::internal("disk on fire");
        let body = String::from_utf8(problem.body("/v1/games").to_vec()).unwrap();
        assert!(!body.contains("fire"), "{body}");
        assert_eq!(problem.cause(), Some("disk on fire"));
    }

    #[test]
    fn retry_after_is_rounded_up() {
        let response = Problem::too_many_requests(Duration::from_millis(1200)).error_response();
        assert_eq!(response.headers().get(RETRY_AFTER).unwrap(), "2");
        assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
    }
}
