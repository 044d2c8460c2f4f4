//! Writes every refusal of every operation into the document, with an example of each code.
//!
//! A handler lists the statuses that are its own, without a body: `(status = 409, description =
//! "disputed | not_over")` for these codes, or an empty description for all codes of the status.
//! Those that any operation can answer are added here.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::problem::{BrokenRule, Code, MEDIA_TYPE, Problem};

/// What every operation can answer.
const ALWAYS: [Code; 5] = [
    Code::InvalidRequest,
    Code::NotAcceptable,
    Code::TooManyRequests,
    Code::Internal,
    Code::Unavailable,
];

/// What every operation with a body can answer.
const WITH_BODY: [Code; 3] = [Code::Timeout, Code::TooLarge, Code::UnsupportedMediaType];

/// Replaces refusals without a body by references to shared responses, and adds the general ones.
pub(super) fn describe(document: &mut Value) {
    let mut shared = BTreeMap::new();
    for operation in super::operations(document) {
        let has_body = operation.contains_key("requestBody");
        let Some(responses) = operation
            .get_mut("responses")
            .and_then(Value::as_object_mut)
        else {
            continue;
        };
        let general = if has_body { &WITH_BODY[..] } else { &[] };
        for code in ALWAYS.iter().chain(general) {
            responses
                .entry(code.status().to_string())
                .or_insert_with(|| json!({}));
        }
        for (status, response) in responses.iter_mut() {
            let Ok(status @ 400..) = status.parse::<u16>() else {
                continue;
            };
            if response.get("content").is_some() || response.get("$ref").is_some() {
                continue;
            }
            let codes = codes(status, response);
            let name = codes
                .iter()
                .map(|code| code.name())
                .collect::<Vec<_>>()
                .join(".");
            *response = json!({"$ref": format!("#/components/responses/{name}")});
            shared.insert(name, codes);
        }
        sort(responses);
    }
    if let Some(components) = document["components"].as_object_mut() {
        let responses = components.entry("responses").or_insert_with(|| json!({}));
        for (name, codes) in shared {
            responses[name] = response(&codes);
        }
    }
}

/// The codes that a handler's response without a body stands for.
fn codes(status: u16, response: &Value) -> Vec<Code> {
    let listed = response
        .get("description")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let named: Option<Vec<Code>> = listed
        .split('|')
        .map(|name| Code::from_name(name.trim()))
        .collect();
    named.unwrap_or_else(|| Code::with_status(status).collect())
}

fn sort(responses: &mut Map<String, Value>) {
    let sorted: BTreeMap<String, Value> = std::mem::take(responses).into_iter().collect();
    responses.extend(sorted);
}

fn response(codes: &[Code]) -> Value {
    let description: Vec<String> = codes
        .iter()
        .map(|code| format!("`{}`: {}", code.name(), code.about()))
        .collect();
    let examples: Map<String, Value> = codes
        .iter()
        .map(|code| {
            (
                code.name().to_owned(),
                json!({"summary": code.title(), "value": example(*code)}),
            )
        })
        .collect();
    let mut response = json!({
        "description": description.join("\n\n"),
        "content": {MEDIA_TYPE: {
            "schema": {"$ref": "#/components/schemas/Problem"},
            "examples": examples
        }}
    });
    let header = match codes.first() {
        Some(Code::TooManyRequests | Code::Unavailable) => {
            json!({"Retry-After": {
                "description": "Seconds to wait before another try.",
                "required": true,
                "schema": {"type": "integer", "minimum": 0},
                "example": 1
            }})
        }
        Some(Code::Unauthorized) => {
            json!({"WWW-Authenticate": {
                "description": "The scheme that tokens are sent with.",
                "required": true,
                "schema": {"type": "string"},
                "example": "Bearer"
            }})
        }
        _ => return response,
    };
    response["headers"] = header;
    response
}

