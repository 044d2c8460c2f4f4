//! How an event of a record is written.

use serde_json::Value;
use serde_json::value::RawValue;

use super::Unjudgeable;
use super::entry::expect_seat;
use super::reading::count;
use crate::game::GameEvent;
use crate::record::{Hash, Sealed, canonical};
use crate::ruleset::Ruleset;

/// An event as it came.
pub(super) struct ForeignEvent<E> {
    /// Without its text, which would be a second copy of the record.
    pub(super) sealed: Sealed<GameEvent<E>>,
    /// Whether its text was in canonical form, and said nothing beyond what was read of it.
    pub(super) tells_all: bool,
    /// The hash that it says it has.
    pub(super) claimed: Hash,
}

pub(super) fn read_events<R: Ruleset>(
    texts: &[&RawValue],
    seats: usize,
) -> Result<Vec<ForeignEvent<R::Event>>, Unjudgeable> {
    texts
        .iter()
        .enumerate()
        .map(|(place, text)| {
            let malformed = |detail: String| Unjudgeable::at(format!("/events/{place}"), detail);
            let mut value: Value =
                serde_json::from_str(text.get()).map_err(|error| malformed(error.to_string()))?;
            let claimed = value
                .as_object_mut()
                .and_then(|event| event.remove("hash"))
                .and_then(|hash| Hash::from_hex(hash.as_str()?))
                .ok_or_else(|| malformed("an event has a hash".to_owned()))?;
            let mut sealed = Sealed::<GameEvent<_>>::read(place as u64 + 1, &canonical(&value))
                .map_err(|unreadable| malformed(unreadable.to_string()))?;
            expect_seat(sealed.envelope.by, count(seats)).map_err(malformed)?;
            let tells_all = sealed.tells_all();
            sealed.text = String::new();
            Ok(ForeignEvent {
                sealed,
                tells_all,
                claimed,
            })
        })
        .collect()
}
