//! Query text to tokens: chapter 1.2 of the language reference, section by section, with its traps.

mod designators;
mod editors;
mod robustness;
mod signs;
mod slips;
mod structure;
mod text;
mod tree;

use skewer::syntax::{
    Diagnostic, Source,
    token::{Token, TokenKind},
    tokens,
};

/// Returns the tokens of a text on one line. Words and designators are as written; other tokens have their own notation.
fn spell(text: &str) -> String {
    let source = Source::new("test", text);
    let tokens = tokens(&source).unwrap_or_else(|error| panic!("{}", error.render(&source, false)));
    assert_eq!(tokens.last().map(|token| &token.kind), Some(&TokenKind::End), "{text}");
    let spelt: Vec<String> = tokens[..tokens.len() - 1]
        .iter()
        .map(|token| spell_token(&source, token))
        .collect();
    spelt.join(" ")
}

fn spell_token(source: &Source, token: &Token) -> String {
    match &token.kind {
        TokenKind::PieceMark => "mark".to_owned(),
        TokenKind::LineMessage => "///".to_owned(),
        TokenKind::LineMessageEnd => "end-of-message".to_owned(),
        TokenKind::PathEnd => "end-of-path".to_owned(),
        TokenKind::Result(result) => format!("result:{result}"),
        TokenKind::Integer(number) => number.to_string(),
        TokenKind::Repetition(least, most) => format!("{{{least},{most}}}"),
        TokenKind::Word(word) => (*word).to_owned(),
        TokenKind::Name(name) => format!("'{name}'"),
        TokenKind::String(bytes) => format!("{:?}", String::from_utf8_lossy(bytes)),
        TokenKind::Group(number) => format!("group:{number}"),
        TokenKind::GroupIndex(number) => format!("index:{number}"),
        TokenKind::Designator(_) => format!("<{}>", source.slice(token.span)),
        TokenKind::Dash {
            capture,
            left_tied,
            right_tied,
        } => {
            let side = |tied: bool| if tied { "+" } else { "" };
            let dash = if *capture { "take" } else { "dash" };
            format!("{}{dash}{}", side(*left_tied), side(*right_tied))
        }
        TokenKind::Sign(sign) => format!("{sign:?}"),
        TokenKind::File { input, name } => format!("{}:{name}", if *input { "input" } else { "output" }),
        TokenKind::End => "end".to_owned(),
    }
}

fn assert_spells(table: &[(&str, &str)]) {
    for (text, expected) in table {
        assert_eq!(spell(text), *expected, "{text:?}");
    }
}

fn error_of(text: impl Into<Vec<u8>>) -> (Source, Diagnostic) {
    let source = Source::new("test", text.into());
    let error = tokens(&source).expect_err(source.text());
    (source, error)
}

/// Asserts that each text is refused, with this part underlined and these words in the message, the label, a related place or a hint.
fn assert_refused(table: &[(&str, &str, &str)]) {
    for (text, underlined, words) in table {
        let (source, error) = error_of(*text);
        let rendered = error.render(&source, false);
        assert_eq!(source.slice(error.span), *underlined, "{rendered}");
        assert!(rendered.contains(words), "{words:?} is not in\n{rendered}");
    }
}
