//! Codes moves in two bytes, and replays games from them without text and without a search for the piece that moves.
//!
//! The two bytes are those of the *Low* encoding of Aix: the first holds the origin, with bit 6 set if a pawn promotes, and bit 7
//! if a piece is captured. The second holds the destination, and in its high bits the new piece of a pawn: queen, rook, bishop or
//! knight. Castling goes from the king's square to the rook's. A null move, which Aix does not have, goes from the king's square
//! to itself.

use std::mem;

use shakmaty::{CastlingSide, Color, File, Rank, Role, Square};

use super::tree::Game;
use crate::board::columns::{Boards, LANES, Parts};
use crate::board::processor::for_this_processor;
use crate::board::{Bitboard, Board, Mailbox};
use crate::chess::{
    Arrival, Castlers, MoveKind, PlayableMove, Position, en_passant_victim, is_closed, make_move, promotes_rightly,
};

/// The moves fit no game: another program wrote them, or they are damaged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unplayable;

/// Bit of the first byte: a pawn promotes.
const PROMOTION: u8 = 1 << 6;
/// Bit of the first byte: a piece is captured. The board says so, too.
const CAPTURE: u8 = 1 << 7;
/// The bits of a square.
const SQUARE: u8 = 0x3f;
/// The new piece of a pawn, by the high bits of the second byte.
const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
/// The number of moves of a main line between two checks whether the game is still wanted.
const STRETCH: usize = 1 << 12;
/// The number of bytes of a position in a variation: the previous position, then the move.
const VARIATION: usize = 6;

/// Appends the moves of the main line. They are incomplete if the game is no longer wanted.
pub fn push_main_line(game: &Game, moves: &mut Vec<u8>) {
    let line = game.main_line();
    moves.reserve(2 * line.len() + 1);
    for stretch in line.get(1..).unwrap_or_default().chunks(STRETCH) {
        if game.watch.is_over() {
            return;
        }
        for position in stretch {
            moves.extend_from_slice(&coded(game, position));
        }
    }
}

/// Appends the positions of variations in the order of their ids: the id of the previous position, in little-endian order, then the move.
pub fn push_variations(game: &Game, bytes: &mut Vec<u8>) {
    let variations = game.positions.get(game.main_line().len()..).unwrap_or_default();
    for stretch in variations.chunks(STRETCH) {
        if game.watch.is_over() {
            return;
        }
        for position in stretch {
            bytes.extend_from_slice(&position.parent.to_le_bytes());
            bytes.extend_from_slice(&coded(game, position));
        }
    }
}

#[inline]
fn coded(game: &Game, position: &Position) -> [u8; 2] {
    let arrival = &position.arrival;
    let to = match arrival.kind {
        MoveKind::Castle(side) => game.castlers(!position.turn, side).rook,
        _ => arrival.to,
    };
    let mut bytes = [arrival.from.to_u32() as u8, to.to_u32() as u8];
    if arrival.captured.is_some() {
        bytes[0] |= CAPTURE;
    }
    let becomes = |promotion| PROMOTIONS.iter().position(|role| *role == promotion);
    if let Some(index) = arrival.promotion.and_then(becomes) {
        bytes[0] |= PROMOTION;
        bytes[1] |= (index as u8) << 6;
    }
    bytes
}

/// Returns the square of a king after a coded move in a game from the usual start. If it castles, `to` is the square of the rook.
fn king_moved(color: Color, from: Square, to: Square) -> Square {
    let home = color.fold_wb(Square::E1, Square::E8);
    if from == home && to.rank() == home.rank() && matches!(to.file(), File::A | File::H) {
        let side = CastlingSide::from_king_side(to.file() == File::H);
        Square::from_coords(side.king_to_file(), to.rank())
    } else {
        to
    }
}

