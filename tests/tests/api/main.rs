//! The HTTP API from outside.

mod helpers;

mod bodies;
mod cors;
mod documentation;
mod limits;
mod process;
mod refusals;
mod service;
