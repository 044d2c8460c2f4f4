//! The laws that hold in every game, checked along random games.
//!
//! 1. `legal_moves` and `decide` agree, both ways.
//! 2. Somebody must act until the game is over, and games end.
//! 3. What `sample` draws, `resolve` accepts.
//! 4. Everything written in JSON comes back as it was.
//! 5. Mirror: folding the events masked for a viewer gives that viewer's view of the true state.
//! 6. Blindness: what a viewer can get follows from that viewer's own picture of the game. The
//!    turn, the legal moves, the refusals with their texts, and the number and types of events are
//!    the same whether they are worked out from the true state or from that picture, so they cannot
//!    depend on what it lacks.
//! 7. A virtual game's public outcomes, declared at a table, give the events that a spectator saw.
//! 8. Cards are conserved after every event.
//! 9. Wound back and played on in the same way, the same outcomes come; played on differently, the
//!    outcomes after that are drawn afresh.
//! 10. Position: a table's state, written down as a position and placed again, is the same state.
//! 11. Correction: however a game is disputed, wound back and replaced, its record folds to the game
//!     as it stands, verifies, and is judged legal by every reader.
//!
//! Besides: a record folds to the game that wrote it, verifies, and is judged legal as every viewer
//! is told it.

use std::borrow::Cow;
use std::fmt::Debug;

use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::corrections::correction_law;
use crate::dealer::{Dealer, Mode, Secret, Shuffler};
use crate::game::comparison::Comparison;
use crate::game::{
    Command, Context, Course, Decision, Game, GameEvent, Life, NewGame, Rewound, verify,
};
use crate::playout::RandomPlayer;
use crate::record::{Envelope, Hash, SCHEMA_VERSION, Sealed};
use crate::ruleset::{Opening, Ruleset, Setup, Turn};
use crate::seat::{Actor, Seat, Viewer};

/// What the laws need to know of a ruleset beyond its own functions.
pub trait Lawful: Ruleset {
    /// Every move that a request can name in a game of this state, legal or not; where there are
    /// too many, all the legal ones and a fair choice of the rest.
    fn every_move(state: &Self::State) -> Vec<Self::Move>;

    /// Whether the state accounts for every card of the box, each once (law 8). Called for states
    /// that know all, and for those of a table.
    fn conserves_cards(state: &Self::State) -> bool;
}

/// Which games to play.
#[derive(Clone, Debug)]
pub struct Plan<O> {
    /// The numbers of seats and the options.
    pub setups: Vec<(u8, O)>,
    /// How many games of each.
    pub games: u64,
    /// How keenly they are played, in 0 to 1.
    pub keen: f64,
    /// How many moves a game may take.
    pub max_moves: u64,
    /// Whether every game must end within them (law 2).
    pub must_end: bool,
    /// Check laws 1 and 6, and law 4 of positions, at every so many moves; the others are checked at
    /// every move.
    pub every: u64,
}

/// Checks all laws along the games of a plan, in both modes and under every version of the rules.
///
/// # Panics
/// At the first law that is broken, naming the game that broke it.
pub fn check_laws<R: Lawful>(plan: &Plan<R::Options>) {
    for ((seats, options), rules_version) in (plan.setups.iter())
        .flat_map(|setup| R::VERSIONS.iter().map(move |version| (setup, *version)))
    {
        for seed in 0..plan.games {
            let setup = |mode| Setup {
                seats: *seats,
                options: options.clone(),
                rules_version,
                mode,
            };
            let told = format!("{seats} seats, {options:?}, rules {rules_version}, game {seed}");
            Walk::<R>::new(setup(Mode::Virtual), seed, told.clone()).play(plan);
            table_laws::<R>(&setup(Mode::Table), plan, seed, &told);
            rewind_law::<R>(&setup(Mode::Virtual), plan, seed, &told);
            correction_law::<R>(&setup(Mode::Virtual), plan, seed, &told);
            correction_law::<R>(&setup(Mode::Table), plan, seed, &told);
        }
    }
}

fn viewers(seats: u8) -> impl Iterator<Item = Viewer> {
    Seat::all(seats)
        .map(Viewer::Seat)
        .chain([Viewer::Spectator])
}

