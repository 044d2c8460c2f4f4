//! The bonus card that the winner of a round draws (SL-3.6, SL-4).

use super::decide::{Judged, holder, impossible};
use super::holdings::{Deal, Fate, pile_of};
use super::moves::{BonusCard, BonusDraw, Event, Face};
use super::round;
use super::rules::Rule;
use super::state::{Princess, State};
use crate::cards::{Bag, Card as _};
use crate::dealer::{Mode, Shuffler};
use crate::ruleset::Effect;
use crate::ruling::{Clue, Common, Violation};
use crate::seat::Seat;

/// Judges the bonus card that a player drew.
pub(super) fn resolve(state: &State, seat: Seat, bonus: BonusDraw) -> Judged {
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

/// Draws the bonus card from what can come up. A table's stand-in says no more than a table sees.
pub(super) fn sample(state: &State, seat: Seat, shuffler: &mut Shuffler) -> BonusDraw {
    let deal = sample_deal(state, shuffler);
    let card = match first_bonus(state) {
        Some(card) => card,
        None => shuffled_bonus(state, deal).draw(shuffler),
    };
    match state.mode {
        Mode::Virtual => BonusDraw::of(Face::Known(card)),
        Mode::Table => {
            let fate = Fate::of(card, state.princess(seat), deal[seat.index()]);
            shown(card, fate)
        }
    }
}

/// One of the ways in which hidden bonus cards may be held.
pub(super) fn sample_deal<'s>(state: &'s State, shuffler: &mut Shuffler) -> &'s Deal {
    match state.holdings.deals.as_slice() {
        [deal] => deal,
        deals => &deals[shuffler.below(deals.len() as u32) as usize],
    }
}

/// The bonus card that comes up next, where the order in which cards were put under tells it.
fn first_bonus(state: &State) -> Option<BonusCard> {
    let pile = &state.bonus_pile;
    pile.under.first()?.known().filter(|_| pile.top == 0)
}

/// The bonus cards that may come up next under a deal, where no order tells which.
fn shuffled_bonus(state: &State, deal: &Deal) -> Bag<BonusCard> {
    let mut pool = pile_of(deal, &state.bonus_outside());
    let pile = &state.bonus_pile;
    if pile.top > 0 {
        for card in pile.under.iter().filter_map(|face| face.known()) {
            pool.take(card);
        }
    }
    pool
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
