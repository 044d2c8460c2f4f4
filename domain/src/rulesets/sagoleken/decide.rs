//! Judging moves.

use super::moves::{BonusCard, Card, Event, Helpers, Move, Robber, SeatIndex};
use super::round;
use super::rules::Rule;
use super::state::{Played, Princess, State};
use crate::cards::Card as _;
use crate::ruleset::Effect;
use crate::ruling::{Clue, Violation};
use crate::seat::Seat;

pub(super) type Judged = Result<Vec<Effect<Event>>, Violation>;

/// Judges a move of the seat on turn.
pub(super) fn decide(state: &State, seat: Seat, mv: &Move) -> Judged {
    match *mv {
        Move::Play { card } => {
            has_in_hand(state, seat, card, 1, Rule::OneMove)?;
            let mut effects = Vec::with_capacity(4);
            effects.push(Effect::fact(Event::CardPlayed { seat, card }));
            if state.is_last_move() {
                let last = Some(Played { seat, card });
                round::finish(state, last, state.bonus_pile.size(), &mut effects);
            }
            Ok(effects)
        }
        Move::Rob { with, seat: from } => {
            let from = from.into();
            can_rob(state, seat, with, from)?;
            let mut effects = manoeuvre(seat, Event::PrincessRobbed { seat, with, from });
            if state.is_last_move() {
                round::finish(state, None, state.bonus_pile.size(), &mut effects);
            }
            Ok(effects)
        }
        Move::Rescue {
            seat: from,
            helpers,
        } => {
            let from = from.into();
            can_rescue(state, seat, from, helpers)?;
            let fact = Event::PrincessRescued {
                seat,
                from,
                helpers,
            };
            Ok(manoeuvre(seat, fact))
        }
        Move::Secure {} => {
            can_secure(state, seat)?;
            let mut effects = manoeuvre(seat, Event::PrincessSecured { seat });
            let first = state.leader;
            let over = round::form_kingdom(state, seat, Rule::Secure, first, &mut effects);
            if !over && state.is_last_move() {
                // The robber's card lies under the bonus pile by now.
                round::finish(state, None, state.bonus_pile.size() + 1, &mut effects);
            }
            Ok(effects)
        }
    }
}

fn manoeuvre(seat: Seat, fact: Event) -> Vec<Effect<Event>> {
    vec![
        Effect::fact(fact),
        Effect::under(Rule::SitOut, Event::SatOut { seat }),
    ]
}

/// Every legal move of the seat on turn.
pub(super) fn legal_moves(state: &State, seat: Seat) -> Vec<Move> {
    let mut moves = Vec::with_capacity(12);
    let may_hold = Card::ALL.iter().map(|card| state.may_hold(seat, *card));
    let plays = Card::ALL
        .iter()
        .zip(may_hold)
        .filter(|(_, count)| *count > 0);
    moves.extend(plays.map(|(card, _)| Move::Play { card: *card }));
    match state.princess(seat) {
        None => manoeuvres(state, seat, &mut moves),
        Some(Princess::Robbed {
            this_round: false, ..
        }) if state.holdings.may(seat, |held| held.has_prince_and_land()) => {
            moves.push(Move::Secure {});
        }
        Some(Princess::Robbed { .. } | Princess::Lone) => {}
    }
    moves
}

/// What a player without a princess may do about those of the others.
fn manoeuvres(state: &State, seat: Seat, moves: &mut Vec<Move>) {
    let may_hold = |card| state.holdings.may(seat, |held| held.has(card));
    let princesses = || {
        SeatIndex::all()
            .zip(state.princesses)
            .filter(|(from, _)| Seat::from(*from) != seat)
            .filter_map(|(from, princess)| princess.map(|princess| (from, princess)))
    };
    if princesses().next().is_none() {
        return;
    }
    for with in Robber::ALL.iter().filter(|with| may_hold(with.card())) {
        let lone = princesses().filter(|(_, princess)| *princess == Princess::Lone);
        moves.extend(lone.map(|(from, _)| Move::Rob {
            with: *with,
            seat: from,
        }));
    }
    if !may_hold(BonusCard::Prince) {
        return;
    }
    for (from, _) in princesses().filter(|(_, princess)| *princess != Princess::Lone) {
        let ways = Helpers::ALL
            .into_iter()
            .filter(|helpers| state.may_hold(seat, helpers.card()) >= helpers.count());
        moves.extend(ways.map(|helpers| Move::Rescue {
            seat: from,
            helpers,
        }));
    }
}

