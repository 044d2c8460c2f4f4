//! Damaged entries, judged again without any of the machinery that judges records: straight from the
//! functions of the rules, one entry at a time.

use proptest::prelude::*;
use proptest::sample::Index;
use serde::de::DeserializeOwned;

use super::*;
use crate::ruleset::{Ruleset, Setup, Turn};
use crate::rulesets::{sagoleken, schatz_der_drachen, skip_bo, sleeping_queens, wrozka};
use crate::ruling::{Common, Violation};

/// A random game of any kind and mode, somewhere in its course.
pub(super) fn any_sitting() -> impl Strategy<Value = Sitting> {
    (any::<Index>(), any::<bool>(), 0_u64..1_000, 0_u64..60).prop_map(
        |(kind, table, seed, moves)| {
            let kind = *kind.get(GameKind::ALL);
            let mode = if table { Mode::Table } else { Mode::Virtual };
            Sitting::play(kind, mode, kind.rules_versions()[0], seed, moves)
        },
    )
}

/// What came of entries.
#[derive(Debug, PartialEq)]
enum Found {
    /// All of so many are legal.
    Legal(u64),
    /// The entry that a rule forbids, and the rule.
    Illegal(u64, &'static str),
    /// An entry is none.
    Unreadable,
}

/// Entries that are played by the rules alone.
struct Table<R: Ruleset> {
    setup: Setup<R::Options>,
    state: R::State,
    abandoned: bool,
    /// The moves and outcomes in force.
    told: Vec<Value>,
}

fn read<T: DeserializeOwned>(value: &Value) -> Option<T> {
    serde_json::from_value(value.clone()).ok()
}

impl<R: Ruleset> Table<R> {
    fn new(record: &Value) -> Self {
        let setup = Setup {
            seats: record["seats"].as_array().expect("seats").len() as u8,
            options: read(&record["options"]).expect("options"),
            rules_version: read(&record["rules_version"]).expect("a version"),
            mode: read(&record["mode"]).expect("a mode"),
        };
        let mut table = Self {
            state: R::initial_state(&setup).expect("a game that was played"),
            setup,
            abandoned: false,
            told: Vec::new(),
        };
        table.settle();
        table
    }

    /// What nobody is asked for happens by itself.
    fn settle(&mut self) {
        while let Turn::Chance(_) = R::turn(&self.state) {
            let unseen = match self.setup.mode {
                Mode::Table => R::face_down(&self.state),
                Mode::Virtual => None,
            };
            let Some(outcome) = R::on_record(&self.state).or(unseen) else {
                return;
            };
            for effect in R::resolve(&self.state, &outcome).expect("it is settled") {
                R::evolve(&mut self.state, &effect.event);
            }
        }
    }

    fn play(&mut self, entry: &Value) -> Option<Result<(), &'static str>> {
        let forbidden = |rule| Some(Err(Violation::of(rule, "").rule.id));
        let is_over = self.abandoned || matches!(R::turn(&self.state), Turn::Over(_));
        let judged = if entry["outcome"].is_object() {
            let outcome: R::Outcome = read(&entry["outcome"])?;
            if self.setup.mode == Mode::Virtual && R::conceals(&outcome) {
                return forbidden(Common::Chance);
            }
            match R::turn(&self.state) {
                _ if is_over => return forbidden(Common::Over),
                Turn::Chance(due) if R::answers(&due, &outcome) => {
                    R::resolve(&self.state, &outcome)
                }
                _ => return forbidden(Common::Chance),
            }
        } else {
            let (seat, mv): (Seat, R::Move) = (read(&entry["seat"])?, read(&entry["move"])?);
            match R::turn(&self.state) {
                _ if is_over => return forbidden(Common::Over),
                Turn::Seat(on_turn) if on_turn == seat => R::decide(&self.state, seat, &mv),
                Turn::Seat(_) => return forbidden(Common::Turn),
                _ => return forbidden(Common::Chance),
            }
        };
        match judged {
            Err(violation) => return Some(Err(violation.rule.id)),
            Ok(effects) => {
                for effect in effects {
                    R::evolve(&mut self.state, &effect.event);
                }
            }
        }
        self.settle();
        self.told.push(entry.clone());
        Some(Ok(()))
    }

    /// Plays everything again from the beginning, as far as it stays in force.
    fn rewind(&mut self, record: &Value, to: u64) -> Option<Result<(), &'static str>> {
        let kept = self.told.get(..usize::try_from(to).ok()?)?.to_vec();
        if self.setup.mode == Mode::Virtual
            && (self.abandoned || matches!(R::turn(&self.state), Turn::Over(_)))
        {
            return Some(Err(Violation::of(Common::Over, "").rule.id));
        }
        *self = Self::new(record);
        for entry in &kept {
            self.play(entry)?.expect("it was in force");
        }
        Some(Ok(()))
    }
}

