//! Where games begin and end, what is between them, and the warnings about it.

use super::*;

#[test]
fn games_begin_and_end() {
    for (text, expected) in [
        ("", vec![]),
        (" \n\r\n\t", vec![]),
        ("\u{feff}[A \"1\"]\n\n*", vec!["A=1 *"]),
        ("[A \"1\"]\n\n*\n\n[A \"2\"]\n\n*\n", vec!["A=1 *", "A=2 *"]),
        (
            "[A \"1\"] *\n*[A \"2\"]\n1-0[A \"3\"]\n0-1",
            vec!["A=1 *", "A=2 1-0", "A=3 0-1"],
        ),
        // No terminator, but a new tag section.
        ("[A \"1\"]\n\ne4\n\n[A \"2\"]\n\nd4 *", vec!["A=1 e4 *", "A=2 d4 *"]),
        ("[A \"1\"]\n\n[A \"2\"]\n\nd4 *", vec!["A=1 *", "A=2 d4 *"]),
        ("[A \"1\"]\n\n[Event \"2\"]\n\nd4 *", vec!["A=1 *", "Event=2 d4 *"]),
        ("[A \"1\"]\n[A \"2\"]\n\nd4 *", vec!["A=1 A=2 d4 *"]),
        (
            "[A \"1\"]\n[Result \"1/2\"]\n\ne4 e5",
            vec!["A=1 Result=1/2 e4 e5 1/2-1/2"],
        ),
        ("[Result \"0-1\"]", vec!["Result=0-1 0-1"]),
        // No tags.
        (
            "1. e4 e5 1-0\n\n1. d4 *\n\nc4 *\n1 f4 *",
            vec!["e4 e5 1-0", "d4 *", "c4 *", "f4 *"],
        ),
        // Text between games is not a game.
        (
            "hello\n[A \"1\"]\n\n*\n{1. e4}\n; 1. e4\n% 1. e4\nsee 1. e4\n[A \"2\"]\n\n* see 1. e4",
            vec!["A=1 {1. e4} {1. e4} *", "A=2 *"],
        ),
        // A game right after another one, and one after a game without a result.
        ("[A \"1\"]\n\n* 1. e4 *", vec!["A=1 *", "e4 *"]),
        ("1. e4 e5\n\n1. d4 (\n\n1. c4) d5 *", vec!["e4 e5 *", "d4 ( c4 ) d5 *"]),
        ("1. e4\n\n1... e5\n\n2. d4 *", vec!["e4 e5 d4 *"]),
        // Moves that continue after a result are not a game.
        ("1. e4 *\n2. d4 d5\nNf3 {x}\n3. c4 *\n\nd4 *", vec!["e4 *", "d4 *"]),
        ("1. e4 *\n{x}\n2. d4 d5 *\n1. c4 *", vec!["e4 {x} *", "c4 *"]),
        // A comment before a game without tags belongs to it.
        (
            "{a}\n{b} 1. e4 *\n\n{c} d4 *\n{d}\n[A \"1\"]\n*",
            vec!["{a} {b} e4 *", "{c} d4 {d} *", "A=1 *"],
        ),
        // Headers without moves.
        (
            "[Event \"a\"]\n[White \"b\"]\n\n[White \"c\"]\n\ne4 *",
            vec!["Event=a White=b *", "White=c e4 *"],
        ),
        (
            "[Event \"a\"]\n[White \"b\"]\n[Event \"a\"]\n[White \"c\"]\ne4 *",
            vec!["Event=a White=b *", "Event=a White=c e4 *"],
        ),
        (
            "[Event \"a\"]\n[White \"b\"]\n[Event \"c\"]\ne4 *",
            vec!["Event=a White=b Event=c e4 *"],
        ),
        ("[A \"1\"]\n\n*\n\n{[A \"x\"]\n{e4}\n}", vec!["A=1 *"]),
        // An unclosed comment does not swallow the next game.
        (
            "[A \"1\"]\n\ne4 {oops *\n\n[A \"2\"]\n\nd4 {x} *",
            vec!["A=1 e4 {oops *} *", "A=2 d4 {x} *"],
        ),
        (
            "[A \"1\"]\n\ne4 {:-{ } e5 *\n\n[A \"2\"]\n\nd4 {x} *",
            vec!["A=1 e4 {:-(} e5 *", "A=2 d4 {x} *"],
        ),
        // Neither does one that nesting makes longer.
        (
            "[A \"1\"]\n\ne4 {:-{ } e5 *\n\n[A \"2\"]\n\nd4 ; }\n*",
            vec!["A=1 e4 {:-(} e5 *", "A=2 d4 {)} *"],
        ),
    ] {
        assert_eq!(games(text), expected, "{text}");
    }
}

