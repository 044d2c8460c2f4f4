//! `referee simulate`: random legal games without a server.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use clap::Args;
use domain::dealer::Shuffler;
use domain::game::desk::CreateError;
use domain::playout::RandomPlayer;
use domain::rulesets::GameKind;
use domain::ruling::RuleKind;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use serde_json::value::RawValue;

/// What to simulate.
#[derive(Debug, Args)]
pub struct Simulation {
    /// Which game
    #[arg(long, value_parser = game_kind)]
    game: GameKind,
    /// How many games to play
    #[arg(long, default_value_t = 1000)]
    games: u64,
    /// Where the random numbers start: the same seed plays the same games
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// How many players; the fewest that the game allows when left out
    #[arg(long)]
    players: Option<u8>,
    /// The game's options, as JSON
    #[arg(long, value_parser = json)]
    options: Option<Box<RawValue>>,
    /// How often a player takes a move that makes progress, in 0 to 1
    #[arg(long, default_value_t = 0.0, value_parser = share)]
    keen: f64,
    /// How long a game may get, in moves
    #[arg(long, default_value_t = 20_000)]
    max_moves: u64,
    /// Print a report for programs
    #[arg(long)]
    json: bool,
}

fn game_kind(name: &str) -> Result<GameKind, String> {
    GameKind::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = GameKind::ALL.iter().map(|kind| kind.name()).collect();
        format!("the games are {}", names.join(", "))
    })
}

fn json(text: &str) -> Result<Box<RawValue>, String> {
    RawValue::from_string(text.to_owned()).map_err(|error| error.to_string())
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("a number from 0 to 1".to_owned()),
    }
}

/// What came of a simulation.
#[derive(Debug, Serialize)]
struct Report {
    game: GameKind,
    players: u8,
    games: u64,
    seed: u64,
    moves: u64,
    events: u64,
    seconds: f64,
    moves_per_second: f64,
    length: Lengths,
    not_ended: u64,
    wins_by_seat: Vec<u64>,
    results_by_reason: BTreeMap<String, u64>,
    effect_rules_not_reached: Vec<&'static str>,
}

/// How long games were, in moves.
#[derive(Debug, Serialize)]
struct Lengths {
    median: u64,
    percentile_99: u64,
    longest: u64,
}

impl Simulation {
    /// Plays the games and prints the report.
    ///
    /// # Errors
    /// When the game cannot be set up so, or the report cannot be printed.
    pub fn run(&self) -> Result<(), Box<dyn std::error::Error>> {
        let report = self.play()?;
        let mut out = io::stdout().lock();
        if self.json {
            serde_json::to_writer(&mut out, &report)?;
            writeln!(out)?;
        } else {
            report.print(&mut out)?;
        }
        Ok(())
    }

    fn play(&self) -> Result<Report, CreateError> {
        let players = self.players.unwrap_or(*self.game.seats().start());
        let progress = self.progress();
        let mut tally = Tally::default();
        let mut shuffler = Shuffler::seeded(self.seed);
        let player = RandomPlayer { keen: self.keen };
        let mut busy = Duration::ZERO;
        for _ in 0..self.games {
            let begun = Instant::now();
            let playout = self.game.play(
                players,
                self.options.as_deref(),
                player,
                &mut shuffler,
                self.max_moves,
                &mut |rule| tally.see(rule.id),
            )?;
            busy += begun.elapsed();
            tally.moves += playout.moves;
            tally.events += playout.events;
            tally.lengths.push(playout.moves);
            match playout.ending {
                None => tally.not_ended += 1,
                Some(ending) => {
                    tally.ends.extend(ending.rule.map(|rule| rule.id));
                    *tally
                        .reasons
                        .entry(ending.standing.reason.into_owned())
                        .or_default() += 1;
                    for winner in ending.standing.winners {
                        *tally.wins.entry(winner.number()).or_default() += 1;
                    }
                }
            }
            progress.inc(1);
        }
        progress.finish_and_clear();
        Ok(self.report(players, tally, busy))
    }

