//! The one error of decoding.

use std::fmt;

/// Bytes that are not what the service documents.
///
/// It says what was expected and where, never what was found: what was found may be a row value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("malformed message: expected {expected} at {}", Place(self))]
pub struct Malformed {
    expected: &'static str,
    path: String,
    offset: Option<usize>,
}

impl Malformed {
    /// An error without a place; the callers add theirs with [`Malformed::within`].
    pub(crate) fn expected(expected: &'static str) -> Self {
        Self {
            expected,
            path: String::new(),
            offset: None,
        }
    }

    /// Adds how many bytes into the innermost value the reading stopped.
    pub(crate) fn offset(mut self, offset: usize) -> Self {
        self.offset = self.offset.or(Some(offset));
        self
    }

    /// Puts a field name in front of the path.
    pub(crate) fn within(mut self, field: &str) -> Self {
        if self.path.is_empty() {
            self.path = field.to_owned();
        } else if self.path.starts_with('[') {
            self.path.insert_str(0, field);
        } else {
            self.path = format!("{field}.{}", self.path);
        }
        self
    }

    /// Puts an index in front of the path.
    pub(crate) fn index(mut self, index: usize) -> Self {
        self.path = if self.path.is_empty() || self.path.starts_with('[') {
            format!("[{index}]{}", self.path)
        } else {
            format!("[{index}].{}", self.path)
        };
        self
    }

    /// What was expected.
    #[must_use]
    pub fn what(&self) -> &'static str {
        self.expected
    }

    /// The field path from the frame inwards, such as `data_change_record.mods[3].keys`.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }
}

/// Where an error is, as its message shows it.
struct Place<'a>(&'a Malformed);

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Malformed { path, offset, .. } = self.0;
        f.write_str(if path.is_empty() { "the frame" } else { path })?;
        match offset {
            Some(offset) => write!(f, ", offset {offset}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_names_the_path_from_the_outside_in() {
        let error = Malformed::expected("a string")
            .offset(7)
            .within("keys")
            .index(3)
            .within("mods");
        assert_eq!(
            error.to_string(),
            "malformed message: expected a string at mods[3].keys, offset 7"
        );
    }
}
