//! Colours, what is left out, and where the tokens are laid.

use super::*;
use crate::ruleset::{FirstSeat, Setup};
use crate::ruling::Common;

fn set_up(seats: u8, options: Options) -> Result<State, Violation> {
    Wrozka::initial_state(&Setup {
        seats,
        options,
        rules_version: 1,
        mode: Mode::Table,
    })
}

fn in_colours(seats: u8, colours: &[Colour]) -> Result<State, Violation> {
    set_up(
        seats,
        Options {
            colours: Some(colours.to_vec()),
            ..Options::default()
        },
    )
}

#[test]
pub(super) fn wr_2_1_every_seat_has_a_colour_of_its_own() {
    for colours in [
        &[Colour::Pink][..],
        &[Colour::Pink, Colour::Pink],
        &[Colour::Pink, Colour::Blue, Colour::Green],
        &[],
    ] {
        let violation = in_colours(2, colours).expect_err("refused");
        assert_eq!(violation.rule, Rule::Colours.citation());
    }
    let state = in_colours(2, &[Colour::Green, Colour::Pink]).expect("two colours for two");
    let view = Wrozka::view(&state, Viewer::Spectator);
    let colours: Vec<Colour> = view.seats.iter().map(|seat| seat.colour).collect();
    assert_eq!(colours, [Colour::Green, Colour::Pink]);
    assert!(view.seats.iter().all(|seat| seat.place == id("castle")));
}

#[test]
fn wr_2_1_colours_follow_the_rulebook_unless_chosen() {
    let state = set_up(4, Options::default()).expect("the defaults");
    assert_eq!(
        state.colours,
        [Colour::Pink, Colour::Blue, Colour::Yellow, Colour::Green]
    );
}

#[test]
fn wr_2_2_fewer_players_have_fewer_tokens() {
    for (seats, count) in [(2, 10), (3, 15), (4, 20)] {
        let state = set_up(seats, Options::default()).expect("the defaults");
        assert_eq!(Wrozka::turn(&state), Turn::Chance(Due::Layout { count }));
        let tokens: Vec<Token> = state.tokens().iter().collect();
        let carriages = tokens.iter().filter(|token| **token == Token::Carriage {});
        assert_eq!(
            (tokens.len(), carriages.count()),
            (usize::from(count), usize::from(seats))
        );
    }
}

#[test]
fn wr_2_4_the_first_seat_begins() {
    let second = Options {
        first_seat: FirstSeat(1),
        ..Options::default()
    };
    let mut table = Scenario::<Wrozka>::table(2, second);
    table.declare([layout(&HALF), die(1)]).turn_is(1);
    for number in [-1, 2, i64::MAX] {
        let options = Options {
            first_seat: FirstSeat(number),
            ..Options::default()
        };
        let violation = set_up(2, options).expect_err("no such seat");
        assert_eq!(violation.rule, Common::Seats.citation());
    }
}

#[test]
pub(super) fn wr_2_3_tokens_lie_on_note_places_one_a_place() {
    let table = Scenario::<Wrozka>::table(2, Options::default());
    let instead = |place: &'static str| {
        let mut places = HALF;
        places[9] = place;
        layout(&places)
    };
    for (outcome, detail) in [
        (layout(&HALF[..9]), "9 places"),
        (layout(&[]), "0 places"),
        (layout(&[&HALF[..], &["r14"]].concat()), "11 places"),
        (instead("nowhere"), "no place nowhere"),
        (instead("castle"), "castle is not"),
        (instead("r4"), "r4 is not"),
        (instead("s0a"), "s0a is not"),
        (instead("r1"), "two tokens"),
    ] {
        let violation = table.impossible(outcome, Rule::Layout);
        assert!(violation.detail.contains(detail), "{violation}");
    }
}

#[test]
fn wr_2_3_tokens_may_be_laid_in_any_order_and_lie_face_down() {
    let mut table = Scenario::<Wrozka>::table(2, Options::default());
    let mut places = HALF;
    places.reverse();
    table.declare([layout(&places)]).then(&Event::TokensLaid {
        places: ids(&places),
    });
    let view = Wrozka::view(&table.state, Viewer::Spectator);
    assert_eq!(view.tokens, ids(&HALF));
}

#[test]
fn wr_2_3_chance_lays_tokens_everywhere() {
    let state = set_up(3, Options::default()).expect("the defaults");
    let mut shuffler = Shuffler::seeded(1);
    let mut laid = PlaceSet::EMPTY;
    for _ in 0..40 {
        let Outcome::Layout { places } = Wrozka::sample(&state, &mut shuffler) else {
            panic!("a layout is due");
        };
        assert_eq!(places.len(), 15);
        for place in places {
            laid.insert(state.map.find(&place).expect("a place of the board"));
        }
    }
    assert_eq!(laid.len(), 24);
}