    fn progress(&self) -> ProgressBar {
        if !io::stderr().is_terminal() {
            return ProgressBar::hidden();
        }
        let style = ProgressStyle::with_template("{bar:40} {pos}/{len} games, {eta} left")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        ProgressBar::new(self.games).with_style(style)
    }

    fn report(&self, players: u8, mut tally: Tally, busy: Duration) -> Report {
        tally.lengths.sort_unstable();
        let at = |share: f64| {
            let last = tally.lengths.len().saturating_sub(1);
            tally
                .lengths
                .get((share * last as f64).round() as usize)
                .copied()
                .unwrap_or(0)
        };
        let seen: BTreeSet<&str> = tally.rules.iter().copied().chain(tally.ends).collect();
        let seconds = busy.as_secs_f64();
        Report {
            game: self.game,
            players,
            games: self.games,
            seed: self.seed,
            moves: tally.moves,
            events: tally.events,
            seconds,
            moves_per_second: tally.moves as f64 / seconds.max(f64::MIN_POSITIVE),
            length: Lengths {
                median: at(0.5),
                percentile_99: at(0.99),
                longest: at(1.0),
            },
            not_ended: tally.not_ended,
            wins_by_seat: (0..players)
                .map(|seat| tally.wins.get(&seat).copied().unwrap_or(0))
                .collect(),
            results_by_reason: tally.reasons,
            effect_rules_not_reached: self
                .game
                .rulebook()
                .rules()
                .filter(|rule| rule.kind == RuleKind::Effect && !seen.contains(rule.id))
                .map(|rule| rule.id)
                .collect(),
        }
    }
}

#[derive(Default)]
struct Tally {
    moves: u64,
    events: u64,
    lengths: Vec<u64>,
    not_ended: u64,
    wins: BTreeMap<u8, u64>,
    reasons: BTreeMap<String, u64>,
    /// The rules seen, each once. A game has a few dozen, so a list beats a set.
    rules: Vec<&'static str>,
    ends: BTreeSet<&'static str>,
}

impl Tally {
    fn see(&mut self, rule: &'static str) {
        // Equal ids nearly always have equal addresses; where not, the report's set settles it.
        if !self.rules.iter().any(|seen| std::ptr::eq(*seen, rule)) {
            self.rules.push(rule);
        }
    }
}

impl Report {
    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(
            out,
            "{} games of {} with {} players, seed {}",
            self.games,
            self.game.name(),
            self.players,
            self.seed
        )?;
        writeln!(
            out,
            "{} moves and {} events in {:.2} s: {:.0} moves a second",
            self.moves, self.events, self.seconds, self.moves_per_second
        )?;
        let Lengths {
            median,
            percentile_99,
            longest,
        } = &self.length;
        writeln!(
            out,
            "length in moves: median {median}, 99th percentile {percentile_99}, longest {longest}"
        )?;
        writeln!(out, "not ended: {}", self.not_ended)?;
        for (seat, wins) in self.wins_by_seat.iter().enumerate() {
            writeln!(out, "seat {seat} won {wins}")?;
        }
        for (reason, count) in &self.results_by_reason {
            writeln!(out, "ended by {reason}: {count}")?;
        }
        match self.effect_rules_not_reached.as_slice() {
            [] => writeln!(out, "every effect rule was reached"),
            missing => writeln!(out, "effect rules not reached: {}", missing.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_plays_the_same_games() {
        let simulation = |seed| Simulation {
            game: GameKind::ALL[0],
            games: 3,
            seed,
            players: None,
            options: None,
            keen: 0.5,
            max_moves: 2_000,
            json: true,
        };
        let moves = |seed| simulation(seed).play().map(|report| report.moves).ok();
        assert_eq!(moves(1), moves(1));
        assert_ne!(moves(1), moves(2));
    }
}
