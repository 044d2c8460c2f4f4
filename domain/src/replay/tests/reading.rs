//! How records are written.

use super::*;

fn ndjson(record: &Value, end: &str) -> String {
    let mut header = record.clone();
    let header = header.as_object_mut().expect("an object");
    header.remove("events");
    let entries = header.remove("entries").expect("entries");
    let mut text = Value::Object(header.clone()).to_string() + end;
    for entry in entries.as_array().expect("a list") {
        text += &entry.to_string();
        text += end;
    }
    text
}

fn judge_lines(text: &[u8]) -> Result<Judgement, Unjudgeable> {
    let record = Record::from_lines(text)?;
    record.game.judge(&record, Manner::default())
}

#[track_caller]
fn place_of(result: Result<Judgement, Unjudgeable>) -> String {
    match result.expect_err("unreadable") {
        Unjudgeable::Malformed { at, .. } => at.to_string(),
        Unjudgeable::Setup(violation) => violation.rule.id.to_owned(),
    }
}

fn table(moves: u64) -> Sitting {
    Sitting::play(GameKind::SchatzDerDrachen, Mode::Table, 1, 2, moves)
}

#[test]
fn lines_are_judged_like_one_object() {
    for moves in [0, 6] {
        let record = table(moves).exported(Viewer::Open);
        let entries_only = &parts(&record)[0];
        let expected = serde_json::to_value(plainly(entries_only)).expect("JSON");
        for end in ["\n", "\r\n", "\n\n", " \r\n\r\n"] {
            let judgement = judge_lines(ndjson(&record, end).as_bytes()).expect("readable");
            assert_eq!(serde_json::to_value(judgement).expect("JSON"), expected);
        }
        let no_end = ndjson(&record, "\n");
        let judgement = judge_lines(no_end.trim_end().as_bytes()).expect("readable");
        assert_eq!(serde_json::to_value(judgement).expect("JSON"), expected);
    }
}

#[test]
fn events_may_stand_in_lines_too() {
    let record = table(6).exported(Viewer::Open);
    let mut text = ndjson(&record, "\n");
    for event in record["events"].as_array().expect("events") {
        text += &format!("{event}\n");
    }
    assert!(is_legal(&judge_lines(text.as_bytes()).expect("readable")));
    let damaged = text.replace("\"prev\":\"", "\"prev\":\"0");
    assert!(judge_lines(damaged.as_bytes()).is_err());
}

#[test]
fn a_line_that_cannot_be_read_is_named() {
    let whole = ndjson(&table(6).exported(Viewer::Open), "\n");
    let lines = whole.lines().count();
    let half = &whole[..whole.len() - 9];
    assert_eq!(
        place_of(judge_lines(half.as_bytes())),
        format!("line {lines}")
    );
    assert_eq!(place_of(judge_lines(b"")), "line 1");
    assert_eq!(place_of(judge_lines(b"\n \r\n")), "line 1");
    let marked = format!("\u{feff}{whole}");
    assert_eq!(place_of(judge_lines(marked.as_bytes())), "line 1");
    assert_eq!(
        place_of(judge(&json!("\u{feff}"), Manner::default())),
        "the record"
    );
    let mut not_text = whole.clone().into_bytes();
    not_text.extend(b"{\"seat\":0,\"move\":\"\xff\"}\n");
    assert_eq!(
        place_of(judge_lines(&not_text)),
        format!("line {}", lines + 1)
    );
}

#[test]
fn long_and_deep_lines_are_refused_or_read_and_never_worse() {
    let header = ndjson(&table(0).exported(Viewer::Open), "\n");
    let long = format!(
        "{header}{{\"seat\":0,\"move\":{{\"type\":\"{}\"}}}}\n",
        "x".repeat(1 << 20)
    );
    assert_eq!(place_of(judge_lines(long.as_bytes())), "/entries/0/move");
    let padded = format!("{header}{{\"abandon\":{{}}{}}}\n", " ".repeat(1 << 20));
    assert!(is_legal(&judge_lines(padded.as_bytes()).expect("readable")));
    for depth in [100, 200, 1_000_000] {
        let (open, close) = ("[".repeat(depth), "]".repeat(depth));
        for line in [
            format!("{open}{close}"),
            format!("{{\"seat\":0,\"move\":{open}{close}}}"),
            format!("{{\"rewind\":{open}{close}}}"),
            format!("{{\"seq\":{open}{close}}}"),
        ] {
            assert!(judge_lines(format!("{header}{line}\n").as_bytes()).is_err());
        }
        let options = header.replacen('{', &format!("{{\"options\":{open}{close},"), 1);
        assert!(judge_lines(options.as_bytes()).is_err());
    }
}

