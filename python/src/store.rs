//! Stores rows in memory, or in a temporary file if there are many.

use std::cmp::Ordering;
use std::env;
use std::fs::File;
use std::io::{BufReader, BufWriter, Seek};
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::RecordBatch;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::{ArrowError, SchemaRef};
use arrow_select::interleave::interleave_record_batch;

/// How many megabytes of rows are kept in memory by default.
const MOST_MEGABYTES: usize = 256;

/// The environment variable that changes this limit.
const MEMORY: &str = "SKEWER_RESULT_MEGABYTES";

/// How many rows there are in each batch of a sorted table.
const SORTED_ROWS: usize = 8192;

fn most_megabytes() -> usize {
    let said = env::var(MEMORY).ok().and_then(|said| said.parse().ok());
    said.unwrap_or(MOST_MEGABYTES)
}

/// Collects batches.
pub(crate) struct Store {
    schema: SchemaRef,
    place: Place,
    starts: Vec<usize>,
    rows: usize,
    /// How many bytes may be kept in memory.
    most_bytes: usize,
}

enum Place {
    Memory(Vec<RecordBatch>, usize),
    File(Box<FileWriter<BufWriter<File>>>, File),
}

impl Store {
    pub(crate) fn new(schema: SchemaRef) -> Store {
        Store {
            schema,
            place: Place::Memory(Vec::new(), 0),
            starts: Vec::new(),
            rows: 0,
            most_bytes: most_megabytes() << 20,
        }
    }

    /// Adds a batch that is not empty.
    ///
    /// # Errors
    /// Returns an error if the temporary file cannot be written.
    pub(crate) fn push(&mut self, batch: RecordBatch) -> Result<(), ArrowError> {
        self.starts.push(self.rows);
        self.rows += batch.num_rows();
        match &mut self.place {
            Place::File(writer, _) => writer.write(&batch),
            Place::Memory(batches, bytes) => {
                *bytes += batch.get_array_memory_size();
                batches.push(batch);
                if *bytes <= self.most_bytes {
                    return Ok(());
                }
                let batches = mem::take(batches);
                let file = tempfile::tempfile()?;
                let own = BufWriter::new(file.try_clone()?);
                let mut writer = FileWriter::try_new(own, &self.schema)?;
                for batch in &batches {
                    writer.write(batch)?;
                }
                self.place = Place::File(Box::new(writer), file);
                Ok(())
            }
        }
    }

    /// Returns all batches as a table.
    ///
    /// # Errors
    /// Returns an error if the temporary file cannot be written or read.
    pub(crate) fn finish(self) -> Result<Table, ArrowError> {
        let batches = match self.place {
            Place::Memory(batches, _) => Batches::Memory(batches),
            Place::File(mut writer, mut file) => {
                writer.finish()?;
                drop(writer);
                file.rewind()?;
                Batches::File(Box::new(Mutex::new(OnDisk {
                    reader: FileReader::try_new(BufReader::new(file), None)?,
                    last: None,
                })))
            }
        };
        Ok(Table {
            schema: self.schema,
            batches: Arc::new(batches),
            starts: self.starts,
            rows: self.rows,
        })
    }
}

/// Batches that no longer change.
pub(crate) struct Table {
    schema: SchemaRef,
    batches: Arc<Batches>,
    /// The first row of each batch.
    starts: Vec<usize>,
    rows: usize,
}

enum Batches {
    Memory(Vec<RecordBatch>),
    File(Box<Mutex<OnDisk>>),
}

struct OnDisk {
    reader: FileReader<BufReader<File>>,
    /// The batch that was read last.
    last: Option<(usize, RecordBatch)>,
}

impl Table {
    /// Returns the columns, including the hidden ones.
    pub(crate) fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    pub(crate) fn batch_count(&self) -> usize {
        self.starts.len()
    }

    /// Returns a batch.
    ///
    /// # Errors
    /// Returns an error if the temporary file cannot be read, or if there is no such batch.
    pub(crate) fn batch(&self, index: usize) -> Result<RecordBatch, ArrowError> {
        self.batches.get(index)
    }

    /// Returns the batch that contains a row, and the index of the row in it.
    ///
    /// # Errors
    /// Returns an error if the temporary file cannot be read, or if there is no such row.
    pub(crate) fn row(&self, row: usize) -> Result<(RecordBatch, usize), ArrowError> {
        let (index, within) = self.place(row);
        Ok((self.batch(index)?, within))
    }

    fn place(&self, row: usize) -> (usize, usize) {
        let index = self.starts.partition_point(|start| *start <= row).saturating_sub(1);
        (index, row - self.starts.get(index).copied().unwrap_or(0))
    }

