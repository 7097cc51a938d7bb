//! A page to print and hand out: sheets of diagrams without a hint, and their solutions on the last sheet.
//!
//! The page has no script; everything is drawn in it. Each match has two lines that wait for the end: the diagram and the solution.

use std::borrow::Cow;
use std::io::{self, BufRead, Write};

use super::solution::solution;
use crate::chess::Position;
use crate::eval::report::{Extras, GameReport, Highlights};
use crate::limits::Interrupt;
use crate::output::caption::{players, year};
use crate::output::facts::{GameFacts, Matched, matched};
use crate::output::format::{Format, FormatTraits, SearchInfo, Totals, Waiting};
use crate::output::look::{Look, PerPage};
use crate::output::markup::{escape, escaped, filled};
use crate::output::picture::{self, Picture};
use crate::output::remarks::remarks;
use crate::output::script;
use crate::output::text::text;

const PAGE: &str = include_str!("page/sheet.html");
const STYLE: &str = concat!(include_str!("page/sheet.css"), include_str!("page/screen.css"));

/// The default title. The name of the query could reveal what to look for.
pub(super) const TITLE: &str = "Positions";

/// A page of diagrams to print.
pub(super) struct Sheet {
    per_page: PerPage,
    title: String,
}

impl Sheet {
    pub(super) fn new(look: &Look) -> Sheet {
        Sheet {
            per_page: look.per_page,
            title: escaped(look.title.as_deref().unwrap_or(TITLE)),
        }
    }
}

impl Format for Sheet {
    fn extras(&self) -> Extras {
        Extras::REMARKS | Extras::HIGHLIGHTS
    }

    fn traits(&self) -> FormatTraits {
        FormatTraits::TAGS | FormatTraits::ASSEMBLED
    }

    fn begin(&self, _about: &SearchInfo, out: &mut Vec<u8>) {
        let page = filled(PAGE, |name| match name {
            "version" => env!("CARGO_PKG_VERSION").into(),
            "title" => Cow::Borrowed(&*self.title),
            "style" => STYLE.into(),
            "allowed" => script::source(STYLE).into(),
            "pieces" => picture::PIECES.into(),
            "board" => picture::empty_board().into(),
            "count" => self.per_page.count().to_string().into(),
            _ => Cow::Borrowed(""),
        });
        out.extend_from_slice(page.as_bytes());
    }

    fn game(&self, game: &dyn GameFacts, report: &GameReport, out: &mut Vec<u8>) {
        for Matched {
            position, highlights, ..
        } in matched(game, report)
        {
            let mut lines = String::new();
            write_diagram(game, position, &mut lines);
            lines.push('\n');
            write_solution(game, report, position, highlights, &mut lines);
            lines.push('\n');
            out.extend_from_slice(lines.as_bytes());
        }
    }

    fn assemble(&self, lines: &mut dyn Waiting, out: &mut dyn Write, interrupt: &Interrupt) -> io::Result<()> {
        let count = lines.count_lines(interrupt)? / 2;
        if count == 0 {
            return out.write_all(b"<p class=\"nothing\">No position matches.</p>\n");
        }
        let title = &self.title;
        let per_page = usize::from(self.per_page.count());
        let pages = count.div_ceil(per_page);
        let diagrams = BufRead::lines(&mut *lines).step_by(2);
        for (index, diagram) in diagrams.take(count).enumerate() {
            if interrupt.cuts_off() {
                break;
            }
            if index % per_page == 0 {
                let page = index / per_page + 1;
                let level = if page == 1 { "h1" } else { "p" };
                writeln!(
                    out,
                    "<section class=\"paper\">\n<div class=\"top\"><{level} class=\"heading\">{title}</{level}><span>{page} / {pages}</span></div>\n\
                     <div class=\"diagrams\">"
                )?;
            }
            writeln!(out, "<figure><figcaption><b>{}</b> {}</figure>", index + 1, diagram?)?;
            if (index + 1) % per_page == 0 || index + 1 == count {
                out.write_all(b"</div>\n</section>\n")?;
            }
        }
        out.write_all(b"<section class=\"paper solutions\">\n<h2>Solutions</h2>\n<ol>\n")?;
        lines.rewind()?;
        let solutions = BufRead::lines(lines).skip(1).step_by(2);
        for (index, solution) in solutions.take(count).enumerate() {
            if interrupt.cuts_off() {
                break;
            }
            writeln!(out, "<li><b>{}</b> {}</li>", index + 1, solution?)?;
        }
        out.write_all(b"</ol>\n</section>\n")
    }

    fn end(&self, _totals: &Totals, out: &mut Vec<u8>) {
        out.extend_from_slice(b"</main>\n</body>\n</html>\n");
    }
}

/// Appends the rest of a figure after its number: the side to move, the board, the players and the year.
fn write_diagram(game: &dyn GameFacts, position: &Position, out: &mut String) {
    out.push_str(picture::to_move(position.turn));
    out.push_str("</figcaption>");
    let players = players(game, " – ");
    let caption = match year(game) {
        None => players.unwrap_or_default(),
        Some(year) => format!("{}, {year}", players.as_deref().unwrap_or("? – ?")),
    };
    out.push_str(&format!(
        "<svg viewBox=\"0 0 {} {}\" role=\"img\">",
        picture::WIDTH,
        picture::BARE_HEIGHT
    ));
    Picture::of_board(&position.board, position.turn).write_on_empty_board(out);
    out.push_str("</svg><p class=\"who\">");
    escape(&caption, out);
    out.push_str("</p>");
}

/// Appends the moves and the query's remarks.
fn write_solution(
    game: &dyn GameFacts,
    report: &GameReport,
    position: &Position,
    highlights: &Highlights,
    out: &mut String,
) {
    escape(&solution(game, position, highlights), out);
    for said in remarks(game, report, position) {
        out.push_str(" <span class=\"said\">");
        escape(&text(Cow::Borrowed(said)), out);
        out.push_str("</span>");
    }
}
