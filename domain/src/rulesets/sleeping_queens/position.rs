//! A table's state written down.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::cards::{Queen, Slot};
use super::moves::{Attack, CardCounts, QueenCounts};
use super::state::{Phase, State, Waking};
use super::view::{self, View};
use crate::cards::Bag;
use crate::seat::{Seat, Viewer};

/// A game at a table, written down so that a game can begin with it. The discard pile, the cards seen
/// going into hands and the unseen cards are the box; so are the cards that can lie in the draw pile
/// with those that cannot. Open queens, sleeping ones on record and unseen ones are all twelve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = sleeping_queens::Position)]
pub struct Position {
    /// What everybody sees.
    pub view: View,
    /// What the game waits for.
    pub phase: Stage,
    /// The place to which a queen goes back when the turn ends (SQ-4.2).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goes_back_to: Option<Slot>,
    /// The player who let the latest attack happen, which nobody can answer any more (SQ-5.4).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub let_happen: Option<Seat>,
    /// The sleeping queens who have been seen before, in the order of their places (SQ-7.2).
    pub asleep: Vec<Sleeper>,
    /// The queens who have never been seen, each counted once; they sleep in the other places.
    pub unseen_queens: QueenCounts,
    /// In seat order, the cards that everybody saw going into a hand and that are still there
    /// (SQ-7.1).
    pub seen_in_hands: Vec<CardCounts>,
    /// The cards of the discard pile below the one on top.
    pub below_top: CardCounts,
    /// The cards of which nobody saw where they went: as many as lie in the draw pile and in hands.
    pub unseen: CardCounts,
    /// The cards that can lie in the draw pile, as far as they are unseen: those that went into it and
    /// were not turned up.
    pub in_draw_pile: CardCounts,
    /// All other cards of the box.
    pub not_in_draw_pile: CardCounts,
}

/// A sleeping queen who has been seen before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = sleeping_queens::Sleeper)]
pub struct Sleeper {
    /// Where she lies.
    pub slot: Slot,
    /// Who she is.
    pub queen: Queen,
}

/// What a game waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = sleeping_queens::Stage)]
pub enum Stage {
    /// The first hand of a player, dealt seat by seat.
    Dealing {
        /// Whose.
        seat: Seat,
    },
    /// The player on turn acts.
    Acting {},
    /// The card that a jester turns up.
    TurningUp {},
    /// A player names a place.
    Choosing {
        /// Who.
        seat: Seat,
        /// What lets the player wake a queen.
        why: Waking,
    },
    /// The face of a queen who is being woken.
    Uncovering {
        /// Who wakes her.
        seat: Seat,
        /// Where she lies.
        slot: Slot,
        /// What lets the player wake her.
        why: Waking,
    },
    /// A player answers an attack.
    Answering {
        /// Who.
        seat: Seat,
        /// The attack.
        attack: Attack,
        /// On which queen.
        queen: Queen,
    },
    /// A player who has defended draws a card.
    Replacing {
        /// Who.
        seat: Seat,
    },
    /// The player on turn, whose action is done, draws up to five.
    Refilling {},
    /// Nothing: the game is over.
    Over {},
}

impl From<Phase> for Stage {
    fn from(phase: Phase) -> Self {
        match phase {
            Phase::Dealing(seat) => Self::Dealing { seat },
            Phase::Acting => Self::Acting {},
            Phase::TurningUp => Self::TurningUp {},
            Phase::Choosing(seat, why) => Self::Choosing { seat, why },
            Phase::Uncovering(seat, slot, why) => Self::Uncovering { seat, slot, why },
            Phase::Answering(seat, attack, queen) => Self::Answering {
                seat,
                attack,
                queen,
            },
            Phase::Replacing(seat) => Self::Replacing { seat },
            Phase::Refilling => Self::Refilling {},
            Phase::Over => Self::Over {},
        }
    }
}

impl From<Stage> for Phase {
    fn from(stage: Stage) -> Self {
        match stage {
            Stage::Dealing { seat } => Self::Dealing(seat),
            Stage::Acting {} => Self::Acting,
            Stage::TurningUp {} => Self::TurningUp,
            Stage::Choosing { seat, why } => Self::Choosing(seat, why),
            Stage::Uncovering { seat, slot, why } => Self::Uncovering(seat, slot, why),
            Stage::Answering {
                seat,
                attack,
                queen,
            } => Self::Answering(seat, attack, queen),
            Stage::Replacing { seat } => Self::Replacing(seat),
            Stage::Refilling {} => Self::Refilling,
            Stage::Over {} => Self::Over,
        }
    }
}

/// Writes a state down.
pub(super) fn position(state: &State) -> Position {
    let top: Bag<_> = state.top.into_iter().collect();
    Position {
        view: view::view(state, Viewer::Spectator),
        phase: state.phase.into(),
        goes_back_to: state.going_back,
        let_happen: state.let_happen,
        asleep: (state.sleeping())
            .filter_map(|slot| state.at(slot).queen.map(|queen| Sleeper { slot, queen }))
            .collect(),
        unseen_queens: state.unseen_queens().into(),
        seen_in_hands: Seat::all(state.seats)
            .map(|seat| state.hand(seat).known.into())
            .collect(),
        below_top: state.discard.less(&top).into(),
        unseen: state.unaccounted().into(),
        in_draw_pile: state.pile.pool.into(),
        not_in_draw_pile: state.deck.less(&state.pile.pool).into(),
    }
}
