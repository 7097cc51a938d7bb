//! The parts of each expression, listed once.

use super::{Child, ChildMut, Children, Subtree, changing, reading};
use crate::query::ast::assignments::Assignment;
use crate::query::ast::dictionaries::DictionaryAction;
use crate::query::ast::echo::{Echo, EchoTest};
use crate::query::ast::moves::{MoveComment, Promotion};
use crate::query::ast::node::{Cond, Filter, Flow, Num, Pos, Set, Str};
use crate::query::ast::paths::{Focus, Item, Line, Path, PathStep};
use crate::query::ast::sets::{Absence, FusedLoop, LinesThrough, Pin};
use crate::query::ast::strings::StringSlice;
use crate::query::ast::{
    CondExpr, Dash, Find, Imagined, LegalDash, Lookahead, Loop, Move, NumExpr, PosExpr, SetExpr, StrExpr, TextItem,
    sets,
};

visits! {
    part Set: |set, visit| visit(Child::Set(set))
    part Num: |number, visit| visit(Child::Number(number))
    part Str: |string, visit| visit(Child::String(string))
    part Pos: |position, visit| visit(Child::Position(position))
    part Cond: |condition, visit| visit(Child::Condition(condition))
    part Filter: |filter, visit| match filter {
        Filter::Set(set) => visit(Child::Set(set)),
        Filter::Number(number) => visit(Child::Number(number)),
        Filter::String(string) => visit(Child::String(string)),
        Filter::Position(position) => visit(Child::Position(position)),
        Filter::Condition(condition) => visit(Child::Condition(condition)),
    }
}

visits! {
    parts SetExpr: |set, visit| match set {
        SetExpr::Designator(designator) => visit(Child::Designator(designator)),
        SetExpr::Constant(_)
        | SetExpr::Variable(_)
        | SetExpr::Piece(_)
        | SetExpr::Pawns(_)
        | SetExpr::Mate(_)
        | SetExpr::From
        | SetExpr::To
        | SetExpr::EnPassantSquare
        | SetExpr::Played(_)
        | SetExpr::PromotedPieces
        | SetExpr::NeverMoved
        | SetExpr::CastlingRooks
        | SetExpr::TakeableEnPassant => {}
        SetExpr::Complement(set) => visit(Child::Set(set)),
        SetExpr::Intersection(left, right)
        | SetExpr::Union(left, right)
        | SetExpr::Between(left, right)
        | SetExpr::Attackers {
            attackers: left,
            targets: right,
        }
        | SetExpr::Attacked {
            attackers: left,
            targets: right,
        } => {
            visit(Child::Set(left));
            visit(Child::Set(right));
        }
        SetExpr::Common(left, right) => {
            visit(Child::Position(left));
            visit(Child::Position(right));
        }
        SetExpr::Line(line) => parts(line, visit),
        SetExpr::Intersections([left, right]) => {
            parts(left, visit);
            parts(right, visit);
        }
        SetExpr::Pin(pin) => parts(pin, visit),
        SetExpr::Direction { directions, set, .. } => {
            visit(Child::Directions(directions));
            visit(Child::Set(set));
        }
        SetExpr::SquareColor { light, set } => {
            visit(Child::SquareColor(light));
            visit(Child::Set(set));
        }
        SetExpr::MakeSquare(file, rank) => {
            visit(Child::Number(file));
            visit(Child::Number(rank));
        }
        SetExpr::NamedSquare(name) => visit(Child::String(name)),
        SetExpr::Squares(squares) => parts(squares, visit),
        SetExpr::Pieces(pieces) => parts(pieces, visit),
        SetExpr::FusedLoop(fused) => parts(fused, visit),
        SetExpr::Absence(absence) => parts(absence, visit),
        SetExpr::Move(parameters) => parts(parameters, visit),
        SetExpr::Legal(legal) => parts(legal, visit),
        SetExpr::Lookahead(tried) => parts(tried, visit),
        SetExpr::Versions(versions) => visit(Child::SetVersions(versions)),
        SetExpr::Flow(flow) => parts(flow, visit),
    }
}

