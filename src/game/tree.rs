//! A game: its tags, its result and the tree of its positions.

use std::borrow::Cow;

use shakmaty::variant::VariantPosition;
use shakmaty::{Bitboard, CastlingSide, Color, File, Outcome, Position as _, Role, Square};

use super::derived::Derived;
use super::embedded_commands::Commands;
use super::notes::Notes;
use super::rules::Rules;
use super::tags::Tags;
use super::warning::Warning;
use crate::board::Board;
use crate::board::columns::Parts;
use crate::chess::{
    Arrival, Castlers, MoveKind, Position, Rights, Start, Variant, arrival_of, castlers, home_rank, in_check,
};
use crate::limits::InterruptHandle;

/// One game. The same value is used for one game after another, so that its buffers are reused.
#[derive(Clone, Debug)]
pub struct Game {
    /// The number of the game in its file, from 1.
    pub number: u64,
    /// The rules by which it was read.
    pub rules: Rules,
    /// The tags.
    pub tags: Tags,
    /// The result from the terminator of the moves, or from the tag if there is no terminator.
    pub result: Outcome,
    /// The variant of chess.
    pub variant: Variant,
    /// The start position, if the FEN tag sets one up.
    pub start: Option<Start>,
    /// The positions in the order of their ids. Never empty after reading.
    pub positions: Vec<Position>,
    /// Comments and annotation symbols. Empty if they were not wanted.
    pub notes: Notes,
    /// Evaluations, clocks and judgements. Empty if they were not wanted.
    pub commands: Commands,
    /// The problems in the text of the game.
    pub warnings: Vec<Warning>,
    /// Whether the text has variations, wanted or not.
    pub has_variations: bool,
    /// The positions under the rules of their variant, if it has its own rules; otherwise empty.
    pub(crate) by_variant: Vec<VariantPosition>,
    /// Values computed from its positions.
    pub(crate) derived: Derived,
    /// Says whether the game is still wanted.
    pub(crate) watch: InterruptHandle,
}

impl Default for Game {
    fn default() -> Game {
        Game {
            number: 0,
            rules: Rules::default(),
            tags: Tags::default(),
            result: Outcome::Unknown,
            variant: Variant::Standard,
            start: None,
            positions: Vec::new(),
            notes: Notes::default(),
            commands: Commands::default(),
            warnings: Vec::new(),
            has_variations: false,
            by_variant: Vec::new(),
            derived: Derived::default(),
            watch: InterruptHandle::default(),
        }
    }
}

impl Game {
    /// Clears everything except the buffers.
    pub fn clear(&mut self) {
        self.begin(Rules::default());
    }

    /// Clears everything except the buffers. The next game is read by these rules.
    pub(crate) fn begin(&mut self, rules: Rules) {
        self.rules = rules;
        self.tags.begin(rules);
        self.result = Outcome::Unknown;
        self.variant = Variant::Standard;
        self.start = None;
        self.positions.clear();
        self.by_variant.clear();
        self.notes.begin(rules);
        self.commands.clear();
        self.warnings.clear();
        self.has_variations = false;
        self.derived.begin(0, 0, Parts::default());
    }

    /// Returns the number of its positions, whether they were made or only put in columns.
    pub(crate) fn len(&self) -> usize {
        self.positions.len().max(self.derived.column_positions)
    }

    /// Returns whether its positions follow one another without variations, as far as it was read.
    pub(crate) fn is_line(&self) -> bool {
        self.positions.last().is_none_or(|last| last.depth == 0)
    }

    /// Returns roughly how many bytes its positions, notes and tags take.
    pub(crate) fn bytes(&self) -> usize {
        let positions = self.positions.capacity() * size_of::<Position>();
        let by_variant = self.by_variant.capacity() * size_of::<VariantPosition>();
        positions + by_variant + self.notes.bytes() + self.tags.bytes()
    }

    /// Returns the position before the first move.
    pub fn initial_position(&self) -> Position {
        let (board, turn) = match (&self.start, self.by_variant.first()) {
            (_, Some(first)) => (Board::from(first.board()), first.turn()),
            (Some(start), None) => (start.board, start.turn),
            (None, None) => (Board::from(&shakmaty::Board::new()), Color::White),
        };
        Position {
            board,
            turn,
            arrival: Arrival {
                kind: MoveKind::None,
                from: Square::A1,
                to: Square::A1,
                promotion: None,
                captured: None,
            },
            id: 0,
            parent: 0,
            last: 0,
            ply: 0,
            depth: 0,
            choice: 0,
        }
    }

