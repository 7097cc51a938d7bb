//! The JSON form of a setup.

#[cfg(feature = "mcp")]
use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::de::{Deserializer, Error};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use crate::board::{Color, Contents, Square};
use crate::query::Group;
use crate::syntax::token::{Designator, TokenKind};
use crate::syntax::{Source, piece_letters, tokens};

use super::transforms::{canonical, is_shift};
use super::{ArrowKind, Count, Fault, Zone};

/// A setup. Fields that say nothing may be missing, others are not known.
#[derive(Serialize, Deserialize, Default)]
#[cfg_attr(feature = "mcp", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
struct Setup {
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    squares: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    anywhere: Vec<Pieces>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    either: Vec<Vec<Place>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    arrows: Vec<Arrow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    material: Vec<Pieces>,
    #[serde(skip_serializing_if = "Option::is_none")]
    side: Option<Side>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Moves>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    transforms: Vec<String>,
}

/// So many pieces, maybe in a zone.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "mcp", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Pieces {
    pieces: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    zone: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    least: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    most: Option<u32>,
}

/// Pieces, maybe in a zone.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "mcp", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Place {
    pieces: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    zone: Option<String>,
}

/// Pieces that look at others.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "mcp", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Arrow {
    kind: ArrowKind,
    from: Place,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    through: Vec<Place>,
    to: Place,
}

/// The number of the move.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "mcp", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Moves {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    least: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    most: Option<u32>,
}

/// Who is to move.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[cfg_attr(feature = "mcp", derive(schemars::JsonSchema))]
enum Side {
    #[serde(rename = "w")]
    White,
    #[serde(rename = "b")]
    Black,
}

impl Serialize for super::Setup {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Setup::written(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for super::Setup {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<super::Setup, D::Error> {
        Setup::deserialize(deserializer)?.read().map_err(D::Error::custom)
    }
}

#[cfg(feature = "mcp")]
impl schemars::JsonSchema for super::Setup {
    fn schema_name() -> Cow<'static, str> {
        Setup::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Setup::json_schema(generator)
    }
}

impl Setup {
    fn read(&self) -> Result<super::Setup, String> {
        let mut setup = super::Setup::default();
        for (name, letters) in &self.squares {
            let square: Square = name.parse().map_err(|_| format!("squares: `{name}` is not a square"))?;
            let said = pieces(letters).and_then(|pieces| {
                let zone = Zone::Squares(square.into());
                setup.require(super::Place { pieces, zone }, 1, None).map_err(text)
            });
            said.map_err(|error| format!("squares: {name}: {error}"))?;
        }
        each("anywhere", &self.anywhere, |count| count.say(&mut setup))?;
        each("material", &self.material, |count| match count.zone {
            Some(_) => Err("material has no zone; `anywhere` has".to_owned()),
            None => count.say(&mut setup),
        })?;
        each("either", &self.either, |places| {
            let places: Vec<super::Place> = places.iter().map(Place::read).collect::<Result<_, _>>()?;
            setup.require_either(&places).map_err(text)
        })?;
        each("arrows", &self.arrows, |arrow| {
            setup.require_arrow(arrow.read()?).map_err(text)
        })?;
        setup.side = self.side.map(|side| match side {
            Side::White => Color::White,
            Side::Black => Color::Black,
        });
        if let Some(Moves { least, most }) = self.moves {
            let required = setup.require_moves(least.unwrap_or(0), most);
            required.map_err(|fault| format!("moves: {fault}"))?;
        }
        setup.transforms = transforms(&self.transforms).map_err(|error| format!("transforms: {error}"))?;
        Ok(setup)
    }

    fn written(setup: &super::Setup) -> Setup {
        let counted = |Count { place, least, most }: &Count| Pieces {
            pieces: letters(place.pieces),
            zone: zone_text(place.zone),
            least: (*least != u32::from(most.is_none())).then_some(*least),
            most: *most,
        };
        Setup {
            squares: setup
                .squares
                .iter()
                .map(|(square, contents)| (square.to_string(), letters(*contents)))
                .collect(),
            anywhere: setup.anywhere.iter().map(counted).collect(),
            either: setup
                .either
                .iter()
                .map(|places| places.iter().map(Place::written).collect())
                .collect(),
            arrows: setup.arrows.iter().map(Arrow::written).collect(),
            material: setup.material.iter().map(counted).collect(),
            side: setup.side.map(|side| side.fold_wb(Side::White, Side::Black)),
            moves: (setup.moves != (0, None)).then_some(Moves {
                least: Some(setup.moves.0).filter(|least| *least > 0),
                most: setup.moves.1,
            }),
            transforms: setup.transforms.iter().map(|group| group.word().to_owned()).collect(),
        }
    }
}

/// Calls `say` for each entry of a list. An error names the entry.
fn each<T>(list: &str, entries: &[T], mut say: impl FnMut(&T) -> Result<(), String>) -> Result<(), String> {
    let mut entries = entries.iter().enumerate();
    entries.try_for_each(|(before, entry)| say(entry).map_err(|error| format!("{list}: entry {}: {error}", before + 1)))
}

fn text(fault: Fault) -> String {
    fault.to_string()
}

impl Pieces {
    fn say(&self, setup: &mut super::Setup) -> Result<(), String> {
        let place = place(&self.pieces, self.zone.as_deref())?;
        let least = self.least.unwrap_or(u32::from(self.most.is_none()));
        setup.require(place, least, self.most).map_err(text)
    }
}

impl Place {
    fn read(&self) -> Result<super::Place, String> {
        place(&self.pieces, self.zone.as_deref())
    }

