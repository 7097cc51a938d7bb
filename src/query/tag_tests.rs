//! What a few tags decide about a game. A database knows the values of a tag before it makes games, so each value is tested once for many games.
//!
//! Tests are read off the narrowing and the selection of a query, and asked in the order in which these are evaluated. Where one cannot be answered by
//! a single tag, no later one counts, as evaluating it may end the run.

use shakmaty::Color;

use super::ast::node::{Str, node};
use super::ast::visit::Child;
use super::ast::{Comparison, Cond, CondExpr, Flow, NumExpr, StrExpr};
use super::compiled::Query;
use super::facts::tags::TagUse;
use super::shortcuts::Shortcuts;
use crate::board::columns::Lanes;

/// What tags decide about the games of a query.
#[derive(Clone, Debug)]
pub(crate) struct TagTests {
    /// What a game must pass to be searched.
    pub(crate) narrowing: TagTest,
    /// What it must also pass to match.
    pub(crate) selection: TagTest,
    /// The conditions that are tested.
    pub(crate) conditions: Vec<TagCondition>,
    /// Whether conditions may be tested.
    may_ask: bool,
}

/// A condition that depends on one tag alone.
#[derive(Clone, Debug)]
pub struct TagCondition {
    pub(crate) condition: Cond,
    pub(crate) tag: SoleTag,
}

/// The only thing in the head of a game that a condition reads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SoleTag {
    /// The tag with this name. `UTCDate` counts if `Date` says nothing.
    Named(Vec<u8>),
    /// The rating of a player.
    Rating(Color),
    Result,
}

/// Conditions, combined.
#[derive(Clone, Debug)]
pub(crate) enum TagTest {
    All(Vec<TagTest>),
    Any(Vec<TagTest>),
    Not(Box<TagTest>),
    /// The condition with this index.
    Condition(usize),
    /// It takes more than a tag to tell.
    Unknown,
}

/// The answers for several games, a lane for each. Games without either are undecided.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Decided {
    pub(crate) yes: Lanes,
    pub(crate) no: Lanes,
}

impl TagTests {
    /// Returns what tags decide about the games of a query.
    pub(crate) fn of(query: &Query) -> TagTests {
        let mut tests = TagTests {
            narrowing: TagTest::Unknown,
            selection: TagTest::Unknown,
            conditions: Vec::new(),
            may_ask: query.shortcuts.contains(Shortcuts::ROW_TAGS),
        };
        tests.narrowing = tests.all(&query.narrowing);
        let results = query.header.results.iter();
        let results = results.map(|result| node(CondExpr::Result(*result), query.body.span));
        let selection: Vec<Cond> = results.chain(query.selection.iter().cloned()).collect();
        // With `matchcount 0`, a game can match although none of its positions does.
        if selection.is_empty() || !query.header.matches(0) {
            tests.selection = tests.all(&selection);
        }
        tests
    }

    /// Returns whether every game is wanted.
    pub(crate) fn want_all(&self) -> bool {
        let holds = |test: &TagTest| matches!(test, TagTest::All(tests) if tests.is_empty());
        holds(&self.narrowing) && holds(&self.selection)
    }

