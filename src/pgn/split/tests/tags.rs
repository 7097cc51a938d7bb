//! Tags, and what shares a line with them.

use super::*;

#[test]
fn tags_are_kept_byte_for_byte() {
    assert_eq!(
        games("[A \"x \\\"y\\\" A\"B\\\" z]\n[C \"\"] text\n*"),
        [r#"A=x \"y\" A"B\ C= *"#]
    );
    assert_eq!(
        games("[A \"1\"]\n[B]\n[C x]\n[\"D\"]\n\n[E  \"5\"]\n\n*"),
        ["A=1 E=5 *"]
    );
    assert_eq!(games("[A \"1\"]\r\n[B \"2\"]\r\n\r\ne4 *\r\n"), ["A=1 B=2 e4 *"]);
    assert_eq!(
        games("[A \"1\"]\r[B \"2\"]\r\re4 e5\r%x\rd4 *\r"),
        ["A=1 B=2 e4 e5 d4 *"]
    );
    assert_eq!(
        games("[A \"1\"]\n%x\n;y\n{z}\n[B \"2\"]\ne4 *"),
        ["A=1 B=2 {y} {z} e4 *"]
    );
    let long = "x".repeat(100_000);
    assert_eq!(games(&format!("[A \"{long}\"]\n\n*")), [format!("A={long} *")]);
    assert_eq!(
        batch_of(b"[A \"\xe9\"]\n\n{\xe8} *\n").text,
        b"[A \"\xe9\"]\n\n{\xe8} *\n\n"
    );
}

#[test]
fn tags_and_moves_share_lines() {
    for (text, expected) in [
        (
            "[WhiteTitle \"GM\"] [White \"Carlsen, M\"]\n\n*",
            vec!["WhiteTitle=GM White=Carlsen, M *"],
        ),
        ("[A \"1\"][B \"2\"]\t1. e4 e5 1-0", vec!["A=1 B=2 e4 e5 1-0"]),
        (
            "[A \"a\"] [B \"b\"] 1. e4 e5 1-0 [A \"a\"] [B \"c\"] 1. d4 d5 0-1 [A \"a\"] [B \"d\"] *",
            vec!["A=a B=b e4 e5 1-0", "A=a B=c d4 d5 0-1", "A=a B=d *"],
        ),
        ("[A \"a\"] {x} e4 *", vec!["A=a {x} e4 *"]),
        ("[A \"a\"] $1 e4 *", vec!["A=a $1 e4 *"]),
        ("[A \"a\"] ; x\ne4 *", vec!["A=a {x} e4 *"]),
        // What is inside a value stays inside.
        (
            "[A \"b [c] \\\"d\\\"] e\"] [B \"f\" ]\n*",
            vec![r#"A=b [c] \"d\"] e B=f *"#],
        ),
        ("[A \"b\"] \"c\"]\n*", vec![r#"A=b"] "c *"#]),
        ("[A \"see [B \"c\"]\"]\n*", vec![r#"A=see [B "c"] *"#]),
        // An unclosed tag is left out, but not the next one.
        ("[A \"a\"] [B \"b] [C \"c\"] e4 *", vec!["A=a C=c e4 *"]),
        ("[A \"a\"] what [B \"b\"] e4 *", vec!["A=a B=b e4 *"]),
    ] {
        assert_eq!(games(text), expected, "{text}");
    }
    let one_line = "[Event \"e\"] [White \"w\"] 1. e4 e5 2. Nf3 Nc6 1-0 ".repeat(34);
    assert_eq!(games(&one_line).len(), 34);
}
