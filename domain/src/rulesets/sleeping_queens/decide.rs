//! Judging moves (SQ-3, SQ-5).

use super::cards::{Card, Queen, Slot};
use super::discard;
use super::follow::Sequel;
use super::moves::{Attack, Event, Move, Target};
use super::rules::Rule;
use super::state::{Phase, State, Waking};
use crate::cards::{Bag, Card as _};
use crate::ruleset::Effect;
use crate::ruling::{Common, Violation};
use crate::seat::Seat;

type Judged = Result<Vec<Effect<Event>>, Violation>;

/// Judges a move of the seat that must act.
pub(super) fn decide(state: &State, seat: Seat, mv: &Move) -> Judged {
    match state.phase {
        Phase::Acting => act(state, seat, mv),
        Phase::Choosing(_, why) => wake(state, seat, why, mv),
        Phase::Answering(_, attack, queen) => answer(state, seat, attack, queen, mv),
        Phase::Dealing(_)
        | Phase::TurningUp
        | Phase::Uncovering(..)
        | Phase::Replacing(_)
        | Phase::Refilling
        | Phase::Over => Err(Violation::of(Common::Chance, "no seat is to act now")),
    }
}

fn act(state: &State, seat: Seat, mv: &Move) -> Judged {
    match mv {
        Move::King { slot } => king(state, seat, *slot),
        Move::Knight {
            seat: target,
            queen,
        } => attack(state, seat, Attack::Knight, *target, *queen),
        Move::Potion {
            seat: target,
            queen,
        } => attack(state, seat, Attack::Potion, *target, *queen),
        Move::Jester {} => {
            state.expect_held(seat, &one(Card::Jester), Rule::Jester)?;
            Ok(Sequel::of(state, Event::JesterPlayed { seat }).finish())
        }
        Move::Discard { cards } => {
            discard::judge(state, seat, cards)?;
            let cards = cards.clone();
            Ok(Sequel::of(state, Event::Discarded { seat, cards }).finish())
        }
        Move::Wake { .. } => Err(Violation::of(
            Rule::Jester,
            "no count and no rose queen lets this player wake a queen",
        )),
        Move::Defend { .. } | Move::Allow {} if state.let_happen == Some(seat) => Err(
            Violation::of(Rule::Final, "this player has let the attack happen"),
        ),
        Move::Defend {
            card: Card::Dragon | Card::Wand,
        } => Err(Violation::of(
            Rule::NoAction,
            "there is no attack to defend against",
        )),
        Move::Defend { .. } => Err(Violation::of(
            Rule::Answer,
            "there is no attack to defend against",
        )),
        Move::Allow {} => Err(Violation::of(Rule::Answer, "there is no attack to allow")),
    }
}

fn king(state: &State, seat: Seat, slot: Slot) -> Judged {
    expect_sleeping(state, slot, Rule::King)?;
    state.expect_held(seat, &one(Card::King), Rule::King)?;
    Ok(Sequel::of(state, Event::KingPlayed { seat, slot }).finish())
}

fn expect_sleeping(state: &State, slot: Slot, rule: Rule) -> Result<(), Violation> {
    if state.sleeps(slot) {
        return Ok(());
    }
    let detail = format!("no queen sleeps in place {slot}");
    Err(Violation::of(rule, detail))
}

fn attack(state: &State, seat: Seat, with: Attack, target: Target, queen: Queen) -> Judged {
    let rule = match with {
        Attack::Knight => Rule::Knight,
        Attack::Potion => Rule::Potion,
    };
    let attacked = Seat::from(target);
    if attacked.number() >= state.seats {
        let detail = format!("there is no seat {attacked} in this game");
        return Err(Violation::of(rule, detail));
    }
    if attacked == seat {
        return Err(Violation::of(
            rule,
            "players do not attack their own queens",
        ));
    }
    if !state.holds(attacked, queen) {
        let detail = format!("seat {attacked} has no open queen {queen}");
        return Err(Violation::of(rule, detail));
    }
    state.expect_held(seat, &one(with.card()), rule)?;
    if let Some(rival) = stolen_pair(state, seat, with, queen) {
        let detail =
            format!("seat {seat} has the {rival} queen and may not take the {queen} queen");
        return Err(Violation::of(Rule::NoStolenPair, detail));
    }
    let fact = Event::Attacked {
        seat,
        with,
        target,
        queen,
    };
    let asked = Event::AnswerAsked { seat: attacked };
    let mut sequel = Sequel::of(state, fact);
    sequel.then(Rule::AlwaysAsked, asked);
    Ok(sequel.finish())
}

