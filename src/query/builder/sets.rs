//! Sets of squares: directions, rays, pins, single squares.

use crate::board::{Bitboard, Direction, DirectionSet};
use crate::syntax::Diagnostic;
use crate::syntax::token::{Designator, Sign, Span, TokenKind};

use super::super::node::{Filter, Num, Set, node};
use super::super::sets::{Economy, Line, MateTheme, PawnSet, Pin, PinPart};
use super::super::{Bound, Range, SetExpr};
use super::climb::Level;
use super::{Builder, Built};

/// The directions of a word.
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

/// `S -> T -> U …` or, read from the right, `S <- T <- U …`
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

/// The set of pawns of a word.
pub(super) fn pawns(word: &str) -> Option<PawnSet> {
    Some(match word {
        "passedpawns" => PawnSet::Passed,
        "isolatedpawns" => PawnSet::Isolated,
        "doubledpawns" => PawnSet::Doubled,
        "connectedpawns" => PawnSet::Connected,
        _ => return None,
    })
}

/// The composition theme of a word.
pub(super) fn mate_theme(word: &str) -> Option<MateTheme> {
    let (economy, stalemate) = match word {
        "puremate" => (Economy::Pure, false),
        "modelmate" => (Economy::Model, false),
        "idealmate" => (Economy::Ideal, false),
        "purestalemate" => (Economy::Pure, true),
        "modelstalemate" => (Economy::Model, true),
        "idealstalemate" => (Economy::Ideal, true),
        _ => return None,
    };
    Some(MateTheme { stalemate, economy })
}

impl Builder {
    /// `.` and `[]`: the sign is next.
    pub(super) fn constant_set(&mut self, set: Bitboard) -> Built {
        let span = self.next().span;
        Ok(Filter::Set(node(SetExpr::Constant(set), span)))
    }

    /// A piece designator: it is next.
    pub(super) fn designator(&mut self, designator: Designator) -> Built {
        let span = self.next().span;
        Ok(Filter::Set(node(SetExpr::Designator(designator), span)))
    }

    /// `~S`: the sign is next.
    pub(super) fn complement(&mut self) -> Built {
        let first = self.at;
        self.next();
        let set = self.set_operand(Level::Attack, "after `~`")?;
        Ok(Filter::Set(node(SetExpr::Complement(set), self.span_from(first))))
    }

    /// `up 1 3 S`: the word is read.
    pub(super) fn direction(&mut self, directions: DirectionSet, first: usize) -> Built {
        let start = self.at;
        let range = self.range();
        if let Some(range) = range {
            check_steps(range, self.span_from(start))?;
            if let Range::Within(least, most) = range
                && [least, most].iter().any(|bound| matches!(bound, Bound::Variable(..)))
            {
                self.may_stop();
            }
        }
        let set = self
            .set_operand(Level::Imbue, "after the direction")
            .map_err(|error| self.steps_before_sign(error, start))?;
        Ok(Filter::Set(node(
            SetExpr::Direction { directions, range, set },
            self.span_from(first),
        )))
    }

    /// Explains that the number at the token `start` is no range because a sign follows it.
    fn steps_before_sign(&self, error: Diagnostic, start: usize) -> Diagnostic {
        let kinds = [start, start + 1].map(|place| self.tokens.get(place).map(|token| &token.kind));
        match kinds {
            [Some(TokenKind::Integer(steps)), Some(TokenKind::Sign(_))] => error.hint(format!(
                "a number of steps is followed by a set without sign: `up {steps} {{~A}}`"
            )),
            _ => error,
        }
    }

    /// `light S`, `dark S`: the word is read.
    pub(super) fn square_color(&mut self, light: bool, first: usize) -> Built {
        let set = self.set_operand(Level::Imbue, "after `light` or `dark`")?;
        Ok(Filter::Set(node(
            SetExpr::SquareColor { light, set },
            self.span_from(first),
        )))
    }

    /// `between ( S T )`: the word is read.
    pub(super) fn between(&mut self, first: usize) -> Built {
        let opened = self.open("between")?;
        let left = self.set_operand(Level::Dash, "as first argument of `between`")?;
        let right = self.set_operand(Level::Dash, "as second argument of `between`")?;
        self.close(opened, "two sets")?;
        Ok(Filter::Set(node(SetExpr::Between(left, right), self.span_from(first))))
    }

