//! Finds all errors of a text, not only the first: after each, the text is read on as if the advice had been followed.

use crate::syntax::token::Span;
use crate::syntax::{Diagnostic, Fix, Source, parse};

use super::options::Options;
use super::slips;

/// The maximum number of bytes to compile in total: a long text has few errors reported, a short one many.
const MOST_BYTES: usize = 200_000;

/// The maximum number of errors. More are of no use.
const MOST: usize = 30;

/// Replacements for an error without advice: a value of each type, or nothing.
const STOPGAPS: [&str; 5] = [".", "1", "\"a\"", "check", ""];

/// Returns the errors of a text in the order in which they are met. `first` is the first error.
pub(super) fn errors(source: &Source, options: &Options, first: Diagnostic) -> Vec<Diagnostic> {
    let most = (MOST_BYTES / source.text().len().max(1)).clamp(1, MOST);
    let mut errors = vec![first.clone()];
    let (mut draft, mut error) = (Draft::of(source), first);
    while errors.len() < most {
        let Some((repaired, Some(next))) = draft.repaired(&error, &errors, options) else {
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
    /// The segments that make up the text.
    parts: Vec<Segment>,
}

/// A segment of a draft.
#[derive(Clone, Copy)]
struct Segment {
    length: u32,
    /// Its place in the original text.
    written: u32,
    /// Whether it is a repair, which replaces original text or is inserted.
    is_repair: bool,
}

impl Draft {
    fn of(source: &Source) -> Draft {
        let whole = Segment {
            length: u32::try_from(source.text().len()).unwrap_or(u32::MAX),
            written: 0,
            is_repair: false,
        };
        Draft {
            source: Source::new(source.name(), source.text().to_owned()),
            parts: vec![whole],
        }
    }

    /// Repairs an error so that the compiler gets further. Returns the draft and the next error, if there is one.
    fn repaired(
        &self,
        error: &Diagnostic,
        known: &[Diagnostic],
        options: &Options,
    ) -> Option<(Draft, Option<Diagnostic>)> {
        let before = self.place(error.span.start);
        // Errors in tokens are found before all other errors.
        let is_lexical = parse(&self.source).is_err();
        let advised = error.fixes.first().map(|fix| fix.edits.clone());
        let stopgaps = STOPGAPS.iter().map(|text| vec![(error.span, (*text).to_owned())]);
        // Options follow the text, so their errors are outside of it.
        let is_place = |place: u32| self.source.text().is_char_boundary(place as usize);
        let is_inside =
            |edits: &Vec<(Span, String)>| edits.iter().all(|(span, _)| is_place(span.start) && is_place(span.end));
        advised.into_iter().chain(stopgaps).filter(is_inside).find_map(|edits| {
            let draft = self.changed(&edits);
            let Err(next) = slips::typed(&draft.source, options) else {
                return Some((draft, None));
            };
            let written = draft.as_written(&next)?;
            let is_new = known
                .iter()
                .all(|known| known.span != written.span || known.message != written.message);
            // A change before the error may lead to another error at the same place.
            let is_in_front = edits.iter().all(|(span, _)| span.end <= error.span.start);
            let is_further = written.span.start > before || is_lexical && written.span.start < before;
            (is_new && (is_further || is_in_front)).then(|| {
                let next = slips::advised(&draft.source, options, next);
                (draft, Some(next))
            })
        })
    }

    /// Returns the draft after some edits, which must not overlap.
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
            parts.push(Segment {
                length: u32::try_from(new.len()).unwrap_or(u32::MAX),
                written: self.place(span.start),
                is_repair: true,
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

    /// Returns the segments with the offsets where they begin.
    fn placed(&self) -> impl Iterator<Item = (u32, Segment)> {
        self.parts.iter().scan(0, |at, part| {
            let start = *at;
            *at += part.length;
            Some((start, *part))
        })
    }

    /// Returns the segments between two offsets.
    fn parts_between(&self, from: u32, to: u32) -> impl Iterator<Item = Segment> {
        self.placed().filter_map(move |(start, part)| {
            let (first, last) = (start.max(from), (start + part.length).min(to));
            (first < last).then(|| Segment {
                length: last - first,
                written: part.written + if part.is_repair { 0 } else { first - start },
                ..part
            })
        })
    }

    /// Returns the offset in the original text. Everything in a repair has the offset of the repair.
    fn place(&self, offset: u32) -> u32 {
        let found = self.written(offset, |start, end| start <= offset && offset < end);
        found.unwrap_or_else(|| self.end(offset))
    }

    /// Does the same for the end of a span: the segment before it decides.
    fn end(&self, offset: u32) -> u32 {
        self.written(offset, |start, end| start < offset && offset <= end)
            .unwrap_or(0)
    }

    /// Returns the offset in the original text, by the first segment between whose start and end it is.
    fn written(&self, offset: u32, is_between: impl Fn(u32, u32) -> bool) -> Option<u32> {
        let is_at = |(start, part): &(u32, Segment)| is_between(*start, start + part.length);
        let (start, part) = self.placed().find(is_at)?;
        Some(part.written + if part.is_repair { 0 } else { offset - start })
    }

    /// Returns the span in the original text.
    fn span(&self, span: Span) -> Span {
        let start = self.place(span.start);
        let end = if span.end > span.start {
            self.end(span.end)
        } else {
            start
        };
        Span {
            start,
            end: end.max(start),
        }
    }

    /// Returns an error of the draft as an error of the original text, or `None` if it is only about a repair.
    fn as_written(&self, error: &Diagnostic) -> Option<Diagnostic> {
        let span = self.span(error.span);
        if span.range().is_empty() && !error.span.range().is_empty() {
            return None;
        }
        let fixes = error.fixes.iter().map(|fix| Fix {
            title: fix.title.clone(),
            edits: fix
                .edits
                .iter()
                .map(|(span, new)| (self.span(*span), new.clone()))
                .collect(),
        });
        let related = error
            .related
            .iter()
            .map(|(span, label)| (self.span(*span), label.clone()));
        Some(Diagnostic {
            span,
            related: related.collect(),
            fixes: fixes.collect(),
            ..error.clone()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the underlined text of each error, and the replacement of its first fix.
    fn found(text: &str) -> Vec<(String, String)> {
        let source = Source::new("q.cql", text.to_owned());
        let options = Options::default();
        let Err(first) = crate::query::compile(&source, &options) else {
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
            ("cql() {R attcks k", &[("{", "}"), ("attcks", "attacks")]),
            (
                "cql() € rook\nplayer Tal event \"Linares",
                &[("€", ""), ("\"", "\""), ("rook", "[Rr]"), ("Tal", "player \"Tal\"")],
            ),
            ("cql() [RQ attacks k", &[("[", "]"), ("RQ", "[RQ]")]),
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
