//! Rows of tables and queries, read in partitions at one timestamp.
//!
//! What must come out are the rows that the sandbox was given, and for tables with a history the rows
//! that its own account of commits leads to.

mod killed;
mod reading;
mod replan;
mod requests;
mod resuming;

use acequia_sandbox::spanner::batch::RowWire;
use acequia_sandbox::spanner::tables::{Contents, value};
use acequia_sandbox::spanner::{Batch, History, Sandbox, Script};
use serde_json::{Value, json};

use super::place::Place;
use super::shop::an_hour_ago;

/// So many customers, from 0 on.
fn customers(count: usize) -> Contents {
    Contents::drawn("Customers", count, |number| {
        let Value::Object(row) = customer(number) else {
            return Default::default();
        };
        row
    })
}

/// Numbers that compare as texts do: keys are INT64, which the wire writes as a text.
fn customer(number: usize) -> Value {
    json!({
        "CustomerId": value::int64(1_000_000 + i64::try_from(number).unwrap()),
        "Name": format!("Ada {number}"),
        "City": (!number.is_multiple_of(3)).then_some("Lyon"),
    })
}

/// What comes out of a table that is read whole: its columns in the order in which they are named.
fn expected(count: usize) -> Vec<String> {
    let line = |number: usize| {
        let city = if number.is_multiple_of(3) {
            "null"
        } else {
            "\"Lyon\""
        };
        let id = 1_000_000 + number;
        format!(r#"{{"CustomerId":"{id}","Name":"Ada {number}","City":{city}}}"#)
    };
    (0..count).map(line).collect()
}

fn serve(batch: Batch) -> Sandbox {
    let history = History::starting_at(an_hour_ago())
        .partition("p0")
        .build()
        .unwrap();
    Sandbox::start(Script {
        batch,
        ..Script::new(history)
    })
    .unwrap()
}

fn serve_customers(count: usize, wire: RowWire) -> Sandbox {
    serve(Batch {
        contents: vec![customers(count)],
        wire,
        ..Batch::default()
    })
}

/// Reads the customers of a sandbox into `out.ndjson`, by its tokens.
fn place(sandbox: &Sandbox) -> Place {
    let mut place = Place::of_rows(sandbox);
    place.set("resume-by-token", json!(true));
    place.set(
        "read-operation",
        json!({ "table": {
            "name": "Customers",
            "columns": ["CustomerId", "Name", "City"],
        } }),
    );
    place
}

/// The lines of the sink, in an order that does not depend on that of the partitions.
fn sorted(place: &Place) -> Vec<String> {
    let mut lines = place.lines();
    lines.sort();
    lines
}
