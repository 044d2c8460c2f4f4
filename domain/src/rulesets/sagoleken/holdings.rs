//! Which bonus cards the players hold face down: all that can be, given what is on record (SL-7.1).

use super::moves::{BonusCard, Face, MOST_SEATS};
use super::state::Princess;
use crate::cards::{Bag, Card as _};
use crate::seat::Seat;

/// The bonus cards that one player holds face down: at most a prince, a land and one of dragon and
/// nix (SL-4.2).
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Held(u8);

impl Held {
    /// Nothing.
    pub const NONE: Self = Self(0);

    const fn bit(card: BonusCard) -> u8 {
        1 << card as u8
    }

    /// Whether this card is held.
    pub fn has(self, card: BonusCard) -> bool {
        self.0 & Self::bit(card) != 0
    }

    /// Whether a prince and a land are.
    pub fn has_prince_and_land(self) -> bool {
        self.has(BonusCard::Prince) && self.has(BonusCard::Land)
    }

    /// Whether holding this card forbids keeping one like `card` (SL-4.2).
    fn excludes(self, card: BonusCard) -> bool {
        match card {
            BonusCard::Dragon | BonusCard::Nix => {
                self.has(BonusCard::Dragon) || self.has(BonusCard::Nix)
            }
            BonusCard::Princess | BonusCard::Prince | BonusCard::Land => self.has(card),
        }
    }

    /// With this card as well, if a player may hold it face down beside the rest (SL-4.1, SL-4.2).
    pub fn and(self, card: BonusCard) -> Option<Self> {
        let held = card != BonusCard::Princess && !self.excludes(card);
        held.then(|| self.with(card))
    }

    /// With this card.
    pub fn with(self, card: BonusCard) -> Self {
        Self(self.0 | Self::bit(card))
    }

    /// Without this card.
    pub fn without(self, card: BonusCard) -> Self {
        Self(self.0 & !Self::bit(card))
    }

    /// The cards, in the order of the rulebook.
    pub fn cards(self) -> impl Iterator<Item = BonusCard> + Clone {
        BonusCard::ALL
            .iter()
            .copied()
            .filter(move |card| self.has(*card))
    }
}

impl std::fmt::Debug for Held {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.cards()).finish()
    }
}

/// What becomes of a drawn bonus card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It stays with the player (SL-4.1).
    Kept,
    /// It goes under the bonus pile (SL-4.2).
    Returned,
    /// It completes a kingdom (SL-4.4).
    Kingdom,
}

impl Fate {
    /// What becomes of `card`, drawn by a player who has this princess and holds that.
    pub fn of(card: BonusCard, princess: Option<Princess>, held: Held) -> Self {
        let lone = princess == Some(Princess::Lone);
        match card {
            BonusCard::Princess if princess.is_some() => Self::Returned,
            BonusCard::Princess if held.has_prince_and_land() => Self::Kingdom,
            _ if held.excludes(card) => Self::Returned,
            BonusCard::Prince if lone && held.has(BonusCard::Land) => Self::Kingdom,
            BonusCard::Land if lone && held.has(BonusCard::Prince) => Self::Kingdom,
            BonusCard::Princess
            | BonusCard::Prince
            | BonusCard::Land
            | BonusCard::Dragon
            | BonusCard::Nix => Self::Kept,
        }
    }
}

/// What every player holds, in one of the ways that are possible.
pub type Deal = [Held; MOST_SEATS];

/// Everything that the players may hold face down.
///
/// Who deals, or has seen it all, is left with one deal; a table with every deal that agrees with
/// all that was declared so far, so that a declaration is impossible if and only if it agrees with
/// none of them. Since players never hold more than three cards of four kinds, there are at most a
/// few hundred.
#[derive(Clone, Debug, PartialEq)]
pub struct Holdings {
    /// How many cards each player holds face down; everybody sees that.
    pub counts: [u8; MOST_SEATS],
    /// The deals that are possible, in order, each once.
    pub deals: Vec<Deal>,
}

