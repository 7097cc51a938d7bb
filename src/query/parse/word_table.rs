//! The words that open no form of the grammar, and how each is built: an expression if the word is complete by itself, or else the rule
//! that reads its operands. `grammar/cql.pest` says which words open a form.

use shakmaty::{CastlingSide, Color};

use crate::game::Judgement;
use crate::tablebase::Metric;

use super::builder::{Builder, Built};
use crate::query::ast::hhdb::StudyCond;
use crate::query::ast::node::{Expression, Filter};
use crate::query::ast::numbers::{Fact, Measure, SetNumber};
use crate::query::ast::sets::{Economy, MateTheme, PawnSet};
use crate::query::ast::{CondExpr, NumExpr, PosExpr, SetExpr, StrExpr};
use crate::syntax::token::Span;

/// How to build the filter for a word.
pub(super) enum Meaning {
    /// A filter that the word is by itself.
    Filter(Filter),
    /// A rule that reads what follows the word. Its argument is the index of the word, which is read.
    Rule(fn(&mut Builder, usize) -> Built),
}

/// Returns how to build the filter for a word, or `None` for a word that begins no filter by itself. In the order of the chapters.
pub(super) fn meaning(word: &str, span: Span) -> Option<Meaning> {
    use Meaning::Rule;
    Some(match word {
        // Control (chapter 1)
        "not" => Rule(Builder::negation),
        "if" => Rule(Builder::conditional),
        "loop" => Rule(Builder::repeat),
        "assert" => Rule(Builder::assertion),
        "true" => filter(CondExpr::Constant(true), span),
        "false" | "extension" => filter(CondExpr::Constant(false), span),
        "cql_abort" => filter(CondExpr::Abort, span),

        // Games and output (chapter 2)
        "year" => filter(NumExpr::Year, span),
        "gamenumber" => filter(NumExpr::Fact(Fact::GameNumber), span),
        "lastgamenumber" => filter(NumExpr::Fact(Fact::LastGameNumber), span),
        "cql_hhdbhascook" => filter(CondExpr::Study(StudyCond::Cooked), span),
        "removecomment" => filter(CondExpr::RemoveComment, span),

        // Sets, pieces, numbers (chapter 3)
        "light" => Rule(|builder, first| builder.square_color(true, first)),
        "dark" => Rule(|builder, first| builder.square_color(false, first)),
        "makesquare" => Rule(Builder::named_square),
        "rank" => Rule(|builder, first| builder.set_number(SetNumber::Rank, "rank", first)),
        "file" => Rule(|builder, first| builder.set_number(SetNumber::File, "file", first)),
        "power" => Rule(|builder, first| builder.set_number(SetNumber::Power, "power", first)),
        "type" => Rule(|builder, first| builder.set_number(SetNumber::Type, "type", first)),
        "colortype" => Rule(|builder, first| builder.set_number(SetNumber::ColorType, "colortype", first)),
        "pieceid" => Rule(|builder, first| builder.set_number(SetNumber::PieceId, "pieceid", first)),
        "typename" => Rule(|builder, first| builder.piece_name(false, first)),
        "piecename" => Rule(|builder, first| builder.piece_name(true, first)),
        "white" => filter(NumExpr::Color(Color::White), span),
        "black" => filter(NumExpr::Color(Color::Black), span),
        "abs" => Rule(|builder, first| builder.number_function("abs", NumExpr::Abs, first)),
        "sqrt" => Rule(|builder, first| builder.number_function("sqrt", NumExpr::Sqrt, first)),
        "int" => Rule(Builder::parse_number),

        // Rays, attacks, mates, pawns, transforms (chapter 4)
        "pin" => Rule(Builder::pin),
        "check" => filter(CondExpr::Check, span),
        "mate" => filter(CondExpr::Mate, span),
        "stalemate" => filter(CondExpr::Stalemate, span),
        "puremate" => filter(mate(Economy::Pure, false), span),
        "modelmate" => filter(mate(Economy::Model, false), span),
        "idealmate" => filter(mate(Economy::Ideal, false), span),
        "purestalemate" => filter(mate(Economy::Pure, true), span),
        "modelstalemate" => filter(mate(Economy::Model, true), span),
        "idealstalemate" => filter(mate(Economy::Ideal, true), span),
        "passedpawns" => filter(SetExpr::Pawns(PawnSet::Passed), span),
        "connectedpawns" => filter(SetExpr::Pawns(PawnSet::Connected), span),
        "isolatedpawns" => filter(SetExpr::Pawns(PawnSet::Isolated), span),
        "doubledpawns" => filter(SetExpr::Pawns(PawnSet::Doubled), span),
        "notransform" => Rule(Builder::no_transform),
        "currenttransform" => filter(StrExpr::CurrentTransform(Vec::new()), span),

        // The game tree (chapter 5)
        "currentposition" | "curpos" => filter(PosExpr::Current, span),
        "parent" => filter(PosExpr::Parent, span),
        "initialposition" => filter(PosExpr::Initial, span),
        "child" => filter(PosExpr::Child(None), span),
        "position" => Rule(Builder::numbered_position),
        "consecutivemoves" => Rule(Builder::consecutive_moves),
        "try" => Rule(Builder::white_deviation),
        "ply" => filter(NumExpr::Fact(Fact::Ply), span),
        "movenumber" => filter(NumExpr::Fact(Fact::MoveNumber), span),
        "positionid" => filter(NumExpr::Fact(Fact::PositionId), span),
        "depth" => filter(NumExpr::Fact(Fact::Depth), span),
        "sidetomove" => filter(NumExpr::Fact(Fact::SideToMove), span),
        "wtm" => filter(CondExpr::ToMove(Color::White), span),
        "btm" => filter(CondExpr::ToMove(Color::Black), span),
        "initial" => filter(CondExpr::Initial, span),
        "terminal" => filter(CondExpr::Terminal, span),
        "mainline" => filter(CondExpr::Mainline, span),
        "variation" => filter(CondExpr::Variation, span),
        "virtualmainline" => filter(CondExpr::VirtualMainline, span),

        // Moves (chapter 6)
        "legal" => Rule(|builder, first| builder.legal(false, first)),
        "pseudolegal" => Rule(|builder, first| builder.legal(true, first)),
        "countmoves" => Rule(Builder::count_moves),
        "previous" => Rule(|builder, first| builder.previous("previous", first)),
        "currentmove" => Rule(|builder, first| builder.previous("currentmove", first)),
        "move" => Rule(Builder::move_filter),
        "from" => filter(SetExpr::From, span),
        "to" => filter(SetExpr::To, span),
        "enpassantsquare" => filter(SetExpr::EnPassantSquare, span),
        "castle" => filter(CondExpr::Castled(None), span),
        "o-o" => filter(CondExpr::Castled(Some(CastlingSide::KingSide)), span),
        "o-o-o" => filter(CondExpr::Castled(Some(CastlingSide::QueenSide)), span),
        "enpassant" => filter(CondExpr::EnPassant, span),
        "nullmove" => filter(CondExpr::NullMove, span),
        "primary" => filter(CondExpr::Primary, span),
        "secondary" => filter(CondExpr::Secondary, span),

        // Paths and lines (chapter 7)
        "pathcount" => Rule(Builder::path_count),
        "pathcountunfocused" => filter(NumExpr::PathCountUnfocused, span),
        "pathstart" => filter(PosExpr::PathStart, span),
        "pathlastposition" => Rule(Builder::path_last),
        "pathdebug" => Rule(Builder::path_debug),

        // Variables and strings (chapter 8)
        "uppercase" => Rule(|builder, first| builder.letter_case(StrExpr::Uppercase, first)),
        "lowercase" => Rule(|builder, first| builder.letter_case(StrExpr::Lowercase, first)),
        "ascii" => Rule(Builder::ascii),
        "readfile" => Rule(Builder::read_file),

        // Beyond CQL 6.2
        "tablebase" => Rule(Builder::in_tablebase),
        "wdl" => Rule(|builder, first| builder.endgame(Metric::Wdl, first)),
        "dtz" => Rule(|builder, first| builder.endgame(Metric::Dtz, first)),
        "pass" => Rule(Builder::null_move_tried),
        "without" => Rule(Builder::without),
        "legalposition" => filter(CondExpr::LegalPosition, span),
        "eval" => filter(NumExpr::Evaluation(Color::White), span),
        "evaldepth" => filter(NumExpr::Measure(Measure::EvalDepth), span),
        "clock" => filter(NumExpr::Measure(Measure::Clock), span),
        "elapsed" => filter(NumExpr::Measure(Measure::Elapsed), span),
        "timecontrol" => Rule(Builder::time_control),
        "nag" => Rule(Builder::nag),
        "blunder" => filter(CondExpr::Judged(Judgement::Blunder), span),
        "mistake" => filter(CondExpr::Judged(Judgement::Mistake), span),
        "inaccuracy" => filter(CondExpr::Judged(Judgement::Inaccuracy), span),
        "currentfen" => filter(StrExpr::CurrentFen, span),
        "zobristkey" => filter(StrExpr::ZobristKey, span),
        "halfmoveclock" => filter(NumExpr::Fact(Fact::HalfmoveClock), span),
        "promotedpieces" => filter(SetExpr::PromotedPieces, span),
        "replace" => Rule(Builder::replace),
        "theme" => Rule(Builder::theme),
        "likeboard" => Rule(Builder::like_board),
        "stays" => Rule(Builder::stays),
        "inarow" => Rule(Builder::in_a_row),
        "nevermoved" => filter(SetExpr::NeverMoved, span),
        "firstmove" => Rule(Builder::first_move),
        "round" => Rule(Builder::round),

        _ => return None,
    })
}

