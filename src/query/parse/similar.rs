//! `similarposition`

use std::path::PathBuf;

use crate::syntax::tree::Rule;
use crate::syntax::{Diagnostic, Form};

use super::builder::{Builder, Built};
use crate::query::ast::similar::Similar;
use crate::query::ast::{CondExpr, NumExpr, SortKey};

/// The title of the sort key that `similarposition` adds.
const TITLE: &[u8] = b"submission game";

impl Builder {
    /// Reads `similarposition nosort? notransform? "FILE"`. The form is next.
    pub(super) fn similar_position(&mut self, form: &Form) -> Built {
        let first = self.cursor.read_whole(form);
        let (sorted, transformed) = (!form.has(Rule::NOSORT), !form.has(Rule::NOTRANSFORM));
        let name = self.cursor.text_of(form).map(|(name, _)| name).unwrap_or_default();
        let span = self.cursor.span_from(first);
        self.found.similars += 1;
        match &self.found.similar {
            Some(known) if known.name != name || known.transformed != transformed => {
                return Err(Diagnostic::new(span, "two different `similarposition`")
                    .label("another file, or with other transforms")
                    .related(known.span, "this one is in use")
                    .hint("every `similarposition` of a query names the same file, all or none with `notransform`"));
            }
            Some(_) => {}
            None => {
                self.found.similar = Some(Similar {
                    path: PathBuf::from(String::from_utf8_lossy(&name).into_owned()),
                    name,
                    transformed,
                    span,
                });
            }
        }
        if !sorted {
            return self.complete(CondExpr::Similar, first);
        }
        let key = SortKey {
            title: TITLE.to_vec(),
            ascending: true,
            quiet: false,
            text: false,
        };
        let key = self.sort_key(key, span)?;
        self.complete(NumExpr::Similar(key), first)
    }
}
