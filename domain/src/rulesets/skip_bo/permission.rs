//! Which rule makes an event possible, and which events show something.

use super::moves::{Event, Source};
use super::rules::Rule;

/// The rule by which a move was possible or which drew a consequence. Where several can have drawn
/// it, the one that does most often.
pub(super) fn permitted_by(event: &Event) -> Rule {
    match event {
        Event::StockTopTurned { .. } => Rule::NextTop,
        Event::CardPlayed { from, .. } => match from {
            Source::Hand { .. }
            | Source::Stock { seat: None }
            | Source::Help { seat: None, .. } => Rule::Playing,
            Source::Stock { seat: Some(_) } | Source::Help { seat: Some(_), .. } => Rule::TeamMates,
        },
        Event::Drew(_) | Event::CardDiscarded { .. } | Event::TurnPassed { .. } => Rule::Closing,
        Event::Passed { .. } => Rule::Passing,
        Event::PileCompleted { .. } => Rule::Completed,
        Event::Reshuffled { .. } => Rule::Reshuffle,
        Event::RoundWon { seats } if seats.len() > 1 => Rule::TeamWins,
        Event::RoundWon { .. } => Rule::RoundWon,
        Event::RoundScored { .. } => Rule::Scoring,
        Event::RoundStalemate {} => Rule::Stalemate,
        Event::RoundBegun { .. } => Rule::NextRound,
    }
}

/// Whether something hidden was shown to somebody: a card drawn to its owner, a card turned up or
/// laid from a hand to all. A card that is played may come from a hand, so it counts.
pub(super) fn reveals(event: &Event) -> bool {
    match event {
        Event::StockTopTurned { .. }
        | Event::Drew(_)
        | Event::CardPlayed { .. }
        | Event::CardDiscarded { .. } => true,
        Event::Passed { .. }
        | Event::PileCompleted { .. }
        | Event::Reshuffled { .. }
        | Event::TurnPassed { .. }
        | Event::RoundWon { .. }
        | Event::RoundScored { .. }
        | Event::RoundStalemate {}
        | Event::RoundBegun { .. } => false,
    }
}
