//! Server-sent events, as a client reads them.

use std::time::Duration;

use reqwest::{Method, Response};
use serde_json::Value;
use tokio::time::timeout;

use super::Caller;

/// Longer than anything here takes; what takes longer hangs.
const LONG: Duration = Duration::from_secs(30);

/// An open stream.
pub(crate) struct EventStream {
    response: Response,
    /// What was received and not yet read.
    buffer: String,
    /// All that was received, headers first.
    pub(crate) received: String,
}

/// One event of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SentEvent {
    /// Its type; `message` where none is named.
    pub(crate) kind: String,
    pub(crate) id: Option<u64>,
    pub(crate) data: String,
}

impl SentEvent {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.data).unwrap()
    }
}

impl Caller {
    /// Follows the game, from the beginning or from behind an event.
    pub(crate) async fn follows(&self, last_event_id: Option<u64>) -> EventStream {
        let mut request = self
            .request(Method::GET, "/events")
            .header("accept", "text/event-stream");
        if let Some(id) = last_event_id {
            request = request.header("last-event-id", id.to_string());
        }
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        EventStream {
            received: format!("{:?}\n", response.headers()),
            response,
            buffer: String::new(),
        }
    }
}

impl EventStream {
    /// The next event; none when the server has ended the stream.
    pub(crate) async fn next(&mut self) -> Option<SentEvent> {
        loop {
            while let Some(end) = self.buffer.find("\n\n") {
                let block: String = self.buffer.drain(..end + 2).collect();
                if let Some(event) = read(&block) {
                    return Some(event);
                }
            }
            let chunk = timeout(LONG, self.response.chunk())
                .await
                .unwrap()
                .unwrap()?;
            let text = std::str::from_utf8(&chunk).unwrap();
            self.buffer.push_str(text);
            self.received.push_str(text);
        }
    }

    /// The events up to the one with this seq.
    pub(crate) async fn up_to(&mut self, seq: u64) -> Vec<SentEvent> {
        let mut events = Vec::new();
        loop {
            let event = self.next().await.expect("the stream goes on");
            let is_last = event.id == Some(seq);
            events.push(event);
            if is_last {
                return events;
            }
        }
    }

    /// The events up to the end of the stream.
    pub(crate) async fn read_all(&mut self) -> Vec<SentEvent> {
        let mut events = Vec::new();
        while let Some(event) = self.next().await {
            events.push(event);
        }
        events
    }
}

/// A block of fields; none where it is a comment or sets the time of reconnection.
fn read(block: &str) -> Option<SentEvent> {
    let mut event = SentEvent {
        kind: "message".to_owned(),
        id: None,
        data: String::new(),
    };
    let mut has_data = false;
    for line in block.lines() {
        match line.split_once(": ") {
            Some(("event", kind)) => event.kind = kind.to_owned(),
            Some(("id", id)) => event.id = Some(id.parse().unwrap()),
            Some(("data", data)) => {
                event.data = data.to_owned();
                has_data = true;
            }
            Some(("", _) | ("retry", _)) | None => {}
            Some(other) => panic!("{other:?} is no field of an event"),
        }
    }
    has_data.then_some(event)
}
