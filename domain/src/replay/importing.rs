//! Taking over the past that a record tells.

use super::entry::read_entry;
use super::event::read_events;
use super::reading::opening_of;
use super::{Judgement, Manner, Record, Unjudgeable, Verdict, judge};
use crate::dealer::Dealer;
use crate::game::desk::{self, Heir, ImportedPast};
use crate::game::past::{Act, acts_of};
use crate::game::{Context, Decision, Unreadable};
use crate::ruleset::Ruleset;

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
                acts.push(Act::told(read_entry::<R>(place, text)?, record.mode));
            }
            acts
        }
    };
    Ok(desk::import(
        opening_of::<R>(record, None)?,
        &acts,
        past,
        heir,
        dealer,
        context,
    )?)
}
