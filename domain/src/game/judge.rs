//! Judging a record: the entries from nothing.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::Serialize;

use super::fold::Journal;
use super::{Course, GameEvent, Irregularity, Life, Refusal, Rewound, Step, Unreadable};
use crate::dealer::Mode;
use crate::record::{Entry, Sealed};
use crate::ruleset::{Opening, Ruleset, Setup, Turn};
use crate::ruling::{Citation, Common, Violation};
use crate::seat::{Actor, By, Seat};

/// An entry of a record with what stands beside it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RecordEntry<M, O, P> {
    /// What was done.
    #[serde(flatten)]
    pub deed: Deed<M, O, P>,
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
pub type EntryOf<R> =
    RecordEntry<<R as Ruleset>::Move, <R as Ruleset>::Outcome, <R as Ruleset>::Position>;

/// What an entry does.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Deed<M, O, P> {
    /// A move or an outcome.
    Play(Entry<M, O>),
    /// A move that stood although the rules forbid it.
    Stand {
        /// Whose.
        seat: Seat,
        /// Which.
        #[serde(rename = "move")]
        mv: M,
        /// What came of it.
        stand: Stand<P>,
    },
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
pub type DeedOf<R> = Deed<<R as Ruleset>::Move, <R as Ruleset>::Outcome, <R as Ruleset>::Position>;

/// What a table made of a move that the rules forbid.
#[derive(Clone, Debug, PartialEq, Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stand<P> {
    /// What it played on from.
    pub position: P,
}

/// Something that plays the game on: what is in force, and is wound back.
#[derive(Clone, Debug, PartialEq)]
enum Played<R: Ruleset> {
    Entry(Entry<R::Move, R::Outcome>),
    Stood(Box<R::State>),
}

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
            GameEvent::Life(Life::Irregularity(stood)) => {
                let seq = sealed.envelope.seq;
                let malformed = |source| Unreadable::Malformed { seq, source };
                Some(stood_deed::<R>(stood).map_err(malformed)?)
            }
            GameEvent::Life(_) => None,
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

/// The deed that an irregularity records.
pub(super) fn stood_deed<R: Ruleset>(stood: &Irregularity) -> Result<DeedOf<R>, serde_json::Error> {
    Ok(Deed::Stand {
        seat: stood.seat,
        mv: serde_json::from_value(stood.mv.clone())?,
        stand: Stand {
            position: serde_json::from_value(stood.position.clone())?,
        },
    })
}

/// An irregularity as it is recorded.
pub(super) fn irregularity<R: Ruleset>(
    seat: Seat,
    mv: &R::Move,
    rule: &Citation,
    position: &R::Position,
) -> Irregularity {
    let json = |value: Result<serde_json::Value, _>| value.expect("wire types serialise to JSON");
    Irregularity {
        seat,
        mv: json(serde_json::to_value(mv)),
        rule: rule.id.to_owned(),
        position: json(serde_json::to_value(position)),
    }
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

/// A version that ends an entry or a rewind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stop {
    version: u64,
    /// How many entries are in force there.
    entries: usize,
    /// How many of the events in force up to there show something hidden.
    reveals: u64,
}

/// A move that stood although the rules forbid it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Irregular {
    /// Whose.
    pub seat: Seat,
    /// How many entries were in force before it.
    pub after_entries: u64,
    /// The id of the rule that it broke.
    pub rule: &'static str,
}

/// A game that is played by the entries of a record.
pub struct Judge<R: Ruleset> {
    /// The game so far.
    pub course: Course<R>,
    /// The last seq that the entries so far lead to, seats' claims left out.
    pub version: u64,
    /// How often each rule was cited by an event.
    pub rules_seen: BTreeMap<&'static str, u64>,
    /// The moves that stood although the rules forbid them, those that were wound back included:
    /// after how many entries of the record in force, and which rule they broke.
    pub irregularities: Vec<Irregular>,
    pub(super) setup: Setup<R::Options>,
    /// Whether hidden outcomes may be left out, as in a record that is masked for its reader.
    masked: bool,
    in_force: Vec<Played<R>>,
    /// The versions in force that end an entry or a rewind, in order; the first is that before any.
    stops: Vec<Stop>,
    /// How many of the events in force show something hidden.
    reveals: u64,
    /// The game after every [`STRIDE`] entries in force; the first is that before any.
    kept: Vec<Course<R>>,
}

