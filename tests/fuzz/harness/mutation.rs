//! Inputs made from others: pieces are exchanged, repeated, removed, or replaced by words of the language.

use fastrand::Rng;

/// Reads numbers off the bytes of an input.
pub struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    /// Creates a reader that starts at the first byte.
    pub fn new(bytes: &'a [u8]) -> Bytes<'a> {
        Bytes(bytes)
    }

    /// Returns the next byte, or `None` at the end.
    pub fn byte(&mut self) -> Option<u8> {
        let (byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*byte)
    }

    /// Returns a number below `limit`, read from the next four bytes. Returns `None` at the end, or if `limit` is 0.
    pub fn below(&mut self, limit: usize) -> Option<usize> {
        let (bytes, rest) = self.0.split_first_chunk::<4>()?;
        self.0 = rest;
        (u32::from_le_bytes(*bytes) as usize).checked_rem(limit)
    }

    /// Damages a file as the next bytes say: flips bits, replaces bytes, removes, repeats or moves pieces. Returns whether there
    /// were enough bytes to do so.
    pub fn damage(&mut self, file: &mut Vec<u8>) -> bool {
        let Some(what) = self.byte() else { return false };
        let Some(at) = self.below(file.len()) else { return false };
        let value = self.byte().unwrap_or(0);
        let length = 1 + usize::from(value) % 32;
        let end = file.len().min(at + length);
        match what % 8 {
            0 | 1 => file[at] ^= 1 << (value % 8),
            2 => file[at] = value,
            3 => file[at..end].fill(0),
            4 => file[at..end].fill(0xff),
            5 => drop(file.drain(at..end)),
            6 => {
                let piece = file[at..end].to_vec();
                file.splice(at..at, piece);
            }
            _ => file.truncate(at),
        }
        true
    }
}

/// The words and signs of queries, including some frequent mistakes.
const QUERY_WORDS: &[&str] = &[
    "--",
    "->",
    "<-",
    "[x]",
    "==",
    "!=",
    "<=",
    ">=",
    "<",
    ">",
    "=",
    "+=",
    "+",
    "*",
    "/",
    "%",
    "&",
    "|",
    "~",
    "#",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ":",
    ".",
    ",",
    "~~",
    "?",
    "!",
    "_",
    "∅",
    "≤",
    "≠",
    "→",
    "←",
    "∪",
    "∩",
    "∀",
    "∊",
    "▦",
    "⊢",
    "――",
    "♔",
    "♖",
    "♞",
    "△",
    "▲",
    "[Aa]",
    "\\1",
    "\\n",
    "{2,}",
    "{,3}",
    "{2,4}",
    "o-o",
    "///",
    "/*",
    "*/",
    "//",
    "//? match \"8/8/8/8/8/8/8/8 w\"\n",
    "\n",
    " ",
    "=Q",
    "e.p.",
    "K",
    "k",
    "R",
    "r",
    "A",
    "a",
    "a1",
    "a-h1-8",
    "[RQ]a-h1",
    "d-e4-5",
    "\"\"",
    "\"(a+)+$\"",
    "\"[a-z]*\\b(.)\\1\"",
    "0",
    "1",
    "-1",
    "63",
    "100",
    "2147483647",
    "2147483648",
    "99999999999999999999",
    "1 10",
    " piece x in A ",
    " square s in a-h1-8 ",
    " find ",
    " find all ",
    " sort \"t\" ",
    " line --> ",
    " path ",
    " path focus A ",
    " echo (s t) ",
    " consecutivemoves (s t) ",
    " dictionary D ",
    " D[ply]=1 ",
    " function f(x y) { ",
    " f(R a) ",
    " persistent z=0 ",
    " z+=1 ",
    " while (n<5) {n+=1} ",
    " loop {n+=1 n<7} ",
    " if check then ",
    " else ",
    " flip {",
    " flipcolor {",
    " shift {",
    " rotate90 {",
    " flip count {",
    " comment(ply) ",
    " message(fen) ",
    " str(A ply) ",
    " settag(\"X\" str(ply)) ",
    " x=A ",
    " st=fen ",
    " st+=st ",
    " p1=currentposition ",
    " parent:",
    " child:",
    " xray (A a k) ",
    " ray (A a .) ",
    " pin ",
    " skewer(A k q) ",
    " battery(A) ",
    " legal -- ",
    " pseudolegal -- ",
    " --(check) ",
    " A[x]a ",
    " currentmove ",
    " A->a ",
    " #A ",
    " power A ",
    " up 1 ",
    " between (A a) ",
    " max(ply 3) ",
    " int \"7\" ",
    " indexof(\"a\" fen) ",
    " fen[1:3] ",
    " lca(currentposition initialposition) ",
    " keepallbest ",
    " nestban ",
    " piecepath ",
    " pathcount ",
    " primary ",
    " type A ",
    " pieceid A ",
    " unbind n ",
    " isbound n ",
    " assert ",
    " currenttransform ",
    " hhdb ",
    " date ",
    " year ",
    " elo ",
    " player \"a\" ",
    " tag \"White\" ",
    "cql(",
    " cql(variations) ",
    " cql(matchcount 2 100) ",
    " removecomment ",
    " originalcomment ",
    " not ",
    " or ",
    " and ",
    " in ",
    " mate ",
    " check ",
    " stalemate ",
    " terminal ",
    " true ",
    " false ",
    " ply ",
    " movenumber ",
];

