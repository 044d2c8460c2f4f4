//! The table as a viewer may see it: everything that lies open, and the viewer's own hand.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::moves::Card;
use super::piles::Building;
use super::state::State;
use crate::seat::{Seat, Viewer};

/// The table as a viewer sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = skip_bo::View)]
pub struct View {
    /// The number of the round, from 1.
    pub round: u32,
    /// The seat that began the round.
    pub starting_seat: Seat,
    /// Whose turn it is; the last player's when the game is over.
    pub seat: Seat,
    /// Whether a card was played in this turn.
    pub played: bool,
    /// How many players in a row passed without playing a card (SB-3.11).
    pub idle: u8,
    /// The building piles, place 0 to 3.
    pub building: Vec<BuildingView>,
    /// How many cards the draw pile has.
    pub draw_pile: u16,
    /// How many cards lie in completed piles.
    pub completed: u16,
    /// Each player's cards, in seat order.
    pub seats: Vec<SeatView>,
}

/// A building pile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = skip_bo::BuildingView)]
pub struct BuildingView {
    /// The cards from the bottom up.
    pub cards: Vec<Card>,
    /// The number that goes on next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<Card>,
}

/// A player's cards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = skip_bo::SeatView)]
pub struct SeatView {
    /// Which player.
    pub seat: Seat,
    /// The points of all rounds; in a team the team's.
    pub score: u32,
    /// The stock.
    pub stock: StockView,
    /// The hand.
    pub hand: HandView,
    /// The help piles, place 0 to 3, each from the bottom up.
    pub help: Vec<Vec<Card>>,
}

/// A stock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = skip_bo::StockView)]
pub struct StockView {
    /// How many cards it has.
    pub count: u8,
    /// The open top; absent when the stock is empty or its top is yet to be turned up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top: Option<Card>,
}

/// A hand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = skip_bo::HandView)]
pub struct HandView {
    /// How many cards it has.
    pub count: u8,
    /// The cards, in the order of the rulebook, where the viewer may see them and they are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cards: Option<Vec<Card>>,
}

pub(super) fn view(state: &State, viewer: Viewer) -> View {
    View {
        round: state.round,
        starting_seat: state.starting_seat,
        seat: state.seat,
        played: state.played,
        idle: state.idle,
        building: state.building.iter().map(building_view).collect(),
        draw_pile: state.unseen.pile.size,
        completed: state.completed.len(),
        seats: Seat::all(state.terms.seats)
            .map(|seat| seat_view(state, seat, viewer))
            .collect(),
    }
}

fn building_view(pile: &Building) -> BuildingView {
    BuildingView {
        cards: pile.cards().to_vec(),
        next: pile.next(),
    }
}

fn seat_view(state: &State, seat: Seat, viewer: Viewer) -> SeatView {
    let player = state.player(seat);
    let shown = viewer.sees(seat) && player.hand.unknown == 0;
    SeatView {
        seat,
        score: player.score,
        stock: StockView {
            count: player.stock.len(),
            top: player.stock.top,
        },
        hand: HandView {
            count: player.hand.len(),
            cards: shown.then(|| player.hand.known.cards().collect()),
        },
        help: player.help.to_vec(),
    }
}
