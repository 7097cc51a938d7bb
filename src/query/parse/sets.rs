//! Sets of squares: directions, rays, pins and single squares.

use crate::board::{Bitboard, Direction, DirectionSet};
use crate::syntax::token::{Span, Token, TokenKind};
use crate::syntax::tree::Rule;
use crate::syntax::{Diagnostic, Form};

use super::builder::{Builder, Built};
use super::operators::Level;
use crate::query::ast::node::{Filter, Flow, Num, Set, node};
use crate::query::ast::sets::{Line, Pin, PinPart};
use crate::query::ast::{Bound, CondExpr, PosExpr, Range, SetExpr};

/// Returns the directions of a word.
pub(super) fn directions(word: &str) -> Option<DirectionSet> {
    Some(match word {
        "up" => Direction::North.into(),
        "down" => Direction::South.into(),
        "left" => Direction::West.into(),
        "right" => Direction::East.into(),
        "northeast" => Direction::NorthEast.into(),
        "northwest" => Direction::NorthWest.into(),
        "southeast" => Direction::SouthEast.into(),
        "southwest" => Direction::SouthWest.into(),
        "vertical" => DirectionSet::VERTICAL,
        "horizontal" => DirectionSet::HORIZONTAL,
        "orthogonal" => DirectionSet::ORTHOGONAL,
        "diagonal" => DirectionSet::DIAGONAL,
        "maindiagonal" => DirectionSet::MAIN_DIAGONAL,
        "offdiagonal" => DirectionSet::OFF_DIAGONAL,
        "anydirection" => DirectionSet::ALL,
        _ => return None,
    })
}

/// Makes the set `S -> T -> U …` or, read from the right, `S <- T <- U …`.
pub(super) fn arrow_line(sets: Vec<Set>, forward: bool) -> SetExpr {
    let mut sets = sets;
    if !forward {
        sets.reverse();
    }
    SetExpr::Line(Line {
        directions: DirectionSet::ALL,
        written: false,
        slider_first: true,
        value_first: forward,
        sets,
    })
}

impl Builder {
    /// Reads `firstmove`: the square of the piece that has just moved, if it had never moved before. The word is read.
    pub(super) fn first_move(&mut self, first: usize) -> Built {
        let span = self.cursor.span_from(first);
        let set = |kind| node(kind, span);
        let before = set(SetExpr::Flow(Flow::At {
            position: node(PosExpr::Parent, span),
            value: set(SetExpr::NeverMoved),
        }));
        // After a null move, the king of the side that passed is on this square, and may never have moved.
        let gone = set(SetExpr::Complement(set(SetExpr::NeverMoved)));
        let before = set(SetExpr::Intersection(before, gone));
        let mover = set(SetExpr::Intersection(set(SetExpr::From), before));
        Ok(Filter::Set(set(SetExpr::Flow(Flow::If {
            test: node(CondExpr::NonEmpty(mover), span),
            yes: set(SetExpr::To),
            no: set(SetExpr::Constant(Bitboard::EMPTY)),
        }))))
    }

    /// Reads `~S`. The sign is next.
    pub(super) fn complement(&mut self) -> Built {
        let first = self.cursor.at;
        self.cursor.next();
        let set = self.typed_operand(Level::Attack, "after `~`")?;
        self.complete(SetExpr::Complement(set), first)
    }

    /// Reads `up 1 3 S`. The form is next.
    pub(super) fn direction(&mut self, form: &Form) -> Built {
        let first = self.cursor.at;
        let directions = self.directions_of(form)?;
        self.cursor.next();
        // The range of the form, or one with variables as bounds.
        let start = self.cursor.at;
        let range = self.range();
        if let Some(range) = range {
            check_steps(range, self.cursor.span_from(start))?;
        }
        let set = self
            .typed_operand(Level::Imbue, "after the direction")
            .map_err(|error| self.steps_before_sign(error, start))?;
        self.complete(SetExpr::Direction { directions, range, set }, first)
    }

