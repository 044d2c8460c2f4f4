//! What chance is asked, and judging its answers.

use super::decide::{Judged, holder};
use super::holdings::{Deal, Fate, pile_of};
use super::moves::{BonusCard, BonusDraw, Card, Due, Event, Face, Outcome, SeatIndex};
use super::round;
use super::rules::Rule;
use super::state::{Phase, Princess, State};
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
        (Phase::Bonus(seat), Outcome::Bonus(bonus)) => bonus_drawn(state, seat, *bonus),
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
        Phase::Bonus(seat) => {
            let deal = sample_deal(state, shuffler);
            let card = match first_bonus(state) {
                Some(card) => card,
                None => shuffled_bonus(state, deal).draw(shuffler),
            };
            Outcome::Bonus(match state.mode {
                Mode::Virtual => BonusDraw::of(Face::Known(card)),
                Mode::Table => shown(
                    card,
                    Fate::of(card, state.princess(seat), deal[seat.index()]),
                ),
            })
        }
        Phase::Land(seat) => Outcome::Land {
            held: sample_deal(state, shuffler)[seat.index()].has(BonusCard::Land),
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

fn sample_deal<'s>(state: &'s State, shuffler: &mut Shuffler) -> &'s Deal {
    match state.holdings.deals.as_slice() {
        [deal] => deal,
        deals => &deals[shuffler.below(deals.len() as u32) as usize],
    }
}

/// The cards on top of the draw pile, whose order nobody knows.
fn shuffled_cards(state: &State) -> Bag<Card> {
    let mut pool = state.unseen();
    for card in &state.draw_pile.under {
        pool.take(*card);
    }
    pool
}

/// The bonus card that comes up next, where the order in which cards were put under tells it.
fn first_bonus(state: &State) -> Option<BonusCard> {
    let pile = &state.bonus_pile;
    pile.under.first()?.known().filter(|_| pile.top == 0)
}

