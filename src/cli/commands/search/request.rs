//! Divides the paths of a search into queries and inputs.

use std::ffi::OsString;
use std::iter;
use std::path::{Component, Path, PathBuf};

use crate::cli::failure::Failure;
use crate::cli::queries::files::{self, is_query, only_games};
use crate::cli::queries::names::{self, Named, is_library_name};
use crate::cli::queries::text::{QueryText, STDIN_PATH};
use crate::cli::shell;
use crate::pgn::holds_games;
use crate::syntax::Source;
use crate::terminal::shown;

/// What to search for, and where.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) queries: Vec<NamedQuery>,
    /// Filters that must match in addition to each query.
    pub(crate) filters: Vec<Source>,
    pub(crate) inputs: Vec<PathBuf>,
}

/// One of the queries.
#[derive(Debug)]
pub(crate) struct NamedQuery {
    /// Its path in the folder that was named, without the extension. Its result and messages have this name.
    pub(crate) name: String,
    /// Its file, if it has one.
    pub(crate) file: Option<PathBuf>,
    /// Its text, or why it cannot be read.
    pub(crate) text: Result<QueryText, Failure>,
}

impl NamedQuery {
    /// Creates the only query of a search, which needs no name.
    fn only(text: QueryText, named: Option<Named>) -> NamedQuery {
        NamedQuery {
            name: String::new(),
            file: named.and_then(Named::into_file),
            text: Ok(text),
        }
    }

    /// Creates the query of a file in a folder.
    fn in_folder(path: PathBuf, folder: &Path) -> NamedQuery {
        let name = path.strip_prefix(folder).unwrap_or(&path).with_extension("");
        NamedQuery {
            name: name.display().to_string(),
            text: QueryText::from_file(&path),
            file: Some(path),
        }
    }
}

impl From<Named> for NamedQuery {
    fn from(named: Named) -> NamedQuery {
        match named {
            Named::File(path) => {
                let folder = path.parent().unwrap_or(Path::new("")).to_owned();
                NamedQuery::in_folder(path, &folder)
            }
            Named::Library(query) => NamedQuery {
                name: query.short_name().to_owned(),
                file: None,
                text: Named::Library(query).text(),
            },
        }
    }
}

impl Request {
    /// Reads a request with one query: the first path, unless `expressions` are the query. All other paths are inputs.
    pub(crate) fn one(paths: &[PathBuf], expressions: &[String], quiet: bool) -> Result<Request, Failure> {
        let first = paths.first().map(PathBuf::as_path);
        if !expressions.is_empty() && !first.is_some_and(|path| is_query(path) || is_library_name(path)) {
            let (query, filters) = joined(expressions)?;
            only_games(paths)?;
            no_library_names(expressions, paths)?;
            return Ok(Request {
                queries: vec![NamedQuery::only(query, None)],
                filters,
                inputs: paths.to_vec(),
            });
        }
        let Some((name, inputs)) = paths.split_first() else {
            return Err(no_query());
        };
        refuse_as_query(name, inputs)?;
        let (text, named) = QueryText::from_name(name, quiet)?;
        let filters = filters(expressions)?;
        refuse_more_queries(name, expressions, inputs)?;
        Ok(Request {
            queries: vec![NamedQuery::only(text, named)],
            filters,
            inputs: inputs.to_vec(),
        })
    }

    /// Reads a request with any number of queries: paths that end in `.cql`, names and sections of the library, and as the first path a
    /// folder with queries. The other paths are inputs. Without such a path, `expressions` are the query; without those, it is one that
    /// matches the initial position.
    pub(crate) fn any(paths: &[PathBuf], expressions: &[String], quiet: bool) -> Result<Request, Failure> {
        let mut queries: Vec<NamedQuery> = Vec::new();
        let mut inputs = Vec::new();
        if let Some(path) = paths
            .first()
            .filter(|path| expressions.is_empty() && may_be_misspelt(path))
        {
            QueryText::from_name(path, quiet)?;
        }
        for (index, path) in paths.iter().enumerate() {
            let has_several = || match path.is_dir() {
                true => index == 0 && files::in_folder(path).is_ok(),
                false => !names::section(path).is_empty(),
            };
            match is_query(path) || is_library_name(path) || has_several() {
                true => queries.extend(queries_of(path, quiet)?),
                false => inputs.push(path.clone()),
            }
        }
        if !queries.is_empty() {
            return Ok(Request {
                queries,
                filters: filters(expressions)?,
                inputs,
            });
        }
        let (query, filters) = match expressions {
            [] => (QueryText::from_argument("initial"), Vec::new()),
            _ => joined(expressions)?,
        };
        Ok(Request {
            queries: vec![NamedQuery::only(query, None)],
            filters,
            inputs,
        })
    }

