//! Positions in the middle of a round, with every card in its place.

use super::*;
use crate::cards::{Bag, Hand, Pile};
use crate::dealer::Mode;
use crate::rulesets::skip_bo::piles::full_box;
use crate::testing::Lawful;

/// A position told place by place. Cards that are named nowhere lie under the last player's last
/// help pile, so that nothing is unseen but what the stocks, the draw pile and hands hold.
#[derive(Clone)]
pub(super) struct Position {
    state: State,
    hands: Vec<Vec<Card>>,
    stocks: Vec<Vec<Card>>,
    pile: Bag<Card>,
}

impl Position {
    pub(super) fn of(seats: u8, options: Options) -> Self {
        let terms = Terms::agreed(&setup(seats, options)).expect("options of a test");
        let mut state = State::new(terms, Seat::new(0));
        for player in &mut state.players {
            player.stock = Stock::default();
        }
        state.phase = Phase::Playing;
        Self {
            state,
            hands: vec![Vec::new(); seats.into()],
            stocks: vec![Vec::new(); seats.into()],
            pile: Bag::EMPTY,
        }
    }

    /// The same under the second version of the rules.
    pub(super) fn second_version(mut self) -> Self {
        self.state.terms.version = Version::Second;
        self
    }

    pub(super) fn hand(mut self, seat: u8, names: &str) -> Self {
        self.hands[usize::from(seat)] = cards(names);
        self
    }

    /// A stock, the open top first.
    pub(super) fn stock(mut self, seat: u8, names: &str) -> Self {
        let mut cards = cards(names).into_iter();
        let stock = &mut self.state.players[usize::from(seat)].stock;
        stock.top = cards.next();
        stock.down = cards.len() as u8;
        self.stocks[usize::from(seat)] = cards.collect();
        self
    }

    /// A help pile, from the bottom up.
    pub(super) fn help(mut self, seat: u8, pile: usize, names: &str) -> Self {
        self.state.players[usize::from(seat)].help[pile] = cards(names);
        self
    }

    /// A building pile, from the bottom up.
    pub(super) fn building(mut self, place: usize, names: &str) -> Self {
        for card in cards(names) {
            assert!(self.state.building[place].takes(card), "{card}");
            self.state.building[place].push(card);
        }
        self
    }

    pub(super) fn completed(mut self, names: &str) -> Self {
        self.state.completed = cards(names).into_iter().collect();
        self
    }

    /// The draw pile, in no order.
    pub(super) fn pile(mut self, names: &str) -> Self {
        self.pile = cards(names).into_iter().collect();
        self
    }

    pub(super) fn score(mut self, seat: u8, score: u32) -> Self {
        self.state.players[usize::from(seat)].score = score;
        self
    }

    /// The position where the referee deals and knows the hands.
    pub(super) fn dealt(self) -> Table {
        self.set_up(Mode::Virtual)
    }

    /// The same where the players hold their cards.
    pub(super) fn held(self) -> Table {
        self.set_up(Mode::Table)
    }

    fn set_up(self, mode: Mode) -> Table {
        let mut state = self.state;
        let mut named = on_record(&state);
        for hand in &self.hands {
            hand.iter().for_each(|card| named.add(*card));
        }
        let stocks = self.stocks.into_iter().flatten().collect();
        named.add_all(&stocks);
        named.add_all(&self.pile);
        let rest = full_box().less(&named);
        assert_eq!(
            rest.len() + named.len(),
            162,
            "too many of a kind are named"
        );

        let last = usize::from(state.terms.seats) - 1;
        let buried = &mut state.players[last].help[3];
        *buried = rest.cards().chain(buried.iter().copied()).collect();
        let mut anywhere = stocks;
        anywhere.add_all(&self.pile);
        for (player, cards) in state.players.iter_mut().zip(self.hands) {
            player.hand = match mode {
                Mode::Virtual => Hand {
                    known: cards.iter().copied().collect(),
                    unknown: 0,
                },
                Mode::Table => Hand {
                    known: Bag::EMPTY,
                    unknown: cards.len() as u8,
                },
            };
            if mode == Mode::Table {
                cards.into_iter().for_each(|card| anywhere.add(card));
            }
        }
        let pile = Pile::of(self.pile);
        state.unseen = Unseen {
            anywhere,
            stocks,
            pile,
        };
        assert!(SkipBo::conserves_cards(&state), "{state:?}");
        Table::standing(state, mode)
    }
}

/// The cards that lie open or in completed piles.
pub(super) fn on_record(state: &State) -> Bag<Card> {
    let mut cards = state.completed;
    for pile in &state.building {
        pile.cards().iter().for_each(|card| cards.add(*card));
    }
    for player in &state.players {
        player
            .stock
            .top
            .into_iter()
            .for_each(|card| cards.add(card));
        player
            .help
            .iter()
            .flatten()
            .for_each(|card| cards.add(*card));
    }
    cards
}
