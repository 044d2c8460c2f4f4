//! Whether a round can have come to stand so.
//!
//! The cards are counted already; this is about what they can have done. Whatever play can lead to is
//! let pass, and what is let pass can be played on.

use super::moves::Card;
use super::piles::{Building, FULL, full_box};
use super::state::{HAND, Phase, Refill, State};
use crate::cards::Bag;
use crate::ruling::Violation;
use crate::seat::Seat;

type Checked = Result<(), Violation>;

/// No match gets that far; a round's number stays far from where numbers end.
const MOST_ROUNDS: u32 = 1_000_000;

/// What the winner of a round scores besides what is left in the stocks, and for each card there
/// (SB-5.2).
const WIN: u32 = 25;
const LEFT_CARD: u32 = 5;

/// Makes sure that a match that `first` began can have come to stand so.
pub(super) fn expect(state: &State, first: Seat) -> Checked {
    expect_rounds(state, first)?;
    expect_scores(state)?;
    expect_piles(state)?;
    expect_stocks(state)?;
    expect_passes(state)?;
    match state.phase {
        Phase::Dealing => expect_deal(state),
        Phase::Playing => expect_play(state),
        Phase::Filling(refill) => expect_refill(state, refill),
        Phase::RoundOver(Some(winner)) => expect_win(state, winner),
        Phase::RoundOver(None) => expect_stalemate(state),
    }
}

fn expect_rounds(state: &State, first: Seat) -> Checked {
    let (round, seats) = (state.round, state.terms.seats);
    Violation::unless((1..=MOST_ROUNDS).contains(&round), || {
        format!("there is no round {round}")
    })?;
    Violation::unless(round == 1 || state.terms.target_score.is_some(), || {
        format!("one round is played, and this is round {round}")
    })?;
    // Less than the number of seats.
    let steps = ((round - 1) % u32::from(seats)) as u8;
    let starting = first.step(steps, seats);
    Violation::unless(state.starting_seat == starting, || {
        format!("seat {starting} begins round {round}")
    })
}

/// Scores come of rounds that have ended (SB-5.2).
fn expect_scores(state: &State) -> Checked {
    let terms = &state.terms;
    let won = match state.phase {
        Phase::RoundOver(winner) => winner,
        Phase::Dealing | Phase::Playing | Phase::Filling(_) => None,
    };
    let mut rounds_needed = 0;
    for seat in Seat::all(terms.seats) {
        let score = state.player(seat).score;
        let captain = terms.team(seat).next().unwrap_or(seat);
        Violation::unless(score == state.player(captain).score, || {
            format!("seats {captain} and {seat} are one team and have different scores")
        })?;
        Violation::unless(
            terms.target_score.is_none_or(|target| score < target) || won == Some(captain),
            || format!("seat {seat} has {score} points, and the match goes on"),
        )?;
        if captain != seat {
            continue;
        }
        let opponents = terms.opponents(seat).count() as u32;
        let most = WIN + LEFT_CARD * opponents * u32::from(terms.stock_size);
        Violation::unless(
            score.is_multiple_of(LEFT_CARD) && (score == 0 || score > WIN),
            || format!("no rounds are worth {score} points together"),
        )?;
        rounds_needed += u64::from(score.div_ceil(most));
    }
    let ended = u64::from(state.round - 1) + u64::from(won.is_some());
    Violation::unless(rounds_needed <= ended, || {
        format!(
            "the scores take {rounds_needed} rounds at least, and {ended} have been won at most"
        )
    })
}

/// Cards that were completed together are piles from 1 to 12, some of them jokers.
fn are_whole_piles(cards: &Bag<Card>) -> bool {
    let piles = cards.len() / u16::from(FULL);
    cards.len() == piles * u16::from(FULL)
        && cards
            .kinds()
            .all(|(card, count)| card == Card::Joker || u16::from(count) <= piles)
}

/// Whether the draw pile is the one of the deal, never shuffled since.
fn is_first_pile(state: &State) -> bool {
    state.unseen.pile.pool == full_box()
}

