//! Games as PGN, with what a query has added to them.

use std::borrow::Cow;
use std::collections::HashMap;

use shakmaty::Color;
use smallvec::SmallVec;

use super::additions::Additions;
use super::notes::LeadIn;
use super::position::Position;
use super::rules::Rules;
use super::san::write_san;
use super::tree::Game;

/// Writes a game and two empty lines.
///
/// The game must have been read with all its variations and notes. Numbers of positions in `additions` are those of
/// this reading; numbers of the main line are the same in every scope.
///
/// A game that nobody wants any more is not written to its end.
pub fn write_game(out: &mut Vec<u8>, game: &Game, additions: &Additions) {
    match game.rules {
        Rules::Full => write_tags(out, game, additions),
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
        comments: Comments::new(game, additions),
        number_wanted: true,
    }
    .write_moves();
    out.extend_from_slice(b"\n\n");
}

/// Writes the move that led to a position with its number, as `12.Nf3` or `12...Nf6`; nothing for the initial position.
pub fn write_move(out: &mut Vec<u8>, game: &Game, position: &Position) {
    if let Some(before) = game.parent(position) {
        write_number(out, game, before);
        write_san(out, game, before, position);
    }
}

/// Writes the move that led to a position without its number, as `Nf3`; nothing for the initial position.
pub fn write_last_move(out: &mut Vec<u8>, game: &Game, position: &Position) {
    if let Some(before) = game.parent(position) {
        write_san(out, game, before, position);
    }
}

/// Writes the number of the move that is made in a position.
fn write_number(out: &mut Vec<u8>, game: &Game, before: &Position) {
    write_decimal(out, game.written_move_number(before));
    let dots: &[u8] = if before.turn.is_white() { b"." } else { b"..." };
    out.extend_from_slice(dots);
}

/// Writes a number without what `write!` takes for it, as every second move has one.
fn write_decimal(out: &mut Vec<u8>, number: u32) {
    if number >= 10 {
        write_decimal(out, number / 10);
    }
    out.push(b'0' + (number % 10) as u8);
}

/// The tags that every game has, and what they say if the game does not.
const ROSTER: [(&[u8], &[u8]); 7] = [
    (b"Event", b"?"),
    (b"Site", b"?"),
    (b"Date", b"????.??.??"),
    (b"Round", b"?"),
    (b"White", b"?"),
    (b"Black", b"?"),
    (b"Result", b"*"),
];

/// Writes the tags with the values that they had: the seven that every game has, then the others in their order.
fn write_tags(out: &mut Vec<u8>, game: &Game, additions: &Additions) {
    let tags: Vec<_> = game.tags.written().collect();
    // Of a tag that occurs several times the last one counts.
    let mut last: HashMap<&[u8], usize> = HashMap::new();
    if additions.set_tags() {
        last.extend(tags.iter().enumerate().map(|(index, (name, _))| (*name, index)));
    }
    let write = |out: &mut Vec<u8>, index: usize| {
        let (name, value) = tags[index];
        let is_last = last.get(name) == Some(&index);
        let set = additions.tag(name).filter(|_| is_last);
        write_tag(out, name, set.unwrap_or(value));
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
        write_tag(out, name, value);
    }
}

/// Writes the tags in the normal form of CQL: the seven that every game has, ratings, opening and date of the event if known,
/// the others, the start position.
fn write_normal_tags(out: &mut Vec<u8>, game: &Game, additions: &Additions) {
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

/// About how many bytes a move takes, with its number.
const USUAL_MOVE: usize = 8;

/// What is left to write. A stack of these takes the place of recursion, as variations nest without limit.
enum Task {
    /// The line that begins with the move to this position.
    Moves(u32),
    /// A variation that begins with the move to this position.
    Open(u32),
    /// The end of a variation.
    Close,
    /// What could not be read behind this position.
    Rest(u32),
    /// The variations of which no move could be read, behind the one that begins with the move to this position.
    Unread(u32),
}

/// The comments of the written game.
struct Comments<'a> {
    game: &'a Game,
    /// What is added, by position.
    added: Vec<(u32, &'a [u8])>,
    /// The positions that lose the comment they have in the file, in order.
    removed: Vec<u32>,
}

impl<'a> Comments<'a> {
    fn new(game: &'a Game, additions: &'a Additions) -> Comments<'a> {
        Comments {
            game,
            added: additions.sorted(),
            removed: additions.removed(),
        }
    }

    /// Whether a position may have any. Nearly none has, and even a list of none takes more than this to go through.
    fn may_be_at(&self, id: u32) -> bool {
        let is_added = || self.added.binary_search_by_key(&id, |(position, _)| *position).is_ok();
        self.game.notes.has(id) || is_added()
    }

    /// The comments of a position in order; what is added belongs to the last one.
    fn at(&self, id: u32) -> SmallVec<[Cow<'_, [u8]>; 1]> {
        let begin = self.added.partition_point(|(position, _)| *position < id);
        let added = self.added.get(begin..).unwrap_or_default();
        let mut added = added
            .iter()
            .take_while(|(position, _)| *position == id)
            .map(|(_, text)| *text)
            .peekable();
        let is_removed = self.removed.binary_search(&id).is_ok();
        let mut originals: SmallVec<[&[u8]; 1]> = self.game.notes.comments(id).collect();
        if added.peek().is_none() {
            if is_removed {
                originals.clear();
            }
            return originals.into_iter().map(|comment| self.braceless(comment)).collect();
        }
        let last = originals.pop().unwrap_or_default();
        if is_removed {
            originals.clear();
        }
        let mut whole = if is_removed {
            Vec::new()
        } else {
            self.braceless(last).into_owned()
        };
        // The reference keeps the blank behind a comment that has been removed.
        let mut blank = !last.is_empty();
        for text in added {
            if blank {
                whole.push(b' ');
            }
            whole.extend_from_slice(&without_braces(text, [b'_', b'_']));
            blank = true;
        }
        let mut comments: SmallVec<_> = originals.into_iter().map(|comment| self.braceless(comment)).collect();
        comments.push(Cow::Owned(whole));
        comments
    }

    /// A comment of the file, without braces: it has parentheses instead, or what CQL writes.
    fn braceless<'c>(&self, comment: &'c [u8]) -> Cow<'c, [u8]> {
        let signs = match self.game.rules {
            Rules::Full => [b'(', b')'],
            Rules::Cql => [b'_', b'_'],
        };
        without_braces(comment, signs)
    }
}

