//! What players correct, and what they say of the record: disputes, takebacks, moves that stood,
//! confirmations, confidences.

use super::correction::{Correction, Past, misplaced};
use super::event::{Confided, DisputeFound, DisputeOpened, DisputeVoted, Remedy};
use super::judge::irregularity;
use super::{Beside, Declined, Dispute, GameEvent, Life, Rewound, Scribe, Source, Wish};
use crate::dealer::Mode;
use crate::record::Sealed;
use crate::ruleset::Ruleset;
use crate::ruling::Common;
use crate::seat::{Actor, By, Seat, Viewer};

type Events<'e, R> = &'e [Sealed<GameEvent<<R as Ruleset>::Event>>];

impl<R: Ruleset> Scribe<'_, R> {
    /// Makes sure that this is a table, where people log what they do.
    pub(super) fn expect_table(&self, detail: &'static str) -> Result<(), Declined> {
        match self.game.created.mode {
            Mode::Table => Ok(()),
            Mode::Virtual => Err(Declined::NotTheirs(detail)),
        }
    }

    /// Records a move that the rules forbid and that the table let pass.
    pub(super) fn stand(
        &mut self,
        seat: Seat,
        mv: &R::Move,
        position: &R::Position,
    ) -> Result<(), Declined> {
        self.expect_table("no move stands in a virtual game that the rules forbid")?;
        let rule = self.game.course.irregular(seat, mv)?;
        let state = R::place(&self.game.created.setup(), position).map_err(Declined::Impossible)?;
        let beside = self.beside();
        let stood = Life::Irregularity(irregularity::<R>(seat, mv, rule, position));
        self.write(Actor::Seat { seat }, beside, GameEvent::Life(stood), None);
        self.game.course.stand(state);
        self.run(Source::Declared(Default::default()))?;
        Ok(())
    }

    /// Records that a seat agrees with the record up to a version.
    pub(super) fn confirm(&mut self, seat: Seat, up_to: u64) -> Result<(), Declined> {
        self.expect_table("what a virtual game records needs nobody's word")?;
        let version = self.game.version;
        if up_to == 0 || up_to > version {
            let detail = format!("the versions of this game are 1 to {version}");
            return Err(misplaced("/up_to", detail));
        }
        self.write_aside(Life::Confirmed { seat, up_to });
        Ok(())
    }

    /// Takes down a seat's own cards.
    pub(super) fn confide(&mut self, seat: Seat, cards: &[R::Held]) -> Result<(), Declined> {
        self.expect_table("the referee of a virtual game knows the cards")?;
        self.game.course.expect_running()?;
        self.game.course.confide(seat, cards)?;
        let json = |card| serde_json::to_value(card).expect("wire types serialise to JSON");
        let cards = Some(cards.iter().map(json).collect());
        self.write_aside(Life::Confided(Confided { seat, cards }));
        Ok(())
    }

    /// Takes the newest request back.
    pub(super) fn take_back(&mut self, events: Events<'_, R>) -> Result<(), Declined> {
        self.expect_table("a virtual game takes nothing back without a dispute")?;
        let newest = self.game.newest;
        if !newest.plays || newest.began <= 1 {
            let detail =
                "the newest request is no move or declaration, so there is nothing to take back";
            return Err(Declined::NotTheirs(detail));
        }
        if newest.by.is_none() || newest.by != self.context.by {
            let detail = "only the token that made the newest request takes it back";
            return Err(Declined::NotTheirs(detail));
        }
        let correction = Past::of(events)?.wind_back(newest.began - 1)?;
        self.carry_out(correction);
        Ok(())
    }

    /// Opens a dispute about an event.
    pub(super) fn open_dispute(
        &mut self,
        events: Events<'_, R>,
        seq: u64,
        claim: &str,
    ) -> Result<(), Declined> {
        self.expect_disputable()?;
        let past = Past::<R>::of(events)?;
        let (entry, rule) = grounds(&past, seq)?;
        let dispute = self.game.docket.next_number();
        let confirmed_up_to = match self.context.by {
            Some(By::Seat { seat }) => self.game.docket.confirmed_by(seat),
            Some(By::Host {}) | None => None,
        };
        self.write_aside(Life::DisputeOpened(DisputeOpened {
            dispute,
            seq,
            claim: claim.to_owned(),
        }));
        let found = Life::DisputeFound(DisputeFound {
            dispute,
            entry,
            rule,
            confirmed_up_to,
        });
        self.write(
            Actor::Referee {},
            Beside::default(),
            GameEvent::Life(found),
            None,
        );
        Ok(())
    }

    /// Records a seat's vote, or the host's decision, and what comes of it.
    pub(super) fn vote(
        &mut self,
        events: Events<'_, R>,
        number: u32,
        wish: &Wish<R>,
    ) -> Result<(), Declined> {
        let dispute = self.expect_open(number)?;
        let (opened_at, seq) = (dispute.opened_at, dispute.opened.seq);
        self.expect_disputable()?;
        let past = Past::of(events)?;
        // A remedy that could not be carried out is not voted on.
        let correction = match wish {
            Wish::Keep => None,
            Wish::Rewind(to) => {
                if *to == 0 || *to >= opened_at || !past.ends_request(*to) {
                    let detail =
                        "a game is wound back to the end of a recorded request that is in force";
                    return Err(misplaced("/to", detail));
                }
                Some(past.wind_back(*to)?)
            }
            Wish::Replace(entry) => {
                self.expect_table("in a virtual game nothing is replaced: it would show cards")?;
                self.expect_remembered()?;
                Some(past.replace(seq, entry)?)
            }
        };
        let remedy = wish.remedy();
        match self.context.by {
            Some(By::Seat { seat }) => {
                let vote = remedy.clone();
                self.write_aside(Life::DisputeVoted(DisputeVoted {
                    dispute: number,
                    seat,
                    vote,
                }));
                if !self.agreed(&remedy) {
                    return Ok(());
                }
            }
            Some(By::Host {}) if *wish == Wish::Keep || self.is_table() => {}
            Some(By::Host {}) | None => {
                let detail = "the host of a virtual game may close a dispute, and change nothing";
                return Err(Declined::NotTheirs(detail));
            }
        }
        self.close(number, remedy);
        if let Some(correction) = correction {
            self.carry_out(correction);
        }
        Ok(())
    }

    /// The claimant takes a dispute back.
    pub(super) fn withdraw(&mut self, number: u32) -> Result<(), Declined> {
        let claimant = self.expect_open(number)?.claimant;
        if self.context.by != Some(claimant) {
            let detail = "only the claimant withdraws a dispute";
            return Err(Declined::NotTheirs(detail));
        }
        self.write_aside(Life::DisputeWithdrawn { dispute: number });
        Ok(())
    }

    /// Ends an open dispute without a remedy, where the game itself ends or goes on elsewhere.
    pub(super) fn lapse(&mut self) {
        if let Some(dispute) = self.game.docket.open().map(|open| open.number) {
            let event = GameEvent::Life(Life::DisputeLapsed { dispute });
            self.write(Actor::Referee {}, Beside::default(), event, None);
        }
    }

    fn close(&mut self, dispute: u32, outcome: Remedy) {
        let beside = Beside {
            by: self.context.by,
            ..Beside::default()
        };
        let actor = match self.context.by {
            Some(By::Host {}) => Actor::Host {},
            Some(By::Seat { .. }) | None => Actor::Referee {},
        };
        let event = GameEvent::Life(Life::DisputeClosed { dispute, outcome });
        self.write(actor, beside, event, None);
    }

    /// Whether every seat has voted for a remedy.
    fn agreed(&self, remedy: &Remedy) -> bool {
        let votes = self.game.docket.open().map_or(&[][..], |open| &open.votes);
        votes.len() == usize::from(self.game.created.seats)
            && votes.iter().all(|voted| voted.vote == *remedy)
    }

    /// Records a correction.
    fn carry_out(&mut self, correction: Correction<R>) {
        let beside = Beside {
            by: self.context.by,
            ..Beside::default()
        };
        self.game.course = correction.wound_back;
        let rewound = Life::Rewound(Rewound {
            to: correction.to,
            revealed_since: correction.revealed_since,
        });
        self.write(Actor::Referee {}, beside, GameEvent::Life(rewound), None);
        for again in correction.steps {
            let beside = match (again.replays, &again.step.entry) {
                (None, Some(_)) => beside,
                (replays, Some(_)) => Beside {
                    by: again.by,
                    occurred_at: again.occurred_at,
                    replays,
                },
                (replays, None) => Beside {
                    replays,
                    ..Beside::default()
                },
            };
            self.record_beside(again.actor, beside, again.step);
            self.finish_if_over();
        }
        if let Some(stopped) = correction.stopped {
            let event = GameEvent::Life(Life::ReplayStopped(stopped));
            self.write(Actor::Referee {}, Beside::default(), event, None);
        }
    }

    fn is_table(&self) -> bool {
        self.game.created.mode == Mode::Table
    }

    fn expect_open(&self, number: u32) -> Result<&Dispute, Declined> {
        match self.game.docket.dispute(number) {
            None => Err(Declined::NoSuchDispute(number)),
            Some(dispute) if dispute.outcome.is_some() => Err(Declined::DisputeOver(number)),
            Some(dispute) => Ok(dispute),
        }
    }

    /// Makes sure that the record can still be corrected: that of a virtual game which is over cannot,
    /// since its secret is out.
    fn expect_disputable(&self) -> Result<(), Declined> {
        match self.game.created.mode {
            Mode::Virtual => Ok(self.game.course.expect_running()?),
            Mode::Table => Ok(()),
        }
    }

    /// Makes sure that recording the past again tells nobody what may not be read of it.
    fn expect_remembered(&self) -> Result<(), Declined> {
        match self.game.history_from() {
            Some(_) => Err(Declined::HistoryClosed),
            None => Ok(()),
        }
    }
}

