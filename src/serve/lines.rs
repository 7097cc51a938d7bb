//! An answer that is sent while it is made, line by line.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use hyper::StatusCode;
use hyper::body::{Body, Frame};
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::time::timeout;

use crate::limits::Interrupt;
use crate::service::Error;

/// How many lines wait to be sent.
const AHEAD: usize = 16;

/// Lines are sent together up to this many bytes.
const CHUNK_BYTES: usize = 64 << 10;

/// How often who waits for a slow client looks whether to end.
const POLL: Duration = Duration::from_millis(50);

/// Why something is not answered, and the status that says so.
pub(super) type Failure = (StatusCode, Error);

/// Lines for a client, and the interrupt of whoever makes them. It is raised when the client goes away.
pub(super) fn channel(interrupt: &Arc<Interrupt>) -> (Sender, Lines) {
    let (sender, receiver) = mpsc::channel(AHEAD);
    let sender = Sender {
        lines: sender,
        interrupt: Arc::clone(interrupt),
        runtime: Handle::current(),
    };
    let lines = Lines {
        first: None,
        receiver,
        interrupt: Arc::clone(interrupt),
    };
    (sender, lines)
}

/// Where the lines come from.
#[derive(Clone)]
pub(super) struct Sender {
    lines: mpsc::Sender<Result<Bytes, Failure>>,
    interrupt: Arc<Interrupt>,
    runtime: Handle,
}

impl Sender {
    /// Sends a line, whose end is added, as soon as the client has taken enough of those before; from a thread that may wait. Returns whether more are
    /// wanted.
    pub(super) fn send(&self, line: &str) -> bool {
        let line: Bytes = [line, "\n"].concat().into();
        loop {
            let room = match self.lines.try_reserve() {
                Ok(room) => Ok(Ok(room)),
                Err(_) => self
                    .runtime
                    .block_on(async { timeout(POLL, self.lines.reserve()).await }),
            };
            match room {
                Ok(Ok(room)) => {
                    room.send(Ok(line));
                    return true;
                }
                // Nobody reads them any more.
                Ok(Err(_)) => return false,
                // What the client does not take is not waited for for ever.
                Err(_) if self.interrupt.is_overdue() => return false,
                Err(_) => {}
            }
        }
    }

    /// Says why there are no more lines.
    pub(super) async fn fail(self, failure: Failure) {
        // Perhaps nobody reads it.
        let _ = self.lines.send(Err(failure)).await;
    }
}

/// What is sent.
pub(super) struct Lines {
    /// A line that has been taken to see whether there is one.
    first: Option<Bytes>,
    receiver: mpsc::Receiver<Result<Bytes, Failure>>,
    interrupt: Arc<Interrupt>,
}

impl Lines {
    /// Waits for the first line.
    ///
    /// # Errors
    /// The failure that comes in its place.
    pub(super) async fn begun(mut self) -> Result<Lines, Failure> {
        self.first = self.receiver.recv().await.transpose()?;
        Ok(self)
    }
}

/// A line, or in its place the last one, which says what has failed.
fn shown(line: Result<Bytes, Failure>) -> Bytes {
    line.unwrap_or_else(|(_, error)| (error.to_json() + "\n").into())
}

impl Body for Lines {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let lines = self.get_mut();
        let first = match lines.first.take() {
            Some(first) => first,
            None => match ready!(lines.receiver.poll_recv(context)) {
                Some(first) => shown(first),
                None => return Poll::Ready(None),
            },
        };
        let mut chunk = BytesMut::from(first);
        while chunk.len() < CHUNK_BYTES
            && let Ok(line) = lines.receiver.try_recv()
        {
            chunk.extend_from_slice(&shown(line));
        }
        Poll::Ready(Some(Ok(Frame::data(chunk.freeze()))))
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        self.interrupt.raise();
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;
    use tokio::task::spawn_blocking;

    use super::*;

    /// Runs a test on one thread, as the server does.
    fn block_on<T>(test: impl Future<Output = T>) -> T {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        runtime.enable_time().build().expect("a runtime").block_on(test)
    }

    #[test]
    fn lines_come_in_order_and_a_failure_last() {
        let text = block_on(async {
            let (sender, lines) = channel(&Arc::default());
            let failing = sender.clone();
            let sent = spawn_blocking(move || (0..100).all(|number| sender.send(&number.to_string())));
            tokio::spawn(async move {
                assert!(sent.await.expect("it sends"));
                let error = Error::new("so be it");
                failing.fail((StatusCode::INTERNAL_SERVER_ERROR, error)).await;
            });
            let lines = lines.begun().await.unwrap_or_else(|(_, error)| panic!("{error}"));
            lines.collect().await.unwrap_or_else(|never| match never {}).to_bytes()
        });
        let numbers: String = (0..100).map(|number| format!("{number}\n")).collect();
        assert_eq!(text, numbers + "{\"error\":{\"message\":\"so be it\"}}\n");
    }

    #[test]
    fn a_failure_in_place_of_the_first_line_is_none_of_the_lines() {
        let failure = block_on(async {
            let (sender, lines) = channel(&Arc::default());
            sender.fail((StatusCode::BAD_REQUEST, Error::new("no query"))).await;
            lines.begun().await.err()
        });
        assert_eq!(failure, Some((StatusCode::BAD_REQUEST, Error::new("no query"))));
    }

    #[test]
    fn who_sends_hears_that_the_client_has_gone() {
        block_on(async {
            let interrupt = Arc::default();
            let (sender, lines) = channel(&interrupt);
            drop(lines);
            assert!(interrupt.is_raised());
            assert!(!spawn_blocking(move || sender.send("line")).await.expect("it sends"));
        });
    }

    #[test]
    fn a_client_that_reads_nothing_is_not_waited_for_when_the_time_is_over() {
        block_on(async {
            let interrupt = Arc::new(Interrupt::after(Duration::from_millis(10)));
            let (sender, lines) = channel(&interrupt);
            let sent = spawn_blocking(move || (0..).take_while(|_| sender.send("line")).count());
            assert_eq!(sent.await.expect("it gives up"), AHEAD);
            drop(lines);
        });
    }
}
