//! Metrics and traces of a run, as an OpenTelemetry collector gets them.
#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and so do the functions that tests share"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use acequia_host::Outcome;
use acequia_host::command::{LogFormat, start_logging};
use acequia_sandbox::spanner::History;
use opentelemetry_proto::tonic::collector::metrics::v1::metrics_service_server::{
    MetricsService, MetricsServiceServer,
};
use opentelemetry_proto::tonic::collector::metrics::v1::{
    ExportMetricsServiceRequest, ExportMetricsServiceResponse,
};
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{
    TraceService, TraceServiceServer,
};
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use opentelemetry_proto::tonic::metrics::v1::{metric, number_data_point};
use serde_json::json;
use tonic::{Request, Response, Status};

#[path = "end_to_end/place.rs"]
#[allow(dead_code, reason = "shared with the tests of the whole product")]
mod place;
#[path = "end_to_end/shop.rs"]
#[allow(dead_code, reason = "shared with the tests of the whole product")]
mod shop;

/// A collector that keeps what it gets.
#[derive(Clone, Default)]
struct Collector(Arc<Mutex<Collected>>);

#[derive(Default)]
struct Collected {
    sums: BTreeMap<String, u64>,
    histograms: BTreeSet<String>,
    spans: BTreeSet<String>,
    services: BTreeSet<String>,
}

#[tonic::async_trait]
impl MetricsService for Collector {
    async fn export(
        &self,
        request: Request<ExportMetricsServiceRequest>,
    ) -> Result<Response<ExportMetricsServiceResponse>, Status> {
        let mut collected = self.0.lock().unwrap();
        let resources = request.into_inner().resource_metrics.into_iter();
        let scopes = resources.flat_map(|resource| resource.scope_metrics);
        for metric in scopes.flat_map(|scope| scope.metrics) {
            match metric.data {
                Some(metric::Data::Sum(sum)) => {
                    for point in sum.data_points {
                        if let Some(number_data_point::Value::AsInt(value)) = point.value {
                            let value = u64::try_from(value).unwrap();
                            collected.sums.insert(metric.name.clone(), value);
                        }
                    }
                }
                Some(metric::Data::Histogram(_)) => {
                    collected.histograms.insert(metric.name);
                }
                Some(_) | None => {}
            }
        }
        Ok(Response::new(ExportMetricsServiceResponse::default()))
    }
}

#[tonic::async_trait]
impl TraceService for Collector {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        let mut collected = self.0.lock().unwrap();
        for resource in request.into_inner().resource_spans {
            let attributes = resource.resource.map(|resource| resource.attributes);
            for attribute in attributes.unwrap_or_default() {
                if attribute.key == "service.instance.id" {
                    collected.services.insert(format!("{:?}", attribute.value));
                }
            }
            let spans = resource
                .scope_spans
                .into_iter()
                .flat_map(|scope| scope.spans);
            collected.spans.extend(spans.map(|span| span.name));
        }
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

async fn collect() -> (SocketAddr, Collector) {
    let collector = Collector::default();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let served = tonic::transport::Server::builder()
        .add_service(MetricsServiceServer::new(collector.clone()))
        .add_service(TraceServiceServer::new(collector.clone()))
        .serve_with_incoming(tonic::transport::server::TcpIncoming::from(listener));
    tokio::spawn(served);
    (address, collector)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_short_run_tells_a_collector_all_its_counts_and_its_spans_before_it_ends() {
    start_logging(LogFormat::Text);
    let (address, collector) = collect().await;
    let start = shop::an_hour_ago();
    let history = History::starting_at(start)
        .partition("a")
        .commit(
            shop::after(start, 10),
            "a",
            [shop::customer(1), shop::customer(2)],
        )
        .build()
        .unwrap();
    let sandbox = shop::serve(history);
    let mut place = place::Place::new(&sandbox, start, shop::after(start, 60_000));
    place.set("otlp-endpoint", json!(format!("http://{address}")));
    place.set("export-client-metrics", json!(true));
    assert_eq!(place.run().await.unwrap().outcome, Outcome::Finished);

    let collected = collector.0.lock().unwrap();
    let sum = |name: &str| collected.sums.get(name).copied();
    assert_eq!(sum("acequia_records_total"), Some(1));
    assert_eq!(sum("acequia_outputs_total"), Some(2));
    assert!(sum("acequia_checkpoints_total") >= Some(1));
    assert!(collected.histograms.contains("acequia_sink_sync_seconds"));
    assert!(
        collected
            .histograms
            .contains("acequia_client_attempt_seconds")
    );
    for span in ["rpc", "read", "shape", "write", "save"] {
        assert!(
            collected.spans.contains(span),
            "{span}: {:?}",
            collected.spans
        );
    }
    let services = &collected.services;
    assert!(
        services.iter().any(|id| id.contains("orders")),
        "{services:?}"
    );
}