    /// Reads a request with several queries: the first path, paths that end in `.cql`, folders of queries, names of queries of the library,
    /// and as the first path a section of it. The other paths are inputs.
    pub(super) fn many(paths: &[PathBuf], expressions: &[String], quiet: bool) -> Result<Request, Failure> {
        if let Some(games) = paths.first().filter(|path| holds_games(path)) {
            return Err(Failure::with_help(
                format_args!(
                    "{} has games, and the first path is a query, also beside -e",
                    shown(games)
                ),
                "`skewer search QUERIES GAMES.pgn --out-dir DIR`; `-o FILE` takes what filters after -e find",
            ));
        }
        let mut queries: Vec<NamedQuery> = Vec::new();
        let mut inputs = Vec::new();
        for (index, path) in paths.iter().enumerate() {
            if index > 0 && !is_query(path) && !is_library_name(path) {
                inputs.push(path.clone());
            } else {
                queries.extend(queries_of(path, quiet)?);
            }
        }
        Ok(Request {
            queries,
            filters: filters(expressions)?,
            inputs,
        })
    }
}

/// Returns the queries that a path stands for: those of a folder, those of a section of the library, or a single one.
fn queries_of(path: &Path, quiet: bool) -> Result<Vec<NamedQuery>, Failure> {
    let section = names::section(path);
    if path.is_dir() {
        let files = files::in_folder(path)?.into_iter();
        return Ok(files.map(|file| NamedQuery::in_folder(file, path)).collect());
    }
    if !section.is_empty() {
        return Ok(section.into_iter().map(|query| Named::Library(query).into()).collect());
    }
    let named = Named::find(path, quiet)?;
    Ok(vec![named.unwrap_or_else(|| Named::File(path.to_owned())).into()])
}

fn no_query() -> Failure {
    Failure::new("no query: name a file or use -e")
}

/// Refuses a path that cannot be a query where one is expected.
fn refuse_as_query(name: &Path, inputs: &[PathBuf]) -> Result<(), Failure> {
    if holds_games(name) {
        let message = format!("{} has games, and the first path is the query", shown(name));
        let query = inputs
            .iter()
            .find(|path| path.extension().is_some_and(|extension| extension == "cql") || is_library_name(path));
        return Err(match query {
            Some(query) => Failure::with_help(
                message,
                format_args!("the other way round: `skewer search {} {}`", shown(query), shown(name)),
            ),
            None if inputs.is_empty() => Failure::with_help(
                message,
                format_args!(
                    "`skewer search -e 'FILTERS' {0}`; `-e initial` finds all games",
                    shown(name)
                ),
            ),
            None => Failure::with_help(
                message,
                "`skewer search QUERY.cql GAMES.pgn`, or `skewer search -e 'FILTERS' GAMES.pgn`",
            ),
        });
    }
    if name.is_dir() {
        return Err(Failure::with_help(
            format_args!("{} is a folder, not a query", shown(name)),
            "`skewer search QUERIES INPUT --out-dir DIR` searches with all queries of a folder",
        ));
    }
    if name == Path::new(STDIN_PATH) && inputs.iter().any(|input| input == name) {
        return Err(Failure::new(
            "standard input cannot be both the query and what to search",
        ));
    }
    Ok(())
}

/// Returns the values of `-e` as additional filters.
fn filters(expressions: &[String]) -> Result<Vec<Source>, Failure> {
    let texts = expressions.iter().map(|text| QueryText::from_argument(text));
    texts.map(QueryText::into_filters).collect()
}