/// Brackets to put around a piece of a query.
const QUERY_BRACKETS: &[(&str, &str)] = &[
    ("{", "}"),
    ("(", ")"),
    (" not {", "}"),
    (" find {", "}"),
    (" flip {", "}"),
    (" shift {", "}"),
    (" comment(", ")"),
    (" path(", ")"),
    (" --(", ")"),
    (" #(", ")"),
    (" max(", " 1)"),
    (" if ", " then "),
    (" sort \"s\" (", ")"),
    ("[", "]"),
    (" str(", ")"),
    (" parent:{", "}"),
    (" piece q7 in (", ") {q7}"),
];

/// The words and signs of PGN, including some frequent mistakes.
const PGN_WORDS: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "\"",
    "\\",
    "\\\"",
    "%",
    "\n%",
    ";",
    "$1",
    "$999999999999",
    "*",
    "1-0",
    "0-1",
    "1/2-1/2",
    "1/2",
    "½-½",
    "\n",
    "\r",
    "\r\n",
    "\n\n",
    "\0",
    "\u{1}",
    "\u{2}",
    "\u{3}",
    "\u{feff}",
    "\u{85}",
    "\u{a0}",
    "--",
    "Z0",
    "null",
    "@@@@",
    "0-0",
    "O-O",
    "O-O-O+",
    "О-О",
    "O–O",
    "e2e4",
    "e2-e4",
    "Ng1f3",
    "e7e8q",
    "e8=Q",
    "e8(Q)",
    "bxa8=N+!!",
    "e.p.",
    "P@e4",
    "1.",
    "1...",
    "17.",
    "99999999999999999999.",
    "e4",
    "Nf3",
    "Nbd2",
    "Qh5#",
    "♘f3",
    "Sf3",
    "Tf1",
    "Dd4",
    "Pf6",
    "Лd1",
    "nf3",
    "+",
    "#",
    "!",
    "?!",
    "+-",
    "±",
    "‼",
    "D",
    "N",
    "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]",
    "[FEN \"\"]",
    "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1\"]",
    "[FEN \"bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1\"]",
    "[FEN \"4k3/8/8/8/8/8/8/4K2R w H - 0 1\"]",
    "[SetUp \"1\"]",
    "[Variant \"Chess960\"]",
    "[Variant \"atomic\"]",
    "[Variant \"crazyhouse\"]",
    "[Variant \"xyz\"]",
    "[Result \"1-0\"]",
    "[White \"",
    "[X]",
    "[ ]",
    "[\"a\"]",
    "[White \"a\" \"b\"]",
    "[Event \"x",
    "[WhiteTitle \"GM\"] [White \"Carlsen, M\"]",
    "[%clk 0:01:00]",
    "{[%eval #-3]}",
    "{[%clk 0:01:00]} {[%emt 3]}",
    "<",
    ">",
    "<12>",
    "()",
    "(1. e4",
    "(1... e5)",
    "{unclosed",
    ";comment",
    "%escape",
];

/// How to mutate a kind of text.
#[derive(Clone, Copy)]
pub struct Language {
    words: &'static [&'static str],
    brackets: &'static [(&'static str, &'static str)],
    /// The maximum length of a mutation, in bytes.
    limit: usize,
}

/// The language of queries.
pub const QUERY: Language = Language {
    words: QUERY_WORDS,
    brackets: QUERY_BRACKETS,
    limit: 6_000,
};

/// The language of PGN files.
pub const PGN: Language = Language {
    words: PGN_WORDS,
    brackets: &[("{", "}"), ("(", ")"), ("[", "]"), ("{{", "}}"), ("[White \"", "\"]")],
    limit: 8_000,
};

/// The language of lists and tables of positions.
pub const POSITIONS: Language = Language {
    words: &[
        "FEN",
        "fen",
        "Moves",
        ",",
        ";",
        "\t",
        "\n",
        "\r",
        "\"",
        ":",
        "null",
        "1e9",
        "-1",
        "cp",
        "mate",
        "depth",
        "evals",
        "pvs",
        "line",
        "movetext",
        "Result",
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "w",
        "-",
        "e1g1",
        "O-O",
        "\\u0000",
        "\u{feff}",
        "{}",
        "[]",
    ],
    brackets: &[("{", "}"), ("[", "]"), ("\"", "\""), ("{\"fen\":\"", "\"}")],
    limit: 8_000,
};

