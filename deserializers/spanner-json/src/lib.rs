//! JSON deserializer of Spanner: one JSON text per row change, or one per record.
//!
//! With `granularity: mod` every modification of a record is one output:
//!
//! ```json
//! {"id":"…","table_name":"Singers","mod_type":"UPDATE","keys":{"SingerId":"1"},
//!  "new_values":{"LastName":"Richards"},"old_values":{"LastName":"Smith"},
//!  "commit_timestamp":"2022-09-27T12:30:00.123456Z","record_sequence":"00000000",
//!  "server_transaction_id":"6329047911","mod_index":0,
//!  "is_last_record_in_transaction_in_partition":true,"number_of_records_in_transaction":1,
//!  "number_of_partitions_in_transaction":1,"transaction_tag":"","is_system_transaction":false,
//!  "value_capture_type":"OLD_AND_NEW_VALUES"}
//! ```
//!
//! (on one line, without white space between members). The names are those of Spanner's
//! documentation. With `granularity: record` the id is the record's, `mods` takes the place of
//! `keys`, `new_values` and `old_values`, and there is no `mod_index`. With `column-types: true`
//! the columns of the table close the value as `column_types`.
//!
//! The key is the primary key as a JSON object, its members sorted by column name, so that a row
//! has the same key bytes whatever order the source sends. A record of several rows has no key.
//!
//! Values are copied as the source encodes them: NaN, integers as strings, nested arrays, types
//! that are not known here. An object that the source did not send stays out of the value; one that
//! it sent as null is null.
//!
//! Source: <https://cloud.google.com/spanner/docs/change-streams/details#data-change-records>

#![forbid(unsafe_code)]

mod config;
#[cfg(test)]
mod golden;
mod key;
mod value;

use acequia_guest::spanner::{DataChange, Deserializer};
use acequia_guest::{
    ConfigError, Control, ControlOutput, Description, Failure, Output, export_spanner_deserializer,
};
use acequia_json::control;

use config::{Config, Granularity};

/// The deserializer.
pub struct Json(Config);

impl Deserializer for Json {
    fn describe() -> Description {
        Description::new("json", env!("CARGO_PKG_VERSION"))
            .with_parameter(config::GRANULARITY, config::GRANULARITY_DOC)
            .with_parameter(config::COLUMN_TYPES, config::COLUMN_TYPES_DOC)
            .with_record_id("/id")
    }

    fn configure(config: &str) -> Result<Self, Vec<ConfigError>> {
        Config::parse(config).map(Self)
    }

    fn deserialize(&self, change: &DataChange<'_>, out: &mut Output) -> Result<(), Failure> {
        if self.0.column_types {
            value::check_column_types(change)?;
        }
        for row in change.mods() {
            key::check(&row)?;
        }
        match self.0.granularity {
            Granularity::Mod => {
                for row in change.mods() {
                    out.write(|to| {
                        key::write(to.key, &row);
                        value::write_mod(to.value, change, &row, self.0.column_types);
                    });
                }
            }
            Granularity::Record => out.write(|to| {
                key::write_single(to.key, change);
                value::write_record(to.value, change, self.0.column_types);
            }),
        }
        Ok(())
    }

    fn control(&self, event: &Control) -> Vec<ControlOutput> {
        vec![control::output(event)]
    }
}

export_spanner_deserializer!(Json);
