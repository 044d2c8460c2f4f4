//! Small types for what is written in JSON.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, de};
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
