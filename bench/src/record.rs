//! The change record that everything is measured with: ten columns, about 1060 bytes on the wire.

use acequia_sandbox::spanner::history::{
    Column, DataChange, Mod, ModType, Row, Table, ValueCapture,
};
use jiff::Timestamp;
use serde_json::{Value, json};

const TABLE: &str = "Orders";

/// An order that was placed.
#[must_use]
pub fn change() -> DataChange {
    let mut row = members(row());
    let keys: Row = ["OrderId"]
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
        ("OrderId", "INT64"),
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

fn row() -> Value {
    json!({
        "OrderId": "4503599627370496",
        "CustomerId": "7a1f2c9e-51d4-4a43-9c1e-0b6f2f3a8d10",
        "Status": "CONFIRMED",
        "Total": "1249.50",
        "Currency": "EUR",
        "Note": "please leave it with the neighbour on the ground floor: the bell is broken",
        "Rating": 4.5,
        "IsGift": false,
        "UpdatedAt": "2026-11-30T20:41:00.123456Z",
        "Address": "12 Rue de l'Aqueduc, Bâtiment C, 34000 Montpellier",
    })
}

fn members(row: Value) -> Row {
    if let Value::Object(members) = row {
        members
    } else {
        Row::new()
    }
}
