//! Puts parts, values and places into words.

use crate::board::{Bitboard, Color, Square};
use crate::eval::report::MatchValue;
use crate::game::Game;
use crate::pgn::{write_move, write_tried_san};
use crate::query::Options;
use crate::query::ast::Type;
use crate::query::ast::versions::Colors;
use crate::query::instrument::{PartForm, Role};
use crate::syntax::Source;
use crate::syntax::token::{Designator, Span};

use super::tree::{Round, RoundsShown, Shown, Tree};

/// The most squares that are listed. If there are more, they are only counted.
const LISTED: usize = 8;

/// The length in characters after which the text of a part is cut.
const LONGEST: usize = 60;

/// The most operands of a filter that are told.
const OPERANDS: usize = 4;

/// The context of the words.
pub(super) struct Words<'w> {
    pub(super) source: &'w Source,
    pub(super) options: &'w Options,
    pub(super) game: &'w Game,
    pub(super) tree: &'w Tree<'w>,
}

impl Words<'_> {
    /// Returns the text of a part as written in the query or in an option.
    pub(super) fn text(&self, span: Span) -> &str {
        let texts = std::iter::once((0, self.source)).chain(self.options.texts(self.source));
        let of_part = texts.take_while(|(start, _)| *start <= span.start).last();
        let Some((start, text)) = of_part else { return "" };
        text.slice(Span {
            start: span.start - start,
            end: span.end - start,
        })
    }

    /// Returns the text of a part on one line, between the marks of code.
    pub(super) fn quoted(&self, span: Span) -> String {
        quoted(self.text(span))
    }

    fn quoted_part(&self, shown: &Shown) -> String {
        self.quoted(self.tree.parts[shown.part].span)
    }

    /// Returns the value of a part. For a condition about a value, returns that value.
    pub(super) fn value(&self, shown: &Shown) -> &MatchValue {
        let event = shown.value.map(|(_, event)| event).or(shown.event);
        event.map_or(&MatchValue::Unknown, |event| &self.tree.events[event].value)
    }

    fn form(&self, shown: &Shown) -> PartForm {
        let part = shown.value.map_or(shown.part, |(part, _)| part);
        self.tree.parts[part].form
    }

    /// Returns the reason why a part matches or fails, if there is more to tell than that it does.
    pub(super) fn reason(&self, shown: &Shown) -> Option<String> {
        let event = shown.event?;
        let matched = self.tree.matched(event);
        match self.form(shown) {
            PartForm::Designator(designator) => {
                if let Some(square) = designator.squares.single_square()
                    && designator.has_squares
                    && !matched
                {
                    return Some(self.content(event, square));
                }
                return Some(match self.value(shown) {
                    MatchValue::Squares(squares) if squares.any() => squares_told(*squares),
                    _ => "there is none".to_owned(),
                });
            }
            PartForm::Negation => {
                let inner = shown.parts.first()?;
                let verb = if matched { "fails" } else { "matches" };
                let values = self.operands(inner).map(|values| format!(", {values}"));
                return Some(format!(
                    "{} {verb}{}",
                    self.quoted_part(inner),
                    values.unwrap_or_default()
                ));
            }
            _ => {}
        }
        if let Some(turn) = self.turn(shown) {
            return Some(turn);
        }
        let is_condition = |part: &&Shown| self.tree.parts[part.part].kind == Type::Condition;
        let mut asked = shown
            .parts
            .iter()
            .filter(is_condition)
            .filter(|part| part.event.is_some());
        if let Some((part, rounds)) = asked.find_map(|part| Some((part, part.rounds?))) {
            return Some(self.rounds(part, rounds));
        }
        let held = |part: &&Shown| {
            self.tree.parts[part.part].role == Role::Body && part.event.is_some_and(|event| self.tree.matched(event))
        };
        if let Some(part) = shown.parts.iter().filter(is_condition).find(held).filter(|_| !matched) {
            return Some(format!("{} matches here, but not for so long", self.quoted_part(part)));
        }
        let own = match self.value(shown) {
            MatchValue::Truth(_) | MatchValue::Unknown => None,
            MatchValue::Number(_) if matches!(self.form(shown), PartForm::Comparison { .. }) => None,
            MatchValue::Squares(squares) if squares.is_empty() => {
                let empty = self.empty_operand(shown).or_else(|| self.operands(shown));
                return Some(empty.unwrap_or_else(|| "there is none".to_owned()));
            }
            value => Some(self.told(value)),
        };
        match (own, self.operands(shown)) {
            (Some(own), Some(operands)) if !matched => Some(format!("{own}, with {operands}")),
            (Some(own), _) => Some(own),
            (None, operands) => operands,
        }
    }

    /// Returns the values of the operands of a filter that are not conditions.
    fn operands(&self, shown: &Shown) -> Option<String> {
        let has_value = |part: &&Shown| {
            part.event.is_some() && self.tree.parts[part.part].kind != Type::Condition && part.rounds.is_none()
        };
        let values = shown.parts.iter().filter(has_value).take(OPERANDS).map(|part| {
            let value = self.value(part);
            let verb = match value {
                MatchValue::Unknown => return format!("{} has no value", self.quoted_part(part)),
                MatchValue::Squares(squares) if squares.is_empty() => {
                    return format!("{} is empty", self.quoted_part(part));
                }
                MatchValue::Squares(_) => "on",
                _ => "is",
            };
            format!("{} {verb} {}", self.quoted_part(part), self.told(value))
        });
        let values: Vec<String> = values.collect();
        (!values.is_empty()).then(|| listed(&values))
    }

    /// Returns the first empty operand, if there is one, which is reason enough.
    fn empty_operand(&self, shown: &Shown) -> Option<String> {
        let is_empty = |part: &&Shown| {
            part.event.is_some() && matches!(self.value(part), MatchValue::Squares(squares) if squares.is_empty())
        };
        let part = shown.parts.iter().find(is_empty)?;
        Some(format!("{} is empty", self.quoted_part(part)))
    }

    /// Returns how often a part was evaluated, and how often it matched.
    fn rounds(&self, part: &Shown, rounds: RoundsShown) -> String {
        let quoted = self.quoted_part(part);
        let RoundsShown { asked, matched, round } = rounds;
        let of = match round {
            Round::Square(_) => counted(asked, "square"),
            Round::Position(_) => counted(asked, "position"),
            Round::Move(..) => match asked {
                1 => "1 move that is tried".to_owned(),
                _ => format!("{asked} moves that are tried"),
            },
            Round::Try => counted(asked, "try").replace("trys", "tries"),
        };
        let is_always = self.tree.parts[part.part].role == Role::Always;
        match (matched, self.round(round)) {
            (0, _) => format!("{quoted} matches for none of {of}"),
            (matched, Some(place)) if is_always && matched < asked => {
                format!("{quoted} fails for {} of {of}, such as {place}", asked - matched)
            }
            (_, Some(place)) if matched == 1 => format!("{quoted} matches for 1 of {of}: {place}"),
            (_, Some(place)) => format!("{quoted} matches for {matched} of {of}, such as {place}"),
            (_, None) => format!("{quoted} matches for {matched} of {of}"),
        }
    }

    /// Returns the place of a round.
    pub(super) fn round(&self, round: Round) -> Option<String> {
        match round {
            Round::Square(squares) => Some(squares_told(squares)),
            Round::Position(id) => Some(self.place(id)),
            Round::Move(before, arrival) => {
                let before = self.game.positions.get(before? as usize)?;
                let mut san = Vec::new();
                write_tried_san(&mut san, self.game, before, &arrival);
                Some(String::from_utf8_lossy(&san).into_owned()).filter(|san| !san.is_empty())
            }
            Round::Try => None,
        }
    }

    /// Returns a position of the game by the move that led there.
    pub(super) fn place(&self, id: u32) -> String {
        last_move(self.game, id).unwrap_or_else(|| "the initial position".to_owned())
    }

    /// Returns whose turn it is, for a filter that asks for nothing else.
    fn turn(&self, shown: &Shown) -> Option<String> {
        let part = &self.tree.parts[shown.part];
        if !matches!(self.text(part.span), "wtm" | "btm") {
            return None;
        }
        let position = self
            .game
            .positions
            .get(self.tree.events[shown.event?].position? as usize)?;
        let side = position.turn.fold_wb("White", "Black");
        Some(format!("it is {side}'s turn"))
    }

    /// Returns the content of a square.
    fn content(&self, event: usize, square: Square) -> String {
        let id = self.tree.events[event].position;
        let position = id.and_then(|id| self.game.positions.get(id as usize));
        match position.and_then(|position| position.board.piece_at(square)) {
            None => format!("{square} is empty"),
            Some(piece) => {
                let color = piece.color.fold_wb("white", "black");
                let role = format!("{:?}", piece.role).to_lowercase();
                format!("a {color} {role} stands on {square}")
            }
        }
    }

    /// Returns a value in words.
    pub(super) fn told(&self, value: &MatchValue) -> String {
        match value {
            MatchValue::Unknown => "nothing".to_owned(),
            MatchValue::Truth(true) => "yes".to_owned(),
            MatchValue::Truth(false) => "no".to_owned(),
            MatchValue::Number(number) => number.to_string(),
            MatchValue::Text(text) => format!("\"{}\"", shortened(&String::from_utf8_lossy(text), LONGEST)),
            MatchValue::Squares(squares) => squares_told(*squares),
            MatchValue::Position(id) => self.place(*id),
        }
    }

    /// Returns which copy of a transform is shown.
    pub(super) fn copy(&self, shown: &Shown) -> Option<String> {
        let part = &self.tree.parts[shown.part];
        let Role::Copy { number, of, colors } = part.role else {
            return None;
        };
        let transform = part
            .parent
            .map(|parent| self.text(self.tree.parts[parent.0 as usize].span));
        let transform = transform.and_then(|text| text.split([' ', '\n', '\t', '(']).next())?;
        let which = match colors {
            Colors::WRITTEN if of == 2 => "the one as it is written".to_owned(),
            Colors::EXCHANGED if of == 2 => "the one with the colours exchanged".to_owned(),
            Colors::EXCHANGED => format!("number {number}, with the colours exchanged,"),
            _ => format!("number {number}"),
        };
        let verb = match self.tree.matched(shown.event?) {
            true => "matches",
            false => "comes nearest",
        };
        let read = match colors {
            Colors::EXCHANGED => " There capital letters are Black's pieces.",
            _ => "",
        };
        (of > 1).then(|| format!("Of the {of} copies of {}, {which} {verb}.{read}", quoted(transform)))
    }
}

