//! The dictionary of a column of texts, and the column as numbers of texts in it. Most texts of tags come again and again.

use std::mem;
use std::ops::Range;

use bytes::Bytes;
use parquet::basic::Encoding;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};

/// The different texts of a column of a row group.
#[derive(Default)]
pub(super) struct Dictionary {
    bytes: Bytes,
    places: Vec<Range<usize>>,
}

impl Dictionary {
    /// Reads the plain values of a dictionary page. Returns `None` if they do not fill its bytes as they should.
    fn of_page(bytes: &Bytes, values: u32) -> Option<Dictionary> {
        let mut places = Vec::new();
        let mut next = 0_usize;
        for _ in 0..values {
            let length = *bytes.get(next..)?.first_chunk()?;
            let start = next + mem::size_of::<u32>();
            next = start.checked_add(usize::try_from(u32::from_le_bytes(length)).ok()?)?;
            bytes.get(start..next)?;
            places.push(start..next);
        }
        Some(Dictionary {
            bytes: bytes.clone(),
            places,
        })
    }

    /// Returns the text with this number.
    pub(super) fn text(&self, number: usize) -> Option<&[u8]> {
        self.bytes.get(self.places.get(number)?.clone())
    }
}

/// The pages of a column of texts as those of a column of numbers of 32 bits. Its dictionary has each number at its own place.
pub(super) struct NumberedPages<P> {
    /// The page with the numbers, until it is read.
    numbers: Option<Page>,
    pages: P,
}

impl<P: PageReader> NumberedPages<P> {
    /// Takes the dictionary from the pages of a column. Returns `None` if they do not begin with one.
    ///
    /// # Errors
    /// Returns an error if the first page cannot be read.
    pub(super) fn of_texts(mut pages: P) -> Result<Option<(Dictionary, NumberedPages<P>)>> {
        let Some(Page::DictionaryPage {
            buf,
            num_values,
            encoding,
            is_sorted,
        }) = pages.get_next_page()?
        else {
            return Ok(None);
        };
        let dictionary = Dictionary::of_page(&buf, num_values);
        let dictionary = dictionary.ok_or_else(|| ParquetError::General("an invalid dictionary".to_owned()))?;
        let numbers: Vec<u8> = (0..num_values).flat_map(u32::to_le_bytes).collect();
        let numbers = Some(Page::DictionaryPage {
            buf: numbers.into(),
            num_values,
            encoding,
            is_sorted,
        });
        Ok(Some((dictionary, NumberedPages { numbers, pages })))
    }
}

impl<P: PageReader> Iterator for NumberedPages<P> {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl<P: PageReader> PageReader for NumberedPages<P> {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        if let Some(numbers) = self.numbers.take() {
            return Ok(Some(numbers));
        }
        let page = self.pages.get_next_page()?;
        let is_numbered = page.as_ref().is_none_or(|page| {
            let encodings = [Encoding::RLE_DICTIONARY, Encoding::PLAIN_DICTIONARY];
            encodings.contains(&page.encoding())
        });
        match is_numbered {
            true => Ok(page),
            false => Err(ParquetError::General("a page without numbers".to_owned())),
        }
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        match self.numbers {
            Some(_) => Ok(Some(PageMetadata {
                num_rows: None,
                num_levels: None,
                is_dict: true,
            })),
            None => self.pages.peek_next_page(),
        }
    }

    fn skip_next_page(&mut self) -> Result<()> {
        match self.numbers.take() {
            Some(_) => Ok(()),
            None => self.pages.skip_next_page(),
        }
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        match self.numbers {
            Some(_) => Ok(true),
            None => self.pages.at_record_boundary(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dictionary_has_all_its_texts_or_is_refused() {
        let bytes = Bytes::from_static(b"\x02\0\0\0ab\0\0\0\0\x01\0\0\0c");
        let dictionary = Dictionary::of_page(&bytes, 3).unwrap();
        let texts: Vec<_> = (0..4).map(|number| dictionary.text(number)).collect();
        assert_eq!(texts, [Some(&b"ab"[..]), Some(b""), Some(b"c"), None]);
        for (length, values) in [(bytes.len() - 1, 3), (bytes.len(), 4), (3, 1)] {
            assert!(Dictionary::of_page(&bytes.slice(..length), values).is_none());
        }
    }
}
