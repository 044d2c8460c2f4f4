//! Rules as they are cited, and what is found to break them.

use std::borrow::Cow;

use serde::Serialize;
use utoipa::ToSchema;

/// What a rule does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RuleKind {
    /// It forbids something.
    Refusal,
    /// It makes something happen.
    Effect,
    /// It says what things are.
    Definition,
    /// It binds people; the referee does not judge it.
    Etiquette,
}

/// Where a rule comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RuleSource {
    /// The rule sheet that comes with the game.
    Sheet,
    /// Published facts of the same product.
    Product,
    /// The referee had to choose; the reason is given.
    Ruling,
}

/// One rule of a rulebook, as it is served and cited.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Citation {
    /// The rule's id, such as `SD-3.2`.
    pub id: &'static str,
    /// A few words to find it by.
    pub title: &'static str,
    /// What it says.
    pub text: &'static str,
    /// What it does.
    pub kind: RuleKind,
    /// Where it comes from.
    pub source: RuleSource,
    /// Why the referee chose so, where it had to choose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
}

/// What a contradiction is about, so that the entries on record that bear on it can be found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clue {
    /// A place, by its name in the game's moves.
    Place(String),
    /// A card or tile of one kind, by its name in the game's moves.
    Card(String),
}

/// A broken rule: which, and how, in the game's own terms.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} ({})", .detail, .rule.id)]
pub struct Violation {
    /// The rule.
    pub rule: &'static Citation,
    /// What is wrong, for a person. Depends only on what the mover may know (CM-6).
    pub detail: Cow<'static, str>,
    /// What to look for on record when the refusal is a contradiction (CM-5).
    pub clue: Option<Clue>,
}

impl Violation {
    /// A violation of `rule`.
    pub fn of(rule: impl Into<&'static Citation>, detail: impl Into<Cow<'static, str>>) -> Self {
        Self {
            rule: rule.into(),
            detail: detail.into(),
            clue: None,
        }
    }

    /// Something told that cannot be, given the box and what else is told or on record (CM-5).
    pub fn impossible(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::of(Common::Knowledge, detail)
    }

    /// Makes sure of what holds whenever something told can be (CM-5).
    ///
    /// # Errors
    /// CM-5 with this detail where it does not hold.
    pub fn unless(holds: bool, detail: impl FnOnce() -> String) -> Result<(), Self> {
        if holds {
            Ok(())
        } else {
            Err(Self::impossible(detail()))
        }
    }

    /// The same, contradicted by what the record says of `clue`.
    pub fn contradicted_by(mut self, clue: Clue) -> Self {
        self.clue = Some(clue);
        self
    }
}

/// An option of a game, as its rulebook describes it.
#[derive(Debug, Serialize, ToSchema)]
pub struct OptionText {
    /// The option's name in a game's `options`.
    pub name: &'static str,
    /// What it decides and what bounds it has, for a person.
    pub text: &'static str,
    /// The value when it is left out, as JSON text.
    #[serde(serialize_with = "as_json")]
    #[schema(value_type = serde_json::Value)]
    pub default: &'static str,
    /// The smallest number allowed, where it is a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimum: Option<i64>,
    /// The largest number allowed, where it is a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub maximum: Option<i64>,
}

fn as_json<S: serde::Serializer>(text: &&'static str, serializer: S) -> Result<S::Ok, S::Error> {
    serde_json::from_str::<&serde_json::value::RawValue>(text)
        .map_err(serde::ser::Error::custom)?
        .serialize(serializer)
}

/// A game's rulebook in one version: what is served and what refusals cite.
#[derive(Debug)]
pub struct Rulebook {
    /// The game's name for people.
    pub title: &'static str,
    /// One paragraph: what kind of game this is.
    pub summary: &'static str,
    /// The questions that the rules leave to the players.
    pub options: &'static [OptionText],
    /// The game's own rules in the first version, in order.
    pub base: &'static [Citation],
    /// What this version says otherwise: rules that take the place of those with the same id, or
    /// follow them.
    pub amendments: &'static [Citation],
}

impl Rulebook {
    /// The game's own rules in this version, in order.
    pub fn rules(&self) -> impl Iterator<Item = &'static Citation> + use<> {
        let (base, amendments) = (self.base, self.amendments);
        let amended = move |rule: &'static Citation| {
            let replaces = |amendment: &&Citation| amendment.id == rule.id;
            amendments.iter().find(replaces).unwrap_or(rule)
        };
        let is_new = move |rule: &&Citation| base.iter().all(|other| other.id != rule.id);
        base.iter()
            .map(amended)
            .chain(amendments.iter().filter(is_new))
    }

    /// The rule with this id, among the game's own and the common ones.
    pub fn find(&self, id: &str) -> Option<&'static Citation> {
        self.rules()
            .chain(Common::CITATIONS)
            .find(|rule| rule.id == id)
    }
}

