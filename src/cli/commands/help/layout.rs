//! Lays out blocks of the guide as text for a terminal.

use std::iter;

use anstyle::{AnsiColor, Style};
use textwrap::core::display_width;
use textwrap::{Options, WordSplitter, fill, wrap};

use crate::cli::options::formats::terminal_width;
use crate::guide::markdown::{Block, Piece, Text};
use crate::guide::{Everyday, Row};

/// The largest width of running text, however wide the terminal is. Long lines are hard to read.
const WIDEST: usize = 100;
/// The smallest width of lines, however narrow the terminal is.
const NARROWEST: usize = 40;
/// The width of the gap between columns.
const GAP: usize = 2;
/// A space at which no line is broken.
const NO_BREAK: &str = "\u{a0}";

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

/// The text of a cell, and whether code in it is quoted where there are no colours.
type Cell = (Text, bool);

/// Returns the width of running text. It is the width of the terminal, if there is one, within the limits.
pub(crate) fn text_width() -> usize {
    terminal_width().unwrap_or(WIDEST).clamp(NARROWEST, WIDEST)
}

/// Lines are broken at spaces alone, where possible.
fn at_spaces<'o>(width: usize) -> Options<'o> {
    Options::new(width)
        .break_words(false)
        .word_splitter(WordSplitter::NoHyphenation)
}

/// Breaks lines at spaces so that they are at most `width` wide, where possible. Continuation lines are indented a little more.
pub(crate) fn folded(text: &str, width: usize) -> String {
    let lines = text.lines().map(|line| {
        let content = line.trim_start();
        let indent = &line[..line.len() - content.len()];
        let further = format!("{indent}  ");
        let options = at_spaces(width).initial_indent(indent).subsequent_indent(&further);
        fill(content, options) + "\n"
    });
    lines.collect()
}

