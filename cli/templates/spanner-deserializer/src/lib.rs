//! An Acequia deserializer: one flat JSON object per row.
//!
//! ```json
//! {"id":"…","table":"Customers","change":"UPDATE","at":"2026-01-31T12:00:00Z",
//!  "row":{"CustomerId":"7","City":"Lyon"}}
//! ```
//!
//! (on one line). `row` holds the primary key and the values after the change. The key of an output
//! is the primary key alone, so that all changes of a row have the same.

#![forbid(unsafe_code)]

#[cfg(test)]
mod tests;

use acequia_guest::spanner::{DataChange, Deserializer, Mod, Object};
use acequia_guest::{
    ConfigError, Control, ControlOutput, Description, Failure, Output, export_spanner_deserializer,
    json,
};

/// The deserializer. It takes no parameters.
struct Rows;

impl Deserializer for Rows {
    fn describe() -> Description {
        // The pointer says where the id stands in a value, so that consumers can drop repeats.
        // Remove `with_record_id` once values hold no id there, or are no JSON.
        Description::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")).with_record_id("/id")
    }

    fn configure(config: &str) -> Result<Self, Vec<ConfigError>> {
        if config == "{}" {
            Ok(Self)
        } else {
            Err(vec![ConfigError::new("", "there are no parameters")])
        }
    }

    fn deserialize(&self, change: &DataChange<'_>, out: &mut Output) -> Result<(), Failure> {
        // A record that fails gives no output. What becomes of it is the operator's choice:
        // `on-failure` in the configuration.
        let kind = change.mod_type();
        if !matches!(kind, "INSERT" | "UPDATE" | "DELETE") {
            return Err(Failure::unsupported(format!("{kind} is not handled")));
        }
        for row in change.mods() {
            let Object::Members(_) = row.keys() else {
                let message = format!("modification {} has no key", row.index());
                return Err(Failure::malformed(message));
            };
            out.push(key(&row), value(change, &row));
        }
        Ok(())
    }

    fn control(&self, event: &Control) -> Vec<ControlOutput> {
        let Control::Gap(gap) = event else {
            // A stream that follows no snapshot never sees another.
            return Vec::new();
        };
        let mut value = Vec::new();
        value.extend_from_slice(b"{\"id\":");
        json::string(&mut value, &gap.id);
        value.extend_from_slice(b",\"lost_from\":");
        json::string(&mut value, &gap.lost_from);
        value.extend_from_slice(b",\"resumed_at\":");
        json::string(&mut value, &gap.resumed_at);
        value.push(b'}');
        vec![ControlOutput {
            key: String::new(),
            // Only texts went in, so it is one.
            value: String::from_utf8(value).unwrap_or_default(),
            topic: String::new(),
        }]
    }
}

/// The primary key, as the source sent it.
fn key(row: &Mod<'_>) -> Vec<u8> {
    row.keys().bytes().unwrap_or_default().to_vec()
}

fn value(change: &DataChange<'_>, row: &Mod<'_>) -> Vec<u8> {
    let mut value = Vec::new();
    value.extend_from_slice(b"{\"id\":");
    json::string(&mut value, row.id());
    value.extend_from_slice(b",\"table\":");
    json::string(&mut value, change.table());
    value.extend_from_slice(b",\"change\":");
    json::string(&mut value, change.mod_type());
    value.extend_from_slice(b",\"at\":");
    json::string(&mut value, change.commit_timestamp());
    value.extend_from_slice(b",\"row\":{");
    let (keys, values) = (row.keys(), row.new_values());
    for (place, cell) in keys.cells().chain(values.cells()).enumerate() {
        if place > 0 {
            value.push(b',');
        }
        json::string(&mut value, cell.name());
        value.push(b':');
        // A value is JSON text already.
        value.extend_from_slice(cell.bytes());
    }
    value.extend_from_slice(b"}}");
    value
}

export_spanner_deserializer!(Rows);
