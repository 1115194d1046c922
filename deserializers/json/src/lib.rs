//! JSON deserializer.
#![forbid(unsafe_code)]

use acequia_guest::{
    ConfigError, Control, ControlOutput, DataChange, Description, Deserializer, Failure, Output,
    export_deserializer,
};

/// The deserializer.
pub struct Json;

impl Deserializer for Json {
    fn describe() -> Description {
        Description::new("json", env!("CARGO_PKG_VERSION")).with_record_id("/id")
    }

    fn configure(_config: &str) -> Result<Self, Vec<ConfigError>> {
        Ok(Self)
    }

    fn deserialize(&self, change: &DataChange<'_>, out: &mut Output) -> Result<(), Failure> {
        for row in change.mods() {
            out.push(row.keys().text().unwrap_or_default(), change.table());
        }
        Ok(())
    }

    fn control(&self, _event: &Control) -> Vec<ControlOutput> {
        Vec::new()
    }
}

export_deserializer!(Json);
