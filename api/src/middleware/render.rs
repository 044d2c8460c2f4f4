//! Makes a problem of every refusal, whoever refused.

use actix_web::ResponseError;
use actix_web::body::BoxBody;
use actix_web::dev::ServiceResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::CONTENT_TYPE;

use crate::operations::Operations;
use crate::problem::{MEDIA_TYPE, Problem};

/// Adds the path to a [`Problem`], and puts one in place of an error that actix-web or another
/// library wrote.
pub fn render(response: ServiceResponse, operations: &Operations) -> ServiceResponse {
    let status = response.status();
    if status.as_u16() < 400 {
        return response;
    }
    let path = response.request().uri().path();
    let error = response.response().error();
    match error.map(|error| (error, error.as_error::<Problem>())) {
        Some((_, Some(problem))) => {
            let body = problem.body(path);
            response.map_body(|_, _| BoxBody::new(body))
        }
        None if has_problem_body(&response) => response,
        other => {
            let cause = other.map(|(error, _)| error.to_string());
            let problem = match (status, operations.allowed(path)) {
                (StatusCode::METHOD_NOT_ALLOWED, Some(allowed)) => {
                    Problem::method_not_allowed(&allowed)
                }
                _ => Problem::from_status(status, cause.unwrap_or_else(|| status.to_string())),
            };
            replace(response, problem)
        }
    }
}

fn has_problem_body(response: &ServiceResponse) -> bool {
    response
        .headers()
        .get(CONTENT_TYPE)
        .is_some_and(|value| value == MEDIA_TYPE)
}

/// The problem in place of the answer, whose other headers are kept.
fn replace(response: ServiceResponse, problem: Problem) -> ServiceResponse {
    let (request, replaced) = response.into_parts();
    let body = problem.body(request.uri().path());
    let mut response = problem.error_response().set_body(BoxBody::new(body));
    for (name, value) in replaced.headers() {
        if !response.headers().contains_key(name) {
            response.headers_mut().append(name.clone(), value.clone());
        }
    }
    ServiceResponse::new(request, response)
}
