//! A request that records: one at a time a game, answered when it is durable.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use domain::game::desk::{Json, TurnJson};
use domain::game::{Declined, DisputeReport};
use domain::ruleset::Standing;
use domain::rulesets::{AnyCommand, AnyDecision};
use domain::ruling::Violation;
use domain::seat::{By, Seat, Viewer};
use futures_util::future;
use serde::{Deserialize, Serialize};
use storage::{Commit, CommitError, StreamId, Token, TokenHash};
use utoipa::ToSchema;

use super::live::Freshness;
use super::{Live, Referee, Snapshot, append, broken, commit_problem, context, now, store_problem};
use crate::etag::Precondition;
use crate::idempotency::{Fingerprint, IdempotencyKey};
use crate::keys::Receipt;
use crate::openapi::EventSchema;
use crate::problem::Problem;

/// How often a command is judged again when another process recorded something in between.
const ATTEMPTS: usize = 5;

/// A command on its way into the record.
pub struct Submission<'a> {
    /// What is wished.
    pub command: AnyCommand,
    /// Whose token it was.
    pub by: Option<By>,
    /// When it happened, where the players said so.
    pub occurred_at: Option<DateTime<Utc>>,
    /// Who will read the answer.
    pub reader: Viewer,
    /// What the client asks of the version.
    pub condition: Precondition,
    /// The idempotency key, where there was one.
    pub keyed: Option<Keyed>,
    /// The path of the request, which a kept refusal names.
    pub path: &'a str,
    /// The token that the command gives out.
    pub token: Option<Token>,
    /// The seat whose tokens open nothing any more once it is recorded.
    pub ends_tokens_of: Option<Seat>,
    /// The dispute that the answer tells of.
    pub dispute: Option<AboutDispute>,
}

impl Submission<'_> {
    /// The tokens that open the game once this is recorded, and those that no longer do.
    fn tokens_after(&self, before: &Arc<[Token]>) -> (Arc<[Token]>, Vec<TokenHash>) {
        if self.token.is_none() && self.ends_tokens_of.is_none() {
            return (before.clone(), Vec::new());
        }
        let ends = |token: &Token| {
            let seat = self.ends_tokens_of.map(Seat::number);
            seat.is_some() && token.seat == seat
        };
        let (ended, mut after): (Vec<_>, Vec<_>) = before.iter().cloned().partition(ends);
        after.extend(self.token.clone());
        let ended = ended.into_iter().map(|token| token.hash).collect();
        (after.into(), ended)
    }
}

/// Which dispute an answer tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AboutDispute {
    /// The one that the request opens.
    Opened,
    /// This one.
    Number(u32),
}

/// An idempotency key with what tells its request from others.
#[derive(Clone, Debug)]
pub struct Keyed {
    /// Whose key it is.
    pub scope: String,
    /// The key.
    pub key: IdempotencyKey,
    /// What the request was.
    pub fingerprint: Fingerprint,
}

/// The answer to a request that records, as it is sent and kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The HTTP status: 200 or 422.
    pub status: u16,
    /// The version that it speaks of.
    pub version: u64,
    /// The body.
    pub body: String,
    /// Whether it was given before.
    pub replayed: bool,
}

/// What was recorded.
#[derive(Debug, Serialize, ToSchema)]
pub struct Recorded {
    /// The game's id.
    pub game: String,
    /// The seq of the last event.
    pub version: u64,
    /// The events, as the caller may see them.
    #[schema(value_type = Vec<EventSchema>)]
    pub events: Vec<Json>,
    /// Who must act now.
    pub turn: TurnJson,
    /// How the game ended; null while it goes on.
    pub result: Option<Standing>,
    /// Signed proof of what was recorded.
    pub receipt: Receipt,
    /// The dispute that the request was about, with what the referee finds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dispute: Option<DisputeReport>,
}

impl Referee {
    /// Judges a command on the state after all that was recorded before it, records it, and
    /// answers when it is durable.
    pub async fn submit(&self, live: &Live, submission: Submission<'_>) -> Result<Answer, Problem> {
        let mut freshness = live.writer.lock().await;
        if let Some(answer) = self.answered(live, submission.keyed.as_ref()).await? {
            return Ok(answer);
        }
        for _ in 0..ATTEMPTS {
            if *freshness == Freshness::Unknown {
                self.refresh(live).await?;
                *freshness = Freshness::Fresh;
            }
            match self.attempt(live, &submission).await {
                Ok(answer) => return Ok(answer),
                Err(Setback::Refused(problem)) => return Err(problem),
                Err(Setback::Overtaken) => *freshness = Freshness::Unknown,
                Err(Setback::Unavailable(problem)) => {
                    *freshness = Freshness::Unknown;
                    return Err(problem);
                }
            }
        }
        Err(Problem::unavailable(
            super::STORE_PAUSE,
            "overtaken again and again",
        ))
    }

