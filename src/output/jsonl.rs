//! Matching positions as JSON.

use std::borrow::Cow;

use serde::ser::{Serialize, Serializer};

use super::columns::Column;
use super::facts::GameFacts;
use super::format::{Format, FormatTraits};
use super::game_row::Cell;
use super::look::Look;
use super::row::{self, Row};
use super::text::{text, titles};
use crate::eval::report::{Extras, GameReport, SortValue};
use crate::query::SortKey;

/// One JSON object per line for each matching position. It has the columns of the table; `sort` with the titles and values of the sort keys,
/// if the query sorts; and `tags` with the tags that `settag` set, if any. Unknown values are `null`.
pub(super) struct Jsonl {
    titles: Vec<String>,
    look: Look,
}

impl Jsonl {
    pub(super) fn new(keys: &[SortKey], look: &Look) -> Jsonl {
        Jsonl {
            titles: titles(keys).collect(),
            look: look.clone(),
        }
    }
}

impl Format for Jsonl {
    fn extras(&self) -> Extras {
        Extras::REMARKS | Column::extras(&self.look.columns)
    }

    fn traits(&self) -> FormatTraits {
        FormatTraits::TAGS
    }

    fn game(&self, game: &dyn GameFacts, report: &GameReport, out: &mut Vec<u8>) {
        for row in row::rows(game, report, &self.look) {
            let line = Line {
                row,
                sort: Sort {
                    titles: &self.titles,
                    values: &report.keys,
                },
                tags: Tags(&report.tags),
            };
            // Neither the values nor a vector can make it fail.
            let _ = serde_json::to_writer(&mut *out, &line);
            out.push(b'\n');
        }
    }
}

#[derive(serde::Serialize)]
struct Line<'a> {
    #[serde(flatten)]
    row: Row<'a>,
    #[serde(skip_serializing_if = "Sort::is_empty")]
    sort: Sort<'a>,
    #[serde(skip_serializing_if = "Tags::is_empty")]
    tags: Tags<'a>,
}

struct Sort<'a> {
    titles: &'a [String],
    values: &'a [Option<SortValue>],
}

impl Sort<'_> {
    fn is_empty(&self) -> bool {
        self.titles.is_empty()
    }
}

impl Serialize for Sort<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let cells = self.values.iter().map(|value| Cell::of_sort_key(value.as_ref()));
        serializer.collect_map(self.titles.iter().zip(cells))
    }
}

struct Tags<'a>(&'a [(Vec<u8>, Vec<u8>)]);

impl Tags<'_> {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Tags<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let pairs = self
            .0
            .iter()
            .map(|(name, value)| (text(Cow::Borrowed(name)), text(Cow::Borrowed(value))));
        serializer.collect_map(pairs)
    }
}
