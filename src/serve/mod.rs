//! The server behind `skewer ui`: the front end for a browser on this machine, and the questions of [`service`](crate::service) as JSON over
//! HTTP.
//!
//! It listens to 127.0.0.1 alone. A random token is the first folder of every address; who does not know it, or comes from the page of another
//! site, gets no content (`admission`). It reads the inputs that it was started with, by their numbers in a list, and nothing else: no part of
//! a request is ever made the path of a file. It writes nothing.
//!
//! One thread waits for connections and passes bytes on. Questions are answered on threads of their own, this many at once, and a panic there is an answer
//! like any other (`work`). A search streams what it finds; it ends when its client goes away, and when its page begins the next.
//!
//! Each part uses only those before it: `limits`, `address`, `admission`, `front_end`, `lines`, `reply`, `pages`, `work`, `api`,
//! `patience`, `server`.

mod address;
mod admission;
mod api;
mod front_end;
mod limits;
mod lines;
mod pages;
mod patience;
mod reply;
mod server;
mod work;

pub use api::METHODS;
pub use front_end::{BUILD_COMMAND, is_built_in};
pub use limits::Limits;
pub use server::{Server, Stop};
