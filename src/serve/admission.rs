//! Decides which requests are answered at all.

use hyper::header::{CONTENT_TYPE, HOST, HeaderName, ORIGIN};
use hyper::{HeaderMap, Method, Request, StatusCode, Version};

use super::address::Address;

/// The header field in which a page gives its name.
pub(super) static PAGE: HeaderName = HeaderName::from_static("skewer-page");

/// The largest length of the name of a page.
const PAGE_LENGTH: usize = 64;

/// What an admitted request asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Route {
    /// A file of the front end, by its path.
    File(String),
    /// The answer of a method.
    Answer {
        /// The name of the method.
        method: String,
        /// The name of the page that asks, if it has one.
        page: Option<String>,
    },
}

/// Admits a request, judging only by its head. A request without the token, or from another site, is refused before anything else is
/// checked.
///
/// # Errors
/// Returns the status of a refusal, which has no content.
pub(super) fn admit<B>(request: &Request<B>, address: &Address) -> Result<Route, StatusCode> {
    let headers = request.headers();
    // Another site's name may resolve to this machine. It is not this server.
    let is_ours = request.version() == Version::HTTP_11
        && only(headers, &HOST)?.is_some_and(|host| address.is_host(host))
        && only(headers, &ORIGIN)?.is_none_or(|origin| address.is_origin(origin));
    if !is_ours {
        return Err(StatusCode::FORBIDDEN);
    }
    let uri = request.uri();
    if uri.authority().is_some() || uri.query().is_some() {
        return Err(StatusCode::NOT_FOUND);
    }
    let below = address.below_token(uri.path()).ok_or(StatusCode::NOT_FOUND)?;
    match below.strip_prefix("api/") {
        None if matches!(*request.method(), Method::GET | Method::HEAD) => Ok(Route::File(below.to_owned())),
        Some(method) if *request.method() == Method::POST => {
            // Pages of other sites cannot send this type without a preflight request.
            let kind = only(headers, &CONTENT_TYPE)?.unwrap_or_default();
            let kind = kind.split(|byte| *byte == b';').next().unwrap_or_default();
            if !kind.trim_ascii().eq_ignore_ascii_case(b"application/json") {
                return Err(StatusCode::UNSUPPORTED_MEDIA_TYPE);
            }
            Ok(Route::Answer {
                method: method.to_owned(),
                page: only(headers, &PAGE)?.map(page).transpose()?,
            })
        }
        _ => Err(StatusCode::METHOD_NOT_ALLOWED),
    }
}

/// Returns the value of a field that may occur only once.
fn only<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Result<Option<&'h [u8]>, StatusCode> {
    let mut values = headers.get_all(name).iter();
    let value = values.next().map(|value| value.as_bytes());
    match values.next() {
        None => Ok(value),
        Some(_) => Err(StatusCode::BAD_REQUEST),
    }
}

/// Returns the name of a page, which consists of letters, digits and dashes.
fn page(name: &[u8]) -> Result<String, StatusCode> {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
    match name {
        [] => Err(StatusCode::BAD_REQUEST),
        name if name.len() <= PAGE_LENGTH && name.iter().all(is_plain) => {
            Ok(name.iter().copied().map(char::from).collect())
        }
        _ => Err(StatusCode::BAD_REQUEST),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Admits a request with these header fields. `T` in its path stands for the token, `H` in a field for the host.
    fn admitted(method: &str, path: &str, fields: &[(&str, &str)]) -> Result<Route, StatusCode> {
        let address = Address::new(8080).unwrap();
        let shown = address.to_string();
        let token = shown.trim_end_matches('/').rsplit('/').next().unwrap();
        let mut request = Request::builder().method(method).uri(path.replace('T', token));
        for (name, value) in fields {
            request = request.header(*name, value.replace('H', "127.0.0.1:8080"));
        }
        admit(&request.body(()).unwrap(), &address)
    }

    #[test]
    fn pages_and_questions_of_this_server_are_admitted() {
        let file = |path: &str| Ok(Route::File(path.to_owned()));
        assert_eq!(admitted("GET", "/T/", &[("host", "H")]), file(""));
        assert_eq!(
            admitted("HEAD", "/T/a/b.js", &[("host", "localhost:8080")]),
            file("a/b.js")
        );
        let json = ("content-type", "application/json; charset=utf-8");
        let question = |page: Option<&str>| {
            Ok(Route::Answer {
                method: "check".to_owned(),
                page: page.map(str::to_owned),
            })
        };
        let origin = ("origin", "http://H");
        assert_eq!(admitted("POST", "/T/api/check", &[("host", "H"), json]), question(None));
        assert_eq!(
            admitted(
                "POST",
                "/T/api/check",
                &[("host", "H"), json, origin, ("skewer-page", "a-1")]
            ),
            question(Some("a-1"))
        );
    }

    #[test]
    fn all_else_is_refused() {
        let host = ("host", "H");
        let json = ("content-type", "application/json");
        for (status, method, path, fields) in [
            (403, "GET", "/T/", &[][..]),
            (403, "GET", "/T/", &[("host", "example.org")]),
            (400, "GET", "/T/", &[host, host]),
            (403, "GET", "/T/", &[host, ("origin", "http://example.org")]),
            (403, "GET", "/T/", &[host, ("origin", "null")]),
            (
                403,
                "POST",
                "/T/api/check",
                &[host, json, ("origin", "http://localhost:8081")],
            ),
            (404, "GET", "/", &[host]),
            (404, "GET", "/T", &[host]),
            (404, "GET", "/0123456789abcdef0123456789abcdef/", &[host]),
            (404, "GET", "/api/check", &[host]),
            (404, "GET", "http://127.0.0.1:8080/T/", &[host]),
            (404, "GET", "/T/?a=b", &[host]),
            (404, "OPTIONS", "*", &[host]),
            (405, "POST", "/T/", &[host, json]),
            (405, "OPTIONS", "/T/api/check", &[host]),
            (405, "GET", "/T/api/check", &[host]),
            (415, "POST", "/T/api/check", &[host]),
            (415, "POST", "/T/api/check", &[host, ("content-type", "text/plain")]),
            (400, "POST", "/T/api/check", &[host, json, ("skewer-page", "")]),
            (400, "POST", "/T/api/check", &[host, json, ("skewer-page", "a/b")]),
            (
                400,
                "POST",
                "/T/api/check",
                &[host, json, ("skewer-page", "1"), ("skewer-page", "2")],
            ),
        ] {
            let refusal = admitted(method, path, fields).map_err(|status| status.as_u16());
            assert_eq!(refusal, Err(status), "{method} {path} {fields:?}");
        }
    }
}