    fn written(place: &super::Place) -> Place {
        Place {
            pieces: letters(place.pieces),
            zone: zone_text(place.zone),
        }
    }
}

impl Arrow {
    fn read(&self) -> Result<super::Arrow, String> {
        Ok(super::Arrow {
            kind: self.kind,
            from: self.from.read()?,
            through: self.through.iter().map(Place::read).collect::<Result<_, _>>()?,
            to: self.to.read()?,
        })
    }

    fn written(arrow: &super::Arrow) -> Arrow {
        Arrow {
            kind: arrow.kind,
            from: Place::written(&arrow.from),
            through: arrow.through.iter().map(Place::written).collect(),
            to: Place::written(&arrow.to),
        }
    }
}

fn place(letters: &str, zone: Option<&str>) -> Result<super::Place, String> {
    Ok(super::Place {
        pieces: pieces(letters)?,
        zone: zone.map_or(Ok(Zone::BOARD), read_zone)?,
    })
}

/// Reads pieces: `Rr`, `A`, `_`, `~P`; `.` is anything.
fn pieces(text: &str) -> Result<Contents, String> {
    let (letters, denied) = match text.strip_prefix('~') {
        Some(letters) => (letters, true),
        None => (text, false),
    };
    let contents = match letters {
        "." => Some(Contents::ANY),
        letters => designator(&format!("[{letters}]"))
            .filter(|found| !found.has_squares)
            .map(|found| found.contents),
    };
    match contents {
        Some(contents) if denied => Ok(contents.complement()),
        Some(contents) => Ok(contents),
        None => Err(format!(
            "`{text}` are not pieces: letters of `KQRBNPkqrbnp`, `A` any white, `a` any black, `_` none; `~` in front for all others"
        )),
    }
}

/// Returns the shortest text for some pieces.
fn letters(contents: Contents) -> String {
    if contents == Contents::ANY {
        return ".".to_owned();
    }
    let (said, denied) = (piece_letters(contents), piece_letters(contents.complement()));
    if denied.len() + 1 < said.len() {
        format!("~{denied}")
    } else {
        said
    }
}

fn read_zone(text: &str) -> Result<Zone, String> {
    match text {
        "light" => return Ok(Zone::Light),
        "dark" => return Ok(Zone::Dark),
        "near K" => return Ok(Zone::Near(Color::White)),
        "near k" => return Ok(Zone::Near(Color::Black)),
        _ => {}
    }
    let squares = designator(text)
        .filter(|found| !found.has_contents)
        .map(|found| found.squares);
    squares.map(Zone::Squares).ok_or_else(|| {
        format!("`{text}` is not a zone: squares such as `e1-8` or `[a1,h8]`, `light`, `dark`, `near K`, `near k`")
    })
}

/// Returns the text of a zone, or `None` for the whole board.
fn zone_text(zone: Zone) -> Option<String> {
    match zone {
        Zone::BOARD => None,
        Zone::Squares(squares) => Some(Designator::of(Contents::ANY, squares).to_string()),
        Zone::Light => Some("light".to_owned()),
        Zone::Dark => Some("dark".to_owned()),
        Zone::Near(color) => Some(color.fold_wb("near K", "near k").to_owned()),
    }
}

/// Reads a text that is one designator.
fn designator(text: &str) -> Option<Designator> {
    let tokens = tokens(&Source::new("setup", text)).ok()?;
    match &*tokens {
        [first, _end] => match first.kind {
            TokenKind::Designator(designator) => Some(designator),
            _ => None,
        },
        _ => None,
    }
}

/// Reads transform words, in any order.
fn transforms(words: &[String]) -> Result<Vec<Group>, String> {
    let known = |word: &String| {
        let group =
            Group::named(word).filter(|group| group.word() == word && canonical(&[*group]) == Some(vec![*group]));
        group.ok_or_else(|| {
            format!("`{word}` is not a transform: flipcolor, flip, flipvertical, fliphorizontal, rotate90, shift, shifthorizontal or shiftvertical")
        })
    };
    let groups: Vec<Group> = words.iter().map(known).collect::<Result<_, _>>()?;
    let (mut shifts, symmetries): (Vec<Group>, Vec<Group>) = groups.into_iter().partition(|group| is_shift(*group));
    shifts.dedup();
    canonical(&[symmetries, shifts].concat()).ok_or_else(|| Fault::Transforms.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Bitboard;

    #[test]
    fn texts_of_pieces_and_zones_are_read_as_they_are_written() {
        for bits in 1..=Contents::ANY.0 {
            let contents = Contents(bits);
            assert_eq!(pieces(&letters(contents)), Ok(contents));
        }
        for squares in [
            Bitboard(1),
            Bitboard(0x8100_0000_0000_0081),
            Bitboard(0x00ff_ff00),
            Bitboard(0x1122_3344_5566_7788),
        ] {
            let zone = Zone::Squares(squares);
            assert_eq!(zone_text(zone).as_deref().map(read_zone), Some(Ok(zone)));
        }
        for wrong in ["", "~", "x", "R]a1", "Ra1", "R r", "[R]"] {
            assert!(pieces(wrong).is_err(), "{wrong}");
        }
        for wrong in ["", "i1", "a1 b1", "Ra1", "near", "a1]", ".", "h-a1"] {
            assert!(read_zone(wrong).is_err(), "{wrong}");
        }
    }
}
