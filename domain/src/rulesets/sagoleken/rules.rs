//! The rulebook of Sagoleken, as it is served and cited.

use crate::rules;
use crate::ruling::{OptionText, Rulebook};

pub(super) static RULEBOOK: Rulebook = Rulebook {
    title: "Sagoleken",
    summary: "Play the strongest card of the round and draw from the bonus pile, where princesses, \
              princes and lands wait to become kingdoms. A princess who lies alone can be robbed by \
              the dragon or the nix, and a prince with his helpers can rescue her. When all three \
              princesses live in a kingdom, kingdoms and hands are counted.",
    options: &[
        OptionText {
            name: "first_seat",
            text: "The seat that leads the first round; the sheet lets the youngest begin.",
            default: "0",
            minimum: Some(0),
            maximum: Some(3),
        },
        OptionText {
            name: "card_points",
            text: "What each card counts in the hand at the end, as a map from card to whole number. \
                   The sheet leaves the values to the print on the cards and does not give them: the \
                   defaults are house values, so copy those of your own deck. Cards left out keep \
                   the default.",
            default: r#"{"troll_child":-1,"troll_father":-5,"troll_mother":-5,"dwarf":1,"witch":-3,"elf":3,"fairy":2,"wind":0}"#,
            minimum: Some(-100),
            maximum: Some(100),
        },
    ],
    base: Rule::CITATIONS,
    amendments: &[],
};

