//! Assignments to variables, to parts of strings and to piece variables; `isbound` and `unbind`.

use crate::syntax::token::{Sign, Span, TokenKind};
use crate::syntax::tree::Rule;
use crate::syntax::{Diagnostic, Form};

use super::builder::{Builder, Built};
use super::names::{Asked, Name, in_use};
use super::operators::Level;
use crate::query::ast::node::{Filter, Type, node};
use crate::query::ast::numbers::Arithmetic;
use crate::query::ast::strings::StringSlice;
use crate::query::ast::variables::Variable;
use crate::query::ast::{Assignment, CondExpr, Node, NumExpr, SetExpr, StrExpr};

impl Builder {
    /// Reads `x = f` and the like. The form is next.
    pub(super) fn assignment(&mut self, form: &Form) -> Built {
        let first = self.cursor.at;
        let (name, name_span) = self.new_name("of a variable")?;
        let sign_span = self.cursor.token().span;
        let (Some(part), TokenKind::Sign(sign)) = (form.part(Rule::assign), self.cursor.token().kind.clone()) else {
            return Err(self.unexpected("expected an assignment"));
        };
        self.cursor.go_behind(part);
        let value = self.operand(Level::Sum, "a value on the right of the assignment")?;
        let kind = self.assign(sign, sign_span, &name, name_span, value)?;
        self.complete(kind, first)
    }

    /// Makes the assignment of a value to a variable, by the sign between them.
    pub(super) fn assign(
        &mut self,
        sign: Sign,
        sign_span: Span,
        name: &str,
        name_span: Span,
        value: Filter,
    ) -> Built<CondExpr> {
        match sign {
            Sign::Assign => {
                let variable = self.assigned(name, name_span, &value)?;
                Ok(assignment(variable, value))
            }
            Sign::AssignIfAny => {
                let value = self.typed(value, "on the right of `=?`")?;
                let variable = self.set_variable(name, name_span)?;
                Ok(CondExpr::Assign(Assignment::NonEmptySet(variable, value)))
            }
            sign => self
                .update(sign, sign_span, name, name_span, value)
                .map(CondExpr::Assign),
        }
    }

    /// Reads `x[n] = s`, `x[n:m] = s`. The sign is next.
    pub(super) fn splice(&mut self, string: &Node<StrExpr>, part: StringSlice, first: usize) -> Built {
        let sign = self.cursor.next().span;
        let StrExpr::Variable(variable) = string.kind else {
            return Err(
                Diagnostic::new(sign, "only a part of a string variable can be assigned to")
                    .label("assignment to a part of this")
                    .related(string.span, "this is not a variable"),
            );
        };
        let value = self.typed_operand(Level::Sum, "on the right of `=`")?;
        let kind = CondExpr::Assign(Assignment::Splice { variable, part, value });
        self.complete(kind, first)
    }

    /// Reads `atomic x = f`. The form is next.
    pub(super) fn atomic(&mut self, form: &Form) -> Built {
        let first = self.cursor.at;
        self.cursor.next();
        let Some(assignment) = form.part(Rule::assignment) else {
            return Err(self.no_atomic());
        };
        let TokenKind::Name(name) = self.cursor.token().kind.clone() else {
            return Err(self.no_atomic());
        };
        let mut filter = self.assignment(&self.cursor.forms.form(assignment))?;
        if let Filter::Condition(condition) = &mut filter {
            condition.span = self.cursor.span_from(first);
        }
        if let Some(Name::Variable(variable)) = self.symbols.names.get(&name)
            && !self.symbols.atomic.contains(&variable)
        {
            self.symbols.atomic.push(variable);
        }
        Ok(filter)
    }

    /// Returns an error for `atomic` without an assignment. The word is read.
    pub(super) fn no_atomic(&self) -> Diagnostic {
        let is_name = matches!(self.cursor.token().kind, TokenKind::Name(_));
        self.unexpected(if self.cursor.at_word("persistent") {
            "a persistent variable cannot be atomic"
        } else if self.cursor.at_word("piece") || self.cursor.token().kind == TokenKind::PieceMark {
            "a piece variable cannot be atomic"
        } else if is_name && matches!(self.cursor.peek(1).kind, TokenKind::Sign(_)) {
            "expected an assignment after `atomic`"
        } else {
            "expected the name of a variable and an assignment after `atomic`"
        })
    }

