//! The contribution of each form of filter to the facts of its parts.

use super::{Effects, Facts, Reads, Use, cost};
use crate::query::ast::assignments::Assignment;
use crate::query::ast::dictionaries::DictionaryAction;
use crate::query::ast::echo::{ConsecutiveMoves, Echo};
use crate::query::ast::hhdb::StudyCond;
use crate::query::ast::moves::MoveSource;
use crate::query::ast::node::{Expression, Filter, Flow, Node};
use crate::query::ast::numbers::{Fact, FindCount, Measure, SetNumber};
use crate::query::ast::paths::{Line, Path};
use crate::query::ast::sets::FusedLoop;
use crate::query::ast::variables::Variable;
use crate::query::ast::versions::Versions;
use crate::query::ast::visit::Children;
use crate::query::ast::{CondExpr, Find, Loop, Move, NumExpr, PosExpr, SetExpr, StrExpr, TextItem};

const NOTHING: Reads = Reads::empty();
const BOARD: Reads = Reads::BOARD;
/// What the rules of chess depend on.
const RULES: Reads = Reads::BOARD.union(Reads::TURN);
const COMMANDS: Reads = Reads::PLACE.union(Reads::COMMANDS);
const NOTES: Reads = Reads::PLACE.union(Reads::NOTES);

impl SetExpr {
    /// Returns the facts of a set.
    pub(crate) fn facts(&self) -> Facts {
        let own = match self {
            SetExpr::Flow(flow) => return flow.facts(),
            SetExpr::Each(each) => return each.facts(),
            SetExpr::FusedLoop(fused) => return fused.facts(),
            SetExpr::Versions(versions) => return versions.facts(self),
            SetExpr::Variable(variable) => Facts::of_variable(Variable::Set(*variable)),
            SetExpr::Piece(variable) => Facts::of_variable(Variable::Piece(*variable)).and_reads(Reads::PLACE),
            SetExpr::Designator(designator) if !designator.has_contents => Facts::reading(NOTHING, 1.0),
            SetExpr::Designator(designator) => Facts::reading(BOARD, cost::of_designator(*designator)),
            SetExpr::Attackers { .. } | SetExpr::Attacked { .. } => Facts::reading(BOARD, cost::ATTACKS),
            SetExpr::Line(line) => Facts::reading(BOARD, cost::RAY * (line.sets.len().max(2) - 1) as f64),
            SetExpr::Pin(_) => Facts::reading(BOARD, cost::PINS),
            SetExpr::Pawns(_) => Facts::reading(BOARD, cost::PAWNS),
            SetExpr::Mate(_) | SetExpr::Absence(_) => Facts::reading(RULES, cost::CHECK),
            SetExpr::Legal(_) => Facts::reading(RULES, cost::LEGAL_MOVES),
            SetExpr::Lookahead(moves) => Facts::reading(RULES, cost::of_lookahead(moves)),
            SetExpr::Direction { range, .. } => Facts::reading(NOTHING, 1.0).within(*range),
            SetExpr::Played(_) => Facts::reading(Reads::MOVES, cost::PLAYED_MOVES),
            SetExpr::PromotedPieces => Facts::reading(Reads::PLACE, cost::PLAYED_MOVES),
            SetExpr::NeverMoved | SetExpr::CastlingRooks | SetExpr::TakeableEnPassant => {
                Facts::reading(RULES | Reads::ARRIVAL, cost::PLAYED_MOVES)
            }
            SetExpr::Common(..) => Facts::reading(Reads::TREE, 1.0),
            SetExpr::From | SetExpr::To | SetExpr::EnPassantSquare => Facts::reading(Reads::ARRIVAL, 1.0),
            SetExpr::Move(parameters) => parameters.facts(),
            SetExpr::Intersections(_) => Facts::reading(NOTHING, cost::ATTACKS),
            SetExpr::Between(..) | SetExpr::MakeSquare(..) | SetExpr::NamedSquare(_) => Facts::reading(NOTHING, 1.0),
            SetExpr::Constant(_)
            | SetExpr::Complement(_)
            | SetExpr::Intersection(..)
            | SetExpr::Union(..)
            | SetExpr::SquareColor { .. } => Facts::default(),
        };
        own.with_parts(self)
    }
}

