//! The words beyond CQL 6.2: what is tried, tablebases, evaluations and clocks, studies; and what chess programs call them.

use super::super::token::Span;
use super::pattern::{Piece, take};
use super::{Candidate, Slip, Text, slip};

const ALONE: &str = "it stands by itself, without parentheses";
const CALLED: &str = "functions of the prelude stand in front of parentheses";
const TRIED: &str = "what holds after a move stands in parentheses that touch it: `legal --(mate)`";
const COUNTED: &str = "moves that are tried are counted by `countmoves legal --(mate)`";
const EVERY: &str =
    "what holds after every move stands after a colon: `move legal all:check`; a comparison stands in braces";
const THREAT: &str = "what the other side could do if it were to move stands in `pass( … )`";
const WITHOUT: &str = "the board without some pieces is asked by `without(S F)`";
const MATE_IN: &str = "a mate is tried move by move: in one it is `legal --(mate)`, in two all answers are tried, too, and three take long; a mate that was played is `line --> .{5} --> mate`";
const CENTIPAWNS: &str = "`eval` is in centipawns; a mate in n moves is 100000-n, for Black -100000+n";
const NAG: &str = "`nag` takes the number of one symbol: `nag 4` is `??`";
const TENTHS: &str = "`clock` and `elapsed` are tenths of a second";
const CONTROL: &str =
    "`timecontrol` is the text of the tag; its numbers are `timecontrol base` and `timecontrol increment`, in seconds";
const WORTH: &str = "`wdl` is 2 for a win of the side to move, 0 for a draw, -2 for a loss";
const NO_MATE: &str = "tables of Syzygy do not count moves to mate; `dtz` is plies to the next capture or pawn's move";
const TOURNEY: &str =
    "of studies, `hhdb tourney_name` is a text, `hhdb tourney_year` and `hhdb tourney_edition` are numbers";
const REPLACE: &str = "`replace` takes three texts in parentheses, without commas";
const PYTHON: &str = "filters ask the current position; there is no `board`";
const RANGE: &str = "a range of numbers is a comparison: `100<=eval<=200`";

