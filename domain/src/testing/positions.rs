//! Positions of random table games: played on, tampered with, and mangled.

use serde_json::{Value, json};

use super::laws::{Lawful, Plan};
use crate::dealer::{Mode, Shuffler};
use crate::playout::RandomPlayer;
use crate::ruleset::{Effect, Ruleset, Setup, Turn};
use crate::ruling::Common;
use crate::wire::escape;

/// What stands for cards in a game's positions.
#[derive(Clone, Copy, Debug)]
pub struct CardLeaves {
    /// The names of cards in JSON, those of one sort in one list.
    pub names: &'static [&'static [&'static str]],
    /// The fields that count cards, besides those that are named like a card.
    pub counts: &'static [&'static str],
}

/// How many moves a position is played on for.
const PLAYED_ON: u64 = 200;

/// Plays positions of random table games on beside the games that they were taken from.
///
/// # Panics
/// When they are judged differently.
pub fn check_played_on<R: Lawful>(plan: &Plan<R::Options>) {
    for_stops::<R>(plan, |setup, original, shuffler| {
        let position = R::position(original);
        let mut placed = R::place(setup, &position).expect("law 10");
        let mut original = original.clone();
        let mut moves = 0;
        while let Some(effects) = next::<R>(&original, plan.keen, shuffler, &mut moves) {
            let cause = R::cause(&effects[0].event);
            let again = match cause.expect("the first event is a move or an outcome") {
                crate::ruleset::Cause::Move { seat, mv } => R::decide(&placed, seat, &mv),
                crate::ruleset::Cause::Outcome(outcome) => R::resolve(&placed, &outcome),
            };
            assert_eq!(again.as_ref(), Ok(&effects), "{position:?}");
            for effect in &effects {
                R::evolve(&mut original, &effect.event);
                R::evolve(&mut placed, &effect.event);
            }
            assert_eq!(R::turn(&placed), R::turn(&original), "{position:?}");
            if moves == PLAYED_ON {
                break;
            }
        }
    });
}

/// Changes one card or one count of cards in positions of random table games.
///
/// # Panics
/// When a changed position is accepted, or refused for anything but the cards (CM-5).
pub fn check_tampering<R: Lawful>(plan: &Plan<R::Options>, leaves: CardLeaves) {
    for_stops::<R>(plan, |setup, state, _| {
        let position = serde_json::to_value(R::position(state)).expect("a position is written");
        for changed in tampered(&position, leaves) {
            let Ok(read) = serde_json::from_value::<R::Position>(changed.clone()) else {
                continue;
            };
            if read == R::position(state) {
                continue;
            }
            match R::place(setup, &read) {
                Ok(_) => panic!("{changed} is accepted in place of {position}"),
                Err(violation) => {
                    let id = Common::Knowledge.citation().id;
                    assert_eq!(violation.rule.id, id, "{violation}: {changed}");
                }
            }
        }
    });
}

/// Changes random parts of positions of random table games, and plays on what is still possible.
///
/// # Panics
/// When reading a position or playing on from it panics, when an accepted one loses cards or breaks law
/// 10 further on, or when none is accepted or none refused, which would show nothing.
pub fn check_mangling<R: Lawful>(plan: &Plan<R::Options>, leaves: CardLeaves, times: u32) {
    let (mut accepted, mut refused) = (0, 0);
    for_stops::<R>(plan, |setup, state, shuffler| {
        let position = serde_json::to_value(R::position(state)).expect("a position is written");
        for _ in 0..times {
            let mut mangled = position.clone();
            for _ in 0..=shuffler.below(3) {
                mangle(&mut mangled, leaves, shuffler);
            }
            let read = serde_json::from_value::<R::Position>(mangled.clone()).ok();
            match read.and_then(|read| R::place(setup, &read).ok()) {
                Some(placed) if placed != *state => {
                    accepted += 1;
                    play_out::<R>(setup, placed, shuffler, &mangled);
                }
                Some(_) => {}
                None => refused += 1,
            }
        }
    });
    assert!(accepted > 0 && refused > 0, "{accepted} of {refused}");
}

