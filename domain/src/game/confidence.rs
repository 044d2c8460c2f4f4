//! What seats tell the referee of their own hidden cards (CM-6).
//!
//! A seat that confided its hand has a state of its own beside the one that everybody's moves are
//! judged on: the same public facts, and that hand. Only moves sent with the seat's own token are
//! judged on it, and nothing of it shows to anybody else.

use crate::ruleset::Ruleset;
use crate::ruling::Violation;
use crate::seat::Seat;

/// The confidences in force.
#[derive(Clone, Debug, PartialEq)]
pub struct Confidences<R: Ruleset> {
    /// What each seat that confided knows.
    own: Vec<(Seat, R::State)>,
    /// All that was confided, together, as far as it fits together.
    joint: Option<Box<R::State>>,
    /// The seats whose confidences did not fit together with those of other seats before.
    contradicted: Vec<Seat>,
}

impl<R: Ruleset> Confidences<R> {
    /// Nobody confided anything.
    pub(super) fn none() -> Self {
        Self {
            own: Vec::new(),
            joint: None,
            contradicted: Vec::new(),
        }
    }

    /// Takes down a seat's cards, on the state that everybody knows.
    ///
    /// # Errors
    /// As [`Ruleset::confide`].
    pub(super) fn add(
        &mut self,
        public: &R::State,
        seat: Seat,
        cards: &[R::Held],
    ) -> Result<(), Violation> {
        let mut own = self.own_state(seat).unwrap_or(public).clone();
        R::confide(&mut own, seat, cards)?;
        self.own.retain(|(other, _)| *other != seat);
        self.own.push((seat, own));
        let joint = self.joint.get_or_insert_with(|| Box::new(public.clone()));
        let mut together = joint.as_ref().clone();
        match R::confide(&mut together, seat, cards) {
            Ok(()) => **joint = together,
            Err(_) => self.contradicted.push(seat),
        }
        Ok(())
    }

    /// The state that a seat's own moves are judged on besides, if it confided anything.
    pub(super) fn own_state(&self, seat: Seat) -> Option<&R::State> {
        let own = self.own.iter().find(|(other, _)| *other == seat);
        own.map(|(_, state)| state)
    }

    /// The seats whose confidences contradict those of others, in the order in which that showed.
    pub fn contradicted(&self) -> &[Seat] {
        &self.contradicted
    }

    /// Applies a public event.
    pub(super) fn evolve(&mut self, event: &R::Event) {
        for (_, state) in &mut self.own {
            R::evolve(state, event);
        }
        if let Some(joint) = &mut self.joint {
            R::evolve(joint, event);
        }
    }
}
