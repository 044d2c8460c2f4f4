//! Bearer tokens: who may, not who is. A token is random, shown once, and kept hashed.

use std::convert::Infallible;
use std::fmt;
use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header::{AUTHORIZATION, HeaderMap};
use actix_web::{FromRequest, HttpRequest};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// What a secret is for, which its prefix says: so that a person and a secret scanner can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// Acts for a seat.
    Seat,
    /// Acts for the host.
    Host,
    /// Gives a seat's token once.
    Claim,
}

impl TokenKind {
    const fn prefix(self) -> &'static str {
        match self {
            TokenKind::Seat => "ref_seat_",
            TokenKind::Host => "ref_host_",
            TokenKind::Claim => "ref_claim_",
        }
    }
}

/// A secret in the clear, on its way to the client that it is made for.
pub struct Token(String);

impl Token {
    /// A new one, with 160 random bits from the operating system.
    pub fn generate(kind: TokenKind) -> Result<Self, getrandom::Error> {
        let mut random = [0; 20];
        getrandom::fill(&mut random)?;
        Ok(Self::from_bytes(kind, random))
    }

    /// The one with these bytes, which must be as good as random.
    pub fn from_bytes(kind: TokenKind, bytes: [u8; 20]) -> Self {
        Self(format!("{}{}", kind.prefix(), hex::encode(bytes)))
    }

    /// What is kept of it.
    pub fn hash(&self) -> TokenHash {
        TokenHash::of(self.0.as_bytes())
    }

    /// The secret itself.
    pub fn reveal(self) -> String {
        self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

/// The SHA-256 of a secret. Its 160 random bits need no slow hash. Compared in constant time.
#[derive(Clone, Copy, Debug)]
pub struct TokenHash(pub [u8; 32]);

impl TokenHash {
    /// The hash of a secret as a client sent it.
    pub fn of(secret: &[u8]) -> Self {
        Self(Sha256::digest(secret).into())
    }
}

impl PartialEq for TokenHash {
    fn eq(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl Eq for TokenHash {}

/// Stands for what is no token; too short to be one.
const NOBODYS: &[u8] = b"";

/// The token that a request carries, hashed; none where it carries none.
///
/// A header that is no bearer token is taken as a token that nobody has: what a client meant as a
/// credential must never be treated like its absence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bearer(pub Option<TokenHash>);

impl Bearer {
    /// The token in these headers.
    pub fn from_headers(headers: &HeaderMap) -> Self {
        let mut fields = headers.get_all(AUTHORIZATION).map(|field| field.as_bytes());
        let Some(field) = fields.next() else {
            return Self(None);
        };
        let token = match fields.next() {
            None => credentials(field),
            Some(_) => None,
        };
        Self(Some(TokenHash::of(token.unwrap_or(NOBODYS))))
    }
}

impl FromRequest for Bearer {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self::from_headers(request.headers())))
    }
}

/// What follows the scheme `Bearer` (RFC 6750; schemes are case-insensitive).
fn credentials(field: &[u8]) -> Option<&[u8]> {
    let (scheme, token) = field.split_at_checked("Bearer ".len())?;
    let token = token.trim_ascii();
    (scheme.eq_ignore_ascii_case(b"Bearer ") && !token.is_empty()).then_some(token)
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::HeaderValue;

    fn sent(fields: &[&str]) -> Option<TokenHash> {
        let mut headers = HeaderMap::new();
        for field in fields {
            headers.append(AUTHORIZATION, HeaderValue::from_str(field).unwrap());
        }
        Bearer::from_headers(&headers).0
    }

    #[test]
    fn a_token_is_long_plain_and_never_the_same() {
        for kind in [TokenKind::Seat, TokenKind::Host, TokenKind::Claim] {
            let token = Token::generate(kind).unwrap().reveal();
            let random = token.strip_prefix(kind.prefix()).unwrap();
            assert_eq!(random.len(), 40);
            assert!(random.bytes().all(|b| b.is_ascii_alphanumeric()));
            assert_ne!(token, Token::generate(kind).unwrap().reveal());
        }
    }

    #[test]
    fn a_token_does_not_show_in_debug_output() {
        let token = Token::generate(TokenKind::Seat).unwrap();
        assert_eq!(format!("{token:?}"), "Token(…)");
    }

    #[test]
    fn the_header_gives_the_hash_of_the_token() {
        let token = Token::generate(TokenKind::Seat).unwrap();
        let hash = token.hash();
        let token = token.reveal();
        assert_eq!(sent(&[&format!("Bearer {token}")]), Some(hash));
        assert_eq!(sent(&[&format!("bearer  {token} ")]), Some(hash));
        assert_eq!(sent(&[]), None);
    }

    #[test]
    fn a_malformed_header_is_an_unknown_token() {
        let token = Token::generate(TokenKind::Host).unwrap();
        let hash = token.hash();
        let token = token.reveal();
        let header = format!("Bearer {token}");
        for fields in [
            vec![token.as_str()],
            vec!["Bearer"],
            vec!["Bearer "],
            vec!["Basic dTpw"],
            vec![&header, &header],
        ] {
            let taken = sent(&fields).expect("a credential was sent");
            assert_ne!(taken, hash, "{fields:?}");
        }
    }
}
