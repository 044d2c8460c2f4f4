//! Which games are kept, and for the sake of what.

use domain::dealer::{Mode, Shuffler};
use domain::rulesets::{AnyDecision, GameKind};
use domain::ruling::RuleKind;
use serde_json::{Value, json};

use crate::helpers::{Patience, Search, Step, Wish};

/// A game that is kept.
pub(super) struct Kept {
    pub(super) game: GameKind,
    pub(super) mode: Mode,
    pub(super) rules_version: u16,
    pub(super) seats: u8,
    pub(super) options: Value,
    /// The rules with effects that it does not reach, because they exclude others that it does.
    pub(super) unreached: &'static [&'static str],
    /// What happens in it besides the effects of rules.
    pub(super) rarities: Vec<Value>,
    /// What its players held back so that it could happen.
    pub(super) patience: Option<Patience>,
}

impl Kept {
    fn new(game: GameKind, mode: Mode, seats: u8, options: Value) -> Self {
        Self {
            game,
            mode,
            rules_version: 1,
            seats,
            options,
            unreached: &[],
            rarities: Vec::new(),
            patience: None,
        }
    }

    /// The rules with effects, all of which but those unreached are reached.
    pub(super) fn effects(&self) -> impl Iterator<Item = &'static str> {
        let rulebook = self.game.rulebook_of(self.rules_version).unwrap();
        let rules = rulebook.rules();
        rules
            .filter(|rule| rule.kind == RuleKind::Effect && !rule.id.starts_with("CM-"))
            .map(|rule| rule.id)
    }

    /// What happens in it that is rare.
    pub(super) fn rare(&self) -> Vec<Wish> {
        self.rarities.iter().cloned().map(Wish::new).collect()
    }

    /// Requests by which all this happens, found by playing such a game again and again.
    pub(super) fn search(&self, create: impl Fn() -> AnyDecision) -> Vec<Step> {
        const SEARCHES: u64 = 20;
        const TRIES: usize = 12;
        let wishes = self.wishes();
        let search = Search {
            wishes: &wishes,
            patience: self.patience.as_ref(),
            longest: 800,
        };
        (1..=SEARCHES)
            .find_map(|seed| search.run(create(), TRIES, &mut Shuffler::seeded(seed)))
            .unwrap_or_else(|| panic!("no such game of {:?} was found", self.game))
    }

    /// All that happens in it.
    fn wishes(&self) -> Vec<Wish> {
        let reached = self.effects().filter(|id| !self.unreached.contains(id));
        let reached = reached.map(|id| Wish::new(json!({"rule": id})));
        reached.chain(self.rare()).collect()
    }
}

/// Every kept game, one in each mode.
pub(super) fn kept() -> [Kept; 10] {
    [
        sagoleken_virtual(),
        sagoleken_table(),
        wrozka_virtual(),
        wrozka_table(),
        skip_bo_virtual(),
        skip_bo_table(),
        sleeping_queens_virtual(),
        sleeping_queens_table(),
        schatz_der_drachen(Mode::Virtual),
        schatz_der_drachen(Mode::Table),
    ]
}

/// Robberies, rescues and a robbed princess secured.
fn manoeuvres() -> Vec<Value> {
    vec![
        json!({"type": "princess_robbed", "data": {"with": "dragon"}}),
        json!({"type": "princess_robbed", "data": {"with": "nix"}}),
        json!({"type": "princess_rescued", "data": {"helpers": "fairies"}}),
        json!({"type": "princess_rescued", "data": {"helpers": "wind"}}),
        json!({"type": "kingdom_formed", "rule": "SL-5.6"}),
    ]
}

fn sagoleken_virtual() -> Kept {
    let mut kept = Kept::new(GameKind::Sagoleken, Mode::Virtual, 2, json!({}));
    kept.rarities = manoeuvres();
    kept.rarities.extend([
        json!({"type": "bonus_drawn", "data": {"seen": {"card": "hidden"}}}),
        json!({"type": "bonus_drawn", "data": {"seen": {"card": "hidden", "returned": true}}}),
        json!([
            {"type": "bonus_drawn", "data": {"bonus": {"card": "princess"}}},
            {"type": "bonus_returned"},
        ]),
    ]);
    kept
}

fn sagoleken_table() -> Kept {
    let options = json!({"first_seat": 2, "card_points": {"witch": -4, "wind": 1}});
    let mut kept = Kept::new(GameKind::Sagoleken, Mode::Table, 4, options);
    kept.rarities = manoeuvres();
    kept.rarities.push(json!({"type": "no_bonus"}));
    kept.rarities.extend([
        json!({"type": "bonus_drawn", "data": {"bonus": {"card": "hidden"}}}),
        json!({"type": "bonus_drawn", "data": {"bonus": {"card": "hidden", "returned": true}}}),
        json!({"type": "land_declared", "data": {"held": true}}),
        json!({"type": "land_declared", "data": {"held": false}}),
        json!({"type": "hand_counted", "data": {"seat": 2}}),
    ]);
    kept
}

/// Tokens taken, left and turned down, among them a carriage for which it is too early or too late.
fn tokens() -> Vec<Value> {
    vec![
        json!({"type": "token_taken", "rule": "WR-3.5"}),
        json!({"type": "token_left"}),
        json!([
            {"type": "token_revealed", "data": {"token": {"kind": "carriage"}}},
            {"type": "token_turned_down", "rule": "WR-3.5"},
        ]),
    ]
}

