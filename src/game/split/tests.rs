use std::{io::Cursor, ops::ControlFlow};

use fastrand::Rng;
use pgn_reader::{Nag, RawComment, RawTag, Reader, Skip, Visitor, shakmaty::Outcome, shakmaty::san::SanPlus};

use super::*;
use crate::game::tidy::Tidier;

/// What a tokeniser makes of canonical PGN, written down: one line per game.
#[derive(Default)]
struct Tokens {
    text: String,
    comment: Vec<u8>,
}

impl Tokens {
    fn note(&mut self, token: &str) -> ControlFlow<String> {
        self.text.push_str(token);
        self.text.push(' ');
        ControlFlow::Continue(())
    }
}

impl Visitor for Tokens {
    type Tags = ();
    type Movetext = ();
    type Output = String;

    fn begin_tags(&mut self) -> ControlFlow<String, ()> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<String> {
        let value = String::from_utf8_lossy(value.as_bytes())
            .replace('\u{2}', "\"")
            .replace('\u{3}', "\\");
        self.note(&format!("{}={value}", String::from_utf8_lossy(name)))
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<String, ()> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), san: SanPlus) -> ControlFlow<String> {
        self.note(&san.to_string())
    }

    fn nag(&mut self, (): &mut (), nag: Nag) -> ControlFlow<String> {
        self.note(&nag.to_string())
    }

    fn partial_comment(&mut self, (): &mut (), comment: RawComment<'_>) -> ControlFlow<String> {
        self.comment.extend_from_slice(comment.as_bytes());
        ControlFlow::Continue(())
    }

    fn comment(&mut self, (): &mut (), comment: RawComment<'_>) -> ControlFlow<String> {
        self.comment.extend_from_slice(comment.as_bytes());
        let comment = String::from_utf8_lossy(&std::mem::take(&mut self.comment)).into_owned();
        match comment.strip_prefix('\u{1}') {
            Some(word) => self.note(&format!("<{word}>")),
            None => self.note(&format!(
                "{{{}}}",
                comment.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
            )),
        }
    }

    fn begin_variation(&mut self, (): &mut ()) -> ControlFlow<String, Skip> {
        self.note("(")?;
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, (): &mut ()) -> ControlFlow<String> {
        self.note(")")
    }

    fn outcome(&mut self, (): &mut (), outcome: Outcome) -> ControlFlow<String> {
        self.note(&outcome.to_string())
    }

    fn end_game(&mut self, (): ()) -> String {
        std::mem::take(&mut self.text).trim_end().to_owned()
    }
}

/// A source that hands out so many bytes at a time.
struct Slow<'a> {
    text: &'a [u8],
    chunk: usize,
}

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.chunk.min(buffer.len());
        self.text.read(&mut buffer[..length])
    }
}

fn batches_of(reader: impl Read) -> Vec<Batch> {
    batches_by(Rules::Full, reader)
}

fn batches_by(rules: Rules, reader: impl Read) -> Vec<Batch> {
    let mut splitter = Splitter::new(reader, "test.pgn".into(), 0).with_rules(rules);
    let mut batches = Vec::new();
    let mut batch = Batch::default();
    while splitter.read_batch(&mut batch).expect("memory can be read") {
        batches.push(std::mem::take(&mut batch));
    }
    batches
}

fn batch_of(text: &[u8]) -> Batch {
    let mut batches = batches_of(Cursor::new(text));
    assert!(batches.len() <= 1);
    batches.pop().unwrap_or_default()
}

fn tokens_of(batch: &Batch) -> Vec<String> {
    let mut reader = Reader::build(batch.text.as_slice())
        .set_supported_tag_line_length(batch.longest_tag_line.max(255))
        .finish();
    let mut games = Vec::new();
    while let Some(game) = reader
        .read_game(&mut Tokens::default())
        .expect("canonical text can be read")
    {
        games.push(game);
    }
    games
}

/// What the tokeniser sees in each game.
fn games(text: &str) -> Vec<String> {
    tokens_of(&batch_of(text.as_bytes()))
}

/// What the tokeniser sees in the movetext of the only game, which has one tag, by the rules of CQL.
fn moves(movetext: &str) -> String {
    moves_by(Rules::Cql, movetext)
}

