//! Which pages of other origins may call from a browser.
//!
//! Credentials in the sense of the Fetch standard (cookies) are never allowed, and there are none:
//! a token is a header that the page has to know. So `*` is safe.

use actix_cors::Cors;
use actix_web::http::Uri;
use actix_web::http::header;

/// The origins allowed.
#[derive(Clone, Debug)]
pub struct CorsPolicy(Vec<String>);

/// What is given as an origin and is none.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is no web origin such as https://table.example")]
pub struct InvalidOrigin(pub String);

impl CorsPolicy {
    /// The policy for these origins, where `*` stands for any.
    pub fn new(origins: &[String]) -> Result<Self, InvalidOrigin> {
        match origins
            .iter()
            .find(|origin| *origin != "*" && !is_origin(origin))
        {
            Some(other) => Err(InvalidOrigin(other.clone())),
            None => Ok(Self(origins.to_vec())),
        }
    }

    /// Whether any origin is allowed.
    pub fn is_open(&self) -> bool {
        !self.0.is_empty()
    }

    /// The middleware.
    pub fn middleware(&self) -> Cors {
        let cors = Cors::default()
            .allowed_methods(["GET", "HEAD", "POST"])
            .allowed_headers([
                header::ACCEPT,
                header::ACCEPT_LANGUAGE,
                header::AUTHORIZATION,
                header::CONTENT_TYPE,
                header::IF_MATCH,
                header::IF_NONE_MATCH,
                header::HeaderName::from_static("idempotency-key"),
                header::HeaderName::from_static("last-event-id"),
            ])
            .expose_headers([
                "ETag",
                "Location",
                "Retry-After",
                "Idempotent-Replayed",
                "X-Request-Id",
            ])
            .max_age(86_400);
        if self.0.iter().any(|origin| origin == "*") {
            return cors.allow_any_origin().send_wildcard();
        }
        self.0
            .iter()
            .fold(cors, |cors, origin| cors.allowed_origin(origin))
    }
}

/// `scheme://host[:port]` as browsers send it.
fn is_origin(text: &str) -> bool {
    let Ok(uri) = text.parse::<Uri>() else {
        return false;
    };
    match (uri.scheme_str(), uri.authority()) {
        (Some(scheme), Some(authority)) => text == format!("{scheme}://{authority}"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_scheme_host_and_port() {
        for origin in ["https://table.example", "http://192.168.0.7:8000", "*"] {
            assert!(CorsPolicy::new(&[origin.to_owned()]).is_ok(), "{origin}");
        }
        for other in [
            "table.example",
            "https://table.example/",
            "https://",
            "null",
            "",
            "*.example",
        ] {
            assert!(CorsPolicy::new(&[other.to_owned()]).is_err(), "{other}");
        }
    }
}
