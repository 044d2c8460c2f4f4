//! The application that every worker runs: what its handlers share, and what is around them.

use std::sync::Arc;

use actix_web::body::BoxBody;
use actix_web::dev::{ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::error::{JsonPayloadError, PathError, QueryPayloadError};
use actix_web::middleware::{Compat, Condition, from_fn};
use actix_web::web::{self, Data, JsonConfig, PathConfig, QueryConfig};
use actix_web::{App, Error, HttpRequest};
use async_trait::async_trait;
use storage::{EventStore, OpenError, SqliteOptions, SqliteStore};
use utoipa_actix_web::AppExt;

use crate::body::BodyLimits;
use crate::config::Config;
use crate::health::{Dependencies, Dependency};
use crate::keys::{KeyError, ReceiptKey};
use crate::metrics::Metrics;
use crate::middleware::Edge;
use crate::middleware::cors::{CorsPolicy, InvalidOrigin};
use crate::middleware::observe::{RequestIds, observe};
use crate::middleware::rate_limit::RateLimit;
use crate::middleware::screen::screen;
use crate::operations::Operations;
use crate::problem::Problem;
use crate::referee::Referee;
use crate::router;
use crate::routes::docs::ServedDocument;
use crate::shutdown::Shutdown;

/// What the handlers and the middleware share, across all workers.
#[derive(Clone)]
pub struct Shared {
    /// What the middleware knows.
    pub edge: Data<Edge>,
    /// All games.
    pub referee: Data<Referee>,
    /// What receipts are signed with.
    pub receipt_key: Data<ReceiptKey>,
    /// What the server cannot work without.
    pub dependencies: Data<Dependencies>,
    /// Whether the server is stopping.
    pub shutdown: Shutdown,
    /// The OpenAPI document.
    pub document: Data<ServedDocument>,
    /// What bodies are held to.
    pub body_limits: BodyLimits,
    /// Who may call from a browser.
    pub cors: CorsPolicy,
}

/// Why there is nothing to serve with.
#[derive(Debug, thiserror::Error)]
pub enum PrepareError {
    /// No key to sign receipts with.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// No database.
    #[error("the database cannot be opened")]
    Store(#[from] OpenError),
    /// A configured origin is none.
    #[error(transparent)]
    Origin(#[from] InvalidOrigin),
}

impl Shared {
    /// Makes it as configured: opens the signing key, and whatever else has to be there.
    pub fn prepare(
        config: &Config,
        metrics: Option<Arc<Metrics>>,
        shutdown: Shutdown,
    ) -> Result<Self, PrepareError> {
        let receipt_key = Arc::new(ReceiptKey::open(&config.signing_key_path())?);
        let store: Arc<dyn EventStore> = Arc::new(SqliteStore::open(
            &config.database,
            &SqliteOptions::default(),
        )?);
        let document = router::document();
        let rate_limit = config
            .rate_limit
            .map(|rate| RateLimit::new(rate, config.rate_burst.unwrap_or(rate)));
        Ok(Self {
            edge: Data::new(Edge {
                operations: Operations::from_document(document.value()),
                metrics,
                rate_limit,
                request_ids: RequestIds::default(),
            }),
            referee: Data::new(Referee::new(store.clone(), receipt_key.clone())),
            receipt_key: Data::from(receipt_key),
            dependencies: Data::new(Dependencies(vec![Box::new(Database(store))])),
            shutdown,
            document: Data::new(ServedDocument(document.to_json())),
            body_limits: BodyLimits {
                patience: config.body_timeout,
            },
            cors: CorsPolicy::new(&config.cors_origin)?,
        })
    }
}

/// The database, as something that the server cannot work without.
struct Database(Arc<dyn EventStore>);

#[async_trait]
impl Dependency for Database {
    async fn check(&self) -> Result<(), String> {
        self.0.check().await.map_err(|error| error.to_string())
    }
}

/// The application that a worker runs.
pub fn application(
    shared: &Shared,
) -> App<
    impl ServiceFactory<
        ServiceRequest,
        Config = (),
        Response = ServiceResponse<BoxBody>,
        Error = Error,
        InitError = (),
    > + use<>,
> {
    App::new()
        .app_data(shared.edge.clone())
        .app_data(shared.referee.clone())
        .app_data(shared.receipt_key.clone())
        .app_data(shared.dependencies.clone())
        .app_data(Data::new(shared.shutdown.clone()))
        .app_data(shared.document.clone())
        .app_data(shared.body_limits)
        .app_data(JsonConfig::default().error_handler(malformed_json))
        .app_data(PathConfig::default().error_handler(malformed_path))
        .app_data(QueryConfig::default().error_handler(malformed_query))
        .into_utoipa_app()
        .configure(router::routes)
        .into_app()
        .default_service(web::to(router::unrouted))
        .wrap(from_fn(screen))
        .wrap(Compat::new(Condition::new(
            shared.cors.is_open(),
            shared.cors.middleware(),
        )))
        .wrap(from_fn(observe))
}

fn malformed_json(error: JsonPayloadError, _: &HttpRequest) -> Error {
    Problem::invalid_request(error.to_string()).into()
}

fn malformed_path(error: PathError, _: &HttpRequest) -> Error {
    Problem::invalid_request(format!("the path does not fit: {error}")).into()
}

fn malformed_query(error: QueryPayloadError, _: &HttpRequest) -> Error {
    Problem::invalid_request(format!("the query does not fit: {error}")).into()
}
