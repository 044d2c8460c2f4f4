//! Gives every variant of a tagged union a name and the union a discriminator.
//!
//! utoipa describes `#[serde(tag = "type")]` enums as a `oneOf` of nameless objects, with or without
//! a `content` field. Generators then invent names, or drop the schema and all that refer to it.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

const TAG: &str = "type";
const SCHEMAS: &str = "#/components/schemas/";

/// Turns each component that is a `oneOf` over objects told apart by a one-value `type` into named
/// components `<union>.<value>` with a discriminator. Other unions stay as they are.
pub(super) fn name(document: &mut Value) {
    let Some(schemas) = document
        .pointer_mut("/components/schemas")
        .and_then(Value::as_object_mut)
    else {
        return;
    };
    let unions: Vec<(String, Vec<Variant>)> = schemas
        .iter()
        .filter_map(|(name, schema)| Some((name.clone(), variants(name, schema, schemas)?)))
        .collect();
    for (name, variants) in unions {
        let union = &mut schemas[&name];
        union["oneOf"] = variants
            .iter()
            .map(|variant| json!({"$ref": variant.reference()}))
            .collect();
        let mapping: BTreeMap<_, _> = variants
            .iter()
            .map(|variant| (&variant.value, variant.reference()))
            .collect();
        union["discriminator"] = json!({"propertyName": TAG, "mapping": mapping});
        for variant in variants {
            if let Some(schema) = variant.schema {
                schemas.insert(variant.component, schema);
            }
        }
    }
}

/// Turns each component that is an `allOf` of an object and of a union into a union: a component
/// `<name>.<member>` for each member, which is an object that is both. Generators merge objects, not
/// an object and a union. What only that union referred to is left out.
pub(super) fn distribute(document: &mut Value) {
    let Some(schemas) = document
        .pointer_mut("/components/schemas")
        .and_then(Value::as_object_mut)
    else {
        return;
    };
    let products: Vec<Product> = schemas
        .iter()
        .filter_map(|(name, schema)| Product::of(name, schema, schemas))
        .collect();
    let mut passed = Vec::new();
    for product in products {
        let component = |member: &String| format!("{}.{member}", product.name);
        let whole = schemas[&product.name].as_object_mut();
        if let Some(whole) = whole {
            whole.remove("allOf");
            let reference = |member| json!({"$ref": format!("{SCHEMAS}{}", component(member))});
            let members = product.members.iter().map(reference).collect();
            whole.insert("anyOf".to_owned(), members);
        }
        for member in &product.members {
            let parts =
                [&product.frame, member].map(|it| json!({"$ref": format!("{SCHEMAS}{it}")}));
            schemas.insert(component(member), json!({"allOf": parts}));
        }
        passed.extend(product.unions);
    }
    for union in passed {
        let reference = format!("\"{SCHEMAS}{union}\"");
        if !document.to_string().contains(&reference)
            && let Some(schemas) = document["components"]["schemas"].as_object_mut()
        {
            schemas.shift_remove(&union);
        }
    }
}

/// A component that is an `allOf` of an object and of a union.
struct Product {
    name: String,
    /// The object.
    frame: String,
    /// The objects that the union consists of.
    members: Vec<String>,
    /// The union, and those in it.
    unions: Vec<String>,
}

impl Product {
    fn of(name: &str, schema: &Value, schemas: &Map<String, Value>) -> Option<Self> {
        let [frame, union] = schema.get("allOf")?.as_array()?.as_slice() else {
            return None;
        };
        let (frame, union) = (target(frame)?, target(union)?);
        let (mut members, mut unions) = (Vec::new(), Vec::new());
        let mut rest = vec![union];
        while let Some(component) = rest.pop() {
            match alternatives(schemas.get(component)?) {
                Some(alternatives) => {
                    unions.push(component.to_owned());
                    rest.extend(alternatives.iter().rev().filter_map(target));
                }
                None => members.push(component.to_owned()),
            }
        }
        (!unions.is_empty()).then(|| Self {
            name: name.to_owned(),
            frame: frame.to_owned(),
            members,
            unions,
        })
    }
}

/// What a union consists of; none when the schema is no union.
fn alternatives(schema: &Value) -> Option<&Vec<Value>> {
    schema.get("anyOf").or(schema.get("oneOf"))?.as_array()
}

