//! What follows from a move or an outcome: draws, reshuffles, the end of the turn and of the game.

use super::moves::Event;
use super::rules::Rule;
use super::state::{Phase, State};
use crate::ruleset::Effect;

/// The events of one move or outcome, and the state after them.
pub(super) struct Sequel {
    /// The state after the events so far.
    pub(super) state: State,
    effects: Vec<Effect<Event>>,
}

impl Sequel {
    /// Begins with a move, or with an outcome that no rule need be named for.
    pub(super) fn of(state: &State, fact: Event) -> Self {
        Self::begin(state, Effect::fact(fact))
    }

    /// Begins with an outcome that a rule asked for.
    pub(super) fn under(state: &State, rule: Rule, fact: Event) -> Self {
        Self::begin(state, Effect::under(rule, fact))
    }

    fn begin(state: &State, fact: Effect<Event>) -> Self {
        let mut sequel = Self {
            state: *state,
            effects: Vec::with_capacity(4),
        };
        sequel.push(fact);
        sequel
    }

    /// Goes on with a consequence.
    pub(super) fn then(&mut self, rule: Rule, event: Event) {
        self.push(Effect::under(rule, event));
    }

    /// Goes on as far as somebody must act, or chance must.
    pub(super) fn finish(mut self) -> Vec<Effect<Event>> {
        let draws = self.state.phase == Phase::TurningUp || self.state.wanted().is_some();
        if draws && self.state.pile.size == 0 && !self.state.discard.is_empty() {
            self.then(Rule::Reshuffle, Event::Reshuffled {});
        }
        if self.state.phase == Phase::Refilling && self.state.draw().is_none() {
            self.end_turn();
        }
        self.effects
    }

    /// SQ-4.2 comes before the queens are counted (SQ-6.1).
    fn end_turn(&mut self) {
        if let Some(slot) = self.state.going_back
            && let Some(queen) = self.state.at(slot).queen
        {
            self.then(Rule::CatAndDog, Event::QueenWentBack { slot, queen });
        }
        match self.state.decided() {
            Some(rule) => self.then(rule, Event::LastTurnEnded {}),
            None => {
                let seat = self.state.seat.next(self.state.seats);
                self.then(Rule::Clockwise, Event::TurnPassed { seat })
            }
        }
    }

    fn push(&mut self, effect: Effect<Event>) {
        self.state.evolve(&effect.event);
        self.effects.push(effect);
    }
}
