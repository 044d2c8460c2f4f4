//! The legal moves, and how much they advance a player.

use super::moves::{Card, Move, Place, Source};
use super::state::State;
use crate::cards::Card as _;
use crate::seat::Seat;

/// Every legal move of the seat on turn: plays from the hand, the stock and the help piles, then
/// team-mates' cards, then the ways to end the turn.
pub(super) fn legal_moves(state: &State, seat: Seat) -> Vec<Move> {
    let mut moves = Vec::with_capacity(64);
    let mut play = |from: Source, card: Card| {
        for to in Place::all() {
            if state.building(to).takes(card) {
                moves.push(Move::Play { from, to });
            }
        }
    };
    let own_stock = state.player(seat).stock.top;
    if let Some(card) = own_stock
        && state.stock_is_due(seat)
    {
        play(Source::Stock { seat: None }, card);
        return moves;
    }
    let hand = &state.player(seat).hand;
    let in_hand = || {
        let may_hold = |card: &Card| hand.may_hold(*card, &state.unseen.anywhere) > 0;
        Card::ALL.iter().copied().filter(may_hold)
    };
    for card in in_hand() {
        play(Source::Hand { card }, card);
    }
    let mates = state.terms.team_mates(seat);
    let owners = || [None].into_iter().chain(mates.clone().map(Some));
    if let Some(card) = own_stock {
        play(Source::Stock { seat: None }, card);
    }
    for owner in owners() {
        let help = &state.player(owner.unwrap_or(seat)).help;
        for (pile, cards) in Place::all().zip(help) {
            if let Some(card) = cards.last() {
                play(Source::Help { pile, seat: owner }, *card);
            }
        }
    }
    if state.terms.partner_stock {
        for mate in mates.clone() {
            if let Some(card) = state.player(mate).stock.top {
                play(Source::Stock { seat: Some(mate) }, card);
            }
        }
    }
    for card in in_hand() {
        for pile in Place::all() {
            moves.push(Move::Discard { card, pile });
        }
    }
    if hand.is_empty() {
        moves.push(Move::Pass {});
    }
    moves
}

/// How much a legal move advances its player: the stock comes before the help piles, and those
/// before the hand; jokers are kept for when nothing else fits.
pub(super) fn keenness(mv: &Move) -> u8 {
    match *mv {
        Move::Play { from, .. } => match from {
            Source::Stock { .. } => 5,
            Source::Help { .. } => 4,
            Source::Hand { card: Card::Joker } => 2,
            Source::Hand { .. } => 3,
        },
        Move::Discard { card, .. } => u8::from(card != Card::Joker),
        Move::Pass {} => 0,
    }
}
