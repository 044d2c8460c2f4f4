//! A board as it is described in JSON, and the one that the referee ships.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a place is (WR-1.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = wrozka::PlaceKind)]
pub enum PlaceKind {
    /// Where everybody starts and wants to arrive in a carriage.
    Castle,
    /// A place where a token may lie.
    Note,
    /// A shooting star: the die is rolled again.
    Star,
    /// Nothing happens here.
    Blank,
}

/// A place of a board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = wrozka::BoardPlace)]
pub struct BoardPlace {
    /// Its name, at most 40 bytes of UTF-8.
    #[schema(max_length = 40)]
    pub id: String,
    /// What it is.
    pub kind: PlaceKind,
    /// Where to draw it, from left to right; in the referee's own board from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x: Option<f64>,
    /// Where to draw it, from top to bottom; in the referee's own board from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub y: Option<f64>,
}

/// A board: places, and the paths that join them (WR-1.2). Not yet judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = wrozka::Board)]
pub struct Board {
    /// The places.
    #[schema(max_items = 1000)]
    pub places: Vec<BoardPlace>,
    /// The paths, each by the names of the two places that it joins, in either order.
    pub paths: Vec<[String; 2]>,
}

impl Default for Board {
    /// The referee's own board (WR-1.2): a ring of 32 places around the castle, and four spokes.
    fn default() -> Self {
        const RING: usize = 32;
        const SPOKES: usize = 4;
        const BETWEEN: usize = RING / SPOKES;

        let mut places = Vec::new();
        let mut paths = Vec::new();
        for at in 0..RING {
            let kind = match at % BETWEEN {
                0 => PlaceKind::Blank,
                4 => PlaceKind::Star,
                _ => PlaceKind::Note,
            };
            places.push(place(format!("r{at}"), kind, at as f64 / RING as f64, 1.0));
            paths.push([format!("r{at}"), format!("r{}", (at + 1) % RING)]);
        }
        places.push(place("castle".to_owned(), PlaceKind::Castle, 0.0, 0.0));
        for spoke in 0..SPOKES {
            let turn = spoke as f64 / SPOKES as f64;
            let (inner, outer) = (format!("s{spoke}a"), format!("s{spoke}b"));
            places.push(place(inner.clone(), PlaceKind::Blank, turn, 1.0 / 3.0));
            places.push(place(outer.clone(), PlaceKind::Blank, turn, 2.0 / 3.0));
            paths.push(["castle".to_owned(), inner.clone()]);
            paths.push([inner, outer.clone()]);
            paths.push([outer, format!("r{}", spoke * BETWEEN)]);
        }
        Self { places, paths }
    }
}

/// A place `turn` of a whole turn clockwise from the top, as far out as `radius` of the ring's. The
/// ring lies in the unit square with a margin of a tenth; coordinates have three decimals.
fn place(id: String, kind: PlaceKind, turn: f64, radius: f64) -> BoardPlace {
    let (sine, cosine) = (turn * std::f64::consts::TAU).sin_cos();
    let decimals = |value: f64| Some((value * 1000.0).round() / 1000.0);
    BoardPlace {
        id,
        kind,
        x: decimals(0.5 + 0.4 * radius * sine),
        y: decimals(0.5 - 0.4 * radius * cosine),
    }
}
