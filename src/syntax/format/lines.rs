//! Indents lines, and breaks those that are too long.

use std::ops::Range;

use super::super::token::{Sign, TokenKind};
use super::breaks::{is_unfolded, unfold};
use super::items::{Break, Form, Items};
use super::outline::Shape;
use super::spacing::Spacing;

/// The number of columns that a line should not exceed.
pub const WIDTH: usize = 88;

/// The number of spaces for each level.
const INDENT: usize = 2;

/// Blocks wider than this are unfolded before their line is broken in another way.
const WIDE_BLOCK: usize = 32;

/// Writes all items, with additional line ends where lines would be too long.
pub(super) fn write(items: &Items<'_>, shape: &Shape, spacing: &Spacing, breaks: Vec<Break>) -> Vec<u8> {
    let (containers, depths) = containers(items, shape);
    let mut writer = Writer {
        items,
        shape,
        spacing,
        containers,
        depths,
        indents: vec![0; items.items.len()],
        breaks,
        text: Vec::new(),
    };
    let mut start = 0;
    while start < items.items.len() {
        start = writer.line(start);
    }
    writer.text
}

struct Writer<'a> {
    items: &'a Items<'a>,
    shape: &'a Shape,
    spacing: &'a Spacing,
    /// For each item, the innermost filter or pair of brackets that began before it.
    containers: Vec<Option<Container>>,
    /// For each item, how many filters and brackets are around it.
    depths: Vec<usize>,
    /// For each written item, the indentation of its line.
    indents: Vec<usize>,
    breaks: Vec<Break>,
    text: Vec<u8>,
}

