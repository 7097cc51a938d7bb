//! A position that matches.

use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Int32Type, Int64Type, UInt64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, Field};
use pyo3::exceptions::{PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyList, PyTuple};
use skewer::{Bitboard, Picture, Square};

use crate::error::{guarded, of_search};
use crate::rows::{HIDDEN, NAMES, is_added};

/// A position that matches: one row of a result. In a notebook it is drawn.
#[pyclass(frozen, module = "skewer")]
pub(crate) struct Match {
    batch: RecordBatch,
    row: usize,
}

impl Match {
    pub(crate) fn new(batch: &RecordBatch, row: usize) -> Match {
        Match {
            // A slice, so that this match does not keep the rest of the batch in memory.
            batch: batch.slice(row, 1),
            row: 0,
        }
    }

    fn column(&self, name: &str) -> Option<&dyn Array> {
        let column = self.batch.column_by_name(name)?;
        column.is_valid(self.row).then_some(&**column)
    }

    fn string(&self, name: &str) -> Option<&str> {
        Some(self.column(name)?.as_string::<i32>().value(self.row))
    }

    fn small(&self, name: &str) -> Option<i32> {
        Some(self.column(name)?.as_primitive::<Int32Type>().value(self.row))
    }

    /// Returns how many columns users see.
    fn shown(&self) -> usize {
        self.batch.num_columns() - HIDDEN
    }

    /// Returns the value of a column as a Python object.
    fn value<'py>(&self, py: Python<'py>, place: usize) -> PyResult<Bound<'py, PyAny>> {
        let column = self.batch.column(place);
        if !column.is_valid(self.row) {
            return Ok(py.None().into_bound(py));
        }
        Ok(match column.data_type() {
            DataType::Int32 => column
                .as_primitive::<Int32Type>()
                .value(self.row)
                .into_pyobject(py)?
                .into_any(),
            DataType::Int64 => column
                .as_primitive::<Int64Type>()
                .value(self.row)
                .into_pyobject(py)?
                .into_any(),
            DataType::Boolean => column
                .as_boolean()
                .value(self.row)
                .into_pyobject(py)?
                .to_owned()
                .into_any(),
            DataType::Date32 => day(py, column.as_primitive::<Date32Type>().value(self.row))?,
            DataType::List(_) => self.comments().into_pyobject(py)?,
            _ => column.as_string::<i32>().value(self.row).into_pyobject(py)?.into_any(),
        })
    }

    /// Returns the values of the optional columns for which `are_wanted` holds, by their names.
    fn values<'py>(&self, py: Python<'py>, are_wanted: fn(&Field) -> bool) -> PyResult<Bound<'py, PyDict>> {
        let values = PyDict::new(py);
        let schema = self.batch.schema();
        let fields = schema.fields().iter().enumerate().take(self.shown()).skip(NAMES.len());
        for (place, field) in fields.filter(|(_, field)| are_wanted(field)) {
            values.set_item(field.name(), self.value(py, place)?)?;
        }
        Ok(values)
    }

    /// Returns one of the hidden columns, which come last.
    fn hidden(&self, index: usize) -> &dyn Array {
        &**self.batch.column(self.shown() + index)
    }

    fn marked(&self) -> Bitboard {
        Bitboard(self.hidden(0).as_primitive::<UInt64Type>().value(self.row))
    }

    fn pairs(&self, hidden: usize) -> Vec<(Square, Square)> {
        let bytes = self.hidden(hidden).as_binary::<i32>().value(self.row);
        let pairs = bytes
            .chunks_exact(2)
            .map(|pair| Some((square(pair[0])?, square(pair[1])?)));
        pairs.flatten().collect()
    }

    /// Returns where the last move started and ended.
    fn last_move(&self) -> Option<(Square, Square)> {
        let uci = self.string("uci")?;
        let at = |range| uci.get(range).and_then(|name: &str| name.parse().ok());
        Some((at(0..2)?, at(2..4)?))
    }

    /// Returns the board as an SVG document.
    pub(crate) fn drawing(&self, flipped: bool) -> PyResult<String> {
        let mut picture = Picture::of_fen(self.fen()).map_err(of_search)?;
        if flipped {
            picture = picture.flipped();
        }
        if let Some((from, to)) = self.last_move() {
            picture = picture.last_move(from, to);
        }
        let [first, second] = self.caption();
        let picture = picture.squares(self.marked()).rays(self.pairs(1)).moves(self.pairs(2));
        Ok(picture.caption(first, second).svg())
    }

    /// Describes the game and the position.
    pub(crate) fn described(&self) -> String {
        let [players, facts] = self.caption();
        format!("{players}, {facts}")
    }

    /// Returns what a notebook shows next to the board: game, position, move, players, comments.
    pub(crate) fn cells(&self) -> [String; 6] {
        let player = |name| self.string(name).unwrap_or("?").to_owned();
        [
            self.number().to_string(),
            self.place().to_string(),
            self.string("move").map_or_else(String::new, |san| self.numbered(san)),
            player("white"),
            player("black"),
            self.comments().join(" "),
        ]
    }

    pub(crate) fn number(&self) -> i64 {
        let column = self.column("game");
        column.map_or(0, |column| column.as_primitive::<Int64Type>().value(self.row))
    }

    /// Returns the `positionid`.
    pub(crate) fn place(&self) -> i32 {
        self.small("positionid").unwrap_or(0)
    }

    /// Returns the players, and then the event, the year and the result if they are known.
    fn caption(&self) -> [String; 2] {
        let known = |name| self.string(name).filter(|value| !value.is_empty() && *value != "?");
        let player = |name| known(name).unwrap_or("?");
        let facts = [
            known("event").map(str::to_owned),
            self.small("year").map(|year| year.to_string()),
            known("move").map(|san| self.numbered(san)),
            known("result").map(str::to_owned),
        ];
        let facts: Vec<String> = facts.into_iter().flatten().collect();
        [format!("{} – {}", player("white"), player("black")), facts.join(" · ")]
    }

    /// Returns the last move with its number.
    fn numbered(&self, san: &str) -> String {
        let next = self.small("movenumber").unwrap_or(1);
        match self.side() {
            "white" => format!("{}...{san}", next - 1),
            _ => format!("{next}.{san}"),
        }
    }
}

