//! A random game of any kind with its record, as the service would keep and export it.

use std::fmt;

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::*;
use crate::dealer::{Secret, Shuffler};
use crate::game::Verification;
use crate::game::desk::{Blueprint, StoredEvent};
use crate::playout::RandomPlayer;
use crate::rulesets::{AnyCommand, AnyDecision, AnyGame};

/// A game and all that is stored of it.
#[derive(Clone)]
pub(super) struct Sitting {
    pub(super) kind: GameKind,
    pub(super) mode: Mode,
    pub(super) seats: u8,
    pub(super) game: AnyGame,
    pub(super) texts: Vec<String>,
    dealer: Dealer,
}

impl fmt::Display for Sitting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, mode, version) = (self.kind.name(), self.mode, self.game.version());
        write!(f, "{kind} for {}, {mode:?}, version {version}", self.seats)
    }
}

/// Games of every kind, mode and version of the rules: just begun, running, claimed, ended.
pub(super) fn sittings() -> Vec<Sitting> {
    let mut sittings = Vec::new();
    for kind in GameKind::ALL {
        for version in kind.rules_versions() {
            for mode in [Mode::Virtual, Mode::Table] {
                for (seed, moves) in [(1, 0), (2, 9), (3, 40)] {
                    sittings.push(Sitting::play(*kind, mode, *version, seed, moves));
                }
                let mut ended = Sitting::play(*kind, mode, *version, 4, 12);
                ended.abandon();
                sittings.push(ended);
            }
        }
    }
    sittings
}

fn options(kind: GameKind) -> Value {
    match kind {
        GameKind::SkipBo => json!({"stock_size": 2, "target_score": null}),
        _ => json!({}),
    }
}

fn raw_json(value: &Value) -> Json {
    RawValue::from_string(value.to_string()).expect("JSON")
}

fn context(by: Option<By>, at: i64) -> Context {
    let at = DateTime::UNIX_EPOCH + TimeDelta::milliseconds(at);
    Context::new(at, by, Hash::of(&at.timestamp_millis().to_be_bytes()).0)
}

fn dealer(mode: Mode, seed: u64) -> Dealer {
    match mode {
        Mode::Virtual => Dealer::Virtual(Secret(Hash::of(&seed.to_be_bytes()).0)),
        Mode::Table => Dealer::Table,
    }
}

impl Sitting {
    /// A game after so many random moves, with a seat claimed amid them.
    pub(super) fn play(kind: GameKind, mode: Mode, rules: u16, seed: u64, moves: u64) -> Self {
        let range = kind.seats();
        let seats = range.start() + (seed % u64::from(range.end() - range.start() + 1)) as u8;
        let blueprint = Blueprint {
            id: format!("game-{seed}"),
            seats,
            options: Some(&raw_json(&options(kind))),
            rules_version: Some(rules),
            names: Hash::ZERO,
        };
        let dealer = dealer(mode, seed);
        let created = kind
            .create(
                blueprint,
                dealer.clone(),
                &mut context(None, 0),
                Viewer::Spectator,
            )
            .expect("a game that can be created");
        let mut sitting = Self::begun(kind, mode, seats, dealer, created);
        sitting.play_on(seed, moves / 2);
        sitting.decide(&sitting.game.claim(Seat::new(0)), None);
        sitting.play_on(seed + 1, moves - moves / 2);
        sitting
    }

    fn begun(kind: GameKind, mode: Mode, seats: u8, dealer: Dealer, begun: AnyDecision) -> Self {
        Self {
            kind,
            mode,
            seats,
            game: begun.game,
            texts: texts(begun.stored),
            dealer,
        }
    }

    /// Plays so many random moves, or as many as the game has left.
    pub(super) fn play_on(&mut self, seed: u64, moves: u64) {
        let mut shuffler = Shuffler::seeded(seed);
        let player = RandomPlayer { keen: 0.8 };
        let mut made = 0;
        loop {
            let told = if let Some(outcome) = self.due_outcome(&mut shuffler) {
                (self.game.read_declaration(&[outcome]), By::Host {})
            } else if made == moves {
                return;
            } else if let Some((seat, mv)) = self.game.random_move(player, &mut shuffler) {
                made += 1;
                (self.game.read_move(seat, &mv, &[]), By::Seat { seat })
            } else {
                return;
            };
            self.decide(&told.0.expect("a listed move"), Some(told.1));
        }
    }

    fn due_outcome(&self, shuffler: &mut Shuffler) -> Option<Json> {
        match self.mode {
            Mode::Table => self.game.random_outcome(shuffler),
            Mode::Virtual => None,
        }
    }

