//! `Idempotency-Key`: the parts that need no store. A token's key stands for one request, which is
//! told from others by its [`Fingerprint`].

use actix_web::http::Method;
use actix_web::http::header::HeaderMap;
use sha2::{Digest, Sha256};

use crate::problem::Problem;

const NAME: &str = "idempotency-key";

/// The header of an answer that was kept and is sent again.
pub const REPLAYED: (&str, &str) = ("idempotent-replayed", "true");

/// A client's key: 1 to 255 visible ASCII characters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IdempotencyKey(String);

impl IdempotencyKey {
    /// The key in these headers.
    pub fn from_headers(headers: &HeaderMap) -> Result<Option<Self>, Problem> {
        let mut fields = headers.get_all(NAME);
        let Some(field) = fields.next() else {
            return Ok(None);
        };
        if fields.next().is_some() {
            return Err(Problem::invalid_request("Idempotency-Key is given twice"));
        }
        let visible = field.as_bytes().iter().all(u8::is_ascii_graphic);
        match field.to_str() {
            Ok(key) if visible && (1..=255).contains(&key.len()) => Ok(Some(Self(key.to_owned()))),
            _ => Err(Problem::invalid_request(
                "Idempotency-Key has to be 1 to 255 visible ASCII characters",
            )),
        }
    }

    /// Refuses the key where the answer holds tokens, which are not kept.
    pub fn refuse(headers: &HeaderMap) -> Result<(), Problem> {
        match headers.contains_key(NAME) {
            true => Err(Problem::invalid_request(
                "Idempotency-Key is not taken here: the answer holds tokens, which are not kept",
            )),
            false => Ok(()),
        }
    }

    /// The key as it was sent.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// SHA-256 over method, path and body of a request; equal when they are, the body as JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint(pub [u8; 32]);

impl Fingerprint {
    /// `body` is the fingerprint of the body
    /// ([`JsonBody::fingerprint`](crate::body::JsonBody::fingerprint)).
    pub fn of(method: &Method, path: &str, body: [u8; 32]) -> Self {
        let mut digest = Sha256::new();
        digest.update(method.as_str());
        // Neither a method nor a path can hold a space, so no two pairs run together.
        digest.update(b" ");
        digest.update(path);
        digest.update(b" ");
        digest.update(body);
        Self(digest.finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::{HeaderName, HeaderValue};

    fn headers(fields: &[&[u8]]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for field in fields {
            headers.append(
                HeaderName::from_static(NAME),
                HeaderValue::from_bytes(field).unwrap(),
            );
        }
        headers
    }

    #[test]
    fn a_key_is_up_to_255_visible_characters() {
        let longest = [b'k'; 255];
        for taken in [&b"k"[..], b"\"8e03978e-40d5\"", &longest] {
            let key = IdempotencyKey::from_headers(&headers(&[taken]))
                .unwrap()
                .unwrap();
            assert_eq!(key.as_str().as_bytes(), taken);
        }
        assert_eq!(IdempotencyKey::from_headers(&headers(&[])).unwrap(), None);
    }

    #[test]
    fn anything_else_is_refused() {
        let too_long = [b'k'; 256];
        for fields in [
            vec![&b""[..]],
            vec![b"a b"],
            vec![b"a\xe5"],
            vec![&too_long],
            vec![b"a", b"a"],
        ] {
            let problem = IdempotencyKey::from_headers(&headers(&fields)).unwrap_err();
            assert_eq!(problem.details().status, 400, "{fields:?}");
        }
    }

    #[test]
    fn where_answers_hold_tokens_the_key_is_refused() {
        assert!(IdempotencyKey::refuse(&headers(&[b"k"])).is_err());
        assert!(IdempotencyKey::refuse(&headers(&[])).is_ok());
    }

    #[test]
    fn requests_differ_by_method_path_and_body() {
        let one = Fingerprint::of(&Method::POST, "/v1/games/a/moves", [1; 32]);
        assert_eq!(
            one,
            Fingerprint::of(&Method::POST, "/v1/games/a/moves", [1; 32])
        );
        assert_ne!(
            one,
            Fingerprint::of(&Method::PUT, "/v1/games/a/moves", [1; 32])
        );
        assert_ne!(
            one,
            Fingerprint::of(&Method::POST, "/v1/games/b/moves", [1; 32])
        );
        assert_ne!(
            one,
            Fingerprint::of(&Method::POST, "/v1/games/a/moves", [2; 32])
        );
    }
}