impl NumExpr {
    /// Returns the facts of a number.
    pub(crate) fn facts(&self) -> Facts {
        let own = match self {
            NumExpr::Flow(flow) => return flow.facts(),
            NumExpr::Echo(echo) => return echo.facts(),
            NumExpr::Find(find, FindCount::All) => return find.facts(),
            NumExpr::Find(find, FindCount::Within(range)) => return find.facts().within(Some(*range)),
            NumExpr::Path(path) => return path.facts(),
            NumExpr::Line(line) => return line.facts(),
            NumExpr::ConsecutiveMoves(run) => return run.facts(),
            NumExpr::Versions(versions) => return versions.facts(self),
            NumExpr::CountVersions(versions, range) => return versions.facts(self).within(Some(*range)),
            NumExpr::Variable(variable) => Facts::of_variable(Variable::Number(*variable)),
            NumExpr::Identity(variable) => Facts::of_variable(Variable::Piece(*variable)),
            NumExpr::OfSet(SetNumber::PieceId, _) => Facts::reading(Reads::PLACE | Reads::IDENTITIES, 1.0),
            NumExpr::OfSet(SetNumber::Power, _) => Facts::reading(BOARD, cost::POWER),
            NumExpr::OfSet(SetNumber::Type | SetNumber::ColorType, _) => Facts::reading(BOARD, 1.0),
            NumExpr::OfSet(SetNumber::Rank | SetNumber::File, _) | NumExpr::Count(_) => Facts::reading(NOTHING, 1.0),
            NumExpr::Entries(_) => Facts::doing(Effects::OTHER, 1.0).and_reads(Reads::DICTIONARIES),
            NumExpr::GroupStart(_) => Facts::doing(Effects::GROUPS, 1.0),
            NumExpr::PathCount { .. } | NumExpr::PathCountUnfocused => Facts::reading(Reads::PATH, 1.0),
            NumExpr::Fact(fact) => match fact {
                Fact::Ply | Fact::MoveNumber => Facts::reading(Reads::PLY, cost::AT_HAND),
                Fact::PositionId | Fact::Depth => Facts::reading(Reads::PLACE, cost::AT_HAND),
                Fact::SideToMove => Facts::reading(Reads::TURN, cost::AT_HAND),
                Fact::GameNumber => Facts::reading(Reads::GAME_NUMBER, cost::AT_HAND),
                Fact::LastGameNumber => Facts::reading(Reads::LAST_GAME_NUMBER, cost::AT_HAND),
                Fact::HalfmoveClock => Facts::reading(Reads::PLACE, cost::PLAYED_MOVES),
            },
            NumExpr::Rating(_) | NumExpr::BestRating | NumExpr::Year | NumExpr::TimeControl(_) => {
                Facts::reading(Reads::TAGS, cost::TAG)
            }
            NumExpr::Study(study) if study.is_of_tags() => Facts::reading(Reads::TAGS, cost::TAG),
            NumExpr::Study(_) => Facts::reading(Reads::TAGS | NOTES, cost::TEXT),
            NumExpr::Measure(Measure::Elapsed) => Facts::reading(Reads::TAGS | COMMANDS, 1.0),
            NumExpr::Evaluation(_) | NumExpr::Measure(_) => Facts::reading(COMMANDS, 1.0),
            NumExpr::Endgame { .. } => Facts::reading(RULES | Reads::TABLEBASE, cost::TABLEBASE),
            NumExpr::Similar(_) => Facts::doing(Effects::OTHER, cost::TEXT).and_reads(Reads::PLACE),
            NumExpr::CountMoves(..) => Facts::reading(Reads::MOVES, cost::PLAYED_MOVES),
            NumExpr::CountLegal(_) => Facts::reading(RULES, cost::LEGAL_MOVES),
            NumExpr::CountLookahead(moves) => Facts::reading(RULES, cost::of_lookahead(moves)),
            NumExpr::CountMoveLegal(parameters) => parameters.facts(),
            NumExpr::Sort(..) | NumExpr::SortSet(..) => Facts::doing(Effects::OTHER, 1.0),
            NumExpr::Distance(..) => Facts::reading(Reads::TREE, 1.0),
            NumExpr::Literal(_)
            | NumExpr::Negate(_)
            | NumExpr::Arithmetic(..)
            | NumExpr::Compare(..)
            | NumExpr::Abs(_)
            | NumExpr::Sqrt(_)
            | NumExpr::Max(_)
            | NumExpr::Min(_)
            | NumExpr::Length(_)
            | NumExpr::Parse(_)
            | NumExpr::Code(_)
            | NumExpr::IndexOf(..)
            | NumExpr::Color(_) => Facts::default(),
        };
        own.with_parts(self)
    }
}

