//! Whether events are tied together as they say, and begin the game that the record is of.

use serde_json::Value;

use super::event::ForeignEvent;
use super::reading::{Record, opening_of};
use crate::dealer::Mode;
use crate::game::desk::written;
use crate::game::{Created, GameEvent, Life};
use crate::record::Hash;
use crate::ruleset::Ruleset;

/// Where the events are first not tied together: what belongs there and what stands there.
pub(super) struct Divergence {
    pub(super) seq: u64,
    pub(super) expected: Value,
    pub(super) found: Value,
}

pub(super) fn chain_break<R: Ruleset>(
    events: &[ForeignEvent<R::Event>],
    masked: bool,
) -> Option<Divergence> {
    let mut prev = Hash::ZERO;
    for (seq, event) in (1..).zip(events) {
        let envelope = &event.sealed.envelope;
        let broken = |field: &str, expected: Value, found: Value| {
            let one =
                |value: Value| Value::Object([(field.to_owned(), value)].into_iter().collect());
            Some(Divergence {
                seq,
                expected: one(expected),
                found: one(found),
            })
        };
        if envelope.seq != seq {
            return broken("seq", seq.into(), envelope.seq.into());
        }
        if envelope.prev != prev {
            return broken(
                "prev",
                prev.to_string().into(),
                envelope.prev.to_string().into(),
            );
        }
        // A field that no event has would otherwise be hashed and not judged.
        let is_hashed = masked || event.sealed.hash == event.claimed;
        if !is_hashed || !event.tells_all {
            let expected = event.sealed.hash.to_string();
            return broken("hash", expected.into(), event.claimed.to_string().into());
        }
        prev = event.claimed;
    }
    None
}

/// Where the first event creates another game than the header tells.
pub(super) fn other_game<R: Ruleset>(
    events: &[ForeignEvent<R::Event>],
    record: &Record<'_>,
) -> Option<Divergence> {
    let opening = opening_of::<R>(record, None).ok()?;
    let position = opening.position.as_ref().map(written::<R>);
    let told = opening.setup;
    let created = match &events.first()?.sealed.envelope.event {
        GameEvent::Life(Life::GameCreated(created)) => created.clone(),
        GameEvent::Life(_) | GameEvent::Game(_) => Value::Null,
    };
    let same = serde_json::from_value::<Created<R::Options>>(created.clone()).is_ok_and(|read| {
        read.game == R::NAME
            && read.setup() == told
            && read.position == position
            && read.commitment.is_some() == (told.mode == Mode::Virtual)
            && serde_json::to_value(&read).is_ok_and(|told| told == created)
    });
    (!same).then(|| Divergence {
        seq: 1,
        expected: serde_json::json!({
            "type": "game_created",
            "data": {
                "game": R::NAME,
                "mode": told.mode,
                "rules_version": told.rules_version,
                "seats": told.seats,
                "options": told.options,
            }
        }),
        found: created,
    })
}