/// The record's verdict and the table as its entries leave it.
fn fold<R: Ruleset>(record: &Value) -> (Found, Value) {
    let mut table = Table::<R>::new(record);
    let entries = record["entries"].as_array().expect("entries");
    let mut found = Found::Legal(entries.len() as u64);
    for (place, entry) in (0..).zip(entries) {
        let taken = match &entry["rewind"]["to_entry"] {
            Value::Null => table.play(entry),
            to => table.rewind(record, to.as_u64().expect("a number")),
        };
        match taken {
            Some(Ok(())) => continue,
            Some(Err(rule)) => found = Found::Illegal(place, rule),
            None => found = Found::Unreadable,
        }
        break;
    }
    let view = serde_json::to_value(R::view(&table.state, Viewer::Open)).expect("JSON");
    (found, view)
}

fn fold_any(kind: GameKind, record: &Value) -> (Found, Value) {
    match kind {
        GameKind::Sagoleken => fold::<sagoleken::Sagoleken>(record),
        GameKind::Wrozka => fold::<wrozka::Wrozka>(record),
        GameKind::SkipBo => fold::<skip_bo::SkipBo>(record),
        GameKind::SleepingQueens => fold::<sleeping_queens::SleepingQueens>(record),
        GameKind::SchatzDerDrachen => fold::<schatz_der_drachen::SchatzDerDrachen>(record),
    }
}

/// Something that happens to a record at one place.
#[derive(Clone, Copy, Debug)]
enum Damage {
    Swapped,
    Dropped,
    Doubled,
    GivenToAnotherSeat,
    /// It says what another entry says.
    Replaced,
    /// It says of a card, a place or a number what another says of it.
    CardChanged,
    WoundBack,
}

impl Damage {
    fn any() -> impl Strategy<Value = Self> {
        prop_oneof![
            Just(Self::Swapped),
            Just(Self::Dropped),
            Just(Self::Doubled),
            Just(Self::GivenToAnotherSeat),
            Just(Self::Replaced),
            Just(Self::CardChanged),
            Just(Self::WoundBack),
        ]
    }

    fn put_into(self, entries: &mut Vec<Value>, place: usize, other: usize, seats: u8) {
        match self {
            Self::Swapped => {
                let next = (place + 1) % entries.len();
                entries.swap(place, next);
            }
            Self::Dropped => drop(entries.remove(place)),
            Self::Doubled => entries.insert(place, entries[place].clone()),
            Self::GivenToAnotherSeat => {
                if let Some(seat) = entries[place]["seat"].as_u64() {
                    entries[place]["seat"] = ((seat + 1) % u64::from(seats)).into();
                }
            }
            Self::Replaced => entries[place] = entries[other].clone(),
            Self::CardChanged => {
                let donor = entries[other].clone();
                change_like(&mut entries[place], &donor);
            }
            Self::WoundBack => {
                let to = other.min(place);
                entries.insert(place, json!({"rewind": {"to_entry": to}}));
            }
        }
    }
}

/// Takes over from `donor` the first thing beside `type` and `seat` that it says otherwise.
fn change_like(value: &mut Value, donor: &Value) -> bool {
    match (value, donor) {
        (Value::Object(members), Value::Object(others)) => members.iter_mut().any(|(name, own)| {
            let same_kind = !matches!(name.as_str(), "type" | "seat");
            same_kind
                && others
                    .get(name)
                    .is_some_and(|other| change_like(own, other))
        }),
        (Value::Array(items), Value::Array(others)) => items
            .iter_mut()
            .zip(others)
            .any(|(own, other)| change_like(own, other)),
        (own, other) if own != other => {
            *own = other.clone();
            true
        }
        _ => false,
    }
}

/// The entries of a record without who and when.
fn bare(record: &Value) -> Vec<Value> {
    let entries = record["entries"].as_array().expect("entries");
    let bare = |entry: &Value| {
        let mut entry = entry.clone();
        let fields = entry.as_object_mut().expect("an entry");
        fields.retain(|name, _| !matches!(name.as_str(), "at" | "by" | "occurred_at"));
        entry
    };
    entries.iter().map(bare).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn damaged_entries_are_judged_as_the_rules_alone_judge_them(
        sitting in any_sitting(),
        damages in prop::collection::vec((Damage::any(), any::<Index>(), any::<Index>()), 0..3),
    ) {
        let whole = parts(&sitting.exported(Viewer::Open))[0].clone();
        let mut entries = bare(&whole);
        for (damage, place, other) in &damages {
            if !entries.is_empty() {
                let (place, other) = (place.index(entries.len()), other.index(entries.len()));
                damage.put_into(&mut entries, place, other, sitting.seats);
            }
        }
        let record = with(&whole, "entries", entries.into());
        let (expected, view) = fold_any(sitting.kind, &record);
        let found = match judge(&record, Manner::default()) {
            Err(_) => Found::Unreadable,
            Ok(judgement) => {
                let told: Value = serde_json::from_str(judgement.view.get()).expect("JSON");
                prop_assert_eq!(told, view, "{}", &sitting);
                match judgement.verdict {
                    Verdict::Legal { entries, .. } => Found::Legal(entries),
                    Verdict::Illegal { at_entry, rule, .. } => Found::Illegal(at_entry, rule.id),
                    Verdict::Diverged { .. } => panic!("there are no events"),
                }
            }
        };
        prop_assert_eq!(found, expected, "{}: {:?}", &sitting, damages);
    }
}
