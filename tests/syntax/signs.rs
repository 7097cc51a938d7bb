//! Sections 1.2.7 and 1.2.9 to 1.2.11: signs, Unicode, repetitions, dashes.

use skewer::syntax::{
    Source,
    token::{Sign, TokenKind},
    tokens,
};

use crate::syntax::{assert_refused, assert_spells, spell};

#[test]
fn signs_longest_first() {
    let table = [
        ("[element]", Sign::Element),
        ("[forall]", Sign::ForAll),
        ("-->", Sign::LineForward),
        ("<--", Sign::LineBackward),
        ("{*}", Sign::BraceStar),
        ("{+}", Sign::BracePlus),
        ("->", Sign::Right),
        ("<-", Sign::Left),
        ("<=", Sign::LessEqual),
        (">=", Sign::GreaterEqual),
        ("==", Sign::Equal),
        ("!=", Sign::NotEqual),
        ("+=", Sign::PlusAssign),
        ("-=", Sign::MinusAssign),
        ("*=", Sign::TimesAssign),
        ("/=", Sign::DivideAssign),
        ("%=", Sign::RemainderAssign),
        ("|=", Sign::UnionAssign),
        ("&=", Sign::IntersectAssign),
        ("[<]", Sign::Ancestor),
        ("[<=]", Sign::AncestorOrSame),
        ("[>]", Sign::Descendant),
        ("[>=]", Sign::DescendantOrSame),
        ("=?", Sign::AssignIfAny),
        ("[]", Sign::EmptySet),
        ("+", Sign::Plus),
        ("-", Sign::Minus),
        ("*", Sign::Star),
        ("/", Sign::Slash),
        ("=", Sign::Assign),
        (">", Sign::Greater),
        ("<", Sign::Less),
        (".", Sign::Dot),
        ("|", Sign::Union),
        ("?", Sign::Question),
        (":", Sign::Colon),
        ("#", Sign::Hash),
        ("~", Sign::Tilde),
        ("&", Sign::Intersect),
        ("%", Sign::Percent),
        (",", Sign::Comma),
    ];
    for (text, sign) in table {
        let found = tokens(&Source::new("test", text)).unwrap();
        assert_eq!(found[0].kind, TokenKind::Sign(sign), "{text}");
        assert_eq!(found.len(), 2, "{text}");
    }
    assert_spells(&[
        ("x =-5", "'x' Assign Minus 5"),
        ("x=--(to)", "'x' Assign dash+ OpenParen to CloseParen"),
        ("x-->3", "'x' LineForward 3"),
        ("3<--x", "3 LineBackward 'x'"),
        ("s ~~ \"a\"", "'s' Match \"a\""),
        ("~ ~A", "Tilde Tilde <A>"),
    ]);
}

#[test]
fn traps_of_signs() {
    assert_refused(&[
        ("x<-1", "<-1", "`< -1`"),
        ("x--1", "--1", "`- -1`"),
        ("~~A", "~~", "`~ ~A`"),
        ("x ~~ y", "~~", "in quotes"),
        ("[ ]", "[ ]", "`[]`"),
        ("!check", "!", "`not`"),
        ("x ! = 3", "!", "`!=`"),
        ("wtm && btm", "&&", "`and`"),
        ("wtm || btm", "||", "`or`"),
        ("x === 3", "===", "`==`"),
        ("x !== 3", "!==", "`!=`"),
        ("x <> 3", "<>", "`!=`"),
        ("x ~= 3", "~=", "`!=`"),
        ("x =< 3", "=<", "`<=`"),
        ("x => 3", "=>", "`>=`"),
        ("x := 3", ":=", "`=`"),
        ("2^3", "^", "no power"),
        ("x@y", "@", "not a character of CQL"),
    ]);
}

#[test]
fn unicode_spellings_give_the_same_tokens() {
    let pairs = [
        ("≤", "<="),
        ("≥", ">="),
        ("≠", "!="),
        ("→", "->"),
        ("←", "<-"),
        ("∪", "|"),
        ("∩", "&"),
        ("∪=", "|="),
        ("∩=", "&="),
        ("∀", "[forall]"),
        ("∊", "[element]"),
        ("≺", "[<]"),
        ("≻", "[>]"),
        ("≼", "[<=]"),
        ("≽", "[>=]"),
        ("▦", "."),
        ("×", "[x]"),
        ("――", "--"),
        ("⊢", "path"),
        ("◎", "focus"),
        ("∙", "currentposition"),
        ("✵", "flip"),
        ("⬓", "flipcolor"),
        ("△", "A"),
        ("▲", "a"),
        ("◭", "[Aa]"),
        ("□", "_"),
        ("◭x", "[Aa]x"),
    ];
    let figurines = "♔♕♖♗♘♙♚♛♜♝♞♟".chars().zip("KQRBNPkqrbnp".chars());
    let pairs = pairs.map(|(symbol, ascii)| (symbol.to_owned(), ascii.to_owned()));
    let all = pairs
        .into_iter()
        .chain(figurines.map(|(symbol, ascii)| (symbol.to_string(), ascii.to_string())));
    for (symbol, ascii) in all {
        let kinds = |text: &str| -> Vec<TokenKind> {
            tokens(&Source::new("test", text))
                .unwrap()
                .into_iter()
                .map(|token| token.kind)
                .collect()
        };
        assert_eq!(kinds(&symbol), kinds(&ascii), "{symbol} {ascii}");
    }
}

