//! From the file to a [`Meta`].

use super::options::{CONSUMER, META, NAME, PRODUCER, SECRETS, TOPIC, TYPE, VERSION};
use super::topic::{self, ApiVersion};
use super::{Meta, Topic};
use crate::config::read::{
    Field, Read, Report, Section, UnknownKeys, Value, file_name, name, unknown_word,
};

/// Reads the `meta` section. `types` are the connector types that are known. Unknown keys are
/// warned about, as Fluvio's own tools let them pass.
pub(crate) fn read(
    field: &Field<'_>,
    report: &mut Report,
    version: Read<ApiVersion>,
    types: &[&str],
) -> Read<Meta> {
    let section = Section::open(field, META.members, UnknownKeys::Warned, report)?;
    let instance = section.read(&NAME, report, instance_name);
    let connector_type = section.read(&TYPE, report, |field, report| {
        connector_type(field, report, types)
    });
    let package_version = section.read(&VERSION, report, name);
    let topic = read_topic(&section, report, version);
    let secrets = section.read_optional(&SECRETS, report, secrets);
    for option in [&PRODUCER, &CONSUMER] {
        if let Some(field) = section.given(option) {
            report.warn(
                &field.path,
                "has no effect: nothing goes to or comes from Fluvio here",
            );
        }
    }
    section.close();
    secrets?;
    Ok(Meta {
        name: instance?,
        connector_type: connector_type?,
        version: package_version?,
        topic: topic?,
    })
}

fn read_topic(
    section: &Section<'_>,
    report: &mut Report,
    version: Read<ApiVersion>,
) -> Read<Option<Topic>> {
    let Some(field) = section.given(&TOPIC) else {
        return Ok(None);
    };
    topic::read(&field, report, version?).map(Some)
}

fn instance_name(field: &Field<'_>, report: &mut Report) -> Read<String> {
    let name = file_name(field, report)?;
    if name.contains('.') {
        report.warn(
            &field.path,
            "holds a dot; cdk names the log file after it and cuts it there",
        );
    }
    Ok(name)
}

fn connector_type(field: &Field<'_>, report: &mut Report, types: &[&str]) -> Read<String> {
    let text = field.text(report, "a text")?;
    if types.contains(&text) {
        return Ok(text.to_owned());
    }
    Err(field.problem(report, unknown_word(text, types)))
}

/// Only the shape: placeholders are refused where they stand.
fn secrets(field: &Field<'_>, report: &mut Report) -> Read<()> {
    let list = field.list(report, "a list of { name: N }")?;
    let mut outcome = Ok(());
    for element in &list {
        if let Err(reported) = secret(element, report) {
            outcome = Err(reported);
        }
    }
    if !list.is_empty() {
        report.warn(
            &field.path,
            "has no effect: this version fills in no placeholders",
        );
    }
    outcome
}

fn secret(field: &Field<'_>, report: &mut Report) -> Read<()> {
    let entries = field.entries(report, "{ name: N }")?;
    let named = entries.iter().any(|entry| {
        entry.key == "name" && matches!(&entry.value.value, Value::Text(name) if is_variable(name))
    });
    if named {
        return Ok(());
    }
    Err(field.problem(
        report,
        "needs a name of letters, digits and underscores that does not begin with a digit",
    ))
}

fn is_variable(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}