/// Plays coded moves. Keeps its buffer from one game to the next.
#[derive(Debug)]
pub struct Replayer {
    /// By position: the number of children that have been placed.
    placed: Vec<u16>,
    /// The board of the usual start.
    usual: Mailbox,
}

impl Default for Replayer {
    fn default() -> Replayer {
        Replayer {
            placed: Vec::new(),
            usual: Mailbox::new(Board::from(&shakmaty::Board::new())),
        }
    }
}

impl Replayer {
    /// Sets the positions of a game whose start is known: the main line, and the variations unless they are empty.
    ///
    /// The moves need not be legal, but a piece of the side to move must make them, onto a square that is empty or has an enemy,
    /// and no king may be captured.
    ///
    /// # Errors
    ///
    /// Returns an error if the moves cannot be played, bytes are missing, or the game is no longer wanted. Then it has no positions.
    pub fn replay(&mut self, game: &mut Game, main_line: &[u8], variations: &[u8]) -> Result<(), Unplayable> {
        let played = self.replayed(game, main_line).and_then(|()| {
            if variations.is_empty() {
                Some(())
            } else {
                self.replay_variations(game, variations)
            }
        });
        played.ok_or_else(|| {
            game.positions.clear();
            Unplayable
        })
    }

    /// Fills the columns of [`Game::columns`] with parts of the boards of a main line. The game has no positions afterwards.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`replay`](Replayer::replay). If only kings and pawns of a game from the usual start
    /// are wanted, unplayable moves are not noticed.
    pub fn lay_out(&self, game: &mut Game, main_line: &[u8], parts: Parts) -> Result<(), Unplayable> {
        game.positions.clear();
        let are_few = !parts.is_empty() && Parts::KINGS_AND_PAWNS.contains(parts);
        let laid_out = match game.start.is_none() && are_few {
            true => self.kings_and_pawns_laid_out(game, main_line, parts),
            false => self.laid_out(game, main_line, parts),
        };
        laid_out.ok_or(Unplayable)
    }

    #[inline(never)]
    fn laid_out(&self, game: &mut Game, main_line: &[u8], parts: Parts) -> Option<()> {
        for_this_processor!({
            let mut head = Head::at(&game.initial_position(), &self.usual);
            lay_out_main_line(game, main_line, parts, |game, code, board| {
                let is_playable = head.play(game, code);
                *board = *head.mailbox.board();
                is_playable
            })
        })
    }

    #[inline(never)]
    fn kings_and_pawns_laid_out(&self, game: &mut Game, main_line: &[u8], parts: Parts) -> Option<()> {
        for_this_processor!({
            let mut head = KingsAndPawns::of_start(self.usual.board());
            lay_out_main_line(game, main_line, parts, |_, code, board| {
                head.play(code);
                *board = head.board;
                true
            })
        })
    }

    #[inline(never)]
    fn replayed(&self, game: &mut Game, main_line: &[u8]) -> Option<()> {
        for_this_processor!(replay_main_line(game, &self.usual, main_line))
    }

    fn replay_variations(&mut self, game: &mut Game, variations: &[u8]) -> Option<()> {
        let (codes, rest) = variations.as_chunks::<VARIATION>();
        let main_line = game.positions.len();
        self.placed.clear();
        self.placed.resize(main_line + codes.len(), 1);
        self.placed[main_line - 1..].fill(0);
        for &[a, b, c, d, from, to] in codes {
            let parent = u32::from_le_bytes([a, b, c, d]);
            let id = u32::try_from(game.positions.len()).ok()?;
            if game.watch.is_over_at(id as usize) {
                return None;
            }
            let mut next = after(game, game.positions.get(parent as usize)?, [from, to])?;
            let placed = self.placed.get_mut(parent as usize)?;
            // The first child of a position follows it. Then come the others, each after the subtree of the one before.
            if (*placed == 0) != (parent + 1 == id) || !is_on_the_way(game, parent) {
                return None;
            }
            next.id = id;
            next.parent = parent;
            next.choice = *placed;
            next.depth = next.depth.saturating_add(u16::from(*placed > 0));
            *placed = placed.saturating_add(1);
            game.positions.push(next);
        }
        set_last_positions(&mut game.positions);
        rest.is_empty().then_some(())
    }
}

