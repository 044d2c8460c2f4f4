//! Forks at every version of every game.

use super::*;

#[test]
fn a_fork_shares_the_past_and_nothing_else() {
    for kind in GameKind::ALL {
        for mode in [Mode::Virtual, Mode::Table] {
            let mut sitting = Sitting::play(*kind, mode, kind.rules_versions()[0], 5, 12);
            sitting.abandon();
            let events = stripped(&sitting.exported(Viewer::Open)["events"]);
            let events = events.as_array().expect("events");
            for at in 1..=sitting.game.version() {
                let fork = sitting.forked(at);
                let told = format!("{sitting} forked at {at}");
                let shared = stripped(&fork.exported(Viewer::Open)["events"]);
                assert_eq!(
                    shared.as_array().expect("events")[..at as usize],
                    events[..at as usize],
                    "{told}"
                );
                for viewer in viewers(sitting.seats) {
                    let (here, there) = (fork.at(at), sitting.at(at));
                    assert_eq!(here.view(viewer).get(), there.view(viewer).get(), "{told}");
                    let (here, there) = (here.brief(), there.brief());
                    assert_eq!(here.status, there.status, "{told}");
                    assert_eq!(here.claimed, there.claimed, "{told}");
                }
                let origin = fork.game.brief().origin.expect("a fork has an origin");
                let parent = origin.forked_from.expect("a parent");
                assert_eq!(
                    (parent.game.as_str(), parent.version),
                    ("game-5", at),
                    "{told}"
                );
            }
        }
    }
}

#[test]
fn a_fork_is_played_on_and_verifies() {
    for kind in GameKind::ALL {
        for mode in [Mode::Virtual, Mode::Table] {
            let sitting = Sitting::play(*kind, mode, kind.rules_versions()[0], 6, 20);
            let last = sitting.game.version();
            for at in (1..=last).step_by(7).chain([last]) {
                let mut fork = sitting.forked(at);
                fork.play_on(at, 5);
                let fairness = match mode {
                    Mode::Virtual => Check::Pending,
                    Mode::Table => Check::NotApplicable,
                };
                let running = fork.game.brief().status == crate::game::Status::InProgress;
                let verification = fork.verification();
                let told = format!("{sitting} forked at {at}: {verification:?}");
                assert!(verification.valid, "{told}");
                if running {
                    assert_eq!(verification.checks.fairness, fairness, "{told}");
                }
                fork.abandon();
                let verification = fork.verification();
                assert!(verification.valid, "{told}: {verification:?}");
                let record = fork.exported(Viewer::Open);
                for part in parts(&record) {
                    assert!(is_legal(&plainly(&part)), "{told}");
                }
                let again = fork.forked(fork.game.version());
                assert!(again.verification().valid, "{told}: a fork of the fork");
            }
        }
    }
}
