//! Checks how games from a source arrive in batches.

mod borders;
mod large;
mod movetext;
mod sizes;
mod tags;

use std::{io::Cursor, ops::ControlFlow};

use pgn_reader::{Nag, RawComment, RawTag, Reader, Skip, Visitor, shakmaty::Outcome, shakmaty::san::SanPlus};

use super::*;
use crate::game::Warning;

/// What a tokeniser makes of canonical PGN, as text with one line per game.
#[derive(Default)]
struct Tokens {
    text: String,
    comment: Vec<u8>,
}

impl Tokens {
    fn note(&mut self, token: &str) -> ControlFlow<String> {
        self.text.push_str(token);
        self.text.push(' ');
        ControlFlow::Continue(())
    }
}

impl Visitor for Tokens {
    type Tags = ();
    type Movetext = ();
    type Output = String;

    fn begin_tags(&mut self) -> ControlFlow<String, ()> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<String> {
        let value = String::from_utf8_lossy(value.as_bytes())
            .replace('\u{2}', "\"")
            .replace('\u{3}', "\\");
        self.note(&format!("{}={value}", String::from_utf8_lossy(name)))
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<String, ()> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), san: SanPlus) -> ControlFlow<String> {
        self.note(&san.to_string())
    }

    fn nag(&mut self, (): &mut (), nag: Nag) -> ControlFlow<String> {
        self.note(&nag.to_string())
    }

    fn partial_comment(&mut self, (): &mut (), comment: RawComment<'_>) -> ControlFlow<String> {
        self.comment.extend_from_slice(comment.as_bytes());
        ControlFlow::Continue(())
    }

    fn comment(&mut self, (): &mut (), comment: RawComment<'_>) -> ControlFlow<String> {
        self.comment.extend_from_slice(comment.as_bytes());
        let comment = String::from_utf8_lossy(&std::mem::take(&mut self.comment)).into_owned();
        match comment.strip_prefix('\u{1}') {
            Some(word) => self.note(&format!("<{word}>")),
            None => self.note(&format!(
                "{{{}}}",
                comment.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
            )),
        }
    }

    fn begin_variation(&mut self, (): &mut ()) -> ControlFlow<String, Skip> {
        self.note("(")?;
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, (): &mut ()) -> ControlFlow<String> {
        self.note(")")
    }

    fn outcome(&mut self, (): &mut (), outcome: Outcome) -> ControlFlow<String> {
        self.note(&outcome.to_string())
    }

    fn end_game(&mut self, (): ()) -> String {
        std::mem::take(&mut self.text).trim_end().to_owned()
    }
}

/// A source that yields this many bytes at a time.
struct Slow<'a> {
    text: &'a [u8],
    chunk: usize,
}

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.chunk.min(buffer.len());
        self.text.read(&mut buffer[..length])
    }
}

fn batches_of(reader: impl Read) -> Vec<Batch> {
    batches_by(Rules::Full, reader)
}

fn batches_by(rules: Rules, reader: impl Read) -> Vec<Batch> {
    let source = RowSource {
        rules,
        ..RowSource::from("test.pgn")
    };
    let mut splitter = Splitter::new(reader, source, 0);
    let mut batches = Vec::new();
    let mut batch = Batch::default();
    while splitter.read_batch(&mut batch).expect("memory can be read") {
        batches.push(std::mem::take(&mut batch));
    }
    batches
}

fn batch_of(text: &[u8]) -> Batch {
    let mut batches = batches_of(Cursor::new(text));
    assert!(batches.len() <= 1);
    batches.pop().unwrap_or_default()
}

fn tokens_of(batch: &Batch) -> Vec<String> {
    let mut reader = Reader::build(batch.text.as_slice())
        .set_supported_tag_line_length(batch.texts().map(<[u8]>::len).max().unwrap_or(0))
        .finish();
    let mut games = Vec::new();
    while let Some(game) = reader
        .read_game(&mut Tokens::default())
        .expect("canonical text can be read")
    {
        games.push(game);
    }
    games
}

/// Returns what the tokeniser sees in each game.
fn games(text: &str) -> Vec<String> {
    tokens_of(&batch_of(text.as_bytes()))
}

/// Returns what the tokeniser sees in the movetext of the only game, which has one tag, by the rules of CQL.
fn moves(movetext: &str) -> String {
    moves_by(Rules::Cql, movetext)
}

/// Does the same by the usual rules. Words in other notations are shown with their meanings.
fn all_moves(movetext: &str) -> String {
    moves_by(Rules::Full, movetext).replace('\u{1}', "|")
}

fn moves_by(rules: Rules, movetext: &str) -> String {
    let text = format!("[Event \"e\"]\n\n{movetext}\n");
    let games: Vec<_> = batches_by(rules, text.as_bytes()).iter().flat_map(tokens_of).collect();
    let [game] = games.as_slice() else {
        panic!("{movetext}: {games:?}")
    };
    game.strip_prefix("Event=e")
        .expect("the tag comes first")
        .trim_start()
        .to_owned()
}

/// Returns the warnings as they are shown.
fn warnings(text: &str) -> Vec<String> {
    batch_of(text.as_bytes())
        .warnings
        .iter()
        .map(Warning::to_string)
        .collect()
}
