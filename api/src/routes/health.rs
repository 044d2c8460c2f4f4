//! Probes for whoever runs the server.

use std::time::Duration;

use actix_web::get;
use actix_web::web::{Data, Json};
use serde::Serialize;
use utoipa::ToSchema;

use crate::health::Dependencies;
use crate::problem::Problem;
use crate::shutdown::Shutdown;

/// What a probe finds when all is well.
#[derive(Serialize, ToSchema)]
pub struct Health {
    /// Always `ok`; otherwise the answer is a problem.
    #[schema(value_type = String, pattern = "^ok$", example = "ok")]
    status: &'static str,
}

const OK: Json<Health> = Json(Health { status: "ok" });

/// Is the process up?
///
/// Touches nothing else: an answer means that the server answers.
#[utoipa::path(
    tag = "service",
    operation_id = "get_live",
    responses((status = 200, description = "The process is up", body = Health))
)]
#[get("/health/live")]
pub(crate) async fn live() -> Json<Health> {
    OK
}

/// Can the server do its work?
///
/// Tries the store. Answers 503 when it does not work, and while the server is stopping.
#[utoipa::path(
    tag = "service",
    operation_id = "get_ready",
    responses((status = 200, description = "The server can do its work", body = Health))
)]
#[get("/health/ready")]
pub(crate) async fn ready(
    shutdown: Data<Shutdown>,
    dependencies: Data<Dependencies>,
) -> Result<Json<Health>, Problem> {
    const LATER: Duration = Duration::from_secs(5);
    if shutdown.has_begun() {
        return Err(Problem::unavailable(LATER, "the server is stopping"));
    }
    dependencies
        .check()
        .await
        .map_err(|cause| Problem::unavailable(LATER, cause))?;
    Ok(OK)
}
