//! The life of any game: commands in, events out.
//!
//! [`Course`] is the game as the rules see it, without clock or hashes; [`Game`] puts it into a
//! record. Both are values: judging a command gives the events and the game after them, and leaves
//! the one before as it was.

mod command;
pub mod comparison;
mod confidence;
mod correction;
mod course;
pub mod desk;
mod dispute;
mod docket;
mod event;
mod finding;
mod fold;
pub mod judge;
pub(crate) mod past;
mod verify;

#[cfg(test)]
mod tests;

pub use command::{Command, Context, Declined, Refusal, Wish};
pub use confidence::Confidences;
pub use course::{Course, Source, Status, Step};
pub use docket::{Confirmation, Dispute, Docket, Outcome, Stood};
pub use event::{
    Confided, Created, DisputeFound, DisputeOpened, DisputeVoted, GameEvent, Irregularity, Life,
    Remedy, ReplayStopped, Rewound,
};
pub use finding::{DisputeReport, DisputeStatus, Finding, Implied, Preview, Proposal, VoteReport};
pub use fold::Unreadable;
pub use past::{Act, Done, Origin, Parent};
pub use verify::{Check, Failure, Verification, verify};

use crate::dealer::{Dealer, Mode};
use crate::record::{Envelope, Hash, SCHEMA_VERSION, Sealed};
use crate::ruleset::{Ruleset, Setup, Turn};
use crate::ruling::{Common, Violation};
use crate::seat::{Actor, By, Seat};
use chrono::{DateTime, TimeDelta, Utc};
use fold::opening;
use std::sync::Arc;

/// One sitting of a game, with its record up to now.
#[derive(Clone, Debug)]
pub struct Game<R: Ruleset> {
    /// The first event's content. Shared, since judging a command copies the rest.
    pub created: Arc<Created<R::Options>>,
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
    /// Disputes, confirmations, and moves that stood.
    pub docket: Arc<Docket>,
    /// The newest request.
    pub newest: Newest,
    dealer: Dealer,
}

/// The newest recorded request of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Newest {
    /// The seq of its first event.
    pub began: u64,
    /// Whose token sent it.
    pub by: Option<By>,
    /// Whether it played the game on: a move, outcomes, or its end by the host.
    pub plays: bool,
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
    /// The position that it begins with, where that is not the first one.
    pub position: Option<serde_json::Value>,
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
        scribe.run(Source::of(&dealer, Vec::new())?)?;
        Ok(scribe.finish())
    }

    /// A game of which nothing is recorded yet.
    fn new(new: NewGame<R::Options>, dealer: Dealer) -> Result<Self, Refusal> {
        let created = Created {
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
            position: new.position,
            origin: new.origin,
        };
        let opening = opening::<R>(&created).map_err(|error| {
            let detail = format!("the position is not one of this game: {error}");
            Refusal::Setup(Violation::of(Common::Knowledge, detail))
        })?;
        Ok(Self {
            course: Course::begin(&opening)?,
            created: Arc::new(created),
            version: 0,
            head: Hash::ZERO,
            last_at: DateTime::<Utc>::MIN_UTC,
            claimed: Vec::new(),
            turn_began: 1,
            docket: Arc::default(),
            newest: Newest::default(),
            dealer,
        })
    }

    /// Judges a command that takes no more than the game as it stands.
    ///
    /// # Errors
    /// [`Declined`], with the rule that forbids it where one does; this game is as it was.
    pub fn decide(
        &self,
        command: &Command<R>,
        context: &mut Context,
    ) -> Result<Decision<R>, Declined> {
        self.decide_on(&[], command, context)
    }

    /// Judges a command. `events` are all that were recorded, where the command
    /// [reads the record](Command::reads_the_record).
    ///
    /// # Errors
    /// [`Declined`], with the rule that forbids it where one does; this game is as it was.
    pub fn decide_on(
        &self,
        events: &[Sealed<GameEvent<R::Event>>],
        command: &Command<R>,
        context: &mut Context,
    ) -> Result<Decision<R>, Declined> {
        self.expect_undisputed(command)?;
        let by = context.by;
        let mut scribe = Scribe::new(self.clone(), context);
        match command {
            Command::Move { seat, mv, outcomes } => {
                self.course.expect_running()?;
                self.expect_known()?;
                let source = Source::of(&self.dealer, outcomes.clone())?;
                let step = self.course.decide(*seat, mv)?;
                if by == Some(By::Seat { seat: *seat }) {
                    self.course.expect_honest(*seat, mv)?;
                }
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
                // It is the code, and no token yet, that speaks for the seat.
                let seat = *seat;
                let beside = Beside {
                    by: Some(By::Seat { seat }),
                    ..Beside::default()
                };
                let event = GameEvent::Life(Life::SeatClaimed { seat });
                scribe.write(Actor::Seat { seat }, beside, event, None);
            }
            Command::Abandon => {
                scribe.game.course.expect_running()?;
                scribe.lapse();
                let beside = scribe.beside();
                let event = GameEvent::Life(Life::GameAbandoned {});
                scribe.write(Actor::Host {}, beside, event, None);
            }
            Command::Stand { seat, mv, position } => scribe.stand(*seat, mv, position)?,
            Command::Confirm { seat, up_to } => scribe.confirm(*seat, *up_to)?,
            Command::Confide { seat, cards } => scribe.confide(*seat, cards)?,
            Command::RenewToken { seat } => {
                scribe.expect_table("a seat gets a new token from the host at a table only")?;
                scribe.write_aside(Life::TokenRenewed { seat: *seat });
            }
            Command::TakeBack => scribe.take_back(events)?,
            Command::OpenDispute { seq, claim } => scribe.open_dispute(events, *seq, claim)?,
            Command::Vote { dispute, remedy } => scribe.vote(events, *dispute, remedy)?,
            Command::WithdrawDispute { dispute } => scribe.withdraw(*dispute)?,
        }
        Ok(scribe.finish())
    }

    /// Makes sure that no dispute is open, unless the command may come all the same.
    ///
    /// # Errors
    /// [`Declined::Disputed`].
    pub fn expect_undisputed(&self, command: &Command<R>) -> Result<(), Declined> {
        let goes_on = matches!(
            command,
            Command::Vote { .. } | Command::WithdrawDispute { .. } | Command::Abandon
        );
        match self.docket.open() {
            Some(open) if !goes_on => Err(Declined::Disputed(open.number)),
            Some(_) | None => Ok(()),
        }
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
    replays: Option<u64>,
}

