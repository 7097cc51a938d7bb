//! All errors of a text, not the first alone: behind each, the text is read on as if its advice had been taken.

use crate::syntax::token::Span;
use crate::syntax::{Diagnostic, Fix, Source};

use super::super::Options;
use super::slips;

/// So many bytes are compiled for each error at most: one error of a long text, many of a short one.
const MOST_BYTES: usize = 200_000;

/// No more errors than this are of use to anybody.
const MOST: usize = 30;

/// What an error is replaced by where nobody knows what was meant: a value of some type, or nothing.
const STOPGAPS: [&str; 5] = [".", "1", "\"a\"", "check", ""];

/// The errors of a text whose first is known, in the order in which they are met.
pub(super) fn errors(source: &Source, options: &Options, first: Diagnostic) -> Vec<Diagnostic> {
    let most = (MOST_BYTES / source.text().len().max(1)).clamp(1, MOST);
    let mut errors = vec![first.clone()];
    let (mut draft, mut error) = (Draft::of(source), first);
    while errors.len() < most {
        let Some((repaired, Some(next))) = draft.repaired(&error, options) else {
            break;
        };
        draft = repaired;
        let Some(written) = draft.as_written(&next) else { break };
        errors.push(written);
        error = next;
    }
    errors
}

/// A text with some repairs.
struct Draft {
    source: Source,
    /// What it consists of.
    parts: Vec<Part>,
}

/// A part of a draft.
#[derive(Clone, Copy)]
struct Part {
    length: u32,
    /// Where it stands in the text as it is written; nothing for a repair.
    written: Option<u32>,
}

impl Draft {
    fn of(source: &Source) -> Draft {
        let whole = Part {
            length: u32::try_from(source.text().len()).unwrap_or(u32::MAX),
            written: Some(0),
        };
        Draft {
            source: Source::new(source.name(), source.text().to_owned()),
            parts: vec![whole],
        }
    }

    /// The draft in which an error is mended so far that the next one, if there is one, is behind it.
    fn repaired(&self, error: &Diagnostic, options: &Options) -> Option<(Draft, Option<Diagnostic>)> {
        let before = self.place(error.span.start, false)?;
        let advised = error.fixes.first().map(|fix| (fix.edits.clone(), true));
        let stopgaps = STOPGAPS
            .iter()
            .map(|text| (vec![(error.span, (*text).to_owned())], false));
        advised.into_iter().chain(stopgaps).find_map(|(edits, is_advised)| {
            let draft = self.changed(&edits);
            let Err(next) = slips::compiled(&draft.source, options) else {
                return Some((draft, None));
            };
            let place = draft.place(next.span.start, false)?;
            let is_another = is_advised && place == before && next.message != error.message;
            (place > before || is_another).then(|| {
                let next = slips::advised(&draft.source, options, next);
                (draft, Some(next))
            })
        })
    }

    /// The draft after some edits, none of which overlap.
    fn changed(&self, edits: &[(Span, String)]) -> Draft {
        let mut edits: Vec<_> = edits.iter().collect();
        edits.sort_by_key(|(span, _)| *span);
        let mut text = String::new();
        let mut parts = Vec::new();
        let mut at = 0;
        for (span, new) in edits {
            text += &self.source.text()[at as usize..span.start as usize];
            text += new;
            parts.extend(self.parts_between(at, span.start));
            parts.push(Part {
                length: u32::try_from(new.len()).unwrap_or(u32::MAX),
                written: None,
            });
            at = span.end;
        }
        text += &self.source.text()[at as usize..];
        parts.extend(self.parts_between(at, u32::MAX));
        Draft {
            source: Source::new(self.source.name(), text),
            parts,
        }
    }

    /// The parts with where they begin.
    fn placed(&self) -> impl Iterator<Item = (u32, Part)> {
        self.parts.iter().scan(0, |at, part| {
            let start = *at;
            *at += part.length;
            Some((start, *part))
        })
    }