pub(super) const SLIPS: &[Slip] = &[
    // Evaluations and judgements.
    slip("eval == mate", &["eval>90000", "eval < -90000"], CENTIPAWNS),
    slip("eval = mate", &["eval>90000", "eval < -90000"], CENTIPAWNS),
    slip("eval COMPARE + NUMBER", &["eval$2$400", "eval$2$4"], CENTIPAWNS),
    slip("eval between NUMBER and NUMBER", &["$3<=eval<=$5"], RANGE),
    slip("eval NUMBER NUMBER", &["$2<=eval<=$3"], RANGE),
    slip("eval in NUMBER DOTS NUMBER", &["$3<=eval<=$5"], RANGE),
    slip("nag ( NUMBER )", &["nag $3"], NAG),
    slip("nag == NUMBER", &["nag $3"], NAG),
    slip("nag = NUMBER", &["nag $3"], NAG),
    slip("nag NUMBER , NUMBER", &["(nag $2 or nag $4)"], NAG),
    slip("nag NUMBER NUMBER", &["(nag $2 or nag $3)"], NAG),
    slip("nag ? ?", &["nag 4"], NAG),
    slip("nag ?", &["nag 2"], NAG),
    slip("blunder ( )", &["blunder"], ALONE),
    slip("mistake ( )", &["mistake"], ALONE),
    slip("inaccuracy ( )", &["inaccuracy"], ALONE),
    slip("tablebase ( )", &["tablebase"], ALONE),
    slip("legalposition ( )", &["legalposition"], ALONE),
    slip("currentfen ( )", &["currentfen"], ALONE),
    slip("zobristkey ( )", &["zobristkey"], ALONE),
    slip("halfmoveclock ( )", &["halfmoveclock"], ALONE),
    slip("promotedpieces ( )", &["promotedpieces"], ALONE),
    slip("eval ( )", &["eval"], ALONE),
    slip("clock ( )", &["clock"], ALONE),
    slip("elapsed ( )", &["elapsed"], ALONE),
    slip("wdl ( )", &["wdl"], ALONE),
    slip("dtz ( )", &["dtz"], ALONE),
    // Time controls.
    slip("timecontrol == NUMBER + NUMBER", &["timecontrol == \"$3+$5\""], CONTROL),
    slip("timecontrol = NUMBER + NUMBER", &["timecontrol == \"$3+$5\""], CONTROL),
    slip("timecontrol NUMBER + NUMBER", &["timecontrol == \"$2+$4\""], CONTROL),
    slip("timecontrol STRING", &["timecontrol == $2"], CONTROL),
    slip("timecontrol . base", &["timecontrol base"], CONTROL),
    slip("timecontrol . increment", &["timecontrol increment"], CONTROL),
    slip("timecontrol COMPARE NUMBER", &["timecontrol base$2$3"], CONTROL),
    slip("timecontrol bullet", &["timecontrol base<180"], CONTROL),
    slip("timecontrol blitz", &["180<=timecontrol base<480"], CONTROL),
    slip("timecontrol rapid", &["480<=timecontrol base<1500"], CONTROL),
    slip("timecontrol classical", &["timecontrol base>=1500"], CONTROL),
    slip("increment COMPARE NUMBER", &["timecontrol increment$2$3"], CONTROL),
    // Tablebases.
    slip("wdl == win", &["wdl==2"], WORTH),
    slip("wdl == draw", &["wdl==0"], WORTH),
    slip("wdl == loss", &["wdl==-2"], WORTH),
    slip("wdl == STRING", &["wdl==2", "wdl==0", "wdl==-2"], WORTH),
    slip("tablebase == win", &["wdl==2"], WORTH),
    slip("tablebase == draw", &["wdl==0"], WORTH),
    slip("tablebase == loss", &["wdl==-2"], WORTH),
    slip("tablebase win", &["wdl==2"], WORTH),
    slip("tablebase draw", &["wdl==0"], WORTH),
    slip("tablebase loss", &["wdl==-2"], WORTH),
    slip("tablebase ( win )", &["wdl==2"], WORTH),
    slip("tablebase ( draw )", &["wdl==0"], WORTH),
    slip("tablebase ( loss )", &["wdl==-2"], WORTH),
    slip("dtm", &["dtz"], NO_MATE),
    slip("mutual zugzwang", &["mutualzugzwang()"], CALLED),
    slip("reciprocal zugzwang", &["mutualzugzwang()"], CALLED),
    slip("only move", &["onlymove()"], CALLED),
    slip("time trouble", &["timetrouble()"], CALLED),
    slip("missed win", &["missedwin()"], CALLED),
    // What if.
    slip("legal --> GROUP", &["legal --$3"], TRIED),
    slip("legal -> GROUP", &["legal --$3"], TRIED),
    slip("legal - GROUP", &["legal --$3"], TRIED),
    slip("legal moves GROUP", &["legal --$3"], TRIED),
    slip("legal move GROUP", &["legal --$3"], TRIED),
    slip("legalmoves GROUP", &["legal --$2"], TRIED),
    slip("legalmoves -- GROUP", &["legal --$3"], TRIED),
    slip("for move in legal : TERM", &["legal --($6)"], TRIED),
    slip("legalmove GROUP", &["legal --$2"], TRIED),
    slip("count legal -- GROUP", &["countmoves legal --$4"], COUNTED),
    slip("countmoves legal GROUP", &["countmoves legal --$3"], COUNTED),
    slip("legal count -- GROUP", &["countmoves legal --$4"], COUNTED),
    slip("all legal -- GROUP", &["move legal all:{%4}"], EVERY),
    slip("legal all -- GROUP", &["move legal all:{%4}"], EVERY),
    slip("every legal -- GROUP", &["move legal all:{%4}"], EVERY),
    slip(
        "move legal all : TERM COMPARE - NUMBER",
        &["move legal all:{$5 $6 -$8}"],
        EVERY,
    ),
    slip(
        "move legal all : TERM COMPARE NUMBER",
        &["move legal all:{$5 $6 $7}"],
        EVERY,
    ),
    slip("move legal : TERM COMPARE - NUMBER", &["move legal:{$4 $5 -$7}"], EVERY),
    slip("move legal : TERM COMPARE NUMBER", &["move legal:{$4 $5 $6}"], EVERY),
    slip("move legal all STATE", &["move legal all:$4"], EVERY),
    slip("legal GROUP", &["legal --$2"], TRIED),
    slip("pass legal -- GROUP", &["pass(legal --$4)"], THREAT),
    slip("pass : legal -- GROUP", &["pass(legal --$5)"], THREAT),
    slip("pass : TERM", &["pass($3)"], THREAT),
    slip("pass TERM", &["pass($2)"], THREAT),
    slip("passmove GROUP", &["pass$2"], THREAT),
    slip("null GROUP", &["pass$2"], THREAT),
    slip("threat of mate", &["pass(legal --(mate))"], THREAT),
    slip("threatens mate", &["pass(legal --(mate))"], THREAT),
    slip("threat GROUP", &["pass(legal --$2)"], THREAT),
    slip("threatens GROUP", &["pass(legal --$2)"], THREAT),
    slip("without ( TERM : MANY )", &["without($3 $5)"], WITHOUT),
    slip("without ( TERM ) : TERM", &["without($3 $6)"], WITHOUT),
    slip("without ( TERM ) TERM", &["without($3 $5)"], WITHOUT),
    slip("without PIECES TERM", &["without($2 $3)"], WITHOUT),
    slip("remove ( TERM , MANY )", &["without($3 $5)"], WITHOUT),
    slip("remove ( TERM MANY )", &["without($3 $4)"], WITHOUT),
    slip("removed ( TERM MANY )", &["without($3 $4)"], WITHOUT),
    // Texts, counters and studies.
    slip("legal position", &["legalposition"], "it is one word"),
    slip("promoted pieces", &["promotedpieces"], "it is one word"),
    slip("halfmove clock", &["halfmoveclock"], "it is one word"),
    slip("current fen", &["currentfen"], "it is one word"),
    slip("zobrist key", &["zobristkey"], "it is one word"),
    slip(
        "promoted PIECES",
        &["promotedpieces & $2"],
        "the pieces of a set that were pawns are `promotedpieces & Q`",
    ),
    slip("replace ( TERM , TERM , TERM )", &["replace (($3) $5 $7)"], REPLACE),
    slip("replace TERM STRING STRING", &["replace ($2 $3 $4)"], REPLACE),
    slip("hhdb tourney name", &["hhdb tourney_name"], TOURNEY),
    slip("hhdb tourney year", &["hhdb tourney_year"], TOURNEY),
    slip("hhdb tourney edition", &["hhdb tourney_edition"], TOURNEY),
    slip("hhdb tourney", &["hhdb tourney_name"], TOURNEY),
    slip("hhdb year", &["hhdb tourney_year"], TOURNEY),
    slip("hhdb edition", &["hhdb tourney_edition"], TOURNEY),
    slip(
        "hhdb distinction = STRING",
        &["hhdb distinction==$4"],
        "`=` assigns to a variable; to compare, write `==`",
    ),
    // python-chess.
    slip("board . is_checkmate ( )", &["mate"], PYTHON),
    slip("board . is_check ( )", &["check"], PYTHON),
    slip("board . is_stalemate ( )", &["stalemate"], PYTHON),
    slip("board . fen ( )", &["currentfen"], PYTHON),
    slip("board . halfmove_clock", &["halfmoveclock"], PYTHON),
    slip("board . legal_moves", &["legal --"], PYTHON),
    slip("board . turn", &["wtm"], PYTHON),
    // Records of Scoutfish.
    slip(
        "{ STRING : RESULT }",
        &["result $4"],
        "filters stand by themselves; there are no records",
    ),
];