    /// Returns whether two tables have the same columns and rows.
    ///
    /// # Errors
    /// Returns an error if a temporary file cannot be read.
    pub(crate) fn equals(&self, other: &Table) -> Result<bool, ArrowError> {
        if self.schema != other.schema || self.rows != other.rows {
            return Ok(false);
        }
        let mut row = 0;
        while row < self.rows {
            let ((ours, at), (theirs, other_at)) = (self.row(row)?, other.row(row)?);
            let length = (ours.num_rows() - at).min(theirs.num_rows() - other_at);
            if ours.slice(at, length) != theirs.slice(other_at, length) {
                return Ok(false);
            }
            row += length;
        }
        Ok(true)
    }

    /// Returns the table as bytes in the format of Arrow streams.
    ///
    /// # Errors
    /// Returns an error if the temporary file cannot be read.
    pub(crate) fn packed(&self) -> Result<Vec<u8>, ArrowError> {
        let mut writer = StreamWriter::try_new(Vec::new(), &self.schema)?;
        for index in 0..self.batch_count() {
            writer.write(&self.batch(index)?)?;
        }
        writer.into_inner()
    }

    /// Reads a table from such bytes.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a table, or if a temporary file cannot be written.
    pub(crate) fn unpacked(bytes: &[u8]) -> Result<Table, ArrowError> {
        let reader = StreamReader::try_new(bytes, None)?;
        let mut store = Store::new(reader.schema());
        for batch in reader {
            store.push(batch?)?;
        }
        store.finish()
    }

    /// Sorts the games of a table and keeps the first `limit`. `lengths` gives the number of rows of each game. The sort is stable.
    ///
    /// # Errors
    /// Returns an error if a temporary file cannot be written or read.
    pub(crate) fn sorted(
        self,
        lengths: &[usize],
        limit: Option<usize>,
        order: impl Fn(usize, usize) -> Ordering,
    ) -> Result<Table, ArrowError> {
        let mut games: Vec<usize> = (0..lengths.len()).collect();
        games.sort_by(|a, b| order(*a, *b));
        games.truncate(limit.unwrap_or(usize::MAX));
        let mut starts: Vec<usize> = Vec::with_capacity(lengths.len());
        lengths.iter().fold(0, |start, length| {
            starts.push(start);
            start + length
        });
        let rows: Vec<usize> = games
            .iter()
            .flat_map(|game| starts[*game]..starts[*game] + lengths[*game])
            .collect();
        let mut sorted = Store::new(Arc::clone(&self.schema));
        for rows in rows.chunks(self.rows_at_once()) {
            self.gather(rows, &mut sorted)?;
        }
        sorted.finish()
    }

    /// Returns how many rows may be in memory at once.
    fn rows_at_once(&self) -> usize {
        match &*self.batches {
            Batches::Memory(_) => self.rows.max(1),
            // With its texts, a row rarely exceeds half a kilobyte.
            Batches::File(_) => (most_megabytes() << 20) / 512 + 1,
        }
    }

    /// Adds these rows to a store, in this order.
    fn gather(&self, rows: &[usize], store: &mut Store) -> Result<(), ArrowError> {
        let mut wanted: Vec<(usize, usize, usize)> = rows
            .iter()
            .enumerate()
            .map(|(place, row)| {
                let (batch, within) = self.place(*row);
                (batch, within, place)
            })
            .collect();
        wanted.sort_unstable();
        // Takes the rows of each batch in one part, and notes where each row is in these parts.
        let mut parts: Vec<RecordBatch> = Vec::new();
        let mut places = vec![(0, 0); rows.len()];
        for of_batch in wanted.chunk_by(|a, b| a.0 == b.0) {
            let batch = self.batch(of_batch[0].0)?;
            let indices: Vec<(usize, usize)> = of_batch.iter().map(|(_, within, _)| (0, *within)).collect();
            for (within, (_, _, place)) in of_batch.iter().enumerate() {
                places[*place] = (parts.len(), within);
            }
            parts.push(interleave_record_batch(&[&batch], &indices)?);
        }
        let parts: Vec<&RecordBatch> = parts.iter().collect();
        for places in places.chunks(SORTED_ROWS) {
            store.push(interleave_record_batch(&parts, places)?)?;
        }
        Ok(())
    }
}

impl Batches {
    fn get(&self, index: usize) -> Result<RecordBatch, ArrowError> {
        let missing = || ArrowError::InvalidArgumentError("there is no such batch".to_owned());
        match self {
            Batches::Memory(batches) => batches.get(index).cloned().ok_or_else(missing),
            Batches::File(file) => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some((known, batch)) = &file.last
                    && *known == index
                {
                    return Ok(batch.clone());
                }
                file.reader.set_index(index)?;
                let batch = file.reader.next().ok_or_else(missing)??;
                file.last = Some((index, batch.clone()));
                Ok(batch)
            }
        }
    }
}
