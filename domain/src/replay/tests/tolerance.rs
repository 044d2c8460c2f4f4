//! A person's log: refused entries are left out, and the count of entries is the log's.

use super::*;

fn tolerantly(record: &Value) -> Judgement {
    let manner = Manner {
        tolerant: true,
        ..Manner::default()
    };
    judge(record, manner).expect("a record that can be judged")
}

fn refused_everywhere() -> Value {
    // Nothing asks for this while a seat is to move, and seat 0 does not begin.
    json!({"seat": 0, "move": {"type": "stop"}})
}

fn log() -> (Sitting, Value) {
    let sitting = Sitting::play(GameKind::SchatzDerDrachen, Mode::Table, 1, 2, 9);
    let record = parts(&sitting.exported(Viewer::Open))[0].clone();
    (sitting, record)
}

#[test]
fn refused_entries_are_left_out_and_named() {
    let (sitting, record) = log();
    let mut entries = record["entries"].as_array().expect("entries").clone();
    // The same outcome twice: the second is one that nobody awaits.
    let place = (entries.iter().position(|entry| !entry["outcome"].is_null())).expect("one");
    entries.insert(place + 1, entries[place].clone());
    let doubled = with(&record, "entries", entries.clone().into());
    let judgement = tolerantly(&doubled);
    match &judgement.verdict {
        Verdict::Illegal { at_entry, rule, .. } => {
            assert_eq!((*at_entry, rule.id), (place as u64 + 1, "CM-4"));
        }
        verdict => panic!("{verdict:?}"),
    }
    let lines = judgement.lines.expect("a line for each entry");
    assert_eq!(lines.len(), entries.len());
    for (number, line) in (0..).zip(&lines) {
        match line {
            Line::Accepted { entry } => assert_eq!(*entry, number),
            Line::Refused { entry, rule, .. } => {
                assert_eq!((*entry, rule.id), (place as u64 + 1, "CM-4"));
            }
            Line::Skipped { .. } => panic!("nothing is skipped"),
        }
    }
    assert_eq!(judgement.view.get(), sitting.game.view(Viewer::Open).get());
    assert!(
        matches!(plainly(&doubled).verdict, Verdict::Illegal { at_entry, .. } if at_entry == place as u64 + 1)
    );
}

#[test]
fn an_outcome_of_what_was_refused_is_skipped() {
    let (sitting, record) = log();
    let mut entries = record["entries"].as_array().expect("entries").clone();
    let other = |entry: &Value| 1 - entry["seat"].as_u64().expect("a seat");
    let out_of_turn = with(&entries[0], "seat", other(&entries[0]).into());
    entries.splice(
        0..0,
        [
            out_of_turn,
            json!({"outcome": {"type": "tile", "tile": "ball"}}),
        ],
    );
    let judgement = tolerantly(&with(&record, "entries", entries.into()));
    let lines = judgement.lines.expect("lines");
    assert!(matches!(lines[0], Line::Refused { entry: 0, rule, .. } if rule.id == "CM-2"));
    assert!(matches!(lines[1], Line::Skipped { entry: 1 }));
    assert!(matches!(lines[2], Line::Accepted { entry: 2 }));
    assert_eq!(judgement.view.get(), sitting.game.view(Viewer::Open).get());
}

#[test]
fn a_log_that_is_wound_back_counts_its_refused_entries() {
    let (sitting, record) = log();
    let entries = record["entries"].as_array().expect("entries").clone();
    let refused = with(
        &entries[0],
        "seat",
        (1 - entries[0]["seat"].as_u64().expect("a seat")).into(),
    );
    // Three entries of which one is refused, back to the first two, and on as before.
    let mut told = vec![
        refused,
        entries[0].clone(),
        entries[1].clone(),
        entries[2].clone(),
    ];
    told.push(json!({"rewind": {"to_entry": 2}}));
    told.extend(entries[1..].iter().cloned());
    let judgement = tolerantly(&with(&record, "entries", told.into()));
    let lines = judgement.lines.expect("lines");
    let refusals = lines
        .iter()
        .filter(|line| !matches!(line, Line::Accepted { .. }));
    assert_eq!(refusals.count(), 1, "{lines:?}");
    assert_eq!(judgement.view.get(), sitting.game.view(Viewer::Open).get());
}

#[test]
fn more_entries_than_are_told_a_line_each_are_refused() {
    let (_, record) = log();
    let many = with(
        &record,
        "entries",
        vec![refused_everywhere(); MOST_LINES + 1].into(),
    );
    let manner = Manner {
        tolerant: true,
        ..Manner::default()
    };
    assert!(judge(&many, manner).is_err());
    let manner = Manner {
        entries: Some(10),
        ..manner
    };
    assert_eq!(
        judge(&many, manner)
            .expect("ten")
            .lines
            .expect("lines")
            .len(),
        10
    );
}

#[test]
fn the_first_entries_alone_are_judged_when_asked() {
    for sitting in sittings() {
        let record = sitting.exported(Viewer::Open);
        let count = record["entries"].as_array().expect("entries").len() as u64;
        for limit in (0..=count).step_by(5).chain([count + 3]) {
            let manner = Manner {
                entries: Some(limit),
                ..Manner::default()
            };
            let shortened = record["entries"].as_array().expect("entries");
            let shortened = &shortened[..shortened.len().min(limit as usize)];
            let shortened = with(&parts(&record)[0], "entries", shortened.into());
            let expected = plainly(&shortened);
            for part in parts(&record) {
                let judgement = judge(&part, manner).expect("readable");
                let Verdict::Legal { entries, .. } = judgement.verdict else {
                    panic!("{sitting}: {judgement:?}")
                };
                assert_eq!(entries, limit.min(count), "{sitting}");
                assert_eq!(judgement.view.get(), expected.view.get(), "{sitting}");
            }
        }
    }
}

#[test]
fn the_rules_seen_are_those_that_events_cite() {
    for sitting in sittings() {
        let record = sitting.exported(Viewer::Open);
        let mut cited = BTreeMap::new();
        for event in record["events"].as_array().expect("events") {
            if let Some(rule) = event["rule"].as_str() {
                *cited.entry(rule).or_insert(0) += 1;
            }
        }
        for part in parts(&record) {
            assert_eq!(plainly(&part).rules_seen, cited, "{sitting}");
        }
    }
}