/// The same by the usual rules. Of words in other notations their meanings are shown.
fn all_moves(movetext: &str) -> String {
    moves_by(Rules::Full, movetext).replace('\u{1}', "|")
}

fn moves_by(rules: Rules, movetext: &str) -> String {
    let text = format!("[Event \"e\"]\n\n{movetext}\n");
    let games: Vec<_> = batches_by(rules, text.as_bytes()).iter().flat_map(tokens_of).collect();
    let [game] = games.as_slice() else {
        panic!("{movetext}: {games:?}")
    };
    game.strip_prefix("Event=e")
        .expect("the tag comes first")
        .trim_start()
        .to_owned()
}

/// The warnings, each as it is shown.
fn warnings(text: &str) -> Vec<String> {
    batch_of(text.as_bytes())
        .warnings
        .iter()
        .map(Warning::to_string)
        .collect()
}

#[test]
fn moves_are_read_in_all_spellings() {
    for (movetext, expected) in [
        ("1. e4 e5 2. Nf3 *", "e4 e5 Nf3 *"),
        ("1.e4 1...e5 2.Nf3 1-0", "e4 e5 Nf3 1-0"),
        ("e4 e5 Nf3 0-1", "e4 e5 Nf3 0-1"),
        ("7. e4 . 12 e5 ... Nf3 *", "e4 e5 Nf3 *"),
        (
            "1. e2-e4 d7d5 2. e4xd5 c6 3. dc6 *",
            "<e2-e4> <d7d5> <e4xd5> c6 <dc6> *",
        ),
        ("1. Bf1:b5 0-0 0-0-0+ o-o 00 *", "<Bf1:b5> <0-0> <0-0-0+> <o-o> *"),
        (
            "1. ed ba8Q Pf4 exd6e.p. exd6 e.p. exd6ep *",
            "<ed> <ba8Q> <Pf4> <exd6e.p.> exd6 <exd6ep> *",
        ),
        ("1. e4 -- 2. d4 Z0 3. Nf3 null *", "e4 -- d4 <Z0> Nf3 <null> *"),
        ("1. e4 e5 xyz nf3 2. Nf9 Nf3++ *", "e4 e5 <Nf9> Nf3+ *"),
        ("1. Nb1d2 R1xe2# O-O *", "Nb1d2 R1xe2# O-O *"),
        ("1. e4\n% d4 1-0\ne5 ; d5 1-0 {\nNf3 *", "e4 e5 Nf3 *"),
        ("1. e4\n\ne5\n \r\nNf3 *", "e4 e5 Nf3 *"),
        ("1. e4 [%clk 0:01:00]\n[%eval 1]\ne5 [ *", "e4 e5 *"),
        ("1. e4 } e5 *", "e4 e5 *"),
    ] {
        assert_eq!(moves(movetext), expected, "{movetext}");
    }
}

#[test]
fn annotation_symbols_are_numbers() {
    for (movetext, expected) in [
        (
            "e4! e5? Nf3!! Nc6?? Bb5!? a6?! *",
            "e4 $1 e5 $2 Nf3 $3 Nc6 $4 Bb5 $5 a6 $6 *",
        ),
        ("e4 = e5 += d4 +/= d5 =+ *", "e4 $10 e5 $14 d4 $14 d5 $15 *"),
        ("e4 =/+ e5 +/- d4 -/+ d5 +- *", "e4 $15 e5 $16 d4 $17 d5 $18 *"),
        ("e4 -+ e5 ~ d4 N d5 D *", "e4 $19 e5 $13 d4 $146 d5 $201 *"),
        ("e4$1 e5 $0 d4 $256 d5 $300 Nf3 $ *", "e4 $1 e5 d4 d5 $44 Nf3 *"),
        ("e4+- e5!= Nf3++/- *", "e4 $18 e5 $1 $10 Nf3+ $16 *"),
        ("e4 !!! *", "e4 $3 $1 *"),
    ] {
        assert_eq!(moves(movetext), expected, "{movetext}");
    }
}