fn example(code: Code) -> Value {
    let rule = |id: &str, title: &str, text: &str| BrokenRule {
        id: id.to_owned(),
        title: title.to_owned(),
        text: text.to_owned(),
    };
    let a_second = Duration::from_secs(1);
    let problem = match code {
        Code::InvalidRequest => {
            Problem::invalid_field("/move/slot", "invalid type: integer `4`, expected a string")
        }
        Code::Unauthorized => Problem::unauthorized(),
        Code::Forbidden => Problem::forbidden("this token belongs to another game"),
        Code::HistoryClosed => Problem::history_closed(),
        Code::NotFound => Problem::not_found(),
        Code::MethodNotAllowed => Problem::method_not_allowed("GET, HEAD"),
        Code::NotAcceptable => Problem::not_acceptable(["application/json"]),
        Code::Timeout => Problem::timeout(),
        Code::IdempotencyConflict => Problem::idempotency_conflict(),
        Code::Disputed => Problem::disputed(),
        Code::DisputeOver => Problem::dispute_over(),
        Code::NotOver => Problem::not_over(),
        Code::VersionMismatch => Problem::version_mismatch(9),
        Code::TooLarge => Problem::too_large(crate::body::LARGEST_BODY),
        Code::UnsupportedMediaType => Problem::unsupported_media_type("application/json"),
        Code::IllegalMove => Problem::illegal_move(
            rule(
                "CM-2",
                "Out of turn",
                "Only the seat whose turn it is may move.",
            ),
            "it is the turn of seat 1",
            9,
            vec![8],
        ),
        Code::InvalidSetup => Problem::invalid_setup(
            rule(
                "CM-5",
                "Possible positions",
                "A game starts from a position that can occur.",
            ),
            "a card is missing",
        ),
        Code::TooManyRequests => Problem::too_many_requests(a_second),
        Code::Internal => Problem::internal(""),
        Code::Unavailable => Problem::unavailable(a_second, ""),
    };
    let body = problem.body("/v1/games/019ad0c4-8f5e-7b60-a7c1-3f0a4d3c9e21/moves");
    serde_json::from_slice(&body).expect("a problem is JSON")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(operation: Value) -> Value {
        let mut document =
            json!({"paths": {"/a": {"post": operation}}, "components": {"schemas": {}}});
        describe(&mut document);
        document
    }

    fn statuses(document: &Value) -> Vec<&String> {
        document["paths"]["/a"]["post"]["responses"]
            .as_object()
            .unwrap()
            .keys()
            .collect()
    }

    #[test]
    fn what_any_operation_can_answer_is_added() {
        let document = described(json!({"responses": {"200": {"description": ""}}}));
        assert_eq!(
            statuses(&document),
            ["200", "400", "406", "429", "500", "503"]
        );
        let document =
            described(json!({"requestBody": {}, "responses": {"200": {"description": ""}}}));
        assert_eq!(
            statuses(&document),
            [
                "200", "400", "406", "408", "413", "415", "429", "500", "503"
            ]
        );
    }

    #[test]
    fn a_status_without_codes_stands_for_all_of_its_codes() {
        let document = described(json!({"responses": {"409": {"description": ""}}}));
        assert_eq!(
            document["paths"]["/a"]["post"]["responses"]["409"]["$ref"],
            "#/components/responses/idempotency_conflict.disputed.dispute_over.not_over"
        );
    }

    #[test]
    fn listed_codes_are_those_shown() {
        let document =
            described(json!({"responses": {"409": {"description": "disputed | not_over"}}}));
        let shared = &document["components"]["responses"]["disputed.not_over"];
        let examples = shared["content"][MEDIA_TYPE]["examples"]
            .as_object()
            .unwrap();
        assert_eq!(
            examples.keys().collect::<Vec<_>>(),
            ["disputed", "not_over"]
        );
        assert_eq!(examples["disputed"]["value"]["code"], "disputed");
    }

    #[test]
    fn a_response_with_a_body_is_kept() {
        let own = json!({"description": "", "content": {"text/plain": {}}});
        let document = described(json!({"responses": {"400": own}}));
        assert_eq!(document["paths"]["/a"]["post"]["responses"]["400"], own);
    }

    #[test]
    fn every_code_has_an_example_of_its_own() {
        for code in Code::ALL {
            assert_eq!(example(*code)["code"], code.name());
        }
    }
}