#[track_caller]
fn survives_json<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let text = serde_json::to_string(value).expect("a wire type is written");
    let back: T = match serde_json::from_str(&text) {
        Ok(back) => back,
        Err(error) => panic!("law 4: {text} does not come back: {error}"),
    };
    assert_eq!(back, *value, "law 4: {text}");
    assert_eq!(
        serde_json::to_string(&back).expect("again"),
        text,
        "law 4: byte for byte"
    );
}

/// A virtual game beside every viewer's picture of it and beside the same game at a table.
struct Walk<R: Lawful> {
    told: String,
    course: Course<R>,
    mirrors: Vec<(Viewer, R::State)>,
    table: Course<R>,
    shuffler: Shuffler,
}

impl<R: Lawful> Walk<R> {
    fn new(setup: Setup<R::Options>, seed: u64, told: String) -> Self {
        let course = Course::<R>::new(&setup).expect("a planned game can be set up");
        let table = Course::<R>::new(&Setup {
            mode: Mode::Table,
            ..setup.clone()
        });
        Self {
            told,
            mirrors: viewers(setup.seats)
                .map(|viewer| (viewer, course.state.clone()))
                .collect(),
            course,
            table: table.expect("a planned game can be set up at a table"),
            shuffler: Shuffler::seeded(seed),
        }
    }

    fn play(mut self, plan: &Plan<R::Options>) {
        let player = RandomPlayer { keen: plan.keen };
        let mut moves = 0;
        loop {
            match self.course.turn() {
                Turn::Over(_) => break,
                Turn::Chance(_) => {
                    let outcome = R::on_record(&self.course.state)
                        .unwrap_or_else(|| R::sample(&self.course.state, &mut self.shuffler));
                    survives_json(&outcome);
                    self.outcome(&outcome);
                }
                Turn::Seat(_) if moves == plan.max_moves => {
                    assert!(!plan.must_end, "law 2: {} does not end", self.told);
                    break;
                }
                Turn::Seat(seat) => {
                    let legal = self.course.legal_moves(seat);
                    if moves % plan.every == 0 {
                        agreement::<R>(&self.course.state, seat, &legal, &self.told);
                        self.blindness(seat, &legal);
                    }
                    let mv = player.choose::<R>(&self.course.state, &legal, &mut self.shuffler);
                    let mv = mv
                        .unwrap_or_else(|| panic!("law 2: {}: no move", self.told))
                        .clone();
                    survives_json(&mv);
                    self.make_move(seat, &mv);
                    moves += 1;
                }
            }
        }
    }

    fn make_move(&mut self, seat: Seat, mv: &R::Move) {
        let effects = R::decide(&self.course.state, seat, mv).expect("law 1: a listed move");
        let at_table = R::decide(&self.table.state, seat, mv)
            .unwrap_or_else(|v| panic!("law 7: {}: {mv:?} at a table: {v}", self.told));
        self.compare_table(&effects, &at_table);
        self.apply(effects.into_iter().map(|effect| effect.event));
    }

    fn outcome(&mut self, outcome: &R::Outcome) {
        let effects = R::resolve(&self.course.state, outcome)
            .unwrap_or_else(|violation| panic!("law 3: {}: {outcome:?}: {violation}", self.told));
        let fact = &effects.first().expect("an outcome has a fact").event;
        for (viewer, mirror) in &self.mirrors {
            let Some(crate::ruleset::Cause::Outcome(seen)) = R::cause(&R::mask(fact, *viewer))
            else {
                panic!("{}: {fact:?} is not the fact of an outcome", self.told)
            };
            survives_json(&seen);
            let Turn::Chance(due) = R::turn(mirror) else {
                panic!("law 6: {}: {viewer:?} sees no chance due", self.told)
            };
            assert!(
                R::answers(&due, &seen),
                "law 6: {}: {seen:?} for {due:?}",
                self.told
            );
            let pictured = R::resolve(mirror, &seen).unwrap_or_else(|violation| {
                panic!("law 6: {}: {seen:?} for {viewer:?}: {violation}", self.told)
            });
            self.same_for(*viewer, &effects, &pictured);
        }
        let declared = match R::cause(&R::mask(fact, Viewer::Spectator)) {
            Some(crate::ruleset::Cause::Outcome(seen)) => seen,
            cause => panic!("{}: {cause:?}", self.told),
        };
        let declared = self.table.unasked_outcome(Mode::Table).unwrap_or(declared);
        let at_table = R::resolve(&self.table.state, &declared)
            .unwrap_or_else(|v| panic!("law 7: {}: {declared:?} at a table: {v}", self.told));
        self.compare_table(&effects, &at_table);
        self.apply(effects.into_iter().map(|effect| effect.event));
    }

