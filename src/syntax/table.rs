//! Reads tables from text files, so that they can be read and extended without knowing Rust.
//!
//! ```text
//! // A comment.
//! what is said of the rows below, up to an empty line
//!   a key    a value
//!   another key    a value    another value
//!
//! [name]: a heading that other rows have, too
//!   a key    a value
//!
//! [name]
//!   a key    a value
//! ```
//!
//! Rows are indented. Two or more spaces separate their cells; `(nothing)` is an empty cell.

/// A row of a table with its heading.
#[derive(Debug)]
pub(crate) struct Row {
    /// The heading above it, or empty if there is none.
    pub(crate) heading: &'static str,
    /// The first cell.
    pub(crate) key: &'static str,
    /// The other cells.
    pub(crate) values: Vec<&'static str>,
    /// The number of its line.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "tests of the tables name the line that is wrong")
    )]
    pub(crate) line: usize,
}

impl Row {
    /// Returns the words of the first cell, which are separated by spaces.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &'static str> {
        self.key.split(' ')
    }
}

/// A table.
#[derive(Default)]
pub(crate) struct Table {
    /// The rows, in the order of the text.
    pub(crate) rows: Vec<Row>,
    /// The headings that have a name, as pairs of name and heading.
    named: Vec<(&'static str, &'static str)>,
}

impl Table {
    /// Reads a text. It accepts every text; a test of the table finds its mistakes.
    pub(crate) fn read(text: &'static str) -> Table {
        let mut table = Table::default();
        let mut heading = "";
        let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.starts_with("//"));
        for (number, line) in lines {
            if !line.starts_with(' ') {
                heading = table.heading(line);
                continue;
            }
            let cells = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty());
            let mut cells = cells.map(|cell| if cell == "(nothing)" { "" } else { cell });
            let Some(key) = cells.next() else { continue };
            table.rows.push(Row {
                heading,
                key,
                values: cells.collect(),
                line: number,
            });
        }
        table
    }

    /// Reads a line above rows. Returns the heading that the rows get.
    fn heading(&mut self, line: &'static str) -> &'static str {
        let Some((name, heading)) = line.strip_prefix('[').and_then(|rest| rest.split_once(']')) else {
            return line;
        };
        match heading.strip_prefix(": ") {
            Some(heading) => {
                self.named.push((name, heading));
                heading
            }
            None => self.named(name),
        }
    }

    /// Returns the rows below a heading.
    pub(crate) fn under(&self, heading: &str) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.heading == heading)
    }

    /// Returns the heading with a name, or an empty text if there is none.
    pub(crate) fn named(&self, name: &str) -> &'static str {
        let found = self.named.iter().find(|(known, _)| *known == name);
        found.map_or("", |(_, heading)| heading)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// Returns the first line that is not empty and not a comment, a row or a heading with a row below it.
    fn malformed(text: &str) -> Option<usize> {
        let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.starts_with("//"));
        let lines: Vec<(usize, &str)> = lines.collect();
        let below = lines.iter().map(|(_, line)| *line).skip(1).chain([""]);
        let is_malformed = |((_, line), below): &(&(usize, &str), &str)| {
            let is_row = line.starts_with("  ");
            let is_heading = !line.starts_with(' ') && !line.contains("  ") && below.starts_with(' ');
            line.contains('\t') || line.ends_with(' ') || !(line.is_empty() || is_row || is_heading)
        };
        let found = lines.iter().zip(below).find(is_malformed);
        found.map(|((number, _), _)| *number)
    }

    #[test]
    fn no_line_of_a_table_is_malformed() {
        let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
        let mut tables = 0;
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "txt") {
                    let text = fs::read_to_string(&path).unwrap();
                    assert_eq!(malformed(&text), None, "{}", path.display());
                    tables += 1;
                }
            }
        }
        assert!(tables >= 10, "{tables} tables");
        assert_eq!(
            malformed("a\n  b  c\nd  e\n  f  g"),
            Some(3),
            "a row that is not indented"
        );
        assert_eq!(malformed("a\n\n  b  c"), Some(1), "a heading without a row");
        assert_eq!(malformed("a\n b  c"), Some(2), "one blank");
        assert_eq!(malformed("// a\n\nb\n// c\n  d  e"), None);
    }

    #[test]
    fn rows_have_the_heading_above_them() {
        let text = "// Of sets.\n[size]: `#S`\n  count S    #S\n  a  (nothing)   b c\nis `S`\n  { }  x\n\n  none  \n[size]\n  # S\n[x]\n  y";
        let table = Table::read(text);
        let rows: Vec<_> = table
            .rows
            .iter()
            .map(|row| (row.line, row.heading, row.key, row.values.as_slice()))
            .collect();
        assert_eq!(
            rows,
            [
                (3, "`#S`", "count S", &["#S"][..]),
                (4, "`#S`", "a", &["", "b c"]),
                (6, "is `S`", "{ }", &["x"]),
                (8, "", "none", &[]),
                (10, "`#S`", "# S", &[]),
                (12, "", "y", &[]),
            ]
        );
        assert_eq!(table.under("is `S`").count(), 1);
        assert_eq!((table.named("size"), table.named("x")), ("`#S`", ""));
    }
}
