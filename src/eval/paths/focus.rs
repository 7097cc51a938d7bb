//! The moves that a path looks at: all that were played, or those of the men in focus (chapter 7, 4).

use smallvec::{SmallVec, smallvec};

use crate::board::Bitboard;
use crate::game::{Game, MoveKind, Position};

use crate::eval::moves::steps;

/// The men in focus, by the squares where they stand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Men {
    pub(crate) squares: Bitboard,
    /// Captures of these men are moves in focus as well.
    pub(crate) capture: bool,
}

impl Men {
    /// The men after a move; none if the move is out of focus.
    #[inline]
    pub(crate) fn after_move(self, game: &Game, after: &Position) -> Option<Men> {
        let arrival = &after.arrival;
        if matches!(arrival.kind, MoveKind::Castle(_)) {
            return self.after_castling(game, after);
        }
        let moves = self.squares.contains(arrival.from);
        let is_lost = self.capture && self.loses(after);
        if !moves && !is_lost {
            return None;
        }
        let mut men = self.after_other_move(after);
        if moves {
            men.squares.discard(arrival.from);
            men.squares.add(arrival.to);
        }
        Some(men)
    }

    fn after_castling(self, game: &Game, after: &Position) -> Option<Men> {
        let steps = steps(game, after);
        let mut squares = self.squares;
        let mut arrived = Bitboard::EMPTY;
        for (from, to) in [Some(steps.king_or_man), steps.rook].into_iter().flatten() {
            if squares.remove(from) {
                arrived.add(to);
            }
        }
        squares |= arrived;
        arrived.any().then_some(Men { squares, ..self })
    }

    /// Whether a move may change where they stand. Most moves do not.
    #[inline]
    fn are_touched(self, after: &Position) -> bool {
        let arrival = &after.arrival;
        self.squares.contains(arrival.from) || self.loses(after) || matches!(arrival.kind, MoveKind::Castle(_))
    }

    #[inline]
    fn loses(self, after: &Position) -> bool {
        after.arrival.captured.is_some_and(|taken| self.squares.contains(taken))
    }

    /// The men after a move of another man.
    #[inline]
    pub(crate) fn after_other_move(self, after: &Position) -> Men {
        let mut squares = self.squares;
        if let Some(taken) = after.arrival.captured {
            squares.discard(taken);
        }
        Men { squares, ..self }
    }
}

/// A move that a path may take: the position after it and the men in focus before and after.
pub(crate) struct Candidate<'a> {
    pub(crate) after: &'a Position,
    pub(crate) before: Option<Men>,
    pub(crate) men: Option<Men>,
}

impl Candidate<'_> {
    /// The squares of the men in focus before the move.
    pub(crate) fn movers(&self) -> Option<Bitboard> {
        self.before.map(|men| men.squares)
    }
}

/// The moves that a path may take from a position, in the order in which they are tried.
#[derive(Debug)]
pub(crate) enum Moves<'a> {
    /// All moves played, or the first one alone.
    Played {
        next: Option<&'a Position>,
        only_first: bool,
    },
    /// The moves played by men in focus.
    Focused { next: Option<&'a Position>, men: Men },
    /// The nearest moves of men in focus on every line.
    Nearest(Nearest),
}

/// A walk through the positions below one, down to the nearest moves of men in focus.
#[derive(Debug)]
pub(crate) struct Nearest {
    next: u32,
    last: u32,
    /// The subtrees around the next position: their last positions and the men at their roots.
    open: SmallVec<[(u32, Men); 4]>,
}

impl<'a> Moves<'a> {
    /// The moves from a position. The first move of a path has to be played there; later ones may skip moves of other men.
    pub(crate) fn new(game: &'a Game, at: &'a Position, men: Option<Men>, only_first: bool, first: bool) -> Moves<'a> {
        let next = game.first_child(at);
        match men {
            None => Moves::Played { next, only_first },
            Some(men) if first => Moves::Focused { next, men },
            Some(men) => Moves::Nearest(Nearest {
                next: at.id + 1,
                last: at.last,
                open: smallvec![(at.last, men)],
            }),
        }
    }

    /// The next move.
    pub(crate) fn next(&mut self, game: &'a Game) -> Option<Candidate<'a>> {
        match self {
            Moves::Played { next, only_first } => {
                let after = (*next)?;
                *next = if *only_first { None } else { game.next_sibling(after) };
                Some(Candidate {
                    after,
                    before: None,
                    men: None,
                })
            }
            Moves::Focused { next, men } => loop {
                let after = (*next)?;
                *next = game.next_sibling(after);
                if let Some(moved) = men.after_move(game, after) {
                    return Some(Candidate {
                        after,
                        before: Some(*men),
                        men: Some(moved),
                    });
                }
            },
            Moves::Nearest(nearest) => nearest.next(game),
        }
    }
}

impl Nearest {
    fn next<'a>(&mut self, game: &'a Game) -> Option<Candidate<'a>> {
        while self.next <= self.last {
            let after = game.positions.get(self.next as usize)?;
            while self.open.last().is_some_and(|(last, _)| *last < after.id) {
                self.open.pop();
            }
            let (end, men) = self.open.last_mut()?;
            let before = *men;
            if !before.are_touched(after) {
                if *end != after.last {
                    self.open.push((after.last, before));
                }
                self.next += 1;
                continue;
            }
            if let Some(moved) = before.after_move(game, after) {
                self.next = after.last + 1;
                return Some(Candidate {
                    after,
                    before: Some(before),
                    men: Some(moved),
                });
            }
            let left = before.after_other_move(after);
            if left.squares.is_empty() {
                self.next = after.last + 1;
                continue;
            }
            if *end == after.last {
                *men = left;
            } else {
                self.open.push((after.last, left));
            }
            self.next += 1;
        }
        None
    }
}
