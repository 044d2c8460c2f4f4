//! The rulebook of Skip-Bo, as it is served and cited.

use crate::rules;
use crate::ruling::{OptionText, Rulebook};

const BASE: Rulebook = Rulebook {
    title: "Skip-Bo",
    summary: "Four shared piles are built from 1 to 12, and jokers stand for any number. On your \
              turn you play what fits from your hand, from your help piles and, above all, from \
              your stock, and you end the turn by laying a card on a help pile. Whoever has played \
              the whole stock wins the round.",
    options: &[
        OptionText {
            name: "first_seat",
            text: "The seat that begins the first round.",
            default: "0",
            minimum: Some(0),
            maximum: Some(5),
        },
        OptionText {
            name: "stock_size",
            text: "How many cards each stock has. Left out or null: 30, or 20 with five or six \
                   players. Fewer are always allowed; more, up to 40, with two or three players.",
            default: "null",
            minimum: Some(1),
            maximum: Some(40),
        },
        OptionText {
            name: "teams",
            text: "Two or three teams of equal size, two players at least, as lists of seats: \
                   [[0,2],[1,3]]. Null: everybody plays alone.",
            default: "null",
            minimum: None,
            maximum: None,
        },
        OptionText {
            name: "partner_stock",
            text: "Whether a team-mate's stock may be played from as well. It means nothing \
                   without teams.",
            default: "false",
            minimum: None,
            maximum: None,
        },
        OptionText {
            name: "target_score",
            text: "The score that ends the match. Null: a single round is played.",
            default: "500",
            minimum: Some(1),
            maximum: Some(10_000),
        },
    ],
    base: Rule::CITATIONS,
    amendments: &[],
};

pub(super) static FIRST: Rulebook = BASE;

pub(super) static SECOND: Rulebook = Rulebook {
    amendments: SecondVersion::CITATIONS,
    ..BASE
};

