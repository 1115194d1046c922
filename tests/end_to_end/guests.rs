//! Guests of the tests in a configuration: `tests/guests/README.md` lists them.

use serde_json::{Value, json};

use crate::folder;

/// A component of the test guests, with its parameters.
pub(crate) fn guest(name: &str, config: &Value) -> Value {
    let path = folder::find(name).unwrap_or_else(|| panic!("{name}.wasm is not there"));
    json!({ "path": path, "config": config })
}

/// The hostile deserializer in one of its modes.
pub(crate) fn hostile(mode: &str) -> Value {
    guest("hostile", &json!({ "mode": mode }))
}