/// The bonus cards that may come up next under a deal, where no order tells which.
fn shuffled_bonus(state: &State, deal: &Deal) -> Bag<BonusCard> {
    let mut pool = pile_of(deal, &state.bonus_outside());
    if state.mode == Mode::Virtual && state.bonus_pile.top > 0 {
        for card in state
            .bonus_pile
            .under
            .iter()
            .filter_map(|face| face.known())
        {
            pool.take(card);
        }
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

/// How everybody sees a bonus card of which this becomes (SL-4.1, SL-4.4).
fn shown(card: BonusCard, fate: Fate) -> BonusDraw {
    let face = match (card, fate) {
        (BonusCard::Princess, _) | (_, Fate::Kingdom) => Face::Known(card),
        (_, Fate::Kept | Fate::Returned) => Face::Hidden,
    };
    BonusDraw {
        card: face,
        returned: face == Face::Hidden && fate == Fate::Returned,
        kingdom: fate == Fate::Kingdom,
    }
}

fn bonus_drawn(state: &State, seat: Seat, bonus: BonusDraw) -> Judged {
    let (fate, seen) = match named(state, seat, bonus) {
        Some((card, fate)) => {
            can_come_up(state, card)?;
            (fate, Some(shown(card, fate)).filter(|seen| *seen != bonus))
        }
        None => (declared(state, seat, bonus)?, None),
    };
    let fact = Event::BonusDrawn { seat, bonus, seen };
    let mut effects = vec![Effect::under(Rule::WinnerDraws, fact)];
    let over = match fate {
        Fate::Kept => {
            effects.push(Effect::under(Rule::OpenOrKept, Event::BonusKept { seat }));
            false
        }
        Fate::Returned => {
            let returned = Event::BonusReturned { seat };
            effects.push(Effect::under(Rule::OneOfEach, returned));
            false
        }
        Fate::Kingdom => {
            let first = state.leader;
            round::form_kingdom(state, seat, Rule::KingdomAtOnce, first, &mut effects)
        }
    };
    if !over {
        round::clear_and_lead(state.round.iter().copied(), seat, &mut effects);
    }
    Ok(effects)
}

/// A card that a dealer, or the player who drew it, names alone: what becomes of it follows from
/// what that player holds.
fn named(state: &State, seat: Seat, bonus: BonusDraw) -> Option<(BonusCard, Fate)> {
    let card = bonus.card.known()?;
    if state.mode == Mode::Table || bonus != BonusDraw::of(bonus.card) {
        return None;
    }
    let held = state.holdings.known(seat)?;
    Some((card, Fate::of(card, state.princess(seat), held)))
}

fn can_come_up(state: &State, card: BonusCard) -> Result<(), Violation> {
    let possible = match first_bonus(state) {
        Some(first) => first == card,
        None => {
            let mut deals = state.holdings.deals.iter();
            deals.any(|deal| shuffled_bonus(state, deal).has(card))
        }
    };
    if possible {
        Ok(())
    } else {
        let detail = format!("the next card of the bonus pile cannot be the {card}");
        Err(Violation::of(Rule::Knowledge, detail))
    }
}

/// What becomes of a card of which no more is told than everybody sees (SL-7.1).
fn declared(state: &State, seat: Seat, bonus: BonusDraw) -> Result<Fate, Violation> {
    let princess = state.princess(seat);
    let robbed = matches!(princess, Some(Princess::Robbed { .. }));
    match bonus.card {
        Face::Known(BonusCard::Prince | BonusCard::Land) if bonus.kingdom && robbed => {
            let detail =
                format!("the princess before seat {seat} was robbed, and is to be secured");
            return Err(Violation::of(Rule::NotByDrawing, detail).contradicted_by(holder(seat)));
        }
        Face::Known(card) if card != BonusCard::Princess && !bonus.kingdom => {
            let detail =
                format!("nobody is shown a {card} that completes no kingdom; it is hidden");
            return Err(Violation::of(Common::Chance, detail));
        }
        Face::Known(_) | Face::Hidden => {}
    }
    // Everybody sees that a princess goes back, so it need not be said.
    let shown_princess = bonus.card == Face::Known(BonusCard::Princess);
    let form = BonusDraw {
        returned: bonus.returned && !(shown_princess && princess.is_some()),
        ..bonus
    };
    let outside = state.bonus_outside();
    for deal in &state.holdings.deals {
        for (card, _) in pile_of(deal, &outside).kinds() {
            let fate = Fate::of(card, princess, deal[seat.index()]);
            if shown(card, fate) == form {
                return Ok(fate);
            }
        }
    }
    Err(match bonus.card {
        Face::Known(card) if !outside.has(card) => {
            let detail = format!("every {card} lies elsewhere");
            impossible(detail, Clue::Card(card.name().to_owned()))
        }
        Face::Known(BonusCard::Princess) if !bonus.kingdom && !bonus.returned => {
            let detail = format!("seat {seat} holds a prince and a land, so she makes a kingdom");
            impossible(detail, holder(seat))
        }
        Face::Known(card) if bonus.kingdom => {
            let detail = format!("a {card} completes no kingdom of seat {seat}");
            impossible(detail, holder(seat))
        }
        Face::Known(card) => {
            let detail = format!("a {card} does not go back from seat {seat}");
            impossible(detail, holder(seat))
        }
        Face::Hidden if bonus.kingdom => {
            let detail = "a card that completes a kingdom is shown";
            Violation::of(Rule::Knowledge, detail)
        }
        Face::Hidden if bonus.returned => {
            let detail = format!("no card of the bonus pile would go back from seat {seat}");
            impossible(detail, holder(seat))
        }
        Face::Hidden => {
            let detail = format!("no card of the bonus pile would stay face down with seat {seat}");
            impossible(detail, holder(seat))
        }
    })
}

fn land_declared(state: &State, seat: Seat, held: bool) -> Judged {
    let such = |holding: super::holdings::Held| holding.has(BonusCard::Land) == held;
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

fn impossible(detail: impl Into<std::borrow::Cow<'static, str>>, clue: Clue) -> Violation {
    Violation::of(Rule::Knowledge, detail).contradicted_by(clue)
}
