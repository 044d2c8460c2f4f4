//! Response headers that are not an operation's own.

use actix_web::HttpResponseBuilder;
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderMap, HeaderName, HeaderValue, REFERRER_POLICY,
    VARY, X_CONTENT_TYPE_OPTIONS,
};

/// The header that names a request in the log.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// For answers that are data, and must never act as a page.
const NOTHING: HeaderValue = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");

/// Sets what keeps a browser from making more of an answer than it is. A policy that a page has set
/// for itself is kept.
pub fn secure(headers: &mut HeaderMap) {
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    if !headers.contains_key(CONTENT_SECURITY_POLICY) {
        headers.insert(CONTENT_SECURITY_POLICY, NOTHING);
    }
}

/// Marks an answer that depends on the token: no cache may keep it or give it to another.
pub fn private(response: &mut HttpResponseBuilder) -> &mut HttpResponseBuilder {
    response
        .insert_header((CACHE_CONTROL, HeaderValue::from_static("private, no-store")))
        .append_header((VARY, HeaderValue::from_static("Authorization")))
}
