//! Lays out blocks of the guide as text for a terminal.

use std::iter;

use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthStr;

use crate::cli::options::formats::terminal_width;
use crate::guide::markdown::{Block, Piece, Text};
use crate::guide::{Everyday, Row};

/// The largest width of running text, however wide the terminal is. Long lines are hard to read.
const WIDEST: usize = 100;
/// The smallest width of lines, however narrow the terminal is.
const NARROWEST: usize = 40;
/// The width of the gap between columns.
const GAP: usize = 2;

/// A page that is being written.
pub(crate) struct Page {
    width: usize,
    styles: Option<Styles>,
    text: String,
}

struct Styles {
    heading: Style,
    code: Style,
    strong: Style,
    quiet: Style,
}

impl Styles {
    fn new() -> Styles {
        Styles {
            heading: Style::new().bold().underline(),
            code: AnsiColor::Cyan.on_default(),
            strong: Style::new().bold(),
            quiet: Style::new().dimmed(),
        }
    }
}

/// The kind of a fragment.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Plain,
    Code,
    Strong,
}

/// Fragments without a space between them. No line is broken there.
type Word = Vec<(Kind, String)>;

/// Returns the width of running text. It is the width of the terminal, if there is one, within the limits.
pub(crate) fn text_width() -> usize {
    terminal_width().unwrap_or(WIDEST).clamp(NARROWEST, WIDEST)
}

/// Breaks lines at spaces so that they are at most `width` wide, where possible. Continuation lines are indented a little more.
pub(crate) fn folded(text: &str, width: usize) -> String {
    const FURTHER: &str = "  ";
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (content, end) = line.strip_suffix('\n').map_or((line, ""), |content| (content, "\n"));
        let indent = &content[..content.len() - content.trim_start().len()];
        let mut length = indent.width();
        out.push_str(indent);
        for (place, word) in content.trim_start().split(' ').enumerate() {
            if place > 0 && length + 1 + word.width() > width && !word.is_empty() {
                out.truncate(out.trim_end_matches(' ').len());
                out.extend(["\n", indent, FURTHER]);
                length = indent.width() + FURTHER.len();
            } else if place > 0 {
                out.push(' ');
                length += 1;
            }
            out.push_str(word);
            length += word.width();
        }
        out.push_str(end);
    }
    out
}

impl Page {
    /// Creates an empty page with lines of this width.
    pub(crate) fn new(width: usize, color: bool) -> Page {
        Page {
            width: width.max(NARROWEST),
            styles: color.then(Styles::new),
            text: String::new(),
        }
    }

    /// Returns the text.
    pub(crate) fn finish(self) -> String {
        self.text
    }

    /// Writes a title, after a blank line unless it is the first.
    pub(super) fn heading(&mut self, title: &str) {
        self.separate();
        match &self.styles {
            Some(styles) => self.text += &styled(styles.heading, title),
            None => {
                self.text += title;
                self.text.push('\n');
                self.text += &"=".repeat(title.width());
            }
        }
        self.text.push('\n');
    }

    /// Writes the short meaning of a word: its rows, each with its section if that is another one.
    pub(super) fn short(&mut self, word: &str, rows: &[(&Row, Option<&str>)]) {
        self.heading(word);
        let rows: Vec<Vec<Vec<Word>>> = rows
            .iter()
            .map(|(row, elsewhere)| {
                let mut meaning = self.words(&row.meaning, true);
                if let Some(title) = elsewhere {
                    meaning.extend(self.words(&Text(vec![Piece::Plain(format!("[{title}]"))]), true));
                }
                vec![self.words(&row.syntax, false), meaning]
            })
            .collect();
        self.columns(&rows);
    }

