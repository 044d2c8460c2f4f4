//! Golden records: games played to the end by this version or one before it, kept as they were
//! recorded. They are read, judged and dealt again, byte for byte, for as long as the rules version
//! that they name is judged by.

use std::fs;
use std::path::PathBuf;

use domain::dealer::{Dealer, Mode, Secret, Shuffler};
use domain::record::Hash;
use domain::rulesets::GameKind;
use domain::seat::Viewer;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::helpers::{Step, TestApp, created, dealer, served_text, short_way, value};

/// A game that is kept, once in each mode: its kind, number of seats and options.
const KEPT: &[(GameKind, u8, &str)] = &[(GameKind::SchatzDerDrachen, 3, r#"{"first_seat":1}"#)];

const MODES: [Mode; 2] = [Mode::Virtual, Mode::Table];

/// A kept game, as it is written in its file.
#[derive(Deserialize)]
pub(crate) struct Golden {
    game: GameKind,
    mode: Mode,
    pub(crate) seats: u8,
    pub(crate) options: Value,
    /// The dealer's secret in hex; none at a table.
    secret: Option<String>,
    /// The entries of the record.
    entries: Vec<Value>,
    /// The hash of the last event.
    head: String,
    /// The events, in the very texts that were hashed.
    events: Vec<Box<RawValue>>,
}

impl Golden {
    fn file(kind: GameKind, mode: Mode) -> PathBuf {
        let mode = json!(mode);
        let name = format!("{}_{}.json", kind.name(), mode.as_str().unwrap());
        PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join("golden")
            .join(name)
    }

    /// The kept game of this kind and mode, if there is one.
    pub(crate) fn find(kind: GameKind, mode: Mode) -> Option<Self> {
        let text = fs::read_to_string(Self::file(kind, mode)).ok()?;
        Some(serde_json::from_str(&text).unwrap())
    }

    fn all() -> impl Iterator<Item = Self> {
        KEPT.iter().flat_map(|(kind, _, _)| {
            MODES.into_iter().map(move |mode| {
                Self::find(*kind, mode).unwrap_or_else(|| {
                    panic!("no golden record of {kind:?}: run these tests with UPDATE_GOLDEN=1")
                })
            })
        })
    }

    pub(crate) fn dealer(&self) -> Dealer {
        match &self.secret {
            None => Dealer::Table,
            Some(secret) => {
                let bytes = hex::decode(secret).unwrap();
                Dealer::Virtual(Secret(bytes.try_into().unwrap()))
            }
        }
    }

    fn texts(&self) -> Vec<String> {
        self.events
            .iter()
            .map(|event| event.get().to_owned())
            .collect()
    }

    /// An event as it is served when the game is over.
    fn served(&self, text: &str) -> Value {
        let served = self.game.serve(text, Viewer::Open).unwrap();
        serde_json::from_str(&served).unwrap()
    }

    fn head(&self) -> Hash {
        Hash::from_hex(&self.head).unwrap()
    }

    /// How the game ended, as its last event tells.
    fn ending(&self) -> Value {
        let last = value(self.events.last().unwrap());
        assert_eq!(last["type"], "game_over");
        last["data"].clone()
    }

    /// What was sent, request by request.
    pub(crate) fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        for entry in &self.entries {
            let outcome = entry.get("outcome").cloned();
            match (outcome, steps.last_mut()) {
                (None, _) => steps.push(Step::Move {
                    seat: entry["seat"].as_u64().unwrap() as u8,
                    mv: entry["move"].clone(),
                    outcomes: Vec::new(),
                }),
                // The dealer's own.
                (Some(_), _) if self.mode == Mode::Virtual => {}
                (Some(outcome), Some(Step::Move { outcomes, .. } | Step::Declare { outcomes })) => {
                    outcomes.push(outcome);
                }
                (Some(outcome), None) => steps.push(Step::Declare {
                    outcomes: vec![outcome],
                }),
            }
        }
        steps
    }
}

/// The file of a game that is played anew.
fn write(kind: GameKind, seats: u8, options: &Value, mode: Mode) {
    const SECRET: u8 = 77;
    let dealer = dealer(mode, SECRET);
    let begun = created(kind, seats, options, dealer.clone());
    let mut texts: Vec<String> = begun.stored.into_iter().map(|event| event.text).collect();
    let mut game = begun.game;
    let way = short_way(&game, 12, &mut Shuffler::seeded(1));
    for (number, step) in (1..).zip(&way) {
        let decision = step.after(&game, number);
        texts.extend(decision.stored.into_iter().map(|event| event.text));
        game = decision.game;
    }
    let entries = kind.entries(&texts, Viewer::Open).unwrap().entries;
    let entries: Vec<&str> = entries.iter().map(|entry| entry.get()).collect();
    let secret = match mode {
        Mode::Virtual => json!(hex::encode([SECRET; 32])),
        Mode::Table => Value::Null,
    };
    let file = format!(
        "{{\"game\":{},\"mode\":{},\"seats\":{seats},\"options\":{options},\"secret\":{secret},\"head\":\"{}\",\n\
         \"entries\":[\n{}\n],\n\"events\":[\n{}\n]}}\n",
        json!(kind),
        json!(mode),
        game.head(),
        entries.join(",\n"),
        texts.join(",\n")
    );
    let path = Golden::file(kind, mode);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, file).unwrap();
}

