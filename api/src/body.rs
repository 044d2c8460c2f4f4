//! Request bodies: bounded in size and time, and refused with a [`Problem`] that says where.
//!
//! actix-web bounds the time that headers may take, not bodies; a client that sends one byte a
//! minute would hold its connection for ever. Here every [`STEP`] bytes have to arrive within
//! [`BodyLimits::patience`], so an ordinary body has that time as a whole and a long record has a
//! least rate.

use actix_web::dev::Payload;
use actix_web::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap};
use actix_web::{FromRequest, HttpRequest};
use bytes::{Bytes, BytesMut};
use domain::replay::{Record, Unjudgeable, lines};
use domain::wire::{escape, is_verbatim, misread, without_place};
use futures_util::StreamExt;
use futures_util::future::LocalBoxFuture;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_path_to_error::Segment;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

use crate::problem::Problem;
use crate::strict_json;

/// The largest ordinary body, in bytes.
pub const LARGEST_BODY: usize = 256 * 1024;

/// The largest record, in bytes.
pub const LARGEST_RECORD: usize = 64 * 1024 * 1024;

/// How much has to arrive in each span of [`BodyLimits::patience`], in bytes.
pub const STEP: usize = 256 * 1024;

const JSON: &str = "application/json";
const NDJSON: &str = "application/x-ndjson";

/// What bodies are held to. Kept as application data.
#[derive(Clone, Copy, Debug)]
pub struct BodyLimits {
    /// The time that each [`STEP`] of a body may take.
    pub patience: Duration,
}

impl BodyLimits {
    fn of(request: &HttpRequest) -> Self {
        const UNCONFIGURED: BodyLimits = BodyLimits {
            patience: Duration::from_secs(10),
        };
        request
            .app_data::<BodyLimits>()
            .copied()
            .unwrap_or(UNCONFIGURED)
    }
}

/// An `application/json` body of at most [`LARGEST_BODY`] bytes that is known to be JSON
/// ([`strict_json`]).
#[derive(Clone, Debug)]
pub struct JsonBody(Bytes);

impl JsonBody {
    /// What was received.
    pub fn bytes(&self) -> &Bytes {
        &self.0
    }

    /// The body as a `T`, or the refusal that says which place does not fit.
    pub fn parse<T: DeserializeOwned + Serialize>(&self) -> Result<T, Problem> {
        parse_at(&self.0, "")
    }

    /// A digest that is the same for bodies that are the same JSON: SHA-256 over the RFC 8785
    /// (JCS) form.
    pub fn fingerprint(&self) -> [u8; 32] {
        let value: Value =
            serde_json::from_slice(&self.0).expect("it was found to be JSON when it was read");
        let canonical = serde_json_canonicalizer::to_vec(&value)
            .expect("JSON that was read has a canonical form");
        Sha256::digest(canonical).into()
    }
}

impl FromRequest for JsonBody {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let admitted =
            media_type(request.headers(), &[JSON]).and_then(|_| admit(request, LARGEST_BODY));
        let patience = BodyLimits::of(request).patience;
        let payload = payload.take();
        Box::pin(async move {
            admitted?;
            let bytes = receive(payload, LARGEST_BODY, patience).await?;
            strict_json::check(&bytes).map_err(Problem::invalid_request)?;
            Ok(Self(bytes))
        })
    }
}

/// The body of an operation that has nothing to say: none at all, or the object `{}`.
#[derive(Clone, Copy, Debug)]
pub struct EmptyBody;

impl EmptyBody {
    /// The same as [`JsonBody::fingerprint`] of `{}`.
    pub fn fingerprint(&self) -> [u8; 32] {
        Sha256::digest(b"{}").into()
    }
}

impl FromRequest for EmptyBody {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let typed = match request.headers().contains_key(CONTENT_TYPE) {
            true => media_type(request.headers(), &[JSON]).map(drop),
            false => Ok(()),
        };
        let admitted = typed.and_then(|()| admit(request, LARGEST_BODY));
        let patience = BodyLimits::of(request).patience;
        let payload = payload.take();
        Box::pin(async move {
            admitted?;
            let bytes = receive(payload, LARGEST_BODY, patience).await?;
            if !bytes.is_empty() {
                strict_json::check(&bytes).map_err(Problem::invalid_request)?;
                parse_at::<Nothing>(&bytes, "")?;
            }
            Ok(Self)
        })
    }
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

