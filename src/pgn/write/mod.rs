//! Writes games as PGN, with what a query has added to them.
//!
//! Each part uses only those before it: `additions`, `comments`.

mod additions;
mod comments;

use std::collections::HashMap;

use shakmaty::Color;

use crate::chess::{Arrival, Position};
use crate::game::{Game, LeadIn, Rules, escaped};
use crate::moves::{InlineText, write_san};
use comments::Comments;

pub use additions::Additions;

/// Writes a game and two empty lines.
///
/// The game must have been read with all its variations and notes. Position numbers in `additions` refer to that reading; numbers of the main line
/// are the same in every scope.
///
/// A game that is no longer wanted is not written to its end.
pub fn write_game(out: &mut Vec<u8>, game: &Game, additions: &Additions<'_>) {
    write_part(out, game, additions, Part::WHOLE);
}

/// Writes what follows a position as a game of its own and two empty lines, up to `plies` plies or to the end. It has the tags of the game and those
/// that say where it begins.
///
/// The conditions of [`write_game`] apply here too.
pub fn write_continuation(
    out: &mut Vec<u8>,
    game: &Game,
    position: &Position,
    plies: Option<u32>,
    mut additions: Additions<'_>,
) {
    let part = Part {
        root: position.id,
        last_ply: plies.map_or(u32::MAX, |plies| u32::from(position.ply).saturating_add(plies)),
    };
    if position.id > 0 || game.start.is_some() {
        additions.set_tag(b"SetUp", b"1");
        additions.set_tag(b"FEN", game.fen(position).as_bytes());
    }
    if game.tags.raw(b"PlyCount").is_some() {
        let line = std::iter::successors(Some(position), |position| part.next(game, position));
        additions.set_tag(b"PlyCount", (line.count() - 1).to_string().as_bytes());
    }
    write_part(out, game, &additions, part);
}

/// The part of a game that is written: a position and what follows it.
#[derive(Clone, Copy)]
struct Part {
    /// The position.
    root: u32,
    /// The ply of the last positions. Longer lines are cut there.
    last_ply: u32,
}

impl Part {
    const WHOLE: Part = Part {
        root: 0,
        last_ply: u32::MAX,
    };

    /// Returns the position that continues the line after `position`, unless the line is cut there.
    fn next<'g>(&self, game: &'g Game, position: &Position) -> Option<&'g Position> {
        game.first_child(position).filter(|_| !self.cuts(position))
    }

    /// Returns whether the line is cut after a position.
    fn cuts(&self, position: &Position) -> bool {
        u32::from(position.ply) >= self.last_ply
    }
}

fn write_part(out: &mut Vec<u8>, game: &Game, additions: &Additions<'_>, part: Part) {
    match game.rules {
        Rules::Full => write_tags(out, game, additions, part.root),
        Rules::Cql => write_normal_tags(out, game, additions),
    }
    out.push(b'\n');
    out.reserve(USUAL_MOVE * game.positions.len());
    let lines = Lines {
        out: &mut *out,
        column: 0,
    };
    MoveWriter {
        lines,
        game,
        part,
        comments: Comments::new(game, additions),
        number_wanted: true,
    }
    .write_moves();
    out.extend_from_slice(b"\n\n");
}

/// Writes the move that led to a position with its number, as `12.Nf3` or `12...Nf6`. Writes nothing for the initial position.
pub fn write_move(out: &mut Vec<u8>, game: &Game, position: &Position) {
    if let Some(before) = game.parent(position) {
        write_number(out, game, before);
        write_san(out, game, before, position);
    }
}

/// Writes the move that led to a position without its number, as `Nf3`. Writes nothing for the initial position.
pub fn write_last_move(out: &mut Vec<u8>, game: &Game, position: &Position) {
    if let Some(before) = game.parent(position) {
        write_san(out, game, before, position);
    }
}

/// Writes a legal move in a position, with its number. It must not be a drop.
pub fn write_tried_move(out: &mut Vec<u8>, game: &Game, before: &Position, tried: &Arrival) {
    write_number(out, game, before);
    write_tried_san(out, game, before, tried);
}