struct Variant {
    value: String,
    component: String,
    /// The component's schema, where it is not one already.
    schema: Option<Value>,
}

impl Variant {
    fn reference(&self) -> String {
        format!("{SCHEMAS}{}", self.component)
    }
}

/// The variants of the union `schema`; none when it is no union or not all of it is tagged.
fn variants(union: &str, schema: &Value, schemas: &Map<String, Value>) -> Option<Vec<Variant>> {
    let alternatives = schema.get("oneOf")?.as_array()?;
    alternatives
        .iter()
        .map(|alternative| match target(alternative) {
            Some(component) => Some(Variant {
                value: tag_value(schemas.get(component)?)?,
                component: component.to_owned(),
                schema: None,
            }),
            None => {
                let schema = flatten(alternative, schemas)?;
                let value = tag_value(&schema)?;
                Some(Variant {
                    component: format!("{union}.{value}"),
                    value,
                    schema: Some(schema),
                })
            }
        })
        .collect()
}

/// The component that a reference refers to.
fn target(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.strip_prefix(SCHEMAS)
}

/// The one value that the tag can have.
fn tag_value(schema: &Value) -> Option<String> {
    let tag = schema.get("properties")?.get(TAG)?;
    let value = match (tag.get("const"), tag.get("enum").and_then(Value::as_array)) {
        (Some(value), _) => value,
        (None, Some(values)) if values.len() == 1 => &values[0],
        _ => return None,
    };
    value.as_str().map(str::to_owned)
}

/// One object in place of an `allOf` of objects, which is what a variant that holds a struct
/// becomes. Of a union in it, what its members share is required.
fn flatten(schema: &Value, schemas: &Map<String, Value>) -> Option<Value> {
    if let Some(members) = alternatives(schema) {
        return loosen(members, schemas);
    }
    let Some(parts) = schema.get("allOf").and_then(Value::as_array) else {
        return Some(schema.clone());
    };
    let mut whole = schema.as_object()?.clone();
    whole.remove("allOf");
    whole.insert("type".to_owned(), json!("object"));
    for part in parts {
        let part = target(part).map_or(Some(part), |component| schemas.get(component))?;
        let part = flatten(part, schemas)?;
        let properties = part.get("properties")?.as_object()?.clone();
        let required = part.get("required").and_then(Value::as_array).cloned();
        let into = whole.entry("properties").or_insert_with(|| json!({}));
        into.as_object_mut()?.extend(properties);
        let into = whole.entry("required").or_insert_with(|| json!([]));
        into.as_array_mut()?.extend(required.into_iter().flatten());
        for key in ["description", "additionalProperties"] {
            if let (Some(value), false) = (part.get(key), whole.contains_key(key)) {
                whole.insert(key.to_owned(), value.clone());
            }
        }
    }
    Some(Value::Object(whole))
}

/// One object that every member of a union is.
fn loosen(members: &[Value], schemas: &Map<String, Value>) -> Option<Value> {
    let mut properties = Map::new();
    let mut required: Option<Vec<Value>> = None;
    for member in members {
        let member = target(member).map_or(Some(member), |component| schemas.get(component))?;
        for (name, property) in member.get("properties")?.as_object()? {
            match (properties.get_mut(name), property.get("enum")) {
                (None, _) => drop(properties.insert(name.clone(), property.clone())),
                (Some(known), Some(more)) => {
                    let more = more.as_array()?.iter().cloned();
                    known.get_mut("enum")?.as_array_mut()?.extend(more);
                }
                (Some(known), None) if known == property => {}
                (Some(_), None) => return None,
            }
        }
        let own = member.get("required").and_then(Value::as_array).cloned();
        let own = own.unwrap_or_default();
        match &mut required {
            None => required = Some(own),
            Some(shared) => shared.retain(|name| own.contains(name)),
        }
    }
    Some(json!({"type": "object", "properties": properties, "required": required}))
}

#[cfg(test)]
mod tests {
    use super::*;
    use utoipa::OpenApi;

    /// Only their schemas are looked at.
    #[allow(dead_code)]
    mod toy {
        use serde::Deserialize;
        use utoipa::ToSchema;

