//! Text: messages and comments, tags of the game, functions on strings, and `sort`.

use std::borrow::Cow;

use pgn_reader::Nag;
use shakmaty::Color;

use crate::board::Contents;
use crate::game::{composed, is_rating_tag};
use crate::syntax::token::{Designator, Sign, Span, TokenKind};
use crate::syntax::tree::Rule;
use crate::syntax::{Diagnostic, Form, Part as FormPart, letter_contents};

use super::builder::{Builder, Built, of_wrong_type};
use super::operators::Level;
use crate::query::ast::node::{Filter, Str, node};
use crate::query::ast::strings::StringSlice;
use crate::query::ast::{CondExpr, NumExpr, SortId, SortKey, StrExpr, TextItem};

impl Builder {
    /// Reads `message quiet? …`, `comment …`, `str …`. The form is next. Items are in parentheses; without them, there is one.
    pub(super) fn message(&mut self, form: &Form) -> Built {
        let first = self.cursor.at;
        let Some(word) = form.all().first() else {
            return Err(self.unexpected("expected `message`"));
        };
        let quiet = form.part(Rule::QUIET);
        self.cursor.go_behind(quiet.unwrap_or(*word));
        let items = self.text_items(self.cursor.word_of(*word))?;
        let span = self.cursor.span_from(first);
        Ok(match word.rule {
            Rule::MESSAGE => {
                let quiet = quiet.is_some();
                Filter::new(CondExpr::Message { quiet, items }, span)
            }
            Rule::STR => Filter::new(StrExpr::Text(items), span),
            _ => Filter::new(CondExpr::Comment(items), span),
        })
    }

    /// Reads `/// …` to the end of the line. The slashes are next.
    pub(super) fn line_message(&mut self) -> Built {
        let first = self.cursor.at;
        self.cursor.next();
        let mut items = Vec::new();
        while self.cursor.token().kind != TokenKind::LineMessageEnd {
            items.push(self.text_item("expected a filter: `///` writes the values of filters")?);
        }
        if items.is_empty() {
            return Err(self.unexpected("expected a filter after `///`"));
        }
        let span = self.cursor.span_from(first);
        self.cursor.next();
        Ok(Filter::new(CondExpr::Comment(items), span))
    }

    /// Reads `( f g … )` or one filter.
    pub(super) fn text_items(&mut self, word: &str) -> Built<Vec<TextItem>> {
        let expected = format!("expected a filter after `{word}`");
        if !self.cursor.at_sign(Sign::OpenParen) {
            return Ok(vec![self.text_item(&expected)?]);
        }
        let opened = self.cursor.next().span;
        let mut items = vec![self.text_item(&expected)?];
        while self.cursor.begins_filter() {
            items.push(self.text_item(&expected)?);
        }
        self.close(opened, &format!("the items of `{word}`"))?;
        Ok(items)
    }

    /// Reads one item. A string right after a tag is a separate item here, not a search.
    fn text_item(&mut self, expected: &str) -> Built<TextItem> {
        if !self.cursor.begins_filter() {
            return Err(self.unexpected(expected));
        }
        let start = self.cursor.at;
        let form = self.cursor.form();
        // A string right after `fen` is also the next item.
        if let Some(form) = form.as_ref().filter(|form| form.rule == Rule::fen)
            && self.cursor.text_of(form).is_some()
        {
            let span = self.cursor.next().span;
            return Ok(TextItem::Filter(Filter::new(StrExpr::Fen, span)));
        }
        let dictionary = self.lone_dictionary()?;
        let filter = self.filter()?;
        let function = form.as_ref().filter(|form| form.rule == Rule::function);
        if let Some(name) = function.and_then(|form| form.part(Rule::name))
            && let Filter::Condition(condition) = &filter
            && matches!(condition.kind, CondExpr::Constant(_))
            && let TokenKind::Name(name) = &self.cursor.tokens[name.first].kind
        {
            // As in the reference, the definition of a function is written as its name, which has no value.
            let text = StrExpr::Literal(format!("<unbound: {name}>").into_bytes());
            return Ok(TextItem::Filter(Filter::new(text, condition.span)));
        }
        if let Some((dictionary, end)) = dictionary
            && self.cursor.at == end
        {
            return Ok(TextItem::Dictionary(dictionary));
        }
        if let TokenKind::Name(name) = &self.cursor.tokens[start].kind
            && self.cursor.at == start + 1
            && let Some(super::names::Name::Variable(variable)) = self.symbols.names.get(name)
        {
            return Ok(TextItem::Variable(variable, name.clone()));
        }
        let is_search = match &filter {
            // A symbol after `originalcomment` is not a text to search for.
            Filter::Condition(condition) => !matches!(condition.kind, CondExpr::Symbol(_)),
            _ => false,
        };
        if let Some(form) = form
            && is_search
            && (form.rule == Rule::tag_test || form.has(Rule::study_text) || form.has(Rule::gbr))
            && (form.has(Rule::string) || form.has(Rule::escape))
            && form.end() == self.cursor.at
        {
            self.cursor.at = start;
            let tag = self.tag_words(&form)?;
            return Ok(TextItem::Filter(tag));
        }
        Ok(TextItem::Filter(filter))
    }

