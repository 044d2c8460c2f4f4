//! The life of any game: commands in, events out.
//!
//! [`Course`] is the game as the rules see it, without clock or hashes; [`Game`] puts it into a
//! record. Both are values: judging a command gives the events and the game after them, and leaves
//! the one before as it was.

mod command;
mod course;
pub mod desk;
mod event;
mod fold;
pub mod judge;
pub(crate) mod past;
mod verify;

#[cfg(test)]
mod tests;

pub use command::{Command, Context, Refusal};
pub use course::{Course, Source, Status, Step};
pub use event::{Created, GameEvent, Life, Rewound};
pub use fold::Unreadable;
pub use past::{Act, Origin, Parent};
pub use verify::{Check, Failure, Verification, verify};

use crate::dealer::{Dealer, Mode};
use crate::record::{Envelope, Hash, SCHEMA_VERSION, Sealed};
use crate::ruleset::{Ruleset, Setup, Turn};
use crate::ruling::{Common, Violation};
use crate::seat::{Actor, By, Seat};
use chrono::{DateTime, Utc};

/// One sitting of a game, with its record up to now.
#[derive(Clone, Debug)]
pub struct Game<R: Ruleset> {
    /// The first event's content.
    pub created: Created<R::Options>,
    /// The game as the rules see it.
    pub course: Course<R>,
    /// The last seq.
    pub version: u64,
    /// The hash of the last event.
    pub head: Hash,
    /// When the last event was recorded.
    pub last_at: DateTime<Utc>,
    /// The seats that were claimed.
    pub claimed: Vec<Seat>,
    /// The seq of the event that began the current turn; 1 in the first, and where no turns are told.
    pub turn_began: u64,
    dealer: Dealer,
}

/// What a command leads to: the events to record, and the game after them.
#[derive(Clone, Debug)]
pub struct Decision<R: Ruleset> {
    /// The events, sealed.
    pub events: Vec<Sealed<GameEvent<R::Event>>>,
    /// The game when they have been recorded.
    pub game: Game<R>,
}

/// What a new game is created from.
#[derive(Clone, Debug)]
pub struct NewGame<O> {
    /// The game's id.
    pub id: String,
    /// Seats, options, rules version and mode.
    pub setup: Setup<O>,
    /// A salted digest of the names, which are kept beside the chain.
    pub names: Hash,
    /// Where its past comes from, if it does not begin here.
    pub origin: Option<Origin>,
}

impl<R: Ruleset> Game<R> {
    /// Creates a game and deals as far as a seat must act.
    ///
    /// # Errors
    /// [`Refusal`] when the number of seats or an option is against the rules.
    pub fn create(
        new: NewGame<R::Options>,
        dealer: Dealer,
        context: &mut Context,
    ) -> Result<Decision<R>, Refusal> {
        let game = Self::new(new, dealer)?;
        let dealer = game.dealer.clone();
        let mut scribe = Scribe::new(game, context);
        scribe.write_created();
        scribe.go_on(Source::of(&dealer, Vec::new())?)?;
        Ok(scribe.finish())
    }

    /// A game of which nothing is recorded yet.
    fn new(new: NewGame<R::Options>, dealer: Dealer) -> Result<Self, Refusal> {
        Ok(Self {
            course: Course::new(&new.setup)?,
            created: Created {
                id: new.id,
                game: R::NAME.to_owned(),
                mode: new.setup.mode,
                rules_version: new.setup.rules_version,
                seats: new.setup.seats,
                options: new.setup.options,
                names: new.names,
                commitment: match &dealer {
                    Dealer::Virtual(secret) => Some(secret.commitment()),
                    Dealer::Table => None,
                },
                origin: new.origin,
            },
            version: 0,
            head: Hash::ZERO,
            last_at: DateTime::UNIX_EPOCH,
            claimed: Vec::new(),
            turn_began: 1,
            dealer,
        })
    }

    /// Judges a command.
    ///
    /// # Errors
    /// [`Refusal`] with the rule that forbids it; this game is as it was.
    pub fn decide(
        &self,
        command: &Command<R>,
        context: &mut Context,
    ) -> Result<Decision<R>, Refusal> {
        let mut scribe = Scribe::new(self.clone(), context);
        match command {
            Command::Move { seat, mv, outcomes } => {
                self.course.expect_running()?;
                self.expect_known()?;
                let source = Source::of(&self.dealer, outcomes.clone())?;
                let step = self.course.decide(*seat, mv)?;
                scribe.record(Actor::Seat { seat: *seat }, step);
                scribe.run(source)?;
            }
            Command::Declare { outcomes } => {
                self.course.expect_running()?;
                let source = Source::of(&self.dealer, outcomes.clone())?;
                self.course.expect_chance()?;
                scribe.run(source)?;
            }
            Command::Claim { seat } => {
                scribe.write_claim(*seat);
            }
            Command::Abandon => {
                scribe.game.course.expect_running()?;
                let beside = scribe.beside();
                let event = GameEvent::Life(Life::GameAbandoned {});
                scribe.write(Actor::Host {}, beside, event, None);
            }
        }
        Ok(scribe.finish())
    }

    /// Who must act now.
    pub fn turn(&self) -> Turn<R::Due> {
        self.course.turn()
    }

    /// Who deals.
    pub fn dealer(&self) -> &Dealer {
        &self.dealer
    }

    /// Whether hidden cards are unknown to a dealer who would have to deal on: the past was
    /// imported from a masked record.
    pub fn is_masked(&self) -> bool {
        self.created
            .origin
            .as_ref()
            .is_some_and(|origin| origin.masked)
            && self.dealer.mode() == Mode::Virtual
    }

