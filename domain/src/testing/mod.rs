//! What tests of rulesets share: given-when-then, the laws that hold in every game, positions,
//! confidences and permissions along random games, and random play in JSON.

mod confidences;
mod corrections;
mod laws;
mod permissions;
mod positions;
mod random;
mod scenario;

pub use confidences::{check_all_confided, check_confidences, check_false_confidences, guessed};
pub use laws::{Lawful, Plan, check_laws};
pub use permissions::check_permissions;
pub use positions::{CardLeaves, check_mangling, check_played_on, check_tampering, check_upsets};
pub(crate) use random::{random_move, random_outcome};
pub use scenario::Scenario;
