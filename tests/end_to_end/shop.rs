//! Histories of the example shop that the tests share.

use std::time::Duration;

use acequia_sandbox::spanner::history::{RowChange, shop};
use acequia_sandbox::spanner::{History, Sandbox, Script};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

/// The beginning of every history here: an hour ago, on a whole second.
pub(crate) fn an_hour_ago() -> Timestamp {
    let now = Timestamp::now().as_second();
    Timestamp::from_second(now - 3600).unwrap()
}

/// So many milliseconds after `base`.
pub(crate) fn after(base: Timestamp, millis: i64) -> Timestamp {
    base.checked_add(SignedDuration::from_millis(millis))
        .unwrap()
}

/// A new customer.
pub(crate) fn customer(number: u64) -> RowChange {
    let row = json!({ "CustomerId": number.to_string(), "Name": "Ada", "City": "Lyon" });
    RowChange::insert(&shop::customers(), row)
}

/// A sandbox that serves a history and has no faults.
pub(crate) fn serve(history: History) -> Sandbox {
    serve_script(Script::new(history))
}

pub(crate) fn serve_script(script: Script) -> Sandbox {
    Sandbox::start(Script {
        heartbeat_min: Duration::from_millis(100),
        ..script
    })
    .unwrap()
}