/// Writes events down: numbers, times, salts, hashes.
struct Scribe<'c, R: Ruleset> {
    game: Game<R>,
    events: Vec<Sealed<GameEvent<R::Event>>>,
    /// The time of this request: that of no other.
    at: DateTime<Utc>,
    context: &'c mut Context,
}

/// How much later than the one before it a request is recorded at least, so that the record tells
/// where each begins.
const TICK: TimeDelta = TimeDelta::microseconds(1);

impl<'c, R: Ruleset> Scribe<'c, R> {
    fn new(game: Game<R>, context: &'c mut Context) -> Self {
        Self {
            at: context.at.max(game.last_at + TICK),
            game,
            events: Vec::with_capacity(4),
            context,
        }
    }

    fn write_created(&mut self) {
        let created = serde_json::to_value(&*self.game.created).expect("options serialise to JSON");
        let event = GameEvent::Life(Life::GameCreated(created));
        self.write(Actor::Host {}, Beside::default(), event, None);
    }

    /// Begins another request, when a past of several is written at once.
    fn next_request(&mut self) {
        self.at = self.context.at.max(self.game.last_at + TICK);
    }

    /// Writes what stands beside the game, for the one whose token it was.
    fn write_aside(&mut self, life: Life) {
        let actor = match self.context.by {
            Some(By::Seat { seat }) => Actor::Seat { seat },
            Some(By::Host {}) | None => Actor::Host {},
        };
        let beside = Beside {
            by: self.context.by,
            ..Beside::default()
        };
        self.write(actor, beside, GameEvent::Life(life), None);
    }

    /// What came with the command.
    fn beside(&self) -> Beside {
        Beside {
            by: self.context.by,
            occurred_at: self.context.by.and(self.context.occurred_at),
            replays: None,
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

    /// Records a step of the course and folds it.
    fn record(&mut self, actor: Actor, step: Step<R>) {
        let beside = match &self.game.dealer {
            Dealer::Virtual(_) if actor == (Actor::Chance {}) => Beside::default(),
            _ if step.entry.is_none() => Beside::default(),
            Dealer::Virtual(_) | Dealer::Table => self.beside(),
        };
        self.record_beside(actor, beside, step);
    }

    fn record_beside(&mut self, actor: Actor, beside: Beside, step: Step<R>) {
        let consequence = Beside {
            replays: beside.replays,
            ..Beside::default()
        };
        let mut head = Some((actor, beside));
        self.game.course.count(step.entry.as_ref());
        for effect in step.effects {
            let (actor, beside) = (head.take()).unwrap_or((Actor::Referee {}, consequence));
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
            at: self.at,
            occurred_at: beside.occurred_at,
            actor,
            by: beside.by,
            event,
            rule: rule.map(str::to_owned),
            replays: beside.replays,
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
        let envelope = &sealed.envelope;
        self.version = envelope.seq;
        self.head = sealed.hash;
        self.newest.follow(envelope, self.last_at);
        self.last_at = envelope.at;
        match &envelope.event {
            GameEvent::Life(Life::SeatClaimed { seat }) => self.claimed.push(*seat),
            GameEvent::Life(Life::GameAbandoned {}) => self.course.abandoned = true,
            // What was wound back is closed with the turn that it lay in.
            GameEvent::Life(Life::Rewound(_)) => self.turn_began = self.version,
            GameEvent::Game(event) if R::begins_turn(event) => self.turn_began = self.version,
            GameEvent::Life(_) | GameEvent::Game(_) => {}
        }
        if Docket::is_told_by(envelope, self.created.mode) {
            Arc::make_mut(&mut self.docket).evolve(envelope, self.created.mode);
        }
    }
}

impl Newest {
    fn follow<E>(&mut self, envelope: &Envelope<GameEvent<E>>, last_at: DateTime<Utc>) {
        if envelope.at == last_at && envelope.seq > 1 {
            return;
        }
        *self = Self {
            began: envelope.seq,
            by: envelope.by,
            plays: match &envelope.event {
                GameEvent::Game(_) => true,
                GameEvent::Life(life) => {
                    matches!(life, Life::Irregularity(_) | Life::GameAbandoned {})
                }
            },
        };
    }
}