rules! {
    /// The rules of Skip-Bo.
    pub enum Rule {
        Cards: "SB-1.1" definition product("The sheet gives the numbers and the 18 jokers; that each number comes twelve times is a fact of the product.") "The cards"
            "162 cards: twelve of each number from 1 to 12, and 18 jokers. Colours play no part.";
        Stocks: "SB-2.1" effect sheet "The stocks"
            "Every player has a stock of 30 cards, or of 20 where five or six play. It lies face down, and its top card is turned up at the start of a round, seat by seat.";
        StockSize: "SB-2.2" refusal sheet("The sheet suggests 10 for a short game and 40 for a long one with two or three players; everything between is as playable, and more would not leave enough to draw.") "Other sizes of stock"
            "A stock may be agreed to be smaller, down to one card. Larger than usual it may be with two or three players only, and then 40 cards at most.";
        Hands: "SB-2.3" effect sheet "Hands and draw pile"
            "Every player is dealt a hand of five. All other cards are the draw pile, face down, for all.";
        Teams: "SB-2.4" refusal sheet("Teams of different size, or of one, could not be compared with each other.") "Teams"
            "Players may form two or three teams. Every seat belongs to one of them, and all are of one size, two players at least.";
        Building: "SB-3.1" refusal sheet "Building"
            "There is room for four building piles. An empty place takes a 1, and every pile the number that follows its top. A joker counts as whichever number is wanted.";
        Playing: "SB-3.2" refusal sheet "What may be played"
            "On the own turn any number of cards may be played, none as well: from the hand, from the open top of the own stock, or from the top of an own help pile. What is not there cannot be played.";
        NextTop: "SB-3.3" effect sheet("Where a play from the stock also lets its player draw, the stock comes first, since it is turned at once.") "The next stock card"
            "When the top of a stock has been played, the card below it is turned up at once, before anything is drawn.";
        FiveMore: "SB-3.4" effect sheet "Five more"
            "Whoever has played the last card of the hand draws five and plays on.";
        Completed: "SB-3.5" effect sheet "A completed pile"
            "A pile that has reached 12 is taken off the table at once, and its place is free for a new one.";
        Closing: "SB-3.6" refusal sheet("The sheet does not say what becomes of a joker that closes a turn. It has no number to take there, so it remains what it is.") "Closing the turn"
            "A turn is closed by laying one card of the hand, none from stock or help piles, on one of the own four help piles, open and on top. Then the hand is drawn up to five, and the next player clockwise is on turn. A joker laid so takes no number.";
        HelpTops: "SB-3.7" definition sheet "Help piles"
            "Of a help pile only the top card can be played, and the card that closed a turn no earlier than in the next.";
        NoCompulsion: "SB-3.8" definition ruling("The sheet advises to play the stock whenever it fits, and it also says that plays may be left out on purpose. Advice is not a rule.") "Nobody has to play"
            "A card that fits need not be played, not even the top of the stock.";
        Reshuffle: "SB-3.9" effect sheet("The sheet does not say when, or what to do if no pile has been completed. Shuffling only when a card is wanted keeps the completed piles together as long as possible, and nobody can draw what is not there.") "A new draw pile"
            "When a card is to be drawn and the draw pile is used up, the completed piles are shuffled and become the draw pile, also halfway through a draw. When there are none either, the player makes do with what there was.";
        Passing: "SB-3.10" refusal ruling("A turn must be able to end without a card to close it, and a player who was left without cards should be no worse off than others once there are some.") "Without a card"
            "Whoever has no card in hand, finds nothing to draw and cannot or does not want to play from stock or help piles passes; nobody else may. When there are cards again while the hand of the player on turn is empty, five are drawn at once: after the play that made them available, or when the turn begins.";
        Stalemate: "SB-3.11" effect ruling("The position would repeat for ever. A pass after a play has changed something, so the count begins anew.") "Stalemate"
            "When all players have passed one after the other, and none of them played a card in that turn, the round ends without a winner and without points. A match to a score goes on with a new round; a single round ends with nobody winning.";
        TeamMates: "SB-4.1" refusal sheet("The sheet opens the help piles of team-mates and nothing else; many published rules open the stock as well, so that is an option. Whose help pile takes the closing card it does not say; the own keeps every player's piles that player's doing.") "Team-mates' cards"
            "In a team the tops of team-mates' help piles may be played too, and with the option partner_stock the tops of their stocks; never their hands. A seat that is named must be a team-mate's, not the own one. The closing card is laid on an own help pile.";
        TeamWins: "SB-4.2" effect sheet "A team's win"
            "A team has won the round when all its stocks are empty. Whoever has finished the own stock before goes on playing from hand and help piles.";
        NoAdvice: "SB-4.3" etiquette sheet "No advice"
            "Team-mates give each other no advice while one of them is on turn.";
        RoundWon: "SB-5.1" effect sheet "The end of a round"
            "The first player, or team, with nothing left in stock wins the round at once; no closing card is needed.";
        Scoring: "SB-5.2" effect sheet("The sheet does not say how a team counts. It wins together, so it scores together, and every member shows the score of the team.") "Points"
            "The round is worth 25 points and 5 more for every card left in the stocks of the opponents. A team scores as one, and its members win together.";
        Target: "SB-5.3" refusal sheet("The sheet plays to 500; other lengths, and a single round, are for the players to agree on.") "The match"
            "Whoever first has the agreed score, 500 or another from 1 to 10,000, wins the match. It may be agreed instead that one round is the match.";
        NextRound: "SB-5.4" effect ruling("The sheet does not say who begins the next round; taking turns at it is fair.") "The next round"
            "Until then a new round is dealt at once from all 162 cards, and the seat after the one that began the last round begins it.";
        Knowledge: "SB-6.1" refusal ruling("Nobody shows a hand to the referee, and what could have happened is not refused. That a hand was filled before a shuffle is not held against it.") "Cards in unknown hands"
            "At a table a card can be played or laid from a hand as long as one of its kind may be there: not all twelve, or eighteen jokers, lie open on building piles, help piles or stocks or in completed piles. A joker on a building pile counts as a joker. Cards that have been shuffled again are no longer accounted for.";
        UnseenPlaces: "SB-6.2" definition ruling("A stock is dealt once and nothing is ever added to it, so it cannot hold what was shuffled later; neither can the new draw pile hold what lay elsewhere.") "Where unseen cards lie"
            "Before the first shuffle of a round the stocks and the draw pile are filled from the same unseen cards. After a shuffle the draw pile holds exactly the cards shuffled, and the stocks only cards that had not been seen before it. Only when plays from hands have left too few of those for the stocks may any card that is not on record be turned up.";
    }
}

rules! {
    /// What the second version says otherwise.
    pub enum SecondVersion {
        StockFirst: "SB-3.8" refusal ruling("The sheet advises to play the stock whenever it fits, and some tables hold each other to it. Only the own stock is meant, since a team-mate's is that player's to empty.") "The stock comes first"
            "As long as the open card of the own stock fits some building pile, it must be played before anything else, and the turn cannot be ended. On which pile it goes, where several take it, is free. A team-mate's stock compels nobody.";
    }
}