impl Writer<'_> {
    /// Writes the line that begins with an item. Returns the first item of the next line.
    fn line(&mut self, start: usize) -> usize {
        let indent = self.indent(start);
        loop {
            let end = self.line_end(start);
            let too_long = indent + self.code_width(&(start..end)) > WIDTH;
            if !too_long || !self.shorten(start..end, indent) {
                self.put(start..end, indent);
                return end;
            }
        }
    }

    fn line_end(&self, start: usize) -> usize {
        let more = self.breaks[start + 1..]
            .iter()
            .position(|before| *before != Break::None);
        more.map_or(self.items.items.len(), |more| start + 1 + more)
    }

    fn put(&mut self, line: Range<usize>, indent: usize) {
        if self.breaks[line.start] == Break::Blank {
            self.text.extend_from_slice(self.items.line_end);
        }
        self.text.resize(self.text.len() + indent, b' ');
        for item in line.clone() {
            if item > line.start && self.spacing.is_blank(self.items, item) {
                self.text.push(b' ');
            }
            self.text.extend_from_slice(&self.items.items[item].text);
            self.indents[item] = indent;
        }
        self.text.extend_from_slice(self.items.line_end);
    }

    /// Returns the width of the tokens of a line, without a comment at its end.
    fn code_width(&self, line: &Range<usize>) -> usize {
        self.width(line.start..self.code_end(line))
    }

    /// Returns the end of the tokens of a line.
    fn code_end(&self, line: &Range<usize>) -> usize {
        let is_token = |item: &usize| matches!(self.items.items[*item].form, Form::Token(_));
        line.clone().rev().find(is_token).map_or(line.start, |last| last + 1)
    }

    fn width(&self, range: Range<usize>) -> usize {
        let items = &self.items.items[range.clone()];
        let blanks = range
            .clone()
            .skip(1)
            .filter(|&item| self.spacing.is_blank(self.items, item));
        items.iter().map(|item| item.width).sum::<usize>() + blanks.count()
    }

    /// Returns the indentation of a line that begins with an item.
    fn indent(&self, item: usize) -> usize {
        let Some(container) = self.containers[item] else {
            return 0;
        };
        let outer = self.indents[container.first];
        let closes = self.items.partners[item] == Some(container.first);
        let goes_on = !container.is_bracket && self.goes_on(item, container.first);
        if closes || goes_on { outer } else { outer + INDENT }
    }

    /// Returns whether a line that begins with an item continues a filter at the same indentation: with `or`, `else` and the like, perhaps
    /// after comments, if the filter begins with its line or after another `else`.
    fn goes_on(&self, item: usize, filter: usize) -> bool {
        let after_else = filter > 0 && self.items.is_word(filter - 1, &["else"]);
        let on_level = filter == 0 || self.breaks[filter] != Break::None || after_else;
        let Some(token) = (item..self.items.items.len()).find(|&next| self.items.token(next).is_some()) else {
            return false;
        };
        let branches = self.items.is_word(token, &["then", "else"]) && self.items.is_word(filter, &["if"]);
        on_level && (branches || self.items.is_word(token, &["and", "or"]))
    }

    /// Begins at least one more line within a line that is too long. Returns whether that was possible.
    fn shorten(&mut self, line: Range<usize>, indent: usize) -> bool {
        let line = line.start..self.before_message(&(line.start..self.code_end(&line)));
        let (gaps, pairs) = self.top_level(&line);
        let statements: Vec<usize> = gaps.iter().copied().filter(|&gap| self.begins_statement(gap)).collect();
        if self.fill(&line, indent, &statements) {
            return true;
        }
        let blocks = self.wide_blocks(&pairs);
        if !blocks.is_empty() {
            self.unfold_all(&blocks);
            return true;
        }
        let outermost = self.outermost(&gaps);
        if let Some(words) = self.loosest_words(&outermost) {
            for gap in words {
                self.breaks[gap] = Break::Line;
            }
            return true;
        }
        let half = self.width(line.clone()) / 2;
        if let Some(list) = self.widest_list(&pairs, half) {
            self.unfold_all(&[list]);
            return true;
        }
        if self.fill(&line, indent, &outermost) {
            return true;
        }
        let list = self.widest_list(&pairs, 0);
        self.unfold_all(list.as_slice());
        list.is_some()
    }

    fn unfold_all(&mut self, brackets: &[usize]) {
        for &open in brackets {
            unfold(self.items, self.shape, open, &mut self.breaks);
        }
    }

    /// Returns the gaps that are nested least deeply in filters.
    fn outermost(&self, gaps: &[usize]) -> Vec<usize> {
        let least = gaps.iter().map(|&gap| self.depths[gap]).min();
        gaps.iter()
            .copied()
            .filter(|&gap| Some(self.depths[gap]) == least)
            .collect()
    }

    /// Returns the end of the line, or the beginning of the message comment in it, which is never broken.
    fn before_message(&self, line: &Range<usize>) -> usize {
        let message = |item: &usize| {
            self.items
                .token(*item)
                .is_some_and(|token| token.kind == TokenKind::LineMessage)
        };
        line.clone().find(message).map_or(line.end, |message| message + 1)
    }

    /// Returns the items outside of brackets at which a line may begin, and the outermost pairs of brackets.
    fn top_level(&self, line: &Range<usize>) -> (Vec<usize>, Vec<(usize, usize)>) {
        let (mut gaps, mut pairs) = (Vec::new(), Vec::new());
        let mut item = line.start;
        while item < line.end {
            if item > line.start && self.may_break(item) {
                gaps.push(item);
            }
            match self.items.partners[item] {
                Some(close) if close > item && close < line.end => {
                    pairs.push((item, close));
                    item = close;
                }
                _ => {}
            }
            item += 1;
        }
        (gaps, pairs)
    }

    /// Returns whether a line may begin with an item: there is a space before it, and the style does not keep it with the item before. Lines
    /// begin with operators and do not end with them.
    fn may_break(&self, item: usize) -> bool {
        let sign = |item: usize| match self.items.token(item)?.kind {
            TokenKind::Sign(sign) => Some(sign),
            _ => None,
        };
        let before = sign(item - 1);
        let joined = sign(item) == Some(Sign::OpenBrace) && !self.begins_element(item)
            || before == Some(Sign::CloseBrace) && is_unfolded(self.items, item - 1, &self.breaks);
        let after_operator = before.is_some_and(|sign| !ends_operand(sign));
        let inseparable = sign(item).is_some_and(|sign| sign == Sign::Match || sign.is_assignment());
        let blank = self.items.token(item).is_some() && self.spacing.is_blank(self.items, item);
        blank && !joined && !after_operator && !inseparable
    }

    fn begins_statement(&self, item: usize) -> bool {
        matches!(self.items.items[item].form, Form::Token(token) if self.shape.statements[token].is_some())
    }

    /// Returns whether a statement or a constituent of a path begins with an item.
    fn begins_element(&self, item: usize) -> bool {
        let constituent = matches!(self.items.items[item].form, Form::Token(token) if self.shape.constituents[token]);
        constituent || self.begins_statement(item)
    }

    /// Begins lines at some of the gaps, as few as make the lines short enough. Returns whether any were needed.
    fn fill(&mut self, line: &Range<usize>, indent: usize, gaps: &[usize]) -> bool {
        self.indents[line.clone()].fill(indent);
        let (mut start, mut column) = (line.start, indent);
        let mut candidate: Option<usize> = None;
        let mut filled = false;
        for &gap in gaps {
            column += self.width(start..gap) + usize::from(start > line.start);
            start = gap;
            if column > WIDTH
                && let Some(fitting) = candidate.take()
            {
                self.breaks[fitting] = Break::Line;
                filled = true;
                column = self.indent(fitting) + self.width(fitting..gap);
            }
            candidate = Some(gap);
        }
        let end = column + 1 + self.width(start..line.end);
        if let Some(last) = candidate.filter(|_| end > WIDTH) {
            self.breaks[last] = Break::Line;
            filled = true;
        }
        filled
    }

    /// Returns the gaps before those words that bind most loosely: `else` and `then`, else `or`, else `and`.
    fn loosest_words(&self, gaps: &[usize]) -> Option<Vec<usize>> {
        [&["else", "then"] as &[&str], &["or"], &["and"]]
            .into_iter()
            .find_map(|words| {
                let found: Vec<usize> = gaps
                    .iter()
                    .copied()
                    .filter(|&gap| self.items.is_word(gap, words))
                    .collect();
                (!found.is_empty()).then_some(found)
            })
    }

    fn wide_blocks(&self, pairs: &[(usize, usize)]) -> Vec<usize> {
        let is_wide = |&&(open, close): &&(usize, usize)| {
            self.items.is_sign(open, Sign::OpenBrace) && self.width(open..close + 1) > WIDE_BLOCK
        };
        pairs.iter().filter(is_wide).map(|&(open, _)| open).collect()
    }

    /// Returns the opening parenthesis of the widest list that is wider than `least` columns.
    fn widest_list(&self, pairs: &[(usize, usize)], least: usize) -> Option<usize> {
        let width = |&&(open, close): &&(usize, usize)| self.width(open..close + 1);
        let lists = pairs
            .iter()
            .filter(|(open, close)| self.items.is_sign(*open, Sign::OpenParen) && close - open > 2);
        let widest = lists.filter(|pair| width(pair) > least).max_by_key(width);
        widest.map(|&(open, _)| open)
    }
}