    /// Makes sure that the dealer can deal on (CM-4).
    pub(crate) fn expect_known(&self) -> Result<(), Violation> {
        match self.is_masked() {
            true => Err(Violation::of(
                Common::Chance,
                "this game was imported from a masked record: its dealer does not know the cards",
            )),
            false => Ok(()),
        }
    }

    /// The first seq that may be read, where the game keeps no notebook for its players: nobody can
    /// read what lies before the current turn until the game is over.
    pub fn history_from(&self) -> Option<u64> {
        let running = self.course.status() == Status::InProgress;
        (running && !R::remembers(&self.course.state)).then_some(self.turn_began)
    }
}

/// What is said beside an event: whose token did it, and when it happened.
#[derive(Clone, Copy, Debug, Default)]
struct Beside {
    by: Option<By>,
    occurred_at: Option<DateTime<Utc>>,
}

/// Writes events down: numbers, times, salts, hashes.
struct Scribe<'c, R: Ruleset> {
    game: Game<R>,
    events: Vec<Sealed<GameEvent<R::Event>>>,
    context: &'c mut Context,
}

impl<'c, R: Ruleset> Scribe<'c, R> {
    fn new(game: Game<R>, context: &'c mut Context) -> Self {
        Self {
            game,
            events: Vec::with_capacity(4),
            context,
        }
    }

    fn write_created(&mut self) {
        let created = serde_json::to_value(&self.game.created).expect("options serialise to JSON");
        let event = GameEvent::Life(Life::GameCreated(created));
        self.write(Actor::Host {}, Beside::default(), event, None);
    }

    fn write_claim(&mut self, seat: Seat) {
        let beside = Beside {
            by: Some(By::Seat { seat }),
            occurred_at: None,
        };
        let event = GameEvent::Life(Life::SeatClaimed { seat });
        self.write(Actor::Seat { seat }, beside, event, None);
    }

    /// What came with the command.
    fn beside(&self) -> Beside {
        Beside {
            by: self.context.by,
            occurred_at: self.context.by.and(self.context.occurred_at),
        }
    }

    /// Takes outcomes while chance is due, from the dealer or those given, and tells the end.
    fn run(&mut self, mut source: Source<'_, R>) -> Result<(), Violation> {
        self.game.course.expect_plausible(&source)?;
        while let Some(step) = self.game.course.next_outcome(&mut source)? {
            self.record(Actor::Chance {}, step);
        }
        source.exhausted(&self.game.course)?;
        self.finish_if_over();
        Ok(())
    }

    /// Takes outcomes where chance is due when nobody has moved.
    fn go_on(&mut self, source: Source<'_, R>) -> Result<(), Violation> {
        match self.game.turn() {
            Turn::Chance(_) => self.run(source),
            Turn::Seat(_) | Turn::Over(_) => Ok(()),
        }
    }

    /// Records a step of the course and folds it.
    fn record(&mut self, actor: Actor, step: Step<R>) {
        let beside = match &self.game.dealer {
            Dealer::Virtual(_) if actor == (Actor::Chance {}) => Beside::default(),
            _ if step.entry.is_none() => Beside::default(),
            Dealer::Virtual(_) | Dealer::Table => self.beside(),
        };
        let mut head = Some((actor, beside));
        self.game.course.count(step.entry.as_ref());
        for effect in step.effects {
            let (actor, beside) = (head.take()).unwrap_or((Actor::Referee {}, Beside::default()));
            self.game.course.evolve(&effect.event);
            let rule = effect.rule.map(|rule| rule.id);
            self.write(actor, beside, GameEvent::Game(effect.event), rule);
        }
    }

    fn finish_if_over(&mut self) {
        if let Turn::Over(ending) = self.game.turn() {
            let event = GameEvent::Life(Life::GameOver(ending.standing));
            self.write(
                Actor::Referee {},
                Beside::default(),
                event,
                ending.rule.map(|rule| rule.id),
            );
        }
    }

    fn write(
        &mut self,
        actor: Actor,
        beside: Beside,
        event: GameEvent<R::Event>,
        rule: Option<&'static str>,
    ) {
        let salt = event.hides::<R>().then(|| self.context.salt());
        let envelope = Envelope {
            v: SCHEMA_VERSION,
            seq: self.game.version + 1,
            at: self.context.at.max(self.game.last_at),
            occurred_at: beside.occurred_at,
            actor,
            by: beside.by,
            event,
            rule: rule.map(str::to_owned),
            prev: self.game.head,
            salt,
        };
        let sealed = Sealed::new(envelope);
        self.game.advance(&sealed);
        self.events.push(sealed);
    }

    fn finish(self) -> Decision<R> {
        Decision {
            events: self.events,
            game: self.game,
        }
    }
}

impl<R: Ruleset> Game<R> {
    /// Moves the chain on by one event and applies it, where it is the game's life that it tells.
    fn advance(&mut self, sealed: &Sealed<GameEvent<R::Event>>) {
        self.version = sealed.envelope.seq;
        self.head = sealed.hash;
        self.last_at = sealed.envelope.at;
        match &sealed.envelope.event {
            GameEvent::Life(Life::SeatClaimed { seat }) => self.claimed.push(*seat),
            GameEvent::Life(Life::GameAbandoned {}) => self.course.abandoned = true,
            // What was wound back is closed with the turn that it lay in.
            GameEvent::Life(Life::Rewound(_)) => self.turn_began = self.version,
            GameEvent::Life(Life::GameCreated(_) | Life::GameOver(_)) => {}
            GameEvent::Game(event) if R::begins_turn(event) => self.turn_began = self.version,
            GameEvent::Game(_) => {}
        }
    }
}
