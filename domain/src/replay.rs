//! Judging a record that comes from outside: from an app, a tester, or this service on another day.
//!
//! Nothing in it is trusted. Entries are parsed one at a time and judged on the state that those
//! before them led to; events are compared with what the entries lead to, and never folded.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::dealer::{Dealer, Mode};
use crate::game::desk::{self, Heir, ImportedPast, Json, TurnJson, raw};
use crate::game::judge::{
    Comparison, Deed, DeedOf, Departure, Expected, Judge, RecordEntry, RewindTo, Unfit,
};
use crate::game::past::{Act, acts_of};
use crate::game::{Context, Created, Decision, GameEvent, Life, Refusal, Unreadable};
use crate::record::{Entry, Hash, Sealed, canonical};
use crate::ruleset::{Ruleset, Setup, Standing};
use crate::rulesets::GameKind;
use crate::ruling::{Citation, Violation};
use crate::seat::{By, Seat, Viewer};
use crate::wire::{Malformed, read, without_place};

/// What a portable record says it is.
pub const FORMAT: &str = "referee-record/1";

/// A record, with its parts still to be read.
#[derive(Debug)]
pub struct Record<'a> {
    /// Which game.
    pub game: GameKind,
    /// The version of the rules that it was judged by; the default when left out.
    pub rules_version: Option<u16>,
    /// Who supplied outcomes.
    pub mode: Mode,
    /// Who sat where.
    pub seats: Vec<RecordSeat>,
    /// The options; the defaults when left out.
    pub options: Option<&'a RawValue>,
    /// Whether it leaves out what was hidden from whoever exported it.
    pub masked: bool,
    /// What was done, in order.
    pub entries: Option<Vec<&'a RawValue>>,
    /// What was recorded of it.
    pub events: Option<Vec<&'a RawValue>>,
}

/// A record as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordFields<'a> {
    format: String,
    #[serde(borrow)]
    game: &'a RawValue,
    #[serde(default)]
    rules_version: Option<u16>,
    #[serde(borrow)]
    mode: &'a RawValue,
    #[serde(borrow)]
    seats: &'a RawValue,
    #[serde(default, borrow)]
    options: Option<&'a RawValue>,
    #[serde(default)]
    masked: bool,
    /// What the names were hashed with. Names are not judged.
    #[serde(default, rename = "names_salt")]
    _names_salt: Option<String>,
    #[serde(default, borrow)]
    entries: Option<Vec<&'a RawValue>>,
    #[serde(default, borrow)]
    events: Option<Vec<&'a RawValue>>,
}

/// A seat of a record.
#[derive(Clone, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordSeat {
    /// The player's name.
    pub name: String,
}

/// A record that cannot be judged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unjudgeable {
    /// A part of it is not what it should be.
    #[error("{at}: {detail}")]
    Malformed {
        /// Which part.
        at: Part,
        /// What is wrong.
        detail: String,
    },
    /// The rules forbid the game that it is of.
    #[error(transparent)]
    Setup(#[from] Violation),
}

impl From<Malformed> for Unjudgeable {
    fn from(found: Malformed) -> Self {
        Self::at(found.at, found.detail)
    }
}

/// A part of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// What stands at a JSON Pointer.
    Pointer(String),
    /// A line, from 1.
    Line(usize),
}

impl std::fmt::Display for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Pointer(whole) if whole.is_empty() => f.write_str("the record"),
            Self::Pointer(pointer) => f.write_str(pointer),
            Self::Line(number) => write!(f, "line {number}"),
        }
    }
}

impl Unjudgeable {
    /// What stands at a JSON Pointer is not what it should be.
    pub fn at(pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        Self::Malformed {
            at: Part::Pointer(pointer.into()),
            detail: detail.into(),
        }
    }

    /// A line, from 1, is not what it should be.
    pub fn at_line(number: usize, detail: impl Into<String>) -> Self {
        Self::Malformed {
            at: Part::Line(number),
            detail: detail.into(),
        }
    }
}

/// The lines of NDJSON that are not empty, numbered from 1.
pub fn lines(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    (1..)
        .zip(text.split(|byte| *byte == b'\n'))
        .map(|(number, line)| (number, line.trim_ascii()))
        .filter(|(_, line)| !line.is_empty())
}

