//! Which rows of a table, by their keys.

use super::options::{END_CLOSED, END_OPEN, KEY_SET, KEYS, RANGES, START_CLOSED, START_OPEN};
use super::{KeyBound, KeyRange, KeySet};
use crate::config::option::OptionSpec;
use crate::config::read::{Field, Read, Report, Section, UnknownKeys, Value};
use crate::config::spanner_batch::{SqlValue, values};

/// Reads `all`, or `{ keys: …, ranges: … }`.
pub(super) fn read(field: &Field<'_>, report: &mut Report) -> Read<KeySet> {
    const WHAT: &str = "all, or { keys: [[…]], ranges: [{ start-closed: […], end-open: […] }] }";
    if !matches!(field.node.value, Value::Map(_)) {
        return match field.text(report, WHAT)? {
            "all" => Ok(KeySet::All),
            text => Err(field.problem(report, format!("expected {WHAT}, found {text:?}"))),
        };
    }
    let section = Section::open(field, KEY_SET.members, UnknownKeys::Refused, report)?;
    let keys = section.read(&KEYS, report, keys);
    let ranges = section.read(&RANGES, report, ranges);
    section.close();
    let (keys, ranges) = (keys?, ranges?);
    if keys.is_empty() && ranges.is_empty() {
        let message = "names no row; write all, or keys or ranges with at least one";
        return Err(field.problem(report, message));
    }
    Ok(KeySet::Some { keys, ranges })
}

/// Whole keys, which all have as many parts.
///
/// Source: google.spanner.v1.KeySet.keys
fn keys(field: &Field<'_>, report: &mut Report) -> Read<Vec<Vec<SqlValue>>> {
    let fields = field.list(report, "a list of keys, such as [[1], [2]]")?;
    let mut length = None;
    let keys: Vec<_> = fields
        .iter()
        .map(|field| {
            let key = parts(field, report)?;
            let length = *length.get_or_insert(key.len());
            if key.is_empty() {
                return Err(field.problem(report, "is empty; a key has at least one part"));
            }
            if key.len() != length {
                let message = format!(
                    "must have as many parts as the first key, {length}, and has {}",
                    key.len()
                );
                return Err(field.problem(report, message));
            }
            Ok(key)
        })
        .collect();
    keys.into_iter().collect()
}

fn ranges(field: &Field<'_>, report: &mut Report) -> Read<Vec<KeyRange>> {
    let fields = field.list(report, "a list of ranges")?;
    let ranges: Vec<_> = fields.iter().map(|field| range(field, report)).collect();
    ranges.into_iter().collect()
}

fn range(field: &Field<'_>, report: &mut Report) -> Read<KeyRange> {
    let section = Section::open(field, RANGES.members, UnknownKeys::Refused, report)?;
    let start = bound(&section, report, &START_CLOSED, &START_OPEN);
    let end = bound(&section, report, &END_CLOSED, &END_OPEN);
    section.close();
    Ok(KeyRange {
        start: start?,
        end: end?,
    })
}

fn bound(
    section: &Section<'_>,
    report: &mut Report,
    closed: &'static OptionSpec,
    open: &'static OptionSpec,
) -> Read<KeyBound> {
    let is_closed = section.read_optional(closed, report, parts);
    let is_open = section.read_optional(open, report, parts);
    match (is_closed?, is_open?) {
        (Some(parts), None) => Ok(KeyBound::Closed(parts)),
        (None, Some(parts)) => Ok(KeyBound::Open(parts)),
        (Some(_), Some(_)) => {
            let message = format!("cannot be combined with {}; keep one", closed.name);
            Err(section.problem(open, report, message))
        }
        (None, None) => {
            let message = format!(
                "is missing; a range needs {} or {}, and [] reaches as far as there are keys",
                closed.name, open.name
            );
            Err(section.problem(closed, report, message))
        }
    }
}

fn parts(field: &Field<'_>, report: &mut Report) -> Read<Vec<SqlValue>> {
    let fields = field.list(report, "a key, which is a list of its parts, such as [1]")?;
    let parts: Vec<_> = fields
        .iter()
        .map(|field| values::key_part(field, report))
        .collect();
    parts.into_iter().collect()
}
