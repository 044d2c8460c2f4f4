//! What stands beside the play: disputes, what seats agreed with, moves that stood.
//!
//! Folded from events like the game itself, and never wound back with it, but for confirmations,
//! which fall back with what they confirmed.

use serde::Serialize;
use utoipa::ToSchema;

use super::event::{
    DisputeFound, DisputeOpened, DisputeVoted, Irregularity, Life, Remedy, ReplayStopped,
};
use super::{GameEvent, Rewound};
use crate::dealer::Mode;
use crate::record::Envelope;
use crate::seat::{Actor, By, Seat};

/// The dispute that is open, and those that are over.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Docket {
    /// All disputes, in the order in which they were opened.
    pub disputes: Vec<Dispute>,
    /// The moves that stood although the rules forbid them.
    pub irregularities: Vec<Stood>,
    /// For each seat that ever agreed, the version up to which it does.
    confirmed: Vec<Confirmation>,
}

/// A dispute.
#[derive(Clone, Debug, PartialEq)]
pub struct Dispute {
    /// Its number in the game, from 1.
    pub number: u32,
    /// Whose claim it is.
    pub claimant: By,
    /// What is claimed.
    pub opened: DisputeOpened,
    /// The seq of the event that opened it.
    pub opened_at: u64,
    /// What was found on record.
    pub found: Option<DisputeFound>,
    /// The votes, one a seat at most.
    pub votes: Vec<DisputeVoted>,
    /// How it ended; none while it is open.
    pub outcome: Option<Outcome>,
    /// Why what followed was not all recorded again.
    pub stopped: Option<ReplayStopped>,
}

/// How a dispute ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// With a remedy.
    Closed(Remedy),
    /// The claimant took it back.
    Withdrawn,
    /// It goes on in the game that this one is a fork of.
    Lapsed,
}

/// A move that stood although the rules forbid it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Stood {
    /// The seq of the event.
    pub seq: u64,
    /// Whose move.
    pub seat: Seat,
    /// The move.
    #[serde(rename = "move")]
    #[schema(value_type = Object)]
    pub mv: serde_json::Value,
    /// The id of the rule that it broke.
    pub rule: String,
    /// Whether it was not wound back since.
    pub in_force: bool,
}

/// How far a seat agrees with the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Confirmation {
    /// Which seat.
    pub seat: Seat,
    /// The version up to which it says that this is how it was.
    pub up_to: u64,
}

impl Docket {
    /// The dispute that is open.
    pub fn open(&self) -> Option<&Dispute> {
        let last = self.disputes.last();
        last.filter(|dispute| dispute.outcome.is_none())
    }

    /// A dispute by its number.
    pub fn dispute(&self, number: u32) -> Option<&Dispute> {
        let place = usize::try_from(number).ok()?.checked_sub(1)?;
        self.disputes.get(place)
    }

    /// What each seat agreed with, in seat order; nothing for a seat that never did.
    pub fn confirmed(&self) -> &[Confirmation] {
        &self.confirmed
    }

    /// The version up to which a seat agreed.
    pub fn confirmed_by(&self, seat: Seat) -> Option<u64> {
        let found = self.confirmed.iter().find(|told| told.seat == seat);
        found.map(|told| told.up_to)
    }

    /// Whether an event can follow here, as far as disputes are concerned.
    pub(super) fn admits(&self, life: &Life, actor: Actor, by: Option<By>, seats: u8) -> bool {
        let is_seat = |seat: Seat| seat.number() < seats;
        let speaks = |seat: Seat| is_seat(seat) && actor == Actor::Seat { seat };
        let is_open = |number: u32| self.open().is_some_and(|open| open.number == number);
        match life {
            Life::SeatClaimed { seat } => speaks(*seat) && by == Some(By::Seat { seat: *seat }),
            Life::TokenRenewed { seat } => is_seat(*seat) && actor == Actor::Host {},
            Life::DisputeOpened(opened) => {
                self.open().is_none() && opened.dispute == self.next_number() && by.is_some()
            }
            Life::DisputeFound(found) => is_open(found.dispute),
            Life::DisputeVoted(voted) => is_open(voted.dispute) && speaks(voted.seat),
            Life::DisputeWithdrawn { dispute }
            | Life::DisputeClosed { dispute, .. }
            | Life::DisputeLapsed { dispute } => is_open(*dispute),
            Life::ReplayStopped(_) => (self.disputes.last())
                .is_some_and(|last| matches!(last.outcome, Some(Outcome::Closed(_)))),
            Life::Confirmed { seat, .. } => speaks(*seat),
            Life::Confided(confided) => speaks(confided.seat),
            Life::GameCreated(_)
            | Life::Irregularity(_)
            | Life::Rewound(_)
            | Life::GameAbandoned {}
            | Life::GameOver(_) => true,
        }
    }