/// Returns whether a position is the last one so far, or is on the way to it.
fn is_on_the_way(game: &Game, id: u32) -> bool {
    let Some(last) = game.positions.last() else {
        return false;
    };
    game.path_back(last)
        .map(|position| position.id)
        .find(|earlier| *earlier <= id)
        == Some(id)
}

fn set_last_positions(positions: &mut [Position]) {
    for position in positions.iter_mut() {
        position.last = position.id;
    }
    for index in (1..positions.len()).rev() {
        let Position { last, parent, .. } = positions[index];
        let parent = &mut positions[parent as usize];
        parent.last = parent.last.max(last);
    }
}

/// Sets the positions of a main line. `usual` is the board of the usual start.
#[inline(always)]
fn replay_main_line(game: &mut Game, usual: &Mailbox, line: &[u8]) -> Option<()> {
    let (codes, rest) = line.as_chunks::<2>();
    let last = u32::try_from(codes.len()).ok().filter(|_| rest.is_empty())?;
    let mut positions = mem::take(&mut game.positions);
    positions.clear();
    let initial = Position {
        last,
        ..game.initial_position()
    };
    positions.push(initial);
    // A lone position needs no board to play on.
    if codes.is_empty() {
        game.positions = positions;
        return Some(());
    }
    let mut head = Head::at(&initial, usual);
    for codes in codes.chunks(STRETCH) {
        if game.watch.is_over() {
            return None;
        }
        let mut are_playable = true;
        // The length is known, so there is room for all positions at once. Positions after an unplayable move are dropped.
        positions.extend(codes.iter().map(|code| {
            are_playable &= head.play(game, *code);
            head.position()
        }));
        if !are_playable {
            return None;
        }
    }
    game.positions = positions;
    Some(())
}

/// Fills the columns of a game with parts of the boards of a main line, and makes no positions. `play` plays a move, sets the board after it and
/// returns whether the move can be played.
#[inline(always)]
fn lay_out_main_line(
    game: &mut Game,
    line: &[u8],
    parts: Parts,
    mut play: impl FnMut(&Game, [u8; 2], &mut Board) -> bool,
) -> Option<()> {
    let (codes, rest) = line.as_chunks::<2>();
    let last = u32::try_from(codes.len()).ok().filter(|_| rest.is_empty())?;
    let mut columns = mem::take(&mut game.derived.columns);
    let blocks = codes.len() / LANES + 1;
    if columns.len() < blocks {
        columns.resize_with(blocks, Boards::default);
    }
    let initial = game.initial_position().board;
    if let ([], Some(boards)) = (codes, columns.first_mut()) {
        boards.fill(&[initial], |board| board, parts);
        game.derived.columns = columns;
        game.derived.begin(blocks, 1, parts);
        return Some(());
    }
    let mut block = [initial; LANES];
    // The first lane has the start, to which no move leads.
    let mut lane = 1;
    let mut codes = codes;
    let mut are_playable = true;
    for (boards, index) in columns.iter_mut().zip(0..blocks) {
        are_playable &= !game.watch.is_over_at(index + 1);
        let (now, later) = codes.split_at(codes.len().min(LANES - lane));
        let after_moves = block.get_mut(lane..).unwrap_or_default();
        for (board, code) in after_moves.iter_mut().zip(now) {
            are_playable &= play(game, *code, board);
        }
        if !are_playable {
            break;
        }
        boards.fill(&block, |board| board, parts);
        (codes, lane) = (later, 0);
    }
    game.derived.columns = columns;
    if are_playable {
        game.derived.begin(blocks, last as usize + 1, parts);
    }
    are_playable.then_some(())
}