impl Holdings {
    /// Nobody holds anything.
    pub fn none() -> Self {
        Self {
            counts: [0; MOST_SEATS],
            deals: vec![[Held::NONE; MOST_SEATS]],
        }
    }

    /// What a player holds, where all deals agree.
    pub fn known(&self, seat: Seat) -> Option<Held> {
        let (first, rest) = self.deals.split_first()?;
        let held = first[seat.index()];
        rest.iter()
            .all(|deal| deal[seat.index()] == held)
            .then_some(held)
    }

    /// Whether some deal gives the player such a holding.
    pub fn may(&self, seat: Seat, such: impl Fn(Held) -> bool) -> bool {
        self.deals.iter().any(|deal| such(deal[seat.index()]))
    }

    /// Keeps only the deals that give the player such a holding.
    pub fn learn(&mut self, seat: Seat, such: impl Fn(Held) -> bool) {
        self.deals.retain(|deal| such(deal[seat.index()]));
    }

    /// The player showed this card and has it no more.
    pub fn lose(&mut self, seat: Seat, card: BonusCard) {
        self.learn(seat, |held| held.has(card));
        self.remove(seat, card);
    }

    /// The player drew a bonus card that looked like `face`, and this became of it. `outside` is
    /// what lies in the bonus pile or is held face down.
    pub fn draw(
        &mut self,
        seat: Seat,
        face: Face,
        fate: Fate,
        princess: Option<Princess>,
        outside: &Bag<BonusCard>,
    ) {
        if let ([deal], Face::Known(card)) = (self.deals.as_mut_slice(), face) {
            // Who knows all has nothing to work out.
            if fate == Fate::Kept && card != BonusCard::Princess {
                deal[seat.index()] = deal[seat.index()].with(card);
            }
        } else {
            self.deals = self.after_draw(seat, face, fate, princess, outside);
        }
        match (fate, face) {
            (Fate::Kept, Face::Known(BonusCard::Princess)) | (Fate::Returned, _) => {}
            (Fate::Kept, _) => self.counts[seat.index()] += 1,
            (Fate::Kingdom, _) => {
                for card in [BonusCard::Prince, BonusCard::Land] {
                    if face != Face::Known(card) {
                        self.remove(seat, card);
                    }
                }
            }
        }
    }

    fn after_draw(
        &self,
        seat: Seat,
        face: Face,
        fate: Fate,
        princess: Option<Princess>,
        outside: &Bag<BonusCard>,
    ) -> Vec<Deal> {
        let mut after = Vec::with_capacity(self.deals.len());
        for deal in &self.deals {
            let held = deal[seat.index()];
            for card in pile_of(deal, outside)
                .kinds()
                .map(|(card, _)| card)
                .filter(|card| shows_as(*card, face))
                .filter(|card| Fate::of(*card, princess, held) == fate)
            {
                let mut deal = *deal;
                if fate == Fate::Kept && card != BonusCard::Princess {
                    deal[seat.index()] = held.with(card);
                }
                after.push(deal);
            }
        }
        after.sort_unstable();
        after.dedup();
        after
    }

    fn remove(&mut self, seat: Seat, card: BonusCard) {
        for deal in &mut self.deals {
            deal[seat.index()] = deal[seat.index()].without(card);
        }
        // Deals that differed in nothing else are one now.
        self.deals.sort_unstable();
        self.deals.dedup();
        let count = &mut self.counts[seat.index()];
        *count = count.saturating_sub(1);
    }
}

/// Whether a card that looked like `face` may be this one: a princess is never hidden (SL-4.1).
fn shows_as(card: BonusCard, face: Face) -> bool {
    face.may_be(card) && (card != BonusCard::Princess || face != Face::Hidden)
}

/// The bonus pile under a deal, when `outside` lies in it or is held face down.
pub(super) fn pile_of(deal: &Deal, outside: &Bag<BonusCard>) -> Bag<BonusCard> {
    let mut pile = *outside;
    for card in deal.iter().flat_map(|held| held.cards()) {
        pile.take(card);
    }
    pile
}
