//! The games of the page without the page, for programs that show them in another way.

use serde::Serialize;

use super::game_line::{self, GameLine};
use crate::eval::report::{Extras, GameReport};
use crate::output::columns::Column;
use crate::output::facts::GameFacts;
use crate::output::format::{Format, FormatTraits};
use crate::output::look::Look;
use crate::output::text::written;

/// A line of JSON for each game that matches, with the page's data of the game and its PGN.
pub(super) struct Games {
    columns: Vec<Column>,
}

/// A line. Its only field says what the line is about.
#[derive(Serialize)]
struct Line<'g> {
    game: WithPgn<'g>,
}

#[derive(Serialize)]
struct WithPgn<'g> {
    #[serde(flatten)]
    line: GameLine<'g>,
    pgn: &'g str,
}

impl Games {
    pub(super) fn new(look: &Look) -> Games {
        Games {
            columns: look.columns.clone(),
        }
    }
}

impl Format for Games {
    fn extras(&self) -> Extras {
        game_line::extras(&self.columns, false)
    }

    fn traits(&self) -> FormatTraits {
        FormatTraits::BY_GAME
    }

    fn game(&self, game: &dyn GameFacts, report: &GameReport, out: &mut Vec<u8>) {
        let Some(line) = GameLine::of(game, report, &self.columns, false) else {
            return;
        };
        let pgn = written(|out| game.write_pgn(report, out));
        let game = WithPgn {
            line,
            pgn: pgn.trim_end(),
        };
        // Neither the values nor a vector can make it fail.
        let _ = serde_json::to_writer(&mut *out, &Line { game });
        out.push(b'\n');
    }
}
