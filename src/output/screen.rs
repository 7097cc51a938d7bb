//! What the formats for a screen share: names of games in a line, and cutting and colouring of text.

use std::borrow::Cow;
use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::caption::row_name;
use super::diagram::Drawing;
use super::facts::{GameFacts, next_position};
use super::text::text;
use crate::chess::Position;
use crate::eval::report::{GameReport, SortValue};
use crate::query::SortKey;
use crate::terminal::visible;

/// A screen on which people look at what was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Screen {
    /// Lines are cut or wrapped to this many columns. With `None`, they have any length.
    pub width: Option<usize>,
    /// How boards are drawn. Text has colours where boards have.
    pub drawing: Drawing,
}

/// The kind of a part of a line, which decides its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LinePart {
    /// Numbers of games and positions.
    Number,
    /// The players.
    Players,
    /// Less important text: the event, the next move.
    Plain,
    /// The move that led to a match.
    Move,
    /// A remark of the query.
    Remark,
}

impl LinePart {
    fn style(self) -> Style {
        match self {
            LinePart::Number => AnsiColor::Yellow.on_default(),
            LinePart::Players => Style::new().bold(),
            LinePart::Plain => Style::new(),
            LinePart::Move => AnsiColor::Green.on_default().bold(),
            LinePart::Remark => AnsiColor::Cyan.on_default(),
        }
    }
}

/// A line made of parts that keeps within a width.
pub(super) struct Line<'s> {
    screen: &'s Screen,
    text: String,
    /// The number of columns so far.
    columns: usize,
}

/// The width of the shortest text worth adding at the end of a line.
const WORTH_IT: usize = 4;

impl<'s> Line<'s> {
    pub(super) fn new(screen: &'s Screen) -> Line<'s> {
        Line {
            screen,
            text: String::new(),
            columns: 0,
        }
    }

    /// Returns how many columns are left.
    pub(super) fn room(&self) -> usize {
        self.screen.width.unwrap_or(usize::MAX).saturating_sub(self.columns)
    }

    /// Adds text, cut to the space left.
    pub(super) fn add(&mut self, part: LinePart, added: &str) {
        let added = cut(added, self.room());
        self.columns += added.width();
        let style = part.style();
        if self.screen.drawing.color && style != Style::new() && !added.is_empty() {
            // Writing to a string cannot fail.
            let _ = write!(self.text, "{style}{added}{style:#}");
        } else {
            self.text.push_str(&added);
        }
    }

    /// Adds text after two spaces, unless there is hardly any space left.
    pub(super) fn add_apart(&mut self, part: LinePart, added: &str) {
        if !added.is_empty() && self.room() >= 2 + added.width().min(WORTH_IT) {
            self.pad(self.columns + 2);
            self.add(part, added);
        }
    }

    /// Adds spaces up to a column.
    pub(super) fn pad(&mut self, column: usize) {
        let column = column.min(self.screen.width.unwrap_or(usize::MAX));
        while self.columns < column {
            self.text.push(' ');
            self.columns += 1;
        }
    }

    /// Appends the line to an output.
    pub(super) fn end(self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.text.trim_end().as_bytes());
        out.push(b'\n');
    }

    /// Returns the text so far.
    pub(super) fn into_text(self) -> String {
        self.text
    }
}

/// Wraps the words of a text to lines of at most this many columns. A longer word has a line of its own.
pub(super) fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.width() + 1 + word.width() <= columns => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Returns the text cut to at most this many columns. An ellipsis replaces what is cut off.
pub(super) fn cut(text: &str, columns: usize) -> Cow<'_, str> {
    if text.width() <= columns {
        return Cow::Borrowed(text);
    }
    let mut room = columns.saturating_sub(1);
    let mut short = String::new();
    for character in text.chars() {
        let width = character.width().unwrap_or(0);
        if width > room {
            break;
        }
        room -= width;
        short.push(character);
    }
    let end = short.trim_end().len();
    short.truncate(end);
    if columns > 0 {
        short.push('…');
    }
    Cow::Owned(short)
}

/// Decodes bytes of a game or a query as text in one line, without control characters for a terminal.
pub(super) fn in_one_line(bytes: &[u8]) -> String {
    let decoded = text(Cow::Borrowed(bytes));
    let words: Vec<_> = decoded.split_whitespace().collect();
    visible(&words.join(" ")).into_owned()
}

/// The name of a game.
pub(super) struct Caption {
    players: [String; 2],
    /// For a game without players and event: the FEN that it begins with, after the name of that position.
    position: Option<String>,
    /// The event, or the site if the event has no name.
    event: String,
    year: String,
}

