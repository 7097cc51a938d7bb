//! The header, `cql( … )`.

use crate::syntax::token::{Sign, Span, TokenKind};
use crate::syntax::tree::Rule;
use crate::syntax::{Diagnostic, Part};

use super::builder::{Builder, Built};
use crate::query::ast::{Bound, CommentLevel, Header};
use crate::query::transform::Group;

/// The features that a header may have.
const FEATURES: &str = "expected `input`, `output`, `variations`, `gamenumber`, `result`, `matchcount`, `sort matchcount`, \
                        `matchstring`, `quiet`, `silent` or `)`";

impl Builder {
    /// Reads the header, which must come first.
    pub(super) fn header(&mut self) -> Built<Header> {
        let Some(form) = self.cursor.form().filter(|form| form.rule == Rule::header) else {
            return Err(self.no_header());
        };
        self.cursor.next();
        let opened = self.open("cql")?;
        let mut header = Header::default();
        for feature in form.all() {
            if !matches!(feature.rule, Rule::CQL | Rule::open_paren | Rule::close_paren) {
                self.cursor.at = feature.first;
                self.feature(*feature, &mut header)?;
                self.cursor.go_behind(*feature);
            }
        }
        self.close(opened, "the header")?;
        Ok(header)
    }

    fn no_header(&mut self) -> Diagnostic {
        if self.cursor.take_word("cql") {
            return self.without_parentheses("cql");
        }
        if self.cursor.at_sign(Sign::OpenBracket) && matches!(self.cursor.peek(2).kind, TokenKind::String(_)) {
            return self.unexpected("expected the header `cql( … )`").hint(
                "this looks like games in PGN; a query is a file of its own: `skewer search mate.cql games.pgn`",
            );
        }
        self.unexpected("expected the header `cql( … )`")
            .hint("a query begins with a header such as `cql(input games.pgn)`; `cql()` is enough with `skewer search`")
            .fix(
                "Write `cql()` in front of it",
                [(self.cursor.token().span.before(), "cql()\n")],
            )
    }

    fn feature(&mut self, feature: Part, header: &mut Header) -> Built<()> {
        let token = self.cursor.next();
        let twice = |what: &str| {
            Err(Diagnostic::new(
                token.span,
                format!("`{what}` occurs twice in the header"),
            ))
        };
        match feature.rule {
            Rule::file => {
                let TokenKind::File { input, name } = token.kind else {
                    return Err(self.unexpected("expected a file name"));
                };
                check_file_name(&name, token.span)?;
                let (slot, word) = if input {
                    (&mut header.input, "input")
                } else {
                    (&mut header.output, "output")
                };
                if slot.replace(name).is_some() {
                    return twice(word);
                }
            }
            Rule::VARIATIONS => header.variations = true,
            Rule::comment_level => {
                if header.comments == CommentLevel::Normal {
                    header.comments = match token.kind {
                        TokenKind::Word("silent") => CommentLevel::Silent,
                        _ => CommentLevel::Quiet,
                    };
                }
            }
            Rule::match_string => header.match_string = Some(self.string_literal("after `matchstring`")?),
            Rule::result_of_game => header.results.push(self.result_value()?),
            Rule::game_numbers => {
                let range = self.constant_range("gamenumber")?;
                if header.games.replace(range).is_some() {
                    return twice("gamenumber");
                }
            }
            Rule::match_count => {
                if self.cursor.take_word("matchcount") {
                    header.sort_match_count = true;
                }
                let range = self.constant_range("matchcount")?;
                if header.match_count.replace(range).is_some() {
                    return twice("matchcount");
                }
            }
            _ => return Err(self.no_feature(feature)),
        }
        Ok(())
    }

    /// Returns an error for a word that is not a feature, or only the beginning of one.
    fn no_feature(&mut self, feature: Part) -> Diagnostic {
        self.cursor.at = feature.first;
        let TokenKind::Word(word) = self.cursor.token().kind else {
            return self.unexpected(FEATURES);
        };
        let sorted = word == "sort" && self.cursor.peek(1).kind == TokenKind::Word("matchcount");
        match word {
            "matchstring" | "result" | "gamenumber" | "matchcount" => self.cursor.advance(1),
            "sort" if sorted => self.cursor.advance(2),
            _ => {}
        }
        match word {
            "matchstring" => self.unexpected("expected a quoted string after `matchstring`"),
            "result" => self.unexpected("expected `1-0`, `0-1` or `1/2-1/2`"),
            "gamenumber" | "matchcount" => self.no_number(word),
            "sort" if sorted => self.no_number("matchcount"),
            "player" | "year" | "elo" | "event" | "site" | "date" | "eco" | "tag" | "wtm" | "btm" | "check"
            | "mate" => self
                .unexpected("expected a feature or `)`")
                .hint("this is a filter: it comes after the header, `cql( … ) filter`"),
            word if Group::named(word).is_some() => self
                .unexpected("expected a feature or `)`")
                .hint(format!("a transform comes before a filter: `cql( … ) {word} {{ … }}`")),
            _ => self.unexpected(FEATURES),
        }
    }

    /// Reads one or two numbers.
    fn constant_range(&mut self, word: &str) -> Built<(i32, i32)> {
        let Some(least) = self.constant() else {
            return Err(self.no_number(word));
        };
        Ok((least, self.constant().unwrap_or(least)))
    }

    fn no_number(&self, word: &str) -> Diagnostic {
        self.unexpected(&format!("expected a number after `{word}`"))
            .hint(format!("there is no arithmetic in the header: `{word} 3 8`"))
    }

    /// Reads a bound of a range. It cannot be a variable, because none is known yet.
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
        let comma = Span {
            start: span.end.saturating_sub(1),
            ..span
        };
        error
            .hint("features are separated by white space, not by commas")
            .fix("Leave out the comma", [(comma, "")])
    } else {
        error
    })
}
