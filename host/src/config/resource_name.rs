//! Names of what lies in an instance: `projects/P/instances/I/COLLECTION/NAME`.

use super::Kind;
use super::option::{OptionSpec, Presence};
use super::read::{Field, Read, Report, Section, UnknownKeys, Value};

/// One of the names. It is not blank and holds no slash and no white space; what else a name may be
/// is the service's to say, and emulators allow more.
pub(super) const PART: Kind = Kind::Pattern(r"^[^/\s]+$");

pub(super) const PROJECT: OptionSpec =
    OptionSpec::new("project", "a name", Presence::Required, "The project.").of_kind(PART);

pub(super) const INSTANCE: OptionSpec =
    OptionSpec::new("instance", "a name", Presence::Required, "The instance.").of_kind(PART);

/// Reads the names of `option`: project, instance, and what lies in it. They stand in one text or
/// in a mapping of `parts`, of which the last is named after the thing itself.
pub(super) fn read(
    field: &Field<'_>,
    report: &mut Report,
    option: &'static OptionSpec,
    parts: [&'static OptionSpec; 3],
) -> Read<[String; 3]> {
    if matches!(field.node.value, Value::Map(_)) {
        return read_parts(field, report, option, parts);
    }
    let [.., thing] = parts.map(|part| part.name);
    let what = format!(
        "projects/PROJECT/instances/INSTANCE/{thing}s/{}",
        thing.to_uppercase()
    );
    let text = field.text(report, &what)?;
    let collection = format!("{thing}s");
    let segments: Vec<_> = text.split('/').collect();
    match segments.as_slice() {
        ["projects", project, "instances", instance, of, name] if *of == collection => {
            let [project, instance, name] =
                [project, instance, name].map(|name| checked(field, report, name));
            Ok([project?, instance?, name?])
        }
        _ => Err(field.problem(report, format!("expected {what}, found {text:?}"))),
    }
}

fn read_parts(
    field: &Field<'_>,
    report: &mut Report,
    option: &'static OptionSpec,
    parts: [&'static OptionSpec; 3],
) -> Read<[String; 3]> {
    let section = Section::open(field, option.members, UnknownKeys::Refused, report)?;
    let [project, instance, name] = parts.map(|option| section.read(option, report, part));
    section.close();
    Ok([project?, instance?, name?])
}

/// Reads one of the names.
pub(super) fn part(field: &Field<'_>, report: &mut Report) -> Read<String> {
    let text = field.text(report, "a text")?;
    checked(field, report, text)
}

fn checked(field: &Field<'_>, report: &mut Report, name: &str) -> Read<String> {
    let refused = |c: char| c == '/' || c.is_whitespace() || c.is_control();
    if name.is_empty() || name.contains(refused) {
        let message = format!(
            "{name:?} cannot be a name: it must not be blank, nor hold slashes or white space"
        );
        return Err(field.problem(report, message));
    }
    Ok(name.to_owned())
}
