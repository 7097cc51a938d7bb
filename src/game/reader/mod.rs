//! From canonical PGN text to games.

mod builder;

use std::io::{Cursor, Seek};

use pgn_reader::Reader;

use super::batch::Batch;
use super::tree::{Game, Numbering};
use super::warning::WarningKind;
use builder::{Builder, Frame};

/// How much of a game is wanted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Scope {
    /// The positions of variations, not only those of the main line.
    pub variations: bool,
    /// Comments and annotation symbols.
    pub notes: bool,
}

impl Scope {
    /// Everything, as the output needs it.
    pub const ALL: Scope = Scope {
        variations: true,
        notes: true,
    };
}

/// What became of a request to read a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    /// The game has been read.
    Read,
    /// The game was not wanted; it has its tags and its result, but no positions.
    Skipped,
    /// The game cannot be read from its beginning; it has its tags, its result and a warning that says why, but no positions.
    Unreadable,
    /// There is no further game in the batch.
    End,
}

/// Reads the games of a batch one after the other.
///
/// Buffers are made once for a batch and kept in the [`Game`], so no memory is requested for a game in the end.
pub struct GameReader<'b> {
    batch: &'b Batch,
    reader: Reader<Cursor<&'b [u8]>>,
    next: usize,
    keeps_tag: &'b dyn Fn(&[u8]) -> bool,
    scratch: Scratch,
}

/// Memory that is used while one game is read.
#[derive(Default)]
struct Scratch {
    frames: Vec<Frame>,
    /// A comment that the buffer of the PGN reader could not hold in one piece.
    partial: Vec<u8>,
    numbering: Numbering,
}

