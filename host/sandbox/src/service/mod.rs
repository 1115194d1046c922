//! `google.spanner.v1.Spanner`, as far as readers of change streams need it, written by hand: the
//! message types come with a client only.

mod arguments;
mod check;
mod codec;
mod flood;
mod line;
mod query;
mod session;
mod sql;
mod stats;

use std::{
    convert::Infallible,
    sync::Arc,
    task::{Context, Poll},
};

use bytes::Bytes;
use futures::{TryFutureExt, future::BoxFuture};
use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    BatchCreateSessionsRequest, CreateSessionRequest, DeleteSessionRequest, ExecuteSqlRequest,
    GetSessionRequest,
};
use prost::Message;
use tonic::{
    Request, Response, Status,
    body::Body,
    server::{Grpc, NamedService, ServerStreamingService, UnaryService},
};
use tower_service::Service;

pub use flood::FloodError;
pub(crate) use line::Lines;
pub(crate) use session::DATABASE;
pub(crate) use sql::Spanner;
pub use stats::{REQUESTS_KEPT_MAX, ROOT, Seen, Stats};

use codec::Frames;
use line::{Reset, Resettable};
use session::Sessions;

use crate::fault::On;

/// The service as the transport wants it.
#[derive(Clone, Debug)]
pub(crate) struct Server(pub(crate) Arc<Spanner>);

impl NamedService for Server {
    const NAME: &'static str = "google.spanner.v1.Spanner";
}

impl Service<http::Request<Body>> for Server {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let spanner = Arc::clone(&self.0);
        Box::pin(async move { Ok(route(spanner, request).await) })
    }
}

async fn route(spanner: Arc<Spanner>, request: http::Request<Body>) -> http::Response<Body> {
    let path = request.uri().path().to_owned();
    match path.rsplit('/').next().unwrap_or_default() {
        "CreateSession" => {
            sessions(spanner, request, |sessions, r: CreateSessionRequest| {
                Ok(sessions.create(r)?.encode_to_vec())
            })
            .await
        }
        "BatchCreateSessions" => {
            sessions(
                spanner,
                request,
                |sessions, r: BatchCreateSessionsRequest| {
                    Ok(sessions.batch_create(r)?.encode_to_vec())
                },
            )
            .await
        }
        "GetSession" => {
            sessions(spanner, request, |sessions, r: GetSessionRequest| {
                Ok(sessions.get(&r.name)?.encode_to_vec())
            })
            .await
        }
        "DeleteSession" => {
            sessions(spanner, request, |sessions, r: DeleteSessionRequest| {
                sessions.delete(&r.name)?;
                Ok(Vec::new())
            })
            .await
        }
        "ExecuteSql" => {
            let answer = move |request| {
                let spanner = Arc::clone(&spanner);
                async move { spanner.execute(request).await }
            };
            unary::<ExecuteSqlRequest, _, _>(request, answer).await
        }
        "ExecuteStreamingSql" => streaming(spanner, request).await,
        _ => Status::unimplemented(format!("the sandbox does not serve {path}")).into_http(),
    }
}

async fn sessions<In: Message + Default + 'static>(
    spanner: Arc<Spanner>,
    request: http::Request<Body>,
    answer: fn(&Sessions, In) -> Result<Vec<u8>, Status>,
) -> http::Response<Body> {
    let answer = move |request: Request<In>| {
        let spanner = Arc::clone(&spanner);
        async move {
            spanner.strike_unless_streaming(&On::Sessions).await?;
            answer(&spanner.sessions, request.into_inner()).map(Bytes::from)
        }
    };
    unary(request, answer).await
}

async fn unary<In, F, Answer>(request: http::Request<Body>, answer: F) -> http::Response<Body>
where
    In: Message + Default + 'static,
    F: FnMut(Request<In>) -> Answer,
    Answer: Future<Output = Result<Bytes, Status>>,
{
    Grpc::new(Frames::<In>::default())
        .unary(Unary(answer), request)
        .await
}

async fn streaming(
    spanner: Arc<Spanner>,
    mut request: http::Request<Body>,
) -> http::Response<Body> {
    let reset = Reset::default();
    request.extensions_mut().insert(reset.clone());
    let mut grpc = Grpc::new(Frames::<ExecuteSqlRequest>::default());
    let response = grpc.server_streaming(Streaming(spanner), request).await;
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

struct Streaming(Arc<Spanner>);

impl ServerStreamingService<ExecuteSqlRequest> for Streaming {
    type Response = Bytes;
    type ResponseStream = sql::Messages;
    type Future = BoxFuture<'static, Result<Response<Self::ResponseStream>, Status>>;

    fn call(&mut self, request: Request<ExecuteSqlRequest>) -> Self::Future {
        let spanner = Arc::clone(&self.0);
        Box::pin(async move { spanner.stream(request).await.map(Response::new) })
    }
}