/// The most entries that are told a line each.
const MOST_LINES: usize = 100_000;

impl<'a> Record<'a> {
    /// Reads a record in one JSON object.
    ///
    /// # Errors
    /// When it is not one.
    pub fn from_json(text: &'a [u8]) -> Result<Self, Unjudgeable> {
        if text.trim_ascii_start().first() != Some(&b'{') {
            return Err(Unjudgeable::at("", "a record is an object"));
        }
        let fields: RecordFields<'a> =
            serde_json::from_slice(text).map_err(|error| Unjudgeable::at("", error.to_string()))?;
        Self::read(fields)
    }

    /// Reads a record in lines: the header, then an entry or an event a line. Empty lines do not
    /// count. Without further lines the record has no entries yet.
    ///
    /// # Errors
    /// When a line is not JSON, or the first is no header.
    pub fn from_lines(text: &'a [u8]) -> Result<Self, Unjudgeable> {
        let mut lines = lines(text);
        let (number, header) = lines
            .next()
            .ok_or_else(|| Unjudgeable::at_line(1, "there is no header"))?;
        let at_line = |number| {
            move |error: serde_json::Error| Unjudgeable::at_line(number, without_place(&error))
        };
        if header.first() != Some(&b'{') {
            return Err(Unjudgeable::at_line(number, "a header is an object"));
        }
        let mut fields: RecordFields<'a> =
            serde_json::from_slice(header).map_err(at_line(number))?;
        for (number, line) in lines {
            let told: &RawValue = serde_json::from_slice(line).map_err(at_line(number))?;
            let list = match is_event(told) {
                true => &mut fields.events,
                false => &mut fields.entries,
            };
            list.get_or_insert_default().push(told);
        }
        if fields.events.is_none() {
            fields.entries.get_or_insert_default();
        }
        Self::read(fields)
    }

    fn read(fields: RecordFields<'a>) -> Result<Self, Unjudgeable> {
        if fields.format != FORMAT {
            let detail = format!("this judges {FORMAT}, not {}", fields.format);
            return Err(Unjudgeable::at("/format", detail));
        }
        if fields.entries.is_none() && fields.events.is_none() {
            let detail = "a record has entries, or events, or both";
            return Err(Unjudgeable::at("", detail));
        }
        if fields.events.as_ref().is_some_and(Vec::is_empty) {
            let detail = "events begin with the one that creates the game";
            return Err(Unjudgeable::at("/events", detail));
        }
        Ok(Self {
            game: read("/game", fields.game)?,
            rules_version: fields.rules_version,
            mode: read("/mode", fields.mode)?,
            seats: read("/seats", fields.seats)?,
            options: fields.options,
            masked: fields.masked,
            entries: fields.entries,
            events: fields.events,
        })
    }
}

/// Whether a line is an event: only events have a seq.
fn is_event(line: &RawValue) -> bool {
    #[derive(Deserialize)]
    struct Numbered {
        #[serde(default)]
        seq: Option<serde::de::IgnoredAny>,
    }
    serde_json::from_str::<Numbered>(line.get()).is_ok_and(|line| line.seq.is_some())
}

/// Why a record is not imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// It cannot be judged.
    #[error(transparent)]
    Unjudgeable(#[from] Unjudgeable),
    /// It was judged, and is not legal.
    #[error("the record is not legal")]
    NotLegal(Box<Judgement>),
    /// It was found legal and cannot be taken over all the same, which is a defect of ours.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
}

/// How a record is judged.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manner {
    /// Judge only so many entries.
    pub entries: Option<u64>,
    /// Leave out what is refused, and judge on.
    pub tolerant: bool,
    /// Judge by this version of the rules instead of the record's own.
    pub rules_version: Option<u16>,
}

impl Manner {
    fn limit(self) -> usize {
        self.entries
            .and_then(|n| usize::try_from(n).ok())
            .unwrap_or(usize::MAX)
    }
}

/// What came of judging a record.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct Judgement {
    /// The verdict.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The last seq that the entries led to.
    pub version: u64,
    /// The table as the entries left it; before the entry that was refused, where one was.
    #[schema(value_type = crate::rulesets::AnyView)]
    pub view: Json,
    /// Whether the record leaves something out, so that it was judged like a table's.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub masked: bool,
    /// A line for each entry, where refused ones were to be left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<Vec<Line>>,
    /// How often each rule was cited by an event of the record.
    pub rules_seen: BTreeMap<&'static str, u64>,
    /// Where judging by the version asked for first differs from the record's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules_differ: Option<RulesDiffer>,
}

