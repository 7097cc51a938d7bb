//! Words that are no words of the language, and what they stand for: those of chess, of older versions of CQL, and of other
//! programs.

use super::super::designator::{is_designator_word, is_piece_letter, looks_like_square};

/// What was probably meant by a word.
pub(crate) struct Word {
    /// The advice.
    pub(crate) says: String,
    /// What may stand in the place of the word, the best first. May be empty.
    pub(crate) instead: Vec<String>,
}

const PIECES: &str = "pieces are letters, capitals for White: `R` is a white rook, `r` a black one";

/// Words in small letters, what stands for each, the best first, and the advice. Without advice it is what stands first.
const WORDS: &[(&[&str], &[&str], &str)] = &[
    // Mates and checks.
    (
        &[
            "checkmate",
            "checkmated",
            "mated",
            "mates",
            "ischeckmate",
            "is_checkmate",
            "matein",
            "checkmates",
        ],
        &["mate"],
        "",
    ),
    (
        &["incheck", "in_check", "ischeck", "is_check", "checks", "kingincheck"],
        &["check"],
        "",
    ),
    (
        &["isstalemate", "is_stalemate", "stalemated", "pat", "patt"],
        &["stalemate"],
        "",
    ),
    (
        &["doublecheck"],
        &["#(A attacks k)>=2", "#(a attacks K)>=2"],
        "a king in double check is attacked by two pieces",
    ),
    (
        &["smotheredmate", "backrankmate"],
        &["mate"],
        "the library has a query for it: `skewer library --find mate`",
    ),
    // The side to move.
    (
        &["whitetomove", "white_to_move", "whitemoves", "whiteturn"],
        &["wtm"],
        "",
    ),
    (
        &["blacktomove", "black_to_move", "blackmoves", "blackturn"],
        &["btm"],
        "",
    ),
    (
        &["turn", "tomove", "side", "side_to_move", "stm"],
        &["sidetomove"],
        "the side to move is the number `sidetomove`, or one of the filters `wtm` and `btm`",
    ),
    // Moves.
    (
        &["castled", "castles", "castling"],
        &["castle"],
        "castling is `o-o`, `o-o-o` or, on either side, `castle`",
    ),
    (
        &[
            "kingside",
            "shortcastle",
            "castlekingside",
            "kingsidecastle",
            "castlingshort",
            "oo",
        ],
        &["o-o"],
        "",
    ),
    (
        &[
            "queenside",
            "longcastle",
            "castlequeenside",
            "queensidecastle",
            "castlinglong",
            "ooo",
        ],
        &["o-o-o"],
        "",
    ),
    (
        &["o"],
        &["o-o", "o-o-o"],
        "castling is written with small letters: `o-o`, `o-o-o`",
    ),
    (
        &["promotion", "promotes", "promoted", "ispromotion", "promotionmove"],
        &["--=[QRBNqrbn]"],
        "a promotion is written `--=Q` or `move promote Q`",
    ),
    (
        &["takes", "iscapture", "is_capture", "capturemove", "taking"],
        &["[x]"],
        "a capture is written `R[x]q`, any capture `[x]`",
    ),
    (&["ep", "enpassent", "en_passant", "is_en_passant"], &["enpassant"], ""),
    (&["epsquare", "ep_square"], &["enpassantsquare"], ""),
    (&["nomove"], &["nullmove"], ""),
    (
        &["evaluation", "score", "centipawns", "enginescore", "cp"],
        &["eval"],
        "the evaluation in a comment is `eval`, in centipawns",
    ),
    (
        &["timeleft", "time_left", "clk", "remaining", "remainingtime"],
        &["clock"],
        "what is left on the clock is `clock`, in tenths of a second",
    ),
    (
        &["timespent", "time_spent", "emt", "movetime", "thinkingtime"],
        &["elapsed"],
        "how long a move took is `elapsed`, in tenths of a second",
    ),
    (
        &["zobrist", "zobristhash", "polyglotkey", "poskey"],
        &["zobristkey"],
        "",
    ),
    (&["egtb", "syzygy", "intablebase", "tb"], &["tablebase"], ""),
    (
        &["fiftymove", "fiftymoverule", "fiftymoves", "rule50"],
        &["halfmoveclock>=100"],
        "plies without a capture or a pawn's move are `halfmoveclock`",
    ),
    (&["current_fen", "getfen", "epd"], &["currentfen"], ""),
    (
        &["zugzwang", "reciprocalzugzwang", "mutual_zugzwang"],
        &["mutualzugzwang()"],
        "of both sides, by the tablebases, it is `mutualzugzwang()`; for more, `skewer library --find zugzwang`",
    ),
    (
        &["numberofmoves", "movecount", "mobility", "legalmoves", "legal_moves"],
        &["countmoves legal --"],
        "legal moves are counted by `countmoves legal --`",
    ),
    // Pieces and squares.
    (&["king", "kings"], &["[Kk]"], PIECES),
    (&["queen", "queens"], &["[Qq]"], PIECES),
    (&["rook", "rooks", "tower"], &["[Rr]"], PIECES),
    (&["bishop", "bishops"], &["[Bb]"], PIECES),
    (&["knight", "knights", "horse"], &["[Nn]"], PIECES),
    (&["pawn", "pawns"], &["[Pp]"], PIECES),
    (
        &["pinned", "pins", "ispinned", "is_pinned"],
        &["pin"],
        "`pin` names its parts: `pin from R through n to k`",
    ),
    (&["isolani", "isolatedpawn"], &["isolatedpawns"], ""),
    (&["doubledpawn", "doublepawn", "doublepawns"], &["doubledpawns"], ""),
    (&["passedpawn", "passer", "passers", "freepawn"], &["passedpawns"], ""),
    (&["connectedpawn"], &["connectedpawns"], ""),
    (
        &[
            "defends",
            "protects",
            "guards",
            "covers",
            "controls",
            "hits",
            "attacking",
            "threatens",
        ],
        &["attacks"],
        "`attacks` stands between two sets of either side: `R attacks k`",
    ),
    (
        &[
            "isattacked",
            "is_attacked",
            "attackers",
            "defendedby",
            "protectedby",
            "guardedby",
            "attacked_by",
        ],
        &["attackedby"],
        "`attackedby` stands between two sets: `k attackedby R`",
    ),
    (
        &["material", "materialvalue"],
        &["power A", "power a"],
        "material is `power`, which adds up the pieces of a set",
    ),
    (
        &[
            "materialdifference",
            "materialbalance",
            "materialdiff",
            "powerdifference",
            "imbalance",
        ],
        &["power A - power a"],
        "",
    ),
    (
        &["piececount", "piece_count", "numpieces", "numberofpieces", "pieces"],
        &["#[Aa]"],
        "the size of a set S is `#S`",
    ),
    (&["countsquares"], &["#"], "write `#S`"),
    (&["whitepieces"], &["A"], ""),
    (&["blackpieces"], &["a"], ""),
    (&["empty", "emptysquare", "emptysquares"], &["_"], ""),
    (
        &["squares", "board", "allsquares", "anysquare"],
        &["."],
        "`.` is the set of all squares",
    ),
    (&["anypiece", "allpieces", "occupied"], &["[Aa]"], ""),
    (&["lightsquares", "lightsquare", "whitesquares"], &["light ."], ""),
    (&["darksquares", "darksquare", "blacksquares"], &["dark ."], ""),
    (
        &["samecolor", "oppositecolor"],
        &["colortype"],
        "`colortype S` is the kind and side of a piece as a number",
    ),
    (&["orthogonals", "straight"], &["orthogonal"], ""),
    (&["diagonals"], &["diagonal"], ""),
    (
        &["on"],
        &["&"],
        "write `&` for the pieces of a set on the squares of another",
    ),
    (&["u"], &["."], "write `.` for all squares, `[Aa]` for any piece"),
    // The game and its tree.
    (
        &[
            "start",
            "startpos",
            "startposition",
            "startingposition",
            "initialboard",
            "firstposition",
        ],
        &["initial"],
        "",
    ),
    (
        &[
            "end",
            "endposition",
            "gameend",
            "gameover",
            "isgameover",
            "lastmove",
            "finalposition",
            "final",
            "endofgame",
        ],
        &["terminal"],
        "",
    ),
    (
        &[
            "moveno",
            "move_number",
            "fullmove",
            "fullmovenumber",
            "fullmoves",
            "movenum",
        ],
        &["movenumber"],
        "",
    ),
    (
        &["halfmove", "halfmoves", "plies", "plycount", "ply_count", "plynumber"],
        &["ply"],
        "",
    ),
    (&["isvariation", "sideline", "invariation"], &["variation"], ""),
    (&["ismainline", "mainvariation"], &["mainline"], ""),
    (
        &["prev", "previousposition", "last"],
        &["parent"],
        "the position before is `parent`: `parent:check`",
    ),
    (
        &["next", "nextposition", "after"],
        &["child"],
        "the next position is `child`: `child:mate`",
    ),
    (&["current", "thisposition", "currentpos"], &["currentposition"], ""),
    (
        &["sequence"],
        &[],
        "positions and moves that follow each other are a `path` or a `line`",
    ),
    (&["gameno", "game_number", "gameid", "gamenum"], &["gamenumber"], ""),
    // Tags.
    (
        &["whiteelo", "white_elo", "elowhite", "whiterating"],
        &["elo white"],
        "",
    ),
    (
        &["blackelo", "black_elo", "eloblack", "blackrating"],
        &["elo black"],
        "",
    ),
    (
        &["rating", "averageelo", "avgelo", "minelo", "maxelo"],
        &["elo"],
        "`elo` is the higher of the two ratings, `elo white` and `elo black` those of a side",
    ),
    (&["whiteplayer", "white_player", "whitename"], &["player white"], ""),
    (&["blackplayer", "black_player", "blackname"], &["player black"], ""),
    (&["players", "playername"], &["player"], ""),
    (&["whitewins", "whitewon", "whitewin", "won"], &["result 1-0"], ""),
    (&["blackwins", "blackwon", "blackwin", "lost"], &["result 0-1"], ""),
    (
        &["draw", "draws", "drawn", "isdraw", "remis", "tie"],
        &["result 1/2-1/2"],
        "",
    ),
    (
        &["win", "wins", "winner", "loss", "loses"],
        &["result 1-0", "result 0-1"],
        "White has won where `result 1-0` matches, Black where `result 0-1` does",
    ),
    (&["tournament", "eventname"], &["event"], ""),
    (&["ecocode"], &["eco"], ""),
    (
        &["opening", "openingname"],
        &["tag \"Opening\""],
        "any tag is a text: `\"Sicilian\" in tag \"Opening\"`",
    ),
    (
        &["annotator"],
        &["tag \"Annotator\""],
        "any tag is a text: `tag \"Annotator\"`",
    ),
    (
        &["termination"],
        &["tag \"Termination\""],
        "any tag is a text: `tag \"Termination\"`",
    ),
    // Transforms and rays.
    (&["rayorthogonal"], &["ray orthogonal"], ""),
    (&["raydiagonal"], &["ray diagonal"], ""),
    (&["rayattack", "rayattacks", "xrayed"], &["xray"], ""),
    (&["boardequals", "sameposition"], &["similarposition"], ""),
    (&["rotate180"], &["rotate90"], "`rotate90` and `flip` contain it"),
    (&["flipdiagonal"], &["flip"], "`rotate90` and `flip` contain it"),
    (&["mirror", "fliph", "flip_horizontal"], &["fliphorizontal"], ""),
    (&["flipv", "flip_vertical"], &["flipvertical"], ""),
    (
        &["anycolor", "eithercolor", "bothcolors", "eitherside"],
        &["flipcolor"],
        "`flipcolor f` asks for f with the colours as they are or exchanged",
    ),
    (&["anyside"], &["flip"], "`flip f` asks for f in all mirror images"),
    (&["shifted"], &["shift"], ""),
    // Other languages.
    (&["elif", "elsif"], &["else if"], ""),
    (&["elseif"], &["else if"], ""),
    (
        &["endif", "end_if", "fi"],
        &[""],
        "an `if` has no end: each of its parts is one filter",
    ),
    (&["otherwise"], &["else"], ""),
    (
        &["print", "printf", "println", "output_text", "log", "write"],
        &["message"],
        "`message(…)` writes to the terminal, `comment(…)` into the game",
    ),
    (
        &["exists", "contains", "has"],
        &[""],
        "a set matches where it is not empty",
    ),
    (
        &["forall", "every"],
        &["[forall]"],
        "`[forall]x[element]S f` asks whether f holds for all squares of S",
    ),
    (
        &["fork", "forks", "forked"],
        &[],
        "a fork is a piece that attacks several others: `#([qr] attackedby N)>=2`",
    ),
    (
        &["sacrifice", "trapped", "hanging", "opposition", "outpost"],
        &[],
        "no filter says this alone; the library may have a query for it: `skewer library --find WORD`",
    ),
];

