//! How a round ends (SL-3.2 to SL-3.8) and how the game does (SL-6.1, SL-6.2).

use super::moves::{Card, Event};
use super::rules::Rule;
use super::state::{Played, State};
use crate::ruleset::Effect;
use crate::seat::Seat;

/// What came of a contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Contest {
    /// This player's card was the strongest.
    Won(Seat),
    /// This rank was the strongest, and was played more than once.
    Level(Card),
    /// Nobody played a card.
    Nobody,
}

impl Contest {
    /// The contest of these cards, in the order in which they were played (SL-3.3, SL-3.4).
    pub(super) fn of(played: impl Iterator<Item = Played>) -> Self {
        let mut best: Option<Played> = None;
        let mut alone = true;
        for played in played {
            match best {
                Some(strongest) if played.card < strongest.card => {}
                // Of several winds the last one wins.
                Some(strongest) if played.card == strongest.card && played.card != Card::Wind => {
                    alone = false;
                }
                Some(_) | None => {
                    best = Some(played);
                    alone = true;
                }
            }
        }
        match best {
            Some(strongest) if alone => Self::Won(strongest.seat),
            Some(strongest) => Self::Level(strongest.card),
            None => Self::Nobody,
        }
    }
}

/// What follows when every player has moved. `last` is the card that the judged move adds to the
/// round; `bonus_pile` how many bonus cards lie there after it.
pub(super) fn finish(
    state: &State,
    last: Option<Played>,
    bonus_pile: u8,
    effects: &mut Vec<Effect<Event>>,
) {
    let played = || state.round.iter().copied().chain(last);
    match Contest::of(played()) {
        Contest::Won(seat) => {
            effects.push(Effect::under(Rule::Strongest, Event::RoundWon { seat }));
            if bonus_pile == 0 {
                effects.push(Effect::under(Rule::WinnerDraws, Event::NoBonus { seat }));
                clear_and_lead(played(), seat, effects);
            }
        }
        Contest::Level(card) => {
            effects.push(Effect::under(Rule::Level, Event::RoundDrawn { card }));
            clear(played(), effects);
        }
        Contest::Nobody => {
            effects.push(Effect::under(Rule::NoContest, Event::RoundUncontested {}));
            clear(played(), effects);
        }
    }
}

/// The cards go under the pile, and the winner leads next.
pub(super) fn clear_and_lead(
    played: impl Iterator<Item = Played>,
    winner: Seat,
    effects: &mut Vec<Effect<Event>>,
) {
    clear(played, effects);
    effects.push(Effect::under(
        Rule::WinnerLeads,
        Event::LeadPassed { seat: winner },
    ));
}

fn clear(played: impl Iterator<Item = Played>, effects: &mut Vec<Effect<Event>>) {
    effects.push(Effect::under(
        Rule::Refill,
        Event::RoundCleared {
            cards: played.map(|played| played.card).collect(),
        },
    ));
}

/// A kingdom is formed under `rule`. Says whether it ends the game, and if so breaks the round off;
/// `first` draws first then.
pub(super) fn form_kingdom(
    state: &State,
    seat: Seat,
    rule: Rule,
    first: Seat,
    effects: &mut Vec<Effect<Event>>,
) -> bool {
    effects.push(Effect::under(rule, Event::KingdomFormed { seat }));
    let ends = state.kingdoms.iter().sum::<u8>() + 1 >= State::PRINCESSES;
    if ends {
        effects.push(Effect::under(
            Rule::ThirdKingdom,
            Event::AllPrincessesSafe {},
        ));
        effects.push(Effect::under(
            Rule::Score,
            Event::RoundBrokenOff {
                cards: state.round.iter().map(|played| played.card).collect(),
                first,
            },
        ));
    }
    ends
}