/// Returns whether a path may be a misspelt name of a query of the library: no file exists, and it has no extension.
fn may_be_misspelt(path: &Path) -> bool {
    let is_name = path.extension().is_none() && path.components().count() == 1 && path != Path::new(STDIN_PATH);
    is_name && !path.exists() && !is_library_name(path) && names::section(path).is_empty()
}

/// Refuses names of queries of the library, also misspelt ones, where games are expected.
fn no_library_names(filters: &[String], paths: &[PathBuf]) -> Result<(), Failure> {
    let (queries, games): (Vec<&Path>, Vec<&Path>) = paths
        .iter()
        .map(PathBuf::as_path)
        .partition(|path| is_library_name(path));
    if let Some(query) = queries.first() {
        let games = if games.is_empty() {
            vec![Path::new("games.pgn")]
        } else {
            games
        };
        let in_order = iter::once(*query).chain(games.iter().copied()).collect();
        return Err(Failure::with_help(
            format_args!("{} is a query, and games are expected in its place", shown(query)),
            format_args!(
                "the query comes before the games: `{}`; as one of the filters it is `theme \"{}\"`",
                command(in_order, filters),
                query.display()
            ),
        ));
    }
    // A word without a hyphen is more likely part of filters that the shell has split.
    let is_name =
        |path: &Path| path.to_string_lossy().contains('-') && may_be_misspelt(path) && files::near(path).is_none();
    let mut near = paths
        .iter()
        .filter(|path| is_name(path))
        .filter_map(|path| Some((path, names::near(&path.to_string_lossy())?.0)));
    match near.next() {
        Some((path, near)) => Err(Failure::with_help(
            format_args!("{} is neither a file nor a query of the library", shown(path)),
            format_args!("the library has {near}; the query comes before the games"),
        )),
        None => Ok(()),
    }
}

/// Returns a search as it is written in a shell.
fn command(paths: Vec<&Path>, filters: &[String]) -> String {
    let words = ["skewer", "search"].map(OsString::from).into_iter();
    let paths = paths.into_iter().map(OsString::from);
    let filters = filters.iter().flat_map(|filters| ["-e", filters.as_str()]);
    shell::shown(words.chain(paths).chain(filters.map(OsString::from)))
}

/// Returns the filters that combine these queries, if `theme` can name all of them.
fn themes<'p>(queries: impl Iterator<Item = &'p Path>) -> Option<String> {
    let filter = |query: &Path| {
        let is_below = query
            .components()
            .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        let is_known = is_library_name(query) || query.extension().is_some_and(|extension| extension == "cql");
        let name = query.to_str().filter(|name| !name.contains('"'))?;
        (is_below && is_known).then(|| format!("theme \"{name}\""))
    };
    let filters = queries.map(filter).collect::<Option<Vec<_>>>()?;
    Some(filters.join(" "))
}

/// Refuses further queries after the first, and says how to combine several.
fn refuse_more_queries(query: &Path, filters: &[String], inputs: &[PathBuf]) -> Result<(), Failure> {
    let (others, mut games): (Vec<&Path>, Vec<&Path>) = inputs
        .iter()
        .map(PathBuf::as_path)
        .partition(|path| is_query(path) || is_library_name(path));
    let Some(other) = others.first() else {
        return Ok(());
    };
    let message = format_args!("{} is another query, and games are expected in its place", shown(other));
    // Commands with all of their names would say no more.
    const FEW: usize = 3;
    if others.len() > FEW {
        return Err(Failure::with_help(
            message,
            format_args!(
                "`--out-dir DIR` searches with each of the {} queries by itself",
                others.len() + 1
            ),
        ));
    }
    if games.is_empty() {
        games.push(Path::new("games.pgn"));
    }
    let all = || iter::once(query).chain(others.iter().copied());
    let together = match themes(all()) {
        Some(themes) => {
            let filters: Vec<String> = filters.iter().cloned().chain([themes]).collect();
            format!("`{}`", command(games.clone(), &filters))
        }
        None => "put their filters into one query".to_owned(),
    };
    let command = |words: Vec<&Path>| command(words, filters);
    let each = all()
        .chain(games.iter().copied())
        .chain(["--out-dir", "results"].map(Path::new));
    let one_after_another = all().enumerate().map(|(place, query)| match place {
        0 => command(iter::once(query).chain(games.iter().copied()).collect()),
        _ => command(vec![query, Path::new(STDIN_PATH)]),
    });
    Err(Failure::with_help(
        message,
        format_args!(
            "each by itself: `{}`; games in which all find something: `{}`; positions that all find: {together}",
            command(each.collect()),
            one_after_another.collect::<Vec<_>>().join(" | ")
        ),
    ))
}

