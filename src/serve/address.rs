//! The address of the server, with its secret.

use std::fmt::{self, Write};
use std::net::Ipv4Addr;

/// The number of random bytes in a token.
const TOKEN_BYTES: usize = 16;

/// The port of HTTP, which browsers leave out of addresses.
const HTTP: u16 = 80;

/// The address of a server: `http://127.0.0.1:PORT/TOKEN/`.
#[derive(Clone, Debug)]
pub(super) struct Address {
    port: u16,
    token: String,
}

impl Address {
    /// Creates an address with a new token.
    ///
    /// # Errors
    /// Returns an error if the system has no random numbers.
    pub(super) fn new(port: u16) -> Result<Address, getrandom::Error> {
        let mut bytes = [0; TOKEN_BYTES];
        getrandom::fill(&mut bytes)?;
        let mut token = String::new();
        for byte in bytes {
            // Writing to a text does not fail.
            let _ = write!(token, "{byte:02x}");
        }
        Ok(Address { port, token })
    }

    /// Returns the part of a path after the token, or `None` if the path does not begin with the token.
    ///
    /// The time that this takes does not depend on how much of the token is right.
    pub(super) fn below_token<'p>(&self, path: &'p str) -> Option<&'p str> {
        let (token, rest) = path.strip_prefix('/')?.split_once('/')?;
        let is_as_long = token.len() == self.token.len();
        let pairs = token.bytes().zip(self.token.bytes());
        let difference = pairs.fold(0, |difference, (given, own)| difference | (given ^ own));
        (is_as_long && difference == 0).then_some(rest)
    }

    /// Returns whether this is the host and port by which a browser names the server.
    pub(super) fn is_host(&self, host: &[u8]) -> bool {
        let text = |name: &str| format!("{name}:{}", self.port);
        let names = ["127.0.0.1", "localhost"];
        let is = |name: &str| host.eq_ignore_ascii_case(name.as_bytes());
        names
            .iter()
            .any(|name| is(&text(name)) || self.port == HTTP && is(name))
    }

    /// Returns whether this is the origin by which a browser names the server's pages.
    pub(super) fn is_origin(&self, origin: &[u8]) -> bool {
        origin.strip_prefix(b"http://").is_some_and(|host| self.is_host(host))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "http://{}:{}/{}/", Ipv4Addr::LOCALHOST, self.port, self.token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_is_a_folder_and_no_two_are_equal() {
        let address = Address::new(8080).unwrap();
        let token = &address.token;
        assert_eq!(token.len(), 2 * TOKEN_BYTES);
        assert_ne!(*token, Address::new(8080).unwrap().token);
        assert_eq!(address.to_string(), format!("http://127.0.0.1:8080/{token}/"));
        assert_eq!(address.below_token(&format!("/{token}/")), Some(""));
        assert_eq!(address.below_token(&format!("/{token}/api/check")), Some("api/check"));
        let wrong = token.replace(|digit: char| digit != 'f', "f");
        let others = [
            "/".to_owned(),
            "//".to_owned(),
            format!("/{token}"),
            format!("{token}/"),
            format!("//{token}/"),
            format!("/{wrong}/"),
            format!("/{}/", &token[1..]),
            format!("/{token}0/"),
            format!("/{}/", token.to_ascii_uppercase() + "0"),
        ];
        for path in others {
            assert_eq!(address.below_token(&path), None, "{path}");
        }
    }

    #[test]
    fn two_names_of_this_machine_are_hosts() {
        let address = Address::new(8080).unwrap();
        for host in ["127.0.0.1:8080", "localhost:8080", "LocalHost:8080"] {
            assert!(address.is_host(host.as_bytes()), "{host}");
            assert!(address.is_origin(format!("http://{host}").as_bytes()), "{host}");
        }
        for host in [
            "",
            "127.0.0.1",
            "localhost",
            "127.0.0.1:80",
            "127.0.0.2:8080",
            "0.0.0.0:8080",
            "[::1]:8080",
            "localhost.example.org:8080",
            "example.org:8080",
            "localhost:8080.example.org",
            "localhost:8080/",
            "user@localhost:8080",
        ] {
            assert!(!address.is_host(host.as_bytes()), "{host}");
        }
        for origin in ["null", "", "https://localhost:8080", "file://", "localhost:8080"] {
            assert!(!address.is_origin(origin.as_bytes()), "{origin}");
        }
        let address = Address::new(80).unwrap();
        assert!(address.is_host(b"localhost") && address.is_host(b"localhost:80"));
    }
}
