//! The subset of Markdown that the guide uses, as blocks that can be shown in other ways.

use std::fmt;
use std::mem;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// A part of a page between blank lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Block {
    /// A heading of any level.
    Heading(Text),
    /// Running text, in which line ends are spaces. An item of a list begins with a dash.
    Paragraph(Text),
    /// A fenced block.
    Code {
        /// The text after the fence.
        language: String,
        /// The lines, each with its line end.
        text: String,
    },
    /// A table.
    Table {
        /// The cells of the head.
        head: Vec<Text>,
        /// The cells of each row.
        rows: Vec<Vec<Text>>,
    },
}

/// Running text in pieces. Its [`fmt::Display`] form is only the words.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Text(pub Vec<Piece>);

/// Text of one style. Links are reduced to their words, because the pages of the guide cannot be followed where it is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    /// Plain.
    Plain(String),
    /// In backquotes.
    Code(String),
    /// Emphasised.
    Strong(String),
}

impl Piece {
    /// Returns the words.
    pub fn text(&self) -> &str {
        match self {
            Piece::Plain(text) | Piece::Code(text) | Piece::Strong(text) => text,
        }
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|piece| f.write_str(piece.text()))
    }
}

/// Splits a page into its blocks.
pub fn blocks(page: &str) -> Vec<Block> {
    let mut reader = Reader::default();
    Parser::new_ext(page, Options::ENABLE_TABLES).for_each(|event| reader.take(event));
    reader.blocks
}

#[derive(Default)]
struct Reader {
    blocks: Vec<Block>,
    text: Vec<Piece>,
    strong: bool,
    /// The language of the current fenced block.
    code: Option<String>,
    cells: Vec<Text>,
    rows: Vec<Vec<Text>>,
}

impl Reader {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(Tag::Strong | Tag::Emphasis) => self.strong = true,
            Event::End(TagEnd::Strong | TagEnd::Emphasis) => self.strong = false,
            Event::Start(Tag::Item) => self.words("- "),
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => self.code = Some(language.to_string()),
            Event::Text(text) => self.words(&text),
            Event::Code(code) => self.text.push(Piece::Code(code.to_string())),
            Event::SoftBreak | Event::HardBreak => self.words(" "),
            Event::End(end) => self.end(end),
            _ => {}
        }
    }

    /// Adds plain or emphasised words. Pieces from the parser are joined.
    fn words(&mut self, words: &str) {
        match self.text.last_mut() {
            Some(Piece::Plain(text)) if !self.strong => text.push_str(words),
            Some(Piece::Strong(text)) if self.strong => text.push_str(words),
            _ if self.strong => self.text.push(Piece::Strong(words.to_owned())),
            _ => self.text.push(Piece::Plain(words.to_owned())),
        }
    }

    fn end(&mut self, end: TagEnd) {
        match end {
            TagEnd::Heading(_) => {
                let heading = self.text();
                self.blocks.push(Block::Heading(heading));
            }
            TagEnd::Paragraph => self.paragraph(),
            // The text of an item may be a paragraph itself.
            TagEnd::Item if !self.text.is_empty() => self.paragraph(),
            TagEnd::CodeBlock => {
                let text = self.text().to_string();
                let language = self.code.take().unwrap_or_default();
                self.blocks.push(Block::Code { language, text });
            }
            TagEnd::TableCell => {
                let cell = self.text();
                self.cells.push(cell);
            }
            TagEnd::TableHead | TagEnd::TableRow => self.rows.push(mem::take(&mut self.cells)),
            TagEnd::Table => {
                let mut rows = mem::take(&mut self.rows).into_iter();
                let head = rows.next().unwrap_or_default();
                let rows = rows.collect();
                self.blocks.push(Block::Table { head, rows });
            }
            _ => {}
        }
    }

    fn paragraph(&mut self) {
        let paragraph = self.text();
        self.blocks.push(Block::Paragraph(paragraph));
    }

    fn text(&mut self) -> Text {
        Text(mem::take(&mut self.text))
    }
}

impl Text {
    /// Returns the text as Markdown.
    pub fn to_markdown(&self) -> String {
        let pieces = self.0.iter().map(|piece| match piece {
            Piece::Plain(text) => escaped(text),
            Piece::Code(text) => format!("`{text}`"),
            Piece::Strong(text) => format!("**{}**", escaped(text)),
        });
        pieces.collect()
    }
}

/// Escapes plain words so that nothing in them has a meaning in Markdown.
fn escaped(text: &str) -> String {
    let mut markdown = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(
            character,
            '\\' | '*' | '_' | '`' | '[' | ']' | '<' | '>' | '#' | '|' | '~'
        ) {
            markdown.push('\\');
        }
        markdown.push(character);
    }
    markdown
}

impl Block {
    /// Returns the block as Markdown, without a line end.
    pub fn to_markdown(&self) -> String {
        match self {
            Block::Heading(text) => format!("### {}", text.to_markdown()),
            Block::Paragraph(text) => text.to_markdown(),
            Block::Code { language, text } => format!("```{language}\n{text}```"),
            Block::Table { head, rows } => {
                let rule = vec!["---"; head.len()].join("|");
                let rows: Vec<String> = rows.iter().map(|row| table_row(row)).collect();
                format!("{}\n|{rule}|\n{}", table_row(head), rows.join("\n"))
            }
        }
    }
}

fn table_row(cells: &[Text]) -> String {
    let cells: Vec<String> = cells
        .iter()
        .map(|cell| cell.to_markdown().replace("\\|", "|").replace('|', "\\|"))
        .collect();
    format!("| {} |", cells.join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# A `b`\n\nOne [two](x.md)\nthree *four* <`x`> `y`.\n\n| a | |\n|---|---|\n| `p \\| q`, `r` | s \\| t |\n\n```cql\nR | K\n\n```\n";

    #[test]
    fn a_page_is_cut_into_blocks() {
        let blocks = blocks(PAGE);
        assert_eq!(blocks.len(), 4);
        assert_eq!(
            blocks[0],
            Block::Heading(Text(vec![Piece::Plain("A ".into()), Piece::Code("b".into())]))
        );
        let Block::Paragraph(text) = &blocks[1] else {
            panic!("no paragraph")
        };
        assert_eq!(text.to_string(), "One two three four <x> y.");
        assert!(text.0.contains(&Piece::Strong("four".into())));
        let Block::Table { head, rows } = &blocks[2] else {
            panic!("no table")
        };
        assert_eq!(head.len(), 2);
        assert_eq!(rows[0][0].to_string(), "p | q, r");
        let code = Block::Code {
            language: "cql".into(),
            text: "R | K\n\n".into(),
        };
        assert_eq!(blocks[3], code);
    }

    #[test]
    fn each_item_of_a_list_is_a_paragraph() {
        let blocks = blocks("- **One.** Two\n  lines.\n- `x`\n\n## A heading\n");
        let shown: Vec<String> = blocks.iter().map(Block::to_markdown).collect();
        assert_eq!(shown, ["- **One.** Two lines.", "- `x`", "### A heading"]);
    }

    #[test]
    fn blocks_written_as_markdown_are_read_again() {
        let first = blocks(&format!("{PAGE}\n- a list\n- of *two*\n"));
        let written: Vec<String> = first.iter().map(Block::to_markdown).collect();
        assert_eq!(blocks(&written.join("\n\n")), first);
    }
}
