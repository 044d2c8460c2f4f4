//! The envelope that every event is written in.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{Hash, canonical};
use crate::game::GameEvent;
use crate::ruleset::Ruleset;
use crate::seat::{Actor, By, Viewer};

/// An event as it is written: the text that is hashed and stored is its RFC 8785 form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Envelope<E> {
    /// The schema version that it is written in.
    pub v: u8,
    /// Its number in the game, from 1 without gaps.
    pub seq: u64,
    /// When the referee recorded it. Never before the event in front of it.
    pub at: DateTime<Utc>,
    /// When it happened, where the players said so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub occurred_at: Option<DateTime<Utc>>,
    /// Whom it speaks for.
    pub actor: Actor,
    /// Whose token did it; absent where nobody's did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<By>,
    /// What happened: `type` and `data`.
    #[serde(flatten)]
    pub event: E,
    /// The id of the rule that caused it, where it is a consequence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The seq of the entry that is recorded again here on a corrected past.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replays: Option<u64>,
    /// The hash of the event before it.
    pub prev: Hash,
    /// 16 random bytes in hex, where the event hides something, so that its hash cannot be tried
    /// against the few things that it may hide.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub salt: Option<String>,
}

/// An event with the text that is stored and the hash of that text.
#[derive(Clone, Debug, PartialEq)]
pub struct Sealed<E> {
    /// The event.
    pub envelope: Envelope<E>,
    /// Its RFC 8785 form, as it was first written.
    pub text: String,
    /// The schema version that the text is written in; the event is in the present one.
    pub written_in: u8,
    /// SHA-256 of the text.
    pub hash: Hash,
}

impl<E: Serialize> Sealed<E> {
    /// Seals an event.
    pub fn new(envelope: Envelope<E>) -> Self {
        let text = canonical(&envelope);
        Self {
            hash: Hash::of(text.as_bytes()),
            written_in: envelope.v,
            envelope,
            text,
        }
    }
}

/// The JSON of an event as `viewer` may see it: the one way by which an event leaves the referee.
/// While a game runs the salt is shown to nobody. What hides nothing is served as it was hashed.
pub fn served<R: Ruleset>(sealed: &Sealed<GameEvent<R::Event>>, viewer: Viewer) -> String {
    let Sealed {
        envelope,
        text,
        hash,
        ..
    } = sealed;
    if viewer == Viewer::Open || envelope.salt.is_none() {
        return with_hash(text, *hash);
    }
    let mut masked = envelope.clone();
    masked.salt = None;
    masked.event = envelope.event.masked::<R>(viewer).into_owned();
    with_hash(&canonical(&masked), *hash)
}

/// The event with its hash as one member more.
fn with_hash(event: &str, hash: Hash) -> String {
    let open = event.strip_suffix('}').expect("an event is an object");
    let mut digits = [0; 64];
    [open, ",\"hash\":\"", hash.digits(&mut digits), "\"}"].concat()
}