/// Bytes without a language.
pub const BYTES: Language = Language {
    words: &["\0", "\u{1}", "\u{7f}", "PAR1", "\u{0}\u{0}\u{0}\u{0}"],
    brackets: &[],
    limit: 1 << 16,
};

impl Language {
    /// Mutates `text` in a few steps, which may use pieces of `others`.
    pub fn mutate(self, text: &[u8], others: &[Vec<u8>], random: &mut Rng) -> Vec<u8> {
        let mut pieces = self.pieces(text);
        let mut steps = 1;
        while steps < 8 && random.bool() {
            steps += 1;
        }
        for _ in 0..steps {
            self.step(&mut pieces, others, random);
        }
        let mut text = pieces.concat();
        if random.u8(..12) == 0 {
            damage(&mut text, random);
        }
        text.truncate(self.limit);
        text
    }

    /// Splits a text into words, spaces and signs, or into single bytes if there is no language.
    fn pieces(self, text: &[u8]) -> Vec<Vec<u8>> {
        if self.brackets.is_empty() {
            return text.iter().map(|byte| vec![*byte]).collect();
        }
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
        let kind = |byte: &u8| match byte {
            byte if is_word(byte) => 0,
            byte if byte.is_ascii_whitespace() => 1,
            // Each sign is a piece of its own.
            _ => 2,
        };
        let same = |left: &u8, right: &u8| kind(left) == kind(right) && kind(left) < 2;
        text.chunk_by(same).map(<[u8]>::to_vec).collect()
    }

    fn word(self, random: &mut Rng) -> Vec<u8> {
        let word = random.choice(self.words).copied().unwrap_or_default();
        word.as_bytes().to_vec()
    }

    fn step(self, pieces: &mut Vec<Vec<u8>>, others: &[Vec<u8>], random: &mut Rng) {
        if pieces.is_empty() {
            pieces.push(self.word(random));
            return;
        }
        let here = random.usize(..pieces.len());
        let range = here..here + length(pieces.len() - here, random);
        match random.u8(..10) {
            0 => drop(pieces.drain(range)),
            1 => {
                let copy = pieces[range].to_vec();
                let there = random.usize(..=pieces.len());
                pieces.splice(there..there, copy);
            }
            2 => {
                let there = random.usize(..pieces.len());
                pieces.swap(here, there);
            }
            3 => pieces[here] = self.word(random),
            4 | 5 => pieces.insert(here, self.word(random)),
            6 | 7 => {
                let Some(other) = random.choice(others) else { return };
                let other = self.pieces(other);
                if other.is_empty() {
                    return;
                }
                let from = random.usize(..other.len());
                let to = from + length(other.len() - from, random);
                let end = if random.bool() { here } else { range.end };
                pieces.splice(here..end, other[from..to].iter().cloned());
            }
            8 => {
                let Some((open, close)) = random.choice(self.brackets).copied() else {
                    return;
                };
                pieces.insert(range.end, close.as_bytes().to_vec());
                pieces.insert(range.start, open.as_bytes().to_vec());
            }
            _ => {
                let times = random.usize(1..4);
                let copies = (0..times).flat_map(|_| pieces[range.clone()].to_vec());
                let copies: Vec<_> = copies.collect();
                pieces.splice(range.end..range.end, copies);
            }
        }
        pieces.truncate(self.limit);
    }
}

/// Returns a length from 1 to `most`, usually a small one. `most` is at least 1.
fn length(most: usize, random: &mut Rng) -> usize {
    let most = if random.u8(..4) == 0 { most } else { most.min(6) };
    random.usize(1..=most)
}

/// Changes single bytes of a text.
fn damage(text: &mut Vec<u8>, random: &mut Rng) {
    const ODD: &[&[u8]] = &[
        b"\xff",
        b"\xc3",
        b"\xed\xa0\x80",
        b"\0",
        b"\x1a",
        b"\xef\xbb\xbf",
        b"\r",
        b"\xe2\x80",
        b"\x0b",
        b"\x0c",
    ];
    for _ in 0..random.usize(1..4) {
        if text.is_empty() {
            return;
        }
        let (here, there) = (random.usize(..text.len()), random.usize(..text.len()));
        match random.u8(..5) {
            0 => text[here] ^= 1 << random.u8(..8),
            1 => text[here] = random.u8(..),
            2 => text.swap(here, there),
            3 => text.truncate(here),
            _ => {
                let odd = random.choice(ODD).copied().unwrap_or_default();
                text.splice(here..here, odd.iter().copied());
            }
        }
    }
}