impl<R: Ruleset> Wish<R> {
    /// The remedy as it is recorded.
    pub(super) fn remedy(&self) -> Remedy {
        match self {
            Self::Keep => Remedy::Keep {},
            Self::Rewind(to) => Remedy::Rewind { to: *to },
            Self::Replace(entry) => Remedy::Replace {
                entry: serde_json::to_value(entry).expect("wire types serialise to JSON"),
            },
        }
    }
}

/// The entry that an event belongs to, and the rule by which the event was possible.
fn grounds<R: Ruleset>(past: &Past<'_, R>, seq: u64) -> Result<(u64, String), Declined> {
    let Some(sealed) = past.event(seq) else {
        let last = past.events.len();
        return Err(misplaced(
            "/seq",
            format!("the events of this game are 1 to {last}"),
        ));
    };
    if !past.journal.holds(seq) {
        return Err(misplaced("/seq", format!("event {seq} was wound back")));
    }
    let envelope = &sealed.envelope;
    let rule = match (&envelope.rule, &envelope.event) {
        (Some(rule), _) => rule.clone(),
        // As everybody sees the event, so that the rule tells nobody more.
        (None, GameEvent::Game(event)) => R::permitted_by(&R::mask(event, Viewer::Spectator))
            .id
            .to_owned(),
        (None, GameEvent::Life(Life::Irregularity(stood))) => stood.rule.clone(),
        (None, GameEvent::Life(Life::GameAbandoned {} | Life::GameOver(_))) => {
            Common::Over.citation().id.to_owned()
        }
        (None, GameEvent::Life(_)) => {
            let detail = format!("event {seq} is no move, no outcome and no consequence of one");
            return Err(misplaced("/seq", detail));
        }
    };
    let entry = match &envelope.event {
        GameEvent::Life(Life::GameAbandoned {}) => seq,
        _ => past.cause_of(seq)?.unwrap_or(1),
    };
    Ok((entry, rule))
}
