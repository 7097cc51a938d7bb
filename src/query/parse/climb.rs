//! Precedence climbing: joins operands by operators, but only by those that the type of the left operand accepts.

use crate::syntax::Diagnostic;
use crate::syntax::token::{Sign, TokenKind};

use super::builder::{Builder, Built, Wrapper, of_wrong_type};
use super::compare::size_of;
use super::operators::{Level, Relation};
use crate::query::ast::node::{Cond, Expression, Filter, Node, Set, Type};
use crate::query::ast::numbers::Arithmetic;
use crate::query::ast::{CondExpr, NumExpr, SetExpr, StrExpr};

/// An operator between operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Operator {
    Or,
    And,
    In,
    Relation(Relation),
    Arithmetic(Arithmetic),
    Concat,
    Dash,
    Arrow(Sign),
    Union,
    Intersection,
    /// `attacks`, `attackedby`
    Attack {
        by: bool,
    },
    Bracket,
    Match,
    Colon,
}

impl Operator {
    fn level(self) -> Level {
        match self {
            Operator::Or => Level::Or,
            Operator::And => Level::And,
            Operator::In => Level::In,
            Operator::Relation(_) => Level::Relation,
            Operator::Arithmetic(Arithmetic::Add | Arithmetic::Subtract) | Operator::Concat => Level::Sum,
            Operator::Arithmetic(_) => Level::Product,
            Operator::Dash => Level::Dash,
            Operator::Arrow(_) => Level::Arrow,
            Operator::Union => Level::Union,
            Operator::Intersection => Level::Intersection,
            Operator::Attack { .. } => Level::Attack,
            Operator::Bracket | Operator::Match => Level::String,
            Operator::Colon => Level::Imbue,
        }
    }
}

impl Builder {
    /// Reads a whole filter, with operators of every level.
    pub(super) fn filter(&mut self) -> Built {
        let first = self.cursor.at;
        let filter = self.expression(Level::Or)?;
        let span = self.cursor.span_from(first);
        if let Some(outline) = &mut self.outline {
            outline.filters.push(span);
        }
        Ok(filter)
    }

    /// Reads a filter with operators of this level and tighter ones.
    pub(super) fn expression(&mut self, loosest: Level) -> Built {
        self.nested(|builder| {
            let first = builder.cursor.at;
            let leading_dash = matches!(builder.cursor.token().kind, TokenKind::Dash { .. });
            let left = builder.primary()?;
            let tightest = if leading_dash && loosest <= Level::Dash {
                Level::Product
            } else {
                Level::Imbue
            };
            builder.climb(left, first, loosest, tightest)
        })
    }

    /// Appends operators and their right operands to a left operand, which begins with the token at `first`.
    pub(super) fn climb(&mut self, left: Filter, first: usize, loosest: Level, tightest: Level) -> Built {
        let mut left = left;
        let mut tightest = tightest;
        while let Some(operator) = self.operator(left.kind())? {
            let level = operator.level();
            if level < loosest || level > tightest {
                break;
            }
            self.count_operator()?;
            match self.apply(operator, left, first)? {
                Applied::Joined(joined) => left = joined,
                Applied::Refused(unchanged) => {
                    left = unchanged;
                    break;
                }
            }
            tightest = match level {
                Level::Relation => Level::In,
                Level::In => Level::And,
                Level::Arrow => Level::Dash,
                Level::Dash => Level::Product,
                _ => level,
            };
        }
        if loosest <= Level::In && Level::In <= tightest {
            self.no_in_after(left.kind())?;
        }
        Ok(left)
    }

    /// Returns an error if `in` follows a value that is neither a set nor a string: unlike other operators, it is not offered to the
    /// enclosing expression (1.5.2).
    fn no_in_after(&self, left: Type) -> Built<()> {
        if !self.cursor.at_word("in") || matches!(left, Type::Set | Type::String) {
            return Ok(());
        }
        Err(
            Diagnostic::new(self.cursor.token().span, format!("`in` after {}", left.described()))
                .label("expected a set or a string on its left")
                .hint("if a set further left is meant, put it into parentheses: `(square s in R check) in a-h8`"),
        )
    }

