//! The moves that a path looks at: all that were played, or only those of the pieces in focus (chapter 7, 4).

use crate::board::Bitboard;
use crate::chess::{MoveKind, Position};
use crate::game::Game;

use super::steps::steps;

/// The pieces in focus, by their squares.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pieces {
    pub(crate) squares: Bitboard,
    /// Whether captures of these pieces are moves in focus, too.
    pub(crate) capture: bool,
}

impl Pieces {
    /// Returns the pieces after a move; `None` if the move is out of focus.
    #[inline]
    pub(crate) fn after_move(self, game: &Game, after: &Position) -> Option<Pieces> {
        let arrival = &after.arrival;
        if matches!(arrival.kind, MoveKind::Castle(_)) {
            return self.after_castling(game, after);
        }
        let moves = self.squares.contains(arrival.from);
        let is_lost = self.capture && self.loses(after);
        if !moves && !is_lost {
            return None;
        }
        let mut pieces = self.after_other_move(after);
        if moves {
            pieces.squares.discard(arrival.from);
            pieces.squares.add(arrival.to);
        }
        Some(pieces)
    }

    fn after_castling(self, game: &Game, after: &Position) -> Option<Pieces> {
        let mut squares = self.squares;
        let mut arrived = Bitboard::EMPTY;
        for (from, to) in steps(game, after).all() {
            if squares.remove(from) {
                arrived.add(to);
            }
        }
        squares |= arrived;
        arrived.any().then_some(Pieces { squares, ..self })
    }

    /// Returns whether a move may change the squares of the pieces. Most moves do not.
    #[inline]
    fn are_touched(self, after: &Position) -> bool {
        let arrival = &after.arrival;
        self.squares.contains(arrival.from) || self.loses(after) || matches!(arrival.kind, MoveKind::Castle(_))
    }

    #[inline]
    fn loses(self, after: &Position) -> bool {
        after.arrival.captured.is_some_and(|taken| self.squares.contains(taken))
    }

    /// Returns the pieces after a move of another piece.
    #[inline]
    pub(crate) fn after_other_move(self, after: &Position) -> Pieces {
        let mut squares = self.squares;
        if let Some(taken) = after.arrival.captured {
            squares.discard(taken);
        }
        Pieces { squares, ..self }
    }
}

/// A move that a path may take: the position after it and the pieces in focus before and after.
pub(crate) struct Candidate<'a> {
    pub(crate) after: &'a Position,
    pub(crate) before: Option<Pieces>,
    pub(crate) pieces: Option<Pieces>,
}

impl Candidate<'_> {
    /// Returns the squares of the pieces in focus before the move.
    pub(crate) fn movers(&self) -> Option<Bitboard> {
        self.before.map(|pieces| pieces.squares)
    }
}

/// The moves that a path may take from a position, in the order in which they are tried.
#[derive(Debug)]
pub(crate) enum Moves<'a> {
    /// All moves played, or only the first one.
    Played {
        next: Option<&'a Position>,
        only_first: bool,
    },
    /// The moves played by pieces in focus.
    Focused { next: Option<&'a Position>, pieces: Pieces },
    /// The nearest moves of pieces in focus in every line.
    Nearest(Nearest),
}

/// A walk through the positions below a position, down to the nearest moves of pieces in focus.
#[derive(Debug)]
pub(crate) struct Nearest {
    next: u32,
    last: u32,
    /// The subtree that contains the next position: its last position and the pieces at its root.
    subtree: (u32, Pieces),
    /// The subtrees around it, the outermost first.
    around: Vec<(u32, Pieces)>,
}

impl<'a> Moves<'a> {
    /// Returns the moves from a position. The `first` move of a path has to be played there. Later ones may skip moves of other pieces.
    pub(crate) fn new(
        game: &'a Game,
        at: &'a Position,
        pieces: Option<Pieces>,
        only_first: bool,
        first: bool,
    ) -> Moves<'a> {
        let next = game.first_child(at);
        match pieces {
            None => Moves::Played { next, only_first },
            Some(pieces) if first => Moves::Focused { next, pieces },
            Some(pieces) => Moves::Nearest(Nearest {
                next: at.id + 1,
                last: at.last,
                subtree: (at.last, pieces),
                around: Vec::new(),
            }),
        }
    }

    pub(crate) fn next(&mut self, game: &'a Game) -> Option<Candidate<'a>> {
        match self {
            Moves::Played { next, only_first } => {
                let after = (*next)?;
                *next = if *only_first { None } else { game.next_sibling(after) };
                Some(Candidate {
                    after,
                    before: None,
                    pieces: None,
                })
            }
            Moves::Focused { next, pieces } => loop {
                let after = (*next)?;
                *next = game.next_sibling(after);
                if let Some(moved) = pieces.after_move(game, after) {
                    return Some(Candidate {
                        after,
                        before: Some(*pieces),
                        pieces: Some(moved),
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
            while self.subtree.0 < after.id {
                self.subtree = self.around.pop()?;
            }
            let before = self.subtree.1;
            if !before.are_touched(after) {
                self.enter(after.last, before);
                continue;
            }
            if let Some(moved) = before.after_move(game, after) {
                self.next = after.last + 1;
                return Some(Candidate {
                    after,
                    before: Some(before),
                    pieces: Some(moved),
                });
            }
            let left = before.after_other_move(after);
            if left.squares.is_empty() {
                self.next = after.last + 1;
                continue;
            }
            self.enter(after.last, left);
        }
        None
    }

    /// Moves on to the next position, in a subtree with this last position and these pieces at its root.
    #[inline]
    fn enter(&mut self, last: u32, pieces: Pieces) {
        if self.subtree.0 != last {
            self.around.push(self.subtree);
        }
        self.subtree = (last, pieces);
        self.next += 1;
    }
}
