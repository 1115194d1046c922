//! The lines of change records into a batch.

use std::collections::BTreeMap;

use acequia_decode::spanner::{self as decode, ChangeBatch, Rebuild, TableSchema};

use super::format::{Change, Json, Table};
use super::read_error::LineError;
use super::text::text_of;

/// A batch of change records that is still read, and the tables that were described so far.
#[derive(Default)]
pub(super) struct Changes {
    pub(super) tables: BTreeMap<String, TableSchema>,
    rebuild: Rebuild,
    pub(super) batch: ChangeBatch,
}

impl Changes {
    pub(super) fn table(&mut self, table: Table<'_>) -> Result<(), LineError> {
        let columns = (1_i64..).zip(&table.columns).map(|(place, column)| {
            Ok(decode::Column {
                name: column.name.clone(),
                type_json: text(&column.r#type)?,
                is_key: column.is_primary_key,
                ordinal: column.ordinal_position.unwrap_or(place),
            })
        });
        let columns = columns.collect::<Result<_, LineError>>()?;
        let schema = TableSchema::new(&table.name, columns)?;
        let called = table.alias.unwrap_or(table.name);
        if self.tables.contains_key(&called) {
            return Err(LineError::TableTwice(called));
        }
        self.tables.insert(called, schema);
        Ok(())
    }

    pub(super) fn change(&mut self, change: &Change<'_>) -> Result<(), LineError> {
        let table = self.tables.get(&change.table);
        let table = table.ok_or_else(|| LineError::UnknownTable(change.table.clone()))?;
        let mods = change.mods.iter().map(|one| {
            Ok([
                one.keys.as_ref().map(text).transpose()?,
                one.new_values.as_ref().map(text).transpose()?,
                one.old_values.as_ref().map(text).transpose()?,
            ])
        });
        let mods: Vec<[Option<String>; 3]> = mods.collect::<Result<_, LineError>>()?;
        let mods = mods
            .iter()
            .map(|[keys, new_values, old_values]| decode::Mod {
                keys: keys.as_deref(),
                new_values: new_values.as_deref(),
                old_values: old_values.as_deref(),
            });
        let mods: Vec<decode::Mod<'_>> = mods.collect();
        let change = decode::Change {
            commit_timestamp: &change.commit_timestamp,
            record_sequence: &change.record_sequence,
            transaction_id: &change.server_transaction_id,
            mod_type: &change.mod_type,
            value_capture_type: &change.value_capture_type,
            transaction_tag: &change.transaction_tag,
            is_last: change.is_last_record_in_transaction_in_partition,
            is_system: change.is_system_transaction,
            records_in_transaction: change.number_of_records_in_transaction,
            partitions_in_transaction: change.number_of_partitions_in_transaction,
            mods: &mods,
        };
        Ok(self.rebuild.append(&mut self.batch, table, &change)?)
    }
}

fn text(json: &Json<'_>) -> Result<String, LineError> {
    let text = text_of(json).map_err(|error| LineError::of_json(&error))?;
    Ok(text.into_owned())
}