    /// Adds that the number at the token `start` is not a range because a sign follows it.
    fn steps_before_sign(&self, error: Diagnostic, start: usize) -> Diagnostic {
        let kinds = [start, start + 1].map(|place| self.cursor.tokens.get(place).map(|token| &token.kind));
        match kinds {
            [Some(TokenKind::Integer(steps)), Some(TokenKind::Sign(_))] => error.hint(format!(
                "a number of steps is followed by a set without sign: `up {steps} {{~A}}`"
            )),
            _ => error,
        }
    }

    /// Reads `light S`, `dark S`. The word is read.
    pub(super) fn square_color(&mut self, light: bool, first: usize) -> Built {
        let set = self.typed_operand(Level::Imbue, "after `light` or `dark`")?;
        self.complete(SetExpr::SquareColor { light, set }, first)
    }

    /// Reads `between(S T)`. The form is next.
    pub(super) fn between(&mut self, form: &Form) -> Built {
        let first = self.cursor.at;
        let opened = self.enter(form)?;
        let left = self.typed_operand(Level::Dash, "as first argument of `between`")?;
        let right = self.typed_operand(Level::Dash, "as second argument of `between`")?;
        self.close(opened, "two sets")?;
        self.complete(SetExpr::Between(left, right), first)
    }

    /// Reads `makesquare s`. The word is read.
    pub(super) fn named_square(&mut self, first: usize) -> Built {
        let name = self
            .typed_operand(Level::Sum, "after `makesquare`")
            .map_err(|error| error.hint("a file and a rank are written in parentheses: `makesquare (5 4)`"))?;
        self.complete(SetExpr::NamedSquare(name), first)
    }

    /// Reads `makesquare(n m)`, `makesquare(s)`. The form is next.
    pub(super) fn make_square(&mut self, form: &Form) -> Built {
        let first = self.cursor.at;
        let opened = self.enter(form)?;
        let kind = match self.operand(Level::Sum, "a number or a string")? {
            Filter::String(name) => SetExpr::NamedSquare(name),
            other => {
                let file: Num = self.typed(other, "as the file of `makesquare`")?;
                SetExpr::MakeSquare(file, self.typed_operand(Level::Sum, "as the rank of `makesquare`")?)
            }
        };
        self.close(opened, "the file and the rank, or the name of a square")?;
        self.complete(kind, first)
    }

    /// Reads `pin from S through T to U`. The word is read.
    pub(super) fn pin(&mut self, first: usize) -> Built {
        let mut pin = Pin {
            from: None,
            through: None,
            to: None,
            value: PinPart::Through,
        };
        let mut value = None;
        while let Some(word) = self.cursor.take_any_word(&["from", "through", "to"]) {
            let (part, slot) = match word {
                "from" => (PinPart::From, &mut pin.from),
                "through" => (PinPart::Through, &mut pin.through),
                _ => (PinPart::To, &mut pin.to),
            };
            if slot.is_some() {
                let span = self.cursor.tokens[self.cursor.at - 1].span;
                return Err(Diagnostic::new(span, format!("`{word}` occurs twice in one `pin`")));
            }
            *slot = Some(self.typed_operand(Level::Imbue, &format!("after `{word}`"))?);
            value.get_or_insert(part);
        }
        pin.value = value.unwrap_or(PinPart::Through);
        self.complete(SetExpr::Pin(pin), first)
    }

    /// Reads `ray up down (S T …)`, `ray attack (S T …)`. The form is next.
    pub(super) fn ray(&mut self, form: &Form) -> Built {
        if form.has(Rule::ATTACK) || form.has(Rule::ATTACKS) {
            return self.xray(form);
        }
        let found = self.directions_of(form)?;
        let written = !found.is_empty();
        let line = Line {
            directions: if written { found } else { DirectionSet::ALL },
            written,
            slider_first: false,
            value_first: false,
            sets: Vec::new(),
        };
        self.line(line, "ray", form)
    }

