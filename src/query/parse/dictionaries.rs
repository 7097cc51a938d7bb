//! Dictionaries: declarations, entries and loops over keys (chapter 8, 10 of the language reference).

use crate::syntax::token::{Sign, Span, TokenKind};
use crate::syntax::tree::Rule;
use crate::syntax::{Diagnostic, Form};

use super::builder::{Builder, Built};
use super::names::{Name, in_use};
use super::symbols::Declared;
use crate::query::ast::dictionaries::{Dictionary, DictionaryAction};
use crate::query::ast::node::{Expression, Filter, Flow, Type, node};
use crate::query::ast::variables::{DictionaryId, Variable};
use crate::query::ast::{CondExpr, NumExpr, PosExpr, SetExpr, StrExpr};

/// The role of a filter in an entry.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Key,
    Value,
}

impl Role {
    fn described(self) -> &'static str {
        match self {
            Role::Key => "key",
            Role::Value => "value",
        }
    }
}

impl Builder {
    /// Returns whether a dictionary is next: its name or its declaration.
    pub(super) fn at_dictionary(&self) -> bool {
        match &self.cursor.token().kind {
            TokenKind::Name(name) => matches!(self.symbols.names.get(name), Some(Name::Dictionary(_))),
            _ => self.cursor.form().is_some_and(|form| form.rule == Rule::dictionary),
        }
    }

    /// Reads `D`, `local dictionary D`, `persistent? dictionary D`, which is next.
    pub(super) fn dictionary_name(&mut self) -> Built<DictionaryId> {
        let declaration = self.cursor.form().filter(|form| form.rule == Rule::dictionary);
        let local = declaration.as_ref().is_some_and(|form| form.has(Rule::LOCAL));
        let declared = declaration.as_ref().and_then(|form| form.part(Rule::name));
        if let Some(name) = declared {
            self.cursor.at = name.first;
        }
        let declared = declared.is_some();
        let (name, span) = self.new_name("of a dictionary")?;
        match self.symbols.names.get(&name) {
            None if declared => Ok(self.declare_dictionary(name, local)),
            None => Err(self.unknown_name(&name, span)),
            Some(Name::Dictionary(id)) => {
                let known = &self.symbols.dictionaries[id.index()].dictionary;
                if declared && known.local != local {
                    let (as_known, as_declared) = if local { ("", "local ") } else { ("local ", "") };
                    return Err(
                        Diagnostic::new(span, format!("`{name}` is a `{as_known}dictionary` already"))
                            .label(format!("it cannot become a `{as_declared}dictionary`")),
                    );
                }
                Ok(id)
            }
            Some(other) => Err(in_use(&name, span, other, "a dictionary")),
        }
    }

    fn declare_dictionary(&mut self, name: String, local: bool) -> DictionaryId {
        let id = DictionaryId(self.symbols.dictionaries.len() as u32);
        self.symbols.names.declare(&name, Name::Dictionary(id));
        self.symbols.dictionaries.push(Declared {
            dictionary: Dictionary { name, local },
            keys: None,
            values: None,
        });
        id
    }

    /// Returns the dictionary that is next, unless it is indexed, and the index of the token after it.
    pub(super) fn lone_dictionary(&mut self) -> Built<Option<(DictionaryId, usize)>> {
        if !self.at_dictionary() {
            return Ok(None);
        }
        let start = self.cursor.at;
        let id = self.dictionary_name()?;
        let end = self.cursor.at;
        let indexed = self.cursor.at_sign(Sign::OpenBracket);
        self.cursor.at = start;
        Ok((!indexed).then_some((id, end)))
    }

    /// Reads `D`, `D[k]`, `D[k] = f`. The name or declaration is next.
    pub(super) fn dictionary(&mut self) -> Built {
        let first = self.cursor.at;
        let dictionary = self.dictionary_name()?;
        self.refuse_designator(dictionary)?;
        if !self.cursor.at_sign(Sign::OpenBracket) {
            return self.complete(CondExpr::Constant(true), first);
        }
        let key = self.key(dictionary)?;
        if self.cursor.take_sign(Sign::Assign) {
            return self.store(dictionary, key, first);
        }
        if let TokenKind::Sign(sign) = self.cursor.token().kind
            && sign.is_assignment()
        {
            let name = &self.symbols.dictionaries[dictionary.index()].dictionary.name;
            let hint = format!("entries have only `=`: write `{name}[k] = {name}[k] + 1`");
            return Err(self.unexpected("this changes only variables").hint(hint));
        }
        Ok(self.entry(dictionary, key, self.cursor.span_from(first)))
    }

