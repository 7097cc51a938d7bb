//! Answers, with the header fields that tell browsers what a page may do.

use bytes::Bytes;
use http_body_util::{Either, Full};
use hyper::header::{
    CACHE_CONTROL, CONNECTION, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, HeaderValue,
    REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS,
};
use hyper::{Response, StatusCode};

use super::lines::{Failure, Lines};

/// The content of an answer.
pub(super) type Content = Either<Full<Bytes>, Lines>;

/// An answer.
pub(super) type Reply = Response<Content>;

/// What a page may load: its own files, and pictures that it draws. No other site may show the page, nothing is loaded from elsewhere, and
/// pages have no inline scripts or styles.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; \
                      worker-src 'self'; frame-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/// The header fields of every answer.
static FIELDS: [(HeaderName, &str); 6] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

const JSON: &str = "application/json";
const LINES: &str = "application/x-ndjson";

/// Returns a refusal: a status without content that ends the connection.
pub(super) fn refusal(status: StatusCode) -> Reply {
    let mut reply = plain(status);
    reply
        .headers_mut()
        .insert(CONNECTION, HeaderValue::from_static("close"));
    reply
}

/// Returns a file of the front end, packed with gzip or not.
pub(super) fn file(kind: &'static str, content: Bytes, is_packed: bool) -> Reply {
    let mut reply = with_content(StatusCode::OK, kind, content);
    let headers = reply.headers_mut();
    headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    if is_packed {
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    reply
}

/// Returns the answer to a question.
pub(super) fn answer(json: String) -> Reply {
    with_content(StatusCode::OK, JSON, json.into())
}

/// Returns the reason why there is no answer.
pub(super) fn error((status, error): &Failure) -> Reply {
    with_content(*status, JSON, error.to_json().into())
}

/// Returns an answer of many lines, each a JSON object.
pub(super) fn lines(lines: Lines) -> Reply {
    let mut reply = plain(StatusCode::OK).map(|_| Either::Right(lines));
    reply
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static(LINES));
    reply
}

fn with_content(status: StatusCode, kind: &'static str, content: Bytes) -> Reply {
    let mut reply = plain(status).map(|_| Either::Left(content.into()));
    reply.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    reply
}

fn plain(status: StatusCode) -> Reply {
    let mut reply = Response::new(Either::Left(Full::default()));
    *reply.status_mut() = status;
    for (name, value) in &FIELDS {
        reply.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    reply
}
