//! Records that somebody changed, by hand or on purpose.

use super::*;

/// The JSON Pointers of all values below a place that hold no others.
fn leaves(value: &Value, place: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            for (name, value) in members {
                leaves(value, &format!("{place}/{name}"), found);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for (index, value) in items.iter().enumerate() {
                leaves(value, &format!("{place}/{index}"), found);
            }
        }
        _ => found.push(place.to_owned()),
    }
}

/// Another value, of the same kind more often than not.
fn other(value: &Value, shuffler: &mut Shuffler) -> Value {
    const WORDS: [&str; 10] = [
        "",
        "joker",
        "1",
        "12",
        "king",
        "c4",
        "a1",
        "ball",
        "reveal",
        "game_over",
    ];
    const NUMBERS: [i64; 10] = [0, 1, 2, 3, 5, 6, 255, 256, -1, i64::MAX];
    let word = || json!(WORDS[Shuffler::seeded(1).below(10) as usize]);
    match (shuffler.below(8), value) {
        (0, _) => Value::Null,
        (1, _) => json!([]),
        (2, _) => json!({}),
        (3, _) => json!([word(), 1, {"a": 1}]),
        (_, Value::Number(_)) => json!(NUMBERS[shuffler.below(10) as usize]),
        (_, Value::String(_)) => json!(WORDS[shuffler.below(10) as usize]),
        _ => json!(NUMBERS[shuffler.below(10) as usize]),
    }
}

/// Changes one thing somewhere in a value.
fn mutate(value: &mut Value, shuffler: &mut Shuffler) {
    let mut places = Vec::new();
    leaves(value, "", &mut places);
    let place = places[shuffler.below(places.len() as u32) as usize].clone();
    let mut ups = shuffler.below(3);
    let mut place = place.as_str();
    while ups > 0 && place.matches('/').count() > 1 {
        place = &place[..place.rfind('/').expect("a slash")];
        ups -= 1;
    }
    let found = value.pointer_mut(place).expect("a place that was listed");
    match found {
        Value::Array(items) if !items.is_empty() => {
            let index = shuffler.below(items.len() as u32) as usize;
            match shuffler.below(4) {
                0 => drop(items.remove(index)),
                1 => items.insert(index, items[index].clone()),
                2 => items.clear(),
                _ => items.swap(0, index),
            }
        }
        Value::Object(members) if !members.is_empty() && shuffler.below(2) == 0 => {
            let names: Vec<String> = members.keys().cloned().collect();
            let name = &names[shuffler.below(names.len() as u32) as usize];
            members.remove(name);
        }
        found => *found = other(found, shuffler),
    }
}

/// Numbers events anew and ties them together as if they had been recorded so.
fn rechain(record: &mut Value) {
    let Some(events) = record["events"].as_array_mut() else {
        return;
    };
    let mut prev = Hash::ZERO;
    for (seq, event) in (1_u64..).zip(events) {
        let Some(fields) = event.as_object_mut() else {
            return;
        };
        fields.insert("seq".to_owned(), seq.into());
        fields.insert("prev".to_owned(), prev.to_string().into());
        fields.remove("hash");
        prev = Hash::of(canonical(event).as_bytes());
        event["hash"] = prev.to_string().into();
    }
}

fn deeds(record: &Value) -> Value {
    let deed = |entry: &Value| {
        let mut entry = entry.clone();
        if let Some(fields) = entry.as_object_mut() {
            for beside in ["at", "by", "occurred_at"] {
                fields.remove(beside);
            }
        }
        entry
    };
    let entries = record["entries"].as_array().expect("entries");
    entries.iter().map(deed).collect()
}

