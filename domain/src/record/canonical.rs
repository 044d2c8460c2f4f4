//! RFC 8785 (JCS) text.
//!
//! What this crate writes has identifiers for names and no number but integers below 2^53. Of the
//! RFC's demands serde_json then meets all but one as it is, the order of an object's members, and
//! comparing the names' bytes compares their UTF-16 code units, as the RFC asks. This is done here in
//! one pass, because it is where recording a move would spend its time. What others have written may
//! be anything, and is left to a library that takes any name and any number.

use std::cell::RefCell;
use std::io;
use std::ops::Range;

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{CompactFormatter, Formatter};

/// As long as most events are, in bytes.
const TYPICAL: usize = 768;

/// 2^53 - 1.
const LARGEST_INTEGER: u64 = (1 << 53) - 1;

/// The RFC 8785 (JCS) form of a value.
///
/// # Panics
/// When the value has no JSON form: a map whose keys are no text. No type of this crate does.
pub fn canonical<T: Serialize + ?Sized>(value: &T) -> String {
    write(value)
        .or_else(|_| serde_json_canonicalizer::to_string(&value))
        .expect("records serialise to JSON")
}

/// The text of a value that is like ours.
fn write<T: Serialize + ?Sized>(value: &T) -> serde_json::Result<String> {
    let text = RefCell::new(Vec::with_capacity(TYPICAL));
    value.serialize(&mut Serializer::with_formatter(
        Text(&text),
        InOrder::over(&text),
    ))?;
    Ok(String::from_utf8(text.into_inner()).expect("JSON is UTF-8"))
}

/// Where the text is written. The formatter moves about what is there already.
struct Text<'t>(&'t RefCell<Vec<u8>>);

impl io::Write for Text<'_> {
    #[inline]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Puts the members of each object in order when the object ends.
struct InOrder<'t> {
    text: &'t RefCell<Vec<u8>>,
    /// The members of all objects that have not ended, one object's after the other's.
    members: Vec<Member>,
    /// For each object that has not ended, where its members begin in that list.
    objects: Vec<usize>,
    ordered: Vec<u8>,
}

/// Where a member of an object is written.
struct Member {
    /// Its name, without the quotes.
    name: Range<usize>,
    /// Where its value ends.
    end: usize,
}

impl<'t> InOrder<'t> {
    fn over(text: &'t RefCell<Vec<u8>>) -> Self {
        Self {
            text,
            members: Vec::with_capacity(24),
            objects: Vec::with_capacity(8),
            ordered: Vec::with_capacity(TYPICAL),
        }
    }

    fn position(&self) -> usize {
        self.text.borrow().len()
    }

    fn last(&mut self) -> &mut Member {
        self.members
            .last_mut()
            .expect("a name and a value belong to a member")
    }
}

impl Formatter for InOrder<'_> {
    fn begin_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.objects.push(self.members.len());
        writer.write_all(b"{")
    }

    fn begin_object_key<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        if !first {
            writer.write_all(b",")?;
        }
        let name = self.position() + 1;
        self.members.push(Member {
            name: name..name,
            end: name,
        });
        Ok(())
    }

    fn end_object_key<W: ?Sized + io::Write>(&mut self, _: &mut W) -> io::Result<()> {
        let end = self.position() - 1;
        let member = self.last();
        member.name.end = end;
        let name = member.name.clone();
        let identifier = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        match self.text.borrow()[name].iter().all(identifier) {
            true => Ok(()),
            false => Err(io::Error::other("a name that is no identifier")),
        }
    }

    fn end_object_value<W: ?Sized + io::Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.last().end = self.position();
        Ok(())
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, _: &mut W) -> io::Result<()> {
        let first = self.objects.pop().expect("an object ends once");
        let mut text = self.text.borrow_mut();
        let members = &mut self.members[first..];
        let name = |member: &Member| &text[member.name.clone()];
        if !members.is_sorted_by(|a, b| name(a) <= name(b)) {
            let begin = members[0].name.start - 1;
            members.sort_unstable_by(|a, b| name(a).cmp(name(b)));
            self.ordered.clear();
            for member in members {
                self.ordered
                    .extend_from_slice(&text[member.name.start - 1..member.end]);
                self.ordered.push(b',');
            }
            self.ordered.pop();
            text.truncate(begin);
            text.extend_from_slice(&self.ordered);
        }
        text.push(b'}');
        self.members.truncate(first);
        Ok(())
    }

    fn write_u64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: u64) -> io::Result<()> {
        match value > LARGEST_INTEGER {
            true => Err(io::Error::other("an integer that a double does not hold")),
            false => CompactFormatter.write_u64(writer, value),
        }
    }

    fn write_i64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: i64) -> io::Result<()> {
        match value.unsigned_abs() > LARGEST_INTEGER {
            true => Err(io::Error::other("an integer that a double does not hold")),
            false => CompactFormatter.write_i64(writer, value),
        }
    }

    fn write_f64<W: ?Sized + io::Write>(&mut self, _: &mut W, _: f64) -> io::Result<()> {
        Err(io::Error::other("a fraction"))
    }

    fn write_raw_fragment<W: ?Sized + io::Write>(&mut self, _: &mut W, _: &str) -> io::Result<()> {
        Err(io::Error::other("raw JSON"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    /// JSON with names like these and numbers like those.
    fn json(
        names: &'static str,
        numbers: impl Strategy<Value = Value> + 'static,
    ) -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
            numbers,
        ];
        leaf.prop_recursive(5, 64, 6, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::vec((names, inner), 0..6)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    fn integers() -> impl Strategy<Value = Value> {
        (-(1_i64 << 53) + 1..1 << 53).prop_map(Value::from)
    }

    fn library(value: &Value) -> String {
        serde_json_canonicalizer::to_string(value).expect("it is JSON")
    }

    proptest! {
        #[test]
        fn what_is_like_ours_is_written_as_the_library_writes_it(
            value in json("[a-z_A-Z0-9]{0,4}", integers())
        ) {
            prop_assert_eq!(write(&value).ok(), Some(library(&value)));
        }

        #[test]
        fn anything_else_is_written_too(
            value in json(
                ".{0,3}",
                prop_oneof![integers(), any::<f64>().prop_map(Value::from), any::<i64>().prop_map(Value::from)]
            )
        ) {
            prop_assert_eq!(canonical(&value), library(&value));
        }
    }

    #[test]
    fn members_are_in_order_at_every_depth() {
        let value =
            json!({"b": [{"d": 1, "c": {}}, []], "a_": "\u{e5}\n\"\u{1}", "a": null, "B": true});
        assert_eq!(
            write(&value).ok().as_deref(),
            Some(
                "{\"B\":true,\"a\":null,\"a_\":\"\u{e5}\\n\\\"\\u0001\",\"b\":[{\"c\":{},\"d\":1},[]]}"
            )
        );
    }

    #[test]
    fn what_is_not_like_ours_is_not_mistaken_for_it() {
        for value in [
            json!(0.5),
            json!(1_u64 << 53),
            json!([{"\u{e5}": 1}]),
            json!({"a-b": 1}),
        ] {
            assert!(write(&value).is_err(), "{value}");
        }
        assert!(write(&serde_json::value::to_raw_value(&1).expect("it is JSON")).is_err());
    }
}
