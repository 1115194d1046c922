//! Which table: one name, or its three ids.

use super::TableName;
use super::options::{INSTANCE_ID, PROJECT_ID, TABLE, TABLE_ID, TABLE_PART};
use crate::config::option::OptionSpec;
use crate::config::read::{Field, Read, Report, Section};
use crate::config::resource_name::{self, INSTANCE, PROJECT};

const IDS: [&OptionSpec; 3] = [&PROJECT_ID, &INSTANCE_ID, &TABLE_ID];

/// Reads `table`, or `project-id`, `instance-id` and `table-id`.
pub(super) fn read(section: &Section<'_>, report: &mut Report) -> Read<TableName> {
    let whole = section.read_optional(&TABLE, report, one_name);
    let ids = IDS.map(|option| section.read_optional(option, report, resource_name::part));
    if section.given(&TABLE).is_some() {
        exclude_ids(section, report)?;
    }
    if let Some(table) = whole? {
        return Ok(table);
    }
    if IDS.into_iter().all(|id| section.given(id).is_none()) {
        let message = format!(
            "is missing; write {}, or project-id, instance-id and table-id",
            TABLE.value
        );
        return Err(section.problem(&TABLE, report, message));
    }
    three_ids(section, report, ids)
}

fn exclude_ids(section: &Section<'_>, report: &mut Report) -> Read<()> {
    let mut outcome = Ok(());
    for id in IDS {
        if section.given(id).is_some() {
            let message = "cannot be combined with table, which says it too";
            outcome = Err(section.problem(id, report, message));
        }
    }
    outcome
}

fn three_ids(
    section: &Section<'_>,
    report: &mut Report,
    ids: [Read<Option<String>>; 3],
) -> Read<TableName> {
    let [project, instance, table] = ids;
    let mut required = |option: &'static OptionSpec, id: Read<Option<String>>| {
        id?.ok_or_else(|| {
            let message = "is missing; project-id, instance-id and table-id name a table together";
            section.problem(option, report, message)
        })
    };
    let ids = (
        required(&PROJECT_ID, project),
        required(&INSTANCE_ID, instance),
        required(&TABLE_ID, table),
    );
    Ok(TableName {
        project: ids.0?,
        instance: ids.1?,
        table: ids.2?,
    })
}

fn one_name(field: &Field<'_>, report: &mut Report) -> Read<TableName> {
    let parts = [&PROJECT, &INSTANCE, &TABLE_PART];
    let [project, instance, table] = resource_name::read(field, report, &TABLE, parts)?;
    Ok(TableName {
        project,
        instance,
        table,
    })
}
