//! A game spoken to in JSON: what the dispatch over all games is made of.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::fold::{Journal, created};
use super::judge::entries_of;
use super::past::{Act, Done, Origin, Parent, acts_of, keep_confidences};
use super::{
    Command, Confirmation, Context, Course, Decision, Declined, DisputeReport, Game, GameEvent,
    NewGame, Refusal, Source, Status, Step, Stood, Unreadable, Wish,
};
use crate::dealer::{Dealer, Mode};
use crate::record::{Entry, Hash, Sealed, served};
use crate::ruleset::{Opening, Ruleset, Setup, Standing, Turn};
use crate::rulesets::AnyDue;
use crate::ruling::{Clue, Common, Violation};
use crate::seat::{By, Seat, Viewer};
use crate::wire::{Malformed, number_beyond, read, without_place};

/// Text that is JSON already.
pub type Json = Box<RawValue>;

/// What a new game is created from, before its kind has read the options.
#[derive(Debug)]
pub struct Blueprint<'a> {
    /// The game's id.
    pub id: String,
    /// The number of seats.
    pub seats: u8,
    /// The options as they were sent; the defaults when there were none.
    pub options: Option<&'a RawValue>,
    /// The version of the rules; the default when none was asked for.
    pub rules_version: Option<u16>,
    /// The position to begin with; the first one when there was none.
    pub position: Option<&'a RawValue>,
    /// A salted digest of the names.
    pub names: Hash,
}

/// Who a game with a past becomes: its id, and the salted digest of the names.
#[derive(Clone, Debug)]
pub struct Heir {
    /// The new game's id.
    pub id: String,
    /// The digest of the names.
    pub names: Hash,
}

/// What is known of a past that was imported.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ImportedPast {
    /// Whether it leaves something out.
    pub(crate) masked: bool,
    /// The hash of its last event, where it told events.
    pub(crate) head: Option<Hash>,
}

/// Why a game cannot be created.
#[derive(Debug, thiserror::Error)]
pub enum CreateError {
    /// The options are not of the right form.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// There is no such version of the rules.
    #[error("there is no version {0} of these rules")]
    NoSuchRules(u16),
    /// The rules forbid it.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

/// An event to store: its text, which is what was hashed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEvent {
    /// Its number in the game.
    pub seq: u64,
    /// Its canonical JSON.
    pub text: String,
}

/// Who must act, as JSON tells it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[schema(as = Turn)]
pub enum TurnJson {
    /// A seat.
    Seat {
        /// Which.
        seat: Seat,
    },
    /// Chance.
    Chance {
        /// What is awaited.
        #[schema(value_type = AnyDue)]
        awaiting: Json,
    },
    /// Nobody.
    Over {},
}

impl TurnJson {
    /// Who must act in a game, and how it ended.
    pub(crate) fn of<R: Ruleset>(course: &Course<R>) -> (Self, Option<Standing>) {
        match course.turn() {
            Turn::Seat(seat) => (Self::Seat { seat }, None),
            Turn::Chance(due) => {
                let awaiting = raw(&due);
                (Self::Chance { awaiting }, None)
            }
            Turn::Over(ending) => (Self::Over {}, Some(ending.standing)),
        }
    }
}

/// How a game stands, as far as everybody may know.
#[derive(Clone, Debug, Serialize)]
pub struct Brief {
    /// The version that the rules have.
    pub rules_version: u16,
    /// Who deals.
    pub mode: Mode,
    /// The options in force.
    pub options: Json,
    /// Whether it goes on.
    pub status: Status,
    /// The last seq.
    pub version: u64,
    /// Who must act.
    pub turn: TurnJson,
    /// How it ended.
    pub result: Option<Standing>,
    /// The commitment to the dealer's secret.
    pub commitment: Option<Hash>,
    /// Where its past comes from, if it did not begin here.
    pub origin: Option<Origin>,
    /// The seats that were claimed.
    pub claimed: Vec<Seat>,
    /// The position that it began with, where that was not the first one.
    pub position: Option<Json>,
    /// How far each seat agrees with the record; a table's.
    pub confirmed: Vec<Confirmation>,
    /// The moves that stood although the rules forbid them.
    pub irregularities: Vec<Stood>,
    /// The number of the dispute that is open.
    pub dispute: Option<u32>,
    /// The seats whose confidences contradicted those of others, once the game is over.
    pub contradicted: Vec<Seat>,
}

