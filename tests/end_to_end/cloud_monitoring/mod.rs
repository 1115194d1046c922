//! Metrics of the client, as Cloud Monitoring gets them.

mod failing;
mod series;
mod service;

use std::net::SocketAddr;

use acequia_sandbox::spanner::{History, Sandbox};
use jiff::Timestamp;
use serde_json::json;

use super::place::Place;
use super::shop::{after, an_hour_ago, customer, serve};

/// A history of one partition and two customers, which a run reads to its end.
fn customers() -> (Sandbox, Timestamp) {
    let start = an_hour_ago();
    let history = History::starting_at(start)
        .partition("a")
        .commit(after(start, 10), "a", [customer(1), customer(2)])
        .build()
        .unwrap();
    (serve(history), start)
}

/// Reads them, and writes metrics of the client to `address`.
fn watched(sandbox: &Sandbox, start: Timestamp, address: SocketAddr) -> Place {
    let mut place = Place::new(sandbox, start, after(start, 60_000));
    export(&mut place, address);
    place
}

fn export(place: &mut Place, address: SocketAddr) {
    place.set("export-client-metrics-to-cloud-monitoring", json!(true));
    let endpoint = format!("http://{address}");
    place.set("cloud-monitoring-endpoint", json!(endpoint));
}