visits! {
    parts NumExpr: |number, visit| match number {
        NumExpr::Literal(_)
        | NumExpr::Variable(_)
        | NumExpr::ConsecutiveMoves(_)
        | NumExpr::Similar(_)
        | NumExpr::Identity(_)
        | NumExpr::Fact(_)
        | NumExpr::PathCount { .. }
        | NumExpr::PathCountUnfocused
        | NumExpr::Entries(_)
        | NumExpr::GroupStart(_)
        | NumExpr::BestRating
        | NumExpr::Year
        | NumExpr::Measure(_)
        | NumExpr::TimeControl(_)
        | NumExpr::Endgame { .. }
        | NumExpr::Study(_) => {}
        NumExpr::Color(color) | NumExpr::Rating(color) | NumExpr::Evaluation(color) => visit(Child::Color(color)),
        NumExpr::Negate(number) | NumExpr::Abs(number) | NumExpr::Sqrt(number) | NumExpr::Sort(_, number) => {
            visit(Child::Number(number));
        }
        NumExpr::Arithmetic(_, left, right) | NumExpr::Compare(_, left, right) => {
            visit(Child::Number(left));
            visit(Child::Number(right));
        }
        NumExpr::Max(numbers) | NumExpr::Min(numbers) => {
            for number in numbers {
                visit(Child::Number(number));
            }
        }
        NumExpr::Count(set) | NumExpr::OfSet(_, set) | NumExpr::SortSet(_, set) => visit(Child::Set(set)),
        NumExpr::Length(string) | NumExpr::Parse(string) | NumExpr::Code(string) => visit(Child::String(string)),
        NumExpr::IndexOf(part, whole) => {
            visit(Child::String(part));
            visit(Child::String(whole));
        }
        NumExpr::Distance(left, right) => {
            visit(Child::Position(left));
            visit(Child::Position(right));
        }
        NumExpr::Find(find, _) => parts(find, visit),
        NumExpr::Echo(echo) => parts(echo, visit),
        NumExpr::CountMoves(dash, target) => {
            parts(dash, visit);
            visit(Child::Condition(target));
        }
        NumExpr::CountLegal(legal) => parts(legal, visit),
        NumExpr::CountLookahead(tried) => parts(tried, visit),
        NumExpr::CountMoveLegal(parameters) => parts(parameters, visit),
        NumExpr::Path(path) => parts(path, visit),
        NumExpr::Line(line) => parts(line, visit),
        NumExpr::Versions(versions) => visit(Child::NumberVersions(versions)),
        NumExpr::CountVersions(versions, _) => visit(Child::ConditionVersions(versions)),
        NumExpr::Flow(flow) => parts(flow, visit),
    }
}

visits! {
    parts StrExpr: |string, visit| match string {
        StrExpr::Literal(_)
        | StrExpr::Variable(_)
        | StrExpr::Players
        | StrExpr::GameTag(_)
        | StrExpr::Tag(_)
        | StrExpr::OriginalComment
        | StrExpr::Study(_)
        | StrExpr::Group(_)
        | StrExpr::Fen
        | StrExpr::CurrentFen
        | StrExpr::ZobristKey => {}
        StrExpr::Replace(string, part, replacement) => {
            visit(Child::String(string));
            visit(Child::String(part));
            visit(Child::String(replacement));
        }
        StrExpr::Concat(left, right) | StrExpr::Compare(_, left, right) => {
            visit(Child::String(left));
            visit(Child::String(right));
        }
        StrExpr::Part(string, part) => {
            visit(Child::String(string));
            parts(part, visit);
        }
        StrExpr::Max(strings) | StrExpr::Min(strings) => {
            for string in strings {
                visit(Child::String(string));
            }
        }
        StrExpr::Uppercase(string)
        | StrExpr::Lowercase(string)
        | StrExpr::Match { target: string, .. }
        | StrExpr::ReadFile(string)
        | StrExpr::Sort(_, string) => visit(Child::String(string)),
        StrExpr::Character(number) => visit(Child::Number(number)),
        StrExpr::Text(items) => {
            for item in items {
                parts(item, visit);
            }
        }
        StrExpr::PieceName { set, .. } => visit(Child::Set(set)),
        StrExpr::Player(color) | StrExpr::PlayerTag(color) => visit(Child::TagColor(color)),
        StrExpr::CurrentTransform(names) => visit(Child::TransformNames(names)),
        StrExpr::Flow(flow) => parts(flow, visit),
    }
}

