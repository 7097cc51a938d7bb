//! Converts streams of UTF-16 text, which old editors and some exports write, to UTF-8.

use std::io::{self, Cursor, Read};

#[cfg(feature = "files")]
use encoding_rs::{UTF_16BE, UTF_16LE};
#[cfg(feature = "files")]
use encoding_rs_io::DecodeReaderBytesBuilder;

/// Converts a stream of UTF-16 text, with or without a byte-order mark, to UTF-8. Other streams stay unchanged.
///
/// # Errors
///
/// Returns an error if the first bytes cannot be read, or if the text is UTF-32, which encoding_rs does not know.
pub(crate) fn utf_8(mut stream: Box<dyn Read + Send>) -> io::Result<Box<dyn Read + Send>> {
    let mut first = Vec::with_capacity(8);
    stream.by_ref().take(8).read_to_end(&mut first)?;
    let order = match first.as_slice() {
        // A mark, or two ASCII characters.
        [0xff, 0xfe, 0, 0, ..]
        | [0, 0, 0xfe, 0xff, ..]
        | [1..=0x7f, 0, 0, 0, 1..=0x7f, 0, 0, 0]
        | [0, 0, 0, 1..=0x7f, 0, 0, 0, 1..=0x7f] => {
            let message = "it is UTF-32 text; save it as UTF-8";
            return Err(io::Error::new(io::ErrorKind::Unsupported, message));
        }
        [0xff, 0xfe, ..] => Some(Order::Little),
        [0xfe, 0xff, ..] => Some(Order::Big),
        // Two ASCII characters. No text in another encoding has NUL bytes.
        [1..=0x7f, 0, 1..=0x7f, 0, ..] => Some(Order::Little),
        [0, 1..=0x7f, 0, 1..=0x7f, ..] => Some(Order::Big),
        _ => None,
    };
    let whole = Cursor::new(first).chain(stream);
    match order {
        Some(order) => decoded(whole, order),
        None => Ok(Box::new(whole)),
    }
}

/// The byte order of a UTF-16 text.
#[derive(Clone, Copy)]
enum Order {
    Little,
    Big,
}

#[cfg(feature = "files")]
fn decoded(stream: impl Read + Send + 'static, order: Order) -> io::Result<Box<dyn Read + Send>> {
    let encoding = match order {
        Order::Little => UTF_16LE,
        Order::Big => UTF_16BE,
    };
    // Without its mark; what is not a character becomes U+FFFD.
    let decoded = DecodeReaderBytesBuilder::new().encoding(Some(encoding)).build(stream);
    Ok(Box::new(decoded))
}

#[cfg(not(feature = "files"))]
fn decoded(_stream: impl Read, order: Order) -> io::Result<Box<dyn Read + Send>> {
    let order = match order {
        Order::Little => "little",
        Order::Big => "big",
    };
    let message = format!("it is UTF-16 ({order}-endian), and skewer was built without `files`");
    Err(io::Error::new(io::ErrorKind::Unsupported, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream that yields a few bytes at a time.
    struct Dripping(Cursor<Vec<u8>>, usize);

    impl Read for Dripping {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = buffer.len().min(self.1);
            self.0.read(&mut buffer[..length])
        }
    }

    fn little(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    }

    fn big(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_be_bytes).collect()
    }

    fn read(bytes: &[u8]) -> Vec<u8> {
        [1, 2, 3, 7, usize::MAX]
            .map(|step| {
                let stream = Dripping(Cursor::new(bytes.to_vec()), step);
                let mut text = Vec::new();
                utf_8(Box::new(stream)).unwrap().read_to_end(&mut text).unwrap();
                text
            })
            .into_iter()
            .reduce(|one, other| {
                assert_eq!(one, other, "{bytes:x?}");
                one
            })
            .unwrap()
    }

    #[test]
    fn utf_16_is_decoded_whatever_its_order_of_bytes() {
        for text in ["", "[", "[Event \"Łódź ♘ 𝄞\"]\r\n\r\n1. e4 *\r\n", &"♞".repeat(40_000)] {
            let marked = format!("\u{feff}{text}");
            assert_eq!(read(&little(&marked)), text.as_bytes());
            assert_eq!(read(&big(&marked)), text.as_bytes());
        }
        let text = "\n[Event \"Łódź\"]";
        assert_eq!(read(&little(text)), text.as_bytes());
        assert_eq!(read(&big(text)), text.as_bytes());
    }

    #[test]
    fn other_text_stays_what_it_is() {
        for bytes in [
            &b""[..],
            b"\xff",
            b"1",
            b"\xef\xbb\xbf[Event \"x\"]",
            b"[\0x",
            b"\0\0\0\0[Event",
            b"[\0\0\0E\0\0x",
            b"M\xfcller",
        ] {
            assert_eq!(read(bytes), bytes);
        }
    }

    #[test]
    fn utf_32_is_refused() {
        for text in [
            &b"\xff\xfe\0\0"[..],
            b"\0\0\xfe\xff\0\0\0[",
            b"[\0\0\0E\0\0\0v\0\0\0",
            b"\0\0\0\n\0\0\0[",
        ] {
            let error = utf_8(Box::new(Cursor::new(text))).err().expect("an error");
            assert_eq!(error.to_string(), "it is UTF-32 text; save it as UTF-8");
        }
    }

    #[test]
    fn what_is_no_character_is_replaced() {
        let mut cut = little("\u{feff}a♘");
        cut.pop();
        assert_eq!(read(&cut), "a\u{fffd}".as_bytes());
        let lone = [&little("\u{feff}a")[..], &[0x00, 0xd8], &little("b")].concat();
        assert_eq!(read(&lone), "a\u{fffd}b".as_bytes());
    }
}
