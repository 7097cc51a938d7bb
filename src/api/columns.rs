//! The columns of games that a search reads, for programs that hand over columns, or parts of files, themselves.

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

/// Returns which of the given columns a search for these queries reads. Pass the names of all columns of the data, and hand over
/// [tables](GameTable) with those that are returned. Columns of a skewer database are recognised; any others are taken for the columns of
/// another archive.
///
/// Some games are not described completely by these columns, such as games of variants with rules of their own, and are read from their
/// text. They are left out with a warning unless you add `movetext`, `tag_order`, `other_tags` and the columns of all tags.
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

/// Returns the columns that a search reads to show these tags.
pub(super) fn columns_read_for<'a>(queries: &[&Query], columns: &[&'a str], shown: &TagUse) -> Vec<&'a str> {
    let wanted = queries.iter().map(|query| search::wanted(&[query.compiled()], shown));
    let named = columns
        .iter()
        .fold(GameTable::new(0), |table, name| table.numbers(*name, []));
    let is_database = database::is_database(&named);
    let read: BTreeSet<&str> = wanted
        .flat_map(|wanted| match is_database {
            true => wanted.columns(),
            false => database::external_columns_read(columns, &wanted.tags, wanted.has_commands()),
        })
        .collect();
    columns.iter().filter(|name| read.contains(*name)).copied().collect()
}

/// Returns a necessary condition for a game to match any of the queries, on the columns of a database, in the SQL of Apache Spark. Returns
/// `None` if every game would pass. The condition may keep games that do not match but never drops one that does, so search the rows that it
/// keeps. Rows for which the search has a warning pass.
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

/// Returns the sizes of the row groups of a Parquet file of games, in their order, or `None` if the file is not in Parquet format. Only the
/// end of the file is read. [`Games::of_row_groups`](super::Games::of_row_groups) searches certain row groups.
///
/// # Errors
/// Returns an error if there is no such file, or if it is an incomplete Parquet file or a damaged database.
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
    /// Returns the reasons why the games of an input cannot be searched in independent parts, as on a cluster. It is empty if they can.
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
