//! What tests of rulesets share: given-when-then, and the laws that hold in every game.

mod laws;
mod scenario;

pub use laws::{Lawful, Plan, check_laws};
pub use scenario::Scenario;