#[test]
fn comments_nest_and_lose_their_line_breaks() {
    for (movetext, expected) in [
        (
            "{a {b} c} e4 {d\n\n[Event \"x\"]\n\n1-0 e} *",
            "{a _b_ c} e4 {d [Event \"x\"] 1-0 e} *",
        ),
        ("e4 {} e5{x}d4 *", "e4 {} e5 {x} d4 *"),
        ("e4 {a\n% b\n; c\n[%clk 0:01]} e5 *", "e4 {a % b ; c [%clk 0:01]} e5 *"),
        ("e4 {\u{1}e5} *", "e4 {e5} *"),
        ("e4 {1-0 é} 1-0", "e4 {1-0 é} 1-0"),
    ] {
        assert_eq!(moves(movetext), expected, "{movetext}");
    }
}

#[test]
fn variations_are_repaired() {
    for (movetext, expected) in [
        ("e4 (d4 d5 (d6) Nf3) e5 *", "e4 ( d4 d5 ( d6 ) Nf3 ) e5 *"),
        ("e4 () e5 ({a}) d4 ( ) *", "e4 e5 d4 *"),
        ("({x} d4 (c4) d5) e4 *", "e4 *"),
        ("{x} (d4) e4 ((c4) d4) *", "{x} e4 ( d4 ) *"),
        ("e4 (d4 1-0) e5 *", "e4 ( d4 ) e5 *"),
        ("e4 (d4 e5 1-0", "e4 ( d4 e5 ) 1-0"),
        ("e4 ) e5 *", "e4 e5 *"),
        ("e4 (Z0 d5) *", "e4 ( <Z0> d5 ) *"),
    ] {
        assert_eq!(moves(movetext), expected, "{movetext}");
    }
    let depth = 5000;
    let deep = "e4 (".repeat(depth) + "e4" + &")".repeat(depth) + " *";
    assert_eq!(moves(&deep).matches('(').count(), depth);
}

#[test]
fn terminators_are_words_of_their_own() {
    for (movetext, expected) in [
        ("e4 1/2-1/2", "e4 1/2-1/2"),
        ("e4* e5 *", "e4 e5 *"),
        ("e4 1-0{x} *", "e4 {x} *"),
        ("e4 11-0 1-01 *", "e4 *"),
        ("e4 1\u{2013}0 *", "e4 *"),
        ("e4{x}1-0\u{e9}", "e4 {x} 1-0"),
        ("*", "*"),
    ] {
        assert_eq!(moves(movetext), expected, "{movetext}");
    }
}

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
        // A tag that does not end is left out, not the next one.
        ("[A \"a\"] [B \"b] [C \"c\"] e4 *", vec!["A=a C=c e4 *"]),
        ("[A \"a\"] what [B \"b\"] e4 *", vec!["A=a B=b e4 *"]),
    ] {
        assert_eq!(games(text), expected, "{text}");
    }
    let one_line = "[Event \"e\"] [White \"w\"] 1. e4 e5 2. Nf3 Nc6 1-0 ".repeat(34);
    assert_eq!(games(&one_line).len(), 34);
}

#[test]
fn no_word_is_passed_over() {
    for (movetext, expected) in [
        ("1. e4 e5 xyz 2. Nf3 *", "e4 e5 <xyz|> Nf3 *"),
        ("1. e4 0:01:00 e5 (0:59) *", "e4 {0:01:00} e5 {0:59} *"),
        ("1. e4 (what) e5 *", "e4 ( <what|> ) e5 *"),
        ("1. e4 \u{e9} e5 *", "e4 <\u{e9}|> e5 *"),
        ("1. e4, e5. 2 Nf3 *", "e4 e5 Nf3 *"),
    ] {
        assert_eq!(all_moves(movetext), expected, "{movetext}");
    }
}

#[test]
fn nothing_that_is_said_is_lost() {
    for (movetext, expected) in [
        (
            "e4$1 e5 $0 d4 $256 d5 $300 Nf3 $ *",
            "e4 $1 e5 $0 d4 {\u{4}256} d5 {\u{4}300} Nf3 *",
        ),
        ("1. e4\n% d4 1-0\ne5 ; d5 1-0 {\nNf3 *", "e4 e5 {d5 1-0 (} Nf3 *"),
        ("e4 () e5 ({a}) d4 ( ) *", "e4 e5 ( {a} ) d4 *"),
        ("({x} d4 (c4) d5) e4 *", "( {x} d4 ( c4 ) d5 ) e4 *"),
    ] {
        assert_eq!(all_moves(movetext), expected, "{movetext}");
    }
}

