//! What is written to a store and read from it.

use std::fmt;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::CommitError;

/// Names a stream. Chosen by the caller, unique in a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreamId(pub Uuid);

impl fmt::Display for StreamId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<Uuid> for StreamId {
    fn from(id: Uuid) -> Self {
        Self(id)
    }
}

/// The seq of the last event of a stream; 0 before the first.
pub type Version = u64;

/// SHA-256 of a bearer token. The token itself is never stored.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenHash(pub [u8; 32]);

impl fmt::Display for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TokenHash({self})")
    }
}

/// The bytes that decide what a stream's chance will bring. They never show in a log.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Secret(pub [u8; 32]);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// One event as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEvent {
    /// Its place in the stream, from 1.
    pub seq: Version,
    /// The text whose bytes were hashed. Any text without a line feed; given back byte for byte.
    pub body: String,
}

/// What readers of a list see of a stream, and what it is found by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// What [`ListQuery::status`] is compared with.
    pub status: String,
    /// JSON, opaque to the store.
    pub body: String,
}

/// Events to record, and how the stream stands after them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Append {
    /// At least one, numbered on from the expected version.
    pub events: Vec<StoredEvent>,
    /// The hash of the last of them.
    pub head: [u8; 32],
    /// Replaces the summary before it.
    pub summary: Summary,
}

impl Append {
    /// The version that a stream has after this.
    pub fn version(&self) -> Version {
        self.events.last().map_or(0, |event| event.seq)
    }

    /// Whether these events can follow `version`, whatever is stored.
    pub(crate) fn follows(&self, version: Version) -> Result<(), CommitError> {
        if self.events.is_empty() {
            return Err(CommitError::Empty);
        }
        let mut expected = version;
        for event in &self.events {
            expected = expected.saturating_add(1);
            let found = event.seq;
            if found != expected {
                return Err(CommitError::Gap { expected, found });
            }
            if event.body.contains('\n') {
                return Err(CommitError::LineBreak { seq: found });
            }
        }
        Ok(())
    }
}

/// What opens a stream, and as whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// Unique in the store for ever, also after it was revoked.
    pub hash: TokenHash,
    /// The caller's word for what it gives the right to.
    pub role: String,
    /// The seat that it speaks for, if it speaks for one.
    pub seat: Option<u8>,
}

/// The first answer to a request that carried an idempotency key, kept as long as its stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Whose key it is. Keys of different scopes have nothing to do with each other.
    pub scope: String,
    /// The key that the client chose.
    pub key: String,
    /// Tells whether a later request under the key is the same one.
    pub fingerprint: [u8; 32],
    /// The HTTP status code.
    pub status: u16,
    /// The version that the answer speaks of.
    pub version: Version,
    /// Given back byte for byte.
    pub body: String,
}

/// What one request changes in a stream, all in one transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// The stream.
    pub stream: StreamId,
    /// The version that the request was judged at. Checked also when nothing is appended.
    pub expected_version: Version,
    /// What is recorded; `None` for a request that was refused and whose answer is kept.
    pub append: Option<Append>,
    /// Tokens that open the stream from now on.
    pub tokens: Vec<Token>,
    /// Tokens of the stream that open it no longer.
    pub revoked: Vec<TokenHash>,
    /// The answer, where the request carried a key.
    pub answer: Option<Answer>,
}

/// Who finds a stream in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visibility {
    /// Listed.
    Public,
    /// Never listed.
    Private,
}

/// A stream to begin. All but what is in `first` stays as it is for ever.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewStream {
    /// Its name, not yet in use.
    pub id: StreamId,
    /// What [`ListQuery::kind`] is compared with.
    pub kind: String,
    /// Whether it is listed.
    pub visibility: Visibility,
    /// What its chance follows from, where the store's owner provides it.
    pub secret: Option<Secret>,
    /// JSON, opaque to the store: what belongs to the stream and not into its events.
    pub beside: String,
    /// The stream that its past was taken from.
    pub parent: Option<StreamId>,
    /// Kept to the nanosecond.
    pub created_at: DateTime<Utc>,
    /// Its first events, numbered from 1.
    pub first: Append,
    /// The tokens that open it.
    pub tokens: Vec<Token>,
}

/// A stream as it stands, without its events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stream {
    /// Its name.
    pub id: StreamId,
    /// As in [`NewStream`].
    pub kind: String,
    /// As in [`NewStream`].
    pub visibility: Visibility,
    /// As in [`NewStream`].
    pub secret: Option<Secret>,
    /// As in [`NewStream`].
    pub beside: String,
    /// As in [`NewStream`].
    pub parent: Option<StreamId>,
    /// As in [`NewStream`].
    pub created_at: DateTime<Utc>,
    /// The seq of its last event.
    pub version: Version,
    /// The hash of its last event.
    pub head: [u8; 32],
    /// As the last [`Append`] left it.
    pub summary: Summary,
}

/// Which page of the public streams. The default of `limit` is 0: nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListQuery {
    /// Only streams of this kind.
    pub kind: Option<String>,
    /// Only streams whose summary has this status now.
    pub status: Option<String>,
    /// Only streams after (older than) the one with this [`Listed::cursor`].
    pub before: Option<u64>,
    /// At most so many.
    pub limit: usize,
}

/// A line of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The stream.
    pub id: StreamId,
    /// The body of its [`Summary`].
    pub summary: String,
    /// Where the list goes on after it. It counts public streams only, so it tells nobody how many
    /// private ones there are.
    pub cursor: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_does_not_show_in_a_log() {
        assert_eq!(
            format!("{:?}", Some(Secret([0xAB; 32]))),
            "Some(Secret(..))"
        );
    }
}