/// Breaks a text into lines of at most the width, where possible.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let lines = wrap(text.trim(), at_spaces(width)).into_iter();
    lines.map(|line| line.replace(NO_BREAK, " ")).collect()
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
        self.line(&self.styled(|styles| styles.heading, title));
        if self.styles.is_none() {
            self.line(&"=".repeat(display_width(title)));
        }
    }

    /// Writes the short meaning of a word: its rows, each with its section if that is another one.
    pub(super) fn short(&mut self, word: &str, rows: &[(&Row, Option<&str>)]) {
        self.heading(word);
        let rows = rows.iter().map(|(row, elsewhere)| {
            let mut meaning = row.meaning.clone();
            let title = elsewhere.map(|title| Piece::Plain(format!(" [{title}]")));
            meaning.0.extend(title);
            vec![(row.syntax.clone(), false), (meaning, true)]
        });
        self.columns(&rows.collect::<Vec<_>>());
    }

    /// Writes words and their meanings in two columns.
    pub(crate) fn list<'a>(&mut self, words: impl Iterator<Item = (&'a str, Option<Text>)>) {
        let rows = words.map(|(word, meaning)| {
            let word = Text(vec![Piece::Code(word.to_owned())]);
            vec![(word, false), (meaning.unwrap_or_default(), true)]
        });
        self.columns(&rows.collect::<Vec<_>>());
    }

    /// Writes an everyday word: how a query expresses it, an example, and what the filters in it mean.
    pub(super) fn everyday(&mut self, word: &Everyday) {
        self.heading(&word.names.join(", "));
        self.running(&word.meaning);
        self.code("cql", &word.example);
        let filters = word.filters();
        if !filters.is_empty() {
            self.separate();
            self.list(filters.iter().map(|topic| (&*topic.word, topic.summary())));
        }
        self.separate();
        let name = &word.names[0];
        let more = format!("More: skewer library --find '{name}' finds queries, skewer help FILTER explains a filter");
        self.running(&Text(vec![Piece::Plain(more)]));
    }

    /// Writes where the text comes from.
    pub(super) fn source(&mut self, file: &str) {
        self.separate();
        self.line(&self.styled(|styles| styles.quiet, &format!("From docs/guide/{file}")));
    }

    /// Writes a block of the guide.
    pub(super) fn block(&mut self, block: &Block) {
        match block {
            Block::Heading(title) => self.heading(&title.to_string()),
            Block::Paragraph(text) => {
                self.separate();
                self.running(text);
            }
            Block::Code { language, text } => self.code(language, text),
            Block::Table { head, rows } => {
                self.separate();
                let head = head.iter().any(|cell| !cell.0.is_empty()).then_some(head);
                let rows = head.into_iter().chain(rows).map(|row| {
                    let cells = row.iter().enumerate();
                    cells.map(|(index, cell)| (cell.clone(), index > 0)).collect()
                });
                self.columns(&rows.collect::<Vec<_>>());
            }
        }
    }

    fn separate(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    fn line(&mut self, line: &str) {
        self.text += line.trim_end();
        self.text.push('\n');
    }

    /// Writes running text.
    fn running(&mut self, text: &Text) {
        let shown = self.shown(text, true, self.width);
        wrapped(&shown, self.width).iter().for_each(|line| self.line(line));
    }

    /// Writes a fenced block. The output of commands is less prominent than the commands.
    fn code(&mut self, language: &str, text: &str) {
        self.separate();
        for line in text.lines() {
            let shown = match language {
                "text" => self.styled(|styles| styles.quiet, line),
                _ => line.to_owned(),
            };
            self.line(&format!("    {shown}"));
        }
    }

    /// Writes a table. All columns except the last are as wide as they need, up to a part of the page; the last one takes the rest.
    fn columns(&mut self, rows: &[Vec<Cell>]) {
        let count = rows.iter().map(Vec::len).max().unwrap_or(0);
        let limit = self.width / 5 * 2;
        let natural = |column: usize| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            let widths = cells.map(|(text, quoted)| display_width(&self.shown(text, *quoted, usize::MAX)));
            widths.max().unwrap_or(0)
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

    fn row(&mut self, row: &[Cell], widths: &[usize]) {
        let cells = iter::zip(row, widths);
        let cells = cells.map(|((text, quoted), &width)| wrapped(&self.shown(text, *quoted, width), width));
        let cells: Vec<Vec<String>> = cells.collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        for at in 0..height {
            let mut line = " ".repeat(GAP);
            let mut due = 0;
            for (lines, width) in iter::zip(&cells, widths) {
                let text = lines.get(at).map_or("", String::as_str);
                if text.is_empty() {
                    due += width + GAP;
                } else {
                    line += &" ".repeat(due);
                    line += text;
                    due = width.saturating_sub(display_width(text)) + GAP;
                }
            }
            self.line(&line);
        }
    }

    /// Returns a text with its styles. If there are no colours, code is `quoted` in running text. Code that is not wider than a line is not
    /// broken.
    fn shown(&self, text: &Text, quoted: bool, width: usize) -> String {
        let of_words = |style: fn(&Styles) -> Style, text: &str| {
            let words: Vec<String> = text.split(' ').map(|word| self.styled(style, word)).collect();
            words.join(" ")
        };
        let pieces = text.0.iter().map(|piece| match piece {
            Piece::Plain(plain) => plain.clone(),
            Piece::Strong(strong) => of_words(|styles| styles.strong, strong),
            Piece::Code(code) => {
                let code = match quoted && self.styles.is_none() {
                    true => format!("`{code}`"),
                    false => code.clone(),
                };
                match display_width(&code) <= width {
                    true => self.styled(|styles| styles.code, &code.replace(' ', NO_BREAK)),
                    false => of_words(|styles| styles.code, &code),
                }
            }
        });
        pieces.collect()
    }

    fn styled(&self, style: fn(&Styles) -> Style, text: &str) -> String {
        match &self.styles {
            Some(styles) if !text.is_empty() => {
                let style = style(styles);
                format!("{style}{text}{style:#}")
            }
            _ => text.to_owned(),
        }
    }
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
