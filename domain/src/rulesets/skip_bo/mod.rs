//! Skip-Bo: sequence building, 2 to 6 players, alone or in teams.
//!
//! Copy this game when yours has hands, teams, several rounds, or a draw pile that is shuffled anew.

mod confide;
mod decide;
mod follow;
mod legal;
mod moves;
mod permission;
mod piles;
mod place;
mod position;
mod possible;
mod rules;
mod state;
mod terms;
mod trace;
mod version;
mod view;

#[cfg(test)]
mod tests;

pub use moves::{Card, CardCounts, CardDraw, Due, Event, Move, Options, Outcome, Place, Source};
pub use piles::{Building, Stock, Unseen};
pub use position::{Position, Stage};
pub use rules::{Rule, SecondVersion};
pub use state::{Phase, Player, Refill, State};
pub use terms::Terms;
pub use version::Version;
pub use view::View;

use std::borrow::Cow;
use std::ops::RangeInclusive;

use crate::cards::{Card as _, Draw, Drawn};
use crate::dealer::Shuffler;
use crate::ruleset::{Cause, Effect, Ending, Ruleset, Setup, Turn};
use crate::ruling::{Citation, Clue, Rulebook, Violation};
use crate::seat::{Seat, Viewer};

/// The rules of Skip-Bo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SkipBo {}

impl Ruleset for SkipBo {
    const NAME: &'static str = "skip_bo";
    const SEATS: RangeInclusive<u8> = 2..=6;
    const VERSIONS: &'static [u16] = Version::NUMBERS;

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
        let terms = Terms::agreed(setup)?;
        Ok(State::new(terms, first))
    }

    fn turn(state: &State) -> Turn<Due> {
        if let Some(standing) = state.standing() {
            let rule = match standing.winners.as_slice() {
                [] => Rule::Stalemate,
                _ => Rule::Target,
            };
            return Turn::Over(Ending {
                standing,
                rule: Some(rule.citation()),
            });
        }
        match state.due() {
            Some(due) => Turn::Chance(due),
            None => Turn::Seat(state.seat),
        }
    }

    fn decide(state: &State, seat: Seat, mv: &Move) -> Result<Vec<Effect<Event>>, Violation> {
        decide::decide(state, seat, mv)
    }

    fn answers(due: &Due, outcome: &Outcome) -> bool {
        match (due, outcome) {
            (Due::StockTop { seat }, Outcome::StockTop { seat: of, .. }) => seat == of,
            (Due::Draw { seat, count }, Outcome::Draw(draw)) => {
                *seat == draw.seat && usize::from(*count) == draw.drawn.len()
            }
            (Due::StockTop { .. }, Outcome::Draw(_))
            | (Due::Draw { .. }, Outcome::StockTop { .. }) => false,
        }
    }

    fn resolve(state: &State, outcome: &Outcome) -> Result<Vec<Effect<Event>>, Violation> {
        decide::resolve(state, outcome)
    }

    fn face_down(state: &State) -> Option<Outcome> {
        match state.due()? {
            Due::StockTop { .. } => None,
            Due::Draw { seat, count } => {
                let drawn = Drawn::Counted { count };
                Some(Outcome::Draw(Draw { seat, drawn }))
            }
        }
    }

    fn sample(state: &State, shuffler: &mut Shuffler) -> Outcome {
        match state.due().expect("only asked while chance is due") {
            Due::StockTop { seat } => Outcome::StockTop {
                seat,
                card: state.possible_stock_tops().draw(shuffler),
            },
            Due::Draw { seat, count } => {
                let cards = state.unseen.in_pile().sample(count, shuffler);
                let drawn = Drawn::Known { cards };
                Outcome::Draw(Draw { seat, drawn })
            }
        }
    }

    fn conceals(outcome: &Outcome) -> bool {
        matches!(outcome, Outcome::Draw(draw) if draw.is_counted())
    }

    fn evolve(state: &mut State, event: &Event) {
        state.evolve(event);
    }

    fn cause(event: &Event) -> Option<Cause<Move, Outcome>> {
        let (seat, mv) = match event {
            Event::CardPlayed { seat, from, to, .. } => (
                *seat,
                Move::Play {
                    from: *from,
                    to: *to,
                },
            ),
            Event::CardDiscarded { seat, card, pile } => (
                *seat,
                Move::Discard {
                    card: *card,
                    pile: *pile,
                },
            ),
            Event::Passed { seat } => (*seat, Move::Pass {}),
            Event::StockTopTurned { seat, card } => {
                let (seat, card) = (*seat, *card);
                return Some(Cause::Outcome(Outcome::StockTop { seat, card }));
            }
            Event::Drew(draw) => return Some(Cause::Outcome(Outcome::Draw(draw.clone()))),
            Event::PileCompleted { .. }
            | Event::Reshuffled { .. }
            | Event::TurnPassed { .. }
            | Event::RoundWon { .. }
            | Event::RoundScored { .. }
            | Event::RoundStalemate {}
            | Event::RoundBegun { .. } => return None,
        };
        Some(Cause::Move { seat, mv })
    }

    fn legal_moves(state: &State, seat: Seat) -> Vec<Move> {
        legal::legal_moves(state, seat)
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
            && let Cow::Owned(masked) = draw.masked(viewer)
        {
            return Cow::Owned(Event::Drew(masked));
        }
        Cow::Borrowed(event)
    }

    /// Of the events that show a card, those that show it for the first time since it was dealt or
    /// shuffled: a later play from a stock or help pile moves a card that is on record already.
    fn bears_on(event: &Event, clue: &Clue) -> bool {
        let Clue::Card(name) = clue else {
            return false;
        };
        match event {
            Event::StockTopTurned { card, .. }
            | Event::CardDiscarded { card, .. }
            | Event::CardPlayed {
                from: Source::Hand { .. },
                card,
                ..
            } => card.name() == name,
            _ => false,
        }
    }

    fn evidence<'e>(
        events: impl Iterator<Item = (u64, &'e Event)>,
        clue: &Clue,
        _viewer: Viewer,
    ) -> Vec<u64> {
        trace::evidence(events, clue)
    }

    fn keenness(_state: &State, mv: &Move) -> u8 {
        legal::keenness(mv)
    }

    fn rulebook(version: u16) -> &'static Rulebook {
        Version::numbered(version).rulebook()
    }
}
