//! What chance is asked, and judging its answers.

use super::bonus;
use super::decide::{Judged, holder, impossible};
use super::holdings::Held;
use super::moves::{BonusCard, Card, Due, Event, Outcome, SeatIndex};
use super::round;
use super::rules::Rule;
use super::state::{Phase, State};
use crate::cards::{Bag, Card as _, Draw, Drawn};
use crate::dealer::{Mode, Shuffler};
use crate::ruleset::Effect;
use crate::ruling::{Clue, Common, Violation};
use crate::seat::Seat;

/// What chance is asked now, if it is.
pub(super) fn due(state: &State) -> Option<Due> {
    match state.phase {
        Phase::Deal | Phase::Refill(_) | Phase::RescuerDraws(_) | Phase::LastDraws(_) => {
            state.drawing().map(|seat| Due::Draw {
                seat,
                count: state.lacks(seat),
            })
        }
        Phase::Bonus(seat) => Some(Due::Bonus { seat }),
        Phase::Land(seat) => Some(Due::Land { seat }),
        Phase::FinalHands(seat) => Some(Due::FinalHand {
            seat,
            count: state.hand(seat).len(),
        }),
        Phase::Round | Phase::Over => None,
    }
}

/// Whether an outcome is of the sort that is due.
pub(super) fn answers(due: &Due, outcome: &Outcome) -> bool {
    match (due, outcome) {
        (Due::Draw { seat, count }, Outcome::Draw(draw)) => {
            draw.seat == *seat && draw.drawn.len() == usize::from(*count)
        }
        (Due::FinalHand { seat, .. }, Outcome::FinalHand { seat: of, .. }) => {
            Seat::from(*of) == *seat
        }
        (Due::Bonus { .. }, Outcome::Bonus(_)) | (Due::Land { .. }, Outcome::Land { .. }) => true,
        (
            Due::Draw { .. } | Due::FinalHand { .. } | Due::Bonus { .. } | Due::Land { .. },
            Outcome::Draw(_) | Outcome::FinalHand { .. } | Outcome::Bonus(_) | Outcome::Land { .. },
        ) => false,
    }
}

/// Judges an outcome that answers what is due.
pub(super) fn resolve(state: &State, outcome: &Outcome) -> Judged {
    match (state.phase, outcome) {
        (Phase::Bonus(seat), Outcome::Bonus(drawn)) => bonus::resolve(state, seat, *drawn),
        (Phase::Land(seat), Outcome::Land { held }) => land_declared(state, seat, *held),
        (Phase::FinalHands(_), Outcome::FinalHand { seat, cards }) => {
            hand_counted(state, *seat, cards)
        }
        (Phase::Deal, Outcome::Draw(draw)) => drew(state, draw, Rule::Deal),
        (Phase::Refill(_), Outcome::Draw(draw)) => drew(state, draw, Rule::Refill),
        (Phase::RescuerDraws(_), Outcome::Draw(draw)) => drew(state, draw, Rule::Rescue),
        (Phase::LastDraws(_), Outcome::Draw(draw)) => drew(state, draw, Rule::Score),
        (
            _,
            Outcome::Bonus(_) | Outcome::Land { .. } | Outcome::FinalHand { .. } | Outcome::Draw(_),
        ) => Err(Violation::of(
            Common::Chance,
            "another outcome is awaited now",
        )),
    }
}

/// The outcome that is due, where the record settles it: a land whose holder is known, and a hand
/// of which every card is.
pub(super) fn on_record(state: &State) -> Option<Outcome> {
    match state.phase {
        Phase::Land(seat) => {
            let may = |held: bool| {
                state
                    .holdings
                    .may(seat, |holding| holding.has(BonusCard::Land) == held)
            };
            match (may(true), may(false)) {
                (true, false) => Some(Outcome::Land { held: true }),
                (false, true) => Some(Outcome::Land { held: false }),
                (true, true) | (false, false) => None,
            }
        }
        Phase::FinalHands(seat) if state.hand(seat).unknown == 0 => Some(Outcome::FinalHand {
            seat: SeatIndex::new(seat.number())?,
            cards: state.hand(seat).known.cards().collect(),
        }),
        Phase::FinalHands(_)
        | Phase::Deal
        | Phase::Refill(_)
        | Phase::RescuerDraws(_)
        | Phase::LastDraws(_)
        | Phase::Bonus(_)
        | Phase::Round
        | Phase::Over => None,
    }
}

/// What a table records unasked: nobody shows what is drawn to a hand.
pub(super) fn face_down(state: &State) -> Option<Outcome> {
    let seat = state.drawing()?;
    Some(Outcome::Draw(Draw {
        seat,
        drawn: Drawn::Counted {
            count: state.lacks(seat),
        },
    }))
}