    async fn attempt(&self, live: &Live, submission: &Submission<'_>) -> Result<Answer, Setback> {
        let before = live.snapshot();
        submission.condition.check(before.game.version())?;
        let mut context = context(now(), submission.by)?;
        context.occurred_at = submission.occurred_at;
        let texts = match submission.command.reads_the_record() || submission.dispute.is_some() {
            true => self.texts(live.id, before.game.version()).await?,
            false => Vec::new(),
        };
        let reader = submission.reader;
        match (before.game).decide(&submission.command, &texts, &mut context, reader) {
            Ok(decision) => {
                self.record(live, &before, texts, decision, submission)
                    .await
            }
            Err(declined) => {
                let violation = broken_rule(declined)?;
                self.refuse(live, &before, &violation, submission).await
            }
        }
    }

    async fn record(
        &self,
        live: &Live,
        before: &Snapshot,
        mut texts: Vec<String>,
        decision: AnyDecision,
        submission: &Submission<'_>,
    ) -> Result<Answer, Setback> {
        let (tokens, revoked) = submission.tokens_after(&before.tokens);
        let dispute = match submission.dispute {
            None => None,
            Some(about) => {
                texts.extend(decision.stored.iter().map(|event| event.text.clone()));
                let number = match about {
                    AboutDispute::Opened => decision.game.brief().dispute,
                    AboutDispute::Number(number) => Some(number),
                };
                let told = decision.game.disputes(&texts, submission.reader, number);
                told.map_err(Problem::internal)?.pop()
            }
        };
        let after = Arc::new(Snapshot {
            game: decision.game,
            tokens,
        });
        let version = after.game.version();
        let mut commit = Commit {
            stream: StreamId(live.id),
            expected_version: before.game.version(),
            append: Some(append(live, &after, decision.stored)),
            tokens: submission.token.iter().cloned().collect(),
            revoked,
            answer: None,
        };
        let served = decision.served;
        let answer = || {
            let (turn, result) = after.game.turn();
            let recorded = Recorded {
                game: live.id.to_string(),
                version,
                events: served,
                turn,
                result,
                receipt: self.receipt(live, &after),
                dispute,
            };
            Answer {
                status: 200,
                version,
                body: serde_json::to_string(&recorded).expect("an answer has a JSON form"),
                replayed: false,
            }
        };
        let (answer, recorded) = match &submission.keyed {
            Some(keyed) => {
                let answer = answer();
                commit.answer = Some(keyed.keep(&answer));
                (answer, self.store.commit(commit).await)
            }
            // Signed while the disk works.
            None => {
                let recorded = self.store.commit(commit);
                let (recorded, answer) = future::join(recorded, future::lazy(|_| answer())).await;
                (answer, recorded)
            }
        };
        recorded.map_err(Setback::from)?;
        live.publish(after);
        Ok(answer)
    }

    async fn refuse(
        &self,
        live: &Live,
        before: &Snapshot,
        violation: &Violation,
        submission: &Submission<'_>,
    ) -> Result<Answer, Setback> {
        let version = before.game.version();
        let evidence = self
            .evidence(live, before, violation, submission.reader)
            .await?;
        let problem = Problem::illegal_move(
            broken(violation),
            violation.detail.clone(),
            version,
            evidence,
        );
        let Some(keyed) = &submission.keyed else {
            return Err(Setback::Refused(problem));
        };
        let body = String::from_utf8_lossy(&problem.body(submission.path)).into_owned();
        let answer = Answer {
            status: 422,
            version,
            body,
            replayed: false,
        };
        let commit = Commit {
            stream: StreamId(live.id),
            expected_version: version,
            append: None,
            tokens: Vec::new(),
            revoked: Vec::new(),
            answer: Some(keyed.keep(&answer)),
        };
        self.store.commit(commit).await.map_err(Setback::from)?;
        Ok(answer)
    }

