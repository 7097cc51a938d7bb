//! Section 1.2.8: piece designators.

use std::collections::HashMap;

use shakmaty::Bitboard;
use skewer::board::Contents;
use skewer::syntax::{
    Source,
    token::{Designator, TokenKind},
    tokens,
};

use crate::syntax::{assert_refused, assert_spells};

fn designator(text: &str) -> Designator {
    let source = Source::new("test", text);
    match tokens(&source).unwrap().first().map(|token| token.kind.clone()) {
        Some(TokenKind::Designator(designator)) => designator,
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn designators_have_their_squares_and_contents() {
    let squares = |text: &str| designator(text).squares;
    let set = |names: &str| -> Bitboard {
        names
            .split(' ')
            .map(|name| name.parse::<shakmaty::Square>().unwrap())
            .collect()
    };
    assert_eq!(squares("e4"), set("e4"));
    assert_eq!(squares("b-c4-5"), set("b4 c4 b5 c5"));
    assert_eq!(squares("[a1,b2-4,c-e5]"), set("a1 b2 b3 b4 c5 d5 e5"));
    assert_eq!(squares("a1-8"), set("a1 a2 a3 a4 a5 a6 a7 a8"));
    assert_eq!(squares("R[h8,a1,h8]"), set("a1 h8"));
    assert_eq!(squares("R"), Bitboard::FULL);
    let contents = HashMap::from([
        ("R", 1 << 2),
        ("r", 1 << 9),
        ("[Kp]a2", 1 | 1 << 12),
        ("♖♕", 1 << 2 | 1 << 1),
        ("[♖♕]a1-4", 1 << 2 | 1 << 1),
        ("[RR]", 1 << 2),
        ("_a6", 1 << 6),
        ("A", 0x003f),
        ("▲", 0x1f80),
        ("[aA]", 0x1fbf),
        ("◭□", 0x1fff),
        ("e4", 0x1fff),
    ]);
    for (text, contents) in contents {
        assert_eq!(designator(text).contents, Contents(contents), "{text}");
    }
    let plain = designator("e4");
    assert!(plain.has_squares && !plain.has_contents && !plain.any_white && !plain.any_black);
    let any = designator("◭");
    assert!(!any.has_squares && any.has_contents && any.any_white && any.any_black);
    let all_white = designator("[KQRBNP]");
    assert!(all_white.contents == Contents::WHITE && !all_white.any_white);
}

#[test]
fn where_designators_begin_and_end() {
    assert_spells(&[
        ("R [a1,b2]", "<R> <[a1,b2]>"),
        ("R.", "<R> Dot"),
        ("♕ ♛", "<♕> <♛>"),
        ("a-h", "<a> Minus 'h'"),
        ("c-d2", "<c-d2>"),
        ("c-d", "'c' Minus 'd'"),
        ("x-a1", "'x' Minus <a1>"),
        ("h-abs 5", "'h' Minus abs 5"),
        ("Na1-9", "<Na1> Minus 9"),
        ("#R-2", "Hash <R> Minus 2"),
        ("bb-c8", "<bb-c8>"),
        ("[Kk][e1,e8]", "<[Kk][e1,e8]>"),
        ("A[x]P", "<A> +take+ <P>"),
        ("x[x]b", "'x' +take+ <b>"),
        ("s[x]", "'s' +take"),
        ("Q[x][rb]", "<Q> +take+ <[rb]>"),
        ("A--e-f4-5(to)", "<A> +dash+ <e-f4-5> OpenParen to CloseParen"),
        ("[Aa]x=Nb1", "mark 'x' Assign <Nb1>"),
        ("[Aa] x=Nb1", "<[Aa]> 'x' Assign <Nb1>"),
        ("◭x∊R", "mark 'x' Element <R>"),
        ("[aA]x", "OpenBracket 'aA' CloseBracket 'x'"),
        ("[Aa]b2", "<[Aa]b2>"),
        ("∀◭z∊N", "ForAll mark 'z' Element <N>"),
    ]);
}

#[test]
fn designators_next_to_brackets() {
    assert_spells(&[
        ("D[R]", "'D' <[R]>"),
        ("D[a1]", "'D' <[a1]>"),
        ("D[ R ]", "'D' OpenBracket <R> CloseBracket"),
        ("D[ R]", "'D' OpenBracket <R> CloseBracket"),
        ("D[R ]", "'D' OpenBracket <R> CloseBracket"),
        ("s[#R]", "'s' OpenBracket Hash <R> CloseBracket"),
        ("D[Ra1]", "'D' OpenBracket <Ra1> CloseBracket"),
        ("s[y]", "'s' OpenBracket 'y' CloseBracket"),
        ("x[:]", "'x' OpenBracket Colon CloseBracket"),
        ("D[ [] ]", "'D' OpenBracket EmptySet CloseBracket"),
    ]);
    assert_refused(&[
        ("R[]", "R[]", "`R` is a piece designator"),
        ("R[element]K", "R[element]", "`R` is a piece designator"),
        ("n[1]", "n[", "cannot be a name"),
    ]);
}

#[test]
fn malformed_designators_are_explained() {
    assert_refused(&[
        ("h-a1", "h-a1", "files run from a to h"),
        ("h-a", "h-a", "files run from a to h"),
        ("Rh-a1", "h-a1", "files run from a to h"),
        ("e-d4", "e-d4", "files run from a to h"),
        ("a8-1", "a8-1", "ranks run from 1 to 8"),
        ("[a1,b8-2]", "b8-2", "ranks run from 1 to 8"),
        ("Ra1-h1", "Ra1-h1", "`Ra-h1`"),
        ("a1-h8", "a1-h8", "`a-h1-8`"),
        ("h8-a1", "h8-a1", "`a-h1-8`"),
        ("[RN]b1-b8", "[RN]b1-b8", "`[RN]b1-8`"),
        ("R[a1, h1]", "R[a1, h1]", "`R[a1,h1]`"),
        ("[a1, h1]", "[a1, h1]", "`[a1,h1]`"),
        ("[a1,]", "[a1,]", "`[a1]`"),
        ("[R,N]", "[R,N]", "`[RN]`"),
        ("[R N]", "[R N]", "`[RN]`"),
        ("[RQ, k]", "[RQ, k]", "`[RQk]`"),
        ("[♖ ♕]", "[♖ ♕]", "`[♖♕]`"),
        ("[R,a1]", "[R,a1]", "either pieces or squares"),
        ("[q♖]", "[q♖]", "do not mix"),
        ("[♖q]", "♖", "do not mix"),
        ("♖q", "♖", "do not mix"),
        ("♖attacks k", "♖", "put a space before `attacks`"),
        ("♖[a1, h1]", "♖", "without spaces"),
        ("♖♘♖", "♖♘♖", "♖ is repeated"),
        ("◭△", "◭△", "△ is repeated"),
        ("▲◭", "▲◭", "◭ is repeated"),
    ]);
}
