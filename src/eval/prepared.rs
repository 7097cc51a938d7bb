//! Data that an evaluation needs before the first game.

use std::sync::Arc;

use crate::limits::{Interrupt, Memory};
use crate::query::{Query, Reads};
use crate::syntax::Diagnostic;

use crate::eval::report::{Stop, out_of_memory};
use crate::eval::state::similar_positions::{Failure, SimilarPositions};
use crate::terminal::shown;

/// Data that an evaluation needs before the first game.
#[derive(Debug, Default)]
pub struct Prepared {
    /// The number of the last game, if the query needs it.
    pub(super) last_game_number: i32,
    /// The positions that `similarposition` compares with.
    pub(super) similar: Option<SimilarPositions>,
}

impl Prepared {
    /// Reads what a query needs. `last_game` is the number of the last game, if it is known.
    pub(super) fn new(
        query: &Query,
        last_game: Option<u64>,
        memory: &Arc<Memory>,
        interrupt: &Arc<Interrupt>,
    ) -> Result<Prepared, Stop> {
        if let Some(diagnostic) = query.lacks_tablebase() {
            return Err(Stop { diagnostic });
        }
        let last_game_number = match (query.first_reader(Reads::LAST_GAME_NUMBER), last_game) {
            (None, _) => 0,
            (Some(_), Some(number)) => i32::try_from(number).unwrap_or(i32::MAX),
            (Some(span), None) => {
                return Err(Stop {
                    diagnostic: Diagnostic::new(span, "`lastgamenumber` needs an input that can be read twice")
                        .label("the games of this input cannot be counted before the search")
                        .hint("search a file instead of standard input"),
                });
            }
        };
        let similar = match &query.similar {
            None => None,
            Some(similar) => Some(SimilarPositions::read(similar, memory, interrupt).map_err(|failure| {
                Stop {
                    diagnostic: match failure {
                        Failure::Unreadable(error) => {
                            Diagnostic::new(similar.span, format!("cannot read {}: {error}", shown(&similar.path)))
                                .label("the file to compare with")
                        }
                        Failure::TooLarge => out_of_memory(similar.span, memory.limit()),
                    },
                }
            })?),
        };
        Ok(Prepared {
            last_game_number,
            similar,
        })
    }
}
