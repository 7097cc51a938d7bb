//! Games are written as the reference writes them: golden cases whose additions are known without evaluating a query.

use std::ops::RangeInclusive;

use shakmaty::Color;

use crate::chess::{Position, in_check};
use crate::game::{Game, Rules};
use crate::pgn::read::{GameReader, Reading, Scope};
use crate::pgn::sample;
use crate::pgn::write::{Additions, write_game};

/// The expected text of a golden case.
macro_rules! golden {
    ($case:literal) => {
        include_str!(concat!(
            "../../../tests/golden/02-games-and-output/",
            $case,
            ".expected.pgn"
        ))
    };
}

/// Writes the games of a file for which `annotate` finds a match.
fn written(file: &str, games: RangeInclusive<u64>, annotate: impl Fn(&Game, &mut Additions<'_>) -> bool) -> String {
    let batch = sample::golden(file);
    let mut reader = GameReader::new(&batch);
    let (mut game, mut out) = (Game::default(), Vec::new());
    loop {
        match reader.read(Scope::ALL, &mut game, |game| games.contains(&game.number)) {
            Reading::End => return String::from_utf8(out).expect("UTF-8 as in the files"),
            Reading::Skipped | Reading::Unreadable | Reading::GivenUp => {}
            Reading::Read => {
                let mut additions = Additions::default();
                if annotate(&game, &mut additions) {
                    write_game(&mut out, &game, &additions);
                }
            }
        }
    }
}

/// Adds the number of the game, and `CQL` on the positions that match. Returns whether any does.
fn mark(game: &Game, additions: &mut Additions<'_>, matches: impl Fn(&Position) -> bool) -> bool {
    number(game, additions);
    let mut any = false;
    for position in game.positions.iter().filter(|position| matches(position)) {
        additions.comment(position.id, b"CQL");
        any = true;
    }
    any
}

fn number(game: &Game, additions: &mut Additions<'_>) {
    additions.comment(0, format!("Game number {}", game.number).as_bytes().to_vec());
}

fn has_comment(game: &Game, position: &Position) -> bool {
    game.notes
        .comment(position.id)
        .is_some_and(|comment| !comment.is_empty())
}

#[test]
fn games_without_additions() {
    let own = "02-games-and-output.pgn";
    assert_eq!(written(own, 1..=10, |_, _| true), golden!("out-own-games-silent"));
    assert_eq!(
        written(own, 17..=20, |_, _| true),
        golden!("pgn-normalised-tags-written")
    );
    assert_eq!(
        written("tree.pgn", 61..=66, |_, _| true),
        golden!("out-setup-games-silent")
    );
    assert_eq!(written("tree.pgn", 1..=4, |_, _| true), golden!("out-tree-silent"));
}

#[test]
fn added_comments() {
    let own = "02-games-and-output.pgn";
    let commented = |game: &Game, additions: &mut Additions<'_>| {
        mark(game, additions, |position| {
            position.depth > 0 || has_comment(game, position)
        })
    };
    assert_eq!(
        written(own, 1..=5, commented),
        golden!("out-own-games-marked-in-variations")
    );
    let ends = |game: &Game, additions: &mut Additions<'_>| {
        mark(game, additions, |position| {
            position.id == 0 || (position.depth == 0 && position.last == position.id)
        })
    };
    assert_eq!(written(own, 11..=14, ends), golden!("out-empty-game-and-setup"));
    let all = |game: &Game, additions: &mut Additions<'_>| mark(game, additions, |position| position.depth == 0);
    assert_eq!(
        written("mainline.pgn", 2..=2, all),
        golden!("out-long-game-every-position-marked")
    );
    let checks = |game: &Game, additions: &mut Additions<'_>| {
        let is_check = |position: &Position| in_check(&position.board, position.turn);
        number(game, additions);
        for position in game.positions.iter().filter(|position| is_check(position)) {
            additions.comment(position.id, format!("check {}", position.ply).as_bytes().to_vec());
        }
        mark(game, additions, is_check)
    };
    assert_eq!(
        written("tree.pgn", 2..=3, checks),
        golden!("out-tree-variations-marked")
    );
}

