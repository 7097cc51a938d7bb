//! Tables that stand in text files, so that you can read and extend them without knowing Rust.
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
//! Rows are indented. Two blanks or more stand between their cells; `(nothing)` is an empty one.

/// A line of a table with what is said of it.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Row {
    /// The heading above it; empty if there is none.
    pub(crate) heading: &'static str,
    /// The first cell.
    pub(crate) key: &'static str,
    /// The other cells.
    pub(crate) values: Vec<&'static str>,
    /// The number of the line, for those who check the table.
    #[cfg(test)]
    pub(crate) line: usize,
}

impl Row {
    /// The words of the first cell, where it has several with a blank between them.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &'static str> {
        self.key.split(' ')
    }
}

/// A table that has been read.
#[derive(Default)]
pub(crate) struct Table {
    /// The rows, in the order of the text.
    pub(crate) rows: Vec<Row>,
    /// The headings that have a name, each behind it.
    named: Vec<(&'static str, &'static str)>,
}

impl Table {
    /// Reads a text. No text is refused: what is wrong in one, a test of its table says.
    pub(crate) fn read(text: &'static str) -> Table {
        let mut table = Table::default();
        let mut heading = "";
        let lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with("//"));
        for (_at, line) in lines {
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
                #[cfg(test)]
                line: _at + 1,
            });
        }
        table
    }

    /// What a line says of the rows below it.
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

    /// The rows below a heading.
    pub(crate) fn under(&self, heading: &str) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.heading == heading)
    }

    /// The heading with a name; empty if there is none.
    pub(crate) fn named(&self, name: &str) -> &'static str {
        let found = self.named.iter().find(|(known, _)| *known == name);
        found.map_or("", |(_, heading)| heading)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
