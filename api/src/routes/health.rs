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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::health::Dependency;
    use crate::shutdown;
    use actix_web::test::{TestRequest, call_service, init_service};
    use actix_web::{App, http::header::RETRY_AFTER};
    use async_trait::async_trait;

    struct Broken;

    #[async_trait]
    impl Dependency for Broken {
        async fn check(&self) -> Result<(), String> {
            Err("the disk is full".to_owned())
        }
    }

    async fn probe(dependencies: Dependencies, shutdown: Shutdown) -> (u16, bool) {
        let app = App::new()
            .app_data(Data::new(dependencies))
            .app_data(Data::new(shutdown))
            .service(ready);
        let request = TestRequest::get().uri("/health/ready").to_request();
        let response = call_service(&init_service(app).await, request).await;
        (
            response.status().as_u16(),
            response.headers().contains_key(RETRY_AFTER),
        )
    }

    #[actix_web::test]
    async fn a_server_that_can_work_is_ready() {
        let (_trigger, shutdown) = shutdown::channel();
        assert_eq!(probe(Dependencies::default(), shutdown).await, (200, false));
    }

    #[actix_web::test]
    async fn a_server_whose_store_fails_is_not_ready() {
        let (_trigger, shutdown) = shutdown::channel();
        assert_eq!(
            probe(Dependencies(vec![Box::new(Broken)]), shutdown).await,
            (503, true)
        );
    }

    #[actix_web::test]
    async fn a_server_that_is_stopping_is_not_ready() {
        let (trigger, mut shutdown) = shutdown::channel();
        trigger.fire();
        shutdown.begun().await;
        assert_eq!(probe(Dependencies::default(), shutdown).await, (503, true));
    }
}
