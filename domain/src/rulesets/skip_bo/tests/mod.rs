//! What the rules do, rule by rule.

mod examples;
mod knowledge;
mod laws;
mod placing;
mod position;
mod rounds;
mod setup;
mod teams;
mod turns;
mod versions;
mod wire;

use super::*;
use crate::dealer::Mode;
use crate::ruling::RuleKind;
use crate::testing::Scenario;

type Table = Scenario<SkipBo>;

/// The test that breaks or shows a rule; none for what the referee has nothing to do about.
fn test_of(rule: Rule) -> Option<fn()> {
    let test: fn() = match rule {
        Rule::Cards | Rule::HelpTops | Rule::NoCompulsion | Rule::NoAdvice | Rule::UnseenPlaces => {
            return None;
        }
        Rule::Stocks => setup::sb_2_1_the_stocks_are_turned_up_seat_by_seat,
        Rule::StockSize => setup::sb_2_2_a_stock_has_its_bounds,
        Rule::Hands => setup::sb_2_3_everybody_is_dealt_five_and_the_rest_is_the_draw_pile,
        Rule::Teams => setup::sb_2_4_teams_are_two_or_three_of_one_size,
        Rule::Building => turns::sb_3_1_a_pile_takes_the_next_number_or_a_joker,
        Rule::Playing => turns::sb_3_2_what_is_not_there_cannot_be_played,
        Rule::NextTop => turns::sb_3_3_the_next_stock_card_is_turned_up_at_once,
        Rule::FiveMore => turns::sb_3_4_an_emptied_hand_draws_five,
        Rule::Completed => turns::sb_3_5_a_pile_that_reaches_12_leaves_the_table,
        Rule::Closing => turns::sb_3_6_a_turn_is_closed_with_a_card_of_the_hand,
        Rule::Reshuffle => turns::sb_3_9_completed_piles_replace_a_draw_pile_that_is_used_up,
        Rule::Passing => turns::sb_3_10_only_an_empty_hand_passes,
        Rule::Stalemate => rounds::sb_3_11_a_round_in_which_all_pass_is_a_stalemate,
        Rule::TeamMates => teams::sb_4_1_only_help_piles_of_team_mates_are_open,
        Rule::TeamWins => teams::sb_4_2_a_team_wins_when_all_its_stocks_are_empty,
        Rule::RoundWon => rounds::sb_5_1_the_last_stock_card_wins_at_once,
        Rule::Scoring => rounds::sb_5_2_the_winner_scores_25_and_5_a_card,
        Rule::Target => setup::sb_5_3_a_target_has_its_bounds,
        Rule::NextRound => rounds::sb_5_4_the_next_round_is_dealt_from_all_cards,
        Rule::Knowledge => knowledge::sb_6_1_a_card_on_record_is_in_no_hand,
    };
    Some(test)
}

#[test]
fn every_rule_that_refuses_or_does_something_has_a_test() {
    for rule in Rule::ALL {
        let judged = match rule.citation().kind {
            RuleKind::Refusal | RuleKind::Effect => true,
            RuleKind::Definition | RuleKind::Etiquette => false,
        };
        assert_eq!(test_of(*rule).is_some(), judged, "{rule:?}");
    }
}

fn card(name: &str) -> Card {
    serde_json::from_value(name.into()).expect("the name of a card")
}

fn cards(names: &str) -> Vec<Card> {
    names.split_whitespace().map(card).collect()
}

fn place(number: u8) -> Place {
    Place::new(number).expect("a place")
}

fn hand(name: &str) -> Source {
    Source::Hand { card: card(name) }
}

const STOCK: Source = Source::Stock { seat: None };

fn help(pile: u8) -> Source {
    Source::Help {
        pile: place(pile),
        seat: None,
    }
}

fn help_of(seat: u8, pile: u8) -> Source {
    Source::Help {
        pile: place(pile),
        seat: Some(Seat::new(seat)),
    }
}

fn stock_of(seat: u8) -> Source {
    Source::Stock {
        seat: Some(Seat::new(seat)),
    }
}

fn play(from: Source, to: u8) -> Move {
    Move::Play {
        from,
        to: place(to),
    }
}

fn discard(name: &str, pile: u8) -> Move {
    Move::Discard {
        card: card(name),
        pile: place(pile),
    }
}

const PASS: Move = Move::Pass {};

fn top(seat: u8, name: &str) -> Outcome {
    Outcome::StockTop {
        seat: Seat::new(seat),
        card: card(name),
    }
}

fn draw(seat: u8, names: &str) -> Outcome {
    Outcome::Draw(Draw {
        seat: Seat::new(seat),
        drawn: Drawn::Known {
            cards: cards(names),
        },
    })
}

fn drew(seat: u8, count: u8) -> Event {
    Event::Drew(Draw {
        seat: Seat::new(seat),
        drawn: Drawn::Counted { count },
    })
}

fn setup(seats: u8, options: Options) -> Setup<Options> {
    Setup {
        seats,
        options,
        rules_version: SkipBo::VERSIONS[0],
        mode: Mode::Table,
    }
}

fn options() -> Options {
    Options::default()
}

fn one_round() -> Options {
    Options {
        target_score: None,
        ..options()
    }
}

fn two_teams() -> Options {
    Options {
        teams: Some(vec![vec![0, 2], vec![1, 3]]),
        ..one_round()
    }
}

/// A table game of two with these stock tops.
fn two_players(tops: [&str; 2]) -> Table {
    let mut table = Table::table(2, options());
    table.declare([top(0, tops[0]), top(1, tops[1])]);
    table
}

impl Table {
    /// The events of the last step as a spectator sees them, each with the id of its rule.
    fn told(&self) -> Vec<(Event, &'static str)> {
        let tell = |effect: &Effect<Event>| {
            let event = SkipBo::mask(&effect.event, Viewer::Spectator).into_owned();
            (event, effect.rule.map_or("", |rule| rule.id))
        };
        self.last.iter().map(tell).collect()
    }

    fn ending(&self) -> Ending {
        match SkipBo::turn(&self.state) {
            Turn::Over(ending) => ending,
            turn => panic!("not over, but {turn:?}"),
        }
    }
}
