//! Replaying a record from nothing, to see whether it holds together.

use serde::Serialize;
use utoipa::ToSchema;

use crate::dealer::{Dealer, Secret};
use crate::record::{Entry, Hash, Sealed, canonical};
use crate::ruleset::{Ruleset, Turn};
use crate::seat::Actor;

use super::{Game, GameEvent, Life, Step};

/// What came of one check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Check {
    /// It holds.
    Ok,
    /// It fails; see `failure`.
    Failed,
    /// It was not reached, since an earlier one failed.
    NotChecked,
    /// It cannot be made yet: the dealer's secret is published when the game is over.
    Pending,
    /// There is nothing to check: at a table nobody deals for the referee.
    NotApplicable,
}

/// The first thing that is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Failure {
    /// The seq of the event where it shows.
    pub seq: u64,
    /// Which check fails: `chain`, `rules` or `fairness`.
    pub check: &'static str,
    /// Why.
    pub detail: String,
}

/// The checks of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Checks {
    /// Seqs without gaps, each event tied to the one before by its hash.
    pub chain: Check,
    /// Every event follows from the moves and outcomes on record by the rules.
    pub rules: Check,
    /// Every outcome follows from the dealer's secret, and the secret from the commitment.
    pub fairness: Check,
}

/// What replaying a record found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Verification {
    /// Whether no check failed.
    pub valid: bool,
    /// How many events the record has.
    pub events: u64,
    /// Each check by itself.
    pub checks: Checks,
    /// The first thing that is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
}

/// Replays stored events from nothing. `head` is the hash that the last event ought to have.
pub fn verify<R: Ruleset>(texts: &[String], dealer: &Dealer, head: Hash) -> Verification {
    let mut checks = Checks {
        chain: Check::NotChecked,
        rules: Check::NotChecked,
        fairness: match dealer {
            Dealer::Virtual(_) => Check::Pending,
            Dealer::Table => Check::NotApplicable,
        },
    };
    let failure = find_failure::<R>(texts, dealer, head, &mut checks).err();
    if let Some(failure) = &failure {
        match failure.check {
            "chain" => checks.chain = Check::Failed,
            "rules" => checks.rules = Check::Failed,
            _ => checks.fairness = Check::Failed,
        }
    }
    Verification {
        valid: failure.is_none(),
        events: texts.len() as u64,
        checks,
        failure,
    }
}

fn failure(seq: u64, check: &'static str, detail: impl Into<String>) -> Failure {
    Failure {
        seq,
        check,
        detail: detail.into(),
    }
}

fn find_failure<R: Ruleset>(
    texts: &[String],
    dealer: &Dealer,
    head: Hash,
    checks: &mut Checks,
) -> Result<(), Failure> {
    let events = check_chain::<R>(texts, head)?;
    checks.chain = Check::Ok;
    let mut replay = Replay::<R>::begin(&events, dealer.clone())?;
    while replay.step()? {}
    checks.rules = Check::Ok;
    if let (Dealer::Virtual(secret), Turn::Over(_)) = (dealer, replay.game.turn()) {
        if replay.game.created.commitment != Some(secret.commitment()) {
            return Err(failure(
                1,
                "fairness",
                "the secret is not the one committed to",
            ));
        }
        replay.unfair.map_or(Ok(()), Err)?;
        checks.fairness = Check::Ok;
    }
    Ok(())
}

fn check_chain<R: Ruleset>(
    texts: &[String],
    head: Hash,
) -> Result<Vec<Sealed<GameEvent<R::Event>>>, Failure> {
    let mut prev = Hash::ZERO;
    let mut events = Vec::with_capacity(texts.len());
    for (seq, text) in (1..).zip(texts) {
        let sealed = Sealed::<GameEvent<R::Event>>::read(seq, text)
            .map_err(|unreadable| failure(seq, "chain", unreadable.to_string()))?;
        if sealed.envelope.seq != seq {
            let detail = format!("seq {} stands where {seq} belongs", sealed.envelope.seq);
            return Err(failure(seq, "chain", detail));
        }
        if sealed.envelope.prev != prev {
            return Err(failure(
                seq,
                "chain",
                "prev is not the hash of the event before",
            ));
        }
        if canonical(&sealed.envelope) != *text {
            return Err(failure(seq, "chain", "the text is not in canonical form"));
        }
        prev = sealed.hash;
        events.push(sealed);
    }
    if prev != head {
        let last = events.len() as u64;
        return Err(failure(
            last,
            "chain",
            "the last event is not the one that was recorded last",
        ));
    }
    Ok(events)
}

struct Replay<'e, R: Ruleset> {
    events: &'e [Sealed<GameEvent<R::Event>>],
    game: Game<R>,
    dealer: Dealer,
    over_told: bool,
    unfair: Option<Failure>,
}

