//! Services written by hand: the message types come with clients only.

use std::{
    collections::BTreeMap,
    convert::Infallible,
    fmt,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use bytes::Bytes;
use futures::{Stream, TryFutureExt, future::BoxFuture};
use prost::Message;
use tonic::{
    Request, Response, Status,
    body::Body,
    metadata::{KeyAndValueRef, MetadataMap},
    server::{Grpc, NamedService, ServerStreamingService, UnaryService},
};
use tower_service::Service;

use crate::{
    codec::Frames,
    line::{Reset, Resettable},
};

/// The messages of a streaming answer, encoded.
pub(crate) type Messages = Pin<Box<dyn Stream<Item = Result<Bytes, Status>> + Send>>;

/// A streaming call that is about to answer.
pub(crate) type Opening = BoxFuture<'static, Result<Response<Messages>, Status>>;

/// A service: its full name, and what answers its calls.
pub(crate) trait Routes: fmt::Debug + Send + Sync + 'static {
    const NAME: &'static str;

    fn route(
        self: Arc<Self>,
        request: http::Request<Body>,
    ) -> BoxFuture<'static, http::Response<Body>>;
}

/// Answers calls of one kind with messages.
pub(crate) trait Streams<In>: Send + Sync + 'static {
    fn open(self: Arc<Self>, request: Request<In>) -> Opening;
}

/// A service as the transport wants it.
#[derive(Debug)]
pub(crate) struct Server<S>(pub(crate) Arc<S>);

impl<S> Clone for Server<S> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<S: Routes> NamedService for Server<S> {
    const NAME: &'static str = S::NAME;
}

impl<S: Routes> Service<http::Request<Body>> for Server<S> {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let routed = Arc::clone(&self.0).route(request);
        Box::pin(async move { Ok(routed.await) })
    }
}

/// The method that a request calls, without its service.
pub(crate) fn method(request: &http::Request<Body>) -> &str {
    let path = request.uri().path();
    path.rsplit('/').next().unwrap_or_default()
}

/// The answer to a method that is not served.
pub(crate) fn unserved(request: &http::Request<Body>) -> http::Response<Body> {
    let path = request.uri().path();
    Status::unimplemented(format!("the sandbox does not serve {path}")).into_http()
}

/// The headers whose values are text.
pub(crate) fn ascii(headers: &MetadataMap) -> BTreeMap<String, String> {
    let ascii = headers.iter().filter_map(|header| match header {
        KeyAndValueRef::Ascii(key, value) => {
            Some((key.to_string(), value.to_str().ok()?.to_owned()))
        }
        KeyAndValueRef::Binary(..) => None,
    });
    ascii.collect()
}

/// Answers a call with one message.
pub(crate) async fn unary<In, F, Answer>(
    request: http::Request<Body>,
    answer: F,
) -> http::Response<Body>
where
    In: Message + Default + 'static,
    F: FnMut(Request<In>) -> Answer,
    Answer: Future<Output = Result<Bytes, Status>>,
{
    Grpc::new(Frames::<In>::default())
        .unary(Unary(answer), request)
        .await
}

/// Answers a call with messages, and lets it be reset.
pub(crate) async fn streaming<In, S>(
    service: Arc<S>,
    mut request: http::Request<Body>,
) -> http::Response<Body>
where
    In: Message + Default + 'static,
    S: Streams<In>,
{
    let reset = Reset::default();
    request.extensions_mut().insert(reset.clone());
    let mut grpc = Grpc::new(Frames::<In>::default());
    let response = grpc.server_streaming(Streaming(service), request).await;
    response.map(|body| Body::new(Resettable { body, reset }))
}

struct Unary<F>(F);

impl<In, F, Answer> UnaryService<In> for Unary<F>
where
    F: FnMut(Request<In>) -> Answer,
    Answer: Future<Output = Result<Bytes, Status>>,
{
    type Response = Bytes;
    type Future = futures::future::MapOk<Answer, fn(Bytes) -> Response<Bytes>>;

    fn call(&mut self, request: Request<In>) -> Self::Future {
        (self.0)(request).map_ok(Response::new)
    }
}

struct Streaming<S>(Arc<S>);

impl<In, S: Streams<In>> ServerStreamingService<In> for Streaming<S> {
    type Response = Bytes;
    type ResponseStream = Messages;
    type Future = Opening;

    fn call(&mut self, request: Request<In>) -> Self::Future {
        Arc::clone(&self.0).open(request)
    }
}