/// Writes an enum of rules with the table that they are served and cited from.
///
/// A rule is `Name: "ID" kind source "title" "text";`, and a ruling gives its reason:
/// `Name: "ID" kind ruling("reason") "title" "text";`. A rule of the sheet or product that was
/// completed by a choice of ours says so in the same way: `sheet("reason")`.
#[macro_export]
macro_rules! rules {
    ($(#[$meta:meta])* $visibility:vis enum $rules:ident {
        $($name:ident: $id:literal $kind:ident $source:ident $(($reason:literal))? $title:literal $text:literal;)+
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        $visibility enum $rules {
            $(#[doc = concat!($id, ": ", $title)] $name,)+
        }

        impl $rules {
            /// Every rule, in the order of the rulebook.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// What is served and cited, in the same order.
            pub const CITATIONS: &'static [$crate::ruling::Citation] = &[$(
                $crate::ruling::Citation {
                    id: $id,
                    title: $title,
                    text: $text,
                    kind: $crate::rules!(@kind $kind),
                    source: $crate::rules!(@source $source),
                    reason: $crate::rules!(@reason $($reason)?),
                }
            ),+];

            /// The rule as it is served and cited.
            pub const fn citation(self) -> &'static $crate::ruling::Citation {
                &Self::CITATIONS[self as usize]
            }
        }

        impl From<$rules> for &'static $crate::ruling::Citation {
            fn from(rule: $rules) -> Self {
                rule.citation()
            }
        }
    };
    (@kind refusal) => { $crate::ruling::RuleKind::Refusal };
    (@kind effect) => { $crate::ruling::RuleKind::Effect };
    (@kind definition) => { $crate::ruling::RuleKind::Definition };
    (@kind etiquette) => { $crate::ruling::RuleKind::Etiquette };
    (@source sheet) => { $crate::ruling::RuleSource::Sheet };
    (@source product) => { $crate::ruling::RuleSource::Product };
    (@source ruling) => { $crate::ruling::RuleSource::Ruling };
    (@reason) => { None };
    (@reason $reason:literal) => { Some($reason) };
}

rules! {
    /// The rules that all games share.
    pub enum Common {
        Seats: "CM-1" refusal ruling("Sheets say who begins in words that only the players can apply, such as the youngest; a number lets them apply it.")
            "Seats"
            "Seats are numbered from 0 clockwise in the order given when the game is created. Where a sheet lets the youngest or the dealer's neighbour begin, the option first_seat says which seat that is. A game is played only with the number of players that its box allows.";
        Turn: "CM-2" refusal ruling("A record needs one order of events, and a player who is told why can play on.")
            "Turn"
            "At any moment exactly one may act: one seat, or chance. A move by another seat is refused, also while somebody owes an answer or a choice.";
        Over: "CM-3" refusal ruling("A result that could still change would be no result.")
            "Over"
            "When the game is over, no further move or outcome is taken.";
        Chance: "CM-4" refusal ruling("Judging must not depend on whether a dealer or the players supplied the cards.")
            "Chance"
            "Shuffles, draws, dice and the faces of hidden cards are outcomes of chance. In a virtual game the referee's dealer supplies them; at a table the players declare those that everybody can see, and what only one player sees stays unknown. While an outcome is awaited nobody may move, an outcome that is not awaited is not taken, and in a virtual game none is. A card drawn from a pile is one that can lie in that pile.";
        Knowledge: "CM-5" refusal ruling("The referee sees no cards at a table. Refusing what could have happened would be wrong, and accepting what cannot have happened would make the record worthless.")
            "What the referee knows"
            "At a table a declaration is refused only if it is impossible, given what the box holds and what is on record. Possible is what the counts allow: cards of a kind in the box, less those on record elsewhere, within the sizes of hands and piles. Where a face is on record already nobody has to declare it; one that is given all the same must agree. A position that a game begins with, or that a table played on from, is judged in the same way: it need not come of play by the rules, but every card of the box has its place, and hands and piles are within their sizes. A player who tells the referee hidden cards tells all of them, and is held to them alone.";
        Hidden: "CM-6" definition ruling("The referee replaces the table, not the players' memory.")
            "Hidden means hidden"
            "A seat sees what it could see at a real table: its own hidden cards, all that lies face up, and the sizes of all piles. What lies face down is shown face down, also when it has been seen before.";
        Ties: "CM-7" effect ruling("Without a rule that separates them, nobody has a better claim.")
            "Ties"
            "Where a game names no way to break a tie, all who are level at the top win together.";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_citation_is_found_by_its_variant() {
        for (rule, citation) in Common::ALL.iter().zip(Common::CITATIONS) {
            assert_eq!(rule.citation(), citation);
        }
        assert_eq!(Common::Ties.citation().id, "CM-7");
    }
}