    /// Returns the operator that is next, if the type on its left accepts it.
    fn operator(&self, left: Type) -> Built<Option<Operator>> {
        if self.at_suffix_sign() {
            return Ok(None);
        }
        let operator = match (&self.cursor.token().kind, left) {
            (TokenKind::Word("or"), _) => Operator::Or,
            (TokenKind::Word("and"), _) => Operator::And,
            (TokenKind::Word("in"), Type::Set | Type::String) => Operator::In,
            (TokenKind::Word("attacks" | "attack"), Type::Set) => Operator::Attack { by: false },
            (TokenKind::Word("attackedby" | "attacked"), Type::Set) => Operator::Attack { by: true },
            (TokenKind::Dash { left_tied: true, .. }, Type::Set) => Operator::Dash,
            (TokenKind::Sign(sign), _) => match (sign, left) {
                (Sign::Colon, Type::Position) => Operator::Colon,
                (Sign::OpenBracket, Type::String) => Operator::Bracket,
                (Sign::Match, Type::String) => Operator::Match,
                (Sign::Intersect, Type::Set | Type::Position) => Operator::Intersection,
                (Sign::Union, Type::Set) => Operator::Union,
                (Sign::Right | Sign::Left, Type::Set) => Operator::Arrow(*sign),
                (Sign::Star, Type::Number) => Operator::Arithmetic(Arithmetic::Multiply),
                (Sign::Slash, Type::Number) => Operator::Arithmetic(Arithmetic::Divide),
                (Sign::Percent, Type::Number) => Operator::Arithmetic(Arithmetic::Remainder),
                (Sign::Plus, Type::Number) => Operator::Arithmetic(Arithmetic::Add),
                (Sign::Minus, Type::Number) => Operator::Arithmetic(Arithmetic::Subtract),
                (Sign::Plus, Type::String) => Operator::Concat,
                (sign, Type::Set | Type::Number | Type::String | Type::Position) => match Relation::of(*sign) {
                    Some(relation) => Operator::Relation(relation),
                    None => return Ok(None),
                },
                (_, Type::Condition) => return Ok(None),
            },
            _ => return Ok(None),
        };
        Ok(Some(operator))
    }

    fn apply(&mut self, operator: Operator, left: Filter, first: usize) -> Built<Applied> {
        let joined = match operator {
            Operator::Or => self.logic(left, first, Level::Or, CondExpr::Or)?,
            Operator::And => self.logic(left, first, Level::And, CondExpr::And)?,
            Operator::In => self.containment(left, first)?,
            Operator::Relation(relation) => self.relation(relation, left, first)?,
            Operator::Arithmetic(operation) => {
                self.cursor.next();
                let left = self.typed(left, "on the left")?;
                let right = self.typed_operand(operator.level().tighter(), "on the right")?;
                Filter::new(
                    NumExpr::Arithmetic(operation, left, right),
                    self.cursor.span_from(first),
                )
            }
            Operator::Dash => self.dash(Some(left), first)?,
            Operator::Arrow(direction) => self.arrows(direction, left, first)?,
            Operator::Union => {
                self.cursor.next();
                let left = self.typed(left, "on the left of `|`")?;
                let right = self.typed_operand(Level::Intersection, "on the right of `|`")?;
                Filter::new(SetExpr::Union(left, right), self.cursor.span_from(first))
            }
            Operator::Intersection => self.intersection(left, first)?,
            Operator::Attack { by } => {
                if self.cursor.next().kind == TokenKind::Word("attacked") && !self.cursor.take_word("by") {
                    return Err(self.unexpected("expected `by` after `attacked`"));
                }
                let left = self.typed(left, "on the left")?;
                let right = self.typed_operand(Level::String, "on the right")?;
                Filter::new(attack(by, left, right), self.cursor.span_from(first))
            }
            Operator::Bracket => self.bracket(left, first)?,
            Operator::Match => self.matched(left, first)?,
            Operator::Colon => {
                self.cursor.next();
                let position = self.typed(left, "on the left of `:`")?;
                let value = self.away_from_line(|builder| builder.expression(Level::Imbue))?;
                value.with_flow(self.cursor.span_from(first), Wrapper::At(position))
            }
            Operator::Concat => return self.concat(left, first),
        };
        Ok(Applied::Joined(joined))
    }

    fn logic(&mut self, left: Filter, first: usize, level: Level, join: fn(Cond, Cond) -> CondExpr) -> Built {
        self.cursor.next();
        let left = self.condition(left)?;
        let right = self.expression(level.tighter())?;
        let right = self.condition(right)?;
        self.complete(join(left, right), first)
    }

    /// Reads `s + t`. A `+` before anything but a string ends the string.
    fn concat(&mut self, left: Filter, first: usize) -> Built<Applied> {
        let mark = self.mark();
        self.cursor.next();
        if !self.cursor.begins_filter() {
            return Err(self.unexpected("expected a string on the right of `+`"));
        }
        match (self.expression(Level::Product)?, left) {
            (Filter::String(right), Filter::String(left)) => Ok(Applied::Joined(Filter::new(
                StrExpr::Concat(left, right),
                self.cursor.span_from(first),
            ))),
            (_, left) => {
                self.reset(mark);
                Ok(Applied::Refused(left))
            }
        }
    }