visits! {
    parts PosExpr: |position, visit| match position {
        PosExpr::Current
        | PosExpr::Parent
        | PosExpr::Child(None)
        | PosExpr::Initial
        | PosExpr::Variable(_)
        | PosExpr::PathStart
        | PosExpr::PathLast { .. } => {}
        PosExpr::Child(Some(number)) | PosExpr::Numbered(number) => visit(Child::Number(number)),
        PosExpr::CommonAncestor(left, right) | PosExpr::Compare(_, left, right) => {
            visit(Child::Position(left));
            visit(Child::Position(right));
        }
        PosExpr::Find(find) => parts(find, visit),
        PosExpr::Path(path) => parts(path, visit),
        PosExpr::Line(line) => parts(line, visit),
        PosExpr::Flow(flow) => parts(flow, visit),
    }
}

visits! {
    parts CondExpr: |condition, visit| match condition {
        CondExpr::Constant(_)
        | CondExpr::Check
        | CondExpr::Mate
        | CondExpr::Stalemate
        | CondExpr::LegalPosition
        | CondExpr::Initial
        | CondExpr::Terminal
        | CondExpr::Mainline
        | CondExpr::Variation
        | CondExpr::Primary
        | CondExpr::Secondary
        | CondExpr::VirtualMainline
        | CondExpr::Similar
        | CondExpr::Castled(_)
        | CondExpr::EnPassant
        | CondExpr::NullMove
        | CondExpr::Symbol(_)
        | CondExpr::Judged(_)
        | CondExpr::Variant(_)
        | CondExpr::Study(_)
        | CondExpr::IsBound { .. }
        | CondExpr::Abort
        | CondExpr::RemoveComment => {}
        CondExpr::ToMove(color) => visit(Child::Color(color)),
        CondExpr::Result(result) => visit(Child::Result(result)),
        CondExpr::Placement(designators) => {
            for designator in designators {
                visit(Child::Designator(designator));
            }
        }
        CondExpr::NonEmpty(set) => visit(Child::Set(set)),
        CondExpr::HasNumber(number) => visit(Child::Number(number)),
        CondExpr::HasString(string) | CondExpr::SetTag(_, string) => visit(Child::String(string)),
        CondExpr::HasPosition(position) => visit(Child::Position(position)),
        CondExpr::Assign(assignment) => parts(assignment, visit),
        CondExpr::Not(filter) | CondExpr::Loop(filter) | CondExpr::Assert(filter) => {
            visit(Child::Condition(filter));
        }
        CondExpr::And(left, right)
        | CondExpr::Or(left, right)
        | CondExpr::While {
            test: left,
            body: right,
        } => {
            visit(Child::Condition(left));
            visit(Child::Condition(right));
        }
        CondExpr::SameSet(left, right) | CondExpr::Subset(left, right) => {
            visit(Child::Set(left));
            visit(Child::Set(right));
        }
        CondExpr::Substring(first, second)
        | CondExpr::WriteFile {
            name: first,
            content: second,
        } => {
            visit(Child::String(first));
            visit(Child::String(second));
        }
        CondExpr::SubstringInAnyCase(_, text) => visit(Child::String(text)),
        CondExpr::Dictionary(_, action) => parts(action, visit),
        CondExpr::WhileMatch { target, body, .. } => {
            visit(Child::String(target));
            visit(Child::Condition(body));
        }
        CondExpr::Equal(left, right) => {
            part(left, visit);
            part(right, visit);
        }
        CondExpr::Ancestor { ancestor, descendant } => {
            visit(Child::Position(ancestor));
            visit(Child::Position(descendant));
        }
        CondExpr::AllSquares(squares) => parts(squares, visit),
        CondExpr::AllPieces(pieces) => parts(pieces, visit),
        CondExpr::AllFused(fused) => parts(fused, visit),
        CondExpr::Move(parameters) => parts(parameters, visit),
        CondExpr::AllLookahead(tried) => parts(tried, visit),
        CondExpr::Message { items, .. } | CondExpr::Comment(items) => {
            for item in items {
                parts(item, visit);
            }
        }
        CondExpr::Column(_, filter) => part(filter, visit),
        CondExpr::Echo(echo) => parts(echo, visit),
        CondExpr::Versions(versions) => visit(Child::ConditionVersions(versions)),
        CondExpr::Flow(flow) => parts(flow, visit),
    }
}

