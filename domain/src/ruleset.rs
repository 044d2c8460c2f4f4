//! The contract between a game's rules and everything else.
//!
//! A ruleset is a set of functions over a state. It never calls a generator: where a shuffle, a
//! draw or a die is needed, [`Ruleset::turn`] says that chance is due and what is asked of it, and
//! [`Ruleset::resolve`] judges the answer, no matter whether a dealer or a person gave it. The same
//! state type serves a referee who knows every card, a table whose hands nobody declares, and a
//! viewer's own picture of the game, so rules must work on what is known and count the rest.
//!
//! One move goes like this: `decide` judges it and gives events; they are folded with `evolve`;
//! while `turn` says that chance is due, an outcome is taken and `resolve` gives further events.
//! The first event of a `decide` or `resolve` is the move or outcome itself; those after it are
//! its consequences and name the rule that draws them.

use std::borrow::Cow;
use std::fmt::Debug;
use std::ops::RangeInclusive;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::dealer::{Mode, Shuffler};
use crate::ruling::{Citation, Clue, Common, Rulebook, Violation};
use crate::seat::{Seat, Viewer};

/// Who must act (CM-2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn<D> {
    /// This seat.
    Seat(Seat),
    /// Chance, asked for this.
    Chance(D),
    /// Nobody: the game is over.
    Over(Ending),
}

/// The end of a game, and the rule that makes it one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// How it ended.
    pub standing: Standing,
    /// The rule that ended it; none when the host did.
    pub rule: Option<&'static Citation>,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Standing {
    /// The seats that won; several when they are level (CM-7) or play together.
    pub winners: Vec<Seat>,
    /// Points a seat, in seat order; empty for an abandoned game.
    pub scores: Vec<i64>,
    /// Why it ended, in `snake_case`.
    pub reason: Cow<'static, str>,
}

/// What a game is begun with.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup<O> {
    /// The number of seats.
    pub seats: u8,
    /// The answers to the questions that the rules leave open.
    pub options: O,
    /// The version of the rules to judge by, one of [`Ruleset::VERSIONS`].
    pub rules_version: u16,
    /// Who supplies outcomes. No rule may depend on it; a state may, to know what is dealt unseen.
    pub mode: Mode,
}

/// An event with the rule that draws it, where it is a consequence.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect<E> {
    /// What happened.
    pub event: E,
    /// The rule that made it happen.
    pub rule: Option<&'static Citation>,
}

impl<E> Effect<E> {
    /// A move or an outcome itself.
    pub fn fact(event: E) -> Self {
        Self { event, rule: None }
    }

    /// Something that follows under `rule`.
    pub fn under(rule: impl Into<&'static Citation>, event: E) -> Self {
        Self {
            event,
            rule: Some(rule.into()),
        }
    }
}

/// What brought an event about.
#[derive(Clone, Debug, PartialEq)]
pub enum Cause<M, O> {
    /// A seat's move.
    Move {
        /// Whose.
        seat: Seat,
        /// Which.
        mv: M,
    },
    /// An outcome of chance.
    Outcome(O),
}

/// What is written in JSON, kept and compared.
pub trait Wire:
    Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync + 'static
{
}

impl<T> Wire for T where
    T: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync + 'static
{
}

