//! How an entry of a record is written.

use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::Unjudgeable;
use crate::game::judge::{Deed, EntryOf, RecordEntry};
use crate::record::Entry;
use crate::ruleset::Ruleset;
use crate::seat::{By, Seat};
use crate::wire::{read, without_place};

/// An entry as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryFields<'a> {
    #[serde(default)]
    seat: Option<Seat>,
    #[serde(default, rename = "move", borrow)]
    mv: Option<&'a RawValue>,
    #[serde(default, borrow)]
    stand: Option<&'a RawValue>,
    #[serde(default, borrow)]
    outcome: Option<&'a RawValue>,
    #[serde(default, borrow)]
    rewind: Option<&'a RawValue>,
    #[serde(default, borrow)]
    abandon: Option<&'a RawValue>,
    #[serde(default, borrow)]
    by: Option<&'a RawValue>,
    #[serde(default)]
    at: Option<DateTime<Utc>>,
    #[serde(default)]
    occurred_at: Option<DateTime<Utc>>,
}

/// Reads an entry.
///
/// # Errors
/// When it is not one of this kind of game.
pub(super) fn read_entry<R: Ruleset>(
    place: usize,
    text: &RawValue,
) -> Result<EntryOf<R>, Unjudgeable> {
    let at = format!("/entries/{place}");
    if !text.get().starts_with('{') {
        return Err(Unjudgeable::at(at, "an entry is an object"));
    }
    let fields: EntryFields<'_> = serde_json::from_str(text.get())
        .map_err(|error| Unjudgeable::at(at.clone(), without_place(&error)))?;
    let deed = match fields {
        EntryFields {
            seat: Some(seat),
            mv: Some(mv),
            outcome: None,
            rewind: None,
            abandon: None,
            ..
        } => {
            let mv = read(&format!("{at}/move"), mv)?;
            match fields.stand {
                Some(stand) => Deed::Stand {
                    seat,
                    mv,
                    stand: read(&format!("{at}/stand"), stand)?,
                },
                None => Deed::Play(Entry::Move { seat, mv }),
            }
        }
        EntryFields {
            seat: None,
            mv: None,
            stand: None,
            outcome: Some(outcome),
            rewind: None,
            abandon: None,
            ..
        } => {
            let outcome = read(&format!("{at}/outcome"), outcome)?;
            Deed::Play(Entry::Outcome { outcome })
        }
        EntryFields {
            seat: None,
            mv: None,
            stand: None,
            outcome: None,
            rewind: Some(rewind),
            abandon: None,
            ..
        } => Deed::Rewind {
            rewind: read(&format!("{at}/rewind"), rewind)?,
        },
        EntryFields {
            seat: None,
            mv: None,
            stand: None,
            outcome: None,
            rewind: None,
            abandon: Some(abandon),
            ..
        } => Deed::Abandon {
            abandon: read(&format!("{at}/abandon"), abandon)?,
        },
        _ => {
            let detail =
                "an entry is a `seat` with its `move`, or an `outcome`, `rewind` or `abandon`";
            return Err(Unjudgeable::at(at, detail));
        }
    };
    let by = match fields.by {
        Some(by) => Some(read(&format!("{at}/by"), by)?),
        None => None,
    };
    Ok(RecordEntry {
        deed,
        by,
        at: fields.at,
        occurred_at: fields.occurred_at,
    })
}

/// Makes sure that a token can have been one of this table.
pub(super) fn expect_seat(by: Option<By>, seats: u8) -> Result<(), String> {
    match by {
        Some(By::Seat { seat }) if seat.number() >= seats => {
            Err(format!("there is no seat {seat} at this table"))
        }
        Some(By::Seat { .. } | By::Host {}) | None => Ok(()),
    }
}
