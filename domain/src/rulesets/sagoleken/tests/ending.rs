//! The end of the game (SL-6).

use super::*;
use crate::ruleset::Ending;

const ELVES: [Card; 6] = [
    Card::Elf,
    Card::Elf,
    Card::Elf,
    Card::Witch,
    Card::Dwarf,
    Card::Wind,
];
const TROLLS: [Card; 6] = [
    Card::TrollFather,
    Card::TrollMother,
    Card::TrollChild,
    Card::TrollChild,
    Card::TrollChild,
    Card::TrollChild,
];

/// A table at which this player has made so many kingdoms.
fn kingdoms(seats: u8, of: u8, count: u8) -> Game {
    let mut game = table(seats);
    for _ in 0..count {
        game.wins(of, hidden())
            .wins(of, hidden())
            .wins(of, kingdom(BonusCard::Princess));
    }
    game
}

#[track_caller]
fn ending(game: &Game) -> Ending {
    match Sagoleken::turn(&game.state) {
        Turn::Over(ending) => ending,
        turn => panic!("the game is not over: {turn:?}"),
    }
}

#[test]
pub(super) fn sl_6_1_the_third_kingdom_ends_the_game() {
    let game = kingdoms(2, 1, 3);
    game.shows(Rule::ThirdKingdom)
        .then(&Event::AllPrincessesSafe {});
    let led =
        |effect: &crate::ruleset::Effect<Event>| matches!(effect.event, Event::LeadPassed { .. });
    assert!(!game.last.iter().any(led), "no further round begins");
    assert_eq!(
        Sagoleken::turn(&game.state),
        Turn::Chance(Due::FinalHand {
            seat: Seat::new(0),
            count: 6
        })
    );
}

#[test]
pub(super) fn sl_6_2_hands_are_counted_at_six_cards() {
    let mut game = kingdoms(2, 1, 3);
    game.shows(Rule::Score).then(&Event::RoundBrokenOff {
        cards: vec![Card::Elf, Card::Dwarf],
        first: Seat::new(1),
    });
    // The hands are declared in the order of the seats.
    assert!(!Sagoleken::answers(
        &Due::FinalHand {
            seat: Seat::new(0),
            count: 6
        },
        &final_hand(1, TROLLS)
    ));
    game.declare([final_hand(0, ELVES), final_hand(1, TROLLS)]);
    assert_eq!(ending(&game).standing.scores, [3 * 3 - 3 + 1, 150 - 10 - 4]);
}

#[test]
fn sl_6_2_a_rescuer_who_ends_the_game_draws_first() {
    let mut game = kingdoms(4, 1, 2);
    // The last princess lies alone before seat 2; seat 3 may rob her; seat 1 holds two cards.
    game.wins(2, princess())
        .wins(1, hidden())
        .wins(1, hidden())
        .wins(3, hidden());
    game.makes(rob(Robber::Dragon, 2)).plays(Card::Fairy);
    game.makes(rescue(3, Helpers::Wind)).declare([land(true)]);
    game.then(&Event::RoundBrokenOff {
        cards: vec![Card::Fairy],
        first: Seat::new(1),
    });
    let drew = game.last.iter().filter_map(|effect| match &effect.event {
        Event::Drew(draw) => Some((draw.seat.number(), draw.drawn.len())),
        _ => None,
    });
    // Seat 3 has robbed and seat 2 has not moved: neither lacks a card.
    assert!(drew.eq([(1, 1), (0, 1)]));
    assert_eq!(game.state.draw_pile.size(), 37 - 24);
}

#[test]
fn sl_6_2_the_leader_draws_first_when_a_robber_secures_the_last_princess() {
    let mut state = dealt(&[CHILDREN, [Card::Fairy; 6], [Card::Dwarf; 6]]);
    state.kingdoms = [1, 1, 0, 0];
    state.bonus_pile.top -= 6;
    holding(&mut state, [(2, BonusCard::Prince), (2, BonusCard::Land)]);
    princess_before(&mut state, 2, Some(Robber::Nix));
    let mut game = virtually(state);
    game.plays(Card::TrollChild)
        .plays(Card::Fairy)
        .makes(Move::Secure {});
    game.then(&Event::RoundBrokenOff {
        cards: vec![Card::TrollChild, Card::Fairy],
        first: Seat::new(0),
    });
    let lacking = |seat, count| {
        Turn::Chance(Due::Draw {
            seat: Seat::new(seat),
            count,
        })
    };
    assert_eq!(Sagoleken::turn(&game.state), lacking(0, 1));
    let drawn = |seat: u8| {
        Outcome::Draw(CardDraw {
            seat: Seat::new(seat),
            drawn: Drawn::Known {
                cards: vec![Card::Wind],
            },
        })
    };
    // The hands are on record, so nobody declares them.
    game.declare([drawn(0), drawn(1)]);
    game.shows(Rule::Score);
    assert_eq!(
        ending(&game).standing.scores,
        [50 - 5, 50 + 2 * 5, 50 + 6],
        "bonus cards left over count nothing"
    );
}

#[test]
pub(super) fn sl_6_3_the_most_points_win() {
    let mut game = kingdoms(2, 0, 3);
    game.declare([final_hand(0, TROLLS), final_hand(1, ELVES)]);
    let ending = ending(&game);
    assert_eq!(ending.rule, Some(Rule::MostPoints.citation()));
    assert_eq!(ending.standing.winners, [Seat::new(0)]);
    assert_eq!(ending.standing.reason, "most_points");
}

#[test]
fn cm_7_level_players_win_together() {
    let mut game = table(3);
    for of in [0, 1] {
        game.wins(of, hidden())
            .wins(of, hidden())
            .wins(of, kingdom(BonusCard::Princess));
    }
    game.wins(2, hidden())
        .wins(2, hidden())
        .wins(2, kingdom(BonusCard::Princess));
    let fairies = [
        Card::Fairy,
        Card::Dwarf,
        Card::Dwarf,
        Card::Wind,
        Card::TrollChild,
        Card::TrollChild,
    ];
    game.declare([
        final_hand(0, fairies),
        final_hand(1, fairies),
        final_hand(2, [Card::TrollChild; 6]),
    ]);
    let standing = ending(&game).standing;
    assert_eq!(standing.winners, [Seat::new(0), Seat::new(1)]);
    assert_eq!(standing.scores, [52, 52, 44]);
}