    /// The seqs of the events on record that contradict what was refused, as far as the reader can
    /// read them.
    pub async fn evidence(
        &self,
        live: &Live,
        snapshot: &Snapshot,
        violation: &Violation,
        reader: Viewer,
    ) -> Result<Vec<u64>, Problem> {
        let Some(clue) = &violation.clue else {
            return Ok(Vec::new());
        };
        if snapshot.game.history_from().is_some() {
            return Ok(Vec::new());
        }
        let texts = self.texts(live.id, snapshot.game.version()).await?;
        let viewer = snapshot.game.viewer(reader);
        live.kind
            .evidence(&texts, clue, viewer)
            .map_err(Problem::internal)
    }

    /// The answer that was given under this key, if it was given to this request.
    async fn answered(
        &self,
        live: &Live,
        keyed: Option<&Keyed>,
    ) -> Result<Option<Answer>, Problem> {
        let Some(keyed) = keyed else { return Ok(None) };
        let open_from = live.snapshot().game.history_from();
        let is_closed =
            |kept: &storage::Answer| open_from.is_some_and(|from| first_told(kept) < from);
        let kept = self
            .store
            .answer(StreamId(live.id), &keyed.scope, keyed.key.as_str())
            .await
            .map_err(store_problem)?;
        match kept {
            None => Ok(None),
            Some(kept) if kept.fingerprint == keyed.fingerprint.0 && is_closed(&kept) => {
                Err(Problem::history_closed())
            }
            Some(kept) if kept.fingerprint == keyed.fingerprint.0 => Ok(Some(Answer {
                status: kept.status,
                version: kept.version,
                body: kept.body,
                replayed: true,
            })),
            Some(_) => Err(Problem::idempotency_conflict()),
        }
    }

    async fn refresh(&self, live: &Live) -> Result<(), Problem> {
        let dealer = live.snapshot().game.dealer().clone();
        let snapshot = self.fold(live.kind, live.id, dealer).await?;
        live.publish(Arc::new(snapshot));
        Ok(())
    }
}

/// The rule that forbids a command.
///
/// # Errors
/// With what is told to the client, where no rule of play does.
pub fn broken_rule(declined: Declined) -> Result<Violation, Problem> {
    Err(match declined {
        Declined::Illegal(violation) => return Ok(violation),
        Declined::Impossible(violation) => {
            Problem::invalid_setup(broken(&violation), violation.detail)
        }
        Declined::Disputed(_) => Problem::disputed(),
        Declined::NoSuchDispute(_) => Problem::not_found(),
        Declined::DisputeOver(_) => Problem::dispute_over(),
        Declined::Misplaced { at, detail } => Problem::invalid_field(at, detail),
        Declined::NotTheirs(detail) => Problem::forbidden(detail),
        Declined::HistoryClosed => Problem::history_closed(),
        Declined::Unreadable(cause) => Problem::internal(cause),
    })
}

/// The first seq that a kept answer tells of: its first event's, or the version that a refusal was
/// judged at.
fn first_told(kept: &storage::Answer) -> u64 {
    #[derive(Deserialize)]
    struct Told {
        events: Vec<Event>,
    }
    #[derive(Deserialize)]
    struct Event {
        seq: u64,
    }
    let told = serde_json::from_str::<Told>(&kept.body).ok();
    let first = told.and_then(|told| told.events.first().map(|event| event.seq));
    first.unwrap_or(kept.version)
}

impl Keyed {
    fn keep(&self, answer: &Answer) -> storage::Answer {
        storage::Answer {
            scope: self.scope.clone(),
            key: self.key.as_str().to_owned(),
            fingerprint: self.fingerprint.0,
            status: answer.status,
            version: answer.version,
            body: answer.body.clone(),
        }
    }
}

/// Why an attempt to record came to nothing.
enum Setback {
    /// It is refused.
    Refused(Problem),
    /// Another process recorded something first.
    Overtaken,
    /// The store failed, and the write may be recorded all the same.
    Unavailable(Problem),
}

impl From<Problem> for Setback {
    fn from(problem: Problem) -> Self {
        Self::Refused(problem)
    }
}

impl From<CommitError> for Setback {
    fn from(error: CommitError) -> Self {
        match error {
            CommitError::Conflict { .. } => Self::Overtaken,
            // Only a claim gives out a token that may exist: the one that its code always gives.
            CommitError::TokenTaken(_) => {
                Self::Refused(Problem::forbidden("this seat was claimed before"))
            }
            // The seat's token was ended by another process in between.
            CommitError::NoToken(_) => Self::Overtaken,
            other => Self::Unavailable(commit_problem(other)),
        }
    }
}