/// How a dispute should end, before the game has read the entry in it.
#[derive(Clone, Copy, Debug)]
pub enum WishJson<'a> {
    /// The record stays as it is.
    Keep,
    /// The game is wound back to a version.
    Rewind(u64),
    /// The entry that caused the event is replaced by this one.
    Replace(&'a RawValue),
}

/// The entries of a record, and whether any is masked.
#[derive(Clone, Debug)]
pub struct Entries {
    /// Each entry in force and each correction, in order.
    pub entries: Vec<Json>,
    /// Whether something is hidden from the reader.
    pub masked: bool,
}

/// The JSON of a value of ours.
pub(crate) fn raw<T: Serialize + ?Sized>(value: &T) -> Json {
    serde_json::value::to_raw_value(value).expect("wire types serialise to JSON")
}

/// Creates a game from its blueprint.
pub(crate) fn create<R: Ruleset>(
    blueprint: Blueprint<'_>,
    dealer: Dealer,
    context: &mut Context,
) -> Result<Decision<R>, CreateError> {
    let mut setup = setup::<R>(blueprint.seats, blueprint.options)?;
    setup.mode = dealer.mode();
    setup.rules_version = blueprint.rules_version.unwrap_or(setup.rules_version);
    if !R::VERSIONS.contains(&setup.rules_version) {
        return Err(CreateError::NoSuchRules(setup.rules_version));
    }
    let position = (blueprint.position)
        .map(|text| read_position::<R>("/position", text))
        .transpose()?;
    let new = NewGame {
        origin: None,
        id: blueprint.id,
        setup,
        position: position.as_ref().map(written::<R>),
        names: blueprint.names,
    };
    Ok(Game::create(new, dealer, context)?)
}

/// Reads a position. Numbers that no game has are judged like those that only this one has not (CM-5).
fn read_position<R: Ruleset>(at: &str, text: &RawValue) -> Result<R::Position, CreateError> {
    read(at, text).map_err(|malformed| match number_beyond::<R::Position>(text) {
        Some(number) => {
            let detail = format!("nothing in this game is counted up to {number}");
            CreateError::Refused(Refusal::Setup(Violation::of(Common::Knowledge, detail)))
        }
        None => CreateError::Malformed(malformed),
    })
}

/// A position as it is kept.
pub(crate) fn written<R: Ruleset>(position: &R::Position) -> serde_json::Value {
    serde_json::to_value(position).expect("wire types serialise to JSON")
}

/// A virtual game under the default rules, with options as they were sent.
pub(crate) fn setup<R: Ruleset>(
    seats: u8,
    options: Option<&RawValue>,
) -> Result<Setup<R::Options>, Malformed> {
    let options = match options {
        Some(text) => read("/options", text)?,
        None => R::Options::default(),
    };
    Ok(Setup {
        seats,
        options,
        rules_version: R::VERSIONS[0],
        mode: Mode::Virtual,
    })
}

/// Creates a game with the past of stored events up to a version.
pub(crate) fn fork<R: Ruleset>(
    texts: &[String],
    at: u64,
    heir: Heir,
    dealer: Dealer,
    context: &mut Context,
) -> Result<Decision<R>, Unreadable> {
    let events = read_events::<R>(texts)?;
    let created = created::<R>(&events)?;
    let mut acts = acts_of::<R>(&events, at)?;
    if Game::<R>::fold(&events, Dealer::Table)?.course.status() == Status::InProgress {
        keep_confidences(&mut acts);
    }
    let origin = Origin {
        entries: entries_among(&acts),
        masked: created.origin.as_ref().is_some_and(|origin| origin.masked),
        imported_from: None,
        forked_from: Some(Parent {
            game: created.id.clone(),
            version: at,
        }),
    };
    let new = NewGame {
        id: heir.id,
        names: heir.names,
        setup: created.setup(),
        position: created.position,
        origin: Some(origin),
    };
    Game::resume(new, &acts, dealer, context).map_err(|(_, unfit)| Unreadable::Unfit(unfit))
}

