//! The words that open no form of the grammar, and how each is built: an expression if the word is complete by itself, or else the rule
//! that reads its operands. `grammar/cql.pest` says which words open a form.

use shakmaty::{CastlingSide, Color};

use crate::game::Judgement;
use crate::tablebase::Metric;

use super::builder::{Builder, Built};
use crate::query::ast::hhdb::StudyCond;
use crate::query::ast::numbers::{Fact, Measure, SetNumber};
use crate::query::ast::sets::{Economy, MateTheme, PawnSet};
use crate::query::ast::{CondExpr, NumExpr, PosExpr, SetExpr, StrExpr};

/// How to build the filter for a word.
pub(super) enum Meaning {
    Set(SetExpr),
    Number(NumExpr),
    String(StrExpr),
    Position(PosExpr),
    Condition(CondExpr),
    /// A rule that reads what follows the word. Its argument is the index of the word, which is read.
    Rule(fn(&mut Builder, usize) -> Built),
}

/// Returns how to build the filter for a word, or `None` for a word that begins no filter by itself. In the order of the chapters.
pub(super) fn meaning(word: &str) -> Option<Meaning> {
    use Meaning::{Condition, Number, Position, Rule, Set, String};
    Some(match word {
        // Control (chapter 1)
        "not" => Rule(Builder::negation),
        "if" => Rule(Builder::conditional),
        "loop" => Rule(Builder::repeat),
        "assert" => Rule(Builder::assertion),
        "true" => Condition(CondExpr::Constant(true)),
        "false" | "extension" => Condition(CondExpr::Constant(false)),
        "cql_abort" => Condition(CondExpr::Abort),

        // Games and output (chapter 2)
        "year" => Number(NumExpr::Year),
        "gamenumber" => Number(NumExpr::Fact(Fact::GameNumber)),
        "lastgamenumber" => Number(NumExpr::Fact(Fact::LastGameNumber)),
        "cql_hhdbhascook" => Condition(CondExpr::Study(StudyCond::Cooked)),
        "removecomment" => Condition(CondExpr::RemoveComment),

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
        "white" => Number(NumExpr::Color(Color::White)),
        "black" => Number(NumExpr::Color(Color::Black)),
        "abs" => Rule(|builder, first| builder.number_function("abs", NumExpr::Abs, first)),
        "sqrt" => Rule(|builder, first| builder.number_function("sqrt", NumExpr::Sqrt, first)),
        "int" => Rule(Builder::parse_number),

        // Rays, attacks, mates, pawns, transforms (chapter 4)
        "pin" => Rule(Builder::pin),
        "check" => Condition(CondExpr::Check),
        "mate" => Condition(CondExpr::Mate),
        "stalemate" => Condition(CondExpr::Stalemate),
        "puremate" => Set(theme(Economy::Pure, false)),
        "modelmate" => Set(theme(Economy::Model, false)),
        "idealmate" => Set(theme(Economy::Ideal, false)),
        "purestalemate" => Set(theme(Economy::Pure, true)),
        "modelstalemate" => Set(theme(Economy::Model, true)),
        "idealstalemate" => Set(theme(Economy::Ideal, true)),
        "passedpawns" => Set(SetExpr::Pawns(PawnSet::Passed)),
        "connectedpawns" => Set(SetExpr::Pawns(PawnSet::Connected)),
        "isolatedpawns" => Set(SetExpr::Pawns(PawnSet::Isolated)),
        "doubledpawns" => Set(SetExpr::Pawns(PawnSet::Doubled)),
        "notransform" => Rule(Builder::no_transform),
        "currenttransform" => String(StrExpr::CurrentTransform(Vec::new())),

        // The game tree (chapter 5)
        "currentposition" | "curpos" => Position(PosExpr::Current),
        "parent" => Position(PosExpr::Parent),
        "initialposition" => Position(PosExpr::Initial),
        "child" => Position(PosExpr::Child(None)),
        "position" => Rule(Builder::numbered_position),
        "consecutivemoves" => Rule(Builder::consecutive_moves_by_words),
        "try" => Rule(Builder::white_deviation),
        "ply" => Number(NumExpr::Fact(Fact::Ply)),
        "movenumber" => Number(NumExpr::Fact(Fact::MoveNumber)),
        "positionid" => Number(NumExpr::Fact(Fact::PositionId)),
        "depth" => Number(NumExpr::Fact(Fact::Depth)),
        "sidetomove" => Number(NumExpr::Fact(Fact::SideToMove)),
        "wtm" => Condition(CondExpr::ToMove(Color::White)),
        "btm" => Condition(CondExpr::ToMove(Color::Black)),
        "initial" => Condition(CondExpr::Initial),
        "terminal" => Condition(CondExpr::Terminal),
        "mainline" => Condition(CondExpr::Mainline),
        "variation" => Condition(CondExpr::Variation),
        "virtualmainline" => Condition(CondExpr::VirtualMainline),

        // Moves (chapter 6)
        "legal" => Rule(|builder, first| builder.legal(false, first)),
        "pseudolegal" => Rule(|builder, first| builder.legal(true, first)),
        "countmoves" => Rule(Builder::count_moves),
        "previous" => Rule(|builder, first| builder.previous("previous", first)),
        "currentmove" => Rule(|builder, first| builder.previous("currentmove", first)),
        "move" => Rule(Builder::move_filter),
        "from" => Set(SetExpr::From),
        "to" => Set(SetExpr::To),
        "enpassantsquare" => Set(SetExpr::EnPassantSquare),
        "castle" => Condition(CondExpr::Castled(None)),
        "o-o" => Condition(CondExpr::Castled(Some(CastlingSide::KingSide))),
        "o-o-o" => Condition(CondExpr::Castled(Some(CastlingSide::QueenSide))),
        "enpassant" => Condition(CondExpr::EnPassant),
        "nullmove" => Condition(CondExpr::NullMove),
        "primary" => Condition(CondExpr::Primary),
        "secondary" => Condition(CondExpr::Secondary),

        // Paths and lines (chapter 7)
        "pathcount" => Rule(Builder::path_count),
        "pathcountunfocused" => Number(NumExpr::PathCountUnfocused),
        "pathstart" => Position(PosExpr::PathStart),
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
        "legalposition" => Condition(CondExpr::LegalPosition),
        "eval" => Number(NumExpr::Evaluation(Color::White)),
        "evaldepth" => Number(NumExpr::Measure(Measure::EvalDepth)),
        "clock" => Number(NumExpr::Measure(Measure::Clock)),
        "elapsed" => Number(NumExpr::Measure(Measure::Elapsed)),
        "timecontrol" => Rule(Builder::time_control),
        "nag" => Rule(Builder::nag),
        "blunder" => Condition(CondExpr::Judged(Judgement::Blunder)),
        "mistake" => Condition(CondExpr::Judged(Judgement::Mistake)),
        "inaccuracy" => Condition(CondExpr::Judged(Judgement::Inaccuracy)),
        "currentfen" => String(StrExpr::CurrentFen),
        "zobristkey" => String(StrExpr::ZobristKey),
        "halfmoveclock" => Number(NumExpr::Fact(Fact::HalfmoveClock)),
        "promotedpieces" => Set(SetExpr::PromotedPieces),
        "replace" => Rule(Builder::replace),
        "theme" => Rule(Builder::theme),
        "likeboard" => Rule(Builder::like_board),
        "stays" => Rule(Builder::stays),
        "inarow" => Rule(Builder::in_a_row),
        "nevermoved" => Set(SetExpr::NeverMoved),
        "firstmove" => Rule(Builder::first_move),
        "round" => Rule(Builder::round),

        _ => return None,
    })
}

fn theme(economy: Economy, stalemate: bool) -> SetExpr {
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
            assert!(meaning(word).is_some(), "{word}");
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
            assert!(!is_alone || meaning(word).is_none(), "{word}");
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
