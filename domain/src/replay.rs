//! Judging a record that comes from outside: from an app, a tester, or this service on another day.
//!
//! Nothing in it is trusted. Entries are parsed one at a time and judged on the state that those
//! before them led to; events are compared with what the entries lead to, and never folded.

mod chain;
mod entry;
mod event;
mod importing;
mod reading;
mod trial;
mod unjudgeable;
mod verdict;
mod versions;

#[cfg(test)]
mod tests;

pub use importing::ImportError;
pub(crate) use importing::import;
pub use reading::{FORMAT, Record, RecordSeat, lines};
pub use unjudgeable::{Part, Unjudgeable};
pub use verdict::{Judgement, Line, RulesDiffer, Verdict};

use crate::ruleset::Ruleset;
use chain::{chain_break, other_game};
use event::read_events;
use reading::opening_of;
use trial::{Trial, diverged};
use versions::first_difference;

/// How a record is judged.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manner {
    /// Judge only so many entries.
    pub entries: Option<u64>,
    /// Leave out what is refused, and judge on.
    pub tolerant: bool,
    /// Judge by this version of the rules instead of the record's own.
    pub rules_version: Option<u16>,
}

impl Manner {
    fn limit(self) -> usize {
        self.entries
            .and_then(|n| usize::try_from(n).ok())
            .unwrap_or(usize::MAX)
    }
}

/// Judges a record.
///
/// # Errors
/// When it is not a record of this kind of game.
pub(crate) fn judge<R: Ruleset>(
    record: &Record<'_>,
    manner: Manner,
) -> Result<Judgement, Unjudgeable> {
    let opening = opening_of::<R>(record, manner.rules_version)?;
    let events = match &record.events {
        None => None,
        Some(texts) => Some(read_events::<R>(texts, record.seats.len())?),
    };
    if let Some(divergence) = events
        .as_deref()
        .and_then(|events| chain_break::<R>(events, record.masked))
    {
        // Entries are judged first all the same: what a rule forbids is worth more than a hash.
        let by_entries = match &record.entries {
            Some(_) => Some(Trial::<R>::new(opening.clone(), record, None)?.run(record, manner)?),
            None => None,
        };
        return match by_entries {
            Some(judgement) if matches!(judgement.verdict, Verdict::Illegal { .. }) => {
                Ok(judgement)
            }
            _ => Ok(diverged(
                Trial::<R>::new(opening, record, None)?,
                divergence,
                record,
            )),
        };
    }
    if let Some(divergence) = events
        .as_deref()
        .and_then(|events| other_game::<R>(events, record))
    {
        return Ok(diverged(
            Trial::<R>::new(opening, record, None)?,
            divergence,
            record,
        ));
    }
    let sealed: Option<Vec<_>> =
        events.map(|events| events.into_iter().map(|event| event.sealed).collect());
    let mut judgement =
        Trial::<R>::new(opening.clone(), record, sealed.as_deref())?.run(record, manner)?;
    if let Some(judged_by) = manner.rules_version {
        let pinned = opening_of::<R>(record, None)?;
        judgement.rules_differ = Some(RulesDiffer {
            pinned: pinned.setup.rules_version,
            judged_by,
            at_entry: first_difference::<R>(pinned, opening, record, sealed.as_deref(), manner)?,
        });
    }
    Ok(judgement)
}
