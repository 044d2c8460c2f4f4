//! Schatz der Drachen: memory and push your luck, 2 to 5 players.
//!
//! Copy this game when yours has open information and chance only in what is turned up.

mod decide;
mod moves;
mod rules;
mod state;
mod view;

#[cfg(test)]
mod tests;

pub use moves::{Due, Event, Move, Options, Outcome, Slot, Tile};
pub use rules::Rule;
pub use state::{Phase, Place, State};
pub use view::View;

use std::borrow::Cow;
use std::ops::RangeInclusive;

use crate::cards::Card;
use crate::dealer::Shuffler;
use crate::ruleset::{Cause, Effect, Ending, Ruleset, Setup, Turn};
use crate::ruling::{Clue, Rulebook, Violation};
use crate::seat::{Seat, Viewer};

/// The rules of Schatz der Drachen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SchatzDerDrachen {}

impl Ruleset for SchatzDerDrachen {
    const NAME: &'static str = "schatz_der_drachen";
    const SEATS: RangeInclusive<u8> = 2..=5;

    type Options = Options;
    type State = State;
    type Move = Move;
    type Outcome = Outcome;
    type Due = Due;
    type Event = Event;
    type View = View;

    fn initial_state(setup: &Setup<Options>) -> Result<State, Violation> {
        let first = setup.options.first_seat.seat(setup.seats)?;
        Ok(State::new(setup.seats, first, setup.options.notebook))
    }

    fn turn(state: &State) -> Turn<Due> {
        match state.phase {
            Phase::Choosing | Phase::Spider(_) => Turn::Seat(state.seat),
            Phase::Turning(slot) => Turn::Chance(Due::Tile { slot }),
            Phase::Over => Turn::Over(Ending {
                standing: state.standing(),
                rule: Some(Rule::MostTiles.citation()),
            }),
        }
    }

    fn decide(state: &State, seat: Seat, mv: &Move) -> Result<Vec<Effect<Event>>, Violation> {
        decide::decide(state, seat, mv)
    }

    fn answers(_due: &Due, outcome: &Outcome) -> bool {
        match outcome {
            Outcome::Tile { .. } => true,
        }
    }

    fn resolve(state: &State, outcome: &Outcome) -> Result<Vec<Effect<Event>>, Violation> {
        decide::resolve(state, outcome)
    }

    fn on_record(state: &State) -> Option<Outcome> {
        let Phase::Turning(slot) = state.phase else {
            return None;
        };
        state.face(slot).map(|tile| Outcome::Tile { tile })
    }

    fn sample(state: &State, shuffler: &mut Shuffler) -> Outcome {
        Outcome::Tile {
            tile: state.unseen().draw(shuffler),
        }
    }

    fn evolve(state: &mut State, event: &Event) {
        state.evolve(event);
    }

    fn cause(event: &Event) -> Option<Cause<Move, Outcome>> {
        let (seat, mv) = match *event {
            Event::TileChosen { seat, slot } => (seat, Move::Reveal { slot }),
            Event::Stopped { seat } => (seat, Move::Stop {}),
            Event::SpiderMoved { seat, to, .. } => (seat, Move::MoveSpider { to }),
            Event::SpiderLeft { seat } => (seat, Move::LeaveSpider {}),
            Event::TileRevealed { tile, .. } => {
                return Some(Cause::Outcome(Outcome::Tile { tile }));
            }
            Event::SpiderFound { .. }
            | Event::TurnLost {}
            | Event::TilesTaken { .. }
            | Event::TurnedDown { .. }
            | Event::TurnPassed { .. }
            | Event::OnlySpidersLeft {}
            | Event::SpidersAwarded { .. } => return None,
        };
        Some(Cause::Move { seat, mv })
    }

    fn legal_moves(state: &State, _seat: Seat) -> Vec<Move> {
        decide::legal_moves(state)
    }

    fn view(state: &State, _viewer: Viewer) -> View {
        view::view(state)
    }

    fn mask(event: &Event, _viewer: Viewer) -> Cow<'_, Event> {
        Cow::Borrowed(event)
    }

    fn bears_on(event: &Event, clue: &Clue) -> bool {
        match (event, clue) {
            (Event::TileRevealed { slot, .. }, Clue::Place(place)) => slot.to_string() == *place,
            (Event::SpiderMoved { to, .. }, Clue::Place(place)) => to.to_string() == *place,
            (
                Event::TileRevealed { tile, .. } | Event::TilesTaken { tile, .. },
                Clue::Card(card),
            ) => tile.name() == card,
            (Event::SpiderMoved { .. }, Clue::Card(card)) => Tile::Spider.name() == card,
            _ => false,
        }
    }

    /// What was seen at a place holds until the tile is taken from there, or is a spider that is moved.
    fn evidence<'e>(
        events: impl Iterator<Item = (u64, &'e Event)>,
        clue: &Clue,
        _viewer: Viewer,
    ) -> Vec<u64> {
        let mut shown: Vec<(u64, &Event)> = Vec::new();
        for (seq, event) in events {
            match event {
                Event::TilesTaken { slots, .. } => {
                    shown.retain(|(_, earlier)| {
                        place_of(earlier).is_none_or(|at| !slots.contains(&at))
                    });
                }
                Event::SpiderMoved { from, .. } => {
                    shown.retain(|(_, earlier)| place_of(earlier) != Some(*from));
                }
                _ => {}
            }
            if Self::bears_on(event, clue) {
                shown.push((seq, event));
            }
        }
        shown.into_iter().map(|(seq, _)| seq).collect()
    }

    fn remembers(state: &State) -> bool {
        state.notebook
    }

    fn forget(state: &mut State) {
        state.forget();
    }

    fn begins_turn(event: &Event) -> bool {
        matches!(event, Event::TurnPassed { .. })
    }

    fn keenness(_state: &State, mv: &Move) -> u8 {
        u8::from(matches!(mv, Move::Reveal { .. }))
    }

    fn rulebook(_version: u16) -> &'static Rulebook {
        &rules::RULEBOOK
    }
}

/// Where an event shows a tile that lies there from then on.
fn place_of(event: &Event) -> Option<Slot> {
    match event {
        Event::TileRevealed { slot, .. } => Some(*slot),
        Event::SpiderMoved { to, .. } => Some(*to),
        _ => None,
    }
}