impl StrExpr {
    /// Returns the facts of a string.
    pub(crate) fn facts(&self) -> Facts {
        let own = match self {
            StrExpr::Flow(flow) => return flow.facts(),
            StrExpr::Variable(variable) => Facts::of_variable(Variable::String(*variable)),
            StrExpr::Match { kept: true, .. } => Facts::doing(Effects::GROUPS, cost::PATTERN),
            StrExpr::Match { kept: false, .. } => Facts::reading(NOTHING, cost::PATTERN),
            StrExpr::Group(_) => Facts::doing(Effects::GROUPS, 1.0),
            StrExpr::Text(items) => of_text(items).and_reads(Reads::ARRIVAL),
            StrExpr::PieceName { .. } => Facts::reading(BOARD, 1.0),
            StrExpr::Player(_) | StrExpr::Players | StrExpr::Tag(_) | StrExpr::PlayerTag(_) => {
                Facts::reading(Reads::TAGS, cost::TAG)
            }
            StrExpr::Study(text) if text.is_of_tags() => Facts::reading(Reads::TAGS, cost::TAG),
            StrExpr::Study(_) => Facts::reading(Reads::TAGS | NOTES, cost::TEXT),
            StrExpr::OriginalComment => Facts::reading(NOTES, 1.0),
            StrExpr::Fen => Facts::reading(BOARD | Reads::PLACE, cost::TEXT),
            StrExpr::CurrentFen | StrExpr::ZobristKey => Facts::reading(RULES | Reads::PLACE, cost::TEXT),
            StrExpr::ReadFile(_) => Facts::doing(Effects::OTHER, cost::TEXT).and_reads(Reads::FILES),
            StrExpr::Sort(..) => Facts::doing(Effects::OTHER, 1.0),
            StrExpr::Replace(..) => Facts::reading(NOTHING, cost::TEXT),
            StrExpr::Literal(_)
            | StrExpr::Concat(..)
            | StrExpr::Compare(..)
            | StrExpr::Part(..)
            | StrExpr::Max(_)
            | StrExpr::Min(_)
            | StrExpr::Uppercase(_)
            | StrExpr::Lowercase(_)
            | StrExpr::Character(_)
            | StrExpr::CurrentTransform(_) => Facts::default(),
        };
        own.with_parts(self)
    }
}

impl PosExpr {
    /// Returns the facts of a position.
    pub(crate) fn facts(&self) -> Facts {
        let own = match self {
            PosExpr::Flow(flow) => return flow.facts(),
            PosExpr::Find(find) => return find.facts(),
            PosExpr::Path(path) => return path.facts(),
            PosExpr::Line(line) => return line.facts(),
            PosExpr::Variable(variable) => Facts::of_variable(Variable::Position(*variable)),
            PosExpr::Current | PosExpr::Parent => Facts::reading(Reads::ARRIVAL, 1.0),
            PosExpr::Child(_) => Facts::reading(Reads::MOVES, 1.0),
            PosExpr::Initial | PosExpr::Numbered(_) => Facts::reading(Reads::TREE, 1.0),
            PosExpr::PathStart | PosExpr::PathLast { inside: false } => Facts::reading(Reads::PATH, 1.0),
            // It depends on what the path has found so far, so no part of the path may be left out.
            PosExpr::PathLast { inside: true } => Facts::doing(Effects::OTHER, 1.0).and_reads(Reads::PATH),
            PosExpr::CommonAncestor(..) | PosExpr::Compare(..) => Facts::reading(Reads::TREE, 1.0),
        };
        own.with_parts(self)
    }
}