#[test]
fn similar_unicode_characters_are_explained() {
    assert_refused(&[
        ("s∈R wtm", "∈", "`∊` (U+220A)"),
        ("∅", "∅", "`[]`"),
        ("A⊂B", "⊂", "`in`"),
        ("¬wtm", "¬", "`not`"),
        ("wtm ∧ btm", "∧", "`and`"),
        ("wtm ∨ btm", "∨", "`or`"),
        ("A ∖ B", "∖", "`A & ~B`"),
        ("∃s∊R wtm", "∃", "nothing comes before it"),
        ("R–a", "–", "`--`"),
        ("R—a", "—", "`――`"),
        ("R ― a", "―", "two of U+2015"),
        ("A ⋃ B", "⋃", "`∪` (U+222A)"),
        ("x − 1", "−", "`-`"),
    ]);
}

#[test]
fn repetitions() {
    assert_spells(&[
        ("{5}", "{5,5}"),
        ("{2,}{,4}{2,4}{0}", "{2,100000} {0,4} {2,4} {0,0}"),
        ("{100000}", "{100000,100000}"),
        ("{ 5 }{5 }", "OpenBrace 5 CloseBrace OpenBrace 5 CloseBrace"),
        ("{2, 4}", "OpenBrace 2 Comma 4 CloseBrace"),
    ]);
    assert_refused(&[
        ("{,}", "{,}", "`{*}`"),
        ("{4,2}", "{4,2}", "`{2,4}`"),
        ("{100001}", "{100001}", "too large"),
        ("{1,99999999999}", "{1,99999999999}", "too large"),
    ]);
}

#[test]
fn dashes_are_tied_by_white_space() {
    assert_spells(&[
        ("N--c3", "<N> +dash+ <c3>"),
        ("N --c3", "<N> dash+ <c3>"),
        ("N-- c3", "<N> +dash <c3>"),
        ("N -- c3", "<N> dash <c3>"),
        ("N/**/--/**/c3", "<N> dash <c3>"),
        ("N―― ×c3", "<N> +dash take+ <c3>"),
        ("--", "dash"),
        ("A--B--C", "<A> +dash+ <B> +dash+ 'C'"),
        ("----", "dash+ +dash"),
        ("{1}--{2}", "{1,1} +dash+ {2,2}"),
        ("x[1]--", "'x' OpenBracket 1 CloseBracket +dash"),
        ("check--", "check +dash"),
        ("--=Q", "dash+ Assign <Q>"),
        ("--\n", "dash"),
    ]);
    for before in [
        "(",
        "{",
        ":",
        "+",
        "*",
        "/",
        ">",
        ",",
        "~",
        "=",
        "|",
        "&",
        "[element]",
        "∪",
        "∊",
        "->",
        "≤",
        "+=",
    ] {
        let text = format!("y{before}--");
        let closed = text.clone() + &close_of(before);
        assert!(spell_open(&closed).contains(" dash"), "{text}");
    }
    for before in [".", "▦", "?", "[]", "{*}", "%", "#", "[<]", "≺", "=?", "[forall]"] {
        assert!(spell_open(&format!("a1 {before}--")).contains("+dash"), "{before}");
    }
    for after in ["}", ")", "*", "+", "?", ":", "*=", "+="] {
        let text = format!("{}--{after}", open_of(after));
        assert!(!spell_open(&text).contains("dash+"), "{text}");
    }
    for after in ["(1)", "{1}", "{*}", ".", "~a", "=Q", "<a", "-a", "/a", "[x]"] {
        assert!(spell_open(&format!("--{after}")).contains("dash+"), "{after}");
    }
}

fn spell_open(text: &str) -> String {
    format!(" {}", spell(text))
}

fn close_of(bracket: &str) -> String {
    match bracket {
        "(" => " )".to_owned(),
        "{" => " }".to_owned(),
        _ => String::new(),
    }
}

fn open_of(bracket: &str) -> &'static str {
    match bracket {
        ")" => "(",
        "}" => "{",
        _ => "",
    }
}
