//! A table's state as a position, and back.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::SchatzDerDrachen;
use super::moves::{Options, Slot, Tile};
use super::state::{Phase, Place, State};
use super::view::{Lies, PlaceView, View, view};
use crate::cards::{Bag, Counts, Tally};
use crate::placing::{expect_one_a_seat, expect_seat, expect_told};
use crate::ruleset::{Ruleset, Setup};
use crate::ruling::Violation;
use crate::seat::Seat;

/// How many tiles there are of each face.
pub type FaceCounts = Counts<Tile>;

/// A game at a table, written down: what everybody sees, the faces on record, and how many of each
/// are not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = schatz_der_drachen::Position)]
pub struct Position {
    /// What everybody sees.
    pub view: View,
    /// What the turn waits for.
    pub phase: Phase,
    /// The tiles that were seen and lie face down, row by row (SD-6.1).
    pub seen: Vec<SeenTile>,
    /// The faces that nobody has seen: as many as there are other tiles that lie face down.
    pub unseen: FaceCounts,
}

/// A tile that was seen and lies face down.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = schatz_der_drachen::SeenTile)]
pub struct SeenTile {
    /// Where it lies.
    pub slot: Slot,
    /// Its face.
    pub tile: Tile,
}

/// The state as a position.
pub(super) fn position(state: &State) -> Position {
    let seen = Slot::all().filter_map(|slot| match state.at(slot) {
        Place::Down(Some(tile)) => Some(SeenTile { slot, tile }),
        Place::Down(None) | Place::Open(_) | Place::Empty => None,
    });
    Position {
        view: view(state),
        phase: state.phase,
        seen: seen.collect(),
        unseen: state.unseen().into(),
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
    let mut state = SchatzDerDrachen::initial_state(setup)?;
    expect_one_a_seat(&view.seats, setup.seats)?;
    expect_seat(view.seat, setup.seats)?;
    state.seat = view.seat;
    state.phase = *phase;
    state.square = square(&view.square, seen)?;
    state.opened.clone_from(&view.opened);
    for (taken, told) in state.taken.iter_mut().zip(&view.seats) {
        for tiles in &told.tiles {
            taken.add_many(tiles.tile, tiles.count);
        }
    }
    expect_whole_box(&state, unseen.bag())?;
    expect_opened(&state)?;
    expect_phase(&state)?;
    expect_told::<SchatzDerDrachen>(&state, position)?;
    Ok(state)
}

fn square(told: &[PlaceView], seen: &[SeenTile]) -> Result<[Place; Slot::COUNT], Violation> {
    Violation::unless(told.len() == Slot::COUNT, || {
        let told = told.len();
        format!(
            "{told} places are told of, and the square has {}",
            Slot::COUNT
        )
    })?;
    let mut square = [Place::Empty; Slot::COUNT];
    for ((slot, place), told) in Slot::all().zip(&mut square).zip(told) {
        *place = match (told.lies, told.tile) {
            (Lies::Empty, _) => Place::Empty,
            (Lies::FaceDown, _) => Place::Down(None),
            (Lies::Open, Some(tile)) => Place::Open(tile),
            (Lies::Open, None) => {
                let detail = format!("the tile at {slot} lies open, and its face is not told");
                return Err(Violation::impossible(detail));
            }
        };
    }
    let in_order = seen.is_sorted_by(|one, next| one.slot < next.slot);
    Violation::unless(in_order, || {
        "the tiles seen are told row by row, each once".to_owned()
    })?;
    for SeenTile { slot, tile } in seen {
        let place = &mut square[slot.index()];
        if *place != Place::Down(None) {
            let detail =
                format!("a face is on record for {slot}, and no tile lies face down there");
            return Err(Violation::impossible(detail));
        }
        *place = Place::Down(Some(*tile));
    }
    Ok(square)
}

/// Every tile of the box lies in the square or before a player, and `unseen` are the faces of those
/// that nobody has seen.
fn expect_whole_box(state: &State, unseen: &Bag<Tile>) -> Result<(), Violation> {
    let on_record: Bag<Tile> = Slot::all().filter_map(|slot| state.face(slot)).collect();
    let mut tally = Tally::EMPTY;
    tally.bag(&on_record).bag(unseen);
    for taken in &state.taken {
        tally.bag(taken);
    }
    tally.expect(&State::full_box())?;
    let places = Slot::all()
        .filter(|slot| state.at(*slot) == Place::Down(None))
        .count();
    Violation::unless(places == usize::from(unseen.len()), || {
        format!(
            "{places} tiles lie face down that nobody has seen, and {} faces are unseen",
            unseen.len()
        )
    })
}

/// What lies open was opened in this turn: nothing else is ever turned down or taken.
fn expect_opened(state: &State) -> Result<(), Violation> {
    let mut opened = state.opened.clone();
    opened.sort_unstable();
    let open = Slot::all().filter(|slot| matches!(state.at(*slot), Place::Open(_)));
    Violation::unless(open.eq(opened), || {
        "the places opened in this turn are those where tiles lie open, each once".to_owned()
    })
}

fn expect_phase(state: &State) -> Result<(), Violation> {
    let taken = |counted: fn(&Bag<Tile>) -> u16| -> u16 {
        let seats = Seat::all(state.seats);
        seats.map(|seat| counted(&state.taken[seat.index()])).sum()
    };
    let spiders = taken(|tiles| tiles.count(Tile::Spider).into());
    let treasure_is_gone = taken(Bag::len) - spiders
        == State::full_box().len() - u16::from(State::full_box().count(Tile::Spider));
    let detail = match state.phase {
        Phase::Over if !treasure_is_gone => {
            "the game is not over while more than spiders lies in the square".to_owned()
        }
        Phase::Over => return expect_spiders_awarded(state),
        _ if treasure_is_gone => {
            "nothing but spiders lies in the square, so the game is over".to_owned()
        }
        _ if spiders > 0 => "nobody has spiders before the game is over".to_owned(),
        Phase::Turning(slot) if !matches!(state.at(slot), Place::Down(_)) => {
            format!("no tile lies face down at {slot} to be turned over")
        }
        Phase::Spider(slot)
            if state.opened.last() != Some(&slot)
                || state.at(slot) != Place::Open(Tile::Spider) =>
        {
            format!("the tile opened last is no spider at {slot} that could be moved")
        }
        Phase::Spider(_) if !state.has_empty_place() => {
            "no place is empty, so no spider can be moved".to_owned()
        }
        Phase::Choosing | Phase::Turning(_) | Phase::Spider(_) => return Ok(()),
    };
    Err(Violation::impossible(detail))
}

/// SD-5.2.
fn expect_spiders_awarded(state: &State) -> Result<(), Violation> {
    let owner = state.most_dragons(state.seat, 0);
    let awarded = |seat: Seat| state.taken[seat.index()].has(Tile::Spider) == (owner == Some(seat));
    let lies = |slot: Slot| state.at(slot) != Place::Empty;
    Violation::unless(state.opened.is_empty(), || {
        "no tile lies open when the game is over".to_owned()
    })?;
    let is_settled =
        Seat::all(state.seats).all(awarded) && Slot::all().any(lies) == owner.is_none();
    Violation::unless(is_settled, || {
        "the spiders are not with the player who has the most dragons, or in the square where \
         several have"
            .to_owned()
    })
}