    /// Returns the en passant square of the initial position, given by the FEN tag.
    pub fn en_passant_at_start(&self) -> Option<Square> {
        self.start.as_ref().and_then(|start| start.en_passant)
    }

    /// Returns the side that moves in the initial position.
    pub fn first_to_move(&self) -> Color {
        self.start.as_ref().map_or(Color::White, |start| start.turn)
    }

    /// Returns the value of any tag as queries see it. `FEN` is that of the start if one was set up, and `Result` is the result.
    pub fn tag(&self, name: &[u8]) -> Option<Cow<'_, [u8]>> {
        match name {
            b"FEN" => self.start.as_ref().map(|start| Cow::Borrowed(start.fen.as_bytes())),
            b"Result" => Some(Cow::Owned(self.result.to_string().into_bytes())),
            _ => self.tags.tag(name),
        }
    }

    /// Returns the number of the move to be made in a position, counted from 1 at the initial position, whatever the FEN tag
    /// says.
    pub fn move_number(&self, position: &Position) -> u32 {
        full_moves(self.first_to_move(), position.ply) + 1
    }

    /// Returns the number of the move to be made in a position as the output writes it, counted from the FEN tag's number.
    pub fn written_move_number(&self, position: &Position) -> u32 {
        let first = self.start.as_ref().map_or(1, |start| start.move_number);
        first.saturating_add(full_moves(self.first_to_move(), position.ply))
    }

    /// Returns the position before this one; `None` for the initial position.
    pub fn parent(&self, position: &Position) -> Option<&Position> {
        (position.id != 0)
            .then(|| self.positions.get(position.parent as usize))
            .flatten()
    }

    /// Returns the position and those before it, back to the initial position.
    pub fn path_back(&self, position: &Position) -> impl Iterator<Item = &Position> {
        std::iter::successors(self.positions.get(position.id as usize), |position| {
            self.parent(position)
        })
    }

    /// Returns the position after the first continuing move.
    pub fn first_child(&self, position: &Position) -> Option<&Position> {
        (position.last > position.id)
            .then(|| self.positions.get(position.id as usize + 1))
            .flatten()
    }

    /// Returns the next position after another move from the same position as this one.
    pub fn next_sibling(&self, position: &Position) -> Option<&Position> {
        let next = self.positions.get(position.last as usize + 1)?;
        (position.id != 0 && next.parent == position.parent).then_some(next)
    }

    /// Returns the positions after each of the continuing moves.
    pub fn children(&self, position: &Position) -> impl Iterator<Item = &Position> {
        std::iter::successors(self.first_child(position), |child| self.next_sibling(child))
    }

    /// Returns the castling rights in a position: those of the start for which king and rook have not moved and the rook has not been
    /// captured on the way.
    pub fn rights(&self, position: &Position) -> Rights {
        if self.may_have_rights(position) {
            self.rights_after(|| self.touched(position))
        } else {
            Rights::default()
        }
    }

    /// Returns whether, for a right of the start, king and rook are on their original squares. If no right is left, the moves need not be examined.
    fn may_have_rights(&self, position: &Position) -> bool {
        // Certain variants remove pieces from squares to which no move has led.
        if self.has_own_rules() {
            return true;
        }
        let Rights(rights) = self.start.as_ref().map_or(Rights::USUAL, |start| start.rights);
        Color::ALL.into_iter().any(|color| {
            let rooks = position.board.pieces(color, Role::Rook) & home_rank(color);
            (rights & rooks).any()
                && position
                    .board
                    .pieces(color, Role::King)
                    .intersects(self.king_at_start(color))
        })
    }

    /// Returns the square of a side's king in the initial position.
    fn king_at_start(&self, color: Color) -> Bitboard {
        match &self.start {
            Some(start) => start.board.pieces(color, Role::King),
            None => Square::from_coords(File::E, home_rank(color)).into(),
        }
    }

    /// Returns the castling rights of the start that are left after moves have left or arrived at the squares of `touched`.
    pub(crate) fn rights_after(&self, touched: impl FnOnce() -> Bitboard) -> Rights {
        let rights = self.start.as_ref().map_or(Rights::USUAL, |start| start.rights);
        self.rights_left(rights, touched)
    }

    /// Returns the castling rights that are left after moves have left or arrived at the squares of `touched`.
    pub(crate) fn rights_left(&self, rights: Rights, touched: impl FnOnce() -> Bitboard) -> Rights {
        let Rights(mut rights) = rights;
        if rights.any() {
            let touched = touched();
            for color in Color::ALL {
                let home = Bitboard::from(home_rank(color));
                if (self.king_at_start(color) & home & touched).any() {
                    rights &= !home;
                }
            }
            rights &= !touched;
        }
        Rights(rights)
    }

    /// Returns the squares that moves have left or arrived at on the way to a position. Null moves are ignored.
    // Called for each castling move of a PGN.
    pub(crate) fn touched(&self, position: &Position) -> Bitboard {
        let id = position.id as usize;
        if id != usize::from(position.ply) {
            return touched_on(self.path_back(position));
        }
        // As many moves led here as there are positions before, so all of them are on the way.
        touched_on(self.positions.get(..=id).unwrap_or_default().iter())
    }

    /// Returns the squares of king and rook before they castle, whether or not they may.
    pub fn castlers(&self, color: Color, side: CastlingSide) -> Castlers {
        castlers(self.start.as_ref(), color, side)
    }

    /// Returns the origin and destination of the rook if the move that led to a position was castling.
    pub fn rook_step(&self, position: &Position) -> Option<(Square, Square)> {
        let MoveKind::Castle(side) = position.arrival.kind else {
            return None;
        };
        let from = self.castlers(!position.turn, side).rook;
        Some((from, Square::from_coords(side.rook_to_file(), from.rank())))
    }

    /// Returns castling rights as queries see them. If the start only has rights that the usual start has, these are the castlings for which king and
    /// rook have been at home in this and in every earlier position, whatever the FEN tag says.
    pub(crate) fn rights_by_history(&self, position: &Position) -> Rights {
        if self.start.as_ref().is_some_and(Start::is_chess960) {
            return self.rights(position);
        }
        let mut rights = Rights::at_home(&position.board);
        for earlier in self.path_back(position).skip(1) {
            if !rights.any() {
                break;
            }
            rights.0 &= Rights::at_home(&earlier.board).0;
        }
        rights
    }

    /// Returns the positions after moves on the way to this position, backwards from this one. The initial position and those after null moves
    /// are left out.
    fn moves_back(&self, position: &Position) -> impl Iterator<Item = &Position> {
        self.path_back(position)
            .filter(|position| was_reached_by_piece(position))
    }

    /// Returns the squares on which moves have arrived on the way to this position. Null moves are ignored.
    pub fn arrivals(&self, position: &Position) -> Bitboard {
        self.moves_back(position).map(|position| position.arrival.to).collect()
    }

    /// Removes the variations. The result equals a game read without variations.
    pub fn keep_main_line(&mut self) {
        let last = self.positions.first().map(|start| {
            let line = std::iter::successors(Some(start), |position| self.first_child(position));
            line.last().unwrap_or(start).id
        });
        let Some(last) = last else { return };
        self.positions.truncate(last as usize + 1);
        self.by_variant.truncate(last as usize + 1);
        self.notes.truncate(self.positions.len());
        self.commands.truncate(self.positions.len());
        for position in &mut self.positions {
            position.last = last;
        }
        // Values computed from all positions may not hold for these.
        self.derived.begin(0, 0, Parts::default());
    }

    /// Returns the squares of promoted pieces that are still on the board.
    pub fn promoted_pieces(&self, position: &Position) -> Bitboard {
        let id = position.id as usize;
        if id == usize::from(position.ply) {
            // As many moves led here as there are positions before, so all of them are on the way.
            return promoted(self.positions.get(..=id).unwrap_or_default().iter());
        }
        let mut way: Vec<&Position> = self.path_back(position).collect();
        way.reverse();
        promoted(way.into_iter())
    }

    /// Returns the squares from and to which pieces have moved on the way to a position. A castling rook moves, too.
    pub(crate) fn moved(&self, position: &Position) -> Bitboard {
        self.moves_back(position)
            .map(|position| self.moved_by(position))
            .fold(Bitboard::EMPTY, |moved, squares| moved | squares)
    }

    /// Returns the squares from and to which pieces go by the move that leads to a position, which is not a null move.
    pub(crate) fn moved_by(&self, position: &Position) -> Bitboard {
        let rook = self.rook_step(position);
        let rook = rook.map_or(Bitboard::EMPTY, |(from, to)| Bitboard::from(from) | to);
        Bitboard::from(position.arrival.from) | position.arrival.to | rook
    }

    /// Returns the positions of the main line.
    pub(crate) fn main_line(&self) -> &[Position] {
        let length = self.positions.partition_point(|position| position.depth == 0);
        self.positions.get(..length).unwrap_or_default()
    }

    /// Returns a position under the rules of its variant, if that has its own rules.
    pub(crate) fn by_variant(&self, position: &Position) -> Option<&VariantPosition> {
        self.by_variant.get(position.id as usize)
    }

    /// Returns whether the rules are not those of chess.
    pub fn has_own_rules(&self) -> bool {
        !self.by_variant.is_empty()
    }

    /// Returns whether the side to move is in check.
    #[inline]
    pub fn is_check(&self, position: &Position) -> bool {
        match self.by_variant(position) {
            None => in_check(&position.board, position.turn),
            Some(position) => position.is_check(),
        }
    }

    /// Returns whether the game is over for a reason specific to the variant: an exploded king, a third check.
    #[inline]
    pub fn is_variant_end(&self, position: &Position) -> bool {
        self.by_variant(position).is_some_and(VariantPosition::is_variant_end)
    }

    /// Returns the legal moves of a position, if its variant has its own rules.
    pub fn moves_by_variant(&self, position: &Position) -> Option<impl Iterator<Item = Arrival> + use<>> {
        let moves = self.by_variant(position)?.legal_moves();
        Some(moves.into_iter().map(arrival_of))
    }
}

