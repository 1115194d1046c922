//! A run that is watched while the emulator splits and merges: what it tells is what happened.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use serde_json::Value;

use super::client::Session;
use super::connector::Place;
use super::reread::reread;
use super::service::Emulator;
use super::shop::{self, Dialect, STREAM};
use super::writer::Writer;
use crate::admin::run::{free_address, get};

/// How long catching up, and ending, may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// Some twenty seconds: with tokens that live three, each lineage splits or merges several times.
const TRANSACTIONS: u32 = 1000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_split_and_merge_of_the_emulator_is_told() {
    let Some(emulator) = Emulator::start("a watched run").await else {
        return;
    };
    let dialect = Dialect::GoogleSql;
    let channel = emulator.connect().await;
    let statements = shop::statements(dialect);
    let database = super::admin::create_database(&channel, "shop", dialect, statements).await;
    let created = Timestamp::now();
    let mut session = Session::open(channel, &database).await;
    let mut writer = Writer::new(session.clone(), dialect, 7);

    let place = Place::new(&emulator, &database, STREAM);
    let address = free_address().await;
    let running = place.start(&format!("  admin-address: {}", address.port()));
    writer.write(TRANSACTIONS, 50).await;
    let last = writer.log().last().expect("something was committed");
    let changes = writer.log().changes().len();
    let status = once_read(address, changes, last).await;
    assert_eq!(
        running.stop(PATIENCE).await.code(),
        Some(0),
        "{}",
        place.log()
    );

    let happened = reread(&mut session, dialect, created, last).await;
    let happened = happened.started_by(last);
    let told = started_by(&status, last);
    let expected: BTreeMap<&str, BTreeSet<&str>> = happened
        .iter()
        .map(|(token, parents)| {
            // Nobody's children are those of the root query, whose token is empty.
            let parents: BTreeSet<&str> = match parents.is_empty() {
                true => BTreeSet::from([""]),
                false => parents.iter().map(String::as_str).collect(),
            };
            (*token, parents)
        })
        .collect();
    assert_eq!(told, expected);
    let merges = expected
        .values()
        .filter(|parents| parents.len() > 1)
        .count();
    println!("{} partitions, {merges} of them merged", expected.len());
    assert!(expected.len() >= 10, "the emulator did not churn");
}

/// The status once everything up to an instant is read.
async fn once_read(address: SocketAddr, changes: usize, last: Timestamp) -> Value {
    let started = Instant::now();
    loop {
        let body = get(address, "/status").await.body;
        let status: Value = serde_json::from_str(&body).expect("a status is JSON");
        let outputs = status["totals"]["outputs"].as_u64();
        let watermark: Option<Timestamp> = status["watermark"]
            .as_str()
            .and_then(|text| text.parse().ok());
        if outputs >= u64::try_from(changes).ok() && watermark >= Some(last) {
            return status;
        }
        assert!(started.elapsed() < PATIENCE, "never read: {status:#}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// The partitions of a status that start no later than an instant, each with its parents.
fn started_by(status: &Value, at: Timestamp) -> BTreeMap<&str, BTreeSet<&str>> {
    let finished = status["history"]["list"].as_array().expect("a list");
    let unfinished = status["partitions"]["list"].as_array().expect("a list");
    finished
        .iter()
        .chain(unfinished)
        .filter(|partition| partition["token"] != "")
        .filter(|partition| {
            let start = partition["start"].as_str().expect("an instant");
            start.parse::<Timestamp>().expect("an instant") <= at
        })
        .map(|partition| {
            let parents = partition["parents"].as_array().expect("a list").iter();
            let token = partition["token"].as_str().expect("a token");
            (token, parents.filter_map(Value::as_str).collect())
        })
        .collect()
}
