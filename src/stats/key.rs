//! Keys by which games and positions are grouped.

use std::num::NonZeroU32;
use std::str::FromStr;

use crate::output::NamedFilter;
use crate::syntax::nearest;

/// A property of a game or of a matching position. Games or positions with the same values of all keys are one group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Key {
    /// The year, in ranges of this many.
    Year(NonZeroU32),
    /// A rating, in ranges of this many points.
    Elo(Rated, NonZeroU32),
    /// This many characters of the opening code, or all of it.
    Eco(Option<NonZeroU32>),
    /// The result.
    Result,
    /// The player of the side in question, or both players if there is none.
    Player,
    /// The value of a tag.
    Tag(String),
    /// The input.
    Source,
    /// The query.
    Query,
    /// The half-moves played, in ranges of this many.
    Ply(NonZeroU32),
    /// The number of the move, in ranges of this many.
    MoveNumber(NonZeroU32),
    /// The move played next.
    Next,
    /// The value of a filter at a match. Numbers are in ranges of this many.
    Value(String, NonZeroU32),
}

/// The rating that a key uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rated {
    /// That of the side in question, or the mean of both if there is none.
    Viewpoint,
    /// White's.
    White,
    /// Black's.
    Black,
    /// The mean of both, or the one that is known.
    Mean,
}

/// The names and descriptions of the keys, for help.
pub(crate) const NAMES: [(&str, &str); 19] = [
    ("year", "the year; year:10 for decades"),
    (
        "elo",
        "the rating of the side in question, or the mean of both; elo:200 in steps of 200",
    ),
    ("whiteelo", "the rating of White"),
    ("blackelo", "the rating of Black"),
    ("meanelo", "the mean of both ratings"),
    ("eco", "the code of the opening; eco:1 for its letter"),
    ("result", "the result"),
    ("player", "the player in question, or both"),
    ("white", "the player with White"),
    ("black", "the player with Black"),
    ("event", "the event"),
    ("site", "the place"),
    ("source", "the input"),
    ("query", "the query"),
    ("ply", "the half-moves played; ply:10 in steps of 10"),
    ("movenumber", "the number of the move"),
    ("next", "the move played next"),
    ("tag:NAME", "the value of a tag"),
    ("NAME=FILTER", "the value of a filter at a match, with a name: pawns=#P"),
];

impl Key {
    /// Returns whether it can differ between the positions of a game.
    pub(crate) fn is_of_position(&self) -> bool {
        matches!(self, Key::Ply(_) | Key::MoveNumber(_) | Key::Next | Key::Value(..))
    }

    /// Returns whether groups are ordered by its value by default. Groups by names are ordered by their number of games.
    pub(crate) fn is_ordered(&self) -> bool {
        !matches!(self, Key::Player | Key::Tag(_) | Key::Source | Key::Query | Key::Next)
    }

    /// Returns how many successive numbers are one group, which is 1 if values are not numbers.
    pub(crate) fn step(&self) -> NonZeroU32 {
        match self {
            Key::Year(step) | Key::Elo(_, step) | Key::Ply(step) | Key::MoveNumber(step) | Key::Value(_, step) => *step,
            _ => NonZeroU32::MIN,
        }
    }
}

/// A key and the name of its column.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NamedKey {
    pub(crate) name: String,
    pub(crate) key: Key,
}

/// Keys in the syntax of the command line: `year:10,eco:1`, `pawns=#P`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Keys(pub(crate) Vec<NamedKey>);

impl Keys {
    /// Adds the move played next, unless it is already a key.
    pub(crate) fn add_next(&mut self) {
        if !self.0.iter().any(|key| key.key == Key::Next) {
            self.0.push(NamedKey {
                name: "next".to_owned(),
                key: Key::Next,
            });
        }
    }
}

impl FromStr for Keys {
    type Err = String;

    fn from_str(text: &str) -> Result<Keys, String> {
        let keys = parts(text).into_iter().map(|part| match value(part) {
            Some(key) => key,
            None => named(part.trim()),
        });
        Ok(Keys(keys.collect::<Result<_, _>>()?))
    }
}

