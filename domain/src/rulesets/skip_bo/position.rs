//! A table's state written down.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::moves::{Card, CardCounts};
use super::piles::full_box;
use super::state::{Phase, Refill, State};
use super::view::{self, View};
use crate::cards::Bag;
use crate::seat::{Seat, Viewer};

/// A game at a table, written down so that a game can begin with it. The open cards, the completed
/// piles and the unseen cards are the box; so are the cards that can lie in a pile with those that
/// cannot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = skip_bo::Position)]
pub struct Position {
    /// What everybody sees.
    pub view: View,
    /// What the round waits for.
    pub phase: Stage,
    /// The cards of the completed piles, which are shuffled when the draw pile is used up.
    pub completed: CardCounts,
    /// The cards whose faces are not on record: as many as lie in the draw pile, face down in stocks
    /// and in hands.
    pub unseen: CardCounts,
    /// The cards that can lie face down in a stock, as far as they are unseen: before the first shuffle
    /// all that was never turned up on one, after it those of them that had not been seen (SB-6.2).
    pub in_stocks: CardCounts,
    /// All other cards of the box.
    pub not_in_stocks: CardCounts,
    /// The cards that can lie in the draw pile, as far as they are unseen: before the first shuffle the
    /// whole box, after it the cards shuffled last (SB-6.2).
    pub in_draw_pile: CardCounts,
    /// All other cards of the box.
    pub not_in_draw_pile: CardCounts,
}

/// What a round waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = skip_bo::Stage)]
pub enum Stage {
    /// The stocks' tops and the hands are dealt.
    Dealing {},
    /// The player on turn acts, once the open stocks have a top.
    Playing {},
    /// The hand of the player on turn is drawn up to five; where there is nothing to draw, the player
    /// acts without.
    Filling {
        /// Why it is drawn up.
        why: Refill,
    },
    /// Nothing: the match is over.
    RoundOver {
        /// The first member of the team that won the last round; absent when nobody did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        winner: Option<Seat>,
    },
}

impl From<Phase> for Stage {
    fn from(phase: Phase) -> Self {
        match phase {
            Phase::Dealing => Self::Dealing {},
            Phase::Playing => Self::Playing {},
            Phase::Filling(why) => Self::Filling { why },
            Phase::RoundOver(winner) => Self::RoundOver { winner },
        }
    }
}

impl From<Stage> for Phase {
    fn from(stage: Stage) -> Self {
        match stage {
            Stage::Dealing {} => Self::Dealing,
            Stage::Playing {} => Self::Playing,
            Stage::Filling { why } => Self::Filling(why),
            Stage::RoundOver { winner } => Self::RoundOver(winner),
        }
    }
}

/// Writes a state down.
pub(super) fn position(state: &State) -> Position {
    let others = |cards: &Bag<Card>| full_box().less(cards).into();
    Position {
        view: view::view(state, Viewer::Spectator),
        phase: state.phase.into(),
        completed: state.completed.into(),
        unseen: state.unseen.anywhere.into(),
        in_stocks: state.unseen.stocks.into(),
        not_in_stocks: others(&state.unseen.stocks),
        in_draw_pile: state.unseen.pile.pool.into(),
        not_in_draw_pile: others(&state.unseen.pile.pool),
    }
}
