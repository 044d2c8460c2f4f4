//! The OpenAPI document, and a page that shows it without any network access.

use std::sync::Arc;

use actix_web::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderValue};
use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, get};
use bytes::Bytes;
use utoipa_swagger_ui::Config;

use crate::problem::Problem;

/// The page's own scripts and styles, and what those write into the page; nothing from elsewhere.
const PAGE_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
     img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'none'",
);

/// Relative throughout, so that it works below another path of a proxy.
const PAGE: &str = r#"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Referee: the HTTP API</title>
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="icon" type="image/png" href="docs/favicon-32x32.png">
</head>
<body>
<div id="swagger-ui"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/swagger-ui-standalone-preset.js"></script>
<script src="docs/swagger-initializer.js"></script>
</body>
</html>
"#;

/// The document as it is served.
pub struct ServedDocument(pub Bytes);

/// Describes the API
///
/// This document, in OpenAPI 3.1.
#[utoipa::path(
    tag = "service",
    operation_id = "get_openapi",
    responses((status = 200, description = "The OpenAPI document", body = Object))
)]
#[get("/openapi.json")]
pub(crate) async fn document(document: Data<ServedDocument>) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "application/json"))
        .insert_header((CACHE_CONTROL, "no-cache"))
        .body(document.0.clone())
}

/// Shows this document in a browser
///
/// The page can try the operations as well, and needs no network beyond this server.
#[utoipa::path(
    tag = "service",
    operation_id = "get_docs",
    responses((status = 200, description = "The page", body = String, content_type = "text/html"))
)]
#[get("/docs")]
pub(crate) async fn page() -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "text/html; charset=utf-8"))
        .insert_header((CONTENT_SECURITY_POLICY, PAGE_POLICY))
        .body(PAGE)
}

/// Gives a part of the documentation page
///
/// Scripts, styles and icons of Swagger UI.
#[utoipa::path(
    tag = "service",
    operation_id = "get_docs_file",
    params(("file" = String, Path, description = "The file's name", example = "swagger-ui.css")),
    responses(
        (status = 200, description = "The file", content(
            (String = "text/css"),
            (String = "text/javascript"),
            (String = "image/png")
        )),
        (status = 404)
    )
)]
#[get("/docs/{file}")]
pub(crate) async fn file(file: Path<String>) -> Result<HttpResponse, Problem> {
    let config = Config::new(["openapi.json"]).try_it_out_enabled(true);
    let found = utoipa_swagger_ui::serve(&file, Arc::new(config)).map_err(Problem::internal)?;
    let found = found.ok_or_else(Problem::no_such_path)?;
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, found.content_type))
        .insert_header((CACHE_CONTROL, "no-cache"))
        .insert_header((CONTENT_SECURITY_POLICY, PAGE_POLICY))
        .body(found.bytes.into_owned()))
}
