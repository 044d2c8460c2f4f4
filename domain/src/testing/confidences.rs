//! Seats at a table that tell the referee the truth, and go on with the cards that they hold.

use super::laws::{Lawful, Plan};
use crate::cards::{Bag, Card, Hand};
use crate::dealer::{Mode, Shuffler};
use crate::playout::RandomPlayer;
use crate::ruleset::{Ruleset, Setup, Turn};
use crate::seat::{Seat, Viewer};

/// [`check_all_confided`] for games in which nothing but hands is hidden.
///
/// # Panics
/// As there.
pub fn check_confidences<R: Lawful>(
    plan: &Plan<R::Options>,
    hand: fn(&R::State, Seat) -> &Hand<R::Held>,
) where
    R::Held: Card,
{
    check_all_confided::<R>(plan, &|state, seat| {
        let hand = hand(state, seat);
        (hand.unknown == 0).then(|| hand.known.cards().collect())
    });
}

/// Plays random games in which a seat tells what it holds at random times. A virtual game beside the
/// table says what that really is; the table's state with what was told judges the seat's moves.
/// `known` gives what a seat holds, where a state knows all of it.
///
/// # Panics
/// When the truth or a move that is legal by it is refused, when a move is listed that cards known in
/// full do not allow, or when the state loses cards.
pub fn check_all_confided<R: Lawful>(plan: &Plan<R::Options>, known: Known<'_, R>) {
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
                    known,
                };
                game.play(plan, Shuffler::seeded(seed ^ 0xc0f1));
            }
        }
    }
}

/// Plays random games in which a seat tells at random times what it may hold and does not. Whatever the
/// table sees after that, the rules must get along with: what they say of it binds nobody, but it must
/// be said. `guess` gives cards that a seat may hold, by what a state knows.
///
/// # Panics
/// When the rules do, or when no false hand is ever told, which would show nothing.
pub fn check_false_confidences<R: Lawful>(plan: &Plan<R::Options>, guess: Guess<'_, R>) {
    let mut told = 0;
    for (seats, options) in &plan.setups {
        for (seed, seat) in
            (0..plan.games).flat_map(|seed| Seat::all(*seats).map(move |it| (seed, it)))
        {
            let setup = |mode| Setup {
                seats: *seats,
                options: options.clone(),
                rules_version: R::VERSIONS[0],
                mode,
            };
            let begin =
                |mode| R::initial_state(&setup(mode)).expect("a planned game can be set up");
            let game = Misleading::<R> {
                truth: begin(Mode::Virtual),
                told: begin(Mode::Table),
                seat,
            };
            told += game.play(plan, guess, Shuffler::seeded(seed ^ 0xfa15e));
        }
    }
    assert!(told > 0, "no false hand was possible");
}

/// Cards that a hand may hold, when `unseen` cards lie anywhere unseen.
pub fn guessed<C: Card>(hand: &Hand<C>, mut unseen: Bag<C>, shuffler: &mut Shuffler) -> Vec<C> {
    let unknown = u16::from(hand.unknown).min(unseen.len());
    let guesses: Vec<C> = (0..unknown).map(|_| unseen.draw(shuffler)).collect();
    hand.known.cards().chain(guesses).collect()
}

/// Cards that a seat may hold, by what a state knows.
type Guess<'g, R> =
    &'g dyn Fn(&<R as Ruleset>::State, Seat, &mut Shuffler) -> Vec<<R as Ruleset>::Held>;

struct Misleading<R: Ruleset> {
    truth: R::State,
    /// What the referee of a table knows with what the seat told.
    told: R::State,
    seat: Seat,
}

impl<R: Lawful> Misleading<R> {
    /// How often the seat told a hand that it may have had.
    fn play(mut self, plan: &Plan<R::Options>, guess: Guess<'_, R>, mut shuffler: Shuffler) -> u32 {
        let mut told = 0;
        for step in 0..plan.max_moves {
            if shuffler.below(12) == 0 {
                let cards = guess(&self.told, self.seat, &mut shuffler);
                told += u32::from(R::confide(&mut self.told, self.seat, &cards).is_ok());
            }
            let effects = match R::turn(&self.truth) {
                Turn::Over(_) => break,
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
                    self.judge(seat, mv, step % plan.every == 0);
                    R::decide(&self.truth, seat, mv).expect("law 1")
                }
            };
            for effect in &effects {
                R::evolve(&mut self.truth, &effect.event);
                R::evolve(&mut self.told, &R::mask(&effect.event, Viewer::Spectator));
                R::turn(&self.told);
            }
        }
        told
    }

    /// Asks the rules for all that a move of this seat may make the referee ask.
    fn judge(&self, seat: Seat, mv: &R::Move, thoroughly: bool) {
        let listed = R::legal_moves(&self.told, seat);
        let judged = R::decide(&self.told, seat, mv);
        assert_eq!(
            listed.contains(mv),
            judged.is_ok(),
            "{mv:?}: {:?}",
            self.told
        );
        if thoroughly {
            for mv in R::every_move(&self.told) {
                // Only that it is judged: whoever knows better plays on.
                let _ = R::decide(&self.told, seat, &mv);
            }
        }
    }
}

/// What a seat holds, where a state knows all of it.
type Known<'k, R> = &'k dyn Fn(&<R as Ruleset>::State, Seat) -> Option<Vec<<R as Ruleset>::Held>>;

struct Confiding<'k, R: Ruleset> {
    truth: R::State,
    /// What the referee of a table knows with what the seat told.
    told: R::State,
    seat: Seat,
    known: Known<'k, R>,
}

impl<R: Lawful> Confiding<'_, R> {
    fn play(mut self, plan: &Plan<R::Options>, mut shuffler: Shuffler) {
        for _ in 0..plan.max_moves {
            if shuffler.below(6) == 0 {
                let held = (self.known)(&self.truth, self.seat);
                let cards = held.as_deref().expect("a dealer knows all");
                if let Err(violation) = R::confide(&mut self.told, self.seat, cards) {
                    panic!(
                        "{cards:?} of seat {}: {violation}: {:?}",
                        self.seat, self.told
                    );
                }
                assert_eq!((self.known)(&self.told, self.seat), held);
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
        if (self.known)(&self.told, self.seat).is_some() {
            assert_eq!(listed, legal, "{:?}", self.told);
        } else {
            let missing = legal.iter().find(|mv| !listed.contains(mv));
            assert_eq!(missing, None, "{:?}", self.told);
        }
    }
}