/// Returns whether a move other than a null move led to a position.
fn was_reached_by_piece(position: &Position) -> bool {
    position.arrival.squares().is_some()
}

/// Returns the squares that the moves to these positions have left and arrived at. Null moves are ignored.
pub(crate) fn touched_on<'p>(way: impl Iterator<Item = &'p Position>) -> Bitboard {
    way.filter(|position| was_reached_by_piece(position))
        .map(|position| Bitboard::from(position.arrival.from) | position.arrival.to)
        .fold(Bitboard::EMPTY, |touched, squares| touched | squares)
}

/// Returns the squares of promoted pieces after successive moves.
fn promoted<'p>(way: impl Iterator<Item = &'p Position>) -> Bitboard {
    let mut promoted = Bitboard::EMPTY;
    for position in way {
        let arrival = &position.arrival;
        if promoted.is_empty() && arrival.promotion.is_none() {
            continue;
        }
        promoted &= !arrival.captured.map_or(Bitboard::EMPTY, Bitboard::from);
        if arrival.promotion.is_some() || promoted.contains(arrival.from) {
            promoted &= !Bitboard::from(arrival.from);
            promoted |= arrival.to;
        }
    }
    promoted
}

/// Returns how many times White has come to move again after `ply` moves, if `first` began.
pub(crate) fn full_moves(first: Color, ply: u16) -> u32 {
    u32::from(ply).saturating_add(first.fold_wb(0, 1)) / 2
}

