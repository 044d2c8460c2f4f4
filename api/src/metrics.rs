//! Counters for Prometheus, on a listener of their own.
//!
//! No label names a game, a seat or a rule: whoever reads metrics must not learn who is doing what
//! in which game.

use std::time::Duration;

use actix_web::dev::ServiceResponse;
use actix_web::http::Method;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

/// The media type of the exposition.
pub const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Upper bounds of the latency buckets, in seconds.
const BUCKETS: [f64; 12] = [
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0,
];

/// What is measured.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    latency: Family<RouteLabels, Histogram, fn() -> Histogram>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    method: &'static str,
    route: String,
    status: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RouteLabels {
    method: &'static str,
    route: String,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("referee");
        let requests = Family::default();
        registry.register("http_requests", "Requests answered", requests.clone());
        let latency = Family::new_with_constructor((|| Histogram::new(BUCKETS)) as fn() -> _);
        registry.register_with_unit(
            "http_request_duration",
            "Time from a request's head to the head of its answer",
            Unit::Seconds,
            latency.clone(),
        );
        Self {
            registry,
            requests,
            latency,
        }
    }
}

impl Metrics {
    /// Counts an answer that took `elapsed`.
    pub fn record<B>(&self, response: &ServiceResponse<B>, elapsed: Duration) {
        let request = response.request();
        let method = label(request.method());
        let route = request
            .match_pattern()
            .unwrap_or_else(|| "unmatched".to_owned());
        let status = match response.status().as_u16() {
            0..200 => "1xx",
            200..300 => "2xx",
            300..400 => "3xx",
            400..500 => "4xx",
            500.. => "5xx",
        };
        self.latency
            .get_or_create(&RouteLabels {
                method,
                route: route.clone(),
            })
            .observe(elapsed.as_secs_f64());
        self.requests
            .get_or_create(&RequestLabels {
                method,
                route,
                status,
            })
            .inc();
    }

    /// All of it as OpenMetrics text.
    pub fn exposition(&self) -> String {
        let mut text = String::new();
        encode(&mut text, &self.registry).expect("writing to a string cannot fail");
        text
    }
}

/// Clients can make methods up; each would be a series of its own.
fn label(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::POST => "POST",
        Method::HEAD => "HEAD",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}
