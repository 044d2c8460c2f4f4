//! Replaying a record from nothing, to see whether it holds together.

use serde::Serialize;
use utoipa::ToSchema;

use crate::dealer::Dealer;
use crate::record::{Entry, Hash, Sealed};
use crate::ruleset::Ruleset;

use super::comparison::{Comparison, Departure};
use super::fold::{created, opening};
use super::judge::Deed;
use super::{GameEvent, Status};

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
    /// It holds, except for a past that was taken over from another game.
    Imported,
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
    let replay = check_rules::<R>(&events, dealer)?;
    checks.rules = Check::Ok;
    if let (Dealer::Virtual(secret), true) = (dealer, replay.over) {
        if replay.commitment != Some(secret.commitment()) {
            return Err(failure(
                1,
                "fairness",
                "the secret is not the one committed to",
            ));
        }
        if let Some(seq) = replay.unfair_at {
            return Err(failure(
                seq,
                "fairness",
                "the secret gives another outcome here",
            ));
        }
        checks.fairness = match replay.imported {
            0 => Check::Ok,
            _ => Check::Imported,
        };
    }
    Ok(())
}

/// Checks numbers, hashes and the canonical form.
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
        if !sealed.tells_all() {
            return Err(failure(
                seq,
                "chain",
                "the text is not in canonical form, or says more than an event does",
            ));
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

struct Replayed {
    over: bool,
    commitment: Option<Hash>,
    unfair_at: Option<u64>,
    /// How many entries were taken over from another game.
    imported: u64,
}

/// Plays the entries from nothing, and compares the events that they lead to.
fn check_rules<R: Ruleset>(
    events: &[Sealed<GameEvent<R::Event>>],
    dealer: &Dealer,
) -> Result<Replayed, Failure> {
    let created =
        created::<R>(events).map_err(|unreadable| failure(1, "rules", unreadable.to_string()))?;
    let departed = |seq: u64, departure: Departure<R::Event>| match departure {
        Departure::Setup(refusal) => failure(1, "rules", refusal.to_string()),
        Departure::Unfit { unfit, .. } => failure(seq, "rules", unfit.to_string()),
        Departure::Diverged { seq, .. } => {
            failure(seq, "rules", "the rules do not lead to this event here")
        }
    };
    let masked = created.origin.as_ref().is_some_and(|origin| origin.masked);
    let opening = opening::<R>(&created).map_err(|error| failure(1, "rules", error.to_string()))?;
    let mut comparison = Comparison::<R>::begin(opening, masked, Some(events))
        .map_err(|departure| departed(1, departure))?;
    let origin = created.origin.as_ref();
    let imported = origin.map_or(0, |origin| origin.entries);
    let mut unfair_at = None;
    let mut taken = 0;
    while let Some((seq, deed)) = comparison
        .next_deed()
        .map_err(|departure| departed(0, departure))?
    {
        if let (Dealer::Virtual(secret), Deed::Play(Entry::Outcome { outcome })) = (dealer, &deed)
            && unfair_at.is_none()
            && taken >= imported
            && comparison.judge.course.drawn(secret).as_ref() != Some(outcome)
        {
            unfair_at = Some(seq);
        }
        comparison
            .take(&deed)
            .map_err(|departure| departed(seq, departure))?;
        taken += 1;
    }
    let last = events.len() as u64;
    let judge = comparison
        .finish()
        .map_err(|departure| departed(last, departure))?;
    Ok(Replayed {
        over: judge.course.status() != Status::InProgress,
        commitment: created.commitment,
        unfair_at,
        imported,
    })
}
