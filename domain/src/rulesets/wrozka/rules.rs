//! The rulebook of Wróżka, as it is served and cited.

use crate::rules;
use crate::ruling::{OptionText, Rulebook};

pub(super) static RULEBOOK: Rulebook = Rulebook {
    title: "Wróżka",
    summary: "Fairies walk around a castle by the throw of a die and look for their belongings \
              under tokens that lie face down. Remember what you and the others have seen: the \
              first fairy who has all four accessories of her colour and comes home in a carriage \
              wins.",
    options: &[
        OptionText {
            name: "first_seat",
            text: "The seat that begins; the sheet lets the youngest begin.",
            default: "0",
            minimum: Some(0),
            maximum: Some(3),
        },
        OptionText {
            name: "colours",
            text: "Each seat's colour, in seat order: as many as there are seats, all different. \
                   Without it the seats get pink, blue, yellow and green in this order.",
            default: "null",
            minimum: None,
            maximum: None,
        },
        OptionText {
            name: "board",
            text: "The board as places and paths (WR-1.2), for players who have the printed one. \
                   Without it the referee's own board is used.",
            default: "null",
            minimum: None,
            maximum: None,
        },
        OptionText {
            name: "notebook",
            text: "Whether the referee remembers for the players: with false, nobody can read \
                   what lies before the current turn while the game runs (WR-6.1).",
            default: "true",
            minimum: None,
            maximum: None,
        },
    ],
    base: Rule::CITATIONS,
    amendments: &[],
};

rules! {
    /// The rules of Wróżka.
    pub enum Rule {
        Contents: "WR-1.1" definition sheet("The sheet counts 20 tokens and names four accessories for each of four cards; the four tokens that remain are the carriages. A colour of their own is not mentioned, and it asks only that the card is complete.") "The box"
            "The box holds a board, a die from 1 to 6, four pawns, four fairy cards in pink, blue, yellow and green, and 20 note tokens: a diadem, a necklace, a handbag and a fan in each colour, and four carriages. Carriages have no colour.";
        Board: "WR-1.2" refusal ruling("The sheet does not print the board, so the referee ships one of its own and lets players describe theirs. More note places than tokens are needed because some places are to stay free; the limits on names and on the number of places keep a description readable, and every place must be within reach.") "The board"
            "Places are joined by paths that lead both ways. There are four kinds of them: castle, note, star and blank. A board has exactly one castle, more note places than there are tokens in play, and 1,000 places at the most, and every place can be reached from every other. Places have different names of up to 40 bytes of UTF-8. Each path joins two different places of the board, and no two paths join the same two. Unless the option board describes another, play is on a ring of 32 places, r0 to r31: r0 and every eighth place after it is blank, r4 and every eighth after it a star, the others are note places. From the castle a spoke of two blank places leads to each of r0, r8, r16 and r24: s0a beside the castle and s0b beside r0, and so on to s3a and s3b.";
        Colours: "WR-2.1" refusal sheet("Which card belongs to whom is for the players to say, so it is an option.") "Colours"
            "Each player has a colour of their own, with its pawn and its card, and the pawn starts on the castle. The option colours names one for each seat.";
        LeftOut: "WR-2.2" refusal sheet("The sheet puts away what belongs to unused cards; of the carriages, which have no colour, one goes with each. A token that was put away cannot turn up.") "What is left out"
            "With fewer than four players the accessories of the colours that nobody plays stay in the box, and one carriage for each of those colours. Two players use 10 tokens, three use 15.";
        Layout: "WR-2.3" refusal sheet("At a table the places are declared, because everybody sees where the tokens lie; which token lies where nobody knows.") "Laying out"
            "All tokens in play are laid face down on note places, one to a place, as one likes. The places that remain stay free. In a virtual game chance picks the places.";
        FirstPlayer: "WR-2.4" definition sheet "Who begins"
            "The youngest player begins (option first_seat), and the turn goes round clockwise.";
        Steps: "WR-3.1" refusal sheet("The sheet forbids to turn back in a move, but not to go around in a circle: a loop may lead over the same places again, and back to where the move began. The castle is walked over like any other place.") "Moving the pawn"
            "The player rolls the die and moves the pawn by exactly so many steps along paths, in any direction and with a free choice at every fork, but never straight back along the step just made. Nothing else is done before that. A loop may lead over places walked before, also back to where the move began.";
        StoppingEarly: "WR-3.2" definition sheet("The sheet lets the pawn stop at a token without the exact number. That a carriage may stop at the castle is ours: an exact throw at the very end is not asked for anywhere, and would only draw the game out.") "Stopping early"
            "After one step at least the pawn may stop sooner than the die says at a place with a token, and, when its player has a carriage, at the castle.";
        Occupied: "WR-3.3" refusal sheet("Everybody starts at the castle, so it holds any number of pawns. The sheet forbids to share a place, not to pass by.") "One pawn a place"
            "A move does not end where another player's pawn stands, except at the castle. Walking over such a place is allowed.";
        NoMove: "WR-3.4" effect ruling("The sheet does not say what happens when every way is barred; passing is the least that can be done.") "No move possible"
            "When the pawn can end its move nowhere, the turn passes.";
        Token: "WR-3.5" refusal sheet("A card has room for one carriage, so another one is of no use. A token beside which the pawn has been standing since an earlier turn is not offered again: the choice comes with arriving.") "Turning a token up"
            "A player whose move ends at a token turns it up for all to see, or leaves it, before anything else. An accessory of the player's own colour is taken; so is a carriage when the player has all four accessories and no carriage yet. Who takes a token rolls again. Any other token is turned face down in its place and the turn passes, as it does when the token is left.";
        Star: "WR-3.6" effect sheet "Stars"
            "A player whose move ends at a star rolls again.";
        Elsewhere: "WR-3.7" effect sheet "Other places"
            "A move that ends on any other place ends the turn, and the next player goes on.";
        Winner: "WR-4.1" effect sheet("Only one player can arrive first. The scores are given for information: they do not decide anything.") "The winner"
            "The first player whose move ends at the castle with a carriage on the card wins at once. The scores are the numbers of tokens on the cards.";
        SeenTokens: "WR-5.1" refusal ruling("What a table has seen cannot change while it lies there, so a face that contradicts it was misread or misdeclared, now or then.") "Faces on record"
            "What was seen of a token holds for as long as it lies there: a face declared for it must be the one on record. For a token that nobody has turned up yet, it must be a face that is not accounted for elsewhere.";
        FaceDownViews: "WR-5.2" definition ruling("Remembering is the game.") "Face down is face down"
            "A token that lies face down is shown face down, also when it has been seen.";
        Notebook: "WR-6.1" definition ruling("A record that can be read back plays the memory game for the players; some tables want that, others do not.") "The notebook"
            "With the option notebook set to false the referee does not remember for the players: while the game runs nobody can read what lies before the current turn. Outcomes given with a move begin with the face that it turns up, on record or not, and are refused for what everybody can see before they are held against the record.";
    }
}
