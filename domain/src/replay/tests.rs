//! Records of every game, carried away and brought back: whole, in parts, masked, damaged.

mod damage;
mod forks;
mod reading;
mod sitting;
mod tolerance;
mod versions;

use serde_json::{Value, json};

use super::*;
use crate::dealer::Shuffler;
use crate::game::Check;
use sitting::{Sitting, judge, plainly, sittings, stripped, with};

/// Everybody who may look at a game.
fn viewers(seats: u8) -> impl Iterator<Item = Viewer> {
    Seat::all(seats)
        .map(Viewer::Seat)
        .chain([Viewer::Spectator, Viewer::Open])
}

fn is_legal(judgement: &Judgement) -> bool {
    matches!(judgement.verdict, Verdict::Legal { .. })
}

/// A record's parts: entries alone, events alone, both.
fn parts(record: &Value) -> [Value; 3] {
    let without = |part: &str| {
        let mut record = record.clone();
        record.as_object_mut().expect("an object").remove(part);
        record
    };
    [without("events"), without("entries"), record.clone()]
}

#[test]
fn what_is_exported_is_legal_for_whomever_and_in_every_part() {
    for sitting in sittings() {
        for viewer in viewers(sitting.seats) {
            let record = sitting.exported(viewer);
            for part in parts(&record) {
                let judgement = plainly(&part);
                let told = format!("{sitting} for {viewer:?}: {judgement:?}");
                assert!(is_legal(&judgement), "{told}");
                assert_eq!(judgement.masked, record["masked"] == true, "{told}");
                let claims = if part["events"].is_null() {
                    sitting.claims()
                } else {
                    0
                };
                assert_eq!(judgement.version + claims, sitting.game.version(), "{told}");
                if viewer == Viewer::Open {
                    let view = sitting.game.view(Viewer::Open);
                    assert_eq!(judgement.view.get(), view.get(), "{told}");
                }
            }
        }
    }
}

#[test]
fn only_what_hides_something_is_masked() {
    for sitting in sittings() {
        let told_in_full = sitting.exported(Viewer::Open);
        assert!(told_in_full["masked"].is_null(), "{sitting}");
        let for_all = sitting.exported(Viewer::Spectator);
        let runs = sitting.game.brief().status == crate::game::Status::InProgress;
        let hides = (told_in_full["events"].as_array().expect("events").iter())
            .any(|event| runs && event["salt"].is_string());
        assert_eq!(for_all["masked"] == true, hides, "{sitting}");
        if sitting.mode == Mode::Table {
            assert!(!hides, "{sitting}");
        }
    }
}

#[test]
fn what_is_imported_is_exported_again_as_it_was() {
    for sitting in sittings() {
        for viewer in [Viewer::Open, Viewer::Spectator] {
            let record = sitting.exported(viewer);
            for part in parts(&record) {
                let mut imported = sitting.imported(&part).expect("a legal record");
                let again = imported.exported(Viewer::Open);
                let told = format!("{sitting} for {viewer:?}");
                for field in [
                    "game",
                    "mode",
                    "rules_version",
                    "seats",
                    "options",
                    "masked",
                ] {
                    assert_eq!(again[field], record[field], "{told}: {field}");
                }
                assert_eq!(
                    stripped(&again["entries"]),
                    stripped(&record["entries"]),
                    "{told}"
                );
                if !part["events"].is_null() {
                    assert_eq!(
                        stripped(&again["events"]),
                        stripped(&record["events"]),
                        "{told}"
                    );
                    let last = record["events"].as_array().and_then(|events| events.last());
                    let origin = &again["events"][0]["data"]["origin"];
                    assert_eq!(
                        origin["imported_from"],
                        last.expect("one")["hash"],
                        "{told}"
                    );
                }
                imported.abandon();
                let verification = imported.verification();
                assert!(verification.valid, "{told}: {verification:?}");
                let fairness = match (sitting.mode, record["entries"].as_array()) {
                    (Mode::Table, _) => Check::NotApplicable,
                    (Mode::Virtual, Some(entries)) if entries.is_empty() => Check::Ok,
                    (Mode::Virtual, _) => Check::Imported,
                };
                assert_eq!(verification.checks.fairness, fairness, "{told}");
            }
        }
    }
}

#[test]
fn what_happened_when_is_kept_though_nobody_said_by_whom() {
    let sitting = Sitting::play(GameKind::ALL[0], Mode::Table, 1, 3, 4);
    let mut record = parts(&sitting.exported(Viewer::Open))[0].clone();
    let entries = record["entries"].as_array_mut().expect("entries");
    for entry in entries.iter_mut() {
        let entry = entry.as_object_mut().expect("an entry");
        entry.remove("by");
        entry.insert("occurred_at".to_owned(), json!("2026-01-02T03:04:05Z"));
    }
    let again = sitting
        .imported(&record)
        .expect("legal")
        .exported(Viewer::Open);
    for entry in again["entries"].as_array().expect("entries") {
        assert_eq!(entry["occurred_at"], "2026-01-02T03:04:05Z");
    }
}

#[test]
fn winding_back_and_playing_on_is_judged_like_the_rest() {
    for kind in GameKind::ALL {
        let sitting = Sitting::play(*kind, Mode::Table, kind.rules_versions()[0], 7, 90);
        let plain = parts(&sitting.exported(Viewer::Open))[0].clone();
        let entries = plain["entries"].as_array().expect("entries").clone();
        let mut shuffler = Shuffler::seeded(3);
        let mut told = Vec::new();
        // Played, wound back to somewhere, and played on in the same way from there.
        for (place, entry) in entries.iter().enumerate() {
            told.push(entry.clone());
            if shuffler.below(8) == 0 {
                let to = shuffler.below(place as u32 + 2) as usize;
                told.push(json!({"rewind": {"to_entry": to}}));
                told.extend(entries[to..=place].iter().cloned());
            }
        }
        let record = with(&plain, "entries", Value::from(told));
        let judgement = plainly(&record);
        assert!(is_legal(&judgement), "{sitting}: {judgement:?}");
        assert_eq!(judgement.view.get(), sitting.game.view(Viewer::Open).get());
        let imported = sitting.imported(&record).expect("legal");
        assert_eq!(judgement.view.get(), imported.game.view(Viewer::Open).get());
        assert!(imported.verification().valid, "{sitting}");
        let again = imported.exported(Viewer::Open);
        assert_eq!(stripped(&again["entries"]), stripped(&record["entries"]));
        for part in parts(&again) {
            assert!(is_legal(&plainly(&part)), "{sitting}");
        }
    }
}
