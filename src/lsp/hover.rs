//! Help for the word under the mouse.

use gen_lsp_types::{Contents, Hover, MarkupContent, MarkupKind, Position};

use crate::guide::markdown::Block;
use crate::guide::{self, Topic};
use crate::syntax::token::{Span, TokenKind};

use super::document::Document;
use super::example_help;
use super::themes;
use crate::query::declarations::{Declaration, Kind};

/// The number of lines after which a function is cut off.
const MOST_LINES: usize = 30;

/// Returns help for a position: the text of the guide for a word of the language, the type of a variable, the definition of a function.
pub(super) fn hover(document: &Document, position: Position) -> Option<Hover> {
    let offset = document.offset(position);
    if let Some((text, span)) = example_help::hover(document, offset) {
        return Some(Hover {
            contents: Contents::from(markdown(text)),
            range: Some(document.range(span)),
        });
    }
    if let Some(name) = themes::name_at(document, offset) {
        return Some(Hover {
            contents: Contents::from(markdown(themes::about(document, &name)?)),
            range: Some(document.range(name.span)),
        });
    }
    let token = document.tokens_at(offset).next()?;
    let text = match &token.kind {
        TokenKind::Name(name) => {
            about_name(document, name, token.span).or_else(|| Some(about_topic(&about_word(document, name)?)))?
        }
        kind => about_topic(&guide::topic_of(kind, document.source().slice(token.span))?),
    };
    Some(Hover {
        contents: Contents::from(markdown(text)),
        range: Some(document.range(token.span)),
    })
}

/// Returns text as Markdown.
pub(super) fn markdown(value: String) -> MarkupContent {
    MarkupContent {
        kind: MarkupKind::Markdown,
        value,
    }
}

fn about_name(document: &Document, name: &str, place: Span) -> Option<String> {
    let declared = document.names().declaration(name, place);
    match declared {
        Some(declaration) => Some(about(document, declaration)),
        None => document.kind(name).map(|kind| format!("`{name}`: {kind}")),
    }
}

/// Returns what the guide says about a name that the text does not declare.
fn about_word(document: &Document, name: &str) -> Option<Topic> {
    let is_known = document.has_prelude() || document.beyond_word(name).is_some();
    guide::topic(name).filter(|_| is_known)
}

fn about(document: &Document, declaration: &Declaration) -> String {
    let name = &declaration.name;
    let code = match declaration.kind {
        Kind::Function => document.source().slice(declaration.whole),
        _ => document.lines_of(declaration.span),
    };
    format!("`{name}`: {}\n\n{}", kind(document, declaration), fenced(code))
}

/// Returns what a declaration declares, according to the compiler or else to its form.
pub(super) fn kind(document: &Document, declaration: &Declaration) -> &'static str {
    let known = match declaration.kind {
        Kind::Assignment | Kind::Loop => document.kind(&declaration.name),
        _ => None,
    };
    known.unwrap_or_else(|| declaration.kind.described())
}

fn fenced(code: &str) -> String {
    let lines: Vec<&str> = code.lines().collect();
    let shown = lines.get(..MOST_LINES).unwrap_or(&lines).join("\n");
    let more = if lines.len() > MOST_LINES { "\n…" } else { "" };
    format!("```cql\n{shown}{more}\n```")
}

/// Returns the rows about the word, or the beginning of its section, with a link to more.
pub(super) fn about_topic(topic: &Topic) -> String {
    let mut text = topic.markdown_rows();
    if text.is_empty() {
        text = topic.section.blocks.first().map(Block::to_markdown).unwrap_or_default() + "\n";
    }
    format!("{text}\n{}", link(topic))
}

