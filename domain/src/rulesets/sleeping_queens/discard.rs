//! Which cards may be laid away together (SQ-3.5).

use smallvec::smallvec;

use super::cards::{Card, Cards};
use super::rules::Rule;
use super::state::{HAND, State};
use crate::cards::{Bag, Card as _};
use crate::ruling::Violation;
use crate::seat::Seat;

/// Judges the cards that a player wants to lay away.
pub(super) fn judge(state: &State, seat: Seat, cards: &[Card]) -> Result<(), Violation> {
    if cards.is_empty() {
        return Err(Violation::of(
            Rule::Discard,
            "one card at least is laid away",
        ));
    }
    let held = state.hand(seat).len();
    if cards.len() > usize::from(held) {
        let detail = format!(
            "{} cards cannot be laid away from a hand of {held}",
            cards.len()
        );
        return Err(Violation::of(Rule::Discard, detail));
    }
    let together = cards.iter().copied().collect();
    state.expect_held(seat, &together, Rule::Discard)?;
    if fits(cards) {
        return Ok(());
    }
    let named: Vec<_> = cards.iter().map(|card| card.name()).collect();
    let detail = format!(
        "{} are neither two equal numbers nor numbers of which one is the sum of the others",
        named.join(", ")
    );
    Err(Violation::of(Rule::Discard, detail))
}

/// Whether some cards go together.
fn fits(cards: &[Card]) -> bool {
    let [_, _, ..] = cards else {
        return cards.len() == 1;
    };
    let mut sum = 0;
    let mut most = 0;
    for card in cards {
        let Some(number) = card.number() else {
            return false;
        };
        sum += u32::from(number);
        most = most.max(u32::from(number));
    }
    // A number that is the sum of the others is the largest and half of all. That holds of two equal
    // numbers too.
    sum == 2 * most
}

/// Calls `lay` with all cards that may be laid away together from a hand that can hold `held`, each
/// collection once: single cards, pairs, then sums of three to five cards; those of one size, and the
/// cards of each, in the order of SQ-1.2.
pub(super) fn every(state: &State, seat: Seat, held: &Bag<Card>, mut lay: impl FnMut(Cards)) {
    held.kinds().for_each(|(card, _)| lay(smallvec![card]));
    let mut numbers = Numbers::of(held);
    for number in &numbers.present[..numbers.kinds] {
        if numbers.counts[usize::from(*number)] >= 2 {
            lay(smallvec![card_of(*number); 2]);
        }
    }
    // Where cards are unknown, each may be there and still not all together.
    let certain = state.hand(seat).unknown == 0;
    let mut lay_held = |numbers: &[u8]| {
        let cards: Cards = numbers.iter().map(|number| card_of(*number)).collect();
        if certain || state.may_hold_all(seat, &cards.iter().copied().collect()) {
            lay(cards);
        }
    };
    for size in 3..=numbers.total.min(usize::from(HAND)) {
        numbers.sums(&mut [0; HAND as usize], 0, size - 1, 0, &mut lay_held);
    }
}

/// The largest number on a card.
const LARGEST: u8 = 10;

fn card_of(number: u8) -> Card {
    Card::NUMBERS[usize::from(number) - 1]
}

/// How many cards of each number there are.
struct Numbers {
    /// The counts, by number.
    counts: [u8; LARGEST as usize + 1],
    /// How many they are together.
    total: usize,
    /// The numbers that there are, in rising order.
    present: [u8; LARGEST as usize],
    /// How many different ones.
    kinds: usize,
    /// The largest of them.
    largest: u8,
}

impl Numbers {
    fn of(cards: &Bag<Card>) -> Self {
        let mut numbers = Self {
            counts: [0; LARGEST as usize + 1],
            total: 0,
            present: [0; LARGEST as usize],
            kinds: 0,
            largest: 0,
        };
        for (number, card) in (1..).zip(Card::NUMBERS) {
            let count = cards.count(card);
            if count > 0 {
                numbers.counts[usize::from(number)] = count;
                numbers.total += usize::from(count);
                numbers.present[numbers.kinds] = number;
                numbers.kinds += 1;
                numbers.largest = number;
            }
        }
        numbers
    }

    /// Extends `parts`, of which `placed` are placed, to `wanted` parts in rising order, and lays
    /// them with their sum. The next part is no smaller than the number present at `least`.
    fn sums(
        &mut self,
        parts: &mut [u8; HAND as usize],
        placed: usize,
        wanted: usize,
        least: usize,
        lay: &mut impl FnMut(&[u8]),
    ) {
        let sum: u8 = parts[..placed].iter().sum();
        if placed == wanted {
            if self.counts[usize::from(sum)] > 0 {
                parts[placed] = sum;
                lay(&parts[..=placed]);
            }
            return;
        }
        let most = self.largest.saturating_sub(sum) / (wanted - placed) as u8;
        for at in least..self.kinds {
            let number = self.present[at];
            if number > most {
                return;
            }
            if self.counts[usize::from(number)] > 0 {
                self.counts[usize::from(number)] -= 1;
                parts[placed] = number;
                self.sums(parts, placed + 1, wanted, at, lay);
                self.counts[usize::from(number)] += 1;
            }
        }
    }
}
