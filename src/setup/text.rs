//! Writes the query of a setup.

use std::cmp::Ordering;

use crate::board::{Bitboard, Contents, Rank, Square};
use crate::query::{Options, outline};
use crate::syntax::format::{Spelling, format};
use crate::syntax::token::Designator;
use crate::syntax::{Source, piece_letters};

use super::{Arrow, ArrowKind, Count, Setup};

/// A longer query has a line for each kind of requirement.
const LINE: usize = 80;

impl Setup {
    /// Returns the shortest query that is equivalent to the setup, as filters without a header, in the style of `skewer fmt`. Returns
    /// `true` for an empty setup.
    ///
    /// It compiles as it is, after a header, and before other filters.
    pub fn query(&self, spelling: Spelling) -> String {
        let text = self.text();
        let source = Source::new("setup", text.clone());
        let options = Options {
            filters_only: true,
            ..Options::default()
        };
        let formatted = outline(&source, &options).and_then(|outline| format(&source, &outline, spelling));
        match formatted.map(String::from_utf8) {
            Ok(Ok(formatted)) => formatted.trim_end().to_owned(),
            _ => text,
        }
    }

    fn text(&self) -> String {
        let lines = self.lines();
        let words: Vec<&str> = self.transforms.iter().map(|group| group.word()).collect();
        let between = match lines.iter().flatten().map(|filter| filter.len() + 1).sum::<usize>() {
            ..LINE => " ",
            _ => "\n",
        };
        let body: Vec<String> = lines.iter().map(|filters| filters.join(" ")).collect();
        let body = body.join(between);
        match (&*words, &*lines.concat()) {
            ([], _) => body,
            // A number in front would be the range of the transform.
            (words, [alone]) if !alone.starts_with(|first: char| first.is_ascii_digit()) => {
                format!("{} {alone}", words.join(" "))
            }
            (words, _) => format!("{} {{{body}}}", words.join(" ")),
        }
    }

    /// Returns the filters, kind by kind.
    fn lines(&self) -> Vec<Vec<String>> {
        let side = self.side.map(|side| side.fold_wb("wtm", "btm").to_owned());
        let either = self.either.iter().map(|places| {
            let places: Vec<String> = places.iter().map(ToString::to_string).collect();
            places.join(" or ")
        });
        let mut lines = vec![
            self.squares(),
            self.anywhere.iter().map(counted).collect(),
            either.collect(),
            self.arrows.iter().map(arrow).collect(),
            self.material.iter().map(counted).collect(),
            side.into_iter().collect(),
            self.moves(),
        ];
        lines.retain(|line: &Vec<String>| !line.is_empty());
        if lines.is_empty() {
            lines.push(vec!["true".to_owned()]);
        }
        lines
    }

    /// Returns the filter for the number of the move, if there is one.
    fn moves(&self) -> Vec<String> {
        match self.moves {
            (0, None) => Vec::new(),
            (least, most) => vec![limited("movenumber", least, most)],
        }
    }

    /// Returns the filters for single squares: white pieces first, and the same contents together.
    fn squares(&self) -> Vec<String> {
        if let Some(whole) = self.whole_board() {
            return vec![whole];
        }
        let mut kinds: Vec<(Contents, Bitboard)> = Vec::new();
        for (square, contents) in &self.squares {
            match kinds.iter_mut().find(|(known, _)| known == contents) {
                Some((_, squares)) => *squares |= *square,
                None => kinds.push((*contents, Bitboard::from(*square))),
            }
        }
        kinds.sort_by(|(one, _), (other, _)| in_order(*one, *other));
        kinds
            .into_iter()
            .flat_map(|(contents, squares)| kind(contents, squares))
            .collect()
    }

    /// Returns `fen "…"` if each square has contents that a FEN can express.
    fn whole_board(&self) -> Option<String> {
        let rank = |rank: Rank| {
            let mut text = String::new();
            let mut empty = 0;
            for square in Bitboard::from_rank(rank) {
                let contents = *self.squares.get(&square)?;
                let letters = piece_letters(contents);
                match (contents, letters.len()) {
                    (Contents::EMPTY, _) => empty += 1,
                    (_, 1) => {
                        text.extend((empty > 0).then(|| empty.to_string()));
                        text.push_str(&letters);
                        empty = 0;
                    }
                    _ => return None,
                }
            }
            text.extend((empty > 0).then(|| empty.to_string()));
            Some(text)
        };
        let ranks: Vec<String> = Rank::ALL.into_iter().rev().map(rank).collect::<Option<_>>()?;
        Some(format!("fen \"{}\"", ranks.join("/")))
    }
}

/// Orders contents by their letters. Excluded contents come last.
fn in_order(one: Contents, other: Contents) -> Ordering {
    let key = |contents: Contents| {
        let is_denied = is_shorter_without(contents);
        let written = if is_denied { contents.complement() } else { contents };
        (is_denied, written.0.trailing_zeros(), written)
    };
    key(one).cmp(&key(other))
}

/// Returns whether the excluded contents take fewer letters than the allowed contents.
fn is_shorter_without(contents: Contents) -> bool {
    piece_letters(contents).len() > "not ".len() + piece_letters(contents.complement()).len()
}

/// Returns the filters for the same contents on each of these squares: one for each square, or a count if that is shorter.
fn kind(contents: Contents, squares: Bitboard) -> Vec<String> {
    let alone = |square: Square| match is_shorter_without(contents) {
        true => format!("not {}", Designator::of(contents.complement(), square.into())),
        false => Designator::of(contents, square.into()).to_string(),
    };
    let mut by_file: Vec<Square> = squares.into_iter().collect();
    by_file.sort_by_key(|square| (square.file(), square.rank()));
    let single: Vec<String> = by_file.into_iter().map(alone).collect();
    let together = format!("{} == {}", Designator::of(contents, squares), squares.count());
    if single.len() > 1 && together.len() < single.join(" ").len() {
        vec![together]
    } else {
        single
    }
}

/// Returns the filter for a number of pieces.
fn counted(Count { place, least, most }: &Count) -> String {
    match (*least, *most) {
        (1, None) => place.to_string(),
        (_, Some(0)) => format!("not {place}"),
        (least, most) => limited(&place.to_string(), least, most),
    }
}

/// Returns the filter for a number with limits.
fn limited(number: &str, least: u32, most: Option<u32>) -> String {
    match (least, most) {
        (least, None) => format!("{number} >= {least}"),
        (0, Some(most)) => format!("{number} <= {most}"),
        (least, Some(most)) if least == most => format!("{number} == {least}"),
        (least, Some(most)) => format!("{least} <= {number} <= {most}"),
    }
}

fn arrow(arrow: &Arrow) -> String {
    let Arrow {
        kind,
        from,
        through,
        to,
    } = arrow;
    let through: String = through.iter().map(|place| format!("{place} ")).collect();
    match kind {
        ArrowKind::Attacks => format!("{from} -> {to}"),
        ArrowKind::Ray => format!("ray ({from} {through}{to})"),
        ArrowKind::Xray => format!("xray ({from} {through}{to})"),
    }
}
