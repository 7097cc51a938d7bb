//! Moves: dashes with their sides, promotion and target, and the filters that consist of them (chapter 6).

use shakmaty::CastlingSide;

use crate::syntax::Diagnostic;
use crate::syntax::token::{Sign, Span, TokenKind};

use super::builder::{Builder, Built, Wrapper};
use super::names::Name;
use super::operators::Level;
use crate::query::ast::moves::{
    Dash, LegalDash, Lookahead, Move, MoveComment, MoveSource, MoveSquares, Promotion, SpecialMove,
};
use crate::query::ast::node::{Filter, Flow, Set, node};
use crate::query::ast::{CondExpr, NumExpr, PosExpr, SetExpr, StrExpr};

/// The span of the target of a dash that has none in the text.
const NOWHERE: Span = Span { start: 0, end: 0 };

impl Builder {
    /// Reads `L--R=P(T)`. L is read, and the dash is next.
    pub(super) fn dash(&mut self, left: Option<Filter>, first: usize) -> Built {
        let dash = self.bare_dash(left, false)?;
        if !self.cursor.at_sign(Sign::OpenParen) {
            let anything = Filter::new(CondExpr::Constant(true), NOWHERE);
            return Ok(anything.with_flow(self.cursor.span_from(first), Wrapper::Dash(dash)));
        }
        let played = self.with_target(dash, first)?;
        if self.cursor.at_sign(Sign::OpenParen) {
            let error = Diagnostic::new(self.cursor.token().span, "a parenthesis after the target of a move")
                .label("a move has one target")
                .related(played.span(), "the move and its target")
                .hint("what holds after the move goes into one target: `--(f g)`")
                .hint("a filter of its own after a move is written in braces: `--(f) {g}`");
            return Err(self.braces_instead(error, self.cursor.at));
        }
        Ok(played)
    }

    /// Reads `L--R=P`. L is read, and the dash is next. Without L, it must not touch the token before it unless it is `detached` from that.
    pub(super) fn bare_dash(&mut self, left: Option<Filter>, detached: bool) -> Built<Dash> {
        let token = self.cursor.next();
        let TokenKind::Dash {
            capture,
            left_tied,
            right_tied,
        } = token.kind
        else {
            return Err(self.unexpected("expected a move"));
        };
        let left = match left {
            Some(left) => Some(self.typed(left, "on the left of the move")?),
            None if left_tied && !detached => {
                return Err(
                    Diagnostic::new(token.span, "the move is tied to something that is not a set")
                        .label("it touches what is on its left")
                        .hint("put a space before it")
                        .fix("Put a space before it", [(token.span.before(), " ")]),
                );
            }
            None => None,
        };
        let right = if right_tied { self.right_side()? } else { None };
        let promotion = if right_tied && self.cursor.take_sign(Sign::Assign) {
            Some(self.promotion()?)
        } else {
            None
        };
        Ok(Dash {
            capture,
            left,
            right,
            promotion,
        })
    }

    /// Reads the set on the right of a dash that touches the next token.
    fn right_side(&mut self) -> Built<Option<Set>> {
        if self.cursor.at_sign(Sign::OpenParen) || !self.cursor.begins_filter() {
            return Ok(None);
        }
        if let (TokenKind::Name(name), TokenKind::Sign(Sign::Assign)) =
            (&self.cursor.token().kind, &self.cursor.peek(1).kind)
        {
            let known = matches!(self.symbols.names.get(name), Some(Name::Variable(_)));
            if known {
                let variable = self.named()?;
                return Ok(Some(self.typed(variable, "on the right of the move")?));
            }
        }
        let right = self.operand(Level::Arrow, "a set on the right of the move")?;
        match right {
            Filter::Set(set) => Ok(Some(set)),
            other => Err(Diagnostic::new(
                other.span(),
                format!(
                    "expected a set on the right of the move, found {}",
                    other.kind().described()
                ),
            )
            .label("it touches the move, so it would say where the move goes")
            .hint("what has to hold after the move is written in parentheses: `--(check)`")
            .surround(other.span(), "(", ")")),
        }
    }

