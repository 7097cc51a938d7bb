//! Which rule reads what: the list of all filters of the language. A form of the grammar has the rule that [`Builder::formed`]
//! names; a word that is by itself, or whose operands the types decide, the one that [`Builder::word`] names.

use shakmaty::{CastlingSide, Color};

use crate::board::Bitboard;
use crate::syntax::token::{Sign, TokenKind};
use crate::syntax::tree::Rule;
use crate::syntax::{Diagnostic, Form};

use super::super::node::{Filter, node};
use super::super::numbers::{Fact, SetNumber};
use super::super::{CondExpr, NumExpr, PosExpr, SetExpr, StrExpr};
use super::{Builder, Built};

impl Builder {
    /// A filter without operators around it.
    pub(super) fn primary(&mut self) -> Built {
        let first = self.cursor.at;
        // Most forms begin with a word; brackets by themselves have parts without number.
        let is_bracket = self.cursor.at_sign(Sign::OpenParen) || self.cursor.at_sign(Sign::OpenBrace);
        if !is_bracket
            && let Some(form) = self.cursor.form()
            && let Some(built) = self.formed(&form)
        {
            return built;
        }
        match self.cursor.token().kind.clone() {
            TokenKind::Dash { .. } => self.dash(None, first),
            TokenKind::Designator(designator) => self.designator(designator),
            TokenKind::Integer(number) => self.integer(number),
            TokenKind::String(bytes) => self.literal(bytes),
            TokenKind::LineMessage => self.line_message(),
            TokenKind::PieceMark => Err(self.no_symbol_loop()),
            TokenKind::Group(number) => self.group(number),
            TokenKind::GroupIndex(number) => self.group_start(number),
            TokenKind::Name(_) => self.named(),
            TokenKind::Sign(sign) => match sign {
                Sign::Dot => self.constant_set(Bitboard::FULL),
                Sign::EmptySet => self.constant_set(Bitboard::EMPTY),
                Sign::Tilde => self.complement(),
                Sign::Hash => self.size(),
                Sign::Minus => self.minus(),
                Sign::OpenBrace => self.braces(),
                Sign::OpenParen => self.parentheses(),
                Sign::ForAll => Err(self.no_symbol_loop()),
                _ => Err(self.unexpected("expected a filter")),
            },
            TokenKind::Word(word) => {
                self.cursor.next();
                self.word(word, first)
            }
            _ => Err(self.unexpected("expected a filter")),
        }
    }

    /// The filter that a form of the grammar is: which rule of `grammar/cql.pest` belongs to which rule here. `None` if the words
    /// of the form are read one by one.
    fn formed(&mut self, form: &Form) -> Option<Built> {
        Some(match form.rule {
            // sets and pieces (chapter 3)
            Rule::direction => self.direction(form),
            Rule::square_loop | Rule::piece_loop | Rule::loop_over => self.loop_of(form),
            Rule::piece_binding => self.piece_binding(form),
            Rule::makesquare => self.make_square(form),
            // sets, numbers and strings (chapters 2, 3 and 8)
            Rule::arguments => match self.cursor.word_of(*form.all().first()?) {
                "between" => self.between(form),
                "max" => self.extreme(true, form),
                "min" => self.extreme(false, form),
                "equal" => self.equality(form),
                "indexof" => self.index_of(form),
                "settag" => self.set_tag(form),
                "writefile" => self.write_file(form),
                _ => return None,
            },
            // rays, attacks and pins (chapter 4)
            Rule::xray => self.xray(form),
            Rule::ray => self.ray(form),
            // transforms (chapter 4)
            Rule::transform => self.transform(form),
            // games and tags (chapter 2)
            Rule::tag_test => self.tag_or_search(form),
            Rule::tag => self.tag(form),
            Rule::rating => self.rating(form),
            Rule::result_test => self.result(form),
            Rule::study => self.study(form),
            // text and output (chapters 2 and 8)
            Rule::message => self.message(form),
            Rule::sort => self.sort(form),
            // control, variables and functions (chapters 1 and 8)
            Rule::while_test => self.while_loop(form),
            // A parameter of the prelude may stand for all squares here.
            Rule::assignment if matches!(self.cursor.token().kind, TokenKind::Name(_)) => self.assignment(form),
            Rule::function => self.function_definition(form),
            Rule::bound_test => self.bound_test(form),
            Rule::unbind => self.unbind(form),
            Rule::assert_variations => self.assert_variations(form),
            Rule::persistent => self.persistent(form),
            Rule::atomic => self.atomic(form),
            Rule::dictionary => self.dictionary(),
            Rule::key_loop => self.string_loop(form),
            // the game tree (chapter 5)
            Rule::child => self.child(form),
            Rule::relation => self.between_positions(form),
            Rule::find => self.find(),
            Rule::fen => self.fen(form),
            Rule::echo => self.echo(form),
            Rule::consecutive_moves => self.consecutive_moves(form),
            Rule::similar => self.similar_position(form),
            // paths and lines (chapter 7)
            Rule::path => self.path(),
            Rule::line => self.position_line(),
            _ => return None,
        })
    }

