//! Archives of databases (`.cbv`), which are unpacked block by block into a temporary folder.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use cbvault_format::archive::{Archive, BLOCK_HEAD, BlockHead, Member, Mode, huffman, lz};
use tempfile::TempDir;

use crate::foreign::file::{PositionedFile, damaged};

/// The endings of the files of a database that are read. The first one is the file that users name.
const FILES: [&str; 8] = ["cbh", "cbg", "cba", "cbp", "cbt", "cbc", "cbs", "cbj"];
/// The largest distance of a reference back in packed text, in bytes.
const WINDOW: usize = 1 << 13;

/// A database that was unpacked.
pub(super) struct Unpacked {
    /// The file of its headers.
    pub(super) headers: PathBuf,
    _folder: TempDir,
}

/// The buffer for text that has to be unpacked twice, and the table for that.
struct Stage {
    bytes: Vec<u8>,
    table: Box<huffman::Table>,
}

/// Unpacks the database of an archive.
pub(super) fn unpack(path: &Path) -> io::Result<Unpacked> {
    let bytes = PositionedFile::open(path)?;
    let archive = Archive::open(path).map_err(|_| damaged("it is damaged, or was not packed by ChessBase"))?;
    let folder = tempfile::tempdir()?;
    let mut stage = Stage {
        bytes: Vec::new(),
        table: Box::new(huffman::Table::new()),
    };
    for ending in FILES {
        let is_wanted = |member: &&Member| {
            let extension = Path::new(member.name()).extension();
            member.folder().is_none() && extension.is_some_and(|extension| extension.eq_ignore_ascii_case(ending))
        };
        let mut members = archive.list().iter().filter(is_wanted);
        let Some(member) = members.next() else { continue };
        if members.next().is_some() {
            return Err(damaged("the archive has several databases; unpack it in ChessBase"));
        }
        let file = folder.path().join("games").with_extension(ending);
        unpack_member(member, &bytes, &file, &mut stage)?;
    }
    let headers = folder.path().join("games.cbh");
    match headers.is_file() {
        true => Ok(Unpacked {
            headers,
            _folder: folder,
        }),
        false => Err(damaged("the archive has no database with the ending .cbh")),
    }
}

/// Unpacks a file. It consists of blocks, each with its length in front and a first byte that tells how the rest is packed.
fn unpack_member(member: &Member, archive: &PositionedFile, file: &Path, stage: &mut Stage) -> io::Result<()> {
    let name = member.name();
    let failed = |what: &dyn Display| damaged(format!("`{name}` in the archive cannot be unpacked: {what}"));
    let mut out = BufWriter::new(File::create(file)?);
    let (mut place, mut left) = (member.offset(), member.size());
    let (mut block, mut unpacked) = (Vec::new(), Vec::new());
    while place < member.end() {
        archive
            .read(place, BLOCK_HEAD, &mut block)
            .map_err(|error| failed(&error))?;
        let length = BlockHead::parse(&block).map_or(0, |head| usize::from(head.payload_len));
        let start = place + BLOCK_HEAD as u64;
        archive
            .read(start, length, &mut block)
            .map_err(|error| failed(&error))?;
        let (mode, packed) = block.split_first().ok_or_else(|| failed(&"it has an empty block"))?;
        // Earlier text stays as far as packed text may refer back to it.
        let before = unpacked.len().min(WINDOW);
        unpacked.drain(..unpacked.len() - before);
        let done = match *mode {
            Mode::STORED => {
                unpacked.extend_from_slice(packed);
                Ok(())
            }
            Mode::LZ => lz::decode(name, packed, &mut unpacked, place),
            Mode::HUFFMAN => huffman::decode(name, packed, &mut unpacked, &mut stage.table, place),
            Mode::HUFFMAN_LZ => {
                stage.bytes.clear();
                let first = huffman::decode(name, packed, &mut stage.bytes, &mut stage.table, place);
                first.and_then(|()| lz::decode(name, &stage.bytes, &mut unpacked, place))
            }
            _ => return Err(failed(&"it is packed in an unknown way")),
        };
        done.map_err(|error| failed(&error))?;
        let new = unpacked.get(before..).unwrap_or_default();
        let rest = left.checked_sub(new.len() as u64);
        left = rest.ok_or_else(|| failed(&"it has more bytes than the archive says"))?;
        out.write_all(new)?;
        place = start + length as u64;
    }
    out.flush()
}
