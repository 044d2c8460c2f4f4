//! Playing in teams.

use super::position::Position;
use super::*;

fn open_stocks() -> Options {
    Options {
        partner_stock: true,
        ..two_teams()
    }
}

fn position(options: Options) -> Position {
    Position::of(4, options)
        .hand(0, "8 9")
        .stock(0, "7 9")
        .stock(1, "1 9")
        .stock(2, "1 9")
        .stock(3, "5 9")
        .help(1, 0, "1")
        .help(2, 0, "3 1")
}

#[test]
pub(super) fn sb_4_1_only_help_piles_of_team_mates_are_open() {
    for options in [two_teams(), open_stocks()] {
        let table = position(options).held();
        table.clone().when(0, play(help_of(2, 0), 0), []).turn_is(0);
        table.refused(0, play(help_of(2, 1), 0), Rule::TeamMates);
        for other in [0, 1, 3, 4, 5] {
            table.refused(0, play(help_of(other, 0), 0), Rule::TeamMates);
            table.refused(0, play(stock_of(other), 0), Rule::TeamMates);
        }
    }
    let alone = Position::of(2, options())
        .stock(0, "7")
        .stock(1, "1")
        .held();
    alone.refused(0, play(help_of(1, 0), 0), Rule::TeamMates);
}

#[test]
fn sb_4_1_a_team_mates_stock_is_open_by_option() {
    let closed = position(two_teams()).held();
    closed.refused(0, play(stock_of(2), 0), Rule::TeamMates);

    let mut open = position(open_stocks()).held();
    open.when(0, play(stock_of(2), 0), []);
    let due = Due::StockTop { seat: Seat::new(2) };
    assert_eq!(SkipBo::turn(&open.state), Turn::Chance(due));
    open.declare([top(2, "9")]).shows(Rule::NextTop).turn_is(0);

    let emptied = position(open_stocks()).stock(2, "").held();
    emptied.refused(0, play(stock_of(2), 0), Rule::TeamMates);
}

#[test]
fn sb_4_1_the_closing_card_goes_on_an_own_help_pile() {
    let mut table = position(two_teams()).held();
    table.when(0, discard("8", 0), []).turn_is(1);
    assert_eq!(table.state.player(Seat::new(0)).help[0], cards("8"));
    assert_eq!(table.state.player(Seat::new(2)).help[0], cards("3 1"));
}

#[test]
pub(super) fn sb_4_2_a_team_wins_when_all_its_stocks_are_empty() {
    let finishing = |options| {
        position(options)
            .stock(0, "1")
            .stock(2, "2")
            .hand(1, "6")
            .held()
    };
    let mut table = finishing(two_teams());
    table.when(0, play(STOCK, 0), []).turn_is(0);
    assert_eq!(table.told().len(), 1);
    // The own stock is empty, and play goes on.
    table.refused(0, play(STOCK, 0), Rule::Playing);
    table.when(0, discard("8", 0), []);
    table.when(1, discard("6", 1), []);
    table.when(2, play(STOCK, 0), []).shows(Rule::TeamWins);
    let standing = table.ending().standing;
    assert_eq!(standing.winners, [Seat::new(0), Seat::new(2)]);
    assert_eq!(standing.scores, [45, 0, 45, 0]);
}

#[test]
fn sb_4_2_the_last_stock_of_a_team_may_be_emptied_by_a_team_mate() {
    let mut table = position(open_stocks()).stock(0, "1").stock(2, "2").held();
    table
        .when(0, play(STOCK, 0), [])
        .when(0, play(stock_of(2), 0), [])
        .shows(Rule::TeamWins);
    assert_eq!(table.ending().standing.winners.len(), 2);
}

#[test]
fn sb_4_2_a_team_mates_stock_emptied_first_does_not_win() {
    let mut table = position(open_stocks()).stock(0, "2 7").stock(2, "1").held();
    table
        .when(0, play(stock_of(2), 0), [])
        .when(0, play(STOCK, 0), [top(0, "7")])
        .turn_is(0);
}

#[test]
fn sb_5_3_a_team_reaches_the_target_together() {
    let target = Options {
        target_score: Some(100),
        ..two_teams()
    };
    let mut table = position(target)
        .stock(0, "1")
        .stock(2, "")
        .score(0, 60)
        .score(2, 60)
        .held();
    table.when(0, play(STOCK, 0), []);
    let ending = table.ending();
    assert_eq!(ending.rule, Some(Rule::Target.citation()));
    assert_eq!(ending.standing.winners, [Seat::new(0), Seat::new(2)]);
    assert_eq!(ending.standing.scores, [105, 0, 105, 0]);
}

#[test]
fn sb_3_11_teams_come_to_a_stalemate_when_every_player_passes() {
    let mut table = position(two_teams()).hand(0, "").held();
    table
        .when(0, PASS, [])
        .when(1, PASS, [])
        .when(2, play(help(0), 0), [])
        .when(2, PASS, [])
        .when(3, PASS, [])
        .when(0, PASS, [])
        .when(1, PASS, [])
        .turn_is(2);
    table.when(2, PASS, []).shows(Rule::Stalemate);
    assert_eq!(table.ending().standing.scores, [0, 0, 0, 0]);
}

#[test]
fn legal_moves_name_team_mates_cards_after_the_own() {
    let table = position(open_stocks()).help(0, 2, "1").dealt();
    let plays: Vec<Move> = SkipBo::legal_moves(&table.state, Seat::new(0))
        .into_iter()
        .filter(|mv| matches!(mv, Move::Play { to, .. } if to.get() == 0))
        .collect();
    assert_eq!(
        plays,
        [
            play(help(2), 0),
            play(help_of(2, 0), 0),
            play(stock_of(2), 0)
        ]
    );
}