    /// Writes words and their meanings in two columns.
    pub(crate) fn list<'a>(&mut self, words: impl Iterator<Item = (&'a str, Option<Text>)>) {
        let rows: Vec<Vec<Vec<Word>>> = words
            .map(|(word, meaning)| {
                let word = vec![vec![(Kind::Code, word.to_owned())]];
                vec![
                    word,
                    meaning.map_or_else(Vec::new, |meaning| self.words(&meaning, true)),
                ]
            })
            .collect();
        self.columns(&rows);
    }

    /// Writes an everyday word: how a query expresses it, an example, and what the filters in it mean.
    pub(super) fn everyday(&mut self, word: &Everyday) {
        self.heading(&word.names.join(", "));
        for line in wrapped(&self.words(&word.meaning, true), self.width) {
            self.line(&line);
        }
        self.code("cql", &word.example);
        let filters = word.filters();
        if !filters.is_empty() {
            self.separate();
            self.list(filters.iter().map(|topic| (&*topic.word, topic.summary())));
        }
        self.separate();
        let name = &word.names[0];
        let line =
            format!("More: `skewer library --find '{name}'` finds queries, `skewer help FILTER` explains a filter");
        for line in wrapped(
            &self.words(&Text(vec![Piece::Plain(line.replace('`', ""))]), false),
            self.width,
        ) {
            self.line(&line);
        }
    }

    /// Writes where the text comes from.
    pub(super) fn source(&mut self, file: &str) {
        self.separate();
        let line = format!("From docs/guide/{file}");
        match &self.styles {
            Some(styles) => self.text += &styled(styles.quiet, &line),
            None => self.text += &line,
        }
        self.text.push('\n');
    }

    /// Writes a block of the guide.
    pub(super) fn block(&mut self, block: &Block) {
        match block {
            Block::Heading(title) => self.heading(&title.to_string()),
            Block::Paragraph(text) => {
                self.separate();
                let words = self.words(text, true);
                for line in wrapped(&words, self.width) {
                    self.line(&line);
                }
            }
            Block::Code { language, text } => self.code(language, text),
            Block::Table { head, rows } => {
                self.separate();
                let head = head.iter().any(|cell| !cell.0.is_empty()).then_some(head);
                let cells = head.into_iter().chain(rows).map(|row| {
                    let row = row.iter().enumerate();
                    row.map(|(index, cell)| self.words(cell, index > 0)).collect()
                });
                let cells: Vec<Vec<Vec<Word>>> = cells.collect();
                self.columns(&cells);
            }
        }
    }

    fn separate(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// Writes a fenced block. The output of commands is less prominent than the commands.
    fn code(&mut self, language: &str, text: &str) {
        self.separate();
        for line in text.lines() {
            self.text += "    ";
            match &self.styles {
                Some(styles) if language == "text" => self.text += &styled(styles.quiet, line),
                _ => self.text += line,
            }
            self.text.push('\n');
        }
    }

    /// Writes a table. All columns except the last are as wide as they need, up to a part of the page; the last one takes the rest.
    fn columns(&mut self, rows: &[Vec<Vec<Word>>]) {
        let count = rows.iter().map(Vec::len).max().unwrap_or(0);
        let limit = self.width / 5 * 2;
        let natural = |column: usize| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| line_width(cell)).max().unwrap_or(0)
        };
        let mut widths: Vec<usize> = (0..count.saturating_sub(1))
            .map(|column| natural(column).min(limit))
            .collect();
        let taken: usize = widths.iter().map(|width| width + GAP).sum();
        widths.push(self.width.saturating_sub(taken + GAP).max(NARROWEST / 2));
        for row in rows {
            self.row(row, &widths);
        }
    }

    fn row(&mut self, row: &[Vec<Word>], widths: &[usize]) {
        let cells: Vec<Vec<Vec<Word>>> = iter::zip(row, widths)
            .map(|(cell, &width)| wrapped(cell, width))
            .collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        for at in 0..height {
            let mut line = " ".repeat(GAP);
            let mut due = 0;
            for (lines, width) in iter::zip(&cells, widths) {
                if let Some(words) = lines.get(at).filter(|words| !words.is_empty()) {
                    line += &" ".repeat(due);
                    line += &self.rendered(words);
                    due = width.saturating_sub(line_width(words)) + GAP;
                } else {
                    due += width + GAP;
                }
            }
            self.text += line.trim_end();
            self.text.push('\n');
        }
    }

    fn line(&mut self, words: &[Word]) {
        self.text += &self.rendered(words);
        self.text.push('\n');
    }

    fn rendered(&self, words: &[Word]) -> String {
        let words: Vec<String> = words.iter().map(|word| self.word(word)).collect();
        words.join(" ")
    }

    fn word(&self, word: &Word) -> String {
        let Some(styles) = &self.styles else {
            return word.iter().map(|(_, text)| text.as_str()).collect();
        };
        let fragments = word.iter().map(|(kind, text)| match kind {
            Kind::Plain => text.clone(),
            Kind::Code => styled(styles.code, text),
            Kind::Strong => styled(styles.strong, text),
        });
        fragments.collect()
    }

    /// Splits text into words. If there are no colours, code is `quoted` in running text.
    fn words(&self, text: &Text, quoted: bool) -> Vec<Word> {
        let mut words: Vec<Word> = Vec::new();
        let mut glued = false;
        for piece in &text.0 {
            match piece {
                Piece::Code(code) if quoted && self.styles.is_none() => {
                    push(&mut words, &mut glued, Kind::Code, &format!("`{code}`"));
                }
                Piece::Code(code) => push(&mut words, &mut glued, Kind::Code, code),
                Piece::Plain(plain) => split(&mut words, &mut glued, Kind::Plain, plain),
                Piece::Strong(strong) => split(&mut words, &mut glued, Kind::Strong, strong),
            }
        }
        words
    }
}

