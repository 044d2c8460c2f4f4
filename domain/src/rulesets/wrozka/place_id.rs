//! What places are called.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// The name of a place on a board: any text of at most [`PlaceId::LONGEST`] bytes. It is kept
/// inline and compared by words, so that listing moves and writing events allocates nothing for the
/// places they name.
///
/// The order is good for looking a name up and for nothing else.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlaceId([u64; WORDS]);

const WORDS: usize = PlaceId::LONGEST / size_of::<u64>();

/// What follows the text. No byte of UTF-8 is this one.
const PADDING: u8 = 0xff;

impl PlaceId {
    /// The most bytes of UTF-8 that a name may have (WR-1.2).
    pub const LONGEST: usize = 40;

    /// The name with this text; none when it is too long.
    pub fn new(text: &str) -> Option<Self> {
        let mut bytes = [PADDING; Self::LONGEST];
        bytes
            .get_mut(..text.len())?
            .copy_from_slice(text.as_bytes());
        let mut words = [0; WORDS];
        for (word, chunk) in words.iter_mut().zip(bytes.as_chunks().0) {
            *word = u64::from_be_bytes(*chunk);
        }
        Some(Self(words))
    }
}

impl std::fmt::Display for PlaceId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut bytes = [PADDING; Self::LONGEST];
        for (chunk, word) in bytes.as_chunks_mut().0.iter_mut().zip(self.0) {
            *chunk = word.to_be_bytes();
        }
        let text = bytes.split(|byte| *byte == PADDING).next().unwrap_or(&[]);
        f.write_str(std::str::from_utf8(text).expect("a name is made from a whole text"))
    }
}

impl std::fmt::Debug for PlaceId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.to_string())
    }
}

impl Serialize for PlaceId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PlaceId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        Self::new(&text).ok_or_else(|| {
            de::Error::custom(format_args!(
                "no place has a name of {} bytes: {} is the most",
                text.len(),
                Self::LONGEST
            ))
        })
    }
}

impl PartialSchema for PlaceId {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .max_length(Some(Self::LONGEST))
            .description(Some("The name of a place, at most 40 bytes of UTF-8"))
            .into()
    }
}

impl ToSchema for PlaceId {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("wrozka.PlaceId")
    }
}
