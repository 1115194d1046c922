//! The order as a change record of Spanner: ten columns, about 1060 bytes on the wire.

use acequia_sandbox::spanner::history::{
    Column, DataChange, Mod, ModType, Row, Table, ValueCapture,
};
use jiff::Timestamp;
use serde_json::json;

use super::{KEY, row};

const TABLE: &str = "Orders";

/// An order that was placed, inserted.
#[must_use]
pub fn change() -> DataChange {
    let mut row = row();
    let keys: Row = [KEY]
        .into_iter()
        .filter_map(|key| row.remove_entry(key))
        .collect();
    DataChange {
        commit_timestamp: Timestamp::UNIX_EPOCH,
        record_sequence: "00000000".to_owned(),
        server_transaction_id: "MTQyNDE3ODgzMjY4NzM3NzM1MTk=".to_owned(),
        is_last_record_in_transaction_in_partition: true,
        table_name: TABLE.to_owned(),
        column_types: table().columns,
        mods: vec![Mod {
            keys,
            new_values: Some(row),
            old_values: Some(Row::new()),
        }],
        mod_type: ModType::Insert,
        value_capture_type: ValueCapture::OldAndNewValues,
        number_of_records_in_transaction: 1,
        number_of_partitions_in_transaction: 1,
        transaction_tag: "app=checkout,env=production".to_owned(),
        is_system_transaction: false,
    }
}

fn table() -> Table {
    let columns = [
        (KEY, "INT64"),
        ("CustomerId", "STRING"),
        ("Status", "STRING"),
        ("Total", "NUMERIC"),
        ("Currency", "STRING"),
        ("Note", "STRING"),
        ("Rating", "FLOAT64"),
        ("IsGift", "BOOL"),
        ("UpdatedAt", "TIMESTAMP"),
        ("Address", "STRING"),
    ];
    let column = |(ordinal_position, (name, code)): (i64, (&str, &str))| Column {
        name: name.to_owned(),
        r#type: json!({ "code": code }),
        is_primary_key: ordinal_position == 1,
        ordinal_position,
    };
    Table {
        name: TABLE.to_owned(),
        columns: (1..).zip(columns).map(column).collect(),
    }
}
