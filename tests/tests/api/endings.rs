//! Games played to their end.

use domain::dealer::{Dealer, Mode};
use domain::rulesets::{AnyGame, GameKind};
use domain::seat::Viewer;
use serde_json::{Value, json};

use crate::golden::Golden;
use crate::helpers::{Api, Game, Setup, Step, TestApp, value};

/// A whole game: what creates it, what is sent, and how it stands at the end.
struct Whole {
    setup: Setup,
    steps: Vec<Step>,
    end: AnyGame,
}

impl Whole {
    /// The golden record's game.
    fn of(kind: GameKind, mode: Mode) -> Self {
        let golden = Golden::read(kind, mode);
        let begun = golden.begun().game;
        let steps = golden.steps();
        let end = steps
            .iter()
            .fold(begun, |game, step| step.after(&game, 0).game);
        let mut setup = Setup::new(kind, mode)
            .seats(golden.seats)
            .options(golden.options.clone())
            .with("rules_version", golden.rules_version().into())
            .public();
        if let Dealer::Virtual(secret) = &golden.dealer() {
            setup = setup.secret(secret);
        }
        Self { setup, steps, end }
    }

    /// Plays it over HTTP, and gives the answer to the last request.
    async fn play(&self, api: &Api) -> (Game, Value) {
        let game = api.create(&self.setup).await;
        let mut last = Value::Null;
        for step in &self.steps {
            last = step.send(&game).await.good();
        }
        (game, last)
    }
}

#[tokio::test]
async fn a_game_ends_where_the_rules_end_it() {
    let app = TestApp::start().await;
    for kind in GameKind::ALL {
        for mode in [Mode::Virtual, Mode::Table] {
            let whole = Whole::of(*kind, mode);
            let (game, last) = whole.play(&app).await;
            let brief = whole.end.brief();
            let result = json!(brief.result);
            assert!(result["winners"].is_array());
            assert_eq!(last["turn"], json!({"kind": "over"}));
            assert_eq!(last["result"], result);
            assert_eq!(last["version"], whole.end.version());
            let over = last["events"].as_array().unwrap().last().unwrap();
            assert_eq!(over["type"], "game_over");
            assert_eq!(over["data"], result);

            let summary = game.stranger().summary().await;
            assert_eq!(summary["status"], "over");
            assert_eq!(summary["result"], result);
            let listed = app.get("/v1/games?status=over&limit=1").await.good();
            assert_eq!(listed["games"][0], summary);
            let state = game.stranger().get("/state").await.good();
            assert_eq!(state["view"], value(&whole.end.view(Viewer::Spectator)));
            for seat in 0..game.seat_count() {
                assert!(game.seat(seat).legal_moves().await.is_empty());
                let Step::Move { mv, .. } = whole.steps.last().unwrap() else {
                    continue;
                };
                game.seat(seat).moves(mv).await.against("CM-3");
            }
            game.host().abandons().await.against("CM-3");

            let report = game.stranger().get("/verification").await.good();
            assert_eq!(report["valid"], true, "{report}");
            let told = game.stranger().follows(None).await.read_all().await;
            assert_eq!(told.last().unwrap().kind, "over");
            assert_eq!(told.len() as u64, whole.end.version() + 1);
            let record = game.stranger().get("/record").await.good();
            let judged = app.post("/v1/replays", record.to_string()).await.good();
            assert_eq!(judged["verdict"], "legal", "{judged}");
            assert_eq!(judged["result"], result);
        }
    }
}
