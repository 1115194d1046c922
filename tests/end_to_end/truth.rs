//! What was committed, against what came out.

use std::collections::BTreeMap;

use acequia_sandbox::spanner::history::Committed;
use serde_json::Value;

use super::place::Place;

/// The file holds every committed row change exactly once, and those of each key in the order in
/// which they were committed.
pub(crate) fn check(place: &Place, committed: &[Committed]) {
    compare(&place.values(), committed);
}

pub(crate) fn compare(values: &[Value], committed: &[Committed]) {
    let mut expected: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in committed {
        let keys = Value::Object(row.keys.clone());
        expected
            .entry(key(&row.table, &keys))
            .or_default()
            .push(row.id());
    }
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for value in values {
        let key = key(text(value, "table_name"), &value["keys"]);
        found
            .entry(key)
            .or_default()
            .push(text(value, "id").to_owned());
    }
    assert!(
        !expected.is_empty(),
        "a history without a change shows nothing"
    );
    for (key, ids) in &expected {
        assert_eq!(found.get(key), Some(ids), "{key}");
    }
    assert_eq!(found.len(), expected.len(), "keys that nobody wrote");
}

pub(crate) fn text<'a>(value: &'a Value, member: &str) -> &'a str {
    value[member]
        .as_str()
        .unwrap_or_else(|| panic!("no {member} in {value}"))
}

fn key(table: &str, keys: &Value) -> String {
    format!("{table} {keys}")
}