#[test]
fn what_is_meant_is_understood() {
    for (movetext, expected) in [
        (
            "\u{2658}f3 \u{265e}\u{fe0e}f6 \u{2659}e4",
            "<\u{2658}f3|Nf3> <\u{265e}\u{fe0e}f6|Nf6> <\u{2659}e4|e4>",
        ),
        (
            "nf3 kf1 qd4+ rad1 bf5",
            "<nf3|Nf3> <kf1|Kf1> <qd4+|Qd4> <rad1|Rad1> <bf5|Bf5>",
        ),
        ("nf3 bxc3 bc3 b4", "<nf3|Nf3> <bxc3|bxc3|Bxc3> <bc3|bxc3|Bxc3> b4"),
        ("Nf3 bxc3 bc3", "Nf3 bxc3 <bc3|bxc3>"),
        (
            "d7d8q d8=q d8q d8(Q) d8/N exd8=B",
            "<d7d8q|d7d8=Q> <d8=q|d8=Q> <d8q|d8=Q> <d8(Q)|d8=Q> <d8/N|d8=N> exd8=B",
        ),
        (
            "Qxf7ch Qxf7 ch Qh4mate Qh4 mate Nf3dbl.ch Nf3 dbl.ch.",
            "Qxf7+ Qxf7 Qh4# Qh4 Nf3+ Nf3",
        ),
        (
            "exd6e.p. exd6 e.p. exd6ep exd6 ep. exd6e.p.+",
            "exd6 exd6 exd6 exd6 exd6+",
        ),
        (
            "Nf3\u{b1} e4\u{203c} d4\u{2a72} d5 \u{2a71} c4\u{2213}!",
            "Nf3 $16 e4 $3 d4 $14 d5 $15 c4 $17 $1",
        ),
        (
            "e4 \u{221e} e5 \u{25a1} d4 \u{2313} d5 \u{27f3} c4 \u{2192}",
            "e4 $13 e5 $7 d4 $142 d5 $32 c4 $40",
        ),
        (
            "-- Z0 null pass <> 0000 @@@@ --+",
            "-- <Z0|--> <null|--> <pass|--> <<>|--> <0000|--> <@@@@|--> --",
        ),
        (
            "O-O 0-0 O\u{2013}O\u{2212}O o-o \u{41e}-\u{41e} 0-0-0+",
            "O-O <0-0|O-O> O-O-O <o-o|O-O> O-O <0-0-0+|O-O-O>",
        ),
        (
            "e2\u{2013}e4 e2e4 Bf1:b5 ed5 ed",
            "<e2\u{2013}e4|e2e4> <e2e4|e2e4> <Bf1:b5|Bf1xb5> <ed5|exd5> <ed|exd>",
        ),
        ("1.e4e5 1.e4!e5?! 2.Nf3+-", "<e4e5|e4e5> e4 $1 e5 $6 Nf3 $18"),
        ("N TN e4 N", "$146 $146 e4 $146"),
    ] {
        assert_eq!(
            all_moves(&format!("{movetext} *")),
            format!("{expected} *"),
            "{movetext}"
        );
    }
}

#[test]
fn results_are_written_in_many_ways() {
    for (movetext, expected) in [
        ("e51-0", "e5 1-0"),
        ("Qh4#0-1", "Qh4# 0-1"),
        ("O-O1/2-1/2", "O-O 1/2-1/2"),
        ("e4*", "e4 *"),
        ("e4 1:0", "e4 1-0"),
        ("e4 0:1.", "e4 0-1"),
        ("e4 1/2", "e4 1/2-1/2"),
        ("e4 1/2:1/2", "e4 1/2-1/2"),
        ("e4 \u{bd}-\u{bd}", "e4 1/2-1/2"),
        ("e4 \u{bd}", "e4 1/2-1/2"),
        ("e4 1\u{2013}0", "e4 1-0"),
        ("e4 0\u{2014}1", "e4 0-1"),
        ("e4{x}1-0{y}", "e4 {x} {y} 1-0"),
        ("e4 (d4 1:0) e5 *", "e4 ( d4 ) e5 *"),
    ] {
        assert_eq!(all_moves(movetext), expected, "{movetext}");
    }
}

