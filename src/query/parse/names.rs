//! The name space of a query: variables, dictionaries and functions, known from where the text first declares them.

use std::collections::HashMap;

use crate::syntax::Diagnostic;
use crate::syntax::token::Span;

use crate::query::ast::BoundName;
use crate::query::ast::variables::{DictionaryId, Variable};

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Name {
    Variable(Variable),
    Dictionary(DictionaryId),
    /// Index of the function.
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
    /// The names that `isbound` asks for; they may be declared later.
    asked: Vec<Asked>,
    /// How many names are asked for in the texts around this one.
    asked_around: usize,
}

/// What `isbound` asks for.
enum Asked {
    /// A name of this text.
    Name(String),
    /// A name of a theme, which has been read.
    Resolved(BoundName),
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

    /// Forgets all but the first names.
    pub(super) fn truncate(&mut self, length: usize) {
        for name in self.order.drain(length..) {
            self.meaning.remove(&name);
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        self.order.iter().map(String::as_str)
    }

    /// The names of the text with what they are; not those that calls of functions make.
    pub(super) fn described(&self) -> Vec<(String, &'static str)> {
        let written = self.order.iter().filter(|name| !name.contains(' '));
        written
            .filter_map(|name| Some((name.clone(), self.get(name)?.described())))
            .collect()
    }

    /// The place of a name among those that `isbound` asks for.
    pub(super) fn ask(&mut self, name: &str) -> u32 {
        self.asked.push(Asked::Name(name.to_owned()));
        (self.asked_around + self.asked.len() - 1) as u32
    }

    /// How many names `isbound` asks for.
    pub(super) fn asked(&self) -> usize {
        self.asked.len()
    }

    /// The names of a text inside this one, which knows none of these.
    pub(super) fn inner(&self) -> Names {
        Names {
            asked_around: self.asked_around + self.asked.len(),
            ..Names::default()
        }
    }

    /// Continues after a text inside this one.
    pub(super) fn leave(&mut self, inner: Names) {
        let asked = inner.asked.iter();
        self.asked
            .extend(asked.map(|asked| Asked::Resolved(inner.resolved(asked))));
    }

    /// What the names that `isbound` asks for turned out to be.
    pub(super) fn resolve_bound(&self) -> Vec<BoundName> {
        self.asked.iter().map(|asked| self.resolved(asked)).collect()
    }

    fn resolved(&self, asked: &Asked) -> BoundName {
        match asked {
            Asked::Resolved(name) => *name,
            Asked::Name(name) => match self.get(name) {
                Some(Name::Variable(variable)) => BoundName::Variable(variable),
                Some(Name::Dictionary(_)) => BoundName::Always,
                Some(Name::Function(_)) | None => BoundName::Never,
            },
        }
    }
}

/// An error for a name that already stands for something else.
pub(super) fn in_use(name: &str, span: Span, other: Name, wanted: &str) -> Diagnostic {
    Diagnostic::new(span, format!("`{name}` cannot be {wanted}"))
        .label(format!("it is {} since its first use", other.described()))
        .hint("a name has one meaning in the whole query; choose another")
}
