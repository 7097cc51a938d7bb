//! The moves of a game and its variations: a tree in the order in which it is stored.
//!
//! At each position its first move comes first, with everything that follows it, and then the other moves. The meaning of a byte is looked up in a
//! table and shifted by the number of earlier moves.

use cbvault_format::cbh::GameMoves;
use cbvault_format::tables;
use shakmaty::{CastlingSide, Rank, Role, Square};

use super::pieces::{Pieces, square};
use crate::chess::Position;
use crate::foreign::Damage;
use crate::foreign::line::{Line, Step};

/// The deepest variations that are read.
const DEEPEST: usize = 1024;
/// The most moves of a game that are read.
const MOST_MOVES: usize = 1 << 18;

/// A move of the tree.
pub(super) struct Node {
    pub(super) step: Step,
    /// The move that continues after it.
    pub(super) next: Option<u32>,
    /// The next alternative to it.
    pub(super) other: Option<u32>,
}

/// The moves of a game.
#[derive(Default)]
pub(super) struct Tree {
    /// The moves in the order in which they are stored. The first one begins the game.
    pub(super) nodes: Vec<Node>,
    /// Who castles, as bits: White on the queen's side, on the king's side, Black on the queen's side, on the king's side.
    pub(super) castled: u8,
    /// Why there are no more.
    pub(super) damage: Option<Damage>,
}

/// How the moves of a game are encoded.
struct Mode {
    table: &'static [u8; 256],
    /// Whether bytes are shifted before they are looked up.
    shifts_first: bool,
    /// Whether each move names both its squares.
    by_squares: bool,
}

impl Mode {
    fn of(number: u8) -> Option<Mode> {
        let (table, shifts_first, by_squares) = match number {
            0 => (&tables::MODE_0, true, false),
            4 => (&tables::MODE_4, false, false),
            5 => (&tables::MODE_5, false, true),
            10 => (&tables::MODE_10, false, false),
            _ => return None,
        };
        Some(Mode {
            table,
            shifts_first,
            by_squares,
        })
    }

    fn meaning(&self, byte: u8, moves: usize) -> u8 {
        let shift = moves as u8;
        let looked_up = |byte: u8| self.table.get(usize::from(byte)).copied().unwrap_or_default();
        match self.shifts_first {
            true => looked_up(byte.wrapping_sub(shift)),
            false => looked_up(byte).wrapping_sub(shift),
        }
    }
}

/// A place in the tree where another move comes later.
struct Branch {
    here: Position,
    pieces: Pieces,
    /// The last move there so far.
    last: u32,
}

/// The moves of a game that are being read.
struct Reader<'l> {
    mode: Mode,
    is_chess960: bool,
    line: &'l mut Line,
    pieces: Pieces,
    nodes: Vec<Node>,
    castled: u8,
    /// The previous move, and whether the next one is an alternative to it.
    before: Option<(u32, bool)>,
    branches: Vec<Branch>,
    /// Whether the next move is one of several.
    branches_next: bool,
    is_over: bool,
}

/// Reads the moves of a game that begins at the position of `line`.
///
/// # Errors
/// Returns an error if not even the first move can be read.
pub(super) fn read(moves: &GameMoves<'_>, line: &mut Line) -> Result<Tree, Damage> {
    let mode = Mode::of(moves.mode());
    let mode = mode.ok_or_else(|| Damage(format!("its moves are encoded in an unknown way ({})", moves.mode())))?;
    let pieces = Pieces::of(line.board()).ok_or_else(|| Damage("a side has too many pieces of a kind".to_owned()))?;
    let mut reader = Reader {
        mode,
        is_chess960: moves.is_chess960(),
        line,
        pieces,
        nodes: Vec::new(),
        castled: 0,
        before: None,
        branches: Vec::new(),
        branches_next: false,
        is_over: false,
    };
    let damage = reader.read(moves.stream()).err();
    Ok(Tree {
        nodes: reader.nodes,
        castled: reader.castled,
        damage,
    })
}