    fn promotion(&mut self) -> Built<Promotion> {
        let filter = self.filter_expected("that names pieces after `=`")?;
        let span = filter.span();
        let refused = || {
            Err(Diagnostic::new(span, "expected the piece that the pawn becomes")
                .label("neither pieces without squares nor a string")
                .hint("write `=Q`, `=[QR]`, `=.` or a string; braces end it: `{--=Q} and f`"))
        };
        match filter {
            Filter::String(letters) => Ok(Promotion::Letters(letters)),
            Filter::Set(set) => match set.kind {
                SetExpr::Designator(designator) if !designator.has_squares => Ok(Promotion::To(designator)),
                SetExpr::Constant(all) if all.0 == u64::MAX => Ok(Promotion::Any),
                _ => refused(),
            },
            _ => refused(),
        }
    }

    /// Reads `(T)`. The opening parenthesis is next.
    fn with_target(&mut self, dash: Dash, first: usize) -> Built {
        let token = self.cursor.next();
        if token.spaced {
            let error = Diagnostic::new(token.span, "a target must touch the move")
                .label("white space before the parenthesis")
                .hint("a filter of its own after a move is written in braces: `-- {f}`");
            return Err(self.braces_instead(error, self.cursor.at - 1));
        }
        let filters = self.away_from_line(|builder| builder.filters("as the target of the move"))?;
        if !self.cursor.take_sign(Sign::CloseParen) {
            return Err(self
                .unexpected("expected a filter or `)`")
                .related(token.span, "opened here"));
        }
        let span = self.cursor.span_from(first);
        let target = self.block(filters, span)?;
        Ok(target.with_flow(span, Wrapper::Dash(dash)))
    }

    /// Reads `legal L--R`, `pseudolegal L--R`. The word is read.
    pub(super) fn legal(&mut self, pseudo: bool, first: usize) -> Built {
        let word = if pseudo { "pseudolegal" } else { "legal" };
        // The reference reads `legal countmoves D` as `legal D`.
        self.cursor.take_word("countmoves");
        let (dash, target) = self.dash_operand(word)?;
        let asks_nothing = target.is_missing();
        let special = match &target.kind {
            _ if asks_nothing => None,
            Filter::Condition(condition) => match condition.kind {
                CondExpr::Castled(side) => Some(SpecialMove::Castle(side)),
                CondExpr::EnPassant => Some(SpecialMove::EnPassant),
                _ => None,
            },
            _ => None,
        };
        let is_cql = (asks_nothing || special.is_some()) && !dash.capture && dash.promotion.is_none();
        if !is_cql && !self.is_strict() {
            let span = self.cursor.span_from(first);
            let target = (!asks_nothing).then_some(target.kind);
            return self.tried(Lookahead::dash(pseudo, dash, span), target, span);
        }
        if !asks_nothing && special.is_none() {
            return Err(no_target(word, target.span));
        }
        if dash.capture || dash.promotion.is_some() {
            return Err(
                Diagnostic::new(target.span, format!("`{word}` takes neither a capture nor a promotion"))
                    .label("expected `L--R`"),
            );
        }
        let legal = LegalDash {
            pseudo,
            left: dash.left,
            right: dash.right,
            special,
        };
        self.complete(SetExpr::Legal(Box::new(legal)), first)
    }

    /// Reads `countmoves D`. The word is read.
    pub(super) fn count_moves(&mut self, first: usize) -> Built {
        let operand = self.operand(Level::Dash, "a move after `countmoves`")?;
        let span = self.cursor.span_from(first);
        let kind = match operand {
            Filter::Set(set) => match set.kind {
                SetExpr::Legal(legal) => NumExpr::CountLegal(legal),
                SetExpr::Lookahead(tried) => NumExpr::CountLookahead(tried),
                SetExpr::Move(parameters)
                    if matches!(parameters.source, MoveSource::Legal | MoveSource::Pseudolegal) =>
                {
                    NumExpr::CountMoveLegal(parameters)
                }
                kind => self.count_played(Filter::new(kind, set.span))?,
            },
            operand => match self.as_tried(operand)? {
                Ok(tried) => NumExpr::CountLookahead(tried),
                Err(operand) => self.count_played(operand)?,
            },
        };
        Ok(Filter::new(kind, span))
    }

