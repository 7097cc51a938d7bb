//! What was probably meant by a part of a text.

use super::super::source::Source;
use super::super::token::Span;

/// Messages show no longer texts.
const LONGEST_SHOWN: usize = 100;

/// What was probably meant by a part of a text.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// What is wrong, where the error of the compiler would mislead, with the place.
    pub(crate) message: Option<&'static str>,
    /// The row of a table that it is from, or the name of what has found it.
    pub(super) row: &'static str,
    /// The text that is looked at.
    pub(crate) span: Span,
    /// What is replaced by what.
    pub(crate) edits: Vec<(Span, String)>,
    /// How CQL says it.
    pub(crate) says: &'static str,
    /// What the edits do, as an order; not for those that change one place.
    pub(crate) title: Option<&'static str>,
    /// It counts only where the compiler has nothing to propose.
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

    /// Whether it is another way out of the same slip.
    pub(crate) fn is_alternative_to(&self, other: &Candidate) -> bool {
        self.span == other.span && self.row == other.row && self.edits != other.edits
    }

    /// What is written instead, as messages show it; nothing if it would not be short.
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
