//! A game that begins with the past of another: imported from a record, or forked.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::correction::begins_request;
use super::fold::{Journal, opening};
use super::judge::{Deed, EntryOf, ExpectedOf, Judge, Unfit, entries_of};
use super::{
    Beside, Confided, Context, Decision, Game, GameEvent, Life, NewGame, Rewound, Scribe, Source,
    Unreadable,
};
use crate::dealer::{Dealer, Mode};
use crate::record::{Entry, Hash, Sealed};
use crate::ruleset::{Ruleset, Turn};
use crate::ruling::{Common, Violation};
use crate::seat::{Actor, By};

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
pub struct Act<R: Ruleset> {
    /// What was done.
    pub deed: Done<R>,
    /// Whether a request began with it.
    pub begins: bool,
}

/// What was done.
#[derive(Clone, Debug, PartialEq)]
pub enum Done<R: Ruleset> {
    /// Something that stands beside the game.
    Aside {
        /// Which.
        life: Life,
        /// Whom it speaks for.
        actor: Actor,
        /// Whose token did it.
        by: Option<By>,
    },
    /// An entry.
    Entry {
        /// Which.
        entry: EntryOf<R>,
        /// The version that a rewind went back to, where events tell it.
        to: Option<u64>,
        /// The seq of the entry that it records again, where events tell it.
        replays: Option<u64>,
    },
}

impl<R: Ruleset> Act<R> {
    /// An entry of a record that tells no events. A dealer's outcome comes with the move before it.
    pub(crate) fn told(entry: EntryOf<R>, mode: Mode) -> Self {
        let dealt =
            mode == Mode::Virtual && matches!(entry.deed, Deed::Play(Entry::Outcome { .. }));
        Self {
            deed: Done::Entry {
                entry,
                to: None,
                replays: None,
            },
            begins: !dealt,
        }
    }
}

/// The acts of trusted events, up to a version. Where that lies amid the consequences of an entry,
/// the whole entry belongs to it.
pub(crate) fn acts_of<R: Ruleset>(
    events: &[Sealed<GameEvent<R::Event>>],
    up_to: u64,
) -> Result<Vec<Act<R>>, Unreadable> {
    let mut acts = Vec::new();
    let mut entries = entries_of::<R>(events)?.into_iter().peekable();
    for (place, sealed) in events.iter().enumerate() {
        let envelope = &sealed.envelope;
        if envelope.seq > up_to {
            break;
        }
        let begins = (place.checked_sub(1))
            .is_none_or(|last| begins_request(&events[last].envelope, envelope));
        let deed = match (
            &envelope.event,
            entries.next_if(|(seq, _)| *seq == envelope.seq),
        ) {
            (GameEvent::Life(life), None) if life.is_aside() => Done::Aside {
                life: life.clone(),
                actor: envelope.actor,
                by: envelope.by,
            },
            (event, Some((_, entry))) => Done::Entry {
                entry,
                to: match event {
                    GameEvent::Life(Life::Rewound(rewound)) => Some(rewound.to),
                    GameEvent::Life(_) | GameEvent::Game(_) => None,
                },
                replays: envelope.replays,
            },
            _ => continue,
        };
        acts.push(Act { deed, begins });
    }
    Ok(acts)
}

/// Takes out of a past what seats told of their own cards, and leaves that they did.
pub(crate) fn keep_confidences<R: Ruleset>(acts: &mut [Act<R>]) {
    for act in acts {
        if let Done::Aside {
            life: Life::Confided(confided),
            ..
        } = &mut act.deed
        {
            confided.cards = None;
        }
    }
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
        let game = Self::new(new, dealer).map_err(unfit)?;
        let opening = opening::<R>(&game.created).map_err(|error| (0, unreadable(error)))?;
        let (mut judge, begun) = Judge::begin(opening, masked).map_err(unfit)?;
        let source = game.dealer.clone();
        let mut scribe = Scribe::new(game, context);
        scribe.write_created();
        scribe.write_expected(begun, Beside::default(), None);
        let mut confided = false;
        for (number, act) in acts.iter().enumerate() {
            if act.begins {
                scribe.next_request();
            }
            match &act.deed {
                Done::Aside { life, actor, by } => {
                    confided |= matches!(life, Life::Confided(Confided { cards: Some(_), .. }));
                    let beside = Beside {
                        by: *by,
                        ..Beside::default()
                    };
                    scribe.write(*actor, beside, GameEvent::Life(life.clone()), None);
                }
                Done::Entry { entry, to, replays } => {
                    let expected = judge.take(&entry.deed).map_err(|unfit| (number, unfit))?;
                    let beside = Beside {
                        by: entry.by,
                        occurred_at: entry.occurred_at,
                        replays: *replays,
                    };
                    scribe.write_expected(expected, beside, *to);
                }
            }
        }
        scribe.game.course = judge.course;
        if confided {
            let journal = Journal::of(&scribe.events);
            scribe.game.course = (journal.map_err(|error| (acts.len(), unreadable(error)))?).course;
        }
        let forked = scribe.game.created.origin.as_ref();
        if forked.is_some_and(|origin| origin.forked_from.is_some()) {
            scribe.lapse();
        }
        if !masked && matches!(scribe.game.turn(), Turn::Chance(_)) {
            let illegal = |violation| (acts.len(), Unfit::Illegal(violation));
            let source = Source::of(&source, Vec::new()).map_err(illegal)?;
            scribe.run(source).map_err(illegal)?;
        }
        Ok(scribe.finish())
    }
}

/// What was judged and written cannot be read again, which is a defect of ours.
fn unreadable(error: impl std::fmt::Display) -> Unfit {
    Unfit::Illegal(Violation::of(Common::Knowledge, error.to_string()))
}

impl<R: Ruleset> Scribe<'_, R> {
    /// Writes what an entry of the past leads to.
    fn write_expected(&mut self, expected: ExpectedOf<R>, beside: Beside, to: Option<u64>) {
        let consequence = Beside {
            replays: beside.replays,
            ..Beside::default()
        };
        let mut head = Some(beside);
        for expected in expected {
            let event = match (expected.event, to) {
                (GameEvent::Life(Life::Rewound(rewound)), Some(to)) => {
                    GameEvent::Life(Life::Rewound(Rewound { to, ..rewound }))
                }
                (event, _) => event,
            };
            let rule = expected.rule.map(|rule| rule.id);
            let beside = head.take().unwrap_or(consequence);
            self.write(expected.actor, beside, event, rule);
        }
    }
}
