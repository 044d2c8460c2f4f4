//! Judging outcomes (CM-4, SQ-7).

use super::cards::{Card, Queen, Slot};
use super::follow::Sequel;
use super::knowledge::DRAW_PILE;
use super::moves::{Due, Event, Outcome};
use super::rules::Rule;
use super::state::{Phase, State, Waking};
use crate::cards::{Card as _, Draw, Drawn};
use crate::dealer::{Mode, Shuffler};
use crate::ruleset::Effect;
use crate::ruling::{Clue, Common, Violation};
use crate::seat::Seat;

type Judged = Result<Vec<Effect<Event>>, Violation>;

/// Whether an outcome is of the sort that is due.
pub(super) fn answers(due: &Due, outcome: &Outcome) -> bool {
    match (due, outcome) {
        (Due::Queen { .. }, Outcome::Queen { .. }) | (Due::TopCard {}, Outcome::TopCard { .. }) => {
            true
        }
        (Due::Draw { seat, count }, Outcome::Draw(draw)) => {
            draw.seat == *seat && draw.drawn.len() == usize::from(*count)
        }
        (Due::Queen { .. } | Due::TopCard {} | Due::Draw { .. }, _) => false,
    }
}

/// Judges an outcome that answers what is due.
pub(super) fn resolve(state: &State, outcome: &Outcome) -> Judged {
    match (state.phase, outcome) {
        (Phase::Uncovering(seat, slot, why), Outcome::Queen { queen }) => {
            uncover(state, seat, slot, why, *queen)
        }
        (Phase::TurningUp, Outcome::TopCard { card }) => turn_up(state, *card),
        (Phase::Dealing(_), Outcome::Draw(draw)) => hand_out(state, Rule::Deal, draw),
        (Phase::Replacing(_), Outcome::Draw(draw)) => hand_out(state, Rule::Defended, draw),
        (Phase::Refilling, Outcome::Draw(draw)) => hand_out(state, Rule::Refill, draw),
        (_, Outcome::Queen { .. } | Outcome::TopCard { .. } | Outcome::Draw(_)) => {
            Err(Violation::of(Common::Chance, "this outcome is not awaited"))
        }
    }
}

fn uncover(state: &State, seat: Seat, slot: Slot, why: Waking, queen: Queen) -> Judged {
    match state.at(slot).queen {
        Some(known) if known != queen => {
            let detail = format!("the queen in place {slot} is on record as {known}, not {queen}");
            let clue = Clue::Place(slot.to_string());
            return Err(Violation::of(Rule::SeenQueens, detail).contradicted_by(clue));
        }
        None if state.place_of(queen).is_some() => {
            let detail = format!("the queen {queen} is on record in another place than {slot}");
            let clue = Clue::Card(queen.name().to_owned());
            return Err(Violation::of(Common::Knowledge, detail).contradicted_by(clue));
        }
        Some(_) | None => {}
    }
    let mut sequel = Sequel::under(state, why.rule(), Event::QueenWoken { seat, slot, queen });
    if queen == Queen::Rose && sequel.state.sleeping().next().is_some() {
        sequel.then(Rule::Rose, Event::WakeGranted { seat });
    }
    Ok(sequel.finish())
}

fn turn_up(state: &State, card: Card) -> Judged {
    if !state.pile_may_hold().has(card) {
        let detail = format!("no {card} can lie in the draw pile");
        let clue = if state.unaccounted().has(card) {
            Clue::Place(DRAW_PILE.to_owned())
        } else {
            Clue::Card(card.name().to_owned())
        };
        return Err(Violation::of(Common::Knowledge, detail).contradicted_by(clue));
    }
    let seat = state.seat;
    let mut sequel = Sequel::of(state, Event::CardTurnedUp { seat, card });
    let follows = match card.number() {
        // The player is one.
        Some(number) => Event::Counted {
            seat: seat.step(number - 1, state.seats),
        },
        None => Event::AnotherTurn { seat },
    };
    sequel.then(Rule::Jester, follows);
    Ok(sequel.finish())
}

fn hand_out(state: &State, rule: Rule, draw: &Draw<Card>) -> Judged {
    if let Drawn::Known { cards } = &draw.drawn {
        if state.mode == Mode::Table {
            let detail = "nobody at the table sees what is drawn to a hand";
            return Err(Violation::of(Common::Chance, detail));
        }
        let mut pool = state.pile.pool;
        if let Some(card) = cards.iter().find(|card| !pool.take(**card)) {
            let detail = format!("so many cards {card} cannot lie in the draw pile");
            return Err(Violation::of(Common::Chance, detail));
        }
    }
    Ok(Sequel::under(state, rule, Event::Drew(draw.clone())).finish())
}

/// The outcome that is due, where a table does not see it: what goes to a hand.
pub(super) fn face_down(state: &State) -> Option<Outcome> {
    let (seat, count) = state.draw()?;
    let drawn = Drawn::Counted { count };
    Some(Outcome::Draw(Draw { seat, drawn }))
}

/// The outcome that is due, where the record settles it (SQ-7.2).
pub(super) fn on_record(state: &State) -> Option<Outcome> {
    match state.phase {
        Phase::Uncovering(_, slot, _) => state.at(slot).queen.map(|queen| Outcome::Queen { queen }),
        _ => None,
    }
}

/// Draws the outcome that is due.
pub(super) fn sample(state: &State, shuffler: &mut Shuffler) -> Outcome {
    if let Phase::Uncovering(..) = state.phase {
        let queen = state.unseen_queens().draw(shuffler);
        return Outcome::Queen { queen };
    }
    let Some((seat, count)) = state.draw() else {
        let card = state.pile_may_hold().draw(shuffler);
        return Outcome::TopCard { card };
    };
    let drawn = match state.mode {
        Mode::Virtual => Drawn::Known {
            cards: state.pile.sample(count, shuffler),
        },
        Mode::Table => Drawn::Counted { count },
    };
    Outcome::Draw(Draw { seat, drawn })
}
