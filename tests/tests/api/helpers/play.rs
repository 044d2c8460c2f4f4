//! Random play of any game over HTTP, and what follows from the events that somebody was shown.

use domain::dealer::{Dealer, Shuffler};
use domain::playout::RandomPlayer;
use domain::rulesets::{AnyGame, GameKind};
use domain::seat::Seat;
use serde_json::Value;

use super::script::{Step, value};
use super::{Answer, Api, Game, Setup};

/// The text of an event as it is hashed: what is served, without its hash, in RFC 8785 form.
pub(crate) fn served_text(event: &Value) -> String {
    let mut hashed = event.clone();
    hashed.as_object_mut().unwrap().remove("hash");
    serde_json_canonicalizer::to_string(&hashed).unwrap()
}

/// The game at a table as it follows from its events, of which none hides anything.
fn picture(kind: GameKind, events: &[Value]) -> AnyGame {
    let texts: Vec<String> = events.iter().map(served_text).collect();
    kind.fold(&texts, Dealer::Table).unwrap()
}

/// Plays a game at random, a request at a time. The same seed plays the same game.
pub(crate) struct Play<'g> {
    game: &'g Game,
    shuffler: Shuffler,
    /// Who must act, as the last answer said.
    pub(crate) turn: Value,
    /// At a table, all events so far: what can come up follows from them.
    events: Vec<Value>,
}

impl<'g> Play<'g> {
    /// Goes on from where the game stands.
    pub(crate) async fn of(game: &'g Game, seed: u64) -> Self {
        let events = match game.is_table() {
            true => game.host().events().await,
            false => Vec::new(),
        };
        Self {
            game,
            shuffler: Shuffler::seeded(seed),
            turn: game.host().summary().await["turn"].clone(),
            events,
        }
    }

    /// One move, or one declaration where an outcome is awaited; none when the game is over.
    pub(crate) async fn step(&mut self) -> Option<Answer> {
        let answer = match self.turn["kind"].as_str().unwrap() {
            "seat" => {
                let seat = self.turn["seat"].as_u64().unwrap() as u8;
                let mv = self.choose(seat).await;
                self.game.seat(seat).moves(&mv).await
            }
            "chance" => {
                let outcome = self.outcome();
                self.game.host().declares(&[outcome]).await
            }
            _ => return None,
        };
        self.saw(&answer.good());
        Some(answer)
    }

    /// Takes in the answer to a request that was sent otherwise.
    pub(crate) fn saw(&mut self, answer: &Value) {
        self.turn = answer["turn"].clone();
        if self.game.is_table() {
            let recorded = answer["events"].as_array().unwrap();
            self.events.extend(recorded.iter().cloned());
        }
    }

    /// So many steps, or fewer when the game is over.
    pub(crate) async fn steps(&mut self, count: usize) -> &mut Self {
        for _ in 0..count {
            if self.step().await.is_none() {
                break;
            }
        }
        self
    }

    /// Steps until a seat must act, or the game is over.
    pub(crate) async fn until_a_seat(&mut self) -> Option<u8> {
        while self.turn["kind"] == "chance" {
            self.step().await;
        }
        self.turn["seat"].as_u64().map(|seat| seat as u8)
    }

    /// A legal move of a seat: a kind of move first, then one of that kind. At a table the move is
    /// mostly one that makes progress, since everything that judging needs is known here.
    pub(crate) async fn choose(&mut self, seat: u8) -> Value {
        let moves = self.game.seat(seat).legal_moves().await;
        if self.game.is_table() {
            let player = RandomPlayer { keen: 0.8 };
            let game = picture(self.game.kind(), &self.events);
            let (on_turn, mv) = game.random_move(player, &mut self.shuffler).unwrap();
            assert_eq!(on_turn, Seat::new(seat));
            assert!(moves.contains(&value(&mv)), "{mv} among {moves:?}");
            return value(&mv);
        }
        let mut kinds: Vec<&Value> = Vec::new();
        for mv in &moves {
            if !kinds.contains(&&mv["type"]) {
                kinds.push(&mv["type"]);
            }
        }
        let kind = kinds[self.below(kinds.len())];
        let of_kind: Vec<&Value> = moves.iter().filter(|mv| mv["type"] == *kind).collect();
        of_kind[self.below(of_kind.len())].clone()
    }

    /// An outcome that can come up now.
    pub(crate) fn outcome(&mut self) -> Value {
        let game = picture(self.game.kind(), &self.events);
        value(&game.random_outcome(&mut self.shuffler).unwrap())
    }

    /// All outcomes that are awaited, up to the next point where a seat must act.
    pub(crate) fn awaited(&mut self) -> Vec<Value> {
        let mut step = Step::Declare {
            outcomes: vec![self.outcome()],
        };
        self.completed(&mut step)
    }

    /// A random move of a seat at a table, with all the outcomes that chance is asked from it up to
    /// the next point where a seat must act.
    pub(crate) async fn plan(&mut self, seat: u8) -> (Value, Vec<Value>) {
        let mv = self.choose(seat).await;
        let mut step = Step::Move {
            seat,
            mv: mv.clone(),
            outcomes: Vec::new(),
        };
        (mv, self.completed(&mut step))
    }

    fn completed(&mut self, step: &mut Step) -> Vec<Value> {
        let game = picture(self.game.kind(), &self.events);
        step.complete(&game, &mut self.shuffler);
        let (Step::Move { outcomes, .. } | Step::Declare { outcomes }) = step;
        std::mem::take(outcomes)
    }

    /// A number below a bound.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.shuffler.below(bound as u32) as usize
    }
}

/// An outcome of this kind of game, well-formed whether it is awaited or not.
pub(crate) async fn some_outcome(api: &Api, kind: GameKind) -> Value {
    let game = api.create(&Setup::table(kind)).await;
    let mut play = Play::of(&game, 1).await;
    while play.turn["kind"] != "chance" {
        play.step().await.expect("chance comes in before the end");
    }
    play.outcome()
}
