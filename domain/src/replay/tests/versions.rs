//! Records judged by other rules than those that they were made under.

use super::*;

fn judged_by(record: &Value, rules_version: u16) -> Judgement {
    let manner = Manner {
        rules_version: Some(rules_version),
        ..Manner::default()
    };
    judge(record, manner).expect("a record that can be judged")
}

/// The first move of a seat whose stock fitted and who did something else.
fn first_slight(sitting: &Sitting) -> Option<u64> {
    let record = &parts(&sitting.exported(Viewer::Open))[0];
    let entries = record["entries"].as_array().expect("entries");
    (0..).zip(entries).find_map(|(place, entry)| {
        let seat = entry["seat"].as_u64()?;
        if entry["move"]["from"] == json!({"zone": "stock"}) {
            return None;
        }
        let before = with(record, "entries", entries[..place as usize].into());
        let before = sitting.imported(&before).expect("legal").game;
        let stock_fits = before.legal_moves(Seat::new(seat as u8)).iter().any(|mv| {
            let mv: Value = serde_json::from_str(mv.get()).expect("JSON");
            mv["from"] == json!({"zone": "stock"})
        });
        stock_fits.then_some(place)
    })
}

#[test]
fn games_of_the_first_version_are_judged_by_the_second() {
    let (mut slighted, mut played) = (0, 0);
    for seed in 0..12 {
        let sitting = Sitting::play(GameKind::SkipBo, Mode::Table, 1, seed, 10);
        let slight = first_slight(&sitting);
        for part in parts(&sitting.exported(Viewer::Open)) {
            let judgement = judged_by(&part, 2);
            match (&judgement.verdict, slight) {
                (Verdict::Illegal { at_entry, rule, .. }, Some(place)) => {
                    assert_eq!((*at_entry, rule.id), (place, "SB-3.8"), "{sitting}");
                    let text = GameKind::SkipBo
                        .rulebook_of(2)
                        .and_then(|book| book.find("SB-3.8"));
                    assert_eq!(Some(*rule), text, "the text of the second version");
                    slighted += 1;
                }
                (Verdict::Legal { .. }, None) => played += 1,
                (verdict, slight) => panic!("{sitting}: {verdict:?}, {slight:?}"),
            }
            let differ = RulesDiffer {
                pinned: 1,
                judged_by: 2,
                at_entry: slight,
            };
            assert_eq!(judgement.rules_differ, Some(differ), "{sitting}");
            let judgement = plainly(&part);
            assert!(is_legal(&judgement), "{sitting}: {judgement:?}");
            assert_eq!(judgement.rules_differ, None);
        }
    }
    assert!(slighted > 0 && played > 0, "{slighted} and {played}");
}

#[test]
fn games_of_the_second_version_are_legal_under_the_first() {
    for seed in 0..4 {
        let sitting = Sitting::play(GameKind::SkipBo, Mode::Virtual, 2, seed, 30);
        for part in parts(&sitting.exported(Viewer::Open)) {
            let judgement = judged_by(&part, 1);
            assert!(is_legal(&judgement), "{sitting}: {judgement:?}");
            let differ = judgement.rules_differ.expect("asked for");
            assert_eq!(
                (differ.pinned, differ.judged_by, differ.at_entry),
                (2, 1, None)
            );
        }
        let imported = sitting
            .imported(&sitting.exported(Viewer::Open))
            .expect("legal");
        assert_eq!(imported.game.brief().rules_version, 2);
        assert_eq!(sitting.forked(4).game.brief().rules_version, 2);
    }
}

#[test]
fn a_record_without_a_version_is_judged_by_the_default() {
    let sitting = Sitting::play(GameKind::SkipBo, Mode::Table, 1, 1, 10);
    let mut record = parts(&sitting.exported(Viewer::Open))[0].clone();
    record
        .as_object_mut()
        .expect("an object")
        .remove("rules_version");
    assert!(is_legal(&plainly(&record)));
    assert_eq!(
        judged_by(&record, 2)
            .rules_differ
            .map(|differ| differ.pinned),
        Some(1)
    );
}

#[test]
fn a_header_of_another_version_is_not_the_one_of_the_events() {
    let sitting = Sitting::play(GameKind::SkipBo, Mode::Table, 1, 1, 3);
    let record = with(&sitting.exported(Viewer::Open), "rules_version", json!(2));
    assert!(matches!(
        plainly(&record).verdict,
        Verdict::Diverged { at_seq: 1, .. } | Verdict::Illegal { .. }
    ));
}