visits! {
    generic [N: Subtree] Flow<N>: |flow, visit| match flow {
        Flow::Group(value) | Flow::Traced(_, value) => part(value, visit),
        Flow::Block { tests, value } => {
            for test in tests {
                visit(Child::Condition(test));
            }
            part(value, visit);
        }
        Flow::If { test, yes, no } => {
            visit(Child::Condition(test));
            part(yes, visit);
            part(no, visit);
        }
        Flow::At { position, value } => {
            visit(Child::Position(position));
            part(value, visit);
        }
        Flow::Call { arguments, body } => {
            part(body, visit);
            for argument in arguments {
                visit(Child::Condition(argument));
            }
        }
        Flow::Fixed(value) => part(value, &mut |child| visit(Child::Fixed(Box::new(child)))),
        Flow::Entry { key, .. } => part(key, visit),
        Flow::Dash(dash, target) | Flow::Previous(dash, target) => {
            parts(dash, visit);
            part(target, visit);
        }
        Flow::Lookahead(tried, target) => {
            parts(tried, visit);
            part(target, visit);
        }
        Flow::Imagined(imagined, value) => {
            if let Imagined::Without(set) = imagined {
                visit(Child::Set(set));
            }
            part(value, visit);
        }
    }
}

visits! {
    generic [V] Loop<V>: |squares, visit| {
        let Loop { body, domain, .. } = squares;
        visit(Child::Condition(body));
        visit(Child::Set(domain));
    }
}

visits! {
    parts FusedLoop: |fused, visit| {
        let FusedLoop { domain, kept, .. } = fused;
        visit(Child::Set(domain));
        visit(Child::Set(kept));
    }
}

visits! {
    parts Absence: |absence, visit| {
        let Absence { squares, also, asked, .. } = absence;
        visit(Child::Set(squares));
        if let Some(also) = also {
            visit(Child::Set(also));
        }
        visit(Child::Condition(asked));
    }
}

visits! {
    parts sets::Line: |line, visit| {
        let sets::Line { directions, written, sets, .. } = line;
        if *written {
            visit(Child::Directions(directions));
        }
        for set in sets {
            visit(Child::Set(set));
        }
    }
}

visits! {
    parts LinesThrough: |lines, visit| {
        let LinesThrough { kinds, written, set } = lines;
        if *written {
            visit(Child::Directions(kinds));
        }
        visit(Child::Set(set));
    }
}

visits! {
    parts Pin: |pin, visit| {
        let Pin { from, through, to, .. } = pin;
        for set in [from, through, to].into_iter().flatten() {
            visit(Child::Set(set));
        }
    }
}

visits! {
    parts StringSlice: |part, visit| match part {
        StringSlice::Byte(index) => visit(Child::Number(index)),
        StringSlice::Bytes(start, end) => {
            for bound in [start, end].into_iter().flatten() {
                visit(Child::Number(bound));
            }
        }
    }
}

visits! {
    parts Find: |find, visit| {
        let Find { body, .. } = find;
        visit(Child::Condition(body));
    }
}

