//! Values that go into requests: parameters of a query, and parts of keys.
//!
//! A value of YAML is a boolean, a number, a text or nothing, and Spanner has more types than that. What
//! could be of two of them is refused with the form that says which: `{ type: DATE, value: 2026-01-31 }`.

mod encode;
mod read;
mod sql_type;

pub(super) use read::{key_part, parameter};
pub use sql_type::{ScalarType, SqlType};

use std::fmt;

/// A value in the encoding of the service. `Debug` does not show it: it may be a part of a row's key.
///
/// Source: google.spanner.v1.TypeCode (how a value of each type is encoded)
#[derive(Clone, PartialEq, Eq)]
pub struct SqlValue(serde_json::Value);

impl SqlValue {
    pub(super) fn new(json: serde_json::Value) -> Self {
        Self(json)
    }

    /// The value as the JSON of a `google.protobuf.Value`.
    #[must_use]
    pub fn json(&self) -> &serde_json::Value {
        &self.0
    }
}

impl fmt::Debug for SqlValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SqlValue(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_does_not_show_a_value() {
        let shown = format!(
            "{:?}",
            SqlValue::new(serde_json::json!("alice@example.com"))
        );
        assert!(!shown.contains("alice"), "{shown}");
    }
}
