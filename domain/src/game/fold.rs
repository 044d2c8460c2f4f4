//! A game from its record.

use std::sync::Arc;

use crate::dealer::{Dealer, Mode};
use crate::record::{Entry, Envelope, Hash, SCHEMA_VERSION, Sealed, canonical, upcast};
use crate::ruleset::{Cause, Opening, Ruleset, Setup};

use super::event::{Confided, Irregularity};
use super::judge::Unfit;
use super::{Course, Created, Docket, Game, GameEvent, Life, Newest, Refusal};

/// Why a record cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// There is no event at all.
    #[error("the record is empty")]
    Empty,
    /// The first event does not create a game.
    #[error("the first event does not create a game")]
    NotCreated,
    /// An event is not written as this version writes or once wrote them.
    #[error("event {seq} cannot be read: {source}")]
    Malformed {
        /// Its place in the record, from 1.
        seq: u64,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// An event was written in a schema version that is not known: by a newer version of this
    /// service.
    #[error("event {seq} has schema version {v}, and 1 to {SCHEMA_VERSION} are known")]
    UnknownSchema {
        /// Its place in the record, from 1.
        seq: u64,
        /// Its schema version.
        v: u8,
    },
    /// The rules do not allow what the record says.
    #[error("the rules do not allow what the record says: {0}")]
    Unfit(Unfit),
    /// The game cannot have been created so.
    #[error("the game cannot have been created so: {0}")]
    Setup(Refusal),
}

impl<E: serde::Serialize + serde::de::DeserializeOwned> Sealed<GameEvent<E>> {
    /// Reads a stored event, as it was hashed.
    ///
    /// # Errors
    /// When it is not an event of this kind of game, or newer than this version knows.
    pub fn read(place: u64, text: &str) -> Result<Self, Unreadable> {
        let present = serde_json::from_str::<Envelope<GameEvent<E>>>(text);
        let (envelope, written_in) = match present {
            Ok(envelope) if envelope.v == SCHEMA_VERSION => (envelope, SCHEMA_VERSION),
            _ => Self::read_older(place, text)?,
        };
        Ok(Self {
            envelope,
            hash: Hash::of(text.as_bytes()),
            text: text.to_owned(),
            written_in,
        })
    }

    fn read_older(place: u64, text: &str) -> Result<(Envelope<GameEvent<E>>, u8), Unreadable> {
        #[derive(serde::Deserialize)]
        struct Versioned {
            v: u8,
        }
        let malformed = |source| Unreadable::Malformed { seq: place, source };
        let Versioned { v } = serde_json::from_str(text).map_err(malformed)?;
        let event = serde_json::from_str(text).map_err(malformed)?;
        let present = upcast(event, v).ok_or(Unreadable::UnknownSchema { seq: place, v })?;
        let envelope = serde_json::from_value(present).map_err(malformed)?;
        Ok((envelope, v))
    }

    /// Whether the text is in canonical form, and says nothing beyond what was read of it.
    pub(crate) fn tells_all(&self) -> bool {
        let read = canonical(&self.envelope);
        if self.written_in == SCHEMA_VERSION {
            return read == self.text;
        }
        let told: Option<serde_json::Value> = serde_json::from_str(&self.text).ok();
        told.filter(|told| canonical(told) == self.text)
            .and_then(|told| upcast(told, self.written_in))
            .is_some_and(|present| canonical(&present) == read)
    }
}

/// What the first event of a record created.
pub(crate) fn created<R: Ruleset>(
    events: &[Sealed<GameEvent<R::Event>>],
) -> Result<Created<R::Options>, Unreadable> {
    let first = events.first().ok_or(Unreadable::Empty)?;
    let GameEvent::Life(Life::GameCreated(created)) = &first.envelope.event else {
        return Err(Unreadable::NotCreated);
    };
    serde_json::from_value(created.clone())
        .map_err(|source| Unreadable::Malformed { seq: 1, source })
}

/// What a record's game began with.
pub(crate) fn opening<R: Ruleset>(
    created: &Created<R::Options>,
) -> Result<Opening<R>, serde_json::Error> {
    let position = created.position.clone();
    Ok(Opening {
        setup: created.setup(),
        position: position.map(serde_json::from_value).transpose()?,
    })
}

/// How many events lie between two states that are kept. Winding back folds fewer than these again,
/// however often a record does it.
const STRIDE: usize = 64;

/// A walk along a record, event by event, that follows its corrections.
pub(crate) struct Journal<'e, R: Ruleset> {
    /// The game so far.
    pub(crate) course: Course<R>,
    /// The events so far whose versions are in force: everything but what a correction took back.
    pub(crate) in_force: Vec<&'e Sealed<GameEvent<R::Event>>>,
    created: Created<R::Options>,
    entries: Vec<u64>,
    /// The game after every [`STRIDE`] events in force behind the first; the first is that before any.
    kept: Vec<Course<R>>,
}

impl<'e, R: Ruleset> Journal<'e, R> {
    /// Walks along a whole record.
    pub(crate) fn of(events: &'e [Sealed<GameEvent<R::Event>>]) -> Result<Self, Unreadable> {
        let mut journal = Self::begin(events)?;
        for sealed in &events[1..] {
            journal.advance(sealed)?;
        }
        Ok(journal)
    }

