//! One kept connection.

use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1::{self, SendRequest};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HOST, HeaderMap, HeaderValue};
use hyper::{Method, Request, StatusCode, Uri};
use hyper_util::rt::TokioIo;
use std::io;
use tokio::net::TcpStream;

const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// Why an exchange counts as an error.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// The address cannot be used.
    #[error("{0} is no address such as http://127.0.0.1:8080")]
    Address(Uri),
    /// Nobody answers there.
    #[error("no connection: {0}")]
    Connect(#[from] io::Error),
    /// The connection broke off.
    #[error("no answer: {0}")]
    Http(#[from] hyper::Error),
    /// Another answer was due.
    #[error("not the answer that was due: {0}")]
    Answer(String),
}

/// An answer, received as a whole.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
}

impl Answer {
    /// This answer if it has the status that was due.
    pub(super) fn expect(self, status: StatusCode) -> Result<Self, Failure> {
        match self.status == status {
            true => Ok(self),
            false => Err(self.unexpected()),
        }
    }

    /// The failure that this answer is.
    pub(super) fn unexpected(&self) -> Failure {
        let body = String::from_utf8_lossy(&self.body);
        Failure::Answer(format!("{} {body:.300}", self.status))
    }
}

/// One connection to a server, with one request at a time.
#[derive(Debug)]
pub(super) struct Connection {
    host: HeaderValue,
    requests: SendRequest<Full<Bytes>>,
}

impl Connection {
    /// Connects to the server at this URL.
    pub(super) async fn open(url: &Uri) -> Result<Self, Failure> {
        let unusable = || Failure::Address(url.clone());
        let authority = match (url.scheme_str(), url.authority()) {
            (Some("http"), Some(authority)) => authority.as_str(),
            _ => return Err(unusable()),
        };
        let host = HeaderValue::from_str(authority).map_err(|_| unusable())?;
        let stream = TcpStream::connect(authority).await?;
        stream.set_nodelay(true)?;
        let (requests, connection) = http1::handshake(TokioIo::new(stream)).await?;
        // It ends with the connection; whoever sends next is told why.
        tokio::spawn(connection);
        Ok(Self { host, requests })
    }

    /// Whether the other side has ended it.
    pub(super) fn is_closed(&self) -> bool {
        self.requests.is_closed()
    }

    /// Posts JSON.
    pub(super) async fn post(
        &mut self,
        path: &Uri,
        token: Option<&HeaderValue>,
        body: Bytes,
    ) -> Result<Answer, Failure> {
        let mut request = Request::new(Full::new(body));
        *request.method_mut() = Method::POST;
        request.headers_mut().insert(CONTENT_TYPE, JSON);
        self.send(request, path, token).await
    }

    /// Reads.
    pub(super) async fn get(
        &mut self,
        path: &Uri,
        token: Option<&HeaderValue>,
    ) -> Result<Answer, Failure> {
        self.send(Request::default(), path, token).await
    }

    async fn send(
        &mut self,
        mut request: Request<Full<Bytes>>,
        path: &Uri,
        token: Option<&HeaderValue>,
    ) -> Result<Answer, Failure> {
        *request.uri_mut() = path.clone();
        let headers = request.headers_mut();
        headers.insert(HOST, self.host.clone());
        if let Some(token) = token {
            headers.insert(AUTHORIZATION, token.clone());
        }
        self.requests.ready().await?;
        let (head, body) = self.requests.send_request(request).await?.into_parts();
        Ok(Answer {
            status: head.status,
            headers: head.headers,
            body: body.collect().await?.to_bytes(),
        })
    }
}