/// Upsets the table in random table games, as players do who let things pass, and plays on what is
/// still possible.
///
/// # Panics
/// As [`check_mangling`].
pub fn check_upsets<R: Lawful>(
    plan: &Plan<R::Options>,
    upset: fn(&mut R::State, &mut Shuffler),
    times: u32,
) {
    let (mut accepted, mut refused) = (0, 0);
    for_stops::<R>(plan, |setup, state, shuffler| {
        for _ in 0..times {
            let mut state = state.clone();
            for _ in 0..=shuffler.below(3) {
                upset(&mut state, shuffler);
            }
            let position = R::position(&state);
            match R::place(setup, &position) {
                Ok(placed) => {
                    accepted += 1;
                    let from = serde_json::to_value(position).expect("a position is written");
                    play_out::<R>(setup, placed, shuffler, &from);
                }
                Err(_) => refused += 1,
            }
        }
    });
    assert!(accepted > 0 && refused > 0, "{accepted} of {refused}");
}

fn play_out<R: Lawful>(
    setup: &Setup<R::Options>,
    mut state: R::State,
    shuffler: &mut Shuffler,
    from: &Value,
) {
    let mut moves = 0;
    loop {
        assert!(R::conserves_cards(&state), "{state:?} from {from}");
        match R::place(setup, &R::position(&state)) {
            Ok(placed) => assert_eq!(placed, state, "law 10 from {from}"),
            Err(violation) => panic!("law 10: {violation}: {state:?} from {from}"),
        }
        let Some(effects) = next::<R>(&state, 0.5, shuffler, &mut moves) else {
            return;
        };
        for effect in &effects {
            R::evolve(&mut state, &effect.event);
        }
        if moves == PLAYED_ON {
            return;
        }
    }
}

/// Calls `look` with positions of the plan's games at tables, about one in `every` steps.
fn for_stops<R: Lawful>(
    plan: &Plan<R::Options>,
    mut look: impl FnMut(&Setup<R::Options>, &R::State, &mut Shuffler),
) {
    for ((seats, options), rules_version) in (plan.setups.iter())
        .flat_map(|setup| R::VERSIONS.iter().map(move |version| (setup, *version)))
    {
        for seed in 0..plan.games {
            let setup = Setup {
                seats: *seats,
                options: options.clone(),
                rules_version,
                mode: Mode::Table,
            };
            let mut shuffler = Shuffler::seeded(seed ^ 0x5709);
            let mut state = R::initial_state(&setup).expect("a planned game can be set up");
            let mut moves = 0;
            loop {
                let effects = next::<R>(&state, plan.keen, &mut shuffler, &mut moves);
                if effects.is_none() || shuffler.below(plan.every as u32) == 0 {
                    look(&setup, &state, &mut shuffler);
                }
                let Some(effects) = effects else { break };
                for effect in &effects {
                    R::evolve(&mut state, &effect.event);
                }
                if moves == plan.max_moves {
                    break;
                }
            }
        }
    }
}

/// What happens next at a table, by random players and declarations; nothing once the game is over.
fn next<R: Ruleset>(
    state: &R::State,
    keen: f64,
    shuffler: &mut Shuffler,
    moves: &mut u64,
) -> Option<Vec<Effect<R::Event>>> {
    let effects = match R::turn(state) {
        Turn::Over(_) => return None,
        Turn::Chance(_) => {
            let outcome = R::on_record(state)
                .or_else(|| R::face_down(state))
                .unwrap_or_else(|| R::sample(state, shuffler));
            R::resolve(state, &outcome).expect("law 3")
        }
        Turn::Seat(seat) => {
            *moves += 1;
            let legal = R::legal_moves(state, seat);
            let mv = RandomPlayer { keen }.choose::<R>(state, &legal, shuffler);
            R::decide(state, seat, mv.expect("law 2")).expect("law 1")
        }
    };
    Some(effects)
}