fn filter(kind: impl Expression, span: Span) -> Meaning {
    Meaning::Filter(Filter::new(kind, span))
}

fn mate(economy: Economy, stalemate: bool) -> SetExpr {
    SetExpr::Mate(MateTheme { stalemate, economy })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::compile;
    use crate::query::parse::Options;
    use crate::syntax::keywords::{WordPosition, place};
    use crate::syntax::{Source, beyond_words, reserved_words};

    #[test]
    fn each_word_beyond_cql_means_something() {
        for word in beyond_words() {
            assert!(meaning(word, Span::default()).is_some(), "{word}");
        }
    }

    #[test]
    fn each_word_of_a_filter_means_something_opens_a_form_or_is_a_part_of_one() {
        let mut parts = Vec::new();
        for word in reserved_words() {
            let source = Source::new("q", format!("cql() {word}"));
            // A word that opens a form is in a node of it, or in an error that says what is missing.
            let error = compile(&source, &Options::default()).err();
            let is_alone = error.is_some_and(|error| error.message == format!("`{word}` is not a filter"));
            assert!(!is_alone || meaning(word, Span::default()).is_none(), "{word}");
            if is_alone && matches!(place(word), Some(WordPosition::Body | WordPosition::Rare)) {
                parts.push(word);
            }
        }
        // Words from forms that begin with other words.
        assert_eq!(
            parts.join(" "),
            "all capture captures count firstmatch focus keepallbest lastposition nestban nosort null piecepath promote \
             singlecolor through title verbose",
        );
    }
}