    /// Stands behind the event that created the game.
    pub(crate) fn begin(events: &'e [Sealed<GameEvent<R::Event>>]) -> Result<Self, Unreadable> {
        let created = created::<R>(events)?;
        let opening =
            opening::<R>(&created).map_err(|source| Unreadable::Malformed { seq: 1, source })?;
        let course = Course::begin(&opening).map_err(Unreadable::Setup)?;
        Ok(Self {
            kept: vec![course.clone()],
            course,
            created,
            in_force: vec![&events[0]],
            entries: vec![0],
        })
    }

    /// The entry that an event is the fact of; none for consequences, and for outcomes that the
    /// record settles or that a table does not see.
    pub(crate) fn entry(&self, event: &R::Event) -> Option<Entry<R::Move, R::Outcome>> {
        self.course.entry(self.created.mode, event)
    }

    /// How many entries were in force at a version.
    pub(crate) fn entries_at(&self, version: u64) -> u64 {
        let at = self
            .in_force
            .partition_point(|sealed| sealed.envelope.seq <= version);
        at.checked_sub(1).map_or(0, |at| self.entries[at])
    }

    /// Whether the state of a version is that of the record in force.
    pub(crate) fn holds(&self, version: u64) -> bool {
        let seq = |sealed: &&Sealed<GameEvent<R::Event>>| sealed.envelope.seq;
        self.in_force.binary_search_by_key(&version, seq).is_ok()
    }

    /// Takes the next event.
    pub(crate) fn advance(
        &mut self,
        sealed: &'e Sealed<GameEvent<R::Event>>,
    ) -> Result<(), Unreadable> {
        if let GameEvent::Life(Life::Rewound(rewound)) = &sealed.envelope.event {
            self.rewind(rewound.to)?;
        }
        self.take(sealed)
    }

    /// Takes an event that is in force, with what it does but for winding back.
    fn take(&mut self, sealed: &'e Sealed<GameEvent<R::Event>>) -> Result<(), Unreadable> {
        let seq = sealed.envelope.seq;
        let malformed = |source| Unreadable::Malformed { seq, source };
        let unfit = |violation| Unreadable::Unfit(Unfit::Illegal(violation));
        match &sealed.envelope.event {
            GameEvent::Game(event) => self.course.replay(self.created.mode, event),
            GameEvent::Life(Life::GameAbandoned {}) => self.course.abandoned = true,
            GameEvent::Life(Life::Irregularity(Irregularity { position, .. })) => {
                let position = serde_json::from_value(position.clone()).map_err(malformed)?;
                let state = R::place(&self.created.setup(), &position).map_err(unfit)?;
                self.course.stand(state);
            }
            GameEvent::Life(Life::Confided(Confided {
                seat,
                cards: Some(cards),
            })) => {
                let cards: Result<Vec<_>, _> = (cards.iter().cloned())
                    .map(serde_json::from_value)
                    .collect();
                // Cards that do not fit, as a record from elsewhere may tell, bind nobody.
                if let Ok(cards) = cards {
                    self.course.confide(*seat, &cards).ok();
                }
            }
            GameEvent::Life(_) => {}
        }
        self.in_force.push(sealed);
        self.entries.push(self.course.entries);
        if (self.in_force.len() - 1).is_multiple_of(STRIDE) {
            self.kept.push(self.course.clone());
        }
        Ok(())
    }

    fn rewind(&mut self, to: u64) -> Result<(), Unreadable> {
        let stays = |sealed: &&Sealed<GameEvent<R::Event>>| sealed.envelope.seq <= to;
        let keep = self.in_force.partition_point(stays).max(1);
        self.in_force.truncate(keep);
        let nearest = (keep - 1) / STRIDE;
        let again = self.in_force.split_off(nearest * STRIDE + 1);
        self.entries.truncate(self.in_force.len());
        self.kept.truncate(nearest + 1);
        self.course = self.kept[nearest].clone();
        for sealed in again {
            self.take(sealed)?;
        }
        Ok(())
    }
}

impl<R: Ruleset> Course<R> {
    fn entry(&self, mode: Mode, event: &R::Event) -> Option<Entry<R::Move, R::Outcome>> {
        let cause = R::cause(event)?;
        let settled = matches!(cause, Cause::Outcome(_)) && self.unasked_outcome(mode).is_some();
        (!settled).then(|| Entry::from(cause))
    }

    fn replay(&mut self, mode: Mode, event: &R::Event) {
        let entry = self.entry(mode, event);
        self.count(entry.as_ref());
        self.evolve(event);
    }
}

impl<R: Ruleset> Game<R> {
    /// The game at the end of a record, or at the end of a first part of it.
    ///
    /// # Errors
    /// When the record is empty or its first event does not create such a game.
    pub fn fold(
        events: &[Sealed<GameEvent<R::Event>>],
        dealer: Dealer,
    ) -> Result<Self, Unreadable> {
        let journal = Journal::of(events)?;
        let mut game = Self {
            course: journal.course.clone(),
            created: Arc::new(journal.created),
            version: 0,
            head: Hash::ZERO,
            last_at: events[0].envelope.at,
            claimed: Vec::new(),
            turn_began: 1,
            docket: Arc::new(Docket::default()),
            newest: Newest::default(),
            dealer,
        };
        for sealed in events {
            game.advance(sealed);
        }
        game.course.abandoned = journal.course.abandoned;
        Ok(game)
    }
}

impl<O: Clone> Created<O> {
    /// What the game was begun with.
    pub fn setup(&self) -> Setup<O> {
        Setup {
            seats: self.seats,
            options: self.options.clone(),
            rules_version: self.rules_version,
            mode: self.mode,
        }
    }
}
