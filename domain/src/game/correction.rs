//! Correcting the record: what winding back or replacing an entry leads to.
//!
//! A correction is worked out first, on values, and then either recorded or shown as a preview. So
//! what is voted on is what happens.

use chrono::{DateTime, Utc};

use super::event::ReplayStopped;
use super::fold::Journal;
use super::judge::{Deed, EntryOf, entries_of};
use super::{Course, Declined, GameEvent, Life, Step, Unreadable};
use crate::dealer::Mode;
use crate::record::{Entry, Envelope, Sealed};
use crate::ruleset::Ruleset;
use crate::ruling::{Common, Violation};
use crate::seat::{Actor, By};

/// A record that is read to correct it.
pub(super) struct Past<'e, R: Ruleset> {
    /// All its events.
    pub(super) events: &'e [Sealed<GameEvent<R::Event>>],
    /// Those in force.
    pub(super) journal: Journal<'e, R>,
}

/// An entry in force, with the seq of its fact.
pub(super) type InForce<R> = (u64, EntryOf<R>);

/// What a correction leads to.
pub(super) struct Correction<R: Ruleset> {
    /// The version that the game is wound back to.
    pub(super) to: u64,
    /// Whether something hidden was shown in what is wound back.
    pub(super) revealed_since: bool,
    /// The game at that version.
    pub(super) wound_back: Course<R>,
    /// What is recorded after that.
    pub(super) steps: Vec<Again<R>>,
    /// Why not all of it is recorded again.
    pub(super) stopped: Option<ReplayStopped>,
    /// The game after all of it.
    pub(super) course: Course<R>,
}

/// A step that is recorded on a corrected past.
pub(super) struct Again<R: Ruleset> {
    pub(super) actor: Actor,
    /// Whose token first recorded it; none for the entry that replaces another.
    pub(super) by: Option<By>,
    pub(super) occurred_at: Option<DateTime<Utc>>,
    /// The seq of the entry that is recorded again; none for the one that replaces another.
    pub(super) replays: Option<u64>,
    pub(super) step: Step<R>,
}

impl<'e, R: Ruleset> Past<'e, R> {
    /// Reads a record.
    pub(super) fn of(events: &'e [Sealed<GameEvent<R::Event>>]) -> Result<Self, Unreadable> {
        let journal = Journal::of(events)?;
        Ok(Self { events, journal })
    }

