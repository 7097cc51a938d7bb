//! Games of databases.

use std::io;

use super::games::VisitGames;
use crate::board::columns::Parts;
use crate::database::{Block, Reader};
use crate::game::{Game, GameReader, Reading, Scope};

/// Shows the games of a block to a visitor, with as much of each as the reader wants.
pub(super) fn read(
    reader: &mut Reader,
    block: &Block,
    side_by_side: Parts,
    game: &mut Game,
    visitor: &mut dyn VisitGames<Game>,
) -> io::Result<()> {
    if block.is_empty() {
        return Ok(());
    }
    reader.begin(block)?;
    for index in 0..block.len() {
        if reader.is_unreadable(index) {
            game.clear();
            game.number = block.number(index);
            game.warnings.extend(block.warnings_in_moves(index).cloned());
            if visitor.leave_out(index, game).is_break() {
                break;
            }
            continue;
        }
        let is_read = if reader.needs_text(index) {
            read_text(block, index, reader.wanted().scope, game, &mut |game| {
                visitor.wants(game)
            })?
        } else {
            reader.read_head(block, index, game)?;
            let is_wanted = visitor.wants(game) && reader.may_match(block, index);
            if is_wanted {
                reader.read_moves(block, index, game)?;
            }
            is_wanted
        };
        if is_read {
            game.fill_columns(side_by_side);
        }
        if visitor.visit(index, game, is_read).is_break() {
            break;
        }
    }
    Ok(())
}

/// Reads one game of a block with all that is in it.
pub(super) fn read_whole(block: &Block, index: usize) -> io::Result<Game> {
    let mut game = Game::default();
    read_text(block, index, Scope::ALL, &mut game, &mut |_| true)?;
    Ok(game)
}

/// Reads a game from its text; whether it was wanted.
fn read_text(
    block: &Block,
    index: usize,
    scope: Scope,
    game: &mut Game,
    wants: &mut dyn FnMut(&Game) -> bool,
) -> io::Result<bool> {
    let mut reader = GameReader::at(block.text()?, index);
    let is_read = reader.read(scope, game, wants) == Reading::Read;
    // The text knows nothing of the file it comes from.
    game.warnings.clear();
    if is_read {
        game.warnings.extend(block.warnings_in_moves(index).cloned());
    }
    Ok(is_read)
}
