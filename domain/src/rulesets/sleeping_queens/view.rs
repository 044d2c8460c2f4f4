//! The table as a viewer sees it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::cards::{Card, Queen, Slot};
use super::moves::Attack;
use super::state::{Phase, State};
use crate::seat::{Seat, Viewer};

/// The table as a viewer sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = sleeping_queens::View)]
pub struct View {
    /// Whose turn it is; the last player's when the game is over.
    pub seat: Seat,
    /// What somebody must do before the turn goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owed: Option<Owed>,
    /// The places in which a queen sleeps. Seen before or not, she is not shown (CM-6).
    pub sleeping: Vec<Slot>,
    /// The queen who goes back to sleep when the turn ends (SQ-4.2).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub going_back: Option<Queen>,
    /// How many cards the draw pile has.
    pub draw_pile: u16,
    /// The discard pile.
    pub discard_pile: DiscardView,
    /// The players, in seat order.
    pub seats: Vec<SeatView>,
}

/// What somebody must do before the turn goes on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[schema(as = sleeping_queens::Owed)]
pub enum Owed {
    /// Wake a queen (SQ-3.4, SQ-4.1).
    Wake {
        /// Who.
        seat: Seat,
    },
    /// Answer an attack (SQ-5.1).
    Answer {
        /// Who.
        seat: Seat,
        /// The attack.
        attack: Attack,
        /// On which queen.
        queen: Queen,
    },
}

/// The discard pile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = sleeping_queens::DiscardView)]
pub struct DiscardView {
    /// How many cards it has.
    pub count: u16,
    /// The card on top.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top: Option<Card>,
}

/// What a player has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = sleeping_queens::SeatView)]
pub struct SeatView {
    /// Which player.
    pub seat: Seat,
    /// The open queens, in the order of the rulebook.
    pub queens: Vec<QueenView>,
    /// What they count together.
    pub points: u8,
    /// The hand.
    pub hand: HandView,
}

/// An open queen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = sleeping_queens::QueenView)]
pub struct QueenView {
    /// Who she is.
    pub queen: Queen,
    /// The place that she was woken from, and falls asleep in (SQ-3.3).
    pub slot: Slot,
    /// What she counts.
    pub points: u8,
}

/// A hand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = sleeping_queens::HandView)]
pub struct HandView {
    /// How many cards it has.
    pub count: u8,
    /// To its owner, those of its cards that the referee knows: all in a virtual game, at a table
    /// what a jester brought. In the order of the rulebook.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cards: Option<Vec<Card>>,
}

pub(super) fn view(state: &State, viewer: Viewer) -> View {
    View {
        seat: state.seat,
        owed: owed(state.phase),
        sleeping: state.sleeping().collect(),
        going_back: state.going_back.and_then(|slot| state.at(slot).queen),
        draw_pile: state.pile.size,
        discard_pile: DiscardView {
            count: state.discard.len(),
            top: state.top,
        },
        seats: Seat::all(state.seats)
            .zip(state.tallies())
            .map(|(seat, tally)| SeatView {
                seat,
                queens: queens(state, seat),
                points: tally.points,
                hand: HandView {
                    count: state.hand(seat).len(),
                    cards: viewer
                        .sees(seat)
                        .then(|| state.hand(seat).known.cards().collect()),
                },
            })
            .collect(),
    }
}

fn owed(phase: Phase) -> Option<Owed> {
    match phase {
        Phase::Choosing(seat, _) => Some(Owed::Wake { seat }),
        Phase::Answering(seat, attack, queen) => Some(Owed::Answer {
            seat,
            attack,
            queen,
        }),
        Phase::Dealing(_)
        | Phase::Acting
        | Phase::TurningUp
        | Phase::Uncovering(..)
        | Phase::Replacing(_)
        | Phase::Refilling
        | Phase::Over => None,
    }
}

fn queens(state: &State, seat: Seat) -> Vec<QueenView> {
    let mut queens: Vec<QueenView> = Slot::all()
        .filter(|slot| state.at(*slot).holder == Some(seat))
        .filter_map(|slot| {
            let queen = state.at(slot).queen?;
            let points = queen.points();
            Some(QueenView {
                queen,
                slot,
                points,
            })
        })
        .collect();
    queens.sort_unstable_by_key(|open| open.queen);
    queens
}