    fn count_played(&mut self, operand: Filter) -> Built<NumExpr> {
        let (dash, target) = dash_of(operand, "countmoves")?;
        Ok(NumExpr::CountMoves(dash, self.condition(target.kind)?))
    }

    /// Reads `previous D`, `currentmove D`. The word is read.
    pub(super) fn previous(&mut self, word: &str, first: usize) -> Built {
        if self.cursor.at_word("countmoves") {
            // As in the reference, all siblings are counted, not only the move that was played.
            let start = self.cursor.at;
            let count = self.operand(Level::Dash, "a move")?;
            let span = self.cursor.span_from(first);
            let parent = node(PosExpr::Parent, self.cursor.tokens[start].span);
            return Ok(count.with_flow(span, Wrapper::At(parent)));
        }
        let (dash, target) = self.dash_operand(word)?;
        Ok(target
            .kind
            .with_flow(self.cursor.span_from(first), Wrapper::Previous(dash)))
    }

    fn dash_operand(&mut self, word: &str) -> Built<(Dash, Target)> {
        let operand = self.operand(Level::Dash, &format!("a move after `{word}`"))?;
        dash_of(operand, word)
    }

    /// Reads `move …`. The word is read.
    pub(super) fn move_filter(&mut self, first: usize) -> Built {
        let start = self.cursor.at;
        let mut parameters = MoveParameters::default();
        while self.move_parameter(&mut parameters)? {}
        let words_span = self.cursor.span_from(start);
        if parameters.is_generated() && self.cursor.at_sign(Sign::Colon) && !self.is_strict() {
            return self.move_tried(parameters, words_span, first);
        }
        if parameters.all {
            return Err(self.unexpected("expected `:` and what holds after each of these legal moves"));
        }
        let (count, mut built) = parameters.finish(words_span)?;
        if built.source == MoveSource::Continuations
            && let Some(moves) = &mut self.nesting.line_moves
        {
            *moves += 1;
            built.tied = true;
        }
        if matches!(built.source, MoveSource::Continuations | MoveSource::Previous) && self.cursor.take_word("comment")
        {
            let word = self.cursor.at - 1;
            built.comment = Some(MoveComment {
                items: self.text_items("comment")?,
                span: self.cursor.span_from(word),
            });
        }
        let span = self.cursor.span_from(first);
        let built = Box::new(built);
        Ok(match (count, built.value) {
            (true, _) => Filter::new(NumExpr::CountMoveLegal(built), span),
            (false, Some(_)) => Filter::new(SetExpr::Move(built), span),
            (false, None) => Filter::new(CondExpr::Move(built), span),
        })
    }

