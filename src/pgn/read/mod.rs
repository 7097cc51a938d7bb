//! Reads games from canonical PGN text.
//!
//! Each part uses only those before it: `scope`, `repeated_tags`, `source_text`, `stripped_tokens`, `complete`, `variant_tags`,
//! `move_numbers`, `builder`.

mod builder;
mod complete;
mod move_numbers;
mod repeated_tags;
mod scope;
mod source_text;
mod stripped_tokens;
mod variant_tags;

use pgn_reader::Reader;

use super::canonical::{Batch, GameText, movetext};
use crate::board::processor::for_this_processor;
use crate::game::{Game, Rules, Warning, WarningKind};
use builder::{Builder, Scratch};
pub(crate) use complete::is_of_moves_alone;
use move_numbers::Jump;
pub use scope::{Reading, Scope};
use stripped_tokens::StrippedTokens;
pub(crate) use variant_tags::may_name_variant;

/// Reads the games of a batch one after another.
///
/// Buffers are made once for a batch and kept in the [`Game`], so reading a game soon needs no new memory.
pub struct GameReader<'b> {
    batch: &'b Batch,
    next: usize,
    keeps_tag: &'b dyn Fn(&[u8]) -> bool,
    scratch: Scratch,
}

impl<'b> GameReader<'b> {
    /// Creates a reader that starts with the first game of a batch.
    pub fn new(batch: &'b Batch) -> GameReader<'b> {
        GameReader::at(batch, 0)
    }

    /// Creates a reader that starts with the game of this index in the batch.
    pub fn at(batch: &'b Batch, index: usize) -> GameReader<'b> {
        GameReader {
            batch,
            next: index,
            keeps_tag: &|_| true,
            scratch: Scratch::default(),
        }
    }

    /// Keeps only the tags for whose names `keeps_tag` returns true, in addition to `FEN` and `Result`.
    #[must_use]
    pub fn keeping_tags(self, keeps_tag: &'b dyn Fn(&[u8]) -> bool) -> GameReader<'b> {
        GameReader { keeps_tag, ..self }
    }

    /// Reads the next game into `game`.
    ///
    /// `wanted` is called when the game has its number, tags, start and result, but no positions yet. If it returns `false`, the moves are skipped.
    pub fn read(&mut self, scope: Scope, game: &mut Game, wanted: impl FnOnce(&Game) -> bool) -> Reading {
        let Some(text) = self.batch.games.get(self.next) else {
            return Reading::End;
        };
        self.next += 1;
        let mut wanted = Some(wanted);
        let mut is_wanted = |game: &Game| wanted.take().is_none_or(|wanted| wanted(game));
        self.scratch.doubts.clear();
        let reading = self.replay(text, scope, game, &mut is_wanted);
        if reading == Reading::Read && self.batch.rules == Rules::Full {
            self.check_numbers(text, scope, game)
        } else {
            reading
        }
    }

    /// Reads a game without the moves that are in doubt.
    #[inline(never)]
    fn replay(
        &mut self,
        text: &GameText,
        scope: Scope,
        game: &mut Game,
        is_wanted: &mut dyn FnMut(&Game) -> bool,
    ) -> Reading {
        game.begin(self.batch.rules);
        game.watch.clone_from(&self.batch.watch);
        game.number = text.number;
        let of_game = self.batch.text.get(text.range.clone()).unwrap_or_default();
        // What the stripped movetext lacks is not wanted, or does not exist.
        let is_bare =
            !text.stripped.is_empty() && (!scope.notes && !scope.commands || is_of_moves_alone(movetext(of_game)));
        let mut builder = Builder::new(
            self.batch,
            text,
            scope,
            game,
            self.keeps_tag,
            &mut self.scratch,
            is_wanted,
        );
        builder.take_tags(of_game);
        if builder.begin_moves().is_break() {
            return builder.finish();
        }
        if is_bare {
            let stripped = self.batch.stripped.get(text.stripped.clone());
            // A builder that breaks has recorded why.
            let _ = for_this_processor!(builder.take_words(StrippedTokens::of(stripped.unwrap_or_default())));
        } else {
            let start = text.range.end - movetext(of_game).len();
            // The text continues after the game because a PGN reader looks ahead. It stops at the empty line.
            let behind_tags = self.batch.text.get(start..).unwrap_or_default();
            if Reader::new(behind_tags).read_game(&mut builder).is_err() {
                builder.warn(WarningKind::CutShort, text.line, "cannot be read to its end".to_owned());
            }
        }
        builder.finish()
    }

    /// Reads a game again, up to the gap, if its move numbers say that moves are missing.
    fn check_numbers(&mut self, text: &GameText, scope: Scope, game: &mut Game) -> Reading {
        let bytes = self.batch.text.get(text.range.clone()).unwrap_or_default();
        let plies = game.positions.first().map_or(0, |root| root.last);
        let is_whole = !game.has_variations && game.warnings.is_empty() && game.start.is_none();
        if is_whole && move_numbers::agrees(bytes, plies) {
            return Reading::Read;
        }
        let mut reading = Reading::Read;
        let start = game
            .start
            .as_ref()
            .map(|start| (start.turn, i64::from(start.move_number)));
        let jump = move_numbers::doubts(movetext(bytes), start, &game.watch, &mut self.scratch.doubts);
        if !self.scratch.doubts.is_empty() {
            reading = self.replay(text, scope, game, &mut |_| true);
        }
        if game.positions.len() > 1 {
            game.warnings.extend(self.other_number(text, bytes, game));
        }
        // Moves after an unreadable one are not played.
        let is_cut = |warning: &Warning| matches!(warning.kind, WarningKind::WrongMove | WarningKind::CutShort);
        if reading == Reading::Read
            && let Some(jump) = jump
            && !game.warnings.iter().any(is_cut)
        {
            game.warnings.push(self.renumbered(text, bytes, jump));
        }
        reading
    }

    /// Returns the warning about a game whose first number is neither 1 nor that of its FEN tag.
    fn other_number(&self, text: &GameText, bytes: &[u8], game: &Game) -> Option<Warning> {
        let movetext = movetext(bytes);
        let due = game.start.as_ref().map_or(1, |start| i64::from(start.move_number));
        let (at, number) = move_numbers::first_number(movetext).filter(|(_, number)| *number != due)?;
        let line = self.line_of_move(text, bytes, at);
        let message = match game.start {
            None => format!(
                "the first move has the number {number}; it is played from the usual start, as no FEN tag gives another"
            ),
            Some(_) => format!("the first move has the number {number}, in the FEN tag it has {due}, which counts"),
        };
        Some(self.batch.warning(text, WarningKind::LateNumber, line, message))
    }

    /// Returns the warning about a game in whose numbers whole moves are missing or repeated.
    fn renumbered(&self, text: &GameText, bytes: &[u8], jump: Jump) -> Warning {
        let Jump { place, number, due } = jump;
        let line = self.line_of_move(text, bytes, place);
        let message = format!(
            "the number is {number} where {due} is due: either the numbers are wrong or moves are missing; it is played as move {due}"
        );
        self.batch.warning(text, WarningKind::Renumbered, line, message)
    }

    /// Returns the line of a place in the movetext of a game.
    fn line_of_move(&self, text: &GameText, bytes: &[u8], place: usize) -> u64 {
        let place = bytes.len() - movetext(bytes).len() + place;
        let above = memchr::memchr_iter(b'\n', bytes.get(..place).unwrap_or_default()).count();
        self.batch.line_of(text, text.range.start + place, above)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::game::Rules;
    use crate::limits::InterruptHandle;
    use crate::pgn::sample;
    use crate::pgn::write::{Additions, write_game};

    /// Returns all games of a text, read completely.
    fn read_all(pgn: &str, scope: Scope) -> Vec<Game> {
        read_batch(&sample::batch(pgn), scope)
    }

    fn read_batch(batch: &Batch, scope: Scope) -> Vec<Game> {
        let mut reader = GameReader::new(batch);
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

    fn only_as_cql(pgn: &str) -> Game {
        read_batch(&sample::batch_by(Rules::Cql, pgn), Scope::ALL)
            .pop()
            .expect("one game")
    }

    /// Returns a game as PGN, with the comments and symbols that were read.
    fn written(game: &Game) -> String {
        let mut out = Vec::new();
        write_game(&mut out, game, &Additions::default());
        String::from_utf8(out).expect("PGN")
    }

    /// Games with comments of all kinds among others, some with moves that cannot be played or wrong numbers.
    #[test]
    fn without_comments_a_game_is_the_same() {
        let pgn = "[White \"a\"]\n\n{lead} 1. e4 { [%eval 0.1] [%clk 0:01:00] } 1... e5 { [%eval 0.2] } 2. Nf3 {two\nlines} 2... Nc6{a}3. Bb5!{b} $5 {c} a6?! 1-0\n\n\
            [White \"b\"]\n\n1. e4 e5 2. Nf3 1/2-1/2\n\n\
            [White \"c\"]\n\n1. e4 {x} (1. d4 {y} d5 (1... Nf6 {z}) 2. c4) 1... e5 {[%clk 0:00:01]} 2. Ke3 {q} Nc6 {r} 3. d4 0-1\n\n\
            [White \"d\"]\n\n1. e4 {x} 1... e5 {y} 3. Nf3 {moves are missing} 3... Nc6 4. Bb5 *\n\n\
            [White \"e\"]\n\n1. e4 {x} 1... e5 {y}\n2. d4 {z} 2... d5 {w}\n1-0\n\n\
            [White \"f\"]\n\n1. e4 {a {nested} one} e5 {zero \u{0}} *\n\n\
            [White \"g\"]\n\n1. e4 e5 ; to the end {of the line\n2. Nf3 {x} *\n\n\
            [White \"h\"]\n\n1. e4 {a} e5 {b} 2. Nf3 {c} Nf6 {d} 2. d4 {again two} d5 *\n\n\
            [White \"i\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 7\"]\n\n7. O-O {a} Kd8 {b} 8. Rd1+ {c} *\n\n\
            [White \"j\"]\n\n1. e4 e5 2. Ke3 Nc6 3. d4 0-1\n\n[White \"j\"]\n\n1. e4 e5 7. d4 d5 8. Nc3 *\n\n[White \"j\"]\n\n{only a comment} *\n\n[White \"k\"]\n\n1. e4 {x} e5 ({no move}) 2. d4 {y} *\n\n\
            [White \"l\"]\n\n1.e4 e5\n2.\nNf3 2...Nc6 3 Bb5 a6 4..Ba4 (4.Bc4 Nf6) 4...Nf6\r\n 10. O-O 1/2-1/2\n\n\
            [Event \"Rated] Atomic game\"]\r\n[White \" m \"]\r\n[Black \"\"]\r\n[Black \"n\"]\r\n\r\n1. e4 {x} e5 *\r\n";
        for rules in [Rules::Full, Rules::Cql] {
            let batch = sample::batch_by(rules, pgn);
            let stripped = batch.games.iter().filter(|game| !game.stripped.is_empty()).count();
            assert!(stripped > 5, "{stripped} of {} games", batch.games.len());
            let mut whole = batch.clone();
            whole.games.iter_mut().for_each(|game| game.stripped = 0..0);
            let variations = Scope {
                variations: true,
                ..Scope::default()
            };
            for scope in [Scope::default(), variations, Scope::ALL] {
                let (ours, theirs) = (read_batch(&batch, scope), read_batch(&whole, scope));
                assert_eq!(ours.len(), theirs.len());
                for (ours, theirs) in ours.iter().zip(&theirs) {
                    assert_eq!(ours.positions, theirs.positions);
                    assert_eq!(ours.warnings, theirs.warnings);
                    assert_eq!(written(ours), written(theirs));
                    assert_eq!((ours.number, ours.result), (theirs.number, theirs.result));
                    assert_eq!(ours.has_variations, theirs.has_variations);
                    assert!(ours.tags.iter().eq(theirs.tags.iter()));
                    assert_eq!(ours.variant, theirs.variant);
                }
                assert!(ours.iter().any(|game| !game.warnings.is_empty()));
            }
        }
    }

    #[test]
    fn by_the_rules_of_cql_variations_without_a_playable_move_are_dropped() {
        let game = only_as_cql(
            "[White \"A\"]\n\n(1. c4) 1. e4 () e5 (1... Ke4 (2. c3) 2. d4) {kept} (1... c5 {x}) 2. Nf3 *\n",
        );
        assert_eq!(game.positions.len(), 5);
        assert_eq!(game.notes.comment(2).as_deref(), Some(&b"kept"[..]));
        assert_eq!(game.notes.unread_variations(2).count(), 0);
        assert_eq!(game.warnings.len(), 1);
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
                Reading::Unreadable | Reading::GivenUp => panic!("each game can be read"),
            }
        }
        all.retain(|(number, _)| number % 3 == 0);
        assert_eq!(some, all);
        let mut reader = GameReader::at(&batch, 8);
        assert_eq!(reader.read(Scope::ALL, &mut game, |_| true), Reading::Read);
        assert_eq!((game.number, game.positions.len()), all[2]);
    }

    #[test]
    fn a_long_game_is_given_up_when_nobody_wants_it() {
        let interrupt = Arc::default();
        for behind in ["", "{comment}", "$1", "(Nh3 Nh6)", "(Nh3 {comment} Nh6 (Nc6))"] {
            let pgn = format!(
                "[White \"a\"]\n\n{} *\n",
                format!("Nf3 {behind} Nf6 Ng1 Ng8 ").repeat(5_000)
            );
            let mut batch = sample::batch(&pgn);
            let mut game = Game::default();
            assert_eq!(
                GameReader::new(&batch).read(Scope::ALL, &mut game, |_| true),
                Reading::Read
            );
            batch.watch = InterruptHandle::of(&interrupt);
            let read = GameReader::new(&batch).read(Scope::ALL, &mut game, |_| {
                interrupt.raise();
                true
            });
            assert_eq!(read, Reading::GivenUp, "{behind}");
        }
    }

    #[test]
    fn tags_and_comments_have_any_length() {
        let long = "word ".repeat(20_000);
        let pgn = format!("[Event \"{long}\"]\n[Site \"x\"]\n\n1. e4 {{{long}}} e5 *\n\n[Event \"next\"]\n\n1. d4 *\n");
        let games = read_all(&pgn, Scope::ALL);
        assert_eq!(games[0].tags.event(), long.as_bytes());
        assert_eq!(games[0].notes.comment(1).as_deref(), Some(long.trim_end().as_bytes()));
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
                "the FEN tag is not a position: White has no king (`8/8/8/8/8/8/8/8`): the game is left out"
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
