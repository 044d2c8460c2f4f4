//! A record before the judge: its entries, or what its events say was done, one after the other.

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::chain::Divergence;
use super::entry::{expect_seat, read_entry};
use super::{Judgement, Line, Manner, Record, Unjudgeable, Verdict};
use crate::game::comparison::{Comparison, Departure};
use crate::game::desk::{TurnJson, raw};
use crate::game::judge::{Deed, DeedOf, EntryOf, Expected, Judge, RewindTo, Unfit};
use crate::game::{GameEvent, Refusal};
use crate::record::{Entry, Sealed};
use crate::ruleset::{Opening, Ruleset, Turn};
use crate::ruling::Violation;
use crate::seat::Viewer;

/// The most entries that are told a line each.
pub(super) const MOST_LINES: usize = 100_000;

/// A record on its way through the judge.
pub(super) struct Trial<'e, R: Ruleset> {
    comparison: Comparison<'e, R>,
    /// Where the beginning already departs.
    departed: Option<Departure<R::Event>>,
}

impl<'e, R: Ruleset> Trial<'e, R> {
    pub(super) fn new(
        opening: Opening<R>,
        record: &Record<'_>,
        events: Option<&'e [Sealed<GameEvent<R::Event>>]>,
    ) -> Result<Self, Unjudgeable> {
        let refused = |departure: Departure<R::Event>| match departure {
            Departure::Setup(Refusal::Setup(violation) | Refusal::Illegal(violation)) => {
                Unjudgeable::Setup(violation)
            }
            Departure::Unfit { unfit, .. } => Unjudgeable::at("", unfit.to_string()),
            Departure::Diverged { .. } => Unjudgeable::at("/events", "they do not begin a game"),
        };
        match Comparison::begin(opening.clone(), record.masked, events) {
            Ok(comparison) => Ok(Self {
                comparison,
                departed: None,
            }),
            Err(departed @ Departure::Diverged { .. }) => {
                let comparison =
                    Comparison::begin(opening, record.masked, None).map_err(refused)?;
                Ok(Self {
                    comparison,
                    departed: Some(departed),
                })
            }
            Err(departure) => Err(refused(departure)),
        }
    }

    fn judge(&self) -> &Judge<R> {
        &self.comparison.judge
    }

    pub(super) fn run(
        mut self,
        record: &Record<'_>,
        manner: Manner,
    ) -> Result<Judgement, Unjudgeable> {
        if let Some(departed) = self.departed.take() {
            return Ok(self.departed(departed, record));
        }
        match &record.entries {
            Some(texts) => self.run_entries(texts, record, manner),
            None => self.run_events(record, manner),
        }
    }

    fn run_entries(
        mut self,
        texts: &[&RawValue],
        record: &Record<'_>,
        manner: Manner,
    ) -> Result<Judgement, Unjudgeable> {
        let limit = manner.limit();
        if manner.tolerant && texts.len().min(limit) > MOST_LINES {
            let detail = format!("at most {MOST_LINES} entries are told a line each");
            return Err(Unjudgeable::at("/entries", detail));
        }
        let mut lines = Vec::new();
        let mut first_refusal = None;
        let mut orphaned = false;
        let mut accepted = 0;
        let mut log = Log::default();
        for (place, text) in texts.iter().take(limit).enumerate() {
            let entry = read_entry::<R>(place, text)?;
            expect_seat(entry.by, self.judge().course.seats)
                .map_err(|detail| Unjudgeable::at(format!("/entries/{place}/by"), detail))?;
            let number = place as u64;
            if orphaned && self.is_orphan(&entry.deed) {
                log.add(&entry.deed, self.judge().course.entries);
                lines.push(Line::Skipped { entry: number });
                continue;
            }
            if let Some(departed) = self.beside_differs(&entry) {
                return Ok(self.departed(departed, record));
            }
            let meant = log.meant(&entry.deed);
            match self.comparison.take(meant.as_ref().unwrap_or(&entry.deed)) {
                Ok(()) => {
                    orphaned = false;
                    accepted += 1;
                    log.add(&entry.deed, self.judge().course.entries);
                    if manner.tolerant {
                        lines.push(Line::Accepted { entry: number });
                    }
                }
                Err(Departure::Unfit {
                    unfit: Unfit::Illegal(violation),
                    ..
                }) => {
                    if !manner.tolerant {
                        return Ok(self.illegal(number, &violation, record, None));
                    }
                    orphaned = true;
                    if let Deed::Play(_) | Deed::Stand { .. } = entry.deed {
                        log.add(&entry.deed, self.judge().course.entries);
                    }
                    lines.push(Line::Refused {
                        entry: number,
                        rule: violation.rule,
                        detail: violation.detail.clone().into_owned(),
                    });
                    first_refusal.get_or_insert((number, violation));
                }
                Err(Departure::Unfit { unfit, .. }) => {
                    return Err(Unjudgeable::at(
                        format!("/entries/{place}"),
                        unfit.to_string(),
                    ));
                }
                Err(departed) => return Ok(self.departed(departed, record)),
            }
        }
        let lines = manner.tolerant.then_some(lines);
        if let Some((entry, violation)) = first_refusal {
            return Ok(self.illegal(entry, &violation, record, lines));
        }
        if texts.len() <= limit
            && let Some(departed) = self.left_over()
        {
            return Ok(self.departed(departed, record));
        }
        Ok(self.legal(accepted, record, lines))
    }

