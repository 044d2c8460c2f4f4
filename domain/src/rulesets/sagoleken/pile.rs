//! A face-down pile, and what goes under it.

use crate::dealer::Mode;

/// A face-down pile under which cards are put. The cards on top lie in an order that nobody knows;
/// those put under them come up in the order in which they went there. A table does not rely on that
/// order (SL-7.1), so all its cards count as lying on top.
#[derive(Clone, Debug, PartialEq)]
pub struct Pile<C> {
    /// How many cards lie on those that were put under.
    pub top: u8,
    /// The cards that were put under, the uppermost first.
    pub under: Vec<C>,
}

impl<C> Pile<C> {
    /// A pile that was shuffled.
    pub(super) fn shuffled(size: u16) -> Self {
        Self {
            top: size as u8,
            under: Vec::new(),
        }
    }

    /// How many cards lie there.
    pub fn size(&self) -> u8 {
        self.top + self.under.len() as u8
    }

    /// Puts a card under.
    pub(super) fn put_under(&mut self, card: C, mode: Mode) {
        match mode {
            Mode::Virtual => self.under.push(card),
            Mode::Table => self.top += 1,
        }
    }

    /// Takes cards off the top.
    pub(super) fn give(&mut self, count: u8) {
        let shuffled = count.min(self.top);
        self.top -= shuffled;
        let ordered = usize::from(count - shuffled).min(self.under.len());
        self.under.drain(..ordered);
    }
}
