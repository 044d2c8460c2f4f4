//! The dealer held to what README says of it: every outcome worked out again from the published
//! secret and the published entries, without the referee's own code.

use domain::rulesets::GameKind;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::helpers::{Api, Play, Setup, TestApp};

/// The published record of a game.
struct Published {
    secret: Vec<u8>,
    entries: Vec<Value>,
}

/// Plays so many steps, ends the game, and reads what is published then.
async fn published(api: &Api, setup: &Setup, steps: usize) -> Published {
    let game = api.create(&setup.clone().public()).await;
    Play::of(&game, 14).await.steps(steps).await;
    game.host().abandons().await.good();
    let fairness = game.stranger().get("/fairness").await.good();
    let record = game.stranger().get("/record").await.good();
    Published {
        secret: hex::decode(fairness["secret"].as_str().unwrap()).unwrap(),
        entries: record["entries"].as_array().unwrap().clone(),
    }
}

impl Published {
    /// Each outcome with the stream of random words that it was drawn from, in order.
    fn draws(&self) -> Vec<(Value, Words)> {
        let mut digest = [0; 32];
        let mut draws: Vec<(Value, Words)> = Vec::new();
        for entry in &self.entries {
            let entry = match (entry.get("outcome"), entry.get("move")) {
                (Some(outcome), None) => {
                    let key = Sha256::new()
                        .chain_update(&self.secret)
                        .chain_update((draws.len() as u64).to_be_bytes())
                        .chain_update(digest)
                        .finalize();
                    let words = Words(ChaCha20Rng::from_seed(key.into()));
                    draws.push((outcome.clone(), words));
                    json!({"outcome": outcome})
                }
                (None, Some(mv)) => json!({"seat": entry["seat"], "move": mv}),
                _ => break,
            };
            let canonical = serde_json_canonicalizer::to_vec(&entry).unwrap();
            digest = Sha256::new()
                .chain_update(digest)
                .chain_update(canonical)
                .finalize()
                .into();
        }
        draws
    }
}

/// 32-bit words of a ChaCha20 stream.
struct Words(ChaCha20Rng);

impl Words {
    /// A number below a bound; words that would favour some numbers are passed over.
    fn below(&mut self, bound: u64) -> u64 {
        let multiples = (1_u64 << 32) / bound;
        loop {
            let word = u64::from(self.0.next_u32());
            if word < multiples * bound {
                return word % bound;
            }
        }
    }

    /// One of the cards that are left, which it takes out.
    fn draw(&mut self, cards: &mut [(&'static str, u64)]) -> &'static str {
        let total = cards.iter().map(|(_, count)| count).sum();
        let mut place = self.below(total);
        for (card, count) in cards {
            if place < *count {
                *count -= 1;
                return card;
            }
            place -= *count;
        }
        unreachable!("the place is below the number of cards")
    }
}

#[tokio::test]
async fn the_tiles_of_schatz_der_drachen_follow_from_the_secret() {
    let app = TestApp::start().await;
    for seats in [2, 5] {
        let setup = Setup::dealt(GameKind::SchatzDerDrachen).seats(seats);
        let published = published(&app, &setup, 60).await;
        let mut face_down = [
            ("spider", 3),
            ("dragon", 12),
            ("ring", 8),
            ("ball", 4),
            ("car", 4),
            ("doll", 4),
            ("candlestick", 6),
            ("chest", 8),
        ];
        let draws = published.draws();
        assert!(draws.len() > 15);
        for (outcome, mut words) in draws {
            // A tile that was seen before is on record and not drawn again.
            let tile = words.draw(&mut face_down);
            assert_eq!(outcome, json!({"type": "tile", "tile": tile}));
        }
    }
}

#[tokio::test]
async fn the_die_of_wrozka_follows_from_the_secret() {
    let app = TestApp::start().await;
    let published = published(&app, &Setup::dealt(GameKind::Wrozka), 40).await;
    let mut rolls = 0;
    for (outcome, mut words) in published.draws() {
        if outcome["type"] == "die" {
            assert_eq!(outcome["value"], words.below(6) + 1);
            rolls += 1;
        }
    }
    assert!(rolls > 20);
}

#[tokio::test]
async fn the_hidden_cards_of_skip_bo_follow_from_the_secret() {
    let app = TestApp::start().await;
    // So few players that the draw pile lasts, and is not shuffled anew.
    for seats in [2, 3] {
        let setup = Setup::dealt(GameKind::SkipBo).seats(seats);
        let published = published(&app, &setup, 60).await;
        const CARDS: [&str; 12] = [
            "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12",
        ];
        let mut unseen: Vec<(&str, u64)> = CARDS.map(|card| (card, 12)).to_vec();
        unseen.push(("joker", 18));
        let draws = published.draws();
        assert!(draws.len() > 15);
        for (outcome, mut words) in draws {
            match outcome["type"].as_str().unwrap() {
                "stock_top" => assert_eq!(outcome["card"], words.draw(&mut unseen)),
                "draw" => {
                    for card in outcome["cards"].as_array().unwrap() {
                        assert_eq!(*card, words.draw(&mut unseen));
                    }
                }
                other => panic!("{other} is no outcome of Skip-Bo"),
            }
        }
    }
}
