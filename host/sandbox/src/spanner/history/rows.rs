//! The rows of the shop, as they stand, and what the next transaction does to one of them.

use std::collections::BTreeMap;

use jiff::Timestamp;
use rand::{RngExt, rngs::Xoshiro256PlusPlus};
use serde_json::{Value, json};

use super::{
    capture::RowChange,
    change::{Row, Table},
    shop,
};
use crate::clock::rfc3339;

/// Every third key is a customer, the others are orders.
const CUSTOMER_EVERY: u64 = 3;

/// The rows that exist, by key number.
#[derive(Debug)]
pub(super) struct Rows {
    orders: Table,
    customers: Table,
    rows: BTreeMap<u64, Row>,
    large_row_bytes: Option<usize>,
}

impl Rows {
    pub(super) fn new(large_row_bytes: Option<usize>) -> Self {
        Self {
            orders: shop::orders(),
            customers: shop::customers(),
            rows: BTreeMap::new(),
            large_row_bytes,
        }
    }

    /// Inserts the row of `key` when there is none, else updates or deletes it.
    pub(super) fn change(
        &mut self,
        key: u64,
        at: Timestamp,
        rng: &mut Xoshiro256PlusPlus,
    ) -> RowChange {
        let is_customer = key.is_multiple_of(CUSTOMER_EVERY);
        let Some(row) = self.rows.remove(&key) else {
            let row = self.insert(key, at, rng);
            self.rows.insert(key, row.clone());
            return RowChange::insert(self.table(is_customer), Value::Object(row));
        };
        let table = self.table(is_customer);
        if rng.random_ratio(1, 5) {
            return RowChange::delete(table, Value::Object(row));
        }
        let written = if is_customer {
            customer(rng)
        } else {
            order(at, rng)
        };
        let written = some_of(written, rng);
        let change = RowChange::update(
            table,
            Value::Object(row.clone()),
            Value::Object(written.clone()),
        );
        let mut row = row;
        row.extend(written);
        self.rows.insert(key, row);
        change
    }

    fn table(&self, is_customer: bool) -> &Table {
        if is_customer {
            &self.customers
        } else {
            &self.orders
        }
    }

    fn insert(&self, key: u64, at: Timestamp, rng: &mut Xoshiro256PlusPlus) -> Row {
        let number = |value: u64| Value::String(value.to_string());
        let is_customer = key.is_multiple_of(CUSTOMER_EVERY);
        let mut row = if is_customer {
            customer(rng)
        } else {
            order(at, rng)
        };
        row.insert("CustomerId".to_owned(), number(key / CUSTOMER_EVERY + 1));
        if !is_customer {
            row.insert("OrderId".to_owned(), number(key % CUSTOMER_EVERY));
            if let Some(bytes) = self.large_row_bytes.filter(|_| rng.random_ratio(1, 20)) {
                row.insert(
                    "Secret".to_owned(),
                    Value::String("s\u{e9}cret ".repeat(bytes / 8)),
                );
            }
        }
        row
    }
}

fn customer(rng: &mut Xoshiro256PlusPlus) -> Row {
    let name = one_of(
        rng,
        &["Ada", "Grace", "Linus", "Zo\u{eb}", "O'Neil \"the 2nd\""],
    );
    let city = if rng.random_ratio(1, 6) {
        Value::Null
    } else {
        one_of(rng, &["Lyon", "Bern"])
    };
    Row::from_iter([("Name".to_owned(), name), ("City".to_owned(), city)])
}

fn order(at: Timestamp, rng: &mut Xoshiro256PlusPlus) -> Row {
    let cents = rng.random_range(0..10_000_000_u32);
    let rating = match rng.random_range(0..8_u8) {
        0 => json!("NaN"),
        1 => json!("Infinity"),
        2 => json!("-Infinity"),
        3 => Value::Null,
        stars => json!(f64::from(stars) / 2.0),
    };
    let tags = match rng.random_range(0..4_u8) {
        0 => json!([]),
        1 => json!(["gift", null]),
        2 => json!(["a,b", "\u{3c0}", "gift"]),
        _ => Value::Null,
    };
    Row::from_iter([
        (
            "Status".to_owned(),
            one_of(rng, &["NEW", "PAID", "SENT", "LOST"]),
        ),
        (
            "Total".to_owned(),
            json!(format!("{}.{:02}", cents / 100, cents % 100)),
        ),
        ("Tags".to_owned(), tags),
        (
            "Note".to_owned(),
            json!(r#"{"gift":true,"lines":[1,2.5,null]}"#),
        ),
        ("Rating".to_owned(), rating),
        (
            "Secret".to_owned(),
            json!(format!("card {:016}", rng.random_range(0..1_u64 << 50))),
        ),
        ("UpdatedAt".to_owned(), json!(rfc3339(at))),
        (
            "Photo".to_owned(),
            one_of(rng, &["", "iVBORw0KGgo=", "/9j/4AAQSkZJRg=="]),
        ),
    ])
}

/// At least one of the columns.
fn some_of(row: Row, rng: &mut Xoshiro256PlusPlus) -> Row {
    let kept = rng.random_range(0..row.len().max(1));
    let columns = row.into_iter().enumerate();
    let written = columns.filter(|(index, _)| *index == kept || rng.random_ratio(1, 3));
    written.map(|(_, column)| column).collect()
}

fn one_of(rng: &mut Xoshiro256PlusPlus, choices: &[&str]) -> Value {
    let index = rng.random_range(0..choices.len().max(1));
    choices
        .get(index)
        .map_or(Value::Null, |&choice| Value::String(choice.to_owned()))
}
