//! Answers as texts that an assistant can act on.

use std::fmt::Write;

use crate::service::check::{Question, check};
use crate::service::{Diagnostic, Edit, Elsewhere, Error, Severity};

/// The largest size of an answer, in bytes.
pub(super) const LONGEST: usize = 32 << 10;

/// The size up to which a query is repeated with its errors fixed.
const LONGEST_REPEATED: usize = 4 << 10;

/// Returns what is wrong with a query, and the query after the first fix for each error.
pub(super) fn diagnostics(diagnostics: &[Diagnostic], query: &str) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_all(&mut text, diagnostics, query);
    text
}

fn write_all(out: &mut String, diagnostics: &[Diagnostic], query: &str) -> std::fmt::Result {
    for diagnostic in diagnostics {
        write_diagnostic(out, diagnostic, query)?;
    }
    let errors = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == Severity::Error);
    let edits: Vec<&Edit> = errors
        .filter_map(|error| error.fixes.first())
        .flat_map(|fix| &fix.edits)
        .collect();
    if edits.is_empty() || query.len() > LONGEST_REPEATED {
        return Ok(());
    }
    let mended = mended(query, edits);
    let still = match check(Question { query: mended.clone() }) {
        Ok(answer) if answer.ok => "which is a query",
        _ => "which has other errors",
    };
    writeln!(out, "with this advice taken, {still}:")?;
    mended.lines().try_for_each(|line| writeln!(out, "    {line}"))
}

fn write_diagnostic(out: &mut String, diagnostic: &Diagnostic, query: &str) -> std::fmt::Result {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let Diagnostic {
        line, column, message, ..
    } = diagnostic;
    write!(out, "{severity} in line {line}, column {column}: {message}")?;
    if !diagnostic.label.is_empty() {
        write!(out, " ({})", diagnostic.label)?;
    }
    out.push('\n');
    if let Some(place) = part(query, diagnostic.from, diagnostic.to) {
        writeln!(out, "  at: {place}")?;
    }
    if let Some(elsewhere) = &diagnostic.elsewhere {
        let Elsewhere {
            name,
            line,
            column,
            message,
        } = elsewhere;
        writeln!(out, "  in the query {name}, line {line}, column {column}: {message}")?;
    }
    for related in &diagnostic.related {
        if let Some(place) = part(query, related.from, related.to) {
            writeln!(out, "  see: {place}: {}", related.message)?;
        }
    }
    for help in &diagnostic.help {
        writeln!(out, "  advice: {help}")?;
    }
    for fix in &diagnostic.fixes {
        writeln!(out, "  change: {}", fix.title)?;
    }
    Ok(())
}

/// Returns a part of a text, if it is short enough to be shown.
fn part(text: &str, from: usize, to: usize) -> Option<String> {
    let units = text.encode_utf16().skip(from).take(to.saturating_sub(from));
    let part = String::from_utf16_lossy(&units.collect::<Vec<_>>());
    let is_short = !part.trim().is_empty() && part.len() < 200 && !part.contains('\n');
    is_short.then_some(part)
}

/// Applies edits to a text. If two overlap, the first one is applied.
fn mended(text: &str, mut edits: Vec<&Edit>) -> String {
    let mut units: Vec<u16> = text.encode_utf16().collect();
    edits.sort_by_key(|edit| edit.from);
    edits.dedup_by(|edit, before| edit.from < before.to);
    // Going backwards, an edit does not move the places of those before it.
    for edit in edits.into_iter().rev() {
        let end = edit.to.min(units.len());
        units.splice(edit.from.min(end)..end, edit.insert.encode_utf16());
    }
    String::from_utf16_lossy(&units)
}

/// Returns why there is no answer, with errors of the query shown in its text.
pub(super) fn error(error: &Error, query: &str) -> String {
    if !error.diagnostics.is_empty() {
        return diagnostics(&error.diagnostics, query);
    }
    let mut text = error.message.clone();
    if let Some(hint) = &error.hint {
        let _ = write!(text, "\nadvice: {hint}");
    }
    text
}

/// Cuts a text that is too long, and says so.
pub(super) fn bounded(mut text: String) -> String {
    if text.len() > LONGEST {
        text.truncate(text.floor_char_boundary(LONGEST));
        text.push_str("\n… (cut here: the answer is longer than 32 kB)\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_count_in_units_of_utf_16() {
        let edit = |from, to, insert: &str| Edit {
            from,
            to,
            insert: insert.to_owned(),
        };
        let edits = [edit(10, 16, "attacks"), edit(0, 2, "🨀"), edit(12, 20, "lost")];
        assert_eq!(
            mended("🨁 \"äö\" R attcks k", edits.iter().collect()),
            "🨀 \"äö\" R attacks k"
        );
        assert_eq!(part("🨁 \"äö\" R", 4, 6).as_deref(), Some("äö"));
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        let text = bounded("ä".repeat(LONGEST));
        assert!(text.len() < LONGEST + 80 && text.contains("cut here"));
        assert_eq!(bounded("short".to_owned()), "short");
    }
}
