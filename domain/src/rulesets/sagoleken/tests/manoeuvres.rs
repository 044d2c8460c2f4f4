//! Robbing, rescuing, securing (SL-5).

use super::*;

/// A table of `seats`: a lone princess before seat 1, one hidden card with seat 0, who leads.
fn princess_and_holder(seats: u8) -> Game {
    let mut game = table(seats);
    game.wins(1, princess()).wins(0, hidden());
    game
}

#[test]
pub(super) fn sl_5_1_robbing_takes_a_robber_and_a_lone_princess() {
    let mut game = princess_and_holder(3);
    for nobody in [
        rob(Robber::Dragon, 2),
        rob(Robber::Dragon, 0),
        rob(Robber::Nix, 3),
    ] {
        game.refused(0, nobody, Rule::Rob);
    }
    let legal = Sagoleken::legal_moves(&game.state, Seat::new(0));
    assert_eq!(legal[8..], [rob(Robber::Dragon, 1), rob(Robber::Nix, 1)]);
    game.makes(rob(Robber::Nix, 1));
    let robbed = Princess::Robbed {
        by: Robber::Nix,
        this_round: true,
    };
    assert_eq!(game.state.princess(Seat::new(0)), Some(robbed));
    assert_eq!(game.state.princess(Seat::new(1)), None);
    assert_eq!(game.state.holdings.counts, [0; 4]);

    // Who holds nothing robs nobody.
    let mut game = table(2);
    game.wins(1, princess()).plays(Card::Elf);
    let refused = game.refused(0, rob(Robber::Dragon, 1), Rule::Rob);
    assert_eq!(clue_of(&refused), "seat 0");
    // Nor does who has a princess.
    let mut game = table(2);
    game.wins(1, princess())
        .wins(0, princess())
        .wins(0, hidden());
    game.refused(0, rob(Robber::Dragon, 1), Rule::Rob);
    // Nor, where holdings are known, who holds the other one.
    let mut state = dealt(&[CHILDREN, CHILDREN]);
    holding(&mut state, [(0, BonusCard::Nix)]);
    princess_before(&mut state, 1, None);
    let mut game = virtually(state);
    game.refused(0, rob(Robber::Dragon, 1), Rule::Rob);
    game.makes(rob(Robber::Nix, 1));
}

#[test]
pub(super) fn sl_5_2_a_robbed_princess_is_not_robbed_again() {
    // Worked example 10.
    let mut game = princess_and_holder(3);
    game.wins(2, hidden()).wins(0, hidden());
    game.makes(rob(Robber::Nix, 1)).plays(Card::Dwarf);
    let refused = game.refused(2, rob(Robber::Dragon, 0), Rule::RobbedOnce);
    assert_eq!(refused.clue, None);
}

#[test]
fn sl_5_3_robbing_forms_no_kingdom() {
    let mut state = dealt(&[CHILDREN, CHILDREN]);
    holding(
        &mut state,
        [
            (0, BonusCard::Prince),
            (0, BonusCard::Land),
            (0, BonusCard::Dragon),
        ],
    );
    princess_before(&mut state, 1, None);
    let mut game = virtually(state);
    // Worked example 8: the robber has moved, so securing waits for the next round.
    game.makes(rob(Robber::Dragon, 1)).turn_is(1);
    assert_eq!(game.state.kingdoms, [0; 4]);
    game.refused(0, Move::Secure {}, Rule::Secure);
}

/// Seat 0 has robbed the princess of seat 1 with the nix; it is seat 1's turn in the same round, and
/// seat 1 holds so many hidden cards.
fn robbed(hidden_cards: usize) -> Game {
    let mut game = table(3);
    game.wins(1, princess());
    for _ in 0..hidden_cards {
        game.wins(1, hidden());
    }
    game.wins(0, hidden()).makes(rob(Robber::Nix, 1));
    game
}

