//! Random games, worked out before they are played: the dealer's secret is given when a game is
//! created, so the same rules here deal the same cards there.

use chrono::DateTime;
use domain::dealer::{Dealer, Secret, Shuffler};
use domain::game::Context;
use domain::game::desk::{Blueprint, CreateError, Json, TurnJson};
use domain::record::Hash;
use domain::rulesets::{AnyGame, GameKind};
use domain::seat::Viewer;
use hyper::body::Bytes;
use hyper::header::HeaderValue;
use serde::Deserialize;
use serde_json::json;

/// After how many moves a game is left as it is: there are games that random players never end.
const LONGEST: usize = 400;

/// A game, from its creation to its end.
#[derive(Debug)]
pub(super) struct Script {
    /// The body that creates it.
    pub(super) creation: Bytes,
    /// The entity tag that the answer has.
    pub(super) created: HeaderValue,
    /// The moves.
    pub(super) moves: Vec<Move>,
}

/// A move of a script.
#[derive(Debug)]
pub(super) struct Move {
    /// Whose, as a place in the list of seats.
    pub(super) seat: usize,
    /// The body that makes it.
    pub(super) body: Bytes,
    /// The entity tag that the answer has.
    pub(super) recorded: HeaderValue,
}

impl Script {
    /// Works a game out, with the fewest players and the default options.
    pub(super) fn write(kind: GameKind, seed: u64) -> Result<Self, CreateError> {
        let seats = *kind.seats().start();
        let secret = Secret(Hash::of(&seed.to_be_bytes()).0);
        let names: Vec<_> = (0..seats)
            .map(|seat| json!({"name": format!("Player {seat}")}))
            .collect();
        let creation = json!({
            "game": kind.name(), "mode": "virtual", "seats": names, "seed": hex::encode(secret.0)
        });
        let blueprint = Blueprint {
            id: String::new(),
            seats,
            options: None,
            position: None,
            rules_version: None,
            names: Hash::ZERO,
        };
        let dealer = Dealer::Virtual(secret);
        let reader = Viewer::Spectator;
        let mut game = kind.create(blueprint, dealer, &mut context(), reader)?.game;
        let created = tag(&game);
        let mut shuffler = Shuffler::seeded(seed);
        let mut moves = Vec::new();
        while let (TurnJson::Seat { seat }, true) = (game.brief().turn, moves.len() < LONGEST) {
            let mv = choose(&game.legal_moves(seat, None), &mut shuffler);
            let command = game
                .read_move(seat, &mv, &[])
                .expect("a listed move is read");
            let decision = game.decide(&command, &[], &mut context(), reader);
            game = decision.expect("a listed move is legal").game;
            moves.push(Move {
                seat: seat.index(),
                body: json!({"seat": seat, "move": mv}).to_string().into(),
                recorded: tag(&game),
            });
        }
        Ok(Self {
            creation: creation.to_string().into(),
            created,
            moves,
        })
    }
}

impl Script {
    /// The entity tag of the game when so many of the moves were made.
    pub(super) fn version(&self, made: usize) -> &HeaderValue {
        match made.checked_sub(1) {
            None => &self.created,
            Some(last) => &self.moves[last].recorded,
        }
    }
}

/// Times and salts do not decide what comes.
fn context() -> Context {
    Context::new(DateTime::UNIX_EPOCH, None, [0; 32])
}

fn tag(game: &AnyGame) -> HeaderValue {
    HeaderValue::from_str(&format!("\"{}\"", game.version())).expect("digits are visible ASCII")
}

/// A kind of move first, then one of that kind: there are a hundred ways to draw and one to stop.
fn choose(moves: &[Json], shuffler: &mut Shuffler) -> Json {
    #[derive(Deserialize)]
    struct Kind<'a> {
        #[serde(rename = "type")]
        name: &'a str,
    }
    let kind = |mv: &Json| {
        let kind: Kind<'_> = serde_json::from_str(mv.get()).expect("every move has a type");
        kind.name.to_owned()
    };
    let mut kinds: Vec<String> = moves.iter().map(kind).collect();
    kinds.dedup();
    let wanted = &kinds[shuffler.below(kinds.len() as u32) as usize];
    let wanted: Vec<&Json> = moves.iter().filter(|mv| kind(mv) == *wanted).collect();
    wanted[shuffler.below(wanted.len() as u32) as usize].clone()
}
