//! Sleeping Queens: hands, attacks with answers, and a jester, 2 to 5 players.
//!
//! Copy this game when yours has hidden hands and players who must answer out of turn. What a hand
//! may hold is worked out in one place (`knowledge`), so that judging, listing and refusing agree in
//! virtual games and at tables.

mod cards;
mod confide;
mod decide;
mod discard;
mod follow;
mod knowledge;
mod moves;
mod permission;
mod place;
mod position;
mod possible;
mod resolve;
mod rules;
mod state;
mod view;

#[cfg(test)]
mod tests;

pub use cards::{Card, Cards, Deck, Queen, Slot};
pub use moves::{
    Attack, CardCounts, CardDraw, Due, Event, Move, Options, Outcome, QueenCounts, Target,
};
pub use position::{Position, Sleeper, Stage};
pub use rules::Rule;
pub use state::{Phase, Place, State, Tally, Waking};
pub use view::{DiscardView, HandView, Owed, QueenView, SeatView, View};

use std::borrow::Cow;
use std::ops::RangeInclusive;

use crate::dealer::Shuffler;
use crate::ruleset::{Cause, Effect, Ending, Ruleset, Setup, Turn};
use crate::ruling::{Citation, Clue, Rulebook, Violation};
use crate::seat::{Seat, Viewer};

/// The rules of Sleeping Queens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SleepingQueens {}

impl Ruleset for SleepingQueens {
    const NAME: &'static str = "sleeping_queens";
    const SEATS: RangeInclusive<u8> = 2..=5;

    type Options = Options;
    type State = State;
    type Move = Move;
    type Outcome = Outcome;
    type Due = Due;
    type Event = Event;
    type View = View;
    type Position = Position;
    type Held = Card;

    fn initial_state(setup: &Setup<Options>) -> Result<State, Violation> {
        let first = setup.options.first_seat.seat(setup.seats)?;
        let deck = setup.options.deck.cards()?;
        Ok(State::new(setup.seats, setup.mode, first, deck))
    }

    fn turn(state: &State) -> Turn<Due> {
        match state.phase {
            Phase::Choosing(seat, _) | Phase::Answering(seat, ..) => Turn::Seat(seat),
            Phase::Over => {
                let (standing, rule) = state.standing();
                Turn::Over(Ending {
                    standing,
                    rule: Some(rule.citation()),
                })
            }
            Phase::Dealing(_)
            | Phase::Acting
            | Phase::TurningUp
            | Phase::Uncovering(..)
            | Phase::Replacing(_)
            | Phase::Refilling => state.due().map_or(Turn::Seat(state.seat), Turn::Chance),
        }
    }

    fn decide(state: &State, seat: Seat, mv: &Move) -> Result<Vec<Effect<Event>>, Violation> {
        decide::decide(state, seat, mv)
    }

    fn answers(due: &Due, outcome: &Outcome) -> bool {
        resolve::answers(due, outcome)
    }

    fn resolve(state: &State, outcome: &Outcome) -> Result<Vec<Effect<Event>>, Violation> {
        resolve::resolve(state, outcome)
    }

    fn on_record(state: &State) -> Option<Outcome> {
        resolve::on_record(state)
    }

    fn face_down(state: &State) -> Option<Outcome> {
        resolve::face_down(state)
    }

    fn sample(state: &State, shuffler: &mut Shuffler) -> Outcome {
        resolve::sample(state, shuffler)
    }

    fn conceals(outcome: &Outcome) -> bool {
        matches!(outcome, Outcome::Draw(draw) if draw.is_counted())
    }

    fn evolve(state: &mut State, event: &Event) {
        state.evolve(event);
    }

    fn cause(event: &Event) -> Option<Cause<Move, Outcome>> {
        let (seat, mv) = match event {
            Event::KingPlayed { seat, slot } => (*seat, Move::King { slot: *slot }),
            Event::Attacked {
                seat,
                with,
                target,
                queen,
            } => (*seat, with.at(*target, *queen)),
            Event::Defended { seat, card } => (*seat, Move::Defend { card: *card }),
            Event::Allowed { seat } => (*seat, Move::Allow {}),
            Event::JesterPlayed { seat } => (*seat, Move::Jester {}),
            Event::WakeChosen { seat, slot } => (*seat, Move::Wake { slot: *slot }),
            Event::Discarded { seat, cards } => {
                let cards = cards.clone();
                (*seat, Move::Discard { cards })
            }
            Event::QueenWoken { queen, .. } => {
                return Some(Cause::Outcome(Outcome::Queen { queen: *queen }));
            }
            Event::CardTurnedUp { card, .. } => {
                return Some(Cause::Outcome(Outcome::TopCard { card: *card }));
            }
            Event::Drew(draw) => return Some(Cause::Outcome(Outcome::Draw(draw.clone()))),
            Event::AnswerAsked { .. }
            | Event::QueenStolen { .. }
            | Event::QueenPutToSleep { .. }
            | Event::AnotherTurn { .. }
            | Event::Counted { .. }
            | Event::WakeGranted { .. }
            | Event::Reshuffled {}
            | Event::QueenWentBack { .. }
            | Event::TurnPassed { .. }
            | Event::LastTurnEnded {} => return None,
        };
        Some(Cause::Move { seat, mv })
    }

    fn legal_moves(state: &State, seat: Seat) -> Vec<Move> {
        decide::legal_moves(state, seat)
    }

    fn view(state: &State, viewer: Viewer) -> View {
        view::view(state, viewer)
    }

    fn position(state: &State) -> Position {
        position::position(state)
    }

    fn place(setup: &Setup<Options>, position: &Position) -> Result<State, Violation> {
        place::place(setup, position)
    }

    fn confide(state: &mut State, seat: Seat, cards: &[Card]) -> Result<(), Violation> {
        confide::confide(state, seat, cards)
    }

    fn permitted_by(event: &Event) -> &'static Citation {
        permission::permitted_by(event).citation()
    }

    fn reveals(event: &Event) -> bool {
        permission::reveals(event)
    }

    fn mask(event: &Event, viewer: Viewer) -> Cow<'_, Event> {
        if let Event::Drew(draw) = event
            && let Cow::Owned(draw) = draw.masked(viewer)
        {
            return Cow::Owned(Event::Drew(draw));
        }
        Cow::Borrowed(event)
    }

    fn bears_on(event: &Event, clue: &Clue) -> bool {
        knowledge::bears_on(event, clue)
    }

    fn evidence<'e>(
        events: impl Iterator<Item = (u64, &'e Event)>,
        clue: &Clue,
        _viewer: Viewer,
    ) -> Vec<u64> {
        knowledge::evidence(events, clue)
    }

    fn keenness(_state: &State, mv: &Move) -> u8 {
        match mv {
            Move::King { .. } => 3,
            Move::Knight { .. } => 2,
            Move::Jester {} | Move::Wake { .. } | Move::Defend { .. } => 1,
            Move::Potion { .. } | Move::Allow {} | Move::Discard { .. } => 0,
        }
    }

    fn rulebook(_version: u16) -> &'static Rulebook {
        &rules::RULEBOOK
    }
}