rules! {
    /// The rules of Sagoleken.
    pub enum Rule {
        DrawCards: "SL-1.1" definition sheet "The draw pile"
            "The draw pile has 37 cards: 11 troll children, 1 troll father, 1 troll mother, 7 dwarfs, 3 witches, 3 elves, 7 fairies and 4 winds.";
        BonusCards: "SL-1.2" definition sheet "The bonus pile"
            "The bonus pile has 15 cards: 3 princesses, 5 princes, 5 lands, 1 dragon and 1 nix, the water sprite.";
        Rank: "SL-1.3" definition sheet("The sheet names the weakest and the strongest and some in between, and leaves the rest to a card of its own; it lists all cards in one order that agrees with what it names.") "Ranks"
            "From weakest to strongest: troll child, troll father, troll mother, dwarf, witch, elf, fairy, wind.";
        CardPoints: "SL-1.4" refusal ruling("The sheet says that good figures count for their holder and evil ones against, as printed on the cards, and gives no numbers. The defaults are house values; whoever has the cards at hand sets theirs.") "Card points"
            "Good figures count for the player who holds them at the end, evil ones against. Unless the option card_points says otherwise, a troll child counts -1, the troll father and mother -5 each, a witch -3, a dwarf 1, an elf 3, a fairy 2 and a wind 0. These are house values, not the printed ones. Each is a whole number from -100 to 100.";
        Deal: "SL-2.1" effect sheet "The deal"
            "Both piles are shuffled and laid face down, and every player receives six cards of the draw pile. The youngest leads the first round, which is the seat that the option first_seat names.";
        OneMove: "SL-3.1" refusal sheet("The sheet demands no stronger card than those that lie, and a hand may have none.") "One move each"
            "From the leader on, clockwise, every player makes one move in the round: a card from the hand, or a manoeuvre, which is to rob, to rescue or to secure. Any card in the hand may be played, whatever lies already.";
        SitOut: "SL-3.2" effect sheet "A manoeuvre sits the contest out"
            "Who makes a manoeuvre does not contest the bonus card of that round.";
        Strongest: "SL-3.3" effect sheet "The strongest card"
            "The strongest card of the round wins it. Nothing but a wind beats a wind, and the wind that was played last wins over those before it.";
        Level: "SL-3.4" effect sheet("The sheet begins a new round and does not say with whom; without a winner nobody has earned the lead.") "A drawn round"
            "When the strongest rank was played more than once, and is not the wind, nobody wins the round or draws a bonus card. The same player leads the next one.";
        NoContest: "SL-3.5" effect ruling("The sheet does not foresee that nobody plays a card. There is nothing to win by then, and nobody to take the lead.") "Manoeuvres only"
            "When every player made a manoeuvre, nobody wins the round, and the same player leads the next one.";
        WinnerDraws: "SL-3.6" effect sheet("The sheet does not foresee an empty bonus pile; it cannot give what it has not.") "The winner's bonus card"
            "The winner of the round draws the top card of the bonus pile, or nothing when no card is left there.";
        Refill: "SL-3.7" effect sheet("The sheet gives no order, neither for the cards nor for the players; the order of play is the one that everybody saw.") "Cleared away and refilled"
            "After the bonus card the cards of the round go under the draw pile, in the order in which they were played. Then everybody draws up to six cards, the leader of that round first and the others clockwise.";
        WinnerLeads: "SL-3.8" effect sheet "The winner leads"
            "Who won the round leads the next one.";
        OpenOrKept: "SL-4.1" effect sheet "Open princesses, hidden rest"
            "A princess that is drawn is shown to everybody, also when she goes back at once under SL-4.2; otherwise she stays open before the player. A prince, a land, the dragon and the nix stay face down.";
        OneOfEach: "SL-4.2" effect sheet("Once the dragon or the nix lies on a princess, everybody sees it and the player can use it no more, so it is not in the way of another.") "One of each"
            "A player has one prince at most, one land, one princess, open or robbed, and one of dragon and nix. A card beyond that goes under the bonus pile. The card that lies on a robbed princess is on the table and is not counted.";
        Kingdom: "SL-4.3" definition sheet "A kingdom"
            "A princess, a prince and a land make a kingdom. The three are laid aside and out of the game, count 50 points, and the player may collect anew.";
        KingdomAtOnce: "SL-4.4" effect sheet "A kingdom forms at once"
            "As soon as a drawn bonus card completes the three, they are a kingdom, unless the princess is a robbed one.";
        Rob: "SL-5.1" refusal sheet("That the robber has no princess follows from SL-4.2: there would be two.") "Robbing"
            "Who holds the dragon or the nix, and has no princess, may lay that card on a princess who lies alone before another player: not robbed, and in no kingdom. She then lies before the robber, with the card on her.";
        RobbedOnce: "SL-5.2" refusal sheet "Not robbed twice"
            "No princess is robbed a second time while a robber's card lies on her: the dragon takes none from the nix, nor the nix from the dragon.";
        RobbingFormsNone: "SL-5.3" definition sheet "No kingdom by robbing"
            "Robbing makes no kingdom, also when the robber holds a prince and a land.";
        Rescue: "SL-5.4" refusal sheet("That the rescuer has no princess follows from SL-4.2: there would be two.") "Rescuing"
            "Who holds a prince, has no princess and is not the robber may rescue a robbed princess with two fairies or one wind from the hand. The dragon or nix goes under the bonus pile and the helpers under the draw pile; the rescuer keeps the prince, and draws up to six at once.";
        Rescued: "SL-5.5" effect sheet("Whether the rescuer holds a land must be known before the game can go on, so a table is asked unless the record tells it.") "The rescued princess"
            "A rescued princess is the rescuer's. Who holds a land as well has a kingdom at once; otherwise she lies open and alone, and may be robbed. A table declares whether a land is held, unless the record leaves but one answer; that is done before the rescuer draws.";
        Secure: "SL-5.6" refusal sheet("The sheet sends the robber's card back when a prince rescues the princess, and does not say where it goes when the robber keeps her; it must not stay with the kingdom, which is out of the game.") "Securing"
            "A robber who holds a prince and a land may make the robbed princess a kingdom, from the round after the robbery on. That is the player's move in the round. The dragon or nix goes under the bonus pile.";
        NotByDrawing: "SL-5.7" refusal ruling("The sheet's exception names a robber who has prince and land already. Were drawing the missing card enough, a robber without them would be better off than one with them, and a rescue might come too late in the very round.") "Not secured by drawing"
            "The missing prince or land, drawn by a robber, completes no kingdom with the robbed princess: it is kept, and she is to be secured under SL-5.6.";
        ThirdKingdom: "SL-6.1" effect sheet "The third kingdom ends the game"
            "As soon as all three princesses live in kingdoms, the game is over, also in the middle of a round.";
        Score: "SL-6.2" effect sheet("The sheet counts six cards before each player. A kingdom may come in the middle of a round, when some have played and others have not, so all are given six again.") "Counting"
            "Every kingdom counts 50, and to that come the points of the cards in hand. A round that is under way is broken off first: its cards go under the draw pile, and everybody draws up to six, a rescuer who ended the game first, then the leader of the round and the others clockwise. Hands are then laid open in the order of the seats. Bonus cards left over count nothing.";
        MostPoints: "SL-6.3" effect sheet "The winner"
            "Whoever has the most points has won; players who are level win together.";
        Knowledge: "SL-7.1" refusal ruling("What is hidden can be told apart by what follows from it, and a table is held to that and to nothing more. Counting alone would let through what cannot have happened; relying on the order of a pile that people handle would refuse what can.") "What can be declared"
            "At a table hands and hidden bonus cards are not known. A declaration is refused if no way to spread the 15 bonus cards over what the players hold and the bonus pile agrees with all that was declared so far under SL-4.2 and SL-4.4, and only then. So three hidden cards are a prince, a land and one of dragon and nix; nothing goes back hidden from a player who holds nothing; whose princess lies alone does not hold both a prince and a land. What is shown to rob, to rescue, to secure or in a kingdom is on record from then on. A hand that is laid open holds as many cards as were drawn to it, none of them more often than the box does. Nobody relies on the order of the cards put under a pile at a table; in a virtual game both piles give them up in the order in which they went there, after all the cards above.";
    }
}