/// Writes a legal move in a position, without its number. It must not be a drop.
pub fn write_tried_san(out: &mut Vec<u8>, game: &Game, before: &Position, tried: &Arrival) {
    if let Some(role) = before.board.role_at(tried.from) {
        let id = u32::try_from(game.positions.len()).unwrap_or(u32::MAX);
        let after = game.after(before, role, *tried, id);
        write_san(out, game, before, &after);
    }
}

/// Writes the number of the move that is made in a position.
fn write_number(out: &mut Vec<u8>, game: &Game, before: &Position) {
    let number = game.written_move_number(before);
    let mut word = InlineText::default();
    if number < 1000 {
        push_decimal(&mut word, number);
    } else {
        out.extend_from_slice(number.to_string().as_bytes());
    }
    word.push_all(if before.turn.is_white() { b"." } else { b"..." });
    word.add_to(out);
}

/// Writes a number below 1000 faster than `write!`, as every second move has one.
#[inline(always)]
fn push_decimal(word: &mut InlineText, number: u32) {
    let digit = |number: u32| b'0' + (number % 10) as u8;
    if number >= 100 {
        word.push(digit(number / 100));
    }
    if number >= 10 {
        word.push(digit(number / 10));
    }
    word.push(digit(number));
}

/// The tags that every game has, and their values if the game lacks them.
const ROSTER: [(&[u8], &[u8]); 7] = [
    (b"Event", b"?"),
    (b"Site", b"?"),
    (b"Date", b"????.??.??"),
    (b"Round", b"?"),
    (b"White", b"?"),
    (b"Black", b"?"),
    (b"Result", b"*"),
];

/// Returns whether a tag refers to the initial position. EPD operations do, except for `id`.
fn is_of_initial_position(name: &[u8]) -> bool {
    #[cfg(feature = "files")]
    let is_operation = super::is_epd_opcode(name);
    // Without this feature no lists of positions are read.
    #[cfg(not(feature = "files"))]
    let is_operation = false;
    is_operation && name != b"id"
}

/// Writes the tags with their own values: the seven that every game has, then the others in their order.
fn write_tags(out: &mut Vec<u8>, game: &Game, additions: &Additions<'_>, root: u32) {
    let tags = game.tags.written();
    let tags: Vec<_> = tags
        .filter(|(name, _)| root == 0 || !is_of_initial_position(name))
        .collect();
    // If a tag occurs several times, the last one counts.
    let mut last: HashMap<&[u8], usize> = HashMap::new();
    if additions.set_tags() {
        last.extend(tags.iter().enumerate().map(|(index, (name, _))| (*name, index)));
    }
    let write = |out: &mut Vec<u8>, index: usize| {
        let (name, value) = tags[index];
        let is_last = last.get(name) == Some(&index);
        match additions.tag(name).filter(|_| is_last) {
            Some(set) => write_tag(out, name, &escaped(set)),
            None => write_tag(out, name, value),
        }
    };
    for (name, unknown) in ROSTER {
        let mut places = (0..tags.len()).filter(|index| tags[*index].0 == name).peekable();
        if places.peek().is_some() {
            places.for_each(|index| write(out, index));
        } else if name == b"Result" {
            write_tag(out, name, game.result.to_string().as_bytes());
        } else {
            write_tag(out, name, unknown);
        }
    }
    let is_in_roster = |name: &[u8]| ROSTER.iter().any(|(known, _)| *known == name);
    (0..tags.len())
        .filter(|index| !is_in_roster(tags[*index].0))
        .for_each(|index| write(out, index));
    for (name, value) in additions.new_tags(tags.iter().map(|(name, _)| *name)) {
        write_tag(out, name, &escaped(value));
    }
}