/// What tables cannot calculate.
pub(super) fn candidates(text: &Text<'_>) -> Vec<Candidate> {
    let all = [evaluation, duration, symbol, key, mate_in, material, record];
    all.iter().filter_map(|find| find(text)).collect()
}

/// The first place where one of some patterns stands, with its elements, and what is made of these.
fn written(
    text: &Text<'_>,
    patterns: &[&str],
    says: &'static str,
    make: impl Fn(&[&str]) -> Option<String>,
) -> Option<Candidate> {
    patterns.iter().find_map(|pattern| {
        let found = text.first(pattern)?;
        let elements: Vec<&str> = found
            .elements
            .iter()
            .map(|span: &Span| text.source.slice(*span))
            .collect();
        Some(Candidate::new(found.span, make(&elements)?, says))
    })
}

/// `eval > 3.25`, with pawns instead of centipawns.
fn evaluation(text: &Text<'_>) -> Option<Candidate> {
    let patterns = [
        "eval COMPARE NUMBER . NUMBER",
        "eval COMPARE - NUMBER . NUMBER",
        "eval COMPARE + NUMBER . NUMBER",
    ];
    written(text, &patterns, CENTIPAWNS, |parts| {
        let (whole, part) = (parts[parts.len() - 3], parts[parts.len() - 1]);
        let cents = format!("{whole}{:0<2}", part.get(..2).unwrap_or(part));
        let cents: u32 = cents.parse().ok().filter(|cents| *cents < 90_000)?;
        let sign = if parts[2] == "-" { "-" } else { "" };
        Some(format!("eval {} {sign}{cents}", parts[1]))
    })
}

