//! The board with pawns and tokens on it, the players' cards, and whose turn it is.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::map::{Map, Place};
use super::moves::{Die, Event, Options};
use super::place_id::PlaceId;
use super::rules::Rule;
use super::tokens::{Colour, Token, Tokens};
use super::walk::PlaceSet;
use crate::cards::Card;
use crate::ruleset::Standing;
use crate::ruling::Violation;
use crate::seat::Seat;

/// The most players.
pub const MOST_PLAYERS: usize = 4;

/// The most tokens, with the most players (WR-2.2).
pub const MOST_TOKENS: usize = 5 * MOST_PLAYERS;

/// What the turn waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(
    tag = "type",
    content = "die",
    rename_all = "snake_case",
    deny_unknown_fields
)]
#[schema(as = wrozka::Phase)]
pub enum Phase {
    /// The places of the tokens.
    Laying,
    /// The die.
    Rolling,
    /// The player moves the pawn by this.
    Moving(Die),
    /// The player turns up the token that the pawn came to, or leaves it.
    Choosing,
    /// The face of that token.
    TurningUp,
    /// Nothing: the game is over, and the player on turn has won.
    Over,
}

/// A token that was seen and lies face down again (WR-5.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Where it lies.
    pub place: Place,
    /// Its face.
    pub face: Token,
}

/// All that judging needs.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The board.
    pub map: Arc<Map>,
    /// The number of players.
    pub seats: u8,
    /// Whether the past may be read while the game runs (WR-6.1).
    pub notebook: bool,
    /// Each player's colour.
    pub colours: [Colour; MOST_PLAYERS],
    /// Whose turn it is.
    pub seat: Seat,
    /// What the turn waits for.
    pub phase: Phase,
    /// Where each player's pawn stands.
    pub pawns: [Place; MOST_PLAYERS],
    /// The tokens on each player's card.
    pub cards: [Tokens; MOST_PLAYERS],
    /// The places where tokens lie, all of them face down.
    pub lying: PlaceSet,
    /// Those of them whose faces are on record, in the order of the board's places and then nothing.
    pub seen: [Option<Seen>; MOST_TOKENS],
}

impl State {
    /// Every pawn on the castle, and the tokens about to be laid out.
    ///
    /// # Errors
    /// CM-1, WR-1.2 or WR-2.1 when an option is against it.
    pub fn new(seats: u8, options: &Options) -> Result<Self, Violation> {
        let seat = options.first_seat.seat(seats)?;
        let colours = colours(seats, options.colours.as_deref())?;
        let map = match &options.board {
            Some(board) => Arc::new(Map::new(board)?),
            None => Map::shipped(),
        };
        let state = Self {
            seats,
            notebook: options.notebook,
            colours,
            seat,
            phase: Phase::Laying,
            pawns: [map.castle(); MOST_PLAYERS],
            cards: [Tokens::EMPTY; MOST_PLAYERS],
            lying: PlaceSet::EMPTY,
            seen: [None; MOST_TOKENS],
            map,
        };
        let (notes, tokens) = (state.map.notes().count(), state.tokens().len());
        if notes <= usize::from(tokens) {
            return Err(Violation::of(
                Rule::Board,
                format!("{notes} note places are not more than the {tokens} tokens in play"),
            ));
        }
        Ok(state)
    }

    /// The tokens in play (WR-2.2).
    pub fn tokens(&self) -> Tokens {
        Tokens::in_play(&self.colours[..usize::from(self.seats)])
    }

    /// The tokens whose faces are not on record: what may lie at the places not yet seen.
    pub fn unseen(&self) -> Tokens {
        let mut unseen = self.tokens();
        for card in &self.cards {
            unseen = unseen.less(card);
        }
        for seen in self.seen.iter().flatten() {
            unseen.take(seen.face);
        }
        unseen
    }

    /// The face of the token at a place, where it is on record.
    pub fn face(&self, place: Place) -> Option<Token> {
        let mut seen = self.seen.iter().flatten();
        seen.find(|seen| seen.place == place).map(|seen| seen.face)
    }

    /// Where the pawn of the player on turn stands.
    pub fn here(&self) -> Place {
        self.pawns[self.seat.index()]
    }

    /// What that place is called.
    pub fn here_id(&self) -> PlaceId {
        self.map.id(self.here())
    }

    /// The card of the player on turn.
    pub fn card(&self) -> &Tokens {
        &self.cards[self.seat.index()]
    }

    /// Whether the player on turn has a carriage.
    pub fn has_carriage(&self) -> bool {
        self.card().has(Token::Carriage {})
    }

    /// Whether the player on turn would take a token with this face (WR-3.5).
    pub fn wants(&self, token: Token) -> bool {
        let own = self.colours[self.seat.index()];
        match token.colour() {
            Some(colour) => colour == own && !self.card().has(token),
            None => {
                let accessories = Token::accessories(own);
                accessories.iter().all(|token| self.card().has(*token)) && !self.has_carriage()
            }
        }
    }

