//! A table's state as a position, and back.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Event, Options, State, View};
use crate::ruleset::Setup;
use crate::ruling::{Citation, Violation};
use crate::seat::Seat;

/// A game at a table, written down.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = sleeping_queens::Position)]
pub struct Position {
    /// What everybody sees.
    pub view: View,
}

/// The state as a position.
pub fn position(_state: &State) -> Position {
    unimplemented!()
}

/// The state that a position describes.
pub fn place(_setup: &Setup<Options>, _position: &Position) -> Result<State, Violation> {
    unimplemented!()
}

/// Takes down a seat's own cards.
pub fn confide(_state: &mut State, _seat: Seat, _cards: &[super::Card]) -> Result<(), Violation> {
    unimplemented!()
}

/// The rule by which an event was possible.
pub fn permitted_by(_event: &Event) -> &'static Citation {
    unimplemented!()
}

/// Whether an event shows what was hidden.
pub fn reveals(_event: &Event) -> bool {
    unimplemented!()
}