/// Splits a text at commas, except for those in brackets and quotation marks, which belong to filters.
fn parts(text: &str) -> Vec<&str> {
    let (mut depth, mut is_quoted) = (0_usize, false);
    let is_between = |sign: char| {
        match sign {
            '"' => is_quoted = !is_quoted,
            '(' | '[' | '{' if !is_quoted => depth += 1,
            ')' | ']' | '}' if !is_quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        sign == ',' && depth == 0 && !is_quoted
    };
    text.split(is_between).collect()
}

/// Parses `NAME=FILTER` or `NAME:10=FILTER`. Returns `None` if the text has no equals sign.
fn value(text: &str) -> Option<Result<NamedKey, String>> {
    let named = NamedFilter::of(text)?.map_err(|error| error.to_string());
    Some(named.and_then(|NamedFilter { name, more, filter }| {
        let step = more.map_or(Ok(NonZeroU32::MIN), |step| step_of(name, step))?;
        Ok(NamedKey {
            name: name.to_owned(),
            key: Key::Value(filter.to_owned(), step),
        })
    }))
}

/// Parses how many numbers are one group.
fn step_of(name: &str, step: &str) -> Result<NonZeroU32, String> {
    step.parse()
        .map_err(|_| format!("`{name}:` is followed by a whole number, 1 or more, such as `{name}:10`"))
}

/// Parses a key.
fn named(text: &str) -> Result<NamedKey, String> {
    let (name, more) = match text.split_once(':') {
        Some((name, more)) => (name, Some(more)),
        None => (text, None),
    };
    let step = || more.map_or(Ok(NonZeroU32::MIN), |step| step_of(name, step));
    let plain = |key: Key| match more {
        None => Ok(key),
        Some(more) => Err(format!("`{name}` does not take `:{more}`")),
    };
    let tag = |tag: &str| plain(Key::Tag(tag.to_owned()));
    let key = match name {
        "" => return Err("a key is empty; keys have commas and no blanks between them: `year,eco`".to_owned()),
        "year" => Key::Year(step()?),
        "elo" => Key::Elo(Rated::Viewpoint, step()?),
        "whiteelo" => Key::Elo(Rated::White, step()?),
        "blackelo" => Key::Elo(Rated::Black, step()?),
        "meanelo" => Key::Elo(Rated::Mean, step()?),
        "eco" => Key::Eco(more.map(|_| step()).transpose()?),
        "result" => plain(Key::Result)?,
        "player" => plain(Key::Player)?,
        "white" => tag("White")?,
        "black" => tag("Black")?,
        "event" => tag("Event")?,
        "site" => tag("Site")?,
        "source" => plain(Key::Source)?,
        "query" => plain(Key::Query)?,
        "ply" => Key::Ply(step()?),
        "movenumber" => Key::MoveNumber(step()?),
        "next" => plain(Key::Next)?,
        "tag" => match more {
            // Names of tags have no colons.
            Some(tag) if let Some((tag, step)) = tag.split_once(':') => {
                return Err(format!(
                    "the value of a tag is text, which has no steps; its number is `{tag}:{step}=int tag \"{tag}\"`"
                ));
            }
            Some(tag) if !tag.is_empty() => {
                return Ok(NamedKey {
                    name: tag.to_owned(),
                    key: Key::Tag(tag.to_owned()),
                });
            }
            _ => return Err("name the tag: `tag:Round`".to_owned()),
        },
        _ => return Err(unknown(name)),
    };
    Ok(NamedKey {
        name: name.to_owned(),
        key,
    })
}

/// Other words for keys.
const MEANT: [(&str, &str); 9] = [
    ("date", "tag:Date"),
    ("decade", "year:10"),
    ("month", "month=date[5:7]"),
    ("move", "next"),
    ("opening", "eco"),
    ("rating", "elo:200"),
    ("side", "side=if wtm then \"white\" else \"black\""),
    ("theme", "query"),
    ("tournament", "event"),
];

/// Returns the error for a name that no key has.
fn unknown(name: &str) -> String {
    let names = || NAMES.iter().map(|(name, _)| *name);
    let meant = MEANT.iter().find(|(word, _)| *word == name).map(|(_, key)| *key);
    match meant.or_else(|| nearest(name, names())) {
        Some(near) => format!("there is no key `{name}`; did you mean `{near}`?"),
        None if name.starts_with(|first: char| !first.is_alphanumeric()) => {
            format!("there is no key `{name}`; a filter needs a name: `my_name={name}`")
        }
        None if name.starts_with(char::is_uppercase) => {
            format!("there is no key `{name}`; did you mean `tag:{name}`?")
        }
        None => format!(
            "there is no key `{name}`; keys are {}",
            names().collect::<Vec<_>>().join(", ")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> Result<Vec<(String, Key)>, String> {
        let keys = text.parse::<Keys>()?;
        Ok(keys.0.into_iter().map(|key| (key.name, key.key)).collect())
    }

    fn step(step: u32) -> NonZeroU32 {
        NonZeroU32::new(step).unwrap()
    }

    #[test]
    fn keys_have_names_and_steps() {
        let key = |name: &str, key: Key| (name.to_owned(), key);
        assert_eq!(
            keys("year:10, eco:1,result"),
            Ok(vec![
                key("year", Key::Year(step(10))),
                key("eco", Key::Eco(Some(step(1)))),
                key("result", Key::Result)
            ])
        );
        assert_eq!(keys("tag:Round"), Ok(vec![key("Round", Key::Tag("Round".to_owned()))]));
        let value = |filter: &str, number: u32| Key::Value(filter.to_owned(), step(number));
        assert_eq!(
            keys("year,p=#(P & [a2,b2]),text:5=x==\"a,b\""),
            Ok(vec![
                key("year", Key::Year(step(1))),
                key("p", value("#(P & [a2,b2])", 1)),
                key("text", value("x==\"a,b\"", 5))
            ])
        );
        assert_eq!(keys("white"), Ok(vec![key("white", Key::Tag("White".to_owned()))]));
    }

    #[test]
    fn what_is_no_key_is_refused_with_advice() {
        for (text, expected) in [
            ("yaer", "did you mean `year`?"),
            ("rating", "did you mean `elo:200`?"),
            ("month", "did you mean `month=date[5:7]`?"),
            ("date", "did you mean `tag:Date`?"),
            ("TimeControl", "did you mean `tag:TimeControl`?"),
            ("colour", "keys are year, elo"),
            ("", "a key is empty"),
            ("year:0", "`year:10`"),
            ("elo:many", "`elo:10`"),
            ("result:2", "does not take `:2`"),
            ("tag", "`tag:Round`"),
            ("tag:", "`tag:Round`"),
            ("year,", "no blanks between them: `year,eco`"),
            ("#P", "a filter needs a name: `my_name=#P`"),
            ("=#P", "a name for the column"),
            ("a-b=#P", "a name for the column"),
            ("pawns=", "`pawns=#P`"),
            ("pawns:x=#P", "`pawns:10`"),
        ] {
            let error = keys(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn every_name_is_that_of_a_key() {
        for (name, _) in NAMES {
            let name = name.replace("NAME", "Round").replace("FILTER", "#P");
            assert!(keys(&name).is_ok(), "{name}");
        }
    }
}
