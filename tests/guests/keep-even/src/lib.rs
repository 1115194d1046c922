//! A record filter that decides by value: it keeps the records whose first row has an even number
//! as the first column of its primary key. A key that is no integer is an error.

#![forbid(unsafe_code)]

use acequia_guest::spanner::{DataChange, RecordFilter};
use acequia_guest::{ConfigError, Description, export_spanner_record_filter};

/// The filter.
pub struct KeepEven;

impl RecordFilter for KeepEven {
    fn describe() -> Description {
        Description::new("keep-even", env!("CARGO_PKG_VERSION"))
    }

    fn configure(_config: &str) -> Result<Self, Vec<ConfigError>> {
        Ok(Self)
    }

    fn keep(&self, change: &DataChange<'_>) -> Result<bool, String> {
        let key = change
            .mods()
            .next()
            .and_then(|row| row.keys().cells().next());
        let number: Option<i64> = key.and_then(|cell| cell.json().trim_matches('"').parse().ok());
        number
            .map(|number| number % 2 == 0)
            .ok_or_else(|| format!("the first key column of `{}` is no integer", change.table()))
    }
}

export_spanner_record_filter!(KeepEven);
