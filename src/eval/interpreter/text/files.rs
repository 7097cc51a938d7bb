//! `readfile` and `writefile` (chapter 8, 12). [`crate::eval::files::folder::Folder`] decides where they may read and write.

use std::borrow::Cow;

use crate::chess::Position;
use crate::query::Str;
use crate::syntax::token::Span;

use crate::eval::context::Context;
use crate::eval::interpreter::Eval;
use crate::eval::interpreter::values::strings::Text;

/// Evaluates `readfile s`.
pub(crate) fn read<'a>(name: &'a Str, span: Span, context: &mut Context<'a>, at: &'a Position) -> Option<Text<'a>> {
    let name = file_name(name, span, context, at)?;
    if context.stop.is_some() {
        return None;
    }
    match context.files.read(&name) {
        Ok(content) => Some(Cow::Owned(content)),
        Err(reason) => {
            cannot("read", &name, &reason, span, context, at);
            None
        }
    }
}

/// Evaluates `writefile (s t)`. Returns whether t has a value.
pub(crate) fn write<'a>(
    name: &'a Str,
    content: &'a Str,
    span: Span,
    context: &mut Context<'a>,
    at: &'a Position,
) -> bool {
    let Some(name) = file_name(name, span, context, at) else {
        return false;
    };
    let Some(content) = content.eval(context, at) else {
        return false;
    };
    // Once the run has to end, values do not count.
    if context.stop.is_some() {
        return false;
    }
    match context.files.write(&name, &content) {
        Ok(()) => true,
        Err(reason) => {
            cannot("write", &name, &reason, span, context, at);
            false
        }
    }
}

fn file_name<'a>(name: &'a Str, span: Span, context: &mut Context<'a>, at: &'a Position) -> Option<Text<'a>> {
    let value = name.eval(context, at);
    if value.is_none() {
        context.stop(span, "the name of a file has no value", "needs a name", at);
    }
    value
}

fn cannot(what: &str, name: &[u8], reason: &str, span: Span, context: &mut Context<'_>, at: &Position) {
    let name = String::from_utf8_lossy(name);
    context.stop(span, format!("cannot {what} the file {name:?}"), reason, at);
}
