//! An answer that is sent line by line while it is made.

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

/// The number of lines that may wait to be sent.
const AHEAD: usize = 16;

/// The number of bytes up to which lines are sent together.
const CHUNK_BYTES: usize = 64 << 10;

/// How often a sender that waits for a slow client checks whether to end.
const POLL: Duration = Duration::from_millis(50);

/// The reason why something is not answered, with its status.
pub(super) type Failure = (StatusCode, Error);

/// Creates a channel for lines to a client. The sender's interrupt is raised when the client disconnects.
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

/// Sends lines.
#[derive(Clone)]
pub(super) struct Sender {
    lines: mpsc::Sender<Result<Bytes, Failure>>,
    interrupt: Arc<Interrupt>,
    runtime: Handle,
}

impl Sender {
    /// Sends a line, to which a line end is added. Waits until the client has taken enough of the lines before, so call it from a thread
    /// that may block. Returns whether more lines are wanted.
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
                // A client that takes nothing must not block the search for ever.
                Err(_) if self.interrupt.is_overdue() => return false,
                Err(_) => {}
            }
        }
    }

    /// Ends the lines with a failure.
    pub(super) async fn fail(self, failure: Failure) {
        // Nobody may be reading it.
        let _ = self.lines.send(Err(failure)).await;
    }
}

/// The lines to send.
pub(super) struct Lines {
    /// A line that was taken to find out whether there is one.
    first: Option<Bytes>,
    receiver: mpsc::Receiver<Result<Bytes, Failure>>,
    interrupt: Arc<Interrupt>,
}

impl Lines {
    /// Waits for the first line.
    ///
    /// # Errors
    /// Returns the failure if one comes instead.
    pub(super) async fn begun(mut self) -> Result<Lines, Failure> {
        self.first = self.receiver.recv().await.transpose()?;
        Ok(self)
    }
}

/// Returns a line. A failure becomes the last line.
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