impl Reader<'_> {
    fn read(&mut self, bytes: &[u8]) -> Result<(), Damage> {
        let mut bytes = bytes.iter().copied();
        let is_empty = bytes.len() == 0;
        while !self.is_over {
            let Some(byte) = bytes.next() else {
                // A game without moves may have no bytes at all.
                return match is_empty {
                    true => Ok(()),
                    false => Err(Damage("its moves break off".to_owned())),
                };
            };
            let code = self.mode.meaning(byte, self.nodes.len());
            if self.mode.by_squares {
                self.read_pair(code, bytes.next())?;
                continue;
            }
            match code {
                // A code without meaning.
                236 => {}
                254 => self.begin_variation()?,
                255 => self.end_line()?,
                235 => {
                    let mut next = || Some(u16::from(self.mode.meaning(bytes.next()?, self.nodes.len())));
                    let (Some(high), Some(low)) = (next(), next()) else {
                        return Err(Damage("its moves break off".to_owned()));
                    };
                    let step = self.of_squares(high << 8 | low)?;
                    self.play(step)?;
                }
                code => {
                    let step = self.of_code(code)?;
                    self.play(step)?;
                }
            }
        }
        Ok(())
    }

    /// Reads a move given by its squares, with bits that say whether it is one of several or the last of a line.
    fn read_pair(&mut self, high: u8, low: Option<u8>) -> Result<(), Damage> {
        let low = low.ok_or_else(|| Damage("its moves break off".to_owned()))?;
        let word = u16::from(high) << 8 | u16::from(self.mode.meaning(low, self.nodes.len()));
        if word & 0x8000 != 0 {
            self.begin_variation()?;
        }
        let step = self.of_squares(word & 0x3fff)?;
        self.play(step)?;
        match word & 0x4000 {
            0 => Ok(()),
            _ => self.end_line(),
        }
    }

    fn begin_variation(&mut self) -> Result<(), Damage> {
        if self.branches_next || self.branches.len() >= DEEPEST {
            return Err(Damage("its variations cannot be told apart".to_owned()));
        }
        self.branches_next = true;
        Ok(())
    }

    fn end_line(&mut self) -> Result<(), Damage> {
        if self.branches_next {
            return Err(Damage("its variations cannot be told apart".to_owned()));
        }
        match self.branches.pop() {
            Some(Branch { here, pieces, last }) => {
                self.line.go_to(here);
                self.pieces = pieces;
                self.before = Some((last, true));
            }
            None => self.is_over = true,
        }
        Ok(())
    }

    fn play(&mut self, step: Step) -> Result<(), Damage> {
        if self.nodes.len() >= MOST_MOVES {
            return Err(Damage("it has too many moves".to_owned()));
        }
        let number = self.nodes.len() as u32;
        let (here, pieces) = (self.line.here(), self.pieces);
        let us = here.turn;
        let arrival = self.line.play(step)?.after.arrival;
        if let Step::Castle(side) = step {
            let bit = if side == CastlingSide::QueenSide { 1 } else { 2 };
            self.castled |= us.fold_wb(bit, bit << 2);
        }
        if let Some(captured) = arrival.captured
            && let Some(role) = here.board.role_at(captured)
        {
            self.pieces.take(!us, role, captured);
        }
        if let Some((from, to)) = self.line.rook_of(us, &arrival) {
            self.pieces.go(us, Role::Rook, from, to);
        } else if let Some(role) = here.board.role_at(arrival.from)
            && role != Role::King
        {
            match arrival.promotion {
                Some(promotion) => self
                    .pieces
                    .promote(us, arrival.from, promotion, arrival.to)
                    .ok_or_else(|| Damage("a side has too many pieces of a kind".to_owned()))?,
                None => self.pieces.go(us, role, arrival.from, arrival.to),
            }
        }
        if let Some((before, is_instead)) = self.before
            && let Some(before) = self.nodes.get_mut(before as usize)
        {
            match is_instead {
                true => before.other = Some(number),
                false => before.next = Some(number),
            }
        }
        self.nodes.push(Node {
            step,
            next: None,
            other: None,
        });
        if std::mem::take(&mut self.branches_next) {
            self.branches.push(Branch {
                here,
                pieces,
                last: number,
            });
        }
        self.before = Some((number, false));
        Ok(())
    }

    fn unknown(&self) -> Damage {
        Damage(format!("move {} is of a piece that is not there", self.line.number()))
    }

    /// Returns the move for two squares, with six bits for each, and two for what a pawn becomes.
    fn of_squares(&self, word: u16) -> Result<Step, Damage> {
        let place = |bits: u16| square(u32::from(bits & 63)).ok_or_else(|| self.unknown());
        let (from, to) = (place(word)?, place(word >> 6)?);
        let us = self.line.turn();
        let home = us.fold_wb(Rank::First, Rank::Eighth);
        let side = match to.file() {
            shakmaty::File::G => Some(CastlingSide::KingSide),
            shakmaty::File::C => Some(CastlingSide::QueenSide),
            _ => None,
        };
        let side = side.filter(|_| to.rank() == home);
        if from == to {
            // In Chess960, castling is the king's target square twice.
            return match side {
                Some(side) if self.is_chess960 => Ok(Step::Castle(side)),
                _ if word & 0xfff == 0 => Ok(Step::Null),
                _ => Err(self.unknown()),
            };
        }
        let role = self.line.board().role_at(from).ok_or_else(|| self.unknown())?;
        let starts_at_home = from == Square::from_coords(shakmaty::File::E, home);
        match side {
            Some(side) if role == Role::King && starts_at_home && !self.is_chess960 => return Ok(Step::Castle(side)),
            _ => {}
        }
        let is_promotion = role == Role::Pawn && matches!(to.rank(), Rank::First | Rank::Eighth);
        let kinds = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
        let promotion = kinds.get(usize::from(word >> 12 & 3)).copied().filter(|_| is_promotion);
        Ok(Step::Piece { from, to, promotion })
    }

    /// Returns the move for a byte, which stands for a piece by its number and its way. The way may leave the board on one side and return on the
    /// other.
    fn of_code(&self, code: u8) -> Result<Step, Damage> {
        const QUEEN: [(i32, i32); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];
        const ROOK: [(i32, i32); 2] = [(0, 1), (1, 0)];
        const BISHOP: [(i32, i32); 2] = [(1, 1), (1, -1)];
        const KING: [(i32, i32); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
        const KNIGHT: [(i32, i32); 8] = [(2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1)];
        let us = self.line.turn();
        let along = |number: u8, directions: &[(i32, i32)]| {
            let (files, ranks) = directions.get(usize::from(number / 7)).copied().unwrap_or_default();
            let steps = i32::from(number % 7) + 1;
            (files * steps, ranks * steps)
        };
        let leap = |number: u8, leaps: &[(i32, i32); 8]| leaps.get(usize::from(number)).copied().unwrap_or_default();
        let piece = |role: Role, number: usize| self.pieces.piece(us, role, number);
        let (from, way) = match code {
            0 => return Ok(Step::Null),
            1..=8 => (self.line.board().pieces(us, Role::King).first(), leap(code - 1, &KING)),
            9 => return Ok(Step::Castle(CastlingSide::KingSide)),
            10 => return Ok(Step::Castle(CastlingSide::QueenSide)),
            11..=38 => (piece(Role::Queen, 0), along(code - 11, &QUEEN)),
            39..=52 => (piece(Role::Rook, 0), along(code - 39, &ROOK)),
            53..=66 => (piece(Role::Rook, 1), along(code - 53, &ROOK)),
            67..=80 => (piece(Role::Bishop, 0), along(code - 67, &BISHOP)),
            81..=94 => (piece(Role::Bishop, 1), along(code - 81, &BISHOP)),
            95..=102 => (piece(Role::Knight, 0), leap(code - 95, &KNIGHT)),
            103..=110 => (piece(Role::Knight, 1), leap(code - 103, &KNIGHT)),
            111..=142 => {
                let ahead = us.fold_wb(1, -1);
                let ways = [(0, ahead), (0, 2 * ahead), (ahead, ahead), (-ahead, ahead)];
                let way = ways.get(usize::from((code - 111) % 4)).copied().unwrap_or_default();
                (self.pieces.pawn(us, usize::from((code - 111) / 4)), way)
            }
            143..=170 => (piece(Role::Queen, 1), along(code - 143, &QUEEN)),
            171..=198 => (piece(Role::Queen, 2), along(code - 171, &QUEEN)),
            199..=212 => (piece(Role::Rook, 2), along(code - 199, &ROOK)),
            213..=226 => (piece(Role::Bishop, 2), along(code - 213, &BISHOP)),
            227..=234 => (piece(Role::Knight, 2), leap(code - 227, &KNIGHT)),
            _ => {
                return Err(Damage(format!(
                    "move {} is encoded in an unknown way",
                    self.line.number()
                )));
            }
        };
        let from = from.ok_or_else(|| self.unknown())?;
        let moved = |place: u32, steps: i32| (place as i32 + steps).rem_euclid(8) as u32;
        let to = Square::from_coords(
            shakmaty::File::new(moved(from.file() as u32, way.0)),
            Rank::new(moved(from.rank() as u32, way.1)),
        );
        Ok(Step::Piece {
            from,
            to,
            promotion: None,
        })
    }
}
