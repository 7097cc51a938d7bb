//! The longest sequence of equal moves in two branches of a game.

use crate::chess::{MoveKind, Position};
use crate::eval::lineage::{common_ancestor, is_ancestor};
use crate::game::Game;

/// The most cells in the rows from which a [`BranchTable`] is made. For longer branches, pairs are compared one by one.
const MOST_CELLS: usize = 1 << 22;

/// The memo of one `consecutivemoves` for a game.
#[derive(Debug, Default)]
pub(crate) struct ConsecutiveMemo {
    /// A code for the move that led to each position. Empty before the first question.
    pub(crate) moves: Vec<u32>,
    /// The positions of the last question.
    asked: Option<(u32, u32)>,
    table: Option<BranchTable>,
    /// The longest sequence found, on which the comments are written.
    pub(crate) longest: Option<CommonMoves>,
}

/// A sequence of moves in two branches: its length, and the positions after its last move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct CommonMoves {
    pub(crate) length: u32,
    pub(crate) first: u32,
    pub(crate) second: u32,
}

/// The longest sequence that one branch shares with each other branch of the game.
///
/// If two moves are equal, the sequence that ends with them is one longer than the sequence that ends before them. So all branches together take
/// one row of the usual table for each position of the game.
#[derive(Debug)]
struct BranchTable {
    /// The end of the branch.
    end: u32,
    side: Side,
    /// Indexed by position.
    longest: Vec<CommonMoves>,
}

/// One of the two branches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    First,
    Second,
}

impl ConsecutiveMemo {
    /// Clears the memo for a new game.
    pub(crate) fn clear(&mut self) {
        self.moves.clear();
        self.asked = None;
        self.table = None;
        self.longest = None;
    }

    /// Returns the longest sequence shared by two branches, if there is one. Among several, returns the one that ends first in the first
    /// branch, then in the second.
    pub(crate) fn common_moves(&mut self, game: &Game, first: &Position, second: &Position) -> Option<CommonMoves> {
        if first.id == second.id || is_ancestor(first, second) || is_ancestor(second, first) {
            return None;
        }
        if self.moves.is_empty() {
            self.moves
                .extend(game.positions.iter().map(|position| code(game, position)));
        }
        let found = match self.tabulated(game, first, second) {
            Some(found) => found,
            None => longest_common(game, first, second, &self.moves)?,
        };
        (found.length > 0).then_some(found)
    }

    /// Returns the same from a table. A table is made when the same position is asked about twice in a row.
    fn tabulated(&mut self, game: &Game, first: &Position, second: &Position) -> Option<CommonMoves> {
        let asked = self.asked.replace((first.id, second.id));
        let fits = |table: &BranchTable| match table.side {
            Side::First => table.end == first.id,
            Side::Second => table.end == second.id,
        };
        if !self.table.as_ref().is_some_and(fits) {
            self.table = match asked {
                Some((same, _)) if same == first.id => BranchTable::new(game, first, Side::First, &self.moves),
                Some((_, same)) if same == second.id => BranchTable::new(game, second, Side::Second, &self.moves),
                _ => None,
            };
        }
        let table = self.table.as_ref()?;
        let other = match table.side {
            Side::First => second,
            Side::Second => first,
        };
        table.longest.get(other.id as usize).copied()
    }
}

impl BranchTable {
    /// Creates the table of the branch that ends at a position; `None` if it would be too large.
    fn new(game: &Game, end: &Position, side: Side, moves: &[u32]) -> Option<BranchTable> {
        let branch = branch(game, end);
        let deepest = game.positions.iter().map(|position| position.ply).max()?;
        let width = branch.len();
        if (usize::from(deepest) + 1).saturating_mul(width) > MOST_CELLS {
            return None;
        }
        let mut longest = vec![CommonMoves::default(); game.positions.len()];
        // By ply, since positions come in preorder: the lengths of the sequences that end with the position at this ply and with each move
        // of the branch. If the position is on the branch, the row is empty, since no sequence begins above a fork.
        let mut rows = vec![0; (usize::from(deepest) + 1) * width];
        // By ply: the ply at which the way to the position leaves the branch.
        let mut forks = vec![0; usize::from(deepest) + 1];
        for position in game.positions.iter().skip(1) {
            let ply = usize::from(position.ply);
            if position.id <= end.id && end.id <= position.last {
                forks[ply] = ply;
                rows[ply * width..][..width].fill(0);
                continue;
            }
            let fork = forks[ply - 1];
            forks[ply] = fork;
            let (earlier, current) = rows.split_at_mut(ply * width);
            let (before, row) = (&earlier[(ply - 1) * width..], &mut current[..width]);
            let mut best = longest[position.parent as usize];
            row[..=fork.min(width - 1)].fill(0);
            let mut here = CommonMoves::default();
            for index in fork + 1..width {
                let equal = moves[branch[index] as usize] == moves[position.id as usize];
                row[index] = if equal { before[index - 1] + 1 } else { 0 };
                if row[index] > here.length {
                    here = CommonMoves::of(side, row[index], branch[index], position.id);
                }
            }
            let earlier_in_first = side == Side::First && here.length == best.length && here.first < best.first;
            if here.length > best.length || earlier_in_first {
                best = here;
            }
            longest[position.id as usize] = best;
        }
        Some(BranchTable {
            end: end.id,
            side,
            longest,
        })
    }
}

