//! A deserializer that breaks the rules. `{"mode": …}` chooses how; `README.md` of the test guests
//! lists the modes and how the host must end each.
//!
//! It stands on the raw bindings, since the SDK does not let an author write a wrong column.

#![forbid(unsafe_code)]

mod act;
mod answer;
mod mode;

use std::cell::Cell;

use acequia_guest::bindings::plugin::exports::acequia::connector::plugin;
use acequia_guest::bindings::spanner_deserialize::exports::acequia::connector::spanner_deserialize;
use acequia_guest::glue::Outputs;
use acequia_guest::spanner::Changes;
use acequia_guest::{ConfigError, Control, ControlOutput, Description};

use mode::Mode;

/// The deserializer.
pub struct Hostile;

thread_local! {
    static MODE: Cell<Mode> = const { Cell::new(Mode::Honest) };
}

impl plugin::Guest for Hostile {
    fn describe() -> Description {
        Description::new("hostile", env!("CARGO_PKG_VERSION"))
            .with_parameter("mode", "which rule is broken. Default: honest")
    }

    fn configure(config: String) -> Result<(), Vec<ConfigError>> {
        let mode = Mode::parse(&config)?;
        match mode {
            Mode::Refuse => {
                return Err(vec![
                    ConfigError::new("mode", "is bad on purpose"),
                    ConfigError::new("other[1]", "is bad too"),
                ]);
            }
            Mode::Configure(act) => act::misbehave(act),
            Mode::Honest | Mode::Call(_) | Mode::Poison(_) | Mode::Answer(_) => {}
        }
        MODE.set(mode);
        Ok(())
    }
}

impl spanner_deserialize::Guest for Hostile {
    fn deserialize(batch: Changes) -> Outputs {
        match MODE.get() {
            Mode::Honest | Mode::Refuse | Mode::Configure(_) => {}
            Mode::Call(act) => act::misbehave(act),
            Mode::Poison(act) if answer::is_poisoned(&batch) => act::misbehave(act),
            Mode::Poison(_) => {}
            Mode::Answer(fault) => return answer::wrong(fault, &batch),
        }
        answer::honest(&batch)
    }

    fn deserialize_control(_event: Control) -> Vec<ControlOutput> {
        Vec::new()
    }
}

#[cfg(target_arch = "wasm32")]
acequia_guest::bindings::plugin::export_plugin!(
    Hostile with_types_in acequia_guest::bindings::plugin
);
#[cfg(target_arch = "wasm32")]
acequia_guest::bindings::spanner_deserialize::export_spanner_deserialize!(
    Hostile with_types_in acequia_guest::bindings::spanner_deserialize
);
