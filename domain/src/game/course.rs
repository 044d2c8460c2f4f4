//! A game as the rules see it: no clock, no hashes, no tokens.

use std::collections::VecDeque;

use crate::dealer::{Dealer, Mode, Secret};
use crate::record::{Entry, EntryDigest};
use crate::ruleset::{Cause, Effect, Ending, Opening, Ruleset, Setup, Standing, Turn};
use crate::ruling::{Citation, Common, Violation};
use crate::seat::{Seat, Viewer};

use super::command::Refusal;
use super::confidence::Confidences;

/// Whether a game goes on.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, utoipa::ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Somebody must act.
    InProgress,
    /// The rules ended it.
    Over,
    /// The host ended it.
    Abandoned,
}

/// The state of a game with what is counted beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Course<R: Ruleset> {
    /// The state that the rules judge by.
    pub state: R::State,
    /// The number of seats.
    pub seats: u8,
    /// Whether the host ended it.
    pub abandoned: bool,
    /// How many entries are in force.
    pub entries: u64,
    /// How many of them are outcomes.
    pub outcomes: u64,
    /// The digest of the entries in force.
    pub digest: EntryDigest,
    /// What seats told of their own hidden cards.
    pub confidences: Confidences<R>,
}

/// One move or outcome with what follows from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Step<R: Ruleset> {
    /// What goes into the record's entries; nothing for what the record settles and for what a
    /// table does not see.
    pub entry: Option<Entry<R::Move, R::Outcome>>,
    /// The events: the fact, then its consequences.
    pub effects: Vec<Effect<R::Event>>,
}

/// Where outcomes come from in one run.
pub enum Source<'d, R: Ruleset> {
    /// The dealer draws them.
    Drawn(&'d Secret),
    /// The table declared these, and leaves the rest awaited.
    Declared(VecDeque<R::Outcome>),
}

impl<'d, R: Ruleset> Source<'d, R> {
    /// The source for a game of this dealer, with the outcomes given.
    ///
    /// # Errors
    /// CM-4 when outcomes are given to a virtual game.
    pub fn of(dealer: &'d Dealer, given: Vec<R::Outcome>) -> Result<Self, Violation> {
        match dealer {
            Dealer::Virtual(_) if !given.is_empty() => Err(Violation::of(
                Common::Chance,
                "the referee deals in a virtual game; players declare nothing",
            )),
            Dealer::Virtual(secret) => Ok(Self::Drawn(secret)),
            Dealer::Table => Ok(Self::Declared(given.into())),
        }
    }

    /// Makes sure that nothing was given beyond what was asked (CM-4).
    ///
    /// # Errors
    /// CM-4 when an outcome is left.
    pub fn exhausted(&self, course: &Course<R>) -> Result<(), Violation> {
        match self {
            Self::Declared(rest) if !rest.is_empty() => Err(unasked_for(&course.turn())),
            Self::Drawn(_) | Self::Declared(_) => Ok(()),
        }
    }
}

fn unasked_for<D>(turn: &Turn<D>) -> Violation {
    match turn {
        Turn::Seat(seat) => Violation::of(
            Common::Chance,
            format!("no outcome is awaited now: seat {seat} is to move"),
        ),
        Turn::Chance(_) => Violation::of(Common::Chance, "another outcome is awaited now"),
        Turn::Over(_) => Violation::of(Common::Chance, "no outcome is awaited: the game is over"),
    }
}

impl<R: Ruleset> Course<R> {
    /// The game before anything has happened.
    ///
    /// # Errors
    /// When the number of seats or an option is against the rules.
    pub fn new(setup: &Setup<R::Options>) -> Result<Self, Refusal> {
        Self::begin(&Opening::fresh(setup.clone()))
    }

    /// The game before anything has happened, from whatever position it begins with.
    ///
    /// # Errors
    /// As [`Opening::state`].
    pub fn begin(opening: &Opening<R>) -> Result<Self, Refusal> {
        Ok(Self {
            state: opening.state().map_err(Refusal::Setup)?,
            seats: opening.setup.seats,
            abandoned: false,
            entries: 0,
            outcomes: 0,
            digest: EntryDigest::START,
            confidences: Confidences::none(),
        })
    }

    /// Who must act.
    pub fn turn(&self) -> Turn<R::Due> {
        if self.abandoned {
            let standing = Standing {
                winners: Vec::new(),
                scores: Vec::new(),
                reason: "abandoned".into(),
            };
            return Turn::Over(Ending {
                standing,
                rule: None,
            });
        }
        R::turn(&self.state)
    }

    /// Whether the game goes on.
    pub fn status(&self) -> Status {
        match self.turn() {
            _ if self.abandoned => Status::Abandoned,
            Turn::Over(_) => Status::Over,
            Turn::Seat(_) | Turn::Chance(_) => Status::InProgress,
        }
    }

    /// The viewer that a reader is: what is hidden is open once the game is over.
    pub fn viewer(&self, reader: Viewer) -> Viewer {
        match self.status() {
            Status::InProgress => reader,
            Status::Over | Status::Abandoned => Viewer::Open,
        }
    }

