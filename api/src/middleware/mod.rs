//! What happens to every request and answer, from the outside in: [`observe`], then [`cors`], then
//! [`screen`], then the routes.

pub mod cors;
pub mod headers;
pub mod observe;
pub mod rate_limit;
pub mod render;
pub mod screen;
pub mod unread;

use std::sync::Arc;

use crate::metrics::Metrics;
use crate::operations::Operations;
use observe::RequestIds;
use rate_limit::RateLimit;

/// What the middleware knows.
pub struct Edge {
    /// What requests are held to.
    pub operations: Operations,
    /// Where answers are counted, if they are.
    pub metrics: Option<Arc<Metrics>>,
    /// How often an address may call, if that is bounded.
    pub rate_limit: Option<RateLimit>,
    /// Where requests get their names.
    pub request_ids: RequestIds,
}
