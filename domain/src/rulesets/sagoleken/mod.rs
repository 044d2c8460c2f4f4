//! Sagoleken: rounds, robberies and rescues, 2 to 4 players.
//!
//! Copy this game when yours has hidden cards of which much can be worked out from what everybody
//! sees.

mod bonus;
mod confide;
mod decide;
mod evolve;
mod holdings;
mod moves;
mod options;
mod outcomes;
mod permission;
mod pile;
mod position;
mod round;
mod rules;
mod state;
mod view;

#[cfg(test)]
mod tests;

pub use holdings::{Deal, Fate, Held, Holdings};
pub use moves::{
    BonusCard, BonusDraw, Card, CardDraw, Due, Event, Face, Helpers, HiddenCard, MOST_SEATS, Move,
    Outcome, Robber, SeatIndex,
};
pub use options::{CardPoints, Options};
pub use pile::Pile;
pub use position::{BonusCounts, BonusDeal, CardCounts, Position};
pub use rules::Rule;
pub use state::{HAND, Phase, Played, Princess, State};
pub use view::{HandView, HeldView, PlayedView, PrincessView, SeatView, View};

use std::borrow::Cow;
use std::ops::RangeInclusive;

use crate::cards::Card as _;
use crate::dealer::Shuffler;
use crate::ruleset::{Cause, Effect, Ending, Ruleset, Setup, Turn};
use crate::ruling::{Citation, Clue, Rulebook, Violation};
use crate::seat::{Seat, Viewer};

/// The rules of Sagoleken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sagoleken {}

impl Ruleset for Sagoleken {
    const NAME: &'static str = "sagoleken";
    const SEATS: RangeInclusive<u8> = 2..=MOST_SEATS as u8;

    type Options = Options;
    type State = State;
    type Move = Move;
    type Outcome = Outcome;
    type Due = Due;
    type Event = Event;
    type View = View;
    type Position = Position;
    type Held = HiddenCard;

    fn initial_state(setup: &Setup<Options>) -> Result<State, Violation> {
        let leader = setup.options.first_seat.seat(setup.seats)?;
        let points = setup.options.card_points.points()?;
        Ok(State::new(setup.seats, setup.mode, leader, points))
    }

    fn turn(state: &State) -> Turn<Due> {
        match outcomes::due(state) {
            Some(due) => Turn::Chance(due),
            None if state.phase == Phase::Over => Turn::Over(Ending {
                standing: state.standing(),
                rule: Some(Rule::MostPoints.citation()),
            }),
            None => Turn::Seat(state.mover()),
        }
    }

    fn decide(state: &State, seat: Seat, mv: &Move) -> Result<Vec<Effect<Event>>, Violation> {
        decide::decide(state, seat, mv)
    }

    fn answers(due: &Due, outcome: &Outcome) -> bool {
        outcomes::answers(due, outcome)
    }

    fn resolve(state: &State, outcome: &Outcome) -> Result<Vec<Effect<Event>>, Violation> {
        outcomes::resolve(state, outcome)
    }

    fn on_record(state: &State) -> Option<Outcome> {
        outcomes::on_record(state)
    }

    fn face_down(state: &State) -> Option<Outcome> {
        outcomes::face_down(state)
    }

    fn sample(state: &State, shuffler: &mut Shuffler) -> Outcome {
        outcomes::sample(state, shuffler)
    }

    fn conceals(outcome: &Outcome) -> bool {
        match outcome {
            Outcome::Draw(draw) => draw.is_counted(),
            Outcome::Bonus(draw) => draw.card == Face::Hidden,
            Outcome::Land { .. } | Outcome::FinalHand { .. } => false,
        }
    }

    fn evolve(state: &mut State, event: &Event) {
        state.evolve(event);
    }

    fn cause(event: &Event) -> Option<Cause<Move, Outcome>> {
        let by = |seat: Seat, mv: Move| Some(Cause::Move { seat, mv });
        match event {
            Event::CardPlayed { seat, card } => by(*seat, Move::Play { card: *card }),
            Event::PrincessRobbed { seat, with, from } => by(
                *seat,
                Move::Rob {
                    with: *with,
                    seat: SeatIndex::new(from.number())?,
                },
            ),
            Event::PrincessRescued {
                seat,
                from,
                helpers,
            } => by(
                *seat,
                Move::Rescue {
                    seat: SeatIndex::new(from.number())?,
                    helpers: *helpers,
                },
            ),
            Event::PrincessSecured { seat } => by(*seat, Move::Secure {}),
            Event::Drew(draw) => Some(Cause::Outcome(Outcome::Draw(draw.clone()))),
            Event::BonusDrawn { bonus, .. } => Some(Cause::Outcome(Outcome::Bonus(*bonus))),
            Event::LandDeclared { held, .. } => Some(Cause::Outcome(Outcome::Land { held: *held })),
            Event::HandCounted { seat, cards } => Some(Cause::Outcome(Outcome::FinalHand {
                seat: *seat,
                cards: cards.clone(),
            })),
            Event::SatOut { .. }
            | Event::RoundWon { .. }
            | Event::RoundDrawn { .. }
            | Event::RoundUncontested {}
            | Event::NoBonus { .. }
            | Event::BonusKept { .. }
            | Event::BonusReturned { .. }
            | Event::KingdomFormed { .. }
            | Event::RoundCleared { .. }
            | Event::LeadPassed { .. }
            | Event::AllPrincessesSafe {}
            | Event::RoundBrokenOff { .. } => None,
        }
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
        position::place(setup, position)
    }

