//! Golden records: games played to the end by this version or one before it, kept as they were
//! recorded. They are read, judged and dealt again, byte for byte, for as long as the rules version
//! that they name is judged by.

mod kept;

use std::fs;
use std::path::PathBuf;

use domain::dealer::{Dealer, Mode, Secret};
use domain::record::Hash;
use domain::rulesets::{AnyDecision, AnyGame, GameKind};
use domain::seat::Viewer;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use self::kept::{Kept, kept};
use crate::helpers::{Step, TestApp, created, dealer, finished, referee, served_text, value};

/// The most that a file may have.
const LARGEST: u64 = 200_000;

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

    /// The kept game of this kind and mode.
    pub(crate) fn read(kind: GameKind, mode: Mode) -> Self {
        let path = Self::file(kind, mode);
        let text = fs::read_to_string(&path);
        serde_json::from_str(&text.unwrap_or_else(|_| panic!("no {}", path.display()))).unwrap()
    }

    fn all() -> impl Iterator<Item = Self> {
        kept()
            .into_iter()
            .map(|kept| Self::read(kept.game, kept.mode))
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

    /// The version of the rules that it was judged by.
    pub(crate) fn rules_version(&self) -> u16 {
        let created = value(&self.events[0]);
        let version = created["data"]["rules_version"].as_u64().unwrap();
        version.try_into().unwrap()
    }

    /// The game before anything was sent.
    pub(crate) fn begun(&self) -> AnyDecision {
        created(
            self.game,
            self.rules_version(),
            self.seats,
            &self.options,
            self.dealer(),
        )
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

    /// The record that a service exports of it when it is over.
    fn record(&self) -> Value {
        let seats: Vec<Value> = (0..self.seats).map(|_| json!({"name": "A"})).collect();
        let texts = self.texts();
        let events = texts.iter().map(|text| self.served(text));
        json!({
            "format": "referee-record/1",
            "game": self.game,
            "rules_version": self.rules_version(),
            "mode": self.mode,
            "seats": seats,
            "options": self.options,
            "entries": self.entries,
            "events": events.collect::<Vec<Value>>(),
        })
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
fn file_of(kept: &Kept) -> String {
    const SECRET: u8 = 77;
    let dealer = dealer(kept.mode, SECRET);
    let create = || {
        created(
            kept.game,
            kept.rules_version,
            kept.seats,
            &kept.options,
            dealer.clone(),
        )
    };
    let steps = kept.search(create);
    let (texts, game) = recorded(create(), &steps);
    let entries = kept.game.entries(&texts, Viewer::Open).unwrap().entries;
    let entries: Vec<&str> = entries.iter().map(|entry| entry.get()).collect();
    let secret = match kept.mode {
        Mode::Virtual => json!(hex::encode([SECRET; 32])),
        Mode::Table => Value::Null,
    };
    format!(
        "{{\"game\":{},\"mode\":{},\"seats\":{},\"options\":{},\"secret\":{secret},\"head\":\"{}\",\n\
         \"entries\":[\n{}\n],\n\"events\":[\n{}\n]}}\n",
        json!(kept.game),
        json!(kept.mode),
        kept.seats,
        kept.options,
        game.head(),
        entries.join(",\n"),
        texts.join(",\n")
    )
}

/// The texts of the events that these requests are recorded in, and the game after them.
fn recorded(begun: AnyDecision, steps: &[Step]) -> (Vec<String>, AnyGame) {
    let mut texts: Vec<String> = begun.stored.into_iter().map(|event| event.text).collect();
    let mut game = begun.game;
    for (number, step) in (1..).zip(steps) {
        let decision = step.after(&game, number);
        texts.extend(decision.stored.into_iter().map(|event| event.text));
        game = decision.game;
    }
    (texts, game)
}

#[test]
#[ignore = "searches for minutes, and writes only the files that are not there"]
fn missing_files_are_written() {
    for kept in kept() {
        let path = Golden::file(kept.game, kept.mode);
        if !path.exists() {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, file_of(&kept)).unwrap();
        }
    }
}

#[test]
fn every_kept_game_is_small_and_has_what_it_is_kept_for() {
    for kept in kept() {
        let size = fs::metadata(Golden::file(kept.game, kept.mode))
            .unwrap()
            .len();
        assert!(size < LARGEST, "{:?}: {size} bytes", kept.game);
        let golden = Golden::read(kept.game, kept.mode);
        assert_eq!(golden.rules_version(), kept.rules_version);
        assert_eq!(golden.seats, kept.seats);
        assert_eq!(golden.options, kept.options);
        let events: Vec<Value> = golden.events.iter().map(|event| value(event)).collect();
        for wish in kept.rare() {
            assert!(wish.is_met_by(&events), "{:?}: {wish:?}", kept.game);
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
        let (texts, _) = recorded(golden.begun(), &golden.steps());
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
async fn a_server_and_the_command_judge_golden_records_legal() {
    let app = TestApp::start().await;
    let directory = tempfile::tempdir().unwrap();
    for kept in kept() {
        let golden = Golden::read(kept.game, kept.mode);
        let record = golden.record().to_string();
        fs::write(directory.path().join("record.json"), &record).unwrap();
        let judged = app.post("/v1/replays", record).await.good();
        assert_eq!(judged["verdict"], "legal", "{judged}");
        assert_eq!(judged["result"], golden.ending());
        assert_eq!(judged["version"], golden.events.len());
        let seen = judged["rules_seen"].as_object().unwrap();
        let unseen: Vec<&str> = kept
            .effects()
            .filter(|id| !seen.contains_key(*id))
            .collect();
        assert_eq!(unseen, kept.unreached, "{:?}", kept.game);

        let command = referee(directory.path(), &["replay", "--json", "record.json"]);
        let output = finished(command).await;
        assert!(output.status.success(), "{output:?}");
        let told: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(told["judgement"], judged);
    }
}
