//! Dispatch over all games: nothing here but which game it goes to.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::openapi::schema::{AnyOfBuilder, Schema};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

use super::*;
use crate::dealer::{Dealer, Shuffler};
use crate::game::desk::{
    self, Blueprint, Brief, CreateError, Entries, Heir, Json, StoredEvent, TurnJson, WishJson,
};
use crate::game::{
    Command, Context, Decision, Declined, DisputeReport, Game, Refusal, Status, Unreadable,
    Verification, verify,
};
use crate::playout::{self, Playout, RandomPlayer};
use crate::record::Hash;
use crate::replay::{self, ImportError, Judgement, Manner, Record, Unjudgeable};
use crate::ruleset::{Ruleset, Setup, Standing};
use crate::ruling::{Citation, Clue, Rulebook};
use crate::seat::{By, Seat, Viewer};
#[cfg(any(test, feature = "testing"))]
use crate::testing;
use crate::wire::Malformed;

/// What a command leads to, in any game.
#[derive(Debug)]
pub struct AnyDecision {
    /// The events to store.
    pub stored: Vec<StoredEvent>,
    /// The events as the reader may see them once they are recorded.
    pub served: Vec<Json>,
    /// The game when they have been recorded.
    pub game: AnyGame,
}

fn any<R: Ruleset>(
    decision: Decision<R>,
    reader: Viewer,
    wrap: fn(Box<Game<R>>) -> AnyGame,
) -> AnyDecision {
    let served = decision.served(reader);
    let (stored, game) = decision.into_stored();
    AnyDecision {
        stored,
        served,
        game: wrap(Box::new(game)),
    }
}

