//! Small types for what is written in JSON, and whether JSON was read as what it is.

use std::borrow::Cow;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::Value;
use serde_json::value::RawValue;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// A whole number from `MIN` to `MAX`: a place or index that every game of a kind has. Another
/// number is a malformed request, not an illegal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Index<const MIN: u8, const MAX: u8>(u8);

impl<const MIN: u8, const MAX: u8> Index<MIN, MAX> {
    /// The index, if it lies within the bounds.
    pub const fn new(value: u8) -> Option<Self> {
        if value >= MIN && value <= MAX {
            Some(Self(value))
        } else {
            None
        }
    }

    /// All indices in order.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (MIN..=MAX).map(Self)
    }

    /// The number as it is written.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// The distance from `MIN`, to index a list that holds one item an index.
    pub const fn offset(self) -> usize {
        (self.0 - MIN) as usize
    }
}

impl<const MIN: u8, const MAX: u8> std::fmt::Display for Index<MIN, MAX> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl<'de, const MIN: u8, const MAX: u8> Deserialize<'de> for Index<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = i64::deserialize(deserializer)?;
        u8::try_from(value).ok().and_then(Self::new).ok_or_else(|| {
            de::Error::custom(format_args!("{value} is not between {MIN} and {MAX}"))
        })
    }
}

impl<const MIN: u8, const MAX: u8> PartialSchema for Index<MIN, MAX> {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::Integer)
            .minimum(Some(MIN))
            .maximum(Some(MAX))
            .into()
    }
}

impl<const MIN: u8, const MAX: u8> ToSchema for Index<MIN, MAX> {
    fn name() -> Cow<'static, str> {
        Cow::Owned(format!("Index{MIN}to{MAX}"))
    }
}

/// Where and how `read`, the JSON form of what was made of `sent`, leaves out or reinterprets a part
/// of it: a JSON Pointer and what is wrong there.
///
/// Derived deserializers take an array for any struct, field by field, an object for the name of a
/// variant, and a number for a variant's name where they had buffered it; and they ignore unknown
/// fields beside the tag of a unit variant. A field that says nothing (`null`, `false` or an empty
/// list) may be left out.
pub fn misread(sent: &Value, read: &Value) -> Option<(String, String)> {
    match (sent, read) {
        (Value::Object(sent), Value::Object(read)) => {
            sent.iter().find_map(|(name, sent)| match read.get(name) {
                Some(read) => misread(sent, read).map(below(name)),
                None if says_nothing(sent) => None,
                None => Some((String::new(), format!("unknown field `{name}`"))).map(below(name)),
            })
        }
        (Value::Array(sent), Value::Array(read)) => sent
            .iter()
            .zip(read)
            .enumerate()
            .find_map(|(index, (sent, read))| misread(sent, read).map(below(&index.to_string()))),
        (Value::Null, _) => None,
        _ if type_of(sent) == type_of(read) => None,
        _ => {
            let (sent, read) = (type_of(sent), type_of(read));
            Some((
                String::new(),
                format!("invalid type: {sent}, expected {read}"),
            ))
        }
    }
}

/// Whether `sent` is what `read` is written as, to the byte: then nothing of it is [`misread`], which
/// takes longer to find out.
pub fn is_verbatim<T: Serialize>(sent: &[u8], read: &T) -> bool {
    serde_json::to_vec(read).is_ok_and(|written| written == sent)
}

fn says_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Array(items) => items.is_empty(),
        Value::Bool(true) | Value::Number(_) | Value::String(_) | Value::Object(_) => false,
    }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// Puts a place under the name of what holds it.
fn below(name: &str) -> impl FnOnce((String, String)) -> (String, String) {
    move |(place, why)| (format!("/{}{place}", escape(name)), why)
}

/// A name as a token of a JSON Pointer (RFC 6901, section 3).
pub fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// A part of a request that is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{at}: {detail}")]
pub struct Malformed {
    /// Which part, as a JSON Pointer.
    pub at: String,
    /// What is wrong with it.
    pub detail: String,
}