/// Adds an unbreakable fragment, to the last word if nothing separates them.
fn push(words: &mut Vec<Word>, glued: &mut bool, kind: Kind, text: &str) {
    let fragment = (kind, text.to_owned());
    match words.last_mut() {
        Some(last) if *glued => last.push(fragment),
        _ => words.push(vec![fragment]),
    }
    *glued = true;
}

/// Adds words with spaces between them.
fn split(words: &mut Vec<Word>, glued: &mut bool, kind: Kind, text: &str) {
    *glued &= !text.starts_with(char::is_whitespace);
    for word in text.split_whitespace() {
        push(words, glued, kind, word);
        *glued = false;
    }
    *glued = !text.ends_with(char::is_whitespace) && !text.is_empty();
}

fn word_width(word: &Word) -> usize {
    word.iter().map(|(_, text)| text.width()).sum()
}

/// Returns the width of words in a line, with spaces between them.
fn line_width(words: &[Word]) -> usize {
    words.iter().map(word_width).sum::<usize>() + words.len().saturating_sub(1)
}

/// Breaks words into lines of at most the width, where possible.
fn wrapped(words: &[Word], width: usize) -> Vec<Vec<Word>> {
    let mut lines: Vec<Vec<Word>> = vec![Vec::new()];
    let mut used = 0;
    for word in words.iter().flat_map(|word| shortened(word, width)) {
        let length = word_width(&word);
        if used > 0 && used + 1 + length > width {
            lines.push(Vec::new());
            used = 0;
        }
        used += length + usize::from(used > 0);
        if let Some(line) = lines.last_mut() {
            line.push(word);
        }
    }
    lines
}

/// Breaks a word at the spaces of its code if it is too long.
fn shortened(word: &Word, width: usize) -> Vec<Word> {
    if word_width(word) <= width {
        return vec![word.clone()];
    }
    let mut words = Vec::new();
    let mut glued = false;
    for (kind, text) in word {
        split(&mut words, &mut glued, *kind, text);
    }
    words
}

fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guide::markdown::blocks;

    fn page(markdown: &str, width: usize, color: bool) -> String {
        let mut page = Page::new(width, color);
        blocks(markdown).iter().for_each(|block| page.block(block));
        page.finish()
    }

    #[test]
    fn paragraphs_are_wrapped_between_words() {
        let text = page(
            "One `two three`, four five (`six`) seven eight nine ten eleven twelve.",
            40,
            false,
        );
        assert_eq!(
            text,
            "One `two three`, four five (`six`) seven\neight nine ten eleven twelve.\n"
        );
    }

    #[test]
    fn tables_are_aligned_by_the_width_of_characters() {
        let text = page("| a | b |\n|---|---|\n| `♖→♔`, `x` | one |\n| `y` | two |\n", 60, false);
        assert_eq!(text, "  a       b\n  ♖→♔, x  one\n  y       two\n");
    }

    #[test]
    fn long_cells_are_continued_below() {
        let text = page(
            "| a | b |\n|---|---|\n| `f` | one two three four five six seven eight nine ten |\n",
            40,
            false,
        );
        assert_eq!(
            text,
            "  a  b\n  f  one two three four five six seven\n     eight nine ten\n"
        );
    }

    #[test]
    fn colours_take_the_place_of_quotes() {
        let text = page("Say `f` or **g**.", 60, true);
        assert_eq!(text, "Say \u{1b}[36mf\u{1b}[0m or \u{1b}[1mg\u{1b}[0m.\n");
    }

    #[test]
    fn examples_are_indented_and_what_they_print_is_quieter() {
        let markdown = "# T\n\nx\n\n```sh\na\n```\n\n```text\nb\n```\n";
        assert_eq!(page(markdown, 60, false), "T\n=\n\nx\n\n    a\n\n    b\n");
        let coloured = page(markdown, 60, true);
        assert!(
            coloured.ends_with("x\n\n    a\n\n    \u{1b}[2mb\u{1b}[0m\n"),
            "{coloured:?}"
        );
    }
}