/// Sorts positions that were read in the order of the text by their ids.
///
/// In both orders, a position comes after its parent, and siblings follow each other as in the text. In the text, the
/// variations of a move come before its continuation. Ids go through the whole subtree of the first child first. The
/// size of each subtree says where the next sibling begins.
#[derive(Default, Debug)]
pub(crate) struct PreorderNumbering {
    /// By position in the order of the text: the size of its subtree while counting, then its id.
    ids: Vec<u32>,
    /// By position in the order of the text: the id of its next child.
    next_child: Vec<u32>,
    /// By position in the order of the text: the number of children that have been placed.
    placed: Vec<u16>,
    sorted: Vec<Position>,
}

impl PreorderNumbering {
    /// Sorts the positions and their notes. Sets `id`, `parent`, `last`, `choice` and `depth` from the parents in the
    /// order of the text. Returns `None` if the game is no longer wanted.
    pub(crate) fn apply(&mut self, game: &mut Game) -> Option<()> {
        let read = &game.positions;
        self.ids.clear();
        self.ids.resize(read.len(), 1);
        for index in (1..read.len()).rev() {
            if game.watch.is_over_at(index) {
                return None;
            }
            let size = *self.ids.get(index)?;
            *self.ids.get_mut(read.get(index)?.parent as usize)? += size;
        }
        self.next_child.clear();
        self.next_child.resize(read.len(), 0);
        self.placed.clear();
        self.placed.resize(read.len(), 0);
        self.sorted.clear();
        self.sorted.extend_from_slice(read);
        for (index, position) in read.iter().enumerate() {
            if game.watch.is_over_at(index) {
                return None;
            }
            self.place(index, *position)?;
        }
        std::mem::swap(&mut game.positions, &mut self.sorted);
        let unsorted = std::mem::take(&mut game.by_variant);
        let mut numbered: Vec<_> = unsorted.into_iter().zip(&self.ids).collect();
        numbered.sort_by_key(|(_, id)| **id);
        game.by_variant
            .extend(numbered.into_iter().map(|(position, _)| position));
        game.notes.renumber(&self.ids);
        game.commands.renumber(&self.ids);
        Some(())
    }

