//! Forms that pass on the value of a part, the same for every type.

use crate::chess::Position;
use crate::query::{Cond, Flow, Node, Pos, TraceId};

use crate::eval::context::Context;
use crate::eval::interpreter::Eval;
use crate::eval::interpreter::imagine;
use crate::eval::interpreter::imagine::lookahead;
use crate::eval::interpreter::moves;
use crate::eval::interpreter::variables::dictionaries;

/// Returns the value of a form at a position.
pub(crate) fn eval<'a, K>(
    flow: &'a Flow<Box<Node<K>>>,
    context: &mut Context<'a>,
    at: &'a Position,
) -> <Node<K> as Eval>::Value<'a>
where
    Node<K>: Eval,
{
    match flow {
        Flow::Group(value) | Flow::Fixed(value) => value.eval(context, at),
        Flow::Block { tests, value } => block(tests, value.as_ref(), context, at),
        Flow::If { test, yes, no } => {
            if test.eval(context, at) {
                yes.eval(context, at)
            } else {
                no.eval(context, at)
            }
        }
        Flow::At { position, value } => elsewhere(position, value.as_ref(), context, at),
        Flow::Call { arguments, body } => {
            if arguments.iter().all(|argument| argument.eval(context, at)) {
                body.eval(context, at)
            } else {
                <Node<K>>::missing()
            }
        }
        Flow::Entry { dictionary, key } => dictionaries::entry::<K>(*dictionary, key, context, at),
        Flow::Dash(dash, target) => moves::played(dash, target.as_ref(), context, at),
        Flow::Previous(dash, target) => moves::arrived(dash, target.as_ref(), context, at),
        Flow::Lookahead(moves, target) => lookahead::first(moves, target.as_ref(), target.span, context, at),
        Flow::Imagined(imagined, value) => imagine::value(imagined, value.as_ref(), value.span, context, at),
        Flow::Traced(part, value) => traced(*part, value.as_ref(), context, at),
    }
}

/// Returns the value of a part and notes it in the trace.
fn traced<'a, E: Eval>(part: TraceId, value: &'a E, context: &mut Context<'a>, at: &'a Position) -> E::Value<'a> {
    let is_imagined = context.branch.is_some();
    let event = context.trace.as_mut();
    let event = event.and_then(|trace| trace.begin(part, at, is_imagined));
    let result = value.eval(context, at);
    if let (Some(event), Some(trace)) = (event, context.trace.as_mut()) {
        trace.end(event, E::noted(result.clone()));
    }
    result
}

fn block<'a, E: Eval>(tests: &'a [Cond], value: &'a E, context: &mut Context<'a>, at: &'a Position) -> E::Value<'a> {
    let mark = context.comments.mark();
    let result = match tests.iter().position(|test| !test.eval(context, at)) {
        None => value.eval(context, at),
        Some(failed) => {
            context.aside(|context| {
                for test in &tests[failed + 1..] {
                    test.eval(context, at);
                }
                value.eval(context, at);
            });
            E::missing()
        }
    };
    if E::DROPS_COMMENTS && E::is_missing(&result) {
        context.comments.cut(mark);
    }
    result
}

fn elsewhere<'a, E: Eval>(
    position: &'a Pos,
    value: &'a E,
    context: &mut Context<'a>,
    at: &'a Position,
) -> E::Value<'a> {
    match position.eval(context, at) {
        Some(there) => context.elsewhere(|context| value.eval(context, there)),
        None => E::missing(),
    }
}