    /// Reads `event` and the like without a text, also texts of `hhdb`. The form is next; afterwards, the token after its words is.
    fn tag_words(&mut self, form: &Form) -> Built {
        let first = self.cursor.at;
        let words = form
            .all()
            .iter()
            .filter(|part| !matches!(part.rule, Rule::string | Rule::escape));
        let words: Vec<FormPart> = words.copied().collect();
        let color = words.get(1).map(|color| color_of(self.cursor.word_of(*color)));
        let kind = match (words.first().map_or("", |word| self.cursor.word_of(*word)), color) {
            ("player", Some(color)) => StrExpr::Player(color),
            ("player", None) => StrExpr::Players,
            ("event", _) => StrExpr::Tag(b"Event".to_vec()),
            ("site", _) => StrExpr::Tag(b"Site".to_vec()),
            ("date", _) => StrExpr::Tag(b"Date".to_vec()),
            ("eventdate", _) => StrExpr::Tag(b"EventDate".to_vec()),
            ("eco", _) => StrExpr::Tag(b"ECO".to_vec()),
            ("hhdb", _) => self.study_text(form)?,
            _ => StrExpr::OriginalComment,
        };
        if let Some(last) = words.last() {
            self.cursor.go_behind(*last);
        }
        self.complete(kind, first)
    }

    /// Reads `event "…"?` and the like, also `originalcomment` and texts of `hhdb`. The form is next.
    pub(super) fn tag_test(&mut self, form: &Form) -> Built {
        let first = self.cursor.at;
        let tag = self.tag_words(form)?;
        let Filter::String(tag) = tag else { return Ok(tag) };
        let Some((text, part)) = self.cursor.text_of(form).filter(|(text, _)| !text.is_empty()) else {
            return Ok(Filter::String(tag));
        };
        let text_span = self.cursor.tokens[part.first].span;
        self.cursor.go_behind(part);
        let span = self.cursor.span_from(first);
        if matches!(tag.kind, StrExpr::OriginalComment)
            && let Some(symbol) = annotation_symbol(&text, text_span)?
        {
            return Ok(Filter::new(CondExpr::Symbol(symbol), span));
        }
        if looks_like_pattern(&text) {
            return Err(Diagnostic::new(text_span, "this looks like a regular expression")
                .label("a string after a tag is searched for literally")
                .hint("write `… ~~ \"…\"` to match a regular expression, or `\"…\" in …` to search")
                .fix("Match it as a regular expression", [(text_span.before(), "~~ ")]));
        }
        let part = self.beside(&tag, node(StrExpr::Literal(text), text_span));
        Ok(Filter::new(CondExpr::Substring(part, tag), span))
    }

    /// Prepares a string for a comparison with `other`. A text that is compared with a tag gets the composed letters that tags have.
    pub(super) fn beside(&self, other: &Str, mut string: Str) -> Str {
        let is_tag = matches!(
            other.kind,
            StrExpr::Player(_) | StrExpr::PlayerTag(_) | StrExpr::Players | StrExpr::Tag(_)
        );
        if is_tag
            && !self.beyond.is_off()
            && let StrExpr::Literal(text) = &mut string.kind
            && let Cow::Owned(composed) = composed(text)
        {
            *text = composed;
        }
        string
    }

