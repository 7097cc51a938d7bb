//! Finds out why a query needs its input as a whole, so that its games cannot be searched in separate parts.

use std::fmt;

use crate::query::ast::facts::Reads;
use crate::query::compiled::Query;

/// A reason why the answer for one game depends on other games or on their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Obstacle {
    /// Variables that live through the run: `persistent`.
    Persistent,
    /// Dictionaries that live through the run.
    Dictionary,
    /// Files that are read or written: `readfile`, `writefile`.
    Files,
    /// Games are sorted: `sort`, `hhdb sort`, and `similarposition` without `nosort`.
    Sort,
    /// Games are sorted by how many of their positions match: `sort matchcount`.
    SortMatchCount,
    /// The number of a game: `gamenumber`, as a filter or in the header.
    GameNumber,
    /// The number of all games: `lastgamenumber`.
    LastGameNumber,
    /// Another file that positions are compared with: `similarposition`.
    SimilarPosition,
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Obstacle::Persistent => "`persistent` variables live through all games, one after the other",
            Obstacle::Dictionary => "a dictionary that is not `local` lives through all games, one after the other",
            Obstacle::Files => "`readfile` and `writefile` need the folder and the order of one run",
            Obstacle::Sort => "`sort` puts all games in one order",
            Obstacle::SortMatchCount => "`sort matchcount` puts all games in one order",
            Obstacle::GameNumber => "`gamenumber` counts the games of one input",
            Obstacle::LastGameNumber => "`lastgamenumber` counts all games of one input",
            Obstacle::SimilarPosition => "`similarposition` reads another file and counts the games so far",
        })
    }
}

impl Query {
    /// Returns the reasons why games cannot be searched in separate parts, each of them once.
    pub(crate) fn obstacles(&self) -> Vec<Obstacle> {
        let has_run_dictionary = self.dictionaries.iter().any(|dictionary| !dictionary.local);
        let has_similar = self.similar.is_some();
        // `sort matchcount` has a key of its own.
        let sorts = self.sort_keys.len() > usize::from(self.header.sort_match_count);
        let found = [
            (!self.persistent.is_empty(), Obstacle::Persistent),
            (has_run_dictionary, Obstacle::Dictionary),
            (self.file_access.is_some(), Obstacle::Files),
            (sorts && !has_similar, Obstacle::Sort),
            (self.header.sort_match_count, Obstacle::SortMatchCount),
            (
                self.header.games.is_some() || self.reads.contains(Reads::GAME_NUMBER),
                Obstacle::GameNumber,
            ),
            (self.reads.contains(Reads::LAST_GAME_NUMBER), Obstacle::LastGameNumber),
            (has_similar, Obstacle::SimilarPosition),
        ];
        let there = found.into_iter().filter(|(is_there, _)| *is_there);
        there.map(|(_, obstacle)| obstacle).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query;
    use crate::query::parse::Options;
    use crate::syntax::Source;

    fn obstacles(text: &str) -> Vec<Obstacle> {
        let source = Source::new("q.cql", text);
        query::compile(&source, &Options::default()).unwrap().obstacles()
    }

    #[test]
    fn what_needs_all_games_is_found_wherever_it_stands() {
        let cases = [
            ("cql() mate", None),
            ("cql(matchcount 2 5) x=1 local dictionary Dict Dict[\"a\"]=1", None),
            ("cql() persistent Wins=0", Some(Obstacle::Persistent)),
            ("cql() dictionary Dict Dict[\"a\"]=\"b\"", Some(Obstacle::Dictionary)),
            ("cql() writefile(\"a.txt\" \"b\")", Some(Obstacle::Files)),
            ("cql() find {check sort \"late\" ply}", Some(Obstacle::Sort)),
            ("cql(sort matchcount 1 9) check", Some(Obstacle::SortMatchCount)),
            ("cql(gamenumber 1 9) check", Some(Obstacle::GameNumber)),
            ("cql() flip {check or gamenumber > 5}", Some(Obstacle::GameNumber)),
            ("cql() message(lastgamenumber)", Some(Obstacle::LastGameNumber)),
            (
                "cql() similarposition nosort \"a.pgn\"",
                Some(Obstacle::SimilarPosition),
            ),
            ("cql() similarposition \"a.pgn\"", Some(Obstacle::SimilarPosition)),
        ];
        for (text, expected) in cases {
            assert_eq!(obstacles(text), expected.into_iter().collect::<Vec<_>>(), "{text}");
        }
    }
}