/// Whether a record holds.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// It does.
    Legal {
        /// How many entries were judged.
        entries: u64,
        /// Who must act.
        turn: TurnJson,
        /// How the game ended; null while it goes on.
        result: Option<Standing>,
    },
    /// A rule forbids an entry.
    Illegal {
        /// Which, from 0.
        at_entry: u64,
        /// The rule.
        #[schema(value_type = Object)]
        rule: &'static Citation,
        /// Why, in the game's terms.
        detail: String,
        /// Who must act.
        turn: TurnJson,
    },
    /// The events are not those that the entries lead to, or are not tied together as they say.
    Diverged {
        /// The seq where that shows.
        at_seq: u64,
        /// What belongs there; null where nothing does.
        #[schema(value_type = Object)]
        expected: Value,
        /// What stands there; null where nothing does.
        #[schema(value_type = Object)]
        found: Value,
    },
}

/// What came of one entry.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(tag = "result", rename_all = "snake_case")]
pub enum Line {
    /// It is legal.
    Accepted {
        /// Which, from 0.
        entry: u64,
    },
    /// It is refused and left out.
    Refused {
        /// Which, from 0.
        entry: u64,
        /// The rule.
        #[schema(value_type = Object)]
        rule: &'static Citation,
        /// Why, in the game's terms.
        detail: String,
    },
    /// It was left out unjudged: an outcome of what was refused before it.
    Skipped {
        /// Which, from 0.
        entry: u64,
    },
}

/// Where two versions of the rules first part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct RulesDiffer {
    /// The version that the record was made under.
    pub pinned: u16,
    /// The version that it was judged by.
    pub judged_by: u16,
    /// The first entry that they judge differently; null where they agree on all.
    pub at_entry: Option<u64>,
}

/// Judges a record.
///
/// # Errors
/// When it is not a record of this kind of game.
pub(crate) fn judge<R: Ruleset>(
    record: &Record<'_>,
    manner: Manner,
) -> Result<Judgement, Unjudgeable> {
    let setup = setup_of::<R>(record, manner.rules_version)?;
    let events = match &record.events {
        None => None,
        Some(texts) => Some(read_events::<R>(texts, record.seats.len())?),
    };
    if let Some(divergence) = events
        .as_deref()
        .and_then(|events| chain_break::<R>(events, record.masked))
    {
        // Entries are judged first all the same: what a rule forbids is worth more than a hash.
        let by_entries = match &record.entries {
            Some(_) => Some(Trial::<R>::new(setup.clone(), record, None)?.run(record, manner)?),
            None => None,
        };
        return match by_entries {
            Some(judgement) if matches!(judgement.verdict, Verdict::Illegal { .. }) => {
                Ok(judgement)
            }
            _ => Ok(diverged(
                Trial::<R>::new(setup, record, None)?,
                divergence,
                record,
            )),
        };
    }
    if let Some(divergence) = events
        .as_deref()
        .and_then(|events| other_game::<R>(events, record))
    {
        return Ok(diverged(
            Trial::<R>::new(setup, record, None)?,
            divergence,
            record,
        ));
    }
    let sealed: Option<Vec<_>> =
        events.map(|events| events.into_iter().map(|event| event.sealed).collect());
    let mut judgement =
        Trial::<R>::new(setup.clone(), record, sealed.as_deref())?.run(record, manner)?;
    if let Some(judged_by) = manner.rules_version {
        let pinned = setup_of::<R>(record, None)?;
        judgement.rules_differ = Some(RulesDiffer {
            pinned: pinned.rules_version,
            judged_by,
            at_entry: first_difference::<R>(pinned, setup, record, sealed.as_deref(), manner)?,
        });
    }
    Ok(judgement)
}