    /// Returns the variable that a value is assigned to. Declares it if it is new.
    fn assigned(&mut self, name: &str, span: Span, value: &Filter) -> Built<Variable> {
        let variable = match self.symbols.names.get(name) {
            None => {
                return self.new_variable(value.kind(), name).ok_or_else(|| no_value(value));
            }
            Some(Name::Variable(variable)) => variable,
            Some(other) => return Err(in_use(name, span, other, "a variable")),
        };
        match (variable, value.kind()) {
            (Variable::Set(_), Type::Set)
            | (Variable::Number(_), Type::Number)
            | (Variable::String(_), Type::String)
            | (Variable::Position(_), Type::Position) => Ok(variable),
            (_, Type::Condition) => Err(no_value(value)),
            (Variable::Piece(_), _) => Err(Diagnostic::new(span, format!("`{name}` is a piece variable"))
                .label("it cannot be assigned to by `=`")
                .hint(format!("write `piece {name}=…`"))
                .fix(format!("Write `piece {name}=…`"), [(span.before(), "piece ")])),
            (_, kind) => Err(Diagnostic::new(
                value.span(),
                format!("{} cannot be assigned to `{name}`", kind.described()),
            )
            .label(format!("this is {}", kind.described()))
            .related(span, format!("`{name}` is {}", variable.described()))),
        }
    }

    /// Makes the assignment for `x += f` and the like.
    fn update(&mut self, sign: Sign, sign_span: Span, name: &str, name_span: Span, value: Filter) -> Built<Assignment> {
        let Some(meaning) = self.symbols.names.get(name) else {
            return Err(self
                .unknown_name(name, name_span)
                .hint(format!("assign a first value by `{name}=…`"))
                .fix(format!("Assign by `{name}=…`"), [(sign_span, "=")]));
        };
        let Name::Variable(variable) = meaning else {
            return Err(in_use(name, name_span, meaning, "a variable"));
        };
        let span = value.span();
        Ok(match (variable, sign, value) {
            (Variable::Set(x), Sign::UnionAssign | Sign::IntersectAssign, Filter::Set(value)) => {
                let old = node(SetExpr::Variable(x), name_span);
                let new = match sign {
                    Sign::UnionAssign => SetExpr::Union(old, value),
                    _ => SetExpr::Intersection(old, value),
                };
                Assignment::Set(x, node(new, span))
            }
            (Variable::String(variable), Sign::PlusAssign, Filter::String(value)) => {
                Assignment::Append(variable, value)
            }
            (Variable::Number(x), sign, Filter::Number(value)) if let Some(operation) = arithmetic(sign) => {
                let old = node(NumExpr::Variable(x), name_span);
                Assignment::Number(x, node(NumExpr::Arithmetic(operation, old, value), span))
            }
            (variable, sign, value) => {
                return Err(Diagnostic::new(
                    sign_span,
                    format!(
                        "`{}` does not join {} and {}",
                        sign.ascii(),
                        variable.described(),
                        value.kind().described()
                    ),
                )
                .label("wrong types")
                .related(value.span(), format!("this is {}", value.kind().described())));
            }
        })
    }

    /// Reads `isbound x`, `isunbound "x"`. The form is next.
    pub(super) fn bound_test(&mut self, form: &Form) -> Built {
        let first = self.cursor.at;
        let bound = form.has(Rule::ISBOUND);
        self.cursor.next();
        let name = match self.cursor.take_string() {
            Some(name) => String::from_utf8_lossy(&name).into_owned(),
            None => self.new_name("of a variable")?.0,
        };
        let name = self.ask(Asked::Name(name));
        self.complete(CondExpr::IsBound { name, bound }, first)
    }

