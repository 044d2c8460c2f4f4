//! What a table's record allows, and where unseen cards can lie.

use super::position::Position;
use super::*;
use crate::dealer::Mode;
use crate::playout::RandomPlayer;
use crate::ruling::{Clue, Common};

/// A pile with no joker that wants a 12.
const ELEVEN: &str = "1 2 3 4 5 6 7 8 9 10 11";

fn seen(violation: &Violation) -> Option<&str> {
    match violation.clue.as_ref()? {
        Clue::Card(name) => Some(name),
        Clue::Place(_) => None,
    }
}

/// Whether the stock top that is due may be this card.
fn may_be_turned(table: &Table, seat: u8, name: &str) -> bool {
    SkipBo::resolve(&table.state, &top(seat, name)).is_ok()
}

#[test]
pub(super) fn sb_6_1_a_card_on_record_is_in_no_hand() {
    // Everything lies open but a 5 and a 7 in a hand and a 5 in the stock.
    let table = Position::of(2, options())
        .hand(0, "5 7")
        .stock(0, "9 5")
        .stock(1, "9")
        .held();
    for name in ["1", "9", "12", "joker"] {
        let violation = table.refused(0, discard(name, 0), Rule::Knowledge);
        assert_eq!(seen(&violation), Some(name));
    }
    let violation = table.refused(0, play(hand("1"), 0), Rule::Knowledge);
    assert_eq!(seen(&violation), Some("1"));

    let mut two_fives = table.clone();
    two_fives
        .when(0, discard("5", 0), [])
        .when(1, PASS, [])
        .when(0, discard("5", 0), []);
    table.clone().when(0, discard("7", 0), []);
    assert_eq!(
        SkipBo::legal_moves(&table.state, Seat::new(0))
            .into_iter()
            .filter(|mv| matches!(mv, Move::Discard { pile, .. } if pile.get() == 0))
            .collect::<Vec<_>>(),
        [discard("5", 0), discard("7", 0)]
    );
}

#[test]
fn sb_6_1_a_joker_on_a_building_pile_counts_as_a_joker() {
    let jokers = "joker ".repeat(14);
    let position = Position::of(2, options())
        .hand(0, "1 2")
        .stock(0, "9")
        .stock(1, "9")
        .building(0, "joker joker joker joker");
    // With the four on the pile all eighteen are on record; the 1 to 4 they stand for are not.
    let table = position.clone().help(0, 0, &jokers).held();
    table.refused(0, discard("joker", 1), Rule::Knowledge);
    table.clone().when(0, discard("1", 1), []);
    let table = position.help(0, 0, &jokers[6..]).pile("joker").held();
    table.clone().when(0, discard("joker", 1), []);
}

#[test]
fn sb_6_1_reshuffled_cards_are_not_accounted_for_any_more() {
    let mut table = Position::of(2, options())
        .hand(0, "8 12")
        .hand(1, "8")
        .stock(0, "9")
        .stock(1, "9")
        .building(0, ELEVEN)
        .held();
    table.refused(0, discard("3", 0), Rule::Knowledge);
    table
        .when(0, play(hand("12"), 0), [])
        .refused(0, discard("3", 0), Rule::Knowledge);
    table.when(0, discard("8", 0), []).shows(Rule::Reshuffle);
    // Seat 1 drew nothing yet, which is not reasoned about.
    table.clone().when(1, discard("3", 0), []);
    table.refused(1, discard("joker", 0), Rule::Knowledge);
}

#[test]
fn sb_6_1_an_empty_hand_holds_nothing() {
    let table = Position::of(2, options())
        .hand(1, "5")
        .stock(0, "9")
        .stock(1, "9")
        .held();
    table.refused(0, play(hand("5"), 0), Rule::Playing);
    table.refused(0, discard("5", 0), Rule::Closing);
}

