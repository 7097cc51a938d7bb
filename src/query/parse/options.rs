//! The settings of the compiler, apart from the text of the query.

use std::sync::Arc;

use crate::chess::Variant;
use crate::syntax::token::Span;
use crate::syntax::{BeyondWords, Diagnostic, Source};
use crate::tablebase::Tablebase;

use super::theme_lookup::ThemeLookup;
use crate::query::ast::{CommentLevel, Header};
use crate::query::shortcuts::Shortcuts;

/// The settings of the compiler, apart from the text of the query.
///
/// Filters that come from options are separate texts, so that errors in them point at the option. Their places continue after the end of
/// the query; [`Options::text_of`] finds the text of a place.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Whether the text consists of filters without a header.
    pub filters_only: bool,
    /// Items that replace those of the header.
    pub header: HeaderOptions,
    /// Filters before the body. Each text may have several.
    pub filters: Vec<Source>,
    /// Filters after the body. Each text may have several.
    pub filters_after: Vec<Source>,
    /// Filters whose values are kept for each match, in this order. They may read variables that the query declares.
    pub columns: Vec<Source>,
    /// Whether the side of each match is kept.
    pub sides: MatchSides,
    /// A part of a player's name, in any case. The side of a match must be the side of this player: White for the query as written, Black
    /// for exchanged colours.
    pub by_player: Option<Vec<u8>>,
    /// Filters that look only at tags. A game that fails one of them is not evaluated, like a game whose result is not the one in the
    /// header.
    pub selection: Vec<Source>,
    /// Filters that look only at tags. A game that fails one of them is ignored: it never matches, whatever `matchcount` the header has.
    pub narrowing: Vec<Source>,
    /// Whether only the first matching position of a game counts.
    pub first_of_game: bool,
    /// The variant that games must have to be evaluated.
    pub variant: Option<Variant>,
    /// The words of transforms around the body and the filters before and after it, outermost first.
    pub transforms: Vec<Source>,
    /// What a run adds to games and removes from them.
    pub annotations: Annotations,
    /// Endgame tablebases for `wdl` and `dtz`. Without them, a query that needs them can be compiled but not run.
    pub tablebase: Option<Arc<Tablebase>>,
    /// The queries that `theme` may name. Without them, each `theme` is an error.
    pub themes: Option<Arc<dyn ThemeLookup>>,
    /// The words that the query may use without declaring them.
    pub vocabulary: Vocabulary,
    /// The shortcuts that may be taken. Answers are the same with and without them.
    #[doc(hidden)]
    pub shortcuts: Shortcuts,
}

/// Whether two more values are kept for each match: whether the query matches as written, and whether it matches with exchanged colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MatchSides {
    /// They are not kept.
    #[default]
    NotKept,
    /// They are kept if the query exchanges colours and the side is known.
    KeptIfKnown,
    /// They are kept, and a query whose side is not known is an error. A query that exchanges no colours matches as written, and also with
    /// exchanged colours if a copy with exchanged colours matches.
    Kept,
}

/// The words that a query may use without declaring them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Vocabulary {
    /// The words of CQL 6.2, the [words beyond](crate::syntax::beyond_words) it, and the functions of the
    /// [prelude](crate::query::parse::prelude).
    #[default]
    Whole,
    /// All words except the functions of the prelude, `intersection` and `variant`.
    WithoutPrelude,
    /// Only the words of CQL 6.2. Everything that skewer accepts beyond CQL 6.2 is then an error.
    Cql62,
}

impl Vocabulary {
    /// Returns the vocabulary without the prelude, or without all words beyond CQL 6.2.
    pub fn without(prelude: bool, beyond: bool) -> Vocabulary {
        match (prelude, beyond) {
            (_, true) => Vocabulary::Cql62,
            (true, _) => Vocabulary::WithoutPrelude,
            _ => Vocabulary::Whole,
        }
    }
}

/// Items that replace those of the header in the text.
#[derive(Clone, Debug, Default)]
pub struct HeaderOptions {
    /// Whether it is `variations`, or the absence of it.
    pub variations: Option<bool>,
    /// `gamenumber`
    pub games: Option<(i32, i32)>,
    /// The first and the last game to search among those that `gamenumber` selects.
    pub within_games: Option<(i32, i32)>,
    /// `matchcount`
    pub match_count: Option<(i32, i32)>,
    /// `matchstring`
    pub match_string: Option<Vec<u8>>,
    /// `quiet`, `silent`
    pub comments: Option<CommentLevel>,
}

/// How games are annotated, where that differs from what the query says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Annotations {
    /// Whether `Game number N` is left out.
    pub no_game_number: bool,
    /// Whether `settag` sets no tags.
    pub no_set_tag: bool,
    /// Whether `removecomment` removes no comments.
    pub no_remove_comment: bool,
    /// Whether comments are kept when the filter around them fails.
    pub always_comment: bool,
    /// Whether a comment is written even if its position already has the same one.
    pub repeat_comments: bool,
}

impl HeaderOptions {
    pub(crate) fn apply(&self, header: &mut Header) {
        header.variations = self.variations.unwrap_or(header.variations);
        header.games = self.games.or(header.games);
        if let Some((first, last)) = self.within_games {
            let (least, most) = header.games.unwrap_or((first, last));
            header.games = Some((least.max(first), most.min(last)));
        }
        header.match_count = self.match_count.or(header.match_count);
        if self.match_string.is_some() {
            header.match_string.clone_from(&self.match_string);
        }
        header.comments = self.comments.unwrap_or(header.comments);
    }
}