#[test]
fn letters_of_other_languages_are_told() {
    for (movetext, expected) in [
        (
            "1. e4 e5 2. Sf3 Sc6 3. Lb5 a6",
            "e4 e5 <Sf3|Nf3> <Sc6|Nc6> <Lb5|Bb5> a6",
        ),
        (
            "1. e4 e5 2. Pf3 Pc6 3. Lb5 a6",
            "e4 e5 <Pf3|Nf3> <Pc6|Nc6> <Lb5|Bb5> a6",
        ),
        (
            "1. e4 e5 2. Cf3 Cc6 3. Fb5 a6",
            "e4 e5 <Cf3|Nf3> <Cc6|Nc6> <Fb5|Bb5> a6",
        ),
        ("1. e4 e5 2. Cf3 Re7 3. Tg1", "e4 e5 <Cf3|Nf3> <Re7|Ke7> <Tg1|Rg1>"),
        (
            "1. e4 e5 2. \u{41a}f3 \u{41a}c6 3. \u{421}b5 \u{41a}\u{440}e7",
            "e4 e5 <\u{41a}f3|Nf3> <\u{41a}c6|Nc6> <\u{421}b5|Bb5> <\u{41a}\u{440}e7|Ke7>",
        ),
        // A knight in German, a bishop in Czech: only one of them can move so.
        ("1. e4 e5 2. Sf3", "e4 e5 <Sf3|Nf3>"),
        ("1. e4 e5 2. Sc4", "e4 e5 <Sc4|Bc4>"),
        // English pawns or Dutch knights.
        ("1. Pf3 Pf6", "<Pf3|> <Pf6|>"),
        ("1. Pe4 Pe5 2. Nf3", "<Pe4|e4> <Pe5|e5> Nf3"),
        ("1. Pe4 Pe5", "<Pe4|e4> <Pe5|e5>"),
        // No language has all these letters.
        ("1. e4 e5 2. Sf3 Bc5", "e4 e5 <Sf3|> Bc5"),
    ] {
        assert_eq!(
            all_moves(&format!("{movetext} *")),
            format!("{expected} *"),
            "{movetext}"
        );
    }
    let after =
        |game: &str| games(&format!("[A \"1\"]\n\n{game} *\n\n[A \"2\"]\n\n1. Pf3 Pf6 *\n"))[1].replace('\u{1}', "|");
    assert_eq!(after("e4 e5 Lc4 Lc5"), "A=2 <Pf3|Nf3> <Pf6|Nf6> *");
    assert_eq!(after("e4 e5 Sf3 Lc5"), "A=2 <Pf3|> <Pf6|> *");
}

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
        // Text between games is no game.
        (
            "hello\n[A \"1\"]\n\n*\n{1. e4}\n; 1. e4\n% 1. e4\nsee 1. e4\n[A \"2\"]\n\n* see 1. e4",
            vec!["A=1 {1. e4} {1. e4} *", "A=2 *"],
        ),
        // A game right behind another one, and one behind a game without a result.
        ("[A \"1\"]\n\n* 1. e4 *", vec!["A=1 *", "e4 *"]),
        ("1. e4 e5\n\n1. d4 (\n\n1. c4) d5 *", vec!["e4 e5 *", "d4 ( c4 ) d5 *"]),
        ("1. e4\n\n1... e5\n\n2. d4 *", vec!["e4 e5 d4 *"]),
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
        // Nor does one that nesting makes longer.
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
    let ends = "does not end with 1-0, 0-1, 1/2-1/2 or *; its Result tag counts";
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
    assert_eq!(splitter.last_number(), 42);
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