/// Writes the tags in the normal form of CQL: the seven that every game has, ratings, opening and date of the event if known, the others, the
/// start position.
fn write_normal_tags(out: &mut Vec<u8>, game: &Game, additions: &Additions<'_>) {
    let tags = &game.tags;
    write_tag(out, b"Event", tags.event());
    write_tag(out, b"Site", tags.site());
    write_tag(out, b"Date", tags.date().to_string().as_bytes());
    write_tag(out, b"Round", tags.round());
    write_tag(out, b"White", &tags.white());
    write_tag(out, b"Black", &tags.black());
    write_tag(out, b"Result", game.result.to_string().as_bytes());
    for (color, name) in [(Color::White, "White"), (Color::Black, "Black")] {
        if let Some(rating) = tags.rating(color) {
            write_tag(
                out,
                format!("{name}{}", rating.system).as_bytes(),
                rating.value.to_string().as_bytes(),
            );
        }
    }
    if let Some(eco) = tags.eco() {
        write_tag(out, b"ECO", eco.as_bytes());
    }
    let event_date = tags.event_date();
    if event_date.is_known() {
        write_tag(out, b"EventDate", event_date.to_string().as_bytes());
    }
    let extras = tags.extras();
    for (name, value) in &extras {
        write_tag(out, name, additions.tag(name).unwrap_or(value));
    }
    for (name, value) in additions.new_tags(extras.iter().map(|(name, _)| *name)) {
        write_tag(out, name, value);
    }
    if let Some(start) = &game.start {
        write_tag(out, b"FEN", start.fen.as_bytes());
    }
}

fn write_tag(out: &mut Vec<u8>, name: &[u8], value: &[u8]) {
    for part in [b"[", name, b" \"", value, b"\"]\n"] {
        out.extend_from_slice(part);
    }
}

/// Lines have fewer bytes than this.
const WIDTH: usize = 80;

/// The usual number of bytes of a move with its number.
const USUAL_MOVE: usize = 8;

/// What is left to write. A stack of tasks replaces recursion, as variations nest without limit.
enum Task {
    /// The line that begins with the move to this position, up to a move that has variations.
    Moves(u32),
    /// A variation that begins with the move to this position.
    Open(u32),
    /// The end of a variation.
    Close,
    /// The text after this position that could not be read.
    Rest(u32),
    /// The unreadable variations after the one that begins with the move to this position.
    Unread(u32),
    /// The comments on a position after the variation that begins with another one.
    CommentsBehind(u32, u32),
}

/// Writes words into lines of less than [`WIDTH`] bytes.
struct Lines<'a> {
    out: &'a mut Vec<u8>,
    /// The number of bytes in the line.
    column: usize,
}

impl Lines<'_> {
    /// Writes a comment in braces and a space.
    fn braced(&mut self, comment: &[u8]) {
        self.word(b"{");
        self.text(comment);
        self.word(b"}");
        self.space();
    }

    /// Writes the words of a comment and keeps all spaces and line breaks in it.
    fn text(&mut self, comment: &[u8]) {
        self.words(comment, Lines::word);
    }

    /// Writes unreadable text unchanged. None of its lines begins with `%`, which readers of PGN skip, or with `[`, where tags begin.
    fn unread(&mut self, text: &[u8]) {
        self.words(text, |lines, word| {
            let is_hidden =
                matches!(word.first(), Some(b'%' | b'[')) && (lines.column == 0 || lines.column + word.len() >= WIDTH);
            if is_hidden {
                if lines.column > 0 {
                    lines.line_break();
                }
                lines.space();
            }
            lines.word(word);
        });
        self.space();
    }

    fn words(&mut self, text: &[u8], write: impl Fn(&mut Self, &[u8])) {
        let mut rest = text;
        loop {
            let end = memchr::memchr2(b' ', b'\n', rest).unwrap_or(rest.len());
            let (word, tail) = rest.split_at(end);
            write(self, word);
            match tail.split_first() {
                Some((b'\n', tail)) => {
                    self.line_break();
                    rest = tail;
                }
                Some((_, tail)) => {
                    self.space();
                    rest = tail;
                }
                None => return,
            }
        }
    }

    /// Writes a word, on a new line if there is no room for it. As in CQL, a word that is longer than a line has an empty line before it if the
    /// previous line ends by itself.
    fn word(&mut self, word: &[u8]) {
        if word.is_empty() {
            return;
        }
        if self.column + word.len() >= WIDTH {
            self.line_break();
        }
        self.out.extend_from_slice(word);
        self.column += word.len();
    }

    /// Writes a word, as `write` appends it, that is shorter than a line.
    #[inline]
    fn written(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        let start = self.out.len();
        write(self.out);
        let length = self.out.len() - start;
        if self.column + length < WIDTH {
            self.column += length;
        } else {
            // Only few words do not fit.
            self.out.insert(start, b'\n');
            self.column = length;
        }
    }

    /// Writes a parenthesis and a space.
    fn parenthesis(&mut self, sign: u8) {
        self.word(&[sign]);
        self.space();
    }

    /// Writes a space, or ends the line if it is full.
    fn space(&mut self) {
        if self.column + 1 >= WIDTH {
            self.line_break();
        } else {
            self.out.push(b' ');
            self.column += 1;
        }
    }

    fn line_break(&mut self) {
        self.out.push(b'\n');
        self.column = 0;
    }
}

