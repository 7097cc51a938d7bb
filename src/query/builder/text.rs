//! Text: messages and comments, tags of the game, functions of strings, `sort`.

use shakmaty::Color;

use crate::board::Contents;
use crate::syntax::token::{Designator, Sign, Span, TokenKind};
use crate::syntax::tree::Rule;
use crate::syntax::{Diagnostic, Form};

use super::super::node::{Filter, Str, node};
use super::super::strings::{GameTag, Part};
use super::super::{CondExpr, NumExpr, SortId, SortKey, StrExpr, TextItem};
use super::climb::Level;
use super::{Builder, Built};

impl Builder {
    /// A string literal: it is next.
    pub(super) fn literal(&mut self, bytes: Vec<u8>) -> Built {
        let span = self.next().span;
        Ok(Filter::String(node(StrExpr::Literal(bytes), span)))
    }

    /// `message quiet? …`: the word is read.
    pub(super) fn message(&mut self, first: usize) -> Built {
        self.effects += 1;
        let quiet = self.take_word("quiet");
        let items = self.text_items("message")?;
        Ok(self.condition_node(CondExpr::Message { quiet, items }, self.span_from(first)))
    }

    /// `comment …`: the word is read.
    pub(super) fn comment(&mut self, first: usize) -> Built {
        self.writes_comment();
        let items = self.text_items("comment")?;
        Ok(self.condition_node(CondExpr::Comment(items), self.span_from(first)))
    }

    /// `str …`: the word is read. The text of a position in a variation makes a comment.
    pub(super) fn text(&mut self, first: usize) -> Built {
        self.writes_comment();
        let items = self.text_items("str")?;
        Ok(Filter::String(node(StrExpr::Text(items), self.span_from(first))))
    }

    /// `/// …` to the end of the line: the slashes are next.
    pub(super) fn line_message(&mut self) -> Built {
        self.writes_comment();
        let first = self.at;
        self.next();
        let mut items = Vec::new();
        while self.token().kind != TokenKind::LineMessageEnd {
            items.push(self.text_item("expected a filter: `///` writes the values of filters")?);
        }
        if items.is_empty() {
            return Err(self.unexpected("expected a filter after `///`"));
        }
        let span = self.span_from(first);
        self.next();
        Ok(self.condition_node(CondExpr::Comment(items), span))
    }

    /// `( f g … )` or one filter.
    pub(super) fn text_items(&mut self, word: &str) -> Built<Vec<TextItem>> {
        let expected = format!("expected a filter after `{word}`");
        if !self.at_sign(Sign::OpenParen) {
            return Ok(vec![self.text_item(&expected)?]);
        }
        let opened = self.next().span;
        let mut items = vec![self.text_item(&expected)?];
        while self.begins_filter() {
            items.push(self.text_item(&expected)?);
        }
        self.close(opened, &format!("the items of `{word}`"))?;
        Ok(items)
    }

    /// One item. A string right after a tag is an item of its own here and not a search.
    fn text_item(&mut self, expected: &str) -> Built<TextItem> {
        if !self.begins_filter() {
            return Err(self.unexpected(expected));
        }
        let start = self.at;
        if self.at_word("fen") && matches!(self.peek(1).kind, TokenKind::String(_)) {
            let span = self.next().span;
            return Ok(TextItem::Filter(Filter::String(node(StrExpr::Fen, span))));
        }
        let dictionary = self.lone_dictionary()?;
        let filter = self.filter()?;
        let function = self.forms.at(start).filter(|form| form.rule == Rule::function);
        if let Some(name) = function.and_then(|form| form.part(Rule::name))
            && let Filter::Condition(condition) = &filter
            && matches!(condition.kind, CondExpr::Constant(_))
            && let TokenKind::Name(name) = &self.tokens[name.first].kind
        {
            // As in the reference, the definition of a function is written as its name, which has no value.
            let text = StrExpr::Literal(format!("<unbound: {name}>").into_bytes());
            return Ok(TextItem::Filter(Filter::String(node(text, condition.span))));
        }
        if let Some((dictionary, end)) = dictionary
            && self.at == end
        {
            return Ok(TextItem::Dictionary(dictionary));
        }
        if let TokenKind::Name(name) = &self.tokens[start].kind
            && self.at == start + 1
            && let Some(super::names::Name::Variable(variable)) = self.names.get(name)
        {
            return Ok(TextItem::Variable(variable, name.clone()));
        }
        let is_search = match &filter {
            // A symbol after `originalcomment` is no text that is searched for.
            Filter::Condition(condition) => !matches!(condition.kind, CondExpr::Symbol(_)),
            _ => false,
        };
        if is_search && self.searched(start) == Some(self.at) {
            self.at = start;
            let tag = self.tag_words()?;
            return Ok(TextItem::Filter(tag));
        }
        Ok(TextItem::Filter(filter))
    }

