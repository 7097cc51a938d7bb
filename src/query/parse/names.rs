//! The namespace of a query: variables, dictionaries and functions, each known from its first declaration.

use std::collections::HashMap;

use crate::syntax::Diagnostic;
use crate::syntax::token::Span;

use crate::query::ast::BoundName;
use crate::query::ast::variables::{DictionaryId, Variable};

/// The meaning of a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Name {
    Variable(Variable),
    Dictionary(DictionaryId),
    /// A function, by its index.
    Function(usize),
}

impl Name {
    pub(super) fn described(self) -> &'static str {
        match self {
            Name::Variable(variable) => variable.described(),
            Name::Dictionary(_) => "a dictionary",
            Name::Function(_) => "a function",
        }
    }
}

/// The names declared so far, in order.
#[derive(Default)]
pub(super) struct Names {
    meaning: HashMap<String, Name>,
    order: Vec<String>,
}

/// A name that `isbound` asks about, or a variable that `assert` does. A name may be declared later.
pub(super) enum Asked {
    Name(String),
    Variable(Variable),
}

impl Names {
    pub(super) fn get(&self, name: &str) -> Option<Name> {
        self.meaning.get(name).copied()
    }

    pub(super) fn declare(&mut self, name: &str, meaning: Name) {
        self.meaning.insert(name.to_owned(), meaning);
        self.order.push(name.to_owned());
    }

    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    /// Forgets all names except the first `length`.
    pub(super) fn truncate(&mut self, length: usize) {
        for name in self.order.drain(length..) {
            self.meaning.remove(&name);
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        self.order.iter().map(String::as_str)
    }

    /// Returns the names of the text with descriptions, without those that calls of functions make.
    pub(super) fn described(&self) -> Vec<(String, &'static str)> {
        let written = self.order.iter().filter(|name| !name.contains(' '));
        written
            .filter_map(|name| Some((name.clone(), self.get(name)?.described())))
            .collect()
    }

    /// Returns what a name that `isbound` asks about turned out to be.
    pub(super) fn bound(&self, asked: Asked) -> BoundName {
        match asked {
            Asked::Variable(variable) => BoundName::Variable(variable),
            Asked::Name(name) => match self.get(&name) {
                Some(Name::Variable(variable)) => BoundName::Variable(variable),
                Some(Name::Dictionary(_)) => BoundName::Always,
                Some(Name::Function(_)) | None => BoundName::Never,
            },
        }
    }
}

/// Returns an error for a name that already has another meaning.
pub(super) fn in_use(name: &str, span: Span, other: Name, wanted: &str) -> Diagnostic {
    Diagnostic::new(span, format!("`{name}` cannot be {wanted}"))
        .label(format!("it is {} since its first use", other.described()))
        .hint("a name has one meaning in the whole query; choose another")
}