    /// The state as a reader may see it.
    pub fn view(&self, reader: Viewer) -> R::View {
        R::view(&self.state, self.viewer(reader))
    }

    /// Makes sure that the game goes on.
    ///
    /// # Errors
    /// CM-3 when it is over.
    pub fn expect_running(&self) -> Result<(), Violation> {
        match self.turn() {
            Turn::Over(_) => Err(Violation::of(Common::Over, "the game is over")),
            Turn::Seat(_) | Turn::Chance(_) => Ok(()),
        }
    }

    /// Judges a move: CM-3, CM-4, CM-2, then the game's own rules.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub fn decide(&self, seat: Seat, mv: &R::Move) -> Result<Step<R>, Violation> {
        match self.turn() {
            Turn::Over(_) => Err(Violation::of(Common::Over, "the game is over")),
            Turn::Chance(_) => Err(Violation::of(
                Common::Chance,
                "an outcome of chance is awaited before anybody may move",
            )),
            Turn::Seat(other) if other != seat => Err(Violation::of(
                Common::Turn,
                format!("seat {other} is to act, not seat {seat}"),
            )),
            Turn::Seat(_) => Ok(Step {
                effects: R::decide(&self.state, seat, mv)?,
                entry: Some(Entry::Move {
                    seat,
                    mv: mv.clone(),
                }),
            }),
        }
    }

    /// Makes sure that an outcome is awaited.
    ///
    /// # Errors
    /// CM-3 when the game is over; CM-4 when a seat is to move.
    pub fn expect_chance(&self) -> Result<(), Violation> {
        self.expect_running()?;
        match self.turn() {
            Turn::Chance(_) => Ok(()),
            turn => Err(unasked_for(&turn)),
        }
    }

    /// Makes sure that the outcomes given from here on are refused by nothing but what is on record,
    /// where the past is closed to the players. Otherwise a request that is refused in any case would
    /// tell, by what it is refused for, whether the face given with it was the one on record.
    ///
    /// # Errors
    /// As [`Self::next_outcome`] and [`Source::exhausted`], for whoever remembers nothing.
    pub fn expect_plausible(&self, source: &Source<'_, R>) -> Result<(), Violation> {
        let Source::Declared(given) = source else {
            return Ok(());
        };
        if given.is_empty() || R::remembers(&self.state) {
            return Ok(());
        }
        let mut source = Source::Declared(given.clone());
        let mut course = self.clone();
        R::forget(&mut course.state);
        while let Some(step) = course.next_outcome(&mut source)? {
            course.apply(step);
        }
        source.exhausted(&course)
    }

    /// The next outcome from `source`, judged; none when chance is not due, or when the table has
    /// yet to declare it.
    ///
    /// # Errors
    /// CM-4 when a given outcome is not what is asked; CM-5 or the game's own rule when it is
    /// impossible.
    pub fn next_outcome(&self, source: &mut Source<'_, R>) -> Result<Option<Step<R>>, Violation> {
        let Turn::Chance(due) = self.turn() else {
            return Ok(None);
        };
        let recorded = R::on_record(&self.state);
        match source {
            Source::Drawn(secret) => {
                if let Some(outcome) = recorded {
                    return self.unasked(&outcome).map(Some);
                }
                self.drawn(secret)
                    .map(|outcome| self.resolve(outcome))
                    .transpose()
            }
            Source::Declared(given) => {
                if let Some(outcome) = recorded {
                    if given.front().is_some_and(|first| R::answers(&due, first))
                        && let Some(first) = given.pop_front()
                    {
                        R::resolve(&self.state, &first)?;
                    }
                    return self.unasked(&outcome).map(Some);
                }
                if let Some(outcome) = R::face_down(&self.state) {
                    return self.unasked(&outcome).map(Some);
                }
                match given.pop_front() {
                    Some(outcome) if R::answers(&due, &outcome) => self.resolve(outcome).map(Some),
                    Some(_) => Err(unasked_for(&Turn::Chance(due))),
                    None => Ok(None),
                }
            }
        }
    }

    /// The outcome that a dealer with this secret draws now; none while chance is not due.
    pub fn drawn(&self, secret: &Secret) -> Option<R::Outcome> {
        let Turn::Chance(_) = self.turn() else {
            return None;
        };
        let mut shuffler = secret.shuffler(self.outcomes, &self.digest);
        Some(R::sample(&self.state, &mut shuffler))
    }

    /// The outcome that is due and that nobody is asked for: on record, or not seen by a table.
    pub fn unasked_outcome(&self, mode: Mode) -> Option<R::Outcome> {
        match (self.turn(), mode) {
            (Turn::Chance(_), Mode::Virtual) => R::on_record(&self.state),
            (Turn::Chance(_), Mode::Table) => {
                R::on_record(&self.state).or_else(|| R::face_down(&self.state))
            }
            (Turn::Seat(_) | Turn::Over(_), _) => None,
        }
    }

    /// The step of the outcome that is due and that nobody is asked for.
    ///
    /// # Errors
    /// As [`Self::resolve`]; what nobody is asked for is always possible.
    pub(super) fn unasked_step(&self, mode: Mode) -> Result<Option<Step<R>>, Violation> {
        let outcome = self.unasked_outcome(mode);
        outcome.map(|outcome| self.unasked(&outcome)).transpose()
    }

    fn unasked(&self, outcome: &R::Outcome) -> Result<Step<R>, Violation> {
        Ok(Step {
            effects: R::resolve(&self.state, outcome)?,
            entry: None,
        })
    }

    /// Judges an outcome that answers what is due.
    ///
    /// # Errors
    /// The rule by which it is impossible.
    pub fn resolve(&self, outcome: R::Outcome) -> Result<Step<R>, Violation> {
        Ok(Step {
            effects: R::resolve(&self.state, &outcome)?,
            entry: Some(Entry::Outcome { outcome }),
        })
    }

    /// What follows from a cause on record.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub fn follow(&self, cause: Cause<R::Move, R::Outcome>) -> Result<Step<R>, Violation> {
        match cause {
            Cause::Move { seat, mv } => self.decide(seat, &mv),
            Cause::Outcome(outcome) => {
                self.expect_running()?;
                match self.turn() {
                    Turn::Chance(due) if R::answers(&due, &outcome) => self.resolve(outcome),
                    turn => Err(unasked_for(&turn)),
                }
            }
        }
    }

    /// The moves of a seat that `decide` accepts; none when it is not that seat's turn.
    pub fn legal_moves(&self, seat: Seat) -> Vec<R::Move> {
        match self.turn() {
            Turn::Seat(own) if own == seat => R::legal_moves(&self.state, seat),
            Turn::Seat(_) | Turn::Chance(_) | Turn::Over(_) => Vec::new(),
        }
    }

    /// Counts an entry that goes into force.
    pub fn count(&mut self, entry: Option<&Entry<R::Move, R::Outcome>>) {
        if let Some(entry) = entry {
            self.entries += 1;
            self.outcomes += u64::from(matches!(entry, Entry::Outcome { .. }));
            self.digest = self.digest.with(entry);
        }
    }

    /// Applies an event.
    pub fn evolve(&mut self, event: &R::Event) {
        R::evolve(&mut self.state, event);
        self.confidences.evolve(event);
    }

    /// Takes down what a seat tells of its own hidden cards.
    ///
    /// # Errors
    /// When the seat cannot hold them, by what everybody knows and what it said before.
    pub fn confide(&mut self, seat: Seat, cards: &[R::Held]) -> Result<(), Violation> {
        self.confidences.add(&self.state, seat, cards)
    }

    /// Judges a move that is legal by what everybody knows by what its seat confided besides. Asked only
    /// for whoever holds the seat's own token: to anybody else the answer would tell of the hand.
    ///
    /// # Errors
    /// The rule that forbids it to who holds these cards.
    pub fn expect_honest(&self, seat: Seat, mv: &R::Move) -> Result<(), Violation> {
        let Some(own) = self.confidences.own_state(seat) else {
            return Ok(());
        };
        match R::decide(own, seat, mv) {
            Err(violation) if self.binds(own, seat) => Err(violation),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// Whether what a seat confided leaves it a legal move. Who could do nothing at all holds other
    /// cards by now, as others showed; that binds nobody.
    fn binds(&self, own: &R::State, seat: Seat) -> bool {
        let moves = self.legal_moves(seat);
        moves.iter().any(|mv| R::decide(own, seat, mv).is_ok())
    }

    /// The legal moves of a seat, for whoever holds its token: less those that what it confided
    /// forbids.
    pub fn honest_moves(&self, seat: Seat) -> Vec<R::Move> {
        let mut moves = self.legal_moves(seat);
        if let Some(own) = self.confidences.own_state(seat)
            && self.binds(own, seat)
        {
            moves.retain(|mv| R::decide(own, seat, mv).is_ok());
        }
        moves
    }

    /// Judges a move that stood although the rules forbid it, and gives the rule that it breaks.
    ///
    /// # Errors
    /// CM-3 when the game was abandoned; CM-5 when the rules allow the move.
    pub fn irregular(&self, seat: Seat, mv: &R::Move) -> Result<&'static Citation, Violation> {
        if self.abandoned {
            return Err(Violation::of(Common::Over, "the game was abandoned"));
        }
        match self.decide(seat, mv) {
            Err(violation) => Ok(violation.rule),
            Ok(_) => Err(Violation::of(
                Common::Knowledge,
                "the rules allow this move, so nothing had to be let pass",
            )),
        }
    }

    /// Goes on from a position that the table played on from.
    pub fn stand(&mut self, state: R::State) {
        self.state = state;
        // Nobody deals at a table, so no outcome follows from the digest.
        self.entries += 1;
        self.confidences = Confidences::none();
    }
}
