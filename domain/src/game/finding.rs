//! What the referee finds about a dispute, for one reader.
//!
//! Everything here is worked out from the record as that reader is shown it, so it cannot tell more.

use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;

use super::correction::{Correction, Past};
use super::desk::{Json, TurnJson, raw};
use super::event::{Remedy, ReplayStopped};
use super::judge::entries_of;
use super::{Course, Dispute, Game, GameEvent, Outcome, Unreadable};
use crate::record::{Sealed, served};
use crate::ruleset::{Ruleset, Standing};
use crate::rulesets::AnyView;
use crate::ruling::{Citation, Clue};
use crate::seat::{By, Seat, Viewer};

/// A dispute, as a reader is told it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Dispute)]
pub struct DisputeReport {
    /// Its number in the game, from 1.
    pub n: u32,
    /// Whether it is open.
    pub status: DisputeStatus,
    /// The seq of the event that it is about.
    pub seq: u64,
    /// What is said to have happened, in the claimant's words.
    pub claim: String,
    /// Whose token opened it.
    pub claimant: By,
    /// The seq of the event that opened it.
    pub opened_at: u64,
    /// What is on record; null where the past is closed to its readers.
    pub finding: Option<Finding>,
    /// The latest vote of each seat that has voted.
    pub votes: Vec<VoteReport>,
    /// What each remedy that was voted for would lead to, while the dispute is open.
    pub proposals: Vec<Proposal>,
    /// The remedy that it was closed with; null while it is open, and where it ended without one.
    pub outcome: Option<Remedy>,
    /// Why recording again what followed a replaced entry came to its end early; null where it did
    /// not.
    pub stopped: Option<ReplayStopped>,
}

/// Whether a dispute is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DisputeStatus {
    /// The seats vote.
    Open,
    /// A remedy was carried out.
    Closed,
    /// The claimant took it back.
    Withdrawn,
    /// It ended without a remedy: the game was abandoned, or is a fork of the one that it goes on in.
    Lapsed,
}

/// What is on record about a claim, as it stood when the claim was made.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Finding {
    /// The state before the event; null where that is closed to readers.
    pub before: Option<Before>,
    /// The event.
    #[schema(value_type = Object)]
    pub event: Json,
    /// The move or outcome that caused it, as it was recorded; null where none did.
    #[schema(value_type = Option<Object>)]
    pub entry: Option<Json>,
    /// The seq of that.
    pub entry_seq: Option<u64>,
    /// Whose token recorded it; null where nobody's did.
    pub by: Option<By>,
    /// When it was recorded.
    pub at: DateTime<Utc>,
    /// The rule by which it was possible.
    #[schema(value_type = Option<Object>)]
    pub rule: Option<&'static Citation>,
    /// What followed from the same move or outcome, and by which rules.
    pub implies: Vec<Implied>,
    /// The seqs of other events in force that speak of the same places and cards: what a claim that
    /// is true would have to agree with.
    pub contradicts: Vec<u64>,
    /// The version up to which the claimant had agreed with the record; null where it never did.
    pub confirmed_up_to: Option<u64>,
}

/// The state before an event.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Before {
    /// Its version.
    pub version: u64,
    /// Who had to act.
    pub turn: TurnJson,
    /// What the reader could see.
    #[schema(value_type = AnyView)]
    pub view: Json,
}

/// A consequence.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Implied {
    /// Its seq.
    pub seq: u64,
    /// The rule that drew it; null where it is an outcome of its own.
    #[schema(value_type = Option<Object>)]
    pub rule: Option<&'static Citation>,
}

/// A seat's vote.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct VoteReport {
    /// Which seat.
    pub seat: Seat,
    /// What for.
    #[serde(flatten)]
    pub vote: Remedy,
}

/// A remedy that was voted for.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Proposal {
    /// Which.
    #[serde(flatten)]
    pub remedy: Remedy,
    /// The seats that vote for it.
    pub seats: Vec<Seat>,
    /// What it would lead to; null where that lies in a past that is closed to readers.
    pub preview: Option<Preview>,
}

/// What a remedy would lead to.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Preview {
    /// How many entries would be recorded again.
    pub replayed: u64,
    /// Why not all that followed would be; null where all of it would.
    pub stopped: Option<ReplayStopped>,
    /// Who would have to act.
    pub turn: TurnJson,
    /// How the game would have ended; null where it would go on.
    pub result: Option<Standing>,
    /// What the reader would see.
    #[schema(value_type = AnyView)]
    pub view: Json,
}

