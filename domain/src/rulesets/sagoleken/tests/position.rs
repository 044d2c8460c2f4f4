//! Positions: what is accepted, and what does not add up.

use super::*;
use crate::ruleset::Setup;
use crate::ruling::Common;
use crate::testing::{
    CardLeaves, Plan, check_mangling, check_permissions, check_played_on, check_tampering,
};

const LEAVES: CardLeaves = CardLeaves {
    names: &[
        &[
            "troll_child",
            "troll_father",
            "troll_mother",
            "dwarf",
            "witch",
            "elf",
            "fairy",
            "wind",
        ],
        &["princess", "prince", "land", "dragon", "nix"],
    ],
    counts: &["count", "draw_pile", "bonus_pile", "kingdoms"],
};

fn plan(every: u64) -> Plan<Options> {
    Plan {
        setups: vec![(2, Options::default()), (4, Options::default())],
        games: 2,
        keen: 0.4,
        max_moves: 1_000,
        must_end: true,
        every,
    }
}

fn at_table(seats: u8) -> Setup<Options> {
    Setup {
        seats,
        options: Options::default(),
        rules_version: 1,
        mode: Mode::Table,
    }
}

fn again(seats: u8, game: &Game) -> Game {
    let placed = Sagoleken::place(&at_table(seats), &Sagoleken::position(&game.state));
    Game::standing(placed.expect("it is possible"), Mode::Table)
}

#[test]
fn a_game_begun_from_a_position_goes_on_as_the_original() {
    check_played_on::<Sagoleken>(&plan(31));
}

#[test]
fn no_card_of_a_position_can_be_another() {
    check_tampering::<Sagoleken>(&plan(97), LEAVES);
}

#[test]
fn whatever_is_accepted_can_be_played() {
    check_mangling::<Sagoleken>(&plan(31), LEAVES, 60);
}

#[test]
fn events_are_permitted_by_the_rules_that_draw_them() {
    check_permissions::<Sagoleken>(&plan(100));
}

/// Seat 1 holds a card and has a princess; of the second round, seat 1 has played a wind.
fn half_a_round() -> Game {
    let mut game = table(3);
    game.wins(1, princess()).wins(1, hidden()).plays(Card::Wind);
    game
}

#[test]
fn a_position_with_a_round_half_played_judges_as_the_original() {
    let game = half_a_round();
    let position = Sagoleken::position(&game.state);
    assert_eq!(position.phase, Phase::Round);
    assert_eq!(position.unseen.bag().len(), 36);
    assert_eq!(position.deals.len(), 4);
    let mut placed = again(3, &game);
    placed.plays(Card::Wind).plays(Card::Elf);
    placed.then(&Event::RoundWon { seat: Seat::new(2) });
    placed.declare([hidden()]).turn_is(2);
}

#[test]
fn what_is_known_of_held_cards_goes_with_the_position() {
    let mut game = table(2);
    game.wins(1, princess())
        .wins(0, hidden())
        .makes(rob(Robber::Nix, 1));
    let placed = again(2, &game);
    assert_eq!(placed.state.holdings.known(Seat::new(0)), Some(Held::NONE));
    placed.refused(1, rob(Robber::Dragon, 0), Rule::Rob);
}

#[test]
fn a_position_in_which_a_land_is_to_be_declared_judges_as_the_original() {
    let mut game = table(3);
    game.wins(1, hidden())
        .wins(1, hidden())
        .wins(2, princess())
        .wins(0, hidden())
        .makes(rob(Robber::Dragon, 2))
        .makes(rescue(0, Helpers::Wind));
    let mut placed = again(3, &game);
    placed.declare([land(true)]).shows(Rule::Rescued);
    placed.turn_is(2);
}

/// A change of [`half_a_round`]'s position is refused for this.
fn refused(change: impl FnOnce(&mut Position)) -> Violation {
    let mut position = Sagoleken::position(&half_a_round().state);
    change(&mut position);
    let violation = Sagoleken::place(&at_table(3), &position).expect_err("refused");
    assert_eq!(violation.rule, Common::Knowledge.citation(), "{violation}");
    violation
}

#[test]
fn what_does_not_add_up_is_named() {
    for (violation, told) in [
        (
            refused(|position| position.view.round[0].card = Card::Elf),
            "the box holds 3",
        ),
        (
            refused(|position| position.view.seats[0].hand.count = 7),
            "6 are the most",
        ),
        (
            refused(|position| position.view.draw_pile -= 1),
            "36 are unseen",
        ),
        (
            refused(|position| position.view.seats[1].kingdoms = 255),
            "princess",
        ),
        (refused(|position| position.deals.clear()), "no way"),
        (
            refused(|position| position.deals.swap(0, 1)),
            "in the order",
        ),
        (
            refused(|position| position.view.seats[1].held.count = 2),
            "holds 2 bonus cards",
        ),
        (
            refused(|position| position.view.bonus_pile = 12),
            "the bonus pile has 12",
        ),
        (
            refused(|position| position.view.seats[1].princess = None),
            "princess",
        ),
        (
            refused(|position| position.phase = Phase::Bonus(Seat::new(1))),
            "by the winner",
        ),
        (
            refused(|position| position.phase = Phase::Land(Seat::new(1))),
            "did not rescue",
        ),
        (
            refused(|position| position.phase = Phase::Refill(Seat::new(1))),
            "a round is under way",
        ),
        (
            refused(|position| position.phase = Phase::Over),
            "third princess",
        ),
        (
            refused(|position| position.view.leader = Seat::new(0)),
            "in the order of the players",
        ),
        (
            refused(|position| position.view.leader = Seat::new(5)),
            "seat 5",
        ),
        (
            refused(|position| position.view.sat_out = vec![Seat::new(2); 3]),
            "4 moves",
        ),
    ] {
        assert!(violation.detail.contains(told), "{violation}");
    }
}

#[test]
fn what_shows_a_hidden_card_reveals() {
    let mut game = table(2);
    game.contest(0);
    let reveals = |effect: &Effect<Event>| Sagoleken::reveals(&effect.event);
    let shown: Vec<bool> = game.last.iter().map(reveals).collect();
    assert_eq!(shown, [true, false], "a card was played, and the round won");
    game.declare([hidden()]);
    assert!(reveals(&game.last[0]), "a bonus card was drawn");
    assert!(reveals(game.last.last().unwrap()), "a hand was filled");
}