/// The queen of the attacker that an attack would make a forbidden pair with (SQ-4.3).
fn stolen_pair(state: &State, seat: Seat, with: Attack, queen: Queen) -> Option<Queen> {
    match with {
        Attack::Knight => queen.rival().filter(|rival| state.holds(seat, *rival)),
        Attack::Potion => None,
    }
}

fn answer(state: &State, seat: Seat, attack: Attack, queen: Queen, mv: &Move) -> Judged {
    match mv {
        Move::Defend { card } => {
            state.expect_held(seat, &one(*card), Rule::RightCard)?;
            if *card != attack.defence() {
                let detail = format!(
                    "a {} is answered with a {}, not with a {card}",
                    attack.card(),
                    attack.defence()
                );
                return Err(Violation::of(Rule::RightCard, detail));
            }
            Ok(Sequel::of(state, Event::Defended { seat, card: *card }).finish())
        }
        Move::Allow {} => {
            let mut sequel = Sequel::of(state, Event::Allowed { seat });
            match attack {
                Attack::Knight => {
                    let seat = state.seat;
                    sequel.then(Rule::Knight, Event::QueenStolen { seat, queen });
                }
                Attack::Potion => {
                    if let Some(slot) = state.place_of(queen) {
                        sequel.then(Rule::Potion, Event::QueenPutToSleep { slot, queen });
                    }
                }
            }
            Ok(sequel.finish())
        }
        Move::King { .. }
        | Move::Knight { .. }
        | Move::Potion { .. }
        | Move::Jester {}
        | Move::Wake { .. }
        | Move::Discard { .. } => Err(Violation::of(
            Rule::Answer,
            "the attack is to be answered before anything else",
        )),
    }
}

fn wake(state: &State, seat: Seat, why: Waking, mv: &Move) -> Judged {
    match mv {
        Move::Wake { slot } => {
            expect_sleeping(state, *slot, why.rule())?;
            Ok(Sequel::of(state, Event::WakeChosen { seat, slot: *slot }).finish())
        }
        Move::King { .. }
        | Move::Knight { .. }
        | Move::Potion { .. }
        | Move::Defend { .. }
        | Move::Allow {}
        | Move::Jester {}
        | Move::Discard { .. } => Err(Violation::of(
            why.rule(),
            "a queen is to be woken before anything else",
        )),
    }
}

fn one(card: Card) -> Bag<Card> {
    Bag::from_iter([card])
}

/// Every legal move of the seat that must act.
pub(super) fn legal_moves(state: &State, seat: Seat) -> Vec<Move> {
    match state.phase {
        Phase::Acting => actions(state, seat),
        Phase::Choosing(..) => state.sleeping().map(|slot| Move::Wake { slot }).collect(),
        Phase::Answering(_, attack, _) => {
            let card = attack.defence();
            let held = state.may_be_held(seat);
            let defend = held.has(card).then_some(Move::Defend { card });
            defend.into_iter().chain([Move::Allow {}]).collect()
        }
        Phase::Dealing(_)
        | Phase::TurningUp
        | Phase::Uncovering(..)
        | Phase::Replacing(_)
        | Phase::Refilling
        | Phase::Over => Vec::new(),
    }
}

fn actions(state: &State, seat: Seat) -> Vec<Move> {
    let held = state.may_be_held(seat);
    let mut moves = Vec::with_capacity(16);
    if held.has(Card::King) {
        moves.extend(state.sleeping().map(|slot| Move::King { slot }));
    }
    for attack in [Attack::Knight, Attack::Potion] {
        if held.has(attack.card()) {
            attacks(state, seat, attack, &mut moves);
        }
    }
    if held.has(Card::Jester) {
        moves.push(Move::Jester {});
    }
    discard::every(state, seat, &held, |cards| {
        moves.push(Move::Discard { cards });
    });
    moves
}

fn attacks(state: &State, seat: Seat, with: Attack, moves: &mut Vec<Move>) {
    let holders = state.holders();
    for holder in Seat::all(state.seats).filter(|holder| *holder != seat) {
        let Some(target) = Target::new(holder.number()) else {
            continue;
        };
        for queen in Queen::ALL {
            if holders[queen.index()] == Some(holder)
                && stolen_pair(state, seat, with, *queen).is_none()
            {
                moves.push(with.at(target, *queen));
            }
        }
    }
}
