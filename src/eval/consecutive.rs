//! `consecutivemoves`: the longest run of equal moves in two branches of a game (chapter 5, 10).

use crate::game::{Game, MoveKind, Position};
use crate::query::echo::{ConsecutiveMoves, EchoName};

use super::positions;
use super::run::Run;

/// The longest run that a `consecutivemoves` found in a game: the positions after its moves.
#[derive(Debug)]
pub(super) struct LongestRun<'a> {
    filter: &'a ConsecutiveMoves,
    first: Vec<u32>,
    second: Vec<u32>,
}

/// The length of the longest run that the branches to both positions share, if it is asked for.
pub(super) fn length<'a>(filter: &'a ConsecutiveMoves, run: &mut Run<'a>, at: &'a Position) -> Option<i32> {
    let first = position(&filter.first, run, at)?;
    let second = position(&filter.second, run, at)?;
    let fork = positions::common_ancestor(first, second, run)?;
    if fork.id == first.id || fork.id == second.id {
        return None;
    }
    if run.memos.moves.is_empty() {
        let game = run.game;
        run.memos
            .moves
            .extend(game.positions.iter().map(|position| code(game, position)));
    }
    let (first, second) = (branch(run.game, fork, first), branch(run.game, fork, second));
    let common = longest_common(&first, &second, &run.memos.moves);
    if common.length == 0 {
        return None;
    }
    let length = common.length as i32;
    if let Some(range) = filter.range {
        run.within(length, range, at)?;
    }
    if run.automatic_comments(filter.quiet) {
        let longest = &mut run.runs[filter.place as usize];
        if longest.as_ref().is_none_or(|old| common.length > old.first.len()) {
            let part = |branch: &[u32], end: usize| branch[end - common.length..end].to_vec();
            *longest = Some(LongestRun {
                filter,
                first: part(&first, common.first_end),
                second: part(&second, common.second_end),
            });
        }
    }
    Some(length)
}

impl LongestRun<'_> {
    /// The comments at the end of the game.
    pub(super) fn comments(&self) -> impl Iterator<Item = (u32, Vec<u8>)> {
        let of = |branch: &[u32], name: &EchoName| -> Vec<(u32, Vec<u8>)> {
            let name = String::from_utf8_lossy(&name.name);
            let numbered = branch.iter().enumerate();
            numbered
                .map(|(index, id)| (*id, format!("{name}-move[{}]", index + 1).into_bytes()))
                .collect()
        };
        of(&self.first, &self.filter.first)
            .into_iter()
            .chain(of(&self.second, &self.filter.second))
    }
}

fn position<'a>(name: &EchoName, run: &mut Run<'a>, at: &Position) -> Option<&'a Position> {
    match run.variables.positions[name.variable.index()] {
        Some(id) => run.position(id),
        None => {
            run.unbound(name.span, at);
            None
        }
    }
}

/// The move that led to a position: squares, man and colour; not what it captured nor what a pawn became.
fn code(game: &Game, position: &Position) -> u32 {
    let arrival = &position.arrival;
    if arrival.kind == MoveKind::None {
        return 0;
    }
    let mover = game
        .parent(position)
        .and_then(|before| before.board.piece_at(arrival.from));
    let man = mover.map_or(0, |man| 2 * man.role as u32 + man.color.fold_wb(0, 1));
    man << 12 | (arrival.from as u32) << 6 | arrival.to as u32
}

/// The positions after a fork up to one below it.
fn branch(game: &Game, fork: &Position, end: &Position) -> Vec<u32> {
    let mut branch: Vec<u32> = game
        .path_back(end)
        .map(|position| position.id)
        .take_while(|id| *id != fork.id)
        .collect();
    branch.reverse();
    branch
}

/// A longest common run: its length, and where it ends in both branches.
#[derive(Default)]
struct Common {
    length: usize,
    first_end: usize,
    second_end: usize,
}

/// The longest run of moves that occurs in both branches; of several, the one that ends first in the first branch, then in the
/// second.
///
/// The usual table of a longest common substring, of which only one row is kept.
fn longest_common(first: &[u32], second: &[u32], moves: &[u32]) -> Common {
    let mut longest = Common::default();
    // By end in the second branch, the length of the common run that ends there and at the row's move.
    let mut ending = vec![0; second.len() + 1];
    for (row, one) in first.iter().enumerate() {
        for (column, other) in second.iter().enumerate().rev() {
            let equal = moves[*one as usize] == moves[*other as usize];
            ending[column + 1] = if equal { ending[column] + 1 } else { 0 };
        }
        for (column, length) in ending.iter().enumerate() {
            if *length > longest.length {
                longest = Common {
                    length: *length,
                    first_end: row + 1,
                    second_end: column,
                };
            }
        }
    }
    longest
}