    /// The events worked out from a viewer's picture are those that the viewer is shown.
    fn same_for(
        &self,
        viewer: Viewer,
        truth: &[crate::ruleset::Effect<R::Event>],
        pictured: &[crate::ruleset::Effect<R::Event>],
    ) {
        let shown: Vec<_> = truth
            .iter()
            .map(|effect| (R::mask(&effect.event, viewer), effect.rule))
            .collect();
        let worked_out: Vec<_> = pictured
            .iter()
            .map(|effect| (R::mask(&effect.event, viewer), effect.rule))
            .collect();
        assert_eq!(worked_out, shown, "law 6: {}: {viewer:?}", self.told);
    }

    fn compare_table(
        &mut self,
        truth: &[crate::ruleset::Effect<R::Event>],
        at_table: &[crate::ruleset::Effect<R::Event>],
    ) {
        let shown: Vec<_> = truth
            .iter()
            .map(|effect| {
                (
                    R::mask(&effect.event, Viewer::Spectator).into_owned(),
                    effect.rule,
                )
            })
            .collect();
        let told: Vec<_> = at_table
            .iter()
            .map(|effect| (effect.event.clone(), effect.rule))
            .collect();
        assert_eq!(told, shown, "law 7: {}", self.told);
        for effect in at_table {
            self.table.evolve(&effect.event);
            assert!(
                R::conserves_cards(&self.table.state),
                "law 8 at a table: {} after {effect:?}: {:?}",
                self.told,
                self.table.state
            );
        }
    }

    fn apply(&mut self, events: impl Iterator<Item = R::Event>) {
        for (place, event) in events.enumerate() {
            assert_eq!(
                R::cause(&event).is_some(),
                place == 0,
                "{}: {event:?}",
                self.told
            );
            survives_json(&event);
            self.course.evolve(&event);
            assert!(
                R::conserves_cards(&self.course.state),
                "law 8: {} after {event:?}: {:?}",
                self.told,
                self.course.state
            );
            for (viewer, mirror) in &mut self.mirrors {
                let masked = R::mask(&event, *viewer);
                survives_json(masked.as_ref());
                let again = R::mask(masked.as_ref(), *viewer);
                assert!(
                    matches!(again, Cow::Borrowed(_)),
                    "{}: masked once",
                    self.told
                );
                R::evolve(mirror, &masked);
                let view = R::view(&self.course.state, *viewer);
                survives_json(&view);
                assert_eq!(
                    R::view(mirror, *viewer),
                    view,
                    "law 5: {} after {event:?} for {viewer:?}",
                    self.told
                );
                assert_eq!(
                    R::turn(mirror),
                    R::turn(&self.course.state),
                    "law 6: {} after {event:?} for {viewer:?}",
                    self.told
                );
            }
            assert!(matches!(R::mask(&event, Viewer::Open), Cow::Borrowed(_)));
        }
    }

    fn blindness(&self, seat: Seat, legal: &[R::Move]) {
        let (viewer, mirror) = &self.mirrors[seat.index()];
        assert_eq!(R::legal_moves(mirror, seat), legal, "law 6: {}", self.told);
        for mv in R::every_move(&self.course.state) {
            let truth = R::decide(&self.course.state, seat, &mv);
            match (truth, R::decide(mirror, seat, &mv)) {
                (Ok(truth), Ok(pictured)) => self.same_for(*viewer, &truth, &pictured),
                (Err(truth), Err(pictured)) => {
                    assert_eq!(truth, pictured, "law 6: {}: {mv:?}", self.told);
                }
                (truth, pictured) => {
                    panic!("law 6: {}: {mv:?}: {truth:?}, {pictured:?}", self.told)
                }
            }
        }
    }
}

