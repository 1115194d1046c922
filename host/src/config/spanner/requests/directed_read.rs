//! Which replicas answer.

use super::options::{AUTO_FAILOVER_DISABLED, EXCLUDE, INCLUDE, LOCATION, REPLICA_TYPE, REPLICAS};
use super::{DirectedRead, ReplicaSelection, ReplicaType};
use crate::config::read::{
    Field, Read, Report, Section, UnknownKeys, boolean, name, unknown_word, variant, word,
};

/// Source: google.spanner.v1.DirectedReadOptions.IncludeReplicas.replica_selections
const REPLICAS_MAX: usize = 10;

/// Reads `{ include: … }` or `{ exclude: … }`.
pub(super) fn read(field: &Field<'_>, report: &mut Report) -> Read<DirectedRead> {
    const WHAT: &str = "{ include: { replicas: … } } or { exclude: { replicas: … } }";
    let chosen = variant(field, report, WHAT)?;
    match (chosen.name, chosen.content) {
        ("include", Some(content)) => include(&content, report),
        ("exclude", Some(content)) => exclude(&content, report),
        (name @ ("include" | "exclude"), None) => {
            Err(field.problem(report, format!("{name} needs a value; write {WHAT}")))
        }
        (name, _) => Err(field.problem(report, unknown_word(name, &["include", "exclude"]))),
    }
}

fn include(field: &Field<'_>, report: &mut Report) -> Read<DirectedRead> {
    let section = Section::open(field, INCLUDE.members, UnknownKeys::Refused, report)?;
    let replicas = section.read(&REPLICAS, report, replicas);
    let disabled = section.read(&AUTO_FAILOVER_DISABLED, report, boolean);
    section.close();
    Ok(DirectedRead::Include {
        replicas: replicas?,
        auto_failover_disabled: disabled?,
    })
}

fn exclude(field: &Field<'_>, report: &mut Report) -> Read<DirectedRead> {
    let section = Section::open(field, EXCLUDE.members, UnknownKeys::Refused, report)?;
    let replicas = section.read(&REPLICAS, report, replicas);
    section.close();
    Ok(DirectedRead::Exclude {
        replicas: replicas?,
    })
}

fn replicas(field: &Field<'_>, report: &mut Report) -> Read<Vec<ReplicaSelection>> {
    let list = field.list(report, "a list of replicas")?;
    if !(1..=REPLICAS_MAX).contains(&list.len()) {
        let message = format!(
            "must have 1 to {REPLICAS_MAX} entries, and has {}",
            list.len()
        );
        return Err(field.problem(report, message));
    }
    let replicas: Vec<_> = list.iter().map(|field| replica(field, report)).collect();
    replicas.into_iter().collect()
}

fn replica(field: &Field<'_>, report: &mut Report) -> Read<ReplicaSelection> {
    let section = Section::open(field, REPLICAS.members, UnknownKeys::Refused, report)?;
    let location = section.read_optional(&LOCATION, report, name);
    let kind = section.read_optional(&REPLICA_TYPE, report, replica_type);
    section.close();
    match (location?, kind?) {
        (None, None) => Err(field.problem(report, "needs a location, a type, or both")),
        (location, replica_type) => Ok(ReplicaSelection {
            location,
            replica_type,
        }),
    }
}

fn replica_type(field: &Field<'_>, report: &mut Report) -> Read<ReplicaType> {
    word(
        field,
        report,
        &[
            ("read-only", ReplicaType::ReadOnly),
            ("read-write", ReplicaType::ReadWrite),
        ],
    )
}
