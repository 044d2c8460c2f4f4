//! What was measured, and how it is told.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

use serde::Serialize;

use super::connection::Failure;

/// What came of all exchanges of one side.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// How long this side was measured.
    pub(super) busy: Duration,
    latencies: Vec<Duration>,
    failures: BTreeMap<String, u64>,
}

impl Tally {
    /// Counts an exchange.
    pub(super) fn count(&mut self, once: Result<Duration, Failure>) {
        match once {
            Ok(latency) => self.latencies.push(latency),
            Err(failure) => self.fail(&failure),
        }
    }

    /// Counts a failure.
    pub(super) fn fail(&mut self, failure: &Failure) {
        *self.failures.entry(failure.to_string()).or_default() += 1;
    }
}

/// The report.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    clients: usize,
    kinds: Vec<&'static str>,
    games: u64,
    moves: Side,
    bare_posts: Side,
    ratio: f64,
}

/// One side of it.
#[derive(Debug, Serialize)]
struct Side {
    seconds: f64,
    answers: usize,
    per_second: f64,
    p50_ms: f64,
    p99_ms: f64,
    errors: BTreeMap<String, u64>,
}

impl From<Tally> for Side {
    fn from(mut tally: Tally) -> Self {
        tally.latencies.sort_unstable();
        let at = |share: f64| {
            let last = tally.latencies.len().saturating_sub(1);
            let latency = tally.latencies.get((share * last as f64).round() as usize);
            latency.map_or(0.0, |latency| latency.as_secs_f64() * 1000.0)
        };
        let seconds = tally.busy.as_secs_f64();
        Self {
            seconds,
            answers: tally.latencies.len(),
            per_second: tally.latencies.len() as f64 / seconds.max(f64::MIN_POSITIVE),
            p50_ms: at(0.5),
            p99_ms: at(0.99),
            errors: tally.failures,
        }
    }
}

impl Report {
    pub(super) fn of(
        clients: usize,
        kinds: Vec<&'static str>,
        games: u64,
        moves: Tally,
        bare_posts: Tally,
    ) -> Self {
        let (moves, bare_posts) = (Side::from(moves), Side::from(bare_posts));
        Self {
            ratio: moves.per_second / bare_posts.per_second.max(f64::MIN_POSITIVE),
            clients,
            kinds,
            games,
            moves,
            bare_posts,
        }
    }

    /// Whether every answer was the one that was due.
    pub(super) fn is_clean(&self) -> bool {
        self.moves.errors.is_empty() && self.bare_posts.errors.is_empty()
    }

    /// Prints it, for a person or as JSON.
    pub(super) fn print(&self, json: bool) -> io::Result<()> {
        let mut out = io::stdout().lock();
        if json {
            serde_json::to_writer(&mut out, self)?;
            return writeln!(out);
        }
        writeln!(
            out,
            "{} clients, {} games of {}",
            self.clients,
            self.games,
            self.kinds.join(", ")
        )?;
        for (name, side) in [
            ("durable moves", &self.moves),
            ("bare POSTs", &self.bare_posts),
        ] {
            writeln!(
                out,
                "{name:>13}: {:>6.0} a second, p50 {:.2} ms, p99 {:.2} ms, {} errors",
                side.per_second,
                side.p50_ms,
                side.p99_ms,
                side.errors.values().sum::<u64>()
            )?;
        }
        writeln!(out, "{:>13}: {:.3}", "ratio", self.ratio)?;
        for (failure, count) in self.moves.errors.iter().chain(&self.bare_posts.errors) {
            writeln!(out, "{count} times {failure}")?;
        }
        Ok(())
    }
}
