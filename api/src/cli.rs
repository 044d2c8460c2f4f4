//! The command line of `referee`: one subcommand a variant.

use std::error::Error;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tracing_subscriber::EnvFilter;

use crate::config::{Config, LogFormat};
use crate::replay::Replay;
use crate::router;
use crate::server::Application;
use crate::simulate::Simulation;

/// Judges board and card games over HTTP, and keeps the record.
#[derive(Debug, Parser)]
#[command(name = "referee", version)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What the binary can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the HTTP API
    Serve(Box<Config>),
    /// Print the OpenAPI document
    Openapi,
    /// Judge records without a server
    Replay(Replay),
    /// Play random legal games without a server
    Simulate(Simulation),
}

/// Does what the command line asks.
pub fn run() -> ExitCode {
    let success = |()| ExitCode::SUCCESS;
    let done = match Cli::parse().command {
        Command::Serve(config) => serve(*config).map(success),
        Command::Openapi => print_document().map(success),
        Command::Replay(replay) => replay.run().map_err(Into::into),
        Command::Simulate(simulation) => simulation.run().map(success),
    };
    done.unwrap_or_else(|error| {
        report(error.as_ref());
        ExitCode::FAILURE
    })
}

fn serve(config: Config) -> Result<(), Box<dyn Error>> {
    start_log(config.log_format);
    actix_web::rt::System::new().block_on(async {
        let application = Application::build(config)?;
        let address = application.address();
        application
            .run_until_stopped(|| {
                let mut out = io::stdout().lock();
                // Nobody may be reading: that is no reason not to serve.
                let _ = writeln!(out, "listening on http://{address}").and_then(|()| out.flush());
            })
            .await?;
        Ok(())
    })
}

fn print_document() -> Result<(), Box<dyn Error>> {
    io::stdout().write_all(&router::document().to_pretty_json())?;
    Ok(())
}

fn start_log(format: LogFormat) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr);
    match format {
        LogFormat::Text => log.with_ansi(io::stderr().is_terminal()).init(),
        LogFormat::Json => log.json().init(),
    }
}

fn report(error: &dyn Error) {
    let mut message = format!("referee: {error}");
    let mut cause = error.source();
    while let Some(error) = cause {
        message.push_str(&format!(": {error}"));
        cause = error.source();
    }
    let _ = writeln!(io::stderr(), "{message}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