/// Law 1.
fn agreement<R: Lawful>(state: &R::State, seat: Seat, legal: &[R::Move], told: &str) {
    for (place, mv) in legal.iter().enumerate() {
        assert!(
            !legal[..place].contains(mv),
            "law 1: {told}: {mv:?} is listed twice"
        );
        if let Err(violation) = R::decide(state, seat, mv) {
            panic!("law 1: {told}: {mv:?} is listed and refused: {violation}");
        }
    }
    for mv in R::every_move(state) {
        if R::decide(state, seat, &mv).is_ok() {
            assert!(
                legal.contains(&mv),
                "law 1: {told}: {mv:?} is accepted and not listed"
            );
        }
    }
}

/// Law 10. Gives the position.
fn position_law<R: Ruleset>(
    setup: &Setup<R::Options>,
    state: &R::State,
    told: &str,
) -> R::Position {
    let position = R::position(state);
    match R::place(setup, &position) {
        Ok(placed) => assert_eq!(placed, *state, "law 10: {told}: {position:?}"),
        Err(violation) => panic!("law 10: {told}: {violation}: {position:?}"),
    }
    position
}

/// Laws 1 to 4, 8 and 10 where nobody knows the hands: random declarations among those possible.
fn table_laws<R: Lawful>(
    setup: &Setup<R::Options>,
    plan: &Plan<R::Options>,
    seed: u64,
    told: &str,
) {
    let mut shuffler = Shuffler::seeded(seed ^ 0x7ab1e);
    let player = RandomPlayer { keen: plan.keen };
    let mut course = Course::<R>::new(setup).expect("a planned game can be set up");
    let mut moves = 0;
    loop {
        let position = position_law::<R>(setup, &course.state, told);
        if moves % plan.every == 0 {
            survives_json(&position);
        }
        let effects = match course.turn() {
            Turn::Over(_) => break,
            Turn::Chance(due) => {
                let outcome = course
                    .unasked_outcome(Mode::Table)
                    .unwrap_or_else(|| R::sample(&course.state, &mut shuffler));
                assert!(
                    R::answers(&due, &outcome),
                    "law 3: {told}: {outcome:?} for {due:?}"
                );
                R::resolve(&course.state, &outcome)
                    .unwrap_or_else(|v| panic!("law 3: {told} at a table: {outcome:?}: {v}"))
            }
            Turn::Seat(_) if moves == plan.max_moves => break,
            Turn::Seat(seat) => {
                let legal = course.legal_moves(seat);
                if moves % plan.every == 0 {
                    agreement::<R>(&course.state, seat, &legal, told);
                }
                moves += 1;
                let mv = player
                    .choose::<R>(&course.state, &legal, &mut shuffler)
                    .unwrap_or_else(|| panic!("law 2: {told} at a table: no move"));
                R::decide(&course.state, seat, mv).expect("law 1: a listed move")
            }
        };
        for effect in effects {
            let hidden = R::mask(&effect.event, Viewer::Spectator);
            assert!(
                matches!(hidden, Cow::Borrowed(_)),
                "{told}: a table hides {hidden:?}"
            );
            course.evolve(&effect.event);
            assert!(
                R::conserves_cards(&course.state),
                "law 8 at a table: {told}: {:?}",
                course.state
            );
        }
    }
}