/// Creates a game with the past that a record tells, if it is legal.
///
/// # Errors
/// When it is not.
pub(crate) fn import<R: Ruleset>(
    record: &Record<'_>,
    heir: Heir,
    dealer: Dealer,
    context: &mut Context,
) -> Result<Decision<R>, ImportError> {
    let judgement = judge::<R>(record, Manner::default())?;
    if !matches!(judgement.verdict, Verdict::Legal { .. }) {
        return Err(ImportError::NotLegal(Box::new(judgement)));
    }
    let mut past = ImportedPast {
        masked: record.masked,
        head: None,
    };
    let acts = match &record.events {
        Some(texts) => {
            let events = read_events::<R>(texts, record.seats.len())?;
            past.head = events.last().map(|event| event.claimed);
            let sealed: Vec<_> = events.into_iter().map(|event| event.sealed).collect();
            acts_of::<R>(&sealed, u64::MAX)?
        }
        None => {
            let mut acts = Vec::new();
            for (place, text) in record.entries.iter().flatten().enumerate() {
                acts.push(Act::Entry(read_entry::<R>(place, text)?));
            }
            acts
        }
    };
    Ok(desk::import(
        setup_of::<R>(record, None)?,
        &acts,
        past,
        heir,
        dealer,
        context,
    )?)
}

fn setup_of<R: Ruleset>(
    record: &Record<'_>,
    judged_by: Option<u16>,
) -> Result<Setup<R::Options>, Unjudgeable> {
    let options = match record.options {
        Some(text) => read("/options", text)?,
        None => R::Options::default(),
    };
    let rules_version = judged_by.or(record.rules_version).unwrap_or(R::VERSIONS[0]);
    if !R::VERSIONS.contains(&rules_version) {
        let detail = format!("there is no version {rules_version} of these rules");
        return Err(Unjudgeable::at("/rules_version", detail));
    }
    Ok(Setup {
        seats: count(record.seats.len()),
        options,
        rules_version,
        mode: record.mode,
    })
}

/// The number of seats; more than a byte counts are as many as no game allows.
fn count(seats: usize) -> u8 {
    u8::try_from(seats).unwrap_or(u8::MAX)
}

/// An event as it came.
struct ForeignEvent<E> {
    sealed: Sealed<GameEvent<E>>,
    /// The hash that it says it has.
    claimed: Hash,
}

fn read_events<R: Ruleset>(
    texts: &[&RawValue],
    seats: usize,
) -> Result<Vec<ForeignEvent<R::Event>>, Unjudgeable> {
    texts
        .iter()
        .enumerate()
        .map(|(place, text)| {
            let malformed = |detail: String| Unjudgeable::at(format!("/events/{place}"), detail);
            let mut value: Value =
                serde_json::from_str(text.get()).map_err(|error| malformed(error.to_string()))?;
            let claimed = value
                .as_object_mut()
                .and_then(|event| event.remove("hash"))
                .and_then(|hash| Hash::from_hex(hash.as_str()?))
                .ok_or_else(|| malformed("an event has a hash".to_owned()))?;
            let sealed = Sealed::<GameEvent<_>>::read(place as u64 + 1, &canonical(&value))
                .map_err(|unreadable| malformed(unreadable.to_string()))?;
            expect_seat(sealed.envelope.by, count(seats)).map_err(malformed)?;
            Ok(ForeignEvent { sealed, claimed })
        })
        .collect()
}

/// Where the events are first not tied together: what belongs there and what stands there.
struct Divergence {
    seq: u64,
    expected: Value,
    found: Value,
}

fn chain_break<R: Ruleset>(events: &[ForeignEvent<R::Event>], masked: bool) -> Option<Divergence> {
    let mut prev = Hash::ZERO;
    for (seq, event) in (1..).zip(events) {
        let envelope = &event.sealed.envelope;
        let broken = |field: &str, expected: Value, found: Value| {
            let one =
                |value: Value| Value::Object([(field.to_owned(), value)].into_iter().collect());
            Some(Divergence {
                seq,
                expected: one(expected),
                found: one(found),
            })
        };
        if envelope.seq != seq {
            return broken("seq", seq.into(), envelope.seq.into());
        }
        if envelope.prev != prev {
            return broken(
                "prev",
                prev.to_string().into(),
                envelope.prev.to_string().into(),
            );
        }
        // A field that no event has would otherwise be hashed and not judged.
        let is_hashed = masked || event.sealed.hash == event.claimed;
        if !is_hashed || !event.sealed.tells_all() {
            let expected = event.sealed.hash.to_string();
            return broken("hash", expected.into(), event.claimed.to_string().into());
        }
        prev = event.claimed;
    }
    None
}

