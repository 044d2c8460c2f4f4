//! What confidences owe: who told the referee the truth is never refused a move that is legal, and
//! is held to it.

use super::laws::{Lawful, Plan};
use crate::dealer::{Mode, Shuffler};
use crate::game::Course;
use crate::playout::RandomPlayer;
use crate::ruleset::{Setup, Turn};
use crate::seat::{Seat, Viewer};

/// Plays virtual games beside the same games at a table. One seat confides, every so many moves,
/// all that `hidden` finds it to hold in truth. Judged on what the referee knows from then on, every
/// move that the seat can make is legal, and no other is when it has just confided.
///
/// # Panics
/// When a truth is refused, or a move.
pub fn check_confidences<R: Lawful>(
    plan: &Plan<R::Options>,
    hidden: impl Fn(&R::State, Seat) -> Vec<R::Held>,
) {
    let player = RandomPlayer { keen: plan.keen };
    for (seats, options) in &plan.setups {
        let begin = |mode| {
            let setup = Setup {
                seats: *seats,
                options: options.clone(),
                rules_version: R::VERSIONS[0],
                mode,
            };
            Course::<R>::new(&setup)
                .expect("a planned game can be set up")
                .state
        };
        for seed in 0..plan.games {
            let mut shuffler = Shuffler::seeded(seed ^ 0xc0f1);
            let mut truth = begin(Mode::Virtual);
            let mut private = begin(Mode::Table);
            let own = Seat::new(shuffler.below(u32::from(*seats)) as u8);
            for at in 0..plan.max_moves {
                let confides = at % plan.every == 0;
                if confides {
                    let cards = hidden(&truth, own);
                    R::confide(&mut private, own, &cards)
                        .unwrap_or_else(|violation| panic!("{cards:?}: {violation}: {private:?}"));
                }
                let effects = match R::turn(&truth) {
                    Turn::Over(_) => break,
                    Turn::Chance(_) => {
                        let outcome = R::on_record(&truth)
                            .unwrap_or_else(|| R::sample(&truth, &mut shuffler));
                        R::resolve(&truth, &outcome).expect("law 3")
                    }
                    Turn::Seat(seat) => {
                        let legal = R::legal_moves(&truth, seat);
                        let known = R::legal_moves(&private, seat);
                        if seat == own && confides {
                            assert_eq!(known, legal, "{private:?}");
                        }
                        if seat == own {
                            assert!(legal.iter().all(|mv| known.contains(mv)), "{private:?}");
                        }
                        let mv = player.choose::<R>(&truth, &legal, &mut shuffler);
                        let mv = mv.expect("law 2");
                        if seat == own {
                            R::decide(&private, seat, mv)
                                .unwrap_or_else(|violation| panic!("{mv:?}: {violation}"));
                        }
                        R::decide(&truth, seat, mv).expect("law 1")
                    }
                };
                for effect in effects {
                    R::evolve(&mut truth, &effect.event);
                    R::evolve(&mut private, &R::mask(&effect.event, Viewer::Spectator));
                    assert!(R::conserves_cards(&private), "{private:?}");
                }
            }
        }
    }
}
