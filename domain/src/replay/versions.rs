//! Where two versions of the rules first part over a record.

use std::iter;

use super::entry::read_entry;
use super::{Manner, Record, Unjudgeable};
use crate::game::GameEvent;
use crate::game::comparison::Comparison;
use crate::game::judge::{DeedOf, Judge};
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
    let deeds: Deeds<'_, R> = match &record.entries {
        Some(texts) => Box::new(
            (texts.iter().enumerate())
                .map(|(place, text)| read_entry::<R>(place, text).map(|entry| entry.deed)),
        ),
        None => Box::new(deeds_told::<R>(&pinned, record.masked, events).map(Ok)),
    };
    let ((mut pinned, begun), (mut other, begun_otherwise)) = (begin(pinned)?, begin(other)?);
    if begun != begun_otherwise {
        return Ok(Some(0));
    }
    for (place, deed) in (0..).zip(deeds.take(manner.limit())) {
        let deed = deed?;
        let (one, another) = (pinned.take(&deed), other.take(&deed));
        if one != another {
            return Ok(Some(place));
        }
        if one.is_err() && !manner.tolerant {
            return Ok(None);
        }
    }
    Ok(None)
}

/// What a record says was done, read as it is judged.
type Deeds<'r, R> = Box<dyn Iterator<Item = Result<DeedOf<R>, Unjudgeable>> + 'r>;

/// What events say was done, as far as it follows from the rules.
fn deeds_told<'e, R: Ruleset>(
    opening: &Opening<R>,
    masked: bool,
    events: Option<&'e [Sealed<GameEvent<R::Event>>]>,
) -> impl Iterator<Item = DeedOf<R>> + 'e {
    let mut comparison = Comparison::<R>::begin(opening.clone(), masked, events).ok();
    iter::from_fn(move || {
        let (_, deed) = comparison.as_mut()?.next_deed().ok()??;
        if comparison.as_mut()?.take(&deed).is_err() {
            comparison = None;
        }
        Some(deed)
    })
}
