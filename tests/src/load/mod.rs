//! How many durable moves a second the referee takes, next to what actix-web itself takes.
//!
//! Clients play random games over HTTP, each on a connection of its own that is kept, one request at
//! a time. In turns with them the same number of the same clients post a JSON body of a move's size
//! to a server that answers with JSON of an answer's size and does nothing else. The turns are short,
//! so that a machine that is busy with other things slows both alike, and the ratio says what a move
//! costs beyond a bare POST.
//!
//! The games are worked out before (`script`), so a client knows the legal moves without asking
//! and the version that each answer has to speak of, and spends next to nothing while it is measured.

pub mod bare;
mod connection;
mod process;
mod report;
mod script;
mod work;

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Parser;
use domain::rulesets::GameKind;
use futures_util::future;
use hyper::Uri;

use connection::Failure;
use process::Server;
use report::{Report, Tally};
use script::Script;
use work::{Echoes, Games, Work};

/// How many games of each kind are worked out. They are played again and again: a game's id and
/// salts are new each time.
const SCRIPTS: u64 = 64;

/// How long one side is measured before it is the other's turn.
const SLICE: Duration = Duration::from_millis(500);

/// Measures durable moves a second over HTTP, next to a bare JSON POST.
#[derive(Debug, Parser)]
#[command(name = "load")]
pub struct Load {
    /// The referee to measure, such as http://127.0.0.1:8080; started here, on a file in the
    /// directory for temporary files, when left out
    #[arg(long)]
    url: Option<Uri>,
    /// How many clients send at once
    #[arg(long, default_value_t = 64)]
    clients: usize,
    /// How long to measure each side, in seconds
    #[arg(long, default_value_t = 10)]
    seconds: u32,
    /// Which game, or all of them in turn
    #[arg(long, default_value = "all", value_parser = choice)]
    game: Choice,
    /// Print a report for programs
    #[arg(long)]
    json: bool,
}

/// Which games are played.
#[derive(Clone, Debug)]
struct Choice(Vec<GameKind>);

fn choice(name: &str) -> Result<Choice, String> {
    if name == "all" {
        return Ok(Choice(GameKind::ALL.to_vec()));
    }
    let kind = GameKind::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = GameKind::ALL.iter().map(|kind| kind.name()).collect();
        format!("expected all or one of {}", names.join(", "))
    })?;
    Ok(Choice(vec![kind]))
}

impl Load {
    /// Measures, and prints the report.
    ///
    /// # Errors
    /// When there is nothing to measure, or an answer was not the one that was due.
    pub fn run(&self) -> Result<(), Box<dyn Error>> {
        let scripts = self.scripts()?;
        // One thread: more would only take from the server what they spend on each other.
        let report = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?
            .block_on(self.measure(scripts))?;
        report.print(self.json)?;
        match report.is_clean() {
            true => Ok(()),
            false => Err("not every answer was the one that was due".into()),
        }
    }

    /// The scripts, game by game in turn.
    fn scripts(&self) -> Result<Arc<[Script]>, Box<dyn Error>> {
        let mut scripts = Vec::new();
        for seed in 0..SCRIPTS {
            for kind in &self.game.0 {
                scripts.push(Script::write(*kind, seed)?);
            }
        }
        Ok(scripts.into())
    }

    async fn measure(&self, scripts: Arc<[Script]>) -> Result<Report, Box<dyn Error>> {
        let own = match self.url {
            Some(_) => None,
            None => Some(Server::start_referee().await?),
        };
        let referee = match (&self.url, &own) {
            (Some(url), _) => url.clone(),
            (None, Some(own)) => own.url(),
            (None, None) => unreachable!("one of the two is there"),
        };
        let bare = Server::start_bare().await?;

        let mut players = Vec::new();
        let mut echoes = Vec::new();
        for client in 0..self.clients {
            players.push(Games::begin(&referee, scripts.clone(), client).await?);
            echoes.push(Echoes::begin(&bare.url()).await?);
        }
        let mut moves = Tally::default();
        let mut posts = Tally::default();
        // The first turn warms up, and is not counted.
        slice(&mut players, &mut Tally::default()).await;
        slice(&mut echoes, &mut Tally::default()).await;
        let turns =
            (Duration::from_secs(self.seconds.into()).as_millis() / SLICE.as_millis()).max(1);
        for _ in 0..turns {
            slice(&mut players, &mut moves).await;
            slice(&mut echoes, &mut posts).await;
        }
        for player in &mut players {
            if let Err(failure) = player.verify().await {
                moves.fail(&failure);
            }
        }
        let kinds = self.game.0.iter().map(|kind| kind.name()).collect();
        let games = players.iter().map(|player| player.games).sum();
        Ok(Report::of(self.clients, kinds, games, moves, posts))
    }
}

/// Lets all clients work for one turn.
async fn slice<W: Work>(clients: &mut [W], tally: &mut Tally) {
    let begun = Instant::now();
    let work = clients.iter_mut().map(|client| async move {
        let mut done: Vec<Result<Duration, Failure>> = Vec::new();
        while begun.elapsed() < SLICE {
            done.push(client.once().await);
        }
        done
    });
    let done = future::join_all(work).await;
    tally.busy += begun.elapsed();
    done.into_iter()
        .flatten()
        .for_each(|once| tally.count(once));
}
