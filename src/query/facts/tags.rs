//! Finds the tags of a game that a query reads, so that readers can skip the others.

use std::collections::BTreeSet;

use crate::board::Color;
use crate::query::ast::hhdb::StudyCond;
use crate::query::ast::numbers::Measure;
use crate::query::ast::visit::Child;
use crate::query::ast::{Cond, CondExpr, NumExpr, StrExpr};

/// The tags that are read. `Result` and `FEN` are known for every game and do not count.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct TagUse {
    /// Tags by name.
    pub names: BTreeSet<Vec<u8>>,
    /// Whether all tags that may hold a rating are read, in their order.
    pub ratings: bool,
    /// Whether every tag is read.
    pub all: bool,
}

impl TagUse {
    /// Returns a value with all tags.
    pub(crate) fn all() -> TagUse {
        TagUse {
            all: true,
            ..TagUse::default()
        }
    }

    /// Returns the tags that filters read.
    pub(crate) fn of<'q>(filters: impl Iterator<Item = &'q Cond>) -> TagUse {
        let mut found = TagUse::default();
        filters.for_each(|filter| found.child(Child::Condition(filter)));
        found
    }

    /// Returns the tags that a string reads itself, not through its parts.
    pub(crate) fn of_string(string: &StrExpr) -> TagUse {
        let mut found = TagUse::default();
        found.string(string);
        found
    }

    /// Returns the tags of both.
    #[must_use]
    pub(crate) fn union(mut self, other: TagUse) -> TagUse {
        self.names.extend(other.names);
        self.ratings |= other.ratings;
        self.all |= other.all;
        self
    }

    /// Returns whether a tag is read.
    pub(crate) fn has(&self, name: &[u8]) -> bool {
        let is_rating = || name.starts_with(b"White") || name.starts_with(b"Black");
        self.all || self.names(name) || (self.ratings && is_rating())
    }

    /// Returns whether a tag is read by its name. `UTCDate` is used if `Date` says nothing.
    pub(crate) fn names(&self, name: &[u8]) -> bool {
        self.names.contains(name) || (name == b"UTCDate" && self.names.contains(&b"Date"[..]))
    }

    fn name(&mut self, name: &[u8]) {
        if !matches!(name, b"FEN" | b"Result") {
            self.names.insert(name.to_vec());
        }
    }

    fn player(&mut self, color: Color) {
        self.name(color.fold_wb(b"White", b"Black"));
    }

    fn child(&mut self, child: Child<'_>) {
        match &child {
            Child::Number(number) => self.number(&number.kind),
            Child::String(string) => self.string(&string.kind),
            Child::Condition(condition) => self.condition(&condition.kind),
            _ => {}
        }
        child.parts(&mut |part| self.child(part));
    }

    fn number(&mut self, number: &NumExpr) {
        match number {
            NumExpr::Rating(_) | NumExpr::BestRating => self.ratings = true,
            NumExpr::Year => self.name(b"Date"),
            NumExpr::TimeControl(_) | NumExpr::Measure(Measure::Elapsed) => self.name(b"TimeControl"),
            NumExpr::Study(_) => self.all = true,
            _ => {}
        }
    }

    fn string(&mut self, string: &StrExpr) {
        match string {
            StrExpr::Player(color) | StrExpr::PlayerTag(color) => self.player(*color),
            StrExpr::Players => [Color::White, Color::Black]
                .into_iter()
                .for_each(|color| self.player(color)),
            StrExpr::Tag(name) => self.name(name),
            StrExpr::Study(_) => self.all = true,
            _ => {}
        }
    }

    fn condition(&mut self, condition: &CondExpr) {
        if let CondExpr::Study(study) = condition {
            self.all |= !matches!(study, StudyCond::Mark(_));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::query;
    use crate::query::parse::Options;
    use crate::syntax::Source;

    fn names(filters: &str) -> (Vec<String>, bool) {
        let source = Source::new("q.cql", format!("cql() {filters}"));
        let query = query::compile(&source, &Options::default()).unwrap();
        let found = query.tags();
        let names = found
            .names
            .iter()
            .map(|name| String::from_utf8_lossy(name).into_owned());
        (names.collect(), found.ratings)
    }

    #[test]
    fn tags_are_found_wherever_they_stand() {
        assert_eq!(names("mate R"), (vec![], false));
        assert_eq!(names("mate elo white > 2700"), (vec![], true));
        assert_eq!(names("player white ~~ \"K\" check"), (vec!["White".to_owned()], false));
        assert_eq!(
            names("flipcolor {check message(event) find {year > 1990}} tag \"FEN\""),
            (vec!["Date".to_owned(), "Event".to_owned()], false)
        );
    }
}
