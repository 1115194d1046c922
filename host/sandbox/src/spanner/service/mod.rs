//! `google.spanner.v1.Spanner`, as far as readers of change streams and of tables need it, written by
//! hand: the message types come with a client only.

mod arguments;
mod check;
mod flood;
mod plan;
mod query;
mod reads;
mod session;
mod sql;
mod stats;

use std::sync::Arc;

use bytes::Bytes;
use futures::future::BoxFuture;
use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    BatchCreateSessionsRequest, BeginTransactionRequest, CreateSessionRequest,
    DeleteSessionRequest, ExecuteSqlRequest, GetSessionRequest, PartitionQueryRequest,
    PartitionReadRequest, ReadRequest,
};
use prost::Message;
use tonic::{Request, Response, Status, body::Body};

pub use flood::FloodError;
pub(crate) use session::DATABASE;
pub(crate) use sql::Spanner;
pub(crate) use stats::OpenRows;
pub use stats::{REQUESTS_KEPT_MAX, ROOT, Seen, Stats};

use session::Sessions;

use crate::{
    grpc::{self, Opening, Streams},
    spanner::fault::On,
};

impl grpc::Routes for Spanner {
    const NAME: &'static str = "google.spanner.v1.Spanner";

    fn route(
        self: Arc<Self>,
        request: http::Request<Body>,
    ) -> BoxFuture<'static, http::Response<Body>> {
        Box::pin(async move {
            let timing = self.server_timing.clone();
            let mut response = route(self, request).await;
            if let Some(timing) = timing {
                response.headers_mut().insert("server-timing", timing);
            }
            response
        })
    }
}

impl Streams<ExecuteSqlRequest> for Spanner {
    fn open(self: Arc<Self>, request: Request<ExecuteSqlRequest>) -> Opening {
        Box::pin(async move { self.stream(request).await.map(Response::new) })
    }
}

impl Streams<ReadRequest> for Spanner {
    fn open(self: Arc<Self>, request: Request<ReadRequest>) -> Opening {
        Box::pin(async move { self.streaming_read(request).await.map(Response::new) })
    }
}

async fn route(spanner: Arc<Spanner>, request: http::Request<Body>) -> http::Response<Body> {
    match grpc::method(&request) {
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
            grpc::unary::<ExecuteSqlRequest, _, _>(request, answer).await
        }
        "BeginTransaction" => {
            let answer = move |request| {
                let spanner = Arc::clone(&spanner);
                async move { spanner.begin(request).await }
            };
            grpc::unary::<BeginTransactionRequest, _, _>(request, answer).await
        }
        "PartitionQuery" => {
            let answer = move |request| {
                let spanner = Arc::clone(&spanner);
                async move { spanner.partition_query(request).await }
            };
            grpc::unary::<PartitionQueryRequest, _, _>(request, answer).await
        }
        "PartitionRead" => {
            let answer = move |request| {
                let spanner = Arc::clone(&spanner);
                async move { spanner.partition_read(request).await }
            };
            grpc::unary::<PartitionReadRequest, _, _>(request, answer).await
        }
        "StreamingRead" => grpc::streaming::<ReadRequest, _>(spanner, request).await,
        "ExecuteStreamingSql" => grpc::streaming::<ExecuteSqlRequest, _>(spanner, request).await,
        _ => grpc::unserved(&request),
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
            spanner.strike_at_once(&On::Sessions).await?;
            answer(&spanner.sessions, request.into_inner()).map(Bytes::from)
        }
    };
    grpc::unary(request, answer).await
}