    /// `makesquare ( n m )`, `makesquare s`: the word is read.
    pub(super) fn make_square(&mut self, first: usize) -> Built {
        if !self.at_sign(Sign::OpenParen) {
            let name = self
                .string_operand(Level::Sum, "after `makesquare`")
                .map_err(|error| error.hint("a file and a rank are written in parentheses: `makesquare (5 4)`"))?;
            return Ok(Filter::Set(node(SetExpr::NamedSquare(name), self.span_from(first))));
        }
        let opened = self.next().span;
        let kind = match self.operand(Level::Sum, "a number or a string")? {
            Filter::String(name) => SetExpr::NamedSquare(name),
            other => {
                let file: Num = self.number(other, "as the file of `makesquare`")?;
                SetExpr::MakeSquare(file, self.number_operand(Level::Sum, "as the rank of `makesquare`")?)
            }
        };
        self.close(opened, "the file and the rank, or the name of a square")?;
        Ok(Filter::Set(node(kind, self.span_from(first))))
    }

    /// `pin from S through T to U`: the word is read.
    pub(super) fn pin(&mut self, first: usize) -> Built {
        let mut pin = Pin {
            from: None,
            through: None,
            to: None,
            value: PinPart::Through,
        };
        let mut value = None;
        while let Some(word) = self.take_any_word(&["from", "through", "to"]) {
            let (part, slot) = match word {
                "from" => (PinPart::From, &mut pin.from),
                "through" => (PinPart::Through, &mut pin.through),
                _ => (PinPart::To, &mut pin.to),
            };
            if slot.is_some() {
                let span = self.tokens[self.at - 1].span;
                return Err(Diagnostic::new(span, format!("`{word}` stands twice in one `pin`")));
            }
            *slot = Some(self.set_operand(Level::Imbue, &format!("after `{word}`"))?);
            value.get_or_insert(part);
        }
        pin.value = value.unwrap_or(PinPart::Through);
        Ok(Filter::Set(node(SetExpr::Pin(pin), self.span_from(first))))
    }

    /// `ray … ( S T … )`: the word is read.
    pub(super) fn ray(&mut self, first: usize) -> Built {
        if self.take_any_word(&["attack", "attacks"]).is_some() {
            return self.xray(first);
        }
        let mut found = DirectionSet::EMPTY;
        while let TokenKind::Word(word) = self.token().kind
            && let Some(more) = directions(word)
        {
            if !(found & more).is_empty() {
                return Err(Diagnostic::new(self.token().span, "a direction is given twice")
                    .label(format!("`{word}` holds one that stands before")));
            }
            found |= more;
            self.next();
        }
        let written = !found.is_empty();
        let directions = if written { found } else { DirectionSet::ALL };
        self.line(
            Line {
                directions,
                written,
                slider_first: false,
                value_first: false,
                sets: Vec::new(),
            },
            "ray",
            first,
        )
    }

    /// `xray ( S T … )`: the word is read.
    pub(super) fn xray(&mut self, first: usize) -> Built {
        let line = Line {
            directions: DirectionSet::ALL,
            written: false,
            slider_first: true,
            value_first: false,
            sets: Vec::new(),
        };
        if matches!(self.token().kind, TokenKind::Word(word) if directions(word).is_some()) {
            return Err(self
                .unexpected("expected `(`")
                .hint("`xray` takes no directions; `ray up ([RQ] a k)` names the sliders itself"));
        }
        self.line(line, "xray", first)
    }

    fn line(&mut self, line: Line, word: &str, first: usize) -> Built {
        if !self.at_sign(Sign::OpenParen) {
            let error = self.unexpected(&format!("expected `(` after `{word}`"));
            let takes_range = matches!(self.token().kind, TokenKind::Integer(_) | TokenKind::Word("count"));
            return Err(if takes_range {
                error.hint(format!("`{word}` takes no range"))
            } else {
                error
            });
        }
        let opened = self.next().span;
        let mut line = line;
        while self.begins_filter() {
            let place = format!("as {} argument of `{word}`", ordinal(line.sets.len()));
            let argument = self.filter()?;
            line.sets.push(self.set(argument, &place)?);
        }
        self.close(opened, &format!("the arguments of `{word}`"))?;
        let span = self.span_from(first);
        if line.sets.len() < 2 {
            return Err(
                Diagnostic::new(span, format!("`{word}` needs at least two sets")).label(if line.sets.is_empty() {
                    "there is none"
                } else {
                    "there is one"
                }),
            );
        }
        Ok(Filter::Set(node(SetExpr::Line(line), span)))
    }
}

/// Refuses steps that no direction can have: beyond 7 or in descending order.
fn check_steps(range: Range, span: Span) -> Built<()> {
    let Range::Within(least, most) = range else {
        return Err(Diagnostic::new(span, "`count` is no number of steps").label("expected one or two numbers"));
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
