//! The second pass: what tokens mean next to each other. Dashes are tied to their neighbours (section 1.2.11), and neighbours that cannot be
//! part of a query are refused where the intention is known (section 1.2.7, "Traps").

use std::ops::Range;

use super::{
    designator::{is_designator_word, is_figurine, is_piece_letter},
    diagnostic::Diagnostic,
    lexer::Lexeme,
    slips::foreign_operator,
    source::Source,
    token::{Sign, Span, Token, TokenKind},
    tree::Rule,
};

/// Decides for each dash whether its neighbours belong to it.
pub(super) fn tie_dashes(lexemes: &mut [Lexeme]) {
    for at in 0..lexemes.len() {
        let spaced = lexemes[at].token.spaced;
        let before = at.checked_sub(1).and_then(|before| lexemes.get(before));
        let left = !spaced && before.is_some_and(|lexeme| ties_on_left(&lexeme.token.kind));
        let after = lexemes.get(at + 1);
        let right = after.is_some_and(|lexeme| !lexeme.token.spaced && ties_on_right(&lexeme.token.kind));
        if let TokenKind::Dash {
            left_tied, right_tied, ..
        } = &mut lexemes[at].token.kind
        {
            *left_tied = left;
            *right_tied = right;
        }
    }
}

/// Returns whether a token belongs to the dash directly after it. All do except signs that end in one of `( { : + - * / > < , ~ =` in their
/// ASCII spelling, `|`, `&`, `[element]` and `///`.
fn ties_on_left(kind: &TokenKind) -> bool {
    let TokenKind::Sign(sign) = kind else {
        return *kind != TokenKind::LineMessage;
    };
    let set_operator = matches!(sign, Sign::Union | Sign::Intersect | Sign::Element);
    !set_operator
        && !sign
            .ascii()
            .ends_with(['(', '{', ':', '+', '-', '*', '/', '>', '<', ',', '~', '='])
}

/// Returns whether a token belongs to the dash directly before it. All do except signs that begin with one of `} ) * + ? :`, `///` and the
/// end.
fn ties_on_right(kind: &TokenKind) -> bool {
    let TokenKind::Sign(sign) = kind else {
        return !matches!(kind, TokenKind::LineMessage | TokenKind::End);
    };
    !matches!(
        sign,
        Sign::CloseBrace
            | Sign::CloseParen
            | Sign::Star
            | Sign::TimesAssign
            | Sign::Plus
            | Sign::PlusAssign
            | Sign::Question
            | Sign::Colon
    )
}

/// Refuses sequences of tokens that occur in no query and come from a misunderstanding. The bodies of functions that are never called are
/// not checked, as they are never parsed.
pub(super) fn refuse_misread(source: &Source, lexemes: &[Lexeme]) -> Result<(), Diagnostic> {
    let mut unused = unused_bodies(source).peekable();
    let is_used = |lexeme: &&Lexeme| {
        while unused.next_if(|body| body.end <= lexeme.leaf).is_some() {}
        unused.peek().is_none_or(|body| lexeme.leaf < body.start)
    };
    let used = lexemes.iter().filter(is_used);
    let tokens: Vec<&Token> = used.map(|lexeme| &lexeme.token).collect();
    let misread = (0..tokens.len()).find_map(|at| {
        let tokens = &tokens[at..];
        malformed_list(source, tokens)
            .or_else(|| designator_as_dictionary(tokens))
            .or_else(|| designator_before_bracket(source, tokens))
            .or_else(|| corner_to_corner(source, tokens))
            .or_else(|| sign_before_number(source, tokens))
            .or_else(|| match_without_pattern(tokens))
            .or_else(|| foreign_operator(source, tokens))
    });
    misread.map_or(Ok(()), Err)
}

/// Returns the bodies of functions that are never called, as indexes in the tree, in order. None is inside another.
fn unused_bodies(source: &Source) -> impl Iterator<Item = Range<u32>> {
    source.uncalled_functions().into_iter().filter_map(|function| {
        let open = function.child(Rule::braces)?.child(Rule::open_brace)?;
        Some(open.end()..open.closing()?.index())
    })
}