    /// Where a search by a string after a tag ends, if the token at `start` begins one.
    fn searched(&self, start: usize) -> Option<usize> {
        let TokenKind::Word(word) = self.tokens[start].kind else {
            return None;
        };
        let words = match word {
            "player" => {
                1 + usize::from(matches!(
                    self.tokens[start + 1].kind,
                    TokenKind::Word("white" | "black")
                ))
            }
            "event" | "site" | "date" | "eventdate" | "eco" | "originalcomment" | "hascomment" => 1,
            "hhdb" => 1 + super::hhdb::study_text(&self.tokens[start + 1..])?.1,
            _ => return None,
        };
        matches!(self.tokens[start + words].kind, TokenKind::String(_)).then_some(start + words + 1)
    }

    /// `event` and its like by themselves, also texts of `hhdb`: the words are next.
    fn tag_words(&mut self) -> Built {
        let first = self.at;
        let kind = match self.next().kind {
            TokenKind::Word("player") => match self.take_any_word(&["white", "black"]) {
                Some(color) => StrExpr::Player(color_of(color)),
                None => StrExpr::Players,
            },
            TokenKind::Word("event") => StrExpr::GameTag(GameTag::Event),
            TokenKind::Word("site") => StrExpr::GameTag(GameTag::Site),
            TokenKind::Word("date") => StrExpr::GameTag(GameTag::Date),
            TokenKind::Word("eventdate") => StrExpr::GameTag(GameTag::EventDate),
            TokenKind::Word("eco") => StrExpr::GameTag(GameTag::Eco),
            TokenKind::Word("hhdb") => match self.study_text(first) {
                Some(text) => text,
                None => return Err(self.unexpected("expected a text of `hhdb`")),
            },
            _ => {
                self.needs.notes = true;
                StrExpr::OriginalComment
            }
        };
        Ok(Filter::String(node(kind, self.span_from(first))))
    }

    /// `event "…"?` and its like, also `originalcomment`: the words are next.
    pub(super) fn tag_or_search(&mut self) -> Built {
        let first = self.at;
        let tag = self.tag_words()?;
        let Filter::String(tag) = tag else { return Ok(tag) };
        let text_span = self.token().span;
        let TokenKind::String(text) = &self.token().kind else {
            return Ok(Filter::String(tag));
        };
        if text.is_empty() {
            return Ok(Filter::String(tag));
        }
        let text = text.clone();
        self.next();
        let span = self.span_from(first);
        if matches!(tag.kind, StrExpr::OriginalComment)
            && let Some(symbol) = annotation_symbol(&text, text_span)?
        {
            return Ok(self.condition_node(CondExpr::Symbol(symbol), span));
        }
        if looks_like_pattern(&text) {
            return Err(Diagnostic::new(text_span, "this looks like a regular expression")
                .label("a string after a tag is searched for literally")
                .hint("write `… ~~ \"…\"` to match a regular expression, or `\"…\" in …` to search")
                .fix("Match it as a regular expression", [(text_span.before(), "~~ ")]));
        }
        let part: Str = node(StrExpr::Literal(text), text_span);
        Ok(self.condition_node(CondExpr::Substring(part, tag), span))
    }

    /// `tag "…"`: the word is read.
    pub(super) fn tag(&mut self, first: usize) -> Built {
        let span = self.token().span;
        let name = self.string_literal("after `tag`")?;
        check_tag_name(&name, span)?;
        let kind = match name.as_slice() {
            b"White" => StrExpr::PlayerTag(Color::White),
            b"Black" => StrExpr::PlayerTag(Color::Black),
            b"Event" => StrExpr::GameTag(GameTag::Event),
            b"Site" => StrExpr::GameTag(GameTag::Site),
            b"Date" => StrExpr::GameTag(GameTag::Date),
            b"EventDate" => StrExpr::GameTag(GameTag::EventDate),
            b"ECO" => StrExpr::GameTag(GameTag::Eco),
            _ => StrExpr::Tag(name),
        };
        Ok(Filter::String(node(kind, self.span_from(first))))
    }

