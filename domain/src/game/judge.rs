//! Judging a record: the entries from nothing, against the events that it tells, where it tells any.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::Serialize;

use super::fold::Journal;
use super::{Course, GameEvent, Life, Refusal, Rewound, Step, Unreadable};
use crate::dealer::Mode;
use crate::record::{Entry, Sealed};
use crate::ruleset::{Ruleset, Setup, Turn};
use crate::ruling::{Citation, Common, Violation};
use crate::seat::{Actor, By, Seat};

/// An entry of a record with what stands beside it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RecordEntry<M, O> {
    /// What was done.
    #[serde(flatten)]
    pub deed: Deed<M, O>,
    /// Whose token did it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<By>,
    /// When it was recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<DateTime<Utc>>,
    /// When it happened, where the players said so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub occurred_at: Option<DateTime<Utc>>,
}

/// An entry of a game under these rules.
pub type EntryOf<R> = RecordEntry<<R as Ruleset>::Move, <R as Ruleset>::Outcome>;

/// What an entry does.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Deed<M, O> {
    /// A move or an outcome.
    Play(Entry<M, O>),
    /// The game is wound back.
    Rewind {
        /// How far.
        rewind: RewindTo,
    },
    /// The host ends the game.
    Abandon {
        /// Nothing more to say.
        abandon: Nothing,
    },
}

/// What an entry of a game under these rules does.
pub type DeedOf<R> = Deed<<R as Ruleset>::Move, <R as Ruleset>::Outcome>;

/// What an event says was done, with its seq.
pub type FoundDeed<R> = (u64, DeedOf<R>);

/// How many entries stay in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, serde::Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RewindTo {
    /// The number of moves and outcomes that stay in force.
    pub to_entry: u64,
}

/// An empty object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, serde::Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// The entries of trusted events, each with the seq of its fact. Of a record that is masked, they are those of whoever sees it so.
pub(crate) fn entries_of<R: Ruleset>(
    events: &[Sealed<GameEvent<R::Event>>],
) -> Result<Vec<(u64, EntryOf<R>)>, Unreadable> {
    let mut entries = Vec::new();
    let mut journal = Journal::<R>::begin(events)?;
    for sealed in &events[1..] {
        let deed = match &sealed.envelope.event {
            GameEvent::Game(event) => journal.entry(event).map(Deed::Play),
            GameEvent::Life(Life::GameAbandoned {}) => Some(Deed::Abandon {
                abandon: Nothing {},
            }),
            GameEvent::Life(Life::Rewound(rewound)) => {
                let to_entry = journal.entries_at(rewound.to);
                Some(Deed::Rewind {
                    rewind: RewindTo { to_entry },
                })
            }
            GameEvent::Life(
                Life::GameCreated(_) | Life::SeatClaimed { .. } | Life::GameOver(_),
            ) => None,
        };
        if let Some(deed) = deed {
            let envelope = &sealed.envelope;
            let entry = RecordEntry {
                deed,
                by: envelope.by,
                at: Some(envelope.at),
                occurred_at: envelope.occurred_at,
            };
            entries.push((envelope.seq, entry));
        }
        journal.advance(sealed)?;
    }
    Ok(entries)
}

/// An event that the rules lead to.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected<E> {
    /// Whom it speaks for.
    pub actor: Actor,
    /// What happens.
    pub event: GameEvent<E>,
    /// The rule that causes it, where it is a consequence.
    pub rule: Option<&'static Citation>,
}

/// Why an entry cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// A rule forbids it.
    #[error(transparent)]
    Illegal(#[from] Violation),
    /// It winds the game back to more entries than there are.
    #[error("only {in_force} entries are in force")]
    NoSuchEntry {
        /// How many there are.
        in_force: usize,
    },
}

/// The events that one entry leads to.
pub type ExpectedOf<R> = Vec<Expected<<R as Ruleset>::Event>>;

/// How many entries lie between two states that are kept. Winding back plays fewer than these
/// again, however often a record does it.
const STRIDE: usize = 64;

