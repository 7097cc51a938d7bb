//! Games that are larger than any game of chess.

use super::*;
use crate::game::Game;
use crate::pgn::lexer::Text;
use crate::pgn::read::{GameReader, Scope};
use crate::pgn::repair::{GameLimits, Rewriter};

const LIMITS: GameLimits = GameLimits {
    tags: 5,
    tag_bytes: 100,
    moves: 10,
    nested: 6,
    text: 200,
};

/// Returns the canonical movetext of a game within these limits, the number of its tags, and the defects.
fn rewritten(pgn: &str) -> (String, usize, Vec<Defect>) {
    let text = Text {
        bytes: pgn.as_bytes(),
        complete: true,
    };
    let mut rewriter = Rewriter::default().within(LIMITS);
    let mut out = Vec::new();
    let length = rewriter.rewrite(text, &mut out).expect("the text is complete");
    assert_eq!(pgn[length..].trim(), "", "all of {pgn} is one game");
    let out = String::from_utf8(out).expect("text");
    let tags = out.lines().take_while(|line| line.starts_with('[')).count();
    let movetext = out.rsplit_once("\n\n").map_or("", |(_, moves)| moves);
    (
        movetext.to_owned(),
        tags,
        rewriter.defects().iter().map(|(_, defect)| *defect).collect(),
    )
}

#[test]
fn lines_of_moves_end_somewhere() {
    let many = Defect::TOO_MANY_MOVES;
    for (movetext, expected, defects) in [
        // The largest number of moves, and one more.
        ("a a a a a a a a a a *", "a a a a a a a a a a *", &[][..]),
        ("a a a a a a a a a a a *", "a a a a a a a a a a *", &[many]),
        // Variations and comments in the part that is left out are left out too, and a result in them ends nothing.
        (
            "a a a a a a a a a a 6. {x} (a 0-1 (a) ) $1 a 1-0",
            "a a a a a a a a a a 1-0",
            &[many],
        ),
        (
            "a a a a a a a a a a (a) ) a *",
            "a a a a a a a a a a *",
            &[many, Defect::UNPAIRED_PARENTHESIS],
        ),
        // A variation counts with the line from which it branches off, but not with others. The line continues after it.
        (
            "a a (a a a a a) a (a a a a a a) a (a a a a) a *",
            "a a ( a a a a a ) a ( a a a a a a ) a ( a a a a ) a *",
            &[],
        ),
        (
            "a a a (a a a a a a a (a) a {x}) a {y} *",
            "a a a ( a a a a a a a ) a {y} *",
            &[many],
        ),
        (
            "a a a (a a a a a a a a",
            "a a a ( a a a a a a a ) *",
            &[many, Defect::UNPAIRED_PARENTHESIS, Defect::NO_RESULT],
        ),
    ] {
        let knight = |text: &str| text.replace('a', "Na3");
        let found = rewritten(&format!("[A \"x\"]\n\n{}\n", knight(movetext)));
        assert_eq!(found, (knight(expected), 1, defects.to_vec()), "{movetext}");
    }
}

#[test]
fn variations_are_inside_of_so_many_others() {
    for (movetext, expected, defects) in [
        (
            "a (b (c (d (e (f (g))))))",
            "a ( b ( c ( d ( e ( f ( g ) ) ) ) ) )",
            &[][..],
        ),
        (
            "a (b (c (d (e (f (g (h {x} (i) *) $1) y))))) z",
            "a ( b ( c ( d ( e ( f ( g $1 ) y ) ) ) ) ) z",
            &[Defect::TOO_DEEP],
        ),
        (
            "a (b (c (d (e (f (g (h) (h) i (j)))))))",
            "a ( b ( c ( d ( e ( f ( g i ) ) ) ) ) )",
            &[Defect::TOO_DEEP],
        ),
    ] {
        let named = |text: &str| -> String {
            let word = |letter: char| match letter {
                'a'..='j' | 'y' | 'z' => "Kd".to_owned() + &(1 + letter as u32 % 8).to_string(),
                letter => letter.to_string(),
            };
            text.chars().map(word).collect()
        };
        let found = rewritten(&format!("[A \"x\"]\n\n{} *\n", named(movetext)));
        assert_eq!(found, (named(expected) + " *", 1, defects.to_vec()), "{movetext}");
    }
}