/// Where the first event creates another game than the header tells.
fn other_game<R: Ruleset>(
    events: &[ForeignEvent<R::Event>],
    record: &Record<'_>,
) -> Option<Divergence> {
    let told = setup_of::<R>(record, None).ok()?;
    let created = match &events.first()?.sealed.envelope.event {
        GameEvent::Life(Life::GameCreated(created)) => created.clone(),
        GameEvent::Life(_) | GameEvent::Game(_) => Value::Null,
    };
    let same = serde_json::from_value::<Created<R::Options>>(created.clone()).is_ok_and(|read| {
        read.game == R::NAME
            && read.setup() == told
            && read.commitment.is_some() == (told.mode == Mode::Virtual)
            && serde_json::to_value(&read).is_ok_and(|told| told == created)
    });
    (!same).then(|| Divergence {
        seq: 1,
        expected: serde_json::json!({
            "type": "game_created",
            "data": {
                "game": R::NAME,
                "mode": told.mode,
                "rules_version": told.rules_version,
                "seats": told.seats,
                "options": told.options,
            }
        }),
        found: created,
    })
}

/// A record on its way through the judge.
struct Trial<'e, R: Ruleset> {
    comparison: Comparison<'e, R>,
    /// Where the beginning already departs.
    departed: Option<Departure<R::Event>>,
}

impl<'e, R: Ruleset> Trial<'e, R> {
    fn new(
        setup: Setup<R::Options>,
        record: &Record<'_>,
        events: Option<&'e [Sealed<GameEvent<R::Event>>]>,
    ) -> Result<Self, Unjudgeable> {
        let refused = |departure: Departure<R::Event>| match departure {
            Departure::Setup(Refusal::Setup(violation) | Refusal::Illegal(violation)) => {
                Unjudgeable::Setup(violation)
            }
            Departure::Unfit { unfit, .. } => Unjudgeable::at("", unfit.to_string()),
            Departure::Diverged { .. } => Unjudgeable::at("/events", "they do not begin a game"),
        };
        match Comparison::begin(setup.clone(), record.masked, events) {
            Ok(comparison) => Ok(Self {
                comparison,
                departed: None,
            }),
            Err(departed @ Departure::Diverged { .. }) => {
                let comparison = Comparison::begin(setup, record.masked, None).map_err(refused)?;
                Ok(Self {
                    comparison,
                    departed: Some(departed),
                })
            }
            Err(departure) => Err(refused(departure)),
        }
    }

    fn judge(&self) -> &Judge<R> {
        &self.comparison.judge
    }

    fn run(mut self, record: &Record<'_>, manner: Manner) -> Result<Judgement, Unjudgeable> {
        if let Some(departed) = self.departed.take() {
            return Ok(self.departed(departed, record));
        }
        match &record.entries {
            Some(texts) => self.run_entries(texts, record, manner),
            None => self.run_events(record, manner),
        }
    }

