//! Seats at a table that tell the referee their true hands, and go on with the cards in them.

use super::laws::{Lawful, Plan};
use crate::cards::{Card, Hand};
use crate::dealer::{Mode, Shuffler};
use crate::playout::RandomPlayer;
use crate::ruleset::{Ruleset, Setup, Turn};
use crate::seat::{Seat, Viewer};

/// Plays random games in which a seat tells its hand at random times. A virtual game beside the table
/// says what the seat really holds; the table's state with what was told judges the seat's moves.
///
/// # Panics
/// When a true hand or a move with a card in it is refused, when a move is listed that a hand known in
/// full does not allow, or when the state loses cards.
pub fn check_confidences<R: Lawful>(
    plan: &Plan<R::Options>,
    hand: fn(&R::State, Seat) -> &Hand<R::Held>,
) where
    R::Held: Card,
{
    for (seats, options) in &plan.setups {
        for (seed, seat) in
            (0..plan.games).flat_map(|seed| Seat::all(*seats).map(move |it| (seed, it)))
        {
            for rules_version in R::VERSIONS {
                let setup = |mode| Setup {
                    seats: *seats,
                    options: options.clone(),
                    rules_version: *rules_version,
                    mode,
                };
                let begin =
                    |mode| R::initial_state(&setup(mode)).expect("a planned game can be set up");
                let game = Confiding::<R> {
                    truth: begin(Mode::Virtual),
                    told: begin(Mode::Table),
                    seat,
                    hand,
                };
                game.play(plan, Shuffler::seeded(seed ^ 0xc0f1));
            }
        }
    }
}

struct Confiding<R: Ruleset>
where
    R::Held: Card,
{
    truth: R::State,
    /// What the referee of a table knows with what the seat told.
    told: R::State,
    seat: Seat,
    hand: fn(&R::State, Seat) -> &Hand<R::Held>,
}

impl<R: Lawful> Confiding<R>
where
    R::Held: Card,
{
    fn play(mut self, plan: &Plan<R::Options>, mut shuffler: Shuffler) {
        for _ in 0..plan.max_moves {
            if shuffler.below(6) == 0 {
                let cards: Vec<_> = (self.hand)(&self.truth, self.seat).known.cards().collect();
                if let Err(violation) = R::confide(&mut self.told, self.seat, &cards) {
                    panic!(
                        "{cards:?} of seat {}: {violation}: {:?}",
                        self.seat, self.told
                    );
                }
                assert_eq!(
                    (self.hand)(&self.told, self.seat),
                    (self.hand)(&self.truth, self.seat)
                );
            }
            let effects = match R::turn(&self.truth) {
                Turn::Over(_) => return,
                Turn::Chance(_) => {
                    let outcome = R::on_record(&self.truth)
                        .unwrap_or_else(|| R::sample(&self.truth, &mut shuffler));
                    R::resolve(&self.truth, &outcome).expect("law 3")
                }
                Turn::Seat(seat) => {
                    let legal = R::legal_moves(&self.truth, seat);
                    let player = RandomPlayer { keen: plan.keen };
                    let mv = player.choose::<R>(&self.truth, &legal, &mut shuffler);
                    let mv = mv.expect("law 2");
                    if seat == self.seat {
                        self.judge(mv, &legal);
                    }
                    R::decide(&self.truth, seat, mv).expect("law 1")
                }
            };
            for effect in &effects {
                R::evolve(&mut self.truth, &effect.event);
                R::evolve(&mut self.told, &R::mask(&effect.event, Viewer::Spectator));
                assert!(
                    R::conserves_cards(&self.told),
                    "{effect:?}: {:?}",
                    self.told
                );
            }
        }
    }

    fn judge(&self, mv: &R::Move, legal: &[R::Move]) {
        if let Err(violation) = R::decide(&self.told, self.seat, mv) {
            panic!("{mv:?} of seat {}: {violation}: {:?}", self.seat, self.told);
        }
        let listed = R::legal_moves(&self.told, self.seat);
        if (self.hand)(&self.told, self.seat).unknown == 0 {
            assert_eq!(listed, legal, "{:?}", self.told);
        } else {
            let missing = legal.iter().find(|mv| !listed.contains(mv));
            assert_eq!(missing, None, "{:?}", self.told);
        }
    }
}