impl CondExpr {
    /// Returns the facts of a condition.
    pub(crate) fn facts(&self) -> Facts {
        let own = match self {
            CondExpr::Flow(flow) => return flow.facts(),
            CondExpr::Echo(echo) => return echo.facts(),
            CondExpr::All(each) => return each.facts(),
            CondExpr::AllFused(fused) => return fused.facts(),
            CondExpr::Versions(versions) => return versions.facts(self),
            CondExpr::Check | CondExpr::Mate | CondExpr::Stalemate | CondExpr::LegalPosition => {
                Facts::reading(RULES, cost::CHECK)
            }
            CondExpr::AllLookahead(moves) => Facts::reading(RULES, cost::of_all_moves(moves)),
            CondExpr::Placement(designators) => Facts::reading(BOARD, designators.len() as f64),
            CondExpr::ToMove(_) => Facts::reading(Reads::TURN, cost::AT_HAND),
            CondExpr::Initial | CondExpr::Terminal => Facts::reading(Reads::PLACE, cost::AT_HAND),
            CondExpr::Castled(_) | CondExpr::EnPassant | CondExpr::NullMove => Facts::reading(Reads::ARRIVAL, 1.0),
            CondExpr::Mainline
            | CondExpr::Variation
            | CondExpr::Primary
            | CondExpr::Secondary
            | CondExpr::VirtualMainline => Facts::reading(Reads::PLACE, 1.0),
            CondExpr::Symbol(_) | CondExpr::Judged(_) => Facts::reading(COMMANDS, 1.0),
            CondExpr::Move(parameters) => parameters.facts(),
            CondExpr::Study(study) => match study {
                StudyCond::Flag(_) | StudyCond::Dual | StudyCond::Award(_) => Facts::reading(Reads::TAGS, cost::TAG),
                StudyCond::SortByAward(..) => Facts::doing(Effects::OTHER, cost::TAG).and_reads(Reads::TAGS),
                StudyCond::Mark(_) => Facts::reading(NOTES, cost::TEXT),
                StudyCond::Cooked
                | StudyCond::Sound
                | StudyCond::Unsound
                | StudyCond::MainLine
                | StudyCond::Variation => Facts::reading(Reads::TAGS | NOTES, cost::TEXT),
            },
            CondExpr::Assign(assignment) => assignment.facts(),
            CondExpr::IsBound { .. } => Facts::reading(Reads::BINDINGS, 1.0),
            CondExpr::Dictionary(_, action) => {
                let own = Facts::doing(Effects::OTHER, cost::TEXT).and_reads(Reads::DICTIONARIES);
                return match **action {
                    DictionaryAction::Each { variable, .. } => {
                        own.with_parts(self).binds(variable).and_uses(variable, Use::LOOPED)
                    }
                    _ => own.with_parts(self),
                };
            }
            CondExpr::Loop(_) | CondExpr::While { .. } | CondExpr::WhileMatch { .. } => {
                return Facts::doing(Effects::ENDLESS, 1.0).with_parts(self).times(cost::ROUNDS);
            }
            CondExpr::Assert(_) | CondExpr::Abort => Facts::doing(Effects::STOP, 1.0),
            CondExpr::Message { items, .. } => of_text(items).and_does(Effects::OTHER),
            CondExpr::Comment(items) => of_text(items).and_reads(Reads::ARRIVAL).and_does(Effects::COMMENT),
            CondExpr::WriteFile { .. } => Facts::doing(Effects::OTHER, cost::TEXT).and_reads(Reads::FILES),
            CondExpr::SetTag(..) | CondExpr::RemoveComment | CondExpr::Column(..) => {
                Facts::doing(Effects::OTHER, cost::TEXT)
            }
            CondExpr::Similar => Facts::doing(Effects::OTHER, cost::TEXT).and_reads(Reads::PLACE),
            CondExpr::Ancestor { .. } => Facts::reading(Reads::TREE, 1.0),
            CondExpr::Constant(_)
            | CondExpr::NonEmpty(_)
            | CondExpr::HasNumber(_)
            | CondExpr::HasString(_)
            | CondExpr::HasPosition(_)
            | CondExpr::Not(_)
            | CondExpr::And(..)
            | CondExpr::Or(..)
            | CondExpr::SameSet(..)
            | CondExpr::Subset(..)
            | CondExpr::Substring(..)
            | CondExpr::SubstringInAnyCase(..)
            | CondExpr::Equal(..)
            | CondExpr::Result(_)
            | CondExpr::Variant(_) => Facts::default(),
        };
        own.with_parts(self)
    }
}

