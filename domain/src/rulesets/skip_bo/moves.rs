//! What is written in JSON.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::card;
use crate::cards::{Counts, Draw};
use crate::ruleset::FirstSeat;
use crate::seat::Seat;
use crate::wire::Index;

card! {
    /// A card (SB-1.1).
    pub enum Card as skip_bo::Card {
        One = "1",
        Two = "2",
        Three = "3",
        Four = "4",
        Five = "5",
        Six = "6",
        Seven = "7",
        Eight = "8",
        Nine = "9",
        Ten = "10",
        Eleven = "11",
        Twelve = "12",
        Joker = "joker",
    }
}

/// A place for a building pile on the table, or for a help pile in front of a player.
pub type Place = Index<0, 3>;

/// Cards from the draw pile to a hand.
pub type CardDraw = Draw<Card>;

/// How many cards of each kind. A name without parameters, as derived schemas want it.
pub type CardCounts = Counts<Card>;

/// The number of building piles on the table, and of help piles in front of a player.
pub(super) const PLACES: usize = 4;

/// The options of Skip-Bo.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(as = skip_bo::Options)]
pub struct Options {
    /// The seat that begins the first round (CM-1).
    pub first_seat: FirstSeat,
    /// How many cards each stock pile has (SB-2.2); `null` for as many as SB-2.1 gives.
    #[schema(minimum = 1, maximum = 40)]
    pub stock_size: Option<i64>,
    /// The teams, each a list of seats (SB-2.4); `null` when everybody plays alone.
    pub teams: Option<Vec<Vec<i64>>>,
    /// Whether the stock of a team-mate may be played from (SB-4.1).
    pub partner_stock: bool,
    /// The score that ends the match (SB-5.3); `null` for one round.
    #[schema(minimum = 1, maximum = 10000)]
    pub target_score: Option<i64>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            first_seat: FirstSeat::default(),
            stock_size: None,
            teams: None,
            partner_stock: false,
            target_score: Some(500),
        }
    }
}

/// Where a card is played from (SB-3.2, SB-4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "zone", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = skip_bo::Source)]
pub enum Source {
    /// The hand.
    Hand {
        /// Which card.
        card: Card,
    },
    /// The open top of a stock.
    Stock {
        /// The team-mate whose stock it is; left out for the own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<Seat>,
    },
    /// The top of a help pile.
    Help {
        /// Which pile.
        pile: Place,
        /// The team-mate whose pile it is; left out for an own one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<Seat>,
    },
}

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = skip_bo::Move)]
pub enum Move {
    /// Play a card on a building pile.
    Play {
        /// Where the card comes from.
        from: Source,
        /// The place of the building pile.
        to: Place,
    },
    /// Lay a card from the hand on an own help pile, and end the turn.
    Discard {
        /// Which card.
        card: Card,
        /// Which help pile.
        pile: Place,
    },
    /// End the turn without a card in hand (SB-3.10).
    Pass {},
}

/// What chance produced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = skip_bo::Outcome)]
pub enum Outcome {
    /// The new top of a stock, which everybody sees.
    StockTop {
        /// Whose stock.
        seat: Seat,
        /// The card.
        card: Card,
    },
    /// Cards from the draw pile to a hand.
    Draw(CardDraw),
}

/// What chance is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = skip_bo::Due)]
pub enum Due {
    /// The new top of a stock.
    StockTop {
        /// Whose stock.
        seat: Seat,
    },
    /// Cards from the draw pile to a hand.
    Draw {
        /// Whose hand.
        seat: Seat,
        /// How many: as many as are owed, or as the pile has before it is shuffled anew.
        count: u8,
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
#[schema(as = skip_bo::Event)]
pub enum Event {
    /// The top card of a stock was turned up.
    StockTopTurned {
        /// Whose stock.
        seat: Seat,
        /// The card.
        card: Card,
    },
    /// Cards went from the draw pile to a hand.
    Drew(CardDraw),
    /// A card was played on a building pile.
    CardPlayed {
        /// Who played it.
        seat: Seat,
        /// Where it came from.
        from: Source,
        /// The card.
        card: Card,
        /// The place of the building pile.
        to: Place,
    },
    /// A card was laid on a help pile; the turn ends.
    CardDiscarded {
        /// Who laid it.
        seat: Seat,
        /// The card.
        card: Card,
        /// Which help pile.
        pile: Place,
    },
    /// A player without cards in hand ended the turn.
    Passed {
        /// Who.
        seat: Seat,
    },
    /// A building pile reached 12 and left the table.
    PileCompleted {
        /// The place that is empty again.
        pile: Place,
    },
    /// The completed piles were shuffled into a new draw pile.
    Reshuffled {
        /// How many cards it has.
        count: u8,
    },
    /// The next player is on turn.
    TurnPassed {
        /// Who.
        seat: Seat,
    },
    /// The round was won.
    RoundWon {
        /// Who won it: one player, or all of a team.
        seats: Vec<Seat>,
    },
    /// The winners of the round scored.
    RoundScored {
        /// Who scored; each of them the same.
        seats: Vec<Seat>,
        /// How much.
        points: u32,
    },
    /// All passed in a row without playing a card; nobody won the round.
    RoundStalemate {},
    /// All cards were gathered, and a new round is dealt.
    RoundBegun {
        /// Its number, from 1.
        round: u32,
        /// The seat that begins it.
        seat: Seat,
    },
}