impl<R: Ruleset> Game<R> {
    /// The disputes of a game, or one of them, as a reader is told them. `events` are all that were
    /// recorded.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub(super) fn reports(
        &self,
        events: &[Sealed<GameEvent<R::Event>>],
        reader: Viewer,
        only: Option<u32>,
    ) -> Result<Vec<DisputeReport>, Unreadable> {
        let viewer = self.course.viewer(reader);
        let shown: Vec<_> = events
            .iter()
            .map(|sealed| as_shown::<R>(sealed, viewer))
            .collect();
        let from = self.history_from();
        let open = |seq: u64| from.is_none_or(|from| seq >= from);
        let mut reports = Vec::new();
        let asked = |told: &&Dispute| {
            open(told.opened_at) && only.is_none_or(|number| told.number == number)
        };
        for dispute in self.docket.disputes.iter().filter(asked) {
            let is_open = dispute.outcome.is_none();
            reports.push(DisputeReport {
                n: dispute.number,
                status: DisputeStatus::of(dispute),
                seq: dispute.opened.seq,
                claim: dispute.opened.claim.clone(),
                claimant: dispute.claimant,
                opened_at: dispute.opened_at,
                finding: match open(dispute.opened.seq) {
                    true => self.finding(&shown, dispute, viewer)?,
                    false => None,
                },
                votes: (dispute.votes.iter())
                    .map(|voted| VoteReport {
                        seat: voted.seat,
                        vote: voted.vote.clone(),
                    })
                    .collect(),
                proposals: match is_open {
                    true => self.proposals(&shown, dispute, viewer)?,
                    false => Vec::new(),
                },
                outcome: match &dispute.outcome {
                    Some(Outcome::Closed(remedy)) => Some(remedy.clone()),
                    Some(Outcome::Withdrawn | Outcome::Lapsed) | None => None,
                },
                stopped: dispute.stopped.clone(),
            });
        }
        Ok(reports)
    }

    fn finding(
        &self,
        shown: &[Sealed<GameEvent<R::Event>>],
        dispute: &Dispute,
        viewer: Viewer,
    ) -> Result<Option<Finding>, Unreadable> {
        let until = usize::try_from(dispute.opened_at - 1).unwrap_or(usize::MAX);
        let then = Past::<R>::of(shown.get(..until).unwrap_or(shown))?;
        let seq = dispute.opened.seq;
        let Some(sealed) = then.event(seq).filter(|_| seq > 1) else {
            return Ok(None);
        };
        let entries = entries_of::<R>(then.events)?;
        let cause = entries.iter().rev().find(|(entry, _)| *entry <= seq);
        let rule_of = |sealed: &Sealed<GameEvent<R::Event>>| match &sealed.envelope.event {
            _ if sealed.envelope.rule.is_some() => {
                let id = sealed.envelope.rule.as_deref().unwrap_or_default();
                R::rulebook(self.created.rules_version).find(id)
            }
            GameEvent::Game(event) => Some(R::permitted_by(event)),
            GameEvent::Life(_) => {
                let id = dispute.found.as_ref().map_or("", |found| &found.rule);
                R::rulebook(self.created.rules_version).find(id)
            }
        };
        let from = self.history_from();
        let before = match from.is_none_or(|from| seq > from) {
            true => {
                let last = usize::try_from(seq - 1).unwrap_or(usize::MAX);
                let course = Past::<R>::of(&shown[..last])?.journal.course;
                Some(Before {
                    version: seq - 1,
                    turn: TurnJson::of(&course).0,
                    view: raw(&R::view(&course.state, viewer)),
                })
            }
            false => None,
        };
        let begins = cause.map_or(seq, |(entry, _)| *entry);
        let ends = (entries.iter().map(|(entry, _)| *entry))
            .find(|entry| *entry > begins)
            .unwrap_or(u64::MAX);
        let follows = |sealed: &&&Sealed<GameEvent<R::Event>>| {
            let seq = sealed.envelope.seq;
            matches!(sealed.envelope.event, GameEvent::Game(_)) && seq > begins && seq < ends
        };
        let implies = (then.journal.in_force.iter().filter(follows))
            .map(|sealed| Implied {
                seq: sealed.envelope.seq,
                rule: rule_of(sealed),
            })
            .collect();
        Ok(Some(Finding {
            before,
            event: self.event_json(sealed),
            entry: cause.map(|(_, entry)| raw(entry)),
            entry_seq: cause.map(|(entry, _)| *entry),
            by: cause.and_then(|(_, entry)| entry.by),
            at: sealed.envelope.at,
            rule: rule_of(sealed),
            implies,
            contradicts: match from {
                Some(_) => Vec::new(),
                None => contradicting(&then, begins..ends, viewer),
            },
            confirmed_up_to: (dispute.found.as_ref()).and_then(|found| found.confirmed_up_to),
        }))
    }

    fn proposals(
        &self,
        shown: &[Sealed<GameEvent<R::Event>>],
        dispute: &Dispute,
        viewer: Viewer,
    ) -> Result<Vec<Proposal>, Unreadable> {
        let past = Past::<R>::of(shown)?;
        let mut proposals: Vec<Proposal> = Vec::new();
        for voted in &dispute.votes {
            if let Some(proposal) = (proposals.iter_mut()).find(|told| told.remedy == voted.vote) {
                proposal.seats.push(voted.seat);
                continue;
            }
            proposals.push(Proposal {
                remedy: voted.vote.clone(),
                seats: vec![voted.seat],
                preview: self.preview(&past, dispute.opened.seq, &voted.vote, viewer)?,
            });
        }
        Ok(proposals)
    }

    fn preview(
        &self,
        past: &Past<'_, R>,
        seq: u64,
        remedy: &Remedy,
        viewer: Viewer,
    ) -> Result<Option<Preview>, Unreadable> {
        let preview = |course: &Course<R>, replayed: usize, stopped: Option<ReplayStopped>| {
            let (turn, result) = TurnJson::of(course);
            Preview {
                replayed: replayed as u64,
                stopped,
                turn,
                result,
                view: raw(&R::view(&course.state, viewer)),
            }
        };
        Ok(match remedy {
            Remedy::Keep {} => Some(preview(&past.journal.course, 0, None)),
            Remedy::Rewind { to } if self.history_from().is_some_and(|from| *to < from) => None,
            // Votes of a record from elsewhere may ask for what cannot be done.
            Remedy::Rewind { to } if !past.ends_request(*to) => None,
            Remedy::Rewind { to } => {
                let correction = past.wind_back(*to)?;
                Some(preview(&correction.course, 0, None))
            }
            Remedy::Replace { entry } => {
                let entry = serde_json::from_value(entry.clone()).ok();
                let correction = entry.and_then(|entry| past.replace(seq, &entry).ok());
                correction.map(|correction| {
                    let replayed = correction.replayed();
                    preview(&correction.course, replayed, correction.stopped)
                })
            }
        })
    }

    fn event_json(&self, sealed: &Sealed<GameEvent<R::Event>>) -> Json {
        // What is shown is masked already, and its text with it.
        let text = served::<R>(sealed, Viewer::Open);
        serde_json::value::RawValue::from_string(text).expect("records serialise to JSON")
    }
}