/// With `UPDATE_GOLDEN` set the files that are not there are written.
#[test]
fn every_kept_game_has_its_files() {
    for (kind, seats, options) in KEPT {
        for mode in MODES {
            let path = Golden::file(*kind, mode);
            if std::env::var_os("UPDATE_GOLDEN").is_some() && !path.exists() {
                write(*kind, *seats, &serde_json::from_str(options).unwrap(), mode);
            }
            assert!(
                path.exists(),
                "{}: run this test with UPDATE_GOLDEN=1",
                path.display()
            );
        }
    }
}

#[test]
fn what_was_recorded_is_read_and_verified() {
    for golden in Golden::all() {
        let texts = golden.texts();
        let mut prev = "0".repeat(64);
        for text in &texts {
            let event: Value = serde_json::from_str(text).unwrap();
            assert_eq!(event["prev"], prev);
            prev = hex::encode(Sha256::digest(text));
            let served = golden.served(text);
            assert_eq!(served["hash"], prev);
            assert_eq!(served_text(&served), *text);
        }
        assert_eq!(prev, golden.head);
        let folded = golden.game.fold(&texts, golden.dealer()).unwrap();
        assert_eq!(folded.version(), texts.len() as u64);
        assert_eq!(folded.head(), golden.head());
        assert_eq!(json!(folded.brief().result), golden.ending());

        let report = golden.game.verify(&texts, &golden.dealer(), golden.head());
        let report = serde_json::to_value(report).unwrap();
        let fairness = match golden.mode {
            Mode::Virtual => "ok",
            Mode::Table => "not_applicable",
        };
        assert_eq!(
            report["checks"],
            json!({"chain": "ok", "rules": "ok", "fairness": fairness})
        );
    }
}

#[test]
fn the_same_requests_are_recorded_in_the_same_bytes() {
    for golden in Golden::all() {
        let begun = created(golden.game, golden.seats, &golden.options, golden.dealer());
        let mut texts: Vec<String> = begun.stored.into_iter().map(|event| event.text).collect();
        let mut game = begun.game;
        for (number, step) in (1..).zip(golden.steps()) {
            let decision = step.after(&game, number);
            texts.extend(decision.stored.into_iter().map(|event| event.text));
            game = decision.game;
        }
        assert_eq!(texts, golden.texts());
        let entries = golden.game.entries(&texts, Viewer::Open).unwrap().entries;
        let entries: Vec<Value> = entries.iter().map(|entry| value(entry)).collect();
        assert_eq!(entries, golden.entries);
    }
}

#[test]
fn a_changed_record_is_not_taken_for_the_old_one() {
    for golden in Golden::all() {
        let texts = golden.texts();
        let (dealer, head) = (golden.dealer(), golden.head());
        for place in [0, texts.len() / 2, texts.len() - 1] {
            let mut changed = texts.clone();
            changed[place] = changed[place].replacen("00Z", "01Z", 1);
            if changed[place] == texts[place] {
                changed[place] = changed[place].replacen("\"seq\"", "\"sep\"", 1);
            }
            assert!(!golden.game.verify(&changed, &dealer, head).valid);
        }
        let cut = &texts[..texts.len() - 1];
        assert!(!golden.game.verify(cut, &dealer, head).valid);
    }
}

#[tokio::test]
async fn a_server_judges_a_golden_record_legal() {
    let app = TestApp::start().await;
    for golden in Golden::all() {
        let seats: Vec<Value> = (0..golden.seats).map(|_| json!({"name": "A"})).collect();
        let texts = golden.texts();
        let events = texts.iter().map(|text| golden.served(text));
        let record = json!({
            "format": "referee-record/1",
            "game": golden.game,
            "rules_version": 1,
            "mode": golden.mode,
            "seats": seats,
            "options": golden.options,
            "entries": golden.entries,
            "events": events.collect::<Vec<Value>>(),
        });
        let judged = app.post("/v1/replays", record.to_string()).await.good();
        assert_eq!(judged["verdict"], "legal", "{judged}");
        assert_eq!(judged["result"], golden.ending());
        assert_eq!(judged["version"], golden.events.len());
    }
}
