//! Where a number of steps leads.

use super::map::{MOST_PLACES, Map, Place};

const WORDS: usize = MOST_PLACES.div_ceil(u64::BITS as usize);

/// A set of a board's places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaceSet([u64; WORDS]);

impl PlaceSet {
    /// No places.
    pub const EMPTY: Self = Self([0; WORDS]);

    /// Whether the place is in the set.
    pub fn has(&self, place: Place) -> bool {
        let (word, bit) = position(place);
        self.0[word] & bit != 0
    }

    /// Puts a place in; says whether it is new.
    pub fn insert(&mut self, place: Place) -> bool {
        let (word, bit) = position(place);
        let new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        new
    }

    /// Takes a place out.
    pub fn remove(&mut self, place: Place) {
        let (word, bit) = position(place);
        self.0[word] &= !bit;
    }

    /// Puts all of `other` in.
    pub fn insert_all(&mut self, other: &Self) {
        for (word, more) in self.0.iter_mut().zip(other.0) {
            *word |= more;
        }
    }

    /// Whether the set has no place.
    pub fn is_empty(&self) -> bool {
        *self == Self::EMPTY
    }

    /// How many places there are.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The places, in the board's order.
    pub fn iter(&self) -> impl Iterator<Item = Place> + '_ {
        (0..).zip(&self.0).flat_map(|(at, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros();
                (rest != 0).then(|| {
                    rest &= rest - 1;
                    Place(at * u64::BITS as u16 + bit as u16)
                })
            })
        })
    }
}

fn position(place: Place) -> (usize, u64) {
    let bits = u64::BITS as usize;
    (place.index() / bits, 1 << (place.index() % bits))
}

/// Where a walk may have come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// After all its steps.
    pub exactly: PlaceSet,
    /// After one step at least, and fewer than all.
    pub sooner: PlaceSet,
}

/// Where walks of so many steps lead that never turn back on the step just made (WR-3.1).
///
/// For every place reached it is enough to know the one place that all walks there came from, or
/// that they came from several: then some walk may go on to any neighbour. So a step costs no more
/// than looking once along every path, on any board.
pub fn reach(map: &Map, from: Place, steps: u8) -> Reach {
    // No board has so many places.
    const ANYWHERE: u16 = u16::MAX;

    let mut came_from = [ANYWHERE; MOST_PLACES];
    let mut exactly = PlaceSet::EMPTY;
    exactly.insert(from);
    let mut sooner = PlaceSet::EMPTY;
    for step in 0..steps {
        if step > 0 {
            sooner.insert_all(&exactly);
        }
        let mut next = PlaceSet::EMPTY;
        let mut next_came_from = [ANYWHERE; MOST_PLACES];
        for place in exactly.iter() {
            for neighbour in map.neighbours(place) {
                if neighbour.0 != came_from[place.index()] {
                    next_came_from[neighbour.index()] = if next.insert(*neighbour) {
                        place.0
                    } else {
                        ANYWHERE
                    };
                }
            }
        }
        exactly = next;
        came_from = next_came_from;
    }
    Reach { exactly, sooner }
}
