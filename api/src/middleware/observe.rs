//! Names, times, logs and counts every request, and answers for a handler that panicked.
//!
//! The log never holds a header or a query: a token in them would be a token in a file.

use std::any::Any;
use std::hash::{BuildHasher, RandomState};
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use actix_web::body::BoxBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::error::InternalError;
use actix_web::http::header::HeaderValue;
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{Error, HttpResponse, ResponseError};
use futures_util::FutureExt;

use crate::middleware::Edge;
use crate::middleware::headers::{self, REQUEST_ID};
use crate::middleware::render::render;
use crate::middleware::unread::Held;
use crate::problem::Problem;

/// The middleware.
pub async fn observe(
    mut request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse, Error> {
    let started = Instant::now();
    let edge = request
        .app_data::<Data<Edge>>()
        .expect("the server gives it to every application")
        .clone();
    let id = edge.request_ids.next();
    let held = Held::of(&mut request);
    // A panic leaves nothing half-done behind: what handlers share is behind locks that they poison
    // or is committed as a whole.
    let answered = AssertUnwindSafe(next.call(request)).catch_unwind().await;
    let mut response = match answered {
        Ok(answered) => render(answered?, &edge.operations),
        Err(panic) => return Err(after_panic(&panic, &id)),
    };
    finish(response.response_mut(), &id);
    log(&response, &id, started.elapsed());
    if let Some(metrics) = &edge.metrics {
        metrics.record(&response, started.elapsed());
    }
    Ok(match held {
        Some(held) => held.until_sent(response),
        None => response,
    })
}

fn finish(response: &mut HttpResponse, id: &str) {
    let headers = response.headers_mut();
    headers::secure(headers);
    headers.insert(
        REQUEST_ID,
        HeaderValue::from_str(id).expect("hexadecimal digits are ASCII"),
    );
}

/// At the usual level a request that goes well costs the log nothing.
fn log(response: &ServiceResponse, id: &str, elapsed: Duration) {
    let request = response.request();
    let status = response.status().as_u16();
    let (method, path) = (request.method().as_str(), request.uri().path());
    if status < 500 {
        tracing::debug!(id, method, path, status, ?elapsed, "request");
    } else {
        let error = response.response().error();
        let problem = error.and_then(|error| error.as_error::<Problem>());
        let cause = problem.and_then(Problem::cause).unwrap_or("unknown");
        tracing::error!(id, method, path, status, ?elapsed, cause, "request failed");
    }
}

/// The request is lost with the handler, so that the answer travels as an error.
fn after_panic(panic: &Box<dyn Any + Send>, id: &str) -> Error {
    let message = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message");
    tracing::error!(id, cause = message, "handler panicked");
    let problem = Problem::internal(message);
    let mut response = problem.error_response();
    finish(&mut response, id);
    InternalError::from_response(problem, response).into()
}

/// Names for requests. Drawn from a keyed hash of a count: two names tell nobody how many requests
/// others made in between.
#[derive(Debug, Default)]
pub struct RequestIds {
    key: RandomState,
    count: AtomicU64,
}

impl RequestIds {
    fn next(&self) -> String {
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        format!("{:016x}", self.key.hash_one(count))
    }
}