impl Caption {
    pub(super) fn of(game: &dyn GameFacts) -> Caption {
        let tag = |name: &[u8]| {
            let value = game.tag(name).map(|value| in_one_line(&value));
            value.filter(|value| !value.trim_matches(['?', '-']).is_empty())
        };
        let year = tag(b"Date").and_then(|date| {
            let year = date.get(..4)?;
            year.bytes().all(|byte| byte.is_ascii_digit()).then(|| year.to_owned())
        });
        let players = [&b"White"[..], b"Black"].map(tag);
        let event = tag(b"Event").or_else(|| tag(b"Site"));
        let is_nameless = event.is_none() && players.iter().all(Option::is_none);
        Caption {
            position: if is_nameless { position(game) } else { None },
            players: players.map(|name| name.unwrap_or_else(|| "?".to_owned())),
            event: event.unwrap_or_default(),
            year: year.unwrap_or_default(),
        }
    }

    /// Returns the players, and the event and year after them, in this many columns. The event is dropped first, then the given names, then
    /// the year.
    pub(super) fn fitted(&self, columns: usize) -> (String, String) {
        if let Some(position) = &self.position {
            return (cut(position, columns).into_owned(), String::new());
        }
        let whole = self.players.join(" – ");
        let Some(room) = columns.checked_sub(whole.width()) else {
            return self.fitted_surnames(columns);
        };
        let when = match (&*self.event, &*self.year) {
            ("", "") => return (whole, String::new()),
            ("", year) => format!(", {year}"),
            (event, "") => format!(", {}", cut(event, room.saturating_sub(2))),
            // Many events have their years in their names.
            (event, year) if event.contains(year) && event.width() + 2 <= room => format!(", {event}"),
            (event, year) => format!(", {} {year}", cut(event, room.saturating_sub(3 + year.len()))),
        };
        let is_whole = when.contains(&self.event);
        if when.width() <= room && (is_whole || when.width() >= 2 + WORTH_EVENT) {
            return (whole, when);
        }
        let year = self.year_behind();
        match year.len() <= room {
            true => (whole, year),
            false => self.fitted_surnames(columns),
        }
    }

    /// Returns the text for the year after the players, which is empty if the year is not known.
    fn year_behind(&self) -> String {
        match &*self.year {
            "" => String::new(),
            year => format!(", {year}"),
        }
    }

    /// Returns surnames and year in this many columns. If they do not fit, returns only the surnames, cut if they must be.
    fn fitted_surnames(&self, columns: usize) -> (String, String) {
        let surnames = self
            .players
            .each_ref()
            .map(|name| name.split(',').next().unwrap_or(name));
        let year = self.year_behind();
        if surnames.join(" – ").width() + year.len() <= columns {
            return (surnames.join(" – "), year);
        }
        (cut_names(surnames, columns), String::new())
    }
}

/// Returns the FEN that a game begins with, after the name of the position, unless it is the usual start.
fn position(game: &dyn GameFacts) -> Option<String> {
    let fen = in_one_line(&game.value(b"FEN")?);
    Some(match row_name(game) {
        Some(name) => format!("{}, {fen}", in_one_line(name.as_bytes())),
        None => fen,
    })
}

/// Returns two names in this many columns. A short name leaves its space to the other.
fn cut_names(names: [&str; 2], columns: usize) -> String {
    let room = columns.saturating_sub(3);
    let widths = names.map(UnicodeWidthStr::width);
    let first = cut(names[0], (room / 2).max(room.saturating_sub(widths[1])));
    let second = cut(names[1], room.saturating_sub(first.width()));
    format!("{first} – {second}")
}

/// An event that would be cut shorter than this is left out in favour of its year.
const WORTH_EVENT: usize = 15;

/// The move that led to a position, and what comes next: a move or the result.
pub(super) struct Moves {
    pub(super) arrival: String,
    pub(super) next: String,
}

impl Moves {
    pub(super) fn at(game: &dyn GameFacts, position: &Position) -> Moves {
        let mut arrival = Vec::new();
        game.write_move(position, &mut arrival);
        let mut next = Vec::new();
        match next_position(game, position) {
            Some(child) if position.turn.is_white() || arrival.is_empty() => game.write_move(child, &mut next),
            Some(child) => game.write_san(child, &mut next),
            None if position.depth == 0 => next.extend(game.tag(b"Result").iter().flat_map(|result| result.iter())),
            None => {}
        }
        let arrival = match arrival.is_empty() {
            true => "start".to_owned(),
            false => in_one_line(&arrival),
        };
        Moves {
            arrival,
            next: in_one_line(&next),
        }
    }