#[test]
pub(super) fn sl_5_4_rescuing_takes_a_prince_and_helpers() {
    let mut game = robbed(1);
    game.refused(1, rescue(1, Helpers::Wind), Rule::Rescue);
    game.refused(1, rescue(2, Helpers::Wind), Rule::Rescue);
    game.refused(1, rescue(3, Helpers::Wind), Rule::Rescue);
    let legal = Sagoleken::legal_moves(&game.state, Seat::new(1));
    assert_eq!(
        legal[8..],
        [rescue(0, Helpers::Fairies), rescue(0, Helpers::Wind)]
    );
    let (draw_pile, bonus_pile) = (game.state.draw_pile.size(), game.state.bonus_pile.size());
    game.makes(rescue(0, Helpers::Fairies)).turn_is(2);
    game.shows(Rule::Rescue);
    assert_eq!(game.state.bonus_pile.size(), bonus_pile + 1);
    assert_eq!(game.state.draw_pile.size(), draw_pile);
    assert_eq!(game.state.hand(Seat::new(1)).len(), 6);
    assert_eq!(game.state.princess(Seat::new(0)), None);
    // The prince is kept, and on record.
    let held = game.state.holdings.known(Seat::new(1)).unwrap();
    assert!(held.cards().eq([BonusCard::Prince]));

    // Without a prince, without helpers, with a princess of one's own, or from a lone princess.
    let game = robbed(0);
    let refused = game.refused(1, rescue(0, Helpers::Wind), Rule::Rescue);
    assert_eq!(clue_of(&refused), "seat 1");
    let mut state = dealt(&[[Card::Fairy; 6], CHILDREN]);
    state.hands[0].known = Bag::from_iter([Card::Fairy]);
    holding(&mut state, [(0, BonusCard::Prince)]);
    princess_before(&mut state, 1, Some(Robber::Nix));
    let game = virtually(state.clone());
    game.refused(0, rescue(1, Helpers::Wind), Rule::Rescue);
    game.refused(0, rescue(1, Helpers::Fairies), Rule::Rescue);
    state.hands[0].known.add(Card::Fairy);
    let game = virtually(state.clone());
    assert!(Sagoleken::decide(&game.state, Seat::new(0), &rescue(1, Helpers::Fairies)).is_ok());
    princess_before(&mut state, 0, None);
    virtually(state.clone()).refused(0, rescue(1, Helpers::Fairies), Rule::Rescue);
    state.princesses = [None, Some(Princess::Lone), None, None];
    virtually(state).refused(0, rescue(1, Helpers::Fairies), Rule::Rescue);
}

#[test]
fn sl_5_4_the_draw_of_the_last_to_move_comes_before_the_contest() {
    let mut game = table(2);
    game.wins(1, princess())
        .wins(1, hidden())
        .wins(0, hidden())
        .makes(rob(Robber::Dragon, 1))
        .makes(rescue(0, Helpers::Fairies));
    let types: Vec<&Event> = game.last.iter().map(|effect| &effect.event).collect();
    let place = |wanted: fn(&Event) -> bool| types.iter().position(|event| wanted(event)).unwrap();
    let drew = place(|event| matches!(event, Event::Drew(_)));
    assert!(place(|event| matches!(event, Event::LandDeclared { .. })) < drew);
    assert!(drew < place(|event| matches!(event, Event::RoundUncontested {})));
}

#[test]
pub(super) fn sl_5_5_a_rescuer_with_a_land_has_a_kingdom() {
    // Two hidden cards: the prince is shown by the rescue, the other one is to be declared.
    let mut game = table(3);
    game.wins(1, hidden())
        .wins(1, hidden())
        .wins(2, princess())
        .wins(0, hidden())
        .makes(rob(Robber::Nix, 2))
        .makes(rescue(0, Helpers::Wind));
    assert_eq!(
        Sagoleken::turn(&game.state),
        Turn::Chance(Due::Land { seat: Seat::new(1) })
    );
    assert_eq!(Sagoleken::on_record(&game.state), None);
    game.declare([land(true)]).turn_is(2);
    game.shows(Rule::Rescued)
        .then(&Event::KingdomFormed { seat: Seat::new(1) });
    assert_eq!(game.state.kingdoms, [0, 1, 0, 0]);
    assert_eq!(game.state.holdings.counts, [0; 4]);
}

