//! Makes sure that a connection ends when its client goes on sending a body that nobody reads.
//!
//! Once a handler has dropped a chunked body, actix-http reads on to its end, and waits for that
//! end without a bound when the connection is not to be kept. A body that is still held when the
//! answer is complete makes it close the connection instead.

use std::cell::RefCell;
use std::error::Error;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::http::header::TRANSFER_ENCODING;
use bytes::Bytes;
use futures_util::{StreamExt, stream};

/// A request's body, shared with whoever reads it.
pub struct Held {
    _body: Rc<RefCell<Payload>>,
}

impl Held {
    /// Takes hold of the body if its length is not known.
    pub fn of(request: &mut ServiceRequest) -> Option<Self> {
        if !request.headers().contains_key(TRANSFER_ENCODING) {
            return None;
        }
        let body = Rc::new(RefCell::new(request.parts_mut().1.take()));
        let reader = Rc::clone(&body);
        let stream = stream::poll_fn(move |context| reader.borrow_mut().poll_next_unpin(context));
        request.set_payload(Payload::Stream {
            payload: Box::pin(stream),
        });
        Some(Self { _body: body })
    }

    /// Keeps hold until the answer is sent.
    pub fn until_sent(self, response: ServiceResponse) -> ServiceResponse {
        response.map_body(|_, body| BoxBody::new(Holding { body, _held: self }))
    }
}

struct Holding {
    body: BoxBody,
    _held: Held,
}

impl MessageBody for Holding {
    type Error = Box<dyn Error>;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Pin::new(&mut self.body).poll_next(context)
    }
}