/// Returns the link to the section of the guide.
fn link(topic: &Topic) -> String {
    let section = topic.section;
    let anchor = section.title.to_lowercase().replace(' ', "-");
    let anchor: String = anchor
        .chars()
        .filter(|c| c.is_alphanumeric() || "-_".contains(*c))
        .collect();
    let pages = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/guide");
    let command = if topic.word.starts_with(char::is_lowercase) {
        format!(" · `skewer help {}`", topic.word)
    } else {
        String::new()
    };
    format!("[{}]({pages}/{}#{anchor}){command}", section.title, section.file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::document::Encoding;
    use crate::query::Vocabulary;

    fn at(text: &str, needle: &str) -> Option<String> {
        let mut document = Document::new("q.cql", text.to_owned(), 1, Encoding::Utf16);
        document.examine();
        let position = document.position(text.find(needle).expect("it is there") as u32);
        let Contents::MarkupContent(content) = hover(&document, position)?.contents else {
            panic!("not Markdown")
        };
        Some(content.value)
    }

    #[test]
    fn words_show_the_guide() {
        let text = at("cql() R attacks k", "attacks").expect("a hover");
        assert!(
            text.starts_with("- `S -> T`, `S attacks T`: the squares of S"),
            "{text}"
        );
        let link = "/docs/guide/rays-attacks-pins.md#rays-attacks-and-pins) · `skewer help attacks`";
        assert!(text.ends_with(link) && text.lines().count() < 12, "{text}");
        let text = at("cql() R→k", "→").expect("a hover");
        assert!(text.contains("S -> T"), "{text}");
        let text = at("cql() ⊢ --", "⊢").expect("a hover");
        assert!(text.contains("[Constituents of a path](http"), "{text}");
    }

    #[test]
    fn words_beyond_cql_show_the_guide_unless_the_query_declares_them() {
        let text = at("cql() legalposition", "legalposition").expect("a hover");
        assert!(
            text.starts_with("- `legalposition`: the position could occur"),
            "{text}"
        );
        let text = at("cql() legalposition=1", "legalposition").expect("a hover");
        assert!(text.starts_with("`legalposition`: a number variable"), "{text}");
        let mut document = Document::new("q.cql", "cql() legalposition".to_owned(), 1, Encoding::Utf16);
        document.vocabulary = Vocabulary::Cql62;
        assert!(hover(&document, document.position(8)).is_none());
    }

    #[test]
    fn examples_show_their_boards_and_words() {
        let text = "//? match pgn \"1. f3 e5 2. g4 Qh4#\" at exactly 4\n//? allow always-true\n//? match \"4k3/8/8/8/8/8/8/4K3 w\"\ncql() mate";
        let shown = |needle: &str| at(text, needle).unwrap_or_default();
        assert!(
            shown("g4 Q").ends_with("position 3, Black to move after 1. f3 e5 2. g4"),
            "{}",
            shown("g4 Q")
        );
        assert!(
            shown("4\n").contains("4  . . . . . .[P|q]") || shown("4\n").contains("[q]"),
            "{}",
            shown("4\n")
        );
        assert!(
            shown("4k3").starts_with("```text\n8  . . . . k . . ."),
            "{}",
            shown("4k3")
        );
        assert!(shown("exactly").starts_with("These positions match and no others."));
        assert!(shown("always-true").starts_with("`always-true`: A condition matches at every position."));
        assert_eq!(at(text, "//? allow"), None);
    }

    #[test]
    fn names_show_what_they_are() {
        let text = "cql() function F(m) {m+1} x=R  square s in x {s==F(2)} y";
        assert_eq!(
            at(text, "x {").as_deref(),
            Some(&*format!("`x`: a set variable\n\n```cql\n{text}\n```"))
        );
        assert_eq!(
            at(text, "F(2").as_deref(),
            Some("`F`: a function\n\n```cql\nfunction F(m) {m+1}\n```")
        );
        assert!(at(text, "s==").expect("a hover").starts_with("`s`: a set variable"));
        assert!(at(text, "m+1").expect("a hover").starts_with("`m`: a parameter"));
        assert_eq!(at(text, "y"), None, "unknown");
        assert_eq!(at("cql() // x", "x"), None, "a comment");
    }
}
