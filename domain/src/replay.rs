//! Judging a record that comes from outside: from an app, a tester, or this service on another day.
//!
//! Nothing in it is trusted. Entries are parsed one at a time and judged on the state that those
//! before them led to; events are compared with what the entries lead to, and never folded.

mod chain;
mod reading;
mod trial;
mod versions;

#[cfg(test)]
mod tests;

pub use reading::{FORMAT, Part, Record, RecordSeat, Unjudgeable, lines};

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use crate::dealer::Dealer;
use crate::game::desk::{self, Heir, ImportedPast, Json, TurnJson};
use crate::game::past::{Act, acts_of};
use crate::game::{Context, Decision, Unreadable};
use crate::ruleset::{Ruleset, Standing};
use crate::ruling::Citation;
use chain::{chain_break, other_game};
use reading::{read_entry, read_events, setup_of};
use trial::{Trial, diverged};
use versions::first_difference;

/// Why a record is not imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// It cannot be judged.
    #[error(transparent)]
    Unjudgeable(#[from] Unjudgeable),
    /// It was judged, and is not legal.
    #[error("the record is not legal")]
    NotLegal(Box<Judgement>),
    /// It was found legal and cannot be taken over all the same, which is a defect of ours.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
}

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

/// What came of judging a record.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct Judgement {
    /// The verdict.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The last seq that the entries led to.
    pub version: u64,
    /// The table as the entries left it; before the entry that was refused, where one was.
    #[schema(value_type = crate::rulesets::AnyView)]
    pub view: Json,
    /// Whether the record leaves something out, so that it was judged like a table's.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub masked: bool,
    /// A line for each entry, where refused ones were to be left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<Vec<Line>>,
    /// How often each rule was cited by an event of the record.
    pub rules_seen: BTreeMap<&'static str, u64>,
    /// Where judging by the version asked for first differs from the record's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules_differ: Option<RulesDiffer>,
}

/// Whether a record holds.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// It does.
    Legal {
        /// How many entries were judged.
        entries: u64,
        /// Who must act.
        turn: TurnJson,
        /// How the game ended; null while it goes on.
        result: Option<Standing>,
    },
    /// A rule forbids an entry.
    Illegal {
        /// Which, from 0.
        at_entry: u64,
        /// The rule.
        #[schema(value_type = Object)]
        rule: &'static Citation,
        /// Why, in the game's terms.
        detail: String,
        /// Who must act.
        turn: TurnJson,
    },
    /// The events are not those that the entries lead to, or are not tied together as they say.
    Diverged {
        /// The seq where that shows.
        at_seq: u64,
        /// What belongs there; null where nothing does.
        #[schema(value_type = Object)]
        expected: Value,
        /// What stands there; null where nothing does.
        #[schema(value_type = Object)]
        found: Value,
    },
}

/// What came of one entry.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(tag = "result", rename_all = "snake_case")]
pub enum Line {
    /// It is legal.
    Accepted {
        /// Which, from 0.
        entry: u64,
    },
    /// It is refused and left out.
    Refused {
        /// Which, from 0.
        entry: u64,
        /// The rule.
        #[schema(value_type = Object)]
        rule: &'static Citation,
        /// Why, in the game's terms.
        detail: String,
    },
    /// It was left out unjudged: an outcome of what was refused before it.
    Skipped {
        /// Which, from 0.
        entry: u64,
    },
}

/// Where two versions of the rules first part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct RulesDiffer {
    /// The version that the record was made under.
    pub pinned: u16,
    /// The version that it was judged by.
    pub judged_by: u16,
    /// The first entry that they judge differently; null where they agree on all.
    pub at_entry: Option<u64>,
}

/// Judges a record.
///
/// # Errors
/// When it is not a record of this kind of game.
pub(crate) fn judge<R: Ruleset>(
    record: &Record<'_>,
    manner: Manner,
) -> Result<Judgement, Unjudgeable> {
    let setup = setup_of::<R>(record, manner.rules_version)?;
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
            Some(_) => Some(Trial::<R>::new(setup.clone(), record, None)?.run(record, manner)?),
            None => None,
        };
        return match by_entries {
            Some(judgement) if matches!(judgement.verdict, Verdict::Illegal { .. }) => {
                Ok(judgement)
            }
            _ => Ok(diverged(
                Trial::<R>::new(setup, record, None)?,
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
            Trial::<R>::new(setup, record, None)?,
            divergence,
            record,
        ));
    }
    let sealed: Option<Vec<_>> =
        events.map(|events| events.into_iter().map(|event| event.sealed).collect());
    let mut judgement =
        Trial::<R>::new(setup.clone(), record, sealed.as_deref())?.run(record, manner)?;
    if let Some(judged_by) = manner.rules_version {
        let pinned = setup_of::<R>(record, None)?;
        judgement.rules_differ = Some(RulesDiffer {
            pinned: pinned.rules_version,
            judged_by,
            at_entry: first_difference::<R>(pinned, setup, record, sealed.as_deref(), manner)?,
        });
    }
    Ok(judgement)
}

/// Creates a game with the past that a record tells, if it is legal.
///
/// # Errors
/// When it is not.
pub(crate) fn import<R: Ruleset>(
    record: &Record<'_>,
    heir: Heir,
    dealer: Dealer,
    context: &mut Context,
) -> Result<Decision<R>, ImportError> {
    let judgement = judge::<R>(record, Manner::default())?;
    if !matches!(judgement.verdict, Verdict::Legal { .. }) {
        return Err(ImportError::NotLegal(Box::new(judgement)));
    }
    let mut past = ImportedPast {
        masked: record.masked,
        head: None,
    };
    let acts = match &record.events {
        Some(texts) => {
            let events = read_events::<R>(texts, record.seats.len())?;
            past.head = events.last().map(|event| event.claimed);
            let sealed: Vec<_> = events.into_iter().map(|event| event.sealed).collect();
            acts_of::<R>(&sealed, u64::MAX)?
        }
        None => {
            let mut acts = Vec::new();
            for (place, text) in record.entries.iter().flatten().enumerate() {
                acts.push(Act::Entry(read_entry::<R>(place, text)?));
            }
            acts
        }
    };
    Ok(desk::import(
        setup_of::<R>(record, None)?,
        &acts,
        past,
        heir,
        dealer,
        context,
    )?)
}
