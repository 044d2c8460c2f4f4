//! The laws that hold in every game.

use super::super::holdings::pile_of;
use super::super::*;
use crate::testing::{Lawful, Plan, check_laws};

impl Lawful for Sagoleken {
    fn every_move(_state: &State) -> Vec<Move> {
        let seats = || SeatIndex::all();
        let plays = Card::ALL.iter().map(|card| Move::Play { card: *card });
        let robberies = Robber::ALL
            .iter()
            .flat_map(|with| seats().map(|seat| Move::Rob { with: *with, seat }));
        let rescues =
            seats().flat_map(|seat| Helpers::ALL.map(|helpers| Move::Rescue { seat, helpers }));
        plays
            .chain(robberies)
            .chain(rescues)
            .chain([Move::Secure {}])
            .collect()
    }

    fn conserves_cards(state: &State) -> bool {
        let hands: u8 = state.hands.iter().map(|hand| hand.len()).sum();
        let round = state.round.len() as u8;
        let drawn = u8::from(state.drawn.is_some());
        let all_known = state.hands.iter().all(|hand| hand.unknown == 0);
        let on_top = state
            .unseen()
            .less(&state.draw_pile.under.iter().copied().collect());
        let outside = state.bonus_outside();
        hands + round + state.draw_pile.size() == 37
            && (!all_known || on_top.len() == u16::from(state.draw_pile.top))
            && !state.holdings.deals.is_empty()
            && state.holdings.deals.iter().all(|deal| {
                let pile = pile_of(deal, &outside);
                let held = deal.map(|held| held.cards().count() as u8);
                let in_hands: u8 = held.iter().sum();
                held == state.holdings.counts
                    && pile.len() == u16::from(state.bonus_pile.size() + drawn)
                    && pile.len() + u16::from(in_hands) == outside.len()
            })
    }
}

#[test]
fn the_laws_hold() {
    let points = [(Card::TrollChild, 7), (Card::Wind, -100)]
        .into_iter()
        .collect();
    let options = Options {
        first_seat: crate::ruleset::FirstSeat(1),
        card_points: CardPoints::from(std::collections::BTreeMap::from_iter::<Vec<_>>(points)),
    };
    check_laws::<Sagoleken>(&Plan {
        setups: (2..=4)
            .flat_map(|seats| [(seats, Options::default()), (seats, options.clone())])
            .collect(),
        games: 4,
        keen: 0.4,
        max_moves: 5_000,
        must_end: true,
        every: 5,
    });
}