/// What can lie in stocks and draw pile fits what lies open (SB-6.2).
fn expect_piles(state: &State) -> Checked {
    Violation::unless(are_whole_piles(&state.completed), || {
        "the completed cards are no whole piles from 1 to 12".to_owned()
    })?;
    let unseen = &state.unseen;
    if !is_first_pile(state) {
        let shuffled = &unseen.pile.pool;
        Violation::unless(!shuffled.is_empty() && are_whole_piles(shuffled), || {
            "the cards shuffled into the draw pile are no whole piles from 1 to 12".to_owned()
        })?;
        Violation::unless(unseen.pile.size <= shuffled.len(), || {
            format!("the draw pile was shuffled with {} cards", shuffled.len())
        })?;
        let not_shuffled = full_box().less(shuffled);
        return Violation::unless(unseen.stocks.less(&not_shuffled).is_empty(), || {
            "cards that were shuffled into the draw pile lie in no stock".to_owned()
        });
    }
    let players = || state.players.iter().take(state.terms.seats.into());
    let tops: Bag<Card> = players().filter_map(|player| player.stock.top).collect();
    let mut played = tops;
    played.add_all(&state.completed);
    for card in state.building.iter().copied().flat_map(Building::cards) {
        played.add(card);
    }
    let turned = full_box().less(&unseen.stocks);
    let turns: u16 = players()
        .map(|player| u16::from(state.terms.stock_size - player.stock.down))
        .sum();
    Violation::unless(turned.len() == turns, || {
        format!(
            "{turns} cards of the stocks have been turned up, not {}",
            turned.len()
        )
    })?;
    Violation::unless(
        tops.less(&turned).is_empty() && turned.less(&played).is_empty(),
        || {
            "the cards turned up on stocks lie there, on building piles or in completed ones"
                .to_owned()
        },
    )?;
    let off_turn = |seat: &Seat| *seat != state.seat;
    let all_full = Seat::all(state.terms.seats)
        .filter(off_turn)
        .all(|seat| state.player(seat).hand.len() == HAND);
    Violation::unless(
        unseen.pile.size == 0 || all_full || state.phase == Phase::Dealing,
        || format!("while the first draw pile lasts, everybody else holds {HAND} cards"),
    )
}

/// The stocks whose next card is to be turned up.
fn turning(state: &State) -> impl Iterator<Item = Seat> + '_ {
    Seat::all(state.terms.seats).filter(|seat| state.player(*seat).stock.is_turning())
}

/// Every stock but those that the phase allows has an open top, and nobody has won unnoticed.
fn expect_stocks(state: &State) -> Checked {
    let terms = &state.terms;
    if let Phase::Dealing | Phase::RoundOver(_) = state.phase {
        return Ok(());
    }
    for seat in Seat::all(terms.seats) {
        let mut team = terms.team(seat);
        Violation::unless(
            team.any(|mate| !state.player(mate).stock.is_empty()),
            || format!("seat {seat} has nothing left in stock, and would have won"),
        )?;
    }
    let mut turning = turning(state);
    let Some(owner) = turning.next() else {
        return Ok(());
    };
    let may_play = owner == state.seat
        || (terms.partner_stock && terms.team_mates(state.seat).any(|mate| mate == owner));
    Violation::unless(may_play && state.played && turning.next().is_none(), || {
        format!("the stock of seat {owner} cannot have lost its open top now")
    })
}

/// Who passed found nothing to draw, and nothing was played since (SB-3.10, SB-3.11).
fn expect_passes(state: &State) -> Checked {
    let seats = state.terms.seats;
    Violation::unless(!state.played || was_something_played(state), || {
        "a card was played in this turn, and none lies on a building pile or was completed"
            .to_owned()
    })?;
    if state.idle == 0 {
        return Ok(());
    }
    let idle = state.idle;
    Violation::unless(!state.played && idle <= seats, || {
        format!("{idle} players cannot have passed in a row now")
    })?;
    let passed = (1..=idle).map(|back| state.seat.step(seats - back, seats));
    let without = |seat: Seat| state.player(seat).hand.is_empty();
    Violation::unless(
        nothing_to_draw(state) && passed.clone().all(without),
        || {
            format!(
                "the last {idle} players passed without a card, and there is one in a hand or to draw"
            )
        },
    )
}

fn was_something_played(state: &State) -> bool {
    state.building.iter().any(|pile| pile.height() > 0)
        || !state.completed.is_empty()
        || !is_first_pile(state)
}

fn nothing_to_draw(state: &State) -> bool {
    state.unseen.pile.size == 0 && state.completed.is_empty()
}

/// A round in which all players have passed in a row is over (SB-3.11).
fn expect_running(state: &State) -> Checked {
    Violation::unless(state.idle < state.terms.seats, || {
        "all players have passed in a row, and the round goes on".to_owned()
    })
}