#[test]
fn entries_that_were_changed_do_not_go_with_the_events() {
    for sitting in sittings() {
        let record = sitting.exported(Viewer::Open);
        let entries = record["entries"].as_array().expect("entries");
        let mut shuffler = Shuffler::seeded(5);
        for place in (0..entries.len()).step_by(1 + entries.len() / 12) {
            let mut changed = vec![entries.clone(); 4];
            changed[0].remove(place);
            changed[1].insert(place, entries[place].clone());
            let last = entries.len() - 1;
            changed[2].swap(place, (place + 1).min(last));
            mutate(&mut changed[3][place], &mut shuffler);
            for seat in 0..6 {
                let mut moved = entries.clone();
                if !moved[place]["seat"].is_null() && moved[place]["seat"] != seat {
                    moved[place]["seat"] = seat.into();
                    changed.push(moved);
                }
            }
            for entries in changed {
                let damaged = with(&record, "entries", entries.into());
                if deeds(&damaged) == deeds(&record) {
                    continue;
                }
                // Judged by themselves they may still be legal, or else go wrong here at the earliest.
                let alone = judge(&parts(&damaged)[0], Manner::default());
                if let Ok(Verdict::Illegal { at_entry, .. }) = alone.map(|alone| alone.verdict) {
                    assert!(at_entry >= place as u64, "{sitting}: {damaged}");
                }
                if let Ok(judgement) = judge(&damaged, Manner::default()) {
                    assert!(!is_legal(&judgement), "{sitting}: {place}");
                }
            }
        }
    }
}

#[test]
fn events_that_were_changed_are_found() {
    for sitting in sittings() {
        let record = sitting.exported(Viewer::Open);
        let mut places = Vec::new();
        leaves(&record["events"], "/events", &mut places);
        let mut shuffler = Shuffler::seeded(6);
        for place in places.iter().step_by(1 + places.len() / 40) {
            let mut damaged = record.clone();
            let found = damaged.pointer_mut(place).expect("listed");
            let before = found.clone();
            *found = match &before {
                Value::String(text) if text.len() == 64 || text.len() == 32 => {
                    let (first, rest) = text.split_at(1);
                    json!(format!("{}{rest}", if first == "0" { "1" } else { "0" }))
                }
                Value::String(text) if place.ends_with("at") => json!(text.replace("1970", "1971")),
                before => other(before, &mut shuffler),
            };
            if *found == before {
                continue;
            }
            for part in parts(&damaged).into_iter().skip(1) {
                if let Ok(judgement) = judge(&part, Manner::default()) {
                    assert!(!is_legal(&judgement), "{sitting}: {place}");
                }
            }
        }
    }
}

#[test]
fn events_that_were_dropped_doubled_or_swapped_are_found() {
    for sitting in sittings() {
        let record = sitting.exported(Viewer::Open);
        let events = record["events"].as_array().expect("events");
        for place in (0..events.len()).step_by(1 + events.len() / 12) {
            let mut changed = vec![events.clone(); 3];
            changed[0].remove(place);
            changed[1].insert(place, events[place].clone());
            let last = events.len() - 1;
            changed[2].swap(place, (place + 1).min(last));
            for events in changed {
                let damaged = with(&record, "events", events.into());
                if damaged == record {
                    continue;
                }
                let tail_is_gone = damaged["events"].as_array().expect("events")[..]
                    == events_before(&record, place)[..];
                for part in parts(&damaged).into_iter().skip(1) {
                    // A chain cannot show that its tail is gone; entries that go on can.
                    if tail_is_gone && part["entries"].is_null() {
                        continue;
                    }
                    if let Ok(judgement) = judge(&part, Manner::default()) {
                        let claim_is_gone = tail_is_gone && events_claim(&record, place);
                        assert!(!is_legal(&judgement) || claim_is_gone, "{sitting}: {place}");
                    }
                }
            }
        }
    }
}

fn events_before(record: &Value, place: usize) -> Vec<Value> {
    record["events"].as_array().expect("events")[..place].to_vec()
}

fn events_claim(record: &Value, place: usize) -> bool {
    record["events"][place]["type"] == "seat_claimed"
}

