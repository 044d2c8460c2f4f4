//! Where a number of steps leads.

use super::map::{MOST_PLACES, Place};
use super::moves::Die;

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

    /// The places that are in this set or in `other`.
    pub fn or(mut self, other: &Self) -> Self {
        for (word, more) in self.0.iter_mut().zip(other.0) {
            *word |= more;
        }
        self
    }

    /// The places that are in this set and in `other`.
    pub fn and(mut self, other: &Self) -> Self {
        for (word, kept) in self.0.iter_mut().zip(other.0) {
            *word &= kept;
        }
        self
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

/// Where the walks from one place lead that never turn back on the step just made (WR-3.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walks {
    /// The places reached by exactly one step, by two, and so on.
    after: [PlaceSet; LONGEST_WALK],
}

/// The most steps that a die asks for.
const LONGEST_WALK: usize = 6;

impl Walks {
    /// Walks along all ways from a place.
    ///
    /// For every place reached it is enough to know the one place that all walks there came from,
    /// or that they came from several: then some walk may go on to any neighbour. So a step costs
    /// no more than looking once along every path, on any board.
    pub fn starting_at(start: Place, neighbours: &[Vec<Place>]) -> Self {
        // No board has so many places.
        const ANYWHERE: u16 = u16::MAX;

        let mut after = [PlaceSet::EMPTY; LONGEST_WALK];
        let mut reached = PlaceSet::EMPTY;
        reached.insert(start);
        let mut came_from = [ANYWHERE; MOST_PLACES];
        for step in &mut after {
            let mut next_came_from = [ANYWHERE; MOST_PLACES];
            for place in reached.iter() {
                let back = came_from[place.index()];
                for next in &neighbours[place.index()] {
                    if next.0 != back {
                        let first = step.insert(*next);
                        next_came_from[next.index()] = if first { place.0 } else { ANYWHERE };
                    }
                }
            }
            reached = *step;
            came_from = next_came_from;
        }
        Self { after }
    }

    /// The places reached by exactly as many steps as the die shows.
    pub fn exactly(&self, die: Die) -> PlaceSet {
        self.after[die.offset()]
    }

    /// The places reached by one step at least and by fewer than the die shows.
    pub fn sooner(&self, die: Die) -> PlaceSet {
        self.after[..die.offset()]
            .iter()
            .fold(PlaceSet::EMPTY, PlaceSet::or)
    }
}
