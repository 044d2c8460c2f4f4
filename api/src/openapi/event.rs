//! How an event is described in the document: its frame, with the content of any game.

use std::borrow::Cow;

use chrono::{DateTime, Utc};
use domain::record::Hash;
use domain::rulesets::AnyEvent;
use domain::seat::{Actor, By};
use utoipa::openapi::schema::{AllOfBuilder, Schema};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

/// What stands around the content of every event.
#[derive(ToSchema)]
#[allow(dead_code, reason = "only its description is used")]
struct EventFrame {
    /// The schema version that it is written in.
    v: u8,
    /// Its number in the game, from 1 without gaps.
    #[schema(minimum = 1)]
    seq: u64,
    /// When the referee recorded it.
    at: DateTime<Utc>,
    /// When it happened, where the players said so.
    occurred_at: Option<DateTime<Utc>>,
    /// Whom it speaks for.
    actor: Actor,
    /// Whose token did it; absent where nobody's did.
    by: Option<By>,
    /// The id of the rule that caused it, where it is a consequence.
    rule: Option<String>,
    /// The seq of the entry that is recorded again here, on a corrected past.
    replays: Option<u64>,
    /// The hash of the event before it; 64 zeros at first.
    prev: Hash,
    /// SHA-256 over the RFC 8785 (JCS) form of the event without `hash`, as it is when nothing is
    /// hidden.
    hash: Hash,
    /// 16 random bytes in hex that are hashed with what the event hides; shown when the game is
    /// over.
    salt: Option<String>,
}

/// An event, as it is served.
pub enum EventSchema {}

impl PartialSchema for EventSchema {
    fn schema() -> RefOr<Schema> {
        AllOfBuilder::new()
            .description(Some("Something that happened in a game."))
            .item(Ref::from_schema_name(EventFrame::name()))
            .item(Ref::from_schema_name(AnyEvent::name()))
            .into()
    }
}

impl ToSchema for EventSchema {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("Event")
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((EventFrame::name().into_owned(), EventFrame::schema()));
        schemas.push((AnyEvent::name().into_owned(), AnyEvent::schema()));
        EventFrame::schemas(schemas);
        AnyEvent::schemas(schemas);
    }
}
