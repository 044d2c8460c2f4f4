//! What a table may declare (SL-7.1), held against a model that knows the rules alone and tries every
//! course of the hidden cards.

use super::*;
use crate::cards::Card as _;
use crate::dealer::Shuffler;

/// What a table has declared of bonus cards.
#[derive(Clone, Copy, Debug)]
enum Declared {
    Drew(usize, BonusDraw),
    Robbed(usize, Robber, usize),
    Rescued(usize, usize),
    Land(usize, bool),
    Secured(usize),
}

/// One way in which the 15 bonus cards may lie: a model that knows the rules alone.
#[derive(Clone, Copy)]
struct World {
    pile: [i8; 5],
    held: [[bool; 5]; 4],
    princess: [Option<Option<Robber>>; 4],
}

impl World {
    fn start() -> Self {
        Self {
            pile: [3, 5, 5, 1, 1],
            held: [[false; 5]; 4],
            princess: [None; 4],
        }
    }

    fn lay_kingdom_aside(&mut self, seat: usize) {
        self.held[seat][BonusCard::Prince.index()] = false;
        self.held[seat][BonusCard::Land.index()] = false;
        self.princess[seat] = None;
    }

    /// Draws this card; gives what everybody sees.
    fn draw(&mut self, seat: usize, card: BonusCard) -> BonusDraw {
        use BonusCard::{Dragon, Land, Nix, Prince, Princess};
        let [_, prince, land, dragon, nix] = self.held[seat];
        self.pile[card.index()] -= 1;
        let too_many = match card {
            Princess => self.princess[seat].is_some(),
            Prince => prince,
            Land => land,
            Dragon | Nix => dragon || nix,
        };
        if too_many {
            self.pile[card.index()] += 1;
            return BonusDraw {
                card: if card == Princess {
                    Face::Known(card)
                } else {
                    Face::Hidden
                },
                returned: card != Princess,
                kingdom: false,
            };
        }
        if card == Princess {
            self.princess[seat] = Some(None);
        } else {
            self.held[seat][card.index()] = true;
        }
        let [_, prince, land, ..] = self.held[seat];
        let robber = matches!(card, Dragon | Nix);
        if prince && land && self.princess[seat] == Some(None) && !robber {
            self.lay_kingdom_aside(seat);
            return BonusDraw {
                kingdom: true,
                ..BonusDraw::of(Face::Known(card))
            };
        }
        BonusDraw::of(if card == Princess {
            Face::Known(card)
        } else {
            Face::Hidden
        })
    }

    fn free(&mut self, seat: usize) {
        if let Some(Some(by)) = self.princess[seat].take() {
            self.pile[by.card().index()] += 1;
        }
    }
}

/// Whether some course of hidden cards agrees with all that was declared.
fn possible(world: World, declared: &[Declared]) -> bool {
    let Some((first, rest)) = declared.split_first() else {
        return true;
    };
    let (prince, lands) = (BonusCard::Prince.index(), BonusCard::Land.index());
    let mut next = world;
    match *first {
        Declared::Drew(seat, seen) => {
            return BonusCard::ALL.iter().any(|card| {
                let mut next = world;
                next.pile[card.index()] > 0
                    && next.draw(seat, *card) == seen
                    && possible(next, rest)
            });
        }
        Declared::Robbed(seat, with, from) => {
            if !world.held[seat][with.card().index()] {
                return false;
            }
            next.held[seat][with.card().index()] = false;
            next.princess[from] = None;
            next.princess[seat] = Some(Some(with));
        }
        Declared::Rescued(seat, from) => {
            if !world.held[seat][prince] {
                return false;
            }
            next.free(from);
            next.princess[seat] = Some(None);
        }
        Declared::Land(seat, held) => {
            if world.held[seat][lands] != held {
                return false;
            }
            if held {
                next.lay_kingdom_aside(seat);
            }
        }
        Declared::Secured(seat) => {
            if !(world.held[seat][prince] && world.held[seat][lands]) {
                return false;
            }
            next.free(seat);
            next.lay_kingdom_aside(seat);
        }
    }
    possible(next, rest)
}

