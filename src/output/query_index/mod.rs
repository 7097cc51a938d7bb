//! An index of queries as a page for the browser or as Markdown, with what each query is meant to find or has found.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};

use super::format::Totals;
use super::markup::{escaped, escaped_with_code, filled};
use super::picture::{self, Picture};
use super::script;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// An index of queries.
#[derive(Clone, Debug)]
pub struct QueryIndex {
    /// The name of the folder.
    pub title: String,
    /// The folders, in order.
    pub sections: Vec<Section>,
}

/// The queries of a folder.
#[derive(Clone, Debug)]
pub struct Section {
    /// The name of the subfolder, or empty for queries in none.
    pub name: String,
    /// Its queries, in order.
    pub entries: Vec<Entry>,
}

/// A query.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// The relative URL of its file, if it has one.
    pub link: Option<String>,
    /// What it finds, in a sentence. It is empty if there is no description.
    pub description: String,
    /// Its text.
    pub text: String,
    /// What there is to count.
    pub yields: EntryResult,
    /// A position that it finds, with what made the match.
    pub picture: Option<Picture>,
}

/// The result of a query in an index.
#[derive(Clone, Debug)]
pub enum EntryResult {
    /// The number of self-tests.
    Examples(usize),
    /// What it has found, on the page that the entry links to.
    Found(Totals),
    /// The query failed with this message.
    Error(String),
}

impl QueryIndex {
    /// Returns a self-contained page with a drawing for each query that has a picture.
    pub fn html(&self) -> String {
        filled(PAGE, |name| match name {
            "title" => escaped(&titled(&self.title)).into(),
            "style" => STYLE.into(),
            "allowed" => script::source(SCRIPT).into(),
            "pieces" => picture::PIECES.into(),
            "board" => picture::empty_board().into(),
            "count" => self.count().into(),
            "folders" => self.folders().into(),
            "sections" => self.hits_first().iter().map(Cards::html).collect::<String>().into(),
            "script" => SCRIPT.into(),
            _ => Cow::Borrowed(""),
        })
    }

    /// Returns the cards of the page: first folders in which something was found, then other folders, and last all queries that have found
    /// nothing.
    fn hits_first(&self) -> Vec<Cards<'_>> {
        let mut last = Vec::new();
        let mut folders = Vec::new();
        for section in &self.sections {
            let (entries, without): (Vec<_>, Vec<_>) = section.entries.iter().partition(|entry| entry.has_more());
            last.extend(without);
            if !entries.is_empty() {
                folders.push(Cards {
                    name: &section.name,
                    entries,
                });
            }
        }
        folders.sort_by_key(|folder| !folder.has_hits());
        if !last.is_empty() {
            folders.push(Cards {
                name: WITHOUT,
                entries: last,
            });
        }
        folders
    }

    /// Returns a table in Markdown for each folder.
    pub fn markdown(&self) -> String {
        let mut text = format!("# {}\n\n{}\n", marked_down(&titled(&self.title)), self.count());
        for section in &self.sections {
            if !section.name.is_empty() {
                // Writing to a string cannot fail.
                let _ = write!(text, "\n## {}\n", marked_down(&titled(&section.name)));
            }
            text += "\n| query | what it finds | examples |\n|---|---|---:|\n";
            for entry in &section.entries {
                let name = marked_down(&entry.name);
                let linked = match &entry.link {
                    Some(link) => format!("[{name}]({link})"),
                    None => name,
                };
                let description = marked_down(&entry.description);
                let _ = writeln!(text, "| {linked} | {description} | {} |", entry.yields.count());
            }
        }
        text
    }

    /// Returns how many queries and matches there are, in a sentence.
    fn count(&self) -> String {
        let entries = || self.sections.iter().flat_map(|section| &section.entries);
        let queries = counted(entries().count(), "query", "queries");
        let found = entries().filter_map(|entry| match &entry.yields {
            EntryResult::Found(totals) => Some(totals),
            _ => None,
        });
        if let Some(games) = found.clone().map(|totals| totals.games).max() {
            let positions: u64 = found.map(|totals| totals.positions).sum();
            let positions = counted(positions, "position", "positions");
            return format!("{queries}; {positions} in {} searched", counted(games, "game", "games"));
        }
        let examples = entries().map(|entry| match entry.yields {
            EntryResult::Examples(count) => count,
            _ => 0,
        });
        let examples = counted(examples.sum::<usize>(), "example", "examples");
        format!("{queries} with {examples}, made by skewer library.")
    }

    /// Returns links to the folders.
    fn folders(&self) -> String {
        let all = self.hits_first();
        let named = all.iter().filter(|cards| !cards.name.is_empty());
        named.fold(String::new(), |mut links, cards| {
            let name = escaped(cards.name);
            let title = escaped(&titled(cards.name));
            let count = cards.entries.len();
            let _ = writeln!(
                links,
                "<span class=\"folder\"><a href=\"#{name}\">{title}</a> <span class=\"small\">{count}</span></span>"
            );
            links
        })
    }
}

