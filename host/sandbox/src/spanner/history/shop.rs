//! The tables of the example data: a small shop.

use serde_json::{Value, json};

use super::change::{Column, Table};

/// `Orders`, keyed by customer and order; one column of most types.
#[must_use]
pub fn orders() -> Table {
    table(
        "Orders",
        &["CustomerId", "OrderId"],
        [
            ("CustomerId", code("INT64")),
            ("OrderId", code("INT64")),
            ("Status", code("STRING")),
            ("Total", code("NUMERIC")),
            (
                "Tags",
                json!({"code": "ARRAY", "array_element_type": {"code": "STRING"}}),
            ),
            ("Note", code("JSON")),
            ("Rating", code("FLOAT64")),
            ("Secret", code("STRING")),
            ("UpdatedAt", code("TIMESTAMP")),
            ("Photo", code("BYTES")),
        ],
    )
}

/// `Customers`, keyed by customer.
#[must_use]
pub fn customers() -> Table {
    table(
        "Customers",
        &["CustomerId"],
        [
            ("CustomerId", code("INT64")),
            ("Name", code("STRING")),
            ("City", code("STRING")),
        ],
    )
}

/// A table from its name, the names of its key columns, and all columns with their types in schema
/// order.
#[must_use]
pub fn table<'a>(
    name: &str,
    keys: &[&str],
    columns: impl IntoIterator<Item = (&'a str, Value)>,
) -> Table {
    let columns = columns
        .into_iter()
        .zip(1..)
        .map(|((name, r#type), ordinal_position)| Column {
            name: name.to_owned(),
            r#type,
            is_primary_key: keys.contains(&name),
            ordinal_position,
        });
    Table {
        name: name.to_owned(),
        columns: columns.collect(),
    }
}

fn code(code: &str) -> Value {
    json!({ "code": code })
}