impl<R: Ruleset> Judge<R> {
    /// The game as it begins, with the events after its creation.
    ///
    /// # Errors
    /// When it cannot be set up so.
    pub fn begin(opening: Opening<R>, masked: bool) -> Result<(Self, ExpectedOf<R>), Refusal> {
        let mut judge = Self {
            course: Course::begin(&opening)?,
            version: 1,
            rules_seen: BTreeMap::new(),
            irregularities: Vec::new(),
            setup: opening.setup,
            masked,
            in_force: Vec::new(),
            stops: Vec::new(),
            reveals: 0,
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
    pub fn take(&mut self, deed: &DeedOf<R>) -> Result<ExpectedOf<R>, Unfit> {
        let mut expected = Vec::new();
        match deed {
            Deed::Play(entry) => {
                self.expect_told(entry)?;
                self.course.play(self.setup.mode, entry, &mut expected)?;
                self.in_force.push(Played::Entry(entry.clone()));
            }
            Deed::Stand { seat, mv, stand } => {
                self.stand(*seat, mv, &stand.position, &mut expected)?;
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
        if let Deed::Play(_) | Deed::Stand { .. } = deed {
            self.keep();
        }
        Ok(expected)
    }

    fn stand(
        &mut self,
        seat: Seat,
        mv: &R::Move,
        position: &R::Position,
        expected: &mut ExpectedOf<R>,
    ) -> Result<(), Violation> {
        if self.setup.mode == Mode::Virtual {
            let detail = "in a virtual game no move stands that the rules forbid";
            return Err(Violation::of(Common::Chance, detail));
        }
        let rule = self.course.irregular(seat, mv)?;
        let state = R::place(&self.setup, position)?;
        self.irregularities.push(Irregular {
            seat,
            after_entries: self.course.entries,
            rule: rule.id,
        });
        self.in_force.push(Played::Stood(Box::new(state.clone())));
        self.course.stand(state);
        let stood = irregularity::<R>(seat, mv, rule, position);
        expected.push(Expected {
            actor: Actor::Seat { seat },
            event: GameEvent::Life(Life::Irregularity(stood)),
            rule: None,
        });
        self.course.settle(self.setup.mode, expected)
    }

    /// Marks where the entries in force end.
    fn keep(&mut self) {
        self.stop();
        if self.in_force.len().is_multiple_of(STRIDE) {
            self.kept.push(self.course.clone());
        }
    }

    fn stop(&mut self) {
        self.stops.push(Stop {
            version: self.version,
            entries: self.in_force.len(),
            reveals: self.reveals,
        });
    }

    /// How many entries were in force at a version that ends one of them, or a rewind.
    pub(super) fn entries_at(&self, version: u64) -> Option<u64> {
        let at = self
            .stops
            .binary_search_by_key(&version, |stop| stop.version)
            .ok()?;
        Some(self.stops[at].entries as u64)
    }

    fn rewind(&mut self, to_entry: u64) -> Result<ExpectedOf<R>, Unfit> {
        let keep = usize::try_from(to_entry).unwrap_or(usize::MAX);
        if keep > self.in_force.len() {
            return Err(Unfit::NoSuchEntry {
                in_force: self.in_force.len(),
            });
        }
        if self.setup.mode == Mode::Virtual {
            self.course.expect_running()?;
        }
        let nearest = keep / STRIDE;
        let mut course = self.kept[nearest].clone();
        for played in &self.in_force[nearest * STRIDE..keep] {
            match played {
                Played::Entry(entry) => {
                    course.play(self.setup.mode, entry, &mut Vec::new())?;
                }
                Played::Stood(state) => {
                    course.stand(state.as_ref().clone());
                    course.settle(self.setup.mode, &mut Vec::new())?;
                }
            }
        }
        self.course = course;
        self.in_force.truncate(keep);
        self.stops
            .truncate(self.stops.partition_point(|stop| stop.entries <= keep));
        self.kept.truncate(nearest + 1);
        let stop = self.stops[self.stops.len() - 1];
        let event = GameEvent::Life(Life::Rewound(Rewound {
            to: stop.version,
            revealed_since: self.reveals > stop.reveals,
        }));
        let expected = vec![Expected {
            actor: Actor::Referee {},
            event,
            rule: None,
        }];
        self.count(&expected);
        self.reveals = stop.reveals;
        self.stop();
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
        let reveals = |expected: &&Expected<R::Event>| matches!(&expected.event, GameEvent::Game(event) if R::reveals(event));
        self.reveals += expected.iter().filter(reveals).count() as u64;
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
        while let Some(step) = self.unasked_step(mode)? {
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