#[test]
fn events_that_were_changed_and_tied_together_anew_are_judged_by_the_rules() {
    let mut legal = 0;
    for sitting in sittings() {
        let record = sitting.exported(Viewer::Open);
        let count = record["events"].as_array().expect("events").len();
        let mut shuffler = Shuffler::seeded(7);
        for _ in 0..40 {
            let mut damaged = parts(&record)[1].clone();
            let place = shuffler.below(count as u32) as usize;
            let part = ["data", "actor", "rule", "type"][shuffler.below(4) as usize];
            match &mut damaged["events"][place][part] {
                found @ (Value::Object(_) | Value::Array(_)) => mutate(found, &mut shuffler),
                found => *found = other(found, &mut shuffler),
            }
            rechain(&mut damaged);
            let Ok(judgement) = judge(&damaged, Manner::default()) else {
                continue;
            };
            if is_legal(&judgement) {
                legal += 1;
                let imported = sitting.imported(&damaged).expect("legal");
                let again = imported.exported(Viewer::Open);
                let (told, judged) = (stripped(&damaged["events"]), stripped(&again["events"]));
                assert_eq!(without_empty(told), without_empty(judged), "{sitting}");
            }
        }
    }
    assert!(legal > 0, "some changes make another legal record");
}

/// Events without members that say nothing.
fn without_empty(events: Value) -> Value {
    let mut events = events;
    for event in events.as_array_mut().expect("events") {
        let fields = event.as_object_mut().expect("an event");
        fields.retain(|_, value| !value.is_null());
    }
    events
}

#[test]
fn a_seat_is_claimed_by_its_own_token_once_and_between_requests() {
    let sitting = Sitting::play(GameKind::SchatzDerDrachen, Mode::Table, 1, 2, 6);
    let record = parts(&sitting.exported(Viewer::Open))[1].clone();
    let events = record["events"].as_array().expect("events");
    let place = (events
        .iter()
        .position(|event| event["type"] == "seat_claimed"))
    .expect("one");
    let claim = |seat: u8, by: u8| {
        let mut claim = events[place].clone();
        claim["actor"]["seat"] = seat.into();
        claim["data"]["seat"] = seat.into();
        claim["by"]["seat"] = by.into();
        claim
    };
    let told = |claim: Value, at: usize| {
        let mut events = events.clone();
        events.insert(at, claim);
        let mut record = with(&record, "events", events.into());
        rechain(&mut record);
        record
    };
    assert!(is_legal(&plainly(&told(claim(1, 1), place + 1))));
    for (seat, by, at) in [(0, 0, place + 1), (1, 0, place), (5, 1, place)] {
        assert!(
            !is_legal(&plainly(&told(claim(seat, by), at))),
            "{seat} by {by}"
        );
    }
    let consequence = (events.iter().position(|event| event["rule"].is_string())).expect("one");
    assert!(!is_legal(&plainly(&told(claim(1, 1), consequence))));
}

#[test]
fn no_record_makes_judging_fail() {
    for sitting in sittings() {
        let mut shuffler = Shuffler::seeded(8 + sitting.game.version());
        for round in 0..60 {
            let viewer = [Viewer::Open, Viewer::Spectator][shuffler.below(2) as usize];
            let record = sitting.exported(viewer);
            let mut damaged = parts(&record)[shuffler.below(3) as usize].clone();
            for _ in 0..=shuffler.below(3) {
                mutate(&mut damaged, &mut shuffler);
            }
            if round % 2 == 0 {
                rechain(&mut damaged);
            }
            let manner = Manner {
                entries: (shuffler.below(4) == 0).then(|| shuffler.below(20).into()),
                tolerant: shuffler.below(3) == 0,
                rules_version: (shuffler.below(4) == 0).then(|| shuffler.below(4) as u16),
            };
            let _ = judge(&damaged, manner);
            if let Ok(mut imported) = sitting.imported(&damaged) {
                for viewer in viewers(imported.seats) {
                    imported.exported(viewer);
                    imported.game.view(viewer);
                }
                assert!(imported.verification().valid, "{sitting}: {damaged}");
                if !imported.game.is_masked() {
                    imported.play_on(round, 3);
                }
                imported.abandon();
                assert!(imported.verification().valid, "{sitting}: {damaged}");
            }
        }
    }
}