/// A game that is played by the entries of a record.
pub struct Judge<R: Ruleset> {
    /// The game so far.
    pub course: Course<R>,
    /// The last seq that the entries so far lead to, seats' claims left out.
    pub version: u64,
    /// How often each rule was cited by an event.
    pub rules_seen: BTreeMap<&'static str, u64>,
    setup: Setup<R::Options>,
    /// Whether hidden outcomes may be left out, as in a record that is masked for its reader.
    masked: bool,
    in_force: Vec<Entry<R::Move, R::Outcome>>,
    /// The version after each entry in force; the first is that before any.
    marks: Vec<u64>,
    /// The game after every [`STRIDE`] entries in force; the first is that before any.
    kept: Vec<Course<R>>,
}

impl<R: Ruleset> Judge<R> {
    /// The game as it begins, with the events after its creation.
    ///
    /// # Errors
    /// When it cannot be set up so.
    pub fn begin(setup: Setup<R::Options>, masked: bool) -> Result<(Self, ExpectedOf<R>), Refusal> {
        let mut judge = Self {
            course: Course::new(&setup)?,
            version: 1,
            rules_seen: BTreeMap::new(),
            setup,
            masked,
            in_force: Vec::new(),
            marks: Vec::new(),
            kept: Vec::new(),
        };
        let mut expected = Vec::new();
        judge.course.settle(judge.setup.mode, &mut expected)?;
        judge.count(&expected);
        judge.keep();
        Ok((judge, expected))
    }

    /// Judges the next entry, and gives the events that it leads to.
    ///
    /// # Errors
    /// The rule that forbids it; the game is as it was.
    pub fn take(
        &mut self,
        deed: &Deed<R::Move, R::Outcome>,
    ) -> Result<Vec<Expected<R::Event>>, Unfit> {
        let mut expected = Vec::new();
        match deed {
            Deed::Play(entry) => {
                self.expect_told(entry)?;
                self.course.play(self.setup.mode, entry, &mut expected)?;
                self.in_force.push(entry.clone());
            }
            Deed::Abandon { .. } => {
                self.course.expect_running()?;
                self.course.abandoned = true;
                let event = GameEvent::Life(Life::GameAbandoned {});
                expected.push(Expected {
                    actor: Actor::Host {},
                    event,
                    rule: None,
                });
            }
            Deed::Rewind { rewind } => return self.rewind(rewind.to_entry),
        }
        self.count(&expected);
        if let Deed::Play(_) = deed {
            self.keep();
        }
        Ok(expected)
    }

    /// Marks where the entries in force end.
    fn keep(&mut self) {
        self.marks.push(self.version);
        if self.in_force.len().is_multiple_of(STRIDE) {
            self.kept.push(self.course.clone());
        }
    }

    /// How many entries were in force at a version that ends one of them.
    fn entries_at(&self, version: u64) -> Option<u64> {
        let at = self.marks.binary_search(&version).ok()?;
        Some(at as u64)
    }

    fn rewind(&mut self, to_entry: u64) -> Result<Vec<Expected<R::Event>>, Unfit> {
        let keep = usize::try_from(to_entry).unwrap_or(usize::MAX);
        if keep > self.in_force.len() {
            return Err(Unfit::NoSuchEntry {
                in_force: self.in_force.len(),
            });
        }
        if self.setup.mode == Mode::Virtual {
            self.course.expect_running()?;
        }
        let to = self.marks[keep];
        let nearest = keep / STRIDE;
        let mut course = self.kept[nearest].clone();
        for entry in &self.in_force[nearest * STRIDE..keep] {
            course.play(self.setup.mode, entry, &mut Vec::new())?;
        }
        self.course = course;
        self.in_force.truncate(keep);
        self.marks.truncate(keep + 1);
        self.kept.truncate(nearest + 1);
        let event = GameEvent::Life(Life::Rewound(Rewound { to }));
        let expected = vec![Expected {
            actor: Actor::Referee {},
            event,
            rule: None,
        }];
        self.count(&expected);
        Ok(expected)
    }

    /// Makes sure that a dealer's own record leaves nothing out (CM-4).
    fn expect_told(&self, entry: &Entry<R::Move, R::Outcome>) -> Result<(), Violation> {
        match entry {
            Entry::Outcome { outcome }
                if self.setup.mode == Mode::Virtual && !self.masked && R::conceals(outcome) =>
            {
                let detail = "the record of a virtual game tells every outcome in full";
                Err(Violation::of(Common::Chance, detail))
            }
            Entry::Outcome { .. } | Entry::Move { .. } => Ok(()),
        }
    }

