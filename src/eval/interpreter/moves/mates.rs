//! Pure, model and ideal mates and stalemates: which pieces take part (chapter 4, 5.3 and 5.4).

use shakmaty::attacks;

use crate::board::attacked::attacks_to;
use crate::board::between::between;
use crate::board::xray::between_slider_and_target;
use crate::board::{Bitboard, Board, Color, Direction, Role, Square, pins};
use crate::chess::Position;
use crate::game::Game;
use crate::moves::{MoveFilter, SpecialMove, each_piece, is_mate, is_stalemate};
use crate::query::ast::sets::{Economy, MateTheme};

use crate::eval::context::Context;

/// Returns the pieces that take part in a mate or stalemate of this kind; no pieces if there is none.
pub(crate) fn theme(theme: MateTheme, context: &mut Context<'_>, at: &Position) -> Bitboard {
    let is_end = if theme.stalemate {
        is_stalemate(context.game, at)
    } else {
        is_mate(context.game, at)
    };
    if !is_end {
        return Bitboard::EMPTY;
    }
    let board = &at.board;
    let Some(king) = board.pieces(at.turn, Role::King).first() else {
        return Bitboard::EMPTY;
    };
    let scene = Scene::new(context.game, at, king);
    let (pure, participants) = if theme.stalemate {
        (scene.is_pure_stalemate(), scene.in_stalemate())
    } else {
        (scene.is_pure_mate(), scene.in_mate())
    };
    let pieces = scene.attacking() & !board.roles.king & !board.roles.pawn;
    let economical = match theme.economy {
        Economy::Pure => true,
        Economy::Model => pieces.is_subset(participants),
        Economy::Ideal => board.occupied().is_subset(participants),
    };
    if pure && economical {
        participants
    } else {
        Bitboard::EMPTY
    }
}

/// A king without a legal move, and its surroundings.
struct Scene<'b> {
    game: &'b Game,
    at: &'b Position,
    board: &'b Board,
    /// The side of this king.
    us: Color,
    king: Square,
    /// The squares around the king.
    field: Bitboard,
    checkers: Bitboard,
    /// The squares between king and checkers.
    block: Bitboard,
    /// Pieces of its side that are pinned to it.
    pinned: Bitboard,
    /// The pieces that pin them.
    pinners: Bitboard,
}

