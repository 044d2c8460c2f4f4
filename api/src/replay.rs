//! `referee replay`: judges records without a server.

use std::fs;
use std::io::{self, IsTerminal, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use clap::Args;
use domain::replay::{Judgement, Line, Manner, Part, Unjudgeable, Verdict};
use domain::ruling::Violation;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use crate::body::{RecordFormat, parse_record};
use crate::routes::records::ReplayAnswer;

/// Which records to judge, and how.
#[derive(Debug, Args)]
pub struct Replay {
    /// Records, as JSON or NDJSON; `-` for standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Print verdicts for programs: one JSON object a file
    #[arg(long)]
    json: bool,
    /// Leave out what is refused, judge on, and tell what came of each entry
    #[arg(long)]
    tolerant: bool,
    /// Judge only so many entries
    #[arg(long)]
    entries: Option<u64>,
    /// Judge by this version of the rules instead of the record's own
    #[arg(long)]
    rules_version: Option<u16>,
}

/// What came of one file.
enum Outcome {
    Judged(Box<ReplayAnswer>),
    Impossible(Violation),
    Unreadable(String),
}

impl Outcome {
    /// 0 legal, 1 not legal, 2 unreadable.
    fn exit_code(&self) -> u8 {
        match self {
            Self::Judged(answer) => match answer.judgement().verdict {
                Verdict::Legal { .. } => 0,
                Verdict::Illegal { .. } | Verdict::Diverged { .. } => 1,
            },
            Self::Impossible(_) => 1,
            Self::Unreadable(_) => 2,
        }
    }
}

impl Replay {
    /// Judges the records, side by side, and prints what came of them in their order. Exits with the
    /// worst of them: 0 legal, 1 not legal, 2 unreadable.
    ///
    /// # Errors
    /// When the verdicts cannot be printed.
    pub fn run(&self) -> io::Result<ExitCode> {
        let outcomes = self.judge_all();
        let mut out = io::stdout().lock();
        for (file, outcome) in self.files.iter().zip(&outcomes) {
            let name = file.display().to_string();
            match self.json {
                true => print_json(&mut out, &name, outcome)?,
                false => print_text(&mut out, &name, outcome)?,
            }
        }
        if outcomes.len() > 1 && !self.json {
            let count = |code| outcomes.iter().filter(|o| o.exit_code() == code).count();
            let (legal, not_legal, unreadable) = (count(0), count(1), count(2));
            writeln!(
                out,
                "{legal} legal, {not_legal} not legal, {unreadable} unreadable"
            )?;
        }
        Ok(ExitCode::from(
            outcomes.iter().map(Outcome::exit_code).max().unwrap_or(0),
        ))
    }

    fn judge_all(&self) -> Vec<Outcome> {
        let progress = self.progress();
        let next = AtomicUsize::new(0);
        let done = Mutex::new(Vec::with_capacity(self.files.len()));
        let workers = thread::available_parallelism().map_or(1, usize::from);
        thread::scope(|scope| {
            for _ in 0..workers.min(self.files.len()) {
                scope.spawn(|| {
                    while let Some((place, file)) = take(&next, &self.files) {
                        let outcome = self.judge(file);
                        progress.inc(1);
                        if let Ok(mut done) = done.lock() {
                            done.push((place, outcome));
                        }
                    }
                });
            }
        });
        progress.finish_and_clear();
        let mut done = done.into_inner().unwrap_or_default();
        done.sort_by_key(|(place, _)| *place);
        done.into_iter().map(|(_, outcome)| outcome).collect()
    }

    /// A bar over many files; for a single one, a sign of life.
    fn progress(&self) -> ProgressBar {
        if !io::stderr().is_terminal() {
            return ProgressBar::hidden();
        }
        let template = "{spinner} {bar:40} {pos}/{len} records, {elapsed}";
        let style =
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        let progress = ProgressBar::new(self.files.len() as u64).with_style(style);
        progress.enable_steady_tick(std::time::Duration::from_millis(200));
        progress
    }

    fn judge(&self, file: &PathBuf) -> Outcome {
        let manner = Manner {
            entries: self.entries,
            tolerant: self.tolerant,
            rules_version: self.rules_version,
        };
        let text = match read(file) {
            Ok(text) => text,
            Err(error) => return Outcome::Unreadable(error.to_string()),
        };
        match judge(&text, manner) {
            Ok(judgement) => Outcome::Judged(Box::new(ReplayAnswer::of(judgement))),
            Err(Unjudgeable::Setup(violation)) => Outcome::Impossible(violation),
            Err(unjudgeable) => Outcome::Unreadable(unjudgeable.to_string()),
        }
    }
}

fn take<'f>(next: &AtomicUsize, files: &'f [PathBuf]) -> Option<(usize, &'f PathBuf)> {
    let place = next.fetch_add(1, Ordering::Relaxed);
    files.get(place).map(|file| (place, file))
}

