//! Events as they are read: by pages, as lines, and live.

use std::sync::Arc;
use std::time::Duration;

use actix_web::HttpResponse;
use bytes::Bytes;
use domain::seat::Viewer;
use futures_util::stream::{self, Stream, StreamExt};
use storage::StreamId;
use tokio::sync::watch;
use tokio::time::timeout;

use crate::middleware::headers::private;
use crate::problem::Problem;
use crate::referee::{Access, Live, Referee, store_problem};
use crate::shutdown::Shutdown;

/// How many events are read from the store at once.
const PAGE: usize = 500;

/// How long a stream stays silent before it sends a comment, so that no proxy takes it for dead.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// An event as a viewer may see it.
pub struct ServedEvent {
    /// Its seq.
    pub seq: u64,
    /// Its JSON.
    pub text: String,
}

/// The events of a game after a seq, at most `limit`, as a viewer may see them.
pub async fn page(
    referee: &Referee,
    live: &Live,
    viewer: Viewer,
    after: u64,
    limit: usize,
) -> Result<Vec<ServedEvent>, Problem> {
    let after = after.min(i64::MAX as u64);
    let stored = referee
        .store()
        .events(StreamId(live.id), after, limit)
        .await
        .map_err(store_problem)?;
    stored
        .into_iter()
        .map(|event| {
            let text = live
                .kind
                .serve(&event.body, viewer)
                .map_err(Problem::internal)?;
            Ok(ServedEvent {
                seq: event.seq,
                text,
            })
        })
        .collect()
}

/// The whole rest of a game's events, one a line.
pub fn lines(referee: Arc<Referee>, access: Access, after: u64) -> HttpResponse {
    let viewer = access.snapshot.game.viewer(access.reader());
    let last = access.snapshot.game.version();
    let pages = stream::unfold(Some(after), move |after| {
        let (referee, live) = (referee.clone(), access.live.clone());
        async move {
            let after = after.filter(|after| *after < last)?;
            let limit = usize::try_from(last - after).unwrap_or(PAGE).min(PAGE);
            match page(&referee, &live, viewer, after, limit).await {
                Ok(events) => {
                    let next = events.last().map(|event| event.seq);
                    let text: String = events.into_iter().map(|event| event.text + "\n").collect();
                    next.map(|next| (Ok(Bytes::from(text)), Some(next)))
                }
                Err(problem) => Some((Err(problem), None)),
            }
        }
    });
    let mut response = HttpResponse::Ok();
    private(&mut response).append_header(("Vary", "Accept"));
    response
        .content_type("application/x-ndjson")
        .streaming(pages)
}

/// The past, then what happens, as server-sent events, until the game is over.
pub fn server_sent(
    referee: Arc<Referee>,
    access: Access,
    after: u64,
    shutdown: Shutdown,
) -> HttpResponse {
    let mut response = HttpResponse::Ok();
    private(&mut response)
        .append_header(("Vary", "Accept"))
        .insert_header(("X-Accel-Buffering", "no"));
    response
        .content_type("text/event-stream")
        .streaming(Follower::new(referee, access, after, shutdown).into_stream())
}

/// One reader of a live stream.
struct Follower {
    referee: Arc<Referee>,
    access: Access,
    /// Fixed when the stream begins: what a game opens at its end is read from `/events`.
    viewer: Viewer,
    after: u64,
    versions: watch::Receiver<u64>,
    shutdown: Shutdown,
    state: Following,
}

enum Following {
    /// Nothing was sent. There is a gap where the past that was asked for is closed.
    Beginning {
        gap: bool,
    },
    Running,
    Ended,
}

impl Follower {
    fn new(referee: Arc<Referee>, access: Access, after: u64, shutdown: Shutdown) -> Self {
        let versions = access.live.follow();
        let open_from = access.snapshot.game.history_from().unwrap_or(0);
        let gap = after.saturating_add(1) < open_from;
        let after = if gap { open_from - 1 } else { after };
        let viewer = access.snapshot.game.viewer(access.reader());
        Self {
            referee,
            viewer,
            after,
            versions,
            shutdown,
            access,
            state: Following::Beginning { gap },
        }
    }

    fn into_stream(self) -> impl Stream<Item = Result<Bytes, Problem>> {
        stream::unfold(self, |mut follower| async move {
            let chunk = follower.next().await?;
            Some((chunk, follower))
        })
        .boxed_local()
    }

    async fn next(&mut self) -> Option<Result<Bytes, Problem>> {
        match self.state {
            Following::Beginning { gap } => {
                self.state = Following::Running;
                Some(Ok(Bytes::from_static(match gap {
                    true => b"retry: 2000\n\nevent: gap\ndata: {}\n\n",
                    false => b"retry: 2000\n\n",
                })))
            }
            Following::Ended => None,
            Following::Running => match self.more().await {
                Ok(chunk) => Some(Ok(chunk)),
                Err(problem) => {
                    self.state = Following::Ended;
                    Some(Err(problem))
                }
            },
        }
    }

    async fn more(&mut self) -> Result<Bytes, Problem> {
        loop {
            let snapshot = self.access.live.snapshot();
            let version = *self.versions.borrow_and_update();
            if !self.access.holds_in(&snapshot) {
                self.state = Following::Ended;
                return Ok(Bytes::from_static(b": the token has ended\n\n"));
            }
            if self.after < version {
                let events = page(
                    &self.referee,
                    &self.access.live,
                    self.viewer,
                    self.after,
                    PAGE,
                )
                .await?;
                if let Some(last) = events.last() {
                    self.after = last.seq;
                    let told =
                        |event: ServedEvent| format!("id: {}\ndata: {}\n\n", event.seq, event.text);
                    return Ok(events.into_iter().map(told).collect::<String>().into());
                }
            }
            if is_over(&snapshot.game) && self.after >= snapshot.game.version() {
                self.state = Following::Ended;
                return Ok(Bytes::from_static(b"event: over\ndata: {}\n\n"));
            }
            tokio::select! {
                changed = timeout(HEARTBEAT, self.versions.changed()) => match changed {
                    Ok(Ok(())) => {}
                    Ok(Err(_)) | Err(_) => return Ok(Bytes::from_static(b": still here\n\n")),
                },
                () = self.shutdown.begun() => {
                    self.state = Following::Ended;
                    return Ok(Bytes::from_static(b": the server stops\n\n"));
                }
            }
        }
    }
}

fn is_over(game: &domain::rulesets::AnyGame) -> bool {
    game.viewer(Viewer::Spectator) == Viewer::Open
}
