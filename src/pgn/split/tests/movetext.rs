//! Words of the movetext in all spellings.

use super::*;

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
fn no_word_is_passed_over() {
    for (movetext, expected) in [
        ("1. e4 e5 xyz 2. Nf3 *", "e4 e5 <xyz|> <2.|> <Nf3|> *"),
        ("1. e4 0:01:00 e5 (0:59) *", "e4 {0:01:00} e5 {0:59} *"),
        ("1. e4 (what) e5 *", "e4 ( <what|> ) e5 *"),
        ("1. e4 \u{e9} e5 *", "e4 <\u{e9}|> <e5|> *"),
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
        // A knight in German, a bishop in Czech: only one of them can make the move.
        ("1. e4 e5 2. Sf3", "e4 e5 <Sf3|Nf3>"),
        ("1. e4 e5 2. Sc4", "e4 e5 <Sc4|Bc4>"),
        // English pawns or Dutch knights.
        ("1. Pf3 Pf6", "<1. Pf3|> <Pf6|>"),
        ("1. Pe4 Pe5 2. Nf3", "<Pe4|e4> <Pe5|e5> Nf3"),
        ("1. Pe4 Pe5", "<Pe4|e4> <Pe5|e5>"),
        // No language has all these letters.
        ("1. e4 e5 2. Sf3 Bc5", "e4 e5 <2. Sf3|> <Bc5|>"),
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
    assert_eq!(after("e4 e5 Sf3 Lc5"), "A=2 <1. Pf3|> <Pf6|> *");
}
