//! What can lie where, by what is on record (SQ-7.1, CM-4, CM-5).
//!
//! Cards that were not seen going anywhere lie in the draw pile or among the unknown cards of the
//! hands. The draw pile can only hold cards that went into it, so some of them may be bound to it:
//! just after a shuffle, all of them are. A hand can hold a card when some way of laying out the
//! unseen cards puts it there.

use super::cards::Card;
use super::moves::Event;
use super::rules::Rule;
use super::state::State;
use crate::cards::{Bag, Card as _};
use crate::ruling::{Clue, Violation};
use crate::seat::Seat;

/// How evidence about the draw pile is asked for.
pub(super) const DRAW_PILE: &str = "draw_pile";

/// How evidence about what went to a hand openly is asked for.
pub(super) fn hand_place(seat: Seat) -> String {
    format!("hand {seat}")
}

/// Why cards cannot all be in a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Missing {
    /// The whole hand is known, and has too few of this card.
    NotHeld(Card),
    /// Beside the cards known to be in it, the hand has no room for the others.
    NoRoom,
    /// Too few of this card are unaccounted for.
    OnRecord(Card),
    /// Too few of the cards that the hand would need can have left the draw pile.
    InDrawPile,
}

impl State {
    /// The cards that lie where nobody has seen them go: in the draw pile, or in a hand.
    pub fn unaccounted(&self) -> Bag<Card> {
        let mut unaccounted = self.deck.less(&self.discard);
        for hand in &self.hands {
            unaccounted = unaccounted.less(&hand.known);
        }
        unaccounted
    }

    /// The cards that can lie in the draw pile.
    pub fn pile_may_hold(&self) -> Bag<Card> {
        common(&self.pile.pool, &self.unaccounted())
    }

    /// The cards that a hand can hold: of each kind as many as it can have when that kind is looked
    /// at by itself.
    pub(super) fn may_be_held(&self, seat: Seat) -> Bag<Card> {
        let hand = self.hand(seat);
        let mut held = hand.known;
        if hand.unknown > 0 {
            let unaccounted = self.unaccounted();
            // How many of the cards that can lie in the draw pile can have left it. Too few are left to
            // lie there when a seat told of a hand what is not so; then nothing else can be in a hand.
            let can_lie = common(&self.pile.pool, &unaccounted).len();
            let Some(drawn) = can_lie.checked_sub(self.pile.size) else {
                return held;
            };
            for (card, count) in unaccounted.kinds() {
                let never_there = count.saturating_sub(self.pile.pool.count(card));
                let free = drawn.saturating_add(u16::from(never_there));
                let most = u16::from(count.min(hand.unknown)).min(free);
                held.add_many(card, most as u8);
            }
        }
        held
    }

    /// Whether a hand can hold all these cards together.
    pub(super) fn may_hold_all(&self, seat: Seat, cards: &Bag<Card>) -> bool {
        self.missing(seat, cards).is_none()
    }

    /// Makes sure that a hand can hold all these cards, which `rule` would play.
    ///
    /// # Errors
    /// `rule` when the whole hand is known; SQ-7.1 when the record says that it cannot be.
    pub(super) fn expect_held(
        &self,
        seat: Seat,
        cards: &Bag<Card>,
        rule: Rule,
    ) -> Result<(), Violation> {
        match self.missing(seat, cards) {
            None => Ok(()),
            Some(missing) => Err(self.not_held(seat, missing, rule)),
        }
    }

    fn missing(&self, seat: Seat, cards: &Bag<Card>) -> Option<Missing> {
        let hand = self.hand(seat);
        let needed = cards.less(&hand.known);
        let (first, _) = needed.kinds().next()?;
        if hand.unknown == 0 {
            return Some(Missing::NotHeld(first));
        }
        if needed.len() > u16::from(hand.unknown) {
            return Some(Missing::NoRoom);
        }
        let unaccounted = self.unaccounted();
        if let Some((card, _)) = needed.less(&unaccounted).kinds().next() {
            return Some(Missing::OnRecord(card));
        }
        let rest = unaccounted.less(&needed);
        (common(&self.pile.pool, &rest).len() < self.pile.size).then_some(Missing::InDrawPile)
    }

