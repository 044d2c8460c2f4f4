//! The record of a game: what an event looks like when it is written down, and how events are tied
//! together so that a change shows.

mod canonical;
mod entry;
mod envelope;
mod hash;

pub use canonical::canonical;
pub use entry::{Entry, EntryDigest};
pub use envelope::{Envelope, SCHEMA_VERSION, Sealed, served};
pub use hash::Hash;
