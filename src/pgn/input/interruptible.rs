//! Streams of bytes that end when a run is interrupted.

use std::io::{self, Cursor, Read};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use crate::limits::Interrupt;

/// The bytes that are read at once from a stream that may block.
const CHUNK: usize = 64 << 10;

/// The number of chunks that may be read ahead.
const AHEAD: usize = 8;

/// A stream that never blocks for long, such as a file.
pub(crate) struct Interruptible<R> {
    stream: R,
    interrupt: Arc<Interrupt>,
}

impl<R> Interruptible<R> {
    pub(crate) fn new(stream: R, interrupt: Arc<Interrupt>) -> Interruptible<R> {
        Interruptible { stream, interrupt }
    }
}

impl<R: Read> Read for Interruptible<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.interrupt.check()?;
        self.stream.read(buffer)
    }
}

/// A stream that may block for ever, such as a pipe. It is opened and read on a thread of its own, which is abandoned when no more is wanted.
pub(crate) struct BackgroundReader {
    chunks: Receiver<io::Result<Vec<u8>>>,
    current: Cursor<Vec<u8>>,
    interrupt: Arc<Interrupt>,
}

impl BackgroundReader {
    /// Starts to open and to read a stream.
    ///
    /// # Errors
    /// Returns an error if no thread can be started.
    pub(crate) fn open<R: Read>(
        open: impl FnOnce() -> io::Result<R> + Send + 'static,
        interrupt: Arc<Interrupt>,
    ) -> io::Result<BackgroundReader> {
        let (sender, chunks) = sync_channel(AHEAD);
        thread::Builder::new().name("input".to_owned()).spawn(move || {
            // If sending fails, nobody waits for the error.
            let _ = open()
                .and_then(|stream| send_all(stream, &sender))
                .map_err(|error| sender.send(Err(error)));
        })?;
        Ok(BackgroundReader {
            chunks,
            current: Cursor::default(),
            interrupt,
        })
    }
}

/// Sends everything that can be read until the receiver is gone.
fn send_all(mut stream: impl Read, sender: &SyncSender<io::Result<Vec<u8>>>) -> io::Result<()> {
    loop {
        let mut chunk = vec![0; CHUNK];
        let length = match stream.read(&mut chunk) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        chunk.truncate(length);
        if length == 0 || sender.send(Ok(chunk)).is_err() {
            return Ok(());
        }
    }
}

impl Read for BackgroundReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            self.interrupt.check()?;
            let length = self.current.read(buffer)?;
            if length > 0 || buffer.is_empty() {
                return Ok(length);
            }
            match self.interrupt.receive(&self.chunks)? {
                Some(chunk) => self.current = Cursor::new(chunk?),
                None => return Ok(0),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Yields a byte, then blocks for ever.
    struct Stuck(bool);

    impl Read for Stuck {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if std::mem::take(&mut self.0) {
                buffer[0] = b'x';
                return Ok(1);
            }
            loop {
                thread::park();
            }
        }
    }

    #[test]
    fn a_stream_arrives_as_it_is() {
        let content: Vec<u8> = (0..300_000u32).map(|number| number as u8).collect();
        let copy = content.clone();
        let mut stream = BackgroundReader::open(move || Ok(Cursor::new(copy)), Arc::default()).unwrap();
        let mut read = Vec::new();
        stream.read_to_end(&mut read).unwrap();
        assert_eq!(read, content);
    }

    #[test]
    fn an_error_of_opening_arrives() {
        let fails = || Err::<io::Empty, _>(io::Error::from(io::ErrorKind::NotFound));
        let mut stream = BackgroundReader::open(fails, Arc::default()).unwrap();
        assert_eq!(stream.read(&mut [0]).unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn nobody_waits_for_a_stream_after_an_interrupt() {
        let interrupt = Arc::new(Interrupt::after(Duration::from_millis(10)));
        let mut stream = BackgroundReader::open(|| Ok(Stuck(true)), Arc::clone(&interrupt)).unwrap();
        let error = stream.read_to_end(&mut Vec::new()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        interrupt.raise();
        assert!(Interruptible::new(io::repeat(0), interrupt).read(&mut [0]).is_err());
    }
}
