//! A board that is set up, and the equivalent query.
//!
//! A [`Setup`] is a description of positions, as players give it on a board: which pieces may be on which squares, how many, which of them
//! look at which, and who is to move. It can be turned into a query ([`Setup::query`]), a query into a setup as far as a board can show it
//! ([`Setup::of_query`]), and a position into a setup that is as close to it as is wanted ([`Setup::of_position`]).
//!
//! ```
//! use skewer::setup::Setup;
//! use skewer::syntax::{Source, format::Spelling};
//!
//! let query = Source::new("q.cql", "cql() flipcolor {Pd4 Pc-e1-8 == 1 not pd1-8 elo > 2500}");
//! let shown = Setup::of_query(&query, &Default::default())?;
//! assert_eq!(shown.setup.query(Spelling::AsWritten), "flipcolor {Pd4 Pc-e1-8 == 1 not pd1-8}");
//! assert!(!shown.whole, "a board cannot show ratings");
//! # Ok::<(), skewer::syntax::Diagnostic>(())
//! ```
//!
//! Each setup has one form, whatever it was made from: a condition on a single square is in its squares, pieces anywhere on the board are
//! in its material, and so on. So the query of a setup gives the same setup again.
//!
//! Each part uses only those before it: `place`, `transforms`, `self`, `position`, `text`, `reading`, `rewriting`, `json`.

#[cfg(feature = "service")]
mod json;
mod place;
mod position;
mod reading;
mod rewriting;
mod text;
mod transforms;

use std::collections::BTreeMap;
use std::fmt;

use crate::board::{Bitboard, Color, Contents, Square};
use crate::query::Group;

pub use place::{Place, Zone};
pub use position::Width;
pub use reading::Shown;

/// The maximum number of places in a setup, not counting its squares. With transforms, a query has a copy of each place for every change,
/// and the number of copies is limited.
const MOST_PLACES: usize = 40;

/// A description of positions on a board.
///
/// With the feature `service`, it has a JSON form. Fields may be missing if they say nothing, and unknown fields are refused:
///
/// ```
/// # #[cfg(feature = "service")] {
/// # use skewer::setup::Setup;
/// # use skewer::syntax::format::Spelling;
/// let setup: Setup = serde_json::from_str(r#"{
///     "squares": {"d4": "P", "e4": "Nn", "f6": "~p", "h3": "_"},
///     "anywhere": [{"pieces": "R", "zone": "e1-8", "least": 1, "most": 2}, {"pieces": "QR", "zone": "near k"}],
///     "either": [[{"pieces": "B", "zone": "g2"}, {"pieces": "Q", "zone": "f3"}]],
///     "arrows": [{"kind": "xray", "from": {"pieces": "R"}, "through": [{"pieces": "a"}], "to": {"pieces": "k"}}],
///     "material": [{"pieces": "q", "most": 0}],
///     "side": "w",
///     "moves": {"least": 10, "most": 20},
///     "transforms": ["flipcolor"]
/// }"#)?;
/// assert_eq!(setup.query(Spelling::AsWritten), "\
/// flipcolor {
///   [Nn]e4 Pd4 _h3 not pf6
///   1 <= Re1-8 <= 2
///   [QR] & anydirection 1 k
///   Bg2 or Qf3
///   xray (R a k)
///   not q
///   wtm
///   10 <= movenumber <= 20
/// }");
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// | field | meaning |
/// |---|---|
/// | `pieces` | the pieces that may be there, as letters between the brackets of CQL: `KQRBNP`, `kqrbnp`, `A` any white piece, `a` any black piece, `_` none. `~` in front: anything else. At the ends of arrows also `.`, anything at all |
/// | `zone` | the squares, as in CQL (`e1-8`, `a-d1-4`, `[a1,h8]`), `light`, `dark`, or `near K`, `near k`, the squares next to a king. Without it, the whole board |
/// | `least`, `most` | how many of them there are: at least 1 if neither is given |
/// | `squares` | the pieces that may be on single squares |
/// | `anywhere` | how many pieces are in a zone |
/// | `either` | groups of places; in each group, at least one place has such a piece |
/// | `arrows` | `from` looks at `to`. `attacks`: a piece attacks it. `ray`: both are in line, with only `through` between them. `xray`: the same, and the piece at the beginning moves along this line |
/// | `material` | how many pieces are on the board |
/// | `side` | the side to move, `w` or `b` |
/// | `moves` | the number of the move, from `least` to `most` |
/// | `transforms` | changes of the board after which all this may hold: `flipcolor`, `flip`, `flipvertical`, `fliphorizontal`, `rotate90`, and one of `shift`, `shifthorizontal`, `shiftvertical` |
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Setup {
    /// The contents that single squares may have.
    squares: BTreeMap<Square, Contents>,
    /// The number of pieces in parts of the board.
    anywhere: Vec<Count>,
    /// Groups of places. In each group, at least one place has such a piece.
    either: Vec<Vec<Place>>,
    /// Pieces that look at other pieces.
    arrows: Vec<Arrow>,
    /// The number of pieces on the board.
    material: Vec<Count>,
    /// The side to move.
    side: Option<Color>,
    /// The smallest number of the move, and the greatest, if there is one.
    moves: (u32, Option<u32>),
    /// Transforms, outermost first: everything else holds after one of the changes of the board in them.
    transforms: Vec<Group>,
}

