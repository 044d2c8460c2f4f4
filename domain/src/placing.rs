//! What every game asks of a position before it is played on.
//!
//! A position need not be one that the rules lead to: a table may have let something pass. It must
//! be one that a table can stand in, with every card of the box in one place (CM-5).

use crate::ruleset::Ruleset;
use crate::ruling::Violation;
use crate::seat::Seat;

/// Makes sure that a list has one item for each seat.
///
/// # Errors
/// CM-5 when it has more or fewer.
pub fn expect_one_a_seat<T>(items: &[T], seats: u8) -> Result<(), Violation> {
    let told = items.len();
    Violation::unless(told == usize::from(seats), || {
        format!("{told} seats are told of, and the game has {seats}")
    })
}

/// Makes sure that the game has this seat.
///
/// # Errors
/// CM-5 when it has not.
pub fn expect_seat(seat: Seat, seats: u8) -> Result<(), Violation> {
    Violation::unless(seat.number() < seats, || {
        format!("seat {seat} is told of, and the game has {seats} seats")
    })
}

/// Makes sure that a position tells nothing but the state that was made of it.
///
/// # Errors
/// CM-5 when one part of it contradicts another.
pub fn expect_told<R: Ruleset>(state: &R::State, position: &R::Position) -> Result<(), Violation> {
    Violation::unless(R::position(state) == *position, || {
        "the position contradicts itself: what one part of it tells is not what another does"
            .to_owned()
    })
}