/// The current position of a main line that is being replayed.
struct Head {
    mailbox: Mailbox,
    turn: Color,
    /// The last move, if it was a simple step, and whether it captured.
    step: [u8; 2],
    captures: bool,
    /// The last move, if it was not a simple step.
    arrival: Option<Arrival>,
    id: u32,
    /// The id of the last position of the line.
    last: u32,
}

impl Head {
    /// Creates the head at the start of a line. `usual` is the board of the usual start.
    fn at(initial: &Position, usual: &Mailbox) -> Head {
        Head {
            mailbox: if initial.board == *usual.board() {
                usual.clone()
            } else {
                Mailbox::new(initial.board)
            },
            turn: initial.turn,
            step: [0; 2],
            captures: false,
            arrival: Some(initial.arrival),
            id: initial.id,
            last: initial.last,
        }
    }

    #[inline(always)]
    fn position(&self) -> Position {
        Position {
            board: *self.mailbox.board(),
            turn: self.turn,
            arrival: self.arrival(),
            id: self.id,
            parent: self.id.saturating_sub(1),
            last: self.last,
            ply: u16::try_from(self.id).unwrap_or(u16::MAX),
            depth: 0,
            choice: 0,
        }
    }

    #[inline(always)]
    fn arrival(&self) -> Arrival {
        let [first, second] = self.step;
        let (from, to) = (square(first), square(second));
        self.arrival.unwrap_or(Arrival {
            kind: MoveKind::Normal,
            from,
            to,
            promotion: None,
            captured: self.captures.then_some(to),
        })
    }

    /// Plays the next move. Returns whether it can be played.
    #[inline(always)]
    fn play(&mut self, game: &Game, code: [u8; 2]) -> bool {
        let [first, second] = code;
        let (from, to) = (square(first), square(second));
        let step = if first & PROMOTION == 0 {
            self.mailbox.step(self.turn, from, to)
        } else {
            None
        };
        match step {
            Some(captures) => {
                self.step = code;
                self.captures = captures;
                self.arrival = None;
            }
            None if self.play_rare(game, code) => {}
            None => return false,
        }
        self.turn = !self.turn;
        self.id += 1;
        true
    }

    /// Plays a move that is not a simple step. Returns whether it can be played.
    #[inline(never)]
    fn play_rare(&mut self, game: &Game, code: [u8; 2]) -> bool {
        let Some(played) = playable(game, &self.position(), code) else {
            return false;
        };
        let mut board = *self.mailbox.board();
        make_move(&mut board, self.turn, game.start.as_ref(), &played);
        self.mailbox.change(board);
        self.arrival = Some(played.arrival);
        true
    }
}

/// The current kings and pawns of a line from the usual start. They can be moved without knowing the other pieces.
struct KingsAndPawns {
    /// The board with only these pieces.
    board: Board,
    turn: Color,
    /// The square that a pawn passed over with the last move.
    passed: Option<Square>,
}

impl KingsAndPawns {
    /// Takes the kings and pawns of a board on which White is to move.
    fn of_start(board: &Board) -> KingsAndPawns {
        let mut of_both = Board::default();
        of_both.roles.king = board.roles.king;
        of_both.roles.pawn = board.roles.pawn;
        of_both.colors = board.colors.map(|all| all & (board.roles.king | board.roles.pawn));
        KingsAndPawns {
            board: of_both,
            turn: Color::White,
            passed: None,
        }
    }