/// Plays a random table game, and asks at every turn whether each declaration and each manoeuvre
/// is judged as the model of all courses judges it.
fn agrees_with_the_model(seats: u8, seed: u64, draws: usize) {
    let mut shuffler = Shuffler::seeded(seed);
    let mut game = table(seats);
    let mut declared: Vec<Declared> = Vec::new();
    let mut drawn = 0;
    while drawn < draws {
        let also = |one: Declared| {
            let told: Vec<Declared> = declared.iter().copied().chain([one]).collect();
            possible(World::start(), &told)
        };
        match Sagoleken::turn(&game.state) {
            Turn::Over(_) => return,
            Turn::Chance(Due::Bonus { seat }) => {
                let faces = BonusCard::ALL.iter().map(|card| Face::Known(*card));
                let forms = faces.chain([Face::Hidden]).flat_map(|card| {
                    [(false, false), (false, true), (true, false), (true, true)].map(
                        |(returned, kingdom)| BonusDraw {
                            card,
                            returned,
                            kingdom,
                        },
                    )
                });
                let mut accepted = Vec::new();
                for form in forms {
                    let is_princess = form.card == Face::Known(BonusCard::Princess);
                    if is_princess && form.returned {
                        continue;
                    }
                    let judged = Sagoleken::resolve(&game.state, &Outcome::Bonus(form)).is_ok();
                    let truth = also(Declared::Drew(seat.index(), form));
                    assert_eq!(judged, truth, "{form:?} after {declared:?}");
                    if judged {
                        accepted.push(form);
                    }
                }
                let form = accepted[shuffler.below(accepted.len() as u32) as usize];
                declared.push(Declared::Drew(seat.index(), form));
                game.declare([Outcome::Bonus(form)]);
                drawn += 1;
            }
            Turn::Chance(Due::Land { seat }) => {
                let held = shuffler.below(2) == 0;
                let judged = Sagoleken::resolve(&game.state, &land(held)).is_ok();
                let truth = also(Declared::Land(seat.index(), held));
                assert_eq!(judged, truth, "land {held} after {declared:?}");
                declared.push(Declared::Land(seat.index(), held));
                game.declare([land(held)]);
            }
            Turn::Chance(_) => return,
            Turn::Seat(mover) => {
                let legal = Sagoleken::legal_moves(&game.state, mover);
                for from in Seat::all(seats).filter(|from| *from != mover) {
                    let (of, from_index) = (mover.index(), from.index());
                    let own = game.state.princess(mover);
                    for with in Robber::ALL {
                        let may = own.is_none()
                            && game.state.princess(from) == Some(Princess::Lone)
                            && also(Declared::Robbed(of, *with, from_index));
                        let listed = legal.contains(&rob(*with, from.number()));
                        assert_eq!(listed, may, "{with} by {mover} after {declared:?}");
                    }
                    let may = own.is_none()
                        && matches!(game.state.princess(from), Some(Princess::Robbed { .. }))
                        && also(Declared::Rescued(of, from_index));
                    let listed = legal.contains(&rescue(from.number(), Helpers::Wind));
                    assert_eq!(listed, may, "rescue by {mover} after {declared:?}");
                }
                let robbed = matches!(
                    game.state.princess(mover),
                    Some(Princess::Robbed {
                        this_round: false,
                        ..
                    })
                );
                let may = robbed && also(Declared::Secured(mover.index()));
                assert_eq!(legal.contains(&Move::Secure {}), may, "after {declared:?}");
                let manoeuvres: Vec<&Move> = legal
                    .iter()
                    .filter(|mv| !matches!(mv, Move::Play { .. }))
                    .collect();
                let choose = !manoeuvres.is_empty() && shuffler.below(2) == 0;
                let mv = if choose {
                    manoeuvres[shuffler.below(manoeuvres.len() as u32) as usize].clone()
                } else {
                    play([Card::Dwarf, Card::Elf][shuffler.below(2) as usize])
                };
                declared.extend(match &mv {
                    Move::Rob { with, seat } => {
                        Some(Declared::Robbed(mover.index(), *with, seat.offset()))
                    }
                    Move::Rescue { seat, .. } => {
                        Some(Declared::Rescued(mover.index(), seat.offset()))
                    }
                    Move::Secure {} => Some(Declared::Secured(mover.index())),
                    Move::Play { .. } => None,
                });
                if !legal.contains(&mv) {
                    return;
                }
                game.makes(mv);
                // What the record settles is recorded unasked.
                declared.extend(game.last.iter().find_map(|effect| match effect.event {
                    Event::LandDeclared { seat, held } => Some(Declared::Land(seat.index(), held)),
                    _ => None,
                }));
            }
        }
    }
}

#[test]
fn every_declaration_is_judged_as_by_a_search_through_all_courses() {
    for seats in 2..=4 {
        for seed in 0..30 {
            agrees_with_the_model(seats, seed, 14);
        }
    }
}