    /// The parts between two places.
    fn parts_between(&self, from: u32, to: u32) -> impl Iterator<Item = Part> {
        self.placed().filter_map(move |(start, part)| {
            let (first, last) = (start.max(from), (start + part.length).min(to));
            (first < last).then(|| Part {
                length: last - first,
                written: part.written.map(|written| written + (first - start)),
            })
        })
    }

    /// The place in the text as it is written; of an end, that behind what is in front of it.
    fn place(&self, offset: u32, is_end: bool) -> Option<u32> {
        let mut parts = self.placed();
        let (start, part) = parts.find(|(start, part)| {
            let end = start + part.length;
            let is_last = self.source.text().len() == end as usize;
            *start <= offset && (offset < end || (is_end || is_last) && offset == end)
        })?;
        part.written.map(|written| written + (offset - start))
    }

    /// The span in the text as it is written, if it begins and ends there.
    fn span(&self, span: Span) -> Option<Span> {
        let start = self.place(span.start, span.end == span.start)?;
        let end = self.place(span.end, true)?;
        (start <= end).then_some(Span { start, end })
    }

    /// An error of the draft as one of the text as it is written.
    fn as_written(&self, error: &Diagnostic) -> Option<Diagnostic> {
        let fixes = error.fixes.iter().filter_map(|fix| {
            let edits = fix.edits.iter();
            let edits: Option<_> = edits
                .map(|(span, new)| Some((self.span(*span)?, new.clone())))
                .collect();
            Some(Fix {
                title: fix.title.clone(),
                edits: edits?,
            })
        });
        let related = error.related.iter();
        Some(Diagnostic {
            span: self.span(error.span)?,
            related: related
                .filter_map(|(span, label)| Some((self.span(*span)?, label.clone())))
                .collect(),
            fixes: fixes.collect(),
            ..error.clone()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is underlined in a text, and what the first change of each error writes.
    fn found(text: &str) -> Vec<(String, String)> {
        let source = Source::new("q.cql", text.to_owned());
        let options = Options::default();
        let Err(first) = super::super::compile(&source, &options) else {
            return Vec::new();
        };
        let errors = errors(&source, &options, first).into_iter();
        errors
            .map(|error| {
                let change = error.fixes.first().map(|fix| fix.edits[0].1.clone());
                (source.slice(error.span).to_owned(), change.unwrap_or_default())
            })
            .collect()
    }

    #[test]
    fn each_error_has_its_own_advice() {
        for (text, expected) in [
            (
                "cql() rook mate in 3",
                &[
                    ("rook", "[Rr]"),
                    (
                        "in",
                        "legal --({legal -- move legal all:legal --({legal -- move legal all:legal --(mate)})})",
                    ),
                ][..],
            ),
            (
                "cql() player Morphy site lichess chekc",
                &[
                    ("Morphy", "player \"Morphy\""),
                    ("lichess", "site \"lichess\""),
                    ("chekc", "check"),
                ],
            ),
            (
                "cql() zork rook qwerty Qe4Re5",
                &[("zork", ""), ("rook", "[Rr]"), ("qwerty", ""), ("Qe4Re5", "Qe4 Re5")],
            ),
            (
                "cql() s∈R {s attcks k} ply = 5",
                &[("∈", "∊"), ("attcks", "attacks"), ("=", "ply==5")],
            ),
            ("cql() check && mat", &[("&&", " and "), ("mat", "mate")]),
            ("cql() € chekc", &[("€", ""), ("chekc", "check")]),
            ("cql() player \"Morphy\nchekc", &[("\"", "\""), ("chekc", "check")]),
            (
                "chekc\nmat",
                &[("chekc", "cql()\n"), ("chekc", "check"), ("mat", "mate")],
            ),
            ("cql() {R attcks k", &[("{", " }"), ("attcks", "attacks")]),
            ("cql() mate", &[]),
        ] {
            let found = found(text);
            let found: Vec<_> = found
                .iter()
                .map(|(place, change)| (place.as_str(), change.as_str()))
                .collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
