//! What is written in JSON.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::card;
use crate::cards::{Card as _, Draw};
use crate::seat::Seat;
use crate::wire::Index;

/// Cards from the draw pile to a hand.
pub type CardDraw = Draw<Card>;

/// The most players (SL-1).
pub const MOST_SEATS: usize = 4;

/// A seat that some table of this game has.
pub type SeatIndex = Index<0, { MOST_SEATS as u8 - 1 }>;

card! {
    /// A card of the draw pile (SL-1.1), weakest first (SL-1.3).
    pub enum Card as sagoleken::Card {
        TrollChild = "troll_child",
        TrollFather = "troll_father",
        TrollMother = "troll_mother",
        Dwarf = "dwarf",
        Witch = "witch",
        Elf = "elf",
        Fairy = "fairy",
        Wind = "wind",
    }
}

card! {
    /// A card of the bonus pile (SL-1.2).
    pub enum BonusCard as sagoleken::BonusCard {
        Princess = "princess",
        Prince = "prince",
        Land = "land",
        Dragon = "dragon",
        Nix = "nix",
    }
}

/// A card that a player holds hidden from the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
#[schema(as = sagoleken::HiddenCard)]
pub enum HiddenCard {
    /// In the hand.
    InHand(Card),
    /// A bonus card, face down (SL-4.1).
    FaceDown(BonusCard),
}

card! {
    /// What a princess is robbed with (SL-5.1).
    pub enum Robber as sagoleken::Robber {
        Dragon = "dragon",
        Nix = "nix",
    }
}

impl Robber {
    /// The bonus card that it is.
    pub fn card(self) -> BonusCard {
        match self {
            Self::Dragon => BonusCard::Dragon,
            Self::Nix => BonusCard::Nix,
        }
    }
}

/// Who helps the prince (SL-5.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = sagoleken::Helpers)]
pub enum Helpers {
    /// Two fairies.
    Fairies,
    /// One wind.
    Wind,
}

impl Helpers {
    /// Both ways, in the order of the rulebook.
    pub const ALL: [Self; 2] = [Self::Fairies, Self::Wind];

    /// The kind of card that helps.
    pub fn card(self) -> Card {
        match self {
            Self::Fairies => Card::Fairy,
            Self::Wind => Card::Wind,
        }
    }

    /// How many of them it takes.
    pub fn count(self) -> u8 {
        match self {
            Self::Fairies => 2,
            Self::Wind => 1,
        }
    }

    /// The cards that are played.
    pub fn cards(self) -> impl Iterator<Item = Card> {
        std::iter::repeat_n(self.card(), usize::from(self.count()))
    }
}

/// The face of a bonus card, or `hidden` where it was not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Face {
    /// It was not shown.
    #[serde(rename = "hidden")]
    Hidden,
    /// It is this card.
    #[serde(untagged)]
    Known(BonusCard),
}

impl Face {
    /// The card, where it is known.
    pub fn known(self) -> Option<BonusCard> {
        match self {
            Self::Hidden => None,
            Self::Known(card) => Some(card),
        }
    }

    /// Whether the card may be this one.
    pub fn may_be(self, card: BonusCard) -> bool {
        self.known().is_none_or(|known| known == card)
    }
}

impl std::fmt::Display for Face {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Hidden => f.write_str("hidden"),
            Self::Known(card) => card.fmt(f),
        }
    }
}

impl PartialSchema for Face {
    fn schema() -> RefOr<Schema> {
        let names = BonusCard::ALL.iter().map(|card| card.name());
        ObjectBuilder::new()
            .schema_type(Type::String)
            .enum_values(Some(names.chain(["hidden"])))
            .description(Some("A bonus card, or `hidden` where it was not shown."))
            .into()
    }
}

impl ToSchema for Face {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("sagoleken.Face")
    }
}

/// A bonus card that was drawn, and what everybody saw of it. Who deals names the card alone; a
/// table says `hidden` of a card that it was not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = sagoleken::BonusDraw)]
pub struct BonusDraw {
    /// The card.
    pub card: Face,
    /// Whether it went under the bonus pile, where that cannot be told from the card (SL-4.2).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub returned: bool,
    /// Whether it completed a kingdom, and so was shown (SL-4.4).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub kingdom: bool,
}

impl BonusDraw {
    /// A card by itself.
    pub fn of(card: Face) -> Self {
        Self {
            card,
            returned: false,
            kingdom: false,
        }
    }
}

