//! What a search reads of games in columns, for programs that hand it the columns, or parts of files, themselves.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use super::error::Error;
use super::options::Options;
use super::query::Query;
use crate::database::{self, Archive, GroupSize};
use crate::game::GameTable;
use crate::pgn::Input;
use crate::query::Obstacle;
use crate::query::tags::TagUse;
use crate::search;

/// Which of some columns, given by their names, a search for queries reads: of a database of skewer if they are those of one, else of
/// an archive of others. Give all columns that there are, and hand over [tables](GameTable) with those that this returns.
///
/// Games whose columns do not tell all, such as those of variants with rules of their own, are read from their text; they are left
/// out with a warning unless you add `movetext`, `tag_order`, `other_tags` and the columns of all tags.
///
/// ```
/// let query = skewer::Query::compile("mate")?;
/// let mut options = skewer::Options::default();
/// options.comments = false;
/// options.tags = Some(vec!["White".to_owned()]);
/// let columns = ["movetext", "White", "Black", "WhiteElo"];
/// assert_eq!(skewer::columns_read(&[&query], &columns, &options), ["movetext", "White"]);
/// # Ok::<(), skewer::QueryError>(())
/// ```
pub fn columns_read<'a>(queries: &[&Query], columns: &[&'a str], options: &Options) -> Vec<&'a str> {
    columns_read_for(queries, columns, &options.shown_tags())
}

/// The same, for these tags that someone shows.
pub(super) fn columns_read_for<'a>(queries: &[&Query], columns: &[&'a str], shown: &TagUse) -> Vec<&'a str> {
    let wanted = queries.iter().map(|query| search::wanted(&[query.compiled()], shown));
    let named = columns
        .iter()
        .fold(GameTable::new(0), |table, name| table.numbers(*name, []));
    let is_database = database::is_database(&named);
    let read: BTreeSet<&str> = wanted
        .flat_map(|wanted| match is_database {
            true => wanted.columns(),
            false => database::external_columns_read(columns, wanted.tags(), wanted.has_commands()),
        })
        .collect();
    columns.iter().filter(|name| read.contains(*name)).copied().collect()
}

/// What the games of a database must have for any of some queries to match, as a condition on its columns in the SQL of Apache
/// Spark; `None` if it would let every game pass. It may let too much pass, never too little: the rows that it keeps are still to be
/// searched. Rows for which the search has a warning pass.
///
/// ```
/// let query = skewer::Query::compile("elo white > 2700 mate")?;
/// let condition = skewer::spark_condition(&[&query]).unwrap();
/// assert!(condition.contains("WhiteElo > 2700") && condition.contains("(events & 2) <> 0"));
/// # Ok::<(), skewer::QueryError>(())
/// ```
pub fn spark_condition(queries: &[&Query]) -> Option<String> {
    let queries: Vec<_> = queries.iter().map(|query| query.compiled()).collect();
    database::spark_condition(&queries)
}

/// How large the row groups of a Parquet file of games are, in their order; `None` if it is no Parquet file. Only its end is read.
/// [`Games::of_row_groups`](super::Games::of_row_groups) searches some of them.
///
/// # Errors
/// When there is no such file, or it is no complete Parquet file, or a damaged database.
pub fn row_groups(path: impl AsRef<Path>) -> Result<Option<Vec<GroupSize>>, Error> {
    let path = path.as_ref();
    let failed = |error: io::Error| Error::Input {
        name: path.to_string_lossy().into_owned(),
        error,
    };
    let source = Input::from(path).sources()?.into_iter().next();
    let archive = source.map(|source| Archive::of_source(&source)).transpose();
    Ok(archive.map_err(failed)?.flatten().map(|archive| archive.groups()))
}

impl Query {
    /// Why the games of an input cannot be searched in parts that know nothing of each other, as on a cluster; nothing if they can.
    ///
    /// ```
    /// use skewer::{Obstacle, Query};
    ///
    /// assert_eq!(Query::compile("cql() mate")?.obstacles(), []);
    /// assert_eq!(Query::compile("cql() sort \"late\" ply")?.obstacles(), [Obstacle::Sort]);
    /// # Ok::<(), skewer::QueryError>(())
    /// ```
    pub fn obstacles(&self) -> Vec<Obstacle> {
        self.compiled().obstacles()
    }
}
