//! Who may do what with a game.

use std::sync::Arc;

use super::{Live, Referee, Snapshot, Visibility, store_problem};
use crate::auth::{Bearer, TokenHash};
use crate::problem::Problem;
use domain::dealer::Mode;
use domain::seat::{By, Seat, Viewer};

/// What a request's token makes of its sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The keeper of the game.
    Host,
    /// A player.
    Seat(Seat),
    /// Anybody, in a public game.
    Spectator,
}

impl Role {
    /// Whose eyes these are.
    pub fn viewer(self) -> Viewer {
        match self {
            Self::Seat(seat) => Viewer::Seat(seat),
            Self::Host | Self::Spectator => Viewer::Spectator,
        }
    }

    /// Whose token it was.
    pub fn by(self) -> Option<By> {
        match self {
            Self::Host => Some(By::Host {}),
            Self::Seat(seat) => Some(By::Seat { seat }),
            Self::Spectator => None,
        }
    }
}

/// A game that a request has the right to know of, and what its token gives the right to.
#[derive(Clone)]
pub struct Access {
    /// The game.
    pub live: Arc<Live>,
    /// The game as it stood when the right was found.
    pub snapshot: Arc<Snapshot>,
    /// The right.
    pub role: Role,
    /// The token that gives it; none for whoever needs none.
    token: Option<TokenHash>,
}

impl Access {
    /// Whose eyes these are.
    pub fn reader(&self) -> Viewer {
        self.role.viewer()
    }

    /// Who deals.
    pub fn mode(&self) -> Mode {
        self.snapshot.game.dealer().mode()
    }

    /// The seat that a player's request speaks for, given the seat that it names.
    pub fn speaks_for(&self, named: Option<Seat>) -> Result<Seat, Problem> {
        let seats = self.live.beside.names.len();
        if let Some(seat) = named.filter(|seat| seat.index() >= seats) {
            let detail = format!(
                "there is no seat {seat} here: the seats are 0 to {}",
                seats - 1
            );
            return Err(Problem::invalid_field("/seat", detail));
        }
        match (self.role, named) {
            (Role::Seat(own), None) => Ok(own),
            (Role::Seat(own), Some(seat)) if seat == own => Ok(own),
            (Role::Seat(_), Some(seat)) => Err(Problem::forbidden(format!(
                "this token does not speak for seat {seat}"
            ))),
            (Role::Host, Some(seat)) => Ok(seat),
            (Role::Host, None) => Err(Problem::invalid_field(
                "/seat",
                "the host says which seat it speaks for",
            )),
            (Role::Spectator, _) => Err(Problem::unauthorized()),
        }
    }

    /// Makes sure that the caller may read from a seq on: where the game keeps no notebook for its
    /// players, nothing before the current turn.
    pub fn expect_open(&self, seq: u64) -> Result<(), Problem> {
        match self.snapshot.game.history_from() {
            Some(from) if seq < from => Err(Problem::history_closed()),
            Some(_) | None => Ok(()),
        }
    }

    /// Whether the token still gives the right, in a later snapshot: a seat that got a new one has
    /// lost the old.
    pub fn holds_in(&self, later: &Snapshot) -> bool {
        (self.token).is_none_or(|token| role_of(later, &token) == Some(self.role))
    }

    /// Makes sure that this is a table, where people log what they do.
    pub fn expect_table(&self) -> Result<(), Problem> {
        match self.mode() {
            Mode::Table => Ok(()),
            Mode::Virtual => Err(Problem::forbidden("this is for games at a table")),
        }
    }

    /// The seat whose token the sender has.
    pub fn own_seat(&self) -> Result<Seat, Problem> {
        match self.role {
            Role::Seat(seat) => Ok(seat),
            Role::Host => Err(Problem::forbidden("only a seat says this for itself")),
            Role::Spectator => Err(Problem::unauthorized()),
        }
    }

    /// Makes sure that the sender belongs to the game: a seat, or the host.
    pub fn expect_member(&self) -> Result<(), Problem> {
        match self.role {
            Role::Seat(_) | Role::Host => Ok(()),
            Role::Spectator => Err(Problem::unauthorized()),
        }
    }

    /// Makes sure that the sender plays: moves, declares, asks for rulings. Seats do, and the host of
    /// a table.
    pub fn expect_player(&self) -> Result<(), Problem> {
        match self.role {
            Role::Seat(_) => Ok(()),
            Role::Host if self.mode() == Mode::Table => Ok(()),
            Role::Host => Err(Problem::forbidden(
                "the host of a virtual game does not play for its players",
            )),
            Role::Spectator => Err(Problem::unauthorized()),
        }
    }

    /// Makes sure that the sender is the host.
    pub fn expect_host(&self) -> Result<(), Problem> {
        match self.role {
            Role::Host => Ok(()),
            Role::Seat(_) => Err(Problem::forbidden("only the host may do this")),
            Role::Spectator => Err(Problem::unauthorized()),
        }
    }
}

impl Referee {
    /// The game with this id, for whoever carries this token.
    ///
    /// A private game does not exist for those without a right to it; a public one tells an unknown
    /// token (401) from one of another game (403).
    pub async fn enter(&self, id: &str, bearer: Bearer) -> Result<Access, Problem> {
        let live = self.live(id).await?.ok_or_else(Problem::not_found)?;
        let snapshot = live.snapshot();
        let Some(hash) = bearer.0 else {
            return match live.visibility {
                Visibility::Public => Ok(Access {
                    live,
                    snapshot,
                    role: Role::Spectator,
                    token: None,
                }),
                Visibility::Private => Err(Problem::not_found()),
            };
        };
        if let Some(role) = role_of(&snapshot, &hash) {
            return Ok(Access {
                live,
                snapshot,
                role,
                token: Some(hash),
            });
        }
        if live.visibility == Visibility::Private {
            return Err(Problem::not_found());
        }
        match self
            .store
            .token(storage::TokenHash(hash.0))
            .await
            .map_err(store_problem)?
        {
            Some(_) => Err(Problem::forbidden("this token belongs to another game")),
            None => Err(Problem::unauthorized()),
        }
    }
}

/// Compares with every token of the game, so that the time tells nothing of where one stands.
fn role_of(snapshot: &Snapshot, hash: &TokenHash) -> Option<Role> {
    let mut found = None;
    for token in &*snapshot.tokens {
        if TokenHash(token.hash.0) == *hash {
            found = Some(
                token
                    .seat
                    .map_or(Role::Host, |seat| Role::Seat(Seat::new(seat))),
            );
        }
    }
    found
}
