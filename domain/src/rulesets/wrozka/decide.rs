//! Judging moves and outcomes.

use super::board::PlaceKind;
use super::map::Place;
use super::moves::{Die, Event, Move, Outcome};
use super::place_id::PlaceId;
use super::rules::Rule;
use super::state::{Phase, State};
use super::tokens::Token;
use super::walk::PlaceSet;
use crate::ruleset::Effect;
use crate::ruling::{Clue, Common, Violation};
use crate::seat::Seat;

type Judged = Result<Vec<Effect<Event>>, Violation>;

/// Judges a move of the seat on turn.
pub(super) fn decide(state: &State, seat: Seat, mv: &Move) -> Judged {
    match (state.phase, mv) {
        (Phase::Moving(die), Move::Move { to }) => move_pawn(state, seat, die, to),
        (Phase::Moving(die), Move::Reveal {} | Move::Leave {}) => Err(Violation::of(
            Rule::Steps,
            format!("the die shows {die}: the pawn is to be moved before anything else"),
        )),
        (Phase::Choosing, Move::Move { .. }) => Err(Violation::of(
            Rule::Token,
            format!(
                "the token at {} is to be turned up or left before anything else",
                state.here_id()
            ),
        )),
        (Phase::Choosing, Move::Reveal {}) => Ok(vec![Effect::fact(Event::TokenChosen {
            seat,
            place: state.here_id(),
        })]),
        (Phase::Choosing, Move::Leave {}) => Ok(vec![
            Effect::fact(Event::TokenLeft {
                seat,
                place: state.here_id(),
            }),
            pass(state, Rule::Token),
        ]),
        (Phase::Laying | Phase::Rolling | Phase::TurningUp | Phase::Over, _) => {
            Err(Violation::of(Common::Chance, "nobody is to move now"))
        }
    }
}

fn move_pawn(state: &State, seat: Seat, die: Die, to: &PlaceId) -> Judged {
    let Some(place) = state.map.find(to) else {
        let detail = format!("there is no place {to} on this board");
        return Err(Violation::of(Rule::Steps, detail));
    };
    let from = state.here_id();
    if !state.stops(die).has(place) {
        let detail = format!("the pawn cannot end at {to}, coming from {from} with a {die}");
        return Err(Violation::of(Rule::Steps, detail));
    }
    if state.is_barred(place) {
        let detail = format!("another pawn stands at {to}");
        return Err(Violation::of(Rule::Occupied, detail));
    }
    let mut effects = vec![Effect::fact(Event::PawnMoved {
        seat,
        from,
        to: *to,
    })];
    effects.extend(arrival(state, seat, place));
    Ok(effects)
}

/// What comes of the place where a move ends; nothing where the player has to choose first.
fn arrival(state: &State, seat: Seat, place: Place) -> Option<Effect<Event>> {
    if state.lying.has(place) {
        return None;
    }
    Some(match state.map.kind(place) {
        PlaceKind::Castle if state.has_carriage() => {
            Effect::under(Rule::Winner, Event::CastleReached { seat })
        }
        PlaceKind::Star => Effect::under(Rule::Star, Event::RollsAgain { seat }),
        PlaceKind::Castle | PlaceKind::Note | PlaceKind::Blank => pass(state, Rule::Elsewhere),
    })
}

fn pass(state: &State, rule: Rule) -> Effect<Event> {
    let seat = state.seat.next(state.seats);
    Effect::under(rule, Event::TurnPassed { seat })
}

/// Judges an outcome that is due.
pub(super) fn resolve(state: &State, outcome: &Outcome) -> Judged {
    match outcome {
        Outcome::Layout { places } => lay(state, places),
        Outcome::Die { value } => Ok(roll(state, *value)),
        Outcome::Token(token) => turn_up(state, *token),
    }
}

fn lay(state: &State, places: &[PlaceId]) -> Judged {
    let refuse = |detail: String| Err(Violation::of(Rule::Layout, detail));
    let count = usize::from(state.tokens().len());
    if places.len() != count {
        return refuse(format!(
            "{count} tokens are in play, and {} places are named",
            places.len()
        ));
    }
    let mut taken = PlaceSet::EMPTY;
    for id in places {
        let Some(place) = state.map.find(id) else {
            return refuse(format!("there is no place {id} on this board"));
        };
        if state.map.kind(place) != PlaceKind::Note {
            return refuse(format!("{id} is not a note place"));
        }
        if !taken.insert(place) {
            return refuse(format!("two tokens cannot lie at {id}"));
        }
    }
    Ok(vec![Effect::fact(Event::TokensLaid {
        places: places.to_vec(),
    })])
}

/// A roll, and the turn passed on where it lets the pawn end nowhere. Dice alone cannot go on for
/// ever: on a connected board with free places some pawn stands beside one, and a one moves it.
fn roll(state: &State, value: Die) -> Vec<Effect<Event>> {
    let fact = Effect::fact(Event::DieRolled {
        seat: state.seat,
        value,
    });
    if state.ends(value).is_empty() {
        vec![fact, pass(state, Rule::NoMove)]
    } else {
        vec![fact]
    }
}

fn turn_up(state: &State, token: Token) -> Judged {
    possible(state, token)?;
    let (seat, place) = (state.seat, state.here_id());
    let fact = Effect::fact(Event::TokenRevealed { place, token });
    Ok(if state.wants(token) {
        vec![
            fact,
            Effect::under(Rule::Token, Event::TokenTaken { seat, place, token }),
            Effect::under(Rule::Token, Event::RollsAgain { seat }),
        ]
    } else {
        vec![
            fact,
            Effect::under(Rule::Token, Event::TokenTurnedDown { place }),
            pass(state, Rule::Token),
        ]
    })
}

/// Whether the token that is being turned up can have this face.
fn possible(state: &State, token: Token) -> Result<(), Violation> {
    if !state.tokens().has(token) {
        let detail = format!("the {token} was left out: nobody plays that colour");
        return Err(Violation::of(Rule::LeftOut, detail));
    }
    let place = state.here_id();
    match state.face(state.here()) {
        Some(face) if face != token => {
            let detail = match state.notebook {
                true => format!("the token at {place} is on record as a {face}, not a {token}"),
                false => format!("the token at {place} was seen, and it was not this one"),
            };
            let clue = Clue::Place(place.to_string());
            Err(Violation::of(Rule::SeenTokens, detail).contradicted_by(clue))
        }
        None if !state.unseen().has(token) => {
            let detail = match state.notebook {
                true => format!("every {token} in play is on record elsewhere"),
                false => format!("no such token can lie at {place} any more"),
            };
            let clue = Clue::Card(token.to_string());
            Err(Violation::of(Rule::SeenTokens, detail).contradicted_by(clue))
        }
        Some(_) | None => Ok(()),
    }
}

/// Every legal move of the seat on turn.
pub(super) fn legal_moves(state: &State) -> Vec<Move> {
    match state.phase {
        Phase::Moving(die) => {
            let ends = state.ends(die);
            let mut moves = Vec::with_capacity(ends.len());
            moves.extend(ends.iter().map(|place| Move::Move {
                to: state.map.id(place),
            }));
            moves
        }
        Phase::Choosing => vec![Move::Reveal {}, Move::Leave {}],
        Phase::Laying | Phase::Rolling | Phase::TurningUp | Phase::Over => Vec::new(),
    }
}
