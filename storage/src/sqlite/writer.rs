//! The thread that writes, and its queue.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};
use tokio::task;

use super::Closed;
use super::group::Recorder;
use super::write::Write;
use crate::CommitError;

/// How many writes one transaction holds at most.
const GROUP: usize = 256;

/// How many writes wait at most; whoever comes then waits to be let in.
const QUEUE: usize = 1024;

#[derive(Debug)]
pub(super) struct Writer {
    /// `None` once the queue is closed.
    queue: Mutex<Option<mpsc::Sender<Job>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Debug)]
struct Job {
    write: Write,
    reply: oneshot::Sender<Result<(), CommitError>>,
}

impl Writer {
    pub(super) fn start(connection: Connection) -> io::Result<Self> {
        let (queue, jobs) = mpsc::channel(QUEUE);
        let recorder = Recorder::new(connection);
        let thread = thread::Builder::new()
            .name("sqlite-writer".into())
            .spawn(|| run(recorder, jobs))?;
        Ok(Self {
            queue: Mutex::new(Some(queue)),
            thread: Mutex::new(Some(thread)),
        })
    }

    /// Returns once the write is on disk or is known not to be recorded.
    pub(super) async fn write(&self, write: Write) -> Result<(), CommitError> {
        let closed = || CommitError::Unavailable(Arc::new(Closed));
        let queue = self
            .queue
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let (reply, answer) = oneshot::channel();
        queue
            .ok_or_else(closed)?
            .send(Job { write, reply })
            .await
            .map_err(|_| closed())?;
        answer.await.map_err(|_| closed())?
    }

    /// Lets nobody in any more, and returns when the queue is written and the file left.
    pub(super) async fn close(&self) {
        if let Some(thread) = self.stop() {
            // Both fail only after a panic, which has been reported where it happened.
            let _ = task::spawn_blocking(|| thread.join()).await;
        }
    }

    fn stop(&self) -> Option<JoinHandle<()>> {
        self.queue
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        self.thread
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        if let Some(thread) = self.stop() {
            let _ = thread.join();
        }
    }
}

fn run(mut recorder: Recorder, mut jobs: mpsc::Receiver<Job>) {
    let mut group = Vec::with_capacity(GROUP);
    while jobs.blocking_recv_many(&mut group, GROUP) > 0 {
        let (writes, replies): (Vec<_>, Vec<_>) = group
            .drain(..)
            .map(|job: Job| (job.write, job.reply))
            .unzip();
        let results = recorder.record(&writes).unwrap_or_else(|cause| {
            writes
                .iter()
                .map(|_| Err(CommitError::Unavailable(Arc::clone(&cause))))
                .collect()
        });
        for (reply, result) in replies.into_iter().zip(results) {
            // Nobody waits any more: the request was given up.
            let _ = reply.send(result);
        }
    }
    recorder.close();
}