    /// Plays the next move without checking that it can be played.
    #[inline(always)]
    fn play(&mut self, [first, second]: [u8; 2]) {
        let (from, to) = (square(first), square(second));
        let (us, passed) = (self.turn, self.passed.take());
        self.turn = !us;
        let Board { roles, colors } = &mut self.board;
        let captured = roles.pawn & *colors.get(!us) & Bitboard::from(to);
        roles.pawn ^= captured;
        *colors.get_mut(!us) ^= captured;
        let own = *colors.get(us) & Bitboard::from(from);
        if own.is_empty() {
            return;
        }
        *colors.get_mut(us) ^= own;
        if (roles.king & own).any() {
            let to = Bitboard::from(king_moved(us, from, to));
            roles.king = roles.king ^ own | to;
            *colors.get_mut(us) |= to;
            return;
        }
        roles.pawn ^= own;
        if first & PROMOTION == 0 {
            roles.pawn.add(to);
            colors.get_mut(us).add(to);
        }
        if passed == Some(to) && from.file() != to.file() {
            let victim = Bitboard::from(Square::from_coords(to.file(), from.rank()));
            roles.pawn &= !victim;
            *colors.get_mut(!us) &= !victim;
        }
        if from.file() == to.file() && from.rank().distance(to.rank()) == 2 {
            self.passed = Some(Square::from_coords(from.file(), us.fold_wb(Rank::Third, Rank::Sixth)));
        }
    }
}

/// Returns the position after a move, without its place in the tree.
fn after(game: &Game, here: &Position, code: [u8; 2]) -> Option<Position> {
    let played = playable(game, here, code)?;
    let mut next = *here;
    make_move(&mut next.board, here.turn, game.start.as_ref(), &played);
    next.turn = !here.turn;
    next.arrival = played.arrival;
    next.ply = here.ply.saturating_add(1);
    Some(next)
}

/// Returns the move that two bytes stand for.
fn playable(game: &Game, here: &Position, [first, second]: [u8; 2]) -> Option<PlayableMove> {
    let board = &here.board;
    let us = here.turn;
    let (from, to) = (square(first), square(second));
    if !board.colors.get(us).contains(from) {
        return None;
    }
    let role = role_on(board, from);
    let mut arrival = Arrival {
        kind: MoveKind::Normal,
        from,
        to,
        promotion: None,
        captured: board.colors.get(!us).contains(to).then_some(to),
    };
    if is_closed(board, us, to) {
        if role != Role::King {
            return None;
        }
        if from == to {
            arrival.kind = MoveKind::Null;
        } else {
            let side = castling(game, here, from, to)?;
            arrival.kind = MoveKind::Castle(side);
            arrival.to = Square::from_coords(side.king_to_file(), from.rank());
        }
        return Some(PlayableMove { role, arrival });
    }
    if role == Role::Pawn {
        arrival.promotion = (first & PROMOTION != 0).then_some(PROMOTIONS[usize::from(second >> 6)]);
        if !promotes_rightly(us, to, arrival.promotion) {
            return None;
        }
        if from.file() != to.file() && arrival.captured.is_none() {
            arrival.kind = MoveKind::EnPassant;
            arrival.captured = Some(en_passant_victim(here, game.en_passant_at_start(), to)?);
        }
    }
    Some(PlayableMove { role, arrival })
}

/// Returns the square that a byte names.
#[inline(always)]
fn square(byte: u8) -> Square {
    Square::new(u32::from(byte & SQUARE))
}

/// Returns the role of the piece on an occupied square.
fn role_on(board: &Board, square: Square) -> Role {
    let roles = &board.roles;
    let is_on = |pieces: Bitboard| usize::from(pieces.contains(square));
    let index = is_on(roles.knight)
        + 2 * is_on(roles.bishop)
        + 3 * is_on(roles.rook)
        + 4 * is_on(roles.queen)
        + 5 * is_on(roles.king);
    Role::ALL[index.min(5)]
}

