//! Wróżka: roll, move and remember, 2 to 4 players.
//!
//! Copy this game when yours is played on a board that players may bring along.

mod board;
mod chance;
mod decide;
mod keenness;
mod map;
mod moves;
mod permission;
mod place_id;
mod position;
mod rules;
mod state;
mod tokens;
mod view;
mod walk;

#[cfg(test)]
mod tests;

pub use board::{Board, BoardPlace, PlaceKind};
pub use map::{MOST_PLACES, Map, Place};
pub use moves::{Die, Due, Event, Move, Options, Outcome};
pub use place_id::PlaceId;
pub use position::{Position, SeenToken};
pub use rules::Rule;
pub use state::{MOST_PLAYERS, MOST_TOKENS, Phase, Seen, State};
pub use tokens::{Colour, Token, Tokens};
pub use view::{SeatView, View};
pub use walk::{PlaceSet, Walks};

use std::borrow::Cow;
use std::ops::RangeInclusive;

use crate::dealer::Shuffler;
use crate::ruleset::{Cause, Effect, Ending, Ruleset, Setup, Turn};
use crate::ruling::{Citation, Clue, Common, Rulebook, Violation};
use crate::seat::{Seat, Viewer};

/// The rules of Wróżka.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wrozka {}

impl Ruleset for Wrozka {
    const NAME: &'static str = "wrozka";
    const SEATS: RangeInclusive<u8> = 2..=4;

    type Options = Options;
    type State = State;
    type Move = Move;
    type Outcome = Outcome;
    type Due = Due;
    type Event = Event;
    type View = View;
    type Position = Position;
    type Held = Token;

    fn initial_state(setup: &Setup<Options>) -> Result<State, Violation> {
        State::new(setup.seats, &setup.options)
    }

    fn turn(state: &State) -> Turn<Due> {
        if state.phase == Phase::Over {
            return Turn::Over(Ending {
                standing: state.standing(),
                rule: Some(Rule::Winner.citation()),
            });
        }
        chance::due(state).map_or(Turn::Seat(state.seat), Turn::Chance)
    }

    fn decide(state: &State, seat: Seat, mv: &Move) -> Result<Vec<Effect<Event>>, Violation> {
        decide::decide(state, seat, mv)
    }

    fn answers(due: &Due, outcome: &Outcome) -> bool {
        matches!(
            (due, outcome),
            (Due::Layout { .. }, Outcome::Layout { .. })
                | (Due::Die { .. }, Outcome::Die { .. })
                | (Due::Token { .. }, Outcome::Token(_))
        )
    }

    fn resolve(state: &State, outcome: &Outcome) -> Result<Vec<Effect<Event>>, Violation> {
        decide::resolve(state, outcome)
    }

    fn on_record(state: &State) -> Option<Outcome> {
        match state.phase {
            Phase::TurningUp => state.face(state.here()).map(Outcome::Token),
            Phase::Laying | Phase::Rolling | Phase::Moving(_) | Phase::Choosing | Phase::Over => {
                None
            }
        }
    }

    fn sample(state: &State, shuffler: &mut Shuffler) -> Outcome {
        chance::sample(state, shuffler)
    }

    fn evolve(state: &mut State, event: &Event) {
        state.evolve(event);
    }

    fn cause(event: &Event) -> Option<Cause<Move, Outcome>> {
        let (seat, mv) = match event {
            Event::TokensLaid { places } => {
                let places = places.clone();
                return Some(Cause::Outcome(Outcome::Layout { places }));
            }
            Event::DieRolled { value, .. } => {
                return Some(Cause::Outcome(Outcome::Die { value: *value }));
            }
            Event::TokenRevealed { token, .. } => {
                return Some(Cause::Outcome(Outcome::Token(*token)));
            }
            Event::PawnMoved { seat, to, .. } => (*seat, Move::Move { to: *to }),
            Event::TokenChosen { seat, .. } => (*seat, Move::Reveal {}),
            Event::TokenLeft { seat, .. } => (*seat, Move::Leave {}),
            Event::TokenTaken { .. }
            | Event::TokenTurnedDown { .. }
            | Event::RollsAgain { .. }
            | Event::TurnPassed { .. }
            | Event::CastleReached { .. } => return None,
        };
        Some(Cause::Move { seat, mv })
    }

    fn legal_moves(state: &State, _seat: Seat) -> Vec<Move> {
        decide::legal_moves(state)
    }

    fn view(state: &State, _viewer: Viewer) -> View {
        view::view(state)
    }

    fn position(state: &State) -> Position {
        position::position(state)
    }

    fn place(setup: &Setup<Options>, position: &Position) -> Result<State, Violation> {
        position::place(setup, position)
    }

    fn confide(_state: &mut State, _seat: Seat, _tokens: &[Token]) -> Result<(), Violation> {
        let detail = "nobody holds tokens hidden from the others";
        Err(Violation::of(Common::Hidden, detail))
    }

    fn permitted_by(event: &Event) -> &'static Citation {
        permission::permitted_by(event).citation()
    }

    fn reveals(event: &Event) -> bool {
        permission::reveals(event)
    }

    fn mask(event: &Event, _viewer: Viewer) -> Cow<'_, Event> {
        Cow::Borrowed(event)
    }

    fn bears_on(event: &Event, clue: &Clue) -> bool {
        let Event::TokenRevealed { place, token } = event else {
            return false;
        };
        match clue {
            Clue::Place(name) => place.to_string() == *name,
            Clue::Card(name) => token.to_string() == *name,
        }
    }

    fn remembers(state: &State) -> bool {
        state.notebook
    }

    fn forget(state: &mut State) {
        state.seen = [None; MOST_TOKENS];
    }

    fn begins_turn(event: &Event) -> bool {
        matches!(event, Event::TurnPassed { .. })
    }

    fn keenness(state: &State, mv: &Move) -> u8 {
        keenness::keenness(state, mv)
    }

    fn rulebook(_version: u16) -> &'static Rulebook {
        &rules::RULEBOOK
    }
}
