//! The OpenAPI document: what utoipa collects from the handlers, finished so that code generators
//! understand it.

mod event;
mod problems;
mod variants;

pub use event::EventSchema;

use bytes::Bytes;
use serde_json::{Value, json};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};

/// The security scheme's name: `security(("token" = []))` in a handler's description.
pub const TOKEN: &str = "token";

/// What stands in the document beside the operations.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Referee",
        description = "Judges board and card games, and keeps the record that everybody trusts.\n\n\
                       Requests are JSON in UTF-8; unknown fields, values and query parameters are \
                       refused. Responses may gain fields. Integers are written without a fraction. \
                       Refusals are `application/problem+json` (RFC 9457) with a stable `code`.",
        contact(name = "The Referee authors"),
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    servers((url = "/", description = "The server that this document comes from")),
    components(schemas(crate::problem::Details)),
    modifiers(&Tokens),
    tags(
        (name = "games", description = "Creating games, finding them, claiming seats, ending them"),
        (name = "moves", description = "Moves, declarations, and what would come of them"),
        (name = "reading", description = "What happened, how it stands, and whether it holds together"),
        (name = "disputes", description = "What is said to have happened otherwise, and how it is put right"),
        (name = "tables", description = "What a table with real cards needs"),
        (name = "records", description = "A whole game, to carry away"),
        (name = "rulebooks", description = "The rules, as they are cited"),
        (name = "service", description = "The server itself: health, keys, documentation"),
    )
)]
struct Head;

struct Tokens;

impl Modify for Tokens {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let scheme = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some(
                "The token of a seat or of the host, as creation or claim gave it.",
            ))
            .build();
        document
            .components
            .get_or_insert_default()
            .add_security_scheme(TOKEN, SecurityScheme::Http(scheme));
    }
}

/// The document without operations, for the router to fill.
pub fn head() -> utoipa::openapi::OpenApi {
    Head::openapi()
}

/// The finished document.
#[derive(Clone, Debug)]
pub struct Document(Value);

impl Document {
    /// Finishes what utoipa collected.
    pub fn finish(collected: &utoipa::openapi::OpenApi) -> Self {
        let mut document =
            serde_json::to_value(collected).expect("an OpenAPI document has a JSON form");
        variants::name(&mut document);
        variants::distribute(&mut document);
        problems::describe(&mut document);
        variants::open(&mut document);
        for operation in operations(&mut document) {
            operation.entry("security").or_insert_with(|| json!([]));
        }
        Self(document)
    }

    /// The document as a JSON value.
    pub fn value(&self) -> &Value {
        &self.0
    }

    /// The document for the wire.
    pub fn to_json(&self) -> Bytes {
        Bytes::from(self.0.to_string())
    }

    /// The document for reading and comparing, with a line feed at its end.
    pub fn to_pretty_json(&self) -> Vec<u8> {
        format!("{:#}\n", self.0).into_bytes()
    }
}

/// The operations of a document.
fn operations(document: &mut Value) -> impl Iterator<Item = &mut serde_json::Map<String, Value>> {
    let paths = document["paths"].as_object_mut();
    paths
        .into_iter()
        .flat_map(|paths| paths.values_mut())
        .filter_map(Value::as_object_mut)
        .flat_map(|item| item.values_mut())
        .filter_map(Value::as_object_mut)
        .filter(|operation| operation.contains_key("responses"))
}
