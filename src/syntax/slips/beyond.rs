//! Evaluations, clocks, mates, material, records and positions in the notation of other programs, where a correction must be computed.

use pgn_reader::Nag;

use super::super::token::Span;
use super::candidate::Candidate;
use super::pattern::{LooseToken, take};
use super::text::{Text, advice};

const MATE_IN: &str = "a mate is tried move by move: in one it is `legal --(mate)`, in two all answers are tried, too, and three take long; a mate that was played is `line --> .{5} --> mate`";
const FEN: &str = "this is a FEN";
const TENTHS: &str = "`clock` and `elapsed` are tenths of a second";

pub(super) fn candidates(text: &Text<'_>) -> Vec<Candidate> {
    let all = [evaluation, duration, symbol, key, mate_in, material, record, bare_fen];
    all.iter().filter_map(|find| find(text)).collect()
}

/// Finds the first match of one of the patterns, and passes the texts of its elements to `make`, which returns the replacement.
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

/// Corrects `eval > 3.25`, with pawns instead of centipawns.
fn evaluation(text: &Text<'_>) -> Option<Candidate> {
    let patterns = [
        "eval COMPARE NUMBER . NUMBER",
        "eval COMPARE - NUMBER . NUMBER",
        "eval COMPARE + NUMBER . NUMBER",
    ];
    written(text, &patterns, advice("centipawns"), |parts| {
        let (whole, part) = (parts[parts.len() - 3], parts[parts.len() - 1]);
        let cents = format!("{whole}{:0<2}", part.get(..2).unwrap_or(part));
        let cents: u32 = cents.parse().ok().filter(|cents| *cents < 90_000)?;
        let sign = if parts[2] == "-" { "-" } else { "" };
        Some(format!("eval {} {sign}{cents}", parts[1]))
    })
}

/// Corrects `clock < 0:30`, `elapsed > 10s`, `clock < "1:05"`.
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

/// Corrects `nag "??"`, `nag $4`.
fn symbol(text: &Text<'_>) -> Option<Candidate> {
    written(
        text,
        &["nag STRING", "nag == STRING", "nag NAME"],
        advice("nag"),
        |parts| {
            let symbol = Nag::from_ascii(parts.last()?.trim_matches('"').as_bytes());
            Some(format!("nag {}", symbol.ok()?.0))
        },
    )
}

/// Corrects `zobristkey == 0x463b96181691fc9c`.
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

/// Corrects `mate in 2`, `matein2`, `#2`.
fn mate_in(text: &Text<'_>) -> Option<Candidate> {
    const WORDS: [&str; 9] = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    /// Longer mates are looked for only among the moves that were played.
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

/// Corrects `KRPKR`, `R+P vs R`, `material Q : RR`: the pieces of an ending.
fn material(text: &Text<'_>) -> Option<Candidate> {
    const SAYS: &str = "the pieces of an ending are counted: `R==1`, `[QBN]==0`; `flipcolor` asks for either colour";
    text.starts().find_map(|start| {
        let mut rest = &text.tokens[start..];
        let [white, black] = ending(&mut rest)?;
        let span = text.tokens[start]
            .span
            .to(text.tokens[text.tokens.len() - rest.len() - 1].span);
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

/// Takes an ending off the front and returns the letters of both sides.
fn ending(rest: &mut &[LooseToken<'_>]) -> Option<[String; 2]> {
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
    // If it is one word, each side begins with its king.
    let (word, behind) = rest.split_first()?;
    let (white, black) = word.text.trim_matches('"').strip_prefix('K')?.split_once('K')?;
    let white = white.trim_end_matches('v');
    let fits = |side: &str| side.chars().all(|piece| KINDS.contains(piece));
    let is_ending = fits(white) && fits(black) && !(white.is_empty() && black.is_empty());
    *rest = behind;
    is_ending.then(|| [white.to_owned(), black.to_owned()])
}

/// Takes the pieces of a side off the front: `R+P`, `KRP`, `R and 2 P`.
fn side(rest: &mut &[LooseToken<'_>]) -> Option<String> {
    let mut letters = String::new();
    loop {
        let mut ahead = *rest;
        let joins = take(&mut ahead, &["+", "and", "&"]).is_some();
        let number = ahead.first().and_then(|token| token.text.parse::<usize>().ok());
        ahead = &ahead[usize::from(number.is_some())..];
        let is_side = |text: &str| text.chars().all(|piece| "KQRBNPkqrbnp".contains(piece));
        let Some(token) = ahead.first().filter(|token| is_side(token.text)) else {
            break;
        };
        if letters.is_empty() == joins {
            break;
        }
        letters += &token.text.to_ascii_uppercase().repeat(number.unwrap_or(1).min(10));
        *rest = &ahead[1..];
    }
    (!letters.is_empty()).then_some(letters)
}

/// The kinds of pieces in the names of endings.
const KINDS: &str = "QRBNP";

/// Returns the filters that count the pieces of a side.
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

/// Corrects `{"sub-fen": "…"}`: a record of Scoutfish or of a database.
fn record(text: &Text<'_>) -> Option<Candidate> {
    const SAYS: &str = "filters are written on their own; there are no records";
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

/// Corrects `fen 8/8/8/8/8/8/8/K6k w`, which lacks quotes, and a FEN alone.
fn bare_fen(text: &Text<'_>) -> Option<Candidate> {
    const SAYS: &str = "a FEN stands in quotes: `fen \"…\"`";
    let word = text.starts().rev().find(|&at| text.tokens[at].text == "fen");
    let start = match word {
        Some(word) => text.tokens[word].span.end,
        None => text.word()?.0.start,
    };
    let rest = text.rest_of_line(start);
    let line = text.source.slice(rest);
    let is_field = |(place, field): &(usize, &str)| match *place {
        0 => field.matches('/').count() == 7 && field.chars().all(|letter| letter == '/' || letter.is_alphanumeric()),
        1 => matches!(*field, "w" | "b"),
        2 => field.chars().all(|right| "KQkq-".contains(right)),
        3 => *field == "-" || field.len() == 2,
        4 | 5 => field.chars().all(|digit| digit.is_ascii_digit()),
        _ => false,
    };
    let fields: Vec<&str> = line
        .split_whitespace()
        .enumerate()
        .take_while(is_field)
        .map(|(_, field)| field)
        .collect();
    let fen = fields.join(" ");
    let start = rest.start as usize + line.find(&fen).filter(|_| !fen.is_empty())?;
    let span = Span::new(start, start + fen.len());
    let candidate = if word.is_some() {
        Candidate::new(span, format!("\"{fen}\""), SAYS)
    } else {
        let has_side = fields.len() > 1;
        let filter = if has_side {
            format!("likeboard(\"{fen}\")")
        } else {
            format!("fen \"{fen}\"")
        };
        Candidate::new(span, filter, advice("fen")).with_message(FEN)
    };
    text.concerns(span).then_some(candidate)
}