/// Writes the moves of a game in lines.
struct MoveWriter<'a> {
    lines: Lines<'a>,
    game: &'a Game,
    part: Part,
    comments: Comments<'a>,
    number_wanted: bool,
}

impl MoveWriter<'_> {
    /// Writes the initial comments, all moves and the result.
    fn write_moves(&mut self) {
        let Part { root, .. } = self.part;
        let mut tasks = vec![Task::Rest(root)];
        let first = self.game.positions.get(root as usize);
        tasks.extend(
            first
                .and_then(|first| self.part.next(self.game, first))
                .map(|next| Task::Moves(next.id)),
        );
        // Elsewhere, symbols and variations before the next move belong to the previous one.
        if root == 0 {
            for nag in self.game.notes.nags(0) {
                self.nag(nag);
                self.lines.space();
            }
            tasks.push(Task::Unread(0));
        }
        let mut comments = self.comments.at(root);
        comments.extend(self.comments.behind(root, None));
        let last = comments.pop();
        for comment in comments {
            self.lines.braced(&comment);
        }
        if let Some(comment) = last {
            self.lines.word(b"{");
            self.lines.text(&comment);
            self.lines.out.push(b'}');
            self.lines.line_break();
        }
        let mut steps = 0;
        while let Some(task) = tasks.pop() {
            steps += 1;
            if self.game.watch.is_over_at(steps) {
                return;
            }
            match task {
                Task::Moves(id) => self.write_line(id, &mut tasks),
                Task::Open(id) => {
                    self.lines.parenthesis(b'(');
                    self.number_wanted = true;
                    self.write_lead_in(id);
                    tasks.push(Task::Unread(id));
                    tasks.push(Task::Close);
                    tasks.push(Task::Moves(id));
                }
                Task::Close => {
                    self.lines.parenthesis(b')');
                    self.number_wanted = true;
                }
                Task::Rest(id) => self.write_rest(id),
                Task::CommentsBehind(id, variation) => self.write_comments_behind(id, Some(variation)),
                Task::Unread(id) => {
                    for variation in self.game.notes.unread_variations(id) {
                        self.write_unread(variation);
                    }
                }
            }
        }
        let result = self.game.result.to_string();
        self.lines.word(result.as_bytes());
        self.lines.line_break();
    }

    /// Writes what precedes the first move of a variation.
    fn write_lead_in(&mut self, id: u32) {
        for lead_in in self.game.notes.lead_in(id) {
            match lead_in {
                LeadIn::Comment(comment) => self.lines.braced(comment),
                LeadIn::Nag(nag) => {
                    self.nag(nag);
                    self.lines.space();
                }
                LeadIn::Variation(variation) => self.write_unread(variation),
            }
        }
    }

    /// Writes a variation without readable moves unchanged.
    fn write_unread(&mut self, variation: &[u8]) {
        self.lines.parenthesis(b'(');
        self.lines.unread(variation);
        self.lines.parenthesis(b')');
        self.number_wanted = true;
    }

    /// Writes the unreadable rest of the line that ends with a position unchanged.
    fn write_rest(&mut self, id: u32) {
        let is_cut = |position: &Position| self.part.cuts(position);
        let is_left_out = self.game.positions.get(id as usize).is_some_and(is_cut);
        if let Some(rest) = self.game.notes.rest(id).filter(|_| !is_left_out) {
            self.lines.unread(rest);
            self.number_wanted = true;
        }
    }

    fn nag(&mut self, number: u32) {
        self.lines.word(format!("${number}").as_bytes());
    }

    /// Writes a move and those that follow it, up to the first one that may have variations. These and the continuation become tasks.
    fn write_line(&mut self, first: u32, tasks: &mut Vec<Task>) {
        let mut next = self.game.positions.get(first as usize);
        while let Some(position) = next {
            let id = position.id;
            if self.game.watch.is_over_at(id as usize) {
                return;
            }
            self.write_move(position);
            next = self.part.next(self.game, position);
            let behind = next.map_or(Task::Rest(id), |next| Task::Moves(next.id));
            let may_have_variations = self.game.next_sibling(position).is_some() || self.game.notes.has(id);
            if position.choice == 0 && may_have_variations {
                tasks.push(behind);
                self.push_variations(position, tasks);
                return;
            }
            if may_have_variations {
                self.write_comments_behind(id, None);
            }
            if next.is_none() {
                tasks.push(behind);
            }
        }
    }

    /// Writes the comments on a position that follow a variation, or all variations.
    fn write_comments_behind(&mut self, id: u32, variation: Option<u32>) {
        for comment in self.comments.behind(id, variation) {
            self.lines.braced(&comment);
            self.number_wanted = true;
        }
    }

    /// Pushes tasks for the variations of a continuing move, for the unreadable ones, and for the comments after each.
    fn push_variations(&self, position: &Position, tasks: &mut Vec<Task>) {
        let begin = tasks.len();
        let variations = std::iter::successors(self.game.next_sibling(position), |v| self.game.next_sibling(v));
        let id = position.id;
        tasks.extend([Task::Unread(id), Task::CommentsBehind(id, id)]);
        tasks.extend(
            variations.flat_map(|variation| [Task::Open(variation.id), Task::CommentsBehind(id, variation.id)]),
        );
        // The last task is done first.
        if let Some(variations) = tasks.get_mut(begin..) {
            variations.reverse();
        }
    }

    /// Writes one move with its symbols and its comment.
    fn write_move(&mut self, position: &Position) {
        let Some(before) = self.game.parent(position) else {
            return;
        };
        if self.number_wanted || before.turn.is_white() {
            self.number(before);
            self.number_wanted = false;
        }
        self.lines.written(|out| write_san(out, self.game, before, position));
        for nag in self.game.notes.nags(position.id) {
            self.lines.space();
            self.nag(nag);
        }
        self.lines.space();
        if self.comments.may_be_at(position.id) {
            for comment in self.comments.at(position.id) {
                self.lines.braced(&comment);
                self.number_wanted = true;
            }
        }
    }

    /// Writes the number of the move that is made in a position.
    fn number(&mut self, before: &Position) {
        self.lines.written(|out| write_number(out, self.game, before));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::sample;

    /// Returns the movetext of a game in one line.
    fn written(pgn: &str, additions: &Additions<'_>) -> String {
        let mut out = Vec::new();
        write_game(&mut out, &sample::game(pgn), additions);
        movetext(out)
    }

    fn movetext(written: Vec<u8>) -> String {
        let text = String::from_utf8(written).unwrap();
        let (_, movetext) = text.split_once("\n\n").unwrap();
        movetext.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn numbers_of_any_length_are_written() {
        for number in [1, 9, 10, 99, 100, 999, 1000, 65_535] {
            let game = |moves: &str| format!("[FEN \"4k3/8/8/8/8/8/8/4K2R w - - 0 {number}\"]\n\n{moves} *\n");
            let moves = written(&game("Rh8+ Kd7 Rh7+"), &Additions::default());
            let next = number + 1;
            assert_eq!(moves, format!("{number}.Rh8+ Kd7 {next}.Rh7+ *"));
            let moves = written(&game("Rh8+ {x} Kd7"), &Additions::default());
            assert_eq!(moves, format!("{number}.Rh8+ {{x}} {number}...Kd7 *"));
        }
    }

    #[test]
    fn added_texts_stand_behind_the_comment_of_the_file() {
        let pgn = "{first} 1. e4 {a {b} (1. d4 {c}) 1... e5 *\n";
        let mut additions = Additions::default();
        for (position, text) in [(3, "y"), (0, "z"), (1, "x"), (1, "{x}"), (1, "x"), (2, "y")] {
            additions.comment(position, text.as_bytes());
        }
        let moves = written(pgn, &additions);
        assert_eq!(moves, "{first z} 1.e4 {a (b x _x_} ( 1.d4 {c y} ) 1...e5 {y} *");
        additions.remove_comment(1);
        additions.remove_comment(2);
        additions.repeat_comments(true);
        let moves = written(pgn, &additions);
        assert_eq!(moves, "{first z} 1.e4 { x _x_ x} ( 1.d4 {c y} ) 1...e5 {y} *");
    }

    #[test]
    fn a_continuation_has_the_lines_below_its_position() {
        let pgn = "[PlyCount \"5\"]\n\n1. e4 $1 {a} (1. d4 d5 (1... Nf6 {n} 2. c4) 2. c4) {behind} 1... e5 $2 {b} (1... c5) 2. Nf3 {c} Nc6 (2... d6 3. d4) 3. Bb5 1-0\n";
        let game = sample::game(pgn);
        let continued = |id: usize, plies| {
            let mut out = Vec::new();
            write_continuation(&mut out, &game, &game.positions[id], plies, Additions::default());
            movetext(out)
        };
        assert_eq!(
            continued(1, None),
            "{a} {behind} 1...e5 $2 {b} ( 1...c5 ) 2.Nf3 {c} 2...Nc6 ( 2...d6 3.d4 ) 3.Bb5 1-0"
        );
        assert_eq!(
            continued(1, Some(2)),
            "{a} {behind} 1...e5 $2 {b} ( 1...c5 ) 2.Nf3 {c} 1-0"
        );
        assert_eq!(continued(2, Some(2)), "{b} 2.Nf3 {c} 2...Nc6 ( 2...d6 ) 1-0");
        assert_eq!(continued(5, None), "1-0");
        assert_eq!(continued(3, Some(0)), "{c} 1-0");
        let d4 = game
            .positions
            .iter()
            .position(|position| position.depth == 1 && position.ply == 1)
            .unwrap();
        assert_eq!(continued(d4, None), "1...d5 ( 1...Nf6 {n} 2.c4 ) 2.c4 1-0");
    }

    #[test]
    fn a_continuation_says_where_it_begins() {
        let tags = |pgn: &str, id: usize| {
            let game = sample::game(pgn);
            let mut out = Vec::new();
            write_continuation(&mut out, &game, &game.positions[id], None, Additions::default());
            let text = String::from_utf8(out).unwrap();
            let lines = text.lines().take_while(|line| !line.is_empty());
            let others = lines.filter(|line| !ROSTER.iter().any(|(name, _)| line.as_bytes()[1..].starts_with(name)));
            others.map(str::to_owned).collect::<Vec<_>>()
        };
        let pgn = "[PlyCount \"3\"]\n[ECO \"B00\"]\n\n1. e4 e5 2. Nf3 *\n";
        assert_eq!(
            tags(pgn, 1),
            [
                "[PlyCount \"2\"]",
                "[ECO \"B00\"]",
                "[SetUp \"1\"]",
                "[FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"]"
            ]
        );
        assert_eq!(tags(pgn, 0), ["[PlyCount \"3\"]", "[ECO \"B00\"]"]);
        let pgn = "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 3 40\"]\n\n40. Rh8+ Kd7 *\n";
        assert_eq!(
            tags(pgn, 1),
            ["[FEN \"4k2R/8/8/8/8/8/8/4K3 b - - 4 40\"]", "[SetUp \"1\"]"]
        );
        assert_eq!(
            tags(pgn, 0),
            ["[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 3 40\"]", "[SetUp \"1\"]"]
        );
    }

    #[test]
    fn what_cannot_be_read_belongs_to_the_end_of_its_line() {
        let game = sample::game("1. e4 e5 2. Ke3 Nc6 *\n");
        let continued = |plies| {
            let mut out = Vec::new();
            write_continuation(&mut out, &game, &game.positions[1], plies, Additions::default());
            movetext(out)
        };
        assert_eq!(continued(None), "1...e5 2. Ke3 Nc6 *");
        assert_eq!(continued(Some(1)), "1...e5 *");
    }
}