    fn run_entries(
        mut self,
        texts: &[&RawValue],
        record: &Record<'_>,
        manner: Manner,
    ) -> Result<Judgement, Unjudgeable> {
        let limit = manner.limit();
        if manner.tolerant && texts.len().min(limit) > MOST_LINES {
            let detail = format!("at most {MOST_LINES} entries are told a line each");
            return Err(Unjudgeable::at("/entries", detail));
        }
        let mut lines = Vec::new();
        let mut first_refusal = None;
        let mut orphaned = false;
        let mut accepted = 0;
        let mut log = Log::default();
        for (place, text) in texts.iter().take(limit).enumerate() {
            let entry = read_entry::<R>(place, text)?;
            expect_seat(entry.by, self.judge().course.seats)
                .map_err(|detail| Unjudgeable::at(format!("/entries/{place}/by"), detail))?;
            let number = place as u64;
            if orphaned && self.is_orphan(&entry.deed) {
                log.add(&entry.deed, self.judge().course.entries);
                lines.push(Line::Skipped { entry: number });
                continue;
            }
            if let Some(departed) = self.beside_differs(&entry) {
                return Ok(self.departed(departed, record));
            }
            let meant = log.meant(&entry.deed);
            match self.comparison.take(meant.as_ref().unwrap_or(&entry.deed)) {
                Ok(()) => {
                    orphaned = false;
                    accepted += 1;
                    log.add(&entry.deed, self.judge().course.entries);
                    if manner.tolerant {
                        lines.push(Line::Accepted { entry: number });
                    }
                }
                Err(Departure::Unfit {
                    unfit: Unfit::Illegal(violation),
                    ..
                }) => {
                    if !manner.tolerant {
                        return Ok(self.illegal(number, &violation, record, None));
                    }
                    orphaned = true;
                    if let Deed::Play(_) = entry.deed {
                        log.add(&entry.deed, self.judge().course.entries);
                    }
                    lines.push(Line::Refused {
                        entry: number,
                        rule: violation.rule,
                        detail: violation.detail.clone().into_owned(),
                    });
                    first_refusal.get_or_insert((number, violation));
                }
                Err(Departure::Unfit { unfit, .. }) => {
                    return Err(Unjudgeable::at(
                        format!("/entries/{place}"),
                        unfit.to_string(),
                    ));
                }
                Err(departed) => return Ok(self.departed(departed, record)),
            }
        }
        let lines = manner.tolerant.then_some(lines);
        if let Some((entry, violation)) = first_refusal {
            return Ok(self.illegal(entry, &violation, record, lines));
        }
        if texts.len() <= limit
            && let Some(departed) = self.left_over()
        {
            return Ok(self.departed(departed, record));
        }
        Ok(self.legal(accepted, record, lines))
    }

    fn run_events(mut self, record: &Record<'_>, manner: Manner) -> Result<Judgement, Unjudgeable> {
        let limit = manner.limit() as u64;
        let mut taken = 0;
        while taken < limit {
            let deed = match self.comparison.next_deed() {
                Ok(Some((_, deed))) => deed,
                Ok(None) => break,
                Err(departed) => return Ok(self.departed(departed, record)),
            };
            match self.comparison.take(&deed) {
                Ok(()) => taken += 1,
                Err(Departure::Unfit {
                    unfit: Unfit::Illegal(violation),
                    ..
                }) => {
                    return Ok(self.illegal(taken, &violation, record, None));
                }
                Err(departed) => return Ok(self.departed(departed, record)),
            }
        }
        Ok(self.legal(taken, record, None))
    }

    /// An outcome that nobody awaits, since what it belongs to was refused.
    fn is_orphan(&self, deed: &DeedOf<R>) -> bool {
        let awaited = matches!(self.judge().course.turn(), crate::ruleset::Turn::Chance(_));
        matches!(deed, Deed::Play(Entry::Outcome { .. })) && !awaited
    }

    /// Whether the event of an entry says something else of who and when.
    fn beside_differs(
        &mut self,
        entry: &RecordEntry<R::Move, R::Outcome>,
    ) -> Option<Departure<R::Event>> {
        self.comparison.skip_claims();
        let found = &self.comparison.next_found()?.envelope;
        let differs = entry.at.is_some_and(|at| at != found.at)
            || entry.by.is_some() && entry.by != found.by
            || entry.occurred_at.is_some() && entry.occurred_at != found.occurred_at;
        differs.then_some(Departure::Diverged {
            seq: found.seq,
            expected: None,
        })
    }

    fn left_over(&mut self) -> Option<Departure<R::Event>> {
        self.comparison.skip_claims();
        let found = self.comparison.next_found()?;
        Some(Departure::Diverged {
            seq: found.envelope.seq,
            expected: None,
        })
    }

    fn legal(&self, entries: u64, record: &Record<'_>, lines: Option<Vec<Line>>) -> Judgement {
        let (turn, result) = TurnJson::of(&self.judge().course);
        let verdict = Verdict::Legal {
            entries,
            turn,
            result,
        };
        self.told(verdict, record, lines)
    }

    fn illegal(
        &self,
        at_entry: u64,
        violation: &Violation,
        record: &Record<'_>,
        lines: Option<Vec<Line>>,
    ) -> Judgement {
        let verdict = Verdict::Illegal {
            at_entry,
            rule: violation.rule,
            detail: violation.detail.clone().into_owned(),
            turn: TurnJson::of(&self.judge().course).0,
        };
        self.told(verdict, record, lines)
    }