    /// Returns an error for `D[R]` and the like, which the lexer reads as a dictionary and a designator.
    fn refuse_designator(&self, dictionary: DictionaryId) -> Built<()> {
        let token = self.cursor.token();
        let bracketed = match token.kind {
            TokenKind::Designator(_) | TokenKind::Sign(Sign::EmptySet) => "is read as a set of its own",
            TokenKind::Dash { capture: true, .. } => "is read as the capture sign",
            _ => return Ok(()),
        };
        if token.spaced {
            return Ok(());
        }
        let name = &self.symbols.dictionaries[dictionary.index()].dictionary.name;
        Err(Diagnostic::new(token.span, "a key that touches its brackets")
            .label(bracketed)
            .hint(format!("put spaces around the key: `{name}[ … ]`")))
    }

    /// Reads `[k]`. The bracket is next.
    fn key(&mut self, dictionary: DictionaryId) -> Built<Filter> {
        let opened = self.cursor.next().span;
        let key = self.filter_expected("as a key")?;
        if !self.cursor.take_sign(Sign::CloseBracket) {
            return Err(self.unexpected("expected `]`").related(opened, "opened here"));
        }
        self.check_type(dictionary, Role::Key, &key)?;
        Ok(key)
    }

    /// Checks that a key or value has the type of the dictionary. The first one determines this type.
    fn check_type(&mut self, dictionary: DictionaryId, role: Role, filter: &Filter) -> Built<()> {
        let span = filter.span();
        let kind = filter.kind();
        if kind == Type::Condition {
            let error = Diagnostic::new(span, format!("a condition cannot be a {}", role.described()))
                .label("it only matches or not");
            return Err(match untyped_entry(filter) {
                Some(hint) => error.hint(hint),
                None => error
                    .hint("`(if f 1 else 0)` turns a condition into a number")
                    .surround(span, "(if ", " 1 else 0)"),
            });
        }
        let declared = &mut self.symbols.dictionaries[dictionary.index()];
        let name = &declared.dictionary.name;
        if kind == Type::Position && !declared.dictionary.local {
            return Err(
                Diagnostic::new(span, format!("a position cannot be a {} here", role.described()))
                    .label(format!("`{name}` outlasts the game that the position belongs to"))
                    .hint(format!("declare it as `local dictionary {name}`")),
            );
        }
        let fixed = match role {
            Role::Key => &mut declared.keys,
            Role::Value => &mut declared.values,
        };
        match *fixed {
            None => *fixed = Some((kind, span)),
            Some((known, _)) if known == kind => {}
            Some((known, place)) => {
                let role = role.described();
                return Err(
                    Diagnostic::new(span, format!("{} as a {role} of `{name}`", kind.described()))
                        .label(format!("this is {}", kind.described()))
                        .related(place, format!("{} as the first {role}", known.described()))
                        .hint(format!("all {role}s of a dictionary have one type")),
                );
            }
        }
        Ok(())
    }

    /// Reads `D[k] = f`. The sign is read.
    fn store(&mut self, dictionary: DictionaryId, key: Filter, first: usize) -> Built {
        let value = self.filter_expected("to store")?;
        self.check_type(dictionary, Role::Value, &value)?;
        Ok(self.action(dictionary, DictionaryAction::Store { key, value }, first))
    }

    fn action(&self, dictionary: DictionaryId, action: DictionaryAction, first: usize) -> Filter {
        Filter::new(
            CondExpr::Dictionary(dictionary, Box::new(action)),
            self.cursor.span_from(first),
        )
    }

    /// Makes `D[k]` a filter of the type of the values. Before anything is stored in the text, it is only a condition.
    fn entry(&mut self, dictionary: DictionaryId, key: Filter, span: Span) -> Filter {
        fn typed<E: Expression>(dictionary: DictionaryId, key: Filter, span: Span) -> Filter {
            E::filter(node(E::flow(Flow::Entry { dictionary, key }), span))
        }
        let typed = match self.symbols.dictionaries[dictionary.index()].values {
            Some((Type::Set, _)) => typed::<SetExpr>,
            Some((Type::Number, _)) => typed::<NumExpr>,
            Some((Type::String, _)) => typed::<StrExpr>,
            Some((Type::Position, _)) => typed::<PosExpr>,
            Some((Type::Condition, _)) | None => typed::<CondExpr>,
        };
        typed(dictionary, key, span)
    }

