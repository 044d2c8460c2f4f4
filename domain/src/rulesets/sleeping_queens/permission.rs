//! Which rule makes an event possible, and which events show something.

use super::moves::{Attack, Event};
use super::rules::Rule;

/// The rule by which a move was possible or which drew a consequence. Where several can have drawn
/// it, the one that does most often.
pub(super) fn permitted_by(event: &Event) -> Rule {
    match event {
        Event::KingPlayed { .. } | Event::QueenWoken { .. } => Rule::King,
        Event::Attacked { with, .. } => match with {
            Attack::Knight => Rule::Knight,
            Attack::Potion => Rule::Potion,
        },
        Event::AnswerAsked { .. } => Rule::AlwaysAsked,
        Event::Defended { .. } => Rule::RightCard,
        Event::Allowed { .. } => Rule::Answer,
        Event::QueenStolen { .. } => Rule::Knight,
        Event::QueenPutToSleep { .. } => Rule::Potion,
        Event::JesterPlayed { .. }
        | Event::CardTurnedUp { .. }
        | Event::AnotherTurn { .. }
        | Event::Counted { .. }
        | Event::WakeChosen { .. } => Rule::Jester,
        Event::WakeGranted { .. } => Rule::Rose,
        Event::Discarded { .. } => Rule::Discard,
        Event::Reshuffled {} => Rule::Reshuffle,
        Event::Drew(_) => Rule::Refill,
        Event::QueenWentBack { .. } => Rule::CatAndDog,
        Event::TurnPassed { .. } => Rule::Clockwise,
        Event::LastTurnEnded {} => Rule::Enough,
    }
}

/// Whether something hidden was shown to somebody: a card drawn to its owner, a card or a queen turned
/// up or a card laid from a hand to all.
pub(super) fn reveals(event: &Event) -> bool {
    match event {
        Event::KingPlayed { .. }
        | Event::Attacked { .. }
        | Event::Defended { .. }
        | Event::JesterPlayed { .. }
        | Event::CardTurnedUp { .. }
        | Event::QueenWoken { .. }
        | Event::Discarded { .. }
        | Event::Drew(_) => true,
        Event::AnswerAsked { .. }
        | Event::Allowed { .. }
        | Event::QueenStolen { .. }
        | Event::QueenPutToSleep { .. }
        | Event::AnotherTurn { .. }
        | Event::Counted { .. }
        | Event::WakeGranted { .. }
        | Event::WakeChosen { .. }
        | Event::Reshuffled {}
        | Event::QueenWentBack { .. }
        | Event::TurnPassed { .. }
        | Event::LastTurnEnded {} => false,
    }
}
