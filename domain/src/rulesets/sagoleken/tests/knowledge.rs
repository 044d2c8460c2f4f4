//! What a table may declare (SL-7.1): all that can be, and nothing else.

use super::*;

#[test]
pub(super) fn sl_7_1_what_cannot_be_is_refused() {
    // Nothing goes back from a player who holds nothing, and no fourth card stays.
    let mut game = table(2);
    game.contest(0);
    let refused = game.impossible(returned(), Rule::Knowledge);
    assert_eq!(clue_of(&refused), "seat 0");
    game.declare([hidden()])
        .wins(0, hidden())
        .wins(0, hidden())
        .contest(0);
    game.impossible(hidden(), Rule::Knowledge);
    // Three cards are a prince, a land and a robber, so a princess makes a kingdom and nothing else
    // does.
    game.impossible(princess(), Rule::Knowledge);
    game.impossible(kingdom(BonusCard::Prince), Rule::Knowledge);
    let mut back = game.clone();
    back.declare([returned()]);
    game.declare([kingdom(BonusCard::Princess)]);
    assert_eq!(game.state.holdings.counts[0], 1);
}

#[test]
fn a_card_that_completes_a_kingdom_is_never_hidden_and_no_robber_completes_one() {
    let mut game = table(2);
    game.wins(0, princess()).wins(0, hidden()).contest(0);
    let kingdom_of = |card| {
        Outcome::Bonus(BonusDraw {
            kingdom: true,
            ..BonusDraw::of(card)
        })
    };
    game.impossible(kingdom_of(Face::Hidden), Rule::Knowledge);
    game.impossible(kingdom(BonusCard::Dragon), Rule::Knowledge);
    game.impossible(kingdom(BonusCard::Princess), Rule::Knowledge);
    for card in [BonusCard::Prince, BonusCard::Land] {
        game.clone().declare([kingdom(card)]);
    }
}

#[test]
fn beside_a_lone_princess_two_hidden_cards_are_not_prince_and_land() {
    let mut game = table(2);
    game.wins(0, princess())
        .wins(0, hidden())
        .wins(0, hidden())
        .contest(0);
    // One of the two is a robber: a third card would be the prince or the land that is missing.
    game.impossible(hidden(), Rule::Knowledge);
    game.declare([kingdom(BonusCard::Land)]);
    let held = game.state.holdings.clone();
    assert_eq!(held.counts[0], 1);
    assert!(held.deals.iter().all(|deal| {
        deal[0]
            .cards()
            .all(|card| card == BonusCard::Dragon || card == BonusCard::Nix)
    }));
}

#[test]
fn there_are_two_robbers() {
    let mut game = table(3);
    for of in [0, 1] {
        game.wins(of, hidden())
            .wins(of, hidden())
            .wins(of, hidden());
    }
    game.wins(2, princess()).wins(2, hidden()).contest(2);
    // Dragon and nix are with the others, so a second card beside the princess completes a kingdom.
    game.impossible(hidden(), Rule::Knowledge);
    game.declare([kingdom(BonusCard::Prince)]);
    // Only one of the others holds the dragon, and it is on record who once it is shown.
    game.wins(2, princess()).wins(0, returned());
    game.makes(rob(Robber::Dragon, 2));
    let legal = Sagoleken::legal_moves(&game.state, Seat::new(1));
    assert!(
        legal[8..]
            .iter()
            .all(|mv| matches!(mv, Move::Rescue { .. }))
    );
    let held = game.state.holdings.known(Seat::new(1)).unwrap();
    assert!(held.has(BonusCard::Nix) && held.has_prince_and_land());
}

#[test]
fn what_went_back_tells_what_is_held() {
    // The nix lies on a princess, and a card goes back from seat 1, who holds one: it was no robber,
    // for the only other one lies on the table.
    let mut game = table(2);
    game.wins(1, princess())
        .wins(1, hidden())
        .wins(0, hidden())
        .makes(rob(Robber::Nix, 1))
        .plays(Card::Elf)
        .declare([returned()]);
    let known = |seat| game.state.holdings.known(Seat::new(seat));
    assert_eq!(known(0), Some(Held::NONE));
    let may = |card| {
        let held = |held: Held| held.has(card);
        game.state.holdings.may(Seat::new(1), held)
    };
    assert!(may(BonusCard::Prince) && may(BonusCard::Land));
    assert!(!may(BonusCard::Dragon));
}