/// How a record is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordFormat {
    /// One JSON object.
    Json,
    /// A header and then an entry a line.
    Lines,
}

/// A record of at most [`LARGEST_RECORD`] bytes, as JSON or NDJSON. Its content is not checked yet:
/// that can take long enough to want a thread of its own. See [`parse_record`].
#[derive(Clone, Debug)]
pub struct RecordBody {
    /// What its media type says it is.
    pub format: RecordFormat,
    /// What was received.
    pub bytes: Bytes,
}

impl FromRequest for RecordBody {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let format = media_type(request.headers(), &[JSON, NDJSON]).map(|found| match found {
            NDJSON => RecordFormat::Lines,
            _ => RecordFormat::Json,
        });
        let admitted = admit(request, LARGEST_RECORD);
        let patience = BodyLimits::of(request).patience;
        let payload = payload.take();
        Box::pin(async move {
            let format = format?;
            admitted?;
            let bytes = receive(payload, LARGEST_RECORD, patience).await?;
            Ok(Self { format, bytes })
        })
    }
}

/// Reads a record, of which nothing is ignored or said twice ([`strict_json`]).
///
/// # Errors
/// When it is not one, and where.
pub fn parse_record(format: RecordFormat, bytes: &[u8]) -> Result<Record<'_>, Unjudgeable> {
    match format {
        RecordFormat::Json => {
            strict_json::check(bytes).map_err(|why| Unjudgeable::at("", why))?;
            Record::from_json(bytes)
        }
        RecordFormat::Lines => {
            for (number, line) in lines(bytes) {
                strict_json::check(line).map_err(|why| Unjudgeable::at_line(number, why))?;
            }
            Record::from_lines(bytes)
        }
    }
}

/// Reads a `T` from JSON that stands at `pointer` in the body; the refusal says which place does
/// not fit. Nothing is ignored, and nothing taken for what it is not ([`misread`]).
pub fn parse_at<T: DeserializeOwned + Serialize>(json: &[u8], pointer: &str) -> Result<T, Problem> {
    // Keeping track of the path costs more than the parse itself: done only to explain a failure.
    let parsed: T = serde_json::from_slice(json).map_err(|untracked| {
        let mut deserializer = serde_json::Deserializer::from_slice(json);
        match serde_path_to_error::deserialize::<_, T>(&mut deserializer) {
            Err(error) => {
                let pointer = extend(pointer, error.path());
                Problem::invalid_field(pointer, without_place(&error.into_inner()))
            }
            Ok(_) => Problem::invalid_field(pointer, without_place(&untracked)),
        }
    })?;
    if is_verbatim(json, &parsed) {
        return Ok(parsed);
    }
    let (sent, read) = serde_json::from_slice::<Value>(json)
        .and_then(|sent| Ok((sent, serde_json::to_value(&parsed)?)))
        .map_err(Problem::internal)?;
    match misread(&sent, &read) {
        Some((place, why)) => Err(Problem::invalid_field(format!("{pointer}{place}"), why)),
        None => Ok(parsed),
    }
}

/// The path as a JSON Pointer below `base`.
fn extend(base: &str, path: &serde_path_to_error::Path) -> String {
    let mut pointer = base.to_owned();
    for segment in path {
        // Writing to a string cannot fail.
        let _ = match segment {
            Segment::Seq { index } => write!(pointer, "/{index}"),
            Segment::Map { key } => {
                write!(pointer, "/{}", escape(key))
            }
            Segment::Enum { .. } | Segment::Unknown => Ok(()),
        };
    }
    pointer
}