        #[derive(Deserialize, ToSchema)]
        #[schema(as = toy::Move)]
        #[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
        pub(super) enum Move {
            /// Turns a tile.
            Reveal {
                slot: u8,
            },
            Pass,
            Swap(Pair),
        }

        #[derive(Deserialize, ToSchema)]
        #[schema(as = toy::Pair)]
        #[serde(deny_unknown_fields)]
        pub(super) struct Pair {
            from: u8,
            to: u8,
        }

        #[derive(Deserialize, ToSchema)]
        #[schema(as = toy::Event)]
        #[serde(tag = "type", content = "data", rename_all = "snake_case")]
        pub(super) enum Event {
            Revealed { slot: u8 },
            Swapped(Pair),
        }

        #[derive(Deserialize, ToSchema)]
        #[schema(as = toy::Answer)]
        #[serde(untagged)]
        pub(super) enum Answer {
            Number(u8),
            Text(String),
        }
    }

    #[derive(OpenApi)]
    #[openapi(components(schemas(toy::Move, toy::Event, toy::Answer)))]
    struct Toy;

    fn schemas() -> Value {
        let mut document = serde_json::to_value(Toy::openapi()).unwrap();
        name(&mut document);
        document["components"]["schemas"].take()
    }

    #[test]
    fn variants_of_a_tagged_union_get_names() {
        let schemas = schemas();
        assert_eq!(
            schemas["toy.Move"]["oneOf"],
            json!([
                {"$ref": "#/components/schemas/toy.Move.reveal"},
                {"$ref": "#/components/schemas/toy.Move.pass"},
                {"$ref": "#/components/schemas/toy.Move.swap"}
            ])
        );
        assert_eq!(
            schemas["toy.Move"]["discriminator"],
            json!({"propertyName": "type", "mapping": {
                "pass": "#/components/schemas/toy.Move.pass",
                "reveal": "#/components/schemas/toy.Move.reveal",
                "swap": "#/components/schemas/toy.Move.swap"
            }})
        );
        let reveal = &schemas["toy.Move.reveal"];
        assert_eq!(reveal["description"], "Turns a tile.");
        assert_eq!(reveal["properties"]["type"]["enum"], json!(["reveal"]));
        assert_eq!(reveal["required"], json!(["slot", "type"]));
    }

    #[test]
    fn a_variant_that_holds_a_struct_becomes_one_object() {
        let swap = &schemas()["toy.Move.swap"];
        assert!(swap.get("allOf").is_none());
        let properties: Vec<_> = swap["properties"].as_object().unwrap().keys().collect();
        assert_eq!(properties, ["from", "to", "type"]);
        assert_eq!(swap["required"], json!(["from", "to", "type"]));
        assert_eq!(swap["additionalProperties"], json!(false));
    }

    #[test]
    fn a_union_with_a_content_field_gets_names_too() {
        let schemas = schemas();
        assert_eq!(
            schemas["toy.Event"]["discriminator"]["mapping"],
            json!({
                "revealed": "#/components/schemas/toy.Event.revealed",
                "swapped": "#/components/schemas/toy.Event.swapped"
            })
        );
        assert!(
            schemas["toy.Event.swapped"]["properties"]
                .get("data")
                .is_some()
        );
    }

    #[test]
    fn a_union_without_tags_stays_as_it_is() {
        let schemas = schemas();
        assert!(schemas["toy.Answer"].get("discriminator").is_none());
        assert_eq!(schemas["toy.Answer"]["oneOf"].as_array().unwrap().len(), 2);
    }

    #[test]
    fn a_union_of_named_structs_gets_a_discriminator() {
        let tagged = |value: &str| json!({"type": "object", "properties": {"type": {"type": "string", "const": value}}});
        let mut document = json!({"components": {"schemas": {
            "A": tagged("a"),
            "B": tagged("b"),
            "Union": {"oneOf": [
                {"$ref": "#/components/schemas/A"},
                {"$ref": "#/components/schemas/B"}
            ]}
        }}});
        name(&mut document);
        let union = &document["components"]["schemas"]["Union"];
        assert_eq!(
            union["discriminator"]["mapping"]["b"],
            "#/components/schemas/B"
        );
        assert_eq!(
            document["components"]["schemas"].as_object().unwrap().len(),
            3
        );
    }
}
