//! The HTTP API from outside.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod helpers;

mod bodies;
mod claims;
mod cors;
mod creation;
mod documentation;
mod limits;
mod process;
mod records;
mod refusals;
mod roles;
mod service;