/// Pieces of good and bad PGN.
const FRAGMENTS: [&str; 61] = [
    "[Event \"e\"]\n",
    "[White \"w\"]\r\n",
    "[A \"x\\\"y\"]\n",
    "[B \"q\"q\"]\n",
    "[C \"1\"\n",
    "[D]\n",
    "[Result \"0-1\"]\n",
    "\n",
    "\n\n",
    "\r\n",
    "\r\n\r\n",
    " ",
    "\t",
    "1. e4 ",
    "e5 ",
    "Nf3",
    "Nf3+ ",
    "Nbd2 ",
    "exd5 ",
    "e8=Q ",
    "O-O ",
    "O-O-O ",
    "0-0 ",
    "e2e4 ",
    "Bf1:b5 ",
    "ed ",
    "-- ",
    "Z0 ",
    "null ",
    "xyz ",
    "Nf9 ",
    "12. ",
    "3...",
    ".",
    "! ",
    "?!",
    "$1 ",
    "$300 ",
    "+- ",
    "+/= ",
    "{",
    "}",
    "{c} ",
    "{a {b} c}",
    "{}",
    "{\n\n}",
    "(",
    ")",
    "(d4) ",
    "( ",
    " 1-0\n\n",
    " 0-1 ",
    " 1/2-1/2\n",
    " *\n",
    "*",
    "; x\n",
    "\n% y\n",
    "\0",
    "\u{e9} ",
    "\u{feff}",
    "e.p. ",
];

fn random_text(rng: &mut Rng, fragments: usize) -> Vec<u8> {
    // Mostly games that are nearly right, so that not everything is swallowed by the first unclosed brace.
    let mut text = Vec::new();
    for _ in 0..fragments {
        if rng.u8(..16) == 0 {
            text.extend_from_slice(b" *\n\n[Event \"e\"]\n[White \"w\"]\n\n1. e4 e5 ");
        }
        text.extend_from_slice(FRAGMENTS[rng.usize(..FRAGMENTS.len())].as_bytes());
    }
    text
}

/// The game as [`Tidier`] rewrites it, even if it is plain.
fn tidied(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let len = Tidier::default().tidy(
        Text {
            bytes: text,
            complete: true,
        },
        &mut out,
    );
    assert_eq!(len, Ok(text.len()));
    out
}

#[test]
fn the_size_of_reads_does_not_matter() {
    let mut rng = Rng::with_seed(1);
    for _ in 0..100 {
        let fragments = rng.usize(..80);
        let text = random_text(&mut rng, fragments);
        let whole = batches_of(Cursor::new(&text));
        for chunk in [1, 7, 4096] {
            assert_eq!(
                batches_of(Slow { text: &text, chunk }),
                whole,
                "{}",
                String::from_utf8_lossy(&text)
            );
        }
    }
}

#[test]
fn the_size_of_the_window_does_not_matter() {
    // Texts that end anywhere: whoever says that no more is needed must not change the answer when more comes.
    let mut rng = Rng::with_seed(2);
    for _ in 0..300 {
        let text = random_text(&mut rng, 30);
        let start = text.iter().position(|&byte| byte == b'[').unwrap_or(text.len());
        let text = &text[start..];
        let whole = Text {
            bytes: text,
            complete: true,
        };
        let mut tidied = Vec::new();
        let length = Tidier::default().tidy(whole, &mut tidied);
        for end in 0..text.len() {
            let part = Text {
                bytes: &text[..end],
                complete: false,
            };
            let mut out = Vec::new();
            let answer = Tidier::default().tidy(part, &mut out);
            if answer.is_ok() {
                assert_eq!(
                    (answer, &out),
                    (length, &tidied),
                    "{:?}",
                    String::from_utf8_lossy(part.bytes)
                );
            }
            let answer = recognise(part);
            if answer.is_ok() {
                assert_eq!(answer, recognise(whole), "{:?}", String::from_utf8_lossy(part.bytes));
            }
        }
    }
}

#[test]
fn tidied_games_are_plain_and_mean_what_plain_games_mean() {
    let mut rng = Rng::with_seed(3);
    let mut plain_games = 0;
    for _ in 0..60 {
        let fragments = rng.usize(..200);
        let source = random_text(&mut rng, fragments);
        // By the other rules variations may stand where none can be, or have no moves, and are not plain then.
        let batch = batches_by(Rules::Cql, Cursor::new(&source)).pop().unwrap_or_default();
        assert_eq!(
            tokens_of(&batch).len(),
            batch.games.len(),
            "{}",
            String::from_utf8_lossy(&source)
        );
        for text in batch.texts() {
            let shown = String::from_utf8_lossy(text);
            let has = |part: &[u8]| text.windows(part.len()).any(|window| window == part);
            // Control bytes, null moves and moves that name their whole origin are canonical, but not plain.
            let special = text.iter().any(|byte| matches!(byte, 1..=3)) || has(b"-- ") || has(b"Nf3e");
            let canonical = Text {
                bytes: text,
                complete: true,
            };
            // A header that may be two is looked at closely, too.
            let first = text.iter().position(|byte| *byte == b' ').unwrap_or(0);
            let starts_over = has(&[b"\n", text.get(..=first).unwrap_or_default()].concat());
            if !special && !starts_over && text.starts_with(b"[") {
                assert_eq!(
                    recognise(canonical).map(|plain| plain.map(|plain| plain.len)),
                    Ok(Some(text.len())),
                    "{shown}"
                );
            }
            if !special {
                let again = tidied(text);
                assert_eq!(tokens_of(&batch_of(&again)), tokens_of(&batch_of(text)), "{shown}");
                assert_eq!(tidied(&again), again, "{shown}");
                plain_games += 1;
            }
        }
    }
    assert!(plain_games > 200, "{plain_games}");
}

