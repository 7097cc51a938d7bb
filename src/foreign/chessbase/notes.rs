//! The annotations of moves: texts, symbols, coloured squares and arrows, times and evaluations.

use std::collections::BTreeMap;

use cbvault_format::cbh::GameAnnotations;
use cbvault_format::game::annotations::{Annotation, Kind, arrows, decode, squares, timing};

use super::pieces::square;
use crate::foreign::{Damage, GameText};

/// The annotations of a game by the numbers of the moves. Those of the game itself have the number -1.
#[derive(Default)]
pub(super) struct Notes<'a> {
    by_move: BTreeMap<i32, Vec<Annotation<'a>>>,
    /// Whether there are annotations of kinds that PGN cannot express.
    pub(super) has_others: bool,
}

impl<'a> Notes<'a> {
    pub(super) fn of(annotations: &GameAnnotations<'a>) -> Result<Notes<'a>, Damage> {
        let mut notes = Notes::default();
        for item in annotations.iter() {
            let item = item.map_err(|error| Damage(error.to_string()))?;
            notes.by_move.entry(item.position).or_default().push(item.annotation);
        }
        Ok(notes)
    }

    /// Writes the annotations before a move.
    pub(super) fn write_before(&self, number: i32, text: &mut GameText) {
        for annotation in self.by_move.get(&number).into_iter().flatten() {
            if let Annotation::Text {
                before: true,
                text: said,
                ..
            } = annotation
            {
                text.comment(decode(said).as_bytes());
            }
        }
    }

    /// Writes the annotations after a move, or before the first one. Symbols come first.
    pub(super) fn write_behind(&mut self, number: i32, text: &mut GameText) {
        let mut said = String::new();
        for annotation in self.by_move.get(&number).into_iter().flatten() {
            match annotation {
                Annotation::Text {
                    before, text: words, ..
                } => {
                    // There is nothing before the game, so such a text comes after its start.
                    if !before || number < 0 {
                        add(&mut said, &decode(words));
                    }
                }
                Annotation::Symbols {
                    on_move,
                    on_position,
                    prefix,
                } => {
                    for symbol in [on_move, on_position, prefix].into_iter().filter(|symbol| **symbol > 0) {
                        text.symbol(*symbol);
                    }
                }
                Annotation::Squares(data) => {
                    let marks =
                        squares(data).filter_map(|(color, place)| Some(format!("{}{}", letter(color)?, name(place)?)));
                    add_command(&mut said, "csl", marks);
                }
                Annotation::Arrows(data) => {
                    let mark = |(color, from, to)| Some(format!("{}{}{}", letter(color)?, name(from)?, name(to)?));
                    add_command(&mut said, "cal", arrows(data).filter_map(mark));
                }
                Annotation::Other { data, .. } => match annotation.kind() {
                    Kind::TimeSpent => match timing::time_spent(data, true) {
                        Some((hours, minutes, seconds, _)) => {
                            add(&mut said, &format!("[%emt {hours}:{minutes:02}:{seconds:02}]"));
                        }
                        None => self.has_others = true,
                    },
                    Kind::ComputerEvaluation => match timing::evaluation_pair(data) {
                        Some((value, depth)) => add(&mut said, &format!("[%eval {value},{depth}]")),
                        None => self.has_others = true,
                    },
                    _ => self.has_others = true,
                },
            }
        }
        text.comment(said.as_bytes());
    }

    /// Returns whether there are annotations of moves after the last one.
    pub(super) fn go_beyond(&self, moves: usize) -> bool {
        let last = self.by_move.last_key_value();
        last.is_some_and(|(number, _)| usize::try_from(*number).is_ok_and(|number| number >= moves))
    }
}

fn add(said: &mut String, words: &str) {
    if !said.is_empty() {
        said.push(' ');
    }
    said.push_str(words.trim());
}

/// Adds a command with marks, if there are any.
fn add_command(said: &mut String, command: &str, marks: impl Iterator<Item = String>) {
    let marks: Vec<_> = marks.collect();
    if !marks.is_empty() {
        add(said, &format!("[%{command} {}]", marks.join(",")));
    }
}

/// Returns the letter for a colour: green, yellow or red.
fn letter(color: u8) -> Option<char> {
    match color {
        2 => Some('G'),
        3 => Some('Y'),
        4 => Some('R'),
        _ => None,
    }
}

/// Returns the name of a square by its number, from 1.
fn name(number: u8) -> Option<String> {
    Some(square(u32::from(number.checked_sub(1)?))?.to_string())
}
