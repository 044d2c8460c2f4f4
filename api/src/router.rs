//! Every route in one list.

use actix_web::web::Data;
use actix_web::{App, HttpRequest};
use utoipa_actix_web::AppExt;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::middleware::Edge;
use crate::openapi::{self, Document};
use crate::problem::Problem;
use crate::routes::{
    disputes, docs, games, health, keys, moves, problems, reading, records, rulebooks, tables,
};

/// The routes, in the order that they are tried.
pub fn routes(config: &mut ServiceConfig) {
    // Moves first: each route before a request's own costs it a regular expression.
    config
        .service(moves::make)
        .service(moves::declare)
        .service(moves::legal)
        .service(moves::rule);

    // Games
    config
        .service(games::create)
        .service(games::list)
        .service(games::read)
        .service(games::claim_seat)
        .service(games::abandon);

    // Reading
    config
        .service(reading::read_state)
        .service(reading::read_events)
        .service(reading::read_fairness)
        .service(reading::verify);

    // Disputes
    config
        .service(disputes::open)
        .service(disputes::list)
        .service(disputes::vote)
        .service(disputes::withdraw);

    // What a table needs
    config
        .service(tables::position)
        .service(tables::take_back)
        .service(tables::confirm)
        .service(tables::confide)
        .service(tables::renew_token);

    // Records
    config
        .service(records::read)
        .service(records::judge)
        .service(records::import)
        .service(records::fork)
        .service(records::changes);

    // Rulebooks
    config.service(rulebooks::list).service(rulebooks::read);

    // Receipts
    config.service(keys::list);

    // The server itself
    config
        .service(health::live)
        .service(health::ready)
        .service(problems::read)
        .service(docs::document)
        .service(docs::page)
        .service(docs::file);
}

/// The OpenAPI document of these routes.
pub fn document() -> Document {
    let (_, collected) = App::new()
        .into_utoipa_app()
        .openapi(openapi::head())
        .configure(routes)
        .split_for_parts();
    Document::finish(&collected)
}

/// Refuses what no route takes. Routes are tried by path and method at once, so that this sees wrong methods too.
pub async fn unrouted(request: HttpRequest, edge: Data<Edge>) -> Result<&'static str, Problem> {
    Err(match edge.operations.allowed(request.path()) {
        Some(methods) => Problem::method_not_allowed(&methods),
        None => Problem::no_such_path(),
    })
}