    /// Reads `xray(S T …)`. The form is next.
    pub(super) fn xray(&mut self, form: &Form) -> Built {
        let line = Line {
            directions: DirectionSet::ALL,
            written: false,
            slider_first: true,
            value_first: false,
            sets: Vec::new(),
        };
        self.line(line, "xray", form)
    }

    /// Returns the directions in a form.
    fn directions_of(&self, form: &Form) -> Built<DirectionSet> {
        let mut found = DirectionSet::EMPTY;
        for part in form.parts(Rule::direction_word) {
            let word = self.cursor.word_of(part);
            let more = directions(word).unwrap_or(DirectionSet::EMPTY);
            if !(found & more).is_empty() {
                return Err(
                    Diagnostic::new(self.cursor.tokens[part.first].span, "a direction is given twice")
                        .label(format!("`{word}` includes one given before")),
                );
            }
            found |= more;
        }
        Ok(found)
    }

    /// Returns an error for `ray` or `xray` without parentheses. The word is read.
    pub(super) fn no_line(&mut self, word: &str) -> Diagnostic {
        let old = word == "ray" && self.cursor.take_any_word(&["attack", "attacks"]).is_some();
        let word = if old { "xray" } else { word };
        let is_direction = |token: &Token| matches!(token.kind, TokenKind::Word(word) if directions(word).is_some());
        if word == "xray" && is_direction(self.cursor.token()) {
            return self
                .unexpected("expected `(`")
                .hint("`xray` takes no directions; `ray up ([RQ] a k)` names the sliders itself");
        }
        while word == "ray" && is_direction(self.cursor.token()) {
            self.cursor.next();
        }
        let error = self.without_parentheses(word);
        let takes_range = matches!(
            self.cursor.token().kind,
            TokenKind::Integer(_) | TokenKind::Word("count")
        );
        if takes_range {
            error
                .hint(format!("`{word}` takes no range"))
                .fix("Leave out the range", [(self.cursor.token().span, "")])
        } else {
            error
        }
    }

    fn line(&mut self, line: Line, word: &str, form: &Form) -> Built {
        let first = self.cursor.at;
        let opened = self.enter(form)?;
        let mut line = line;
        while self.cursor.begins_filter() {
            let place = format!("as {} argument of `{word}`", ordinal(line.sets.len()));
            let argument = self.filter()?;
            line.sets.push(self.typed(argument, &place)?);
        }
        self.close(opened, &format!("the arguments of `{word}`"))?;
        let span = self.cursor.span_from(first);
        if line.sets.len() < 2 {
            return Err(
                Diagnostic::new(span, format!("`{word}` needs at least two sets")).label(if line.sets.is_empty() {
                    "there is none"
                } else {
                    "there is one"
                }),
            );
        }
        Ok(Filter::new(SetExpr::Line(line), span))
    }
}

/// Returns an error for steps that no direction can have: more than 7, or in descending order.
fn check_steps(range: Range, span: Span) -> Built<()> {
    let Range::Within(least, most) = range else {
        return Err(Diagnostic::new(span, "`count` is not a number of steps").label("expected one or two numbers"));
    };
    let written = |bound| match bound {
        Bound::Number(number) => Some(number),
        Bound::Variable(..) => None,
    };
    if [least, most]
        .into_iter()
        .filter_map(written)
        .any(|steps| !(-7..=7).contains(&steps))
    {
        return Err(Diagnostic::new(span, "a direction goes −7 to 7 steps").label("outside this range"));
    }
    if let (Some(least), Some(most)) = (written(least), written(most))
        && least > most
    {
        return Err(Diagnostic::new(span, "the range of steps descends").label(format!("{least} is more than {most}")));
    }
    Ok(())
}

fn ordinal(index: usize) -> String {
    match index {
        0 => "first".to_owned(),
        1 => "second".to_owned(),
        2 => "third".to_owned(),
        _ => format!("{}th", index + 1),
    }
}