    /// Reads `#D`. The sign is read, and the dictionary is next.
    pub(super) fn entry_count(&mut self, first: usize) -> Built {
        let dictionary = self.dictionary_name()?;
        if self.cursor.at_sign(Sign::OpenBracket) {
            let name = &self.symbols.dictionaries[dictionary.index()].dictionary.name;
            let hint = format!("the size of an entry is `#({name}[…])`");
            return Err(self.unexpected("`#` counts the entries of the dictionary").hint(hint));
        }
        self.complete(NumExpr::Entries(dictionary), first)
    }

    /// Reads `unbind D`, `unbind D[k]`. The word is read, and the dictionary is next.
    pub(super) fn unbind_dictionary(&mut self, first: usize) -> Built {
        let dictionary = self.dictionary_name()?;
        self.refuse_designator(dictionary)?;
        if !self.cursor.at_sign(Sign::OpenBracket) {
            return Ok(self.action(dictionary, DictionaryAction::Clear, first));
        }
        let declared = &self.symbols.dictionaries[dictionary.index()];
        if declared.keys.is_none() {
            return Err(self.untyped(dictionary, "an entry is removed"));
        }
        let key = self.key(dictionary)?;
        Ok(self.action(dictionary, DictionaryAction::Remove(key), first))
    }

    /// Returns an error for `string` without a loop. The word is read.
    pub(super) fn no_key_loop(&mut self) -> Diagnostic {
        match self.new_name("of a variable after `string`") {
            Ok(_) => self.unexpected("expected `in`"),
            Err(error) => error,
        }
    }

    /// Reads `string x in D f`. The form is next; D and f follow it.
    pub(super) fn string_loop(&mut self, form: &Form) -> Built {
        let first = self.cursor.at;
        self.cursor.next();
        let (name, span) = self.new_name("of a variable after `string`")?;
        self.cursor.at = first;
        self.cursor.read_whole(form);
        if !self.at_dictionary() {
            return Err(self.unexpected("expected a dictionary"));
        }
        let place = self.cursor.token().span;
        let dictionary = self.dictionary_name()?;
        if let Some((kind, fixed)) = self.symbols.dictionaries[dictionary.index()].keys
            && kind != Type::String
        {
            return Err(Diagnostic::new(place, "`string` loops over keys that are strings")
                .label("other keys here")
                .related(fixed, format!("{} as the first key", kind.described()))
                .hint(format!("write `{name} ∊ …`")));
        }
        self.key_loop(&name, span, dictionary, first)
    }

    /// Reads `x ∊ D f`. Everything except f is read.
    pub(super) fn key_loop(&mut self, name: &str, span: Span, dictionary: DictionaryId, first: usize) -> Built {
        let declared = &self.symbols.dictionaries[dictionary.index()];
        let (Some((keys, _)), Some(_)) = (declared.keys, declared.values) else {
            return Err(self.untyped(dictionary, "a loop iterates over it"));
        };
        let variable = self.key_variable(name, span, keys)?;
        let body = self.loop_body(name, span, variable)?;
        Ok(self.action(dictionary, DictionaryAction::Each { variable, body }, first))
    }

    /// Returns the variable of this name for keys of this type. Declares it if it is new.
    fn key_variable(&mut self, name: &str, span: Span, keys: Type) -> Built<Variable> {
        match (self.symbols.names.get(name), keys) {
            (Some(Name::Variable(variable @ Variable::Set(_))), Type::Set)
            | (Some(Name::Variable(variable @ Variable::Number(_))), Type::Number)
            | (Some(Name::Variable(variable @ Variable::String(_))), Type::String)
            | (Some(Name::Variable(variable @ Variable::Position(_))), Type::Position) => return Ok(variable),
            (Some(other), _) => {
                return Err(in_use(name, span, other, "the variable of this loop").hint(format!(
                    "the keys of the dictionary are of another type: each is {}",
                    keys.described()
                )));
            }
            (None, _) => {}
        }
        self.new_variable(keys, name)
            .ok_or_else(|| Diagnostic::new(span, "a condition cannot be a key"))
    }

    fn untyped(&self, dictionary: DictionaryId, before: &str) -> Diagnostic {
        let name = &self.symbols.dictionaries[dictionary.index()].dictionary.name;
        Diagnostic::new(
            self.cursor.tokens[self.cursor.at.saturating_sub(1)].span,
            format!("the types of `{name}` are not known yet"),
        )
        .label(format!("the text must store something in it before {before}"))
    }
}

/// Returns advice if a condition is an entry of a dictionary in which nothing has been stored yet.
pub(super) fn untyped_entry(filter: &Filter) -> Option<&'static str> {
    match filter {
        Filter::Condition(condition) if matches!(condition.kind, CondExpr::Flow(Flow::Entry { .. })) => {
            Some("an entry has a type only after the text has stored something in the dictionary")
        }
        _ => None,
    }
}