/// Draws what is due from what can come up. A table's stand-in says no more than a table sees.
pub(super) fn sample(state: &State, shuffler: &mut Shuffler) -> Outcome {
    match state.phase {
        Phase::Bonus(seat) => Outcome::Bonus(bonus::sample(state, seat, shuffler)),
        Phase::Land(seat) => Outcome::Land {
            held: bonus::sample_deal(state, shuffler)[seat.index()].has(BonusCard::Land),
        },
        Phase::FinalHands(seat) => {
            let hand = state.hand(seat);
            let mut unseen = state.unseen();
            let unknown = (0..hand.unknown).map(|_| unseen.draw(shuffler));
            Outcome::FinalHand {
                seat: SeatIndex::new(seat.number()).expect("a seat of this game"),
                cards: hand.known.cards().chain(unknown).collect(),
            }
        }
        Phase::Deal
        | Phase::Refill(_)
        | Phase::RescuerDraws(_)
        | Phase::LastDraws(_)
        | Phase::Round
        | Phase::Over => sample_draw(state, shuffler),
    }
}

fn sample_draw(state: &State, shuffler: &mut Shuffler) -> Outcome {
    let seat = state.drawing().expect("somebody draws");
    let count = state.lacks(seat);
    let drawn = match state.mode {
        Mode::Table => Drawn::Counted { count },
        Mode::Virtual => {
            let pile = &state.draw_pile;
            let mut pool = shuffled_cards(state);
            let top = (0..count.min(pile.top)).map(|_| pool.draw(shuffler));
            let under = pile.under.iter().copied();
            Drawn::Known {
                cards: top.chain(under).take(usize::from(count)).collect(),
            }
        }
    };
    Outcome::Draw(Draw { seat, drawn })
}

/// The cards on top of the draw pile, whose order nobody knows.
fn shuffled_cards(state: &State) -> Bag<Card> {
    let mut pool = state.unseen();
    for card in &state.draw_pile.under {
        pool.take(*card);
    }
    pool
}

fn drew(state: &State, draw: &Draw<Card>, rule: Rule) -> Judged {
    if let Drawn::Known { cards } = &draw.drawn {
        can_draw(state, cards)?;
    }
    let mut effects = vec![Effect::under(rule, Event::Drew(draw.clone()))];
    if matches!(state.phase, Phase::RescuerDraws(_)) && state.moved >= state.seats {
        round::finish(state, None, state.bonus_pile.size(), &mut effects);
    }
    Ok(effects)
}

fn can_draw(state: &State, cards: &[Card]) -> Result<(), Violation> {
    if state.mode == Mode::Table {
        let detail = "a table does not see what is drawn to a hand";
        return Err(Violation::of(Common::Chance, detail));
    }
    let (top, under) = cards.split_at(cards.len().min(usize::from(state.draw_pile.top)));
    let mut pool = shuffled_cards(state);
    for card in top {
        if !pool.take(*card) {
            let detail = format!("no {card} lies where this one was drawn");
            return Err(impossible(detail, Clue::Card(card.name().to_owned())));
        }
    }
    if !state.draw_pile.under.starts_with(under) {
        let detail =
            "the cards put under the draw pile come up in the order in which they went there";
        return Err(Violation::of(Rule::Knowledge, detail));
    }
    Ok(())
}

fn land_declared(state: &State, seat: Seat, held: bool) -> Judged {
    let such = |holding: Held| holding.has(BonusCard::Land) == held;
    if !state.holdings.may(seat, such) {
        let detail = if held {
            format!("seat {seat} cannot hold a land")
        } else {
            format!("seat {seat} holds a land")
        };
        return Err(impossible(detail, holder(seat)));
    }
    let mut effects = vec![Effect::fact(Event::LandDeclared { seat, held })];
    if held {
        round::form_kingdom(state, seat, Rule::Rescued, seat, &mut effects);
    }
    Ok(effects)
}

fn hand_counted(state: &State, seat: SeatIndex, cards: &[Card]) -> Judged {
    let hand = state.hand(seat.into());
    if cards.len() != usize::from(hand.len()) {
        let detail = format!("the hand of seat {seat} holds {} cards", hand.len());
        return Err(Violation::of(Rule::Knowledge, detail));
    }
    let unseen = state.unseen();
    let told: Bag<Card> = cards.iter().copied().collect();
    let unknown = told.less(&hand.known);
    for (card, count) in unknown.kinds() {
        if count > unseen.count(card) || unknown.len() > u16::from(hand.unknown) {
            let told = told.count(card);
            let detail = format!("the hand of seat {seat} cannot hold {told} of {card}");
            return Err(impossible(detail, Clue::Card(card.name().to_owned())));
        }
    }
    let fact = Event::HandCounted {
        seat,
        cards: cards.to_vec(),
    };
    Ok(vec![Effect::under(Rule::Score, fact)])
}
