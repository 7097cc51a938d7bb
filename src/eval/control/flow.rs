//! Forms that pass the value of a part on, the same for every type.

use crate::game::Position;
use crate::query::{Cond, Flow, Node, Pos};

use crate::eval::context::Run;
use crate::eval::variables::dictionaries;
use crate::eval::{Eval, moves};

/// The value of a form at a position.
pub(crate) fn eval<'a, K>(
    flow: &'a Flow<Box<Node<K>>>,
    run: &mut Run<'a>,
    at: &'a Position,
) -> <Node<K> as Eval>::Value<'a>
where
    Node<K>: Eval,
{
    match flow {
        Flow::Group(value) | Flow::Fixed(value) => value.eval(run, at),
        Flow::Block { tests, value } => block(tests, value.as_ref(), run, at),
        Flow::If { test, yes, no } => {
            if test.eval(run, at) {
                yes.eval(run, at)
            } else {
                no.eval(run, at)
            }
        }
        Flow::At { position, value } => elsewhere(position, value.as_ref(), run, at),
        Flow::Call { arguments, body } => {
            if arguments.iter().all(|argument| argument.eval(run, at)) {
                body.eval(run, at)
            } else {
                <Node<K>>::missing()
            }
        }
        Flow::Entry { dictionary, key } => dictionaries::entry::<K>(*dictionary, key, run, at),
        Flow::Dash(dash, target) => moves::played(dash, target.as_ref(), run, at),
        Flow::Previous(dash, target) => moves::arrived(dash, target.as_ref(), run, at),
    }
}

fn block<'a, E: Eval>(tests: &'a [Cond], value: &'a E, run: &mut Run<'a>, at: &'a Position) -> E::Value<'a> {
    let mark = run.comments.mark();
    let result = if tests.iter().all(|test| test.eval(run, at)) {
        value.eval(run, at)
    } else {
        E::missing()
    };
    if E::DROPS_COMMENTS && E::is_missing(&result) {
        run.comments.cut(mark);
    }
    result
}

fn elsewhere<'a, E: Eval>(position: &'a Pos, value: &'a E, run: &mut Run<'a>, at: &'a Position) -> E::Value<'a> {
    match position.eval(run, at) {
        Some(there) => run.elsewhere(|run| value.eval(run, there)),
        None => E::missing(),
    }
}
