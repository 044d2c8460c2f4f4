//! By which rule an event was possible, and what it shows.

use super::decide::set_of;
use super::moves::Event;
use super::rules::Rule;

/// The rule by which an event was possible. Of an event that several rules draw it is one of them;
/// which of them did is on record beside the event.
pub(super) fn permitted_by(event: &Event) -> Rule {
    match event {
        Event::TileChosen { .. } => Rule::OneAtLeast,
        Event::TileRevealed { .. } => Rule::SeenTiles,
        Event::SpiderFound { .. } | Event::SpiderMoved { .. } | Event::SpiderLeft { .. } => {
            Rule::MoveSpider
        }
        Event::TurnLost {} => Rule::Spider,
        Event::Stopped { .. } => Rule::Stopping,
        Event::TilesTaken { tile, .. } => set_of(*tile).map_or(Rule::Singles, |(_, rule)| rule),
        Event::TurnedDown { .. } => Rule::NothingEarned,
        Event::TurnPassed { .. } => Rule::NextPlayer,
        Event::OnlySpidersLeft {} => Rule::OnlySpiders,
        Event::SpidersAwarded { .. } => Rule::SpidersAwarded,
    }
}

/// Whether something hidden was shown to somebody: a face that was turned up. What is taken or
/// moved lies open already.
pub(super) fn reveals(event: &Event) -> bool {
    match event {
        Event::TileRevealed { .. } => true,
        Event::TileChosen { .. }
        | Event::SpiderFound { .. }
        | Event::SpiderMoved { .. }
        | Event::SpiderLeft { .. }
        | Event::TurnLost {}
        | Event::Stopped { .. }
        | Event::TilesTaken { .. }
        | Event::TurnedDown { .. }
        | Event::TurnPassed { .. }
        | Event::OnlySpidersLeft {}
        | Event::SpidersAwarded { .. } => false,
    }
}
