//! Makes a tree of the values of a query's parts. Of loops, searches and copies, it shows one round: the one that matches or comes nearest.

use std::collections::BTreeMap;

use crate::board::Bitboard;
use crate::chess::Arrival;
use crate::eval::TraceEvent;
use crate::eval::report::MatchValue;
use crate::query::instrument::{PartForm, Role, TracedPart};

/// The values of the parts of a query.
pub(super) struct Tree<'t> {
    pub(super) parts: &'t [TracedPart],
    pub(super) events: &'t [TraceEvent],
    /// The inner parts of each part.
    children: Vec<Vec<usize>>,
    /// For each event, the least number of filters that keep it from matching.
    distances: Vec<u32>,
}

/// A part and its value in the round that is shown.
#[derive(Default)]
pub(super) struct Shown {
    pub(super) part: usize,
    /// Its event, if it was evaluated.
    pub(super) event: Option<usize>,
    /// For a condition about a value, the part with the value, and its event.
    pub(super) value: Option<(usize, usize)>,
    pub(super) rounds: Option<RoundsShown>,
    pub(super) is_blamed: bool,
    pub(super) parts: Vec<Shown>,
}

/// How often a part was evaluated, and the place of the round that is shown.
#[derive(Clone, Copy)]
pub(super) struct RoundsShown {
    pub(super) asked: usize,
    pub(super) matched: usize,
    pub(super) round: Round,
}

/// A round.
#[derive(Clone, Copy)]
pub(super) enum Round {
    /// For a square.
    Square(Bitboard),
    /// At another position of the game.
    Position(u32),
    /// After a move tried at this position, or on a board imagined there.
    Move(Option<u32>, Arrival),
    /// One of several trials.
    Try,
}

/// An event, and the square of the loop in which it was noted.
type Answer = (usize, Option<Bitboard>);