impl<E: Expression> Flow<Box<Node<E>>>
where
    Box<Node<E>>: Children,
{
    fn facts(&self) -> Facts {
        let own = match self {
            Flow::At { position, value } => {
                let mut there = value.facts.clone();
                there.reads.set(
                    Reads::TREE,
                    there.reads.intersects(Reads::TREE | Reads::PLACE | Reads::MOVES),
                );
                there.reads -= Reads::HERE;
                return there.with(&position.facts);
            }
            Flow::Call { arguments, body } => {
                let passed = |inside: Facts, argument: &Node<CondExpr>| match &argument.kind {
                    CondExpr::Assign(assignment) => {
                        let variable = assignment.variable();
                        let inside = inside.binds(variable).and_uses(variable, Use::ASSIGNED);
                        inside.with_parts(assignment)
                    }
                    _ => inside.with(&argument.facts),
                };
                let arguments = arguments.iter().map(|argument| &**argument);
                return arguments.fold(body.facts.clone(), passed);
            }
            Flow::Group(_) | Flow::Block { .. } | Flow::If { .. } | Flow::Fixed(_) | Flow::Traced(..) => {
                Facts::default()
            }
            Flow::Entry { .. } => Facts::doing(Effects::OTHER, cost::TEXT).and_reads(Reads::DICTIONARIES),
            Flow::Dash(..) => Facts::reading(Reads::MOVES, cost::PLAYED_MOVES),
            Flow::Previous(..) => Facts::reading(Reads::ARRIVAL, cost::PLAYED_MOVES),
            Flow::Lookahead(..) => Facts::reading(RULES, cost::LEGAL_MOVES + cost::TRIALS),
            Flow::Imagined(..) => Facts::reading(RULES, cost::CHECK),
        };
        own.with_parts(self)
    }
}

impl<E: Expression> Versions<Box<Node<E>>> {
    /// Returns the facts of `whole`, whose parts are these copies.
    fn facts(&self, whole: &impl Children) -> Facts {
        Facts::of_parts(whole).costing(cost::of_copies(self))
    }
}

impl Loop {
    fn facts(&self) -> Facts {
        let variable = self.variable;
        let here = match variable {
            Variable::Piece(_) => Reads::PLACE,
            _ => NOTHING,
        };
        let round = Facts::reading(here | Reads::behind(variable), 1.0)
            .with(&self.body.facts)
            .binds(variable);
        let rounds = round
            .and_uses(variable, Use::LOOPED)
            .times(cost::squares(&self.domain) as f64);
        rounds.with(&self.domain.facts)
    }
}

impl FusedLoop {
    fn facts(&self) -> Facts {
        let kept = self.kept.facts.clone().binds(Variable::Set(self.variable));
        kept.with(&self.domain.facts)
    }
}

