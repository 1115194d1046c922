//! The shop: two tables and a change stream, in both dialects, and how its rows are written.
//!
//! The columns avoid what the emulator reports wrongly: fractions of TIMESTAMP columns, NaN, and
//! nulls within arrays.

use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    KeySet, Mutation,
    mutation::{Delete, Operation, Write},
};
use prost_types::{ListValue, Value, value::Kind};

/// The change stream. Its name keeps its case in PostgreSQL too, where it is quoted.
pub(crate) const STREAM: &str = "Shop";

/// Keys of each table.
pub(crate) const KEYS_PER_TABLE: u32 = 100;

/// Orders of one customer.
const ORDERS_PER_CUSTOMER: u32 = 10;

/// The SQL dialect of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    GoogleSql,
    PostgreSql,
}

/// A table of the shop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Table {
    Customers,
    Orders,
}

impl Table {
    /// The table of that name, whatever its case.
    pub(crate) fn named(name: &str) -> Option<Self> {
        [Self::Customers, Self::Orders]
            .into_iter()
            .find(|table| table.name().eq_ignore_ascii_case(name))
    }

    fn name(self) -> &'static str {
        match self {
            Self::Customers => "Customers",
            Self::Orders => "Orders",
        }
    }

    fn key_columns(self) -> &'static [&'static str] {
        match self {
            Self::Customers => &["CustomerId"],
            Self::Orders => &["CustomerId", "OrderId"],
        }
    }

    /// Columns that an update chooses from.
    pub(crate) fn columns(self) -> &'static [&'static str] {
        match self {
            Self::Customers => &["Name", "City"],
            Self::Orders => &["Status", "Total", "Secret"],
        }
    }
}

/// A row by its table and the number of its key within it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Row {
    pub(crate) table: Table,
    pub(crate) key: u32,
}

impl Row {
    /// The row that a primary key is of: `value_of` gives the text of a key column.
    pub(crate) fn of_key(table: Table, value_of: impl Fn(&str) -> Option<u32>) -> Option<Self> {
        let customer = value_of("CustomerId")?;
        let key = match table {
            Table::Customers => customer,
            Table::Orders => customer * ORDERS_PER_CUSTOMER + value_of("OrderId")?,
        };
        Some(Self { table, key })
    }

    fn key_values(self) -> Vec<Value> {
        match self.table {
            Table::Customers => vec![text(self.key)],
            Table::Orders => vec![
                text(self.key / ORDERS_PER_CUSTOMER),
                text(self.key % ORDERS_PER_CUSTOMER),
            ],
        }
    }
}

/// The statements that make the shop.
pub(crate) fn statements(dialect: Dialect) -> &'static [&'static str] {
    match dialect {
        Dialect::GoogleSql => &[
            "CREATE TABLE Customers (CustomerId INT64 NOT NULL, Name STRING(MAX), \
             City STRING(MAX), Serial INT64 NOT NULL) PRIMARY KEY (CustomerId)",
            "CREATE TABLE Orders (CustomerId INT64 NOT NULL, OrderId INT64 NOT NULL, \
             Status STRING(MAX), Total NUMERIC, Secret STRING(MAX), Serial INT64 NOT NULL) \
             PRIMARY KEY (CustomerId, OrderId)",
            "CREATE CHANGE STREAM Shop FOR ALL",
        ],
        Dialect::PostgreSql => &[
            "CREATE TABLE customers (customerid bigint PRIMARY KEY, name varchar, city varchar, \
             serial bigint NOT NULL)",
            "CREATE TABLE orders (customerid bigint, orderid bigint, status varchar, \
             total numeric, secret varchar, serial bigint NOT NULL, PRIMARY KEY (customerid, orderid))",
            "CREATE CHANGE STREAM \"Shop\" FOR ALL",
        ],
    }
}

/// A new row with all its columns.
pub(crate) fn insert(dialect: Dialect, row: Row, serial: u64) -> Mutation {
    let write = write(dialect, row, row.table.columns(), serial);
    mutation(Operation::Insert(write))
}

/// Some columns of a row that is there.
pub(crate) fn update(dialect: Dialect, row: Row, columns: &[&str], serial: u64) -> Mutation {
    mutation(Operation::Update(write(dialect, row, columns, serial)))
}

/// The end of a row.
pub(crate) fn delete(dialect: Dialect, row: Row) -> Mutation {
    let keys = vec![ListValue {
        values: row.key_values(),
    }];
    mutation(Operation::Delete(Delete {
        table: spelled(dialect, row.table.name()),
        key_set: Some(KeySet {
            keys,
            ..KeySet::default()
        }),
    }))
}

fn write(dialect: Dialect, row: Row, columns: &[&str], serial: u64) -> Write {
    let names = row
        .table
        .key_columns()
        .iter()
        .chain(columns)
        .chain(&["Serial"]);
    let mut values = row.key_values();
    values.extend(columns.iter().map(|column| content(column, serial)));
    values.push(text(serial));
    Write {
        table: spelled(dialect, row.table.name()),
        columns: names.map(|name| spelled(dialect, name)).collect(),
        values: vec![ListValue { values }],
    }
}

fn content(column: &str, serial: u64) -> Value {
    match column {
        "Total" => text(format!("{}.{}", serial, 1 + serial % 9)),
        "Status" => text(["paid", "sent", "returned"][(serial % 3) as usize]),
        "City" => text(["Žilina", "Al-Kharga", "San Luis"][(serial % 3) as usize]),
        other => text(format!("{other} \"{serial}\"\n")),
    }
}

/// PostgreSQL folds names that are not quoted.
fn spelled(dialect: Dialect, name: &str) -> String {
    match dialect {
        Dialect::GoogleSql => name.to_owned(),
        Dialect::PostgreSql => name.to_ascii_lowercase(),
    }
}

fn mutation(operation: Operation) -> Mutation {
    Mutation {
        operation: Some(operation),
    }
}

fn text(value: impl ToString) -> Value {
    Value {
        kind: Some(Kind::StringValue(value.to_string())),
    }
}
