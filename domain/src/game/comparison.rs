//! Comparing a record's events with what its entries lead to.

use super::judge::{
    Deed, DeedOf, Expected, ExpectedOf, FoundDeed, Judge, Nothing, RewindTo, Unfit, stood_deed,
};
use super::{Docket, GameEvent, Life, Refusal};
use crate::record::{Entry, Sealed};
use crate::ruleset::{Opening, Ruleset};
use crate::seat::Seat;

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
    /// The seqs of the events so far that stand beside the game, and that no entry leads to.
    asides: Vec<u64>,
    docket: Docket,
    claimed: Vec<Seat>,
    taken: usize,
}

impl<'e, R: Ruleset> Comparison<'e, R> {
    /// Begins; the first event creates the game.
    ///
    /// # Errors
    /// When the game cannot be set up so, or the first events are others.
    pub fn begin(
        opening: Opening<R>,
        masked: bool,
        events: Option<&'e [Sealed<GameEvent<R::Event>>]>,
    ) -> Result<Self, Departure<R::Event>> {
        let (judge, expected) = Judge::begin(opening, masked).map_err(Departure::Setup)?;
        let mut comparison = Self {
            judge,
            events,
            compared: 1,
            asides: Vec::new(),
            docket: Docket::default(),
            claimed: Vec::new(),
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
        self.skip_asides();
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
                let to = self.without_asides(rewound.to);
                self.judge.entries_at(to).map(|to_entry| Deed::Rewind {
                    rewind: RewindTo { to_entry },
                })
            }
            GameEvent::Life(Life::Irregularity(stood)) => stood_deed::<R>(stood).ok(),
            GameEvent::Life(_) => None,
        };
        match deed {
            Some(deed) => Ok(Some((seq, deed))),
            None => Err(Departure::Diverged {
                seq,
                expected: None,
            }),
        }
    }

    /// How many events that no entry leads to were passed over.
    pub(crate) fn asides(&self) -> usize {
        self.asides.len()
    }

    /// A version of the events as the entries count it.
    fn without_asides(&self, version: u64) -> u64 {
        let asides = self.asides.partition_point(|seq| *seq <= version);
        version.saturating_sub(asides as u64)
    }

    /// Takes the next entry.
    ///
    /// # Errors
    /// Where the record departs from the rules.
    pub fn take(&mut self, deed: &DeedOf<R>) -> Result<(), Departure<R::Event>> {
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
        self.skip_asides();
        match self.next_found() {
            Some(found) => Err(Departure::Diverged {
                seq: found.envelope.seq,
                expected: None,
            }),
            None => Ok(self.judge),
        }
    }

    fn compare(&mut self, expected: ExpectedOf<R>) -> Result<(), Departure<R::Event>> {
        if self.events.is_none() {
            return Ok(());
        }
        // What follows from a request is recorded in one piece with it.
        if self.taken > 0 {
            self.skip_asides();
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
            // Several versions may lie at the same place in the game: an entry's end, and rewinds to it.
            (GameEvent::Life(Life::Rewound(expected)), GameEvent::Life(Life::Rewound(found))) => {
                let to = self.judge.entries_at(self.without_asides(found.to));
                to.is_some_and(|to| to == self.judge.course.entries)
                    && found.revealed_since == expected.revealed_since
            }
            (expected, found) => expected == found,
        };
        event_fits
            && envelope.actor == expected.actor
            && envelope.rule.as_deref() == expected.rule.map(|rule| rule.id)
    }

    /// Passes over events that stand beside the game, which no entry leads to.
    pub(crate) fn skip_asides(&mut self) {
        while let Some(found) = self.next_found()
            && self.can_stand_aside(found)
        {
            let envelope = &found.envelope;
            if let GameEvent::Life(Life::SeatClaimed { seat }) = envelope.event {
                self.claimed.push(seat);
            }
            self.docket.evolve(envelope, self.judge.setup.mode);
            self.asides.push(envelope.seq);
            self.compared += 1;
        }
    }

    /// Whether an event stands beside the game, and can follow here.
    fn can_stand_aside(&self, found: &Sealed<GameEvent<R::Event>>) -> bool {
        let envelope = &found.envelope;
        let GameEvent::Life(life) = &envelope.event else {
            return false;
        };
        let claimed_before =
            matches!(life, Life::SeatClaimed { seat } if self.claimed.contains(seat));
        let seats = self.judge.setup.seats;
        life.is_aside()
            && envelope.rule.is_none()
            && !claimed_before
            && (self.docket).admits(life, envelope.actor, envelope.by, seats)
    }

    /// The next event that has not been compared.
    pub(crate) fn next_found(&self) -> Option<&'e Sealed<GameEvent<R::Event>>> {
        self.events?.get(self.compared)
    }
}
