//! A game from its record.

use crate::dealer::Dealer;
use crate::record::{Entry, Envelope, Hash, SCHEMA_VERSION, Sealed};
use crate::ruleset::{Cause, Ruleset, Setup};

use super::{Course, Created, Game, GameEvent, Life, Refusal};

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
    /// An event was written by a newer version.
    #[error("event {seq} has schema version {v}, newer than {SCHEMA_VERSION}")]
    TooNew {
        /// Its seq.
        seq: u64,
        /// Its schema version.
        v: u8,
    },
    /// The game cannot have been created so.
    #[error("the game cannot have been created so: {0}")]
    Setup(Refusal),
}

/// Which events are in force: everything but what a later `rewound` took back. Claims of seats and
/// the corrections themselves always are.
pub fn in_force<E>(events: &[Envelope<GameEvent<E>>]) -> Vec<bool> {
    let mut flags = vec![true; events.len()];
    let mut windable: Vec<usize> = Vec::new();
    for (place, event) in events.iter().enumerate() {
        match &event.event {
            GameEvent::Life(Life::Rewound(rewound)) => {
                while let Some(last) = windable.pop_if(|last| events[*last].seq > rewound.to) {
                    flags[last] = false;
                }
            }
            GameEvent::Life(Life::GameCreated(_) | Life::SeatClaimed { .. }) => {}
            GameEvent::Life(Life::GameAbandoned {} | Life::GameOver(_)) | GameEvent::Game(_) => {
                windable.push(place);
            }
        }
    }
    flags
}

impl<E: serde::Serialize + serde::de::DeserializeOwned> Sealed<GameEvent<E>> {
    /// Reads a stored event, as it was hashed.
    ///
    /// # Errors
    /// When it is not an event of this kind of game, or newer than this version knows.
    pub fn read(place: u64, text: &str) -> Result<Self, Unreadable> {
        let envelope: Envelope<GameEvent<E>> = serde_json::from_str(text)
            .map_err(|source| Unreadable::Malformed { seq: place, source })?;
        if envelope.v > SCHEMA_VERSION {
            return Err(Unreadable::TooNew {
                seq: envelope.seq,
                v: envelope.v,
            });
        }
        Ok(Self {
            envelope,
            hash: Hash::of(text.as_bytes()),
            text: text.to_owned(),
        })
    }
}

impl<R: Ruleset> Course<R> {
    /// Applies an event on record, and counts the entry that it is the fact of.
    pub fn replay(&mut self, dealer: &Dealer, event: &R::Event) {
        if let Some(cause) = R::cause(event) {
            let settled =
                matches!(cause, Cause::Outcome(_)) && self.unasked_outcome(dealer.mode()).is_some();
            if !settled {
                self.count(Some(&Entry::from(cause)));
            }
        }
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
        let (mut game, mut events) = Self::begin(events, dealer)?;
        let envelopes: Vec<_> = events
            .iter()
            .map(|sealed| sealed.envelope.clone())
            .collect();
        let force = in_force(&envelopes);
        for (sealed, in_force) in std::mem::take(&mut events).iter().zip(force) {
            if in_force && let GameEvent::Game(event) = &sealed.envelope.event {
                game.course.replay(&game.dealer, event);
            }
            let abandoned = game.course.abandoned;
            game.advance(sealed);
            if !in_force {
                game.course.abandoned = abandoned;
            }
        }
        Ok(game)
    }

    /// The game just after its creation, and the events that follow.
    fn begin(
        events: &[Sealed<GameEvent<R::Event>>],
        dealer: Dealer,
    ) -> Result<(Self, &[Sealed<GameEvent<R::Event>>]), Unreadable> {
        let (first, rest) = events.split_first().ok_or(Unreadable::Empty)?;
        let GameEvent::Life(Life::GameCreated(created)) = &first.envelope.event else {
            return Err(Unreadable::NotCreated);
        };
        let created: Created<R::Options> = serde_json::from_value(created.clone())
            .map_err(|source| Unreadable::Malformed { seq: 1, source })?;
        let mut game = Self {
            course: Course::new(&created.setup()).map_err(Unreadable::Setup)?,
            created,
            version: 0,
            head: Hash::ZERO,
            last_at: first.envelope.at,
            claimed: Vec::new(),
            dealer,
        };
        game.advance(first);
        Ok((game, rest))
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