    fn all<'q>(&mut self, conditions: impl IntoIterator<Item = &'q Cond>) -> TagTest {
        TagTest::All(conditions.into_iter().map(|condition| self.test(condition)).collect())
    }

    fn any(&mut self, conditions: [Cond; 2]) -> TagTest {
        TagTest::Any(conditions.iter().map(|condition| self.test(condition)).collect())
    }

    fn test(&mut self, condition: &Cond) -> TagTest {
        if !self.may_ask || !condition.facts.is_of_game() {
            return TagTest::Unknown;
        }
        let span = condition.span;
        match &condition.kind {
            CondExpr::Constant(true) => TagTest::All(Vec::new()),
            CondExpr::Constant(false) => TagTest::Any(Vec::new()),
            CondExpr::And(a, b) => self.all([a, b]),
            CondExpr::Or(a, b) => TagTest::Any(vec![self.test(a), self.test(b)]),
            CondExpr::Not(test) => TagTest::Not(Box::new(self.test(test))),
            CondExpr::Flow(Flow::Group(test)) => self.test(test),
            CondExpr::Flow(Flow::Block { tests, value }) => self.all(tests.iter().chain([value])),
            CondExpr::Substring(part, players) if matches!(players.kind, StrExpr::Players) => match &part.kind {
                StrExpr::Literal(text) => {
                    self.in_players(text, players, &|name| CondExpr::Substring(part.clone(), name))
                }
                _ => TagTest::Unknown,
            },
            CondExpr::SubstringInAnyCase(part, players) if matches!(players.kind, StrExpr::Players) => {
                self.in_players(part, players, &|name| CondExpr::SubstringInAnyCase(part.clone(), name))
            }
            CondExpr::HasNumber(number) => match &number.kind {
                NumExpr::Compare(comparison @ (Comparison::Greater | Comparison::GreaterEqual), best, limit)
                    if matches!((&best.kind, &limit.kind), (NumExpr::BestRating, NumExpr::Literal(_))) =>
                {
                    self.any([Color::White, Color::Black].map(|color| {
                        let rating = node(NumExpr::Rating(color), best.span);
                        let compared = NumExpr::Compare(*comparison, rating, limit.clone());
                        node(CondExpr::HasNumber(node(compared, number.span)), span)
                    }))
                }
                _ => self.of_one_tag(condition),
            },
            _ => self.of_one_tag(condition),
        }
    }

    /// Returns the test whether a text is in the names of both players. `player` joins them by a backslash and an n, so the text is in White's name,
    /// or in Black's with the n before it. Both must have names.
    fn in_players(&mut self, text: &[u8], players: &Str, is_in: &dyn Fn(Str) -> CondExpr) -> TagTest {
        if text.contains(&b'\\') {
            return TagTest::Unknown;
        }
        let span = players.span;
        let name = |color| node(StrExpr::Player(color), span);
        let white = node(is_in(name(Color::White)), span);
        let joined = StrExpr::Concat(node(StrExpr::Literal(b"n".to_vec()), span), name(Color::Black));
        let black = node(is_in(node(joined, span)), span);
        let has_name = |color| node(CondExpr::HasString(name(color)), span);
        self.any([(white, Color::Black), (black, Color::White)].map(|(test, other)| {
            let both = CondExpr::And(test, has_name(other));
            node(both, span)
        }))
    }

    fn of_one_tag(&mut self, condition: &Cond) -> TagTest {
        let Some(tag) = SoleTag::of(condition) else {
            return TagTest::Unknown;
        };
        self.conditions.push(TagCondition {
            condition: condition.clone(),
            tag,
        });
        TagTest::Condition(self.conditions.len() - 1)
    }
}

impl TagTest {
    /// Returns for which of the `asked` games the test holds. `holds` answers a condition, by its index.
    pub(crate) fn ask(&self, asked: Lanes, holds: &mut dyn FnMut(usize, Lanes) -> Decided) -> Decided {
        match self {
            TagTest::All(tests) => {
                let begin = Decided { yes: asked, no: 0 };
                tests.iter().fold(begin, |so_far, test| {
                    let next = match so_far.yes {
                        0 => Decided::default(),
                        yes => test.ask(yes, holds),
                    };
                    Decided {
                        yes: next.yes,
                        no: so_far.no | next.no,
                    }
                })
            }
            TagTest::Any(tests) => {
                let begin = Decided { yes: 0, no: asked };
                tests.iter().fold(begin, |so_far, test| {
                    let next = match so_far.no {
                        0 => Decided::default(),
                        no => test.ask(no, holds),
                    };
                    Decided {
                        yes: so_far.yes | next.yes,
                        no: next.no,
                    }
                })
            }
            TagTest::Not(test) => {
                let Decided { yes, no } = test.ask(asked, holds);
                Decided { yes: no, no: yes }
            }
            TagTest::Condition(index) => holds(*index, asked),
            TagTest::Unknown => Decided::default(),
        }
    }
}

impl SoleTag {
    /// Returns what a condition reads, if it reads one thing and nothing else of a game.
    fn of(condition: &Cond) -> Option<SoleTag> {
        if let CondExpr::Result(_) = condition.kind {
            return Some(SoleTag::Result);
        }
        let mut found = Vec::new();
        let are_known = add_tags(Child::Condition(condition), &mut found);
        found.dedup();
        match found.as_slice() {
            [_] if are_known => found.pop(),
            _ => None,
        }
    }
}