/// The number of pieces at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Count {
    /// The pieces, and where they are.
    pub place: Place,
    /// The minimum number.
    pub least: u32,
    /// The maximum number, if there is one.
    pub most: Option<u32>,
}

/// Pieces that look at other pieces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arrow {
    /// The kind of arrow.
    pub kind: ArrowKind,
    /// The place where the arrow begins.
    pub from: Place,
    /// The pieces on its way, in this order. No others are on it.
    pub through: Vec<Place>,
    /// The place where the arrow ends.
    pub to: Place,
}

/// What an arrow means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(
    feature = "service",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "lowercase")
)]
#[cfg_attr(feature = "mcp", derive(schemars::JsonSchema))]
pub enum ArrowKind {
    /// The piece at its beginning attacks that at its end.
    Attacks,
    /// All are in line.
    Ray,
    /// The same, and the piece at its beginning moves along this line.
    Xray,
}

/// The reason why something cannot be a part of a setup.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Fault {
    /// With everything else in the setup, no contents are left for this square.
    Contradiction(Square),
    /// The number of pieces or of the move is impossible.
    Number,
    /// No pieces or no squares are given.
    Nothing,
    /// Both sides would be to move.
    Side,
    /// An attack cannot go through pieces.
    Through,
    /// The transforms exclude each other.
    Transforms,
    /// There are too many places.
    TooMany,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Contradiction(square) => write!(f, "nothing can stand on {square} by all that is said of it"),
            Fault::Number => f.write_str("there can be no such number"),
            Fault::Nothing => f.write_str("no piece, or no square, is left"),
            Fault::Side => f.write_str("both sides are to move"),
            Fault::Through => f.write_str("an attack goes through nothing; `xray` does"),
            Fault::Transforms => f.write_str("one of `shift`, `shifthorizontal` and `shiftvertical` is enough"),
            Fault::TooMany => write!(f, "more than {MOST_PLACES} places"),
        }
    }
}

impl std::error::Error for Fault {}

impl Setup {
    /// Requires from `least` to `most` pieces at a place.
    ///
    /// # Errors
    /// Returns the reason why this is impossible. The setup is then unchanged.
    pub fn require(&mut self, place: Place, least: u32, most: Option<u32>) -> Result<(), Fault> {
        let size = place.zone.size();
        let most = most.filter(|most| *most < size);
        if place.pieces.is_empty() || size == 0 {
            return Err(Fault::Nothing);
        }
        if least > size || most.is_some_and(|most| most < least) {
            return Err(Fault::Number);
        }
        if place.pieces == Contents::ANY {
            // Every square counts as a piece.
            return if most.is_none() { Ok(()) } else { Err(Fault::Number) };
        }
        if (least, most) == (0, None) {
            return Ok(());
        }
        match place.zone {
            Zone::Squares(squares) if least == size => self.restrict(squares, place.pieces),
            Zone::Squares(square) if size == 1 => self.restrict(square, place.pieces.complement()),
            zone => {
                if let Some(known) = self.counts(zone).iter_mut().find(|known| known.place == place) {
                    (known.least, known.most) = within((known.least, known.most), (least, most))?;
                    return Ok(());
                }
                let count = Count { place, least, most };
                self.with_room(1, |setup| setup.counts(zone).push(count))
            }
        }
    }

