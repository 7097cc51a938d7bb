//! `cql( … )`

use crate::syntax::Diagnostic;
use crate::syntax::token::{Sign, Span, TokenKind};

use super::super::transform::Group;
use super::super::{Bound, CommentLevel, Header};
use super::{Builder, Built};

impl Builder {
    /// The header, which must stand first.
    pub(super) fn header(&mut self) -> Built<Header> {
        if !self.take_word("cql") {
            return Err(self.unexpected("expected the header `cql( … )`").hint(
                "a query begins with a header such as `cql(input games.pgn)`; `cql()` is enough with `skewer search`",
            ));
        }
        let opened = self.open("cql")?;
        let mut header = Header::default();
        while !self.at_sign(Sign::CloseParen) {
            self.feature(&mut header)?;
        }
        self.close(opened, "the header")?;
        Ok(header)
    }

    fn feature(&mut self, header: &mut Header) -> Built<()> {
        let token = self.token().clone();
        let twice = |what: &str| Diagnostic::new(token.span, format!("`{what}` stands twice in the header"));
        match token.kind {
            TokenKind::File { input, name } => {
                self.next();
                check_file_name(&name, token.span)?;
                let (slot, word) = if input {
                    (&mut header.input, "input")
                } else {
                    (&mut header.output, "output")
                };
                if slot.replace(name).is_some() {
                    return Err(twice(word));
                }
            }
            TokenKind::Word("variations") => {
                self.next();
                header.variations = true;
            }
            TokenKind::Word(word @ ("silent" | "quiet")) => {
                self.next();
                if header.comments == CommentLevel::Normal {
                    header.comments = if word == "silent" {
                        CommentLevel::Silent
                    } else {
                        CommentLevel::Quiet
                    };
                }
            }
            TokenKind::Word("matchstring") => {
                self.next();
                header.match_string = Some(self.string_literal("after `matchstring`")?);
            }
            TokenKind::Word("result") => {
                self.next();
                header.results.push(self.result_value()?);
            }
            TokenKind::Word("gamenumber") => {
                self.next();
                let range = self.constant_range("gamenumber")?;
                if header.games.replace(range).is_some() {
                    return Err(twice("gamenumber"));
                }
            }
            TokenKind::Word("sort") if self.peek(1).kind == TokenKind::Word("matchcount") => {
                self.next();
                header.sort_match_count = true;
                self.match_count(header, twice("matchcount"))?;
            }
            TokenKind::Word("matchcount") => self.match_count(header, twice("matchcount"))?,
            TokenKind::Word(
                "player" | "year" | "elo" | "event" | "site" | "date" | "eco" | "tag" | "wtm" | "btm" | "check"
                | "mate",
            ) => {
                return Err(self
                    .unexpected("expected a feature or `)`")
                    .hint("this is a filter: it stands behind the header, `cql( … ) filter`"));
            }
            TokenKind::Word(word) if Group::named(word).is_some() => {
                return Err(self.unexpected("expected a feature or `)`").hint(format!(
                    "a transform stands in front of a filter: `cql( … ) {word} {{ … }}`"
                )));
            }
            _ => {
                return Err(self.unexpected(
                    "expected `input`, `output`, `variations`, `gamenumber`, `result`, `matchcount`, `sort matchcount`, \
                     `matchstring`, `quiet`, `silent` or `)`",
                ));
            }
        }
        Ok(())
    }

    fn match_count(&mut self, header: &mut Header, twice: Diagnostic) -> Built<()> {
        self.next();
        let range = self.constant_range("matchcount")?;
        if header.match_count.replace(range).is_some() {
            Err(twice)
        } else {
            Ok(())
        }
    }

    /// One or two numbers.
    fn constant_range(&mut self, word: &str) -> Built<(i32, i32)> {
        let Some(least) = self.constant() else {
            return Err(self
                .unexpected(&format!("expected a number after `{word}`"))
                .hint(format!("there is no arithmetic in the header: `{word} 3 8`")));
        };
        Ok((least, self.constant().unwrap_or(least)))
    }

    /// A bound of a range, as in the body, but variables are unknown yet.
    fn constant(&mut self) -> Option<i32> {
        match self.bound()? {
            Bound::Number(number) => Some(number),
            Bound::Variable(..) => None,
        }
    }
}

fn check_file_name(name: &str, span: Span) -> Built<()> {
    if name.ends_with(".pgn") || name.ends_with(".PGN") {
        return Ok(());
    }
    let error = Diagnostic::new(span, "the name of a PGN file ends in `.pgn`").label(format!("this is `{name}`"));
    Err(if name.ends_with(',') {
        error.hint("features are separated by white space, not by commas")
    } else {
        error
    })
}