/// Combines several values of `-e` to one query: the one with a header, or else the last one. The others are additional filters.
fn joined(texts: &[String]) -> Result<(QueryText, Vec<Source>), Failure> {
    let mut texts: Vec<_> = texts.iter().map(|text| QueryText::from_argument(text)).collect();
    let whole = texts.iter().position(|text| !text.filters_only);
    let query = match whole {
        Some(whole) => Some(texts.remove(whole)),
        None => texts.pop(),
    };
    let query = query.ok_or_else(no_query)?;
    let filters = texts.into_iter().map(QueryText::into_filters);
    Ok((query, filters.collect::<Result<_, _>>()?))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn paths(names: &[&str]) -> Vec<PathBuf> {
        names.iter().map(PathBuf::from).collect()
    }

    /// Returns the text of the query, and the request for it.
    fn one(names: &[&str], expressions: &[&str]) -> Result<(Vec<u8>, Request), Failure> {
        let expressions: Vec<String> = expressions.iter().map(|text| (*text).to_owned()).collect();
        let request = Request::one(&paths(names), &expressions, true)?;
        let text = request.queries[0].text.clone()?;
        Ok((text.bytes, request))
    }

    #[test]
    fn with_an_expression_all_paths_are_inputs() {
        let (text, request) = one(&["a.pgn", "b.pgn"], &["mate"]).unwrap();
        assert_eq!(text, b"mate");
        assert_eq!(request.inputs, paths(&["a.pgn", "b.pgn"]));
    }

    #[test]
    fn without_an_expression_the_first_path_is_the_query() {
        let folder = tempfile::tempdir().unwrap();
        let query = folder.path().join("q.cql");
        fs::write(&query, "cql() mate").unwrap();
        let (text, request) = one(&[query.to_str().unwrap(), "a.pgn", "-"], &[]).unwrap();
        assert_eq!(text, b"cql() mate");
        assert_eq!(request.queries[0].file, Some(query));
        assert_eq!(request.inputs, paths(&["a.pgn", "-"]));
    }

    #[test]
    fn a_missing_query_is_refused() {
        let Failure { text, .. } = one(&["there is no such file.cql"], &[]).unwrap_err();
        assert!(
            text.starts_with("error: cannot read the query there is no such file.cql: "),
            "{text}"
        );
    }

    #[test]
    fn games_in_the_place_of_the_query_are_refused() {
        for names in [
            ["games.pgn", "mate.cql"],
            ["GAMES.PGN.ZST", "-"],
            ["g.parquet", "a.pgn"],
        ] {
            let Failure { text, .. } = one(&names, &[]).unwrap_err();
            assert!(text.contains("has games, and the first path is the query"), "{text}");
            let Failure { text, .. } = Request::many(&paths(&names), &[], true).unwrap_err();
            assert!(text.contains("has games, and the first path is a query"), "{text}");
        }
    }

    #[test]
    fn of_many_queries_the_first_path_and_cql_files_are_some() {
        let names = paths(&["odd/name.txt", "a.pgn", "b/mate.CQL", "-"]);
        let request = Request::many(&names, &[], true).unwrap();
        let names: Vec<_> = request.queries.iter().map(|query| &*query.name).collect();
        assert_eq!(names, ["name", "mate"]);
        assert_eq!(request.inputs, paths(&["a.pgn", "-"]));
    }

    #[test]
    fn a_folder_stands_for_the_queries_inside() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.cql", "a.cql", "ends/c.v2.cql", "notes.txt"] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "cql() mate").unwrap();
        }
        let request = Request::many(&[folder.path().to_owned(), PathBuf::from("-")], &[], true).unwrap();
        let names: Vec<_> = request.queries.iter().map(|query| &*query.name).collect();
        assert_eq!(names, ["a", "b", "ends/c.v2"]);
    }
}