/// `clock < 0:30`, `elapsed > 10s`, `clock < "1:05"`.
fn duration(text: &Text<'_>) -> Option<Candidate> {
    let tenths = |colons: &str| {
        let seconds = colons.split(':').try_fold(0_u32, |sum, part| {
            let part: u32 = part.trim().parse().ok().filter(|part| *part < 10_000)?;
            Some(sum.min(10_000) * 60 + part)
        })?;
        Some(seconds * 10)
    };
    for word in ["clock", "elapsed"] {
        let clock = |rest: &str| format!("{word} COMPARE {rest}");
        let times = [
            clock("NUMBER : NUMBER : NUMBER"),
            clock("NUMBER : NUMBER"),
            clock("STRING"),
        ];
        let times = times.each_ref().map(String::as_str);
        let units = [clock("NUMBER NAME"), clock("NUMBER WORD")];
        let units = units.each_ref().map(String::as_str);
        let found = written(text, &times, TENTHS, |parts| {
            let time = parts[2..].concat();
            Some(format!("{word}{}{}", parts[1], tenths(time.trim_matches('"'))?))
        });
        let found = found.or_else(|| {
            written(text, &units, TENTHS, |parts| {
                let length = match parts[3].to_ascii_lowercase().as_str() {
                    "s" | "sec" | "secs" | "second" | "seconds" => 10,
                    "m" | "min" | "mins" | "minute" | "minutes" => 600,
                    _ => return None,
                };
                let number: u32 = parts[2].parse().ok().filter(|number| *number < 100_000)?;
                Some(format!("{word}{}{}", parts[1], number * length))
            })
        });
        if found.is_some() {
            return found;
        }
    }
    None
}

/// `nag "??"`, `nag $4`.
fn symbol(text: &Text<'_>) -> Option<Candidate> {
    written(text, &["nag STRING", "nag == STRING", "nag NAME"], NAG, |parts| {
        let symbol = parts.last()?.trim_matches('"');
        let number = match symbol {
            "!" => 1,
            "?" => 2,
            "!!" => 3,
            "??" => 4,
            "!?" => 5,
            "?!" => 6,
            _ => symbol.strip_prefix('$')?.parse::<u8>().ok()?,
        };
        Some(format!("nag {number}"))
    })
}

/// `zobristkey == 0x463b96181691fc9c`
fn key(text: &Text<'_>) -> Option<Candidate> {
    const SAYS: &str = "`zobristkey` is a text of 16 hexadecimal digits";
    let patterns = [
        "zobristkey == NAME",
        "zobristkey == NUMBER NAME",
        "zobristkey == STRING",
    ];
    written(text, &patterns, SAYS, |parts| {
        let digits = parts[2..].concat().trim_matches('"').to_ascii_lowercase();
        let digits = digits.strip_prefix("0x").unwrap_or(&digits);
        let fits = digits.len() == 16 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        fits.then(|| format!("zobristkey == \"{digits}\""))
    })
}

/// `mate in 2`, `matein2`, `#2`
fn mate_in(text: &Text<'_>) -> Option<Candidate> {
    const WORDS: [&str; 9] = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    /// Longer mates are only looked for among the moves that were played.
    const MOST_TRIED: usize = 3;
    let patterns = [
        "mate in NUMBER moves",
        "mate in NAME moves",
        "mate in NUMBER",
        "mate in NAME",
        "# NUMBER",
        "NAME",
    ];
    written(text, &patterns, MATE_IN, |parts| {
        let written = parts.get(2).or(parts.last())?.to_ascii_lowercase();
        let number = match parts {
            [_] => written
                .strip_prefix("matein")
                .or_else(|| written.strip_prefix("mate_in_"))?,
            ["#", number] => number,
            _ => &written,
        };
        let of_word = WORDS.iter().position(|word| *word == number);
        let moves = of_word.map_or_else(|| number.parse().ok(), |at| Some(at + 1))?;
        match moves {
            1..=MOST_TRIED => {
                let longer = |mate: String, _| format!("legal --({{legal -- move legal all:{mate}}})");
                Some((1..moves).fold("legal --(mate)".to_owned(), longer))
            }
            4..=100 => Some(format!("line --> .{{{}}} --> mate", 2 * moves - 1)),
            _ => None,
        }
    })
}

