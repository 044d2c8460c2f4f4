//! The one list of games, and the dispatch that it makes.
//!
//! A game is a folder here and a line in `games!`. Everything above speaks to [`AnyGame`] and
//! [`GameKind`] and names no game.

mod any;

pub mod sagoleken;
pub mod schatz_der_drachen;
pub mod skip_bo;
pub mod sleeping_queens;
pub mod wrozka;

pub use any::*;