    /// The number of the next dispute.
    pub(super) fn next_number(&self) -> u32 {
        u32::try_from(self.disputes.len() + 1).unwrap_or(u32::MAX)
    }

    /// Whether a recorded event changes anything here.
    pub(super) fn is_told_by<E>(envelope: &Envelope<GameEvent<E>>, mode: Mode) -> bool {
        match &envelope.event {
            GameEvent::Life(_) => true,
            GameEvent::Game(_) => mode == Mode::Table && confirming(envelope).is_some(),
        }
    }

    /// Applies a recorded event.
    pub(super) fn evolve<E>(&mut self, envelope: &Envelope<GameEvent<E>>, mode: Mode) {
        match &envelope.event {
            GameEvent::Life(life) => self.evolve_life(envelope.seq, life, envelope.by),
            GameEvent::Game(_) => {
                if let Some(seat) = confirming(envelope).filter(|_| mode == Mode::Table) {
                    self.confirm(seat, envelope.seq - 1);
                }
            }
        }
    }

    fn evolve_life(&mut self, seq: u64, life: &Life, by: Option<By>) {
        match life {
            Life::DisputeOpened(opened) => self.disputes.push(Dispute {
                number: opened.dispute,
                claimant: by.unwrap_or(By::Host {}),
                opened: opened.clone(),
                opened_at: seq,
                found: None,
                votes: Vec::new(),
                outcome: None,
                stopped: None,
            }),
            Life::DisputeFound(found) => {
                self.amend(|dispute| dispute.found = Some(found.clone()));
            }
            Life::DisputeVoted(voted) => self.amend(|dispute| {
                dispute.votes.retain(|vote| vote.seat != voted.seat);
                dispute.votes.push(voted.clone());
            }),
            Life::DisputeWithdrawn { .. } => {
                self.amend(|dispute| dispute.outcome = Some(Outcome::Withdrawn));
            }
            Life::DisputeClosed { outcome, .. } => {
                self.amend(|dispute| dispute.outcome = Some(Outcome::Closed(outcome.clone())));
            }
            Life::DisputeLapsed { .. } => {
                self.amend(|dispute| dispute.outcome = Some(Outcome::Lapsed));
            }
            Life::ReplayStopped(stopped) => {
                self.amend(|dispute| dispute.stopped = Some(stopped.clone()));
            }
            Life::Confirmed { seat, up_to } => self.confirm(*seat, *up_to),
            Life::Irregularity(irregularity) => self.stood(seq, irregularity),
            Life::Rewound(rewound) => self.rewind(rewound),
            Life::GameCreated(_)
            | Life::SeatClaimed { .. }
            | Life::TokenRenewed { .. }
            | Life::Confided(_)
            | Life::GameAbandoned {}
            | Life::GameOver(_) => {}
        }
    }

    fn amend(&mut self, change: impl FnOnce(&mut Dispute)) {
        if let Some(dispute) = self.disputes.last_mut() {
            change(dispute);
        }
    }

    fn confirm(&mut self, seat: Seat, up_to: u64) {
        match self.confirmed.iter_mut().find(|told| told.seat == seat) {
            Some(told) => told.up_to = told.up_to.max(up_to),
            None => {
                self.confirmed.push(Confirmation { seat, up_to });
                self.confirmed.sort_by_key(|told| told.seat);
            }
        }
    }

    fn stood(&mut self, seq: u64, irregularity: &Irregularity) {
        self.irregularities.push(Stood {
            seq,
            seat: irregularity.seat,
            mv: irregularity.mv.clone(),
            rule: irregularity.rule.clone(),
            in_force: true,
        });
    }

    fn rewind(&mut self, rewound: &Rewound) {
        for told in &mut self.confirmed {
            told.up_to = told.up_to.min(rewound.to);
        }
        for stood in &mut self.irregularities {
            stood.in_force &= stood.seq <= rewound.to;
        }
    }
}

/// The seat that a move speaks for, where it was sent with that seat's own token: it agrees with what
/// it moves on from.
fn confirming<E>(envelope: &Envelope<GameEvent<E>>) -> Option<Seat> {
    match (envelope.actor, envelope.by, envelope.replays) {
        (Actor::Seat { seat }, Some(By::Seat { seat: own }), None) if seat == own => Some(seat),
        _ => None,
    }
}