/// Reads a part that stands at a JSON Pointer. Nothing in it is ignored or reinterpreted.
///
/// # Errors
/// When it is not a `T`.
pub fn read<T: DeserializeOwned + Serialize>(at: &str, text: &RawValue) -> Result<T, Malformed> {
    let malformed = |place: &str, detail: String| Malformed {
        at: format!("{at}{place}"),
        detail,
    };
    let parsed: T =
        serde_json::from_str(text.get()).map_err(|error| malformed("", without_place(&error)))?;
    if is_verbatim(text.get().as_bytes(), &parsed) {
        return Ok(parsed);
    }
    let sent: Value =
        serde_json::from_str(text.get()).map_err(|error| malformed("", without_place(&error)))?;
    let read = serde_json::to_value(&parsed).map_err(|error| malformed("", error.to_string()))?;
    match misread(&sent, &read) {
        Some((place, why)) => Err(malformed(&place, why)),
        None => Ok(parsed),
    }
}

/// The first whole number of a text that alone keeps it from being read as a `T`: one so great, or below
/// zero, that no game has so many of anything.
pub fn number_beyond<T: DeserializeOwned + Serialize>(text: &RawValue) -> Option<i64> {
    let mut value: Value = serde_json::from_str(text.get()).ok()?;
    let mut beyond = None;
    within(&mut value, &mut beyond);
    let text = serde_json::value::to_raw_value(&value).ok()?;
    read::<T>("", &text).ok().and(beyond)
}

/// Puts a number that every game has in the place of those that none has.
fn within(value: &mut Value, beyond: &mut Option<i64>) {
    match value {
        Value::Number(number) => {
            if let Some(found) = number
                .as_i64()
                .filter(|n| !(0..=i64::from(u8::MAX)).contains(n))
            {
                beyond.get_or_insert(found);
                *value = 1.into();
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| within(item, beyond)),
        Value::Object(members) => members.values_mut().for_each(|item| within(item, beyond)),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

/// The message without line and column, which count inside the part alone.
pub fn without_place(error: &serde_json::Error) -> String {
    let message = error.to_string();
    match message.rfind(" at line ") {
        Some(end) => message[..end].to_owned(),
        None => message,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::rulesets::schatz_der_drachen::Move;

    #[test]
    fn a_list_is_no_object() {
        let raw = RawValue::from_string(r#"["stop"]"#.to_owned()).expect("JSON");
        let malformed = read::<Move>("/move", &raw).expect_err("a list");
        assert_eq!(malformed.at, "/move");
        let raw = RawValue::from_string(r#"{"type":"stop"}"#.to_owned()).expect("JSON");
        assert_eq!(read::<Move>("/move", &raw), Ok(Move::Stop {}));
    }

    #[test]
    fn what_was_not_read_as_it_was_sent_is_found() {
        let place = |sent, read| misread(&sent, &read).map(|(place, _)| place);
        let read = json!({"a": [{"b": 1}], "c": 2});
        assert_eq!(place(json!({"a": [{"b": 1}], "c": 2}), read.clone()), None);
        assert_eq!(
            place(json!({"a": [[1]], "c": 2}), read.clone()).as_deref(),
            Some("/a/0")
        );
        assert_eq!(place(json!([[], 2]), read.clone()).as_deref(), Some(""));
        assert_eq!(
            place(json!({"a": [{"b": 1, "x/y": 0}]}), read.clone()).as_deref(),
            Some("/a/0/x~1y")
        );
        assert_eq!(
            place(json!({"c": {"2": null}}), read.clone()).as_deref(),
            Some("/c")
        );
        assert_eq!(place(json!({"c": 2, "d": null, "e": []}), read), None);
        let named = json!({"zone": "hand"});
        assert_eq!(place(json!({"zone": 0}), named).as_deref(), Some("/zone"));
    }
}