/// Returns the side to which a king on `king` castles with the rook on `rook`, if both are on their castling squares and nothing is in their
/// way.
fn castling(game: &Game, here: &Position, king: Square, rook: Square) -> Option<CastlingSide> {
    let side = CastlingSide::from_king_side(king < rook);
    let pieces = Castlers { king, rook };
    (game.castlers(here.turn, side) == pieces && pieces.is_way_free(&here.board, here.turn, side)).then_some(side)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{GameReader, Reading, Scope, sample};

    /// Returns the main line and the variations in bytes.
    fn coded_game(game: &Game) -> (Vec<u8>, Vec<u8>) {
        let (mut line, mut variations) = (Vec::new(), Vec::new());
        push_main_line(game, &mut line);
        push_variations(game, &mut variations);
        (line, variations)
    }

    fn games(file: &str) -> Vec<Game> {
        let batch = sample::golden(file);
        let mut reader = GameReader::new(&batch);
        let mut games = Vec::new();
        loop {
            let mut game = Game::default();
            if reader.read(Scope::ALL, &mut game, |_| true) == Reading::End {
                return games;
            }
            games.push(game);
        }
    }

    #[test]
    fn coded_games_have_the_same_positions() {
        let mut replayer = Replayer::default();
        let (mut variations_seen, mut nulls, mut starts) = (0, 0, 0);
        for file in ["mainline.pgn", "tree.pgn", "02-games-and-output.pgn", "paths.pgn"] {
            for game in games(file) {
                let (line, tree) = coded_game(&game);
                let mut copy = Game {
                    start: game.start.clone(),
                    ..Game::default()
                };
                replayer.replay(&mut copy, &line, &tree).unwrap();
                assert_eq!(copy.positions, game.positions, "{file}, game {}", game.number);
                if tree.is_empty() {
                    replayer.lay_out(&mut copy, &line, Parts::ALL).unwrap();
                    let boards = |index: usize| copy.columns()[index / LANES].board(index % LANES);
                    assert_eq!(copy.len(), game.len(), "{file}, game {}", game.number);
                    assert!((0..game.len()).all(|index| boards(index) == game.positions[index].board));
                    let kinds = Color::ALL.map(|color| [Role::King, Role::Pawn].map(|role| (color, role)));
                    let is_same = |board: Board, position: &Position| {
                        let mut kinds = kinds.into_iter().flatten();
                        kinds.all(|(color, role)| board.pieces(color, role) == position.board.pieces(color, role))
                    };
                    let mut copy = copy.clone();
                    replayer.lay_out(&mut copy, &line, Parts::KINGS_AND_PAWNS).unwrap();
                    let boards = |index: usize| copy.columns()[index / LANES].board(index % LANES);
                    assert!((0..game.len()).all(|index| is_same(boards(index), &game.positions[index])));
                }
                variations_seen += tree.len();
                starts += usize::from(game.start.is_some());
                let is_null = |position: &&Position| position.arrival.kind == MoveKind::Null;
                nulls += game.positions.iter().filter(is_null).count();
            }
        }
        assert!(variations_seen > 0 && nulls > 0 && starts > 0);
    }

    #[test]
    fn damaged_moves_never_panic_and_never_take_a_king() {
        let mut random = fastrand::Rng::with_seed(7);
        let mut replayer = Replayer::default();
        let mut refused = 0;
        for game in games("tree.pgn") {
            for _ in 0..200 {
                let (mut line, mut tree) = coded_game(&game);
                for bytes in [&mut line, &mut tree] {
                    if !bytes.is_empty() {
                        let place = random.usize(..bytes.len());
                        bytes[place] ^= 1 << random.u8(..8);
                    }
                }
                let mut copy = Game {
                    start: game.start.clone(),
                    ..Game::default()
                };
                let is_refused = replayer.replay(&mut copy, &line, &tree).is_err();
                refused += usize::from(is_refused);
                for position in &copy.positions {
                    assert_eq!(position.board.roles.king.count(), 2);
                }
                if tree.is_empty() {
                    assert_eq!(replayer.lay_out(&mut copy, &line, Parts::ALL).is_err(), is_refused);
                }
            }
        }
        assert!(refused > 0);
    }
}
