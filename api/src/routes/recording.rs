//! What every request that records has in common.

use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, HeaderValue};
use actix_web::{HttpRequest, HttpResponse};
use chrono::{DateTime, Datelike, Utc};
use domain::rulesets::AnyCommand;
use domain::seat::Viewer;

use crate::auth::Bearer;
use crate::etag::{Precondition, etag};
use crate::idempotency::{Fingerprint, IdempotencyKey, REPLAYED};
use crate::middleware::headers::private;
use crate::problem::{self, Problem};
use crate::referee::{Access, Answer, Keyed, Referee, Submission};

/// The headers and the path of a request that records.
pub(crate) struct Recording {
    path: String,
    condition: Precondition,
    keyed: Option<Keyed>,
}

impl Recording {
    /// Reads them from a request with a token, whose keys are the token's own.
    pub(crate) fn of(
        request: &HttpRequest,
        bearer: &Bearer,
        body: impl FnOnce() -> [u8; 32],
    ) -> Result<Self, Problem> {
        let scope = || bearer.0.map(|hash| hex::encode(hash.0)).unwrap_or_default();
        Self::scoped(request, scope, body)
    }

    /// Reads them, with a scope of idempotency keys.
    pub(crate) fn scoped(
        request: &HttpRequest,
        scope: impl FnOnce() -> String,
        body: impl FnOnce() -> [u8; 32],
    ) -> Result<Self, Problem> {
        let key = IdempotencyKey::from_headers(request.headers())?;
        let path = request.path().to_owned();
        let keyed = key.map(|key| Keyed {
            scope: scope(),
            key,
            fingerprint: Fingerprint::of(request.method(), &path, body()),
        });
        Ok(Self {
            condition: Precondition::from_headers(request.headers())?,
            keyed,
            path,
        })
    }

    /// The idempotency key, where there is one.
    pub(crate) fn key(&self) -> Option<&str> {
        self.keyed.as_ref().map(|keyed| keyed.key.as_str())
    }

    /// The submission of a command by whoever has this access.
    pub(crate) fn submission(
        &self,
        access: &Access,
        command: AnyCommand,
        occurred_at: Option<DateTime<Utc>>,
    ) -> Submission<'_> {
        Submission {
            by: access.role.by(),
            reader: access.reader(),
            occurred_at,
            ..self.anonymous(command)
        }
    }

    /// Records a command by whoever has this access, and answers.
    pub(crate) async fn record(
        &self,
        referee: &Referee,
        access: &Access,
        command: AnyCommand,
    ) -> Result<HttpResponse, Problem> {
        let submission = self.submission(access, command, None);
        Ok(answered(referee.submit(&access.live, submission).await?))
    }

    /// The submission of a command by nobody known yet.
    pub(crate) fn anonymous(&self, command: AnyCommand) -> Submission<'_> {
        Submission {
            command,
            by: None,
            occurred_at: None,
            reader: Viewer::Spectator,
            condition: self.condition.clone(),
            keyed: self.keyed.clone(),
            path: &self.path,
            token: None,
            ends_tokens_of: None,
            dispute: None,
        }
    }
}

/// Refuses an `occurred_at` that RFC 3339 cannot write: its years have four digits.
pub(crate) fn check_time(occurred_at: Option<DateTime<Utc>>) -> Result<(), Problem> {
    match occurred_at {
        Some(time) if !(0..=9999).contains(&time.year()) => Err(Problem::invalid_field(
            "/occurred_at",
            "a time has a year of four digits",
        )),
        Some(_) | None => Ok(()),
    }
}

/// The response for an answer, given now or kept.
pub(crate) fn answered(answer: Answer) -> HttpResponse {
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK);
    let media_type = if status.is_success() {
        "application/json"
    } else {
        problem::MEDIA_TYPE
    };
    let mut response = HttpResponse::build(status);
    private(&mut response)
        .insert_header(etag(answer.version))
        .insert_header((CONTENT_TYPE, HeaderValue::from_static(media_type)));
    if answer.replayed {
        response.insert_header(REPLAYED);
    }
    response.body(answer.body)
}