/// Which of `taken` the body is said to be in.
fn media_type<'a>(headers: &HeaderMap, taken: &[&'a str]) -> Result<&'a str, Problem> {
    let refusal = || Problem::unsupported_media_type(taken.join(" or "));
    let mut fields = headers.get_all(CONTENT_TYPE);
    let (Some(field), None) = (fields.next(), fields.next()) else {
        return Err(refusal());
    };
    if let Some(found) = taken
        .iter()
        .find(|name| field.as_bytes() == name.as_bytes())
    {
        return Ok(found);
    }
    let sent: mime::Mime = field
        .to_str()
        .ok()
        .and_then(|text| text.parse().ok())
        .ok_or_else(refusal)?;
    if sent
        .params()
        .any(|(name, value)| name != mime::CHARSET || value != mime::UTF_8)
    {
        return Err(refusal());
    }
    taken
        .iter()
        .copied()
        .find(|name| sent.essence_str() == *name)
        .ok_or_else(refusal)
}

/// Refuses by its headers a body that is encoded or longer than `limit`.
fn admit(request: &HttpRequest, limit: usize) -> Result<(), Problem> {
    let headers = request.headers();
    if headers
        .get_all(CONTENT_ENCODING)
        .any(|coding| !coding.as_bytes().eq_ignore_ascii_case(b"identity"))
    {
        return Err(Problem::unsupported_media_type(
            "sent without a content encoding",
        ));
    }
    let length = headers
        .get(CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok());
    match length.and_then(|length| length.parse::<u64>().ok()) {
        Some(length) if length > limit as u64 => Err(Problem::too_large(limit)),
        _ => Ok(()),
    }
}

