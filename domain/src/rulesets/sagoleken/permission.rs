//! By which rule an event was possible, and what it shows.

use super::moves::Event;
use super::rules::Rule;

/// The rule by which an event was possible. Of an event that several rules draw it is one of them;
/// which of them did is on record beside the event.
pub(super) fn permitted_by(event: &Event) -> Rule {
    match event {
        Event::Drew(_) | Event::RoundCleared { .. } => Rule::Refill,
        Event::CardPlayed { .. } => Rule::OneMove,
        Event::PrincessRobbed { .. } => Rule::Rob,
        Event::PrincessRescued { .. } => Rule::Rescue,
        Event::PrincessSecured { .. } => Rule::Secure,
        Event::SatOut { .. } => Rule::SitOut,
        Event::RoundWon { .. } => Rule::Strongest,
        Event::RoundDrawn { .. } => Rule::Level,
        Event::RoundUncontested {} => Rule::NoContest,
        Event::NoBonus { .. } | Event::BonusDrawn { .. } => Rule::WinnerDraws,
        Event::BonusKept { .. } => Rule::OpenOrKept,
        Event::BonusReturned { .. } => Rule::OneOfEach,
        Event::LandDeclared { .. } => Rule::Rescued,
        Event::KingdomFormed { .. } => Rule::KingdomAtOnce,
        Event::LeadPassed { .. } => Rule::WinnerLeads,
        Event::AllPrincessesSafe {} => Rule::ThirdKingdom,
        Event::RoundBrokenOff { .. } | Event::HandCounted { .. } => Rule::Score,
    }
}

/// Whether something hidden was shown to somebody: cards that were drawn, to the player who drew
/// them if to nobody else, and cards that came from a hand or were held face down. What becomes of a
/// drawn bonus card shows no more than drawing it did.
pub(super) fn reveals(event: &Event) -> bool {
    match event {
        Event::Drew(_)
        | Event::BonusDrawn { .. }
        | Event::CardPlayed { .. }
        | Event::PrincessRobbed { .. }
        | Event::PrincessRescued { .. }
        | Event::PrincessSecured { .. }
        | Event::LandDeclared { .. }
        | Event::KingdomFormed { .. }
        | Event::HandCounted { .. } => true,
        Event::SatOut { .. }
        | Event::RoundWon { .. }
        | Event::RoundDrawn { .. }
        | Event::RoundUncontested {}
        | Event::NoBonus { .. }
        | Event::BonusKept { .. }
        | Event::BonusReturned { .. }
        | Event::RoundCleared { .. }
        | Event::LeadPassed { .. }
        | Event::AllPrincessesSafe {}
        | Event::RoundBrokenOff { .. } => false,
    }
}
