//! What the operator decides: flags of `referee serve` and environment variables.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

/// How to serve.
#[derive(Args, Clone, Debug)]
pub struct Config {
    /// Address to listen on; port 0 takes a free one
    #[arg(
        long,
        env = "REFEREE_LISTEN",
        value_name = "ADDR",
        default_value = "127.0.0.1:8080"
    )]
    pub listen: String,

    /// Database file, made when it is not there
    #[arg(
        long,
        env = "REFEREE_DATABASE",
        value_name = "FILE",
        default_value = "referee.db"
    )]
    pub database: String,

    /// Ed25519 key that receipts are signed with, made when it is not there
    /// [default: the database file's name with `.key` appended]
    #[arg(long, value_name = "FILE")]
    pub signing_key: Option<PathBuf>,

    /// Address to serve Prometheus metrics on [default: off]
    #[arg(long, value_name = "ADDR")]
    pub metrics_listen: Option<String>,

    /// Form of the log on standard error
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub log_format: LogFormat,

    /// Web origins that may call from a browser, `*` for any [default: none]
    #[arg(long, value_name = "ORIGIN", value_delimiter = ',')]
    pub cors_origin: Vec<String>,

    /// Requests a second that an address may make [default: unlimited]
    ///
    /// An address is an IPv4 address or an IPv6 /64 network, as the connection comes from it: behind
    /// a proxy, limit there.
    #[arg(long, value_name = "N")]
    pub rate_limit: Option<NonZeroU32>,

    /// Requests that an address may make at once before the rate applies [default: the rate]
    #[arg(long, value_name = "N", requires = "rate_limit")]
    pub rate_burst: Option<NonZeroU32>,

    /// Time that a request's head may take to arrive
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = duration)]
    pub header_timeout: Duration,

    /// Time that each 256 KiB of a body may take to arrive
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    pub body_timeout: Duration,

    /// Time that running requests have to finish when the server is stopped
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    pub stop_timeout: Duration,

    /// Threads that answer requests [default: one a core]
    #[arg(long, value_name = "N")]
    pub workers: Option<NonZeroUsize>,
}

impl Config {
    /// Where the signing key is kept.
    pub fn signing_key_path(&self) -> PathBuf {
        match &self.signing_key {
            Some(path) => path.clone(),
            None => PathBuf::from(format!("{}.key", self.database)),
        }
    }
}

/// The form of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// A line an event, for people.
    Text,
    /// A JSON object a line, for programs.
    Json,
}

/// `500ms`, `10s`, or `10` for seconds; never nothing, which would refuse every request.
fn duration(text: &str) -> Result<Duration, String> {
    let (digits, unit) = match text.strip_suffix("ms") {
        Some(digits) => (digits, Duration::from_millis(1)),
        None => (
            text.strip_suffix('s').unwrap_or(text),
            Duration::from_secs(1),
        ),
    };
    match digits.parse::<u32>() {
        Ok(number) if number > 0 => Ok(unit * number),
        _ => Err("expected a time such as 10s or 500ms".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_a_unit_or_is_in_seconds() {
        assert_eq!(duration("200ms"), Ok(Duration::from_millis(200)));
        assert_eq!(duration("10s"), Ok(Duration::from_secs(10)));
        assert_eq!(duration("3"), Ok(Duration::from_secs(3)));
        for wrong in ["0s", "", "s", "-1s", "1m", "1.5s"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