/// Writes the closed enums over all games, and their dispatch. For `Chess: chess;` it writes
/// `GameKind::Chess` (`chess` in JSON), `AnyGame::Chess(Box<Game<chess::Chess>>)`,
/// `AnyCommand::Chess(Command<chess::Chess>)`, an arm that goes to `chess::Chess` in every function
/// below, and `chess::Move` and its like in the unions of the API document.
macro_rules! games {
    ($($kind:ident: $module:ident;)+) => {
        /// Which game.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum GameKind {
            $(#[doc = concat!("`", stringify!($module), "`")] $kind,)+
        }

        /// One sitting of any game.
        #[derive(Clone, Debug)]
        pub enum AnyGame {
            $(#[doc = concat!("A game of `", stringify!($module), "`.")]
            $kind(Box<Game<$module::$kind>>),)+
        }

        /// A command, read by the game that it is for.
        #[derive(Clone, Debug)]
        pub enum AnyCommand {
            $(#[doc = concat!("For a game of `", stringify!($module), "`.")]
            $kind(Command<$module::$kind>),)+
        }

        impl AnyCommand {
            /// Whether judging it takes the whole record, not just the game at its end.
            pub fn reads_the_record(&self) -> bool {
                match self { $(Self::$kind(command) => command.reads_the_record(),)+ }
            }
        }

        impl GameKind {
            /// Every game, in the order of the list.
            pub const ALL: &'static [Self] = &[$(Self::$kind),+];

            /// The game's id.
            pub fn name(self) -> &'static str {
                match self { $(Self::$kind => <$module::$kind as Ruleset>::NAME,)+ }
            }

            /// The game with this id.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|kind| kind.name() == name)
            }

            /// How many may play (CM-1).
            pub fn seats(self) -> std::ops::RangeInclusive<u8> {
                match self { $(Self::$kind => <$module::$kind as Ruleset>::SEATS,)+ }
            }

            /// The versions of the rules that can be judged by; the first is the default.
            pub fn rules_versions(self) -> &'static [u16] {
                match self { $(Self::$kind => <$module::$kind as Ruleset>::VERSIONS,)+ }
            }

            /// What is served and cited under a version of the rules; none where there is no such
            /// version.
            pub fn rulebook_of(self, version: u16) -> Option<&'static Rulebook> {
                if !self.rules_versions().contains(&version) {
                    return None;
                }
                Some(match self {
                    $(Self::$kind => <$module::$kind as Ruleset>::rulebook(version),)+
                })
            }

            /// What is served and cited under the default version of the rules.
            pub fn rulebook(self) -> &'static Rulebook {
                match self {
                    $(Self::$kind => <$module::$kind as Ruleset>::rulebook(
                        <$module::$kind as Ruleset>::VERSIONS[0],
                    ),)+
                }
            }

            /// Creates a game, and deals as far as somebody must act.
            ///
            /// # Errors
            /// When the options are malformed, or the rules forbid it.
            pub fn create(
                self,
                blueprint: Blueprint<'_>,
                dealer: Dealer,
                context: &mut Context,
                reader: Viewer,
            ) -> Result<AnyDecision, CreateError> {
                match self {
                    $(Self::$kind => desk::create::<$module::$kind>(blueprint, dealer, context)
                        .map(|decision| any(decision, reader, AnyGame::$kind)),)+
                }
            }

            /// The game at the end of stored events, or of a first part of them.
            ///
            /// # Errors
            /// When they are not the events of such a game.
            pub fn fold(self, texts: &[String], dealer: Dealer) -> Result<AnyGame, Unreadable> {
                match self {
                    $(Self::$kind => desk::fold(texts, dealer)
                        .map(|game| AnyGame::$kind(Box::new(game))),)+
                }
            }

            /// A stored event as a viewer may see it: the only way out for an event.
            ///
            /// # Errors
            /// When it is not an event of such a game.
            pub fn serve(self, text: &str, viewer: Viewer) -> Result<String, Unreadable> {
                match self { $(Self::$kind => desk::serve::<$module::$kind>(text, viewer),)+ }
            }

            /// The seqs of the events in force that bear on a clue, as a viewer sees them.
            ///
            /// # Errors
            /// When they are not the events of such a game.
            pub fn evidence(
                self,
                texts: &[String],
                clue: &Clue,
                viewer: Viewer,
            ) -> Result<Vec<u64>, Unreadable> {
                match self {
                    $(Self::$kind => desk::evidence::<$module::$kind>(texts, clue, viewer),)+
                }
            }

            /// The entries of stored events, as a viewer may see them.
            ///
            /// # Errors
            /// When they are not the events of such a game.
            pub fn entries(self, texts: &[String], viewer: Viewer) -> Result<Entries, Unreadable> {
                match self { $(Self::$kind => desk::entries::<$module::$kind>(texts, viewer),)+ }
            }

            /// A table's state at a version, as a position; after all consequences of the entry that
            /// the version lies in.
            ///
            /// # Errors
            /// When the texts are not the events of such a game.
            pub fn position(self, texts: &[String], at: u64) -> Result<Json, Unreadable> {
                match self { $(Self::$kind => desk::position::<$module::$kind>(texts, at),)+ }
            }

            /// Replays stored events from nothing.
            pub fn verify(self, texts: &[String], dealer: &Dealer, head: Hash) -> Verification {
                match self { $(Self::$kind => verify::<$module::$kind>(texts, dealer, head),)+ }
            }

            /// Judges a record from outside.
            ///
            /// # Errors
            /// When it is not a record of this game.
            pub fn judge(
                self,
                record: &Record<'_>,
                manner: Manner,
            ) -> Result<Judgement, Unjudgeable> {
                match self { $(Self::$kind => replay::judge::<$module::$kind>(record, manner),)+ }
            }

            /// Creates a game with the past that a record tells, if it is legal.
            ///
            /// # Errors
            /// When it is not.
            pub fn import(
                self,
                record: &Record<'_>,
                heir: Heir,
                dealer: Dealer,
                context: &mut Context,
            ) -> Result<AnyDecision, ImportError> {
                match self {
                    $(Self::$kind => replay::import::<$module::$kind>(record, heir, dealer, context)
                        .map(|decision| any(decision, Viewer::Spectator, AnyGame::$kind)),)+
                }
            }

            /// Creates a game with the past of stored events up to a version.
            ///
            /// # Errors
            /// When they are not the events of such a game.
            pub fn fork(
                self,
                texts: &[String],
                at: u64,
                heir: Heir,
                dealer: Dealer,
                context: &mut Context,
            ) -> Result<AnyDecision, Unreadable> {
                match self {
                    $(Self::$kind => desk::fork::<$module::$kind>(texts, at, heir, dealer, context)
                        .map(|decision| any(decision, Viewer::Spectator, AnyGame::$kind)),)+
                }
            }

            /// Plays a random virtual game; `observe` sees the rule of every consequence.
            ///
            /// # Errors
            /// When the options are malformed, or the rules forbid the game.
            pub fn play(
                self,
                seats: u8,
                options: Option<&RawValue>,
                player: RandomPlayer,
                shuffler: &mut Shuffler,
                max_moves: u64,
                observe: &mut dyn FnMut(&'static Citation),
            ) -> Result<Playout, CreateError> {
                match self {
                    $(Self::$kind => {
                        let setup: Setup<_> = desk::setup::<$module::$kind>(seats, options)?;
                        playout::play::<$module::$kind>(
                            &setup, player, shuffler, max_moves,
                            |effect| if let Some(rule) = effect.rule { observe(rule) },
                        ).map_err(|violation| CreateError::Refused(Refusal::Setup(violation)))
                    })+
                }
            }
        }

        impl AnyGame {
            /// Which game it is.
            pub fn kind(&self) -> GameKind {
                match self { $(Self::$kind(_) => GameKind::$kind,)+ }
            }

            /// How it stands.
            pub fn brief(&self) -> Brief {
                match self { $(Self::$kind(game) => game.brief(),)+ }
            }

            /// Who must act, and how it ended.
            pub fn turn(&self) -> (TurnJson, Option<Standing>) {
                match self { $(Self::$kind(game) => TurnJson::of(&game.course),)+ }
            }

            /// Whether it goes on.
            pub fn status(&self) -> Status {
                match self { $(Self::$kind(game) => game.course.status(),)+ }
            }

            /// The hash of its last event.
            pub fn head(&self) -> Hash {
                match self { $(Self::$kind(game) => game.head,)+ }
            }

            /// The last seq.
            pub fn version(&self) -> u64 {
                match self { $(Self::$kind(game) => game.version,)+ }
            }

            /// Whether its past was imported from a masked record, so that nobody can deal on.
            pub fn is_masked(&self) -> bool {
                match self { $(Self::$kind(game) => game.is_masked(),)+ }
            }

            /// The first seq that may be read, where the past is closed
            /// ([`Game::history_from`]).
            pub fn history_from(&self) -> Option<u64> {
                match self { $(Self::$kind(game) => game.history_from(),)+ }
            }

            /// Who deals.
            pub fn dealer(&self) -> &Dealer {
                match self { $(Self::$kind(game) => game.dealer(),)+ }
            }

            /// The viewer that a reader is: what is hidden is open once the game is over.
            pub fn viewer(&self, reader: Viewer) -> Viewer {
                match self { $(Self::$kind(game) => game.course.viewer(reader),)+ }
            }

            /// The state as a reader may see it.
            pub fn view(&self, reader: Viewer) -> Json {
                match self { $(Self::$kind(game) => game.view_json(reader),)+ }
            }

            /// A seat's legal moves, for who asks; none when it is not that seat's turn.
            pub fn legal_moves(&self, seat: Seat, asker: Option<By>) -> Vec<Json> {
                match self { $(Self::$kind(game) => game.legal_moves_json(seat, asker),)+ }
            }

            /// The disputes, or one of them, as a reader is told them. `texts` are all events of the
            /// game.
            ///
            /// # Errors
            /// When they are not.
            pub fn disputes(
                &self,
                texts: &[String],
                reader: Viewer,
                only: Option<u32>,
            ) -> Result<Vec<DisputeReport>, Unreadable> {
                match self { $(Self::$kind(game) => game.disputes(texts, reader, only),)+ }
            }

            /// Reads a move with the outcomes declared beside it.
            ///
            /// # Errors
            /// When they are not moves and outcomes of this game.
            pub fn read_move(
                &self,
                seat: Seat,
                mv: &RawValue,
                outcomes: &[Json],
            ) -> Result<AnyCommand, Malformed> {
                match self {
                    $(Self::$kind(game) =>
                        game.read_move(seat, mv, outcomes).map(AnyCommand::$kind),)+
                }
            }

            /// Reads a declaration.
            ///
            /// # Errors
            /// When they are not outcomes of this game.
            pub fn read_declaration(&self, outcomes: &[Json]) -> Result<AnyCommand, Malformed> {
                match self {
                    $(Self::$kind(_) => Game::<$module::$kind>::read_outcomes(outcomes)
                        .map(|outcomes| AnyCommand::$kind(Command::Declare { outcomes })),)+
                }
            }

            /// The command by which a seat is claimed.
            pub fn claim(&self, seat: Seat) -> AnyCommand {
                match self { $(Self::$kind(_) => AnyCommand::$kind(Command::Claim { seat }),)+ }
            }

            /// The command by which the host ends the game.
            pub fn abandon(&self) -> AnyCommand {
                match self { $(Self::$kind(_) => AnyCommand::$kind(Command::Abandon),)+ }
            }

            /// Reads a move that stood although the rules forbid it.
            ///
            /// # Errors
            /// When it is no move of this game, or what came of it is no position of one.
            pub fn read_stand(
                &self,
                seat: Seat,
                mv: &RawValue,
                position: &RawValue,
            ) -> Result<AnyCommand, CreateError> {
                match self {
                    $(Self::$kind(_) => Game::<$module::$kind>::read_stand(seat, mv, position)
                        .map(AnyCommand::$kind),)+
                }
            }

            /// Reads what a seat tells of its own hidden cards.
            ///
            /// # Errors
            /// When they are no cards of this game.
            pub fn read_confidence(
                &self,
                seat: Seat,
                cards: &[Json],
            ) -> Result<AnyCommand, Malformed> {
                match self {
                    $(Self::$kind(_) => Game::<$module::$kind>::read_confidence(seat, cards)
                        .map(AnyCommand::$kind),)+
                }
            }

            /// Reads a vote on a dispute.
            ///
            /// # Errors
            /// When the entry in it is none of this game.
            pub fn read_vote(
                &self,
                dispute: u32,
                remedy: WishJson<'_>,
            ) -> Result<AnyCommand, Malformed> {
                match self {
                    $(Self::$kind(game) => game.read_vote(dispute, remedy).map(AnyCommand::$kind),)+
                }
            }

            /// The command by which a dispute is opened.
            pub fn open_dispute(&self, seq: u64, claim: String) -> AnyCommand {
                match self {
                    $(Self::$kind(_) => AnyCommand::$kind(Command::OpenDispute { seq, claim }),)+
                }
            }

            /// The command by which a dispute is taken back.
            pub fn withdraw_dispute(&self, dispute: u32) -> AnyCommand {
                match self {
                    $(Self::$kind(_) => AnyCommand::$kind(Command::WithdrawDispute { dispute }),)+
                }
            }

            /// The command by which the newest request is taken back.
            pub fn take_back(&self) -> AnyCommand {
                match self { $(Self::$kind(_) => AnyCommand::$kind(Command::TakeBack),)+ }
            }

            /// The command by which a seat agrees with the record up to a version.
            pub fn confirm(&self, seat: Seat, up_to: u64) -> AnyCommand {
                match self {
                    $(Self::$kind(_) => AnyCommand::$kind(Command::Confirm { seat, up_to }),)+
                }
            }

            /// The command by which a seat gets a new token.
            pub fn renew_token(&self, seat: Seat) -> AnyCommand {
                match self { $(Self::$kind(_) => AnyCommand::$kind(Command::RenewToken { seat }),)+ }
            }

            /// Judges a command; `texts` are all events of the game, where the command
            /// [reads them](AnyCommand::reads_the_record), and `reader` is who will see the events.
            ///
            /// # Errors
            /// With the rule that forbids it, where one does.
            ///
            /// # Panics
            /// When the command was read by a game of another kind.
            pub fn decide(
                &self,
                command: &AnyCommand,
                texts: &[String],
                context: &mut Context,
                reader: Viewer,
            ) -> Result<AnyDecision, Declined> {
                match (self, command) {
                    $((Self::$kind(game), AnyCommand::$kind(command)) => game
                        .decide_on_texts(texts, command, context)
                        .map(|decision| any(decision, reader, Self::$kind)),)+
                    #[allow(unreachable_patterns)]
                    _ => unreachable!("a command goes to the game that read it"),
                }
            }

            /// Judges a command without recording it, and without asking the dealer, for who asks.
            ///
            /// # Errors
            /// With the rule that forbids it, where one does.
            ///
            /// # Panics
            /// When the command was read by a game of another kind.
            pub fn judge(&self, command: &AnyCommand, asker: Option<By>) -> Result<(), Declined> {
                match (self, command) {
                    $((Self::$kind(game), AnyCommand::$kind(command)) => game.judge(command, asker),)+
                    #[allow(unreachable_patterns)]
                    _ => unreachable!("a command goes to the game that read it"),
                }
            }
        }

        #[cfg(any(test, feature = "testing"))]
        impl AnyGame {
            /// What a random player does on the seat that is on turn; none while no seat is.
            pub fn random_move(
                &self,
                player: RandomPlayer,
                shuffler: &mut Shuffler,
            ) -> Option<(Seat, Json)> {
                match self {
                    $(Self::$kind(game) => testing::random_move(&game.course, player, shuffler),)+
                }
            }

            /// An outcome that can come up, while chance is due; none while it is not.
            pub fn random_outcome(&self, shuffler: &mut Shuffler) -> Option<Json> {
                match self {
                    $(Self::$kind(game) => testing::random_outcome(&game.course, shuffler),)+
                }
            }
        }

        union!(AnyMove, "Move", "A move of the game in question." $(, $module::Move)+);
        union!(AnyOutcome, "Outcome", "An outcome of the game in question." $(, $module::Outcome)+);
        union!(AnyDue, "Due", "What chance is asked in the game in question." $(, $module::Due)+);
        union!(AnyView, "View", "The view of the game in question." $(, $module::View)+);
        union!(AnyPosition, "Position", "A position of the game in question." $(, $module::Position)+);
        union!(AnyHeld, "HeldCard", "A card that a player of the game in question may hold hidden." $(, <$module::$kind as Ruleset>::Held)+);
        union!(AnyOptions, "Options", "The options of the game in question." $(, $module::Options)+);
        union!(
            AnyEvent, "EventContent", "What happened: `type` and `data`, of any game's life or of the game in question.",
            crate::game::Life $(, $module::Event)+
        );
    };
}