    fn count(&mut self, expected: &[Expected<R::Event>]) {
        self.version += expected.len() as u64;
        for rule in expected.iter().filter_map(|expected| expected.rule) {
            *self.rules_seen.entry(rule.id).or_default() += 1;
        }
    }
}

impl<R: Ruleset> Course<R> {
    /// Plays an entry, with what follows from it.
    fn play(
        &mut self,
        mode: Mode,
        entry: &Entry<R::Move, R::Outcome>,
        expected: &mut ExpectedOf<R>,
    ) -> Result<(), Violation> {
        let step = self.follow(entry.clone().into())?;
        let actor = match entry {
            Entry::Move { seat, .. } => Actor::Seat { seat: *seat },
            Entry::Outcome { .. } => Actor::Chance {},
        };
        self.expect(actor, step, expected);
        self.settle(mode, expected)
    }

    /// Applies the outcomes that nobody is asked for, and tells the end of the game.
    fn settle(&mut self, mode: Mode, expected: &mut ExpectedOf<R>) -> Result<(), Violation> {
        while let Some(outcome) = self.unasked_outcome(mode) {
            let step = Step {
                entry: None,
                ..self.resolve(outcome)?
            };
            self.expect(Actor::Chance {}, step, expected);
        }
        if let Turn::Over(ending) = self.turn() {
            let event = GameEvent::Life(Life::GameOver(ending.standing));
            expected.push(Expected {
                actor: Actor::Referee {},
                event,
                rule: ending.rule,
            });
        }
        Ok(())
    }

    fn expect(&mut self, actor: Actor, step: Step<R>, expected: &mut ExpectedOf<R>) {
        let mut first = Some(actor);
        for effect in &step.effects {
            expected.push(Expected {
                actor: first.take().unwrap_or(Actor::Referee {}),
                event: GameEvent::Game(effect.event.clone()),
                rule: effect.rule,
            });
        }
        self.apply(step);
    }
}

/// Where a record departs from the rules.
#[derive(Clone, Debug, PartialEq)]
pub enum Departure<E> {
    /// The game cannot be set up so.
    Setup(Refusal),
    /// An entry cannot be taken.
    Unfit {
        /// Which, from 0.
        entry: usize,
        /// Why.
        unfit: Unfit,
    },
    /// The events are not those that the entries lead to.
    Diverged {
        /// The seq where that shows.
        seq: u64,
        /// The event that the rules lead to; none where the record goes on without a cause.
        expected: Option<Box<Expected<E>>>,
    },
}

/// A judge that compares what the entries lead to with the events of the same record.
pub struct Comparison<'e, R: Ruleset> {
    /// The judge.
    pub judge: Judge<R>,
    events: Option<&'e [Sealed<GameEvent<R::Event>>]>,
    /// How many events have been compared.
    compared: usize,
    /// The claims of seats so far, which no entry leads to: their seqs, and which seats.
    claims: Vec<(u64, Seat)>,
    taken: usize,
}

impl<'e, R: Ruleset> Comparison<'e, R> {
    /// Begins; the first event creates the game.
    ///
    /// # Errors
    /// When the game cannot be set up so, or the first events are others.
    pub fn begin(
        setup: Setup<R::Options>,
        masked: bool,
        events: Option<&'e [Sealed<GameEvent<R::Event>>]>,
    ) -> Result<Self, Departure<R::Event>> {
        let (judge, expected) = Judge::begin(setup, masked).map_err(Departure::Setup)?;
        let mut comparison = Self {
            judge,
            events,
            compared: 1,
            claims: Vec::new(),
            taken: 0,
        };
        comparison.compare(expected)?;
        Ok(comparison)
    }