impl Options {
    /// Returns the texts of the options, each with the place where it begins, for this query.
    pub(crate) fn texts(&self, query: &Source) -> impl Iterator<Item = (u32, &Source)> {
        let mut next = end_of(query, 0);
        let of_games = self.narrowing.iter().chain(&self.selection);
        let filters = self.filters.iter().chain(&self.filters_after);
        let texts = of_games.chain(filters).chain(&self.columns).chain(&self.transforms);
        texts.map(move |text| {
            let start = next;
            next = end_of(text, start);
            (start, text)
        })
    }

    /// Returns which names of a query with these options are words beyond CQL 6.2.
    pub(crate) fn beyond_words(&self, query: &Source) -> BeyondWords {
        if self.vocabulary == Vocabulary::Cql62 {
            return BeyondWords::none();
        }
        BeyondWords::of(std::iter::once(query).chain(self.texts(query).map(|(_, text)| text)))
    }

    /// Returns the text that an error of [`compile`](crate::query::compile) or of the evaluation is about, which is the query or the text
    /// of an option, and the error with its places in that text.
    pub fn text_of<'a>(&'a self, query: &'a Source, error: &Diagnostic) -> (&'a Source, Diagnostic) {
        let all = std::iter::once((0, query)).chain(self.texts(query));
        let (start, text) = all
            .take_while(|(start, _)| *start <= error.span.start)
            .last()
            .unwrap_or((0, query));
        let end = end_of(text, start);
        let within = |span: Span| Span {
            start: span.start - start,
            end: span.end.min(end) - start,
        };
        let mut error = error.clone();
        error.related.retain(|(span, _)| (start..end).contains(&span.start));
        error.span = within(error.span);
        for (span, _) in &mut error.related {
            *span = within(*span);
        }
        (text, error)
    }
}

/// Returns the place after the end of a text. Each text has one place more than bytes, because an error may point at its end.
fn end_of(text: &Source, start: u32) -> u32 {
    let length = u32::try_from(text.bytes().len()).unwrap_or(u32::MAX);
    start.saturating_add(length).saturating_add(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::compile;

    /// Returns the name and the underlined text of the error that compiling returns.
    fn error(query: &str, options: &Options) -> (String, String) {
        let query = Source::new("q.cql", query);
        let error = compile(&query, options).expect_err("there is an error");
        let (text, error) = options.text_of(&query, &error);
        (text.name().to_owned(), text.slice(error.span).to_owned())
    }

    fn text(name: &str, filters: &str) -> Source {
        Source::new(name, filters)
    }

    #[test]
    fn an_error_points_at_the_text_that_it_is_in() {
        let options = Options {
            filters: vec![text("first", "wtm"), text("second", "x=1 chekc")],
            transforms: vec![text("turn", "rotate45")],
            ..Options::default()
        };
        let place = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        assert_eq!(error("cql() mate", &options), place("second", "chekc"));
        let options = Options {
            filters: vec![text("first", "wtm"), text("second", "x=1 check")],
            ..options
        };
        assert_eq!(error("cql() y==1", &options), place("q.cql", "y"));
        assert_eq!(error("cql() x==1 Ra1", &options), place("q.cql", "Ra1"));
        let unknown = Options {
            transforms: vec![text("turn", "rotate46")],
            ..Options::default()
        };
        assert_eq!(error("cql() mate", &unknown), place("turn", "rotate46"));
        let unclosed = Options {
            filters: vec![text("first", "wtm"), text("second", "(check")],
            ..Options::default()
        };
        assert_eq!(error("cql() mate", &unclosed).0, "second");
        let short = Options {
            filters: vec![text("first", "wtm or"), text("second", "check")],
            ..Options::default()
        };
        assert_eq!(
            error("cql() mate", &short).0,
            "first",
            "a text does not go on in the next"
        );
    }

    #[test]
    fn the_body_sees_the_variables_of_the_options() {
        let options = Options {
            filters: vec![text("-assign", "limit=10"), text("-cql", "/// limit")],
            ..Options::default()
        };
        let query = compile(&Source::new("q.cql", "cql() ply>limit"), &options);
        assert!(query.is_ok(), "{query:?}");
    }

    #[test]
    fn filters_after_the_body_see_its_variables() {
        let options = Options {
            filters_after: vec![text("first", "x==1 message(x)"), text("second", "chekc")],
            transforms: vec![text("turn", "flip")],
            ..Options::default()
        };
        let place = error("cql() x=1 mate", &options);
        assert_eq!(place, ("second".to_owned(), "chekc".to_owned()));
    }

    #[test]
    fn options_take_the_place_of_items_of_the_header() {
        let options = Options {
            header: HeaderOptions {
                variations: Some(false),
                games: Some((3, 9)),
                within_games: Some((1, 4)),
                match_count: None,
                match_string: Some(b"here".to_vec()),
                comments: Some(CommentLevel::Quiet),
            },
            ..Options::default()
        };
        let text = "cql(variations gamenumber 1 2 matchcount 5 silent matchstring \"there\") mate";
        let header = compile(&Source::new("q.cql", text), &options).expect("a query").header;
        let expected = Header {
            games: Some((3, 4)),
            match_count: Some((5, 5)),
            match_string: Some(b"here".to_vec()),
            comments: CommentLevel::Quiet,
            ..Header::default()
        };
        assert_eq!(header, expected);
    }
}