#[test]
fn cm_5_a_stock_top_is_not_one_that_lies_elsewhere() {
    let mut table = Position::of(2, options())
        .hand(0, "4")
        .stock(0, "1 6 7")
        .stock(1, "9")
        .pile("8")
        .held();
    table.when(0, play(STOCK, 0), []);
    let possible = |table: &Table| {
        let names = Card::ALL.iter().map(|card| card.name());
        names
            .filter(|name| may_be_turned(table, 0, name))
            .collect::<Vec<_>>()
    };
    assert_eq!(possible(&table), ["6", "7"]);
    let violation = table.impossible(top(0, "1"), Common::Knowledge);
    assert_eq!(seen(&violation), Some("1"));
}

#[test]
fn cm_5_before_a_shuffle_stocks_hands_and_draw_pile_are_filled_from_the_same_cards() {
    let mut table = Table::table(2, options());
    table.declare([top(0, "12"), top(1, "12")]);
    for _ in 0..5 {
        table
            .when(0, discard("12", 0), [])
            .when(1, discard("12", 0), []);
    }
    // Twelve 12s are on record: two tops and ten in the help piles.
    table.refused(0, discard("12", 0), Rule::Knowledge);
    table.when(0, play(hand("1"), 0), []);
    for name in ["2", "3", "4", "joker", "6", "7", "8", "9", "10", "11"] {
        table.when(0, play(hand(name), 0), []);
    }
    table.when(0, play(STOCK, 0), []);
    table.impossible(top(0, "12"), Common::Knowledge);
    for name in ["1", "5", "11", "joker"] {
        assert!(may_be_turned(&table, 0, name));
    }
}

#[test]
fn sb_6_2_after_a_shuffle_no_stock_holds_what_was_shuffled() {
    let position = Position::of(2, options())
        .hand(0, "12 8 8 8 8")
        .hand(1, "8")
        .stock(0, "1 7 7 7 6")
        .stock(1, "9")
        .building(0, ELEVEN);
    for mut table in [position.clone().dealt(), position.held()] {
        let effects = SkipBo::decide(&table.state, Seat::new(0), &play(hand("12"), 0));
        for effect in effects.expect("it fits") {
            SkipBo::evolve(&mut table.state, &effect.event);
        }
        SkipBo::evolve(&mut table.state, &Event::Reshuffled { count: 12 });
        let effects = SkipBo::decide(&table.state, Seat::new(0), &play(STOCK, 1));
        for effect in effects.expect("it fits") {
            SkipBo::evolve(&mut table.state, &effect.event);
        }
        // Eleven 3s lie open and one was shuffled: it is unseen, and not in a stock.
        let violation = table.impossible(top(0, "3"), Common::Knowledge);
        assert_eq!(seen(&violation), Some("3"));
        assert!(may_be_turned(&table, 0, "7"));
        assert!(may_be_turned(&table, 0, "6"));
        let mut shuffler = Shuffler::seeded(1);
        for _ in 0..50 {
            let Outcome::StockTop { card, .. } = SkipBo::sample(&table.state, &mut shuffler) else {
                panic!("a stock top is due")
            };
            assert!(SkipBo::resolve(&table.state, &top(0, card.name())).is_ok());
            assert!(
                matches!(card, Card::Six | Card::Seven | Card::Eight),
                "{card}"
            );
        }
    }
}

#[test]
fn sb_6_2_after_a_shuffle_the_cards_shuffled_are_drawn() {
    let mut table = Position::of(2, options())
        .hand(0, "8")
        .hand(1, "joker")
        .stock(0, "1 7 7 7 7 7 7")
        .stock(1, "9")
        .completed("1 2 3 4 5 6 joker 8 9 10 11 12")
        .dealt();
    let decided = SkipBo::decide(&table.state, Seat::new(0), &discard("8", 0));
    for effect in decided.expect("it is in the hand") {
        SkipBo::evolve(&mut table.state, &effect.event);
    }
    table.impossible(draw(0, "1 2 7 3 4"), Common::Chance);
    table.impossible(draw(0, "1 1 2 3 4"), Common::Chance);
    let mut shuffler = Shuffler::seeded(2);
    for _ in 0..50 {
        let outcome = SkipBo::sample(&table.state, &mut shuffler);
        assert!(SkipBo::resolve(&table.state, &outcome).is_ok());
        let Outcome::Draw(Draw {
            drawn: Drawn::Known { cards },
            ..
        }) = outcome
        else {
            panic!("a draw of known cards is due")
        };
        assert!(!cards.contains(&Card::Seven));
    }
    table.declare([draw(0, "6 joker 12 1 2")]).turn_is(1);
    assert_eq!(
        table.state.unseen.in_pile().pool,
        cards("3 4 5 8 9 10 11").into_iter().collect()
    );
}