impl CommonMoves {
    /// Creates a sequence from its ends in the branch of `side` and in the other branch.
    fn of(side: Side, length: u32, own: u32, other: u32) -> CommonMoves {
        let (first, second) = match side {
            Side::First => (own, other),
            Side::Second => (other, own),
        };
        CommonMoves { length, first, second }
    }
}

/// Returns a code for the move that led to a position: squares, piece and colour, but neither the captured piece nor the promotion.
fn code(game: &Game, position: &Position) -> u32 {
    let arrival = &position.arrival;
    if arrival.kind == MoveKind::None {
        return 0;
    }
    let mover = game
        .parent(position)
        .and_then(|before| before.board.piece_at(arrival.from));
    let piece = mover.map_or(0, |piece| 2 * piece.role as u32 + piece.color.fold_wb(0, 1));
    piece << 12 | (arrival.from as u32) << 6 | arrival.to as u32
}

/// Returns the positions from the initial one to `end`, by ply.
fn branch(game: &Game, end: &Position) -> Vec<u32> {
    let mut branch: Vec<u32> = game.path_back(end).map(|position| position.id).collect();
    branch.reverse();
    branch
}

/// Returns the longest sequence of two branches. Uses the usual table of a longest common substring, but keeps only one row.
fn longest_common(game: &Game, first: &Position, second: &Position, moves: &[u32]) -> Option<CommonMoves> {
    let fork = usize::from(common_ancestor(first, second, game)?.ply);
    let (first, second) = (branch(game, first), branch(game, second));
    let (first, second) = (&first[fork + 1..], &second[fork + 1..]);
    let mut longest = CommonMoves::default();
    // By the end in the second branch: the length of the common sequence that ends there and at the row's move.
    let mut ending = vec![0; second.len() + 1];
    for one in first {
        for (column, other) in second.iter().enumerate().rev() {
            let equal = moves[*one as usize] == moves[*other as usize];
            ending[column + 1] = if equal { ending[column] + 1 } else { 0 };
        }
        for (length, other) in ending[1..].iter().zip(second) {
            if *length > longest.length {
                longest = CommonMoves::of(Side::First, *length, *one, *other);
            }
        }
    }
    Some(longest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{GameReader, Scope, sample};

    /// Shuffled moves in branches at several depths, so that sequences repeat and begin above and below forks.
    const SHUFFLE: &str = "1. Nf3 Nf6 (1... Nc6 2. Ng1 Nb8 3. Nf3 Nf6 4. Ng1 Ng8 (4... Nc6 5. Nf3 Nb8) 5. Nf3) \
        (1... Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1) 2. Ng1 Ng8 (2... Nc6 3. Nf3 Nb8 4. Ng1 Nc6 5. Nf3 Nb8) \
        3. Nf3 (3. Nc3 Nf6 4. Nb1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8) 3... Nf6 4. Ng1 Ng8 (4... Nc6 5. Nf3 Nb8 6. Ng1) *\n";

    #[test]
    fn the_table_of_a_branch_says_what_pairs_say() {
        let batch = sample::batch(SHUFFLE);
        let mut game = Game::default();
        GameReader::new(&batch).read(Scope::ALL, &mut game, |_| true);
        let moves: Vec<u32> = game.positions.iter().map(|position| code(&game, position)).collect();
        let mut longest = 0;
        for first in &game.positions {
            let of_first = BranchTable::new(&game, first, Side::First, &moves).expect("a small table");
            for second in &game.positions {
                if first.id == second.id || is_ancestor(first, second) || is_ancestor(second, first) {
                    continue;
                }
                let pair = longest_common(&game, first, second, &moves).expect("they have an ancestor");
                assert_eq!(of_first.longest[second.id as usize], pair, "{} {}", first.id, second.id);
                let of_second = BranchTable::new(&game, second, Side::Second, &moves).expect("a small table");
                assert_eq!(of_second.longest[first.id as usize], pair, "{} {}", first.id, second.id);
                longest = longest.max(pair.length);
            }
        }
        assert!(longest >= 4, "the longest sequence has only {longest} moves");
    }
}