    /// `settag("NAME" s)`: the form is next.
    pub(super) fn set_tag(&mut self, form: &Form) -> Built {
        let first = self.at;
        self.effects += 1;
        let opened = self.enter(form)?;
        let span = self.token().span;
        let name = self.string_literal("with the name of a tag")?;
        check_tag_name(&name, span)?;
        if BUILT_IN_TAGS.contains(&name.as_slice()) {
            return Err(Diagnostic::new(span, "this tag cannot be set").label("the game itself has it"));
        }
        let value = self.filter_expected("as the value of the tag")?;
        let value = self.string(value, "as the value of the tag")?;
        self.close(opened, "the name and the value")?;
        Ok(self.condition_node(CondExpr::SetTag(name, value), self.span_from(first)))
    }

    /// `elo`, `elo white`: the word is read.
    pub(super) fn rating(&mut self, first: usize) -> Built {
        let kind = match self.take_any_word(&["white", "black"]) {
            Some(color) => NumExpr::Rating(color_of(color)),
            None => NumExpr::BestRating,
        };
        Ok(Filter::Number(node(kind, self.span_from(first))))
    }

    /// `result R`: the word is read.
    pub(super) fn result(&mut self, first: usize) -> Built {
        let result = self.result_value()?;
        Ok(self.condition_node(CondExpr::Result(result), self.span_from(first)))
    }

    /// A result, bare or quoted.
    pub(super) fn result_value(&mut self) -> Built<shakmaty::KnownOutcome> {
        let result = match &self.token().kind {
            TokenKind::Result(result) => Some(*result),
            TokenKind::String(text) => std::str::from_utf8(text).ok().and_then(|text| text.parse().ok()),
            _ => None,
        };
        let Some(result) = result else {
            return Err(self.unexpected("expected `1-0`, `0-1` or `1/2-1/2`"));
        };
        self.next();
        Ok(result)
    }

    /// `uppercase s`, `lowercase s`: the word is read.
    pub(super) fn letter_case(&mut self, make: fn(Str) -> StrExpr, first: usize) -> Built {
        let string = self.string_operand(Level::Product, "after the word")?;
        Ok(Filter::String(node(make(string), self.span_from(first))))
    }

    /// `typename S`, `piecename S`: the word is read.
    pub(super) fn piece_name(&mut self, colored: bool, first: usize) -> Built {
        let set = self.set_operand(Level::Dash, "after the word")?;
        Ok(Filter::String(node(
            StrExpr::PieceName { colored, set },
            self.span_from(first),
        )))
    }

    /// `s[n]`, `s[n:m]`: the bracket is next.
    pub(super) fn bracket(&mut self, string: Filter, first: usize) -> Built {
        let opened = self.next().span;
        let string = self.string(string, "before `[`")?;
        let start = if self.at_sign(Sign::Colon) {
            None
        } else {
            Some(self.number_operand(Level::Sum, "as an index")?)
        };
        let part = match start {
            Some(index) if !self.at_sign(Sign::Colon) => Part::Byte(index),
            start => {
                self.next();
                let end = if self.at_sign(Sign::CloseBracket) {
                    None
                } else {
                    Some(self.number_operand(Level::Sum, "as an index")?)
                };
                Part::Bytes(start, end)
            }
        };
        if !self.take_sign(Sign::CloseBracket) {
            return Err(self.unexpected("expected `]`").related(opened, "opened here"));
        }
        if self.at_sign(Sign::Assign) {
            return self.splice(&string, part, first);
        }
        Ok(Filter::String(node(StrExpr::Part(string, part), self.span_from(first))))
    }

    /// `fen`, `fen "…"`: the word is read.
    pub(super) fn fen(&mut self, first: usize) -> Built {
        let span = self.token().span;
        let Some(pattern) = self.take_string() else {
            return Ok(Filter::String(node(StrExpr::Fen, self.span_from(first))));
        };
        let designators = placement(&pattern).map_err(|(message, at)| {
            let start = span.start as usize + "\"".len() + at;
            Diagnostic::new(Span::new(start, start + 1), message)
                .label("expected the pieces rank by rank, from a8 to h1")
        })?;
        Ok(self.condition_node(CondExpr::Placement(designators), self.span_from(first)))
    }

