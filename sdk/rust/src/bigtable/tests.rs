//! Batches whose columns do not fit, and what a view shows of one that does.

use super::testing::{Outcome, Row, batch, deserialize};
use super::{Batch, Change, Deserializer, Entry, Mutation, Mutations};
use crate::{ConfigError, Control, ControlOutput, Description, Failure, Output};

struct Families;

impl Deserializer for Families {
    fn describe() -> Description {
        Description::new("families", "0")
    }

    fn configure(_config: &str) -> Result<Self, Vec<ConfigError>> {
        Ok(Self)
    }

    fn deserialize(&self, mutation: &Mutation<'_>, out: &mut Output) -> Result<(), Failure> {
        for entry in mutation.entries() {
            out.push(mutation.row_key(), entry.family);
        }
        Ok(())
    }

    fn control(&self, _event: &Control) -> Vec<ControlOutput> {
        Vec::new()
    }
}

const SET: Change<'_> = Change::SetCell {
    qualifier: b"\xff",
    timestamp_micros: 3,
    value: b"v",
};
const DELETE: Change<'_> = Change::DeleteCells {
    qualifier: b"",
    start_micros: 0,
    end_micros: None,
};

fn two_rows() -> Mutations {
    let row = |row_key, entries| Row {
        id: "id",
        row_key,
        entries,
        ..Row::default()
    };
    batch(
        "T",
        &[
            row(b"\x00", &[("a", SET), ("b", DELETE)]),
            row(b"r", &[("b", SET)]),
        ],
    )
}

#[test]
fn a_mutation_has_its_own_entries_counted_from_0() {
    let mutations = two_rows();
    let batch = Batch::open(&mutations).unwrap();
    let entries: Vec<Vec<Entry<'_>>> = batch
        .iter()
        .map(|mutation| mutation.entries().collect())
        .collect();
    let entry = |index, family, change| Entry {
        index,
        family,
        change,
    };
    assert_eq!(
        entries,
        [
            vec![entry(0, "a", SET), entry(1, "b", DELETE)],
            vec![entry(0, "b", SET)],
        ]
    );
    assert_eq!(
        batch.iter().next().map(|mutation| mutation.table()),
        Some("T")
    );
}

#[test]
fn outputs_have_row_keys_of_any_bytes() {
    let output = |source, key: &[u8], value: &str| {
        Outcome::Output(source, String::new(), key.to_vec(), value.to_owned())
    };
    assert_eq!(
        deserialize(&Families, &two_rows()),
        [
            output(0, b"\x00", "a"),
            output(0, b"\x00", "b"),
            output(1, b"r", "b"),
        ]
    );
}

/// A change of one column that breaks a rule, and the column's name.
type Fault = (&'static str, fn(&mut Mutations));

/// One fault per column.
const FAULTS: &[Fault] = &[
    ("row-keys", |batch| batch.row_keys.ends.push(2)),
    ("is-garbage-collection", |batch| {
        batch.is_garbage_collection.push(0)
    }),
    ("source-cluster-ids", |batch| {
        batch.source_cluster_ids.ends.push(0)
    }),
    ("commit-timestamps", |batch| {
        batch.commit_timestamps.bytes.push(b'x')
    }),
    ("commit-times.seconds", |batch| {
        batch.commit_times.seconds.clear()
    }),
    ("commit-times.nanos", |batch| {
        batch.commit_times.nanos.push(0)
    }),
    ("tie-breakers", |batch| batch.tie_breakers.clear()),
    ("low-watermarks", |batch| batch.low_watermarks.ends.clear()),
    ("entry-ends", |batch| batch.entry_ends.reverse()),
    ("families", |batch| {
        batch.families.bytes = b"\xff\xff\xff".to_vec()
    }),
    ("entry-kinds", |batch| batch.entry_kinds[1] = 5),
    ("entry-families", |batch| batch.entry_families[2] = 3),
    ("qualifiers", |batch| batch.qualifiers.ends[0] = 9),
    ("timestamps-micros", |batch| batch.timestamps_micros.push(0)),
    ("values", |batch| batch.values.ends.truncate(2)),
    ("has-addend", |batch| batch.has_addend.push(1)),
    ("addends", |batch| batch.addends.clear()),
    ("range-starts-micros", |batch| {
        batch.range_starts_micros.push(0)
    }),
    ("range-ends-micros", |batch| batch.range_ends_micros.clear()),
];

#[test]
fn a_batch_whose_columns_do_not_fit_fails_record_by_record_and_names_the_column() {
    for (column, break_rule) in FAULTS {
        let mut mutations = two_rows();
        break_rule(&mut mutations);
        let outcomes = deserialize(&Families, &mutations);
        let records: Vec<u32> = outcomes
            .iter()
            .map(|outcome| match outcome {
                Outcome::Failed(record, failure) => {
                    let name = format!("`{column}`");
                    assert!(failure.message.contains(&name), "{failure:?}");
                    *record
                }
                Outcome::Output(..) => panic!("{column}: {outcome:?}"),
            })
            .collect();
        assert_eq!(records, [0, 1], "{column}");
    }
}
