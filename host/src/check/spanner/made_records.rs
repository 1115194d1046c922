//! Records of the watched tables that nobody committed, to try components on.
//!
//! They go the way of real ones: a frame as the service sends it, the assembler, the names filter's
//! plan. A JSON text a row is the simplest of the shapes that the service has, and what a component
//! is given does not tell them apart.

use acequia_decode::Malformed;
use acequia_decode::spanner::{Assembler, ChangeBatch, Options, Shape, Step, TablePlan, WrongPlan};
use bytes::Bytes;
use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    PartialResultSet, ResultSetMetadata, StructType, Type, TypeAnnotationCode, TypeCode,
    struct_type::Field,
};
use jiff::Timestamp;
use prost::Message;
use prost_types::value::Kind;
use serde_json::{Map, Value, json};

use super::made_values::{Sample, sample};
use crate::check::components::Made;
use crate::guest::{CallError, NamesFilter};
use crate::spanner::request::Dialect;
use crate::spanner::watch_list::{WatchList, WatchedTable};

/// Tables that records are made of. A database may have thousands; a component that answers to so
/// many kinds of record answers to the others.
const TABLES_MAX: usize = 64;

/// Why there are no records.
#[derive(Debug, thiserror::Error)]
pub(super) enum MakeError {
    /// What was made is no record: a table that has no key, say.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// The plan does not fit.
    #[error(transparent)]
    Plan(#[from] WrongPlan),
    /// The names filter gave up.
    #[error(transparent)]
    Names(#[from] CallError),
}

/// Makes an insertion, an update and a deletion of each table, as far as it passes `names`.
pub(super) async fn make(
    mut names: Option<&mut NamesFilter>,
    watch_list: &WatchList,
) -> Result<Made, MakeError> {
    let tables = || watch_list.tables.iter().take(TABLES_MAX);
    let mut assembler = Assembler::new(Shape::PostgresJson, Options::default());
    assembler.push(frame(tables(), watch_list.dialect, Timestamp::now()))?;
    let mut batch = ChangeBatch::default();
    loop {
        match assembler.next(&mut batch, &mut |_, _, _| false)? {
            Step::Empty => break,
            Step::Unplanned(table) => {
                let plan = match &mut names {
                    Some(names) => names.plan(&table.table, &table.columns).await?,
                    None => TablePlan {
                        table: true,
                        columns: vec![true; table.columns.len()],
                    },
                };
                assembler.plan(table.id, plan)?;
            }
            Step::Record(_)
            | Step::Covered
            | Step::Heartbeat(_)
            | Step::Children { .. }
            | Step::PartitionStart { .. }
            | Step::PartitionEnd { .. }
            | Step::PartitionEvent { .. } => {}
        }
    }
    Ok(Made {
        batch: batch.into(),
        of: format!("{} tables", tables().count()),
    })
}

/// One message with all records, a row each.
fn frame<'a>(
    tables: impl Iterator<Item = &'a WatchedTable>,
    dialect: Dialect,
    at: Timestamp,
) -> Bytes {
    let kinds = ["INSERT", "UPDATE", "DELETE"];
    let records = tables.flat_map(|table| kinds.map(|kind| record(table, dialect, at, kind)));
    let values = records.map(|record| prost_types::Value {
        kind: Some(Kind::StringValue(record.to_string())),
    });
    let column = Field {
        name: "made_records".to_owned(),
        r#type: Some(Type {
            code: TypeCode::Json.into(),
            type_annotation: TypeAnnotationCode::PgJsonb.into(),
            ..Type::default()
        }),
    };
    let frame = PartialResultSet {
        metadata: Some(ResultSetMetadata {
            row_type: Some(StructType {
                fields: vec![column],
            }),
            ..ResultSetMetadata::default()
        }),
        values: values.collect(),
        ..PartialResultSet::default()
    };
    frame.encode_to_vec().into()
}

/// Source: https://cloud.google.com/spanner/docs/change-streams/details#data-change-records
fn record(table: &WatchedTable, dialect: Dialect, at: Timestamp, kind: &str) -> Value {
    let (mut types, mut keys, mut values) = (Vec::new(), Map::new(), Map::new());
    for (place, column) in (1..).zip(&table.columns) {
        let Sample { r#type, value } = sample(&column.type_text, dialect);
        let of_kind = if column.is_key {
            &mut keys
        } else {
            &mut values
        };
        of_kind.insert(column.name.clone(), value);
        types.push(json!({
            "name": column.name,
            "type": r#type,
            "is_primary_key": column.is_key,
            "ordinal_position": place,
        }));
    }
    let none = Map::new();
    let (new_values, old_values) = match kind {
        "INSERT" => (&values, &none),
        "DELETE" => (&none, &values),
        _ => (&values, &values),
    };
    json!({ "data_change_record": {
        "commit_timestamp": at.to_string(),
        "record_sequence": "00000000",
        "server_transaction_id": "made-for-a-check",
        "is_last_record_in_transaction_in_partition": true,
        "table_name": table.name,
        "column_types": types,
        "mods": [{ "keys": keys, "new_values": new_values, "old_values": old_values }],
        "mod_type": kind,
        "value_capture_type": "OLD_AND_NEW_VALUES",
        "number_of_records_in_transaction": 1,
        "number_of_partitions_in_transaction": 1,
        "transaction_tag": "",
        "is_system_transaction": false,
    }})
}
