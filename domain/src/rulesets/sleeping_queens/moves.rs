//! What is written in JSON.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::cards::{Card, Cards, Deck, Queen, Slot};
use crate::cards::{Counts, Draw};
use crate::ruleset::FirstSeat;
use crate::seat::Seat;
use crate::wire::Index;

/// A player named in a move: one of the five that this kind of game seats at most.
pub type Target = Index<0, 4>;

/// A draw to a hand. A name without parameters, since the schema of an enum cannot hold a generic one.
pub type CardDraw = Draw<Card>;

/// How many cards of each kind. A name without parameters, as derived schemas want it.
pub type CardCounts = Counts<Card>;

/// Which queens, each counted once.
pub type QueenCounts = Counts<Queen>;

/// The options of Sleeping Queens.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(as = sleeping_queens::Options)]
pub struct Options {
    /// The seat that begins (CM-1, SQ-2.3).
    pub first_seat: FirstSeat,
    /// How many cards of each action are in the box (SQ-1.2).
    pub deck: Deck,
}

/// A move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = sleeping_queens::Move)]
pub enum Move {
    /// Play a king and wake a queen (SQ-3.1).
    King {
        /// Where she sleeps.
        slot: Slot,
    },
    /// Play a knight at a queen of another player (SQ-3.2).
    Knight {
        /// Whose queen.
        seat: Target,
        /// Which queen.
        queen: Queen,
    },
    /// Play a potion at a queen of another player (SQ-3.3).
    Potion {
        /// Whose queen.
        seat: Target,
        /// Which queen.
        queen: Queen,
    },
    /// Answer an attack: a dragon against a knight, a wand against a potion (SQ-5.5).
    Defend {
        /// With which card.
        card: Card,
    },
    /// Let an attack happen (SQ-5.1).
    Allow {},
    /// Play a jester (SQ-3.4).
    Jester {},
    /// Wake the queen whom the count of a jester or the rose queen grants (SQ-3.4, SQ-4.1).
    Wake {
        /// Where she sleeps.
        slot: Slot,
    },
    /// Lay cards away and draw as many (SQ-3.5).
    Discard {
        /// Which cards, in any order.
        #[schema(value_type = Vec<Card>)]
        cards: Cards,
    },
}

/// What chance produced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = sleeping_queens::Outcome)]
pub enum Outcome {
    /// The face of the queen who is being woken.
    Queen {
        /// Who she is.
        queen: Queen,
    },
    /// The card that a jester turned up.
    TopCard {
        /// Which card.
        card: Card,
    },
    /// Cards drawn to a hand.
    Draw(CardDraw),
}

/// What chance is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = sleeping_queens::Due)]
pub enum Due {
    /// The face of the queen in a place.
    Queen {
        /// Where she lies.
        slot: Slot,
    },
    /// The top card of the draw pile.
    TopCard {},
    /// Cards to a hand.
    Draw {
        /// Whose hand.
        seat: Seat,
        /// How many cards.
        count: u8,
    },
}

/// How a queen is attacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = sleeping_queens::Attack)]
pub enum Attack {
    /// She is to change sides (SQ-3.2).
    Knight,
    /// She is to fall asleep (SQ-3.3).
    Potion,
}

impl Attack {
    /// The card that is played for it.
    pub fn card(self) -> Card {
        match self {
            Self::Knight => Card::Knight,
            Self::Potion => Card::Potion,
        }
    }

    /// The move that attacks so.
    pub fn at(self, seat: Target, queen: Queen) -> Move {
        match self {
            Self::Knight => Move::Knight { seat, queen },
            Self::Potion => Move::Potion { seat, queen },
        }
    }

    /// The card that defends against it (SQ-5.5).
    pub fn defence(self) -> Card {
        match self {
            Self::Knight => Card::Dragon,
            Self::Potion => Card::Wand,
        }
    }
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(
    tag = "type",
    content = "data",
    rename_all = "snake_case",
    deny_unknown_fields
)]
#[schema(as = sleeping_queens::Event)]
pub enum Event {
    /// A king was played, and a place was chosen.
    KingPlayed {
        /// Who played it.
        seat: Seat,
        /// Where the queen sleeps.
        slot: Slot,
    },
    /// A knight or a potion was played at a queen.
    Attacked {
        /// Who attacks.
        seat: Seat,
        /// With what.
        with: Attack,
        /// Whose queen.
        target: Target,
        /// Which queen.
        queen: Queen,
    },
    /// The attacked player is asked, whatever that player holds.
    AnswerAsked {
        /// Who must answer.
        seat: Seat,
    },
    /// The attack was answered with the right card.
    Defended {
        /// Who defended.
        seat: Seat,
        /// With which card.
        card: Card,
    },
    /// The attack was let happen.
    Allowed {
        /// By whom.
        seat: Seat,
    },
    /// The attacked queen changed sides.
    QueenStolen {
        /// Who has her now.
        seat: Seat,
        /// Which queen.
        queen: Queen,
    },
    /// The attacked queen fell asleep in the place that she was woken from.
    QueenPutToSleep {
        /// Where.
        slot: Slot,
        /// Which queen.
        queen: Queen,
    },
    /// A jester was played.
    JesterPlayed {
        /// By whom.
        seat: Seat,
    },
    /// The top card of the draw pile was turned up: a number goes to the discard pile, any other
    /// card to the hand of the player.
    CardTurnedUp {
        /// Whose jester did it.
        seat: Seat,
        /// Which card.
        card: Card,
    },
    /// The card went to the player's hand, and the player has another turn.
    AnotherTurn {
        /// Who.
        seat: Seat,
    },
    /// The count ended on this player, who wakes a queen.
    Counted {
        /// On whom.
        seat: Seat,
    },
    /// The rose queen, just woken, lets her player wake another queen.
    WakeGranted {
        /// Who wakes.
        seat: Seat,
    },
    /// A player chose the queen whom the count or the rose queen granted.
    WakeChosen {
        /// Who.
        seat: Seat,
        /// Where the queen sleeps.
        slot: Slot,
    },
    /// A queen was turned up in front of a player.
    QueenWoken {
        /// Who has her.
        seat: Seat,
        /// Where she slept.
        slot: Slot,
        /// Which queen.
        queen: Queen,
    },
    /// Cards were laid away.
    Discarded {
        /// By whom.
        seat: Seat,
        /// Which cards, in the order in which the player named them.
        #[schema(value_type = Vec<Card>)]
        cards: Cards,
    },
    /// The discard pile was shuffled and became the draw pile.
    Reshuffled {},
    /// Cards went from the draw pile to a hand.
    Drew(CardDraw),
    /// The queen who was woken beside her rival went back to sleep in her place.
    QueenWentBack {
        /// Where she sleeps.
        slot: Slot,
        /// Which queen.
        queen: Queen,
    },
    /// The next player is on turn.
    TurnPassed {
        /// Who.
        seat: Seat,
    },
    /// The turn that has just ended was the last.
    LastTurnEnded {},
}