#[test]
fn sl_5_5_a_princess_rescued_without_a_land_may_be_robbed_next() {
    // Worked example 9, by the very next player.
    let mut game = table(3);
    game.wins(1, princess())
        .wins(1, hidden())
        .wins(2, hidden())
        .wins(0, hidden())
        .makes(rob(Robber::Nix, 1))
        .makes(rescue(0, Helpers::Wind))
        .turn_is(2);
    game.then(&Event::LandDeclared {
        seat: Seat::new(1),
        held: false,
    });
    assert_eq!(game.state.princess(Seat::new(1)), Some(Princess::Lone));
    game.makes(rob(Robber::Dragon, 1));
    assert_eq!(game.state.princess(Seat::new(1)), None);
}

#[test]
pub(super) fn sl_5_6_securing_takes_prince_and_land_and_a_round() {
    let game = table(2);
    game.refused(0, Move::Secure {}, Rule::Secure);
    let mut game = table(2);
    game.wins(1, princess());
    game.refused(1, Move::Secure {}, Rule::Secure);
    // One hidden card was the dragon, and two are left.
    game.wins(0, hidden())
        .wins(0, hidden())
        .wins(0, hidden())
        .makes(rob(Robber::Dragon, 1));
    // Should a table let the robber move again in that round, it is too early still.
    let mut early = game.state.clone();
    early.moved = 0;
    Game::standing(early, Mode::Table).refused(0, Move::Secure {}, Rule::Secure);
    game.plays(Card::Dwarf)
        .declare([hidden()])
        .plays(Card::Dwarf);
    let legal = Sagoleken::legal_moves(&game.state, Seat::new(0));
    assert_eq!(legal.last(), Some(&Move::Secure {}));
    let bonus_pile = game.state.bonus_pile.size();
    game.makes(Move::Secure {});
    game.shows(Rule::Secure)
        .then(&Event::KingdomFormed { seat: Seat::new(0) });
    assert_eq!(game.state.kingdoms, [1, 0, 0, 0]);
    assert_eq!(game.state.bonus_pile.size(), bonus_pile + 1);

    // A robber who cannot hold both.
    let mut game = princess_and_holder(2);
    game.makes(rob(Robber::Dragon, 1)).plays(Card::Dwarf);
    game.declare([princess()]).plays(Card::Dwarf);
    let refused = game.refused(0, Move::Secure {}, Rule::Secure);
    assert_eq!(clue_of(&refused), "seat 0");
}

#[test]
fn sl_5_6_the_card_of_a_robber_who_moves_last_is_there_for_the_winner() {
    let mut state = dealt(&[CHILDREN, [Card::Fairy; 6]]);
    holding(&mut state, [(1, BonusCard::Prince), (1, BonusCard::Land)]);
    princess_before(&mut state, 1, Some(Robber::Nix));
    state.bonus_pile.top = 0;
    let mut game = virtually(state);
    game.plays(Card::TrollChild).makes(Move::Secure {});
    assert_eq!(
        Sagoleken::turn(&game.state),
        Turn::Chance(Due::Bonus { seat: Seat::new(0) })
    );
    game.declare([shows(BonusCard::Nix)]);
}

#[test]
pub(super) fn sl_5_7_drawing_does_not_secure() {
    let mut state = dealt(&[CHILDREN, [Card::Fairy; 6]]);
    holding(&mut state, [(1, BonusCard::Prince)]);
    princess_before(&mut state, 1, Some(Robber::Nix));
    let mut game = virtually(state);
    game.plays(Card::TrollChild)
        .plays(Card::Fairy)
        .declare([shows(BonusCard::Land)]);
    game.then(&Event::BonusKept { seat: Seat::new(1) });
    assert_eq!(game.state.kingdoms, [0; 4]);

    let mut game = table(2);
    game.wins(1, princess())
        .wins(0, hidden())
        .wins(0, hidden())
        .makes(rob(Robber::Dragon, 1))
        .plays(Card::Dwarf)
        .declare([hidden()])
        .contest(0);
    let refused = game.impossible(kingdom(BonusCard::Land), Rule::NotByDrawing);
    assert_eq!(clue_of(&refused), "seat 0");
    game.declare([hidden()]);
}