    /// `sort quiet? min? "title"? f`: the word is read.
    pub(super) fn sort(&mut self, first: usize) -> Built {
        self.effects += 1;
        let quiet = self.take_word("quiet");
        let directed = matches!(self.peek(1).kind, TokenKind::String(_));
        let direction = if directed {
            self.take_any_word(&["min", "max"])
        } else {
            None
        };
        if !directed && (self.at_word("min") || self.at_word("max")) {
            let error = self
                .unexpected("expected a title after the direction of `sort`")
                .hint("write `sort min \"title\" f`; to sort by the function, write `sort {min(…)}`");
            let close = self.closing(self.at + 1).map(|close| close.span);
            return Err(match close {
                Some(close) => error.surround(self.token().span.to(close), "{", "}"),
                None => error,
            });
        }
        let title_span = self.token().span;
        let title = self.take_string();
        if title.as_ref().is_some_and(Vec::is_empty) {
            return Err(Diagnostic::new(title_span, "the title of this `sort` is empty")
                .label("nothing would say what the value is")
                .hint("leave it out to have the keys numbered: `sort f`")
                .fix("Leave it out", [(title_span, "")]));
        }
        let keyword = self.tokens[first].span;
        let title = title.unwrap_or_else(|| self.numbered_title(keyword));
        let echoes = self.echoes;
        self.sorts += 1;
        let value = self.filter_expected("after `sort`");
        self.sorts -= 1;
        let value = value?;
        let span = self.span_from(first);
        if direction == Some("min") && self.echoes > echoes {
            return Err(Diagnostic::new(span, "`sort min` of an `echo`")
                .label("an `echo` keeps the comments of its greatest value")
                .hint("negate the number inside the `echo` instead"));
        }
        let text = matches!(value, Filter::String(_));
        let key = SortKey {
            title,
            ascending: direction == Some("min"),
            quiet,
            text,
        };
        Ok(match value {
            Filter::Number(number) => {
                if matches!(number.kind, NumExpr::Literal(_)) {
                    return Err(Diagnostic::new(number.span, "`sort` by a number that never changes")
                        .label("the same for every game"));
                }
                Filter::Number(node(NumExpr::Sort(self.sort_key(key, keyword)?, number), span))
            }
            Filter::Set(set) => Filter::Number(node(NumExpr::SortSet(self.sort_key(key, keyword)?, set), span)),
            Filter::String(string) => Filter::String(node(StrExpr::Sort(self.sort_key(key, keyword)?, string), span)),
            other => {
                let error = Diagnostic::new(
                    other.span(),
                    format!(
                        "`sort` takes a number, a string or a set, found {}",
                        other.kind().described()
                    ),
                )
                .label(format!("this is {}", other.kind().described()))
                .hint("`sort` takes as much as it can, `and` and `or` included; parentheses end it: `(sort f) or g`");
                return Err(match &other {
                    Filter::Condition(condition) => match &condition.kind {
                        CondExpr::And(left, _) | CondExpr::Or(left, _) => {
                            error.surround(keyword.to(left.span), "(", ")")
                        }
                        _ => error,
                    },
                    _ => error,
                });
            }
        })
    }

    /// The title of a `sort` without one: by the order of the words in the text.
    fn numbered_title(&mut self, keyword: Span) -> Vec<u8> {
        let place = self
            .sort_words
            .iter()
            .position(|span| *span == keyword)
            .unwrap_or_else(|| {
                self.sort_words.push(keyword);
                self.sort_words.len() - 1
            });
        format!("<sort-id-{}>", place + 1).into_bytes()
    }

    /// The key of this title, registered if it is new.
    pub(super) fn sort_key(&mut self, key: SortKey, keyword: Span) -> Built<SortId> {
        match self.sort_keys.iter().position(|known| known.title == key.title) {
            None => {
                self.sort_keys.push(key);
                Ok(SortId(self.sort_keys.len() as u32 - 1))
            }
            Some(place)
                if self.sort_keys[place].ascending == key.ascending && self.sort_keys[place].text == key.text =>
            {
                Ok(SortId(place as u32))
            }
            Some(_) => Err(Diagnostic::new(keyword, "two different `sort` have one title")
                .label("another `sort` of this title has values of another type or the other direction")),
        }
    }
}

/// The colour that a word names.
pub(super) fn color_of(word: &str) -> Color {
    if word == "white" { Color::White } else { Color::Black }
}

