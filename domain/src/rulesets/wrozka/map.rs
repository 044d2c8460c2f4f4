//! A board that has been judged, ready to be walked on.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, LazyLock, OnceLock};

use super::board::{Board, PlaceKind};
use super::place_id::PlaceId;
use super::rules::Rule;
use super::walk::Walks;
use crate::ruling::Violation;

/// The most places that a board may have (WR-1.2).
pub const MOST_PLACES: usize = 1000;

/// A place, by its number in its board's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place(pub(super) u16);

impl Place {
    /// The number as a list index.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A board that keeps WR-1.2, with what is looked up in it again and again.
///
/// Everything in it follows from the board, so two maps of the same board are equal, however far
/// they have been looked up.
pub struct Map {
    board: Board,
    ids: Vec<PlaceId>,
    by_id: ById,
    castle: Place,
    neighbours: Vec<Vec<Place>>,
    from_castle: Vec<u16>,
    /// Worked out when a pawn first starts from a place: on a large board most never are.
    walks: Vec<OnceLock<Box<Walks>>>,
}

/// The places by their names, in the order of these.
type ById = Vec<(PlaceId, Place)>;

impl PartialEq for Map {
    fn eq(&self, other: &Self) -> bool {
        self.board == other.board
    }
}

impl std::fmt::Debug for Map {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Map of {} places", self.ids.len())
    }
}

impl Map {
    /// The referee's own board.
    pub fn shipped() -> Arc<Self> {
        static SHIPPED: LazyLock<Arc<Map>> = LazyLock::new(|| {
            Arc::new(Map::new(&Board::default()).expect("the referee's own board keeps its rule"))
        });
        Arc::clone(&SHIPPED)
    }

    /// Judges a board, all but whether it has note places enough, which depends on the players.
    ///
    /// # Errors
    /// WR-1.2.
    pub fn new(board: &Board) -> Result<Self, Violation> {
        // First of all, so that what follows is bounded however large the board is: so many places
        // can be joined by only so many paths before two of these are alike.
        if board.places.len() > MOST_PLACES {
            return Err(unfit(format!(
                "{} places are more than {MOST_PLACES}",
                board.places.len()
            )));
        }
        let ids = ids(board)?;
        let by_id = by_id(&ids)?;
        let castle = castle(board)?;
        let neighbours = neighbours(board, &by_id)?;
        let from_castle = distances(castle, &neighbours);
        if let Some(lost) = from_castle.iter().position(Option::is_none) {
            return Err(unfit(format!(
                "no way leads from the castle to {}",
                ids[lost]
            )));
        }
        Ok(Self {
            castle,
            from_castle: from_castle.into_iter().flatten().collect(),
            walks: ids.iter().map(|_| OnceLock::new()).collect(),
            board: board.clone(),
            ids,
            by_id,
            neighbours,
        })
    }

    /// The board as it is described in JSON.
    pub fn board(&self) -> &Board {
        &self.board
    }

    fn places(&self) -> impl Iterator<Item = Place> + Clone + use<> {
        (0..self.ids.len() as u16).map(Place)
    }

    /// The places where tokens may lie, in the board's order.
    pub fn notes(&self) -> impl Iterator<Item = Place> + Clone + '_ {
        self.places()
            .filter(|place| self.kind(*place) == PlaceKind::Note)
    }

    /// Where everybody starts.
    pub fn castle(&self) -> Place {
        self.castle
    }

    /// What a place is.
    pub fn kind(&self, place: Place) -> PlaceKind {
        self.board.places[place.index()].kind
    }

    /// What a place is called.
    pub fn id(&self, place: Place) -> PlaceId {
        self.ids[place.index()]
    }

    /// The place with this name, if the board has it.
    pub fn find(&self, id: &PlaceId) -> Option<Place> {
        find(&self.by_id, id)
    }

    /// Where the walks from a place lead.
    pub fn walks(&self, start: Place) -> &Walks {
        self.walks[start.index()]
            .get_or_init(|| Box::new(Walks::starting_at(start, &self.neighbours)))
    }

    /// How many steps away the castle is.
    pub fn from_castle(&self, place: Place) -> u16 {
        self.from_castle[place.index()]
    }
}

fn unfit(detail: String) -> Violation {
    Violation::of(Rule::Board, detail)
}

fn ids(board: &Board) -> Result<Vec<PlaceId>, Violation> {
    let id = |text: &str| {
        PlaceId::new(text).ok_or_else(|| {
            unfit(format!(
                "the name of a place has {} bytes; {} is the most",
                text.len(),
                PlaceId::LONGEST
            ))
        })
    };
    board.places.iter().map(|place| id(&place.id)).collect()
}

fn by_id(ids: &[PlaceId]) -> Result<ById, Violation> {
    let mut by_id: ById = ids.iter().copied().zip((0..).map(Place)).collect();
    by_id.sort_unstable();
    match by_id.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        Some(pair) => Err(unfit(format!("two places are called {}", pair[0].0))),
        None => Ok(by_id),
    }
}

fn find(by_id: &ById, id: &PlaceId) -> Option<Place> {
    let at = by_id.binary_search_by(|(known, _)| known.cmp(id)).ok()?;
    Some(by_id[at].1)
}

fn castle(board: &Board) -> Result<Place, Violation> {
    let mut castles = (0..)
        .zip(&board.places)
        .filter(|(_, place)| place.kind == PlaceKind::Castle);
    match (castles.next(), castles.next()) {
        (Some((at, _)), None) => Ok(Place(at)),
        (None, _) => Err(unfit("the board has no castle".to_owned())),
        (Some(_), Some(_)) => Err(unfit("the board has more than one castle".to_owned())),
    }
}

fn neighbours(board: &Board, by_id: &ById) -> Result<Vec<Vec<Place>>, Violation> {
    let end = |text: &str| {
        PlaceId::new(text)
            .and_then(|id| find(by_id, &id))
            .ok_or_else(|| unfit("a path leads to a place that is not on the board".to_owned()))
    };
    let mut joined = BTreeSet::new();
    let mut neighbours = vec![Vec::new(); by_id.len()];
    for [first, second] in &board.paths {
        let (one, other) = (end(first)?, end(second)?);
        if one == other {
            return Err(unfit(format!("a path leads from {first} to itself")));
        }
        if !joined.insert((one.min(other), one.max(other))) {
            return Err(unfit(format!("two paths join {first} and {second}")));
        }
        neighbours[one.index()].push(other);
        neighbours[other.index()].push(one);
    }
    Ok(neighbours)
}

/// How many steps each place is away from `start`; none where no way leads.
fn distances(start: Place, neighbours: &[Vec<Place>]) -> Vec<Option<u16>> {
    let mut distances = vec![None; neighbours.len()];
    distances[start.index()] = Some(0);
    let mut reached = VecDeque::from([(start, 0)]);
    while let Some((place, distance)) = reached.pop_front() {
        for next in &neighbours[place.index()] {
            if distances[next.index()].is_none() {
                distances[next.index()] = Some(distance + 1);
                reached.push_back((*next, distance + 1));
            }
        }
    }
    distances
}
