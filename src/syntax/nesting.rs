//! The third pass: one stack for brackets, paths and message comments (sections 1.2.3 and 1.2.12).

use super::{
    diagnostic::Diagnostic,
    lexer::{Gap, Lexeme},
    source::Source,
    token::{Sign, Span, Token, TokenKind},
};

/// What was opened and is not closed yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Opener {
    /// A bracket, with the one that closes it.
    Bracket(Sign),
    /// The word `path`.
    Path,
    /// `///`.
    Message,
}

#[derive(Clone, Copy)]
struct Frame {
    opener: Opener,
    span: Span,
    /// The `path` at whose top level the text directly inside stands: only parentheses and message comments were opened since.
    path: Option<Span>,
}

/// Matches the brackets, ends paths at blank lines and message comments at line ends, and turns `+` and `*` at the top
/// level of a path into repetitions. With each token the place of its leaf in the tree; what stands for a line end has that of
/// the next token.
pub(super) fn nest(source: &Source, lexemes: Vec<Lexeme>) -> Result<(Vec<Token>, Vec<u32>), Diagnostic> {
    let mut nesting = Nesting {
        source,
        stack: Vec::new(),
        message: None,
        tokens: Vec::with_capacity(lexemes.len()),
    };
    let mut leaves = Vec::with_capacity(lexemes.len());
    for Lexeme { leaf, gap, token } in lexemes {
        nesting.pass_gap(gap)?;
        nesting.pass_token(token)?;
        leaves.resize(nesting.tokens.len(), leaf);
    }
    Ok((nesting.tokens, leaves))
}

struct Nesting<'a> {
    source: &'a Source,
    stack: Vec<Frame>,
    /// The `///` that is open.
    message: Option<Span>,
    tokens: Vec<Token>,
}

impl Nesting<'_> {
    fn pass_gap(&mut self, gap: Gap) -> Result<(), Diagnostic> {
        if let Some(line_end) = gap.line_end {
            self.end_message(line_end)?;
        }
        match gap.blank_line {
            Some(line_end) => self.end_paths(line_end),
            None => Ok(()),
        }
    }

    fn pass_token(&mut self, mut token: Token) -> Result<(), Diagnostic> {
        let span = token.span;
        match token.kind {
            TokenKind::Sign(Sign::OpenParen) => self.open(Opener::Bracket(Sign::CloseParen), span, self.path()),
            TokenKind::Sign(Sign::OpenBrace) => self.open(Opener::Bracket(Sign::CloseBrace), span, None),
            TokenKind::Sign(Sign::OpenBracket) => self.open(Opener::Bracket(Sign::CloseBracket), span, None),
            TokenKind::Sign(sign @ (Sign::CloseParen | Sign::CloseBrace | Sign::CloseBracket)) => {
                self.close(sign, span)?;
            }
            TokenKind::Sign(Sign::Plus) if self.path().is_some() => token.kind = TokenKind::Sign(Sign::RepeatPlus),
            TokenKind::Sign(Sign::Star) if self.path().is_some() => token.kind = TokenKind::Sign(Sign::RepeatStar),
            TokenKind::Word("path") => self.open(Opener::Path, span, Some(span)),
            TokenKind::Word(word @ ("legal" | "countmoves")) => self.refuse_at_path_top_level(word, span)?,
            TokenKind::LineMessage => self.open_message(span)?,
            TokenKind::End => self.end_text(span)?,
            _ => {}
        }
        self.tokens.push(token);
        Ok(())
    }

    fn path(&self) -> Option<Span> {
        self.stack.last().and_then(|frame| frame.path)
    }

    fn open(&mut self, opener: Opener, span: Span, path: Option<Span>) {
        self.stack.push(Frame { opener, span, path });
    }

    fn close(&mut self, bracket: Sign, span: Span) -> Result<(), Diagnostic> {
        let text = self.source.slice(span);
        self.drop_paths();
        let Some(frame) = self.stack.pop() else {
            return Err(Diagnostic::new(span, format!("`{text}` closes nothing")));
        };
        if frame.opener == Opener::Bracket(bracket) {
            return Ok(());
        }
        let opener = self.source.slice(frame.span);
        Err(if frame.opener == Opener::Message {
            Diagnostic::new(span, format!("`{text}` closes nothing within the message comment"))
                .related(
                    frame.span,
                    "the message comment begins here and goes on to the end of the line",
                )
                .hint(format!("put `{text}` on the next line"))
                .fix(format!("Put `{text}` on the next line"), [(span.before(), "\n")])
        } else {
            Diagnostic::new(span, format!("`{text}` does not match `{opener}`"))
                .related(frame.span, format!("`{opener}` was opened here"))
        })
    }

    fn open_message(&mut self, span: Span) -> Result<(), Diagnostic> {
        if let Some(first) = self.message {
            return Err(Diagnostic::new(span, "two message comments on one line")
                .related(first, "the first begins here and goes on to the end of the line")
                .hint("several filters may follow one `///`; an ordinary comment is `//`"));
        }
        self.message = Some(span);
        self.open(Opener::Message, span, self.path());
        Ok(())
    }

    /// Ends the message comment that is open, if there is one.
    fn end_message(&mut self, line_end: Span) -> Result<(), Diagnostic> {
        let Some(message) = self.message.take() else {
            return Ok(());
        };
        self.drop_paths();
        if let Some(Frame {
            opener: Opener::Bracket(_),
            span,
            ..
        }) = self.stack.last()
        {
            let bracket = self.source.slice(*span);
            return Err(Diagnostic::new(*span, format!("`{bracket}` is not closed on its line"))
                .related(message, "the message comment ends with its line"));
        }
        self.stack.pop();
        self.tokens.push(Token {
            kind: TokenKind::LineMessageEnd,
            span: line_end,
            spaced: true,
        });
        Ok(())
    }

    /// Ends the paths that are innermost.
    fn end_paths(&mut self, line_end: Span) -> Result<(), Diagnostic> {
        if let Some(Token {
            kind: TokenKind::Word("path"),
            span,
            ..
        }) = self.tokens.last()
        {
            return Err(Diagnostic::new(*span, "the path is empty")
                .label("the blank line after it ends the path")
                .hint("delete the blank line")
                .fix("Delete the blank line", [(line_end, "")]));
        }
        while self.stack.pop_if(|frame| frame.opener == Opener::Path).is_some() {
            self.tokens.push(Token {
                kind: TokenKind::PathEnd,
                span: line_end,
                spaced: true,
            });
        }
        Ok(())
    }

    fn drop_paths(&mut self) {
        while self.stack.pop_if(|frame| frame.opener == Opener::Path).is_some() {}
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
            Diagnostic::new(span, format!("`{word}` cannot stand directly in a path"))
                .label("its dash would be taken for a move of the path")
                .related(path, "the path begins here")
                .hint(format!("put braces around the filter, as in `{braced}`")),
        )
    }

    fn end_text(&mut self, end: Span) -> Result<(), Diagnostic> {
        self.end_message(end)?;
        self.drop_paths();
        let Some(frame) = self.stack.last() else {
            return Ok(());
        };
        let bracket = self.source.slice(frame.span);
        Err(Diagnostic::new(frame.span, format!("`{bracket}` is never closed")).label("it is opened here"))
    }
}
