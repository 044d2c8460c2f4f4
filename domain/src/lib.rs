//! The rules of the games and the life of a game, as pure functions.
//!
//! # Invariants
//!
//! - Nothing here reads a clock, a file, a socket, a database or the operating system's randomness;
//!   times, salts and the dealer's secret come in as data.
//! - `decide` and `resolve` judge and never change a state; `evolve` changes a state and never
//!   judges or fails.
//! - The log holds outcomes: folding it draws nothing.
//! - A refusal without a rule cannot be expressed: [`ruling::Violation`] holds a citation.
//! - Nothing outside [`rulesets`] names a single game.
//! - What leaves this crate for a reader has passed a ruleset's `view` or `mask`.

pub mod cards;
pub mod dealer;
pub mod game;
pub mod placing;
pub mod playout;
pub mod record;
pub mod replay;
pub mod ruleset;
pub mod rulesets;
pub mod ruling;
pub mod seat;
pub mod wire;

#[cfg(any(test, feature = "testing"))]
pub mod testing;