#[test]
fn sb_6_2_a_hidden_card_is_as_likely_in_a_stock_as_in_the_draw_pile() {
    let setup = Setup {
        seats: 2,
        options: options(),
        rules_version: 1,
        mode: Mode::Virtual,
    };
    let state = SkipBo::initial_state(&setup).expect("the defaults");
    let mut shuffler = Shuffler::seeded(3);
    let jokers = (0..16_200)
        .filter(|_| SkipBo::sample(&state, &mut shuffler) == top(0, "joker"))
        .count();
    // 1,800 expected, with a standard deviation of 40; the seed is fixed, so this is one run.
    assert!((1_640..=1_960).contains(&jokers), "{jokers}");
}

#[test]
fn sb_6_2_a_dealer_knows_where_every_unseen_card_can_lie() {
    let setup = Setup {
        seats: 4,
        options: one_round(),
        rules_version: 1,
        mode: Mode::Virtual,
    };
    let mut state = SkipBo::initial_state(&setup).expect("the options of a test");
    let mut shuffler = Shuffler::seeded(4);
    let player = RandomPlayer { keen: 0.9 };
    let mut shuffles = 0;
    loop {
        let effects = match SkipBo::turn(&state) {
            Turn::Over(_) => break,
            Turn::Chance(_) => SkipBo::resolve(&state, &SkipBo::sample(&state, &mut shuffler)),
            Turn::Seat(seat) => {
                let moves = SkipBo::legal_moves(&state, seat);
                let mv = player.choose::<SkipBo>(&state, &moves, &mut shuffler);
                SkipBo::decide(&state, seat, mv.expect("a seat on turn has a move"))
            }
        };
        for effect in effects.expect("listed or sampled") {
            SkipBo::evolve(&mut state, &effect.event);
            shuffles += u32::from(matches!(effect.event, Event::Reshuffled { .. }));
            let unseen = &state.unseen;
            let (stocks, pile) = (unseen.in_stocks(), unseen.in_pile());
            if shuffles == 0 {
                assert_eq!((stocks, pile.pool), (unseen.anywhere, unseen.anywhere));
            } else {
                let down = state.players.iter().map(|it| u16::from(it.stock.down));
                assert_eq!(stocks.len(), down.sum::<u16>());
                assert_eq!(pile.pool.len(), pile.size);
                assert_eq!(unseen.anywhere.less(&stocks), pile.pool);
            }
        }
    }
    assert!(shuffles > 1, "{shuffles}");
}

#[test]
fn sb_6_2_a_record_that_leaves_nothing_for_a_stock_binds_nobody() {
    // Only two jokers were unseen before the shuffle, one of them in the stock. The hand cannot have
    // held both, but plays from it are judged by what is on record alone.
    let mut table = Position::of(2, options())
        .hand(0, "12 joker")
        .stock(0, "1 joker")
        .stock(1, "9")
        .building(0, ELEVEN)
        .held();
    table
        .when(0, play(hand("12"), 0), [])
        .when(0, discard("joker", 0), [])
        .when(1, discard("2", 0), []);
    assert!(
        !may_be_turned(&table, 0, "8"),
        "it lies in the draw pile or a hand"
    );
    table
        .when(0, discard("joker", 0), [])
        .when(1, discard("3", 0), [])
        .when(0, play(STOCK, 0), []);
    table.impossible(top(0, "joker"), Common::Knowledge);
    assert!(may_be_turned(&table, 0, "8"));
}