#[test]
fn lines_are_broken_at_words() {
    let one = |id: u32, text: &'static str| {
        move |game: &Game, additions: &mut Additions<'_>| {
            number(game, additions);
            additions.comment(id, text.as_bytes().to_vec());
            additions.comment(id, b"CQL");
            true
        }
    };
    let blanks = "two  blanks, a tab\tand (long parentheses that reach the margin of the line (nested) here)\n\
        a new line starts at column zero, so this one is as long as any other line\n\n end\n";
    assert_eq!(
        written("paths.pgn", 1..=1, one(2, blanks)),
        golden!("comment-blanks-line-breaks-parentheses")
    );
    let alphabets = "abcdefghijklmnopqrstuvwxyz".repeat(4) + " end";
    let last = |game: &Game, additions: &mut Additions<'_>| {
        number(game, additions);
        let terminal = game
            .positions
            .iter()
            .rfind(|position| position.depth == 0)
            .map_or(0, |position| position.id);
        additions.comment(terminal, alphabets.as_bytes().to_vec());
        additions.comment(terminal, b"CQL");
        true
    };
    assert_eq!(
        written("02-games-and-output.pgn", 1..=1, last),
        golden!("out-unbreakable-word")
    );
}

#[test]
fn a_text_is_added_once() {
    let twice = |game: &Game, additions: &mut Additions<'_>| {
        number(game, additions);
        for text in ["a", "b", "a", "A", "", "CQL"] {
            additions.comment(2, text.as_bytes().to_vec());
        }
        true
    };
    assert_eq!(
        written("02-games-and-output.pgn", 31..=31, twice),
        golden!("comment-duplicates-dropped")
    );
}

#[test]
fn removed_comments() {
    let own = "02-games-and-output.pgn";
    let replaced = |game: &Game, additions: &mut Additions<'_>| {
        number(game, additions);
        for position in game.positions.iter().filter(|position| has_comment(game, position)) {
            additions.remove_comment(position.id);
            additions.comment(position.id, b"replaced");
            additions.comment(position.id, b"CQL");
        }
        true
    };
    assert_eq!(written(own, 1..=1, replaced), golden!("removecomment-and-new-comment"));
    let all = |game: &Game, additions: &mut Additions<'_>| {
        game.positions
            .iter()
            .for_each(|position| additions.remove_comment(position.id));
        mark(game, additions, |_| true)
    };
    assert_eq!(
        written(own, 4..=5, all),
        golden!("removecomment-keeps-nags-and-variation-lead-in")
    );
    let one = |game: &Game, additions: &mut Additions<'_>| {
        additions.remove_comment(3);
        mark(game, additions, |position| position.id == 3)
    };
    assert_eq!(written(own, 5..=5, one), golden!("removecomment-one-position"));
}

#[test]
fn set_tags_keep_their_place_or_come_last() {
    let set = |game: &Game, additions: &mut Additions<'_>| {
        let white = [&*game.tags.player(Color::White), b" & me"].concat();
        additions.set_tag(b"Checked", b"yes");
        additions.set_tag(b"Annotator", &white);
        mark(game, additions, |position| position.id == 0)
    };
    assert_eq!(
        written("02-games-and-output.pgn", 1..=3, set),
        golden!("settag-new-and-changed")
    );
}

/// A game may have any number of tags, and a query may set as many.
#[test]
fn each_of_many_tags_is_written_once() {
    const COUNT: usize = 50_000;
    for rules in [Rules::Full, Rules::Cql] {
        let mut game = Game {
            rules,
            ..Game::default()
        };
        let (mut additions, mut out) = (Additions::default(), Vec::new());
        for number in 0..COUNT {
            let (kept, set) = (format!("K{number}"), format!("S{number}"));
            game.tags.push(kept.as_bytes(), b"as it was");
            game.tags.push(set.as_bytes(), b"old");
            additions.set_tag(set.as_bytes(), b"old, too");
            additions.set_tag(set.as_bytes(), b"set");
            additions.set_tag(format!("N{number}").as_bytes(), b"new");
        }
        write_game(&mut out, &game, &additions);
        let text = String::from_utf8(out).unwrap();
        let count = |value: &str| text.lines().filter(|line| line.ends_with(value)).count();
        for value in ["as it was\"]", "\"set\"]", "\"new\"]"] {
            assert_eq!(count(value), COUNT, "{value}");
        }
        assert_eq!(count("old\"]") + count("too\"]"), 0);
    }
}