impl<'b> GameReader<'b> {
    /// A reader that begins with the first game of a batch.
    pub fn new(batch: &'b Batch) -> GameReader<'b> {
        GameReader::at(batch, 0)
    }

    /// A reader that begins with the game of this index in the batch.
    pub fn at(batch: &'b Batch, index: usize) -> GameReader<'b> {
        let reader = reader_at(batch, 0);
        GameReader {
            batch,
            reader,
            next: index,
            keeps_tag: &|_| true,
            scratch: Scratch::default(),
        }
    }

    /// A reader that keeps only those tags of which `keeps_tag` says so, by their names, beside `FEN` and `Result`.
    #[must_use]
    pub fn keeping_tags(self, keeps_tag: &'b dyn Fn(&[u8]) -> bool) -> GameReader<'b> {
        GameReader { keeps_tag, ..self }
    }

    /// Reads the next game into `game`.
    ///
    /// `wanted` is asked when the game has its number, tags, start and result, but no positions yet; if it declines,
    /// the moves are passed over.
    pub fn read(&mut self, scope: Scope, game: &mut Game, wanted: impl FnOnce(&Game) -> bool) -> Reading {
        let Some(text) = self.batch.games.get(self.next) else {
            return Reading::End;
        };
        self.next += 1;
        let begin = text.range.start as u64;
        let in_place =
            self.reader.has_more().is_ok() && self.reader.stream_position().is_ok_and(|place| place == begin);
        if !in_place {
            self.reader = reader_at(self.batch, text.range.start);
        }
        game.clear();
        game.number = text.number;
        let mut builder = Builder::new(self.batch, text, scope, game, self.keeps_tag, &mut self.scratch, wanted);
        if self.reader.read_game(&mut builder).is_err() {
            builder.warn(WarningKind::CutShort, text.line, "cannot be read to its end".to_owned());
        }
        builder.finish()
    }
}

/// A PGN reader that begins at a place of the text, with room for any line of tags.
fn reader_at(batch: &Batch, start: usize) -> Reader<Cursor<&[u8]>> {
    let mut cursor = Cursor::new(&*batch.text);
    cursor.set_position(start as u64);
    Reader::build(cursor)
        .set_supported_tag_line_length(batch.longest_tag_line)
        .finish()
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    /// All games of a text, read completely.
    fn read_all(pgn: &str, scope: Scope) -> Vec<Game> {
        let batch = sample::batch(pgn);
        let mut reader = GameReader::new(&batch);
        let mut games = Vec::new();
        loop {
            let mut game = Game::default();
            if reader.read(scope, &mut game, |_| true) == Reading::End {
                return games;
            }
            games.push(game);
        }
    }

    fn only(pgn: &str) -> Game {
        read_all(pgn, Scope::ALL).pop().expect("one game")
    }

    #[test]
    fn an_unplayable_move_ends_the_game_but_not_its_result() {
        let game = only("[White \"A\"]\n\n1. e4 e5\n2. Bb5 {fine} Nxg3 3. Nf3\n4. Nc3 0-1\n");
        assert_eq!(game.positions.len(), 4);
        assert_eq!(game.notes.comment(3), Some(&b"Error reading move: Ng3"[..]));
        assert_eq!(game.result.to_string(), "0-1");
        let warning = &game.warnings[0];
        assert_eq!((warning.line, warning.game), (4, 1));
        assert_eq!(warning.message, "illegal move `Nxg3`: the rest of the game is left out");
    }

    #[test]
    fn unreadable_and_ambiguous_moves_are_told_apart() {
        let message = |pgn| only(pgn).warnings[0].message.clone();
        assert!(message("1. Nf9 *\n").starts_with("unreadable move `Nf9`"));
        assert!(
            message("[FEN \"4k3/8/8/8/8/8/8/R3K2R w\"]\n\n1. O-O Kd8 2. Rd1+ *\n").starts_with("ambiguous move `Rd1`")
        );
    }

    #[test]
    fn an_unplayable_move_in_a_variation_ends_the_main_line_in_every_scope() {
        let pgn = "1. e4 e5 (1... c5 2. Ke5) 2. Nf3 *\n";
        assert_eq!(only(pgn).positions.len(), 4);
        let line = read_all(pgn, Scope::default()).remove(0);
        assert_eq!((line.positions.len(), line.positions[2].last), (3, 2));
    }

    #[test]
    fn variations_without_a_playable_move_are_dropped() {
        let game =
            only("[White \"A\"]\n\n(1. c4) 1. e4 () e5 (1... Ke4 (2. c3) 2. d4) {kept} (1... c5 {x}) 2. Nf3 *\n");
        assert_eq!(game.positions.len(), 5);
        assert_eq!(game.positions.iter().map(|position| position.choice).max(), Some(1));
        assert_eq!(game.notes.comment(2), Some(&b"kept"[..]));
        assert_eq!(game.notes.comment(4), Some(&b"x"[..]));
        assert_eq!(game.warnings.len(), 1);
    }

    #[test]
    fn comments_belong_where_the_reference_puts_them() {
        let game =
            only("[White \"A\"]\n\n{intro} 1. e4 {a} {b} (1. d4) {c} e5 ({lead} {in} 1... c5 {}) 2. Nf3 $1 $0 $2 *\n");
        let comment = |id| game.notes.comment(id).map(String::from_utf8_lossy);
        assert_eq!(comment(0).as_deref(), Some("intro"));
        assert_eq!(comment(1).as_deref(), Some("c"));
        assert_eq!((comment(2), comment(4).as_deref()), (None, Some("")));
        assert_eq!(game.notes.lead_in(4), Some(&b"in"[..]));
        assert_eq!(game.notes.nags(3), [1, 2]);
    }

    #[test]
    fn games_that_are_not_wanted_are_passed_over() {
        let batch = sample::golden("mainline.pgn");
        let mut all = Vec::new();
        let mut reader = GameReader::new(&batch);
        let mut game = Game::default();
        while reader.read(Scope::ALL, &mut game, |_| true) != Reading::End {
            all.push((game.number, game.positions.len()));
        }
        assert_eq!(all.len(), batch.games.len());
        let mut some = Vec::new();
        let mut reader = GameReader::new(&batch);
        loop {
            match reader.read(Scope::ALL, &mut game, |game| game.number % 3 == 0) {
                Reading::End => break,
                Reading::Skipped => assert!(game.positions.is_empty()),
                Reading::Read => some.push((game.number, game.positions.len())),
                Reading::Unreadable => panic!("each game can be read"),
            }
        }
        all.retain(|(number, _)| number % 3 == 0);
        assert_eq!(some, all);
        let mut reader = GameReader::at(&batch, 8);
        assert_eq!(reader.read(Scope::ALL, &mut game, |_| true), Reading::Read);
        assert_eq!((game.number, game.positions.len()), all[2]);
    }

    #[test]
    fn tags_and_comments_have_any_length() {
        let long = "word ".repeat(20_000);
        let pgn = format!("[Event \"{long}\"]\n[Site \"x\"]\n\n1. e4 {{{long}}} e5 *\n\n[Event \"next\"]\n\n1. d4 *\n");
        let games = read_all(&pgn, Scope::ALL);
        assert_eq!(games[0].tags.event(), long.as_bytes());
        assert_eq!(games[0].notes.comment(1), Some(long.trim_end().as_bytes()));
        assert_eq!((games[0].positions.len(), games[0].warnings.len()), (3, 0));
        assert_eq!((games[1].tags.event(), games[1].positions.len()), (&b"next"[..], 2));
    }

    #[test]
    fn the_result_is_known_before_the_moves_are_read() {
        let batch = sample::batch("[Result \"1-0\"]\n\n1. e4 1/2-1/2\n\n[Result \"0-1\"]\n\n1. e4\n");
        let mut reader = GameReader::new(&batch);
        let mut results = Vec::new();
        let mut game = Game::default();
        while reader.read(Scope::ALL, &mut game, |game| {
            results.push(game.result.to_string());
            false
        }) != Reading::End
        {}
        assert_eq!(results, ["1/2-1/2", "0-1"]);
    }

    #[test]
    fn a_game_without_a_start_is_left_out_and_nobody_is_asked() {
        let pgn = "[White \"A\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *\n\n[White \"B\"]\n\n1. d4 *\n";
        let batch = sample::batch(pgn);
        let mut reader = GameReader::new(&batch);
        let mut game = Game::default();
        let read = reader.read(Scope::ALL, &mut game, |_| panic!("it is not asked for"));
        assert_eq!((read, game.positions.len()), (Reading::Unreadable, 0));
        assert_eq!(
            (game.warnings[0].line, &*game.warnings[0].message),
            (
                2,
                "the FEN tag is no position: White has no king (`8/8/8/8/8/8/8/8`): the game is left out"
            )
        );
        assert_eq!(reader.read(Scope::ALL, &mut game, |_| true), Reading::Read);
        assert_eq!(game.positions.len(), 2);
    }

    #[test]
    fn en_passant_needs_a_double_step_or_the_fen_field() {
        let with = |field: &str| format!("[FEN \"4k3/8/8/3pP3/8/8/8/4K3 w - {field} 0 1\"]\n\n1. exd6 *\n");
        assert_eq!(only(&with("d6")).positions.len(), 2);
        assert_eq!(only(&with("-")).positions.len(), 1);
        assert_eq!(only("1. e4 a6 2. e5 d5 3. exd6 *\n").positions.len(), 6);
        assert_eq!(only("1. e4 d6 2. e5 d5 3. exd6 *\n").positions.len(), 5);
        assert_eq!(only("1. e4 a6 2. e5 d5 3. -- a5 4. exd6 *\n").positions.len(), 7);
    }
}