    fn departed(&self, departure: Departure<R::Event>, record: &Record<'_>) -> Judgement {
        let (at_seq, expected) = match departure {
            Departure::Diverged { seq, expected } => (seq, expected),
            Departure::Setup(_) | Departure::Unfit { .. } => (1, None),
        };
        let found = record
            .events
            .as_ref()
            .and_then(|events| events.get(usize::try_from(at_seq).ok()?.checked_sub(1)?))
            .and_then(|text| serde_json::from_str(text.get()).ok())
            .unwrap_or(Value::Null);
        let expected = expected.map_or(Value::Null, |expected| expected_json(at_seq, &expected));
        self.told(
            Verdict::Diverged {
                at_seq,
                expected,
                found,
            },
            record,
            None,
        )
    }

    fn told(&self, verdict: Verdict, record: &Record<'_>, lines: Option<Vec<Line>>) -> Judgement {
        let judge = self.judge();
        Judgement {
            verdict,
            version: judge.version + self.comparison.claims() as u64,
            view: raw(&R::view(&judge.course.state, Viewer::Open)),
            masked: record.masked,
            lines,
            rules_seen: judge.rules_seen.clone(),
            rules_differ: None,
        }
    }
}

/// How a person's log counts its entries, beside how many of them are in force: it counts those
/// that are refused or skipped, too.
#[derive(Default)]
struct Log {
    /// After each entry that the log holds to be in force, how many are.
    in_force: Vec<u64>,
}

impl Log {
    /// A rewind in the game's count, where the log's differs.
    fn meant<M, O>(&self, deed: &Deed<M, O>) -> Option<Deed<M, O>> {
        let Deed::Rewind { rewind } = deed else {
            return None;
        };
        let last = usize::try_from(rewind.to_entry).ok()?.checked_sub(1)?;
        let to_entry = *self.in_force.get(last)?;
        Some(Deed::Rewind {
            rewind: RewindTo { to_entry },
        })
    }

    fn add<M, O>(&mut self, deed: &Deed<M, O>, in_force: u64) {
        match deed {
            Deed::Play(_) => self.in_force.push(in_force),
            Deed::Rewind { rewind } => {
                let keep = usize::try_from(rewind.to_entry).unwrap_or(usize::MAX);
                self.in_force.truncate(keep);
            }
            Deed::Abandon { .. } => {}
        }
    }
}

/// Makes sure that a token can have been one of this table.
fn expect_seat(by: Option<By>, seats: u8) -> Result<(), String> {
    match by {
        Some(By::Seat { seat }) if seat.number() >= seats => {
            Err(format!("there is no seat {seat} at this table"))
        }
        Some(By::Seat { .. } | By::Host {}) | None => Ok(()),
    }
}

fn diverged<R: Ruleset>(
    trial: Trial<'_, R>,
    divergence: Divergence,
    record: &Record<'_>,
) -> Judgement {
    let Divergence {
        seq,
        expected,
        found,
    } = divergence;
    trial.told(
        Verdict::Diverged {
            at_seq: seq,
            expected,
            found,
        },
        record,
        None,
    )
}

fn expected_json<E: Serialize>(seq: u64, expected: &Expected<E>) -> Value {
    #[derive(Serialize)]
    struct Told<'a, E> {
        seq: u64,
        actor: crate::seat::Actor,
        #[serde(flatten)]
        event: &'a GameEvent<E>,
        #[serde(skip_serializing_if = "Option::is_none")]
        rule: Option<&'static str>,
    }
    let told = Told {
        seq,
        actor: expected.actor,
        event: &expected.event,
        rule: expected.rule.map(|rule| rule.id),
    };
    serde_json::to_value(told).unwrap_or(Value::Null)
}