    /// What the next event that has not been compared says was done, and its seq; none at the end
    /// of the events. Nothing of an event is applied before it has been judged.
    ///
    /// # Errors
    /// When it is a consequence that nothing leads to.
    pub fn next_deed(&mut self) -> Result<Option<FoundDeed<R>>, Departure<R::Event>> {
        self.skip_claims();
        let Some(found) = self.next_found() else {
            return Ok(None);
        };
        let seq = self.compared as u64 + 1;
        let deed = match &found.envelope.event {
            GameEvent::Game(event) => R::cause(event).map(|cause| Deed::Play(Entry::from(cause))),
            GameEvent::Life(Life::GameAbandoned {}) => Some(Deed::Abandon {
                abandon: Nothing {},
            }),
            GameEvent::Life(Life::Rewound(rewound)) => {
                let to = self.without_claims(rewound.to);
                self.judge.entries_at(to).map(|to_entry| Deed::Rewind {
                    rewind: RewindTo { to_entry },
                })
            }
            GameEvent::Life(
                Life::GameCreated(_) | Life::SeatClaimed { .. } | Life::GameOver(_),
            ) => None,
        };
        match deed {
            Some(deed) => Ok(Some((seq, deed))),
            None => Err(Departure::Diverged {
                seq,
                expected: None,
            }),
        }
    }

    /// How many claims of seats were passed over.
    pub(crate) fn claims(&self) -> usize {
        self.claims.len()
    }

    /// A version of the events as the entries count it.
    fn without_claims(&self, version: u64) -> u64 {
        let claims = self
            .claims
            .iter()
            .filter(|(seq, _)| *seq <= version)
            .count();
        version.saturating_sub(claims as u64)
    }

    /// Takes the next entry.
    ///
    /// # Errors
    /// Where the record departs from the rules.
    pub fn take(&mut self, deed: &Deed<R::Move, R::Outcome>) -> Result<(), Departure<R::Event>> {
        let expected = self.judge.take(deed).map_err(|unfit| Departure::Unfit {
            entry: self.taken,
            unfit,
        })?;
        self.taken += 1;
        self.compare(expected)
    }

    /// Makes sure that no event is left over.
    ///
    /// # Errors
    /// With the first that is.
    pub fn finish(mut self) -> Result<Judge<R>, Departure<R::Event>> {
        self.skip_claims();
        match self.next_found() {
            Some(found) => Err(Departure::Diverged {
                seq: found.envelope.seq,
                expected: None,
            }),
            None => Ok(self.judge),
        }
    }

    fn compare(&mut self, expected: Vec<Expected<R::Event>>) -> Result<(), Departure<R::Event>> {
        if self.events.is_none() {
            return Ok(());
        }
        // What follows from a request is recorded in one piece with it.
        if self.taken > 0 {
            self.skip_claims();
        }
        for expected in expected {
            let fits = self
                .next_found()
                .is_some_and(|found| self.fits(&expected, found));
            if !fits {
                let seq = self.compared as u64 + 1;
                return Err(Departure::Diverged {
                    seq,
                    expected: Some(Box::new(expected)),
                });
            }
            self.compared += 1;
        }
        Ok(())
    }

    fn fits(&self, expected: &Expected<R::Event>, found: &Sealed<GameEvent<R::Event>>) -> bool {
        let envelope = &found.envelope;
        let event_fits = match (&expected.event, &envelope.event) {
            (GameEvent::Life(Life::Rewound(expected)), GameEvent::Life(Life::Rewound(found))) => {
                self.without_claims(found.to) == expected.to
            }
            (expected, found) => expected == found,
        };
        event_fits
            && envelope.actor == expected.actor
            && envelope.rule.as_deref() == expected.rule.map(|rule| rule.id)
    }

    /// Passes over claims of seats, which no entry leads to.
    pub(crate) fn skip_claims(&mut self) {
        while let Some(found) = self.next_found()
            && let Some(seat) = self.claimed(found)
        {
            self.claims.push((found.envelope.seq, seat));
            self.compared += 1;
        }
    }

    /// The seat that an event says was claimed, where it can have been: one of the table, once.
    fn claimed(&self, found: &Sealed<GameEvent<R::Event>>) -> Option<Seat> {
        let envelope = &found.envelope;
        let GameEvent::Life(Life::SeatClaimed { seat }) = envelope.event else {
            return None;
        };
        let possible = seat.number() < self.judge.setup.seats
            && self.claims.iter().all(|(_, other)| *other != seat)
            && envelope.actor == Actor::Seat { seat }
            && envelope.by == Some(By::Seat { seat })
            && envelope.rule.is_none();
        possible.then_some(seat)
    }

    /// The next event that has not been compared.
    pub(crate) fn next_found(&self) -> Option<&'e Sealed<GameEvent<R::Event>>> {
        self.events?.get(self.compared)
    }
}
