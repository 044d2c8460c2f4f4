//! The laws of every game, along random games of this one.

use super::position::on_record;
use super::*;
use crate::rulesets::skip_bo::piles::full_box;
use crate::testing::{Lawful, Plan, check_laws};

impl Lawful for SkipBo {
    fn every_move(_state: &State) -> Vec<Move> {
        let owners = || [None].into_iter().chain(Seat::all(6).map(Some));
        let hand = Card::ALL.iter().map(|card| Source::Hand { card: *card });
        let stocks = owners().map(|seat| Source::Stock { seat });
        let helps =
            owners().flat_map(|seat| Place::all().map(move |pile| Source::Help { pile, seat }));
        let plays = hand
            .chain(stocks)
            .chain(helps)
            .flat_map(|from| Place::all().map(move |to| Move::Play { from, to }));
        let discards = Card::ALL
            .iter()
            .flat_map(|card| Place::all().map(|pile| Move::Discard { card: *card, pile }));
        plays.chain(discards).chain([PASS]).collect()
    }

    fn conserves_cards(state: &State) -> bool {
        let mut accounted = on_record(state);
        let mut unseen = state.unseen.pile.size;
        for player in &state.players {
            accounted.add_all(&player.hand.known);
            unseen += u16::from(player.hand.unknown) + u16::from(player.stock.down);
        }
        accounted.add_all(&state.unseen.anywhere);
        accounted == full_box() && state.unseen.anywhere.len() == unseen
    }
}

fn plan(setups: Vec<(u8, Options)>) -> Plan<Options> {
    Plan {
        setups,
        games: 2,
        keen: 0.9,
        max_moves: 1_500,
        must_end: false,
        every: 11,
    }
}

pub(super) fn teams(teams: &[&[i64]], partner_stock: bool) -> Options {
    Options {
        teams: Some(teams.iter().map(|team| team.to_vec()).collect()),
        partner_stock,
        ..one_round()
    }
}

pub(super) fn short(stock_size: i64, target_score: i64) -> Options {
    Options {
        stock_size: Some(stock_size),
        target_score: Some(target_score),
        ..options()
    }
}

#[test]
fn the_laws_hold_for_every_number_of_players() {
    let setups = (2..=6).map(|seats| (seats, one_round())).collect();
    check_laws::<SkipBo>(&plan(setups));
}

#[test]
fn the_laws_hold_over_several_rounds() {
    let setups = vec![(2, short(1, 90)), (3, short(4, 120)), (6, short(2, 100))];
    check_laws::<SkipBo>(&Plan {
        must_end: true,
        ..plan(setups)
    });
}

#[test]
fn the_laws_hold_in_teams() {
    let setups = vec![
        (4, two_teams()),
        (4, teams(&[&[0, 1], &[2, 3]], true)),
        (6, teams(&[&[0, 2, 4], &[1, 3, 5]], true)),
        (6, teams(&[&[0, 5], &[1, 2], &[3, 4]], false)),
    ];
    check_laws::<SkipBo>(&plan(setups));
}

#[test]
fn the_laws_hold_up_to_a_stalemate() {
    let setups = vec![(2, one_round()), (6, one_round()), (4, two_teams())];
    check_laws::<SkipBo>(&Plan {
        keen: 0.0,
        every: 29,
        must_end: true,
        ..plan(setups)
    });
}
