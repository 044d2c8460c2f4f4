//! Cards of which only the numbers matter, in JSON.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{AdditionalProperties, ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use super::{Bag, Card};

/// A bag in JSON: how many cards there are of each kind, `{"7":2,"joker":1}`, in the order of the
/// rulebook. A kind of which there are none is left out, so that every bag is written in one way.
///
/// Derived schemas take it under a name without parameters, such as `type CardCounts = Counts<Card>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts<C: Card>(Bag<C>);

impl<C: Card> From<Bag<C>> for Counts<C> {
    fn from(bag: Bag<C>) -> Self {
        Self(bag)
    }
}

impl<C: Card> From<Counts<C>> for Bag<C> {
    fn from(counts: Counts<C>) -> Self {
        counts.0
    }
}

impl<C: Card> Counts<C> {
    /// The cards.
    pub fn bag(&self) -> &Bag<C> {
        &self.0
    }
}

impl<C: Card> Serialize for Counts<C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.kinds().map(|(card, count)| (card.name(), count)))
    }
}

impl<'de, C: Card + Deserialize<'de>> Deserialize<'de> for Counts<C> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(KindVisitor(PhantomData))
    }
}

/// Reads counts kind by kind.
struct KindVisitor<C>(PhantomData<C>);

impl<'de, C: Card + Deserialize<'de>> Visitor<'de> for KindVisitor<C> {
    type Value = Counts<C>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object of cards with their numbers, each from 1 to 255")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut kinds: A) -> Result<Self::Value, A::Error> {
        let mut bag = Bag::EMPTY;
        while let Some((card, count)) = kinds.next_entry::<C, u8>()? {
            let name = card.name();
            if bag.has(card) {
                return Err(A::Error::custom(format_args!("`{name}` is counted twice")));
            }
            if count == 0 {
                let message = format_args!("`{name}` is counted 0 times, and is left out then");
                return Err(A::Error::custom(message));
            }
            bag.add_many(card, count);
        }
        Ok(Counts(bag))
    }
}

impl<C: Card + ToSchema> PartialSchema for Counts<C> {
    fn schema() -> RefOr<Schema> {
        let count = ObjectBuilder::new()
            .schema_type(Type::Integer)
            .minimum(Some(1))
            .maximum(Some(u8::MAX));
        ObjectBuilder::new()
            .additional_properties(Some(AdditionalProperties::RefOr(RefOr::T(count.into()))))
            .description(Some(
                "How many cards there are of each kind; a kind of which there are none is left out.",
            ))
            .into()
    }
}

impl<C: Card + ToSchema> ToSchema for Counts<C> {
    fn name() -> Cow<'static, str> {
        Cow::Owned(format!("Counts.{}", <C as ToSchema>::name()))
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        C::schemas(schemas);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::card;

    card! {
        /// A suit.
        enum Suit as testing::Suit {
            Hearts = "hearts",
            Spades = "spades",
        }
    }

    #[test]
    fn kinds_are_counted_in_the_order_of_the_rulebook() {
        let bag: Bag<Suit> = [Suit::Spades, Suit::Hearts, Suit::Spades]
            .into_iter()
            .collect();
        let text = serde_json::to_string(&Counts::from(bag)).expect("counts are written");
        assert_eq!(text, r#"{"hearts":1,"spades":2}"#);
        let read: Counts<Suit> = serde_json::from_str(&text).expect("and read");
        assert_eq!(Bag::from(read), bag);
        assert_eq!(
            serde_json::to_value(Counts::<Suit>::from(Bag::EMPTY)).expect("none"),
            json!({})
        );
    }

    #[test]
    fn what_is_no_count_of_a_kind_is_not_read() {
        for text in [
            r#"{"clubs":1}"#,
            r#"{"hearts":0}"#,
            r#"{"hearts":-1}"#,
            r#"{"hearts":256}"#,
            r#"{"hearts":1,"hearts":1}"#,
            r#"["hearts"]"#,
        ] {
            assert!(
                serde_json::from_str::<Counts<Suit>>(text).is_err(),
                "{text}"
            );
        }
    }
}
