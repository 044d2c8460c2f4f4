//! Walks, against a search that tries every one of them.

use super::*;
use std::collections::BTreeSet;

/// Where every walk of so many steps ends, found by walking it.
fn search(board: &Board, start: &str, steps: u8) -> BTreeSet<String> {
    let mut ends = BTreeSet::new();
    let mut walks = vec![vec![start.to_owned()]];
    while let Some(walk) = walks.pop() {
        let here = walk.last().expect("a walk has a start");
        if walk.len() > usize::from(steps) {
            ends.insert(here.clone());
            continue;
        }
        for [one, other] in &board.paths {
            for (from, next) in [(one, other), (other, one)] {
                let back = walk.len() > 1 && walk[walk.len() - 2] == *next;
                if from == here && !back {
                    walks.push(walk.iter().chain([next]).cloned().collect());
                }
            }
        }
    }
    ends
}

#[track_caller]
fn check(board: &Board) {
    let map = Map::new(board).expect("the board is fit");
    let names = |places: PlaceSet| -> BTreeSet<String> {
        places
            .iter()
            .map(|place| map.id(place).to_string())
            .collect()
    };
    for start in &board.places {
        let walks = map.walks(map.find(&id(&start.id)).expect("the board has it"));
        let mut sooner = BTreeSet::new();
        for die in Die::all() {
            let exactly = search(board, &start.id, die.get());
            assert_eq!(
                names(walks.exactly(die)),
                exactly,
                "{die} from {}",
                start.id
            );
            assert_eq!(
                names(walks.sooner(die)),
                sooner,
                "before {die} from {}",
                start.id
            );
            sooner.extend(exactly);
        }
    }
}

#[test]
fn walks_on_the_referees_own_board() {
    check(&Board::default());
}

#[test]
fn walks_around_a_small_loop_and_into_a_dead_end() {
    check(&board::small());
    let map = Map::new(&board::small()).expect("the board is fit");
    let walks = |start: &str| map.walks(map.find(&id(start)).expect("the board has it"));
    let dead_end = walks("sky").exactly(Die::new(1).expect("on the die"));
    assert_eq!(
        dead_end
            .iter()
            .map(|place| map.id(place))
            .collect::<Vec<_>>(),
        [id("home")]
    );
    let around = walks("n9").exactly(Die::new(4).expect("on the die"));
    assert!(around.has(map.find(&id("n9")).expect("the board has it")));
}

#[test]
fn walks_on_boards_of_any_shape() {
    let mut shuffler = Shuffler::seeded(3);
    for _ in 0..40 {
        let size = 2 + shuffler.below(7);
        let kind = |at| {
            if at == 0 {
                PlaceKind::Castle
            } else {
                PlaceKind::Note
            }
        };
        let mut made = Board {
            places: (0..size)
                .map(|at| board::place(&at.to_string(), kind(at)))
                .collect(),
            paths: Vec::new(),
        };
        let mut join = |one: u32, other: u32| {
            let [near, far] = [one.min(other), one.max(other)].map(|at| at.to_string());
            let path = [near, far];
            if one != other && !made.paths.contains(&path) {
                made.paths.push(path);
            }
        };
        for at in 1..size {
            join(at, shuffler.below(at));
        }
        for _ in 0..shuffler.below(6) {
            join(shuffler.below(size), shuffler.below(size));
        }
        check(&made);
    }
}
