//! What positions owe beyond law 10: a game begun from one goes on as the original would, no card
//! in one can be another, and whatever is accepted can be played. All along random table games.

use std::collections::HashMap;
use std::mem::{Discriminant, discriminant};

use serde_json::{Map, Value, json};

use super::laws::{Lawful, Plan};
use crate::dealer::{Mode, Shuffler};
use crate::game::Course;
use crate::playout::RandomPlayer;
use crate::ruleset::{Cause, Effect, Ruleset, Setup, Turn};
use crate::ruling::{Citation, Common, Violation};
use crate::wire;

/// A state as it comes back from its position in JSON.
///
/// # Panics
/// When it does not come back.
#[track_caller]
pub fn placed_again<R: Ruleset>(setup: &Setup<R::Options>, state: &R::State) -> R::State {
    match place::<R>(setup, &written::<R>(state)) {
        Some(Ok(placed)) => placed,
        refused => panic!("{:?}: {refused:?}", R::position(state)),
    }
}

/// Games begun from positions go on to the same events as the originals.
///
/// # Panics
/// When one does not.
pub fn check_play_on<R: Lawful>(plan: &Plan<R::Options>) {
    walk::<R>(plan, |setup, state, _, shuffler| {
        let mut original = state.clone();
        let mut placed = placed_again::<R>(setup, state);
        for _ in 0..plan.max_moves {
            let Some(cause) = next::<R>(&original, plan.keen, shuffler) else {
                break;
            };
            let effects = step::<R>(&mut original, &cause);
            assert_eq!(step::<R>(&mut placed, &cause), effects, "{cause:?}");
        }
        assert_eq!(R::turn(&placed), R::turn(&original));
    });
}

/// Every change of one card is refused under CM-5, if it parses: the name of a card to any other in its list of `kinds`, a
/// card more or fewer wherever cards are counted, unless the number's field is among `no_cards`.
///
/// # Panics
/// When a change is accepted.
pub fn check_tampering<R: Lawful>(plan: &Plan<R::Options>, kinds: &[Vec<&str>], no_cards: &[&str]) {
    walk::<R>(plan, |setup, state, _, _| {
        let position = written::<R>(state);
        let mut changed = 0;
        for_each_part(&position, &mut |at, part| {
            let field = at.rsplit('/').find(|token| token.parse::<u8>().is_err());
            if field.is_some_and(|field| no_cards.contains(&field)) {
                return;
            }
            for tampered_part in with_another_card(part, kinds) {
                let mut tampered = position.clone();
                *part_mut(&mut tampered, at) = tampered_part;
                changed += 1;
                match place::<R>(setup, &tampered) {
                    Some(Ok(placed)) => panic!("{at} of {tampered} is accepted: {placed:?}"),
                    Some(Err(violation)) => {
                        assert_eq!(violation.rule, Common::Knowledge.citation(), "{violation}");
                    }
                    None => {}
                }
            }
        });
        assert!(changed > 0, "no card is found in {position}");
    });
}

/// What a part becomes when one of its cards is another, or is counted once more or less.
fn with_another_card(part: &Value, kinds: &[Vec<&str>]) -> Vec<Value> {
    match part {
        Value::String(name) => others(kinds, name).map(|other| json!(other)).collect(),
        Value::Number(count) => count
            .as_i64()
            .map_or_else(Vec::new, |count| vec![json!(count + 1), json!(count - 1)]),
        Value::Object(counts) => (counts.iter())
            .filter_map(|(name, count)| Some((name, count.as_i64()?)))
            .flat_map(|(name, count)| {
                others(kinds, name).map(move |other| recounted(counts, name, count - 1, other))
            })
            .collect(),
        Value::Null | Value::Bool(_) | Value::Array(_) => Vec::new(),
    }
}

/// The other cards of the list in which a card is.
fn others<'k>(kinds: &'k [Vec<&'k str>], name: &'k str) -> impl Iterator<Item = &'k str> {
    let kinds = kinds.iter().filter(move |names| names.contains(&name));
    kinds.flatten().copied().filter(move |other| *other != name)
}

