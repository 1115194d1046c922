//! A table as it stood at an instant.

use std::{collections::BTreeMap, sync::Arc};

use jiff::Timestamp;
use serde_json::Value as Json;

use super::{
    cell::cell,
    contents::{BaseRows, Contents, Drawn},
    key::{Key, Part},
};
use crate::spanner::{
    history::{Column, DataChange, Entry, ModType, Recorded, Row, Table},
    world::World,
};

/// The rows of a table at one instant, in the order of its primary key.
#[derive(Clone, Debug)]
pub(super) enum State {
    Rows(Vec<Row>),
    Drawn(Drawn),
}

/// The table's rows at `at`: the first ones, and every change that was committed until then. Nothing
/// is committed at or before `at` any more.
pub(super) fn state(
    table: &Table,
    contents: Option<&Contents>,
    world: &World,
    at: Timestamp,
) -> State {
    let base = match contents.map(|contents| &contents.rows) {
        Some(BaseRows::Drawn(drawn)) => return State::Drawn(drawn.clone()),
        Some(BaseRows::Written(rows)) => rows.as_slice(),
        None => &[],
    };
    let key = primary_key(table);
    let rows = base.iter().map(|row| (key_of(row, &key), row.clone()));
    let mut rows: BTreeMap<Key, Row> = rows.collect();
    for change in world.look(|stream, _, promised| {
        promised.raise(at);
        changes(stream, &table.name, at)
    }) {
        apply(&change, &key, &mut rows);
    }
    State::Rows(rows.into_values().collect())
}

/// The key columns in key order, which is the table's own order.
pub(super) fn primary_key(table: &Table) -> Vec<&Column> {
    let keys = table.columns.iter().filter(|column| column.is_primary_key);
    keys.collect()
}

/// The row's place in an order by those columns; what is not of its type is NULL.
pub(super) fn key_of(row: &Row, columns: &[&Column]) -> Key {
    let part = |column: &&Column| {
        let value = row.get(&column.name).unwrap_or(&Json::Null);
        Part::of(&column.r#type, &cell(&column.r#type, value)).unwrap_or(Part::Null)
    };
    columns.iter().map(part).collect()
}

/// The table's records until `at`, in the order in which they were committed.
fn changes(stream: &Recorded, table: &str, at: Timestamp) -> Vec<Arc<DataChange>> {
    let entries = stream.partitions.values().flat_map(|partition| {
        let until = partition.entries.partition_point(|entry| entry.at() <= at);
        partition.entries.iter().take(until)
    });
    let mut changes: Vec<Arc<DataChange>> = entries
        .filter_map(|entry| match entry {
            Entry::Change(change) => (change.table_name == table).then(|| Arc::clone(change)),
            Entry::Heartbeat(_)
            | Entry::Children { .. }
            | Entry::PartitionStart { .. }
            | Entry::PartitionEvent { .. }
            | Entry::PartitionEnd { .. } => None,
        })
        .collect();
    changes.sort_by(|a, b| order(a).cmp(&order(b)));
    changes
}

fn order(change: &DataChange) -> (Timestamp, &str, &str) {
    (
        change.commit_timestamp,
        &change.server_transaction_id,
        &change.record_sequence,
    )
}

/// Every capture type records the written columns as they are afterwards, and an insert writes all of
/// its values.
///
/// Source: <https://cloud.google.com/spanner/docs/change-streams/details>, value capture types.
fn apply(change: &DataChange, key: &[&Column], rows: &mut BTreeMap<Key, Row>) {
    for changed in &change.mods {
        let place = key_of(&changed.keys, key);
        let new = changed.new_values.iter().flatten();
        let new = new.map(|(name, value)| (name.clone(), value.clone()));
        match change.mod_type {
            ModType::Delete => {
                rows.remove(&place);
            }
            ModType::Insert => {
                let row = changed.keys.clone().into_iter().chain(new).collect();
                rows.insert(place, row);
            }
            // What is not known by its name still wrote what it says.
            ModType::Update | ModType::Other(_) => {
                let row = rows.entry(place).or_insert_with(|| changed.keys.clone());
                row.extend(new);
            }
        }
    }
}
