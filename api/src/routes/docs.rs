//! The OpenAPI document, and a page that shows it without any network access.

use std::sync::Arc;

use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderValue, LOCATION,
};
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

/// Leads to the documentation page
///
/// A page for browsers that shows this document and can try the operations.
#[utoipa::path(
    tag = "service",
    operation_id = "get_docs",
    responses((status = 307, description = "The page is at `/docs/index.html`", headers(
        ("Location" = String, description = "The page")
    )))
)]
#[get("/docs")]
pub(crate) async fn redirect() -> HttpResponse {
    HttpResponse::TemporaryRedirect()
        .insert_header((LOCATION, "/docs/index.html"))
        .finish()
}

/// Serves the documentation page
///
/// The page and what it consists of; none of it comes from anywhere else.
#[utoipa::path(
    tag = "service",
    operation_id = "get_docs_file",
    params(("file" = String, Path, description = "The file's name", example = "index.html")),
    responses(
        (status = 200, description = "The file", content(
            (String = "text/html"),
            (String = "text/css"),
            (String = "text/javascript"),
            (String = "image/png")
        )),
        (status = 404)
    )
)]
#[get("/docs/{file}")]
pub(crate) async fn file(file: Path<String>) -> Result<HttpResponse, Problem> {
    let config = Config::new(["/openapi.json"]).try_it_out_enabled(true);
    let found = utoipa_swagger_ui::serve(&file, Arc::new(config)).map_err(Problem::internal)?;
    let found = found.ok_or_else(Problem::no_such_path)?;
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, found.content_type))
        .insert_header((CACHE_CONTROL, "no-cache"))
        .insert_header((CONTENT_SECURITY_POLICY, PAGE_POLICY))
        .body(found.bytes.into_owned()))
}
