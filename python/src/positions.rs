//! A column of independent positions.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BooleanArray, RecordBatch};
use arrow_pyarrow::FromPyArrow;
use pyo3::prelude::*;
use skewer::game::Loss;
use skewer::{FoundGame, Options, Sink, Warning};

use crate::columns;
use crate::error::{self, FenError, guarded, of_search};
use crate::options::Reading;
use crate::parts::Found;
use crate::query::Query;

/// Returns which positions of a batch match. The only column, `fen`, has their FENs. The answer is null if there is no FEN, and
/// also if a text is not a FEN, unless `is_strict`.
#[pyfunction]
pub(crate) fn match_fens(
    py: Python<'_>,
    query: PyRef<'_, Query>,
    batch: &Bound<'_, PyAny>,
    is_strict: bool,
) -> PyResult<Found> {
    guarded(|| {
        let batch = RecordBatch::from_pyarrow_bound(batch)?;
        let fens = batch.column(0);
        let games = columns::positions(fens)?;
        let query = query.under(&Reading::default())?;
        let mut answers = Answers {
            matches: vec![Some(false); fens.len()],
            wrong: Vec::new(),
        };
        py.detach(|| query.run(games, &options(), &mut answers))
            .map_err(of_search)?;
        let wrong = answers.wrong.iter().find(|(row, _)| fens.is_valid(*row));
        if let Some((row, message)) = wrong.filter(|_| is_strict) {
            return Err(no_fen(&query, fens, *row, message));
        }
        let answers: ArrayRef = Arc::new(BooleanArray::from(answers.matches));
        let batch = RecordBatch::try_from_iter([("matches", answers)]);
        Ok(Found::of(batch.map_err(|error| error::of_table(&error))?))
    })
}

/// Returns options that keep nothing of a match.
fn options() -> Options {
    let mut options = Options::default();
    options.threads = NonZeroUsize::MIN;
    options.comments = false;
    options.squares = false;
    options.tags = Some(Vec::new());
    options
}

/// Returns the exception for a text that is not a FEN.
fn no_fen(query: &skewer::Query, fens: &ArrayRef, row: usize, message: &str) -> PyErr {
    let fen = fens.as_string_opt::<i32>().map_or("", |fens| fens.value(row));
    match query.matches_fen(fen) {
        Err(error) => of_search(error),
        Ok(_) => FenError::new_err(format!("`{fen}` is not a position: {message}")),
    }
}

/// Collects the answers for the rows.
struct Answers {
    matches: Vec<Option<bool>>,
    /// The rows without a position, and what is wrong with them.
    wrong: Vec<(usize, String)>,
}

/// Returns the index of a game. Its number is that of its row, counted from 1.
fn place(game: u64) -> usize {
    usize::try_from(game).unwrap_or(usize::MAX).wrapping_sub(1)
}

impl Sink for Answers {
    fn game(&mut self, game: FoundGame) -> ControlFlow<()> {
        if let Some(matches) = self.matches.get_mut(place(game.number())) {
            *matches = Some(true);
        }
        ControlFlow::Continue(())
    }

    fn warning(&mut self, warning: &Warning) {
        let row = place(warning.game);
        if let Some(matches) = self.matches.get_mut(row).filter(|_| warning.kind.loss() == Loss::Game) {
            *matches = None;
            self.wrong.push((row, warning.message.clone()));
        }
    }
}
