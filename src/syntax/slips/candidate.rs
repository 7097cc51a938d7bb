//! A possible correction of a part of a text.

use super::super::source::Source;
use super::super::token::Span;

/// The length of the longest replacement that messages show.
const LONGEST_SHOWN: usize = 100;

/// A possible correction of a part of a text.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// A message about the place, for errors whose own message would mislead.
    pub(crate) message: Option<&'static str>,
    /// The row of the table that it comes from, or the name of the code that found it.
    pub(super) row: &'static str,
    /// The text that it is about.
    pub(crate) span: Span,
    /// Parts of the text with their replacements.
    pub(crate) edits: Vec<(Span, String)>,
    /// The advice: how to say it in CQL.
    pub(crate) says: &'static str,
    /// A title that says in the imperative what the edits do. An edit of one place needs none.
    pub(crate) title: Option<&'static str>,
    /// Whether it is used only if the compiler has no proposal of its own.
    pub(crate) is_bold: bool,
}

impl Candidate {
    pub(super) fn new(span: Span, text: impl Into<String>, says: &'static str) -> Candidate {
        Candidate {
            message: None,
            row: says,
            span,
            edits: vec![(span, text.into())],
            says,
            title: None,
            is_bold: false,
        }
    }

    /// Returns whether it is another correction of the same slip.
    pub(crate) fn is_alternative_to(&self, other: &Candidate) -> bool {
        self.span == other.span && self.row == other.row && self.edits != other.edits
    }

    /// Returns the replacement as messages show it, or `None` if it would be too long.
    pub(crate) fn shown(&self, source: &Source) -> Option<String> {
        let ([(span, text)], None) = (self.edits.as_slice(), self.title) else {
            return None;
        };
        let text = text.trim();
        let is_part = !self.span.contains(*span) || *span != self.span;
        match text {
            _ if is_part || text.len() > LONGEST_SHOWN || text.contains('\n') => None,
            "" => Some(format!("it without `{}`", source.slice(*span))),
            text => Some(format!("`{text}`")),
        }
    }

    pub(super) fn with_message(mut self, message: &'static str) -> Candidate {
        self.message = Some(message);
        self
    }
}
