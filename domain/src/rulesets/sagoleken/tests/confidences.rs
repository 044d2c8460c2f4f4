//! What players tell the referee of their own cards.

use super::*;
use crate::cards::Card as _;
use crate::ruling::Common;
use crate::testing::{Plan, check_all_confided, check_false_confidences, guessed};

fn in_hand(cards: [Card; 6]) -> Vec<HiddenCard> {
    cards.map(HiddenCard::InHand).to_vec()
}

const HAND_OF_ONE_ELF: [Card; 6] = [
    Card::TrollChild,
    Card::TrollChild,
    Card::Dwarf,
    Card::Fairy,
    Card::Fairy,
    Card::Elf,
];

#[track_caller]
fn confide(game: &mut Game, number: u8, cards: &[HiddenCard]) {
    let confided = Sagoleken::confide(&mut game.state, Seat::new(number), cards);
    assert_eq!(confided, Ok(()));
}

#[track_caller]
fn contradicts(game: &Game, number: u8, cards: &[HiddenCard]) {
    let mut state = game.state.clone();
    let violation = Sagoleken::confide(&mut state, Seat::new(number), cards).unwrap_err();
    assert_eq!(violation.rule, Common::Knowledge.citation());
    assert_eq!(state, game.state);
}

#[test]
fn a_confided_hand_is_what_its_player_can_play() {
    let mut game = table(2);
    confide(&mut game, 0, &in_hand(HAND_OF_ONE_ELF));
    game.refused(0, play(Card::Wind), Rule::OneMove);
    game.plays(Card::Elf);
    game.plays(Card::TrollFather).declare([hidden()]);
    // A card was drawn since, which may be any.
    game.turn_is(0);
    game.plays(Card::Wind);
}

#[test]
fn held_cards_are_confided_with_the_hand() {
    let mut game = table(2);
    game.wins(0, hidden()).wins(1, princess());
    game.plays(Card::Dwarf);
    let with = |card| {
        let hand = in_hand(HAND_OF_ONE_ELF).into_iter();
        hand.chain([HiddenCard::FaceDown(card)]).collect::<Vec<_>>()
    };
    let legal = |game: &Game, robber| {
        Sagoleken::legal_moves(&game.state, Seat::new(0)).contains(&rob(robber, 1))
    };
    assert!(legal(&game, Robber::Dragon) && legal(&game, Robber::Nix));
    confide(&mut game, 0, &with(BonusCard::Nix));
    assert!(!legal(&game, Robber::Dragon) && legal(&game, Robber::Nix));
    game.refused(0, rob(Robber::Dragon, 1), Rule::Rob);
    contradicts(&game, 0, &with(BonusCard::Dragon));
    contradicts(&game, 0, &with(BonusCard::Princess));
    contradicts(&game, 0, &in_hand(HAND_OF_ONE_ELF));
}

#[test]
fn a_confidence_that_cannot_be_is_refused() {
    let mut game = table(2);
    contradicts(&game, 0, &in_hand(HAND_OF_ONE_ELF)[1..]);
    let mut fathers = HAND_OF_ONE_ELF;
    fathers[..2].fill(Card::TrollFather);
    contradicts(&game, 0, &in_hand(fathers));
    contradicts(&game, 0, &vec![HiddenCard::InHand(Card::Dwarf); 300]);
    // What was said before holds.
    confide(&mut game, 0, &in_hand(HAND_OF_ONE_ELF));
    contradicts(&game, 0, &in_hand(CHILDREN));
    confide(&mut game, 0, &in_hand(HAND_OF_ONE_ELF));
    // Of what is played the box holds no more.
    game.plays(Card::Elf).plays(Card::TrollFather);
    fathers[0] = Card::TrollChild;
    contradicts(&game, 1, &in_hand(fathers)[..5]);
}

fn plan() -> Plan<Options> {
    Plan {
        setups: vec![(2, Options::default()), (4, Options::default())],
        games: 3,
        keen: 0.4,
        max_moves: 1_000,
        must_end: true,
        every: 13,
    }
}

#[test]
fn who_confides_what_is_not_so_is_judged_all_the_same() {
    let plan = Plan {
        games: 20,
        ..plan()
    };
    check_false_confidences::<Sagoleken>(&plan, &|state, seat, shuffler| {
        let in_hand = guessed(state.hand(seat), state.unseen(), shuffler).into_iter();
        let deals = &state.holdings.deals;
        let deal = (!deals.is_empty()).then(|| deals[shuffler.below(deals.len() as u32) as usize]);
        let held = deal.map_or(Held::NONE, |deal| deal[seat.index()]);
        in_hand
            .map(HiddenCard::InHand)
            .chain(held.cards().map(HiddenCard::FaceDown))
            .collect()
    });
}

#[test]
fn who_confides_the_truth_is_never_refused_a_move() {
    check_all_confided::<Sagoleken>(&plan(), &|state, seat| {
        let hand = state.hand(seat);
        let held = state.holdings.known(seat)?;
        let in_hand = hand.known.cards().map(HiddenCard::InHand);
        let face_down = held.cards().map(HiddenCard::FaceDown);
        (hand.unknown == 0).then(|| in_hand.chain(face_down).collect())
    });
}

#[test]
fn hidden_cards_are_written_by_their_names() {
    for name in Card::ALL.iter().map(|card| card.name()) {
        let card: HiddenCard = serde_json::from_value(name.into()).expect("a card");
        assert_eq!(serde_json::to_value(card).expect("a name"), name);
    }
    let land: HiddenCard = serde_json::from_value("land".into()).expect("a bonus card");
    assert_eq!(land, HiddenCard::FaceDown(BonusCard::Land));
    assert!(serde_json::from_value::<HiddenCard>("hidden".into()).is_err());
}
