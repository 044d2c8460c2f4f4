//! The handlers, one file a noun.

pub mod disputes;
pub mod docs;
pub mod games;
pub mod health;
pub mod keys;
pub mod moves;
pub mod problems;
pub mod reading;
pub(crate) mod recording;
pub mod records;
pub mod rulebooks;
pub mod tables;