fn wrozka_virtual() -> Kept {
    let options = json!({"first_seat": 1, "colours": ["green", "pink", "blue"], "notebook": false});
    let mut kept = Kept::new(GameKind::Wrozka, Mode::Virtual, 3, options);
    kept.rarities = tokens();
    kept
}

fn wrozka_table() -> Kept {
    // A ring with an alley that ends at a star.
    let ring = [
        "castle", "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k",
    ];
    let alley = ["castle", "l", "star"];
    let places = ring.iter().chain(&alley[1..]).map(|id| {
        let kind = match *id {
            "castle" | "star" => id,
            _ => "note",
        };
        json!({"id": id, "kind": kind})
    });
    let along = |row: &[&str]| -> Vec<Value> { row.windows(2).map(|pair| json!(pair)).collect() };
    let mut paths = [along(&ring), along(&alley)].concat();
    paths.push(json!(["k", "castle"]));
    let board = json!({"places": places.collect::<Vec<Value>>(), "paths": paths});
    let mut kept = Kept::new(GameKind::Wrozka, Mode::Table, 2, json!({"board": board}));
    kept.rarities = tokens();
    kept
}

fn skip_bo_virtual() -> Kept {
    let options = json!({
        "stock_size": 3, "teams": [[0, 2], [1, 3]], "partner_stock": true, "target_score": 60,
    });
    let mut kept = Kept::new(GameKind::SkipBo, Mode::Virtual, 4, options);
    // A team wins, so no single player does; and somebody always plays.
    kept.unreached = &["SB-3.11", "SB-5.1"];
    kept.rarities = vec![
        // A draw that the draw pile is too small for.
        json!([{"type": "drew"}, {"type": "reshuffled"}, {"type": "drew"}]),
        json!({"type": "card_played", "data": {"card": "joker"}}),
        json!({"type": "card_discarded", "data": {"card": "joker"}}),
        json!({"type": "card_played", "data": {"from": {"zone": "help", "seat": 2}}}),
        json!({"type": "card_played", "data": {"from": {"zone": "stock", "seat": 2}}}),
        json!({"type": "round_begun", "data": {"round": 2}}),
    ];
    kept.patience = Some(Patience {
        with: json!({"type": "play", "from": {"zone": "stock"}}),
        until: json!({"rule": "SB-3.9"}),
    });
    kept
}

fn skip_bo_table() -> Kept {
    let options = json!({"stock_size": 20, "target_score": 200});
    let mut kept = Kept::new(GameKind::SkipBo, Mode::Table, 6, options);
    kept.rules_version = 2;
    // Nobody has a partner.
    kept.unreached = &["SB-4.2"];
    kept.rarities = vec![
        json!({"type": "turn_passed", "rule": "SB-3.10"}),
        json!([{"type": "drew"}, {"type": "reshuffled"}, {"type": "drew"}]),
        json!({"type": "card_played", "data": {"card": "joker"}}),
    ];
    kept.patience = Some(Patience {
        with: json!({"type": "play"}),
        until: json!({"rule": "SB-3.11"}),
    });
    kept
}

/// Queens woken, stolen, put to sleep and defended, and a draw pile that is used up.
fn queens() -> Vec<Value> {
    vec![
        json!({"type": "queen_woken", "rule": "SQ-3.1"}),
        json!({"type": "queen_stolen", "rule": "SQ-3.2"}),
        json!({"type": "queen_put_to_sleep", "rule": "SQ-3.3"}),
        json!({"type": "another_turn", "rule": "SQ-3.4"}),
        json!([
            {"type": "queen_woken", "rule": "SQ-3.4", "data": {"queen": "rose"}},
            {"type": "wake_granted", "rule": "SQ-4.1"},
        ]),
        json!({"type": "queen_woken", "rule": "SQ-4.1"}),
        json!({"type": "defended", "data": {"card": "dragon"}}),
        json!({"type": "defended", "data": {"card": "wand"}}),
        json!([
            {"type": "drew", "rule": "SQ-3.7"},
            {"type": "reshuffled"},
            {"type": "drew", "rule": "SQ-3.7"},
        ]),
    ]
}

fn sleeping_queens_virtual() -> Kept {
    let mut kept = Kept::new(GameKind::SleepingQueens, Mode::Virtual, 3, json!({}));
    kept.unreached = &["SQ-6.2"];
    kept.rarities = queens();
    kept.rarities
        .push(json!([{"type": "jester_played"}, {"type": "reshuffled"}]));
    kept
}

fn sleeping_queens_table() -> Kept {
    let options = json!({"first_seat": 4, "deck": {"jester": 6, "wand": 4}});
    let mut kept = Kept::new(GameKind::SleepingQueens, Mode::Table, 5, options);
    kept.unreached = &["SQ-6.1"];
    kept.rarities = queens();
    kept
}

fn schatz_der_drachen(mode: Mode) -> Kept {
    let mut kept = Kept::new(
        GameKind::SchatzDerDrachen,
        mode,
        3,
        json!({"first_seat": 1}),
    );
    kept.rarities = vec![
        json!({"type": "spider_moved"}),
        json!({"type": "spider_left"}),
    ];
    kept
}
