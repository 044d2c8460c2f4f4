//! Load, decide, commit, publish: the only caller of the rules.
//!
//! A game that somebody talks to is kept in memory as a [`Live`]: a snapshot that readers share and
//! a lock that one writer holds while it decides and commits. It is a cache: whatever it holds can
//! be folded from the store again. Whoever writes past it (another process on the same store) is
//! noticed by the version that a commit expects.

mod access;
mod beside;
mod live;
mod submit;
mod summary;

pub use access::{Access, Role};
pub use beside::{Beside, Claim};
pub use live::{Live, Snapshot};
pub use submit::{AboutDispute, Answer, Keyed, Recorded, Submission, broken_rule};
pub use summary::{Fairness, SeatSummary, Summary, TokensHeldBy, Visibility, status_name};

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use chrono::{DateTime, SubsecRound, Utc};
use domain::dealer::{Dealer, Secret};
use domain::game::desk::{CreateError, Heir, StoredEvent};
use domain::game::{Context, Refusal};
use domain::rulesets::{AnyDecision, AnyGame, GameKind};
use domain::ruling::{Citation, Violation};
use domain::seat::By;
use domain::wire::Malformed;
use moka::sync::Cache;
use storage::{Append, CommitError, EventStore, NewStream, StoreError, StreamId, Token};
use uuid::Uuid;

use crate::auth::TokenHash;
use crate::keys::{Receipt, ReceiptKey};
use crate::problem::{BrokenRule, Problem};

/// How many games are kept in memory at least while nobody holds them.
const GAMES_IN_MEMORY: u64 = 10_000;

/// How long a client should wait before it tries a store again that cannot be used now.
const STORE_PAUSE: Duration = Duration::from_secs(1);

/// The referee: all games of one store.
pub struct Referee {
    store: Arc<dyn EventStore>,
    receipt_key: Arc<ReceiptKey>,
    recent: Cache<Uuid, Arc<Live>>,
    held: Mutex<HashMap<Uuid, Weak<Live>>>,
}

/// What every new game needs, whatever its past.
pub struct Founding {
    /// Which game.
    pub kind: GameKind,
    /// Who sits where, and what opens their seats.
    pub beside: Beside,
    /// Who may find it.
    pub visibility: Visibility,
    /// The dealer's secret; none at a table.
    pub secret: Option<Secret>,
    /// The tokens that open it.
    pub tokens: Vec<Token>,
    /// The game that it is a fork of.
    pub parent: Option<Uuid>,
}

impl Referee {
    /// A referee over a store, signing receipts with a key.
    pub fn new(store: Arc<dyn EventStore>, receipt_key: Arc<ReceiptKey>) -> Self {
        Self {
            store,
            receipt_key,
            recent: Cache::new(GAMES_IN_MEMORY),
            held: Mutex::default(),
        }
    }

    /// The store.
    pub fn store(&self) -> &dyn EventStore {
        &*self.store
    }

    /// Creates a game, and gives it with the receipt for its first events. `begin` decides what they
    /// are, for the new game's id and names.
    pub async fn found(
        &self,
        founding: Founding,
        begin: impl AsyncFnOnce(Heir, Dealer, Context) -> Result<AnyDecision, Problem>,
    ) -> Result<(Arc<Live>, Receipt), Problem> {
        let id = Uuid::now_v7();
        let at = now();
        let dealer = founding
            .secret
            .clone()
            .map_or(Dealer::Table, Dealer::Virtual);
        let heir = Heir {
            id: id.to_string(),
            names: founding.beside.names_digest(),
        };
        let decision = begin(heir, dealer, context(at, None)?).await?;
        let beside = founding.beside.to_json();
        let live = Live::new(
            id,
            founding.kind,
            founding.visibility,
            at,
            founding.beside,
            Snapshot {
                game: decision.game,
                tokens: founding.tokens.clone().into(),
            },
        );
        let snapshot = live.snapshot();
        let stream = NewStream {
            id: StreamId(id),
            kind: founding.kind.name().to_owned(),
            visibility: founding.visibility.into(),
            secret: founding.secret.map(|secret| storage::Secret(secret.0)),
            beside,
            parent: founding.parent.map(StreamId),
            created_at: at,
            first: append(&live, &snapshot, decision.stored),
            tokens: founding.tokens,
        };
        self.store.create(stream).await.map_err(commit_problem)?;
        let live = self.hold(Arc::new(live));
        let receipt = self.receipt(&live, &snapshot);
        Ok((live, receipt))
    }

