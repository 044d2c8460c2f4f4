//! JSON as this service takes it: what RFC 7493 (I-JSON) asks of a message.
//!
//! Typed parsing refuses most of it by itself, but a part that is kept as it came (a
//! [`RawValue`](serde_json::value::RawValue)) or read as a map would let duplicate names through,
//! and two readers could disagree about what was said.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::error::Category;

/// The largest integer that every JSON reader holds exactly, 2^53 - 1.
const LARGEST_INTEGER: u64 = (1 << 53) - 1;

/// The most members of one object. To know that their names are unique all have to be kept in mind.
const MOST_MEMBERS: usize = 10_000;

/// Checks that `bytes` are one JSON text in UTF-8 without a byte order mark, with unique names in
/// every object, numbers that a double holds, and nesting of at most 127 levels. Gives the text,
/// or what is wrong and where.
pub fn check(bytes: &[u8]) -> Result<&str, String> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| format!("not UTF-8 at byte {}", error.valid_up_to()))?;
    if text.starts_with('\u{FEFF}') {
        return Err("not JSON: it starts with a byte order mark".to_owned());
    }
    let mut deserializer = serde_json::Deserializer::from_str(text);
    Checked
        .deserialize(&mut deserializer)
        .and_then(|()| deserializer.end())
        .map_err(|error| match error.classify() {
            // It is JSON, and not JSON that is taken.
            Category::Data => error.to_string(),
            Category::Io | Category::Syntax | Category::Eof => format!("not JSON: {error}"),
        })?;
    Ok(text)
}

struct Checked;

impl<'de> DeserializeSeed<'de> for Checked {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Checked {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<(), E> {
        if number > LARGEST_INTEGER {
            Err(out_of_range())
        } else {
            Ok(())
        }
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<(), E> {
        self.visit_u64(number.unsigned_abs())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<(), E> {
        if number.abs() > LARGEST_INTEGER as f64 {
            Err(out_of_range())
        } else {
            Ok(())
        }
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        while items.next_element_seed(Checked)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        // Most objects have few members, for which this needs neither a hash nor a table.
        let mut names = BTreeSet::new();
        while let Some(name) = members.next_key_seed(Name)? {
            if let Some(name) = names.replace(name) {
                return Err(A::Error::custom(format_args!("duplicate field `{name}`")));
            }
            if names.len() > MOST_MEMBERS {
                return Err(A::Error::custom(format_args!(
                    "an object with more than {MOST_MEMBERS} members"
                )));
            }
            members.next_value_seed(Checked)?;
        }
        Ok(())
    }
}

/// A member's name, borrowed where it holds no escapes.
struct Name;

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Name {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_borrowed_str<E>(self, name: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(name))
    }

    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(name.to_owned()))
    }
}

fn out_of_range<E: Error>() -> E {
    E::custom(format_args!(
        "a number beyond {LARGEST_INTEGER}, which not every JSON reader holds exactly,"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused(bytes: &[u8], why: &str) {
        let error = check(bytes).expect_err("it should be refused");
        assert!(error.contains(why), "{error}");
    }

    #[test]
    fn json_is_taken_as_it_is() {
        for text in [
            "{}",
            "[]",
            " null ",
            r#"{"a":{"a":[1,-2,0.5,"\u00e5",true]},"b":[{"a":1}]}"#,
        ] {
            assert_eq!(check(text.as_bytes()), Ok(text));
        }
    }

    #[test]
    fn names_are_unique_at_every_depth_however_written() {
        refused(br#"{"a":1,"a":2}"#, "duplicate field `a` at line 1");
        refused(br#"[{"b":{"a":1,"\u0061":1}}]"#, "duplicate field `a`");
    }

    #[test]
    fn text_is_utf8_without_mark_or_tail() {
        refused(b"{\"a\":\"\xff\"}", "not UTF-8 at byte 6");
        refused(b"\xef\xbb\xbf{}", "byte order mark");
        refused(b"{} {}", "trailing characters at line 1 column 4");
        refused(b"", "EOF");
        refused(br#""\ud800""#, "column");
        refused(b"{'a':1}", "column 2");
        refused(b"[NaN]", "column 2");
    }

    #[test]
    fn numbers_are_those_that_every_reader_holds() {
        assert!(check(b"[9007199254740991,-9007199254740991]").is_ok());
        refused(
            b"[9007199254740992]",
            "a number beyond 9007199254740991, which not every JSON reader holds exactly, at line 1",
        );
        refused(b"-9007199254740992", "number beyond");
        refused(b"18446744073709551616", "number beyond");
        refused(b"1e400", "out of range");
    }

    #[test]
    fn what_is_json_is_not_said_to_be_none() {
        for text in [r#"{"a":1,"a":2}"#, "18446744073709551616", "-1e17"] {
            let why = check(text.as_bytes()).expect_err("it should be refused");
            assert!(!why.contains("not JSON"), "{why}");
        }
        refused(b"{1}", "not JSON");
        refused(b"[", "not JSON");
    }

    #[test]
    fn members_are_bounded_in_number() {
        let object = |count: usize| {
            let members: Vec<String> = (0..count).map(|name| format!("\"{name}\":0")).collect();
            format!("[{{{}}}]", members.join(","))
        };
        assert!(check(object(MOST_MEMBERS).as_bytes()).is_ok());
        refused(
            object(MOST_MEMBERS + 1).as_bytes(),
            "more than 10000 members",
        );
    }

    #[test]
    fn nesting_is_bounded() {
        let nested = |depth: usize| [vec![b'['; depth], vec![b']'; depth]].concat();
        assert!(check(&nested(127)).is_ok());
        refused(&nested(128), "recursion limit");
        refused(&vec![b'['; 200_000], "recursion limit");
    }
}
