//! Starts, runs and stops the server.

use std::future::Future;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use actix_web::dev::Server;
use actix_web::http::header::CONTENT_TYPE;
use actix_web::web::{self, Data};
use actix_web::{App, HttpResponse, HttpServer, ResponseError};
use futures_util::future::BoxFuture;

use crate::app::{self, PrepareError, Shared};
use crate::config::Config;
use crate::metrics::{self, Metrics};
use crate::middleware::Edge;
use crate::problem::Problem;
use crate::shutdown::{self, ShutdownTrigger};

/// How often addresses that no longer call are forgotten.
const FORGET_EVERY: Duration = Duration::from_secs(60);

/// A server that listens, and answers once it is run.
pub struct Application {
    server: Server,
    address: SocketAddr,
    metrics: Option<(Server, SocketAddr)>,
    edge: Data<Edge>,
    trigger: ShutdownTrigger,
    at_end: Vec<BoxFuture<'static, ()>>,
}

/// Why the server does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The address is taken, not ours, or none.
    #[error("cannot listen on {address}")]
    Listen {
        /// As it was configured.
        address: String,
        /// Why.
        source: io::Error,
    },
    /// Something else is missing.
    #[error(transparent)]
    Prepare(#[from] PrepareError),
}

impl Application {
    /// Binds the listeners and prepares all that requests need.
    pub fn build(config: Config) -> Result<Self, StartError> {
        let (listener, address) = listen(&config.listen)?;
        let metrics_listener = config.metrics_listen.as_deref().map(listen).transpose()?;
        let metrics = metrics_listener
            .is_some()
            .then(|| Arc::new(Metrics::default()));
        let (trigger, shutdown) = shutdown::channel();
        let shared = Shared::prepare(&config, metrics.clone(), shutdown)?;
        let edge = shared.edge.clone();
        let referee = shared.referee.clone();

        let mut server = HttpServer::new(move || app::application(&shared))
            // A stream's small writes would otherwise wait for the client's delayed acknowledgement.
            .tcp_nodelay(true)
            .client_request_timeout(config.header_timeout)
            .shutdown_timeout(config.stop_timeout.as_millis().div_ceil(1000) as u64)
            .disable_signals();
        if let Some(workers) = config.workers {
            server = server.workers(workers.get());
        }
        let server = server
            .listen(listener)
            .map_err(|source| StartError::Listen {
                address: config.listen.clone(),
                source,
            })?
            .run();
        let metrics = match (metrics_listener, metrics) {
            (Some((listener, address)), Some(metrics)) => {
                let server =
                    serve_metrics(listener, metrics).map_err(|source| StartError::Listen {
                        address: address.to_string(),
                        source,
                    })?;
                Some((server, address))
            }
            _ => None,
        };
        Ok(Self {
            server,
            address,
            metrics,
            edge,
            trigger,
            at_end: vec![Box::pin(async move { referee.store().close().await })],
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where it serves metrics, if it does.
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.metrics.as_ref().map(|(_, address)| *address)
    }

    /// Adds work for when no request runs any more, such as closing the store.
    pub fn at_end(&mut self, work: impl Future<Output = ()> + Send + 'static) {
        self.at_end.push(Box::pin(work));
    }

    /// Serves until SIGTERM or SIGINT. Calls `answering` as soon as requests are answered.
    pub async fn run_until_stopped(self, answering: impl FnOnce()) -> io::Result<()> {
        let signal = shutdown::signal()?;
        self.run_until(signal, answering).await
    }

    /// Serves until `stop`, then takes no new requests, ends event streams, lets running requests
    /// finish within the configured time, and does what is left to do at the end.
    pub async fn run_until(
        self,
        stop: impl Future<Output = ()>,
        answering: impl FnOnce(),
    ) -> io::Result<()> {
        let Self {
            server,
            metrics,
            edge,
            trigger,
            at_end,
            ..
        } = self;
        let handle = server.handle();
        let serving = tokio::spawn(server);
        let metrics = metrics.map(|(server, _)| {
            let handle = server.handle();
            tokio::spawn(server);
            handle
        });
        let forgetting = tokio::spawn(forget_idle_addresses(edge));
        answering();

        let mut serving = std::pin::pin!(serving);
        let ended = tokio::select! {
            () = stop => None,
            ended = &mut serving => Some(ended),
        };
        tracing::info!("stopping");
        trigger.fire();
        handle.stop(true).await;
        if let Some(metrics) = metrics {
            metrics.stop(false).await;
        }
        forgetting.abort();
        let ended = match ended {
            Some(ended) => ended,
            None => serving.await,
        };
        for work in at_end {
            work.await;
        }
        tracing::info!("stopped");
        ended.map_err(io::Error::other)?
    }
}

fn listen(address: &str) -> Result<(TcpListener, SocketAddr), StartError> {
    TcpListener::bind(address)
        .and_then(|listener| listener.local_addr().map(|local| (listener, local)))
        .map_err(|source| StartError::Listen {
            address: address.to_owned(),
            source,
        })
}

fn serve_metrics(listener: TcpListener, metrics: Arc<Metrics>) -> io::Result<Server> {
    let metrics = Data::from(metrics);
    let server = HttpServer::new(move || {
        App::new()
            .app_data(metrics.clone())
            .route("/metrics", web::get().to(exposition))
            .default_service(web::to(|| async {
                Problem::no_such_path().error_response()
            }))
    });
    Ok(server.workers(1).disable_signals().listen(listener)?.run())
}

async fn exposition(metrics: Data<Metrics>) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, metrics::MEDIA_TYPE))
        .body(metrics.exposition())
}

async fn forget_idle_addresses(edge: Data<Edge>) {
    let Some(limit) = &edge.rate_limit else {
        return;
    };
    let mut interval = tokio::time::interval(FORGET_EVERY);
    loop {
        interval.tick().await;
        limit.forget_idle();
    }
}