    /// Returns the numbers of pieces on the board, or in parts of it.
    fn counts(&mut self, zone: Zone) -> &mut Vec<Count> {
        match zone {
            Zone::BOARD => &mut self.material,
            _ => &mut self.anywhere,
        }
    }

    /// Restricts the contents of each of these squares to `pieces`.
    fn restrict(&mut self, squares: Bitboard, pieces: Contents) -> Result<(), Fault> {
        let said = |square| self.squares.get(&square).copied().unwrap_or(Contents::ANY) & pieces;
        if let Some(square) = squares.into_iter().find(|square| said(*square).is_empty()) {
            return Err(Fault::Contradiction(square));
        }
        for square in squares {
            let said = self.squares.entry(square).or_insert(Contents::ANY);
            *said = *said & pieces;
        }
        Ok(())
    }

    /// Requires that at least one of these places has such a piece.
    ///
    /// # Errors
    /// Returns the reason why this is impossible. The setup is then unchanged.
    pub fn require_either(&mut self, places: &[Place]) -> Result<(), Fault> {
        if places.is_empty()
            || places
                .iter()
                .any(|place| place.pieces.is_empty() || place.zone.size() == 0)
        {
            return Err(Fault::Nothing);
        }
        let places = place::merged(places);
        let is_certain = |place: &Place| place.pieces == Contents::ANY && !matches!(place.zone, Zone::Near(_));
        match &*places {
            _ if places.iter().any(is_certain) => Ok(()),
            [alone] => self.require(*alone, 1, None),
            _ if self.either.contains(&places) => Ok(()),
            _ => self.with_room(places.len(), |setup| setup.either.push(places)),
        }
    }

    /// Requires that a piece looks at another one.
    ///
    /// # Errors
    /// Returns the reason why this is impossible. The setup is then unchanged.
    pub fn require_arrow(&mut self, arrow: Arrow) -> Result<(), Fault> {
        let is_nothing = |place: &Place| place.pieces.is_empty() || place.zone.size() == 0;
        if is_nothing(&arrow.from) || is_nothing(&arrow.to) || arrow.through.iter().any(is_nothing) {
            return Err(Fault::Nothing);
        }
        if arrow.kind == ArrowKind::Attacks && !arrow.through.is_empty() {
            return Err(Fault::Through);
        }
        if self.arrows.contains(&arrow) {
            return Ok(());
        }
        self.with_room(2 + arrow.through.len(), |setup| setup.arrows.push(arrow))
    }

    /// Requires a side to move.
    ///
    /// # Errors
    /// Returns an error if the other side is to move.
    pub fn require_side(&mut self, side: Color) -> Result<(), Fault> {
        match self.side.replace(side) {
            Some(known) if known != side => {
                self.side = Some(known);
                Err(Fault::Side)
            }
            _ => Ok(()),
        }
    }

    /// Requires that the number of the move is from `least` to `most`.
    ///
    /// # Errors
    /// Returns an error if there is no such number. The setup is then unchanged.
    pub fn require_moves(&mut self, least: u32, most: Option<u32>) -> Result<(), Fault> {
        self.moves = within(self.moves, (least, most))?;
        Ok(())
    }

    /// Adds this many places if there is room for them.
    fn with_room(&mut self, count: usize, add: impl FnOnce(&mut Setup)) -> Result<(), Fault> {
        let either = self.either.iter().map(Vec::len);
        let arrows = self.arrows.iter().map(|arrow| 2 + arrow.through.len());
        let known = self.anywhere.len() + self.material.len() + either.chain(arrows).sum::<usize>();
        if known + count > MOST_PLACES {
            return Err(Fault::TooMany);
        }
        add(self);
        Ok(())
    }

    /// Returns how many requirements there are, without transforms.
    fn size(&self) -> usize {
        let lists = self.anywhere.len() + self.either.len() + self.arrows.len() + self.material.len();
        self.squares.len() + lists + usize::from(self.side.is_some()) + usize::from(self.moves != (0, None))
    }
}

/// Returns the numbers that are within two ranges.
fn within(one: (u32, Option<u32>), other: (u32, Option<u32>)) -> Result<(u32, Option<u32>), Fault> {
    let least = one.0.max(other.0);
    let most = one.1.into_iter().chain(other.1).min();
    match most.is_some_and(|most| most < least) {
        true => Err(Fault::Number),
        false => Ok((least, most)),
    }
}