impl Assignment {
    fn facts(&self) -> Facts {
        let variable = self.variable();
        let uses = match self.binds() {
            Some(_) => Use::ASSIGNED,
            None => Use::ASSIGNED | Use::FREE,
        };
        let own = Facts::doing(Effects::ASSIGN, 1.0).and_reads(Reads::behind(variable));
        own.and_uses(variable, uses)
    }
}

impl Echo {
    fn facts(&self) -> Facts {
        let names = [&self.source, &self.target].map(|name| Variable::Position(name.variable));
        let bound = |facts: Facts, name| facts.binds(name).and_uses(name, Use::LOOPED);
        let own = names.into_iter().fold(Facts::of_parts(self), bound);
        let own = own.and_reads(Reads::PLACE | Reads::PAIRS).costing(cost::of_echo(self));
        own.comments_unless(self.quiet)
    }
}

impl ConsecutiveMoves {
    fn facts(&self) -> Facts {
        let [first, second] =
            [&self.first, &self.second].map(|name| Facts::of_variable(Variable::Position(name.variable)));
        let own = first.with(&second).within(self.range).and_reads(Reads::PAIRS);
        own.comments_unless(self.quiet)
    }
}

impl Find {
    fn facts(&self) -> Facts {
        let own = Facts::of_parts(self)
            .and_reads(Reads::PLACE)
            .costing(cost::of_find(self));
        own.comments_unless(self.quiet)
    }
}

impl Path {
    fn facts(&self) -> Facts {
        let is_quiet = self.quiet && !self.verbose && !self.piece_path && self.title.is_none() && !self.keep_all_best;
        let bans = if self.nest_ban {
            Effects::OTHER
        } else {
            Effects::empty()
        };
        let moves = Facts::reading(Reads::MOVES, cost::PLAYED_MOVES * self.program.steps().count() as f64);
        let steps = moves
            .with_parts(self)
            .times(cost::rounds_of(&self.program, self.effects));
        let own = steps.and_does(bans | Effects::LAST_PATH).within(self.range);
        own.comments_unless(is_quiet)
    }
}

impl Line {
    fn facts(&self) -> Facts {
        let bans = if self.nest_ban {
            Effects::OTHER
        } else {
            Effects::empty()
        };
        let items = Facts::reading(Reads::MOVES, 1.0).with_parts(self);
        let own = items.times(cost::rounds_of(&self.program, self.effects)).and_does(bans);
        own.within(self.range).comments_unless(self.quiet)
    }
}

impl Move {
    fn facts(&self) -> Facts {
        let own = match self.source {
            MoveSource::Continuations if self.tied => Facts::reading(Reads::STEP, cost::PLAYED_MOVES),
            MoveSource::Continuations => Facts::reading(Reads::MOVES, cost::PLAYED_MOVES),
            MoveSource::Previous => Facts::reading(Reads::ARRIVAL, cost::PLAYED_MOVES),
            MoveSource::Legal | MoveSource::Pseudolegal => Facts::reading(RULES, cost::LEGAL_MOVES),
        };
        match &self.comment {
            Some(comment) => own.with(&of_text(&comment.items)).and_does(Effects::COMMENT),
            None => own,
        }
    }
}

/// Returns what the items of a text add to the facts of their filters. The text of a position in a variation makes a comment.
fn of_text(items: &[TextItem]) -> Facts {
    let text = Facts::reading(NOTHING, cost::TEXT);
    items.iter().fold(text, |facts, item| match item {
        TextItem::Filter(Filter::Position(_)) => facts.and_does(Effects::COMMENT),
        TextItem::Filter(_) => facts,
        TextItem::Variable(variable, _) => {
            let facts = match variable {
                Variable::Position(_) => facts.and_does(Effects::COMMENT),
                _ => facts,
            };
            let facts = facts.and_reads(Reads::behind(*variable));
            facts.and_uses(*variable, Use::FREE | Use::READ)
        }
        TextItem::Dictionary(_) => facts.and_reads(Reads::DICTIONARIES).and_does(Effects::OTHER),
    })
}
