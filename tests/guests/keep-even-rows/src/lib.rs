//! A record filter of rows that decides by value: it keeps those whose first value is an even integer,
//! as Spanner encodes one: in a text. A first value that is none is an error.

#![forbid(unsafe_code)]

use acequia_guest::rows::{RecordFilter, Row};
use acequia_guest::{ConfigError, Description, export_rows_record_filter};

/// The filter.
pub struct KeepEvenRows;

impl RecordFilter for KeepEvenRows {
    fn describe() -> Description {
        Description::new("keep-even-rows", env!("CARGO_PKG_VERSION"))
    }

    fn configure(_config: &str) -> Result<Self, Vec<ConfigError>> {
        Ok(Self)
    }

    fn keep(&self, row: &Row<'_>) -> Result<bool, String> {
        let first = row.cells().next();
        let number = first.and_then(|cell| cell.json.trim_matches('"').parse::<i64>().ok());
        let number = number.ok_or_else(|| {
            format!(
                "the first value of a row of `{}` is no integer",
                row.table()
            )
        })?;
        Ok(number % 2 == 0)
    }
}

export_rows_record_filter!(KeepEvenRows);
