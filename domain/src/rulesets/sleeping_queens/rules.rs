//! The rulebook of Sleeping Queens, as it is served and cited.

use crate::rules;
use crate::ruling::{OptionText, Rulebook};

pub(super) static RULEBOOK: Rulebook = Rulebook {
    title: "Sleeping Queens",
    summary: "Twelve queens sleep face down. Kings wake them, knights steal them, potions put them \
              back to sleep, and dragons and wands protect them; a jester wakes one for whomever the \
              count meets. Number cards are laid away to get at better cards. Enough queens or enough \
              points win.",
    options: &[
        OptionText {
            name: "first_seat",
            text: "The seat that begins: the one on the dealer's left.",
            default: "0",
            minimum: Some(0),
            maximum: Some(4),
        },
        OptionText {
            name: "deck",
            text: "How many cards of each action are in the box, since editions differ: 0 to 20 of \
                   each, and at least one king. What is left out keeps its default.",
            default: r#"{"king":8,"jester":5,"knight":4,"potion":4,"wand":3,"dragon":3}"#,
            minimum: None,
            maximum: None,
        },
    ],
    base: Rule::CITATIONS,
    amendments: &[],
};

rules! {
    /// The rules of Sleeping Queens.
    pub enum Rule {
        Queens: "SQ-1.1" definition product "The queens"
            "Twelve queens: rose, cake, rainbow and starfish count 5 points each, ladybug, peacock, moon and sunflower 10, pancake, cat and dog 15, heart 20.";
        Cards: "SQ-1.2" refusal product("Editions differ in their action cards. A game without a king could not be won by waking queens, and twenty of a kind are more than any edition has.") "The other cards"
            "67 cards to hold: 8 kings, 5 jesters, 4 knights, 4 potions, 3 wands, 3 dragons, and the numbers 1 to 10, four of each. The option deck sets other counts of the action cards, from 0 to 20 of each, with one king at least.";
        Asleep: "SQ-2.1" definition sheet("The places are numbered so that a move can name one.") "The queens asleep"
            "The queens are shuffled and laid face down in twelve places, 1 to 12.";
        Deal: "SQ-2.2" effect sheet "The deal"
            "Every player is dealt five of the other cards. The rest is the draw pile, and the discard pile lies open beside it.";
        Clockwise: "SQ-2.3" effect sheet "Who begins, and who is next"
            "The player on the dealer's left begins; the option first_seat says who that is. Turns go round clockwise.";
        King: "SQ-3.1" refusal sheet "King"
            "Lay a king away and choose a sleeping queen: she is woken and lies open before you.";
        Knight: "SQ-3.2" refusal sheet "Knight"
            "Lay a knight away and name an open queen of another player. She changes over to you unless that player defends with a dragon.";
        Potion: "SQ-3.3" refusal sheet("The places have numbers here, so it must be said which one she takes; her own is the one that everybody can remember.") "Potion"
            "Lay a potion away and name an open queen of another player. She falls asleep, face down in the place that she was woken from, unless that player defends with a wand.";
        Jester: "SQ-3.4" refusal sheet("What a wake that nobody owes breaks is not said anywhere; a count is the usual way to one, so it is cited.") "Jester"
            "Lay a jester away and turn up the top card of the draw pile. If it is no number, take it into your hand and have another turn. If it is a number, count players clockwise up to it, beginning with yourself as one; whoever the count ends on wakes a sleeping queen of their choice before anything else happens. The number card is laid away. Nobody wakes a queen by choice otherwise, except as a king or the rose queen allows.";
        Discard: "SQ-3.5" refusal sheet("A set of cards is the same set in any order; a list of legal moves names it once.") "Laying cards away"
            "Lay away one card of any kind, or two equal numbers, or three or more numbers of which one is the sum of all the others. Their order does not matter.";
        NoAction: "SQ-3.6" refusal sheet "Dragon and wand"
            "A dragon or a wand is not played for an action of its own: it answers an attack, or it is laid away.";
        Refill: "SQ-3.7" effect sheet "Drawing up"
            "When the action is done, the player draws up to five cards. What is drawn then can be used from the next turn on.";
        Reshuffle: "SQ-3.8" effect sheet("The sheet does not say when to shuffle. Shuffling at the moment a card is needed gives back the most cards, and a jester in play already lies among them. No deck that SQ-1.2 allows is so small that nothing is left: the numbers alone are more than five hands hold.") "Shuffling again"
            "When a card is to be drawn or turned up and the draw pile is empty, the discard pile is shuffled to be the draw pile, also halfway through a draw; a jester just played is shuffled too. When there is nothing to shuffle either, the player draws what there is.";
        Rose: "SQ-4.1" refusal sheet "The rose queen"
            "Who wakes the rose queen, in whatever way, wakes another sleeping queen at once, if one is left, before anything else happens. Stealing her wakes nobody.";
        CatAndDog: "SQ-4.2" effect sheet "Cat and dog"
            "Nobody keeps both the cat and the dog queen. When a player who has one wakes the other, the one just woken goes back to sleep in her place at the end of that turn, and no other goes instead.";
        NoStolenPair: "SQ-4.3" refusal ruling("The sheet speaks of waking only. Stealing would lead to the same forbidden pair, and a queen taken and then put back to sleep would be a second potion, which a knight is not.") "No stealing into the pair"
            "A player who has the cat queen may not name the dog queen with a knight, nor the other way round.";
        Answer: "SQ-5.1" refusal sheet "Answering an attack"
            "A knight or a potion must be answered before anything else happens: the attacked player, and nobody else, either defends with the right card or lets it happen. Where there is no attack there is nothing to answer.";
        AlwaysAsked: "SQ-5.2" effect ruling("If only players with the right card were asked, being asked or not would show what is in a hand.") "Always asked"
            "The attacked player is asked whether or not that player holds a card to defend with.";
        Defended: "SQ-5.3" effect sheet("The sheet has both draw one card; that is the same as drawing up to five, except when cards have been short.") "Defended"
            "After a defence both cards that were played lie on the discard pile and the queen stays. The defender draws one card at once, then the attacker draws up to five, and the turn is over. The defender's own next turn is not touched.";
        Final: "SQ-5.4" refusal sheet "Let happen is final"
            "An attack that was let happen can no longer be answered.";
        RightCard: "SQ-5.5" refusal sheet "The right card"
            "Only a dragon answers a knight, and only a wand answers a potion. The defender must hold it.";
        Enough: "SQ-6.1" effect sheet("A queen who goes back to sleep at the end of the turn was never to be kept, so she is not counted.") "Enough queens or points"
            "When a turn's action and its draws are done and a queen who must go back has gone, a player wins who has, with 2 or 3 players, 5 queens or 50 points; with 4 or 5 players, 4 queens or 40 points. Either is enough, and it need not be the player whose turn it was.";
        AllAwake: "SQ-6.2" effect sheet "All awake"
            "If at the end of a turn no queen sleeps and nobody has enough, the most points win. Players who are level win together.";
        HandsDoNotCount: "SQ-6.3" definition sheet "Hands do not count"
            "Numbers on cards in hand are no points.";
        PossibleHands: "SQ-7.1" refusal ruling("At a table the referee sees a hand only where a card went in openly, as a jester's card does. By counting it can tell what cannot be; who drew when is not reasoned about.") "What a hand may hold"
            "At a table cards may be played if they can be in that hand: if the cards of which nobody has seen where they went can be laid out so that the hand has them, every hand and the draw pile have their number, and the draw pile has none but cards that went into it.";
        SeenQueens: "SQ-7.2" refusal ruling("A queen who was put back to sleep lies where everybody saw her laid.") "Queens on record"
            "A place whose queen is on record turns up that queen; nobody needs to declare her.";
    }
}
