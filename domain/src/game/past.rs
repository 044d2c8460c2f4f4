//! A game that begins with the past of another: imported from a record, or forked.

use std::mem;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::judge::{EntryOf, Judge, Unfit, entries_of};
use super::{
    Beside, Context, Decision, Game, GameEvent, Life, NewGame, Rewound, Scribe, Source, Unreadable,
};
use crate::dealer::Dealer;
use crate::record::{Hash, Sealed};
use crate::ruleset::Ruleset;
use crate::seat::Seat;

/// Where the past of a game comes from. Told in its first event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// How many entries were taken over. Their outcomes do not follow from this game's secret.
    pub entries: u64,
    /// Whether they leave out what was hidden from whoever exported them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub masked: bool,
    /// The last hash of the record that was imported; absent where it told no events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported_from: Option<Hash>,
    /// The game that this is a fork of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forked_from: Option<Parent>,
}

/// The game that another is a fork of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Parent {
    /// Its id.
    pub game: String,
    /// The version up to which they share their past.
    pub version: u64,
}

/// Something that a past consists of.
#[derive(Clone, Debug, PartialEq)]
pub enum Act<R: Ruleset> {
    /// A seat was claimed.
    Claim(Seat),
    /// An entry.
    Entry(EntryOf<R>),
}

/// The acts of trusted events, up to a version. Where that lies amid the consequences of an entry,
/// the whole entry belongs to it.
pub(crate) fn acts_of<R: Ruleset>(
    events: &[Sealed<GameEvent<R::Event>>],
    up_to: u64,
) -> Result<Vec<Act<R>>, Unreadable> {
    let mut acts = Vec::new();
    let mut entries = entries_of::<R>(events)?.into_iter().peekable();
    for sealed in events
        .iter()
        .take_while(|sealed| sealed.envelope.seq <= up_to)
    {
        if let GameEvent::Life(Life::SeatClaimed { seat }) = sealed.envelope.event {
            acts.push(Act::Claim(seat));
        }
        if let Some((_, entry)) = entries.next_if(|(seq, _)| *seq == sealed.envelope.seq) {
            acts.push(Act::Entry(entry));
        }
    }
    Ok(acts)
}

impl<R: Ruleset> Game<R> {
    /// Creates a game with a past, and goes on from there as far as a seat must act.
    ///
    /// # Errors
    /// With the number of the act, from 0, that cannot be taken over.
    pub fn resume(
        new: NewGame<R::Options>,
        acts: &[Act<R>],
        dealer: Dealer,
        context: &mut Context,
    ) -> Result<Decision<R>, (usize, Unfit)> {
        let masked = new.origin.as_ref().is_some_and(|origin| origin.masked);
        let unfit = |refusal: super::Refusal| (0, Unfit::Illegal(refusal.violation().clone()));
        let (mut judge, begun) = Judge::begin(new.setup.clone(), masked).map_err(unfit)?;
        let game = Self::new(new, dealer).map_err(unfit)?;
        let source = game.dealer.clone();
        let mut scribe = Scribe::new(game, context);
        scribe.write_created();
        for expected in begun {
            scribe.write(
                expected.actor,
                Beside::default(),
                expected.event,
                expected.rule.map(|rule| rule.id),
            );
        }
        let mut claims = Vec::new();
        for (number, act) in acts.iter().enumerate() {
            match act {
                Act::Claim(seat) => {
                    scribe.write_claim(*seat);
                    claims.push(scribe.game.version);
                }
                Act::Entry(entry) => {
                    let expected = judge.take(&entry.deed).map_err(|unfit| (number, unfit))?;
                    let mut beside = Beside {
                        by: entry.by,
                        occurred_at: entry.occurred_at,
                    };
                    for expected in expected {
                        let event = with_claims(expected.event, &claims);
                        let rule = expected.rule.map(|rule| rule.id);
                        scribe.write(expected.actor, mem::take(&mut beside), event, rule);
                    }
                }
            }
        }
        scribe.game.course = judge.course;
        if !masked {
            let illegal = |violation| (acts.len(), Unfit::Illegal(violation));
            let source = Source::of(&source, Vec::new()).map_err(illegal)?;
            scribe.go_on(source).map_err(illegal)?;
        }
        Ok(scribe.finish())
    }
}

/// Counts the claims of seats into the version that a game was wound back to.
fn with_claims<E>(event: GameEvent<E>, claims: &[u64]) -> GameEvent<E> {
    match event {
        GameEvent::Life(Life::Rewound(Rewound { to })) => {
            let to = claims
                .iter()
                .fold(to, |to, claim| to + u64::from(*claim <= to));
            GameEvent::Life(Life::Rewound(Rewound { to }))
        }
        other => other,
    }
}
