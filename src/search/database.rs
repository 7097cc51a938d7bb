//! Games of databases.

use std::io;

use super::games::{LeftAlone, Reach, VisitGames};
use super::materialization::Materialization;
use crate::board::columns::LANES;
use crate::database::{Block, Reader, is_damage};
use crate::game::{Game, Warning};
use crate::pgn::{GameReader, Reading, Scope};
use crate::query::TagCondition;
use crate::query::tags::TagUse;

/// Shows the games of a block to a visitor, each read as far as the reader wants.
pub(super) fn read(
    reader: &mut Reader,
    block: &Block,
    materialization: &mut Materialization,
    game: &mut Game,
    visitor: &mut dyn VisitGames<Game>,
) -> io::Result<()> {
    if block.is_empty() {
        return Ok(());
    }
    if block.is_passed_over() {
        return pass_over(block, game, visitor);
    }
    if let Some(damage) = block.damage() {
        return leave_all(block, damage, game, visitor);
    }
    match reader.begin(block) {
        Err(error) if block.is_of_file() && is_damage(&error) => return leave_all(block, &error, game, visitor),
        begun => begun?,
    }
    let read = read_games(reader, block, materialization, game, visitor);
    // Games before a damaged one count too.
    visitor.finish(&mut making_positions(reader, block, materialization))?;
    block.rest();
    read
}

/// Returns a function that makes the positions of games that were only laid out. Where kings and pawns alone were laid out, it may be the first that
/// looks at the other moves.
fn making_positions<'a>(
    reader: &'a mut Reader,
    block: &'a Block,
    materialization: &'a mut Materialization,
) -> impl FnMut(usize, &mut Game) -> io::Result<Reach> + 'a {
    move |index, game| {
        materialization.learn_of_need();
        reached(reader.read_moves(block, index, game).map(|()| true), block, index, game)
    }
}

/// Returns how far a game was read, by whether its moves were. If the file is damaged there, the game gets a warning, once for all searches.
fn reached(read: io::Result<bool>, block: &Block, index: usize, game: &mut Game) -> io::Result<Reach> {
    match read {
        Ok(true) => Ok(Reach::Moves),
        Ok(false) => Ok(Reach::Head),
        Err(error) => {
            let complaint = block.complaint(index, 1, &error).ok_or(error)?;
            if !game.warnings.contains(&complaint) {
                game.warnings.push(complaint);
            }
            Ok(Reach::Damaged)
        }
    }
}

/// Shows the games of a block that is not empty.
fn read_games(
    reader: &mut Reader,
    block: &Block,
    materialization: &mut Materialization,
    game: &mut Game,
    visitor: &mut dyn VisitGames<Game>,
) -> io::Result<()> {
    let mut index = 0;
    let mut passes_over = true;
    let mut left_alone = Vec::new();
    while index < block.len() {
        // A visitor that wants to see a game wants to see its neighbours too.
        passes_over |= index % LANES == 0;
        let ruled_out = if passes_over {
            let fulfils =
                &mut |query: usize, condition: &TagCondition, game: &Game| visitor.fulfils(query, condition, game);
            reader.ruled_out_from(block, index, fulfils)
        } else {
            0
        };
        if ruled_out > 0 {
            left_alone.clear();
            left_alone.extend(reader.left_alone());
            let left_alone = LeftAlone::Lanes(&left_alone, index % LANES);
            passes_over = visitor.pass_over(index..index + ruled_out, left_alone);
            if passes_over {
                index += ruled_out;
                continue;
            }
        }
        let reach = if reader.is_unreadable(index) {
            leave(block, index, game);
            Reach::Nothing
        } else {
            let read = read_one(reader, block, index, materialization, game, visitor);
            if read.is_err() {
                leave(block, index, game);
            }
            reached(read, block, index, game)?
        };
        // A game that was laid out has its columns already.
        if reach == Reach::Moves && game.columns().is_empty() {
            game.fill_columns(materialization.side_by_side());
        }
        let make_positions = &mut making_positions(reader, block, materialization);
        if visitor.visit(index, game, reach, make_positions)?.is_break() {
            break;
        }
        index += 1;
    }
    Ok(())
}