    fn not_held(&self, seat: Seat, missing: Missing, rule: Rule) -> Violation {
        let hand = Clue::Place(hand_place(seat));
        match missing {
            Missing::NotHeld(card) => {
                let held = self.hand(seat).known.count(card);
                let detail = match held {
                    0 => format!("the hand of seat {seat} has no {card}"),
                    _ => format!("the hand of seat {seat} has only {held} of {card}"),
                };
                Violation::of(rule, detail)
            }
            Missing::NoRoom => {
                let detail = format!(
                    "the hand of seat {seat} has {} cards, of which {} were seen going in",
                    self.hand(seat).len(),
                    self.hand(seat).known.len()
                );
                Violation::of(Rule::PossibleHands, detail).contradicted_by(hand)
            }
            Missing::OnRecord(card) => {
                let detail = match self.deck.count(card) {
                    0 => format!("the box has no {card}"),
                    count => format!(
                        "of the {count} cards {card} in the box, too few are not on record elsewhere"
                    ),
                };
                let clue = Clue::Card(card.name().to_owned());
                Violation::of(Rule::PossibleHands, detail).contradicted_by(clue)
            }
            Missing::InDrawPile => {
                let detail = "by what was shuffled and what was drawn since, too many of these \
                              cards still lie in the draw pile";
                let clue = Clue::Place(DRAW_PILE.to_owned());
                Violation::of(Rule::PossibleHands, detail).contradicted_by(clue)
            }
        }
    }
}

/// The cards that are in both bags.
fn common(left: &Bag<Card>, right: &Bag<Card>) -> Bag<Card> {
    left.less(&left.less(right))
}

/// Whether an event shows something of a place or a card: where a queen lies, what went through a
/// hand openly, what became the draw pile.
pub(super) fn bears_on(event: &Event, clue: &Clue) -> bool {
    match clue {
        Clue::Place(place) => match event {
            Event::QueenWoken { slot, .. } => slot.to_string() == *place,
            Event::CardTurnedUp { seat, card } if card.number().is_none() => {
                hand_place(*seat) == *place
            }
            Event::Reshuffled {} => place == DRAW_PILE,
            _ => false,
        },
        Clue::Card(name) => match event {
            Event::QueenWoken { queen, .. } => queen.name() == name,
            Event::CardTurnedUp { card, .. } => card.name() == name,
            _ => laid_down(event).any(|(_, card)| card.name() == name),
        },
    }
}

/// The seqs of the events, given in order, that say something about a clue and still hold. Draws,
/// which alone are hidden from anybody, say nothing.
pub(super) fn evidence<'e>(
    events: impl Iterator<Item = (u64, &'e Event)>,
    clue: &Clue,
) -> Vec<u64> {
    let mut evidence = Vec::new();
    for (seq, event) in events {
        outdate(&mut evidence, event);
        if bears_on(event, clue) {
            evidence.push((seq, event));
        }
    }
    evidence.into_iter().map(|(seq, _)| seq).collect()
}

/// Strikes out what is so no more after an event: what lay on the discard pile was shuffled, and a
/// card that a jester brought to a hand has left it. Of several alike only one leaves at a time.
fn outdate(shown: &mut Vec<(u64, &Event)>, event: &Event) {
    if *event == (Event::Reshuffled {}) {
        shown.retain(|(_, earlier)| match earlier {
            Event::CardTurnedUp { card, .. } => card.number().is_none(),
            Event::Reshuffled {} => false,
            _ => laid_down(earlier).next().is_none(),
        });
    }
    for (seat, card) in laid_down(event) {
        let brought = Event::CardTurnedUp { seat, card };
        if let Some(place) = shown.iter().position(|(_, earlier)| **earlier == brought) {
            shown.remove(place);
        }
    }
}

/// The cards that a move laid from a hand on the discard pile.
fn laid_down(event: &Event) -> impl Iterator<Item = (Seat, Card)> + '_ {
    let (seat, one, more): (_, _, &[Card]) = match event {
        Event::KingPlayed { seat, .. } => (*seat, Some(Card::King), &[]),
        Event::Attacked { seat, with, .. } => (*seat, Some(with.card()), &[]),
        Event::Defended { seat, card } => (*seat, Some(*card), &[]),
        Event::JesterPlayed { seat } => (*seat, Some(Card::Jester), &[]),
        Event::Discarded { seat, cards } => (*seat, None, cards),
        _ => (Seat::new(0), None, &[]),
    };
    one.into_iter()
        .chain(more.iter().copied())
        .map(move |card| (seat, card))
}