fn entries_among<R: Ruleset>(acts: &[Act<R>]) -> u64 {
    acts.iter()
        .filter(|act| matches!(act.deed, Done::Entry { .. }))
        .count() as u64
}

/// Creates a game with the past of acts that were found legal.
pub(crate) fn import<R: Ruleset>(
    opening: Opening<R>,
    acts: &[Act<R>],
    past: ImportedPast,
    heir: Heir,
    dealer: Dealer,
    context: &mut Context,
) -> Result<Decision<R>, Unreadable> {
    let origin = Origin {
        entries: entries_among(acts),
        masked: past.masked,
        imported_from: past.head,
        forked_from: None,
    };
    let new = NewGame {
        id: heir.id,
        names: heir.names,
        setup: opening.setup,
        position: opening.position.as_ref().map(written::<R>),
        origin: Some(origin),
    };
    Game::resume(new, acts, dealer, context).map_err(|(_, unfit)| Unreadable::Unfit(unfit))
}

/// Reads stored events of a game.
pub(crate) fn read_events<R: Ruleset>(
    texts: &[String],
) -> Result<Vec<Sealed<GameEvent<R::Event>>>, Unreadable> {
    (1..)
        .zip(texts)
        .map(|(place, text)| Sealed::read(place, text))
        .collect()
}

/// A table's state at a version, as a position. Where the version lies amid the consequences of an
/// entry, it is the state after all of them: nothing less could be played on from.
pub(crate) fn position<R: Ruleset>(texts: &[String], at: u64) -> Result<Json, Unreadable> {
    let events = read_events::<R>(texts)?;
    let mut journal = Journal::<R>::begin(&events)?;
    for sealed in &events[1..] {
        let follows = matches!(&sealed.envelope.event, GameEvent::Game(event) if journal.entry(event).is_none());
        if sealed.envelope.seq > at && !follows {
            break;
        }
        journal.advance(sealed)?;
    }
    Ok(raw(&R::position(&journal.course.state)))
}

/// The game at the end of stored events.
pub(crate) fn fold<R: Ruleset>(texts: &[String], dealer: Dealer) -> Result<Game<R>, Unreadable> {
    Game::fold(&read_events::<R>(texts)?, dealer)
}

/// A stored event as a viewer may see it.
pub(crate) fn serve<R: Ruleset>(text: &str, viewer: Viewer) -> Result<String, Unreadable> {
    let sealed = Sealed::<GameEvent<R::Event>>::read(0, text)?;
    Ok(served::<R>(&sealed, viewer))
}

/// The seqs of the events in force that still say something about a clue, as a viewer sees them.
pub(crate) fn evidence<R: Ruleset>(
    texts: &[String],
    clue: &Clue,
    viewer: Viewer,
) -> Result<Vec<u64>, Unreadable> {
    let events = read_events::<R>(texts)?;
    let journal = Journal::<R>::of(&events)?;
    let of_the_game = journal.in_force.iter().filter_map(|sealed| {
        let GameEvent::Game(event) = &sealed.envelope.event else {
            return None;
        };
        Some((sealed.envelope.seq, event))
    });
    Ok(R::evidence(of_the_game, clue, viewer))
}

/// The entries of stored events, as a viewer may see them.
pub(crate) fn entries<R: Ruleset>(texts: &[String], viewer: Viewer) -> Result<Entries, Unreadable> {
    let mut events = read_events::<R>(texts)?;
    let mut masked = false;
    for sealed in &mut events {
        // Where the salt is not told, the hash cannot be tried, not even by who sees all the rest.
        masked |= sealed.envelope.salt.is_some() && viewer != Viewer::Open;
        if let Cow::Owned(shown) = sealed.envelope.event.masked::<R>(viewer) {
            sealed.envelope.event = shown;
        }
    }
    let entries = entries_of::<R>(&events)?
        .iter()
        .map(|(_, entry)| raw(entry))
        .collect();
    Ok(Entries { entries, masked })
}

