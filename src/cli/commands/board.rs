//! `skewer board`: draws a position, or writes it as a query.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use clap::ColorChoice;
use shakmaty::{Bitboard, Square};

use crate::chess::Start;
use crate::cli::color::has_color;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::options::drawing::DrawingArguments;
use crate::cli::outputs::{self, Force, not_stdout, print};
use crate::cli::queries::text::{STDIN_NAME, STDIN_PATH};
use crate::limits::Interrupt;
use crate::output::{Diagram, Guard, Kind, Picture};
use crate::setup::{Setup, Width};
use crate::syntax::format::Spelling;
use crate::syntax::token::Span;
use crate::syntax::{Diagnostic, Source, text_of};
use crate::terminal::shown;

/// The name of the FEN from the command line in errors.
const ARGUMENT_NAME: &str = "<FEN>";

/// Draw a position, or print the query that finds it
///
/// The position can be impossible: kings side by side, pawns on the first rank. You can leave out castling rights and what follows them;
/// queries do not ask about them.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  skewer board '6k1/5ppp/8/8/8/8/8/3R2K1 w'
  skewer board --flip --mark g8,h7 '6k1/5ppp/8/8/8/8/8/3R2K1 w - - 0 1'
  skewer board '6k1/5ppp/8/8/8/8/8/3R2K1 w' -o board.svg
  skewer search -e mate games.pgn -f fen | skewer board -
  skewer board --query --widen pawns '8/5k2/8/8/4P3/4K3/8/1r5R w'
  skewer search -e \"$(skewer board --query --widen material '8/5k2/8/8/4P3/4K3/8/1r5R w')\" games.pgn

Exit code: 0 drawn or printed, 2 error.")]
pub(crate) struct Arguments {
    /// The position, as one argument or several; - for positions from standard input, one per line
    #[arg(value_name = "FEN", required = true)]
    fen: Vec<String>,

    /// Squares to highlight, such as d1,d8
    #[arg(long, value_name = "SQUARES", value_delimiter = ',')]
    mark: Vec<Square>,

    /// Print the query that finds the position, and draw nothing
    #[arg(long, conflicts_with_all = ["svg", "mark", "flip", "output"])]
    query: bool,

    /// How much of the position the query asks for
    #[arg(long, value_name = "WIDTH", default_value = "exact", requires = "query")]
    widen: Width,

    /// Write the pieces of the query in Unicode: ♔ for K
    #[arg(long, requires = "query", conflicts_with = "ascii")]
    unicode: bool,

    /// Draw an SVG document for web pages and other documents, like -o FILE.svg
    #[arg(long, conflicts_with = "ascii")]
    svg: bool,

    /// The output file, - for standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    force: Force,

    #[command(flatten)]
    drawing: DrawingArguments,
}

/// Draws the positions.
pub(crate) fn execute(arguments: &Arguments, choice: ColorChoice, error_color: bool) -> Result<Exit, Failure> {
    let output = not_stdout(arguments.output.as_deref());
    let is_svg = |path: &Path| {
        path.extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case("svg"))
    };
    let as_picture = arguments.svg || output.is_some_and(is_svg);
    let starts = arguments.starts(error_color)?;
    if arguments.query {
        return print(arguments.queries(&starts).as_bytes());
    }
    if as_picture && starts.len() > 1 {
        return Err(Failure::with_help(
            format_args!("a picture has one position, and standard input has {}", starts.len()),
            "`skewer search -f svg` draws all positions that match",
        ));
    }
    let marks = arguments.mark.iter().copied().collect::<Bitboard>();
    let color = has_color(choice, output.is_none() && io::stdout().is_terminal());
    let texts = starts.iter().map(|start| match as_picture {
        true => {
            let picture = Picture::of_board(&start.board, start.turn)
                .squares(marks)
                .caption_of_turn();
            match arguments.drawing.flip {
                true => picture.flipped().svg(),
                false => picture.svg(),
            }
        }
        false => {
            let diagram = Diagram::of_board(&start.board, marks, arguments.drawing.drawing(color));
            format!("{diagram}{:?} to move\n", start.turn)
        }
    });
    let text = texts.collect::<Vec<_>>().join("\n");
    let Some(output) = output else {
        return print(text.as_bytes());
    };
    let guard = Guard::new(arguments.force.force);
    let destination = outputs::destination(&guard, Some(output), Kind::Board, &Interrupt::default())?;
    outputs::write(destination, text.as_bytes())?;
    Ok(Exit::Success)
}

impl Arguments {
    /// Returns the queries of positions, separated by blank lines.
    fn queries(&self, starts: &[Start]) -> String {
        let spelling = if self.unicode {
            Spelling::Unicode
        } else {
            Spelling::Ascii
        };
        let queries = starts
            .iter()
            .map(|start| Setup::of_position(&start.board, start.turn, self.widen).query(spelling) + "\n");
        queries.collect::<Vec<_>>().join("\n")
    }

    /// Returns the positions from the command line or from standard input.
    fn starts(&self, color: bool) -> Result<Vec<Start>, Failure> {
        if self.fen != [STDIN_PATH] {
            if let Some(file) = self.fen.iter().map(Path::new).find(|argument| argument.is_file()) {
                return Err(Failure::with_help(
                    format_args!("{} is a file, not a position", shown(file)),
                    "`skewer show GAMES.pgn 5:33` draws a position of a game, and `skewer board -` those of standard input",
                ));
            }
            return Ok(vec![start(ARGUMENT_NAME, &self.fen.join(" "), 0, color)?]);
        }
        let text = text_of(io::stdin().lock())
            .map_err(|error| Failure::new(format_args!("cannot read standard input: {error}")))?;
        let text = String::from_utf8_lossy(&text);
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let starts = lines.map(|(before, line)| start(STDIN_NAME, line.trim(), before, color));
        match starts.collect::<Result<Vec<_>, _>>()? {
            starts if starts.is_empty() => Err(Failure::new("standard input has no position")),
            starts => Ok(starts),
        }
    }
}

/// Parses a FEN that has this many lines before it.
fn start(name: &str, fen: &str, before: usize, color: bool) -> Result<Start, Failure> {
    Start::from_fen(fen.as_bytes()).map_err(|error| {
        let lines = "\n".repeat(before);
        let place = Span::new(lines.len() + error.range.start, lines.len() + error.range.end);
        let diagnostic = Diagnostic::new(place, error.fault.to_string()).hint(error.fault.advice());
        let source = Source::new(name, lines + fen);
        Failure::rendered(&diagnostic.message, diagnostic.render(&source, color))
    })
}
