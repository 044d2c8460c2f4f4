//! The table as everybody sees it: nothing in this game is one player's secret.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::moves::{Slot, Tile};
use super::state::{Phase, Place, State};
use crate::cards::Bag;
use crate::seat::Seat;

/// The table as a viewer sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = schatz_der_drachen::View)]
pub struct View {
    /// Whose turn it is; the last player's when the game is over.
    pub seat: Seat,
    /// The places of the square, row by row.
    pub square: Vec<PlaceView>,
    /// The places opened in this turn, in order.
    pub opened: Vec<Slot>,
    /// The place of the spider that may be moved (SD-3.4).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spider: Option<Slot>,
    /// Each player's tiles, in seat order.
    pub seats: Vec<SeatView>,
}

/// A place of the square.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = schatz_der_drachen::PlaceView)]
pub struct PlaceView {
    /// Which.
    pub slot: Slot,
    /// What lies there.
    pub lies: Lies,
    /// The face of an open tile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tile: Option<Tile>,
}

/// How a tile lies. Seen before or not, face down is face down (SD-6.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = schatz_der_drachen::Lies)]
pub enum Lies {
    /// No tile lies there.
    Empty,
    /// Face down.
    FaceDown,
    /// Face up.
    Open,
}

/// A player's tiles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = schatz_der_drachen::SeatView)]
pub struct SeatView {
    /// Which player.
    pub seat: Seat,
    /// How many tiles the player has.
    pub score: u16,
    /// The tiles, by face.
    pub tiles: Vec<TileCount>,
}

/// So many tiles of one face.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = schatz_der_drachen::TileCount)]
pub struct TileCount {
    /// The face.
    pub tile: Tile,
    /// How many.
    pub count: u8,
}

pub(super) fn view(state: &State) -> View {
    View {
        seat: state.seat,
        square: Slot::all()
            .map(|slot| place_view(slot, state.at(slot)))
            .collect(),
        opened: state.opened.clone(),
        spider: match state.phase {
            Phase::Spider(slot) => Some(slot),
            Phase::Choosing | Phase::Turning(_) | Phase::Over => None,
        },
        seats: Seat::all(state.seats)
            .map(|seat| seat_view(seat, &state.taken[seat.index()]))
            .collect(),
    }
}

fn place_view(slot: Slot, place: Place) -> PlaceView {
    let (lies, tile) = match place {
        Place::Empty => (Lies::Empty, None),
        Place::Down(_) => (Lies::FaceDown, None),
        Place::Open(tile) => (Lies::Open, Some(tile)),
    };
    PlaceView { slot, lies, tile }
}

fn seat_view(seat: Seat, taken: &Bag<Tile>) -> SeatView {
    let tiles = taken
        .kinds()
        .map(|(tile, count)| TileCount { tile, count })
        .collect();
    SeatView {
        seat,
        score: taken.len(),
        tiles,
    }
}
