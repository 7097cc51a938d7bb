//! Reads the first match of a written page, for an index of pages.

use std::io::{self, BufRead};
use std::iter;

use serde::Deserialize;
use shakmaty::Square;

use super::game_line::MatchCells;
use super::list::DATA_BEGINS;
use crate::eval::report::Highlights;
use crate::game::Game;
use crate::output::picture::Picture;

/// What is read from the line of a game.
#[derive(Deserialize)]
struct Matches {
    matches: Vec<MatchCells>,
}

/// Returns a drawing of the first match in the list of a page, if it has any.
///
/// # Errors
/// Returns an error if the page cannot be read.
pub fn first_match(page: impl BufRead) -> io::Result<Option<Picture>> {
    let mut lines = page.lines();
    for line in lines.by_ref() {
        if line? == DATA_BEGINS {
            break;
        }
    }
    let (game, pgn) = (lines.next().transpose()?, lines.next().transpose()?);
    Ok(game.zip(pgn).and_then(|(game, pgn)| picture(&game, &pgn)))
}

fn picture(game: &str, pgn: &str) -> Option<Picture> {
    let Matches { matches } = serde_json::from_str(game).ok()?;
    let MatchCells(id, _, marked, rays, moves, _, _) = matches.first()?;
    let game = Game::of_pgn(serde_json::from_str::<String>(pgn).ok()?)?;
    let position = game.positions.get(usize::try_from(*id).ok()?)?;
    let picture = Picture::of_match(position, &Highlights::default())
        .squares(squares(marked).collect())
        .rays(pairs(rays))
        .moves(pairs(moves));
    Some(picture)
}

/// Returns the squares whose names are concatenated in a text.
fn squares(names: &str) -> impl Iterator<Item = Square> {
    names
        .as_bytes()
        .chunks_exact(2)
        .filter_map(|name| Square::from_ascii(name).ok())
}

fn pairs(names: &str) -> impl Iterator<Item = (Square, Square)> {
    let mut squares = squares(names);
    iter::from_fn(move || Some((squares.next()?, squares.next()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_page_with_a_match_has_none() {
        for page in [
            "",
            "<!DOCTYPE html>\n",
            &format!("{DATA_BEGINS}\n</script>\n"),
            &format!("{DATA_BEGINS}\n{{}}\n"),
        ] {
            assert!(first_match(page.as_bytes()).expect("it is read").is_none(), "{page}");
        }
    }

    #[test]
    fn the_first_match_has_its_board_and_marks() {
        let line = r#"{"number":1,"moves":"Mc2k[k.]","matches":[[1,"1.e4","e4","e4e5","e2e4",null,null],[0,"","","","",null,"1.e4"]]}"#;
        let page = format!("<html>\n{DATA_BEGINS}\n{line}\n\"1. e4 *\"\n</script>\n");
        let picture = first_match(page.as_bytes()).expect("it is read").expect("a match");
        assert_eq!(picture.last_move, Some((Square::E2, Square::E4)));
        assert!(picture.turn.is_black());
        assert_eq!(picture.highlights.squares, Square::E4.into());
        assert_eq!(picture.highlights.rays, [(Square::E4, Square::E5)]);
        assert_eq!(picture.highlights.moves, [(Square::E2, Square::E4)]);
    }
}
