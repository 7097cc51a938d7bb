//! The parts of each expression, listed once.

use super::{Child, ChildMut, Children, changing, reading};
use crate::query::ast::assignments::Assignment;
use crate::query::ast::dictionaries::DictionaryAction;
use crate::query::ast::echo::{Echo, EchoTest};
use crate::query::ast::moves::{MoveComment, Promotion};
use crate::query::ast::node::{Cond, Filter, Flow, Num, Pos, Set, Str};
use crate::query::ast::paths::{Focus, Item, Line, Path, PathStep};
use crate::query::ast::program::{Program, Step};
use crate::query::ast::sets::{Absence, FusedLoop, LinesThrough, Pin};
use crate::query::ast::strings::StringSlice;
use crate::query::ast::{
    CondExpr, Dash, Find, Imagined, LegalDash, Lookahead, Loop, Move, NumExpr, PosExpr, SetExpr, StrExpr, TextItem,
    sets,
};

visits! {
    impl[] Set: |set, visit| visit(Child::Set(set));

    impl[] Num: |number, visit| visit(Child::Number(number));

    impl[] Str: |string, visit| visit(Child::String(string));

    impl[] Pos: |position, visit| visit(Child::Position(position));

    impl[] Cond: |condition, visit| visit(Child::Condition(condition));

    impl[P: Children] Option<P>: |part, visit| {
        if let Some(part) = part {
            parts(part, visit);
        }
    };

    impl[P: Children] Vec<P>: |list, visit| {
        for part in list {
            parts(part, visit);
        }
    };

    impl[] Filter: |filter, visit| match filter {
        Filter::Set(set) => parts(set, visit),
        Filter::Number(number) => parts(number, visit),
        Filter::String(string) => parts(string, visit),
        Filter::Position(position) => parts(position, visit),
        Filter::Condition(condition) => parts(condition, visit),
    };

    impl[] SetExpr: |set, visit| match set {
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
        SetExpr::Complement(set) => parts(set, visit),
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
        } => both(left, right, visit),
        SetExpr::Common(left, right) => both(left, right, visit),
        SetExpr::Line(line) => parts(line, visit),
        SetExpr::Intersections([left, right]) => both(left, right, visit),
        SetExpr::Pin(pin) => parts(pin, visit),
        SetExpr::Direction { directions, set, .. } => {
            visit(Child::Directions(directions));
            parts(set, visit);
        }
        SetExpr::SquareColor { light, set } => {
            visit(Child::SquareColor(light));
            parts(set, visit);
        }
        SetExpr::MakeSquare(file, rank) => both(file, rank, visit),
        SetExpr::NamedSquare(name) => parts(name, visit),
        SetExpr::Each(each) => parts(each, visit),
        SetExpr::FusedLoop(fused) => parts(fused, visit),
        SetExpr::Absence(absence) => parts(absence, visit),
        SetExpr::Move(parameters) => parts(parameters, visit),
        SetExpr::Legal(legal) => parts(legal, visit),
        SetExpr::Lookahead(tried) => parts(tried, visit),
        SetExpr::Versions(versions) => visit(Child::SetVersions(versions)),
        SetExpr::Flow(flow) => parts(flow, visit),
    };

    impl[] NumExpr: |number, visit| match number {
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
        NumExpr::Negate(number) | NumExpr::Abs(number) | NumExpr::Sqrt(number) | NumExpr::Sort(_, number) => parts(number, visit),
        NumExpr::Arithmetic(_, left, right) | NumExpr::Compare(_, left, right) => both(left, right, visit),
        NumExpr::Max(numbers) | NumExpr::Min(numbers) => parts(numbers, visit),
        NumExpr::Count(set) | NumExpr::OfSet(_, set) | NumExpr::SortSet(_, set) => parts(set, visit),
        NumExpr::Length(string) | NumExpr::Parse(string) | NumExpr::Code(string) => parts(string, visit),
        NumExpr::IndexOf(part, whole) => both(part, whole, visit),
        NumExpr::Distance(left, right) => both(left, right, visit),
        NumExpr::Find(find, _) => parts(find, visit),
        NumExpr::Echo(echo) => parts(echo, visit),
        NumExpr::CountMoves(dash, target) => both(dash, target, visit),
        NumExpr::CountLegal(legal) => parts(legal, visit),
        NumExpr::CountLookahead(tried) => parts(tried, visit),
        NumExpr::CountMoveLegal(parameters) => parts(parameters, visit),
        NumExpr::Path(path) => parts(path, visit),
        NumExpr::Line(line) => parts(line, visit),
        NumExpr::Versions(versions) => visit(Child::NumberVersions(versions)),
        NumExpr::CountVersions(versions, _) => visit(Child::ConditionVersions(versions)),
        NumExpr::Flow(flow) => parts(flow, visit),
    };

    impl[] StrExpr: |string, visit| match string {
        StrExpr::Literal(_)
        | StrExpr::Variable(_)
        | StrExpr::Players
        | StrExpr::Tag(_)
        | StrExpr::OriginalComment
        | StrExpr::Study(_)
        | StrExpr::Group(_)
        | StrExpr::Fen
        | StrExpr::CurrentFen
        | StrExpr::ZobristKey => {}
        StrExpr::Replace(string, part, replacement) => {
            both(string, part, visit);
            parts(replacement, visit);
        }
        StrExpr::Concat(left, right) | StrExpr::Compare(_, left, right) => both(left, right, visit),
        StrExpr::Part(string, part) => both(string, part, visit),
        StrExpr::Max(strings) | StrExpr::Min(strings) => parts(strings, visit),
        StrExpr::Uppercase(string)
        | StrExpr::Lowercase(string)
        | StrExpr::Match { target: string, .. }
        | StrExpr::ReadFile(string)
        | StrExpr::Sort(_, string) => parts(string, visit),
        StrExpr::Character(number) => parts(number, visit),
        StrExpr::Text(items) => parts(items, visit),
        StrExpr::PieceName { set, .. } => parts(set, visit),
        StrExpr::Player(color) | StrExpr::PlayerTag(color) => visit(Child::TagColor(color)),
        StrExpr::CurrentTransform(names) => visit(Child::TransformNames(names)),
        StrExpr::Flow(flow) => parts(flow, visit),
    };

    impl[] PosExpr: |position, visit| match position {
        PosExpr::Current
        | PosExpr::Parent
        | PosExpr::Initial
        | PosExpr::Variable(_)
        | PosExpr::PathStart
        | PosExpr::PathLast { .. } => {}
        PosExpr::Child(number) => parts(number, visit),
        PosExpr::Numbered(number) => parts(number, visit),
        PosExpr::CommonAncestor(left, right) | PosExpr::Compare(_, left, right) => both(left, right, visit),
        PosExpr::Find(find) => parts(find, visit),
        PosExpr::Path(path) => parts(path, visit),
        PosExpr::Line(line) => parts(line, visit),
        PosExpr::Flow(flow) => parts(flow, visit),
    };

    impl[] CondExpr: |condition, visit| match condition {
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
        CondExpr::NonEmpty(set) => parts(set, visit),
        CondExpr::HasNumber(number) => parts(number, visit),
        CondExpr::HasString(string) | CondExpr::SetTag(_, string) => parts(string, visit),
        CondExpr::HasPosition(position) => parts(position, visit),
        CondExpr::Assign(assignment) => parts(assignment, visit),
        CondExpr::Not(filter) | CondExpr::Loop(filter) | CondExpr::Assert(filter) => parts(filter, visit),
        CondExpr::And(left, right)
        | CondExpr::Or(left, right)
        | CondExpr::While {
            test: left,
            body: right,
        } => both(left, right, visit),
        CondExpr::SameSet(left, right) | CondExpr::Subset(left, right) => both(left, right, visit),
        CondExpr::Substring(first, second)
        | CondExpr::WriteFile {
            name: first,
            content: second,
        } => both(first, second, visit),
        CondExpr::SubstringInAnyCase(_, text) => parts(text, visit),
        CondExpr::Dictionary(_, action) => parts(action, visit),
        CondExpr::WhileMatch { target, body, .. } => both(target, body, visit),
        CondExpr::Equal(left, right) => both(left, right, visit),
        CondExpr::Ancestor { ancestor, descendant } => both(ancestor, descendant, visit),
        CondExpr::All(each) => parts(each, visit),
        CondExpr::AllFused(fused) => parts(fused, visit),
        CondExpr::Move(parameters) => parts(parameters, visit),
        CondExpr::AllLookahead(tried) => parts(tried, visit),
        CondExpr::Message { items, .. } | CondExpr::Comment(items) => parts(items, visit),
        CondExpr::Column(_, filter) => parts(filter, visit),
        CondExpr::Echo(echo) => parts(echo, visit),
        CondExpr::Versions(versions) => visit(Child::ConditionVersions(versions)),
        CondExpr::Flow(flow) => parts(flow, visit),
    };

    impl[N: Children] Flow<N>: |flow, visit| match flow {
        Flow::Group(value) | Flow::Traced(_, value) => parts(value, visit),
        Flow::Block { tests, value } => both(tests, value, visit),
        Flow::If { test, yes, no } => {
            both(test, yes, visit);
            parts(no, visit);
        }
        Flow::At { position, value } => both(position, value, visit),
        Flow::Call { arguments, body } => both(body, arguments, visit),
        Flow::Fixed(value) => parts(value, &mut |child| visit(Child::Fixed(Box::new(child)))),
        Flow::Entry { key, .. } => parts(key, visit),
        Flow::Dash(dash, target) | Flow::Previous(dash, target) => both(dash, target, visit),
        Flow::Lookahead(tried, target) => both(tried, target, visit),
        Flow::Imagined(imagined, value) => {
            if let Imagined::Without(set) = imagined {
                parts(set, visit);
            }
            parts(value, visit);
        }
    };

    impl[] Loop: |each, visit| {
        let Loop { body, domain, .. } = each;
        both(body, domain, visit);
    };

    impl[] FusedLoop: |fused, visit| {
        let FusedLoop { domain, kept, .. } = fused;
        both(domain, kept, visit);
    };

    impl[] Absence: |absence, visit| {
        let Absence { squares, also, asked, .. } = absence;
        both(squares, also, visit);
        parts(asked, visit);
    };

    impl[] sets::Line: |line, visit| {
        let sets::Line { directions, written, sets, .. } = line;
        if *written {
            visit(Child::Directions(directions));
        }
        parts(sets, visit);
    };

    impl[] LinesThrough: |lines, visit| {
        let LinesThrough { kinds, written, set } = lines;
        if *written {
            visit(Child::Directions(kinds));
        }
        parts(set, visit);
    };

    impl[] Pin: |pin, visit| {
        let Pin { from, through, to, .. } = pin;
        both(from, through, visit);
        parts(to, visit);
    };

    impl[] StringSlice: |part, visit| match part {
        StringSlice::Byte(index) => parts(index, visit),
        StringSlice::Bytes(start, end) => both(start, end, visit),
    };

    impl[] Find: |find, visit| {
        let Find { body, .. } = find;
        parts(body, visit);
    };

    impl[] Echo: |echo, visit| {
        let Echo { tests, value, .. } = echo;
        for test in tests {
            let EchoTest { condition, .. } = test;
            parts(condition, visit);
        }
        parts(value, visit);
    };

    impl[] Dash: |dash, visit| {
        let Dash { left, right, promotion, .. } = dash;
        both(left, right, visit);
        parts(promotion, visit);
    };

    impl[] Promotion: |promotion, visit| match promotion {
        Promotion::To(pieces) => visit(Child::Designator(pieces)),
        Promotion::Letters(string) => parts(string, visit),
        Promotion::Any => {}
    };

    impl[] Lookahead: |tried, visit| {
        let Lookahead { from, to, captured, promotion, target, .. } = tried;
        both(from, to, visit);
        both(captured, promotion, visit);
        parts(target, visit);
    };

    impl[] LegalDash: |legal, visit| {
        let LegalDash { left, right, .. } = legal;
        both(left, right, visit);
    };

    impl[] Move: |parameters, visit| {
        let Move { from, to, capture, en_passant_square, promote, comment, .. } = parameters;
        both(from, to, visit);
        both(capture, en_passant_square, visit);
        if let Some(pieces) = promote {
            visit(Child::Designator(pieces));
        }
        if let Some(MoveComment { items, .. }) = comment {
            parts(items, visit);
        }
    };

    impl[] Path: |path, visit| {
        let Path { focus, max, program, .. } = path;
        if let Some(Focus::Pieces { set, .. }) = focus {
            parts(set, visit);
        }
        parts(max, visit);
        parts(program, visit);
    };

    impl[] PathStep: |step, visit| match step {
        PathStep::Test(filter) => parts(filter, visit),
        PathStep::Move(dash, target) => both(dash, target, visit),
    };

    impl[] Line: |line, visit| {
        let Line { program, .. } = line;
        parts(program, visit);
    };

    impl[] Item: |item, visit| {
        let Item { filter, .. } = item;
        parts(filter, visit);
    };

    impl[S: Step + Children] Program<S>: |program, visit| {
        for step in steps(program) {
            parts(step, visit);
        }
    };

    impl[] Assignment: |assignment, visit| match assignment {
        Assignment::Set(_, set)
        | Assignment::NonEmptySet(_, set)
        | Assignment::Piece(_, set) => parts(set, visit),
        Assignment::Number(_, number) => parts(number, visit),
        Assignment::String(_, string) | Assignment::Append(_, string) => parts(string, visit),
        Assignment::Splice { part, value, .. } => both(part, value, visit),
        Assignment::Position(_, position) => parts(position, visit),
        Assignment::Unbind(_) => {}
    };

    impl[] DictionaryAction: |action, visit| match action {
        DictionaryAction::Store { key, value } => both(key, value, visit),
        DictionaryAction::Remove(key) => parts(key, visit),
        DictionaryAction::Clear => {}
        DictionaryAction::Each { body, .. } => parts(body, visit),
    };

    impl[] TextItem: |item, visit| {
        if let TextItem::Filter(filter) = item {
            parts(filter, visit);
        }
    };
}