    pub(super) fn abandon(&mut self) {
        if self.game.brief().status == crate::game::Status::InProgress {
            self.decide(&self.game.abandon(), Some(By::Host {}));
        }
    }

    fn decide(&mut self, command: &AnyCommand, by: Option<By>) {
        let mut context = context(by, self.texts.len() as i64);
        let decision = self.game.decide(command, &mut context, Viewer::Spectator);
        let decision = decision.expect("a legal command");
        self.texts.extend(texts(decision.stored));
        self.game = decision.game;
    }

    /// How many events tell of a claim.
    pub(super) fn claims(&self) -> u64 {
        self.game.brief().claimed.len() as u64
    }

    /// The record as this viewer gets it.
    pub(super) fn exported(&self, viewer: Viewer) -> Value {
        let viewer = self.game.viewer(viewer);
        let told = self.kind.entries(&self.texts, viewer).expect("a record");
        let brief = self.game.brief();
        let served = |text: &String| self.kind.serve(text, viewer).expect("an event");
        let events: Vec<Value> = (self.texts.iter())
            .map(|text| serde_json::from_str(&served(text)).expect("JSON"))
            .collect();
        let names: Vec<Value> = (0..self.seats)
            .map(|seat| json!({"name": seat.to_string()}))
            .collect();
        let mut record = json!({
            "format": FORMAT,
            "game": self.kind,
            "mode": self.mode,
            "rules_version": brief.rules_version,
            "seats": names,
            "options": brief.options,
            "entries": told.entries,
            "events": events,
        });
        if told.masked || self.game.is_masked() {
            record["masked"] = true.into();
        }
        record
    }

    /// A new game with the past that a record tells.
    pub(super) fn imported(&self, record: &Value) -> Result<Self, ImportError> {
        let text = record.to_string();
        let record = Record::from_json(text.as_bytes())?;
        let dealer = dealer(record.mode, 77);
        let (kind, mode) = (record.game, record.mode);
        let seats = record.seats.len() as u8;
        let imported = kind.import(&record, heir(), dealer.clone(), &mut context(None, 1_000))?;
        Ok(Self::begun(kind, mode, seats, dealer, imported))
    }

    /// A new game with the same past up to a version.
    pub(super) fn forked(&self, at: u64) -> Self {
        let dealer = dealer(self.mode, 78);
        let forked = self
            .kind
            .fork(
                &self.texts,
                at,
                heir(),
                dealer.clone(),
                &mut context(None, 1_000),
            )
            .expect("every version can be forked");
        Self::begun(self.kind, self.mode, self.seats, dealer, forked)
    }

    /// The game as it was at a version.
    pub(super) fn at(&self, version: u64) -> AnyGame {
        let texts = &self.texts[..version as usize];
        self.kind
            .fold(texts, self.dealer.clone())
            .expect("a record")
    }

    pub(super) fn verification(&self) -> Verification {
        self.kind
            .verify(&self.texts, &self.dealer, self.game.head())
    }
}

fn heir() -> Heir {
    Heir {
        id: "heir".to_owned(),
        names: Hash::of(b"heir"),
    }
}

fn texts(stored: Vec<StoredEvent>) -> Vec<String> {
    stored.into_iter().map(|event| event.text).collect()
}

/// Judges a record as it would come in a request.
pub(super) fn judge(record: &Value, manner: Manner) -> Result<Judgement, Unjudgeable> {
    let text = record.to_string();
    let record = Record::from_json(text.as_bytes())?;
    record.game.judge(&record, manner)
}

/// Judges a record that can be judged, without asking for anything.
#[track_caller]
pub(super) fn plainly(record: &Value) -> Judgement {
    judge(record, Manner::default()).expect("a record that can be judged")
}

pub(super) fn with(record: &Value, field: &str, value: Value) -> Value {
    let mut record = record.clone();
    record[field] = value;
    record
}

/// Entries or events without what a new game has of its own: ids, times, digests, salts, hashes.
pub(super) fn stripped(list: &Value) -> Value {
    let strip = |item: &Value| {
        let mut item = item.clone();
        let fields = item.as_object_mut().expect("an object");
        for own in ["at", "prev", "hash", "salt"] {
            fields.remove(own);
        }
        if item["type"] == "game_created" {
            let data = item["data"].as_object_mut().expect("an object");
            for own in ["id", "names", "commitment", "origin"] {
                data.remove(own);
            }
        }
        item
    };
    list.as_array().expect("a list").iter().map(strip).collect()
}