impl<R: Ruleset> Decision<R> {
    /// The events as a reader may see them once they are recorded.
    pub(crate) fn served(&self, reader: Viewer) -> Vec<Json> {
        let viewer = self.game.course.viewer(reader);
        let json = |sealed: &Sealed<GameEvent<R::Event>>| {
            let text = served::<R>(sealed, viewer);
            RawValue::from_string(text).expect("records serialise to JSON")
        };
        self.events.iter().map(json).collect()
    }

    /// The events to store, and the game when they have been recorded.
    pub(crate) fn into_stored(self) -> (Vec<StoredEvent>, Game<R>) {
        let stored = |sealed: Sealed<GameEvent<R::Event>>| StoredEvent {
            seq: sealed.envelope.seq,
            text: sealed.text,
        };
        (self.events.into_iter().map(stored).collect(), self.game)
    }
}

impl<R: Ruleset> Game<R> {
    /// Reads a move with the outcomes declared beside it.
    pub(crate) fn read_move(
        &self,
        seat: Seat,
        mv: &RawValue,
        outcomes: &[Json],
    ) -> Result<Command<R>, Malformed> {
        Ok(Command::Move {
            seat,
            mv: read("/move", mv)?,
            outcomes: Self::read_outcomes(outcomes)?,
        })
    }

    /// Reads declared outcomes.
    pub(crate) fn read_outcomes(outcomes: &[Json]) -> Result<Vec<R::Outcome>, Malformed> {
        let read_one = |(place, text): (usize, &Json)| read(&format!("/outcomes/{place}"), text);
        outcomes.iter().enumerate().map(read_one).collect()
    }

    /// Reads a move that stood although the rules forbid it.
    pub(crate) fn read_stand(
        seat: Seat,
        mv: &RawValue,
        position: &RawValue,
    ) -> Result<Command<R>, CreateError> {
        Ok(Command::Stand {
            seat,
            mv: read("/move", mv)?,
            position: Box::new(read_position::<R>("/stand/position", position)?),
        })
    }

    /// Reads what a seat tells of its own hidden cards.
    pub(crate) fn read_confidence(seat: Seat, cards: &[Json]) -> Result<Command<R>, Malformed> {
        let read_one = |(place, text): (usize, &Json)| read(&format!("/cards/{place}"), text);
        let cards = cards.iter().enumerate().map(read_one);
        Ok(Command::Confide {
            seat,
            cards: cards.collect::<Result<_, _>>()?,
        })
    }

    /// Reads a vote.
    pub(crate) fn read_vote(
        &self,
        dispute: u32,
        remedy: WishJson<'_>,
    ) -> Result<Command<R>, Malformed> {
        let remedy = match remedy {
            WishJson::Keep => Wish::Keep,
            WishJson::Rewind(to) => Wish::Rewind(to),
            WishJson::Replace(entry) => Wish::Replace(self.read_entry(entry)?),
        };
        Ok(Command::Vote { dispute, remedy })
    }

