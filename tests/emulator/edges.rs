//! Where the emulator answers as the service does: names and the beginning of a stream.

use std::time::{Duration, Instant};

use super::admin;
use super::client::Session;
use super::connector::Place;
use super::service::Emulator;
use super::shop::{self, Dialect, STREAM};
use super::verdict::change_of_line;
use super::writer::Writer;

/// How long a short run may take.
const PATIENCE: Duration = Duration::from_secs(90);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn earliest_begins_at_the_creation_of_a_stream_that_is_younger_than_its_retention() {
    let Some(emulator) = Emulator::start("earliest").await else {
        return;
    };
    let dialect = Dialect::GoogleSql;
    let channel = emulator.connect().await;
    let database =
        admin::create_database(&channel, "shop", dialect, shop::statements(dialect)).await;
    let session = Session::open(channel, &database).await;
    let mut writer = Writer::new(session, dialect, 1);
    writer.write(50, 1000).await;

    let last = writer.log().last().expect("something was committed");
    let place = Place::new(&emulator, &database, STREAM);
    let running = place.start(&format!("  end-position: {last}"));
    let status = running.ended(PATIENCE).await;

    assert_eq!(status.code(), Some(0), "{}", place.log());
    let output = place.output();
    let delivered: Vec<_> = output.lines().map(change_of_line).collect();
    let mut committed = writer.log().changes();
    committed.sort();
    let mut sorted = delivered.clone();
    sorted.sort();
    assert_eq!(sorted, committed);
    // Nothing was asked for that cannot be had.
    assert!(!place.log().contains("moved up"), "{}", place.log());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_end_that_lies_before_what_was_read_ends_the_run_at_once() {
    let Some(emulator) = Emulator::start("an end in the past").await else {
        return;
    };
    let dialect = Dialect::GoogleSql;
    let channel = emulator.connect().await;
    let database =
        admin::create_database(&channel, "shop", dialect, shop::statements(dialect)).await;
    let mut writer = Writer::new(Session::open(channel, &database).await, dialect, 1);
    writer.write(50, 1000).await;
    let committed = writer.log().changes();

    let place = Place::new(&emulator, &database, STREAM);
    let running = place.start("");
    let started = Instant::now();
    while place.output().lines().count() < committed.len() && started.elapsed() < PATIENCE {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(
        running.stop(PATIENCE).await.code(),
        Some(0),
        "{}",
        place.log()
    );
    let output = place.output();

    let first = committed.first().expect("something was committed").at;
    let running = place.start(&format!("  end-position: {first}"));
    assert_eq!(
        running.ended(PATIENCE).await.code(),
        Some(0),
        "{}",
        place.log()
    );
    assert_eq!(place.output(), output);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_in_the_wrong_case_is_refused_with_the_name_that_postgresql_made_of_it() {
    let Some(emulator) = Emulator::start("folded names").await else {
        return;
    };
    let dialect = Dialect::PostgreSql;
    let statements = ["CREATE CHANGE STREAM AllOfIt FOR ALL"];
    let channel = emulator.connect().await;
    let database = admin::create_database(&channel, "folded", dialect, &statements).await;

    let place = Place::new(&emulator, &database, "AllOfIt");
    let status = place.start("").ended(PATIENCE).await;

    assert_eq!(status.code(), Some(1), "{}", place.log());
    assert!(
        place
            .log()
            .contains("no change stream named AllOfIt; it has allofit"),
        "{}",
        place.log()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_is_not_there_is_named() {
    let Some(emulator) = Emulator::start("missing database").await else {
        return;
    };
    let channel = emulator.connect().await;
    let dialect = Dialect::GoogleSql;
    let there = admin::create_database(&channel, "there", dialect, shop::statements(dialect)).await;
    let nowhere = there.replace("there", "nowhere");
    let place = Place::new(&emulator, &nowhere, STREAM);
    let status = place.start("").ended(PATIENCE).await;

    assert_eq!(status.code(), Some(1), "{}", place.log());
    let named = format!("Database not found: {nowhere}");
    assert!(place.log().contains(&named), "{}", place.log());
}
