//! The envelope that every event is written in.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::hash::{Hash, canonical};
use super::upcast::SCHEMA_VERSION;
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

#[derive(Serialize)]
struct Served<'a, E> {
    #[serde(flatten)]
    envelope: &'a Envelope<E>,
    hash: Hash,
}

/// The JSON of an event as `viewer` may see it: the one way by which an event leaves the referee.
/// While a game runs the salt is shown to nobody. Where nothing is left out it is what was hashed.
pub fn served<R: Ruleset>(sealed: &Sealed<GameEvent<R::Event>>, viewer: Viewer) -> String {
    let (envelope, hash) = (&sealed.envelope, sealed.hash);
    let text = if viewer == Viewer::Open || envelope.salt.is_none() {
        if sealed.written_in != SCHEMA_VERSION {
            return with_hash(&sealed.text, hash);
        }
        serde_json::to_string(&Served { envelope, hash })
    } else {
        let mut masked = envelope.clone();
        masked.salt = None;
        if let GameEvent::Game(event) = &envelope.event {
            masked.event = GameEvent::Game(R::mask(event, viewer).into_owned());
        }
        serde_json::to_string(&Served {
            envelope: &masked,
            hash,
        })
    };
    text.expect("records serialise to JSON")
}

/// An event's text with its hash.
fn with_hash(text: &str, hash: Hash) -> String {
    let members = text.strip_suffix('}').unwrap_or(text);
    format!("{members},\"hash\":\"{hash}\"}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_once_is_served_as_it_was_hashed() {
        let text = r#"{"data":{},"seq":1,"v":0}"#;
        let hash = Hash::of(text.as_bytes());
        let served: serde_json::Value = serde_json::from_str(&with_hash(text, hash)).expect("JSON");
        assert_eq!(served["hash"], hash.to_string());
        assert_eq!(served["data"], serde_json::json!({}));
    }
}
