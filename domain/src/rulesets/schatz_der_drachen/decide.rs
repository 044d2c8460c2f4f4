//! Judging moves and outcomes.

use super::moves::{Event, Move, Outcome, Slot, Tile};
use super::rules::Rule;
use super::state::{Phase, Place, State};
use crate::cards::Card;
use crate::ruleset::Effect;
use crate::ruling::{Clue, Violation};
use crate::seat::Seat;

type Judged = Result<Vec<Effect<Event>>, Violation>;

/// Judges a move of the seat on turn.
pub(super) fn decide(state: &State, seat: Seat, mv: &Move) -> Judged {
    match (state.phase, mv) {
        (Phase::Spider(from), Move::MoveSpider { to }) => move_spider(state, seat, from, *to),
        (Phase::Spider(_), Move::LeaveSpider {}) => Ok(lose(
            state,
            Effect::fact(Event::SpiderLeft { seat }),
            Rule::Spider,
            &state.opened,
        )),
        (Phase::Spider(_), Move::Reveal { .. } | Move::Stop {}) => Err(Violation::of(
            Rule::MoveSpider,
            "the spider is to be moved or left before anything else",
        )),
        (_, Move::MoveSpider { .. } | Move::LeaveSpider {}) => Err(Violation::of(
            Rule::MoveSpider,
            "no spider has stopped this player",
        )),
        (_, Move::Reveal { slot }) => reveal(state, seat, *slot),
        (_, Move::Stop {}) => stop(state, seat),
    }
}

fn reveal(state: &State, seat: Seat, slot: Slot) -> Judged {
    match state.at(slot) {
        Place::Empty => Err(Violation::of(
            Rule::FaceDownOnly,
            format!("no tile lies at {slot} any more"),
        )),
        Place::Open(_) => Err(Violation::of(
            Rule::FaceDownOnly,
            format!("the tile at {slot} is open already"),
        )),
        Place::Down(_) => Ok(vec![Effect::fact(Event::TileChosen { seat, slot })]),
    }
}

fn move_spider(state: &State, seat: Seat, from: Slot, to: Slot) -> Judged {
    if state.at(to) != Place::Empty {
        let detail = format!("a tile lies at {to}; the spider goes to an empty place");
        return Err(Violation::of(Rule::MoveSpider, detail));
    }
    let opened: Vec<Slot> = state
        .opened
        .iter()
        .map(|slot| if *slot == from { to } else { *slot })
        .collect();
    Ok(lose(
        state,
        Effect::fact(Event::SpiderMoved { seat, from, to }),
        Rule::Spider,
        &opened,
    ))
}

/// The end of a turn that earns nothing (SD-3.3), with the tiles opened in it.
fn lose(state: &State, fact: Effect<Event>, rule: Rule, opened: &[Slot]) -> Vec<Effect<Event>> {
    vec![
        fact,
        Effect::under(rule, Event::TurnLost {}),
        Effect::under(
            Rule::NothingEarned,
            Event::TurnedDown {
                slots: opened.to_vec(),
            },
        ),
        pass(state),
    ]
}

fn pass(state: &State) -> Effect<Event> {
    Effect::under(
        Rule::NextPlayer,
        Event::TurnPassed {
            seat: state.seat.next(state.seats),
        },
    )
}