    /// The game with this id, if there is one.
    pub async fn live(&self, id: &str) -> Result<Option<Arc<Live>>, Problem> {
        let Ok(id) = Uuid::try_parse(id) else {
            return Ok(None);
        };
        if let Some(live) = self.find(id) {
            return Ok(Some(live));
        }
        let Some(stream) = self
            .store
            .stream(StreamId(id))
            .await
            .map_err(store_problem)?
        else {
            return Ok(None);
        };
        let kind = GameKind::from_name(&stream.kind)
            .ok_or_else(|| Problem::internal(format!("game {id} is of no known kind")))?;
        let beside = Beside::from_json(&stream.beside)
            .map_err(|error| Problem::internal(format!("what lies beside game {id}: {error}")))?;
        let dealer = stream
            .secret
            .map_or(Dealer::Table, |s| Dealer::Virtual(Secret(s.0)));
        let snapshot = self.fold(kind, id, dealer).await?;
        let visibility = stream.visibility.into();
        let live = Live::new(id, kind, visibility, stream.created_at, beside, snapshot);
        Ok(Some(self.hold(Arc::new(live))))
    }

    /// All stored events of a game up to a version.
    pub async fn texts(&self, id: Uuid, up_to: u64) -> Result<Vec<String>, Problem> {
        let limit = usize::try_from(up_to).unwrap_or(usize::MAX);
        let events = self
            .store
            .events(StreamId(id), 0, limit)
            .await
            .map_err(store_problem)?;
        Ok(events.into_iter().map(|event| event.body).collect())
    }

    /// A game as it was at a version that the caller may read.
    pub async fn at(&self, access: &Access, version: u64) -> Result<AnyGame, Problem> {
        let game = &access.snapshot.game;
        let now = game.version();
        if version == 0 || version > now {
            let detail = format!("the versions of this game are 1 to {now}");
            return Err(Problem::invalid_request(detail));
        }
        access.expect_open(version)?;
        if version == now {
            return Ok(game.clone());
        }
        let texts = self.texts(access.live.id, version).await?;
        access
            .live
            .kind
            .fold(&texts, game.dealer().clone())
            .map_err(Problem::internal)
    }

    /// The games that are forks of one.
    pub async fn forks(&self, id: Uuid) -> Result<Vec<String>, Problem> {
        let forks = self.store.children(StreamId(id)).await;
        let ids = |id: StreamId| id.to_string();
        Ok(forks.map_err(store_problem)?.into_iter().map(ids).collect())
    }

    /// The random part of a token that follows from what asks for it.
    pub fn derive_token(&self, purpose: &[&str]) -> [u8; 20] {
        self.receipt_key.derive(purpose)
    }

    /// The receipt for the last event of a snapshot.
    pub fn receipt(&self, live: &Live, snapshot: &Snapshot) -> Receipt {
        let (version, head) = (snapshot.game.version(), snapshot.game.head());
        self.receipt_key
            .sign(live.id.to_string(), version, head.to_string())
    }

    /// The game in the store, as it stands now.
    async fn fold(&self, kind: GameKind, id: Uuid, dealer: Dealer) -> Result<Snapshot, Problem> {
        let texts = self.texts(id, u64::MAX).await?;
        let tokens = self
            .store
            .tokens(StreamId(id))
            .await
            .map_err(store_problem)?;
        let damaged = |why: String| Problem::internal(format!("the record of game {id}: {why}"));
        let stream = self
            .store
            .stream(StreamId(id))
            .await
            .map_err(store_problem)?;
        let head = stream.map(|stream| (stream.version, stream.head));
        let game = kind
            .fold(&texts, dealer)
            .map_err(|error| damaged(error.to_string()))?;
        // A commit between the two reads shows as a longer stream, not as damage.
        match head {
            Some((version, head)) if version == game.version() && head != game.head().0 => Err(
                damaged("its last event is not the one that was recorded".to_owned()),
            ),
            Some((version, _))
                if version < game.version() || texts.len() as u64 != game.version() =>
            {
                Err(damaged("its events do not end where it does".to_owned()))
            }
            Some(_) => Ok(Snapshot {
                game,
                tokens: tokens.into(),
            }),
            None => Err(damaged("it is gone".to_owned())),
        }
    }