fn recounted(counts: &Map<String, Value>, name: &str, fewer: i64, other: &str) -> Value {
    let mut counts = counts.clone();
    let more = counts.get(other).and_then(Value::as_i64).unwrap_or(0) + 1;
    counts.insert(other.to_owned(), json!(more));
    if fewer > 0 {
        counts.insert(name.to_owned(), json!(fewer));
    } else {
        counts.remove(name);
    }
    Value::Object(counts)
}

/// Scalars are replaced and parts left out or doubled, so many times a position. Whatever is
/// accepted can be played on with the cards of the box.
///
/// # Panics
/// When something is accepted that cannot be played.
pub fn check_fuzzed<R: Lawful>(plan: &Plan<R::Options>, times: u32) {
    let mut accepted = 0;
    walk::<R>(plan, |setup, state, _, shuffler| {
        let position = written::<R>(state);
        for _ in 0..times {
            let mut fuzzed = position.clone();
            for _ in 0..=shuffler.below(3) {
                fuzz(&mut fuzzed, shuffler);
            }
            let Some(Ok(mut state)) = place::<R>(setup, &fuzzed) else {
                continue;
            };
            accepted += u32::from(fuzzed != position);
            assert!(R::conserves_cards(&state), "{fuzzed} gives {state:?}");
            for _ in 0..200 {
                let Some(cause) = next::<R>(&state, plan.keen, shuffler) else {
                    break;
                };
                step::<R>(&mut state, &cause);
                assert!(R::conserves_cards(&state), "{fuzzed} leads to {state:?}");
            }
        }
    });
    assert!(accepted > 0, "no change gives another position");
}

fn fuzz(position: &mut Value, shuffler: &mut Shuffler) {
    const NUMBERS: [i64; 14] = [-1, 0, 1, 2, 3, 4, 5, 6, 7, 12, 37, 255, 256, i64::MAX];
    let mut places = Vec::new();
    for_each_part(position, &mut |at, part| {
        if !part.is_object() {
            places.push(at.to_owned());
        }
    });
    let mut pick = |bound: usize| shuffler.below(bound as u32) as usize;
    let at = &places[pick(places.len())];
    let other = &places[pick(places.len())];
    match pick(4) {
        0 => *part_mut(position, at) = part_mut(position, other).clone(),
        1 => *part_mut(position, at) = json!(NUMBERS[pick(NUMBERS.len())]),
        2 => {
            let part = part_mut(position, at);
            *part = match part.as_i64() {
                Some(number) => json!(number.saturating_add(pick(5) as i64 - 2)),
                None => json!(pick(2) == 0),
            };
        }
        _ => {
            let (holder, name) = at.rsplit_once('/').unwrap_or_default();
            match part_mut(position, holder) {
                Value::Array(items) if pick(2) == 0 => items.truncate(1),
                Value::Array(items) => items.extend_from_within(..1),
                Value::Object(fields) => drop(fields.remove(name)),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
            }
        }
    }
}

/// Every event is permitted by a rule of its rulebook, and one that is drawn by rules by one of
/// those.
///
/// # Panics
/// At the first that is not.
pub fn check_permissions<R: Lawful>(plan: &Plan<R::Options>) {
    type Rules = Vec<&'static Citation>;
    let mut rules: HashMap<Discriminant<R::Event>, (Rules, Rules)> = HashMap::new();
    walk::<R>(plan, |setup, _, effects, _| {
        for Effect { event, rule } in effects {
            let permitting = R::permitted_by(event);
            let mut book = R::rulebook(setup.rules_version).rules();
            assert!(
                book.any(|known| known == permitting),
                "{event:?}: {permitting:?}"
            );
            let (permitted, drawn) = rules.entry(discriminant(event)).or_default();
            permitted.push(permitting);
            drawn.extend(rule);
        }
    });
    for (permitted, drawn) in rules.values() {
        let is_drawn = |rule| drawn.is_empty() || drawn.contains(rule);
        assert!(permitted.iter().all(is_drawn), "{permitted:?}, {drawn:?}");
    }
}

