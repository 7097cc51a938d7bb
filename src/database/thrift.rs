//! Thrift's compact protocol, in which Parquet describes itself. It is implemented as far as needed to check descriptions before the `parquet` crate
//! decodes them, and to put descriptions together.

/// The deepest nesting of structures that are skipped.
const MOST_DEPTH: u32 = 16;

/// The types of values, by their numbers in the protocol.
pub(super) mod kind {
    /// The end of a structure.
    pub(crate) const STOP: u8 = 0;
    pub(crate) const TRUE: u8 = 1;
    pub(crate) const FALSE: u8 = 2;
    pub(crate) const BYTE: u8 = 3;
    pub(crate) const I16: u8 = 4;
    pub(crate) const I32: u8 = 5;
    pub(crate) const I64: u8 = 6;
    pub(crate) const DOUBLE: u8 = 7;
    pub(crate) const TEXT: u8 = 8;
    pub(crate) const LIST: u8 = 9;
    pub(crate) const SET: u8 = 10;
    pub(crate) const MAP: u8 = 11;
    pub(crate) const STRUCT: u8 = 12;
}

/// A field of a structure: its number and the type of its value.
#[derive(Clone, Copy)]
pub(super) struct Field {
    pub(super) id: i64,
    pub(super) kind: u8,
}

/// Bytes that are being read. All methods return `None` if the bytes end or are not valid.
pub(super) struct Thrift<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Thrift<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Thrift<'a> {
        Thrift { bytes, at: 0 }
    }

    /// Returns how many bytes have been read.
    pub(super) fn len_read(&self) -> usize {
        self.at
    }

    /// Reads a byte.
    pub(super) fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    /// Skips this many bytes.
    pub(super) fn pass(&mut self, count: usize) -> Option<()> {
        let end = self.at.checked_add(count)?;
        self.at = (end <= self.bytes.len()).then_some(end)?;
        Some(())
    }

    /// Reads an unsigned number.
    pub(super) fn unsigned(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    /// Reads an integer of 16, 32 or 64 bits.
    pub(super) fn integer(&mut self) -> Option<i64> {
        let value = self.unsigned()?;
        Some((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// Reads the next field of a structure, after the one with the number `last`, which becomes its number. Returns `Some(None)` at the end of the
    /// structure.
    pub(super) fn field(&mut self, last: &mut i64) -> Option<Option<Field>> {
        let head = self.byte()?;
        let kind = head & 0x0f;
        if head == kind::STOP {
            return Some(None);
        }
        let id = match head >> 4 {
            0 => self.integer()?,
            delta => *last + i64::from(delta),
        };
        *last = id;
        Some(Some(Field { id, kind }))
    }

    /// Reads the head of a list and returns the type and the number of its elements.
    pub(super) fn list(&mut self) -> Option<(u8, usize)> {
        let head = self.byte()?;
        let size = match head >> 4 {
            15 => usize::try_from(self.unsigned()?).ok()?,
            size => size.into(),
        };
        // Each element has at least one byte.
        (size <= self.bytes.len() - self.at).then_some((head & 0x0f, size))
    }

    /// Skips a value.
    pub(super) fn skip(&mut self, kind: u8) -> Option<()> {
        self.skip_below(kind, MOST_DEPTH)
    }

    fn skip_below(&mut self, kind: u8, depth: u32) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        match kind {
            kind::TRUE | kind::FALSE => Some(()),
            kind::BYTE => self.pass(1),
            kind::I16 | kind::I32 | kind::I64 => self.unsigned().map(drop),
            kind::DOUBLE => self.pass(8),
            kind::TEXT => {
                let length = usize::try_from(self.unsigned()?).ok()?;
                self.pass(length)
            }
            kind::LIST | kind::SET => {
                let (kind, size) = self.list()?;
                (0..size).try_for_each(|_| self.skip_element(kind, depth))
            }
            kind::MAP => self.skip_map(depth),
            kind::STRUCT => {
                let mut last = 0;
                while let Some(field) = self.field(&mut last)? {
                    self.skip_below(field.kind, depth)?;
                }
                Some(())
            }
            _ => None,
        }
    }

    /// Skips an element of a list. Booleans take a byte there.
    fn skip_element(&mut self, kind: u8, depth: u32) -> Option<()> {
        match kind {
            kind::TRUE | kind::FALSE => self.pass(1),
            kind => self.skip_below(kind, depth),
        }
    }

    fn skip_map(&mut self, depth: u32) -> Option<()> {
        let size = usize::try_from(self.unsigned()?).ok()?;
        if size == 0 {
            return Some(());
        }
        let kinds = self.byte()?;
        (0..size).try_for_each(|_| {
            self.skip_element(kinds >> 4, depth)?;
            self.skip_element(kinds & 0x0f, depth)
        })
    }
}

/// Writes an unsigned number in Thrift.
pub(super) fn push_unsigned(out: &mut Vec<u8>, mut number: u64) {
    while number > 0x7f {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Writes the head of a list of this many structures in Thrift.
pub(super) fn push_list(out: &mut Vec<u8>, count: usize) {
    match u8::try_from(count) {
        Ok(few @ 0..15) => out.push(few << 4 | kind::STRUCT),
        _ => {
            out.push(0xf0 | kind::STRUCT);
            push_unsigned(out, count as u64);
        }
    }
}