    /// Reads one parameter of `move`. Returns whether there was one.
    fn move_parameter(&mut self, parameters: &mut MoveParameters) -> Built<bool> {
        // In CQL 6.2, the parameters end here.
        if !self.is_strict() && !parameters.all && parameters.is_generated() && self.cursor.take_word("all") {
            parameters.all = true;
            return Ok(true);
        }
        const WORDS: [&str; 17] = [
            "from",
            "to",
            "capture",
            "captures",
            "enpassantsquare",
            "promote",
            "o-o",
            "o-o-o",
            "castle",
            "count",
            "enpassant",
            "legal",
            "pseudolegal",
            "null",
            "previous",
            "primary",
            "secondary",
        ];
        let span = self.cursor.token().span;
        let Some(word) = self.cursor.take_any_word(&WORDS) else {
            return Ok(false);
        };
        let parts = &mut parameters.parts;
        let twice = || Diagnostic::new(span, format!("`{word}` occurs twice in one `move`"));
        match word {
            "from" | "to" | "enpassantsquare" => {
                let set = self.typed_operand(Level::Imbue, &format!("after `{word}`"))?;
                let slot = match word {
                    "from" => &mut parts.from,
                    "to" => &mut parts.to,
                    _ => &mut parts.en_passant_square,
                };
                if slot.replace(set).is_some() {
                    return Err(twice());
                }
            }
            // If there are several `capture`, the reference takes the last.
            "capture" | "captures" => parts.capture = Some(self.typed_operand(Level::Imbue, "after `capture`")?),
            "promote" => {
                let TokenKind::Designator(designator) = self.cursor.token().kind else {
                    return Err(self.unexpected("expected pieces, such as `Q` or `[QR]`"));
                };
                if designator.has_squares {
                    return Err(self.unexpected("expected pieces without squares"));
                }
                self.cursor.next();
                if parts.promote.replace(designator).is_some() {
                    return Err(twice());
                }
            }
            "castle" | "o-o" | "o-o-o" | "enpassant" => {
                let special = match word {
                    "castle" => SpecialMove::Castle(None),
                    "o-o" => SpecialMove::Castle(Some(CastlingSide::KingSide)),
                    "o-o-o" => SpecialMove::Castle(Some(CastlingSide::QueenSide)),
                    _ => SpecialMove::EnPassant,
                };
                parts.add_special(special, span)?;
            }
            "null" => parts.null = true,
            "count" => parameters.count = true,
            "previous" => parameters.previous = true,
            "legal" => parameters.legal = true,
            "pseudolegal" => parameters.pseudolegal = true,
            "primary" => parameters.primary = true,
            _ => parameters.secondary = true,
        }
        if parameters.words == 0 {
            parts.value = match word {
                "from" => Some(MoveSquares::From),
                "to" => Some(MoveSquares::To),
                "capture" | "captures" => Some(MoveSquares::Capture),
                _ => None,
            };
        }
        parameters.words += 1;
        Ok(true)
    }
}

/// The parameters of a `move` filter, while they are read.
#[derive(Default)]
pub(super) struct MoveParameters {
    /// Those that become parts of the filter.
    pub(super) parts: Move,
    pub(super) count: bool,
    /// Whether every move must fit, not only one.
    pub(super) all: bool,
    previous: bool,
    legal: bool,
    pub(super) pseudolegal: bool,
    primary: bool,
    secondary: bool,
    words: usize,
}

impl Move {
    /// Adds a kind of move. Each kind may be named once.
    fn add_special(&mut self, special: SpecialMove, span: Span) -> Built<()> {
        let same_kind = |other: &SpecialMove| std::mem::discriminant(other) == std::mem::discriminant(&special);
        if self.special.iter().any(same_kind) {
            return Err(match special {
                SpecialMove::Castle(_) => Diagnostic::new(span, "`move` takes one word for castling")
                    .hint("`castle` stands for both `o-o` and `o-o-o`"),
                SpecialMove::EnPassant => Diagnostic::new(span, "`enpassant` occurs twice in one `move`"),
            });
        }
        self.special.push(special);
        Ok(())
    }

    /// Adds en passant to the kinds of moves if a square is given for it.
    pub(super) fn complete_kinds(&mut self) {
        if self.en_passant_square.is_some() && !self.special.contains(&SpecialMove::EnPassant) {
            self.special.push(SpecialMove::EnPassant);
        }
    }
}

impl MoveParameters {
    /// Returns whether it looks at possible moves, not at played ones.
    fn is_generated(&self) -> bool {
        self.legal || self.pseudolegal
    }

