//! The square, the players' tiles, and whose turn it is.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::moves::{Event, Slot, Tile};
use crate::cards::Bag;
use crate::ruleset::Standing;
use crate::seat::Seat;

/// A place in the square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nothing lies here.
    Empty,
    /// A tile lies face down; its face, if it is on record.
    Down(Option<Tile>),
    /// A tile lies open.
    Open(Tile),
}

/// What the turn waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(
    tag = "type",
    content = "slot",
    rename_all = "snake_case",
    deny_unknown_fields
)]
#[schema(as = schatz_der_drachen::Phase)]
pub enum Phase {
    /// The player turns a tile over or stops.
    Choosing,
    /// The face of the tile here.
    Turning(Slot),
    /// The player may move the spider that lies open here (SD-3.4).
    Spider(Slot),
    /// Nothing: the game is over.
    Over,
}

/// All that judging needs.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The number of players.
    pub seats: u8,
    /// Whether the past may be read while the game runs (SD-7.1).
    pub notebook: bool,
    /// Whose turn it is.
    pub seat: Seat,
    /// What the turn waits for.
    pub phase: Phase,
    /// The places, row by row.
    pub square: [Place; Slot::COUNT],
    /// The tiles opened in this turn, in order.
    pub opened: Vec<Slot>,
    /// Each player's tiles.
    pub taken: [Bag<Tile>; 5],
}

impl State {
    /// The square as it is laid out.
    pub fn new(seats: u8, first: Seat, notebook: bool) -> Self {
        Self {
            seats,
            notebook,
            seat: first,
            phase: Phase::Choosing,
            square: [Place::Down(None); Slot::COUNT],
            opened: Vec::new(),
            taken: [Bag::EMPTY; 5],
        }
    }

    /// The tiles in the box (SD-1.1).
    pub fn full_box() -> Bag<Tile> {
        let mut tiles = Bag::EMPTY;
        for (tile, count) in [
            (Tile::Spider, 3),
            (Tile::Dragon, 12),
            (Tile::Ring, 8),
            (Tile::Ball, 4),
            (Tile::Car, 4),
            (Tile::Doll, 4),
            (Tile::Candlestick, 6),
            (Tile::Chest, 8),
        ] {
            tiles.add_many(tile, count);
        }
        tiles
    }

    /// What lies at a place.
    pub fn at(&self, slot: Slot) -> Place {
        self.square[slot.index()]
    }

    /// The face of the tile at a place, where it is on record (SD-6.1).
    pub fn face(&self, slot: Slot) -> Option<Tile> {
        match self.at(slot) {
            Place::Empty => None,
            Place::Down(face) => face,
            Place::Open(tile) => Some(tile),
        }
    }

    /// The faces that are not on record: what may lie at the places not yet seen.
    pub fn unseen(&self) -> Bag<Tile> {
        let on_record: Bag<Tile> = Slot::all().filter_map(|slot| self.face(slot)).collect();
        let mut unseen = Self::full_box().less(&on_record);
        for taken in &self.taken {
            unseen = unseen.less(taken);
        }
        unseen
    }

    /// The open tiles of this turn.
    pub fn open_tiles(&self) -> impl Iterator<Item = Tile> + '_ {
        self.opened.iter().filter_map(|slot| self.face(*slot))
    }

    /// Drops the faces on record of the tiles that lie face down.
    pub fn forget(&mut self) {
        for place in &mut self.square {
            if let Place::Down(face) = place {
                *face = None;
            }
        }
    }

    /// Whether some place is empty (SD-3.4).
    pub fn has_empty_place(&self) -> bool {
        self.square.contains(&Place::Empty)
    }

    /// Whether nothing but the three spiders is left in the square (SD-5.1), when `more` tiles have
    /// been taken.
    pub fn only_spiders_left_after(&self, more: usize) -> bool {
        let lying = self
            .square
            .iter()
            .filter(|place| **place != Place::Empty)
            .count();
        lying - more == usize::from(Self::full_box().count(Tile::Spider))
            && self.taken.iter().all(|taken| !taken.has(Tile::Spider))
    }

    /// Who has more dragons than everybody else, with these taken besides (SD-5.2).
    pub fn most_dragons(&self, seat: Seat, more: u8) -> Option<Seat> {
        let dragons = |at: Seat| {
            self.taken[at.index()].count(Tile::Dragon) + if at == seat { more } else { 0 }
        };
        let most = Seat::all(self.seats).map(dragons).max()?;
        let mut level = Seat::all(self.seats).filter(|at| dragons(*at) == most);
        level.next().filter(|_| level.next().is_none())
    }

    /// Who has the most tiles (SD-5.3, CM-7).
    pub fn standing(&self) -> Standing {
        let scores: Vec<i64> = Seat::all(self.seats)
            .map(|seat| i64::from(self.taken[seat.index()].len()))
            .collect();
        Standing::most_points(scores, "most_tiles")
    }

    /// Applies a fact.
    pub fn evolve(&mut self, event: &Event) {
        match event {
            Event::TileChosen { slot, .. } => self.phase = Phase::Turning(*slot),
            Event::TileRevealed { slot, tile } => {
                self.square[slot.index()] = Place::Open(*tile);
                self.opened.push(*slot);
                self.phase = Phase::Choosing;
            }
            Event::SpiderFound { slot } => self.phase = Phase::Spider(*slot),
            Event::SpiderMoved { from, to, .. } => {
                self.square[to.index()] = self.at(*from);
                self.square[from.index()] = Place::Empty;
                for opened in self.opened.iter_mut().filter(|opened| *opened == from) {
                    *opened = *to;
                }
            }
            Event::TilesTaken { seat, tile, slots } => {
                for slot in slots {
                    self.square[slot.index()] = Place::Empty;
                    self.taken[seat.index()].add(*tile);
                }
            }
            Event::TurnedDown { slots } => {
                for slot in slots {
                    self.square[slot.index()] = Place::Down(self.face(*slot));
                }
            }
            Event::TurnPassed { seat } => {
                self.seat = *seat;
                self.phase = Phase::Choosing;
                self.opened.clear();
            }
            Event::OnlySpidersLeft {} => {
                self.phase = Phase::Over;
                self.opened.clear();
            }
            Event::SpidersAwarded { seat } => {
                for place in &mut self.square {
                    *place = Place::Empty;
                }
                self.taken[seat.index()].add_many(Tile::Spider, 3);
            }
            Event::SpiderLeft { .. } | Event::TurnLost {} | Event::Stopped { .. } => {}
        }
    }
}
