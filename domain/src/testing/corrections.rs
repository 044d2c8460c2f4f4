//! Law 11: however a game is corrected, its record tells how it stands.

use chrono::{DateTime, TimeDelta, Utc};

use super::laws::{Lawful, Plan, judged_for_everybody};
use crate::dealer::{Dealer, Mode, Secret, Shuffler};
use crate::game::{Command, Context, Declined, Game, GameEvent, NewGame, Wish, verify};
use crate::playout::RandomPlayer;
use crate::record::{Entry, Hash, Sealed};
use crate::ruleset::{Cause, Ruleset, Setup, Turn};
use crate::seat::{By, Seat};

/// How many requests a game is played with, corrections included.
const REQUESTS: i64 = 40;

/// A game that is played and corrected at random.
struct Sitting<'a, R: Ruleset> {
    told: &'a str,
    game: Game<R>,
    events: Vec<Sealed<GameEvent<R::Event>>>,
    /// The versions in force that end a request, with the game as it was there.
    stops: Vec<(u64, Game<R>)>,
    shuffler: Shuffler,
    second: i64,
}

/// Plays a game with disputes, votes, rewinds, replacements and takebacks in it.
pub(super) fn correction_law<R: Lawful>(
    setup: &Setup<R::Options>,
    plan: &Plan<R::Options>,
    seed: u64,
    told: &str,
) {
    let dealer = match setup.mode {
        Mode::Virtual => Dealer::Virtual(Secret(Hash::of(&seed.to_be_bytes()).0)),
        Mode::Table => Dealer::Table,
    };
    let new = NewGame {
        origin: None,
        id: "a".to_owned(),
        setup: setup.clone(),
        position: None,
        names: Hash::ZERO,
    };
    let created = Game::<R>::create(new, dealer, &mut context(0, None));
    let created = created.expect("a planned game can be created");
    let mut sitting = Sitting {
        told,
        stops: vec![(created.game.version, created.game.clone())],
        game: created.game,
        events: created.events,
        shuffler: Shuffler::seeded(seed ^ 0xd159),
        second: 0,
    };
    let player = RandomPlayer { keen: plan.keen };
    while sitting.second < REQUESTS {
        let goes_on = match sitting.shuffler.below(8) {
            0 => sitting.rewind(),
            1 => sitting.take_back(),
            2 => sitting.replace(),
            _ => sitting.play(player),
        };
        if !goes_on {
            break;
        }
    }
    sitting.check();
    judged_for_everybody::<R>(&sitting.events, setup, told);
}

fn context(second: i64, by: Option<By>) -> Context {
    let at: DateTime<Utc> = DateTime::UNIX_EPOCH + TimeDelta::seconds(second);
    Context::new(at, by, Hash::of(&second.to_be_bytes()).0)
}