#[test]
fn what_is_wrong_is_said_once_with_its_place() {
    let none: [&str; 0] = [];
    let ends = "does not end with 1-0, 0-1, 1/2-1/2 or *, and no Result tag tells its result";
    for (text, expected) in [
        (
            "[A \"1\"]\n\ne2e4 Nf3$1 ; x\n {a (b)} 1-0\n{end} ; end\n% end\n",
            none.to_vec(),
        ),
        (
            "[A \"1\"]\n\ne4\n{a {b}} 1-0\n",
            vec!["test.pgn:4: game 1: braces inside a comment are read as parentheses"],
        ),
        (
            "[A \"1\"]\n\n*\n\n; end\n{end}\n% end\n",
            vec!["test.pgn:5: game 1: a comment that belongs to no game is ignored"],
        ),
        ("1. e4 *", vec!["test.pgn:1: game 1: the game has no tags"]),
        (
            "[A \"1\"]\n\n*\n\n[A \"2\"\n[B \"2]\n\n*\n",
            vec!["test.pgn:5: game 2: a tag without closing quote and bracket is ignored"],
        ),
        (
            "[A \"1\"]\n\ne4\n(()\n)\n\0\0{\0} *",
            vec![
                "test.pgn:4: game 1: a variation before the first move is not searched",
                "test.pgn:5: game 1: a variation without moves is ignored",
                "test.pgn:6: game 1: control bytes are ignored",
            ],
        ),
        (
            "[A \"1\"]\n\n\ne4 )) *",
            vec!["test.pgn:4: game 1: the parentheses of the variations do not pair up"],
        ),
        (
            "[A \"1\"]\n\ne4 {x\n\n[A \"2\"]\n\n*",
            vec![
                "test.pgn:3: game 1: a comment has no closing brace; it ends at the next one, or with the game",
                "test.pgn:5: game 1: the game {ends}",
            ],
        ),
        ("[A \"1\"]\n\ne4 *\n\x1a[A \"2\"]\n\n*\n\x1a", none.to_vec()),
        ("[A \"1\"]\n\ne4 1-0\x1a\n[A \"2\"]\n\n*\x1a", none.to_vec()),
        (
            "[A \"1\x08\"]\n\n*\n\n[A \"2\x1a\"]\n\n*\n",
            vec![
                "test.pgn:1: game 1: control bytes are ignored",
                "test.pgn:5: game 2: control bytes are ignored",
            ],
        ),
        (
            "[A \"1\"]\n\n*\nrest\n",
            vec!["test.pgn:4: game 1: this text belongs to no game"],
        ),
        ("nothing\n", vec!["test.pgn:1: this text belongs to no game"]),
        (
            "[A \"1\"]\n\n*\n{rest\n",
            vec!["test.pgn:4: game 1: a comment has no closing brace"],
        ),
    ] {
        let expected: Vec<_> = expected.iter().map(|line| line.replace("{ends}", ends)).collect();
        assert_eq!(warnings(text), expected, "{text}");
    }
}

#[test]
fn games_know_their_place() {
    let batch = batch_of(b"x\n\n[A \"1\"]\n\ne4\ne5 *\n\n\n[A \"2\"]\r\n\r\n* [A \"3\"]\ne4 *");
    let places: Vec<_> = batch.games.iter().map(|game| (game.number, game.line)).collect();
    assert_eq!(places, [(1, 3), (2, 9), (3, 11)]);
    let texts: Vec<_> = batch.texts().map(String::from_utf8_lossy).collect();
    assert_eq!(texts, ["[A \"1\"]\n\ne4\ne5 *", "[A \"2\"]\n\n*", "[A \"3\"]\ne4 *"]);
}

#[test]
fn numbers_go_on_after_other_sources() {
    let mut splitter = Splitter::new(Cursor::new("[A \"1\"]\n\n*\n"), "b.pgn".into(), 41);
    let mut batch = Batch::default();
    assert!(splitter.read_batch(&mut batch).unwrap());
    assert_eq!(batch.games[0].number, 42);
    assert!(!splitter.read_batch(&mut batch).unwrap());
}

#[test]
fn games_before_a_read_error_are_kept() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("broken"))
        }
    }
    let mut splitter = Splitter::new(
        Cursor::new("[A \"1\"]\n\n*\n\n[A \"2\"]\n\ne4 ").chain(Broken),
        "b".into(),
        0,
    );
    let mut batch = Batch::default();
    assert!(splitter.read_batch(&mut batch).unwrap());
    assert_eq!(tokens_of(&batch), ["A=1 *", "A=2 e4 *"]);
    assert!(splitter.read_batch(&mut batch).is_err());
    assert!(!splitter.read_batch(&mut batch).unwrap());
}
