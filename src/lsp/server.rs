//! Runs the conversation over a pair of streams.

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{TryRecvError, sync_channel};
use std::thread;

use super::conversation::{Conversation, Ended};
use super::transport::{self, Incoming};

/// Talks to an editor until it ends the conversation. The thread should have a large stack, because it compiles queries.
///
/// Messages are answered in their order. Diagnostics of a document are made when no message is waiting, so that fast typists do not wait for
/// diagnostics of outdated texts.
///
/// # Errors
///
/// Returns an error if a stream fails, or if the input is not a conversation at all.
pub fn serve(input: impl BufRead + Send + 'static, output: &mut dyn Write) -> io::Result<Ended> {
    let (sender, receiver) = sync_channel(16);
    // The thread ends with the stream, or when nobody listens any more.
    thread::spawn(move || {
        let mut input = input;
        loop {
            let incoming = transport::read(&mut input).transpose();
            let Some(incoming) = incoming else { break };
            let failed = incoming.is_err();
            if sender.send(incoming).is_err() || failed {
                break;
            }
        }
    });
    let mut conversation = Conversation::default();
    loop {
        let incoming = match receiver.try_recv() {
            Err(TryRecvError::Empty) if conversation.diagnose() => {
                write_answers(&mut conversation, output)?;
                continue;
            }
            Err(TryRecvError::Empty) => receiver.recv().ok(),
            received => received.ok(),
        };
        let ended = match incoming.transpose()? {
            None => Some(Ended::Abruptly),
            Some(Incoming::Message(message)) => conversation.take(message),
            Some(Incoming::Malformed(why)) => {
                transport::write_malformed(output, &why)?;
                None
            }
        };
        write_answers(&mut conversation, output)?;
        if let Some(ended) = ended {
            return Ok(ended);
        }
    }
}

fn write_answers(conversation: &mut Conversation, output: &mut dyn Write) -> io::Result<()> {
    let mut answers = conversation.answers().into_iter();
    answers.try_for_each(|answer| transport::write(output, answer))
}