#[test]
fn text_that_takes_more_room_when_it_is_tidied_is_cut_short() {
    let (movetext, _, defects) = rewritten(&format!("[A \"x\"]\n\n1. e4 (d4 {}) d5 {{x}} 1-0\n", "qq ".repeat(60)));
    assert!(
        movetext.len() < 220 && movetext.ends_with("{\u{1}qq\u{1}} ) d5 {x} 1-0"),
        "{movetext}"
    );
    // There are also more moves than are allowed.
    assert_eq!(defects, [Defect::TOO_MANY_MOVES]);
    let (movetext, _, defects) = rewritten(&format!(
        "[A \"x\"]\n\n1. e4 (d4 {}) d5 {{x}} 1-0\n",
        "$999 ".repeat(60)
    ));
    assert!(
        movetext.len() < 220 && movetext.ends_with("{\u{4}999} ) 1-0"),
        "{movetext}"
    );
    assert_eq!(defects, [Defect::TOO_LONG]);
}

#[test]
fn a_game_has_so_many_tags() {
    let many = "[A \"x\"]\n".to_owned() + &"[B \"y\"]\n".repeat(6);
    let large = format!("[A \"x\"]\n[B \"{}\"]\n[C \"z\"]\n", "y".repeat(100));
    for (tags, kept) in [(many, 5), (large, 2)] {
        let found = rewritten(&format!("{tags}\n1. e4 *\n"));
        assert_eq!(
            found,
            ("1. e4 *".to_owned(), kept, vec![Defect::TOO_MANY_TAGS]),
            "{tags}"
        );
    }
}

#[test]
fn messages_name_the_limits() {
    let limits = GameLimits::default();
    assert_eq!(
        (limits.tags, limits.tag_bytes, limits.moves, limits.nested, limits.text),
        (10_000, 16 << 20, 262_144, 32_768, 48 << 20)
    );
    for (defect, number) in [
        (Defect::TOO_MANY_TAGS, "10,000 tags, or more than 16 MiB"),
        (Defect::TOO_MANY_MOVES, "262,144"),
        (Defect::TOO_DEEP, "32,768"),
        (Defect::TOO_LONG, "48 MiB"),
    ] {
        let Defect(_, message) = defect;
        assert!(message.contains(number), "{message}");
    }
}

/// The usual limits hold for games that are read from a file. There is a warning, and the games after them are read.
#[test]
fn a_line_that_is_too_long_is_warned_of_and_the_game_behind_it_is_read() {
    let moves: String = ["Nf3 ", "Nf6 ", "Ng1 ", "Ng8 "]
        .into_iter()
        .cycle()
        .take(262_146)
        .collect();
    let text = format!("[White \"a\"]\n\n{moves}1-0\n\n[White \"b\"]\n\n1. d4 d5 *\n");
    let batches = batches_of(text.as_bytes());
    let games: Vec<usize> = batches.iter().flat_map(Batch::texts).map(<[u8]>::len).collect();
    assert_eq!(
        games,
        [
            "[White \"a\"]\n\n".len() + 4 * 262_144 + 3,
            "[White \"b\"]\n\n1. d4 d5 *".len()
        ]
    );
    let warnings: Vec<String> = batches
        .iter()
        .flat_map(|batch| &batch.warnings)
        .map(Warning::to_string)
        .collect();
    assert_eq!(
        warnings,
        [
            "test.pgn:3: game 1: a line has more than 262,144 moves, counted with those of the lines that it branches off from; the rest of the line is ignored"
        ]
    );
}

#[test]
fn of_many_wrong_variations_the_first_are_warned_of() {
    for rules in [Rules::Full, Rules::Cql] {
        let text = format!("[White \"a\"]\n\n1. e4 {} e5 (Qxa7) *\n", "(Ke5 d5) ".repeat(2000));
        let batch = batches_by(rules, text.as_bytes()).swap_remove(0);
        let mut game = Game::default();
        GameReader::new(&batch).read(Scope::ALL, &mut game, |_| true);
        assert_eq!((game.warnings.len(), game.main_line().len()), (1001, 3));
        let last = &game.warnings[1000].message;
        assert!(
            last.ends_with("; further variations like that in this game are not reported"),
            "{last}"
        );
    }
}

#[test]
fn a_batch_has_so_many_games() {
    let batches = batches_of("1. e4 *\n\n".repeat(2500).as_bytes());
    let counts: Vec<usize> = batches.iter().map(|batch| batch.games.len()).collect();
    assert_eq!(counts, [1024, 1024, 452]);
}
