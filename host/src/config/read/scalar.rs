//! Texts, booleans, counts and paths.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use super::field::Field;
use super::report::{Read, Report};
use super::tree::Value;

/// A text that is not blank and has no white space around it.
pub(crate) fn name(field: &Field<'_>, report: &mut Report) -> Read<String> {
    let text = field.text(report, "a text")?;
    let message = if text.trim().is_empty() {
        "must not be blank"
    } else if text.trim() != text {
        "must not begin or end with white space"
    } else if text.chars().any(char::is_control) {
        "must not hold control characters"
    } else {
        return Ok(text.to_owned());
    };
    Err(field.problem(report, message))
}

/// A name that may stand in file names: letters, digits, dots, hyphens and underscores, not beginning
/// with a dot.
pub(crate) fn file_name(field: &Field<'_>, report: &mut Report) -> Read<String> {
    const LENGTH_MAX: usize = 100;
    let name = name(field, report)?;
    let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    if !name.bytes().all(allowed) || name.starts_with('.') || name.len() > LENGTH_MAX {
        let message = format!(
            "must be at most {LENGTH_MAX} letters, digits, dots, hyphens and underscores, and not begin with a dot"
        );
        return Err(field.problem(report, message));
    }
    Ok(name)
}

/// `true` or `false`.
pub(crate) fn boolean(field: &Field<'_>, report: &mut Report) -> Read<bool> {
    match &field.node.value {
        Value::Bool(value) => Ok(*value),
        Value::Null | Value::Number(_) | Value::Text(_) | Value::List(_) | Value::Map(_) => {
            Err(field.expected(report, "true or false"))
        }
    }
}

/// A whole number of at least one.
pub(crate) fn count(field: &Field<'_>, report: &mut Report) -> Read<NonZeroUsize> {
    const WHAT: &str = "a whole number of at least 1";
    match &field.node.value {
        Value::Number(number) => number
            .as_u64()
            .and_then(|number| usize::try_from(number).ok())
            .and_then(NonZeroUsize::new)
            .ok_or_else(|| field.problem(report, format!("must be {WHAT}, and is {number}"))),
        Value::Null | Value::Bool(_) | Value::Text(_) | Value::List(_) | Value::Map(_) => {
            Err(field.expected(report, WHAT))
        }
    }
}

/// A path, joined with the directory of the file.
pub(crate) fn path(field: &Field<'_>, report: &mut Report, base_dir: &Path) -> Read<PathBuf> {
    name(field, report).map(|path| base_dir.join(path))
}

/// A list of texts.
pub(crate) fn texts(field: &Field<'_>, report: &mut Report) -> Read<Vec<String>> {
    let fields = field.list(report, "a list of texts")?;
    let texts: Vec<_> = fields
        .iter()
        .map(|field| field.text(report, "a text").map(str::to_owned))
        .collect();
    texts.into_iter().collect()
}
