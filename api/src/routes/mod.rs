//! The handlers, one file a noun.

pub mod docs;
pub mod health;
pub mod keys;
pub mod problems;