impl<'b> Scene<'b> {
    fn new(game: &'b Game, at: &'b Position, king: Square) -> Scene<'b> {
        let (board, us) = (&at.board, at.turn);
        let checkers = attacks_to(board, board.occupied(), king) & *board.colors.get(!us);
        let block = checkers
            .into_iter()
            .fold(Bitboard::EMPTY, |block, checker| block | between(king, checker));
        let pins = pins::pins(board, *board.colors.get(!us), *board.colors.get(us), king.into());
        Scene {
            game,
            at,
            board,
            us,
            king,
            field: attacks::king_attacks(king),
            checkers,
            block,
            pinned: pins.through,
            pinners: pins.from,
        }
    }

    fn defending(&self) -> Bitboard {
        *self.board.colors.get(self.us)
    }

    fn attacking(&self) -> Bitboard {
        *self.board.colors.get(!self.us)
    }

    /// Returns the attacking pieces that attack a square.
    fn attackers(&self, square: Square) -> Bitboard {
        attacks_to(self.board, self.board.occupied(), square) & self.attacking()
    }

    /// Returns how many attacking pieces guard a square of the field: they attack it, or it lies directly behind the king that they check.
    fn guards(&self, square: Square) -> usize {
        let roles = &self.board.roles;
        let sliders = self.checkers & (roles.bishop | roles.rook | roles.queen);
        let behind = sliders
            .into_iter()
            .filter(|slider| between(*slider, square).contains(self.king));
        self.attackers(square).count() + behind.count()
    }

    /// Returns the squares where a defending piece would end a single check or capture the attacking king.
    fn refutations(&self) -> Bitboard {
        self.board.pieces(!self.us, Role::King) | self.checkers | self.block
    }

    fn is_pure_mate(&self) -> bool {
        let double = self.checkers.more_than_one();
        let free = self.field & !self.defending();
        free.into_iter().all(|square| self.guards(square) == 1)
            && (self.field & self.defending())
                .into_iter()
                .all(|square| match self.guards(square) {
                    0 => true,
                    1 => !double && self.pinned.contains(square) && self.could_help(square),
                    _ => false,
                })
            && (!double || self.checkers.into_iter().all(|checker| self.is_necessary(checker)))
    }

    /// Returns whether a pinned piece, if it were free, could capture the checker, step between, or capture en passant.
    fn could_help(&self, piece: Square) -> bool {
        let moves_to = |special, to| self.origins(piece.into(), to, special).any();
        moves_to(None, self.checkers | self.block) || moves_to(Some(SpecialMove::EnPassant), Bitboard::FULL)
    }

    /// Returns those of `from` that could move to one of `to`, regardless of their king's safety.
    fn origins(&self, from: Bitboard, to: Bitboard, special: Option<SpecialMove>) -> Bitboard {
        let filter = MoveFilter {
            pseudo: true,
            special,
            from,
            to,
            ..MoveFilter::LEGAL
        };
        let mut origins = Bitboard::EMPTY;
        each_piece(
            self.game,
            self.at,
            &filter,
            &|| self.game.arrivals(self.at),
            &mut |from, _| {
                origins.add(from);
                false
            },
        );
        origins
    }

    /// Returns whether a double check needs this checker: an unpinned piece attacks the other checker or a square on its way.
    fn is_necessary(&self, checker: Square) -> bool {
        let others = self.checkers & !Bitboard::from(checker);
        let way = others
            .into_iter()
            .fold(others, |way, other| way | between(other, self.king));
        let free = self.defending() & !self.pinned & !Bitboard::from(self.king);
        way.into_iter()
            .any(|square| (attacks_to(self.board, self.board.occupied(), square) & free).any())
    }

    fn in_mate(&self) -> Bitboard {
        let single = !self.checkers.more_than_one();
        let refutations = self.refutations();
        let mut found = self.checkers | self.around_the_field() | self.pinned_attackers();
        found |= Bitboard::from(self.king) | (self.field & self.defending());
        let attacking_king = self.board.pieces(!self.us, Role::King);
        found |= self.between_sliders(self.defending(), attacking_king) & self.defending();
        if single {
            let refuters = self.origins(self.defending(), refutations, None);
            if (self.pinned & refuters).any() {
                found |= pins::pins(self.board, self.attacking(), refuters, self.king.into()).from;
            }
            found |= self.between_sliders(refuters, refutations) & self.attacking();
            found |= self.between_sliders(self.defending(), refutations) & self.defending();
        }
        found
    }

    /// Returns the attacking pieces that attack a square of the field.
    fn around_the_field(&self) -> Bitboard {
        self.field
            .into_iter()
            .fold(Bitboard::EMPTY, |found, square| found | self.attackers(square))
    }

    /// Returns the attacking pieces pinned to their own king.
    fn pinned_attackers(&self) -> Bitboard {
        let king = self.board.pieces(!self.us, Role::King);
        pins::pins(self.board, self.defending(), self.attacking(), king).through
    }

    /// Returns each piece that is the only one between one of `sliders`, which moves along the line, and one of `targets`.
    fn between_sliders(&self, sliders: Bitboard, targets: Bitboard) -> Bitboard {
        let occupied = self.board.occupied();
        Direction::ALL.into_iter().fold(Bitboard::EMPTY, |found, direction| {
            let moving = sliders & self.board.sliders(direction);
            found | occupied & between_slider_and_target(moving, !occupied, targets, direction)
        })
    }

    fn is_pure_stalemate(&self) -> bool {
        self.field.into_iter().all(|square| {
            let needed = !self.defending().contains(square) || self.pinned.contains(square);
            self.attackers(square).count() == usize::from(needed)
        })
    }

    fn in_stalemate(&self) -> Bitboard {
        self.around_the_field() | self.pinned_attackers() | self.pinners | self.defending()
    }
}
