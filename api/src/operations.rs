//! What the OpenAPI document says of each operation, as far as requests can be held to it without
//! knowing what they mean: which methods a path has, which query parameters an operation takes,
//! and which media types it gives.

use actix_web::dev::ResourceDef;
use actix_web::http::Method;
use serde_json::Value;

/// The operations by path.
#[derive(Debug)]
pub struct Operations(Vec<Path>);

#[derive(Debug)]
struct Path {
    pattern: ResourceDef,
    operations: Vec<(Method, Operation)>,
}

/// One operation.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Operation {
    /// The names of the query parameters that it takes.
    pub query: Vec<String>,
    /// The media types that it can answer with when it succeeds; empty when it has no body.
    pub gives: Vec<String>,
}

impl Operations {
    /// The table from the paths of an OpenAPI document.
    pub fn from_document(document: &Value) -> Self {
        let paths = document["paths"].as_object();
        Self(
            paths
                .into_iter()
                .flatten()
                .map(|(path, item)| Path::new(path, item))
                .collect(),
        )
    }

    /// The methods that `path` has, as `Allow` lists them; none when no operation has the path.
    pub fn allowed(&self, path: &str) -> Option<String> {
        // A path that is written out is not taken for a value of the one with a parameter there.
        let exact = self
            .0
            .iter()
            .find(|candidate| candidate.pattern.pattern() == Some(path));
        let operations: Vec<_> = match exact {
            Some(exact) => exact.operations.iter().collect(),
            None => self.at(path).collect(),
        };
        let mut methods: Vec<&str> = Vec::new();
        for (method, _) in operations {
            methods.push(method.as_str());
            if method == Method::GET {
                methods.push("HEAD");
            }
        }
        (!methods.is_empty()).then(|| methods.join(", "))
    }

    /// The operation that a request is for.
    pub fn find(&self, method: &Method, path: &str) -> Option<&Operation> {
        self.at(path)
            .find(|(of, _)| of == method)
            .map(|(_, operation)| operation)
    }

    fn at(&self, path: &str) -> impl Iterator<Item = &(Method, Operation)> {
        self.0
            .iter()
            .filter(move |candidate| candidate.pattern.is_match(path))
            .flat_map(|candidate| &candidate.operations)
    }
}

impl Path {
    fn new(path: &str, item: &Value) -> Self {
        let shared = query_parameters(item);
        let operations = item
            .as_object()
            .into_iter()
            .flatten()
            .filter_map(|(key, operation)| {
                let method = Method::from_bytes(key.to_ascii_uppercase().as_bytes()).ok()?;
                operation.get("responses")?;
                let mut query = query_parameters(operation);
                query.extend_from_slice(&shared);
                Some((
                    method,
                    Operation {
                        query,
                        gives: successes(operation),
                    },
                ))
            })
            .collect();
        Self {
            pattern: ResourceDef::new(path),
            operations,
        }
    }
}

fn query_parameters(item: &Value) -> Vec<String> {
    let parameters = item["parameters"].as_array();
    parameters
        .into_iter()
        .flatten()
        .filter(|parameter| parameter["in"] == "query")
        .filter_map(|parameter| parameter["name"].as_str().map(str::to_owned))
        .collect()
}

fn successes(operation: &Value) -> Vec<String> {
    let responses = operation["responses"].as_object();
    let mut media_types = Vec::new();
    for (status, response) in responses.into_iter().flatten() {
        let content = response["content"].as_object();
        for media_type in content.into_iter().flat_map(|content| content.keys()) {
            if status.starts_with('2') && !media_types.contains(media_type) {
                media_types.push(media_type.clone());
            }
        }
    }
    media_types
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn table() -> Operations {
        Operations::from_document(&json!({"paths": {
            "/games": {
                "get": {
                    "parameters": [
                        {"name": "limit", "in": "query"},
                        {"name": "If-None-Match", "in": "header"}
                    ],
                    "responses": {
                        "200": {"content": {"application/json": {}, "text/html": {}}},
                        "400": {"content": {"application/problem+json": {}}}
                    }
                },
                "post": {"responses": {"204": {}}}
            },
            "/games/{id}": {
                "parameters": [{"name": "at", "in": "query"}],
                "post": {"responses": {"204": {}}}
            }
        }}))
    }

    #[test]
    fn a_path_lists_its_methods() {
        assert_eq!(
            table().allowed("/games").as_deref(),
            Some("GET, HEAD, POST")
        );
        assert_eq!(table().allowed("/games/7").as_deref(), Some("POST"));
        assert_eq!(table().allowed("/games/7/x"), None);
    }

    #[test]
    fn an_operation_knows_its_query_and_what_it_gives() {
        let table = table();
        let list = table.find(&Method::GET, "/games").unwrap();
        assert_eq!(list.query, ["limit"]);
        assert_eq!(list.gives, ["application/json", "text/html"]);
        let one = table.find(&Method::POST, "/games/7").unwrap();
        assert_eq!(one.query, ["at"]);
        assert_eq!(table.find(&Method::GET, "/games/7"), None);
    }
}
