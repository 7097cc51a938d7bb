//! Finds the themes that must hold somewhere in a game for a query to match there, because databases may know in which games they do.
//!
//! They are found in the query as it is written, before it is simplified.

use super::game::{GamePrefilter, either};
use crate::query::ast::facts::Facts;
use crate::query::ast::node::{Cond, Flow};
use crate::query::ast::numbers::FindCount;
use crate::query::ast::{CondExpr, Header, NamedTheme, NumExpr, PosExpr};
use crate::query::facts::purity::Purity;
use crate::syntax::token::Span;

/// The themes of a query.
pub(crate) struct Themes<'q> {
    /// The places where the query names themes.
    pub(crate) places: &'q [(Span, NamedTheme)],
    /// The whole text of the query as a theme, if nothing changes its meaning, and where that text ends.
    pub(crate) whole: Option<(&'q NamedTheme, u32)>,
    pub(crate) purity: Purity<'q>,
}

impl Themes<'_> {
    /// Returns the themes that hold somewhere in each game in which the body matches or does anything but fail.
    pub(crate) fn of(&self, body: &Cond, header: &Header) -> GamePrefilter {
        if header.matches(0) {
            return GamePrefilter::None;
        }
        let mut found = Vec::new();
        let filters: Vec<&Cond> = match &body.kind {
            CondExpr::Flow(Flow::Block { tests, value }) if self.named(body).is_none() => {
                tests.iter().chain([value]).collect()
            }
            _ => vec![body],
        };
        let pure = filters
            .iter()
            .take_while(|filter| self.front(filter, &mut found))
            .count();
        if let Some((whole, end)) = self.whole {
            let is_of_option = |filter: &&Cond| filter.span.start > end || matches!(filter.kind, CondExpr::Column(..));
            if filters[pure..].iter().all(is_of_option) {
                found.push(GamePrefilter::Theme(whole.clone()));
            }
        }
        GamePrefilter::all(found)
    }

    /// Collects the themes that hold where a condition does, up to the first impure part. Returns whether all parts are pure.
    fn front(&self, condition: &Cond, found: &mut Vec<GamePrefilter>) -> bool {
        let is_pure = || self.is_pure(&condition.facts);
        if let Some(theme) = self.named(condition) {
            // The parts of the theme have the same span.
            if is_pure() {
                found.push(GamePrefilter::Theme(theme.clone()));
            }
            return is_pure();
        }
        match &condition.kind {
            CondExpr::And(left, right) => self.front(left, found) && self.front(right, found),
            CondExpr::Flow(Flow::Group(inner) | Flow::Fixed(inner)) => self.front(inner, found),
            CondExpr::Flow(Flow::Block { tests, value }) => {
                tests.iter().chain([value]).all(|part| self.front(part, found))
            }
            CondExpr::Or(left, right) if is_pure() => {
                let alternatives = CondExpr::alternatives([left, right]).into_iter();
                let alternatives = alternatives.map(|alternative| {
                    let mut of_one = Vec::new();
                    self.front(alternative, &mut of_one);
                    GamePrefilter::all(of_one)
                });
                found.push(either(alternatives.collect()));
                true
            }
            _ if !is_pure() => false,
            // What holds at a position holds in the game.
            CondExpr::HasPosition(position) => {
                if let PosExpr::Find(find) = &position.kind {
                    self.front(&find.body, found);
                }
                true
            }
            CondExpr::HasNumber(number) => {
                if let NumExpr::Find(find, FindCount::All) = &number.kind {
                    self.front(&find.body, found);
                }
                true
            }
            _ => true,
        }
    }

    /// Returns the theme that a condition is.
    fn named(&self, condition: &Cond) -> Option<&NamedTheme> {
        let place = self.places.iter().find(|(place, _)| *place == condition.span);
        place.map(|(_, theme)| theme)
    }

    /// Returns whether a part is pure. Its cost does not matter, because it is not evaluated again.
    fn is_pure(&self, facts: &Facts) -> bool {
        self.purity.leaves_no_trace(facts)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::query::{NamedQuery, NotFound, Options, ThemeLookup, compile};
    use crate::syntax::Source;

    /// A few themes. Each name except `both` and `says` is also its filters.
    #[derive(Debug)]
    struct Named;

    impl ThemeLookup for Named {
        fn find(&self, name: &str, _: Option<&str>) -> Result<NamedQuery, NotFound> {
            let text = match name {
                "both" => "theme \"check\" mate",
                "says" => "mate message(\"here\") wtm",
                "ends" => "assert ply<3",
                name => name,
            };
            Ok(NamedQuery {
                name: name.to_owned(),
                source: Source::new(name, text),
            })
        }
    }

    fn compiled(query: &str, options: Options) -> crate::query::Query {
        let options = Options {
            themes: Some(Arc::new(Named)),
            ..options
        };
        compile(&Source::new("q", format!("cql() {query}")), &options).expect("it compiles")
    }

    /// Returns the required themes in words; the query itself is `q`.
    fn asked(query: &str) -> String {
        fn words(prefilter: &GamePrefilter) -> String {
            let joined = |parts: &[GamePrefilter], word| parts.iter().map(words).collect::<Vec<_>>().join(word);
            match prefilter {
                GamePrefilter::All(parts) => joined(parts, "&"),
                GamePrefilter::Either(parts) => format!("({})", joined(parts, "|")),
                GamePrefilter::Theme(theme) => theme.name.to_string(),
                _ => "-".to_owned(),
            }
        }
        words(&compiled(query, Options::default()).themes)
    }

    #[test]
    fn themes_in_front_of_the_first_effect_are_asked_for() {
        for (query, expected) in [
            ("mate", "q"),
            ("theme \"mate\"", "mate&q"),
            ("wtm {theme \"mate\" btm} (theme \"check\")", "mate&check&q"),
            ("theme \"both\" and theme \"check\"", "both&check&q"),
            ("theme \"mate\" or theme \"check\" and wtm", "(mate|check)&q"),
            ("theme \"mate\" or wtm", "q"),
            ("theme \"both\" or theme \"check\"", "(both|check)&q"),
            ("not theme \"mate\"", "q"),
            ("initial find {theme \"mate\"} find all theme \"check\"", "mate&check&q"),
            ("find 0 2 theme \"mate\"", "q"),
            ("({theme \"both\"})", "both&q"),
            ("(theme \"ends\")", "-"),
            ("{wtm (theme \"ends\")}", "-"),
            ("flipcolor theme \"mate\"", "q"),
            ("theme \"mate\" message(\"here\") theme \"check\"", "mate"),
            ("message(\"here\") theme \"mate\"", "-"),
            ("theme \"says\"", "says&q"),
            ("theme \"ends\" theme \"mate\"", "-"),
            ("sort \"a\" ply theme \"mate\"", "-"),
            ("x=1 theme \"mate\" ply>x", "mate&q"),
            ("function F() {theme \"mate\"} F() wtm", "q"),
        ] {
            assert_eq!(asked(query), expected, "{query}");
        }
        let of_none = compiled("theme \"mate\"", Options::default()).themes;
        assert_eq!(asked("theme \"mate\" // another text").matches('&').count(), 1);
        let again = compiled("theme \"mate\" // another text", Options::default()).themes;
        let digests = |themes: &GamePrefilter| -> Vec<_> { themes.themes().iter().map(|theme| theme.digest).collect() };
        let (first, second) = (digests(&of_none), digests(&again));
        assert!(first[0] == second[0] && first[1] != second[1], "{first:?} {second:?}");
    }

    #[test]
    fn filters_of_options_are_no_part_of_the_query() {
        let filters = |text: &str| vec![Source::new("option", text)];
        let names = |query: &str, options: Options| -> Vec<String> {
            let themes = compiled(query, options).themes;
            themes.themes().iter().map(|theme| theme.name.to_string()).collect()
        };
        let with = |text| Options {
            filters: filters(text),
            ..Options::default()
        };
        let behind = |text| Options {
            filters_after: filters(text),
            ..Options::default()
        };
        assert_eq!(names("mate", with("theme \"check\"")), ["check", "q"]);
        assert_eq!(names("mate", behind("message(\"here\")")), ["q"]);
        assert!(names("mate", with("message(\"here\")")).is_empty());
        let digest = |options| {
            compiled("mate", options)
                .themes
                .themes()
                .last()
                .map(|theme| theme.digest)
        };
        assert_eq!(digest(with("theme \"check\"")), digest(Options::default()));
        let transformed = Options {
            transforms: filters("flip"),
            ..Options::default()
        };
        assert!(names("Ra1", transformed).is_empty());
        let columns = Options {
            columns: filters("ply"),
            ..Options::default()
        };
        assert_eq!(names("mate", columns), ["q"]);
        let header = "cql(matchcount 0 2) mate";
        let themes = compile(&Source::new("q", header), &Options::default())
            .expect("it compiles")
            .themes;
        assert!(themes.is_none());
    }

    #[test]
    fn a_digest_stands_for_all_texts_behind_a_theme() {
        #[derive(Debug)]
        struct Nested(&'static str);
        impl ThemeLookup for Nested {
            fn find(&self, name: &str, _: Option<&str>) -> Result<NamedQuery, NotFound> {
                let text = if name == "outer" { "theme \"inner\"" } else { self.0 };
                Ok(NamedQuery {
                    name: name.to_owned(),
                    source: Source::new(name, text),
                })
            }
        }
        let digests = |inner| {
            let options = Options {
                themes: Some(Arc::new(Nested(inner))),
                ..Options::default()
            };
            let query = compile(&Source::new("q", "cql() theme \"outer\""), &options).expect("it compiles");
            let themes = query.themes.themes();
            themes.iter().map(|theme| theme.digest).collect::<Vec<_>>()
        };
        let (mate, check) = (digests("mate"), digests("check"));
        assert!(mate[0] != check[0] && mate[1] != check[1], "{mate:?} {check:?}");
        assert_eq!(mate, digests("mate"));
    }
}
