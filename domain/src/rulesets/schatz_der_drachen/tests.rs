use super::*;
use crate::testing::{Lawful, Plan, check_laws};

impl Lawful for SchatzDerDrachen {
    fn every_move(_state: &State) -> Vec<Move> {
        Slot::all()
            .map(|slot| Move::Reveal { slot })
            .chain(Slot::all().map(|to| Move::MoveSpider { to }))
            .chain([Move::Stop {}, Move::LeaveSpider {}])
            .collect()
    }

    fn conserves_cards(state: &State) -> bool {
        let lying = state
            .square
            .iter()
            .filter(|place| **place != Place::Empty)
            .count();
        let taken: usize = state
            .taken
            .iter()
            .map(|taken| usize::from(taken.len()))
            .sum();
        let unseen = Slot::all()
            .filter(|slot| state.at(*slot) == Place::Down(None))
            .count();
        lying + taken == 49 && usize::from(state.unseen().len()) == unseen
    }
}

#[test]
fn the_laws_hold() {
    check_laws::<SchatzDerDrachen>(&Plan {
        setups: (2..=5).map(|seats| (seats, Options::default())).collect(),
        games: 2,
        keen: 0.3,
        max_moves: 5_000,
        must_end: true,
        every: 7,
    });
}