impl Section {
    /// Groups queries by their folders, which are sorted by name. Within a folder the queries keep their order.
    pub fn of_folders(entries: impl Iterator<Item = (String, Entry)>) -> Vec<Section> {
        let mut folders: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
        for (name, entry) in entries {
            folders.entry(name).or_default().push(entry);
        }
        let sections = folders.into_iter().map(|(name, entries)| Section { name, entries });
        sections.collect()
    }
}

/// The heading of the queries that have found nothing, as a name.
const WITHOUT: &str = "without-a-match";

/// Queries whose cards are together on the page.
struct Cards<'q> {
    name: &'q str,
    entries: Vec<&'q Entry>,
}

impl Cards<'_> {
    fn html(&self) -> String {
        let mut html = format!("<section id=\"{}\">\n", escaped(self.name));
        if !self.name.is_empty() {
            let _ = writeln!(html, "<h2>{}</h2>", escaped(&titled(self.name)));
        }
        // Cards in a row have the same height, so those without a board come after the others.
        let (with_board, without): (Vec<&Entry>, Vec<&Entry>) =
            self.entries.iter().partition(|entry| entry.picture.is_some());
        for entries in [with_board, without].into_iter().filter(|entries| !entries.is_empty()) {
            html += "<div class=\"cards\">\n";
            html.extend(entries.into_iter().map(Entry::html));
            html += "</div>\n";
        }
        html + "</section>\n"
    }

    /// Returns whether one of the queries has found something. In a library this is always true.
    fn has_hits(&self) -> bool {
        self.entries.iter().any(|entry| match &entry.yields {
            EntryResult::Found(totals) => totals.positions > 0,
            EntryResult::Examples(_) => true,
            EntryResult::Error(_) => false,
        })
    }
}

impl Entry {
    /// Returns whether there is more to show than that it finds nothing.
    fn has_more(&self) -> bool {
        !matches!(&self.yields, EntryResult::Found(totals) if totals.matches == 0)
    }

    fn html(&self) -> String {
        let mut html = "<article>\n".to_owned();
        if let Some(picture) = &self.picture {
            write_drawing(picture, &mut html);
        }
        let title = escaped(&titled(&self.name));
        let title = match &self.link {
            Some(link) => format!("<a href=\"{}\">{title}</a>", escaped(link)),
            None => title,
        };
        let _ = writeln!(html, "<h3>{title}</h3>");
        if !self.description.is_empty() {
            let _ = writeln!(html, "<p>{}</p>", escaped_with_code(&self.description));
        }
        let summary = match &self.yields {
            EntryResult::Examples(count) => format!("Query, {}", counted(*count, "example", "examples")),
            EntryResult::Found(totals) => {
                let positions = counted(totals.positions, "position", "positions");
                let games = counted(totals.matches, "game", "games");
                let _ = writeln!(html, "<p class=\"yields\">{positions} in {games}</p>");
                "Query".to_owned()
            }
            EntryResult::Error(message) => {
                let _ = writeln!(html, "<p class=\"error\">{}</p>", escaped_with_code(message));
                "Query".to_owned()
            }
        };
        let text: Vec<String> = self.text.trim().lines().map(escaped).collect();
        let _ = write!(
            html,
            "<details><summary>{summary}</summary><pre><code>{}</code></pre></details>\n</article>\n",
            text.join("\n")
        );
        html
    }
}

impl EntryResult {
    /// Returns the number of examples or positions, or nothing for an error.
    fn count(&self) -> String {
        match self {
            EntryResult::Examples(count) => count.to_string(),
            EntryResult::Found(totals) => totals.positions.to_string(),
            EntryResult::Error(_) => String::new(),
        }
    }
}

fn write_drawing(drawing: &Picture, html: &mut String) {
    let (width, height) = (picture::WIDTH, picture::BARE_HEIGHT);
    let _ = write!(html, "<svg viewBox=\"0 0 {width} {height}\" role=\"img\">");
    drawing.write_on_empty_board(html);
    html.push_str("</svg>\n");
}

/// Turns a name of a file or folder into a title: `back-rank-mate` becomes `Back rank mate`.
pub(crate) fn titled(name: &str) -> String {
    let words = name.replace(['-', '_'], " ");
    let mut letters = words.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => words,
    }
}

