//! Floods: what measurements read.

use acequia_sandbox::spanner::history::{Entry, Flood, Pace, shop};
use acequia_sandbox::spanner::{
    FinalHeartbeat, FloodError, History, Sandbox, Script, StartError, Wire,
};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use tonic::Code;

use super::client::{Client, ask, at, script};

/// A flood of one order.
fn flood(since: Timestamp, pace: Pace) -> Flood {
    let order = acequia_sandbox::spanner::history::RowChange::insert(
        &shop::orders(),
        json!({"CustomerId": "1", "OrderId": "2", "Status": "NEW"}),
    );
    let history = History::starting_at(since)
        .partition("p")
        .commit(since, "p", [order])
        .build()
        .unwrap();
    let Entry::Change(change) = &history.partitions()["p"].entries[0] else {
        panic!("a commit is a change");
    };
    Flood {
        since,
        partitions: 2,
        change: change.as_ref().clone(),
        pace,
    }
}

fn served(flood: Flood, wire: Wire) -> Result<Sandbox, StartError> {
    Sandbox::start(Script {
        wire,
        final_heartbeat: FinalHeartbeat::Always,
        ..script(History::flood(flood).unwrap())
    })
}

#[tokio::test]
async fn a_flood_is_read_whole_by_an_ordinary_client_and_every_record_has_its_own_instant() {
    for rows_per_frame in [1, 4] {
        let wire = Wire {
            rows_per_frame,
            ..Wire::default()
        };
        let pace = Pace::AtOnce { records: 1000 };
        let sandbox = served(flood(at(0.0), pace), wire).unwrap();
        let client = Client::of(&sandbox).await;
        for partition in 0..2 {
            let token = Flood::token(partition);
            let read = client
                .read(&ask(Some(&token), at(0.0)).until(at(60.0)))
                .await;
            let (heartbeat, changes) = read.split_last().unwrap();
            assert_eq!(heartbeat.at("timestamp"), at(60.0));
            let instants: Vec<Timestamp> = changes
                .iter()
                .map(|change| change.at("commit_timestamp"))
                .collect();
            let micros = |count| at(0.0) + SignedDuration::from_micros(count);
            assert_eq!(instants, (0..1000).map(micros).collect::<Vec<_>>());
            assert!(
                changes
                    .iter()
                    .all(|change| change.text("table_name") == "Orders")
            );
        }
    }
}

#[tokio::test]
async fn a_steady_flood_stamps_each_record_with_the_moment_of_its_sending() {
    let pace = Pace::Steady { per_second: 100.0 };
    // The clock begins at 3600 s.
    let sandbox = served(flood(at(0.0), pace), Wire::default()).unwrap();
    let client = Client::of(&sandbox).await;
    let (began, end) = (at(3600.0), at(3600.5));
    let read = client
        .read(&ask(Some(&Flood::token(0)), began).until(end))
        .await;
    let (heartbeat, changes) = read.split_last().unwrap();
    assert_eq!(heartbeat.at("timestamp"), end);
    let instants: Vec<Timestamp> = changes
        .iter()
        .map(|change| change.at("commit_timestamp"))
        .collect();
    assert!(instants.len() > 1, "{instants:?}");
    assert!(instants.windows(2).all(|pair| pair[0] < pair[1]));
    assert!(instants.iter().all(|at| began <= *at && *at < end));
}

#[tokio::test]
async fn a_flood_that_is_sent_at_once_is_read_from_its_beginning_only() {
    let pace = Pace::AtOnce { records: 10 };
    let sandbox = served(flood(at(0.0), pace), Wire::default()).unwrap();
    let client = Client::of(&sandbox).await;
    let refusal = client.refusal(&ask(Some(&Flood::token(0)), at(1.0))).await;
    assert_eq!(refusal.code(), Code::FailedPrecondition);
}

#[tokio::test]
async fn a_wire_that_cuts_values_is_refused_for_a_flood() {
    let wire = Wire {
        chunk_bytes: Some(100),
        ..Wire::default()
    };
    let refused = served(flood(at(0.0), Pace::AtOnce { records: 10 }), wire);
    assert!(matches!(refused, Err(StartError::Flood(FloodError::Wire))));
}