/// A comment in which no brace can end it early: it has two other signs instead.
fn without_braces(comment: &[u8], [open, close]: [u8; 2]) -> Cow<'_, [u8]> {
    if memchr::memchr2(b'{', b'}', comment).is_none() {
        return Cow::Borrowed(comment);
    }
    let written = |byte: &u8| match byte {
        b'{' => open,
        b'}' => close,
        byte => *byte,
    };
    Cow::Owned(comment.iter().map(written).collect())
}

/// Writes words into lines of less than [`WIDTH`] bytes.
struct Lines<'a> {
    out: &'a mut Vec<u8>,
    /// How many bytes the line has.
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

    /// Writes the words of a comment; all blanks and line breaks in it stay.
    fn text(&mut self, comment: &[u8]) {
        self.words(comment, Lines::word);
    }

    /// Writes what could not be read, as it stood. No line of it begins with `%`, which readers of PGN pass over.
    fn unread(&mut self, text: &[u8]) {
        self.words(text, |lines, word| {
            let is_hidden = word.starts_with(b"%") && (lines.column == 0 || lines.column + word.len() >= WIDTH);
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

    /// Writes a word, on a new line if there is no room for it. As in CQL, one that fits no line has an empty line before it
    /// where the line before ends by itself.
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

    /// Writes a word that fits into a line, as `write` adds it.
    #[inline]
    fn written(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        let start = self.out.len();
        write(self.out);
        let length = self.out.len() - start;
        if self.column + length < WIDTH {
            self.column += length;
        } else {
            // Few words are the last that do not fit.
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
    comments: Comments<'a>,
    number_wanted: bool,
}

impl MoveWriter<'_> {
    /// Writes the initial comments, all moves and the result.
    fn write_moves(&mut self) {
        for nag in self.game.notes.nags(0) {
            self.nag(nag);
            self.lines.space();
        }
        let mut comments = self.comments.at(0);
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
        let mut tasks = vec![Task::Rest(0)];
        if self.game.positions.len() > 1 {
            tasks.push(Task::Moves(1));
        }
        tasks.push(Task::Unread(0));
        let mut steps = 0;
        while let Some(task) = tasks.pop() {
            steps += 1;
            if self.game.watch.is_over_at(steps) {
                return;
            }
            match task {
                Task::Moves(id) => self.write_move(id, &mut tasks),
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

    /// Writes what stands in front of the first move of a variation.
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

    /// Writes a variation of which no move could be read, as it stood.
    fn write_unread(&mut self, variation: &[u8]) {
        self.lines.parenthesis(b'(');
        self.lines.unread(variation);
        self.lines.parenthesis(b')');
        self.number_wanted = true;
    }

    /// Writes what could not be read of the line that ends with a position, as it stood.
    fn write_rest(&mut self, id: u32) {
        let (Some(rest), Some(position)) = (self.game.notes.rest(id), self.game.positions.get(id as usize)) else {
            return;
        };
        let has_number = rest.first().is_some_and(u8::is_ascii_digit);
        if !has_number && (self.number_wanted || position.turn.is_white()) {
            self.number(position);
        }
        self.lines.unread(rest);
        self.number_wanted = true;
    }

    fn nag(&mut self, number: u32) {
        self.lines.word(format!("${number}").as_bytes());
    }

    /// Writes one move with its symbols and its comment; its variations and the continuation become tasks.
    fn write_move(&mut self, id: u32, tasks: &mut Vec<Task>) {
        let Some(position) = self.game.positions.get(id as usize) else {
            return;
        };
        let Some(before) = self.game.parent(position) else {
            return;
        };
        if self.number_wanted || before.turn.is_white() {
            self.number(before);
            self.number_wanted = false;
        }
        self.lines.written(|out| write_san(out, self.game, before, position));
        for nag in self.game.notes.nags(id) {
            self.lines.space();
            self.nag(nag);
        }
        self.lines.space();
        if self.comments.may_be_at(id) {
            for comment in self.comments.at(id) {
                self.lines.braced(&comment);
                self.number_wanted = true;
            }
        }
        match self.game.first_child(position) {
            Some(next) => tasks.push(Task::Moves(next.id)),
            None => tasks.push(Task::Rest(id)),
        }
        if position.choice == 0 {
            let begin = tasks.len();
            let variations = std::iter::successors(self.game.next_sibling(position), |v| self.game.next_sibling(v));
            tasks.push(Task::Unread(id));
            tasks.extend(variations.map(|variation| Task::Open(variation.id)));
            // The last task is done first.
            if let Some(variations) = tasks.get_mut(begin..) {
                variations.reverse();
            }
        }
    }

    /// Writes the number of the move that is made in a position.
    fn number(&mut self, before: &Position) {
        self.lines.written(|out| write_number(out, self.game, before));
    }
}
