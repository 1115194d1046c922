//! A stand-in for Cloud Monitoring: it keeps what is written, or refuses it.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use googleapis_tonic_google_monitoring_v3::google::monitoring::v3::{
    CreateTimeSeriesRequest, TimeSeries,
};
use tonic::body::Body;
use tonic::server::{Grpc, NamedService, UnaryService};
use tonic::{Request, Response, Status};
use tonic_prost::ProstCodec;
use tower_service::Service;

/// What it got, and what it answers.
#[derive(Clone, Default)]
pub(super) struct CloudMonitoring(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    requests: Vec<CreateTimeSeriesRequest>,
    params: Vec<String>,
    refusal: Option<Status>,
}

impl CloudMonitoring {
    /// Serves on a free port of this machine.
    pub(super) async fn serve() -> (SocketAddr, Self) {
        let service = Self::default();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let served = tonic::transport::Server::builder()
            .add_service(service.clone())
            .serve_with_incoming(tonic::transport::server::TcpIncoming::from(listener));
        tokio::spawn(served);
        (address, service)
    }

    /// Answers with this from now on; none writes again.
    pub(super) fn refuse(&self, refusal: Option<Status>) {
        self.0.lock().unwrap().refusal = refusal;
    }

    /// Every request, refused or not.
    pub(super) fn requests(&self) -> Vec<CreateTimeSeriesRequest> {
        self.0.lock().unwrap().requests.clone()
    }

    /// The series of the last request.
    pub(super) fn last(&self) -> Vec<TimeSeries> {
        let last = self.requests().pop();
        last.map(|request| request.time_series).unwrap_or_default()
    }

    /// What the requests are routed by.
    pub(super) fn params(&self) -> Vec<String> {
        self.0.lock().unwrap().params.clone()
    }

    /// Waits until it got so many requests.
    pub(super) async fn got(&self, requests: usize) {
        while self.requests().len() < requests {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

impl NamedService for CloudMonitoring {
    const NAME: &'static str = "google.monitoring.v3.MetricService";
}

impl Service<http::Request<Body>> for CloudMonitoring {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let service = self.clone();
        Box::pin(async move {
            // Metrics of Google's services are refused by CreateTimeSeries.
            if !request.uri().path().ends_with("/CreateServiceTimeSeries") {
                return Ok(Status::unimplemented(request.uri().path()).into_http());
            }
            let codec = ProstCodec::<(), CreateTimeSeriesRequest>::default();
            Ok(Grpc::new(codec).unary(service, request).await)
        })
    }
}

impl UnaryService<CreateTimeSeriesRequest> for CloudMonitoring {
    type Response = ();
    type Future = Ready<Result<Response<()>, Status>>;

    fn call(&mut self, request: Request<CreateTimeSeriesRequest>) -> Self::Future {
        let mut state = self.0.lock().unwrap();
        let params = request.metadata().get("x-goog-request-params");
        let params = params.and_then(|params| params.to_str().ok());
        state.params.extend(params.map(str::to_owned));
        state.requests.push(request.into_inner());
        ready(match &state.refusal {
            Some(refusal) => Err(refusal.clone()),
            None => Ok(Response::new(())),
        })
    }
}
