//! By which rule an event was possible, and what it shows.

use super::moves::Event;
use super::rules::Rule;

/// The rule by which an event was possible. Of an event that several rules draw it is one of them;
/// which of them did is on record beside the event.
pub(super) fn permitted_by(event: &Event) -> Rule {
    match event {
        Event::TokensLaid { .. } => Rule::Layout,
        Event::DieRolled { .. } | Event::PawnMoved { .. } => Rule::Steps,
        Event::TokenRevealed { .. } => Rule::SeenTokens,
        Event::TokenChosen { .. }
        | Event::TokenLeft { .. }
        | Event::TokenTaken { .. }
        | Event::TokenTurnedDown { .. } => Rule::Token,
        Event::RollsAgain { .. } => Rule::Star,
        Event::TurnPassed { .. } => Rule::Elsewhere,
        Event::CastleReached { .. } => Rule::Winner,
    }
}

/// Whether something hidden was shown to somebody: a face that was turned up. A die hides nothing,
/// and everybody sees where tokens are laid.
pub(super) fn reveals(event: &Event) -> bool {
    match event {
        Event::TokenRevealed { .. } => true,
        Event::TokensLaid { .. }
        | Event::DieRolled { .. }
        | Event::PawnMoved { .. }
        | Event::TokenChosen { .. }
        | Event::TokenLeft { .. }
        | Event::TokenTaken { .. }
        | Event::TokenTurnedDown { .. }
        | Event::RollsAgain { .. }
        | Event::TurnPassed { .. }
        | Event::CastleReached { .. } => false,
    }
}