    pub(super) fn add_to(&self, line: &mut Line<'_>) {
        line.add(LinePart::Move, &self.arrival);
        if self.next.width() < line.room() {
            line.add(LinePart::Plain, " ");
            line.add(LinePart::Plain, &self.next);
        }
    }
}

/// Returns the query's remarks on a position, in one line.
pub(super) fn remarks(game: &dyn GameFacts, report: &GameReport, position: &Position) -> String {
    let mut said: Vec<String> = Vec::new();
    for text in super::remarks(game, report, position) {
        let text = in_one_line(text);
        if !text.is_empty() && !said.contains(&text) {
            said.push(text);
        }
    }
    said.join("; ")
}

/// Returns the titles of the sort keys, each `None` if it is not shown.
pub(super) fn titles(keys: &[SortKey]) -> Vec<Option<String>> {
    let title = |key: &SortKey| (!key.quiet).then(|| in_one_line(&key.title));
    keys.iter().map(title).collect()
}

/// Returns the values by which the query sorts a game, with their titles.
pub(super) fn sort_values(titles: &[Option<String>], report: &GameReport) -> String {
    let known = titles.iter().zip(&report.keys).filter_map(|(title, value)| {
        let value = match value.as_ref()? {
            SortValue::Number(number) => number.to_string(),
            SortValue::Text(bytes) => in_one_line(bytes),
        };
        let title = title.as_ref()?;
        Some(if title.is_empty() {
            value
        } else {
            format!("{title}: {value}")
        })
    });
    known.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caption(players: [&str; 2], event: &str, year: &str) -> Caption {
        Caption {
            position: None,
            players: players.map(str::to_owned),
            event: event.to_owned(),
            year: year.to_owned(),
        }
    }

    #[test]
    fn a_caption_gives_up_the_event_then_given_names_then_ends_of_names() {
        let caption = caption(
            ["Vachier-Lagrave,Maxime", "Kasimdzhanov,Rustam"],
            "World Cup in Tbilisi",
            "2017",
        );
        for (columns, expected) in [
            (
                80,
                "Vachier-Lagrave,Maxime – Kasimdzhanov,Rustam, World Cup in Tbilisi 2017",
            ),
            (64, "Vachier-Lagrave,Maxime – Kasimdzhanov,Rustam, World Cup in… 2017"),
            (55, "Vachier-Lagrave,Maxime – Kasimdzhanov,Rustam, 2017"),
            (45, "Vachier-Lagrave – Kasimdzhanov, 2017"),
            (36, "Vachier-Lagrave – Kasimdzhanov, 2017"),
            (30, "Vachier-Lagrave – Kasimdzhanov"),
            (21, "Vachier-… – Kasimdzh…"),
        ] {
            let (players, when) = caption.fitted(columns);
            let found = players + &when;
            assert_eq!(found, expected);
            assert!(found.width() <= columns, "{found}");
        }
    }

    #[test]
    fn an_event_that_has_no_room_leaves_the_year_alone() {
        let caption = caption(["Legall de Kermeur", "Saint Brie"], "Casual game", "1750");
        for (columns, expected) in [
            (60, "Legall de Kermeur – Saint Brie, Casual game 1750"),
            (47, "Legall de Kermeur – Saint Brie, Casual ga… 1750"),
            (46, "Legall de Kermeur – Saint Brie, 1750"),
            (37, "Legall de Kermeur – Saint Brie, 1750"),
            (36, "Legall de Kermeur – Saint Brie, 1750"),
            (35, "Legall de Kermeur – Saint Brie"),
            (30, "Legall de Kermeur – Saint Brie"),
        ] {
            let (players, when) = caption.fitted(columns);
            assert_eq!(players + &when, expected, "{columns} columns");
        }
    }

    #[test]
    fn a_cut_text_keeps_within_its_columns() {
        for columns in 0..12 {
            assert!(cut("王 wide, and so on", columns).width() <= columns);
        }
        assert_eq!(cut("as it is", 8), "as it is");
        assert_eq!(cut("as it was", 6), "as it…");
    }

    #[test]
    fn a_game_cannot_command_the_screen() {
        assert_eq!(in_one_line(b" a\tb\n \x1b[2Jc "), "a b \\x1b[2Jc");
    }
}
