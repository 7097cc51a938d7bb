//! The server behind `skewer ui`: the front end for a browser on this machine, and the questions of [`service`](crate::service) as JSON over
//! HTTP.
//!
//! It listens only to 127.0.0.1. Every address begins with a random token. A client that does not know it, or a page of another site, gets
//! no content (`admission`). The server reads only the inputs that it was started with, by their numbers or names in a list. No part of a
//! request is ever used as the path of a file. The server writes nothing.
//!
//! One thread waits for connections and passes bytes on. A limited number of other threads answer questions; a panic there becomes an error
//! answer (`work`). A search streams its results. It ends when its client disconnects, or when its page begins another.
//!
//! Each part uses only those before it: `limits`, `address`, `admission`, `front_end`, `lines`, `reply`, `pages`, `work`, `api`, `server`.

mod address;
mod admission;
mod api;
mod front_end;
mod limits;
mod lines;
mod pages;
mod reply;
mod server;
mod work;

pub use api::METHODS;
pub use front_end::{BUILD_COMMAND, is_built_in};
pub use limits::Limits;
pub use server::{Server, Stop};
