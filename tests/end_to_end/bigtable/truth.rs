//! What was committed to the table, against what came out.

use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::io::{BufRead, BufReader};

use acequia_sandbox::bigtable::history::Mutation;
use jiff::Timestamp;
use serde_json::Value;

use super::super::place::Place;
use super::super::truth::text;

/// The file holds every mutation exactly once and with everything that it did, and those of each row
/// in the order of the log.
pub(super) fn check(place: &Place, committed: &[Mutation]) {
    // A line at a time: a file of the soak does not fit into memory as values.
    let file = BufReader::new(File::open(place.path("out.ndjson")).unwrap());
    let values = file.lines().map(|line| {
        let line = line.unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    });
    compare(values, committed);
}

pub(super) fn compare(values: impl IntoIterator<Item = Value>, committed: &[Mutation]) {
    assert!(
        !committed.is_empty(),
        "a history without a mutation shows nothing"
    );
    let mut expected: BTreeMap<String, VecDeque<&Mutation>> = BTreeMap::new();
    for mutation in committed {
        let row = text(&mutation.to_json(), "row_key").to_owned();
        expected.entry(row).or_default().push_back(mutation);
    }
    for value in values {
        let row = text(&value, "row_key").to_owned();
        let next = expected.get_mut(&row).and_then(VecDeque::pop_front);
        let next = next.unwrap_or_else(|| panic!("one too many: {value}"));
        assert_eq!(without_place(value), next.to_json());
    }
    for (row, missing) in expected {
        assert!(missing.is_empty(), "{} of {row} are missing", missing.len());
    }
}

/// A value without what is not the mutation's own: its table, and the low watermark of the reading.
fn without_place(mut value: Value) -> Value {
    let members = value.as_object_mut().unwrap();
    assert_eq!(members.remove("table").unwrap(), "shop");
    let watermark = members.remove("estimated_low_watermark").unwrap();
    let watermark = watermark.as_str().unwrap().parse::<Timestamp>();
    assert!(watermark.is_ok(), "{watermark:?}");
    value
}
