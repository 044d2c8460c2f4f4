//! What can go wrong, one enum a boundary: reading and writing.

use std::error::Error;
use std::sync::Arc;

use thiserror::Error;

use crate::{StreamId, TokenHash, Version};

/// Why a store could not do its work: a backend's own error. It can be cloned, since one failed
/// transaction is the cause for all that were in it.
pub type Cause = Arc<dyn Error + Send + Sync>;

/// Why a read gave nothing.
#[derive(Debug, Clone, Error)]
pub enum StoreError {
    /// The store cannot be used now; it may be later.
    #[error("the store is unavailable")]
    Unavailable(#[source] Cause),
    /// What is stored contradicts itself: it was damaged or changed from outside.
    #[error("stream {stream} is damaged at seq {seq}")]
    Corrupt {
        /// The damaged stream.
        stream: StreamId,
        /// A seq that cannot be given.
        seq: Version,
    },
}

/// Why a write was not recorded.
#[derive(Debug, Clone, Error)]
pub enum CommitError {
    /// An [`Append`](crate::Append) without events.
    #[error("nothing to append")]
    Empty,
    /// The seqs do not follow the expected version one by one.
    #[error("seq {found} where {expected} follows")]
    Gap {
        /// The seq that had to come.
        expected: Version,
        /// The seq that came.
        found: Version,
    },
    /// The body of an event holds a raw line feed. JSON never needs one, and NDJSON cannot carry
    /// one.
    #[error("the body of seq {seq} holds a line feed")]
    LineBreak {
        /// The event.
        seq: Version,
    },
    /// The stream to write to, or the parent of a new one, does not exist.
    #[error("no stream {0}")]
    NoStream(StreamId),
    /// A stream of this id exists.
    #[error("stream {0} exists")]
    StreamExists(StreamId),
    /// An answer is kept in this scope under this key. It can be read with
    /// [`EventStore::answer`](crate::EventStore::answer).
    #[error("key {key:?} was answered")]
    Answered {
        /// The key.
        key: String,
    },
    /// The stream has another version: someone else wrote first.
    #[error("expected version {expected}, found {actual}")]
    Conflict {
        /// The version that the commit was decided at.
        expected: Version,
        /// The version of the stream.
        actual: Version,
    },
    /// A token to revoke is not one of the stream's, or was revoked before.
    #[error("no token {0} to revoke")]
    NoToken(TokenHash),
    /// A token of this hash exists, or existed and was revoked.
    #[error("token {0} exists")]
    TokenTaken(TokenHash),
    /// The store cannot write now.
    ///
    /// Nothing was acknowledged, but the write may come to light all the same when the failure
    /// came at the very end of it. Whoever keeps a copy of the stream reads it again; a client
    /// that sent a key settles the matter by repeating the request.
    #[error("the store is unavailable")]
    Unavailable(#[source] Cause),
}