    /// Reads `unbind x`, `unbind D`, `unbind D[k]`. The form is next.
    pub(super) fn unbind(&mut self, form: &Form) -> Built {
        let first = self.cursor.at;
        self.cursor.next();
        debug_assert!(form.has(Rule::name) || form.has(Rule::dictionary));
        if self.at_dictionary() {
            return self.unbind_dictionary(first);
        }
        let (name, span) = self.new_name("of a variable after `unbind`")?;
        match self.symbols.names.get(&name) {
            Some(Name::Variable(variable)) => self.complete(CondExpr::Assign(Assignment::Unbind(variable)), first),
            Some(other) => Err(in_use(&name, span, other, "a variable")),
            None => {
                let whole = self.cursor.span_from(first);
                Err(self.unknown_name(&name, span).fix("Leave it out", [(whole, "")]))
            }
        }
    }

    /// Reads `piece x = S`, `◭x = S`. The form is next.
    pub(super) fn piece_binding(&mut self, form: &Form) -> Built {
        let first = self.cursor.at;
        if let Some(name) = form.part(Rule::name) {
            self.cursor.at = name.first;
        }
        let (name, span) = self.new_name("of a piece variable")?;
        self.cursor.next();
        let set = self.typed_operand(Level::Dash, "on the right of `=`")?;
        let variable = self.piece_variable(&name, span)?;
        self.complete(CondExpr::Assign(Assignment::Piece(variable, set)), first)
    }

    /// Reads a name as a filter: a variable or the call of a function. The name is next.
    pub(super) fn named(&mut self) -> Built {
        let first = self.cursor.at;
        let token = self.cursor.next();
        let TokenKind::Name(name) = token.kind else {
            return Err(self.unexpected("expected a name"));
        };
        let span = token.span;
        match self.symbols.names.get(&name) {
            None => match self.predefined(&name) {
                Some(word) => self.predefined_filter(word, first),
                None => Err(self.unknown_name(&name, span)),
            },
            Some(Name::Function(function)) => self.call(function, first),
            Some(Name::Dictionary(_)) => {
                self.cursor.at = first;
                self.dictionary()
            }
            Some(Name::Variable(variable)) => Ok(variable_filter(variable, span)),
        }
    }
}

/// Returns the filter that reads a variable.
pub(super) fn variable_filter(variable: Variable, span: Span) -> Filter {
    use crate::query::ast::{NumExpr, PosExpr, SetExpr, StrExpr};
    match variable {
        Variable::Set(variable) => Filter::new(SetExpr::Variable(variable), span),
        Variable::Piece(variable) => Filter::new(SetExpr::Piece(variable), span),
        Variable::Number(variable) => Filter::new(NumExpr::Variable(variable), span),
        Variable::String(variable) => Filter::new(StrExpr::Variable(variable), span),
        Variable::Position(variable) => Filter::new(PosExpr::Variable(variable), span),
    }
}

/// Returns the assignment of a value to a variable of its type. For a value of another type, the condition never matches.
pub(super) fn assignment(variable: Variable, value: Filter) -> CondExpr {
    let assignment = match (variable, value) {
        (Variable::Set(variable), Filter::Set(value)) => Assignment::Set(variable, value),
        (Variable::Number(variable), Filter::Number(value)) => Assignment::Number(variable, value),
        (Variable::String(variable), Filter::String(value)) => Assignment::String(variable, value),
        (Variable::Position(variable), Filter::Position(value)) => Assignment::Position(variable, value),
        _ => return CondExpr::Constant(false),
    };
    CondExpr::Assign(assignment)
}

fn arithmetic(sign: Sign) -> Option<Arithmetic> {
    Some(match sign {
        Sign::PlusAssign => Arithmetic::Add,
        Sign::MinusAssign => Arithmetic::Subtract,
        Sign::TimesAssign => Arithmetic::Multiply,
        Sign::DivideAssign => Arithmetic::Divide,
        Sign::RemainderAssign => Arithmetic::Remainder,
        _ => return None,
    })
}

fn no_value(filter: &Filter) -> Diagnostic {
    let error = Diagnostic::new(filter.span(), "a condition has no value that could be assigned")
        .label("it only matches or not");
    match super::dictionaries::untyped_entry(filter) {
        Some(hint) => error.hint(hint),
        None => error
            .hint("`x=(a<b)` assigns a if the comparison holds; `x=(if f 1 else 0)` turns a condition into a number")
            .surround(filter.span(), "(if ", " 1 else 0)"),
    }
}
