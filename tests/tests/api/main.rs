//! The HTTP API from outside.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod helpers;

mod bodies;
mod claims;
mod cors;
mod creation;
mod disputes;
mod documentation;
mod durability;
mod endings;
mod fairness;
mod frozen;
mod golden;
mod hostile;
mod idempotency;
mod leaks;
mod limits;
mod moves;
mod notebook;
mod process;
mod racing;
mod reading;
mod records;
mod refusals;
mod roles;
mod rulebooks;
mod service;
mod tables;
mod twins;