/// Whether a search text has signs of a regular expression.
fn looks_like_pattern(text: &[u8]) -> bool {
    let bracketed = text
        .iter()
        .position(|byte| *byte == b'[')
        .is_some_and(|open| text[open..].contains(&b']'));
    bracketed || text.iter().skip(1).any(|byte| matches!(byte, b'*' | b'+' | b'?'))
}

/// The annotation symbol (NAG) that a text after `originalcomment` names.
fn annotation_symbol(text: &[u8], span: Span) -> Built<Option<u8>> {
    let symbol = match text {
        b"!" => 1,
        b"?" => 2,
        b"!!" => 3,
        b"??" => 4,
        b"!?" => 5,
        b"?!" => 6,
        b"=" => 10,
        b"+/=" => 14,
        b"=/+" => 15,
        b"+/-" => 16,
        b"-/+" => 17,
        b"+-" => 18,
        b"-+" => 19,
        [b'$', digits @ ..] if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) => {
            let number = std::str::from_utf8(digits)
                .ok()
                .and_then(|digits| digits.parse::<u8>().ok());
            return match number {
                Some(1..) => Ok(number),
                _ => Err(Diagnostic::new(span, "annotation symbols are `$1` to `$255`").label("outside this range")),
            };
        }
        _ => return Ok(None),
    };
    Ok(Some(symbol))
}

/// The tags that every game has.
const BUILT_IN_TAGS: [&[u8]; 8] = [
    b"White",
    b"Black",
    b"Event",
    b"EventDate",
    b"Site",
    b"Date",
    b"ECO",
    b"FEN",
];

/// Refuses names that no tag has, and tags that are filters.
fn check_tag_name(name: &[u8], span: Span) -> Built<()> {
    let is_name = matches!(name.first(), Some(first) if first.is_ascii_alphanumeric())
        && name.len() <= 60
        && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    if !is_name {
        return Err(Diagnostic::new(span, "this is no tag name").label("expected letters, digits and `_`"));
    }
    if BUILT_IN_TAGS.contains(&name) {
        return Ok(());
    }
    const WITH_FILTERS: [&[u8]; 2] = [b"Round", b"Result"];
    let near = BUILT_IN_TAGS
        .iter()
        .chain(&WITH_FILTERS)
        .any(|known| known.eq_ignore_ascii_case(name));
    if near || name.starts_with(b"White") || name.starts_with(b"Black") {
        return Err(Diagnostic::new(span, "this tag has a filter of its own")
            .label("not for `tag`")
            .hint("write `player`, `elo`, `event`, `result` …"));
    }
    Ok(())
}

/// The designators that a placement stands for, in the order in which it is written: one for each of the 64 squares. Or what
/// is wrong with it, and at which byte.
fn placement(pattern: &[u8]) -> Result<Vec<Designator>, (&'static str, usize)> {
    let mut designators = Vec::with_capacity(64);
    let mut bytes = pattern.iter().copied().enumerate().peekable();
    let too_short = || ("fewer than 64 squares", pattern.len());
    while designators.len() < 64 {
        let before = designators.len();
        if before % 8 == 0 && before > 0 {
            match bytes.next().ok_or_else(too_short)? {
                (_, b'/') => {}
                (at, _) => return Err(("a rank is not ended by `/` after eight squares", at)),
            }
        }
        let (at, byte) = bytes.next().ok_or_else(too_short)?;
        let (contents, count) = match byte {
            b'1'..=b'8' => (Some(Contents::EMPTY), byte - b'0'),
            b'_' => (Some(Contents::EMPTY), 1),
            b'A' => (Some(Contents::WHITE), 1),
            b'a' => (Some(Contents::BLACK), 1),
            b'.' => (None, 1),
            letter => match b"KQRBNP_kqrbnp".iter().position(|known| *known == letter) {
                Some(bit) => (Some(Contents(1 << bit)), 1),
                None if letter == b'/' => return Err(("a rank has fewer than eight squares", at)),
                None => return Err(("this sign has no meaning in a placement", at)),
            },
        };
        if before % 8 + usize::from(count) > 8 {
            return Err(("a rank has more than eight squares", at));
        }
        for _ in 0..count {
            let place = designators.len();
            let square = (7 - place / 8) * 8 + place % 8;
            designators.push(Designator {
                contents: contents.unwrap_or(Contents::ANY),
                has_contents: contents.is_some(),
                squares: shakmaty::Bitboard(1 << square),
                has_squares: true,
                any_white: byte == b'A',
                any_black: byte == b'a',
            });
        }
    }
    Ok(designators)
}