/// Refuses `[R,N]`, `[R N]`, `R[a1, h1]`, `[a1,]`, `[q♖]`, `[ ]`.
fn malformed_list(source: &Source, tokens: &[&Token]) -> Option<Diagnostic> {
    let (start, open, list) = match tokens {
        [name, bracket, list @ ..] if glued_designator_word(name, bracket) => {
            (name.span, bracket.span, list_after(bracket, list)?)
        }
        [bracket, list @ ..] => (bracket.span, bracket.span, list_after(bracket, list)?),
        [] => return None,
    };
    let (members, close) = list;
    let span = start.to(close);
    let has_comma = members.iter().any(|token| token.kind == TokenKind::Sign(Sign::Comma));
    match members {
        [] => Some(
            Diagnostic::new(span, "the brackets are empty")
                .hint("the empty set is written without a space: `[]`")
                .change(open.to(close), "[]"),
        ),
        [_] if !has_comma => None,
        _ => Some(not_a_list(source, span, members)),
    }
}

type Members<'a> = &'a [&'a Token];

/// Returns the tokens up to the closing bracket if all of them could be members of a list of pieces or squares.
fn list_after<'a>(bracket: &Token, tokens: &'a [&'a Token]) -> Option<(Members<'a>, Span)> {
    if bracket.kind != TokenKind::Sign(Sign::OpenBracket) {
        return None;
    }
    let end = tokens.iter().position(|token| !is_list_member(&token.kind))?;
    let close = tokens.get(end)?;
    (close.kind == TokenKind::Sign(Sign::CloseBracket)).then_some((tokens.get(..end)?, close.span))
}

fn is_list_member(kind: &TokenKind) -> bool {
    match kind {
        TokenKind::Designator(_) | TokenKind::Sign(Sign::Comma) => true,
        TokenKind::Name(name) => name.chars().all(is_piece_letter),
        _ => false,
    }
}

fn not_a_list(source: &Source, span: Span, members: Members<'_>) -> Diagnostic {
    let words: Vec<&str> = members
        .iter()
        .filter(|token| token.kind != TokenKind::Sign(Sign::Comma))
        .map(|token| source.slice(token.span))
        .collect();
    let owner = source.slice(span).split('[').next().unwrap_or("");
    let all = |test: fn(&str) -> bool| words.iter().all(|word| test(word));
    let error = Diagnostic::new(span, "this is not a piece designator");
    let write = |error: Diagnostic, list: String| {
        let list = format!("{owner}[{list}]");
        error.hint(format!("write `{list}`")).change(span, list)
    };
    if all(|word| word.chars().all(is_piece_letter)) || all(|word| word.chars().all(is_figurine)) {
        let error = error.label("pieces are listed without spaces and commas");
        write(error, words.concat())
    } else if all(|word| {
        word.ends_with(|last: char| last.is_ascii_digit()) && word.starts_with(|first| ('a'..='h').contains(&first))
    }) {
        let error = error.label("squares are listed with commas and without spaces");
        write(error, words.join(","))
    } else if all(|word| {
        word.chars()
            .all(|figure| is_piece_letter(figure) || is_figurine(figure))
    }) {
        error.label("figurines and letters do not mix in one designator")
    } else {
        error
            .label("a list holds either pieces or squares")
            .hint("pieces of several kinds on several squares: `[RN][a1,b2-4]`")
    }
}

/// Returns whether a name would be a designator if no bracket touched it.
fn glued_designator_word(name: &Token, next: &Token) -> bool {
    !next.spaced && matches!(&name.kind, TokenKind::Name(name) if is_designator_word(name))
}

/// Refuses `dictionary N`, because `N[x]` could then not be an entry of it.
fn designator_as_dictionary(tokens: &[&Token]) -> Option<Diagnostic> {
    let [word, name, ..] = tokens else { return None };
    let is_designator = match &name.kind {
        TokenKind::Designator(_) => true,
        TokenKind::Name(name) => is_designator_word(name),
        _ => false,
    };
    (word.kind == TokenKind::Word("dictionary") && is_designator).then(|| {
        Diagnostic::new(name.span, "unexpected piece designator")
            .label("expected a name of a dictionary")
            .hint("this is a piece designator; names of pieces and squares are taken")
    })
}

fn designator_before_bracket(source: &Source, tokens: &[&Token]) -> Option<Diagnostic> {
    let [name, next, ..] = tokens else { return None };
    if !glued_designator_word(name, next) {
        return None;
    }
    let (word, bracket) = (source.slice(name.span), source.slice(next.span));
    Some(
        Diagnostic::new(
            name.span.to(next.span),
            format!("`{bracket}` cannot follow the piece designator `{word}` directly"),
        )
        .hint(format!(
            "if two filters or an operator are meant, put a space before `{bracket}`"
        ))
        .fix(format!("Put a space before `{bracket}`"), [(next.span.before(), " ")])
        .hint(format!(
            "`{word}` is a piece designator everywhere and cannot be a name"
        )),
    )
}

/// Refuses `Ra1-h1`: squares, a minus and squares, without spaces.
fn corner_to_corner(source: &Source, tokens: &[&Token]) -> Option<Diagnostic> {
    let [from, minus, to, ..] = tokens else { return None };
    let (TokenKind::Designator(first), TokenKind::Designator(second)) = (&from.kind, &to.kind) else {
        return None;
    };
    let minus_between = minus.kind == TokenKind::Sign(Sign::Minus) && !minus.spaced && !to.spaced;
    if !minus_between || !first.has_squares || !second.has_squares || second.has_contents {
        return None;
    }
    let error = Diagnostic::new(
        from.span.to(to.span),
        "a range of squares does not go from corner to corner",
    )
    .label("it is a range of files and then a range of ranks");
    Some(match rectangle(source.slice(from.span), source.slice(to.span)) {
        Some(rectangle) => error
            .hint(format!("write `{rectangle}`"))
            .change(from.span.to(to.span), rectangle),
        None => error.hint("an example is `a-h1-2`"),
    })
}

/// Returns the designator for the rectangle between two corners. There may be pieces before the first.
fn rectangle(from: &str, to: &str) -> Option<String> {
    let (pieces, corner) = from.split_at_checked(from.len().checked_sub(2)?)?;
    let ([file, rank], [other_file, other_rank]) = (corner.as_bytes(), to.as_bytes()) else {
        return None;
    };
    if !pieces.is_empty() && !pieces.ends_with(|last: char| last == ']' || is_piece_letter(last) || is_figurine(last)) {
        return None;
    }
    let range = |a: &u8, b: &u8| {
        let (low, high) = (char::from(*a.min(b)), char::from(*a.max(b)));
        if low == high {
            low.to_string()
        } else {
            format!("{low}-{high}")
        }
    };
    Some(format!(
        "{pieces}{}{}",
        range(file, other_file),
        range(rank, other_rank)
    ))
}

/// Refuses `x<-1` and `x--1`: an arrow or a dash, where a comparison or subtraction was meant.
fn sign_before_number(source: &Source, tokens: &[&Token]) -> Option<Diagnostic> {
    let [sign, number, ..] = tokens else { return None };
    let TokenKind::Integer(_) = number.kind else {
        return None;
    };
    let digits = source.slice(number.span);
    let span = sign.span.to(number.span);
    match source.slice(sign.span) {
        _ if number.spaced => None,
        "<-" => Some(
            Diagnostic::new(span, "a number cannot attack: `<-` is the attack arrow")
                .hint(format!(
                    "to compare with a negative number put a space between: `< -{digits}`"
                ))
                .change(span, format!("< -{digits}")),
        ),
        "--" => Some(
            Diagnostic::new(span, "a number cannot be moved to: `--` is a move")
                .hint(format!(
                    "to subtract a negative number put a space between: `- -{digits}`"
                ))
                .hint(format!("to repeat the move put the number in braces: `--{{{digits}}}`"))
                .change(span, format!("- -{digits}"))
                .change(span, format!("--{{{digits}}}")),
        ),
        _ => None,
    }
}

/// Refuses `~~A`, `s ~~ pattern`.
fn match_without_pattern(tokens: &[&Token]) -> Option<Diagnostic> {
    let [sign, next, ..] = tokens else { return None };
    let pattern = matches!(next.kind, TokenKind::String(_));
    (sign.kind == TokenKind::Sign(Sign::Match) && !pattern).then(|| {
        Diagnostic::new(sign.span, "`~~` wants a regular expression in quotes on its right")
            .hint("a regular expression cannot be a variable or another filter")
            .hint("for the complement of a complement put a space between: `~ ~A`")
            .change(sign.span, "~ ~")
    })
}
