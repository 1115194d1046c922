//! The topic, which is a name or a mapping by the version of the file.

use super::Topic;
use crate::config::read::{Field, Read, Report, Value, unknown_word};

/// The layout of a connector file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ApiVersion {
    /// The topic is a name.
    V1,
    /// The topic is a mapping.
    V2,
}

impl ApiVersion {
    pub(crate) fn read(field: &Field<'_>, report: &mut Report) -> Read<Self> {
        match field.text(report, "a text, 0.1.0 or 0.2.0")? {
            "0.0.0" | "0.1.0" => Ok(Self::V1),
            "0.2.0" => Ok(Self::V2),
            text => Err(field.problem(report, unknown_word(text, &["0.1.0", "0.2.0"]))),
        }
    }
}

/// Reads `meta.topic`.
pub(super) fn read(field: &Field<'_>, report: &mut Report, version: ApiVersion) -> Read<Topic> {
    match (version, &field.node.value) {
        (ApiVersion::V1, Value::Map(_)) => {
            Err(field.problem(report, "is a mapping, which needs apiVersion: 0.2.0"))
        }
        (ApiVersion::V1, _) => Ok(Topic {
            name: topic_name(field, report)?,
            settings: None,
        }),
        (ApiVersion::V2, Value::Text(_)) => Err(field.problem(
            report,
            "is a text; with apiVersion: 0.2.0, write { meta: { name: … } }",
        )),
        (ApiVersion::V2, _) => from_mapping(field, report),
    }
}

fn from_mapping(field: &Field<'_>, report: &mut Report) -> Read<Topic> {
    let settings = field.json(report)?;
    let inner = member(field, report, "meta")?;
    let name = member(&inner, report, "name")?;
    Ok(Topic {
        name: topic_name(&name, report)?,
        settings: Some(settings),
    })
}

fn member<'a>(field: &Field<'a>, report: &mut Report, key: &str) -> Read<Field<'a>> {
    let entries = field.entries(report, "a mapping")?;
    match entries.iter().find(|entry| entry.key == key) {
        Some(entry) => Ok(field.member(entry)),
        None => Err(field.problem(report, format!("has no member {key}"))),
    }
}

/// Source: fluvio-controlplane-metadata, `topic` (name validation)
fn topic_name(field: &Field<'_>, report: &mut Report) -> Read<String> {
    let text = field.text(report, "a text")?;
    let letters = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    let fits = (1..=63).contains(&text.len())
        && text.bytes().all(letters)
        && !text.starts_with('-')
        && !text.ends_with('-');
    if !fits {
        return Err(field.problem(
            report,
            "must be 1 to 63 lower-case letters, digits and hyphens, with no hyphen at its ends",
        ));
    }
    Ok(text.to_owned())
}