/// What was probably meant by a name that nothing declares: by one that looks like a piece designator, or by a word of chess, of
/// older versions of the language or of other languages. `None` if it looks like none of them.
pub(crate) fn meant_by(name: &str) -> Option<Word> {
    if name.chars().count() > 1 && name.chars().all(is_piece_letter) {
        let list = format!("[{name}]");
        return Some(Word {
            says: format!("several kinds of pieces are listed in brackets: `{list}`"),
            instead: vec![list],
        });
    }
    if looks_like_square(name) {
        return Some(square(name));
    }
    let lower = name.to_ascii_lowercase();
    let (_, instead, says) = WORDS.iter().find(|(names, ..)| names.contains(&&*lower))?;
    let says = match (*says, instead) {
        ("", [first, ..]) => format!("write `{first}`"),
        (says, _) => says.replace("WORD", &lower),
    };
    let instead = instead.iter().map(|text| (*text).to_owned()).collect();
    Some(Word { says, instead })
}

/// The words for which [`meant_by`] knows others, as far as they are long enough to be recognised where they are misspelt.
pub(crate) fn known_words() -> impl Iterator<Item = &'static str> {
    let names = WORDS.iter().flat_map(|(names, ..)| names.iter().copied());
    names.filter(|name| name.len() > 4)
}

