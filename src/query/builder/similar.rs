//! `similarposition`

use std::path::PathBuf;

use crate::syntax::Diagnostic;

use super::super::similar::Similar;
use super::super::{CondExpr, NumExpr, SortKey};
use super::{Builder, Built};

/// The title of the sort key that `similarposition` brings with it.
const TITLE: &[u8] = b"submission game";

impl Builder {
    /// `similarposition nosort? notransform? "FILE"`: the word is read.
    pub(super) fn similar_position(&mut self, first: usize) -> Built {
        let (mut sorted, mut transformed) = (true, true);
        while let Some(word) = self.take_any_word(&["nosort", "notransform"]) {
            match word {
                "nosort" => sorted = false,
                _ => transformed = false,
            }
        }
        let name = self.string_literal("with the name of a PGN file")?;
        let span = self.span_from(first);
        self.similars += 1;
        match &self.similar {
            Some(known) if known.name != name || known.transformed != transformed => {
                return Err(Diagnostic::new(span, "two different `similarposition`")
                    .label("another file, or with other transforms")
                    .related(known.span, "this one is in use")
                    .hint("all of a query name one file, all or none with `notransform`"));
            }
            Some(_) => {}
            None => {
                self.similar = Some(Similar {
                    path: PathBuf::from(String::from_utf8_lossy(&name).into_owned()),
                    name,
                    transformed,
                    span,
                });
            }
        }
        if !sorted {
            self.writes_comment();
            return self.condition_word(CondExpr::Similar, first);
        }
        self.effects += 1;
        let key = SortKey {
            title: TITLE.to_vec(),
            ascending: true,
            quiet: false,
            text: false,
        };
        let key = self.sort_key(key, span)?;
        self.number_word(NumExpr::Similar(key), first)
    }
}