/// The first entry that two versions of the rules judge differently.
fn first_difference<R: Ruleset>(
    pinned: Setup<R::Options>,
    other: Setup<R::Options>,
    record: &Record<'_>,
    events: Option<&[Sealed<GameEvent<R::Event>>]>,
    manner: Manner,
) -> Result<Option<u64>, Unjudgeable> {
    let begin = |setup| {
        Judge::<R>::begin(setup, record.masked)
            .map_err(|refusal| Unjudgeable::Setup(refusal.violation().clone()))
    };
    let deeds = match &record.entries {
        Some(texts) => (texts.iter().enumerate().take(manner.limit()))
            .map(|(place, text)| read_entry::<R>(place, text).map(|entry| entry.deed))
            .collect::<Result<_, _>>()?,
        None => deeds_told::<R>(&pinned, record.masked, events, manner.limit()),
    };
    let ((mut pinned, begun), (mut other, begun_otherwise)) = (begin(pinned)?, begin(other)?);
    if begun != begun_otherwise {
        return Ok(Some(0));
    }
    for (place, deed) in (0..).zip(&deeds) {
        let (one, another) = (pinned.take(deed), other.take(deed));
        if one != another {
            return Ok(Some(place));
        }
        if one.is_err() && !manner.tolerant {
            return Ok(None);
        }
    }
    Ok(None)
}

/// What events say was done, as far as it follows from the rules.
fn deeds_told<R: Ruleset>(
    setup: &Setup<R::Options>,
    masked: bool,
    events: Option<&[Sealed<GameEvent<R::Event>>]>,
    limit: usize,
) -> Vec<DeedOf<R>> {
    let mut deeds = Vec::new();
    let Ok(mut comparison) = Comparison::<R>::begin(setup.clone(), masked, events) else {
        return deeds;
    };
    while deeds.len() < limit
        && let Ok(Some((_, deed))) = comparison.next_deed()
    {
        let taken = comparison.take(&deed);
        deeds.push(deed);
        if taken.is_err() {
            break;
        }
    }
    deeds
}

/// An entry as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryFields<'a> {
    #[serde(default)]
    seat: Option<Seat>,
    #[serde(default, rename = "move", borrow)]
    mv: Option<&'a RawValue>,
    #[serde(default, borrow)]
    outcome: Option<&'a RawValue>,
    #[serde(default, borrow)]
    rewind: Option<&'a RawValue>,
    #[serde(default, borrow)]
    abandon: Option<&'a RawValue>,
    #[serde(default, borrow)]
    by: Option<&'a RawValue>,
    #[serde(default)]
    at: Option<DateTime<Utc>>,
    #[serde(default)]
    occurred_at: Option<DateTime<Utc>>,
}

/// Reads an entry.
///
/// # Errors
/// When it is not one of this kind of game.
pub(crate) fn read_entry<R: Ruleset>(
    place: usize,
    text: &RawValue,
) -> Result<RecordEntry<R::Move, R::Outcome>, Unjudgeable> {
    let at = format!("/entries/{place}");
    if !text.get().starts_with('{') {
        return Err(Unjudgeable::at(at, "an entry is an object"));
    }
    let fields: EntryFields<'_> = serde_json::from_str(text.get())
        .map_err(|error| Unjudgeable::at(at.clone(), without_place(&error)))?;
    let deed = match fields {
        EntryFields {
            seat: Some(seat),
            mv: Some(mv),
            outcome: None,
            rewind: None,
            abandon: None,
            ..
        } => {
            let mv = read(&format!("{at}/move"), mv)?;
            Deed::Play(Entry::Move { seat, mv })
        }
        EntryFields {
            seat: None,
            mv: None,
            outcome: Some(outcome),
            rewind: None,
            abandon: None,
            ..
        } => {
            let outcome = read(&format!("{at}/outcome"), outcome)?;
            Deed::Play(Entry::Outcome { outcome })
        }
        EntryFields {
            seat: None,
            mv: None,
            outcome: None,
            rewind: Some(rewind),
            abandon: None,
            ..
        } => Deed::Rewind {
            rewind: read(&format!("{at}/rewind"), rewind)?,
        },
        EntryFields {
            seat: None,
            mv: None,
            outcome: None,
            rewind: None,
            abandon: Some(abandon),
            ..
        } => Deed::Abandon {
            abandon: read(&format!("{at}/abandon"), abandon)?,
        },
        _ => {
            let detail =
                "an entry is a `seat` with its `move`, or an `outcome`, `rewind` or `abandon`";
            return Err(Unjudgeable::at(at, detail));
        }
    };
    let by = match fields.by {
        Some(by) => Some(read(&format!("{at}/by"), by)?),
        None => None,
    };
    Ok(RecordEntry {
        deed,
        by,
        at: fields.at,
        occurred_at: fields.occurred_at,
    })
}

#[cfg(test)]
mod tests;