/// A type that stands in the API document for one type of every game.
macro_rules! union {
    ($union:ident, $name:literal, $description:literal $(, $member:ty)+) => {
        #[doc = $description]
        pub enum $union {}

        impl PartialSchema for $union {
            fn schema() -> RefOr<Schema> {
                AnyOfBuilder::new()
                    .description(Some($description))
                    $(.item(Ref::from_schema_name(<$member as ToSchema>::name())))+
                    .into()
            }
        }

        impl ToSchema for $union {
            fn name() -> Cow<'static, str> {
                Cow::Borrowed($name)
            }

            fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
                $(
                    schemas.push((
                        <$member as ToSchema>::name().into_owned(),
                        <$member as PartialSchema>::schema(),
                    ));
                    <$member as ToSchema>::schemas(schemas);
                )+
            }
        }
    };
}

games! {
    Sagoleken: sagoleken;
    Wrozka: wrozka;
    SkipBo: skip_bo;
    SleepingQueens: sleeping_queens;
    SchatzDerDrachen: schatz_der_drachen;
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use serde_json::Value;

    use super::*;

    /// The types that the events of this schema have.
    fn types(schema: &Value) -> BTreeSet<&str> {
        let kinds = schema["oneOf"].as_array().expect("one of several kinds");
        (kinds.iter())
            .map(|kind| &kind["properties"]["type"]["enum"][0])
            .map(|name| name.as_str().expect("a kind has a type"))
            .collect()
    }

    #[test]
    fn no_event_of_a_game_has_the_type_of_one_of_any_games_life() {
        let mut schemas = Vec::new();
        AnyEvent::schemas(&mut schemas);
        let schemas: BTreeMap<_, _> = schemas.into_iter().collect();
        let schemas = serde_json::to_value(schemas).expect("JSON");
        let of_events = serde_json::to_value(AnyEvent::schema()).expect("JSON");
        let members = of_events["anyOf"].as_array().expect("a union");
        let types: Vec<_> = (members.iter())
            .filter_map(|member| member["$ref"].as_str()?.rsplit('/').next())
            .map(|name| types(&schemas[name]))
            .collect();
        let [life, games @ ..] = &types[..] else {
            panic!("the union holds nothing");
        };
        assert_eq!(games.len(), GameKind::ALL.len());
        for game in games {
            assert_eq!(game.intersection(life).count(), 0, "{game:?} and {life:?}");
        }
    }
}