impl<R: Ruleset> Correction<R> {
    /// How many entries it records again.
    fn replayed(&self) -> usize {
        let again = |step: &&super::correction::Again<R>| {
            step.replays.is_some() && step.step.entry.is_some()
        };
        self.steps.iter().filter(again).count()
    }
}

impl DisputeStatus {
    fn of(dispute: &Dispute) -> Self {
        match dispute.outcome {
            None => Self::Open,
            Some(Outcome::Closed(_)) => Self::Closed,
            Some(Outcome::Withdrawn) => Self::Withdrawn,
            Some(Outcome::Lapsed) => Self::Lapsed,
        }
    }
}

/// An event as a viewer is shown it, with the hash of what was recorded.
fn as_shown<R: Ruleset>(
    sealed: &Sealed<GameEvent<R::Event>>,
    viewer: Viewer,
) -> Sealed<GameEvent<R::Event>> {
    let mut shown = sealed.clone();
    if viewer != Viewer::Open && sealed.envelope.salt.is_some() {
        shown.envelope.salt = None;
        shown.envelope.event = sealed.envelope.event.masked::<R>(viewer).into_owned();
        shown.text = crate::record::canonical(&shown.envelope);
    }
    shown
}

/// The seqs of the events in force that speak of what an entry and its consequences speak of.
fn contradicting<R: Ruleset>(
    past: &Past<'_, R>,
    entry: std::ops::Range<u64>,
    viewer: Viewer,
) -> Vec<u64> {
    let of_the_game = |sealed: &&Sealed<GameEvent<R::Event>>| match &sealed.envelope.event {
        GameEvent::Game(event) => Some((sealed.envelope.seq, event.clone())),
        GameEvent::Life(_) => None,
    };
    let in_force: Vec<_> = (past.journal.in_force.iter())
        .filter_map(of_the_game)
        .collect();
    let mut names = Vec::new();
    for (_, event) in in_force.iter().filter(|(seq, _)| *seq == entry.start) {
        if let Ok(told) = serde_json::to_value(event) {
            collect_names(&told, &mut names);
        }
    }
    let mut seqs: Vec<u64> = (names.into_iter())
        .flat_map(|name| [Clue::Place(name.clone()), Clue::Card(name)])
        .flat_map(|clue| {
            let events = in_force.iter().map(|(seq, event)| (*seq, event));
            R::evidence(events, &clue, viewer)
        })
        .filter(|seq| !entry.contains(seq))
        .collect();
    seqs.sort_unstable();
    seqs.dedup();
    seqs
}

/// The names of places and cards that an event tells.
fn collect_names(told: &serde_json::Value, names: &mut Vec<String>) {
    match told {
        serde_json::Value::String(name) if !names.contains(name) => names.push(name.clone()),
        serde_json::Value::Array(items) => {
            items.iter().for_each(|item| collect_names(item, names));
        }
        serde_json::Value::Object(fields) => {
            fields
                .values()
                .for_each(|field| collect_names(field, names));
        }
        _ => {}
    }
}