    /// The filter that begins with a word, which is read.
    fn word(&mut self, word: &'static str, first: usize) -> Built {
        if let Some(pawns) = super::sets::pawns(word) {
            return self.set_word(SetExpr::Pawns(pawns), first);
        }
        if let Some(theme) = super::sets::mate_theme(word) {
            return self.set_word(SetExpr::Mate(theme), first);
        }
        match word {
            // control (chapter 1)
            "not" => self.negation(first),
            "if" => self.conditional(first),
            "loop" => self.repeat(first),
            "assert" => self.assertion(first),
            "true" => self.condition_word(CondExpr::Constant(true), first),
            "false" | "extension" => self.condition_word(CondExpr::Constant(false), first),
            "cql_abort" => {
                self.effects.may_stop();
                self.condition_word(CondExpr::Abort, first)
            }

            // games and output (chapter 2)
            "year" => self.number_word(NumExpr::Year, first),
            "gamenumber" => self.number_word(NumExpr::Fact(Fact::GameNumber), first),
            "lastgamenumber" => {
                self.found
                    .needs
                    .last_game_number
                    .get_or_insert(self.cursor.tokens[first].span);
                self.number_word(NumExpr::Fact(Fact::LastGameNumber), first)
            }
            "cql_hhdbhascook" => self.cooked(first),
            "removecomment" => {
                self.effects.all += 1;
                self.condition_word(CondExpr::RemoveComment, first)
            }

            // sets, pieces, numbers (chapter 3)
            "light" => self.square_color(true, first),
            "dark" => self.square_color(false, first),
            "makesquare" => self.named_square(first),
            "rank" => self.set_number(SetNumber::Rank, word, first),
            "file" => self.set_number(SetNumber::File, word, first),
            "power" => self.set_number(SetNumber::Power, word, first),
            "type" => self.set_number(SetNumber::Type, word, first),
            "colortype" => self.set_number(SetNumber::ColorType, word, first),
            "pieceid" => self.set_number(SetNumber::PieceId, word, first),
            "typename" => self.piece_name(false, first),
            "piecename" => self.piece_name(true, first),
            "white" => self.number_word(NumExpr::Color(Color::White), first),
            "black" => self.number_word(NumExpr::Color(Color::Black), first),
            "abs" => self.number_function(word, NumExpr::Abs, first),
            "sqrt" => self.number_function(word, NumExpr::Sqrt, first),
            "int" => self.parse_number(first),

            // rays, attacks, mates, transforms (chapter 4)
            "pin" => self.pin(first),
            "check" => self.condition_word(CondExpr::Check, first),
            "mate" => self.condition_word(CondExpr::Mate, first),
            "stalemate" => self.condition_word(CondExpr::Stalemate, first),
            "notransform" => self.no_transform(first),
            "currenttransform" => self.string_word(StrExpr::CurrentTransform(Vec::new()), first),

            // the game tree (chapter 5)
            "currentposition" | "curpos" => self.position_word(PosExpr::Current, first),
            "parent" => self.position_word(PosExpr::Parent, first),
            "initialposition" => self.position_word(PosExpr::Initial, first),
            "child" => self.position_word(PosExpr::Child(None), first),
            "position" => self.numbered_position(first),
            "consecutivemoves" => self.consecutive_moves_by_words(first),
            "try" => self.white_deviation(first),
            "ply" => self.number_word(NumExpr::Fact(Fact::Ply), first),
            "movenumber" => self.number_word(NumExpr::Fact(Fact::MoveNumber), first),
            "positionid" => self.number_word(NumExpr::Fact(Fact::PositionId), first),
            "depth" => self.number_word(NumExpr::Fact(Fact::Depth), first),
            "sidetomove" => self.number_word(NumExpr::Fact(Fact::SideToMove), first),
            "wtm" => self.condition_word(CondExpr::ToMove(Color::White), first),
            "btm" => self.condition_word(CondExpr::ToMove(Color::Black), first),
            "initial" => self.condition_word(CondExpr::Initial, first),
            "terminal" => self.condition_word(CondExpr::Terminal, first),
            "mainline" => self.condition_word(CondExpr::Mainline, first),
            "variation" => self.condition_word(CondExpr::Variation, first),
            "virtualmainline" => self.condition_word(CondExpr::VirtualMainline, first),

            // moves (chapter 6)
            "legal" => self.legal(false, first),
            "pseudolegal" => self.legal(true, first),
            "countmoves" => self.count_moves(first),
            "previous" | "currentmove" => self.previous(word, first),
            "move" => self.move_filter(first),
            "from" => self.set_word(SetExpr::From, first),
            "to" => self.set_word(SetExpr::To, first),
            "enpassantsquare" => self.set_word(SetExpr::EnPassantSquare, first),
            "castle" => self.condition_word(CondExpr::Castled(None), first),
            "o-o" => self.condition_word(CondExpr::Castled(Some(CastlingSide::KingSide)), first),
            "o-o-o" => self.condition_word(CondExpr::Castled(Some(CastlingSide::QueenSide)), first),
            "enpassant" => self.condition_word(CondExpr::EnPassant, first),
            "nullmove" => self.condition_word(CondExpr::NullMove, first),
            "primary" => self.condition_word(CondExpr::Primary, first),
            "secondary" => self.condition_word(CondExpr::Secondary, first),

            // paths and lines (chapter 7)
            "pathcount" => self.path_count(first),
            "pathcountunfocused" => self.number_word(NumExpr::PathCountUnfocused, first),
            "pathstart" => self.position_word(PosExpr::PathStart, first),
            "pathlastposition" => self.path_last(first),
            "pathdebug" => self.path_debug(first),

            // variables and strings (chapter 8)
            "uppercase" => self.letter_case(StrExpr::Uppercase, first),
            "lowercase" => self.letter_case(StrExpr::Lowercase, first),
            "ascii" => self.ascii(first),
            "readfile" => self.read_file(first),

            _ => Err(self.incomplete(word).unwrap_or_else(|| self.no_rule(word, first))),
        }
    }

