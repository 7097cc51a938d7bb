//! The server behind `skewer mcp`: the questions of [`service`](crate::service) as tools of the Model Context Protocol, for assistants.
//!
//! An assistant starts it and speaks with it over standard input and output, a message a line. It reads the inputs that it was started with, by their
//! numbers or names in a list, and nothing else; it writes nothing but its answers. These are texts, as assistants read texts, and each is
//! bounded in size.
//!
//! One thread waits for messages and sends what there is to say. Tools answer on threads of their own, this many at once, and a panic there is an answer
//! like any other. A message that is none has an error for an answer, one that is too long is not kept, and more questions at once than anybody asks are
//! refused. A search ends when its question is cancelled, when its time is over, and with the program.
//!
//! Each part uses only those before it: `call`, `text`, `tools`, `guide`, `transport`, `server`.

mod call;
mod guide;
mod server;
mod text;
mod tools;
mod transport;

pub use server::serve;