fn read(file: &PathBuf) -> io::Result<Vec<u8>> {
    if file.as_os_str() == "-" {
        let mut text = Vec::new();
        io::stdin().lock().read_to_end(&mut text)?;
        return Ok(text);
    }
    fs::read(file)
}

/// One JSON object is a record as JSON; more than one, a line each, is one as NDJSON.
fn judge(text: &[u8], manner: Manner) -> Result<Judgement, Unjudgeable> {
    let record = match parse_record(RecordFormat::Json, text) {
        Ok(record) => record,
        // A first line that is no header either was not meant as one.
        Err(as_json) => match parse_record(RecordFormat::Lines, text) {
            Err(Unjudgeable::Malformed {
                at: Part::Line(1), ..
            }) => return Err(as_json),
            by_line => by_line?,
        },
    };
    record.game.judge(&record, manner)
}

fn print_json(out: &mut impl Write, name: &str, outcome: &Outcome) -> io::Result<()> {
    let told = match outcome {
        Outcome::Judged(answer) => json!({"file": name, "judgement": answer}),
        Outcome::Impossible(violation) => {
            let detail = &violation.detail;
            json!({"file": name, "impossible": {"rule": violation.rule, "detail": detail}})
        }
        Outcome::Unreadable(why) => json!({"file": name, "unreadable": why}),
    };
    writeln!(out, "{told}")
}

fn print_text(out: &mut impl Write, name: &str, outcome: &Outcome) -> io::Result<()> {
    let answer = match outcome {
        Outcome::Judged(answer) => answer,
        Outcome::Impossible(why) => return writeln!(out, "{name}: no such game: {why}"),
        Outcome::Unreadable(why) => return writeln!(out, "{name}: unreadable: {why}"),
    };
    let judgement = answer.judgement();
    match &judgement.verdict {
        Verdict::Legal {
            entries, result, ..
        } => {
            let version = judgement.version;
            write!(out, "{name}: legal, {entries} entries, version {version}")?;
            match result {
                Some(standing) => writeln!(out, ", over ({})", standing.reason)?,
                None => writeln!(out, ", not over")?,
            }
        }
        Verdict::Illegal {
            at_entry,
            rule,
            detail,
            ..
        } => {
            writeln!(
                out,
                "{name}: illegal at entry {at_entry}: {detail} ({})",
                rule.id
            )?;
            writeln!(out, "  {}: {}", rule.title, rule.text)?;
        }
        Verdict::Diverged {
            at_seq,
            expected,
            found,
        } => {
            writeln!(out, "{name}: diverged at seq {at_seq}")?;
            writeln!(out, "  expected {expected}")?;
            writeln!(out, "  found    {found}")?;
        }
    }
    for line in judgement.lines.iter().flatten() {
        match line {
            Line::Accepted { .. } => {}
            Line::Refused {
                entry,
                rule,
                detail,
            } => {
                writeln!(out, "  entry {entry} refused: {detail} ({})", rule.id)?;
            }
            Line::Skipped { entry } => writeln!(out, "  entry {entry} skipped")?,
        }
    }
    if let Some(differ) = &judgement.rules_differ {
        let (pinned, judged_by) = (differ.pinned, differ.judged_by);
        match differ.at_entry {
            Some(entry) => writeln!(
                out,
                "  versions {pinned} and {judged_by} of the rules first differ at entry {entry}"
            )?,
            None => writeln!(
                out,
                "  versions {pinned} and {judged_by} of the rules agree"
            )?,
        }
    }
    Ok(())
}
