//! The table as everybody sees it: nothing in this game is one player's secret.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::board::Board;
use super::moves::Die;
use super::place_id::PlaceId;
use super::state::{Phase, State};
use super::tokens::{Colour, Token};
use crate::seat::Seat;

/// The table as a viewer sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = wrozka::View)]
pub struct View {
    /// Whose turn it is; the winner's when the game is over.
    pub seat: Seat,
    /// What the die shows, while the pawn is to be moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub die: Option<Die>,
    /// The place of the token that is to be turned up or left, or is being turned up (WR-3.5).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<PlaceId>,
    /// The places where tokens lie. Seen before or not, they lie face down (WR-5.2).
    pub tokens: Vec<PlaceId>,
    /// Each player's pawn and card, in seat order.
    pub seats: Vec<SeatView>,
    /// The board.
    pub board: Board,
}

/// A player's pawn and card.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = wrozka::SeatView)]
pub struct SeatView {
    /// Which player.
    pub seat: Seat,
    /// The colour of the pawn and of the card.
    pub colour: Colour,
    /// Where the pawn stands.
    pub place: PlaceId,
    /// The tokens on the card.
    pub card: Vec<Token>,
}

pub(super) fn view(state: &State) -> View {
    View {
        seat: state.seat,
        die: match state.phase {
            Phase::Moving(die) => Some(die),
            Phase::Laying | Phase::Rolling | Phase::Choosing | Phase::TurningUp | Phase::Over => {
                None
            }
        },
        token: match state.phase {
            Phase::Choosing | Phase::TurningUp => Some(state.here_id()),
            Phase::Laying | Phase::Rolling | Phase::Moving(_) | Phase::Over => None,
        },
        tokens: state
            .lying
            .iter()
            .map(|place| state.map.id(place))
            .collect(),
        seats: Seat::all(state.seats)
            .map(|seat| SeatView {
                seat,
                colour: state.colours[seat.index()],
                place: state.map.id(state.pawns[seat.index()]),
                card: state.cards[seat.index()].iter().collect(),
            })
            .collect(),
        board: state.map.board().clone(),
    }
}
