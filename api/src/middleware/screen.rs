//! Refuses requests that no operation could answer, before any of them is asked: a flood, a path
//! or query that is no text, query parameters that the operation does not have, a representation
//! that it does not give.

use actix_web::Error;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::ACCEPT;
use actix_web::middleware::Next;
use actix_web::web::Data;

use crate::accept;
use crate::middleware::Edge;
use crate::problem::Problem;

/// The middleware.
pub async fn screen(
    mut request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse, Error> {
    if let Err(problem) = check(&request) {
        return Ok(request.error_response(problem));
    }
    // Routes are registered for GET alone; what is to be left out of the answer is its body.
    let head = request.method() == Method::HEAD;
    if head {
        request.head_mut().method = Method::GET;
    }
    let response = next.call(request).await?;
    Ok(if head {
        without_stream(response)
    } else {
        response
    })
}

fn check(request: &ServiceRequest) -> Result<(), Problem> {
    let edge = request
        .app_data::<Data<Edge>>()
        .expect("the server gives it to every application");
    let path = request.uri().path();
    let query = request.uri().query().unwrap_or_default();
    if let (Some(limit), Some(peer), false) = (
        &edge.rate_limit,
        request.peer_addr(),
        path.starts_with("/health/"),
    ) {
        limit.check(peer.ip())?;
    }
    for (part, text) in [("path", path), ("query", query)] {
        check_encoding(text)
            .map_err(|why| Problem::invalid_request(format!("the {part} has {why}")))?;
    }
    let any_form = has_any_form(request, path);
    if query.is_empty() && any_form {
        return Ok(());
    }
    // Matching the path takes longer than routing may: only requests that ask for more pay for it.
    let method = match request.method() {
        &Method::HEAD => &Method::GET,
        method => method,
    };
    let Some(operation) = edge.operations.find(method, path) else {
        return Ok(());
    };
    for name in form_names(query) {
        if !operation.query.contains(&name) {
            return Err(Problem::invalid_request(format!(
                "unknown query parameter `{name}`"
            )));
        }
    }
    let offers: Vec<&str> = operation.gives.iter().map(String::as_str).collect();
    if offers.is_empty() || any_form || accept::preferred(request.headers(), &offers).is_some() {
        return Ok(());
    }
    Err(Problem::not_acceptable(offers))
}

/// Whether it is plain without looking further that the client takes what the route gives: all of
/// `/v1` gives JSON.
fn has_any_form(request: &ServiceRequest, path: &str) -> bool {
    match request
        .headers()
        .get(ACCEPT)
        .map(|accept| accept.as_bytes())
    {
        None | Some(b"*/*") => true,
        Some(b"application/json") => path.starts_with("/v1/"),
        Some(_) => false,
    }
}

/// Percent-encoding is two hexadecimal digits each time, and stands for UTF-8.
fn check_encoding(text: &str) -> Result<(), &'static str> {
    if !text.contains('%') {
        return Ok(());
    }
    let well_formed = text.split('%').skip(1).all(|rest| {
        rest.as_bytes()
            .get(..2)
            .is_some_and(|code| code.iter().all(u8::is_ascii_hexdigit))
    });
    if !well_formed {
        return Err("malformed percent-encoding");
    }
    let decoded: Vec<u8> = percent_encoding::percent_decode_str(text).collect();
    std::str::from_utf8(&decoded)
        .map(drop)
        .map_err(|_| "percent-encoding that is not UTF-8")
}

fn form_names(query: &str) -> impl Iterator<Item = String> {
    query
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let name = pair.split('=').next().unwrap_or_default().replace('+', " ");
            percent_encoding::percent_decode_str(&name)
                .decode_utf8_lossy()
                .into_owned()
        })
}

/// A stream would be driven to its end for a client that gets none of it.
fn without_stream(response: ServiceResponse) -> ServiceResponse {
    response.map_body(|_, body| match body.size() {
        BodySize::Stream => BoxBody::new(()),
        BodySize::None | BodySize::Sized(_) => body,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_encoding_has_to_be_text() {
        for taken in ["/v1/games", "/a%20b", "/%C3%A5"] {
            assert!(check_encoding(taken).is_ok(), "{taken}");
        }
        for refused in ["/%", "/%4", "/%zz", "/%+1", "/%ff", "/%C3", "/%ed%a0%80"] {
            assert!(check_encoding(refused).is_err(), "{refused}");
        }
    }

    #[test]
    fn names_in_a_query_are_decoded() {
        let names: Vec<_> = form_names("a=1&&b%63=2&d+e&=3").collect();
        assert_eq!(names, ["a", "bc", "d e", ""]);
    }
}
