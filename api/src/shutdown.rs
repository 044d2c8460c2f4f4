//! The word that the server is stopping, for what would otherwise go on: event streams, and the
//! readiness probe.

use std::io;

use tokio::signal::{self, unix::SignalKind};
use tokio::sync::watch;

/// Tells its [`Shutdown`]s.
#[derive(Debug)]
pub struct ShutdownTrigger(watch::Sender<bool>);

/// Knows whether the server is stopping.
#[derive(Clone, Debug)]
pub struct Shutdown(watch::Receiver<bool>);

/// The two ends.
pub fn channel() -> (ShutdownTrigger, Shutdown) {
    let (sender, receiver) = watch::channel(false);
    (ShutdownTrigger(sender), Shutdown(receiver))
}

impl ShutdownTrigger {
    /// Says that the server is stopping.
    pub fn fire(&self) {
        self.0.send_replace(true);
    }
}

impl Shutdown {
    /// Whether the server is stopping.
    pub fn has_begun(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until the server is stopping.
    pub async fn begun(&mut self) {
        // An error means that the trigger is gone, and the server with it.
        let _ = self.0.wait_for(|stopping| *stopping).await;
    }
}

/// From now on takes SIGTERM and SIGINT; the future waits for one of them.
pub fn signal() -> io::Result<impl Future<Output = ()>> {
    let mut terminate = signal::unix::signal(SignalKind::terminate())?;
    let mut interrupt = signal::unix::signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}
