//! Positions of variants with their own rules, which shakmaty knows.

use shakmaty::fen::Fen;
use shakmaty::variant::{Variant as Kind, VariantPosition};
use shakmaty::{CastlingMode, CastlingSide, EnPassantMode, Move, Position as _, Square};

use super::castling::Rights;
use super::position::{Arrival, MoveKind};
use super::start::Start;
use super::variant::Variant;
use crate::board::Board;

/// Returns the usual start of a variant, if it has its own rules.
pub(crate) fn variant_start(variant: Variant) -> Option<VariantPosition> {
    kind(variant).map(VariantPosition::new)
}

/// Returns shakmaty's name of a variant with its own rules.
fn kind(variant: Variant) -> Option<Kind> {
    match variant {
        Variant::Standard | Variant::Chess960 => None,
        Variant::Crazyhouse => Some(Kind::Crazyhouse),
        Variant::Atomic => Some(Kind::Atomic),
        Variant::Antichess => Some(Kind::Antichess),
        Variant::ThreeCheck => Some(Kind::ThreeCheck),
        Variant::KingOfTheHill => Some(Kind::KingOfTheHill),
        Variant::Horde => Some(Kind::Horde),
        Variant::RacingKings => Some(Kind::RacingKings),
    }
}

/// Returns the start that a FEN tag sets up in a variant with its own rules.
///
/// # Errors
/// Returns a message that says what is wrong with it.
#[expect(clippy::result_large_err, reason = "the errors are those of shakmaty, and rare")]
pub(crate) fn variant_start_of_fen(usual: &VariantPosition, fen: &[u8]) -> Result<(VariantPosition, Start), String> {
    let fields: Vec<&str> = str::from_utf8(fen)
        .map_err(|_| "there is no position".to_owned())?
        .split_ascii_whitespace()
        .collect();
    let text = fields.join(" ");
    let setup = Fen::from_ascii(text.as_bytes())
        .map_err(|error| error.to_string())?
        .into_setup();
    let mode = CastlingMode::detect(&setup);
    let start = |position: &VariantPosition| Start {
        board: Board::from(position.board()),
        turn: position.turn(),
        rights: Rights(position.castles().castling_rights()),
        en_passant: position.maybe_ep_square(),
        clock: position.halfmoves(),
        move_number: position.fullmoves().get(),
        fen: text.clone(),
    };
    let position = VariantPosition::from_setup(usual.variant(), setup, mode)
        .or_else(|error| error.ignore_invalid_castling_rights())
        .or_else(|error| error.ignore_invalid_ep_square())
        .or_else(|error| error.ignore_too_much_material())
        .or_else(|error| error.ignore_impossible_check())
        .map_err(|error| error.to_string())?;
    let start = start(&position);
    Ok((position, start))
}

/// Returns the record of a move in the position after it.
pub(crate) fn arrival_of(played: Move) -> Arrival {
    let (kind, from, to, captured) = match played {
        Move::Normal { from, to, capture, .. } => (MoveKind::Normal, from, to, capture.map(|_| to)),
        Move::EnPassant { from, to } => {
            let victim = Square::from_coords(to.file(), from.rank());
            (MoveKind::EnPassant, from, to, Some(victim))
        }
        Move::Castle { king, rook } => {
            let side = CastlingSide::from_king_side(king < rook);
            let to = Square::from_coords(side.king_to_file(), king.rank());
            (MoveKind::Castle(side), king, to, None)
        }
        Move::Put { to, .. } => (MoveKind::Drop, to, to, None),
    };
    Arrival {
        kind,
        from,
        to,
        promotion: played.promotion(),
        captured,
    }
}

/// Returns the FEN of a position.
pub(crate) fn variant_fen(position: &VariantPosition) -> String {
    Fen::from_position(position, EnPassantMode::PseudoLegal).to_string()
}

#[cfg(test)]
mod tests {
    use shakmaty::san::SanPlus;

    use super::*;
    use crate::game::{Game, Identities};
    use crate::pgn::{GameReader, Reading, Scope, sample};

    /// Returns a random game and its positions. Prefers moves that only the variant has.
    fn random_game(variant: Variant, random: &mut fastrand::Rng) -> (String, Vec<VariantPosition>) {
        let mut here = variant_start(variant).expect("rules of its own");
        let mut pgn = format!("[Variant \"{variant}\"]\n\n");
        let mut positions = vec![here.clone()];
        for _ in 0..90 {
            let legal = here.legal_moves();
            let special = legal.iter().copied().filter(|played| {
                played.is_castle() || played.is_en_passant() || played.promotion().is_some() || played.from().is_none()
            });
            let special: Vec<Move> = special.collect();
            let played = random.choice(special).filter(|_| random.u8(..3) == 0);
            let Some(played) = played.or_else(|| random.choice(legal.iter().copied())) else {
                break;
            };
            pgn += &SanPlus::from_move(here.clone(), played).to_string();
            pgn.push(' ');
            here.play_unchecked(played);
            positions.push(here.clone());
        }
        (pgn + "*\n\n", positions)
    }

    #[test]
    fn random_games_are_read_and_written_as_shakmaty_does() {
        let mut random = fastrand::Rng::with_seed(7);
        for variant in Variant::ALL.into_iter().filter(|variant| kind(*variant).is_some()) {
            for _ in 0..25 {
                let (pgn, positions) = random_game(variant, &mut random);
                let batch = sample::batch(&pgn);
                let mut game = Game::default();
                let read = GameReader::new(&batch).read(Scope::ALL, &mut game, |_| true);
                assert_eq!((read, game.variant), (Reading::Read, variant));
                assert!(game.warnings.is_empty(), "{:?} in {pgn}", game.warnings);
                assert_eq!(game.positions.len(), positions.len(), "{pgn}");
                for (ours, theirs) in game.positions.iter().zip(&positions) {
                    assert_eq!(ours.board, Board::from(theirs.board()), "{pgn}");
                    assert_eq!(game.fen(ours), variant_fen(theirs), "{pgn}");
                    assert_eq!(game.is_check(ours), theirs.is_check(), "{pgn}");
                }
                let mut pieces = Identities::default();
                pieces.follow(&game);
                for position in &game.positions {
                    let stand = |piece| {
                        pieces
                            .square(position.id, piece)
                            .is_none_or(|at| position.board.occupied().contains(at))
                    };
                    assert!((0..64).all(stand), "{pgn}");
                }
                let mut out = Vec::new();
                crate::pgn::write_game(&mut out, &game, &Default::default());
                let written = String::from_utf8(out).expect("UTF-8");
                let batch = sample::batch(&written);
                let mut again = Game::default();
                GameReader::new(&batch).read(Scope::ALL, &mut again, |_| true);
                assert_eq!(again.positions, game.positions, "{written}");
            }
        }
    }

    #[test]
    fn what_only_the_variant_ends_is_no_mate() {
        let batch =
            sample::batch("[Variant \"Three-check\"]\n\n1. e4 f6 2. Qh5+ g6 3. Qxg6+ hxg6 4. Bc4 Rh7 5. Bf7+ Kxf7 *\n");
        let mut game = Game::default();
        GameReader::new(&batch).read(Scope::ALL, &mut game, |_| true);
        let last = game.positions.last().expect("positions");
        assert!(game.is_check(last) && game.is_variant_end(last));
        assert_eq!(game.moves_by_variant(last).map(Iterator::count), Some(0));
    }
}
