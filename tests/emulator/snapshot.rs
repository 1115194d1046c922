//! A table is read in partitions, by a connector that is killed: its file is what a plain read of the
//! same instant gives, each row once.
//!
//! The emulator's resume tokens say nothing, so rows are counted from the beginning of a partition here.

use std::time::Duration;

use googleapis_tonic_google_spanner_v1::google::spanner::v1::transaction_options::{
    Mode, ReadOnly, read_only::TimestampBound,
};
use googleapis_tonic_google_spanner_v1::google::spanner::v1::transaction_selector::Selector;
use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    ExecuteSqlRequest, TransactionOptions, TransactionSelector,
};
use jiff::Timestamp;
use prost_types::value::Kind;
use serde_json::{Value as Json, json};

use super::admin;
use super::client::Session;
use super::connector::Place;
use super::service::Emulator;
use super::shop::Dialect;
use super::types::{self, Everything};
use crate::soak;

/// How long a run may take that nobody kills.
const ENDS_WITHIN: Duration = Duration::from_secs(600);

/// Rows of one commit: the emulator takes 80,000 values.
const ROWS_PER_COMMIT: u32 = 2000;

const KILLS: u32 = 5;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn googlesql_read_in_partitions_and_killed_gives_each_row_once() {
    gives_each_row_once(Dialect::GoogleSql).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgresql_read_in_partitions_and_killed_gives_each_row_once() {
    gives_each_row_once(Dialect::PostgreSql).await;
}

async fn gives_each_row_once(dialect: Dialect) {
    let Some(emulator) = Emulator::start("a snapshot").await else {
        return;
    };
    let rows: u32 = if soak::is_on() { 200_000 } else { 20_000 };
    let everything = types::everything(dialect);
    let channel = emulator.connect().await;
    let statements = &[everything.statement];
    let database = admin::create_database(&channel, "rows", dialect, statements).await;
    let mut session = Session::open(channel, &database).await;
    let mut at = Timestamp::UNIX_EPOCH;
    for first in (0..rows).step_by(ROWS_PER_COMMIT as usize) {
        let numbers = first..rows.min(first + ROWS_PER_COMMIT);
        at = session
            .commit(vec![types::insert(&everything, numbers)])
            .await;
    }
    // What is committed later is not of the snapshot.
    session
        .commit(vec![types::insert(&everything, rows..rows + 10)])
        .await;

    let place = Place::of_rows(&emulator, &database, reads(&everything, at));
    let mut cut = 0;
    for kill in 1..=KILLS {
        let running = place.start("");
        while place.output().lines().count() < (rows * kill / (KILLS + 2)) as usize {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        running.kill();
        cut += u32::from(place.output_bytes() > place.saved_bytes());
    }
    let status = place.start("").ended(ENDS_WITHIN).await;
    assert!(status.success(), "{}", place.log());

    let mut expected = plain_read(&mut session, &everything, at).await;
    let mut read: Vec<Json> = place
        .output()
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line is JSON"))
        .collect();
    println!(
        "{dialect:?}: {} rows, {KILLS} kills, {cut} with a tail to cut",
        read.len()
    );
    assert_eq!(expected.len(), rows as usize);
    let id = |row: &Json| row[everything.columns[0]].as_str().map(str::to_owned);
    expected.sort_by_key(id);
    read.sort_by_key(id);
    for (read, expected) in read.iter().zip(&expected) {
        assert_eq!(read, expected);
    }
    assert_eq!(read.len(), expected.len());
}

fn reads(everything: &Everything, at: Timestamp) -> String {
    format!(
        "  read-operation: {{ table: {{ name: {}, columns: [{}] }} }}\n  \
         timestamp-bound: {{ read-timestamp: {at} }}",
        everything.table,
        everything.columns.join(", "),
    )
}

/// All rows at the instant, by the generated client and the types' own JSON.
async fn plain_read(session: &mut Session, everything: &Everything, at: Timestamp) -> Vec<Json> {
    let columns: Vec<String> = everything
        .columns
        .iter()
        .map(|name| match name.chars().next() {
            Some(first) if first.is_lowercase() => format!("\"{name}\""),
            _ => (*name).to_owned(),
        })
        .collect();
    let request = ExecuteSqlRequest {
        sql: format!("SELECT {} FROM {}", columns.join(", "), everything.table),
        transaction: Some(TransactionSelector {
            selector: Some(Selector::SingleUse(TransactionOptions {
                mode: Some(Mode::ReadOnly(ReadOnly {
                    timestamp_bound: Some(TimestampBound::ReadTimestamp(prost_types::Timestamp {
                        seconds: at.as_second(),
                        nanos: at.subsec_nanosecond(),
                    })),
                    ..ReadOnly::default()
                })),
                ..TransactionOptions::default()
            })),
        }),
        ..ExecuteSqlRequest::default()
    };
    let mut frames = session.query(request).await.expect("a plain read");
    let mut cells = Vec::new();
    let mut chunked = false;
    while let Some(frame) = frames.message().await.expect("the read goes on") {
        let mut values = frame.values.into_iter();
        if chunked && let (Some(last), Some(next)) = (cells.last_mut(), values.next()) {
            merge(last, json_of(next.kind));
        }
        cells.extend(values.map(|value| json_of(value.kind)));
        chunked = frame.chunked_value;
    }
    let row = |cells: &[Json]| {
        let members = everything.columns.iter().zip(cells);
        Json::Object(
            members
                .map(|(name, cell)| ((*name).to_owned(), cell.clone()))
                .collect(),
        )
    };
    cells.chunks(everything.columns.len()).map(row).collect()
}

/// Source: google/spanner/v1/result_set.proto, `PartialResultSet.chunked_value`.
fn merge(into: &mut Json, more: Json) {
    match (into, more) {
        (Json::String(text), Json::String(more)) => text.push_str(&more),
        (Json::Array(values), Json::Array(more)) => {
            let mut more = more.into_iter();
            if let (Some(last), Some(next)) = (values.last_mut(), more.next()) {
                match (&*last, &next) {
                    (Json::String(_), Json::String(_)) | (Json::Array(_), Json::Array(_)) => {
                        merge(last, next);
                    }
                    _ => values.push(next),
                }
            }
            values.extend(more);
        }
        (into, more) => panic!("{into} cannot go on with {more}"),
    }
}

fn json_of(kind: Option<Kind>) -> Json {
    match kind.expect("a kind of value") {
        Kind::NullValue(_) => Json::Null,
        Kind::NumberValue(number) => json!(number),
        Kind::StringValue(text) => json!(text),
        Kind::BoolValue(flag) => json!(flag),
        Kind::ListValue(list) => list
            .values
            .into_iter()
            .map(|value| json_of(value.kind))
            .collect(),
        Kind::StructValue(_) => panic!("no column is a struct"),
    }
}
