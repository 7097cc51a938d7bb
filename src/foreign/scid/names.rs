//! The names of players, events, sites and rounds. Entries of the index refer to them by number.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use super::super::file::damaged;

/// The kinds of names, in the order of version 4, which is also their numbering in version 5.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Player,
    Event,
    Site,
    Round,
}

const KINDS: [Kind; 4] = [Kind::Player, Kind::Event, Kind::Site, Kind::Round];

/// The most bytes of names: databases of ten million games have roughly 20 MB of them.
const MOST_BYTES: usize = 256 << 20;
/// The most names.
const MOST_NAMES: usize = 1 << 25;
/// The longest name in version 5. In version 4 the length takes one byte.
const LONGEST_NAME: u64 = 1 << 16;

/// The names of a database.
#[derive(Default)]
pub(super) struct Names {
    text: Vec<u8>,
    /// The places of the names of each kind in the text, by their numbers.
    places: [Vec<Place>; 4],
}

/// The start of a name and its length.
#[derive(Clone, Copy, Default)]
struct Place {
    start: u32,
    length: u32,
}

impl Names {
    /// Returns the name with this number.
    pub(super) fn get(&self, kind: Kind, number: u32) -> Option<&[u8]> {
        let place = self.places.get(kind as usize)?.get(number as usize)?;
        let start = place.start as usize;
        // A missing number between others is not a name.
        if place.start == u32::MAX {
            return None;
        }
        self.text.get(start..start + place.length as usize)
    }

    /// Reads a file of version 4: the mark, a time, the numbers of names of each kind and their greatest frequencies, then the names of each kind in
    /// order, each with the number of bytes that it shares with the previous one.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is not a file of names or is damaged.
    pub(super) fn read_4(path: &Path) -> io::Result<Names> {
        let mut file = BufReader::new(File::open(path)?);
        let mut header = [0; 36];
        file.read_exact(&mut header).map_err(|_| damaged("it is too short"))?;
        if !header.starts_with(b"Scid.sn\0") {
            return Err(damaged("it is not a file of names, which begins with `Scid.sn`"));
        }
        let count = |index: usize| {
            let bytes = header.get(12 + 3 * index..15 + 3 * index).unwrap_or_default();
            bytes.iter().fold(0, |number, byte| number << 8 | u32::from(*byte))
        };
        let mut names = Names::default();
        for (index, kind) in KINDS.into_iter().enumerate() {
            let (many, often) = (count(index), count(4 + index));
            names.read_kind(&mut file, kind, many, often).map_err(broken_off)?;
        }
        Ok(names)
    }

    fn read_kind(&mut self, file: &mut impl Read, kind: Kind, many: u32, often: u32) -> io::Result<()> {
        let number_bytes = if many >= 1 << 16 { 3 } else { 2 };
        let frequency_bytes = match often {
            ..1 => 1,
            _ if often >= 1 << 16 => 3,
            _ if often >= 1 << 8 => 2,
            _ => 1,
        };
        let mut before = [0; 255];
        for index in 0..many {
            let number = read_number(file, number_bytes)?;
            read_number(file, frequency_bytes)?;
            let length = read_number(file, 1)? as usize;
            let shared = if index == 0 { 0 } else { read_number(file, 1)? as usize };
            let own = before
                .get_mut(shared..length)
                .ok_or_else(|| damaged("a name shares more letters with the one before it than that has"))?;
            file.read_exact(own)?;
            if number >= many {
                return Err(damaged("a name has a number that is greater than that of names"));
            }
            let name = before.get(..length).unwrap_or_default();
            self.add(kind, number as usize, name)?;
        }
        Ok(())
    }

    /// Reads a file of version 5: names one after another, each preceded by its kind and its length. Other kinds are about the database itself.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is damaged.
    pub(super) fn read_5(path: &Path) -> io::Result<Names> {
        let mut file = BufReader::new(File::open(path)?);
        let mut names = Names::default();
        let mut name = Vec::new();
        while let Some(head) = read_varint(&mut file).map_err(broken_off)? {
            let (kind, length) = (head & 7, head >> 3);
            if length > LONGEST_NAME {
                return Err(damaged("a name is too long"));
            }
            name.clear();
            file.by_ref().take(length).read_to_end(&mut name)?;
            if (name.len() as u64) < length {
                return Err(broken_off(io::ErrorKind::UnexpectedEof.into()));
            }
            if let Some(kind) = KINDS.get(kind as usize) {
                let number = names.places.get(*kind as usize).map_or(0, Vec::len);
                names.add(*kind, number, &name)?;
            }
        }
        Ok(names)
    }

    fn add(&mut self, kind: Kind, number: usize, name: &[u8]) -> io::Result<()> {
        if self.text.len() + name.len() > MOST_BYTES || number >= MOST_NAMES {
            return Err(damaged("there are more names than can be kept"));
        }
        let place = Place {
            start: self.text.len() as u32,
            length: name.len() as u32,
        };
        self.text.extend_from_slice(name);
        if let Some(places) = self.places.get_mut(kind as usize) {
            if places.len() <= number {
                let none = Place {
                    start: u32::MAX,
                    length: 0,
                };
                places.resize(number + 1, none);
            }
            if let Some(empty) = places.get_mut(number) {
                *empty = place;
            }
        }
        Ok(())
    }
}

fn broken_off(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => damaged("it breaks off"),
        _ => error,
    }
}

/// Reads a big-endian number of `count` bytes.
fn read_number(file: &mut impl Read, count: usize) -> io::Result<u32> {
    let mut bytes = [0; 4];
    file.read_exact(bytes.get_mut(4 - count..).unwrap_or_default())?;
    Ok(u32::from_be_bytes(bytes))
}

/// Reads a number with seven bits per byte, the lowest first. The highest bit of a byte says that there are more. Returns `None` at the end of the
/// file.
fn read_varint(file: &mut impl Read) -> io::Result<Option<u64>> {
    let mut number = 0;
    for shift in (0..u64::BITS).step_by(7) {
        let mut byte = [0];
        match file.read_exact(&mut byte) {
            Err(error) if shift == 0 && error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            read => read?,
        }
        let [byte] = byte;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(Some(number));
        }
    }
    Err(damaged("a number is too long"))
}
