//! Judging moves and outcomes.

use super::follow::{Follow, after_draw, after_stock_top};
use super::moves::{Card, Event, Move, Outcome, Place, Source};
use super::piles::copies;
use super::rules::{Rule, SecondVersion};
use super::state::{Phase, Refill, State};
use crate::cards::{Card as _, Draw, Drawn};
use crate::ruleset::Effect;
use crate::ruling::{Clue, Common, Violation};
use crate::seat::Seat;

type Judged = Result<Vec<Effect<Event>>, Violation>;

/// Judges a move of the seat on turn.
pub(super) fn decide(state: &State, seat: Seat, mv: &Move) -> Judged {
    if state.stock_is_due(seat) && !plays_own_stock(mv) {
        return Err(Violation::of(
            SecondVersion::StockFirst,
            "the open card of the own stock fits a building pile, and so it is played first",
        ));
    }
    match *mv {
        Move::Play { from, to } => play(state, seat, from, to),
        Move::Discard { card, pile } => discard(state, seat, card, pile),
        Move::Pass {} => pass(state, seat),
    }
}

fn plays_own_stock(mv: &Move) -> bool {
    let own_stock = Source::Stock { seat: None };
    matches!(mv, Move::Play { from, .. } if *from == own_stock)
}

fn play(state: &State, seat: Seat, from: Source, to: Place) -> Judged {
    let card = card_from(state, seat, from)?;
    let building = state.building(to);
    if !building.takes(card) {
        let detail = match building.next() {
            Some(next) => format!("building pile {to} takes a {next} next, not a {card}"),
            None => format!("building pile {to} is complete"),
        };
        return Err(Violation::of(Rule::Building, detail));
    }
    let fact = Event::CardPlayed {
        seat,
        from,
        card,
        to,
    };
    Ok(Follow::from(state, fact).after_play(seat, from, to))
}

fn discard(state: &State, seat: Seat, card: Card, pile: Place) -> Judged {
    expect_in_hand(state, seat, card, Rule::Closing)?;
    let fact = Event::CardDiscarded { seat, card, pile };
    Ok(Follow::from(state, fact).after_discard())
}

fn pass(state: &State, seat: Seat) -> Judged {
    if !state.player(seat).hand.is_empty() {
        return Err(Violation::of(
            Rule::Passing,
            "a player with cards in hand closes the turn with one of them",
        ));
    }
    Ok(Follow::from(state, Event::Passed { seat }).after_pass())
}

/// The card that a source gives.
fn card_from(state: &State, seat: Seat, source: Source) -> Result<Card, Violation> {
    match source {
        Source::Hand { card } => expect_in_hand(state, seat, card, Rule::Playing).map(|()| card),
        Source::Stock { seat: None } => (state.player(seat).stock.top)
            .ok_or_else(|| Violation::of(Rule::Playing, "the own stock is empty")),
        Source::Help { pile, seat: None } => (state.player(seat).help[pile.offset()].last())
            .copied()
            .ok_or_else(|| {
                Violation::of(Rule::Playing, format!("the own help pile {pile} is empty"))
            }),
        Source::Stock { seat: Some(mate) } => {
            expect_team_mate(state, seat, mate)?;
            if !state.terms.partner_stock {
                return Err(Violation::of(
                    Rule::TeamMates,
                    "the stock of a team-mate is out of reach without the option partner_stock",
                ));
            }
            (state.player(mate).stock.top).ok_or_else(|| {
                Violation::of(
                    Rule::TeamMates,
                    format!("the stock of seat {mate} is empty"),
                )
            })
        }
        Source::Help {
            pile,
            seat: Some(mate),
        } => {
            expect_team_mate(state, seat, mate)?;
            (state.player(mate).help[pile.offset()].last())
                .copied()
                .ok_or_else(|| {
                    let detail = format!("help pile {pile} of seat {mate} is empty");
                    Violation::of(Rule::TeamMates, detail)
                })
        }
    }
}

fn expect_team_mate(state: &State, seat: Seat, mate: Seat) -> Result<(), Violation> {
    if state.terms.team_mates(seat).any(|other| other == mate) {
        return Ok(());
    }
    let detail = if mate == seat {
        "a seat is named for a team-mate's cards only, not for the own".to_owned()
    } else if mate.number() >= state.terms.seats {
        format!("there is no seat {mate} at this table")
    } else {
        format!("seat {mate} is not a team-mate of seat {seat}")
    };
    Err(Violation::of(Rule::TeamMates, detail))
}

/// Whether a card may be in a hand; if it cannot, it breaks the rule of the move that would use it,
/// or contradicts the record where the hand is not known (SB-6.1).
fn expect_in_hand(state: &State, seat: Seat, card: Card, rule: Rule) -> Result<(), Violation> {
    let hand = &state.player(seat).hand;
    if hand.may_hold(card, &state.unseen.anywhere) > 0 {
        return Ok(());
    }
    if hand.unknown == 0 {
        let detail = format!("there is no {card} in the hand of seat {seat}");
        return Err(Violation::of(rule, detail));
    }
    let detail = format!(
        "all {} cards of the kind {card} are on record elsewhere",
        copies(card)
    );
    Err(Violation::of(Rule::Knowledge, detail).contradicted_by(Clue::Card(card.name().to_owned())))
}

/// Judges the outcome that is due.
pub(super) fn resolve(state: &State, outcome: &Outcome) -> Judged {
    match outcome {
        Outcome::StockTop { seat, card } => stock_top(state, *seat, *card),
        Outcome::Draw(draw) => drew(state, draw),
    }
}

fn stock_top(state: &State, seat: Seat, card: Card) -> Judged {
    if !state.possible_stock_tops().has(card) {
        let detail = if state.unseen.anywhere.has(card) {
            format!("every {card} that is not on record was shuffled into the draw pile")
        } else {
            let copies = copies(card);
            format!("all {copies} cards of the kind {card} are on record elsewhere")
        };
        return Err(Violation::of(Common::Knowledge, detail)
            .contradicted_by(Clue::Card(card.name().to_owned())));
    }
    let rule = match state.phase {
        Phase::Dealing => Rule::Stocks,
        Phase::Playing | Phase::Filling(_) | Phase::RoundOver(_) => Rule::NextTop,
    };
    let fact = Effect::under(rule, Event::StockTopTurned { seat, card });
    Ok(after_stock_top(state, fact))
}

fn drew(state: &State, draw: &Draw<Card>) -> Judged {
    if let Drawn::Known { cards } = &draw.drawn {
        let mut pool = state.unseen.in_pile().pool;
        if let Some(card) = cards.iter().find(|card| !pool.take(**card)) {
            let detail = format!("there are not so many cards of the kind {card} in the draw pile");
            return Err(Violation::of(Common::Chance, detail));
        }
    }
    let rule = match state.phase {
        Phase::Dealing => Rule::Hands,
        Phase::Filling(Refill::LastCardPlayed) => Rule::FiveMore,
        Phase::Filling(Refill::LeftEmpty) => Rule::Passing,
        Phase::Filling(Refill::TurnClosed) | Phase::Playing | Phase::RoundOver(_) => Rule::Closing,
    };
    let fact = Effect::under(rule, Event::Drew(draw.clone()));
    Ok(after_draw(state, fact, draw))
}
