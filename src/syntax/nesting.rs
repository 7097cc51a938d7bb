//! The third pass: adds to the tokens what the tree says about brackets, paths and message comments (sections 1.2.3 and 1.2.12).

use super::{
    diagnostic::Diagnostic,
    forms::PathEnd,
    lexer::Lexeme,
    source::Source,
    token::{Sign, Span, Token, TokenKind},
    tree::{Node, Rule},
};

/// Tokens, each with the index of its node in the tree, and the paths that end at blank lines.
pub(super) struct Nested {
    pub(super) tokens: Vec<Token>,
    pub(super) leaves: Vec<u32>,
    pub(super) path_ends: Vec<PathEnd>,
}

/// A node that contains a sequence of terms, on the way to the current place.
#[derive(Clone, Copy)]
struct Level {
    /// One past the index of its last node.
    end: u32,
    /// The bracket that opens it.
    open: Span,
    /// The path whose top level its text is at: only parentheses and message comments were opened since.
    around: Option<Span>,
    /// How many paths were open before it.
    paths: usize,
}

/// An open `path`.
#[derive(Clone, Copy)]
struct Path {
    leaf: u32,
    span: Span,
}

/// Refuses brackets without partners, ends paths at blank lines and message comments at line ends, and turns `+` and `*` at the top level of
/// a path into repetitions. A token for a line end has the node of that line end.
pub(super) fn nest(source: &Source, lexemes: Vec<Lexeme>) -> Result<Nested, Diagnostic> {
    let mut nesting = Nesting {
        source,
        levels: Vec::new(),
        paths: Vec::new(),
        message: None,
        nested: Nested {
            tokens: Vec::with_capacity(lexemes.len()),
            leaves: Vec::with_capacity(lexemes.len()),
            path_ends: Vec::new(),
        },
    };
    let mut lexemes = lexemes.into_iter().peekable();
    for node in source.tree().nodes().filter(|node| !node.is_in_token()) {
        nesting.leave(node.index());
        if node.rule() == Rule::unclosed {
            return Err(nesting.unclosed(lexemes.peek()));
        }
        nesting.enter(node)?;
        if let Some(lexeme) = lexemes.next_if(|lexeme| lexeme.leaf == node.index()) {
            nesting.pass(node, lexeme.token)?;
        }
    }
    nesting.nested.path_ends.sort_unstable_by_key(|end| end.path);
    Ok(nesting.nested)
}

struct Nesting<'a> {
    source: &'a Source,
    levels: Vec<Level>,
    /// The open paths, outermost first.
    paths: Vec<Path>,
    /// The `///` of the message comment that is open.
    message: Option<Span>,
    nested: Nested,
}

