//! The load generator. As `load serve` it is the `referee` that it measures, as `load bare` the
//! server that it compares with, so that one build holds all three; see [`tests::load`].

use std::process::ExitCode;

use clap::Parser;
use tests::load::{Load, bare};

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("serve") => api::cli::run(),
        Some("bare") => finish(bare::serve().map_err(Into::into)),
        _ => finish(Load::parse().run()),
    }
}

fn finish(done: Result<(), Box<dyn std::error::Error>>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("load: {error}");
            ExitCode::FAILURE
        }
    }
}
