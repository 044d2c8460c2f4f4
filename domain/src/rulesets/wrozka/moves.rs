//! What is written in JSON.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::board::Board;
use super::place_id::PlaceId;
use super::tokens::{Colour, Token};
use crate::ruleset::FirstSeat;
use crate::seat::Seat;
use crate::wire::Index;

/// What a die shows.
pub type Die = Index<1, 6>;

/// The options of Wróżka.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(as = wrozka::Options)]
pub struct Options {
    /// The seat that begins (CM-1).
    pub first_seat: FirstSeat,
    /// Each seat's colour, in seat order and all different (WR-2.1); without it the colours are
    /// given in the order pink, blue, yellow, green.
    pub colours: Option<Vec<Colour>>,
    /// The board (WR-1.2); without it, the referee's own.
    pub board: Option<Board>,
    /// Whether the referee remembers for the players (WR-6.1).
    pub notebook: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            first_seat: FirstSeat::default(),
            colours: None,
            board: None,
            notebook: true,
        }
    }
}

/// A move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = wrozka::Move)]
pub enum Move {
    /// Move the pawn by what the die shows.
    Move {
        /// Where the move ends.
        to: PlaceId,
    },
    /// Turn up the token that the pawn came to.
    Reveal {},
    /// Leave that token face down.
    Leave {},
}

/// What chance produced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = wrozka::Outcome)]
pub enum Outcome {
    /// Where the tokens lie.
    Layout {
        /// The note places that hold one, in any order.
        places: Vec<PlaceId>,
    },
    /// A roll of the die.
    Die {
        /// What it shows.
        value: Die,
    },
    /// The face of the token that is being turned up.
    Token(Token),
}

/// What chance is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = wrozka::Due)]
pub enum Due {
    /// Where the tokens lie.
    Layout {
        /// How many there are.
        count: u8,
    },
    /// A roll of the die.
    Die {
        /// Whose roll.
        seat: Seat,
    },
    /// The face of a token.
    Token {
        /// Where it lies.
        place: PlaceId,
    },
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(
    tag = "type",
    content = "data",
    rename_all = "snake_case",
    deny_unknown_fields
)]
#[schema(as = wrozka::Event)]
pub enum Event {
    /// The tokens were laid out face down.
    TokensLaid {
        /// Where they lie.
        places: Vec<PlaceId>,
    },
    /// The die was rolled.
    DieRolled {
        /// Who rolled.
        seat: Seat,
        /// What it shows.
        value: Die,
    },
    /// A pawn was moved.
    PawnMoved {
        /// Whose.
        seat: Seat,
        /// Where it stood.
        from: PlaceId,
        /// Where it stands.
        to: PlaceId,
    },
    /// A player reached for the token that the pawn came to.
    TokenChosen {
        /// Who.
        seat: Seat,
        /// Where it lies.
        place: PlaceId,
    },
    /// A player left the token that the pawn came to.
    TokenLeft {
        /// Who.
        seat: Seat,
        /// Where it lies.
        place: PlaceId,
    },
    /// A token was turned up for all to see.
    TokenRevealed {
        /// Where it lies.
        place: PlaceId,
        /// Its face.
        token: Token,
    },
    /// The token was taken.
    TokenTaken {
        /// Who took it.
        seat: Seat,
        /// Where it lay.
        place: PlaceId,
        /// Its face.
        token: Token,
    },
    /// The token was turned face down in its place.
    TokenTurnedDown {
        /// Where it lies.
        place: PlaceId,
    },
    /// The player rolls again.
    RollsAgain {
        /// Who.
        seat: Seat,
    },
    /// The next player is on turn.
    TurnPassed {
        /// Who.
        seat: Seat,
    },
    /// A player has reached the castle in a carriage.
    CastleReached {
        /// Who.
        seat: Seat,
    },
}
