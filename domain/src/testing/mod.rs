//! What tests of rulesets share: given-when-then, the laws that hold in every game, and random
//! play in JSON.

mod confidences;
mod laws;
mod positions;
mod random;
mod scenario;

pub use confidences::check_confidences;
pub use laws::{Lawful, Plan, check_laws};
pub use positions::{
    check_fuzzed, check_permissions, check_play_on, check_tampering, placed_again,
};
pub(crate) use random::{random_move, random_outcome};
pub use scenario::Scenario;
