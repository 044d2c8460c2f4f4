//! A table's state as a position, and back.

mod deals;
mod phases;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Sagoleken;
use super::holdings::pile_of;
use super::moves::{BonusCard, Card};
use super::options::Options;
use super::state::{HAND, Phase, Played, Princess, State};
use super::view::{PrincessView, SeatView, View, view};
use crate::cards::{Bag, Counts, Hand, Tally};
use crate::placing::{expect_one_a_seat, expect_seat, expect_told};
use crate::ruleset::{Ruleset, Setup};
use crate::ruling::Violation;
use crate::seat::Viewer;

/// How many cards of the draw pile there are of each kind.
pub type CardCounts = Counts<Card>;

/// How many bonus cards there are of each kind.
pub type BonusCounts = Counts<BonusCard>;

/// A game at a table, written down: what everybody sees, the cards that nobody has shown, and all
/// that is known of bonus cards held face down.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = sagoleken::Position)]
pub struct Position {
    /// What everybody sees.
    pub view: View,
    /// What the game waits for.
    pub phase: Phase,
    /// The cards that lie neither in the round nor in a hand that was laid open: those of the draw
    /// pile and of the other hands.
    pub unseen: CardCounts,
    /// The ways in which bonus cards may be held face down, given all that was declared (SL-7.1), in
    /// the order of what seat 0 holds, then seat 1, and so on. One at least.
    #[schema(min_items = 1)]
    pub deals: Vec<BonusDeal>,
}

/// One way in which the bonus cards may lie that are not on the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = sagoleken::BonusDeal)]
pub struct BonusDeal {
    /// What each player holds face down, in seat order.
    pub held: Vec<Vec<BonusCard>>,
    /// What lies in the bonus pile.
    pub pile: BonusCounts,
}

/// The state as a position.
pub(super) fn position(state: &State) -> Position {
    let outside = state.bonus_outside();
    let seats = usize::from(state.seats);
    let deals = state.holdings.deals.iter().map(|deal| BonusDeal {
        held: deal[..seats]
            .iter()
            .map(|held| held.cards().collect())
            .collect(),
        pile: pile_of(deal, &outside).into(),
    });
    Position {
        view: view(state, Viewer::Spectator),
        phase: state.phase,
        unseen: state.unseen().into(),
        deals: deals.collect(),
    }
}

/// The state that a position describes.
pub(super) fn place(setup: &Setup<Options>, position: &Position) -> Result<State, Violation> {
    let Position {
        view,
        phase,
        unseen,
        deals,
    } = position;
    let mut state = Sagoleken::initial_state(setup)?;
    expect_one_a_seat(&view.seats, setup.seats)?;
    expect_seats(view, *phase, setup.seats)?;
    state.phase = *phase;
    state.leader = view.leader;
    take_round(&mut state, view)?;
    for (at, told) in view.seats.iter().enumerate() {
        state.hands[at] = hand(told)?;
        state.princesses[at] = told.princess.as_ref().map(princess);
        state.kingdoms[at] = told.kingdoms;
    }
    expect_cards(&state, unseen.bag(), view.draw_pile)?;
    state.draw_pile.top = view.draw_pile;
    state.bonus_pile.top = view.bonus_pile;
    state.holdings = deals::holdings(&state, view, deals)?;
    phases::expect_phase(&state)?;
    expect_told::<Sagoleken>(&state, position)?;
    Ok(state)
}

fn expect_seats(view: &View, phase: Phase, seats: u8) -> Result<(), Violation> {
    let awaited = match phase {
        Phase::Bonus(seat)
        | Phase::Land(seat)
        | Phase::RescuerDraws(seat)
        | Phase::Refill(seat)
        | Phase::LastDraws(seat)
        | Phase::FinalHands(seat) => Some(seat),
        Phase::Deal | Phase::Round | Phase::Over => None,
    };
    let playing = view.round.iter().map(|played| played.seat);
    [view.leader]
        .into_iter()
        .chain(awaited)
        .chain(playing)
        .try_for_each(|seat| expect_seat(seat, seats))
}

/// Everybody from the leader on has moved once, up to the player whose move it is.
fn take_round(state: &mut State, view: &View) -> Result<(), Violation> {
    let moved = view.round.len().saturating_add(view.sat_out.len());
    let seats = state.seats;
    Violation::unless(moved <= usize::from(seats), || {
        format!("{moved} moves are told of in a round of {seats} players")
    })?;
    state.moved = moved as u8;
    let played = view.round.iter().map(|played| Played {
        seat: played.seat,
        card: played.card,
    });
    state.round.extend(played);
    let mut movers = state.leader.round(state.seats).take(moved);
    // Each is looked for behind the one before.
    let in_turn = |played: &Played| movers.any(|mover| mover == played.seat);
    Violation::unless(state.round.iter().all(in_turn), || {
        "the cards of the round do not lie in the order of the players from the leader".to_owned()
    })
}

fn hand(told: &SeatView) -> Result<Hand<Card>, Violation> {
    let (seat, count) = (told.seat, told.hand.count);
    Violation::unless(count <= HAND, || {
        format!("the hand of seat {seat} has {count} cards, and {HAND} are the most")
    })?;
    match &told.hand.cards {
        None => Ok(Hand {
            known: Bag::EMPTY,
            unknown: count,
        }),
        Some(cards) if cards.len() == usize::from(count) => Ok(Hand {
            known: cards.iter().copied().collect(),
            unknown: 0,
        }),
        Some(cards) => Err(Violation::impossible(format!(
            "the hand of seat {seat} has {count} cards, and {} are told",
            cards.len()
        ))),
    }
}

fn princess(told: &PrincessView) -> Princess {
    match told.robbed_with {
        None => Princess::Lone,
        Some(by) => Princess::Robbed {
            by,
            this_round: told.robbed_this_round,
        },
    }
}

/// Every card of the draw pile lies in the round, in a hand or in the pile, and `unseen` are those
/// that nobody has shown.
fn expect_cards(state: &State, unseen: &Bag<Card>, pile: u8) -> Result<(), Violation> {
    let mut tally = Tally::EMPTY;
    tally.cards(state.round.iter().map(|played| &played.card));
    for hand in &state.hands {
        tally.bag(&hand.known);
    }
    tally.bag(unseen).expect(&State::draw_cards())?;
    let hidden = state.hands.iter().map(|hand| u16::from(hand.unknown));
    let hidden = u16::from(pile) + hidden.sum::<u16>();
    Violation::unless(hidden == unseen.len(), || {
        format!(
            "{hidden} cards lie in the draw pile and in hidden hands, and {} are unseen",
            unseen.len()
        )
    })
}

/// How many kingdoms there are in all; more than the game has when that is told.
fn kingdoms(state: &State) -> u16 {
    state.kingdoms.iter().map(|count| u16::from(*count)).sum()
}
