//! One line of tab-separated text per row change: id, kind of modification, table, key values.

#![forbid(unsafe_code)]

use acequia_guest::spanner::{DataChange, Deserializer};
use acequia_guest::{
    ConfigError, Control, ControlOutput, Description, Failure, Output, export_spanner_deserializer,
};

struct TabSeparated;

impl Deserializer for TabSeparated {
    fn describe() -> Description {
        Description::new("tab-separated", env!("CARGO_PKG_VERSION"))
    }

    fn configure(config: &str) -> Result<Self, Vec<ConfigError>> {
        if config == "{}" {
            Ok(Self)
        } else {
            Err(vec![ConfigError::new("", "there are no parameters")])
        }
    }

    fn deserialize(&self, change: &DataChange<'_>, out: &mut Output) -> Result<(), Failure> {
        for row in change.mods() {
            let keys: Vec<&str> = row.keys().cells().map(|cell| cell.json()).collect();
            let key = keys.join("\t");
            let line = [row.id(), change.mod_type(), change.table(), &key].join("\t");
            out.push(key, line);
        }
        Ok(())
    }

    fn control(&self, event: &Control) -> Vec<ControlOutput> {
        let fields = match event {
            Control::Gap(gap) => [&gap.id, "GAP", &gap.lost_from, &gap.resumed_at],
            Control::SnapshotRestart(restart) => [
                &restart.id,
                "SNAPSHOT-RESTART",
                &restart.abandoned_at,
                &restart.restarted_at,
            ],
        };
        vec![ControlOutput {
            key: String::new(),
            value: fields.join("\t"),
            topic: String::new(),
        }]
    }
}

export_spanner_deserializer!(TabSeparated);
