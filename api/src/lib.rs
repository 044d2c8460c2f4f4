//! The referee over HTTP: everything that knows about requests and answers, and the command line.
//!
//! - Every route stands in [`router`], every refusal in [`problem`].
//! - What is the same for all requests happens in [`middleware`]; what a handler needs of a request
//!   it takes by an extractor ([`auth`], [`body`], [`etag`], [`idempotency`]).
//! - A handler that forgets to describe itself does not compile into the router, so that the
//!   document ([`openapi`]) and the routes agree.

pub mod cli;
pub mod config;
pub mod replay;
pub mod server;
pub mod simulate;

pub mod app;
pub mod router;
pub mod routes;

pub mod referee;
pub mod stream;

pub mod problem;

pub mod accept;
pub mod auth;
pub mod body;
pub mod etag;
pub mod idempotency;
pub mod strict_json;

pub mod health;
pub mod keys;
pub mod metrics;
pub mod shutdown;

pub mod middleware;
pub mod openapi;
pub mod operations;

/// What a worker has put into a write is freed by the thread that writes. The system's allocator
/// takes a lock for that.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
