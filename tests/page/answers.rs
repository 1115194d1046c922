//! Statuses as the connector gives them.

use serde_json::{Value, json};

/// A run of half an hour that has seen everything: partitions in each state, splits, merges, and one
/// that went on under another token.
///
/// ```text
/// root -+- north -+- north-a --- north-c -----------------+
///       |         +- north-b -+                           +- (waiting)
///       +- south -------------+- joined -+- open ---------+
///                                        +- held, queued, backing, draining
/// ```
pub(crate) fn busy() -> Value {
    json!({
        "version": 1, "name": "orders", "connector": "spanner-change-stream", "acequia": "0.1.0",
        "source": { "database": "projects/p/instances/i/databases/shop", "change-stream": "ShopStream" },
        "started_at": "2026-12-01T02:00:00Z", "now": "2026-12-01T02:30:00.123456789Z",
        "uptime_seconds": 1800.0, "phase": "reading", "ready": true,
        "degraded": ["the watermark is 90 s behind"],
        "watermark": "2026-12-01T02:28:30Z", "watermark_lag_seconds": 90.1, "last_record_age_seconds": 0.4,
        "totals": {
            "records": 1_234_567, "bytes": 1_308_641_020, "outputs": 1_234_000, "dropped_by_table": 11,
            "dropped_without_change": 12, "dropped_values": 13, "filtered": 14, "skipped": 15,
            "dead_letters": 16, "repeats": 17, "found": 12, "finished": 7, "splits": 2, "merges": 2,
            "moves": 1, "openings": 20, "reopenings": 8, "retries": 3, "stalls": 1, "turns": 4,
            "restarts": 0, "saves": 99,
        },
        "in_flight": { "records": 8000, "records_max": 8192, "bytes": 4_194_304, "bytes_max": 16_777_216,
                       "held": true, "waits_for": "sink" },
        "checkpoint": { "generation": 7, "age_seconds": 0.8, "bytes": 4096 },
        "guests": [
            guest("deserializer", "json", 9000, 900.0),
            guest("names filter", "names", 40, 0.004),
        ],
        "sink": { "kind": "file", "batches": 2000, "write_seconds": 4.0, "sync_seconds": 60.0, "busy_seconds": 3.25 },
        "partitions": { "open": 2, "queued": 1, "waiting": 1, "unfinished": 7, "listed": 7, "list": busy_list() },
        "history": { "forgotten": 3, "list": busy_history() },
    })
}

fn guest(role: &str, name: &str, calls: u64, seconds: f64) -> Value {
    json!({
        "role": role, "name": name, "version": "0.1.0", "sha256": "0f".repeat(32), "pure": true,
        "calls": calls, "records": calls * 100, "failures": 2, "traps": 1, "seconds": seconds,
        "memory_bytes": 2_097_152,
    })
}

fn busy_history() -> Value {
    json!([
        finished("", &[], "02:00:00", "02:00:00"),
        finished("north", &[""], "02:00:00", "02:10:00"),
        finished("south", &[""], "02:00:00", "02:20:00"),
        finished("north-a", &["north"], "02:10:00", "02:25:00"),
        finished("north-b", &["north"], "02:10:00", "02:20:00"),
        finished("joined", &["north-b", "south"], "02:20:00", "02:28:00"),
    ])
}

fn busy_list() -> Value {
    json!([
        unfinished("north-c", &["north-a"], "open", 2.0, &Value::Null),
        unfinished(
            "open",
            &["joined"],
            "open",
            1.0,
            &waits("server", 2.4, "no frame since 02:29:57")
        ),
        unfinished(
            "held",
            &["joined"],
            "held",
            12.0,
            &waits("sink", 3.25, "the sink is writing")
        ),
        unfinished(
            "queued",
            &["joined"],
            "queued",
            90.0,
            &waits("place", 88.0, "2 of 2 places are taken")
        ),
        unfinished(
            "backing",
            &["joined"],
            "backing-off",
            17.0,
            &waits("timer", 0.5, "UNAVAILABLE, try 3")
        ),
        unfinished(
            "draining",
            &["joined"],
            "draining",
            3.0,
            &waits("save", 0.25, "2 records are not saved")
        ),
        unfinished(
            "last",
            &["north-c", "open"],
            "waiting",
            5.0,
            &waits("partition", 5.0, "waits for north-c to end")
        ),
    ])
}

/// A finished partition. Times of day are on the first of December.
pub(crate) fn finished(token: &str, parents: &[&str], start: &str, end: &str) -> Value {
    json!({
        "token": token, "parents": parents,
        "start": format!("2026-12-01T{start}Z"), "end": format!("2026-12-01T{end}Z"),
    })
}

/// An unfinished partition that started at 02:28:00 and is so far behind 02:30.
pub(crate) fn unfinished(
    token: &str,
    parents: &[&str],
    state: &str,
    lag_seconds: f64,
    waits: &Value,
) -> Value {
    let position = jiff::Timestamp::constant(1_796_092_200, 0)
        - jiff::SignedDuration::from_secs_f64(lag_seconds);
    json!({
        "token": token, "parents": parents, "state": state, "start": "2026-12-01T02:28:00Z",
        "position": position.to_string(), "watermark": position.to_string(),
        "lag_seconds": lag_seconds, "headroom_seconds": 604_800.0 - lag_seconds,
        "unacknowledged": 5, "oldest_unacknowledged": position.to_string(), "waits": waits,
    })
}

/// What a partition waits for, how long already, and why.
pub(crate) fn waits(what: &str, seconds: f64, detail: &str) -> Value {
    json!({ "for": what, "seconds": seconds, "detail": detail })
}

/// The same status `number` answers of two seconds later, while 2,000 records and 3 MiB were read,
/// 1,000 outputs were written and the first guest was busy for half a second.
pub(crate) fn later(mut status: Value, number: usize) -> Value {
    let add = |value: &mut Value, each: f64| {
        let steps = f64::from(u32::try_from(number).unwrap());
        *value = json!(value.as_f64().unwrap() + each * steps);
    };
    add(&mut status["uptime_seconds"], 2.0);
    add(&mut status["totals"]["records"], 2_000.0);
    add(&mut status["totals"]["bytes"], 3.0 * 1_048_576.0);
    add(&mut status["totals"]["outputs"], 1_000.0);
    add(&mut status["guests"][0]["seconds"], 0.5);
    status
}