/// The rules of one kind of game: functions on a type without values, so the bounds of that type
/// only let what is generic over it be cloned, printed and compared.
pub trait Ruleset: Copy + Debug + PartialEq + Send + Sync + 'static {
    /// The game's id.
    const NAME: &'static str;
    /// How many may play (CM-1).
    const SEATS: RangeInclusive<u8>;
    /// The versions of the rules that can be judged by; the first is the default.
    const VERSIONS: &'static [u16] = &[1];

    /// The questions that the rules leave open. Numbers are read wider than their bounds, so that a
    /// number out of bounds is judged by a rule instead of failing to parse.
    type Options: Wire + Default;
    /// All that judging needs.
    type State: Clone + Debug + PartialEq + Send + Sync + 'static;
    /// A seat's command. Places and indices that no such game has do not parse.
    type Move: Wire;
    /// What chance produced.
    type Outcome: Wire;
    /// What chance is asked.
    type Due: Clone + Debug + PartialEq + Serialize + Send + Sync + 'static;
    /// What happened.
    type Event: Wire;
    /// A state as a viewer may see it.
    type View: Wire;

    /// The position before anything has happened. Deals, if there are any, are due from chance.
    ///
    /// # Errors
    /// When the number of seats or an option is against the rules.
    fn initial_state(setup: &Setup<Self::Options>) -> Result<Self::State, Violation>;

    /// Who must act.
    fn turn(state: &Self::State) -> Turn<Self::Due>;

    /// Judges a move by the seat whose turn it is.
    ///
    /// # Errors
    /// The first rule that a person would name: what is owed instead, then whether the thing named
    /// exists, then whether the player has it, then whether it fits.
    fn decide(
        state: &Self::State,
        seat: Seat,
        mv: &Self::Move,
    ) -> Result<Vec<Effect<Self::Event>>, Violation>;

    /// Whether an outcome is of the sort that `due` asks for. One that is not breaks CM-4 and is
    /// never given to [`Ruleset::resolve`].
    fn answers(due: &Self::Due, outcome: &Self::Outcome) -> bool;

    /// Judges an outcome that answers what is due.
    ///
    /// # Errors
    /// When it is impossible, given the box and the record (CM-5).
    fn resolve(
        state: &Self::State,
        outcome: &Self::Outcome,
    ) -> Result<Vec<Effect<Self::Event>>, Violation>;

    /// The outcome that is due, where the record settles it already (CM-5).
    fn on_record(_state: &Self::State) -> Option<Self::Outcome> {
        None
    }

    /// The outcome that is due, where a table does not see it: what is recorded instead of a
    /// declaration.
    fn face_down(_state: &Self::State) -> Option<Self::Outcome> {
        None
    }

    /// Draws the outcome that is due from what can come up. Only asked while chance is due.
    fn sample(state: &Self::State, shuffler: &mut Shuffler) -> Self::Outcome;

    /// Whether an outcome leaves out what only one seat saw. A dealer's own record never does.
    fn conceals(_outcome: &Self::Outcome) -> bool {
        false
    }

    /// Applies a fact, which may be masked. Never judges.
    fn evolve(state: &mut Self::State, event: &Self::Event);

    /// The move or outcome that an event records; none for a consequence.
    fn cause(event: &Self::Event) -> Option<Cause<Self::Move, Self::Outcome>>;

    /// Every move that `decide` accepts from the seat whose turn it is, in a fixed order. Only asked
    /// for that seat.
    fn legal_moves(state: &Self::State, seat: Seat) -> Vec<Self::Move>;

    /// The state as `viewer` may see it (CM-6).
    fn view(state: &Self::State, viewer: Viewer) -> Self::View;

    /// The event as `viewer` may see it (CM-6); borrowed when it hides nothing from that viewer.
    fn mask(event: &Self::Event, viewer: Viewer) -> Cow<'_, Self::Event>;

    /// Whether an event on record says something about `clue`.
    fn bears_on(event: &Self::Event, clue: &Clue) -> bool;

    /// The seqs of the events, given in order, that still say something about `clue` as `viewer` sees
    /// them. Rulesets in which later events make that what earlier ones showed is so no more, such as
    /// by a shuffle, give their own.
    fn evidence<'e>(
        events: impl Iterator<Item = (u64, &'e Self::Event)>,
        clue: &Clue,
        viewer: Viewer,
    ) -> Vec<u64> {
        events
            .filter(|(_, event)| Self::bears_on(&Self::mask(event, viewer), clue))
            .map(|(seq, _)| seq)
            .collect()
    }

    /// Whether the past may be read while the game runs. Where not, everything before the current
    /// turn is closed to everybody until the game is over.
    fn remembers(_state: &Self::State) -> bool {
        true
    }

    /// Drops from the state what was seen of the things that lie face down, so that what is judged on
    /// it tells nothing of them. Only asked of rulesets that may not remember.
    fn forget(_state: &mut Self::State) {}

    /// Whether a turn begins with this event. Only asked of rulesets that may not remember.
    fn begins_turn(_event: &Self::Event) -> bool {
        false
    }

    /// How much a legal move advances its player, for playouts that are not blind: 0 for none.
    fn keenness(_state: &Self::State, _mv: &Self::Move) -> u8 {
        0
    }

    /// What is served and cited under one of [`Ruleset::VERSIONS`].
    fn rulebook(version: u16) -> &'static Rulebook;
}

/// The seat that begins, as an option (CM-1). Any integer is read; [`FirstSeat::seat`] judges it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = i64, minimum = 0, maximum = 5)]
pub struct FirstSeat(pub i64);

impl FirstSeat {
    /// The seat, at a table of `seats`.
    ///
    /// # Errors
    /// CM-1 when there is no such seat.
    pub fn seat(self, seats: u8) -> Result<Seat, Violation> {
        match u8::try_from(self.0) {
            Ok(number) if number < seats => Ok(Seat::new(number)),
            _ => Err(Violation::of(
                Common::Seats,
                format!(
                    "first_seat is {}, and the seats are 0 to {}",
                    self.0,
                    seats - 1
                ),
            )),
        }
    }
}

impl Standing {
    /// The standing when the most points win and level players win together (CM-7).
    pub fn most_points(scores: Vec<i64>, reason: &'static str) -> Self {
        let most = scores.iter().max().copied().unwrap_or_default();
        let winners = Seat::all(scores.len() as u8)
            .filter(|seat| scores[seat.index()] == most)
            .collect();
        Self {
            winners,
            scores,
            reason: reason.into(),
        }
    }
}