#[test]
fn a_header_tells_all_that_judging_needs() {
    let record = parts(&table(2).exported(Viewer::Open))[0].clone();
    let place = |field: &str, value: Value| {
        place_of(judge(&with(&record, field, value), Manner::default()))
    };
    assert_eq!(place("format", json!("referee-record/2")), "/format");
    assert_eq!(place("rules_version", json!(9)), "/rules_version");
    assert_eq!(place("options", json!({"dragons": 2})), "/options");
    assert_eq!(place("seats", json!([])), "CM-1");
    assert_eq!(
        place("seats", json!(vec![json!({"name": "A"}); 300])),
        "CM-1"
    );
    assert_eq!(place("options", json!({"first_seat": 7})), "CM-1");
    assert_eq!(place("entries", Value::Null), "the record");
    assert_eq!(place("more", json!(1)), "the record");
    let manner = Manner {
        rules_version: Some(9),
        ..Manner::default()
    };
    assert_eq!(place_of(judge(&record, manner)), "/rules_version");
}

#[test]
fn an_entry_is_one_thing() {
    let record = parts(&table(2).exported(Viewer::Open))[0].clone();
    for entry in [
        json!({}),
        json!([]),
        json!(null),
        json!({"seat": 0}),
        json!({"move": {"type": "stop"}}),
        json!({"seat": 6, "move": {"type": "stop"}}),
        json!({"seat": 0, "move": {"type": "stop"}, "abandon": {}}),
        json!({"seat": 0, "move": {"type": "stop"}, "by": {"role": "seat", "seat": 4}}),
        json!({"seat": 0, "move": {"type": "stop"}, "by": {"role": "seat", "seat": 9}}),
        json!({"seat": 0, "move": {"type": "stop", "why": "tired"}}),
        json!({"abandon": {"why": "tired"}}),
        json!({"abandon": []}),
        json!({"rewind": {"to_entry": -1}}),
        json!({"rewind": [0]}),
        json!({"abandon": {}, "by": ["host"]}),
        json!({"rewind": {"to_entry": 1}, "seat": 0}),
        json!({"rewind": {"to_entry": u64::MAX}}),
        json!({"outcome": {"type": "tile", "tile": "unicorn"}}),
        json!({"abandon": {}, "at": "yesterday"}),
    ] {
        let result = judge(&with(&record, "entries", json!([entry])), Manner::default());
        assert!(place_of(result).starts_with("/entries/0"), "{entry}");
    }
}

#[test]
fn an_empty_list_of_events_creates_no_game() {
    let record = table(0).exported(Viewer::Open);
    for part in parts(&with(&record, "events", json!([]))).iter().skip(1) {
        assert_eq!(place_of(judge(part, Manner::default())), "/events");
    }
}

#[test]
fn a_part_is_not_taken_for_what_it_is_not() {
    let record = parts(&table(2).exported(Viewer::Open))[0].clone();
    for (field, value) in [
        ("mode", json!({"table": null})),
        ("game", json!({"schatz_der_drachen": null})),
        ("seats", json!([["Anna"], ["Bo"]])),
    ] {
        let place = place_of(judge(&with(&record, field, value), Manner::default()));
        assert!(place.starts_with(&format!("/{field}")), "{place}");
    }
    let members: Vec<&Value> = record.as_object().expect("an object").values().collect();
    assert_eq!(
        place_of(judge(&json!(members), Manner::default())),
        "the record"
    );
}
