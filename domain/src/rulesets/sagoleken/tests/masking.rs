//! Who sees what of a virtual game (CM-6).

use super::*;
use crate::seat::Viewer;

fn drawn(bonus: BonusDraw, seen: Option<BonusDraw>) -> Event {
    Event::BonusDrawn {
        seat: Seat::new(1),
        bonus,
        seen,
    }
}

/// The fact of a bonus draw by seat 1, who holds this in a virtual game.
fn fact(held: &[BonusCard], lone_princess: bool, card: BonusCard) -> Event {
    let mut state = dealt(&[CHILDREN, [Card::Fairy; 6]]);
    for card in held {
        holding(&mut state, [(1, *card)]);
    }
    if lone_princess {
        princess_before(&mut state, 1, None);
    }
    let mut game = virtually(state);
    game.plays(Card::TrollChild).plays(Card::Fairy);
    let effects = Sagoleken::resolve(&game.state, &shows(card)).unwrap();
    effects.into_iter().next().unwrap().event
}

#[test]
fn a_bonus_card_is_hidden_from_the_others_as_a_table_would_declare_it() {
    use BonusCard::{Land, Prince, Princess};
    let others = [Viewer::Seat(Seat::new(0)), Viewer::Spectator];
    for (held, lone, card, seen) in [
        (&[][..], false, Prince, hidden()),
        (&[Prince][..], false, Prince, returned()),
        (&[Prince][..], true, Land, kingdom(Land)),
        (&[Prince, Land][..], false, Princess, kingdom(Princess)),
        (&[][..], true, Princess, princess()),
        (&[][..], false, Princess, princess()),
    ] {
        let fact = fact(held, lone, card);
        let cause = |event: &Event| match Sagoleken::cause(event) {
            Some(Cause::Outcome(outcome)) => outcome,
            cause => panic!("{cause:?}"),
        };
        assert_eq!(cause(&fact), shows(card), "the record names the card alone");
        for viewer in others {
            assert_eq!(cause(&Sagoleken::mask(&fact, viewer)), seen);
        }
        for viewer in [Viewer::Seat(Seat::new(1)), Viewer::Open] {
            assert_eq!(*Sagoleken::mask(&fact, viewer), fact);
        }
    }
}

#[test]
fn a_princess_needs_no_mask_and_a_table_hides_nothing() {
    let princess = fact(&[], false, BonusCard::Princess);
    assert_eq!(
        princess,
        drawn(BonusDraw::of(Face::Known(BonusCard::Princess)), None)
    );
    let at_table = drawn(BonusDraw::of(Face::Hidden), None);
    for event in [princess, at_table] {
        let masked = Sagoleken::mask(&event, Viewer::Spectator);
        assert!(matches!(masked, Cow::Borrowed(_)));
    }
}

#[test]
fn hands_and_held_cards_are_shown_to_their_owner() {
    let mut state = dealt(&[CHILDREN, [Card::Fairy; 6]]);
    holding(&mut state, [(1, BonusCard::Prince)]);
    let own = Sagoleken::view(&state, Viewer::Seat(Seat::new(1)));
    assert_eq!(own.seats[1].hand.cards, Some(vec![Card::Fairy; 6]));
    assert_eq!(own.seats[1].held.cards, Some(vec![BonusCard::Prince]));
    assert_eq!(own.seats[0].hand.cards, None);
    for other in [Viewer::Seat(Seat::new(0)), Viewer::Spectator] {
        let view = Sagoleken::view(&state, other);
        assert_eq!(view.seats[1].hand.cards, None);
        assert_eq!(view.seats[1].hand.count, 6);
        assert_eq!(view.seats[1].held.cards, None);
        assert_eq!(view.seats[1].held.count, 1);
    }
}

#[test]
fn what_can_be_worked_out_of_the_others_is_not_shown() {
    let mut game = table(2);
    game.wins(0, hidden())
        .wins(0, hidden())
        .wins(0, hidden())
        .wins(1, hidden());
    let view = Sagoleken::view(&game.state, Viewer::Spectator);
    assert_eq!(view.seats[0].held.cards, None);
}
