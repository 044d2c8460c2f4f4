//! What places are called.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// The name of a place on a board: any text of at most [`PlaceId::LONGEST`] bytes. It is kept
/// inline, so that listing moves and writing events allocates nothing for the places they name.
///
/// The order is one by length first, good for looking a name up and for nothing else.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlaceId {
    length: u8,
    bytes: [u8; Self::LONGEST],
}

impl PlaceId {
    /// The most bytes of UTF-8 that a name may have (WR-1.2).
    pub const LONGEST: usize = 64;

    /// The name with this text; none when it is too long.
    pub fn new(text: &str) -> Option<Self> {
        let mut bytes = [0; Self::LONGEST];
        bytes
            .get_mut(..text.len())?
            .copy_from_slice(text.as_bytes());
        Some(Self {
            length: text.len() as u8,
            bytes,
        })
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..usize::from(self.length)])
            .expect("a place's name is copied from a whole text")
    }
}

impl std::fmt::Display for PlaceId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl std::fmt::Debug for PlaceId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.as_str())
    }
}

impl Serialize for PlaceId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
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
            .description(Some("The name of a place, at most 64 bytes of UTF-8"))
            .into()
    }
}

impl ToSchema for PlaceId {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("wrozka.PlaceId")
    }
}