    /// The event with this seq.
    pub(super) fn event(&self, seq: u64) -> Option<&'e Sealed<GameEvent<R::Event>>> {
        let place = usize::try_from(seq).ok()?.checked_sub(1)?;
        self.events.get(place)
    }

    /// Whether a version ends a recorded request that is in force.
    pub(super) fn ends_request(&self, version: u64) -> bool {
        let Some(last) = self.event(version) else {
            return false;
        };
        let ends = self
            .event(version + 1)
            .is_none_or(|next| begins_request(&last.envelope, &next.envelope));
        ends && self.journal.holds(version)
    }

    /// The entries in force, without the host's ending the game.
    pub(super) fn entries(&self) -> Result<Vec<InForce<R>>, Unreadable> {
        let mut standing = Vec::new();
        for (seq, entry) in entries_of::<R>(self.events)? {
            match entry.deed {
                Deed::Play(_) | Deed::Stand { .. } => standing.push((seq, entry)),
                Deed::Rewind { rewind } => {
                    standing.truncate(usize::try_from(rewind.to_entry).unwrap_or(usize::MAX));
                }
                Deed::Abandon { .. } => {}
            }
        }
        Ok(standing)
    }

    /// The seq of the entry that caused an event in force.
    pub(super) fn cause_of(&self, seq: u64) -> Result<Option<u64>, Unreadable> {
        let entries = self.entries()?;
        let causes = entries.iter().map(|(entry, _)| *entry);
        Ok(causes.take_while(|entry| *entry <= seq).last())
    }

    /// What winding back to a version leads to.
    pub(super) fn wind_back(&self, to: u64) -> Result<Correction<R>, Unreadable> {
        let kept = usize::try_from(to).unwrap_or(usize::MAX);
        let kept = self.events.get(..kept).unwrap_or(self.events);
        let course = Journal::of(kept)?.course;
        let revealed_since = (self.journal.in_force.iter())
            .filter(|sealed| sealed.envelope.seq > to)
            .any(|sealed| {
                matches!(&sealed.envelope.event, GameEvent::Game(event) if R::reveals(event))
            });
        Ok(Correction {
            to,
            revealed_since,
            wound_back: course.clone(),
            steps: Vec::new(),
            stopped: None,
            course,
        })
    }

    /// What replacing the entry that caused an event leads to, at a table.
    ///
    /// # Errors
    /// When no entry caused the event, the new one is of another kind, or a rule forbids it there.
    pub(super) fn replace(
        &self,
        seq: u64,
        new: &Entry<R::Move, R::Outcome>,
    ) -> Result<Correction<R>, Declined> {
        let entries = self.entries()?;
        let place = entries
            .iter()
            .rposition(|(entry, _)| *entry <= seq)
            .ok_or_else(|| misplaced("/entry", "no entry caused what this dispute is about"))?;
        let (replaced, old) = &entries[place];
        match (&old.deed, new) {
            (Deed::Play(Entry::Move { .. }) | Deed::Stand { .. }, Entry::Move { .. })
            | (Deed::Play(Entry::Outcome { .. }), Entry::Outcome { .. }) => {}
            _ => {
                let detail = "a move is replaced by a move, and an outcome by an outcome";
                return Err(misplaced("/entry", detail));
            }
        }
        let mut correction = self.wind_back(replaced - 1)?;
        correction.play(new, None)?;
        for (seq, entry) in &entries[place + 1..] {
            if let Err(violation) = correction.play_again(*seq, entry) {
                correction.stopped = Some(ReplayStopped {
                    seq: *seq,
                    rule: violation.rule.id.to_owned(),
                    detail: violation.detail.into_owned(),
                });
                break;
            }
        }
        Ok(correction)
    }
}

impl<R: Ruleset> Correction<R> {
    fn play_again(&mut self, seq: u64, entry: &EntryOf<R>) -> Result<(), Violation> {
        match &entry.deed {
            Deed::Play(played) => self.play(played, Some((seq, entry))),
            Deed::Stand { .. } => Err(Violation::of(
                Common::Knowledge,
                "this move stood against the rules, and the position after it was that of another past",
            )),
            Deed::Rewind { .. } | Deed::Abandon { .. } => Ok(()),
        }
    }

    fn play(
        &mut self,
        entry: &Entry<R::Move, R::Outcome>,
        old: Option<(u64, &EntryOf<R>)>,
    ) -> Result<(), Violation> {
        let step = self.course.follow(entry.clone().into())?;
        let actor = match entry {
            Entry::Move { seat, .. } => Actor::Seat { seat: *seat },
            Entry::Outcome { .. } => Actor::Chance {},
        };
        let again = |actor, step| Again {
            actor,
            by: old.and_then(|(_, entry)| entry.by),
            occurred_at: old.and_then(|(_, entry)| entry.occurred_at),
            replays: old.map(|(seq, _)| seq),
            step,
        };
        self.course.apply(step.clone());
        self.steps.push(again(actor, step));
        while let Some(step) = self.course.unasked_step(Mode::Table)? {
            self.course.apply(step.clone());
            self.steps.push(again(Actor::Chance {}, step));
        }
        Ok(())
    }
}

/// Whether the second of two neighbouring events begins a request. The events of one request share
/// their time, and no two requests do; records older than that tell at least by their moves.
pub(super) fn begins_request<E>(
    last: &Envelope<GameEvent<E>>,
    next: &Envelope<GameEvent<E>>,
) -> bool {
    let corrects =
        next.replays.is_some() || matches!(last.event, GameEvent::Life(Life::Rewound(_)));
    next.at != last.at || matches!(next.actor, Actor::Seat { .. }) && !corrects
}

pub(super) fn misplaced(at: &'static str, detail: impl Into<String>) -> Declined {
    let detail = detail.into();
    Declined::Misplaced { at, detail }
}

impl From<Unreadable> for Declined {
    fn from(unreadable: Unreadable) -> Self {
        Self::Unreadable(unreadable.to_string())
    }
}
