//! The table as a viewer sees it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::moves::{BonusCard, Card, Robber};
use super::state::{Phase, Princess, State};
use crate::seat::{Seat, Viewer};

/// The table as a viewer sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = sagoleken::View)]
pub struct View {
    /// Who leads the round.
    pub leader: Seat,
    /// The cards in the round, in the order in which they were played.
    pub round: Vec<PlayedView>,
    /// Who has made a manoeuvre in this round instead of playing a card.
    pub sat_out: Vec<Seat>,
    /// How many cards lie in the draw pile.
    pub draw_pile: u8,
    /// How many cards lie in the bonus pile.
    pub bonus_pile: u8,
    /// What each player has, in seat order.
    pub seats: Vec<SeatView>,
}

/// A card in the round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = sagoleken::PlayedView)]
pub struct PlayedView {
    /// Who played it.
    pub seat: Seat,
    /// Which.
    pub card: Card,
}

/// What a player has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = sagoleken::SeatView)]
pub struct SeatView {
    /// Which player.
    pub seat: Seat,
    /// The hand.
    pub hand: HandView,
    /// The bonus cards held face down.
    pub held: HeldView,
    /// The princess before the player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub princess: Option<PrincessView>,
    /// How many kingdoms the player has.
    pub kingdoms: u8,
}

/// A hand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = sagoleken::HandView)]
pub struct HandView {
    /// How many cards it holds.
    pub count: u8,
    /// The cards, weakest first, where the viewer may know them and they are on record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cards: Option<Vec<Card>>,
}

/// Bonus cards held face down.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = sagoleken::HeldView)]
pub struct HeldView {
    /// How many there are.
    pub count: u8,
    /// The cards, where the viewer may know them and they are on record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cards: Option<Vec<BonusCard>>,
}

/// A princess before a player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = sagoleken::PrincessView)]
pub struct PrincessView {
    /// The card that lies on her, when she was robbed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub robbed_with: Option<Robber>,
    /// Whether she was robbed in this round, and so cannot be secured in it (SL-5.6).
    pub robbed_this_round: bool,
}

pub(super) fn view(state: &State, viewer: Viewer) -> View {
    let plays = |seat: &Seat| state.round.iter().any(|played| played.seat == *seat);
    View {
        leader: state.leader,
        round: state
            .round
            .iter()
            .map(|played| PlayedView {
                seat: played.seat,
                card: played.card,
            })
            .collect(),
        sat_out: state
            .leader
            .round(state.seats)
            .take(usize::from(state.moved))
            .filter(|seat| !plays(seat))
            .collect(),
        draw_pile: state.draw_pile.size(),
        bonus_pile: state.bonus_pile.size(),
        seats: Seat::all(state.seats)
            .map(|seat| seat_view(state, seat, viewer))
            .collect(),
    }
}

fn seat_view(state: &State, seat: Seat, viewer: Viewer) -> SeatView {
    let hand = state.hand(seat);
    let laid_open = match state.phase {
        Phase::FinalHands(next) => seat < next,
        Phase::Over => true,
        _ => false,
    };
    SeatView {
        seat,
        hand: HandView {
            count: hand.len(),
            cards: (hand.unknown == 0 && (laid_open || viewer.sees(seat)))
                .then(|| hand.known.cards().collect()),
        },
        held: HeldView {
            count: state.holdings.counts[seat.index()],
            cards: state
                .holdings
                .known(seat)
                .filter(|_| viewer.sees(seat))
                .map(|held| held.cards().collect()),
        },
        princess: state.princess(seat).map(|princess| match princess {
            Princess::Lone => PrincessView {
                robbed_with: None,
                robbed_this_round: false,
            },
            Princess::Robbed { by, this_round } => PrincessView {
                robbed_with: Some(by),
                robbed_this_round: this_round,
            },
        }),
        kingdoms: state.kingdoms[seat.index()],
    }
}
