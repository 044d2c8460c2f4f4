//! Rules that make events possible, along random games.

use std::collections::{HashMap, HashSet};
use std::mem::discriminant;

use super::laws::Plan;
use crate::dealer::{Mode, Shuffler};
use crate::playout::{RandomPlayer, play};
use crate::ruleset::{Ruleset, Setup};

/// Checks that every event of random games was permitted by a rule of the game's rulebook, by one that
/// draws events of its type where rules do, and that it depends on the type alone whether it reveals
/// anything.
///
/// # Panics
/// At the first event of which that is not so.
pub fn check_permissions<R: Ruleset>(plan: &Plan<R::Options>) {
    for rules_version in R::VERSIONS {
        let mut drawn: HashMap<_, HashSet<&str>> = HashMap::new();
        let mut permitted = HashMap::new();
        let mut reveals = HashMap::new();
        for (seats, options) in &plan.setups {
            let setup = Setup {
                seats: *seats,
                options: options.clone(),
                rules_version: *rules_version,
                mode: Mode::Virtual,
            };
            for seed in 0..plan.games {
                let player = RandomPlayer { keen: plan.keen };
                let mut shuffler = Shuffler::seeded(seed ^ 0x9e12);
                play::<R>(&setup, player, &mut shuffler, plan.max_moves, |effect| {
                    let event = &effect.event;
                    let kind = discriminant(event);
                    let rule = R::permitted_by(event);
                    let book = R::rulebook(*rules_version);
                    assert!(book.rules().any(|own| own.id == rule.id), "{event:?}");
                    permitted.insert((kind, rule.id), event.clone());
                    drawn
                        .entry(kind)
                        .or_default()
                        .extend(effect.rule.map(|rule| rule.id));
                    let shows = R::reveals(event);
                    assert_eq!(*reveals.entry(kind).or_insert(shows), shows, "{event:?}");
                })
                .expect("a planned game can be set up");
            }
        }
        for ((kind, id), event) in permitted {
            let drawing = &drawn[&kind];
            assert!(
                drawing.is_empty() || drawing.contains(id),
                "{id} for {event:?}"
            );
        }
    }
}
