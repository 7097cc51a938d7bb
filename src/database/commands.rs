//! Commands and annotation symbols of the positions of a main line, as values of five columns.
//!
//! A value is a list of 32-bit numbers in little-endian order. Evaluations, depths, clocks and move times have one for each position of the main
//! line, from the first on. Symbols are pairs of a position and a symbol. A game without any has no value.

use std::io;

use super::columns::Texts;
use super::layout::{COMMANDS, Column};
use super::rows::Rows;
use crate::game::{Game, PositionValues};

/// The stand-in for a missing number.
const NONE: i32 = i32::MIN;

/// Returns the values of a game whose main line has this many positions, each with its column.
pub(super) fn lists(game: &Game, positions: usize) -> impl Iterator<Item = (Column, Vec<u8>)> {
    let ids = move || (0..positions).filter_map(|id| u32::try_from(id).ok());
    let numbers = |number: fn(&PositionValues) -> Option<i32>| {
        let numbers = ids().map(|id| number(&game.commands.values(id)));
        let is_there = numbers.clone().any(|number| number.is_some());
        is_there.then(|| bytes(numbers.map(|number| number.unwrap_or(NONE))))
    };
    let symbols = ids().flat_map(|id| game.commands.symbols(id).map(move |symbol| [id, symbol]));
    let symbols = bytes(symbols.flatten().map(u32::cast_signed));
    let lists = [
        numbers(|values| values.evaluation),
        numbers(|values| values.depth.map(i32::from)),
        numbers(|values| values.clock),
        numbers(|values| values.spent),
        (!symbols.is_empty()).then_some(symbols),
    ];
    COMMANDS
        .into_iter()
        .zip(lists)
        .filter_map(|(column, list)| Some((column, list?)))
}

fn bytes(numbers: impl Iterator<Item = i32>) -> Vec<u8> {
    numbers.flat_map(i32::to_le_bytes).collect()
}

/// Returns the numbers in these bytes, or `None` if the last one is incomplete.
fn numbers(bytes: &[u8]) -> Option<impl Iterator<Item = i32>> {
    let (numbers, rest) = bytes.as_chunks();
    rest.is_empty().then(|| numbers.iter().copied().map(i32::from_le_bytes))
}

/// The columns, for the games of a block.
#[derive(Default)]
pub(super) struct CommandColumns([Texts; COMMANDS.len()]);

impl CommandColumns {
    /// Reads the columns.
    ///
    /// # Errors
    /// Returns an error if a column cannot be read.
    pub(super) fn read(&mut self, rows: &Rows) -> io::Result<()> {
        let columns = self.0.iter_mut().zip(COMMANDS.map(Column::index));
        columns
            .into_iter()
            .try_for_each(|(texts, column)| texts.read(rows, column))
    }

    /// Sets the commands and symbols of a game's positions. Returns `None` if the values do not fit the game.
    pub(super) fn say(&self, index: usize, game: &mut Game) -> Option<()> {
        let values = |column: usize| numbers(self.0[column].get(index).unwrap_or_default());
        let positions = game.positions.len();
        let said = game.commands.first_values(positions);
        let setters: [fn(&mut PositionValues, i32); 4] = [
            |values, number| values.evaluation = Some(number),
            |values, number| values.depth = u16::try_from(number).ok(),
            |values, number| values.clock = Some(number),
            |values, number| values.spent = Some(number),
        ];
        for (column, set) in setters.into_iter().enumerate() {
            for (position, number) in values(column)?.enumerate() {
                let of_position = said.get_mut(position)?;
                if number != NONE {
                    set(of_position, number);
                }
            }
        }
        let mut symbols = values(setters.len())?.map(i32::cast_unsigned);
        let mut last = 0;
        while let Some(position) = symbols.next() {
            let is_there = position >= last && (position as usize) < positions;
            let symbol = symbols.next().filter(|_| is_there)?;
            game.commands.add_symbol(position, symbol);
            last = position;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{GameReader, Scope, sample};

    fn lists_of(pgn: &str) -> Vec<(Column, Vec<i32>)> {
        let batch = sample::batch(pgn);
        let mut game = Game::default();
        GameReader::new(&batch).read(Scope::ALL, &mut game, |_| true);
        let lists = lists(&game, game.main_line().len());
        lists
            .map(|(column, list)| (column, numbers(&list).unwrap().collect()))
            .collect()
    }

    #[test]
    fn a_list_has_a_number_for_each_position_of_the_main_line() {
        assert_eq!(
            lists_of("{[%eval 0.2,9]} 1. e4 {[%clk 0:00:10]} (1. d4? {[%eval 3]}) 1... e5?! $14 {[%eval #-2]} *\n"),
            [
                (Column::Evaluations, vec![20, NONE, -99_998]),
                (Column::Depths, vec![9, NONE, NONE]),
                (Column::Clocks, vec![NONE, 100, NONE]),
                (Column::Symbols, vec![2, 6, 2, 14]),
            ]
        );
        assert_eq!(lists_of("1. e4 {a comment} (1. d4!) *\n"), []);
    }
}