visits! {
    parts Echo: |echo, visit| {
        let Echo { tests, value, .. } = echo;
        for test in tests {
            let EchoTest { condition, .. } = test;
            visit(Child::Condition(condition));
        }
        if let Some(value) = value {
            visit(Child::Number(value));
        }
    }
}

visits! {
    parts Dash: |dash, visit| {
        let Dash { left, right, promotion, .. } = dash;
        for set in [left, right].into_iter().flatten() {
            visit(Child::Set(set));
        }
        if let Some(promotion) = promotion {
            parts(promotion, visit);
        }
    }
}

visits! {
    parts Promotion: |promotion, visit| match promotion {
        Promotion::To(pieces) => visit(Child::Designator(pieces)),
        Promotion::Letters(string) => visit(Child::String(string)),
        Promotion::Any => {}
    }
}

visits! {
    parts Lookahead: |tried, visit| {
        let Lookahead { from, to, captured, promotion, target, .. } = tried;
        for set in [from, to, captured].into_iter().flatten() {
            visit(Child::Set(set));
        }
        if let Some(promotion) = promotion {
            parts(promotion, visit);
        }
        if let Some(target) = target {
            visit(Child::Condition(target));
        }
    }
}

visits! {
    parts LegalDash: |legal, visit| {
        let LegalDash { left, right, .. } = legal;
        for set in [left, right].into_iter().flatten() {
            visit(Child::Set(set));
        }
    }
}

visits! {
    parts Move: |parameters, visit| {
        let Move { from, to, capture, en_passant_square, promote, comment, .. } = parameters;
        for set in [from, to, capture, en_passant_square].into_iter().flatten() {
            visit(Child::Set(set));
        }
        if let Some(pieces) = promote {
            visit(Child::Designator(pieces));
        }
        if let Some(MoveComment { items, .. }) = comment {
            for item in items {
                parts(item, visit);
            }
        }
    }
}

visits! {
    parts Path: |path, visit| {
        let Path { focus, max, program, .. } = path;
        if let Some(Focus::Pieces { set, .. }) = focus {
            visit(Child::Set(set));
        }
        if let Some(max) = max {
            visit(Child::Number(max));
        }
        for step in steps(program) {
            match step {
                PathStep::Test(filter) => visit(Child::Condition(filter)),
                PathStep::Move(dash, target) => {
                    parts(dash, visit);
                    if let Some(target) = target {
                        visit(Child::Condition(target));
                    }
                }
            }
        }
    }
}

visits! {
    parts Line: |line, visit| {
        let Line { program, .. } = line;
        for item in steps(program) {
            let Item { filter, .. } = item;
            visit(Child::Condition(filter));
        }
    }
}

visits! {
    parts Assignment: |assignment, visit| match assignment {
        Assignment::Set(_, set)
        | Assignment::NonEmptySet(_, set)
        | Assignment::Unite(_, set)
        | Assignment::Intersect(_, set)
        | Assignment::Piece(_, set) => visit(Child::Set(set)),
        Assignment::Number(_, number) | Assignment::Calculate(_, _, number) => visit(Child::Number(number)),
        Assignment::String(_, string) | Assignment::Append(_, string) => visit(Child::String(string)),
        Assignment::Splice { part, value, .. } => {
            parts(part, visit);
            visit(Child::String(value));
        }
        Assignment::Position(_, position) => visit(Child::Position(position)),
        Assignment::Unbind(_) => {}
    }
}

visits! {
    parts DictionaryAction: |action, visit| match action {
        DictionaryAction::Store { key, value } => {
            part(key, visit);
            part(value, visit);
        }
        DictionaryAction::Remove(key) => part(key, visit),
        DictionaryAction::Clear => {}
        DictionaryAction::Each { body, .. } => visit(Child::Condition(body)),
    }
}

visits! {
    parts TextItem: |item, visit| {
        if let TextItem::Filter(filter) = item {
            part(filter, visit);
        }
    }
}
