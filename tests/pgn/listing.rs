//! Games in the notation of the cases.

use std::fmt::Write as _;
use std::path::Path;

use skewer::chess::Position;
use skewer::game::{Game, Rules};
use skewer::pgn::{Batch, Batches, GameReader, Input, Reading, Scope, write_move};

/// Returns bytes as text. Bytes that are not UTF-8 become `\xE9`.
pub(crate) fn text(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        text += chunk.valid();
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02X}");
        }
    }
    text
}

/// Returns the listing of a PGN file: warnings, games, output.
pub(crate) fn listing(pgn: &Path, rules: Rules) -> String {
    let mut shown = "-- warnings\n".to_owned();
    let folder = format!("{}/", pgn.parent().expect("a folder").display());
    let printed = super::searched(pgn, rules, 1);
    shown += &text(&printed.log).replace(&folder, "").replace("warning: ", "");
    shown += &games(pgn, rules);
    shown += "-- output\n";
    shown += &text(&printed.output);
    shown
}

/// Returns the listing of the games of a PGN file.
pub(crate) fn games(pgn: &Path, rules: Rules) -> String {
    let mut shown = String::new();
    let mut batches = Batches::new(Input::from(pgn).sources().expect("PGN")).with_rules(rules);
    let mut game = Game::default();
    while let Some(batch) = batches.next_batch(Batch::default()) {
        let batch = batch.expect("PGN");
        let mut reader = GameReader::new(&batch);
        loop {
            match reader.read(Scope::ALL, &mut game, |_| true) {
                Reading::End => break,
                Reading::Skipped | Reading::Unreadable | Reading::GivenUp => {}
                Reading::Read => show_game(&game, &mut shown),
            }
        }
    }
    shown
}

/// Returns a listing of games without tags, because the output has more of them, and without numbers, because the output has no skipped games.
pub(crate) fn trees(games: &str) -> String {
    let is_tag = |line: &str| line.ends_with('"') && line.starts_with(|first: char| first.is_ascii_alphabetic());
    let lines = games.lines().filter(|line| !is_tag(line));
    let lines = lines.map(|line| if line.starts_with("-- game") { "-- game" } else { line });
    lines.collect::<Vec<_>>().join("\n")
}

fn show_game(game: &Game, shown: &mut String) {
    let _ = writeln!(shown, "-- game {}", game.number);
    for (name, value) in game.tags.iter() {
        let _ = writeln!(shown, "{} \"{}\"", text(name), text(value));
    }
    let _ = writeln!(shown, "result {}", game.result);
    for position in &game.positions {
        show_position(game, position, shown);
    }
}

fn show_position(game: &Game, position: &Position, shown: &mut String) {
    let before = match game.parent(position) {
        Some(before) if before.id + 1 != position.id => before.id.to_string(),
        _ => String::new(),
    };
    let mut played = Vec::new();
    write_move(&mut played, game, position);
    let line = format!(
        "{:<3} {before:>3}  {:<9} {}",
        position.id,
        text(&played),
        game.fen(position)
    );
    let _ = writeln!(shown, "{line}");
    let notes = &game.notes;
    let mut said = Vec::new();
    let before = notes.comments_before(position.id);
    said.extend(before.map(|comment| format!("before {{{}}}", text(comment))));
    said.extend(notes.nags(position.id).map(|nag| format!("${nag}")));
    said.extend(
        notes
            .comments(position.id)
            .map(|comment| format!("{{{}}}", text(comment))),
    );
    let unread = notes.unread_variations(position.id);
    said.extend(unread.map(|variation| format!("unread ({})", text(variation))));
    said.extend(notes.rest(position.id).map(|rest| format!("unread: {}", text(rest))));
    if !said.is_empty() {
        let _ = writeln!(shown, "         {}", said.join(" "));
    }
}
