//! One record, one line.

use memchr::memchr;
use serde::Serialize;
use serde_json::value::RawValue;

use super::{DeadLetter, Outputs, SinkError};

/// Checks that every output can be one line of the one place that a sink of lines has.
pub(crate) fn check(outputs: &Outputs) -> Result<(), SinkError> {
    // One look over the whole column, which nearly always finds nothing.
    if memchr(b'\n', outputs.values.bytes()).is_some() {
        let lines = outputs.values.iter();
        let output = first(lines, |value| memchr(b'\n', value).is_some());
        return Err(SinkError::NotOneLine { output });
    }
    if !outputs.topics.bytes().is_empty() {
        let output = first(outputs.topics.iter(), |topic| !topic.is_empty());
        return Err(SinkError::Topic { output });
    }
    Ok(())
}

/// The index of the text that is at fault.
fn first<'a>(
    mut texts: impl Iterator<Item = &'a [u8]>,
    is_at_fault: impl Fn(&[u8]) -> bool,
) -> usize {
    texts.position(is_at_fault).unwrap_or_default()
}

/// Appends the values, one a line.
pub(super) fn append_outputs(lines: &mut Vec<u8>, outputs: &Outputs) {
    lines.reserve(outputs.values.bytes().len() + outputs.values.len());
    for value in outputs.values.iter() {
        lines.extend_from_slice(value);
        lines.push(b'\n');
    }
}

/// Appends dead letters, one JSON object a line.
pub(super) fn append_dead_letters(
    lines: &mut Vec<u8>,
    letters: &[DeadLetter],
) -> Result<(), serde_json::Error> {
    for letter in letters {
        serde_json::to_writer(&mut *lines, &Line::of(letter))?;
        lines.push(b'\n');
    }
    Ok(())
}

#[derive(Serialize)]
struct Line<'a> {
    id: &'a str,
    component: &'a str,
    kind: &'a str,
    message: &'a str,
    position: &'a str,
    raw: Raw<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Raw<'a> {
    Json(Box<RawValue>),
    Text(&'a str),
}

impl<'a> Line<'a> {
    fn of(letter: &'a DeadLetter) -> Self {
        Self {
            id: &letter.id,
            component: &letter.component,
            kind: &letter.kind,
            message: &letter.message,
            position: &letter.position,
            raw: Raw::of(&letter.raw),
        }
    }
}

impl<'a> Raw<'a> {
    /// In JSON a newline byte is white space: inside a string it is always escaped. So a space may stand
    /// for it, and every number and string keeps its spelling.
    /// Source: RFC 8259, sections 2 and 7.
    fn of(text: &'a str) -> Self {
        match serde_json::from_str::<&RawValue>(text) {
            Err(_) => Self::Text(text),
            Ok(value) => RawValue::from_string(value.get().replace('\n', " "))
                .map_or(Self::Text(text), Self::Json),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_that_spans_lines_is_one_line_with_its_numbers_as_they_were() {
        let mut lines = Vec::new();
        append_dead_letters(
            &mut lines,
            &[letter(
                "{\n\"n\": 12345678901234567890.10,\n\"s\": \"a\\nb\"}",
            )],
        )
        .unwrap();
        let text = String::from_utf8(lines).unwrap();
        assert_eq!(text.matches('\n').count(), 1);
        assert!(
            text.ends_with("\"raw\":{ \"n\": 12345678901234567890.10, \"s\": \"a\\nb\"}}\n"),
            "{text}"
        );
    }

    #[test]
    fn text_that_is_not_json_is_kept_as_a_string() {
        let mut lines = Vec::new();
        append_dead_letters(&mut lines, &[letter("{\n\"cut")]).unwrap();
        let line: serde_json::Value = serde_json::from_slice(&lines).unwrap();
        assert_eq!(line["raw"], "{\n\"cut");
        assert_eq!(line["kind"], "malformed");
    }

    fn letter(raw: &str) -> DeadLetter {
        DeadLetter {
            id: "i".into(),
            component: "json".into(),
            kind: "malformed".into(),
            message: "m".into(),
            position: "p".into(),
            raw: raw.into(),
        }
    }
}