    /// An error for a word, which is read, that opens a form if it is a part of none: what is missing. A blank line that ends a
    /// path ends a form, too.
    fn incomplete(&mut self, word: &'static str) -> Option<Diagnostic> {
        Some(match word {
            "function" => self.no_name("as the name of the function"),
            "isbound" | "isunbound" => self.no_name("of a variable"),
            "unbind" => self.no_name("of a variable after `unbind`"),
            "persistent" => self.no_persistent(),
            "atomic" => self.no_atomic(),
            "local" => self.unexpected("expected `dictionary`"),
            "dictionary" => self.no_name("of a dictionary"),
            "string" => self.no_key_loop(),
            "cql_assertvariations" | "tag" => self.unexpected(&format!("expected a quoted string after `{word}`")),
            "result" => self.unexpected("expected `1-0`, `0-1` or `1/2-1/2`"),
            "hhdb" => self.no_study_word(self.cursor.token().span, None),
            "square" | "piece" => self.no_loop(word),
            "ray" | "xray" => self.no_line(word),
            "similarposition" => {
                while self.cursor.take_any_word(&["nosort", "notransform"]).is_some() {}
                self.unexpected("expected a quoted string with the name of a PGN file")
            }
            "echo" => {
                self.cursor.take_rule(&[Rule::QUIET]);
                self.without_parentheses(word)
            }
            "between" | "max" | "min" | "equal" | "indexof" | "settag" | "writefile" | "while" | "lca" | "distance"
            | "ancestor" | "descendant" => self.without_parentheses(word),
            "find" | "path" | "line" | "sort" | "fen" | "elo" | "player" => {
                self.unexpected(&format!("expected the rest of `{word}`"))
            }
            _ => return None,
        })
    }

    /// An error for a word that begins no filter.
    fn no_rule(&self, word: &str, first: usize) -> Diagnostic {
        let error = Diagnostic::new(self.cursor.tokens[first].span, format!("`{word}` is no filter"))
            .label("this word has a meaning only in other places");
        match word {
            "any" => [".", "[Aa]", "_"].into_iter().fold(
                error.hint("write `.` for all squares, `[Aa]` for all pieces, `_` for the empty squares"),
                |error, text| error.change(self.cursor.tokens[first].span, text),
            ),
            "focus" | "title" | "verbose" | "keepallbest" | "piecepath" => {
                error.hint("it is a parameter of `path` and stands before the first move or filter")
            }
            "quiet" | "nestban" | "firstmatch" | "lastposition" | "singlecolor" => {
                let error = error
                    .hint("as a parameter of `path` or `line` it stands directly after that word or another parameter");
                if word == "lastposition" {
                    error
                        .hint("the last position of a game is `initialposition:find terminal`")
                        .change(self.cursor.tokens[first].span, "initialposition:find terminal")
                } else {
                    error
                }
            }
            "null" => error
                .hint("it is a parameter of `move`")
                .hint("whether the last move was a null move asks `nullmove`")
                .change(self.cursor.tokens[first].span, "nullmove"),
            "capture" | "captures" | "promote" => error
                .hint("it is a parameter of `move`")
                .hint("a capture is also written `A×b`, a promotion `P--=Q`"),
            "count" => error.hint(
                "as a range it stands directly behind a word that takes one: `flip count {R}`; `reversecolor` takes none",
            ),
            "through" => error.hint("it is a parameter of `pin`"),
            _ => error,
        }
    }

    fn set_word(&self, kind: SetExpr, first: usize) -> Built {
        Ok(Filter::Set(node(kind, self.cursor.span_from(first))))
    }

    pub(super) fn number_word(&self, kind: NumExpr, first: usize) -> Built {
        Ok(Filter::Number(node(kind, self.cursor.span_from(first))))
    }

    fn string_word(&self, kind: StrExpr, first: usize) -> Built {
        Ok(Filter::String(node(kind, self.cursor.span_from(first))))
    }

    pub(super) fn condition_word(&self, kind: CondExpr, first: usize) -> Built {
        Ok(self.condition_node(kind, self.cursor.span_from(first)))
    }
}
