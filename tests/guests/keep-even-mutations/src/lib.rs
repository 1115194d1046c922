//! A record filter of Bigtable that decides by value: it keeps the rows whose key ends in an even
//! digit. A key that ends in no digit is an error.

#![forbid(unsafe_code)]

use acequia_guest::bigtable::{Mutation, RecordFilter};
use acequia_guest::{ConfigError, Description, export_bigtable_record_filter};

/// The filter.
pub struct KeepEvenMutations;

impl RecordFilter for KeepEvenMutations {
    fn describe() -> Description {
        Description::new("keep-even-mutations", env!("CARGO_PKG_VERSION"))
    }

    fn configure(_config: &str) -> Result<Self, Vec<ConfigError>> {
        Ok(Self)
    }

    fn keep(&self, mutation: &Mutation<'_>) -> Result<bool, String> {
        match mutation.row_key().last() {
            Some(digit @ b'0'..=b'9') => Ok(digit % 2 == 0),
            Some(_) | None => Err(format!(
                "a row key of `{}` ends in no digit",
                mutation.table()
            )),
        }
    }
}

export_bigtable_record_filter!(KeepEvenMutations);