    /// Reads `tag "…"`. The form is next.
    pub(super) fn tag(&mut self, form: &Form) -> Built {
        let first = self.cursor.at;
        self.cursor.next();
        let span = self.cursor.token().span;
        let name = self.string_literal("after `tag`")?;
        debug_assert_eq!(form.end(), self.cursor.at);
        check_tag_name(&name, span, !self.is_strict())?;
        let kind = match name.as_slice() {
            b"White" => StrExpr::PlayerTag(Color::White),
            b"Black" => StrExpr::PlayerTag(Color::Black),
            _ => StrExpr::Tag(name),
        };
        self.complete(kind, first)
    }

    /// Reads `settag("NAME" s)`. The form is next.
    pub(super) fn set_tag(&mut self, form: &Form) -> Built {
        let first = self.cursor.at;
        let opened = self.enter(form)?;
        let span = self.cursor.token().span;
        let name = self.string_literal("with the name of a tag")?;
        check_tag_name(&name, span, false)?;
        if is_built_in(&name) {
            return Err(Diagnostic::new(span, "this tag cannot be set").label("the game itself has it"));
        }
        let value = self.filter_expected("as the value of the tag")?;
        let value = self.typed(value, "as the value of the tag")?;
        self.close(opened, "the name and the value")?;
        self.complete(CondExpr::SetTag(name, value), first)
    }

    /// Reads `elo`, `elo white`. The form is next.
    pub(super) fn rating(&mut self, form: &Form) -> Built {
        let kind = match form.all() {
            [_, color] => NumExpr::Rating(color_of(self.cursor.word_of(*color))),
            _ => NumExpr::BestRating,
        };
        let first = self.cursor.read_whole(form);
        self.complete(kind, first)
    }

    /// Reads `result R`. The form is next.
    pub(super) fn result_test(&mut self, form: &Form) -> Built {
        let first = self.cursor.at;
        self.cursor.next();
        let result = self.result_value()?;
        debug_assert_eq!(form.end(), self.cursor.at);
        self.complete(CondExpr::Result(result), first)
    }

    /// Reads a result, bare or quoted.
    pub(super) fn result_value(&mut self) -> Built<shakmaty::KnownOutcome> {
        let result = match &self.cursor.token().kind {
            TokenKind::Result(result) => Some(*result),
            TokenKind::String(text) => std::str::from_utf8(text).ok().and_then(|text| text.parse().ok()),
            _ => None,
        };
        let Some(result) = result else {
            return Err(self.unexpected("expected `1-0`, `0-1` or `1/2-1/2`"));
        };
        self.cursor.next();
        Ok(result)
    }

    /// Reads `uppercase s`, `lowercase s`. The word is read.
    pub(super) fn letter_case(&mut self, make: fn(Str) -> StrExpr, first: usize) -> Built {
        let string = self.typed_operand(Level::Product, "after the word")?;
        self.complete(make(string), first)
    }

    /// Reads `typename S`, `piecename S`. The word is read.
    pub(super) fn piece_name(&mut self, colored: bool, first: usize) -> Built {
        let set = self.typed_operand(Level::Dash, "after the word")?;
        self.complete(StrExpr::PieceName { colored, set }, first)
    }

    /// Reads `s[n]`, `s[n:m]`. The bracket is next.
    pub(super) fn bracket(&mut self, string: Filter, first: usize) -> Built {
        let opened = self.cursor.next().span;
        let string = self.typed(string, "before `[`")?;
        let start = if self.cursor.at_sign(Sign::Colon) {
            None
        } else {
            Some(self.typed_operand(Level::Sum, "as an index")?)
        };
        let part = match start {
            Some(index) if !self.cursor.at_sign(Sign::Colon) => StringSlice::Byte(index),
            start => {
                self.cursor.next();
                let end = if self.cursor.at_sign(Sign::CloseBracket) {
                    None
                } else {
                    Some(self.typed_operand(Level::Sum, "as an index")?)
                };
                StringSlice::Bytes(start, end)
            }
        };
        if !self.cursor.take_sign(Sign::CloseBracket) {
            return Err(self.unexpected("expected `]`").related(opened, "opened here"));
        }
        if self.cursor.at_sign(Sign::Assign) {
            return self.splice(&string, part, first);
        }
        self.complete(StrExpr::Part(string, part), first)
    }

