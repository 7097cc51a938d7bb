//! Runs searches on another thread, so that the caller can give up waiting.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::task::Poll;
use std::thread;
use std::time::Duration;
use std::vec;

use super::compiled::{Groups, Pattern, TooComplex};

/// The most groups that are collected before they are sent.
const GROUPS_AT_ONCE: usize = 4096;

/// The matches of a pattern, found by another thread. See [`Pattern::matches`].
pub struct PatientMatches {
    found: Receiver<Vec<Result<Groups, TooComplex>>>,
    ready: vec::IntoIter<Result<Groups, TooComplex>>,
}

impl PatientMatches {
    /// Starts to search for the first `most` matches.
    ///
    /// # Errors
    /// Returns an error if the thread cannot be started.
    pub fn new(pattern: Arc<Pattern>, text: Arc<[u8]>, most: usize) -> io::Result<PatientMatches> {
        let (sender, found) = sync_channel(2);
        thread::Builder::new()
            .name("pattern".to_owned())
            .spawn(move || send_all(&pattern, &text, most, &sender))?;
        Ok(PatientMatches {
            found,
            ready: Vec::new().into_iter(),
        })
    }

    /// Returns the next match, or `Pending` if it takes longer than `patience`.
    pub fn poll_next(&mut self, patience: Duration) -> Poll<Option<Result<Groups, TooComplex>>> {
        if let Some(next) = self.ready.next() {
            return Poll::Ready(Some(next));
        }
        match self.found.recv_timeout(patience) {
            Ok(found) => {
                self.ready = found.into_iter();
                Poll::Ready(self.ready.next())
            }
            Err(RecvTimeoutError::Timeout) => Poll::Pending,
            Err(RecvTimeoutError::Disconnected) => Poll::Ready(None),
        }
    }
}

/// Sends the matches, first a single one, then more and more at once, until the receiver is gone.
fn send_all(pattern: &Pattern, text: &[u8], most: usize, sender: &SyncSender<Vec<Result<Groups, TooComplex>>>) {
    let (mut batch, mut groups, mut at_once) = (Vec::new(), 0, 1);
    for found in pattern.matches(text).take(most) {
        groups += found.as_ref().map_or(1, Vec::len);
        batch.push(found);
        if groups >= at_once {
            if sender.send(std::mem::take(&mut batch)).is_err() {
                return;
            }
            groups = 0;
            at_once = (2 * at_once).min(GROUPS_AT_ONCE);
        }
    }
    if !batch.is_empty() {
        // The receiver may be gone.
        let _ = sender.send(batch);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_thread_finds_the_same() {
        let text = b"abcabaacab".repeat(1000);
        for pattern in ["a+b?", "(a)|(b)", "x", "", r"(.)\1"] {
            let pattern = Arc::new(Pattern::new(pattern.as_bytes()).unwrap());
            let expected: Vec<_> = pattern.matches(&text).collect();
            for most in [1, 5, usize::MAX] {
                let mut search = PatientMatches::new(Arc::clone(&pattern), text.clone().into(), most).unwrap();
                let mut found = Vec::new();
                loop {
                    match search.poll_next(Duration::from_secs(60)) {
                        Poll::Ready(Some(next)) => found.push(next),
                        Poll::Ready(None) => break,
                        Poll::Pending => panic!("it takes a minute"),
                    }
                }
                assert_eq!(found, expected[..most.min(expected.len())]);
            }
        }
    }

    #[test]
    fn nobody_has_to_wait() {
        let pattern = Arc::new(Pattern::new(b"a+b|a").unwrap());
        let text: Arc<[u8]> = vec![b'a'; 1 << 20].into();
        let mut search = PatientMatches::new(pattern, text, usize::MAX).unwrap();
        while search.poll_next(Duration::ZERO).is_ready() {}
    }
}
