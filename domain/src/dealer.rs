//! Where outcomes come from: a secret, or people.
//!
//! Outcome `n` (from 0) of a virtual game's record in force is drawn from the ChaCha20 stream
//! (RFC 8439, all-zero nonce, 64-bit counter from 0) whose key is
//! `SHA-256(secret || n as 8 bytes, big endian || digest)`, where `digest` is the
//! [`EntryDigest`] of the entries in force before it. Nothing is laid
//! out in advance, and nothing else enters: a game that is wound back and played on in the same way
//! meets the same cards.
//!
//! Distributions of random-number libraries change between versions, so the two used here are
//! written out and held by golden vectors: [`Shuffler::below`] rejects words (little endian, 32
//! bits) beyond the largest multiple of the bound, [`Shuffler::shuffle`] is Fisher and Yates's from
//! the back.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::record::{EntryDigest, Hash};

/// Who supplies the outcomes of chance (CM-4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// The referee shuffles, deals and rolls.
    Virtual,
    /// The players hold the real cards and declare what everybody sees.
    Table,
}

/// The 32 bytes from which all outcomes of a virtual game follow. Committed to before the first
/// outcome, published when the game is over.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(pub [u8; 32]);

impl Secret {
    /// The commitment: SHA-256 of the 32 bytes.
    pub fn commitment(&self) -> Hash {
        Hash::of(&self.0)
    }

    /// The source of outcome `number`, after entries with this digest.
    pub fn shuffler(&self, number: u64, entries: &EntryDigest) -> Shuffler {
        Shuffler::keyed(Hash::of_parts(&[&self.0, &number.to_be_bytes(), &entries.0.0]).0)
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// Who deals in one game.
#[derive(Clone, Debug)]
pub enum Dealer {
    /// The referee, from this secret.
    Virtual(Secret),
    /// The people at the table.
    Table,
}

impl Dealer {
    /// The mode that this dealer makes.
    pub fn mode(&self) -> Mode {
        match self {
            Self::Virtual(_) => Mode::Virtual,
            Self::Table => Mode::Table,
        }
    }
}

/// A stream of random words with the few distributions that games need.
pub struct Shuffler(ChaCha20Rng);

impl Shuffler {
    /// The stream under this key.
    pub fn keyed(key: [u8; 32]) -> Self {
        Self(ChaCha20Rng::from_seed(key))
    }

    /// A stream for playouts, from a short seed.
    pub fn seeded(seed: u64) -> Self {
        Self::keyed(Hash::of(&seed.to_be_bytes()).0)
    }

    /// 32 random bits.
    pub fn word(&mut self) -> u32 {
        self.0.next_u32()
    }

    /// A number from 0 up to `bound`, without it, each equally likely.
    ///
    /// # Panics
    /// When `bound` is 0: there is nothing to choose from.
    pub fn below(&mut self, bound: u32) -> u32 {
        assert!(bound > 0, "a choice needs something to choose from");
        let beyond = (u32::MAX % bound + 1) % bound;
        loop {
            let word = self.word();
            if word <= u32::MAX - beyond {
                return word % bound;
            }
        }
    }

    /// Puts a list into an order, each order being equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last as u32 + 1) as usize;
            items.swap(last, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_rfc_8439() {
        // Appendix A.1, test vector 1: key and nonce of zeros, counter 0.
        let mut shuffler = Shuffler::keyed([0; 32]);
        let words: Vec<u32> = (0..4).map(|_| shuffler.word()).collect();
        assert_eq!(words, [0xade0_b876, 0x903d_f1a0, 0xe56a_5d40, 0x28bd_8653]);
    }

    #[test]
    fn golden_numbers_and_shuffle() {
        let secret = Secret([7; 32]);
        let mut shuffler = secret.shuffler(3, &EntryDigest::START);
        let dice: Vec<u32> = (0..12).map(|_| shuffler.below(6) + 1).collect();
        let mut cards: Vec<u32> = (0..10).collect();
        shuffler.shuffle(&mut cards);
        // Worked out by an independent implementation of the module's description.
        assert_eq!(dice, [6, 1, 6, 2, 5, 2, 1, 3, 2, 4, 4, 2]);
        assert_eq!(cards, [4, 7, 3, 0, 5, 6, 9, 2, 8, 1]);
    }

    #[test]
    fn every_number_below_the_bound_comes_up() {
        let mut shuffler = Shuffler::seeded(1);
        let mut seen = [0_u32; 49];
        for _ in 0..49_000 {
            seen[shuffler.below(49) as usize] += 1;
        }
        // Chi-square with 48 degrees of freedom stays below 93 in all but one run of 10,000; the
        // seed is fixed, so this is one run.
        let chi_square: f64 = seen
            .iter()
            .map(|n| (f64::from(*n) - 1000.0).powi(2) / 1000.0)
            .sum();
        assert!(chi_square < 93.0, "{chi_square}");
    }
}