/// Returns whether an operand may end with a sign.
fn ends_operand(sign: Sign) -> bool {
    matches!(
        sign,
        Sign::CloseParen
            | Sign::CloseBrace
            | Sign::CloseBracket
            | Sign::Dot
            | Sign::EmptySet
            | Sign::Question
            | Sign::BraceStar
            | Sign::BracePlus
            | Sign::RepeatStar
            | Sign::RepeatPlus
    )
}

/// A filter or a pair of brackets.
#[derive(Clone, Copy)]
struct Container {
    /// Its first item.
    first: usize,
    is_bracket: bool,
}

/// Returns for each item the innermost container around it that began before it, and the number of such containers.
fn containers(items: &Items<'_>, shape: &Shape) -> (Vec<Option<Container>>, Vec<usize>) {
    let mut filters = shape
        .filters
        .iter()
        .map(|&(first, last)| (items.places[first], items.places[last]))
        .peekable();
    let mut open: Vec<(Container, usize)> = Vec::new();
    let mut containers = Vec::with_capacity(items.items.len());
    let mut depths = Vec::with_capacity(items.items.len());
    for item in 0..items.items.len() {
        while open.pop_if(|(_, last)| *last < item).is_some() {}
        containers.push(open.last().map(|(container, _)| *container));
        depths.push(open.len());
        let brackets = items.partners[item]
            .filter(|close| *close > item)
            .map(|close| (item, close));
        let mut begin = |last: usize, is_bracket: bool| {
            if open.last().is_none_or(|(_, outer)| last <= *outer) {
                open.push((
                    Container {
                        first: item,
                        is_bracket,
                    },
                    last,
                ));
            }
        };
        while let Some((_, last)) = filters.next_if(|(first, _)| *first <= item) {
            // If brackets are a whole filter, they count, not the filter.
            if brackets.is_none_or(|(_, close)| last > close) {
                begin(last, false);
            }
        }
        if let Some((_, close)) = brackets {
            begin(close, true);
        }
    }
    (containers, depths)
}