/// Tops are turned up seat by seat, then hands are dealt seat by seat (SB-2.1, SB-2.3).
fn expect_deal(state: &State) -> Checked {
    let players = || state.players.iter().take(state.terms.seats.into());
    let untouched = players().all(|player| {
        player.stock.len() == state.terms.stock_size && player.help.iter().all(Vec::is_empty)
    });
    let nothing_happened = state.seat == state.starting_seat
        && !state.played
        && state.idle == 0
        && is_first_pile(state)
        && !was_something_played(state);
    Violation::unless(untouched && nothing_happened, || {
        "cards have been played, and the round is still dealt".to_owned()
    })?;
    let in_order = players()
        .map(|player| player.stock.is_turning())
        .is_sorted();
    let dealt = players().filter(|player| !player.hand.is_empty()).count();
    let hands_in_order = players()
        .enumerate()
        .all(|(at, player)| player.hand.len() == if at < dealt { HAND } else { 0 });
    let tops_first = dealt == 0 || turning(state).next().is_none();
    Violation::unless(in_order && hands_in_order && tops_first, || {
        format!("stocks are turned up seat by seat, and then hands of {HAND} are dealt")
    })?;
    Violation::unless(dealt < usize::from(state.terms.seats), || {
        "everybody has been dealt cards, and the round begins".to_owned()
    })
}

fn expect_play(state: &State) -> Checked {
    expect_running(state)?;
    let seat = state.seat;
    Violation::unless(!state.player(seat).hand.is_empty(), || {
        format!("seat {seat} plays without a card in hand, and none were drawn")
    })
}

/// A hand is drawn up while there are cards, and before anything else but a stock's next top.
fn expect_refill(state: &State, refill: Refill) -> Checked {
    expect_running(state)?;
    let own = state.player(state.seat);
    let (held, pile) = (own.hand.len(), &state.unseen.pile);
    let turns = turning(state).next().is_some();
    let draws = pile.size > 0 && held < HAND;
    let just_shuffled = pile.size == pile.pool.len() && state.completed.is_empty();
    let can_be = match refill {
        Refill::TurnClosed => {
            draws && !turns && state.idle == 0 && own.help.iter().any(|pile| !pile.is_empty())
        }
        Refill::LeftEmpty if turns => held == 0 && pile.size == 0,
        Refill::LastCardPlayed if turns || !state.played => false,
        Refill::LeftEmpty | Refill::LastCardPlayed => {
            if held == 0 {
                draws || nothing_to_draw(state)
            } else {
                draws && just_shuffled
            }
        }
    };
    Violation::unless(can_be, || {
        format!("seat {} cannot be drawing up a hand now", state.seat)
    })
}

/// The last stock card of a team was played, and that won the match (SB-5.1, SB-5.3).
fn expect_win(state: &State, winner: Seat) -> Checked {
    let terms = &state.terms;
    let emptied = |seat: Seat| {
        terms
            .team(seat)
            .all(|mate| state.player(mate).stock.is_empty())
    };
    let winners_only =
        Seat::all(terms.seats).all(|seat| emptied(seat) == terms.team(winner).any(|it| it == seat));
    Violation::unless(
        terms.team(winner).next() == Some(winner)
            && terms.team(winner).any(|mate| mate == state.seat)
            && winners_only
            && turning(state).next().is_none()
            && state.played,
        || format!("seat {winner} cannot have won the round"),
    )?;
    let left: u32 = terms
        .opponents(winner)
        .map(|opponent| u32::from(state.player(opponent).stock.len()))
        .sum();
    let points = WIN + LEFT_CARD * left;
    let score = state.player(winner).score;
    let before = score.checked_sub(points);
    let is_last = match terms.target_score {
        None => before == Some(0),
        Some(target) => {
            score >= target && before.is_some_and(|it| it < target && (it == 0 || it > WIN))
        }
    };
    Violation::unless(is_last, || {
        format!(
            "seat {winner} has {score} points with {points} for this round, which is not the end"
        )
    })
}

/// All passed in a row, and no other round is played (SB-3.11).
fn expect_stalemate(state: &State) -> Checked {
    Violation::unless(
        state.idle == state.terms.seats
            && state.terms.target_score.is_none()
            && turning(state).next().is_none(),
        || "the round is over, and not by everybody's passing".to_owned(),
    )
}
