//! Games as rows in memory, given by columns as in data frames.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// Shared bytes, such as a buffer of Arrow.
pub type SharedBytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// Games as rows in memory, given by the columns of a database of skewer, of a data set of Lichess (`movetext`) or of an Aix archive
/// (`movedata`). A clone shares the columns.
///
/// ```
/// use skewer::{GameTable, Games, Query};
///
/// let text = "1. f3 e5 2. g4 Qh4# 0-1";
/// let games = GameTable::new(2)
///     .numbers("WhiteElo", [Some(1500), None])
///     .texts("movetext", text.as_bytes().to_vec(), [Some(0..text.len()), Some(0..8)]);
/// let found = Query::compile("cql() mate")?.search(Games::of_table("frame", games))?;
/// let numbers: Result<Vec<u64>, _> = found.map(|game| game.map(|game| game.number())).collect();
/// assert_eq!(numbers?, [1], "the first row");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct GameTable {
    rows: usize,
    columns: Arc<Vec<(String, Values)>>,
}

/// The values of a column, one for each row.
#[derive(Clone)]
pub enum Values {
    /// Texts or bytes, by their places in shared bytes.
    Bytes {
        /// The shared bytes.
        bytes: SharedBytes,
        /// The place of each value.
        places: Vec<Option<Range<usize>>>,
        /// Whether they are UTF-8.
        are_texts: bool,
    },
    /// Numbers.
    Numbers(Vec<Option<i64>>),
    /// Lists of numbers, by their places among shared elements.
    Lists {
        /// The shared elements.
        elements: Vec<Option<i32>>,
        /// The place of each list.
        places: Vec<Option<Range<usize>>>,
    },
}

impl GameTable {
    /// Creates a table with this many rows and no columns.
    pub fn new(rows: usize) -> GameTable {
        GameTable {
            rows,
            ..GameTable::default()
        }
    }

    /// Adds a column of texts (UTF-8), given by the place of each value in shared bytes. A row without a place, or
    /// with a place outside the bytes, has no value.
    #[must_use]
    pub fn texts(
        self,
        name: impl Into<String>,
        bytes: impl AsRef<[u8]> + Send + Sync + 'static,
        places: impl IntoIterator<Item = Option<Range<usize>>>,
    ) -> GameTable {
        self.with_bytes(name.into(), Arc::new(bytes), places, true)
    }

    /// Adds a column of bytes, given like [texts](GameTable::texts).
    #[must_use]
    pub fn bytes(
        self,
        name: impl Into<String>,
        bytes: impl AsRef<[u8]> + Send + Sync + 'static,
        places: impl IntoIterator<Item = Option<Range<usize>>>,
    ) -> GameTable {
        self.with_bytes(name.into(), Arc::new(bytes), places, false)
    }

    /// Adds a column of numbers.
    #[must_use]
    pub fn numbers(self, name: impl Into<String>, values: impl IntoIterator<Item = Option<i64>>) -> GameTable {
        let mut values: Vec<_> = values.into_iter().collect();
        values.resize(self.rows, None);
        self.with(name.into(), Values::Numbers(values))
    }

    /// Adds a column of lists of numbers, such as `evals` and `clocks_white` of Aix archives, given by the place of each list among
    /// shared elements. A row without a place, or with a place outside the elements, has no list.
    #[must_use]
    pub fn lists(
        self,
        name: impl Into<String>,
        elements: impl Into<Vec<Option<i32>>>,
        places: impl IntoIterator<Item = Option<Range<usize>>>,
    ) -> GameTable {
        let mut places: Vec<_> = places.into_iter().collect();
        places.resize(self.rows, None);
        let elements = elements.into();
        self.with(name.into(), Values::Lists { elements, places })
    }

    fn with_bytes(
        self,
        name: String,
        bytes: SharedBytes,
        places: impl IntoIterator<Item = Option<Range<usize>>>,
        are_texts: bool,
    ) -> GameTable {
        let mut places: Vec<_> = places.into_iter().collect();
        places.resize(self.rows, None);
        self.with(
            name,
            Values::Bytes {
                bytes,
                places,
                are_texts,
            },
        )
    }

    fn with(mut self, name: String, values: Values) -> GameTable {
        Arc::make_mut(&mut self.columns).push((name, values));
        self
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the columns with their names, in order.
    pub(crate) fn columns(&self) -> &[(String, Values)] {
        &self.columns
    }

    /// Returns the values of the column with this name, if it exists.
    pub(crate) fn column(&self, name: &str) -> Option<&Values> {
        let mut columns = self.columns.iter();
        columns.find(|(known, _)| known == name).map(|(_, values)| values)
    }
}

impl Values {
    /// Returns whether no row has a value.
    pub(crate) fn are_none(&self) -> bool {
        match self {
            Values::Bytes { places, .. } | Values::Lists { places, .. } => places.iter().all(Option::is_none),
            Values::Numbers(numbers) => numbers.iter().all(Option::is_none),
        }
    }

    /// Returns the bytes of a value; `None` for numbers and lists.
    pub(crate) fn value(&self, row: usize) -> Option<&[u8]> {
        match self {
            Values::Bytes { bytes, places, .. } => (**bytes).as_ref().get(places.get(row)?.clone()?),
            Values::Numbers(_) | Values::Lists { .. } => None,
        }
    }

    /// Returns the elements of a list; no elements for other columns.
    pub(crate) fn list(&self, row: usize) -> &[Option<i32>] {
        let Values::Lists { elements, places } = self else {
            return &[];
        };
        let place = places.get(row).cloned().flatten();
        place.and_then(|place| elements.get(place)).unwrap_or_default()
    }

    /// Returns a number; `None` for other columns.
    pub(crate) fn number(&self, row: usize) -> Option<i64> {
        match self {
            Values::Numbers(numbers) => *numbers.get(row)?,
            Values::Bytes { .. } | Values::Lists { .. } => None,
        }
    }
}

impl fmt::Debug for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Values::Bytes { places, are_texts, .. } => f
                .debug_struct("Bytes")
                .field("values", &places.len())
                .field("are_texts", are_texts)
                .finish_non_exhaustive(),
            Values::Numbers(numbers) => f.debug_tuple("Numbers").field(&numbers.len()).finish(),
            Values::Lists { places, .. } => f.debug_tuple("Lists").field(&places.len()).finish(),
        }
    }
}

/// Two tables are equal if they share the same columns.
impl PartialEq for GameTable {
    fn eq(&self, other: &GameTable) -> bool {
        self.rows == other.rows && Arc::ptr_eq(&self.columns, &other.columns)
    }
}

impl Eq for GameTable {}