    fn run_events(mut self, record: &Record<'_>, manner: Manner) -> Result<Judgement, Unjudgeable> {
        let limit = manner.limit() as u64;
        let mut taken = 0;
        while taken < limit {
            let deed = match self.comparison.next_deed() {
                Ok(Some((_, deed))) => deed,
                Ok(None) => break,
                Err(departed) => return Ok(self.departed(departed, record)),
            };
            match self.comparison.take(&deed) {
                Ok(()) => taken += 1,
                Err(Departure::Unfit {
                    unfit: Unfit::Illegal(violation),
                    ..
                }) => {
                    return Ok(self.illegal(taken, &violation, record, None));
                }
                Err(departed) => return Ok(self.departed(departed, record)),
            }
        }
        Ok(self.legal(taken, record, None))
    }

    /// An outcome that nobody awaits, since what it belongs to was refused.
    fn is_orphan(&self, deed: &DeedOf<R>) -> bool {
        let awaited = matches!(self.judge().course.turn(), Turn::Chance(_));
        matches!(deed, Deed::Play(Entry::Outcome { .. })) && !awaited
    }

    /// Whether the event of an entry says something else of who and when.
    fn beside_differs(&mut self, entry: &EntryOf<R>) -> Option<Departure<R::Event>> {
        self.comparison.skip_asides();
        let found = &self.comparison.next_found()?.envelope;
        let differs = entry.at.is_some_and(|at| at != found.at)
            || entry.by.is_some() && entry.by != found.by
            || entry.occurred_at.is_some() && entry.occurred_at != found.occurred_at;
        differs.then_some(Departure::Diverged {
            seq: found.seq,
            expected: None,
        })
    }

    fn left_over(&mut self) -> Option<Departure<R::Event>> {
        self.comparison.skip_asides();
        let found = self.comparison.next_found()?;
        Some(Departure::Diverged {
            seq: found.envelope.seq,
            expected: None,
        })
    }

    fn legal(&self, entries: u64, record: &Record<'_>, lines: Option<Vec<Line>>) -> Judgement {
        let (turn, result) = TurnJson::of(&self.judge().course);
        let verdict = Verdict::Legal {
            entries,
            turn,
            result,
        };
        self.told(verdict, record, lines)
    }

    fn illegal(
        &self,
        at_entry: u64,
        violation: &Violation,
        record: &Record<'_>,
        lines: Option<Vec<Line>>,
    ) -> Judgement {
        let verdict = Verdict::Illegal {
            at_entry,
            rule: violation.rule,
            detail: violation.detail.clone().into_owned(),
            turn: TurnJson::of(&self.judge().course).0,
        };
        self.told(verdict, record, lines)
    }

    fn departed(&self, departure: Departure<R::Event>, record: &Record<'_>) -> Judgement {
        let (at_seq, expected) = match departure {
            Departure::Diverged { seq, expected } => (seq, expected),
            Departure::Setup(_) | Departure::Unfit { .. } => (1, None),
        };
        let found = record
            .events
            .as_ref()
            .and_then(|events| events.get(usize::try_from(at_seq).ok()?.checked_sub(1)?))
            .and_then(|text| serde_json::from_str(text.get()).ok())
            .unwrap_or(Value::Null);
        let expected = expected.map_or(Value::Null, |expected| expected_json(at_seq, &expected));
        self.told(
            Verdict::Diverged {
                at_seq,
                expected,
                found,
            },
            record,
            None,
        )
    }

    fn told(&self, verdict: Verdict, record: &Record<'_>, lines: Option<Vec<Line>>) -> Judgement {
        let judge = self.judge();
        Judgement {
            verdict,
            version: judge.version + self.comparison.asides() as u64,
            view: raw(&R::view(&judge.course.state, Viewer::Open)),
            masked: record.masked,
            lines,
            rules_seen: judge.rules_seen.clone(),
            irregularities: judge.irregularities.clone(),
            rules_differ: None,
        }
    }
}

/// How a person's log counts its entries, beside how many of them are in force: it counts those
/// that are refused or skipped, too.
#[derive(Default)]
struct Log {
    /// After each entry that the log holds to be in force, how many are.
    in_force: Vec<u64>,
}

impl Log {
    /// A rewind in the game's count, where the log's differs.
    fn meant<M, O, P>(&self, deed: &Deed<M, O, P>) -> Option<Deed<M, O, P>> {
        let Deed::Rewind { rewind } = deed else {
            return None;
        };
        let last = usize::try_from(rewind.to_entry).ok()?.checked_sub(1)?;
        let to_entry = *self.in_force.get(last)?;
        Some(Deed::Rewind {
            rewind: RewindTo { to_entry },
        })
    }

    fn add<M, O, P>(&mut self, deed: &Deed<M, O, P>, in_force: u64) {
        match deed {
            Deed::Play(_) | Deed::Stand { .. } => self.in_force.push(in_force),
            Deed::Rewind { rewind } => {
                let keep = usize::try_from(rewind.to_entry).unwrap_or(usize::MAX);
                self.in_force.truncate(keep);
            }
            Deed::Abandon { .. } => {}
        }
    }
}

pub(super) fn diverged<R: Ruleset>(
    trial: Trial<'_, R>,
    divergence: Divergence,
    record: &Record<'_>,
) -> Judgement {
    let Divergence {
        seq,
        expected,
        found,
    } = divergence;
    trial.told(
        Verdict::Diverged {
            at_seq: seq,
            expected,
            found,
        },
        record,
        None,
    )
}

fn expected_json<E: Serialize>(seq: u64, expected: &Expected<E>) -> Value {
    #[derive(Serialize)]
    struct Told<'a, E> {
        seq: u64,
        actor: crate::seat::Actor,
        #[serde(flatten)]
        event: &'a GameEvent<E>,
        #[serde(skip_serializing_if = "Option::is_none")]
        rule: Option<&'static str>,
    }
    let told = Told {
        seq,
        actor: expected.actor,
        event: &expected.event,
        rule: expected.rule.map(|rule| rule.id),
    };
    serde_json::to_value(told).unwrap_or(Value::Null)
}
