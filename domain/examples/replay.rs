//! Measures how fast a record is judged: its entries alone, and its events with their hashes.
//!
//! A random table game of Skip-Bo is played until its record has as many events as asked, 10,000
//! when nothing is said, and judged as a portable record whose text is in memory. The best of
//! several rounds counts, since the machine's other work can only slow a round down.
//!
//! `cargo run --release -p domain --example replay -- 10000`

use std::error::Error;
use std::time::{Duration, Instant};

use chrono::DateTime;
use domain::dealer::{Dealer, Mode, Shuffler};
use domain::game::Context;
use domain::game::desk::Blueprint;
use domain::playout::RandomPlayer;
use domain::record::Hash;
use domain::replay::{FORMAT, Manner, Record, Verdict};
use domain::rulesets::GameKind;
use domain::seat::Viewer;
use serde_json::value::RawValue;
use serde_json::{Value, json};

const KIND: GameKind = GameKind::SkipBo;
const SEATS: u8 = 6;
const ROUNDS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let events = match std::env::args().nth(1) {
        Some(count) => count.parse()?,
        None => 10_000,
    };
    let record = played(events)?;
    let count = |part: &str| record[part].as_array().map_or(0, Vec::len);
    let (entries, events) = (count("entries"), count("events"));
    println!("{}: {entries} entries, {events} events", KIND.name());
    let all = ["entries", "events"];
    for (name, without) in [
        ("entries alone", Some("events")),
        ("events and their hashes", Some("entries")),
        ("entries against events", None),
    ] {
        let mut record = record.clone();
        let fields = record.as_object_mut().ok_or("a record is an object")?;
        fields.retain(|field, _| !all.contains(&field.as_str()) || Some(field.as_str()) != without);
        let text = record.to_string();
        let best = best_of(&text)?;
        println!(
            "{name}: {:.1} ms for {:.1} MiB, {:.0} entries a second",
            best.as_secs_f64() * 1_000.0,
            text.len() as f64 / f64::from(1 << 20),
            entries as f64 / best.as_secs_f64(),
        );
    }
    Ok(())
}

/// The record of a random game of at least so many events.
fn played(events: usize) -> Result<Value, Box<dyn Error>> {
    let options = RawValue::from_string(json!({"target_score": 10_000}).to_string())?;
    let blueprint = Blueprint {
        id: "measured".to_owned(),
        seats: SEATS,
        options: Some(&options),
        position: None,
        rules_version: None,
        names: Hash::ZERO,
    };
    let context = || Context::new(DateTime::UNIX_EPOCH, None, [7; 32]);
    let begun = KIND.create(blueprint, Dealer::Table, &mut context(), Viewer::Spectator)?;
    let (mut game, mut stored) = (begun.game, begun.stored);
    let mut shuffler = Shuffler::seeded(1);
    while stored.len() < events {
        let command = if let Some(outcome) = game.random_outcome(&mut shuffler) {
            game.read_declaration(&[outcome])?
        } else {
            let player = RandomPlayer { keen: 0.5 };
            let (seat, mv) = game
                .random_move(player, &mut shuffler)
                .ok_or("the game is over")?;
            game.read_move(seat, &mv, &[])?
        };
        let decision = game.decide(&command, &[], &mut context(), Viewer::Spectator)?;
        stored.extend(decision.stored);
        game = decision.game;
    }
    let texts: Vec<String> = stored.into_iter().map(|event| event.text).collect();
    let served: Vec<Box<RawValue>> = texts
        .iter()
        .map(|text| Ok(RawValue::from_string(KIND.serve(text, Viewer::Open)?)?))
        .collect::<Result<_, Box<dyn Error>>>()?;
    let brief = game.brief();
    Ok(json!({
        "format": FORMAT,
        "game": KIND,
        "rules_version": brief.rules_version,
        "mode": Mode::Table,
        "seats": vec![json!({"name": "Anna"}); usize::from(SEATS)],
        "options": brief.options,
        "entries": KIND.entries(&texts, Viewer::Open)?.entries,
        "events": served,
    }))
}

/// The time that the quickest of several verdicts takes, reading included.
fn best_of(text: &str) -> Result<Duration, Box<dyn Error>> {
    let mut best = Duration::MAX;
    for _ in 0..ROUNDS {
        let begun = Instant::now();
        let record = Record::from_json(text.as_bytes())?;
        let judgement = record.game.judge(&record, Manner::default())?;
        best = best.min(begun.elapsed());
        if !matches!(judgement.verdict, Verdict::Legal { .. }) {
            return Err(format!("not legal: {:?}", judgement.verdict).into());
        }
    }
    Ok(best)
}
