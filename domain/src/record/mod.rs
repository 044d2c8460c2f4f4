//! The record of a game: what an event looks like when it is written down, and how events are tied
//! together so that a change shows.

mod canonical;
mod entry;
mod envelope;
mod hash;
mod upcast;

pub use canonical::canonical;
pub use entry::{Entry, EntryDigest};
pub use envelope::{Envelope, Sealed, served};
pub use hash::Hash;
pub use upcast::SCHEMA_VERSION;
pub(crate) use upcast::upcast;
