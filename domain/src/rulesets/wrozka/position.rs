//! A table's state as a position, and back.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Wrozka;
use super::board::PlaceKind;
use super::map::{Map, Place};
use super::moves::Options;
use super::place_id::PlaceId;
use super::state::{MOST_TOKENS, Phase, Seen, State};
use super::tokens::{Token, Tokens};
use super::view::{View, view};
use super::walk::PlaceSet;
use crate::placing::{expect_one_a_seat, expect_seat, expect_told};
use crate::ruleset::{Ruleset, Setup};
use crate::ruling::Violation;
use crate::seat::Seat;

/// A game at a table, written down: what everybody sees, the faces on record, and those that are
/// not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = wrozka::Position)]
pub struct Position {
    /// What everybody sees.
    pub view: View,
    /// What the turn waits for.
    pub phase: Phase,
    /// The tokens that were seen and lie face down again, in the order of the board's places
    /// (WR-5.1).
    pub seen: Vec<SeenToken>,
    /// The tokens that nobody has seen, accessories colour by colour and then carriages: those that
    /// lie at the other places, or are still to be laid out.
    pub unseen: Vec<Token>,
}

/// A token that was seen and lies face down again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = wrozka::SeenToken)]
pub struct SeenToken {
    /// Where it lies.
    pub place: PlaceId,
    /// Its face.
    pub token: Token,
}

/// The state as a position.
pub(super) fn position(state: &State) -> Position {
    let seen = state.seen.iter().flatten().map(|seen| SeenToken {
        place: state.map.id(seen.place),
        token: seen.face,
    });
    Position {
        view: view(state),
        phase: state.phase,
        seen: seen.collect(),
        unseen: state.unseen().iter().collect(),
    }
}

/// The state that a position describes.
pub(super) fn place(setup: &Setup<Options>, position: &Position) -> Result<State, Violation> {
    let Position {
        view,
        phase,
        seen,
        unseen,
    } = position;
    let mut state = Wrozka::initial_state(setup)?;
    expect_one_a_seat(&view.seats, setup.seats)?;
    expect_seat(view.seat, setup.seats)?;
    expect_all_tokens(&state.tokens(), position)?;
    state.seat = view.seat;
    state.phase = *phase;
    for (at, told) in view.seats.iter().enumerate() {
        state.pawns[at] = find(&state.map, &told.place)?;
        for token in &told.card {
            state.cards[at].add(*token);
        }
    }
    state.lying = lying(&state.map, &view.tokens)?;
    state.seen = seen_tokens(&state, seen)?;
    expect_cards(&state)?;
    expect_phase(&state, unseen.len())?;
    expect_told::<Wrozka>(&state, position)?;
    Ok(state)
}

/// Every token in play lies on a card or face down, once.
fn expect_all_tokens(in_play: &Tokens, position: &Position) -> Result<(), Violation> {
    let cards = position.view.seats.iter().flat_map(|seat| &seat.card);
    let seen = position.seen.iter().map(|seen| &seen.token);
    let told: Vec<&Token> = cards.chain(seen).chain(&position.unseen).collect();
    if let Some(token) = told.iter().find(|token| !in_play.has(***token)) {
        let detail = format!("the {token} was left out: nobody plays that colour");
        return Err(Violation::impossible(detail));
    }
    let count = |one: Token| told.iter().filter(|token| ***token == one).count();
    let boxed = |one: Token| in_play.iter().filter(|token| *token == one).count();
    match in_play.iter().find(|token| count(*token) != boxed(*token)) {
        None => Ok(()),
        Some(token) => Err(Violation::impossible(format!(
            "the position has {} of {token}, and there are {} in play",
            count(token),
            boxed(token)
        ))),
    }
}

fn find(map: &Map, id: &PlaceId) -> Result<Place, Violation> {
    map.find(id)
        .ok_or_else(|| Violation::impossible(format!("there is no place {id} on this board")))
}

fn lying(map: &Map, tokens: &[PlaceId]) -> Result<PlaceSet, Violation> {
    let mut lying = PlaceSet::EMPTY;
    for id in tokens {
        let place = find(map, id)?;
        Violation::unless(map.kind(place) == PlaceKind::Note, || {
            format!("{id} is not a note place")
        })?;
        Violation::unless(lying.insert(place), || {
            format!("two tokens cannot lie at {id}")
        })?;
    }
    Ok(lying)
}

fn seen_tokens(
    state: &State,
    told: &[SeenToken],
) -> Result<[Option<Seen>; MOST_TOKENS], Violation> {
    let lying = state.lying.len();
    Violation::unless(told.len() <= lying, || {
        format!("{} tokens were seen, and {lying} lie face down", told.len())
    })?;
    let mut seen: [Option<Seen>; MOST_TOKENS] = [None; MOST_TOKENS];
    let mut last = None;
    for (seen, SeenToken { place, token }) in seen.iter_mut().zip(told) {
        let at = find(&state.map, place)?;
        if !state.lying.has(at) {
            let detail = format!("a face is on record for {place}, and no token lies there");
            return Err(Violation::impossible(detail));
        }
        if last.replace(at).is_some_and(|last| last >= at) {
            let detail = "the tokens seen are told in the order of the board's places, each once";
            return Err(Violation::impossible(detail));
        }
        *seen = Some(Seen {
            place: at,
            face: *token,
        });
    }
    Ok(seen)
}

/// A card has room for the accessories of its colour and for one carriage.
fn expect_cards(state: &State) -> Result<(), Violation> {
    for seat in Seat::all(state.seats) {
        let own = state.colours[seat.index()];
        let mut carriages = 0;
        for token in state.cards[seat.index()].iter() {
            carriages += usize::from(token.colour().is_none());
            if token.colour().is_some_and(|colour| colour != own) || carriages > 1 {
                let detail = format!("a {token} has no place on the {own} card of seat {seat}");
                return Err(Violation::impossible(detail));
            }
        }
    }
    Ok(())
}

fn expect_phase(state: &State, unseen: usize) -> Result<(), Violation> {
    let seen = state.seen.iter().flatten().count();
    let laid_unseen = state.lying.len() - seen;
    let is_laid = state.phase != Phase::Laying;
    Violation::unless(!is_laid || laid_unseen == unseen, || {
        format!("{laid_unseen} tokens lie face down that nobody has seen, and {unseen} are unseen")
    })?;
    let home = |seat: Seat| {
        state.pawns[seat.index()] == state.map.castle()
            && state.cards[seat.index()].has(Token::Carriage {})
    };
    let detail = match state.phase {
        Phase::Laying if !state.lying.is_empty() || unseen < usize::from(state.tokens().len()) => {
            "some tokens are in play already, and the places of all are still to be told".to_owned()
        }
        Phase::Over if !home(state.seat) => {
            format!("seat {} is not at the castle with a carriage", state.seat)
        }
        Phase::Over => return Ok(()),
        _ if Seat::all(state.seats).any(home) => {
            "a player is at the castle with a carriage, so the game is over".to_owned()
        }
        Phase::Moving(die) if state.ends(die).is_empty() => {
            format!(
                "with a {die} the pawn of seat {} can end nowhere",
                state.seat
            )
        }
        Phase::Choosing | Phase::TurningUp if !state.lying.has(state.here()) => {
            format!("no token lies at {} to be turned up", state.here_id())
        }
        Phase::Laying | Phase::Rolling | Phase::Moving(_) | Phase::Choosing | Phase::TurningUp => {
            return Ok(());
        }
    };
    Err(Violation::impossible(detail))
}