    /// Returns an error for parameters that exclude each other. Moves that are `tried` may also be given by what they capture or promote
    /// to.
    pub(super) fn check(&self, span: Span, tried: bool) -> Built<()> {
        let parts = &self.parts;
        let generated = self.is_generated();
        let en_passant = parts.en_passant_square.is_some() || parts.special.contains(&SpecialMove::EnPassant);
        let conflicts = [
            (self.legal && self.pseudolegal, "`legal` excludes `pseudolegal`"),
            (generated && self.previous, "`legal` excludes `previous`"),
            (
                generated && !tried && parts.promote.is_some(),
                "`legal` excludes `promote`",
            ),
            (
                generated && (self.primary || self.secondary),
                "`legal` excludes `primary` and `secondary`",
            ),
            (generated && parts.null, "`legal` excludes `null`"),
            (
                generated && !tried && parts.capture.is_some(),
                "`legal` excludes `capture`",
            ),
            (self.count && !generated, "`count` needs `legal` or `pseudolegal`"),
            (parts.null && parts.promote.is_some(), "`null` excludes `promote`"),
            (parts.null && en_passant, "`null` excludes en passant"),
            (parts.promote.is_some() && en_passant, "`promote` excludes en passant"),
            (self.primary && self.secondary, "`primary` excludes `secondary`"),
        ];
        if let Some((_, message)) = conflicts.into_iter().find(|(conflict, _)| *conflict) {
            return Err(Diagnostic::new(span, message).label("parameters of this `move`"));
        }
        Ok(())
    }

    /// Makes the filter. Returns whether it counts, and the filter.
    fn finish(self, span: Span) -> Built<(bool, Move)> {
        self.check(span, false)?;
        let mut built = self.parts;
        built.source = match (self.legal, self.pseudolegal, self.previous) {
            (true, ..) => MoveSource::Legal,
            (_, true, _) => MoveSource::Pseudolegal,
            (_, _, true) => MoveSource::Previous,
            _ => MoveSource::Continuations,
        };
        built.primary = (self.primary || self.secondary).then_some(self.primary);
        built.complete_kinds();
        if self.count {
            built.value = None;
        }
        Ok((self.count, built))
    }
}

/// The target of a dash, and the place of the dash.
pub(super) struct Target {
    pub(super) kind: Filter,
    span: Span,
}

impl Target {
    /// Returns whether the dash has no target in the text.
    pub(super) fn is_missing(&self) -> bool {
        self.kind.span() == NOWHERE
    }
}

/// Returns whether a filter is only a dash.
pub(super) fn is_dash(filter: &Filter) -> bool {
    match filter {
        Filter::Set(set) => matches!(set.kind, SetExpr::Flow(Flow::Dash(..))),
        Filter::Number(number) => matches!(number.kind, NumExpr::Flow(Flow::Dash(..))),
        Filter::String(string) => matches!(string.kind, StrExpr::Flow(Flow::Dash(..))),
        Filter::Position(position) => matches!(position.kind, PosExpr::Flow(Flow::Dash(..))),
        Filter::Condition(condition) => matches!(condition.kind, CondExpr::Flow(Flow::Dash(..))),
    }
}

/// Splits a dash into the move and its target.
pub(super) fn dash_of(operand: Filter, word: &str) -> Built<(Dash, Target)> {
    let span = operand.span();
    let parts = match operand {
        Filter::Set(set) => match set.kind {
            SetExpr::Flow(Flow::Dash(dash, target)) => Some((dash, Filter::Set(target))),
            _ => None,
        },
        Filter::Number(number) => match number.kind {
            NumExpr::Flow(Flow::Dash(dash, target)) => Some((dash, Filter::Number(target))),
            _ => None,
        },
        Filter::String(string) => match string.kind {
            StrExpr::Flow(Flow::Dash(dash, target)) => Some((dash, Filter::String(target))),
            _ => None,
        },
        Filter::Position(position) => match position.kind {
            PosExpr::Flow(Flow::Dash(dash, target)) => Some((dash, Filter::Position(target))),
            _ => None,
        },
        Filter::Condition(condition) => match condition.kind {
            CondExpr::Flow(Flow::Dash(dash, target)) => Some((dash, Filter::Condition(target))),
            _ => None,
        },
    };
    match parts {
        Some((dash, kind)) => Ok((dash, Target { kind, span })),
        None => Err(Diagnostic::new(span, format!("`{word}` takes a move"))
            .label("expected something like `L--R`")
            .hint("the sets on its sides must touch the dash")),
    }
}

fn no_target(word: &str, span: Span) -> Diagnostic {
    Diagnostic::new(span, format!("`{word}` takes no target but castling and en passant"))
        .label("the move is not played, so nothing can be asked after it")
}