impl Nesting<'_> {
    /// Leaves the nodes that end before an index.
    fn leave(&mut self, place: u32) {
        while let Some(level) = self.levels.pop_if(|level| level.end <= place) {
            self.paths.truncate(level.paths);
        }
    }

    fn enter(&mut self, node: Node<'_>) -> Result<(), Diagnostic> {
        match node.rule() {
            Rule::query | Rule::parens | Rule::parameters | Rule::positions | Rule::header | Rule::line_message => {
                self.open(node, self.path());
            }
            Rule::braces | Rule::brackets => self.open(node, None),
            Rule::gap => self.end_message(node),
            Rule::blank_line => return self.end_paths(node),
            _ => {}
        }
        Ok(())
    }

    fn open(&mut self, node: Node<'_>, around: Option<Span>) {
        self.levels.push(Level {
            end: node.end(),
            open: Span::default(),
            around,
            paths: self.paths.len(),
        });
    }

    /// Returns the path whose top level the text is at.
    fn path(&self) -> Option<Span> {
        let level = self.levels.last()?;
        match self.paths.get(level.paths..)?.last() {
            Some(path) => Some(path.span),
            None => level.around,
        }
    }

    fn pass(&mut self, leaf: Node<'_>, mut token: Token) -> Result<(), Diagnostic> {
        let span = token.span;
        match token.kind {
            TokenKind::Sign(sign) if sign.is_opening() => {
                if let Some(level) = self.levels.last_mut() {
                    level.open = span;
                }
            }
            TokenKind::Sign(sign) if sign.is_closing() => self.close(leaf, span)?,
            TokenKind::Sign(Sign::Plus) if self.path().is_some() => token.kind = TokenKind::Sign(Sign::RepeatPlus),
            TokenKind::Sign(Sign::Star) if self.path().is_some() => token.kind = TokenKind::Sign(Sign::RepeatStar),
            TokenKind::Word("path") => self.paths.push(Path {
                leaf: leaf.index(),
                span,
            }),
            TokenKind::Word(word @ ("legal" | "countmoves")) => self.refuse_at_path_top_level(word, span)?,
            TokenKind::LineMessage => self.open_message(span)?,
            TokenKind::End if self.message.take().is_some() => self.push_end(TokenKind::LineMessageEnd, span, leaf),
            _ => {}
        }
        self.push(token, leaf);
        Ok(())
    }

    fn push(&mut self, token: Token, node: Node<'_>) {
        self.nested.tokens.push(token);
        self.nested.leaves.push(node.index());
    }

    /// Adds a token for the end of a line or of the text.
    fn push_end(&mut self, kind: TokenKind, span: Span, node: Node<'_>) {
        let spaced = true;
        self.push(Token { kind, span, spaced }, node);
    }

    fn close(&self, bracket: Node<'_>, span: Span) -> Result<(), Diagnostic> {
        let text = self.source.slice(span);
        let is_stray = bracket.rule() == Rule::stray;
        let opened = self.levels.last().map(|level| level.open).unwrap_or_default();
        match self.message {
            Some(message) if is_stray || opened < message => Err(Diagnostic::new(
                span,
                format!("`{text}` closes nothing within the message comment"),
            )
            .related(
                message,
                "the message comment begins here and continues to the end of the line",
            )
            .hint(format!("put `{text}` on the next line"))
            .fix(format!("Put `{text}` on the next line"), [(span.before(), "\n")])),
            _ if is_stray => Err(Diagnostic::new(span, format!("`{text}` closes nothing"))
                .hint("leave it out, or open it before")
                .change(span, "")),
            _ => Ok(()),
        }
    }

    /// Returns an error for the innermost open bracket, which the next token does not close.
    fn unclosed(&self, next: Option<&Lexeme>) -> Diagnostic {
        let opened = self.levels.last().map(|level| level.open).unwrap_or_default();
        let bracket = self.source.slice(opened);
        let closing = next.filter(|next| next.token.kind != TokenKind::End);
        let line_ends = closing.is_none_or(|next| next.begins_line);
        if let Some(message) = self.message.filter(|message| *message < opened && line_ends) {
            return Diagnostic::new(opened, format!("`{bracket}` is not closed on its line"))
                .related(message, "the message comment ends with its line");
        }
        match closing.map(|next| next.token.span) {
            Some(span) => {
                let text = self.source.slice(span);
                Diagnostic::new(span, format!("`{text}` does not match `{bracket}`"))
                    .related(opened, format!("`{bracket}` was opened here"))
                    .hint(format!("`{bracket}` is closed by `{}`", closing_of(bracket)))
                    .change(span, closing_of(bracket))
                    .fix(
                        format!("Put `{}` in front of it", closing_of(bracket)),
                        [(span.before(), closing_of(bracket))],
                    )
            }
            None => {
                let end = self.source.text().trim_end().len();
                let closing = closing_of(bracket);
                Diagnostic::new(opened, format!("`{bracket}` is never closed"))
                    .label("it is opened here")
                    .hint(format!("put `{closing}` where it ends"))
                    .fix(format!("Put `{closing}` at the end"), [(Span::new(end, end), closing)])
            }
        }
    }

    fn open_message(&mut self, span: Span) -> Result<(), Diagnostic> {
        if let Some(first) = self.message {
            return Err(Diagnostic::new(span, "two message comments on one line")
                .related(first, "the first begins here and continues to the end of the line")
                .hint("several filters may follow one `///`; an ordinary comment is `//`")
                .change(span, "//")
                .change(span, ""));
        }
        self.message = Some(span);
        Ok(())
    }

    /// Ends the open message comment at the first line end of a gap, which may be in a comment.
    fn end_message(&mut self, gap: Node<'_>) {
        if self.message.is_none() {
            return;
        }
        if let Some(line_end) = first_line_end(self.source, gap) {
            self.message = None;
            self.push_end(TokenKind::LineMessageEnd, line_end, gap);
        }
    }

    /// Ends the innermost paths.
    fn end_paths(&mut self, blank_line: Node<'_>) -> Result<(), Diagnostic> {
        if let Some(Token {
            kind: TokenKind::Word("path"),
            span,
            ..
        }) = self.nested.tokens.last()
        {
            return Err(Diagnostic::new(*span, "the path is empty")
                .label("the blank line after it ends the path")
                .hint("delete the blank line")
                .fix("Delete the blank line", [(blank_line.span(), "")]));
        }
        let first = self.levels.last().map_or(0, |level| level.paths);
        while self.paths.len() > first {
            let path = self.paths.pop().map(|path| path.leaf);
            self.nested.path_ends.extend(path.map(|path| PathEnd {
                path,
                blank_line: blank_line.index(),
            }));
            self.push_end(TokenKind::PathEnd, blank_line.span(), blank_line);
        }
        Ok(())
    }

    fn refuse_at_path_top_level(&self, word: &str, span: Span) -> Result<(), Diagnostic> {
        let Some(path) = self.path() else {
            return Ok(());
        };
        let braced = if word == "legal" {
            "{legal --}"
        } else {
            "{countmoves legal -- == 1}"
        };
        Err(
            Diagnostic::new(span, format!("`{word}` cannot be used directly in a path"))
                .label("its dash would be taken for a move of the path")
                .related(path, "the path begins here")
                .hint(format!("put braces around the filter, as in `{braced}`")),
        )
    }
}

/// Returns the closing bracket for an opening one.
fn closing_of(bracket: &str) -> &'static str {
    match bracket {
        "(" => ")",
        "{" => "}",
        _ => "]",
    }
}

/// Returns the first line end in white space and comments.
fn first_line_end(source: &Source, gap: Node<'_>) -> Option<Span> {
    let start = gap.span().start as usize;
    let at = start + source.slice(gap.span()).find('\n')?;
    Some(Span::new(at, at + 1))
}