#[test]
fn any_bytes_can_be_read() {
    let mut rng = Rng::with_seed(4);
    let likely = b"[]{}()\"\\;%*$.-=+/01289 \n\r\tabehxnKQNOPZ\x00\x01\x02\x03\xc2\xa0\xe9\xff";
    for _ in 0..400 {
        let length = rng.usize(..200);
        let text: Vec<u8> = (0..length).map(|_| likely[rng.usize(..likely.len())]).collect();
        let batch = batch_of(&text);
        assert_eq!(
            tokens_of(&batch).len(),
            batch.games.len(),
            "{:?}",
            String::from_utf8_lossy(&text)
        );
        assert_eq!(
            batches_of(Slow { text: &text, chunk: 3 }).pop().unwrap_or_default(),
            batch
        );
    }
}

#[test]
fn golden_files_have_known_numbers_of_games() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/pgn");
    for (name, count) in [
        ("02-games-and-output.pgn", 36),
        ("06-moves.pgn", 16),
        ("classics.pgn", 20),
        ("game-tree.pgn", 14),
        ("mainline.pgn", 120),
        ("paths.pgn", 9),
        ("rays.pgn", 46),
        ("sets.pgn", 8),
        ("strings.pgn", 6),
        ("tree.pgn", 240),
    ] {
        let text = std::fs::read(folder.join(name)).expect("golden files are in the repository");
        let batch = batches_by(Rules::Cql, Cursor::new(&text)).pop().unwrap_or_default();
        assert_eq!(batch.games.len(), count, "{name}");
        assert_eq!(batch.warnings, [], "{name}");
        assert_eq!(tokens_of(&batch).len(), count, "{name}");
    }
}

/// A source without end: a game over and over.
struct Endless {
    game: Vec<u8>,
    at: usize,
    left: usize,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min(self.left).min(self.game.len() - self.at);
        buffer[..length].copy_from_slice(&self.game[self.at..self.at + length]);
        self.at = (self.at + length) % self.game.len();
        self.left -= length;
        Ok(length)
    }
}

#[test]
fn memory_does_not_grow_with_the_source() {
    for (game, size) in [
        ("[A \"1\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n", 6 * WINDOW),
        ("[A \"1\"]\n\n1. e2e4 e7e5 2. Nf3 Nc6 {{\n\n", 2 * WINDOW),
        ("what is this? \n", 4 * WINDOW),
    ] {
        let source = Endless {
            game: game.repeat(300).into_bytes(),
            at: 0,
            left: size,
        };
        let mut splitter = Splitter::new(source, "endless".into(), 0);
        let mut batch = Batch::default();
        while splitter.read_batch(&mut batch).unwrap() {
            assert!(batch.text.len() < BATCH + WINDOW);
            assert!(splitter.window.buffer.len() <= 2 * WINDOW);
        }
    }
}

#[test]
fn a_game_longer_than_the_window_is_read_whole() {
    let comment = "x ".repeat(WINDOW);
    let text = format!("[A \"1\"]\n\ne4 {{{comment}}} e5 *\n\n[A \"2\"]\n\nd4 *");
    let games: Vec<_> = batches_of(Cursor::new(&text)).iter().flat_map(tokens_of).collect();
    assert_eq!(
        games,
        [format!("A=1 e4 {{{}}} e5 *", comment.trim_end()), "A=2 d4 *".to_owned()]
    );
}