/// Law 9, and what a record owes: it folds to the game that wrote it, and verifies.
fn rewind_law<R: Lawful>(
    setup: &Setup<R::Options>,
    plan: &Plan<R::Options>,
    seed: u64,
    told: &str,
) {
    let mut shuffler = Shuffler::seeded(seed ^ 0xbac4);
    let player = RandomPlayer { keen: plan.keen };
    let dealer = Dealer::Virtual(Secret(Hash::of(&seed.to_be_bytes()).0));
    let new = NewGame {
        origin: None,
        id: "a".to_owned(),
        setup: setup.clone(),
        position: None,
        names: Hash::ZERO,
    };
    let created = Game::<R>::create(new, dealer.clone(), &mut context(0));
    let Decision {
        mut events,
        mut game,
    } = created.expect("a planned game can be created");
    let mut stops = vec![(game.version, game.clone())];
    let mut moves = Vec::new();
    while moves.len() < plan.max_moves.min(40) as usize {
        let Turn::Seat(seat) = game.turn() else { break };
        let legal = game.course.legal_moves(seat);
        let Some(mv) = player.choose::<R>(&game.course.state, &legal, &mut shuffler) else {
            break;
        };
        let command = Command::Move {
            seat,
            mv: mv.clone(),
            outcomes: Vec::new(),
        };
        let decision = game
            .decide(&command, &mut context(moves.len() as i64))
            .expect("law 1");
        // A virtual game that is over is not wound back: its secret is out.
        if let Turn::Over(_) = decision.game.turn() {
            break;
        }
        moves.push(command);
        events.extend(decision.events);
        game = decision.game;
        stops.push((game.version, game.clone()));
    }
    let folded = Game::<R>::fold(&events, dealer.clone()).expect("a record folds");
    assert_eq!(folded.course, game.course, "{told}: fold");
    assert_eq!(
        (folded.version, folded.head),
        (game.version, game.head),
        "{told}: fold"
    );

    let back = shuffler.below(stops.len() as u32) as usize;
    let (to, ref before) = stops[back];
    let revealed_since = (events.iter())
        .filter(|sealed| sealed.envelope.seq > to)
        .any(
            |sealed| matches!(&sealed.envelope.event, GameEvent::Game(event) if R::reveals(event)),
        );
    events.push(rewound::<R>(&game, to, revealed_since));
    let mut again = Game::<R>::fold(&events, dealer.clone()).expect("a rewound record folds");
    assert_eq!(again.course, before.course, "law 9: {told}: back to {to}");
    for (command, (_, expected)) in moves[back..].iter().zip(&stops[back + 1..]) {
        let decision = again.decide(command, &mut context(99)).expect("law 9");
        events.extend(decision.events);
        again = decision.game;
        assert_eq!(again.course, expected.course, "law 9: {told}");
    }
    let folded = Game::<R>::fold(&events, dealer.clone()).expect("a record folds");
    assert_eq!(folded.course, again.course, "{told}: fold after a rewind");
    judged_for_everybody::<R>(&events, setup, told);
    let texts: Vec<String> = events.iter().map(|sealed| sealed.text.clone()).collect();
    let verification = verify::<R>(&texts, &dealer, again.head);
    assert!(verification.valid, "{told}: {verification:?}");
}

/// A record is judged legal as it is told to every viewer.
pub(super) fn judged_for_everybody<R: Lawful>(
    events: &[Sealed<GameEvent<R::Event>>],
    setup: &Setup<R::Options>,
    told: &str,
) {
    for viewer in viewers(setup.seats).chain([Viewer::Open]) {
        let mut events = events.to_vec();
        let mut masked = false;
        for sealed in &mut events {
            if let Cow::Owned(shown) = sealed.envelope.event.masked::<R>(viewer) {
                masked = true;
                sealed.envelope.event = shown;
            }
        }
        let mut comparison =
            Comparison::<R>::begin(Opening::fresh(setup.clone()), masked, Some(&events))
                .unwrap_or_else(|departure| panic!("{told} for {viewer:?}: {departure:?}"));
        while let Some((_, deed)) = comparison
            .next_deed()
            .unwrap_or_else(|departure| panic!("{told} for {viewer:?}: {departure:?}"))
        {
            comparison
                .take(&deed)
                .unwrap_or_else(|departure| panic!("{told} for {viewer:?}: {departure:?}"));
        }
    }
}

fn context(second: i64) -> Context {
    let at: DateTime<Utc> = DateTime::UNIX_EPOCH + TimeDelta::seconds(second);
    Context::new(at, None, Hash::of(&second.to_be_bytes()).0)
}

fn rewound<R: Ruleset>(
    game: &Game<R>,
    to: u64,
    revealed_since: bool,
) -> Sealed<GameEvent<R::Event>> {
    Sealed::new(Envelope {
        v: SCHEMA_VERSION,
        seq: game.version + 1,
        at: game.last_at + TimeDelta::milliseconds(1),
        occurred_at: None,
        actor: Actor::Referee {},
        by: None,
        event: GameEvent::Life(Life::Rewound(Rewound { to, revealed_since })),
        rule: None,
        replays: None,
        prev: game.head,
        salt: None,
    })
}
