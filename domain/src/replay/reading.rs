//! How a record is written: read part by part, nothing of it ignored or reinterpreted.

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use super::Unjudgeable;
use crate::dealer::Mode;
use crate::ruleset::{Opening, Ruleset, Setup};
use crate::rulesets::GameKind;
use crate::wire::{read, without_place};

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
    /// The position that it began with; the first one when left out.
    pub position: Option<&'a RawValue>,
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
    #[serde(default, borrow)]
    position: Option<&'a RawValue>,
    #[serde(default)]
    masked: bool,
    /// What the names were hashed with. Names are not judged.
    #[serde(default, rename = "names_salt")]
    _names_salt: Option<String>,
    #[serde(default, borrow)]
    entries: Option<Parts<'a>>,
    #[serde(default, borrow)]
    events: Option<Parts<'a>>,
}

/// The most entries or events that a record may have. A game has thousands; more than this fit in a
/// request only when they say nothing, and would take many times their size to tell so.
pub(super) const MOST_PARTS: usize = 1_000_000;

/// The longest that an entry, an event or a part of the header may be, in bytes. What is read of a
/// part can take many times its size.
pub(super) const LONGEST_PART: usize = 1 << 20;

/// Entries or events, still to be read.
#[derive(Default)]
struct Parts<'a>(Vec<&'a RawValue>);

impl<'a> Parts<'a> {
    fn push(&mut self, part: &'a RawValue) -> Result<(), String> {
        if self.0.len() == MOST_PARTS {
            return Err(format!(
                "a record has at most {MOST_PARTS} entries or events"
            ));
        }
        expect_short(part)?;
        self.0.push(part);
        Ok(())
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Parts<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct List;

        impl<'de> Visitor<'de> for List {
            type Value = Parts<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a list")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Parts<'de>, A::Error> {
                let mut parts = Parts::default();
                while let Some(part) = items.next_element()? {
                    parts.push(part).map_err(A::Error::custom)?;
                }
                Ok(parts)
            }
        }

        deserializer.deserialize_seq(List)
    }
}

/// Makes sure that a part is not too long to be read.
fn expect_short(part: &RawValue) -> Result<(), String> {
    match part.get().len() <= LONGEST_PART {
        true => Ok(()),
        false => Err(format!(
            "a part of a record has at most {LONGEST_PART} bytes"
        )),
    }
}

/// A seat of a record.
#[derive(Clone, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordSeat {
    /// The player's name.
    pub name: String,
}

/// The lines of NDJSON that are not empty, numbered from 1.
pub fn lines(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    (1..)
        .zip(text.split(|byte| *byte == b'\n'))
        .map(|(number, line)| (number, line.trim_ascii()))
        .filter(|(_, line)| !line.is_empty())
}

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
            let parts = list.get_or_insert_default();
            (parts.push(told)).map_err(|why| Unjudgeable::at_line(number, why))?;
        }
        if fields.events.is_none() {
            fields.entries.get_or_insert_default();
        }
        Self::read(fields)
    }

    fn read(fields: RecordFields<'a>) -> Result<Self, Unjudgeable> {
        if fields.format != FORMAT {
            return Err(Unjudgeable::at("/format", format!("this judges {FORMAT}")));
        }
        let header = [
            ("/game", Some(fields.game)),
            ("/mode", Some(fields.mode)),
            ("/seats", Some(fields.seats)),
            ("/options", fields.options),
        ];
        for (pointer, part) in header {
            (part.map_or(Ok(()), expect_short)).map_err(|why| Unjudgeable::at(pointer, why))?;
        }
        if fields.entries.is_none() && fields.events.is_none() {
            let detail = "a record has entries, or events, or both";
            return Err(Unjudgeable::at("", detail));
        }
        if (fields.events.as_ref()).is_some_and(|events| events.0.is_empty()) {
            let detail = "events begin with the one that creates the game";
            return Err(Unjudgeable::at("/events", detail));
        }
        Ok(Self {
            game: read("/game", fields.game)?,
            rules_version: fields.rules_version,
            mode: read("/mode", fields.mode)?,
            seats: read("/seats", fields.seats)?,
            options: fields.options,
            position: fields.position,
            masked: fields.masked,
            entries: fields.entries.map(|parts| parts.0),
            events: fields.events.map(|parts| parts.0),
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

/// What the record's game began with.
pub(super) fn opening_of<R: Ruleset>(
    record: &Record<'_>,
    judged_by: Option<u16>,
) -> Result<Opening<R>, Unjudgeable> {
    let options = match record.options {
        Some(text) => read("/options", text)?,
        None => R::Options::default(),
    };
    let rules_version = judged_by.or(record.rules_version).unwrap_or(R::VERSIONS[0]);
    if !R::VERSIONS.contains(&rules_version) {
        let detail = format!("there is no version {rules_version} of these rules");
        return Err(Unjudgeable::at("/rules_version", detail));
    }
    let position = record.position.map(|text| read("/position", text));
    Ok(Opening {
        setup: Setup {
            seats: count(record.seats.len()),
            options,
            rules_version,
            mode: record.mode,
        },
        position: position.transpose()?,
    })
}

/// The number of seats; more than a byte counts are as many as no game allows.
pub(super) fn count(seats: usize) -> u8 {
    u8::try_from(seats).unwrap_or(u8::MAX)
}
