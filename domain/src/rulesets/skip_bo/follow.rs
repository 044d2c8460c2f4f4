//! What follows from a move or a draw: completed piles, new draw piles, the end of a turn or round.

use super::moves::{Card, Event, Place, Source};
use super::piles::FULL;
use super::rules::Rule;
use super::state::{HAND, Phase, Refill, State};
use crate::cards::Draw;
use crate::ruleset::Effect;
use crate::seat::Seat;

/// A fact and its consequences so far, with the counts that further ones depend on.
pub(super) struct Follow<'s> {
    state: &'s State,
    effects: Vec<Effect<Event>>,
    /// The cards left in the draw pile.
    pile: u16,
    /// The cards in completed piles.
    completed: u16,
}

impl<'s> Follow<'s> {
    /// Begins with the fact.
    pub(super) fn from(state: &'s State, fact: Event) -> Self {
        Self::begin(state, Effect::fact(fact))
    }

    fn begin(state: &'s State, fact: Effect<Event>) -> Self {
        let mut effects = Vec::with_capacity(4);
        effects.push(fact);
        Self {
            state,
            effects,
            pile: state.unseen.pile.size,
            completed: state.completed.len(),
        }
    }

    /// What follows when a card has been played.
    pub(super) fn after_play(mut self, seat: Seat, from: Source, to: Place) -> Vec<Effect<Event>> {
        let building = self.state.building(to);
        if building.reached() + 1 == FULL {
            self.push(Rule::Completed, Event::PileCompleted { pile: to });
            self.completed += building.cards().len() as u16 + 1;
        }
        if let Source::Stock { seat: owner } = from
            && self.was_last_stock_card(owner.unwrap_or(seat))
        {
            return self.after_win(seat);
        }
        let turns_next = match from {
            Source::Stock { seat: owner } => {
                self.state.player(owner.unwrap_or(seat)).stock.down > 0
            }
            Source::Hand { .. } | Source::Help { .. } => false,
        };
        let from_hand = u8::from(matches!(from, Source::Hand { .. }));
        // A stock's next card is turned up first (SB-3.3): see `after_stock_top`.
        if !turns_next && self.state.player(seat).hand.len() == from_hand {
            self.reshuffle_if_used_up();
        }
        self.effects
    }

    /// What follows when a turn has been closed.
    pub(super) fn after_discard(mut self) -> Vec<Effect<Event>> {
        if self.pile == 0 && self.completed == 0 {
            self.pass_turn(Rule::Closing);
        } else {
            self.reshuffle_if_used_up();
        }
        self.effects
    }

    /// What follows when a player has passed.
    pub(super) fn after_pass(mut self) -> Vec<Effect<Event>> {
        let state = self.state;
        if !state.played && state.idle + 1 == state.terms.seats {
            self.push(Rule::Stalemate, Event::RoundStalemate {});
            if state.terms.target_score.is_some() {
                self.next_round();
            }
        } else {
            self.pass_turn(Rule::Passing);
        }
        self.effects
    }

    /// Whether the top of this stock was all that its team had left (SB-4.2, SB-5.1).
    fn was_last_stock_card(&self, owner: Seat) -> bool {
        self.state.player(owner).stock.len() == 1
            && (self.state.terms.team_mates(owner))
                .all(|mate| self.state.player(mate).stock.is_empty())
    }

    fn after_win(mut self, seat: Seat) -> Vec<Effect<Event>> {
        let terms = &self.state.terms;
        let winners: Vec<Seat> = terms.team(seat).collect();
        let left: u32 = terms
            .opponents(seat)
            .map(|opponent| u32::from(self.state.player(opponent).stock.len()))
            .sum();
        let points = 25 + 5 * left;
        let score = self.state.player(seat).score.saturating_add(points);
        let goes_on = terms.target_score.is_some_and(|target| score < target);
        let rule = if winners.len() > 1 {
            Rule::TeamWins
        } else {
            Rule::RoundWon
        };
        let seats = winners.clone();
        self.push(rule, Event::RoundWon { seats });
        let seats = winners;
        self.push(Rule::Scoring, Event::RoundScored { seats, points });
        if goes_on {
            self.next_round();
        }
        self.effects
    }

    fn next_round(&mut self) {
        let state = self.state;
        self.push(
            Rule::NextRound,
            Event::RoundBegun {
                round: state.round.saturating_add(1),
                seat: state.starting_seat.next(state.terms.seats),
            },
        );
    }

    /// The turn passes; a hand that was left empty is filled when there are cards (SB-3.10).
    fn pass_turn(&mut self, rule: Rule) {
        let seat = self.state.seat.next(self.state.terms.seats);
        self.push(rule, Event::TurnPassed { seat });
        if self.state.player(seat).hand.is_empty() {
            self.reshuffle_if_used_up();
        }
    }

    /// A card is next to be drawn: the completed piles replace a draw pile that is used up (SB-3.9).
    fn reshuffle_if_used_up(&mut self) {
        if self.pile == 0 && self.completed > 0 {
            let count = u8::try_from(self.completed).unwrap_or(u8::MAX);
            self.push(Rule::Reshuffle, Event::Reshuffled { count });
        }
    }

    fn push(&mut self, rule: Rule, event: Event) {
        self.effects.push(Effect::under(rule, event));
    }
}

/// What follows when a stock's next card has been turned up: a draw for a hand that was empty.
pub(super) fn after_stock_top(state: &State, fact: Effect<Event>) -> Vec<Effect<Event>> {
    let mut follow = Follow::begin(state, fact);
    if let Phase::Filling(_) = state.phase {
        follow.reshuffle_if_used_up();
    }
    follow.effects
}

/// What follows when cards have been drawn: the rest of the draw, or the end of a closed turn.
pub(super) fn after_draw(
    state: &State,
    fact: Effect<Event>,
    draw: &Draw<Card>,
) -> Vec<Effect<Event>> {
    let mut follow = Follow::begin(state, fact);
    let Phase::Filling(refill) = state.phase else {
        return follow.effects;
    };
    let drawn = draw.drawn.len() as u8;
    follow.pile = follow.pile.saturating_sub(drawn.into());
    let missing = state.player(draw.seat).hand.len() + drawn < HAND;
    if missing && follow.completed > 0 {
        follow.reshuffle_if_used_up();
    } else if refill == Refill::TurnClosed {
        follow.pass_turn(Rule::Closing);
    }
    follow.effects
}
