//! What a component made of a recording, as lines of JSON.
//!
//! A key or a value that is a JSON object or list of one line stands there as itself; any other
//! text stands there as a JSON string. A key that is not UTF-8 stands in `key_base64` instead of
//! `key`, in standard Base64 with padding. So nothing is lost, and two lines are equal exactly when
//! what they stand for is.

use std::collections::BTreeMap;
use std::io;

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

/// Takes the lines of a replay as they come, in the order of the recording.
pub trait Take {
    /// Takes what came out: a deserializer's output, a record filter's verdict, a names filter's
    /// plan of a table or a family.
    ///
    /// # Errors
    /// It cannot be passed on. The replay ends.
    fn output(&mut self, line: String) -> io::Result<()>;

    /// Takes a record that a deserializer failed on.
    ///
    /// # Errors
    /// As [`Take::output`].
    fn failure(&mut self, line: String) -> io::Result<()>;
}

/// Keeps all lines in memory, to compare them or to write them as the expected ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// What came out.
    pub outputs: Vec<String>,
    /// The records that a deserializer failed on.
    pub failures: Vec<String>,
}

/// An output of a deserializer.
#[derive(Serialize)]
pub(super) struct OutputLine<'a> {
    /// The id of the record, or of the control record.
    pub(super) source: &'a str,
    /// None for an empty one, and for one that is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) key: Option<Box<RawValue>>,
    /// The key where it is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) key_base64: Option<String>,
    pub(super) value: Option<Box<RawValue>>,
    /// None for the configured place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) topic: Option<&'a str>,
}

/// A record that a deserializer failed on.
#[derive(Serialize)]
pub(super) struct FailureLine<'a> {
    /// The id of the record.
    pub(super) source: &'a str,
    pub(super) failure: String,
    pub(super) message: &'a str,
}

/// A verdict of a record filter.
#[derive(Serialize)]
pub(super) struct VerdictLine<'a> {
    /// The id of the record.
    pub(super) source: &'a str,
    pub(super) keep: bool,
}

/// What a names filter says of a table and of its columns outside the key.
#[derive(Serialize)]
pub(super) struct TableLine<'a> {
    pub(super) table: &'a str,
    pub(super) keep: bool,
    pub(super) columns: BTreeMap<&'a str, bool>,
}

/// What a names filter says of a family and of its columns.
#[derive(Serialize)]
pub(super) struct FamilyLine<'a> {
    pub(super) family: &'a str,
    pub(super) keep: bool,
    /// By qualifier, in standard Base64 with padding, as patterns see it.
    pub(super) qualifiers: BTreeMap<String, bool>,
}

impl Take for Lines {
    fn output(&mut self, line: String) -> io::Result<()> {
        self.outputs.push(line);
        Ok(())
    }

    fn failure(&mut self, line: String) -> io::Result<()> {
        self.failures.push(line);
        Ok(())
    }
}

/// The JSON value that stands for a key or a value.
pub(super) fn shown(text: &str) -> Option<Box<RawValue>> {
    let is_tree = text.starts_with(['{', '[']) && text.ends_with(['}', ']']);
    if is_tree
        && !text.contains(['\n', '\r'])
        && let Ok(raw) = RawValue::from_string(text.to_owned())
    {
        return Some(raw);
    }
    to_raw_value(text).ok()
}

/// Texts, numbers and trees of them always have a form in JSON.
pub(super) fn line(line: &impl Serialize) -> String {
    serde_json::to_string(line).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn a_tree_stands_there_as_itself_and_any_other_text_as_a_string() {
        for (text, expected) in [
            (r#"{"b": 1e400,"a":[]}"#, r#"{"b": 1e400,"a":[]}"#),
            ("[1]", "[1]"),
            ("1", r#""1""#),
            ("null", r#""null""#),
            (r#""a""#, r#""\"a\"""#),
            ("{\n}", r#""{\n}""#),
            ("{", r#""{""#),
            ("a\tb", r#""a\tb""#),
        ] {
            assert_eq!(shown(text).unwrap().get(), expected);
        }
    }
}
