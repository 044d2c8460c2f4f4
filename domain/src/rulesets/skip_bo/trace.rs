//! Where each card on record has gone since it came to light.
//!
//! Two cards of a kind are told apart by the pile they lie on, so only following all of them tells
//! which were shuffled and which still lie open.

use super::SkipBo;
use super::moves::{Card, Event, PLACES, Source};
use super::piles::copies;
use crate::cards::Card as _;
use crate::ruleset::Ruleset;
use crate::ruling::Clue;
use crate::seat::MOST_SEATS;

/// The event that brought a card to light, with its seq.
type Shown<'e> = (u64, &'e Event);

/// The cards of a round that have been seen. All that shows one is seen by everybody.
#[derive(Default)]
struct Trace<'e> {
    stocks: [Option<Shown<'e>>; MOST_SEATS as usize],
    help: [[Vec<Shown<'e>>; PLACES]; MOST_SEATS as usize],
    building: [Vec<Shown<'e>>; PLACES],
    completed: Vec<Shown<'e>>,
    shuffled: Vec<Shown<'e>>,
    shuffles: Vec<u64>,
}

impl<'e> Trace<'e> {
    fn follow(&mut self, seq: u64, event: &'e Event) {
        match event {
            Event::StockTopTurned { seat, .. } => self.stocks[seat.index()] = Some((seq, event)),
            Event::CardDiscarded { seat, pile, .. } => {
                self.help[seat.index()][pile.offset()].push((seq, event));
            }
            Event::CardPlayed { seat, from, to, .. } => {
                let shown = match from {
                    Source::Hand { .. } => Some((seq, event)),
                    Source::Stock { seat: mate } => {
                        self.stocks[mate.unwrap_or(*seat).index()].take()
                    }
                    Source::Help { pile, seat: mate } => {
                        self.help[mate.unwrap_or(*seat).index()][pile.offset()].pop()
                    }
                };
                self.building[to.offset()].extend(shown);
            }
            Event::PileCompleted { pile } => {
                (self.completed).append(&mut self.building[pile.offset()]);
            }
            Event::Reshuffled { .. } => {
                self.shuffled.append(&mut self.completed);
                self.shuffles.push(seq);
            }
            Event::RoundBegun { .. } => *self = Self::default(),
            Event::Drew(_)
            | Event::Passed { .. }
            | Event::TurnPassed { .. }
            | Event::RoundWon { .. }
            | Event::RoundScored { .. }
            | Event::RoundStalemate {} => {}
        }
    }

    /// The cards that lie open or in completed piles.
    fn on_record(&self) -> impl Iterator<Item = &Shown<'e>> {
        (self.stocks.iter().flatten())
            .chain(self.help.iter().flatten().flatten())
            .chain(self.building.iter().flatten())
            .chain(&self.completed)
    }
}

/// The seqs of the events that put the cards of a kind on record which are there now. Where that is
/// not all of the kind, what is contradicted is that one of them lies in a stock (SB-6.2): then also
/// of those that put the others on record, and of the shuffles.
pub(super) fn evidence<'e>(
    events: impl Iterator<Item = (u64, &'e Event)>,
    clue: &Clue,
) -> Vec<u64> {
    let mut trace = Trace::default();
    for (seq, event) in events {
        trace.follow(seq, event);
    }
    let of_kind = |shown: &&Shown<'e>| SkipBo::bears_on(shown.1, clue);
    let mut evidence: Vec<u64> = trace
        .on_record()
        .filter(of_kind)
        .map(|shown| shown.0)
        .collect();
    let named = |card: &&Card| matches!(clue, Clue::Card(name) if card.name() == name);
    let in_the_box = (Card::ALL.iter().find(named)).map_or(0, |card| copies(*card));
    if evidence.len() < usize::from(in_the_box) {
        evidence.extend(trace.shuffled.iter().filter(of_kind).map(|shown| shown.0));
        evidence.extend(trace.shuffles);
    }
    evidence.sort_unstable();
    evidence
}