    /// Reads `S in T`, `s in t`.
    fn containment(&mut self, left: Filter, first: usize) -> Built {
        self.cursor.next();
        let condition = match left {
            Filter::Set(left) => CondExpr::Subset(left, self.typed_operand(Level::Dash, "on the right of `in`")?),
            left => {
                let left = self.typed(left, "on the left of `in`")?;
                let right = self.typed_operand(Level::Relation, "on the right of `in`")?;
                CondExpr::Substring(self.beside(&right, left), right)
            }
        };
        self.complete(condition, first)
    }

    /// Reads `S & T`, `p & q`.
    fn intersection(&mut self, left: Filter, first: usize) -> Built {
        self.cursor.next();
        let set = match left {
            Filter::Set(left) => SetExpr::Intersection(left, self.typed_operand(Level::Attack, "on the right of `&`")?),
            left => {
                let left = self.typed(left, "on the left of `&`")?;
                SetExpr::Common(left, self.typed_operand(Level::Attack, "on the right of `&`")?)
            }
        };
        self.complete(set, first)
    }

    /// Reads `S -> T`, `S -> T -> U …` and the same with left arrows.
    fn arrows(&mut self, direction: Sign, left: Filter, first: usize) -> Built {
        let mut sets = vec![self.typed(left, "on the left of the arrow")?];
        while self.cursor.take_sign(direction) {
            sets.push(self.typed_operand(Level::Union, "on the right of the arrow")?);
        }
        if self.cursor.at_sign(Sign::Left) || self.cursor.at_sign(Sign::Right) {
            // It is not part of this chain, but the enclosing expression may take it.
            self.turned_arrow = Some(self.cursor.token().span);
        }
        let span = self.cursor.span_from(first);
        let set = match (<[Set; 2]>::try_from(sets), direction) {
            (Ok([left, right]), Sign::Right) => attack(false, left, right),
            (Ok([left, right]), _) => attack(true, left, right),
            (Err(sets), direction) => super::sets::arrow_line(sets, direction == Sign::Right),
        };
        Ok(Filter::new(set, span))
    }
}

/// The result of applying an operator to a left operand.
enum Applied {
    /// They were joined with a right operand.
    Joined(Filter),
    /// What follows is not an operand of the operator, which belongs to the enclosing expression.
    Refused(Filter),
}

fn attack(by: bool, left: Set, right: Set) -> SetExpr {
    if by {
        SetExpr::Attacked {
            attackers: right,
            targets: left,
        }
    } else {
        SetExpr::Attackers {
            attackers: left,
            targets: right,
        }
    }
}

/// Operands of a required type.
impl Builder {
    pub(super) fn typed<E: Expression>(&self, filter: Filter, place: &str) -> Built<Box<Node<E>>> {
        E::of(filter).map_err(|other| self.wrong_type(&other, E::TYPE, place))
    }

    pub(super) fn operand(&mut self, level: Level, expected: &str) -> Built {
        if self.cursor.begins_filter() {
            self.expression(level)
        } else {
            Err(self.unexpected(&format!("expected {expected}")))
        }
    }

    pub(super) fn typed_operand<E: Expression>(&mut self, level: Level, place: &str) -> Built<Box<Node<E>>> {
        let operand = self.operand(level, &format!("{} {place}", E::TYPE.described()))?;
        self.typed(operand, place)
    }

    fn wrong_type(&self, filter: &Filter, wanted: Type, place: &str) -> Diagnostic {
        let error = of_wrong_type(filter, &format!("expected {} {place}", wanted.described()));
        match (wanted, filter.kind()) {
            (Type::Number, Type::Set) => size_of(error.hint("the size of a set S is `#S`"), filter),
            (Type::Set, Type::Condition) => {
                let error = error.hint("`and` and `or` join conditions; sets are joined by `&` and `|`");
                match filter {
                    Filter::Condition(condition) => self.joined_as_sets(error, condition),
                    _ => error,
                }
            }
            (Type::String, Type::Number | Type::Set) => {
                let error = error.hint("`str(…)` turns any value into a string");
                error.surround(filter.span(), "str(", ")")
            }
            _ => error,
        }
    }

    /// Adds a fix that replaces the `and` or `or` between two sets by the sign that joins sets.
    pub(super) fn joined_as_sets(&self, error: Diagnostic, condition: &Cond) -> Diagnostic {
        let (sign, left, right) = match &condition.kind {
            CondExpr::And(left, right) => ("&", left, right),
            CondExpr::Or(left, right) => ("|", left, right),
            _ => return error,
        };
        let between = left.span.end..right.span.start;
        let word =
            self.cursor.tokens.iter().find(|token| {
                between.contains(&token.span.start) && matches!(token.kind, TokenKind::Word("and" | "or"))
            });
        match word {
            Some(word) => error.change(word.span, sign),
            None => error,
        }
    }
}