    /// All of them: the hand, and the bonus cards held face down.
    fn confide(state: &mut State, seat: Seat, cards: &[HiddenCard]) -> Result<(), Violation> {
        confide::confide(state, seat, cards)
    }

    fn permitted_by(event: &Event) -> &'static Citation {
        permission::permitted_by(event).citation()
    }

    fn reveals(event: &Event) -> bool {
        permission::reveals(event)
    }

    fn mask(event: &Event, viewer: Viewer) -> Cow<'_, Event> {
        match event {
            Event::Drew(draw) => match draw.masked(viewer) {
                Cow::Borrowed(_) => Cow::Borrowed(event),
                Cow::Owned(masked) => Cow::Owned(Event::Drew(masked)),
            },
            Event::BonusDrawn {
                seat,
                seen: Some(seen),
                ..
            } if !viewer.sees(*seat) => Cow::Owned(Event::BonusDrawn {
                seat: *seat,
                bonus: *seen,
                seen: None,
            }),
            _ => Cow::Borrowed(event),
        }
    }

    fn bears_on(event: &Event, clue: &Clue) -> bool {
        match clue {
            Clue::Card(name) => names_card(event, name),
            Clue::Place(place) => {
                bonus_cards_of(event).any(|seat| decide::holder(seat) == Clue::Place(place.clone()))
            }
        }
    }

    /// What was played lies under the draw pile once its round is over, and may be in any hand again;
    /// of bonus cards nothing is forgotten.
    fn evidence<'e>(
        events: impl Iterator<Item = (u64, &'e Event)>,
        clue: &Clue,
        viewer: Viewer,
    ) -> Vec<u64> {
        let of_a_hand =
            matches!(clue, Clue::Card(name) if Card::ALL.iter().any(|card| card.name() == name));
        let mut evidence = Vec::new();
        for (seq, event) in events {
            let round_is_over = matches!(
                event,
                Event::RoundCleared { .. } | Event::RoundBrokenOff { .. }
            );
            if of_a_hand && round_is_over {
                evidence.clear();
            }
            if Self::bears_on(&Self::mask(event, viewer), clue) {
                evidence.push(seq);
            }
        }
        evidence
    }

    fn keenness(_state: &State, mv: &Move) -> u8 {
        match mv {
            Move::Secure {} => 12,
            Move::Rescue { .. } => 11,
            Move::Rob { .. } => 10,
            Move::Play { card } => card.index() as u8,
        }
    }

    fn rulebook(_version: u16) -> &'static Rulebook {
        &rules::RULEBOOK
    }
}

/// Whether an event shows a card of this name where it stays for all to see. Helpers do not: they go
/// under the draw pile at once.
fn names_card(event: &Event, name: &str) -> bool {
    match event {
        Event::CardPlayed { card, .. } => card.name() == name,
        Event::HandCounted { cards, .. } => cards.iter().any(|card| card.name() == name),
        Event::BonusDrawn { bonus, .. } => {
            bonus.card.known().is_some_and(|card| card.name() == name)
        }
        Event::PrincessRobbed { with, .. } => with.name() == name,
        _ => false,
    }
}

/// The players whose bonus cards an event tells something of.
fn bonus_cards_of(event: &Event) -> impl Iterator<Item = Seat> {
    let (one, other) = match event {
        Event::PrincessRobbed { seat, from, .. } | Event::PrincessRescued { seat, from, .. } => {
            (Some(*seat), Some(*from))
        }
        Event::PrincessSecured { seat }
        | Event::BonusDrawn { seat, .. }
        | Event::BonusKept { seat }
        | Event::BonusReturned { seat }
        | Event::LandDeclared { seat, .. }
        | Event::KingdomFormed { seat } => (Some(*seat), None),
        _ => (None, None),
    };
    one.into_iter().chain(other)
}