#[test]
fn princesses_are_counted() {
    let mut game = table(4);
    game.wins(1, princess())
        .wins(2, princess())
        .wins(3, princess())
        .contest(0);
    let refused = game.impossible(princess(), Rule::Knowledge);
    assert_eq!(clue_of(&refused), "princess");
    // One that went back lies in the pile, wherever it may lie there.
    let mut game = table(2);
    game.wins(1, princess())
        .wins(1, princess())
        .wins(0, princess())
        .wins(0, princess());
    assert_eq!(game.state.bonus_pile.size(), 13);
}

/// Seat 1 has rescued its princess with so many hidden cards, the prince among them; others may hold
/// both robbers.
fn rescued(hidden_cards: u8) -> Game {
    let mut game = table(3);
    game.wins(1, hidden());
    for _ in 1..hidden_cards {
        game.wins(1, hidden());
    }
    game.wins(2, princess())
        .wins(0, hidden())
        .makes(rob(Robber::Dragon, 2))
        .makes(rescue(0, Helpers::Wind));
    game
}

#[test]
fn a_land_is_declared_unless_the_record_tells() {
    let declared = |game: &Game| {
        game.last.iter().find_map(|effect| match effect.event {
            Event::LandDeclared { held, .. } => Some(held),
            _ => None,
        })
    };
    assert_eq!(declared(&rescued(1)), Some(false));
    assert_eq!(declared(&rescued(2)), None);
    assert_eq!(declared(&rescued(3)), Some(true));

    // Two cards, and both robbers elsewhere: the second card is a land.
    let mut game = table(4);
    game.wins(1, hidden())
        .wins(1, hidden())
        .wins(3, hidden())
        .wins(3, hidden())
        .wins(3, hidden())
        .wins(2, princess())
        .wins(0, hidden())
        .makes(rob(Robber::Dragon, 2))
        .makes(rescue(0, Helpers::Wind));
    assert_eq!(declared(&game), Some(true));
}

#[test]
fn a_land_that_the_record_tells_cannot_be_declared_otherwise() {
    let rescuer = |held: Held| {
        let mut state = table(2).state;
        state.phase = Phase::Land(Seat::new(1));
        state.holdings.deals[0][1] = held;
        Game::standing(state, Mode::Table)
    };
    let prince = Held::NONE.with(BonusCard::Prince);
    rescuer(prince).impossible(land(true), Rule::Knowledge);
    rescuer(prince.with(BonusCard::Land)).impossible(land(false), Rule::Knowledge);
}

#[test]
fn final_hands_hold_what_the_box_holds() {
    let mut game = table(2);
    for _ in 0..3 {
        game.wins(0, hidden())
            .wins(0, hidden())
            .wins(0, kingdom(BonusCard::Princess));
    }
    let hand = |number, cards: &[Card]| Outcome::FinalHand {
        seat: seat(number),
        cards: cards.to_vec(),
    };
    let winds = [Card::Wind; 5];
    game.impossible(hand(0, &winds), Rule::Knowledge);
    let mut six = winds.to_vec();
    six.push(Card::Elf);
    let refused = game.impossible(hand(0, &six), Rule::Knowledge);
    assert_eq!(clue_of(&refused), "wind");
    game.declare([final_hand(0, CHILDREN)]);
    // Five of the eleven are left.
    game.impossible(final_hand(1, CHILDREN), Rule::Knowledge);
    let mut rest = CHILDREN;
    rest[0] = Card::TrollFather;
    game.declare([final_hand(1, rest)]);
    assert_eq!(game.state.phase, Phase::Over);
}

#[test]
fn evidence_of_a_hand_lies_open_in_this_round_or_was_counted() {
    let played = Event::CardPlayed {
        seat: Seat::new(0),
        card: Card::Wind,
    };
    let rescued = Event::PrincessRescued {
        seat: Seat::new(0),
        from: Seat::new(1),
        helpers: Helpers::Wind,
    };
    let cleared = Event::RoundCleared {
        cards: vec![Card::Wind],
    };
    let counted = Event::HandCounted {
        seat: seat(0),
        cards: vec![Card::Elf, Card::Wind],
    };
    let events = [&played, &cleared, &rescued, &played, &counted];
    let seqs = Sagoleken::evidence(
        (1..).zip(events),
        &Clue::Card("wind".to_owned()),
        Viewer::Spectator,
    );
    assert_eq!(seqs, [4, 5]);
}
