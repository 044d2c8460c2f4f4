//! Where two versions of the rules first part over a record.

use super::entry::read_entry;
use super::{Manner, Record, Unjudgeable};
use crate::game::GameEvent;
use crate::game::judge::{Comparison, DeedOf, Judge};
use crate::record::Sealed;
use crate::ruleset::{Opening, Ruleset};

/// The first entry that two versions of the rules judge differently.
pub(super) fn first_difference<R: Ruleset>(
    pinned: Opening<R>,
    other: Opening<R>,
    record: &Record<'_>,
    events: Option<&[Sealed<GameEvent<R::Event>>]>,
    manner: Manner,
) -> Result<Option<u64>, Unjudgeable> {
    let begin = |opening| {
        Judge::<R>::begin(opening, record.masked)
            .map_err(|refusal| Unjudgeable::Setup(refusal.violation().clone()))
    };
    let deeds = match &record.entries {
        Some(texts) => (texts.iter().enumerate().take(manner.limit()))
            .map(|(place, text)| read_entry::<R>(place, text).map(|entry| entry.deed))
            .collect::<Result<_, _>>()?,
        None => deeds_told::<R>(&pinned, record.masked, events, manner.limit()),
    };
    let ((mut pinned, begun), (mut other, begun_otherwise)) = (begin(pinned)?, begin(other)?);
    if begun != begun_otherwise {
        return Ok(Some(0));
    }
    for (place, deed) in (0..).zip(&deeds) {
        let (one, another) = (pinned.take(deed), other.take(deed));
        if one != another {
            return Ok(Some(place));
        }
        if one.is_err() && !manner.tolerant {
            return Ok(None);
        }
    }
    Ok(None)
}

/// What events say was done, as far as it follows from the rules.
fn deeds_told<R: Ruleset>(
    opening: &Opening<R>,
    masked: bool,
    events: Option<&[Sealed<GameEvent<R::Event>>]>,
    limit: usize,
) -> Vec<DeedOf<R>> {
    let mut deeds = Vec::new();
    let Ok(mut comparison) = Comparison::<R>::begin(opening.clone(), masked, events) else {
        return deeds;
    };
    while deeds.len() < limit
        && let Ok(Some((_, deed))) = comparison.next_deed()
    {
        let taken = comparison.take(&deed);
        deeds.push(deed);
        if taken.is_err() {
            break;
        }
    }
    deeds
}