/// SL-5.1, SL-5.2.
fn can_rob(state: &State, seat: Seat, with: Robber, from: Seat) -> Result<(), Violation> {
    if from == seat {
        let detail = "a princess is robbed from another player";
        return Err(Violation::of(Rule::Rob, detail));
    }
    let Some(princess) = at_table(state, from, Rule::Rob)? else {
        let detail = format!("no princess lies before seat {from}");
        return Err(Violation::of(Rule::Rob, detail));
    };
    if !state.holdings.may(seat, |held| held.has(with.card())) {
        return Err(not_held(seat, with.card(), Rule::Rob));
    }
    if state.princess(seat).is_some() {
        return Err(has_princess(seat, Rule::Rob));
    }
    match princess {
        Princess::Lone => Ok(()),
        Princess::Robbed { by, .. } => {
            let detail = format!("the princess before seat {from} lies under the {by} already");
            Err(Violation::of(Rule::RobbedOnce, detail))
        }
    }
}

/// SL-5.4.
fn can_rescue(state: &State, seat: Seat, from: Seat, helpers: Helpers) -> Result<(), Violation> {
    match at_table(state, from, Rule::Rescue)? {
        Some(Princess::Robbed { .. }) => {}
        Some(Princess::Lone) => {
            let detail = format!("the princess before seat {from} has not been robbed");
            return Err(Violation::of(Rule::Rescue, detail));
        }
        None => {
            let detail = format!("no princess lies before seat {from}");
            return Err(Violation::of(Rule::Rescue, detail));
        }
    }
    if from == seat {
        let detail = "who robbed a princess does not rescue her";
        return Err(Violation::of(Rule::Rescue, detail));
    }
    if !state.holdings.may(seat, |held| held.has(BonusCard::Prince)) {
        return Err(not_held(seat, BonusCard::Prince, Rule::Rescue));
    }
    has_in_hand(state, seat, helpers.card(), helpers.count(), Rule::Rescue)?;
    if state.princess(seat).is_some() {
        return Err(has_princess(seat, Rule::Rescue));
    }
    Ok(())
}

/// SL-5.6.
fn can_secure(state: &State, seat: Seat) -> Result<(), Violation> {
    let refused = |detail: String| Err(Violation::of(Rule::Secure, detail));
    match state.princess(seat) {
        None => refused(format!("no princess lies before seat {seat}")),
        Some(Princess::Lone) => refused(format!("seat {seat} has not robbed its princess")),
        Some(Princess::Robbed { this_round, .. }) => {
            if !state.holdings.may(seat, |held| held.has_prince_and_land()) {
                let detail = format!("seat {seat} does not hold both a prince and a land");
                return Err(Violation::of(Rule::Secure, detail).contradicted_by(holder(seat)));
            }
            if this_round {
                return refused("the princess was robbed in this very round".to_owned());
            }
            Ok(())
        }
    }
}

/// The princess before a seat of this table.
fn at_table(state: &State, seat: Seat, rule: Rule) -> Result<Option<Princess>, Violation> {
    if seat.number() < state.seats {
        Ok(state.princess(seat))
    } else {
        let detail = format!("there is no seat {seat} at this table");
        Err(Violation::of(rule, detail))
    }
}

fn has_in_hand(
    state: &State,
    seat: Seat,
    card: Card,
    count: u8,
    rule: Rule,
) -> Result<(), Violation> {
    if state.may_hold(seat, card) >= count {
        return Ok(());
    }
    let cards = if count == 1 {
        format!("{card} is")
    } else {
        format!("{count} cards {card} are")
    };
    let detail = format!("no {cards} in the hand of seat {seat}");
    let violation = Violation::of(rule, detail);
    Err(if state.hand(seat).unknown == 0 {
        violation
    } else {
        violation.contradicted_by(Clue::Card(card.name().to_owned()))
    })
}

fn not_held(seat: Seat, card: BonusCard, rule: Rule) -> Violation {
    let detail = format!("seat {seat} holds no {card}");
    Violation::of(rule, detail).contradicted_by(holder(seat))
}

fn has_princess(seat: Seat, rule: Rule) -> Violation {
    let detail = format!("seat {seat} has a princess already");
    Violation::of(rule, detail).contradicted_by(holder(seat))
}

/// What is on record of the bonus cards of a player.
pub(super) fn holder(seat: Seat) -> Clue {
    Clue::Place(format!("seat {seat}"))
}

/// A declaration that the record contradicts.
pub(super) fn impossible(
    detail: impl Into<std::borrow::Cow<'static, str>>,
    clue: Clue,
) -> Violation {
    Violation::of(Rule::Knowledge, detail).contradicted_by(clue)
}