/// `KRPKR`, `R+P vs R`, `material Q : RR`: the pieces of an ending.
fn material(text: &Text<'_>) -> Option<Candidate> {
    const SAYS: &str = "the pieces of an ending are counted: `R==1`, `[QBN]==0`; `flipcolor` asks for either colour";
    text.starts().find_map(|start| {
        let mut rest = &text.pieces[start..];
        let [white, black] = ending(&mut rest)?;
        let span = text.pieces[start]
            .span
            .to(text.pieces[text.pieces.len() - rest.len() - 1].span);
        let counts = format!("{} {}", counted(&white, false), counted(&black, true));
        let is_same = counted(&white, true) == counted(&black, true);
        let written = if is_same {
            counts
        } else {
            format!("flipcolor {{{counts}}}")
        };
        text.concerns(span).then(|| Candidate::new(span, written, SAYS))
    })
}

/// Takes an ending from the front: the letters of both sides.
fn ending(rest: &mut &[Piece<'_>]) -> Option<[String; 2]> {
    let is_announced = take(rest, &["material", "endgame", "ending"]).is_some();
    take(rest, &[":", "=="]);
    let mut ahead = *rest;
    if let Some(first) = side(&mut ahead)
        && (take(&mut ahead, &["vs", "v", "versus", "against"]).is_some()
            || is_announced && take(&mut ahead, &["-", ":"]).is_some())
    {
        take(&mut ahead, &["."]);
        let second = side(&mut ahead)?;
        *rest = ahead;
        return Some([first, second]);
    }
    // One word: each side begins with its king.
    let (word, behind) = rest.split_first()?;
    let (white, black) = word.text.trim_matches('"').strip_prefix('K')?.split_once('K')?;
    let white = white.trim_end_matches('v');
    let fits = |side: &str| side.chars().all(|piece| KINDS.contains(piece));
    let is_ending = fits(white) && fits(black) && !(white.is_empty() && black.is_empty());
    *rest = behind;
    is_ending.then(|| [white.to_owned(), black.to_owned()])
}

/// Takes the pieces of a side from the front: `R+P`, `KRP`, `R and 2 P`.
fn side(rest: &mut &[Piece<'_>]) -> Option<String> {
    let mut letters = String::new();
    loop {
        let mut ahead = *rest;
        let joins = take(&mut ahead, &["+", "and", "&"]).is_some();
        let number = ahead.first().and_then(|piece| piece.text.parse::<usize>().ok());
        ahead = &ahead[usize::from(number.is_some())..];
        let is_side = |text: &str| text.chars().all(|piece| "KQRBNPkqrbnp".contains(piece));
        let Some(pieces) = ahead.first().filter(|piece| is_side(piece.text)) else {
            break;
        };
        if letters.is_empty() == joins {
            break;
        }
        letters += &pieces.text.to_ascii_uppercase().repeat(number.unwrap_or(1).min(10));
        *rest = &ahead[1..];
    }
    (!letters.is_empty()).then_some(letters)
}

/// The kinds of pieces that endings are named by.
const KINDS: &str = "QRBNP";

/// How many pieces of each kind a side has.
fn counted(side: &str, is_black: bool) -> String {
    let shown = |kind: char| if is_black { kind.to_ascii_lowercase() } else { kind };
    let (there, absent): (Vec<char>, Vec<char>) = KINDS.chars().partition(|kind| side.contains(*kind));
    let mut counts: Vec<String> = there
        .into_iter()
        .map(|kind| format!("{}=={}", shown(kind), side.matches(kind).count()))
        .collect();
    let absent: String = absent.into_iter().map(shown).collect();
    match absent.len() {
        0 => {}
        1 => counts.push(format!("{absent}==0")),
        _ => counts.push(format!("[{absent}]==0")),
    }
    counts.join(" ")
}

/// `{"sub-fen": "…"}`: a record of Scoutfish or a database.
fn record(text: &Text<'_>) -> Option<Candidate> {
    const SAYS: &str = "filters stand by themselves; there are no records";
    written(text, &["{ STRING : STRING }"], SAYS, |parts| {
        let value = parts[3];
        Some(match parts[1].trim_matches('"').to_ascii_lowercase().as_str() {
            "sub-fen" | "subfen" | "fen" => format!("fen {value}"),
            "white" => format!("player white {value}"),
            "black" => format!("player black {value}"),
            "player" => format!("player {value}"),
            "event" => format!("event {value}"),
            "site" => format!("site {value}"),
            "result" => format!("result {}", value.trim_matches('"')),
            "stm" | "side" if value.eq_ignore_ascii_case("\"white\"") => "wtm".to_owned(),
            "stm" | "side" if value.eq_ignore_ascii_case("\"black\"") => "btm".to_owned(),
            _ => return None,
        })
    })
}
