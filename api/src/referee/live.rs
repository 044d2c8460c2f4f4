//! A game in memory.

use std::sync::{Arc, PoisonError, RwLock};

use chrono::{DateTime, Utc};
use domain::rulesets::{AnyGame, GameKind};
use storage::Token;
use tokio::sync::{Mutex, watch};
use uuid::Uuid;

use super::{Beside, Summary, Visibility};

/// A game that somebody talks to.
pub struct Live {
    /// Its id.
    pub id: Uuid,
    /// Which game it is.
    pub kind: GameKind,
    /// Who may find it.
    pub visibility: Visibility,
    /// When it was created.
    pub created_at: DateTime<Utc>,
    /// What is kept beside the chain.
    pub beside: Beside,
    /// Held by whoever decides and commits. Says whether the snapshot has to be folded anew, since
    /// a write failed in a way that leaves open whether it was recorded.
    pub(super) writer: Mutex<Freshness>,
    now: RwLock<Arc<Snapshot>>,
    versions: watch::Sender<u64>,
}

/// Whether a snapshot is known to be what the store holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Freshness {
    /// It is, unless another process has written.
    Fresh,
    /// A write failed, and may have been recorded all the same.
    Unknown,
}

/// A game as it stood after one request.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The game.
    pub game: AnyGame,
    /// The tokens that open it. Shared, since few requests change them.
    pub tokens: Arc<[Token]>,
}

impl Live {
    /// A game in memory.
    pub fn new(
        id: Uuid,
        kind: GameKind,
        visibility: Visibility,
        created_at: DateTime<Utc>,
        beside: Beside,
        snapshot: Snapshot,
    ) -> Self {
        Self {
            id,
            kind,
            visibility,
            created_at,
            beside,
            writer: Mutex::new(Freshness::Fresh),
            versions: watch::Sender::new(snapshot.game.version()),
            now: RwLock::new(Arc::new(snapshot)),
        }
    }

    /// The game as it stands. Later requests do not change what is given here.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.now
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Puts a recorded snapshot in place, and tells those who follow.
    pub(super) fn publish(&self, snapshot: Arc<Snapshot>) {
        let version = snapshot.game.version();
        *self.now.write().unwrap_or_else(PoisonError::into_inner) = snapshot;
        self.versions.send_replace(version);
    }

    /// Follows the version of the game.
    pub fn follow(&self) -> watch::Receiver<u64> {
        self.versions.subscribe()
    }

    /// What everybody who may know of the game may know of it.
    pub fn summary(&self, snapshot: &Snapshot) -> Summary {
        Summary::of(self, &snapshot.game)
    }
}
