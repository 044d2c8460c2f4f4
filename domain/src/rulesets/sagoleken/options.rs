//! The questions that the rules leave to the players.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::moves::Card;
use super::rules::Rule;
use crate::cards::Card as _;
use crate::ruleset::FirstSeat;
use crate::ruling::Violation;

/// The options of Sagoleken.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(as = sagoleken::Options)]
pub struct Options {
    /// The seat that leads the first round (CM-1).
    pub first_seat: FirstSeat,
    /// What each card counts in the hand at the end (SL-1.4).
    pub card_points: CardPoints,
}

/// What each card counts, from -100 to 100. Cards left out count as by default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(from = "BTreeMap<Card, i64>")]
#[schema(as = sagoleken::CardPoints)]
pub struct CardPoints(pub BTreeMap<Card, i64>);

/// The points that a player's own deck may print (SL-1.4).
const BOUNDS: std::ops::RangeInclusive<i64> = -100..=100;

impl CardPoints {
    /// The house values (SL-1.4).
    fn house(card: Card) -> i64 {
        match card {
            Card::TrollChild => -1,
            Card::TrollFather | Card::TrollMother => -5,
            Card::Witch => -3,
            Card::Dwarf => 1,
            Card::Elf => 3,
            Card::Fairy => 2,
            Card::Wind => 0,
        }
    }

    /// The points of every card, by its place in [`Card::ALL`](crate::cards::Card::ALL).
    ///
    /// # Errors
    /// SL-1.4 when one is out of bounds.
    pub fn points(&self) -> Result<[i64; Card::ALL.len()], Violation> {
        let mut points = [0; Card::ALL.len()];
        for (card, value) in &self.0 {
            if !BOUNDS.contains(value) {
                let detail = format!(
                    "{card} counts {value}, and card points are {} to {}",
                    BOUNDS.start(),
                    BOUNDS.end()
                );
                return Err(Violation::of(Rule::CardPoints, detail));
            }
            points[card.index()] = *value;
        }
        Ok(points)
    }
}

impl Default for CardPoints {
    fn default() -> Self {
        BTreeMap::new().into()
    }
}

impl From<BTreeMap<Card, i64>> for CardPoints {
    fn from(mut points: BTreeMap<Card, i64>) -> Self {
        for card in Card::ALL {
            points.entry(*card).or_insert_with(|| Self::house(*card));
        }
        Self(points)
    }
}