/// Calls `visit` with every part of a value and its JSON Pointer.
fn for_each_part(value: &Value, visit: &mut impl FnMut(&str, &Value)) {
    fn below(at: &str, value: &Value, visit: &mut impl FnMut(&str, &Value)) {
        visit(at, value);
        match value {
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    below(&format!("{at}/{index}"), item, visit);
                }
            }
            Value::Object(fields) => {
                for (name, field) in fields {
                    below(&format!("{at}/{}", wire::escape(name)), field, visit);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    below("", value, visit);
}

fn part_mut<'v>(value: &'v mut Value, at: &str) -> &'v mut Value {
    value.pointer_mut(at).expect("a part of this value")
}

fn written<R: Ruleset>(state: &R::State) -> Value {
    serde_json::to_value(R::position(state)).expect("a wire type is written")
}

/// None when it does not parse.
fn place<R: Ruleset>(
    setup: &Setup<R::Options>,
    position: &Value,
) -> Option<Result<R::State, Violation>> {
    let position = serde_json::from_value(position.clone()).ok()?;
    let placed = R::place(setup, &position);
    if let Ok(state) = &placed {
        assert_eq!(R::position(state), position, "what is accepted is kept");
    }
    Some(placed)
}

/// Plays the table games of a plan, and looks at the state every so many steps with the events of
/// all steps since.
fn walk<R: Lawful>(
    plan: &Plan<R::Options>,
    mut look: impl FnMut(&Setup<R::Options>, &R::State, &[Effect<R::Event>], &mut Shuffler),
) {
    let setups = (plan.setups.iter())
        .flat_map(|setup| R::VERSIONS.iter().map(move |version| (setup, *version)));
    for ((seats, options), rules_version) in setups {
        let setup = Setup {
            seats: *seats,
            options: options.clone(),
            rules_version,
            mode: Mode::Table,
        };
        for seed in 0..plan.games {
            let mut shuffler = Shuffler::seeded(seed ^ 0x9051);
            let course = Course::<R>::new(&setup).expect("a planned game can be set up");
            let mut state = course.state;
            let mut events = Vec::new();
            for at in 0..plan.max_moves {
                let cause = next::<R>(&state, plan.keen, &mut shuffler);
                if at % plan.every == 0 || cause.is_none() {
                    look(&setup, &state, &events, &mut shuffler);
                    events.clear();
                }
                let Some(cause) = cause else { break };
                events.extend(step::<R>(&mut state, &cause));
            }
        }
    }
}

/// What happens next at random; nothing when the game is over.
fn next<R: Ruleset>(
    state: &R::State,
    keen: f64,
    shuffler: &mut Shuffler,
) -> Option<Cause<R::Move, R::Outcome>> {
    match R::turn(state) {
        Turn::Over(_) => None,
        Turn::Chance(_) => {
            let unasked = R::on_record(state).or_else(|| R::face_down(state));
            let outcome = unasked.unwrap_or_else(|| R::sample(state, shuffler));
            Some(Cause::Outcome(outcome))
        }
        Turn::Seat(seat) => {
            let legal = R::legal_moves(state, seat);
            let mv = RandomPlayer { keen }.choose::<R>(state, &legal, shuffler);
            let mv = mv.unwrap_or_else(|| panic!("no move in {state:?}"));
            Some(Cause::Move {
                seat,
                mv: mv.clone(),
            })
        }
    }
}

fn step<R: Ruleset>(
    state: &mut R::State,
    cause: &Cause<R::Move, R::Outcome>,
) -> Vec<Effect<R::Event>> {
    let judged = match cause {
        Cause::Move { seat, mv } => R::decide(state, *seat, mv),
        Cause::Outcome(outcome) => R::resolve(state, outcome),
    };
    let effects = judged.unwrap_or_else(|violation| panic!("{cause:?}: {violation}: {state:?}"));
    for effect in &effects {
        R::evolve(state, &effect.event);
    }
    effects
}
