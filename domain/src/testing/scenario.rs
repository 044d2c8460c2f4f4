//! Given-when-then over a ruleset.

use std::collections::VecDeque;

use crate::dealer::Mode;
use crate::game::Course;
use crate::ruleset::{Effect, Ruleset, Setup, Turn};
use crate::ruling::{Citation, Violation};
use crate::seat::Seat;

/// A game at a table, told move by move. Outcomes that a table does not see are recorded unasked;
/// every other outcome is declared with the move that leads to it.
///
/// A step that fails panics at the line of the test that told it.
#[derive(Clone, Debug)]
pub struct Scenario<R: Ruleset> {
    /// The state now.
    pub state: R::State,
    /// The events of the last step.
    pub last: Vec<Effect<R::Event>>,
    mode: Mode,
}

impl<R: Ruleset> Scenario<R> {
    /// A table game of `seats`, with options, up to the point where somebody must act or declare.
    #[track_caller]
    pub fn table(seats: u8, options: R::Options) -> Self {
        Self::table_under(R::VERSIONS[0], seats, options)
    }

    /// The same under a version of the rules.
    #[track_caller]
    pub fn table_under(rules_version: u16, seats: u8, options: R::Options) -> Self {
        let setup = Setup {
            seats,
            options,
            rules_version,
            mode: Mode::Table,
        };
        let state = match Course::<R>::new(&setup) {
            Ok(course) => course.state,
            Err(refusal) => panic!("the game cannot be set up: {refusal}"),
        };
        let mut scenario = Self {
            state,
            last: Vec::new(),
            mode: Mode::Table,
        };
        scenario.take([]);
        scenario
    }

    /// A game that stands so, whoever deals in it.
    pub fn standing(state: R::State, mode: Mode) -> Self {
        Self {
            state,
            last: Vec::new(),
            mode,
        }
    }

    /// A seat moves, and these outcomes are declared with it.
    #[track_caller]
    pub fn when(
        &mut self,
        seat: u8,
        mv: R::Move,
        outcomes: impl IntoIterator<Item = R::Outcome>,
    ) -> &mut Self {
        match R::turn(&self.state) {
            Turn::Seat(own) if own.number() == seat => {}
            turn => panic!("seat {seat} is not on turn, but {turn:?}"),
        }
        let effects = match R::decide(&self.state, Seat::new(seat), &mv) {
            Ok(effects) => effects,
            Err(violation) => panic!("{mv:?} is refused: {violation}"),
        };
        self.last.clear();
        self.apply(effects);
        self.take(outcomes);
        self
    }

    /// Outcomes are declared on their own.
    #[track_caller]
    pub fn declare(&mut self, outcomes: impl IntoIterator<Item = R::Outcome>) -> &mut Self {
        self.last.clear();
        self.take(outcomes);
        self
    }

    /// The seat's move is refused under this rule.
    #[track_caller]
    pub fn refused(&self, seat: u8, mv: R::Move, rule: impl Into<&'static Citation>) -> Violation {
        let rule = rule.into();
        match R::decide(&self.state, Seat::new(seat), &mv) {
            Ok(effects) => panic!("{mv:?} is accepted: {effects:?}"),
            Err(violation) => {
                assert_eq!(violation.rule.id, rule.id, "{violation}");
                violation
            }
        }
    }

    /// The outcome is refused under this rule.
    #[track_caller]
    pub fn impossible(&self, outcome: R::Outcome, rule: impl Into<&'static Citation>) -> Violation {
        let rule = rule.into();
        let Turn::Chance(due) = R::turn(&self.state) else {
            panic!("chance is not due")
        };
        assert!(
            R::answers(&due, &outcome),
            "{outcome:?} does not answer {due:?}"
        );
        match R::resolve(&self.state, &outcome) {
            Ok(effects) => panic!("{outcome:?} is accepted: {effects:?}"),
            Err(violation) => {
                assert_eq!(violation.rule.id, rule.id, "{violation}");
                violation
            }
        }
    }

    /// The last step made this event.
    #[track_caller]
    pub fn then(&self, event: &R::Event) -> &Self {
        let found = self.last.iter().any(|effect| effect.event == *event);
        assert!(found, "{event:?} is not among {:?}", self.last);
        self
    }

    /// The last step made an event under this rule.
    #[track_caller]
    pub fn shows(&self, rule: impl Into<&'static Citation>) -> &Self {
        let rule = rule.into();
        let found = self.last.iter().any(|effect| effect.rule == Some(rule));
        assert!(found, "{} is not among {:?}", rule.id, self.last);
        self
    }

    /// It is this seat's turn.
    #[track_caller]
    pub fn turn_is(&self, seat: u8) -> &Self {
        assert_eq!(R::turn(&self.state), Turn::Seat(Seat::new(seat)));
        self
    }

    #[track_caller]
    fn take(&mut self, outcomes: impl IntoIterator<Item = R::Outcome>) {
        let mut given: VecDeque<R::Outcome> = outcomes.into_iter().collect();
        while let Turn::Chance(due) = R::turn(&self.state) {
            let unasked = R::on_record(&self.state).or_else(|| match self.mode {
                Mode::Table => R::face_down(&self.state),
                Mode::Virtual => None,
            });
            let Some(outcome) = unasked.or_else(|| given.pop_front()) else {
                break;
            };
            assert!(
                R::answers(&due, &outcome),
                "{outcome:?} does not answer {due:?}"
            );
            match R::resolve(&self.state, &outcome) {
                Ok(effects) => self.apply(effects),
                Err(violation) => panic!("{outcome:?} is refused: {violation}"),
            }
        }
        assert!(
            given.is_empty(),
            "{given:?} is not awaited, but {:?}",
            R::turn(&self.state)
        );
    }

    fn apply(&mut self, effects: Vec<Effect<R::Event>>) {
        for effect in &effects {
            R::evolve(&mut self.state, &effect.event);
        }
        self.last.extend(effects);
    }
}