    /// Reads `fen`, `fen "…"`. The form is next.
    pub(super) fn fen(&mut self, form: &Form) -> Built {
        let first = self.cursor.read_whole(form);
        let Some((pattern, part)) = self.cursor.text_of(form) else {
            return self.complete(StrExpr::Fen, first);
        };
        let span = self.cursor.tokens[part.first].span;
        let designators = placement(&pattern).map_err(|(message, at)| {
            let start = span.start as usize + "\"".len() + at;
            Diagnostic::new(Span::new(start, start + 1), message)
                .label("expected the pieces rank by rank, from a8 to h1")
        })?;
        self.complete(CondExpr::Placement(designators), first)
    }

    /// Reads `sort quiet? min? "title"? f`. The form is next, and f follows it.
    pub(super) fn sort(&mut self, form: &Form) -> Built {
        let first = self.cursor.read_whole(form);
        let quiet = form.has(Rule::QUIET);
        let ascending = form.has(Rule::MIN);
        let title = self.cursor.text_of(form);
        if title.is_none() && (self.cursor.at_word("min") || self.cursor.at_word("max")) {
            let error = self
                .unexpected("expected a title after the direction of `sort`")
                .hint("write `sort min \"title\" f`; to sort by the function, write `sort {min(…)}`");
            let close = self.cursor.closing(self.cursor.at + 1).map(|close| close.span);
            return Err(match close {
                Some(close) => error.surround(self.cursor.token().span.to(close), "{", "}"),
                None => error,
            });
        }
        if let Some((title, part)) = &title
            && title.is_empty()
        {
            let span = self.cursor.tokens[part.first].span;
            return Err(Diagnostic::new(span, "the title of this `sort` is empty")
                .label("nothing would say what the value is")
                .hint("leave it out to have the keys numbered: `sort f`")
                .fix("Leave it out", [(span, "")]));
        }
        let title = title.map(|(title, _)| title);
        let keyword = self.cursor.tokens[first].span;
        let title = title.unwrap_or_else(|| self.numbered_title(keyword));
        let echoes = self.found.echoes;
        self.nesting.sorts += 1;
        let value = self.filter_expected("after `sort`");
        self.nesting.sorts -= 1;
        let value = value?;
        let span = self.cursor.span_from(first);
        if ascending && self.found.echoes > echoes {
            return Err(Diagnostic::new(span, "`sort min` of an `echo`")
                .label("an `echo` keeps the comments of its greatest value")
                .hint("negate the number inside the `echo` instead"));
        }
        let text = matches!(value, Filter::String(_));
        let key = SortKey {
            title,
            ascending,
            quiet,
            text,
        };
        Ok(match value {
            Filter::Number(number) => {
                if matches!(number.kind, NumExpr::Literal(_)) {
                    return Err(Diagnostic::new(number.span, "`sort` by a number that never changes")
                        .label("the same for every game"));
                }
                Filter::new(NumExpr::Sort(self.sort_key(key, keyword)?, number), span)
            }
            Filter::Set(set) => Filter::new(NumExpr::SortSet(self.sort_key(key, keyword)?, set), span),
            Filter::String(string) => Filter::new(StrExpr::Sort(self.sort_key(key, keyword)?, string), span),
            other => {
                let error = of_wrong_type(&other, "`sort` takes a number, a string or a set").hint(
                    "`sort` takes as much as it can, `and` and `or` included; parentheses end it: `(sort f) or g`",
                );
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

    /// Returns the title of a `sort` without one. It has the number of the word in the text.
    fn numbered_title(&mut self, keyword: Span) -> Vec<u8> {
        let place = self
            .found
            .sort_words
            .iter()
            .position(|span| *span == keyword)
            .unwrap_or_else(|| {
                self.found.sort_words.push(keyword);
                self.found.sort_words.len() - 1
            });
        format!("<sort-id-{}>", place + 1).into_bytes()
    }

    /// Returns the key with this title. Registers it if it is new.
    pub(super) fn sort_key(&mut self, key: SortKey, keyword: Span) -> Built<SortId> {
        match self.found.sort_keys.iter().position(|known| known.title == key.title) {
            None => {
                self.found.sort_keys.push(key);
                Ok(SortId(self.found.sort_keys.len() as u32 - 1))
            }
            Some(place)
                if self.found.sort_keys[place].ascending == key.ascending
                    && self.found.sort_keys[place].text == key.text =>
            {
                Ok(SortId(place as u32))
            }
            Some(_) => Err(Diagnostic::new(keyword, "two different `sort` have one title")
                .label("another `sort` of this title has values of another type or the other direction")),
        }
    }
}

/// Returns the colour that a word names.
pub(super) fn color_of(word: &str) -> Color {
    if word == "white" { Color::White } else { Color::Black }
}

/// Returns whether a search text looks like a regular expression.
fn looks_like_pattern(text: &[u8]) -> bool {
    let bracketed = text
        .iter()
        .position(|byte| *byte == b'[')
        .is_some_and(|open| text[open..].contains(&b']'));
    bracketed || text.iter().skip(1).any(|byte| matches!(byte, b'*' | b'+' | b'?'))
}

/// Returns the annotation symbol (NAG) that a text after `originalcomment` names.
fn annotation_symbol(text: &[u8], span: Span) -> Built<Option<u8>> {
    let symbol = match text {
        b"=" => 10,
        b"+/=" => 14,
        b"=/+" => 15,
        b"+/-" => 16,
        b"-/+" => 17,
        b"+-" => 18,
        b"-+" => 19,
        [b'$', digits @ ..] if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) => {
            return match Nag::from_ascii(text) {
                Ok(Nag(number @ 1..)) => Ok(Some(number)),
                _ => Err(Diagnostic::new(span, "annotation symbols are `$1` to `$255`").label("outside this range")),
            };
        }
        _ => return Ok(Nag::from_ascii(text).ok().map(|nag| nag.0)),
    };
    Ok(Some(symbol))
}

/// The tags with filters of their own, and these filters. Every game has all except the last two.
const TAGS: [(&[u8], &str); 10] = [
    (b"White", "`player white`"),
    (b"Black", "`player black`"),
    (b"Event", "`event`"),
    (b"EventDate", "`eventdate`"),
    (b"Site", "`site`"),
    (b"Date", "`date`, or `year`"),
    (b"ECO", "`eco`"),
    (b"FEN", "`initialposition`"),
    (b"Round", "`round`"),
    (b"Result", "`result 1-0`"),
];

/// Returns whether every game has a tag.
fn is_built_in(name: &[u8]) -> bool {
    TAGS[..8].iter().any(|(known, _)| *known == name)
}

/// Returns an error for names that no tag has, and for tags that have their own filters. `read` says that the tag is only read, and beyond
/// CQL 6.2: then `Round` and tags of players other than ratings are allowed.
fn check_tag_name(name: &[u8], span: Span, read: bool) -> Built<()> {
    let is_name = matches!(name.first(), Some(first) if first.is_ascii_alphanumeric())
        && name.len() <= 60
        && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    if !is_name {
        return Err(Diagnostic::new(span, "this is not a tag name").label("expected letters, digits and `_`"));
    }
    if is_built_in(name) {
        return Ok(());
    }
    let is_of_player = name.starts_with(b"White") || name.starts_with(b"Black");
    if read && (name == b"Round" || is_of_player && !is_rating_tag(name)) {
        return Ok(());
    }
    let near = TAGS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
    let (near, filter) = near.copied().unzip();
    let Some(filter) = filter.or(is_of_player.then_some("`elo white`, `elo black`")) else {
        return Ok(());
    };
    let error = Diagnostic::new(span, "`tag` does not read this tag");
    Err(match near {
        Some(b"Round") if read => error
            .label("capital letters matter in names of tags")
            .hint("write `tag \"Round\"`")
            .change(span, "\"Round\""),
        Some(b"Round") => error.label("nor does CQL 6.2"),
        _ => error.label("it has its own filter").hint(format!("ask by {filter}")),
    })
}

/// Returns the designators of a placement, one for each of the 64 squares, in the order in which they are written. An error has a message
/// and the offset of the wrong byte.
pub(super) fn placement(pattern: &[u8]) -> Result<Vec<Designator>, (&'static str, usize)> {
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
            b'1'..=b'8' => (Contents::EMPTY, byte - b'0'),
            b'.' => (Contents::ANY, 1),
            b'/' => return Err(("a rank has fewer than eight squares", at)),
            letter => match letter_contents(letter.into()) {
                Contents(0) => return Err(("this sign has no meaning in a placement", at)),
                contents => (contents, 1),
            },
        };
        if before % 8 + usize::from(count) > 8 {
            return Err(("a rank has more than eight squares", at));
        }
        for _ in 0..count {
            let place = designators.len();
            let square = (7 - place / 8) * 8 + place % 8;
            designators.push(Designator::of(contents, shakmaty::Bitboard(1 << square)));
        }
    }
    Ok(designators)
}
