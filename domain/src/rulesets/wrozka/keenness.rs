//! How much a move advances its player, for playouts that are not blind.

use super::board::PlaceKind;
use super::map::Place;
use super::moves::Move;
use super::state::State;
use super::tokens::Token;

/// 0 for no progress at all.
pub(super) fn keenness(state: &State, mv: &Move) -> u8 {
    match mv {
        Move::Move { to } => state.map.find(to).map_or(0, |to| arriving(state, to)),
        Move::Reveal {} => u8::from(worth_turning_up(state, state.face(state.here()))),
        Move::Leave {} => u8::from(!worth_turning_up(state, state.face(state.here()))),
    }
}

fn arriving(state: &State, to: Place) -> u8 {
    if state.has_carriage() {
        // The nearer to the castle, the better.
        return u8::MAX.saturating_sub(state.map.from_castle(to).min(u16::from(u8::MAX)) as u8);
    }
    if !state.lying.has(to) {
        return 1 + u8::from(state.map.kind(to) == PlaceKind::Star);
    }
    match state.face(to) {
        Some(face) if state.wants(face) => 4,
        Some(_) => 1,
        None => 3,
    }
}

fn worth_turning_up(state: &State, face: Option<Token>) -> bool {
    face.is_none_or(|face| state.wants(face))
}
