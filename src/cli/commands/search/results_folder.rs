//! A folder with the results of many queries and their summary.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::index_page;
use super::request::NamedQuery;
use crate::cli::failure::Failure;
use crate::cli::outputs::{self, print};
use crate::cli::search::Found;
use crate::output::{Destination, FormatName, Guard, Kind, Look, Permit, Placed, Results, Summary};
use crate::terminal::shown;

/// The table of all queries, in the folder of the results.
const SUMMARY: &str = "summary.csv";

/// A folder in which results are being written.
pub(super) struct ResultsFolder {
    path: PathBuf,
    results: Results,
    summary: Permit,
    /// The page that links the other pages, if results are pages.
    index_page: Option<Permit>,
    /// The heading of that page, in place of the name of the folder.
    title: Option<String>,
    quotes_formulas: bool,
}

impl ResultsFolder {
    /// Opens the folder, which is created if necessary, and the results.
    pub(super) fn open(
        path: &Path,
        outputs: &[PathBuf],
        format: FormatName,
        look: &Look,
        guard: &Guard,
    ) -> Result<(ResultsFolder, Vec<Destination>), Failure> {
        let permits = outputs.iter().map(|output| guard.permit(output, Kind::Search(format)));
        let permits = permits.collect::<Result<Vec<_>, _>>()?;
        let summary = guard.permit(&path.join(SUMMARY), Kind::Summary)?;
        let index_page = (format == FormatName::Html)
            .then(|| guard.permit(&path.join(index_page::NAME), Kind::ResultsPage))
            .transpose()?;
        let results = Results::new(path, outputs.len()).map_err(outputs::unwritten)?;
        let destinations = permits.into_iter().map(|permit| results.result(permit)).collect();
        let folder = ResultsFolder {
            path: path.to_owned(),
            results,
            summary,
            index_page,
            title: look.title.clone(),
            quotes_formulas: look.quotes_formulas,
        };
        Ok((folder, destinations))
    }

    /// Makes the names of the results survive a loss of power.
    pub(super) fn sync(&self) {
        self.results.sync_folders();
    }

    /// Writes the summary, which is also printed, and the page that links the pages. Returns where the summary was written. If the search
    /// was ended early, they cover a part of the games, and there is no page.
    pub(super) fn summarize(
        self,
        queries: &[NamedQuery],
        outputs: &[PathBuf],
        outcomes: &[Result<Found, Failure>],
        is_part: bool,
    ) -> Result<Placed, Failure> {
        let mut summary = Summary::default();
        for (query, outcome) in queries.iter().zip(outcomes) {
            match outcome {
                Ok(found) => summary.add(&query.name, found.totals),
                Err(failure) => summary.add_error(&query.name, &failure.message),
            }
        }
        let mut table = Destination::file(self.summary).map_err(outputs::unwritten)?;
        summary
            .write_csv(self.quotes_formulas, &mut table)
            .map_err(outputs::unwritten)?;
        let placed = table.commit_all_or_part(is_part).map_err(outputs::unwritten)?;
        if let Some(permit) = self.index_page.filter(|_| !is_part) {
            let page = index_page::page(&self.path, self.title, queries, outputs, outcomes);
            outputs::write(Destination::file(permit).map_err(outputs::unwritten)?, page.as_bytes())?;
        }
        print(summary.to_string().as_bytes())?;
        Ok(placed)
    }
}

/// Returns the paths of the results, all of which are different.
pub(super) fn paths(queries: &[NamedQuery], folder: &Path, format: FormatName) -> Result<Vec<PathBuf>, Failure> {
    let mut taken = HashSet::from([folder.join(SUMMARY)]);
    if format == FormatName::Html {
        taken.insert(folder.join(index_page::NAME));
    }
    let results = queries
        .iter()
        .map(|query| folder.join(format!("{}.{}", query.name, format.extension())));
    let fresh = |result: PathBuf| {
        if taken.insert(result.clone()) {
            Ok(result)
        } else {
            let message = format_args!(
                "{} would be written twice: give the queries different names",
                shown(&result)
            );
            Err(Failure::new(message))
        }
    };
    results.map(fresh).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths_of(names: &[&str], format: FormatName) -> Result<Vec<PathBuf>, Failure> {
        let queries = names.iter().map(|name| NamedQuery {
            name: (*name).to_owned(),
            file: None,
            text: Err(Failure::new("there is none")),
        });
        paths(&queries.collect::<Vec<_>>(), Path::new("out"), format)
    }

    #[test]
    fn results_are_named_after_queries() {
        let expected = ["out/a.csv", "out/ends/c.v2.csv"].map(PathBuf::from);
        assert_eq!(paths_of(&["a", "ends/c.v2"], FormatName::Csv).unwrap(), expected);
    }

    #[test]
    fn two_queries_do_not_write_one_file() {
        for (names, format) in [
            (["mate", "mate"], FormatName::Pgn),
            (["mate", "summary"], FormatName::Csv),
            (["mate", "index"], FormatName::Html),
        ] {
            let Failure { message, .. } = paths_of(&names, format).unwrap_err();
            assert!(message.contains("would be written twice"), "{message}");
        }
    }
}