fn stop(state: &State, seat: Seat) -> Judged {
    if state.opened.is_empty() {
        return Err(Violation::of(
            Rule::OneAtLeast,
            "no tile has been turned over in this turn",
        ));
    }
    let mut effects = vec![Effect::fact(Event::Stopped { seat })];
    let mut stay = state.opened.clone();
    let mut dragons = 0;
    for tile in Tile::ALL {
        let Some((size, rule)) = set_of(*tile) else {
            continue;
        };
        let mut slots: Vec<Slot> = state
            .opened
            .iter()
            .copied()
            .filter(|slot| state.face(*slot) == Some(*tile))
            .collect();
        // SD-4.5: those opened last stay.
        slots.truncate(slots.len() - slots.len() % size);
        if slots.is_empty() {
            continue;
        }
        stay.retain(|slot| !slots.contains(slot));
        if *tile == Tile::Dragon {
            dragons = slots.len() as u8;
        }
        effects.push(Effect::under(
            rule,
            Event::TilesTaken {
                seat,
                tile: *tile,
                slots,
            },
        ));
    }
    let taken = state.opened.len() - stay.len();
    if !stay.is_empty() {
        effects.push(Effect::under(
            Rule::Incomplete,
            Event::TurnedDown { slots: stay },
        ));
    }
    if state.only_spiders_left_after(taken) {
        effects.push(Effect::under(Rule::OnlySpiders, Event::OnlySpidersLeft {}));
        if let Some(seat) = state.most_dragons(seat, dragons) {
            effects.push(Effect::under(
                Rule::SpidersAwarded,
                Event::SpidersAwarded { seat },
            ));
        }
    } else {
        effects.push(pass(state));
    }
    Ok(effects)
}

/// How many tiles of one face are taken together, and by which rule; spiders never are.
pub(super) fn set_of(tile: Tile) -> Option<(usize, Rule)> {
    match tile {
        Tile::Spider => None,
        Tile::Ball | Tile::Car | Tile::Doll => Some((2, Rule::Toys)),
        Tile::Candlestick => Some((3, Rule::Candlesticks)),
        Tile::Chest => Some((4, Rule::Chests)),
        Tile::Ring | Tile::Dragon => Some((1, Rule::Singles)),
    }
}

/// Judges the face of the tile that is being turned over.
pub(super) fn resolve(state: &State, outcome: &Outcome) -> Judged {
    let Outcome::Tile { tile } = *outcome;
    let Phase::Turning(slot) = state.phase else {
        return Ok(Vec::new());
    };
    match state.face(slot) {
        Some(face) if face != tile => {
            let detail = match state.notebook {
                true => format!("the tile at {slot} is on record as {face}, not {tile}"),
                false => format!("the tile at {slot} was seen, and it was not this one"),
            };
            let clue = Clue::Place(slot.to_string());
            return Err(Violation::of(Rule::SeenTiles, detail).contradicted_by(clue));
        }
        None if !state.unseen().has(tile) => {
            let detail = match state.notebook {
                true => format!("every {tile} of the box is on record elsewhere"),
                false => format!("no such tile can lie at {slot} any more"),
            };
            let clue = Clue::Card(tile.name().to_owned());
            return Err(Violation::of(Rule::SeenTiles, detail).contradicted_by(clue));
        }
        Some(_) | None => {}
    }
    let fact = Effect::fact(Event::TileRevealed { slot, tile });
    if tile == Tile::Spider && state.has_empty_place() {
        return Ok(vec![
            fact,
            Effect::under(Rule::MoveSpider, Event::SpiderFound { slot }),
        ]);
    }
    let lost_by = match tile {
        Tile::Spider => Some(Rule::Spider),
        Tile::Dragon if state.open_tiles().any(Tile::is_treasure) => Some(Rule::Clash),
        _ if tile.is_treasure() && state.open_tiles().any(|open| open == Tile::Dragon) => {
            Some(Rule::Clash)
        }
        _ => None,
    };
    Ok(match lost_by {
        Some(rule) => {
            let opened: Vec<Slot> = state.opened.iter().copied().chain([slot]).collect();
            lose(state, fact, rule, &opened)
        }
        None => vec![fact],
    })
}

/// Every legal move of the seat on turn.
pub(super) fn legal_moves(state: &State) -> Vec<Move> {
    let places =
        |wanted: fn(Place) -> bool| Slot::all().filter(move |slot| wanted(state.at(*slot)));
    if let Phase::Spider(_) = state.phase {
        return places(|place| place == Place::Empty)
            .map(|to| Move::MoveSpider { to })
            .chain([Move::LeaveSpider {}])
            .collect();
    }
    let stop = (!state.opened.is_empty()).then_some(Move::Stop {});
    places(|place| matches!(place, Place::Down(_)))
        .map(|slot| Move::Reveal { slot })
        .chain(stop)
        .collect()
}