/// A move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = sagoleken::Move)]
pub enum Move {
    /// Play a card from the hand into the round.
    Play {
        /// Which.
        card: Card,
    },
    /// Lay the dragon or the nix on a princess that lies alone before another player.
    Rob {
        /// Which of them.
        with: Robber,
        /// Before whom she lies.
        seat: SeatIndex,
    },
    /// Free a robbed princess with the prince's helpers.
    Rescue {
        /// Before whom she lies.
        seat: SeatIndex,
        /// Who helps.
        helpers: Helpers,
    },
    /// Make a kingdom of the princess that one has robbed.
    Secure {},
}

/// What chance produced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = sagoleken::Outcome)]
pub enum Outcome {
    /// Cards drawn to a hand.
    Draw(CardDraw),
    /// The bonus card that the winner of the round drew.
    Bonus(BonusDraw),
    /// Whether a rescuer holds a land (SL-5.5).
    Land {
        /// Whether one is held.
        held: bool,
    },
    /// A hand laid open to be counted (SL-6.2).
    FinalHand {
        /// Whose.
        seat: SeatIndex,
        /// Every card of it.
        cards: Vec<Card>,
    },
}

/// What chance is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = sagoleken::Due)]
pub enum Due {
    /// Cards drawn to a hand.
    Draw {
        /// Whose.
        seat: Seat,
        /// How many.
        count: u8,
    },
    /// The bonus card that the winner of the round draws.
    Bonus {
        /// Who draws it.
        seat: Seat,
    },
    /// Whether a rescuer holds a land.
    Land {
        /// Who rescued.
        seat: Seat,
    },
    /// A hand laid open to be counted.
    FinalHand {
        /// Whose.
        seat: Seat,
        /// How many cards it holds.
        count: u8,
    },
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(
    tag = "type",
    content = "data",
    rename_all = "snake_case",
    deny_unknown_fields
)]
#[schema(as = sagoleken::Event)]
pub enum Event {
    /// Cards went from the draw pile to a hand.
    Drew(CardDraw),
    /// A card was played into the round.
    CardPlayed {
        /// Who played it.
        seat: Seat,
        /// Which.
        card: Card,
    },
    /// A princess was robbed; she lies before the robber, under the card.
    PrincessRobbed {
        /// Who robbed her.
        seat: Seat,
        /// With which card.
        with: Robber,
        /// Before whom she lay.
        from: Seat,
    },
    /// A robbed princess was freed and lies before the rescuer; the robber's card and the helpers
    /// went under their piles.
    PrincessRescued {
        /// Who rescued her.
        seat: Seat,
        /// Before whom she lay.
        from: Seat,
        /// Who helped.
        helpers: Helpers,
    },
    /// The robber showed a prince and a land; the card that lay on the princess went under the
    /// bonus pile.
    PrincessSecured {
        /// Whose princess she is.
        seat: Seat,
    },
    /// A player made a manoeuvre and takes no part in the contest.
    SatOut {
        /// Who.
        seat: Seat,
    },
    /// The strongest card won the round.
    RoundWon {
        /// Who played it.
        seat: Seat,
    },
    /// The strongest rank was played more than once, and nobody won.
    RoundDrawn {
        /// That rank.
        card: Card,
    },
    /// Every player made a manoeuvre, and nobody won.
    RoundUncontested {},
    /// The winner found no card in the bonus pile.
    NoBonus {
        /// Who.
        seat: Seat,
    },
    /// The winner drew the top card of the bonus pile.
    BonusDrawn {
        /// Who drew it.
        seat: Seat,
        /// The card, as it is on record.
        bonus: BonusDraw,
        /// What the others saw of it, where the record says more or less.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seen: Option<BonusDraw>,
    },
    /// The drawn card stays with the player: a princess open and alone, any other face down.
    BonusKept {
        /// Whose it is.
        seat: Seat,
    },
    /// The drawn card went under the bonus pile.
    BonusReturned {
        /// Who had drawn it.
        seat: Seat,
    },
    /// It came out whether the rescuer holds a land.
    LandDeclared {
        /// Who rescued.
        seat: Seat,
        /// Whether one is held.
        held: bool,
    },
    /// Princess, prince and land were laid aside.
    KingdomFormed {
        /// Whose kingdom it is.
        seat: Seat,
    },
    /// The round's cards went under the draw pile.
    RoundCleared {
        /// The cards, in the order in which they were played.
        cards: Vec<Card>,
    },
    /// The winner leads the next round.
    LeadPassed {
        /// Who leads.
        seat: Seat,
    },
    /// The third princess is in a kingdom.
    AllPrincessesSafe {},
    /// The round was broken off; its cards went under the draw pile.
    RoundBrokenOff {
        /// The cards, in the order in which they were played.
        cards: Vec<Card>,
        /// Who draws up to six first.
        first: Seat,
    },
    /// A hand was laid open to be counted.
    HandCounted {
        /// Whose.
        seat: SeatIndex,
        /// Every card of it.
        cards: Vec<Card>,
    },
}