    /// Whether somebody else's pawn bars a place (WR-3.3).
    pub fn is_barred(&self, place: Place) -> bool {
        place != self.map.castle()
            && Seat::all(self.seats)
                .any(|seat| seat != self.seat && self.pawns[seat.index()] == place)
    }

    /// Where the pawn on turn may stop, pawns aside (WR-3.1, WR-3.2).
    pub fn stops(&self, die: Die) -> PlaceSet {
        let walks = self.map.walks(self.here());
        let mut early = self.lying;
        if self.has_carriage() {
            early.insert(self.map.castle());
        }
        walks.exactly(die).or(&walks.sooner(die).and(&early))
    }

    /// Where the move may end.
    pub fn ends(&self, die: Die) -> PlaceSet {
        let mut ends = self.stops(die);
        for seat in Seat::all(self.seats) {
            let place = self.pawns[seat.index()];
            if self.is_barred(place) {
                ends.remove(place);
            }
        }
        ends
    }

    /// Who has won, when the player on turn has (WR-4.1).
    pub fn standing(&self) -> Standing {
        Standing {
            winners: vec![self.seat],
            scores: self.cards[..usize::from(self.seats)]
                .iter()
                .map(|card| i64::from(card.len()))
                .collect(),
            reason: "castle_reached".into(),
        }
    }

    /// Applies a fact.
    pub fn evolve(&mut self, event: &Event) {
        match event {
            Event::TokensLaid { places } => {
                for place in places.iter().filter_map(|id| self.map.find(id)) {
                    self.lying.insert(place);
                }
                self.phase = Phase::Rolling;
            }
            Event::DieRolled { value, .. } => self.phase = Phase::Moving(*value),
            Event::PawnMoved { seat, to, .. } => {
                let place = self.map.find(to);
                if let (Some(place), Some(pawn)) = (place, self.pawns.get_mut(seat.index())) {
                    *pawn = place;
                    if self.lying.has(place) {
                        self.phase = Phase::Choosing;
                    }
                }
            }
            Event::TokenChosen { .. } => self.phase = Phase::TurningUp,
            Event::TokenRevealed { place, token } => {
                if let Some(place) = self.map.find(place) {
                    self.forget(place);
                    self.remember(Seen {
                        place,
                        face: *token,
                    });
                }
            }
            Event::TokenTaken { seat, place, token } => {
                if let Some(place) = self.map.find(place) {
                    self.lying.remove(place);
                    self.forget(place);
                }
                if let Some(card) = self.cards.get_mut(seat.index()) {
                    card.add(*token);
                }
            }
            Event::RollsAgain { .. } => self.phase = Phase::Rolling,
            Event::TurnPassed { seat } => {
                if seat.number() < self.seats {
                    self.seat = *seat;
                }
                self.phase = Phase::Rolling;
            }
            Event::CastleReached { .. } => self.phase = Phase::Over,
            Event::TokenLeft { .. } | Event::TokenTurnedDown { .. } => {}
        }
    }

    fn remember(&mut self, seen: Seen) {
        if let Some(free) = self.seen.iter_mut().find(|seen| seen.is_none()) {
            *free = Some(seen);
            self.sort_seen();
        }
    }

    fn forget(&mut self, place: Place) {
        for seen in &mut self.seen {
            if seen.is_some_and(|seen| seen.place == place) {
                *seen = None;
            }
        }
        self.sort_seen();
    }

    fn sort_seen(&mut self) {
        self.seen
            .sort_unstable_by_key(|seen| (seen.is_none(), seen.map(|seen| seen.place)));
    }
}

/// Each seat's colour (WR-2.1). The colours after those of the players are the ones left out.
fn colours(seats: u8, chosen: Option<&[Colour]>) -> Result<[Colour; MOST_PLAYERS], Violation> {
    let mut colours = [Colour::Pink, Colour::Blue, Colour::Yellow, Colour::Green];
    let Some(chosen) = chosen else {
        return Ok(colours);
    };
    if chosen.len() != usize::from(seats) {
        return Err(Violation::of(
            Rule::Colours,
            format!("{} colours are given for {seats} seats", chosen.len()),
        ));
    }
    for (seat, colour) in chosen.iter().enumerate() {
        if chosen[..seat].contains(colour) {
            return Err(Violation::of(
                Rule::Colours,
                format!("{colour} is given to two seats"),
            ));
        }
    }
    let left_out = Colour::ALL.iter().filter(|colour| !chosen.contains(colour));
    for (place, colour) in colours.iter_mut().zip(chosen.iter().chain(left_out)) {
        *place = *colour;
    }
    Ok(colours)
}
