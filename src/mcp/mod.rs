//! The server behind `skewer mcp`: the questions of [`service`](crate::service) as tools of the Model Context Protocol, for assistants.
//!
//! An assistant starts the server and talks to it over standard input and output, one message per line. The server reads only the inputs
//! that it was started with, by their numbers or names in a list, and writes only its answers. Answers are texts, which suit assistants, and
//! limited in size.
//!
//! One thread waits for messages and sends answers. A limited number of other threads run the tools; a panic there becomes an error answer.
//! A line that is not a message is answered with an error, one that is too long is discarded, and too many questions at once are refused. A
//! search ends when its question is cancelled, when its time is up, or with the program.
//!
//! Each part uses only those before it: `call`, `text`, `tools`, `guide`, `transport`, `server`.

mod call;
mod guide;
mod server;
mod text;
mod tools;
mod transport;

pub use server::serve;
