//! Bonus cards (SL-4).

use super::*;

#[test]
pub(super) fn sl_4_1_a_princess_is_shown_and_the_rest_is_hidden() {
    let mut game = table(2);
    game.wins(1, princess());
    game.shows(Rule::OpenOrKept);
    assert_eq!(game.state.princess(Seat::new(1)), Some(Princess::Lone));
    // Another one goes straight back, and is shown all the same; nobody needs to say that she does.
    game.wins(1, princess());
    game.then(&Event::BonusReturned { seat: Seat::new(1) });
    let said = Outcome::Bonus(BonusDraw {
        returned: true,
        ..BonusDraw::of(Face::Known(BonusCard::Princess))
    });
    game.wins(1, said.clone());
    game.then(&Event::BonusReturned { seat: Seat::new(1) });
    game.contest(0);
    game.impossible(said, Rule::Knowledge);
    // What stays face down is nobody's to name.
    for card in [BonusCard::Prince, BonusCard::Land, BonusCard::Dragon] {
        game.impossible(shows(card), crate::ruling::Common::Chance);
    }
    game.declare([hidden()]);
    game.shows(Rule::OpenOrKept);
    assert_eq!(game.state.holdings.counts, [1, 0, 0, 0]);
}

/// A virtual game of two in which seat 1 is about to win the round.
fn winner(held: &[BonusCard], princess: Option<Option<Robber>>) -> Game {
    let mut state = dealt(&[CHILDREN, [Card::Fairy; 6]]);
    for card in held {
        holding(&mut state, [(1, *card)]);
    }
    if let Some(robbed_with) = princess {
        princess_before(&mut state, 1, robbed_with);
    }
    let mut game = virtually(state);
    game.plays(Card::TrollChild).plays(Card::Fairy);
    game
}

/// What becomes of a card that this winner draws.
fn fate(held: &[BonusCard], princess: Option<Option<Robber>>, card: BonusCard) -> Fate {
    let mut game = winner(held, princess);
    game.last.clear();
    let effects = Sagoleken::resolve(&game.state, &shows(card)).unwrap();
    let fates = effects.iter().filter_map(|effect| match effect.event {
        Event::BonusKept { .. } => Some(Fate::Kept),
        Event::BonusReturned { .. } => Some(Fate::Returned),
        Event::KingdomFormed { .. } => Some(Fate::Kingdom),
        _ => None,
    });
    let fates: Vec<Fate> = fates.collect();
    assert_eq!(fates.len(), 1);
    fates[0]
}

#[test]
pub(super) fn sl_4_2_a_second_of_a_kind_goes_back() {
    use BonusCard::{Dragon, Land, Nix, Prince, Princess};
    let lone = Some(None);
    let robbed = Some(Some(Robber::Dragon));
    // Worked example 7.
    assert_eq!(fate(&[Prince], lone, Prince), Fate::Returned);
    assert_eq!(fate(&[Land], None, Land), Fate::Returned);
    assert_eq!(fate(&[Nix], None, Dragon), Fate::Returned);
    assert_eq!(fate(&[Dragon], None, Nix), Fate::Returned);
    assert_eq!(fate(&[], lone, Princess), Fate::Returned);
    assert_eq!(fate(&[], robbed, Princess), Fate::Returned);
    assert_eq!(fate(&[Prince, Land], robbed, Princess), Fate::Returned);
    assert_eq!(fate(&[Prince, Land], None, Nix), Fate::Kept);
    // The dragon on a robbed princess is not held.
    assert_eq!(fate(&[], robbed, Nix), Fate::Kept);

    let mut game = winner(&[Prince], lone);
    game.declare([shows(Prince)]).shows(Rule::OneOfEach);
    assert_eq!(game.state.bonus_pile.under, [Face::Known(Prince)]);

    // The same at a table, which sees only that a card goes back.
    let mut game = table(2);
    game.wins(1, princess()).wins(1, hidden());
    game.wins(1, returned()).shows(Rule::OneOfEach);
    assert_eq!(game.state.holdings.counts, [0, 1, 0, 0]);
}

#[test]
pub(super) fn sl_4_4_a_drawn_card_completes_a_kingdom() {
    use BonusCard::{Dragon, Land, Prince, Princess};
    let lone = Some(None);
    // Worked example 6.
    assert_eq!(fate(&[Prince, Land], None, Princess), Fate::Kingdom);
    assert_eq!(fate(&[Prince, Dragon], lone, Land), Fate::Kingdom);
    assert_eq!(fate(&[Land], lone, Prince), Fate::Kingdom);
    assert_eq!(fate(&[Prince], None, Land), Fate::Kept);

    let mut game = winner(&[Prince, Dragon], lone);
    game.declare([shows(Land)])
        .shows(Rule::KingdomAtOnce)
        .then(&Event::KingdomFormed { seat: Seat::new(1) });
    assert_eq!(game.state.kingdoms, [0, 1, 0, 0]);
    assert_eq!(game.state.princess(Seat::new(1)), None);
    let held = game.state.holdings.known(Seat::new(1)).unwrap();
    assert!(held.cards().eq([Dragon]));

    let mut game = table(2);
    game.wins(1, hidden())
        .wins(1, hidden())
        .wins(1, kingdom(Princess));
    game.shows(Rule::KingdomAtOnce);
    assert_eq!(game.state.holdings.counts, [0; 4]);
    assert_eq!(game.state.standing().scores, [0, 50]);
    // The player starts anew: nothing is left that could send a card back.
    game.contest(1);
    game.impossible(returned(), Rule::Knowledge);
    game.declare([hidden()]);
}

#[test]
fn a_virtual_bonus_pile_gives_up_what_was_put_under_it_in_order() {
    use BonusCard::{Land, Prince};
    let mut state = dealt(&[CHILDREN, [Card::Fairy; 6]]);
    state.bonus_pile = Pile {
        top: 0,
        under: vec![Face::Known(Land), Face::Known(Prince)],
    };
    let mut game = virtually(state);
    game.plays(Card::TrollChild).plays(Card::Fairy);
    game.impossible(shows(Prince), Rule::Knowledge);
    game.declare([shows(Land)]);
    assert_eq!(game.state.bonus_pile.under, [Face::Known(Prince)]);
}

#[test]
fn a_virtual_bonus_card_lies_in_no_hand_and_under_no_other() {
    use BonusCard::{Dragon, Nix};
    let mut state = dealt(&[CHILDREN, [Card::Fairy; 6]]);
    holding(&mut state, [(0, Dragon)]);
    state.bonus_pile.top -= 1;
    state.bonus_pile.under.push(Face::Known(Nix));
    let mut game = virtually(state);
    game.plays(Card::TrollChild).plays(Card::Fairy);
    game.impossible(shows(Dragon), Rule::Knowledge);
    game.impossible(shows(Nix), Rule::Knowledge);
}