/// Adds the tags that an expression reads. Returns whether it reads nothing else of a game.
fn add_tags(child: Child<'_>, found: &mut Vec<SoleTag>) -> bool {
    let tag = match &child {
        Child::Condition(condition) => match &condition.kind {
            CondExpr::HasNumber(_)
            | CondExpr::HasString(_)
            | CondExpr::Substring(..)
            | CondExpr::SubstringInAnyCase(..)
            | CondExpr::Equal(..) => None,
            _ => return false,
        },
        Child::Number(number) => match &number.kind {
            NumExpr::Literal(_) | NumExpr::Compare(..) => None,
            NumExpr::Rating(color) => Some(SoleTag::Rating(*color)),
            NumExpr::Year => Some(SoleTag::Named(b"Date".to_vec())),
            _ => return false,
        },
        Child::String(string) => match &string.kind {
            StrExpr::Literal(_)
            | StrExpr::Concat(..)
            | StrExpr::Compare(..)
            | StrExpr::Match { .. }
            | StrExpr::Uppercase(_)
            | StrExpr::Lowercase(_) => None,
            StrExpr::Player(_) | StrExpr::PlayerTag(_) | StrExpr::Tag(_) => {
                let mut names = TagUse::of_string(&string.kind).names.into_iter();
                match names.next() {
                    Some(name) => Some(SoleTag::Named(name)),
                    None => return false,
                }
            }
            _ => return false,
        },
        Child::Color(_) | Child::TagColor(_) => None,
        _ => return false,
    };
    found.extend(tag);
    let mut are_known = true;
    child.parts(&mut |part| are_known &= add_tags(part, found));
    are_known
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query;
    use crate::query::parse::Options;
    use crate::syntax::Source;

    fn tests(text: &str) -> TagTests {
        let source = Source::new("q.cql", text);
        TagTests::of(&query::compile(&source, &Options::default()).unwrap())
    }

    #[test]
    fn conditions_on_one_tag_are_asked_by_themselves() {
        for (text, expected) in [
            ("cql() player \"Carlsen\"", 4),
            ("cql() player white \"Carlsen\" mate", 1),
            ("cql() event \"a\" year > 2000 elo > 2000", 4),
            ("cql() year > 2000 or player black \"Carlsen\"", 2),
            ("cql(result 1-0) site \"a\"", 2),
            ("cql() not {result 1-0 or site \"a\"}", 2),
            ("cql() tag \"White\" ~~ \"^A\"", 1),
            ("cql() player white == player black", 0),
            ("cql() player \"a\\\\b\"", 0),
            ("cql() elo > 2000 < 2100", 0),
            ("cql() tag \"FEN\"", 0),
            ("cql() initialposition:Ka1 event \"a\"", 0),
            ("cql() mate player white \"Carlsen\"", 0),
            ("cql(matchcount 0 10) event \"a\"", 0),
        ] {
            assert_eq!(tests(text).conditions.len(), expected, "{text}");
        }
    }

    #[test]
    fn nothing_counts_after_what_is_undecided() {
        let answers = [
            Decided {
                yes: 0b0001,
                no: 0b0110,
            },
            Decided {
                yes: 0b0011,
                no: 0b0100,
            },
        ];
        let ask = |test: &TagTest| {
            test.ask(0b1111, &mut |index, asked| Decided {
                yes: answers[index].yes & asked,
                no: answers[index].no & asked,
            })
        };
        let both = vec![TagTest::Condition(0), TagTest::Condition(1)];
        let negated = TagTest::Not(Box::new(TagTest::All(both.clone())));
        assert_eq!(
            ask(&TagTest::All(both.clone())),
            Decided {
                yes: 0b0001,
                no: 0b0110
            }
        );
        assert_eq!(
            ask(&TagTest::Any(both)),
            Decided {
                yes: 0b0011,
                no: 0b0100
            }
        );
        assert_eq!(
            ask(&negated),
            Decided {
                yes: 0b0110,
                no: 0b0001
            }
        );
        let blocked = TagTest::All(vec![TagTest::Unknown, TagTest::Condition(1)]);
        assert_eq!(ask(&blocked), Decided::default());
        assert_eq!(ask(&TagTest::All(Vec::new())), Decided { yes: 0b1111, no: 0 });
    }
}