/// Reads one game of a block as far as the reader wants. Returns whether its moves were read.
fn read_one(
    reader: &mut Reader,
    block: &Block,
    index: usize,
    materialization: &mut Materialization,
    game: &mut Game,
    visitor: &mut dyn VisitGames<Game>,
) -> io::Result<bool> {
    if reader.needs_text(index) {
        // A query that reads tags may find an error in them.
        if reader.wanted().tags == TagUse::default() && !reader.may_match(block, index) {
            leave(block, index, game);
            return Ok(false);
        }
        let scope = reader.wanted().scope;
        return read_text(block, index, scope, game, &mut |game| visitor.wants(game));
    }
    reader.read_head(block, index, game)?;
    if !(visitor.wants(game) && reader.may_match(block, index)) {
        return Ok(false);
    }
    if !visitor.rule_out(reader.each_may_match(block, index), index % LANES) {
        return Ok(false);
    }
    if reader.tells_all_by_moves(block, index) && materialization.begins_with_columns() {
        reader.lay_out_moves(block, index, materialization.side_by_side(), game)?;
    } else {
        reader.read_moves(block, index, game)?;
    }
    Ok(true)
}

/// Counts the games of a block in which nothing can be found.
fn pass_over(block: &Block, game: &mut Game, visitor: &mut dyn VisitGames<Game>) -> io::Result<()> {
    let (left_alone, reach) = match block.is_left_alone() {
        true => (LeftAlone::All, Reach::LeftAlone),
        false => (LeftAlone::Lanes(&[], 0), Reach::Head),
    };
    if visitor.pass_over(0..block.len(), left_alone) {
        return Ok(());
    }
    visit_all(block, reach, None, game, visitor)
}

/// Counts the games of a block that is damaged as a whole. All get the same warning, as nobody knows which are wanted.
fn leave_all(block: &Block, damage: &io::Error, game: &mut Game, visitor: &mut dyn VisitGames<Game>) -> io::Result<()> {
    let complaint = block.complaint(0, block.len(), damage);
    visit_all(block, Reach::Damaged, complaint, game, visitor)
}

/// Shows the games of a block of which nothing is read, each with the same warning.
fn visit_all(
    block: &Block,
    reach: Reach,
    warning: Option<Warning>,
    game: &mut Game,
    visitor: &mut dyn VisitGames<Game>,
) -> io::Result<()> {
    let mut make_positions = |_: usize, _: &mut Game| Ok(reach);
    for index in 0..block.len() {
        game.clear();
        game.number = block.number(index);
        game.warnings.extend(warning.clone());
        if visitor.visit(index, game, reach, &mut make_positions)?.is_break() {
            break;
        }
    }
    visitor.finish(&mut make_positions)
}

/// Clears a game that cannot be read from its beginning, except for its number and its warnings.
fn leave(block: &Block, index: usize, game: &mut Game) {
    game.clear();
    game.number = block.number(index);
    game.warnings
        .extend(block.warnings_in_moves(index, Scope::default()).cloned());
}

/// Adds the tags to a game that lacks nothing else. Returns whether the game is complete now.
pub(super) fn complete(block: &Block, index: usize, game: &mut Game) -> io::Result<bool> {
    let tags = block.tags_beside_moves(index)?;
    Ok(tags.is_some_and(|tags| game.complete_by_tags(&tags)))
}

/// Reads one game of a block as a whole.
pub(super) fn read_whole(block: &Block, index: usize, game: &mut Game) -> io::Result<()> {
    read_text(block, index, Scope::ALL, game, &mut |_| true)?;
    Ok(())
}

/// Reads a game from its text. Returns whether it was wanted.
fn read_text(
    block: &Block,
    index: usize,
    scope: Scope,
    game: &mut Game,
    wants: &mut dyn FnMut(&Game) -> bool,
) -> io::Result<bool> {
    let text = block.text_of(index)?;
    if text.games.first().is_some_and(|game| game.range.is_empty()) {
        let message = "its text has to be read, which takes the columns `movetext`, `tag_order`, `other_tags` and those of all tags";
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    }
    let mut reader = GameReader::new(&text);
    let is_read = reader.read(scope, game, wants) == Reading::Read;
    // Warnings about the text do not refer to the file that it comes from.
    game.warnings.clear();
    if is_read {
        game.warnings.extend(block.warnings_in_moves(index, scope).cloned());
    }
    Ok(is_read)
}