impl<'e, R: Ruleset> Replay<'e, R> {
    fn begin(events: &'e [Sealed<GameEvent<R::Event>>], dealer: Dealer) -> Result<Self, Failure> {
        let game = Game::fold(&events[..events.len().min(1)], dealer.clone())
            .map_err(|unreadable| failure(1, "rules", unreadable.to_string()))?;
        Ok(Self {
            events,
            game,
            dealer,
            over_told: false,
            unfair: None,
        })
    }

    /// Checks the next event, or the next move or outcome with all that follows from it.
    fn step(&mut self) -> Result<bool, Failure> {
        let place = self.game.version as usize;
        let Some(sealed) = self.events.get(place) else {
            return Ok(false);
        };
        let seq = sealed.envelope.seq;
        match &sealed.envelope.event {
            GameEvent::Life(life) => self.life(seq, life)?,
            GameEvent::Game(event) => {
                let step = self.cause_at(seq, event)?;
                self.compare(seq, &step)?;
                self.check_fairness(seq, &step);
                self.game.course.count(step.entry.as_ref());
                for (effect, sealed) in step.effects.iter().zip(&self.events[place..]) {
                    self.game.course.evolve(&effect.event);
                    self.game.advance(sealed);
                }
            }
        }
        Ok(true)
    }

    fn life(&mut self, seq: u64, life: &Life) -> Result<(), Failure> {
        let sealed = &self.events[seq as usize - 1];
        match life {
            Life::GameCreated(_) => {
                return Err(failure(seq, "rules", "a game is created once"));
            }
            Life::SeatClaimed { seat } => {
                if seat.number() >= self.game.course.seats || self.game.claimed.contains(seat) {
                    return Err(failure(seq, "rules", "no such seat is to be claimed"));
                }
            }
            Life::GameAbandoned {} => self
                .game
                .course
                .expect_running()
                .map_err(|violation| failure(seq, "rules", violation.to_string()))?,
            Life::GameOver(standing) => match self.game.turn() {
                Turn::Over(ending) if !self.over_told && ending.standing == *standing => {
                    self.over_told = true;
                }
                Turn::Over(_) | Turn::Seat(_) | Turn::Chance(_) => {
                    return Err(failure(seq, "rules", "the game does not end so here"));
                }
            },
            Life::Rewound(rewound) => {
                if rewound.to >= seq {
                    return Err(failure(
                        seq,
                        "rules",
                        "a game is wound back to a version before",
                    ));
                }
                self.game = Game::fold(&self.events[..seq as usize], self.dealer.clone())
                    .map_err(|unreadable| failure(seq, "rules", unreadable.to_string()))?;
                self.over_told = matches!(self.game.turn(), Turn::Over(_));
                return Ok(());
            }
        }
        self.game.advance(sealed);
        Ok(())
    }

    fn cause_at(&self, seq: u64, event: &R::Event) -> Result<Step<R>, Failure> {
        let course = &self.game.course;
        let unlawful = |violation: crate::ruling::Violation| {
            failure(
                seq,
                "rules",
                format!("{}: {}", violation.rule.id, violation.detail),
            )
        };
        if let Some(outcome) = course.unasked_outcome(self.dealer.mode()) {
            let step = course.resolve(outcome).map_err(unlawful)?;
            return Ok(Step {
                entry: None,
                ..step
            });
        }
        let cause = R::cause(event)
            .ok_or_else(|| failure(seq, "rules", "nothing on record brings this about"))?;
        course.follow(cause).map_err(unlawful)
    }

    fn compare(&self, seq: u64, step: &Step<R>) -> Result<(), Failure> {
        let first = match step.entry {
            Some(Entry::Move { seat, .. }) => Actor::Seat { seat },
            Some(Entry::Outcome { .. }) | None => Actor::Chance {},
        };
        for (offset, effect) in step.effects.iter().enumerate() {
            let seq = seq + offset as u64;
            let Some(found) = self
                .events
                .get(seq as usize - 1)
                .map(|sealed| &sealed.envelope)
            else {
                return Err(failure(seq, "rules", "a consequence is missing at the end"));
            };
            let actor = if offset == 0 {
                first
            } else {
                Actor::Referee {}
            };
            let rule = effect.rule.map(|rule| rule.id);
            if found.event != GameEvent::Game(effect.event.clone())
                || found.rule.as_deref() != rule
                || found.actor != actor
            {
                return Err(failure(
                    seq,
                    "rules",
                    "the rules lead to another event here",
                ));
            }
        }
        Ok(())
    }

    /// Compares an outcome with what the secret gives; the first that differs is kept.
    fn check_fairness(&mut self, seq: u64, step: &Step<R>) {
        let (Dealer::Virtual(secret), Some(Entry::Outcome { outcome })) =
            (&self.dealer, &step.entry)
        else {
            return;
        };
        if self.unfair.is_none() && *outcome != self.drawn(secret) {
            self.unfair = Some(failure(
                seq,
                "fairness",
                "the secret gives another outcome here",
            ));
        }
    }

    fn drawn(&self, secret: &Secret) -> R::Outcome {
        let course = &self.game.course;
        R::sample(
            &course.state,
            &mut secret.shuffler(course.outcomes, &course.digest),
        )
    }
}