    /// Reads the entry that is to take the place of another.
    fn read_entry(&self, text: &RawValue) -> Result<Entry<R::Move, R::Outcome>, Malformed> {
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Fields<'a> {
            #[serde(default)]
            seat: Option<Seat>,
            #[serde(default, rename = "move", borrow)]
            mv: Option<&'a RawValue>,
            #[serde(default, borrow)]
            outcome: Option<&'a RawValue>,
        }
        let malformed = |detail: String| Malformed {
            at: "/entry".to_owned(),
            detail,
        };
        let told = "an entry is a `seat` with its `move`, or an `outcome`";
        if !text.get().starts_with('{') {
            return Err(malformed(told.to_owned()));
        }
        let fields: Fields<'_> =
            serde_json::from_str(text.get()).map_err(|error| malformed(without_place(&error)))?;
        match (fields.seat, fields.mv, fields.outcome) {
            (Some(seat), Some(mv), None) if seat.number() < self.created.seats => {
                let mv = read("/entry/move", mv)?;
                Ok(Entry::Move { seat, mv })
            }
            (Some(seat), Some(_), None) => Err(Malformed {
                at: "/entry/seat".to_owned(),
                detail: format!("there is no seat {seat} at this table"),
            }),
            (None, None, Some(outcome)) => {
                let outcome = read("/entry/outcome", outcome)?;
                Ok(Entry::Outcome { outcome })
            }
            _ => Err(malformed(told.to_owned())),
        }
    }

    /// Judges a command on the record that its game has now. Texts are needed only where it
    /// [reads the record](Command::reads_the_record).
    pub(crate) fn decide_on_texts(
        &self,
        texts: &[String],
        command: &Command<R>,
        context: &mut Context,
    ) -> Result<Decision<R>, Declined> {
        match command.reads_the_record() {
            true => self.decide_on(&read_events::<R>(texts)?, command, context),
            false => self.decide(command, context),
        }
    }

    /// Judges a command without recording it, for who asks. The dealer is not asked, so nothing of
    /// what would come is told.
    pub(crate) fn judge(&self, command: &Command<R>, asker: Option<By>) -> Result<(), Declined> {
        self.expect_undisputed(command)?;
        match command {
            Command::Move { seat, mv, outcomes } => {
                self.course.expect_running()?;
                self.expect_known()?;
                let mut source = Source::of(&self.dealer, outcomes.clone())?;
                let mut course = self.course.clone();
                course.apply(self.course.decide(*seat, mv)?);
                if asker == Some(By::Seat { seat: *seat }) {
                    self.course.expect_honest(*seat, mv)?;
                }
                if self.dealer.mode() == Mode::Table {
                    while let Some(step) = course.next_outcome(&mut source)? {
                        course.apply(step);
                    }
                    source.exhausted(&course)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The disputes, or one of them, as a reader is told them.
    pub(crate) fn disputes(
        &self,
        texts: &[String],
        reader: Viewer,
        only: Option<u32>,
    ) -> Result<Vec<DisputeReport>, Unreadable> {
        self.reports(&read_events::<R>(texts)?, reader, only)
    }

    /// How the game stands.
    pub(crate) fn brief(&self) -> Brief {
        let (turn, result) = TurnJson::of(&self.course);
        Brief {
            rules_version: self.created.rules_version,
            mode: self.created.mode,
            options: raw(&self.created.options),
            status: self.course.status(),
            version: self.version,
            turn,
            result,
            commitment: self.created.commitment,
            origin: self.created.origin.clone(),
            claimed: self.claimed.clone(),
            position: self.created.position.as_ref().map(raw),
            confirmed: self.docket.confirmed().to_vec(),
            irregularities: self.docket.irregularities.clone(),
            dispute: self.docket.open().map(|open| open.number),
            contradicted: match self.course.status() {
                Status::InProgress => Vec::new(),
                Status::Over | Status::Abandoned => self.course.confidences.contradicted().to_vec(),
            },
        }
    }

    /// The state as a reader may see it.
    pub(crate) fn view_json(&self, reader: Viewer) -> Json {
        raw(&self.course.view(reader))
    }

    /// A seat's legal moves, for who asks.
    pub(crate) fn legal_moves_json(&self, seat: Seat, asker: Option<By>) -> Vec<Json> {
        if self.is_masked() {
            return Vec::new();
        }
        let moves = match asker == Some(By::Seat { seat }) {
            true => self.course.honest_moves(seat),
            false => self.course.legal_moves(seat),
        };
        moves.iter().map(raw).collect()
    }
}

impl<R: Ruleset> Course<R> {
    /// Counts and applies a step.
    pub fn apply(&mut self, step: Step<R>) {
        self.count(step.entry.as_ref());
        for effect in &step.effects {
            self.evolve(&effect.event);
        }
    }
}