/// Escapes text for a cell of a table in Markdown.
fn marked_down(text: &str) -> String {
    text.chars().fold(String::new(), |mut out, character| {
        if matches!(character, '|' | '*' | '_' | '[' | ']' | '<' | '>' | '`' | '\\' | '#') {
            out.push('\\');
        }
        out.push(character);
        out
    })
}

fn counted<N: Display + PartialEq + From<u8>>(count: N, one: &str, many: &str) -> String {
    format!("{count} {}", if count == N::from(1) { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::report::Highlights;
    use crate::game::Game;
    use crate::pgn::{GameReader, Scope, sample};

    fn index() -> QueryIndex {
        let start = sample::batch("[White \"A\"]\n\n*\n");
        let mut game = Game::default();
        GameReader::new(&start).read(Scope::ALL, &mut game, |_| true);
        let entry = |name: &str, description: &str| Entry {
            name: name.to_owned(),
            link: Some(format!("mates/{name}.cql")),
            description: description.to_owned(),
            text: "// <b>\ncql() mate\n".to_owned(),
            yields: EntryResult::Examples(1),
            picture: Some(Picture::of_match(&game.positions[0], &Highlights::default())),
        };
        QueryIndex {
            title: "my-queries".to_owned(),
            sections: vec![
                Section {
                    name: String::new(),
                    entries: vec![entry("any_mate", "Any | mate.")],
                },
                Section {
                    name: "back-rank".to_owned(),
                    entries: vec![entry("rook-mate", "A rook & \"mates\".")],
                },
            ],
        }
    }

    #[test]
    fn markdown_has_a_table_for_each_folder() {
        assert_eq!(
            index().markdown(),
            "# My queries\n\n2 queries with 2 examples, made by skewer library.\n\n\
             | query | what it finds | examples |\n|---|---|---:|\n\
             | [any\\_mate](mates/any_mate.cql) | Any \\| mate. | 1 |\n\n\
             ## Back rank\n\n| query | what it finds | examples |\n|---|---|---:|\n\
             | [rook-mate](mates/rook-mate.cql) | A rook & \"mates\". | 1 |\n"
        );
    }

    #[test]
    fn a_page_of_results_says_what_was_found() {
        let mut index = index();
        index.sections[0].entries[0].yields = EntryResult::Found(Totals {
            games: 90,
            matches: 1,
            positions: 3,
            ..Totals::default()
        });
        let mut wrong = index.sections[0].entries[0].clone();
        wrong.yields = EntryResult::Error("no <such> filter".to_owned());
        let mut empty = wrong.clone();
        empty.yields = EntryResult::Found(Totals::default());
        empty.name = "empty".to_owned();
        empty.picture = None;
        index.sections[0].entries.insert(0, empty.clone());
        index.sections[1].entries = vec![wrong];
        let html = index.html();
        assert_eq!(
            html.matches("<div class=\"cards\">").count(),
            3,
            "one more for what has no drawing"
        );
        let place = |text: &str| html.find(text).unwrap_or_else(|| panic!("{text} in {html}"));
        let places = [
            "<h3><a href=\"mates/any_mate.cql",
            "<section id=\"back-rank\">",
            "<section id=\"without-a-match\">",
            ">Empty<",
        ];
        assert!(places.map(place).is_sorted(), "{html}");
        assert!(html.contains("<a href=\"#without-a-match\">Without a match</a> <span class=\"small\">1</span>"));
        assert!(html.contains("3 queries; 3 positions in 90 games searched"), "{html}");
        assert!(html.contains("<p class=\"yields\">3 positions in 1 game</p>"));
        assert!(html.contains("<p class=\"error\">no &lt;such&gt; filter</p>"));
        assert!(!html.contains("example"));
    }

    #[test]
    fn the_page_is_whole_and_escaped() {
        let html = index().html();
        assert!(!html.contains("{{"), "all places are filled");
        assert_eq!(html.matches("<article>").count(), 2);
        assert_eq!(html.matches("<svg viewBox").count(), 2);
        assert!(html.contains("<a href=\"mates/rook-mate.cql\">Rook mate</a>"));
        assert!(html.contains("<p>A rook &amp; &quot;mates&quot;.</p>"));
        assert!(html.contains("// &lt;b&gt;\ncql() mate</code>"));
        assert!(html.contains("<a href=\"#back-rank\">Back rank</a>"));
        for outside in ["http:", "https:", "src="] {
            assert!(!html.contains(outside), "{outside}");
        }
    }
}
