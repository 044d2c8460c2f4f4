//! The one list of games, and the dispatch that it makes.

pub mod schatz_der_drachen;
pub mod wrozka;
