//! Waits for connections and answers their requests.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use hyper::body::Incoming;
use hyper::header::ACCEPT_ENCODING;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{HeaderMap, Request, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::runtime;
use tokio::sync::{Notify, Semaphore};
use tokio::task::AbortHandle;
use tokio::time::sleep;
use tokio_io_timeout::TimeoutWriter;

use super::address::Address;
use super::admission::{Route, admit};
use super::api::Api;
use super::front_end::{self, File};
use super::limits::{self, Limits};
use super::reply::{self, Reply};
use crate::service::Inputs;

/// The pause after the system has refused a connection, as it does when a process has too many open files.
const RECOVERY: Duration = Duration::from_millis(100);

/// A server that is already listening.
pub struct Server {
    listener: TcpListener,
    shared: Arc<Shared>,
    stop: Stop,
}

/// What all connections share.
struct Shared {
    address: Address,
    limits: Limits,
    api: Api,
}

/// Ends a server, from any thread.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<Notify>);

impl Stop {
    /// Ends the server soon.
    pub fn stop(&self) {
        self.0.notify_one();
    }
}

impl Server {
    /// Listens to a port of 127.0.0.1. Port 0 chooses a free one.
    ///
    /// # Errors
    /// Returns an error if the port is taken, or if the system has no random numbers.
    pub fn bind(port: u16, inputs: Inputs, limits: Limits) -> io::Result<Server> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        let address = Address::new(listener.local_addr()?.port()).map_err(io::Error::other)?;
        Ok(Server {
            listener,
            shared: Arc::new(Shared {
                address,
                limits,
                api: Api::new(inputs, limits),
            }),
            stop: Stop::default(),
        })
    }

    /// Returns the address of its page, with the token.
    pub fn address(&self) -> String {
        self.shared.address.to_string()
    }

    /// Returns a handle that ends it.
    pub fn stop(&self) -> Stop {
        self.stop.clone()
    }

    /// Serves until it is stopped.
    ///
    /// # Errors
    /// Returns an error if the runtime cannot be started.
    pub fn run(self) -> io::Result<()> {
        let runtime = runtime::Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .build()?;
        let served = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let accepting = tokio::spawn(accept(listener, self.shared));
            self.stop.0.notified().await;
            accepting.abort();
            Ok(())
        });
        // Searches whose results nobody reads end with the process.
        runtime.shutdown_background();
        served
    }
}

/// A connection, and whether one of its requests was admitted.
struct Connection {
    task: AbortHandle,
    is_admitted: Arc<AtomicBool>,
}

/// Accepts a limited number of connections. A further one replaces the oldest connection that has sent nothing but refused requests.
async fn accept(listener: tokio::net::TcpListener, shared: Arc<Shared>) {
    let free = Arc::new(Semaphore::new(limits::CONNECTIONS));
    let mut strangers: VecDeque<Connection> = VecDeque::new();
    loop {
        let Ok((stream, client)) = listener.accept().await else {
            sleep(RECOVERY).await;
            continue;
        };
        strangers.retain(|stranger| !stranger.task.is_finished() && !stranger.is_admitted.load(Relaxed));
        if free.available_permits() == 0
            && let Some(oldest) = strangers.pop_front()
        {
            oldest.task.abort();
        }
        let Ok(permit) = Arc::clone(&free).acquire_owned().await else {
            return;
        };
        let shared = Arc::clone(&shared);
        let is_admitted = Arc::new(AtomicBool::new(false));
        let admitted = Arc::clone(&is_admitted);
        let task = tokio::spawn(async move {
            converse(stream, client, shared, &admitted).await;
            drop(permit);
        });
        let task = task.abort_handle();
        strangers.push_back(Connection { task, is_admitted });
    }
}

/// Answers the requests of a connection, one after another.
async fn converse(stream: TcpStream, client: SocketAddr, shared: Arc<Shared>, is_admitted: &AtomicBool) {
    // The server listens to no other addresses, but that is ensured in only one place.
    if !client.ip().is_loopback() {
        return;
    }
    // Writing fails if the client takes nothing for some time. How long it may send is limited below, where slowly trickling bytes do not
    // extend it.
    let mut stream = TimeoutWriter::new(stream);
    stream.set_timeout(Some(shared.limits.answer_time));
    let stream = TokioIo::new(Box::pin(stream));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(shared.limits.request_time)
        .max_headers(limits::HEAD_FIELDS)
        .max_buf_size(limits::HEAD_BYTES);
    let answer = service_fn(|request| respond(request, &shared, is_admitted));
    // How a connection ends is up to the client.
    let _ = http.serve_connection(stream, answer).await;
}

/// Answers a request.
async fn respond(request: Request<Incoming>, shared: &Shared, is_admitted: &AtomicBool) -> Result<Reply, Infallible> {
    let wish = admit(&request, &shared.address);
    is_admitted.fetch_or(wish.is_ok(), Relaxed);
    Ok(match wish {
        Err(status) => reply::refusal(status),
        Ok(Route::File(path)) => file(&path, request.headers()),
        Ok(Route::Answer { method, page }) => shared.api.answer(&method, page, request.into_body()).await,
    })
}

/// Returns a file of the front end.
fn file(path: &str, headers: &HeaderMap) -> Reply {
    let takes_packed = headers.get_all(ACCEPT_ENCODING).iter().any(|value| {
        let mut names = value.as_bytes().split(|byte| *byte == b',');
        names.any(|name| name.trim_ascii() == b"gzip")
    });
    match File::at(path) {
        Some(file) if takes_packed => reply::file(file.kind(), file.packed(), true),
        Some(file) => reply::file(file.kind(), file.content(), false),
        None if path.is_empty() => reply::file("text/html; charset=utf-8", front_end::missing().into(), false),
        None => reply::refusal(StatusCode::NOT_FOUND),
    }
}