/// Returns the move that led to a position, with its number.
pub(super) fn last_move(game: &Game, id: u32) -> Option<String> {
    let position = game.positions.get(id as usize).filter(|position| position.id != 0)?;
    let mut text = Vec::new();
    write_move(&mut text, game, position);
    Some(String::from_utf8_lossy(&text).into_owned())
}

/// Returns a text on one line, between the marks of code.
pub(super) fn quoted(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("`{}`", shortened(&line, LONGEST))
}

/// Cuts a text after this many characters.
pub(super) fn shortened(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{} …", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

fn squares_told(squares: Bitboard) -> String {
    match squares.count() {
        0 => "no square".to_owned(),
        count if count > LISTED => format!("{count} squares"),
        _ => names(squares).join(", "),
    }
}

/// Returns the names of squares.
pub(super) fn names(squares: Bitboard) -> Vec<String> {
    squares.into_iter().map(|square| square.to_string()).collect()
}

/// Joins texts with commas and `and`.
pub(super) fn listed(texts: &[String]) -> String {
    match texts {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Returns a number and a noun.
pub(super) fn counted(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    }
}

/// Returns a designator that matches the content of the only square of `designator`.
pub(super) fn designator_of_content(designator: &Designator, content: Option<(Color, char)>) -> Option<String> {
    let square = designator.squares.single_square().filter(|_| designator.has_squares)?;
    let letter = match content {
        None => '_',
        Some((color, letter)) => color.fold_wb(letter.to_ascii_uppercase(), letter.to_ascii_lowercase()),
    };
    Some(format!("{letter}{square}"))
}