    fn find(&self, id: Uuid) -> Option<Arc<Live>> {
        self.recent.get(&id).or_else(|| {
            let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
            held.get(&id).and_then(Weak::upgrade)
        })
    }

    /// Keeps one `Live` a game, however many were loaded at once.
    fn hold(&self, live: Arc<Live>) -> Arc<Live> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if held.len() as u64 > 2 * GAMES_IN_MEMORY {
            held.retain(|_, live| live.strong_count() > 0);
        }
        let live = held.get(&live.id).and_then(Weak::upgrade).unwrap_or(live);
        held.insert(live.id, Arc::downgrade(&live));
        self.recent.insert(live.id, live.clone());
        live
    }
}

/// Now, to the millisecond that events are written with.
pub fn now() -> DateTime<Utc> {
    Utc::now().trunc_subsecs(3)
}

/// A context with fresh salts.
fn context(at: DateTime<Utc>, by: Option<By>) -> Result<Context, Problem> {
    let mut entropy = [0; 32];
    getrandom::fill(&mut entropy).map_err(Problem::internal)?;
    Ok(Context::new(at, by, entropy))
}

/// The events of one request, and what lists show of the game after them.
fn append(live: &Live, after: &Snapshot, events: Vec<StoredEvent>) -> Append {
    let events = events
        .into_iter()
        .map(|event| storage::StoredEvent {
            seq: event.seq,
            body: event.text,
        })
        .collect();
    let body = match live.visibility {
        Visibility::Public => serde_json::to_string(&live.summary(after)),
        // No list shows it.
        Visibility::Private => Ok("{}".to_owned()),
    };
    Append {
        events,
        head: after.game.head().0,
        summary: storage::Summary {
            status: status_name(after.game.status()).to_owned(),
            body: body.expect("a summary has a JSON form"),
        },
    }
}

/// How a broken rule is told to a client.
pub fn broken(violation: &Violation) -> BrokenRule {
    cited(violation.rule)
}

/// A rule as a refusal tells it.
pub fn cited(rule: &Citation) -> BrokenRule {
    BrokenRule {
        id: rule.id.into(),
        title: rule.title.into(),
        text: rule.text.into(),
    }
}

/// Why a game cannot be created, as it is told to the client.
pub fn setup_problem(error: CreateError) -> Problem {
    match error {
        CreateError::Malformed(malformed) => malformed_problem(&malformed),
        CreateError::NoSuchRules(version) => Problem::invalid_field(
            "/rules_version",
            format!("there is no version {version} of these rules"),
        ),
        CreateError::Refused(Refusal::Setup(violation) | Refusal::Illegal(violation)) => {
            Problem::invalid_setup(broken(&violation), violation.detail)
        }
    }
}

/// A part of a request that is not what the game takes.
pub fn malformed_problem(malformed: &Malformed) -> Problem {
    Problem::invalid_field(malformed.at.clone(), &malformed.detail)
}

/// A read that the store could not do.
pub fn store_problem(error: StoreError) -> Problem {
    match error {
        StoreError::Unavailable(cause) => Problem::unavailable(STORE_PAUSE, cause),
        StoreError::Corrupt { .. } => Problem::internal(error),
    }
}

/// A write that the store did not do.
fn commit_problem(error: CommitError) -> Problem {
    match error {
        CommitError::Unavailable(cause) => Problem::unavailable(STORE_PAUSE, cause),
        other => Problem::internal(other),
    }
}

/// What the store keeps of a token.
pub fn token(hash: TokenHash, role: Role) -> Token {
    let (role, seat) = match role {
        Role::Host => ("host", None),
        Role::Seat(seat) => ("seat", Some(seat.number())),
        Role::Spectator => ("spectator", None),
    };
    Token {
        hash: storage::TokenHash(hash.0),
        role: role.to_owned(),
        seat,
    }
}
