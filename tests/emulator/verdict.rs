//! Holding what was delivered against what was committed.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde_json::Value as Json;

use super::shop::{Row, Table};
use super::writer::{Change, Kind};

/// The changes of one change record as the source sends it.
pub(crate) fn changes_of_record(record: &Json) -> Vec<Change> {
    let mods = record["mods"].as_array().expect("a list of mods");
    mods.iter().map(|row| change(record, row)).collect()
}

/// The change of one line of the sink's file.
pub(crate) fn change_of_line(line: &str) -> Change {
    let output: Json = serde_json::from_str(line).expect("every line is one JSON object");
    change(&output, &output)
}

fn change(record: &Json, row: &Json) -> Change {
    let name = record["table_name"].as_str().expect("a table's name");
    let table = Table::named(name).unwrap_or_else(|| panic!("{name} is not of the shop"));
    let (kind, values) = match record["mod_type"].as_str() {
        Some("INSERT") => (Kind::Insert, &row["new_values"]),
        Some("UPDATE") => (Kind::Update, &row["new_values"]),
        Some("DELETE") => (Kind::Delete, &row["old_values"]),
        other => panic!("{other:?} is no modification"),
    };
    let key = |column: &str| number(&row["keys"], column)?.try_into().ok();
    Change {
        at: instant(&record["commit_timestamp"]),
        row: Row::of_key(table, key).expect("the key is whole"),
        kind,
        serial: number(values, "Serial").expect("every change has its serial number"),
    }
}

/// An INT64 member, whatever the case of its name. It is sent as text.
fn number(object: &Json, column: &str) -> Option<u64> {
    let members = object.as_object()?;
    let found = members
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(column));
    found?.1.as_str()?.parse().ok()
}

pub(crate) fn instant(text: &Json) -> Timestamp {
    let text = text.as_str().expect("an instant is text");
    text.parse().expect("an instant is RFC 3339")
}

/// Two changes of one row that were delivered in the wrong order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Inversion {
    pub(crate) earlier: Change,
    pub(crate) later: Change,
}

/// What is wrong with a delivery.
#[derive(Debug, Default)]
pub(crate) struct Verdict {
    /// Committed and not delivered.
    pub(crate) missing: Vec<Change>,
    /// Delivered more often than committed.
    pub(crate) surplus: Vec<Change>,
    /// Two changes of one row, delivered the later one first.
    pub(crate) inverted: Vec<Inversion>,
}

/// Holds delivered changes, in their order, against the committed ones.
pub(crate) fn judge(committed: &[Change], delivered: &[Change]) -> Verdict {
    let mut verdict = Verdict::default();
    let mut expected: BTreeSet<Change> = committed.iter().copied().collect();
    assert_eq!(
        expected.len(),
        committed.len(),
        "the oracle's changes are distinct"
    );
    let mut of_row: BTreeMap<Row, Vec<Change>> = BTreeMap::new();
    for change in delivered {
        if !expected.remove(change) {
            verdict.surplus.push(*change);
        }
        let before = of_row.entry(change.row).or_default();
        let later = before.iter().filter(|other| other.at > change.at);
        verdict.inverted.extend(later.map(|later| Inversion {
            earlier: *change,
            later: *later,
        }));
        before.push(*change);
    }
    verdict.missing.extend(expected);
    verdict
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(second: i64, key: u32, kind: Kind, serial: u64) -> Change {
        let table = Table::Customers;
        Change {
            at: Timestamp::from_second(second).unwrap(),
            row: Row { table, key },
            kind,
            serial,
        }
    }

    #[test]
    fn a_lost_a_doubled_and_an_overtaken_change_are_each_found() {
        let [first, second, third] = [
            change(1, 7, Kind::Insert, 1),
            change(2, 7, Kind::Update, 2),
            change(3, 7, Kind::Delete, 2),
        ];
        let other = change(2, 8, Kind::Insert, 3);
        let committed = [first, second, other, third];

        let good = judge(&committed, &[other, first, second, third]);
        assert!(good.missing.is_empty() && good.surplus.is_empty() && good.inverted.is_empty());

        assert_eq!(judge(&committed, &[first, second, third]).missing, [other]);
        let doubled = judge(&committed, &[first, first, second, other, third]);
        assert_eq!(doubled.surplus, [first]);
        let overtaken = judge(&committed, &[third, second, first, other]);
        let inversion = |earlier, later| Inversion { earlier, later };
        assert_eq!(
            overtaken.inverted,
            [
                inversion(second, third),
                inversion(first, third),
                inversion(first, second)
            ]
        );
    }
}
