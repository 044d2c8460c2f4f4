//! The rulebook of Schatz der Drachen, as it is served and cited.

use crate::rules;
use crate::ruling::{OptionText, Rulebook};

pub(super) static RULEBOOK: Rulebook = Rulebook {
    title: "Schatz der Drachen",
    summary: "A square of 49 tiles lies face down. On your turn you turn tiles over for as long as \
              you dare: a spider ends it, and so does a dragon beside a treasure. Stop in time and \
              you keep what makes complete sets. Whoever has the most tiles wins.",
    options: &[
        OptionText {
            name: "first_seat",
            text: "The seat that begins; the sheet lets the youngest begin.",
            default: "0",
            minimum: Some(0),
            maximum: Some(4),
        },
        OptionText {
            name: "notebook",
            text: "Whether the referee remembers for the players (SD-7.1).",
            default: "true",
            minimum: None,
            maximum: None,
        },
    ],
    base: Rule::CITATIONS,
    amendments: &[],
};

rules! {
    /// The rules of Schatz der Drachen.
    pub enum Rule {
        Tiles: "SD-1.1" definition product "Tiles"
            "The box holds 49 tiles: 3 spiders, 12 dragons, 8 rings, 4 balls, 4 cars, 4 dolls, 6 candlesticks and 8 chests.";
        Square: "SD-1.2" definition product("The product lays a square; the names of its places are ours, so that a move can be written down.") "The square"
            "All tiles are shuffled and laid face down, seven by seven. A place is called by the letter of its column and the number of its row: a1 is top left, g7 bottom right.";
        Treasures: "SD-1.3" definition sheet "Treasures"
            "Balls, cars and dolls are toys. Toys, candlesticks and chests are treasures. A ring is neither a treasure nor a dragon.";
        OneAtLeast: "SD-2.1" refusal sheet("The sheet begins a turn with a tile; passing without one would let a player wait for the others to take the risks.") "One tile at least"
            "A player turns tiles over one by one and leaves each open where it lies. A turn has one tile at least.";
        FaceDownOnly: "SD-2.2" refusal ruling("There is nothing to turn over at an empty place, and an open tile has been turned over.") "Only what lies face down"
            "Only a tile that lies face down can be turned over: no empty place, and no tile that is open already.";
        Stopping: "SD-2.3" definition sheet "Stopping is free"
            "After every tile that did not lose the turn the player may stop or go on.";
        Spider: "SD-3.1" effect sheet "A spider"
            "Who turns over a spider loses the turn at once, whatever lies open.";
        Clash: "SD-3.2" effect sheet "Dragon and treasure"
            "A dragon and a treasure open in one turn lose it, whichever came first. Rings go with everything.";
        NothingEarned: "SD-3.3" effect sheet "A lost turn earns nothing"
            "When a turn is lost, every tile that was opened in it is turned face down where it lies, also the one that lost it.";
        MoveSpider: "SD-3.4" refusal ruling("The sheet speaks of a free place in the square. Every place begins with a tile on it, so a free place is one whose tile has been taken.") "Moving the spider"
            "A player who was stopped by a spider may first lay it on an empty place, or leave it. Nothing else is done before that choice, and there is none while no place is empty.";
        Toys: "SD-4.1" effect sheet "Toys in pairs"
            "Who stops takes toys in pairs of the same kind: two or four. A single one and a third stay.";
        Candlesticks: "SD-4.2" effect sheet "Candlesticks in threes"
            "Candlesticks are taken in threes: three, or all six. A fourth and fifth stay.";
        Chests: "SD-4.3" effect sheet "Chests in fours"
            "Chests are taken in fours: four, or all eight. A fifth, sixth and seventh stay.";
        Singles: "SD-4.4" effect sheet "Rings and dragons"
            "Rings and dragons are taken one by one, every one that lies open.";
        Incomplete: "SD-4.5" effect sheet("Which of several like tiles stays cannot be told from the sheet; the order in which they were opened is on record, so it decides.") "What is left over"
            "What completes no set is turned face down where it lies; of like tiles those opened last. Places whose tiles were taken stay empty.";
        NextPlayer: "SD-4.6" effect sheet "The next player"
            "Then it is the next player's turn, clockwise.";
        OnlySpiders: "SD-5.1" effect product "Only spiders left"
            "The game ends as soon as nothing but spiders lies in the square.";
        SpidersAwarded: "SD-5.2" effect product "The spiders' owner"
            "The player with the most dragons receives the three spiders. When several have equally many, nobody does.";
        MostTiles: "SD-5.3" effect product "The winner"
            "The most tiles win, spiders included. Players who are level win together.";
        SeenTiles: "SD-6.1" refusal ruling("What a table has seen cannot change while it lies there, so a face that contradicts it was misread or misdeclared, now or then.") "Faces on record"
            "A tile that was seen keeps its face until it is taken, and a moved spider is known where it lies. A face declared for a seen tile must be the one on record; for an unseen tile it must be one that is not accounted for.";
        FaceDownViews: "SD-6.2" definition ruling("Remembering is the game.") "Face down is face down"
            "A tile that lies face down is shown face down, also when it has been seen.";
        Notebook: "SD-7.1" definition ruling("A record that can be read at any time would play the memory game for its players.") "Without a notebook"
            "With the option notebook set to false, nothing before the current turn can be read while the game runs: no events, no record, no past states, no kept answers. What everybody can see to be wrong with the outcomes of a request is judged before they are held against the record. When the game is over everything can be read.";
    }
}
