//! JSON deserializer of Bigtable: one JSON text per row mutation, or one per entry of it. The forms
//! and the parameters are in the README.
//!
//! Source: <https://cloud.google.com/bigtable/docs/change-streams-overview>

#![forbid(unsafe_code)]

mod config;
mod encoding;
#[cfg(test)]
mod golden;
mod value;

use acequia_guest::bigtable::{Deserializer, Mutation};
use acequia_guest::{
    ConfigError, Control, ControlOutput, Description, Failure, Output, export_bigtable_deserializer,
};
use acequia_json::control;

use config::{Config, Granularity};

/// The deserializer.
pub struct Json(Config);

impl Deserializer for Json {
    fn describe() -> Description {
        Description::new("json", env!("CARGO_PKG_VERSION"))
            .with_parameter(config::GRANULARITY, config::GRANULARITY_DOC)
            .with_parameter(config::ENCODING, config::ENCODING_DOC)
            .with_record_id("/id")
    }

    fn configure(config: &str) -> Result<Self, Vec<ConfigError>> {
        Config::parse(config).map(Self)
    }

    fn deserialize(&self, mutation: &Mutation<'_>, out: &mut Output) -> Result<(), Failure> {
        match self.0.granularity {
            Granularity::Mutation => out.write(|to| {
                to.key.extend_from_slice(mutation.row_key());
                value::write_mutation(to.value, mutation, self.0.encoding);
            }),
            Granularity::Entry => {
                for entry in mutation.entries() {
                    out.write(|to| {
                        to.key.extend_from_slice(mutation.row_key());
                        value::write_entry_alone(to.value, mutation, &entry, self.0.encoding);
                    });
                }
            }
        }
        Ok(())
    }

    fn control(&self, event: &Control) -> Vec<ControlOutput> {
        vec![control::output(event)]
    }
}

export_bigtable_deserializer!(Json);
