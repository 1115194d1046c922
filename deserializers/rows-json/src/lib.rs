//! JSON deserializer of rows: one JSON object per row. The form, the names and the parameters are in
//! the README.

#![forbid(unsafe_code)]

mod config;
#[cfg(test)]
mod golden;
mod members;
mod value;

use std::cell::RefCell;

use acequia_guest::rows::{Deserializer, Row};
use acequia_guest::{
    ConfigError, Control, ControlOutput, Description, Failure, Output, export_rows_deserializer,
};
use acequia_json::control;

use config::Config;
use members::Members;

/// The deserializer.
pub struct Json {
    config: Config,
    /// Of the columns that were seen last. They follow from those alone, so that they are no state.
    members: RefCell<Members>,
}

impl Deserializer for Json {
    fn describe() -> Description {
        Description::new("json", env!("CARGO_PKG_VERSION"))
            .with_parameter(config::METADATA, config::METADATA_DOC)
    }

    fn described(&self) -> Description {
        if self.config.metadata {
            Self::describe().with_record_id("/_id")
        } else {
            Self::describe()
        }
    }

    fn configure(config: &str) -> Result<Self, Vec<ConfigError>> {
        Ok(Self {
            config: Config::parse(config)?,
            members: RefCell::default(),
        })
    }

    fn deserialize(&self, row: &Row<'_>, out: &mut Output) -> Result<(), Failure> {
        let mut members = self.members.borrow_mut();
        members.fit(row);
        if self.config.metadata {
            value::check_names(row)?;
        }
        out.write(|to| {
            to.key
                .extend_from_slice(row.key().unwrap_or_default().as_bytes());
            value::write(to.value, row, &members, self.config.metadata);
        });
        Ok(())
    }

    fn control(&self, event: &Control) -> Vec<ControlOutput> {
        vec![control::prefixed(event, "_")]
    }
}

export_rows_deserializer!(Json);