    /// Sets the id and the place of one position. Its parent already has them.
    fn place(&mut self, index: usize, mut position: Position) -> Option<()> {
        let size = *self.ids.get(index)?;
        let parent_index = position.parent as usize;
        if index > 0 {
            let next = self.next_child.get_mut(parent_index)?;
            position.id = *next;
            *next += size;
            let placed = self.placed.get_mut(parent_index)?;
            position.choice = *placed;
            *placed = placed.saturating_add(1);
            let parent_id = *self.ids.get(parent_index)?;
            position.parent = parent_id;
            let parent = self.sorted.get(parent_id as usize)?;
            position.depth = parent.depth.saturating_add(u16::from(position.choice > 0));
        }
        position.last = position.id + (size - 1);
        *self.ids.get_mut(index)? = position.id;
        *self.next_child.get_mut(index)? = position.id + 1;
        *self.sorted.get_mut(position.id as usize)? = position;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{GameReader, Scope, sample};

    #[test]
    fn moves_are_counted_from_one_and_written_from_the_fen_number() {
        let game = sample::game("[FEN \"8/5pk1/8/8/8/8/P7/K7 b - - 4 37\"]\n\n37... f5 38. a4 -- 39. a5 *\n");
        let numbers = |count: fn(&Game, &Position) -> u32| -> Vec<u32> {
            game.positions.iter().map(|position| count(&game, position)).collect()
        };
        assert_eq!(numbers(Game::move_number), [1, 2, 2, 3, 3]);
        assert_eq!(numbers(Game::written_move_number), [37, 38, 38, 39, 39]);
    }

    #[test]
    fn the_main_line_is_what_readers_without_variations_see() {
        let pgn = "1. e4 {a} e5 (1... c5 {b} 2. Nf3 (2. c3)) (1... e6) 2. Nf3 {c} *\n";
        let batch = sample::batch(pgn);
        let mut without = Game::default();
        let scope = Scope {
            variations: false,
            notes: true,
            commands: false,
        };
        GameReader::new(&batch).read(scope, &mut without, |_| true);
        let mut with = sample::game(pgn);
        with.keep_main_line();
        assert_eq!(with.positions, without.positions);
        let comments = |game: &Game| -> Vec<_> {
            let ids = game.positions.iter().map(|position| position.id);
            ids.map(|id| game.notes.comment(id).map(Cow::into_owned)).collect()
        };
        assert_eq!(comments(&with), comments(&without));
        assert_eq!(comments(&with)[3].as_deref(), Some(&b"c"[..]));
    }

    #[test]
    fn a_king_takes_rights_of_its_own_side_along() {
        let game = sample::game("[FEN \"K3k2r/8/8/8/8/8/8/8 w k - 0 1\"]\n\n1. Ka7 Ke7 *\n");
        let rights: Vec<Bitboard> = game.positions.iter().map(|position| game.rights(position).0).collect();
        assert_eq!(rights, [Square::H8.into(), Square::H8.into(), Bitboard::EMPTY]);
    }

    #[test]
    fn rights_are_those_that_the_whole_way_leaves() {
        for pgn in [
            "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O Rg8 5. Re1 Rh8 6. Rf1 Ke7 (6... Rf8 7. Kh1) 7. Re1 Ke8 *\n",
            "1. g3 b6 2. Bg2 g6 3. Bxb7 Bg7 4. Bxa8 Bxb2 5. Nf3 Bxa1 6. Rg1 Nf6 7. Rh1 *\n",
            "[FEN \"1r2k1r1/8/8/8/8/8/8/1R2K1R1 w BGbg - 0 1\"]\n\n1. Rxb8+ Ke7 2. Rb1 Rxg1+ 3. Ke2 *\n",
        ] {
            let game = sample::game(pgn);
            for position in &game.positions {
                let slowly = game.rights_after(|| game.touched(position));
                assert_eq!(game.rights(position), slowly, "{pgn}, position {}", position.id);
            }
        }
    }

    #[test]
    fn a_rook_that_castles_moves() {
        let moved = |pgn: &str| {
            let game = sample::game(pgn);
            game.moved(game.positions.last().expect("the start"))
        };
        let usual = moved("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O *\n");
        let first_rank = usual & Bitboard(0xff);
        assert_eq!(
            first_rank,
            Bitboard::from(Square::E1) | Square::F1 | Square::G1 | Square::H1
        );
        let chess960 = moved("[FEN \"1k6/8/8/8/8/8/8/RK6 w A - 0 1\"]\n\n1. O-O-O *\n");
        assert_eq!(
            chess960,
            Bitboard::from(Square::B1) | Square::C1 | Square::A1 | Square::D1
        );
    }
}