#[test]
fn a_table_names_no_draw() {
    let mut table = Table::table(2, options());
    table.declare([top(0, "9")]);
    let due = SkipBo::turn(&table.state);
    assert_eq!(due, Turn::Chance(Due::StockTop { seat: Seat::new(1) }));
    table.declare([top(1, "9")]);
    assert!(table.told().contains(&(drew(0, 5), "SB-2.3")));
    assert_eq!(table.state.player(Seat::new(0)).hand.unknown, 5);
}

#[test]
fn evidence_is_where_cards_came_to_light() {
    let clue = Clue::Card("5".to_owned());
    let seat = Seat::new(0);
    let played = |from| Event::CardPlayed {
        seat,
        from,
        card: card("5"),
        to: place(0),
    };
    let shows = |event: &Event| SkipBo::bears_on(event, &clue);
    assert!(shows(&played(hand("5"))));
    assert!(shows(&Event::StockTopTurned {
        seat,
        card: card("5")
    }));
    assert!(shows(&Event::CardDiscarded {
        seat,
        card: card("5"),
        pile: place(0)
    }));
    assert!(!shows(&played(STOCK)), "it was turned up before");
    assert!(!shows(&played(help(0))), "it was laid there before");
    assert!(!shows(&Event::StockTopTurned {
        seat,
        card: card("6")
    }));
    assert!(!shows(&drew(0, 1)));
}

/// What is on record of a 5, when these events have happened, the first of them as number 1.
fn evidence_of_a_five(events: &[Event]) -> Vec<u64> {
    let clue = Clue::Card("5".to_owned());
    SkipBo::evidence((1..).zip(events), &clue, Viewer::Spectator)
}

fn laid(seat: u8, name: &str, pile: u8) -> Event {
    Event::CardDiscarded {
        seat: Seat::new(seat),
        card: card(name),
        pile: place(pile),
    }
}

fn built(seat: u8, from: Source, name: &str, to: u8) -> Event {
    Event::CardPlayed {
        seat: Seat::new(seat),
        from,
        card: card(name),
        to: place(to),
    }
}

/// Twelve 5s come to light: on one help pile, but for the last, which is a stock's top.
fn all_fives_shown() -> Vec<Event> {
    let mut events = vec![laid(0, "5", 0); 11];
    events.push(Event::StockTopTurned {
        seat: Seat::new(1),
        card: card("5"),
    });
    events
}

#[test]
fn evidence_leaves_out_what_was_shuffled_since() {
    let mut events = all_fives_shown();
    assert_eq!(evidence_of_a_five(&events), Vec::from_iter(1..=12));
    events.extend([
        built(0, help(0), "5", 2),
        built(1, STOCK, "5", 3),
        Event::PileCompleted { pile: place(2) },
    ]);
    assert_eq!(evidence_of_a_five(&events), Vec::from_iter(1..=12));
    // The newest card of the help pile was in the completed pile; it comes back from a hand.
    events.extend([Event::Reshuffled { count: 12 }, laid(1, "5", 1)]);
    let still = Vec::from_iter((1..=10).chain([12, 17]));
    assert_eq!(evidence_of_a_five(&events), still);
}

#[test]
fn evidence_against_a_stock_tells_what_was_shuffled() {
    let mut events = all_fives_shown();
    events.extend([
        built(0, help(0), "5", 2),
        Event::PileCompleted { pile: place(2) },
        Event::Reshuffled { count: 12 },
        laid(1, "6", 1),
    ]);
    assert_eq!(
        evidence_of_a_five(&events),
        Vec::from_iter((1..=12).chain([15]))
    );
}

#[test]
fn evidence_is_of_the_round_that_is_played() {
    let mut events = all_fives_shown();
    events.push(Event::RoundBegun {
        round: 2,
        seat: Seat::new(1),
    });
    events.push(laid(1, "5", 0));
    assert_eq!(evidence_of_a_five(&events), [14]);
}