/// Returns a day as a Python date. `days` counts from 1 January 1970.
fn day(py: Python<'_>, days: i32) -> PyResult<Bound<'_, PyAny>> {
    // Python counts days from 1 January of the year 1, which is day 1.
    const EPOCH: i32 = 719_163;
    let date = py.import("datetime")?.getattr("date")?;
    date.call_method1("fromordinal", (days + EPOCH,))
}

fn square(index: u8) -> Option<Square> {
    Square::try_from(index).ok()
}

fn names(squares: impl IntoIterator<Item = Square>) -> Vec<String> {
    squares.into_iter().map(|square| square.to_string()).collect()
}

#[pymethods]
impl Match {
    /// Where the game comes from: the path of the file.
    #[getter]
    fn file(&self) -> &str {
        self.string("file").unwrap_or_default()
    }

    /// The number of the game in all games, from 1.
    #[getter]
    fn game(&self) -> i64 {
        self.number()
    }

    /// The `positionid` of CQL: the initial position has 0, the main line comes first, then the variations.
    #[getter]
    fn positionid(&self) -> i32 {
        self.place()
    }

    /// How many half moves lead here from the initial position.
    #[getter]
    fn ply(&self) -> Option<i32> {
        self.small("ply")
    }

    /// The number of the move to be made.
    #[getter]
    fn movenumber(&self) -> Option<i32> {
        self.small("movenumber")
    }

    /// The side to move: `white` or `black`.
    #[getter]
    fn side(&self) -> &str {
        self.string("side").unwrap_or_default()
    }

    /// The position as FEN, all six fields.
    #[getter]
    fn fen(&self) -> &str {
        self.string("fen").unwrap_or_default()
    }

    /// The player with White.
    #[getter]
    fn white(&self) -> Option<&str> {
        self.string("white")
    }

    /// The player with Black.
    #[getter]
    fn black(&self) -> Option<&str> {
        self.string("black")
    }

    /// The rating of White.
    #[getter]
    fn white_elo(&self) -> Option<i32> {
        self.small("white_elo")
    }

    /// The rating of Black.
    #[getter]
    fn black_elo(&self) -> Option<i32> {
        self.small("black_elo")
    }

    /// The event.
    #[getter]
    fn event(&self) -> Option<&str> {
        self.string("event")
    }

    /// The place.
    #[getter]
    fn site(&self) -> Option<&str> {
        self.string("site")
    }

    /// The date, if it is known as a whole.
    #[getter]
    fn date<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(column) = self.column("date") else {
            return Ok(None);
        };
        day(py, column.as_primitive::<Date32Type>().value(self.row)).map(Some)
    }

    /// The year, if it is known.
    #[getter]
    fn year(&self) -> Option<i32> {
        self.small("year")
    }

    /// The result of the game: `1-0`, `0-1`, `1/2-1/2` or `*`.
    #[getter]
    fn result(&self) -> Option<&str> {
        self.string("result")
    }

    /// The code of the opening.
    #[getter]
    fn eco(&self) -> Option<&str> {
        self.string("eco")
    }

    /// The move that led here, in standard algebraic notation; nothing for the initial position.
    #[getter(r#move)]
    fn san(&self) -> Option<&str> {
        self.string("move")
    }

    /// The same in the notation of the Universal Chess Interface.
    #[getter]
    fn uci(&self) -> Option<&str> {
        self.string("uci")
    }

    /// What the query says of the position, in order.
    #[getter]
    fn comments(&self) -> Vec<String> {
        let Some(column) = self.column("comments") else {
            return Vec::new();
        };
        let texts = column.as_list::<i32>().value(self.row);
        texts.as_string::<i32>().iter().flatten().map(str::to_owned).collect()
    }

    /// For which side the query holds: `white` as it is written, `black` in a copy with exchanged colours, `both`; nothing if it exchanges none.
    #[getter]
    fn query_side(&self) -> Option<&str> {
        self.string("query_side")
    }

    /// The values of the columns that the search was asked to add, by their names.
    #[getter]
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.values(py, is_added)
    }

    /// The values that the query sorts by, by their titles.
    #[getter]
    fn sort_keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.values(py, |field| !is_added(field))
    }

    /// The squares that made the match, as far as they are known.
    #[getter]
    fn squares(&self) -> Vec<String> {
        names(self.marked())
    }

    /// The lines of sight that made the match, each from the piece that looks to what it looks at.
    #[getter]
    fn rays(&self) -> Vec<(String, String)> {
        let pairs = self.pairs(1).into_iter();
        pairs.map(|(from, to)| (from.to_string(), to.to_string())).collect()
    }

    /// The moves that made the match, from where to where.
    #[getter]
    fn moves(&self) -> Vec<(String, String)> {
        let pairs = self.pairs(2).into_iter();
        pairs.map(|(from, to)| (from.to_string(), to.to_string())).collect()
    }

    /// The position as a board of python-chess, which has to be installed.
    fn board<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("chess")?.getattr("Board")?.call1((self.fen(),))
    }

    /// The board as a drawing in SVG, with what made the match pointed out; `flipped`, as Black sees it.
    #[pyo3(signature = (*, flipped=false))]
    fn svg(&self, flipped: bool) -> PyResult<String> {
        guarded(|| self.drawing(flipped))
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg(false)
    }

    /// The names of the columns of its result, as named tuples have them: whoever takes rows takes matches.
    #[getter]
    fn _fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let schema = self.batch.schema();
        let fields = schema.fields().iter().take(self.shown());
        PyTuple::new(py, fields.map(|field| field.name()))
    }

    fn __len__(&self) -> usize {
        self.shown()
    }

    /// The value of a column, by its place or its name.
    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = index.py();
        if let Ok(name) = index.extract::<String>() {
            let found = self.batch.schema().index_of(&name).ok();
            let found = found.filter(|place| *place < self.shown());
            return self.value(py, found.ok_or_else(|| PyKeyError::new_err(name))?);
        }
        let place: isize = index.extract()?;
        let from_start = match place < 0 {
            true => self.shown().checked_add_signed(place),
            false => usize::try_from(place).ok(),
        };
        let found = from_start.filter(|place| *place < self.shown());
        self.value(
            py,
            found.ok_or_else(|| PyIndexError::new_err("a match has no such column"))?,
        )
    }

    /// The values of the columns.
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let values = (0..self.shown()).map(|place| self.value(py, place));
        PyList::new(py, values.collect::<PyResult<Vec<_>>>()?)?.try_iter()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Match>().is_ok_and(|other| self.batch == other.get().batch)
    }

    fn __repr__(&self) -> String {
        format!(
            "<skewer.Match game {}, position {}: {}>",
            self.number(),
            self.place(),
            self.described()
        )
    }
}
