//! A well-behaved deserializer whose outputs are not one for one. `{"mode": …}` chooses:
//!
//! - `drop-all` (default): no record gives an output.
//! - `fan-out`: every record gives three outputs, to the topics `first`, `` and `third`, whose
//!   values are `{"id":"<id>#1"}` to `#3` and whose keys are the primary keys of its first row.
//! - `fail`: every record fails as unsupported.
//! - `name`: every record gives the name of its table, without the id that is declared.
//! - `two-lines`: every record gives JSON with its id, on two lines.

#![forbid(unsafe_code)]

use acequia_guest::spanner::{DataChange, Deserializer};
use acequia_guest::{
    ConfigError, Control, ControlOutput, Description, Failure, Output, export_spanner_deserializer,
    json,
};

/// The deserializer.
#[derive(Clone, Copy)]
pub enum Shapes {
    /// Drops every record.
    DropAll,
    /// Three outputs for each.
    FanOut,
    /// Fails each.
    Fail,
    /// A text without an id for each.
    Name,
    /// Two lines for each.
    TwoLines,
}

impl Deserializer for Shapes {
    fn describe() -> Description {
        Description::new("shapes", env!("CARGO_PKG_VERSION"))
            .with_parameter(
                "mode",
                "`drop-all`, `fan-out`, `fail`, `name` or `two-lines`. Default: drop-all",
            )
            .with_record_id("/id")
    }

    fn configure(config: &str) -> Result<Self, Vec<ConfigError>> {
        let value: serde_json::Value = serde_json::from_str(config)
            .map_err(|error| vec![ConfigError::new("", error.to_string())])?;
        match value.get("mode").map(|mode| mode.as_str()) {
            None | Some(Some("drop-all")) => Ok(Self::DropAll),
            Some(Some("fan-out")) => Ok(Self::FanOut),
            Some(Some("fail")) => Ok(Self::Fail),
            Some(Some("name")) => Ok(Self::Name),
            Some(Some("two-lines")) => Ok(Self::TwoLines),
            Some(_) => Err(vec![ConfigError::new("mode", "there is no such mode")]),
        }
    }

    fn deserialize(&self, change: &DataChange<'_>, out: &mut Output) -> Result<(), Failure> {
        match self {
            Self::DropAll => Ok(()),
            Self::FanOut => {
                fan_out(change, out);
                Ok(())
            }
            Self::Fail => Err(Failure::unsupported("fails on purpose")),
            Self::Name => {
                out.push("", change.table());
                Ok(())
            }
            Self::TwoLines => {
                out.push("", two_lines(change));
                Ok(())
            }
        }
    }

    fn control(&self, _event: &Control) -> Vec<ControlOutput> {
        Vec::new()
    }
}

fn two_lines(change: &DataChange<'_>) -> Vec<u8> {
    let mut value = b"{\n\"id\":".to_vec();
    json::string(&mut value, change.id());
    value.push(b'}');
    value
}

fn fan_out(change: &DataChange<'_>, out: &mut Output) {
    let key = change
        .mods()
        .next()
        .and_then(|row| row.keys().text())
        .unwrap_or_default();
    for (place, topic) in ["first", "", "third"].into_iter().enumerate() {
        let mut value = b"{\"id\":".to_vec();
        json::string(&mut value, &format!("{}#{}", change.id(), place + 1));
        value.push(b'}');
        out.push_to(topic, key, value);
    }
}

export_spanner_deserializer!(Shapes);