impl<'t> Tree<'t> {
    pub(super) fn new(parts: &'t [TracedPart], events: &'t [TraceEvent]) -> Tree<'t> {
        let mut children = vec![Vec::new(); parts.len()];
        for (index, part) in parts.iter().enumerate() {
            if let Some(parent) = part.parent {
                children[parent.0 as usize].push(index);
            }
        }
        let mut tree = Tree {
            parts,
            events,
            children,
            distances: vec![0; events.len()],
        };
        for event in (0..events.len()).rev() {
            tree.distances[event] = tree.distance(event);
        }
        tree
    }

    /// Returns the body and its value; `None` if it was not evaluated.
    pub(super) fn body(&self) -> Option<Shown> {
        self.events.first()?;
        let mut body = self.shown(0, (0, None), None);
        self.blame(&mut body);
        Some(body)
    }

    /// Returns the part of an event.
    fn part_of(&self, event: usize) -> usize {
        self.events[event].part.0 as usize
    }

    fn role_of(&self, event: usize) -> Role {
        self.parts[self.part_of(event)].role
    }

    /// Returns whether the value of an event is a match.
    pub(super) fn matched(&self, event: usize) -> bool {
        match &self.events[event].value {
            MatchValue::Unknown => false,
            MatchValue::Truth(holds) => *holds,
            MatchValue::Squares(squares) => squares.any(),
            MatchValue::Number(_) | MatchValue::Text(_) | MatchValue::Position(_) => true,
        }
    }

    /// Returns the events directly inside another.
    fn inside(&self, event: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.events[event].end;
        let first = Some(event + 1).filter(|first| *first < end);
        std::iter::successors(first, move |inside| {
            Some(self.events[*inside].end).filter(|next| *next < end)
        })
    }

    fn distance(&self, event: usize) -> u32 {
        if self.matched(event) {
            return 0;
        }
        if self.parts[self.part_of(event)].form == PartForm::Negation {
            return 1;
        }
        let (mut all, mut least) = (0_u32, None);
        for inside in self.inside(event).filter(|inside| !self.matched(*inside)) {
            let distance = self.distances[inside];
            match self.role_of(inside) {
                Role::Test => all = all.saturating_add(distance),
                Role::Alternative | Role::Body | Role::Always | Role::Copy { .. } | Role::Value => {
                    least = Some(least.map_or(distance, |least: u32| least.min(distance)));
                }
                Role::Element | Role::Operand => {}
            }
        }
        match (all, least) {
            (0, None) => 1,
            (0, Some(least)) => least.max(1),
            (all, _) => all,
        }
    }

    fn shown(&self, part: usize, (event, _): Answer, rounds: Option<RoundsShown>) -> Shown {
        let value = self.inside(event).find(|inside| self.role_of(*inside) == Role::Value);
        let value = value.map(|value| (self.part_of(value), value));
        let mut answers: BTreeMap<usize, Vec<Answer>> = BTreeMap::new();
        for event in [Some(event), value.map(|(_, event)| event)].into_iter().flatten() {
            let mut element = None;
            for inside in self.inside(event) {
                match (self.role_of(inside), &self.events[inside].value) {
                    (Role::Element, MatchValue::Squares(square)) => element = Some(*square),
                    (Role::Element | Role::Value, _) => {}
                    _ => answers.entry(self.part_of(inside)).or_default().push((inside, element)),
                }
            }
        }
        let mut children = self.children[part].clone();
        children.extend(value.iter().flat_map(|(part, _)| &self.children[*part]));
        children.retain(|child| !matches!(self.parts[*child].role, Role::Value | Role::Element));
        let copy = self.nearest_copy(&children, &answers);
        children.retain(|child| !is_copy(self.parts[*child].role) || Some(*child) == copy);
        // The bodies come after the other parts.
        children.sort_by_key(|child| matches!(self.parts[*child].role, Role::Body | Role::Always));
        let here = self.events[event].position;
        let parts = children.into_iter().map(|child| match answers.get(&child) {
            Some(answers) => self.shown_round(child, answers, here),
            None => Shown {
                part: child,
                ..Shown::default()
            },
        });
        Shown {
            part,
            event: Some(event),
            value,
            rounds,
            parts: parts.collect(),
            ..Shown::default()
        }
    }

    /// Returns the copy of a transform that matches or comes nearest.
    fn nearest_copy(&self, children: &[usize], answers: &BTreeMap<usize, Vec<Answer>>) -> Option<usize> {
        let copies = children.iter().filter(|child| is_copy(self.parts[**child].role));
        let asked = copies.filter_map(|child| Some((answers.get(child)?.first()?.0, *child)));
        let nearest = asked.min_by_key(|(event, child)| (self.distances[*event], *child));
        nearest.map(|(_, child)| child)
    }

    /// Returns the round of a part that matches or comes nearest; for a part that always has to match, one that fails.
    fn shown_round(&self, part: usize, answers: &[Answer], here: Option<u32>) -> Shown {
        let matched = answers.iter().filter(|(event, _)| self.matched(*event)).count();
        let wants_failing = self.parts[part].role == Role::Always && matched < answers.len();
        let shown = answers.iter().min_by_key(|(event, _)| {
            let distance = self.distances[*event];
            (wants_failing && distance == 0, distance)
        });
        let shown = shown.copied().unwrap_or(answers[0]);
        let event = &self.events[shown.0];
        let round = match shown.1 {
            Some(square) => Some(Round::Square(square)),
            None if event.position == here && answers.len() == 1 => None,
            None => Some(match event.position {
                None => Round::Move(here, event.arrival),
                Some(id) if answers.iter().any(|(other, _)| self.events[*other].position != here) => {
                    Round::Position(id)
                }
                Some(_) => Round::Try,
            }),
        };
        let rounds = round.map(|round| RoundsShown {
            asked: answers.len(),
            matched,
            round,
        });
        self.shown(part, shown, rounds)
    }

    /// Marks the parts that make a part fail.
    fn blame(&self, shown: &mut Shown) {
        if shown.event.is_none_or(|event| self.matched(event)) {
            return;
        }
        shown.is_blamed = true;
        if self.parts[shown.part].form == PartForm::Negation {
            return;
        }
        for part in &mut shown.parts {
            if !matches!(self.parts[part.part].role, Role::Operand) {
                self.blame(part);
            }
        }
    }
}

fn is_copy(role: Role) -> bool {
    matches!(role, Role::Copy { .. })
}

impl Shown {
    /// Returns the innermost parts that make it fail, each with the filter around it that has to match.
    pub(super) fn culprits<'s>(&'s self, tree: &Tree<'_>) -> Vec<FailingPart<'s>> {
        let mut culprits = Vec::new();
        self.collect_culprits(tree, self, &mut culprits);
        culprits
    }

    fn collect_culprits<'s>(&'s self, tree: &Tree<'_>, test: &'s Shown, culprits: &mut Vec<FailingPart<'s>>) {
        let test = match tree.parts[self.part].role {
            Role::Test => self,
            _ => test,
        };
        let mut blamed = self.parts.iter().filter(|part| part.is_blamed).peekable();
        if blamed.peek().is_none() {
            culprits.push(FailingPart { part: self, test });
        }
        for part in blamed {
            part.collect_culprits(tree, test, culprits);
        }
    }
}

/// A part that makes a query fail.
#[derive(Clone, Copy)]
pub(super) struct FailingPart<'s> {
    pub(super) part: &'s Shown,
    /// The filter around it that has to match.
    pub(super) test: &'s Shown,
}
