//! `skewer board`: draws a position.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use clap::ColorChoice;
use shakmaty::{Bitboard, Square};

use crate::cli::options::drawing::DrawingArguments;
use crate::cli::outputs::{self, Force, not_stdout};
use crate::cli::{Exit, Failure, has_color, print};
use crate::game::Start;
use crate::output::{Diagram, Guard, Kind, board_picture};
use crate::syntax::token::Span;
use crate::syntax::{Diagnostic, Source};

/// Where the FEN of the command line is said to stand in errors.
const ARGUMENT_NAME: &str = "<FEN>";

/// Draw a position
///
/// The position may be impossible: kings side by side, pawns on the first rank. Castling rights and what follows them may be left
/// out.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  skewer board '6k1/5ppp/8/8/8/8/8/3R2K1 w'
  skewer board --flip --mark g8,h7 '6k1/5ppp/8/8/8/8/8/3R2K1 w - - 0 1'
  skewer board '6k1/5ppp/8/8/8/8/8/3R2K1 w' -o board.svg

Exit code: 0 drawn, 2 error.")]
pub(crate) struct Arguments {
    /// The position; its fields may be arguments of their own
    #[arg(value_name = "FEN", required = true)]
    fen: Vec<String>,

    /// Squares that stand out
    #[arg(long, value_name = "SQUARES", value_delimiter = ',')]
    mark: Vec<Square>,

    /// Draw an SVG document, for web pages and texts, as -o FILE.svg does
    #[arg(long, conflicts_with = "ascii")]
    svg: bool,

    /// Where to draw, - for standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    force: Force,

    #[command(flatten)]
    drawing: DrawingArguments,
}

/// Draws the position.
pub(crate) fn execute(arguments: &Arguments, choice: ColorChoice, error_color: bool) -> Result<Exit, Failure> {
    let fen = arguments.fen.join(" ");
    let start = Start::from_fen(fen.as_bytes()).map_err(|error| {
        let place = Span::new(error.range.start, error.range.end);
        let diagnostic = Diagnostic::new(place, error.fault.to_string()).hint(error.fault.advice());
        let source = Source::new(ARGUMENT_NAME, fen.as_str());
        Failure::rendered(&diagnostic.message, diagnostic.render(&source, error_color))
    })?;
    let marks = arguments.mark.iter().copied().collect::<Bitboard>();
    let output = not_stdout(arguments.output.as_deref());
    let is_svg = |path: &Path| {
        path.extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case("svg"))
    };
    let text = if arguments.svg || output.is_some_and(is_svg) {
        board_picture(&start.board, start.turn, marks, arguments.drawing.flip)
    } else {
        let diagram = Diagram {
            board: &start.board,
            marks,
            sights: &[],
            last_move: None,
            drawing: arguments
                .drawing
                .drawing(has_color(choice, output.is_none() && io::stdout().is_terminal())),
        };
        format!("{diagram}{:?} to move\n", start.turn)
    };
    let Some(output) = output else {
        return print(text.as_bytes());
    };
    let guard = Guard::new(arguments.force.force);
    let destination = outputs::destination(&guard, Some(output), Kind::Board)?;
    outputs::write(destination, text.as_bytes())?;
    Ok(Exit::Success)
}