/// Every position that differs in one card or in one count of cards.
fn tampered(position: &Value, leaves: CardLeaves) -> Vec<Value> {
    let mut changed = Vec::new();
    let mut put = |at: &str, value: Value| {
        let mut position = position.clone();
        *position.pointer_mut(at).expect("a place in it") = value;
        changed.push(position);
    };
    for at in places(position) {
        let value = position.pointer(&at).expect("a place in it");
        match value {
            Value::String(name) => {
                for other in leaves.alike(name).filter(|other| other != name) {
                    put(&at, json!(other));
                }
            }
            Value::Number(count) if leaves.counts_cards(&at) => {
                let count = count.as_i64().expect("a small count");
                put(&at, json!(count + 1));
                put(&at, json!(count - 1));
            }
            Value::Object(counts) => {
                let counted = counts.keys().next().map_or("", String::as_str);
                for other in leaves.alike(counted) {
                    let mut more = counts.clone();
                    if more.insert(other.to_owned(), json!(1)).is_none() {
                        put(&at, Value::Object(more));
                    }
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => {}
        }
    }
    changed
}

impl CardLeaves {
    /// All names of the sort of this one.
    fn alike(self, name: &str) -> impl Iterator<Item = &'static str> {
        let sort = self.names.iter().find(|names| names.contains(&name));
        sort.into_iter().flat_map(|names| names.iter().copied())
    }

    fn counts_cards(self, at: &str) -> bool {
        self.counts.contains(&field(at)) || self.counts_a_kind(at)
    }

    fn counts_a_kind(self, at: &str) -> bool {
        self.names.iter().any(|names| names.contains(&field(at)))
    }
}

/// The last part of a JSON Pointer.
fn field(at: &str) -> &str {
    at.rsplit('/').next().unwrap_or_default()
}

/// The JSON Pointers of all that a value holds.
fn places(value: &Value) -> Vec<String> {
    fn within(value: &Value, at: &str, places: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                for (name, field) in fields {
                    enter(field, format!("{at}/{}", escape(name)), places);
                }
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    enter(item, format!("{at}/{index}"), places);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    fn enter(value: &Value, at: String, places: &mut Vec<String>) {
        within(value, &at, places);
        places.push(at);
    }
    let mut places = Vec::new();
    within(value, "", &mut places);
    places
}

/// Numbers at which something may end.
const EDGES: &[u64] = &[
    0,
    1,
    2,
    5,
    6,
    11,
    12,
    13,
    30,
    67,
    161,
    162,
    163,
    254,
    255,
    256,
    65_535,
    4_294_967_295,
];

/// Changes a position in one place, or two places against each other.
fn mangle(position: &mut Value, leaves: CardLeaves, shuffler: &mut Shuffler) {
    let mut places = places(position);
    // Most of a position are numbers of cards by kind, which must add up; half of the changes spare them.
    if shuffler.below(2) == 0 {
        places.retain(|at| !leaves.counts_a_kind(at));
    }
    let pick = |count: usize, shuffler: &mut Shuffler| shuffler.below(count as u32) as usize;
    let at = &places[pick(places.len(), shuffler)];
    let with = &places[pick(places.len(), shuffler)];
    let (Some(one), Some(other)) = (position.pointer(at), position.pointer(with)) else {
        return;
    };
    let (one, other) = (one.clone(), other.clone());
    let put = |position: &mut Value, at: &str, value: Value| {
        if let Some(place) = position.pointer_mut(at) {
            *place = value;
        }
    };
    match (one, other) {
        (Value::Number(one), Value::Number(other)) if shuffler.below(2) == 0 => {
            let (one, other) = (one.as_u64().unwrap_or(0), other.as_u64().unwrap_or(0));
            put(position, at, json!(one.saturating_add(1)));
            put(position, with, json!(other.saturating_sub(1)));
        }
        (Value::String(one), Value::String(other)) => {
            put(position, at, json!(other));
            put(position, with, json!(one));
        }
        (Value::Number(_), _) => {
            put(position, at, json!(EDGES[pick(EDGES.len(), shuffler)]));
        }
        (Value::String(_), _) => {
            let names = leaves.names[pick(leaves.names.len(), shuffler)];
            put(position, at, json!(names[pick(names.len(), shuffler)]));
        }
        (Value::Bool(flag), _) => put(position, at, json!(!flag)),
        (Value::Array(mut items), other) => {
            if items.is_empty() || shuffler.below(3) == 0 {
                items.push(other);
            } else {
                let index = pick(items.len(), shuffler);
                let item = items.remove(index);
                if shuffler.below(2) == 0 {
                    items.push(item);
                }
            }
            put(position, at, Value::Array(items));
        }
        (Value::Object(mut fields), _) => {
            if let Some(name) = fields
                .keys()
                .nth(pick(fields.len().max(1), shuffler))
                .cloned()
            {
                fields.remove(&name);
            }
            put(position, at, Value::Object(fields));
        }
        (Value::Null, other) => put(position, at, other),
    }
}