async fn receive(mut payload: Payload, limit: usize, patience: Duration) -> Result<Bytes, Problem> {
    let mut body = BytesMut::new();
    let mut deadline = Instant::now() + patience;
    let mut due = STEP;
    loop {
        let chunk = timeout_at(deadline, payload.next())
            .await
            .map_err(|_| Problem::timeout())?;
        let Some(chunk) = chunk else {
            return Ok(body.freeze());
        };
        let chunk = chunk
            .map_err(|error| Problem::invalid_request(format!("the body broke off: {error}")))?;
        if body.len() + chunk.len() > limit {
            return Err(Problem::too_large(limit));
        }
        body.extend_from_slice(&chunk);
        while body.len() >= due {
            deadline += patience;
            due += STEP;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::test::TestRequest;

    async fn read(content_type: &str, body: impl Into<Bytes>) -> Result<JsonBody, Problem> {
        let (request, mut payload) = TestRequest::post()
            .insert_header((CONTENT_TYPE, content_type))
            .set_payload(body)
            .to_http_parts();
        JsonBody::from_request(&request, &mut payload).await
    }

    #[derive(Debug, Deserialize, Serialize)]
    #[serde(deny_unknown_fields)]
    struct Seats {
        seats: Vec<Seat>,
    }

    #[derive(Debug, Deserialize, Serialize)]
    #[serde(deny_unknown_fields)]
    struct Seat {
        name: String,
    }

    async fn where_it_fails(body: &str) -> (String, String) {
        let problem = read(JSON, body.to_owned())
            .await
            .unwrap()
            .parse::<Seats>()
            .unwrap_err();
        let error = problem.details().errors[0].clone();
        (error.pointer, error.detail)
    }

    #[actix_web::test]
    async fn a_refusal_points_at_the_place() {
        let (pointer, detail) = where_it_fails(r#"{"seats":[{"name":"A"},{"name":7}]}"#).await;
        assert_eq!(pointer, "/seats/1/name");
        assert_eq!(detail, "invalid type: integer `7`, expected a string");
        let (pointer, detail) = where_it_fails(r#"{"seats":[],"a/b":1}"#).await;
        assert_eq!(pointer, "/a~1b");
        assert!(detail.starts_with("unknown field `a/b`"), "{detail}");
    }

    #[actix_web::test]
    async fn a_body_that_fits_is_read() {
        let body = read(JSON, r#"{"seats":[{"name":"Anna"}]}"#).await.unwrap();
        assert_eq!(body.parse::<Seats>().unwrap().seats[0].name, "Anna");
    }

    #[actix_web::test]
    async fn a_list_is_no_struct() {
        let (pointer, detail) = where_it_fails(r#"{"seats":[["Anna"]]}"#).await;
        assert_eq!(pointer, "/seats/0");
        assert_eq!(detail, "invalid type: a list, expected an object");
    }

    #[actix_web::test]
    async fn a_part_is_placed_in_the_whole() {
        let problem = parse_at::<Seat>(br#"{"name":[]}"#, "/move").unwrap_err();
        assert_eq!(problem.details().errors[0].pointer, "/move/name");
    }

    #[actix_web::test]
    async fn only_json_in_utf8_is_taken() {
        for taken in [
            "application/json",
            "Application/JSON",
            "application/json; charset=UTF-8",
        ] {
            assert!(read(taken, "{}").await.is_ok(), "{taken}");
        }
        for refused in [
            "text/json",
            "application/json; charset=utf-16",
            "application/json; v=1",
            "json",
            "",
        ] {
            assert_eq!(
                read(refused, "{}").await.unwrap_err().details().status,
                415,
                "{refused}"
            );
        }
    }

    #[actix_web::test]
    async fn an_encoded_body_is_refused() {
        let (request, mut payload) = TestRequest::post()
            .insert_header((CONTENT_TYPE, JSON))
            .insert_header((CONTENT_ENCODING, "gzip"))
            .set_payload("{}")
            .to_http_parts();
        let problem = JsonBody::from_request(&request, &mut payload)
            .await
            .unwrap_err();
        assert_eq!(problem.details().status, 415);
    }

    #[actix_web::test]
    async fn a_body_is_bounded_with_and_without_a_stated_length() {
        let largest = format!("\"{}\"", "x".repeat(LARGEST_BODY - 2));
        assert!(read(JSON, largest.clone()).await.is_ok());
        assert_eq!(
            read(JSON, largest + " ")
                .await
                .unwrap_err()
                .details()
                .status,
            413
        );

        let (request, mut payload) = TestRequest::post()
            .insert_header((CONTENT_TYPE, JSON))
            .insert_header((CONTENT_LENGTH, LARGEST_BODY + 1))
            .to_http_parts();
        let problem = JsonBody::from_request(&request, &mut payload)
            .await
            .unwrap_err();
        assert_eq!(problem.details().status, 413);
    }

    #[actix_web::test]
    async fn the_same_json_has_the_same_fingerprint() {
        let one = read(JSON, r#"{"b":1,"a":"\u00e5"}"#).await.unwrap();
        let same = read(JSON, "{ \"a\" : \"å\", \"b\" : 1.0 }").await.unwrap();
        let other = read(JSON, r#"{"b":2,"a":"å"}"#).await.unwrap();
        assert_eq!(one.fingerprint(), same.fingerprint());
        assert_ne!(one.fingerprint(), other.fingerprint());
        assert_eq!(
            read(JSON, " {} ").await.unwrap().fingerprint(),
            EmptyBody.fingerprint()
        );
    }

    #[actix_web::test]
    async fn nothing_to_say_is_said_by_no_body_or_an_empty_object() {
        for (body, taken) in [
            ("", true),
            ("{}", true),
            ("{\"a\":1}", false),
            ("[]", false),
        ] {
            let (request, mut payload) = TestRequest::post()
                .insert_header((CONTENT_TYPE, JSON))
                .set_payload(body)
                .to_http_parts();
            let read = EmptyBody::from_request(&request, &mut payload).await;
            assert_eq!(read.is_ok(), taken, "{body}");
        }
        let (request, mut payload) = TestRequest::post().to_http_parts();
        assert!(
            EmptyBody::from_request(&request, &mut payload)
                .await
                .is_ok()
        );
    }

    #[actix_web::test]
    async fn a_record_is_json_or_lines() {
        for (content_type, format) in [
            ("application/json", Some(RecordFormat::Json)),
            (
                "application/x-ndjson; charset=utf-8",
                Some(RecordFormat::Lines),
            ),
            ("text/plain", None),
        ] {
            let (request, mut payload) = TestRequest::post()
                .insert_header((CONTENT_TYPE, content_type))
                .set_payload("{}")
                .to_http_parts();
            let read = RecordBody::from_request(&request, &mut payload).await;
            assert_eq!(read.ok().map(|record| record.format), format);
        }
    }
}
