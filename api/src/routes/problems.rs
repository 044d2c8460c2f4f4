//! What the `type` of a problem leads to.

use actix_web::http::header::{CONTENT_TYPE, VARY};
use actix_web::web::Path;
use actix_web::{HttpRequest, HttpResponse, get};
use serde::Serialize;
use utoipa::ToSchema;

use crate::accept;
use crate::problem::{Code, Problem};

/// A kind of problem.
#[derive(Serialize, ToSchema)]
pub struct ProblemType {
    /// What it is identified by in `type`.
    #[serde(rename = "type")]
    #[schema(value_type = String, format = "uri-reference", example = "/problems/disputed")]
    type_uri: &'static str,
    /// Its stable name.
    code: Code,
    /// The status that it is sent with.
    #[schema(example = 409)]
    status: u16,
    /// Its summary.
    #[schema(value_type = String, example = "A dispute is open")]
    title: &'static str,
    /// What it means and what to do about it.
    #[schema(value_type = String)]
    description: &'static str,
}

/// Explains a kind of problem
///
/// The `type` of every problem leads here. In a browser it is a page.
#[utoipa::path(
    tag = "service",
    operation_id = "get_problem_type",
    params(("code" = String, Path, description = "The problem's code", example = "disputed")),
    responses(
        (status = 200, description = "What the problem means", content(
            (ProblemType = "application/json"),
            (String = "text/html")
        )),
        (status = 404)
    )
)]
#[get("/problems/{code}")]
pub(crate) async fn read(
    code: Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    const JSON: &str = "application/json";
    const HTML: &str = "text/html";
    let code = Code::from_name(&code).ok_or_else(Problem::no_such_path)?;
    let mut response = HttpResponse::Ok();
    response.insert_header((VARY, "Accept"));
    Ok(match accept::preferred(request.headers(), &[JSON, HTML]) {
        Some(HTML) => response
            .insert_header((CONTENT_TYPE, "text/html; charset=utf-8"))
            .body(page(code)),
        _ => response.json(ProblemType {
            type_uri: code.type_uri(),
            code,
            status: code.status(),
            title: code.title(),
            description: code.about(),
        }),
    })
}

/// The texts are ours and hold no markup.
fn page(code: Code) -> String {
    let (name, title, status) = (code.name(), code.title(), code.status());
    let about = code.about();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{title}</title></head>\n\
         <body><main><h1>{title}</h1>\n<p><code>{name}</code>, HTTP status {status}</p>\n\
         <p>{about}</p></main></body>\n</html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_holds_markup() {
        for code in Code::ALL {
            for text in [code.name(), code.title(), code.about()] {
                assert!(!text.contains(['<', '>', '&']), "{text}");
            }
        }
    }
}