/// A square in capitals, or one that does not exist.
fn square(name: &str) -> Word {
    let (piece, square) = name.split_at(name.len().saturating_sub(2));
    let small = format!("{piece}{}", square.to_ascii_lowercase());
    Word {
        says: "squares are a letter from a to h, in lower case, and a digit from 1 to 8: `e4`, `Re4`".to_owned(),
        instead: if is_designator_word(&small) {
            vec![small]
        } else {
            Vec::new()
        },
    }
}

/// Words of chess and of other languages for which there is another one here, with what stands for them.
#[cfg(test)]
pub(crate) fn all() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    WORDS
        .iter()
        .flat_map(|(names, instead, _)| names.iter().map(|name| (*name, *instead)))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::syntax::reserved_words;

    #[test]
    fn names_that_look_like_designators_get_advice() {
        for name in ["QR", "kk", "RNB", "E4", "Na9", "a9", "i1", "b12", "Rh9", "lightsquares"] {
            assert!(meant_by(name).is_some(), "{name}");
        }
        for name in ["x", "x1", "kin", "t0", "counter", "é4"] {
            assert!(meant_by(name).is_none(), "{name}");
        }
        for (name, instead) in [("E4", Some("e4")), ("RE4", Some("Re4")), ("a9", None), ("Na12", None)] {
            let meant = meant_by(name).expect("it looks like a square").instead;
            assert_eq!(meant.first().map(String::as_str), instead, "{name}");
        }
    }

    #[test]
    fn each_word_is_in_one_row_and_none_is_a_word_of_the_language() {
        let mut seen: HashSet<&str> = HashSet::new();
        for (name, _) in all() {
            assert!(seen.insert(name), "{name} is there twice");
            assert!(!reserved_words().any(|word| word == name), "{name}");
        }
    }
}