impl<R: Lawful> Sitting<'_, R> {
    fn send(&mut self, command: &Command<R>, by: By) -> Result<(), Declined> {
        self.second += 1;
        let mut context = context(self.second, Some(by));
        let decision = self.game.decide_on(&self.events, command, &mut context)?;
        self.events.extend(decision.events);
        self.game = decision.game;
        Ok(())
    }

    fn stop(&mut self) {
        self.stops.push((self.game.version, self.game.clone()));
    }

    /// A move, or the outcome that a table awaits.
    fn play(&mut self, player: RandomPlayer) -> bool {
        let command = match self.game.turn() {
            Turn::Over(_) => return self.game.dealer().mode() == Mode::Table,
            Turn::Chance(_) => Command::Declare {
                outcomes: vec![R::sample(&self.game.course.state, &mut self.shuffler)],
            },
            Turn::Seat(seat) => {
                let legal = self.game.course.legal_moves(seat);
                let chosen =
                    player.choose::<R>(&self.game.course.state, &legal, &mut self.shuffler);
                let mv = chosen.expect("law 2").clone();
                let outcomes = Vec::new();
                Command::Move { seat, mv, outcomes }
            }
        };
        let by = match self.game.turn() {
            Turn::Seat(seat) => By::Seat { seat },
            Turn::Chance(_) | Turn::Over(_) => By::Host {},
        };
        self.send(&command, by).expect("law 1");
        self.stop();
        true
    }

    /// A dispute that is opened about what came last.
    fn dispute(&mut self, seq: u64) -> Option<u32> {
        let seat = Seat::new(0);
        let claim = "it was not so".to_owned();
        let opened = self.send(&Command::OpenDispute { seq, claim }, By::Seat { seat });
        match opened {
            Ok(()) => Some(self.game.docket.open().expect("it is open").number),
            Err(Declined::Misplaced { .. } | Declined::Illegal(_)) => None,
            Err(declined) => panic!("{}: {declined}", self.told),
        }
    }

    /// Everybody votes for a remedy.
    fn agree(&mut self, dispute: u32, remedy: &Wish<R>) -> Result<(), Declined> {
        for seat in Seat::all(self.game.created.seats) {
            let remedy = remedy.clone();
            self.send(&Command::Vote { dispute, remedy }, By::Seat { seat })?;
        }
        Ok(())
    }

    fn rewind(&mut self) -> bool {
        let seq = self.game.version;
        let Some(dispute) = self.dispute(seq) else {
            return self.game.dealer().mode() == Mode::Table || self.over_is_final();
        };
        let stop = self.shuffler.below(self.stops.len() as u32) as usize;
        let to = self.stops[stop].0;
        self.agree(dispute, &Wish::Rewind(to))
            .unwrap_or_else(|declined| panic!("{}: back to {to}: {declined}", self.told));
        let expected = &self.stops[stop].1.course;
        assert_eq!(self.game.course, *expected, "{}: back to {to}", self.told);
        self.stops.truncate(stop + 1);
        self.stop();
        true
    }

    fn over_is_final(&self) -> bool {
        !matches!(self.game.turn(), Turn::Over(_))
    }

    fn take_back(&mut self) -> bool {
        let newest = self.game.newest;
        let by = newest.by.unwrap_or(By::Host {});
        match self.send(&Command::TakeBack, by) {
            Ok(()) => {
                self.stops.retain(|(version, _)| *version < newest.began);
                let (to, before) = self.stops.last().expect("the creation");
                assert_eq!(self.game.course, before.course, "{}: {to}", self.told);
                self.stop();
            }
            Err(declined) => assert!(
                matches!(declined, Declined::NotTheirs(_)),
                "{}: {declined}",
                self.told
            ),
        }
        true
    }

    /// An entry is replaced: by itself, which changes nothing, or by another one of its game.
    fn replace(&mut self) -> bool {
        let in_force: Vec<u64> = (self.events.iter())
            .filter(|sealed| match &sealed.envelope.event {
                GameEvent::Game(event) => R::cause(event).is_some(),
                GameEvent::Life(_) => false,
            })
            .map(|sealed| sealed.envelope.seq)
            .collect();
        let Some(seq) = pick(&in_force, &mut self.shuffler) else {
            return true;
        };
        let Some(dispute) = self.dispute(seq) else {
            return self.over_is_final() || self.game.dealer().mode() == Mode::Table;
        };
        let source = match self.shuffler.below(2) {
            0 => seq,
            _ => pick(&in_force, &mut self.shuffler).unwrap_or(seq),
        };
        let before = self.game.course.clone();
        let entry = self.entry(source);
        match self.agree(dispute, &Wish::Replace(entry)) {
            Ok(()) => {
                assert_eq!(self.game.dealer().mode(), Mode::Table, "{}", self.told);
                if source == seq && !before.abandoned {
                    assert_eq!(self.game.course, before, "{}: {seq} by itself", self.told);
                }
                // The versions in between belong to a past that is no longer in force.
                let replaced = seq - 1;
                self.stops.retain(|(version, _)| *version <= replaced);
                self.stop();
            }
            Err(
                Declined::NotTheirs(_)
                | Declined::HistoryClosed
                | Declined::Illegal(_)
                | Declined::Misplaced { .. },
            ) => {
                let seat = Seat::new(0);
                let withdrawn = self.send(&Command::WithdrawDispute { dispute }, By::Seat { seat });
                withdrawn.expect("the claimant withdraws");
            }
            Err(declined) => panic!("{}: {declined}", self.told),
        }
        true
    }

    fn entry(&self, seq: u64) -> Entry<R::Move, R::Outcome> {
        let GameEvent::Game(event) = &self.events[seq as usize - 1].envelope.event else {
            unreachable!("only the game's own events are picked");
        };
        let cause: Cause<R::Move, R::Outcome> = R::cause(event).expect("only facts are picked");
        Entry::from(cause)
    }

    /// The record folds to the game, verifies, and tells the same disputes.
    fn check(&self) {
        let (told, game) = (self.told, &self.game);
        let folded = Game::<R>::fold(&self.events, game.dealer().clone()).expect("a record folds");
        assert_eq!(folded.course, game.course, "{told}: fold");
        assert_eq!(folded.docket, game.docket, "{told}: fold");
        assert_eq!(folded.newest, game.newest, "{told}: fold");
        let texts: Vec<String> = (self.events.iter())
            .map(|sealed| sealed.text.clone())
            .collect();
        let verification = verify::<R>(&texts, game.dealer(), game.head);
        assert!(verification.valid, "{told}: {verification:?}");
    }
}

fn pick(seqs: &[u64], shuffler: &mut Shuffler) -> Option<u64> {
    let most = u32::try_from(seqs.len()).ok().filter(|most| *most > 0)?;
    seqs.get(shuffler.below(most) as usize).copied()
}
