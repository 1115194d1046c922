//! From the option of the file to a [`ReadOperation`].

use std::collections::BTreeSet;

use super::options::{COLUMNS, INDEX, KEY_SET, NAME, PARAMS, QUERY, SQL, TABLE};
use super::{Parameter, QueryOperation, ReadOperation, TableOperation, keys};
use crate::config::read::{
    Field, Read, Report, Section, UnknownKeys, Value, name, unknown_word, variant,
};
use crate::config::spanner_batch::values;

/// Reads `{ query: … }` or `{ table: … }`.
pub(in crate::config::spanner_batch) fn read(
    field: &Field<'_>,
    report: &mut Report,
) -> Read<ReadOperation> {
    const WHAT: &str = "{ query: { sql: SQL } } or { table: { name: TABLE, columns: [COLUMN] } }";
    let chosen = variant(field, report, WHAT)?;
    match (chosen.name, chosen.content) {
        ("query", Some(content)) => query(&content, report).map(ReadOperation::Query),
        ("table", Some(content)) => table(&content, report).map(ReadOperation::Table),
        (name @ ("query" | "table"), None) => {
            Err(field.problem(report, format!("{name} needs a value; write {WHAT}")))
        }
        (text, None) if text.contains(char::is_whitespace) => {
            Err(field.problem(report, format!("expected {WHAT}, found a text")))
        }
        (name, _) => Err(field.problem(report, unknown_word(name, &["query", "table"]))),
    }
}

fn query(field: &Field<'_>, report: &mut Report) -> Read<QueryOperation> {
    if !matches!(field.node.value, Value::Map(_)) {
        let sql = statement(field, report)?;
        let params = Vec::new();
        return Ok(QueryOperation { sql, params });
    }
    let section = Section::open(field, QUERY.members, UnknownKeys::Refused, report)?;
    let sql = section.read(&SQL, report, statement);
    let params = section.read(&PARAMS, report, parameters);
    section.close();
    Ok(QueryOperation {
        sql: sql?,
        params: params?,
    })
}

/// A block of YAML ends with a line break, which is no part of the statement.
fn statement(field: &Field<'_>, report: &mut Report) -> Read<String> {
    let text = field.text(report, "a text, the query")?.trim();
    if text.is_empty() {
        return Err(field.problem(report, "must not be blank"));
    }
    Ok(text.to_owned())
}

fn parameters(field: &Field<'_>, report: &mut Report) -> Read<Vec<Parameter>> {
    let mut names = BTreeSet::new();
    let parameters: Vec<_> = field
        .entries(report, "a mapping of parameters, { NAME: VALUE }")?
        .iter()
        .map(|entry| {
            let member = field.member(entry);
            let name = parameter_name(&entry.key)
                .map_err(|message| report.problem(entry.place, &member.path, message));
            if !names.insert(&entry.key) {
                report.problem(entry.place, &member.path, "is given twice");
            }
            let (r#type, value) = values::parameter(&member, report)?;
            let name = name?;
            Ok(Parameter {
                name,
                r#type,
                value,
            })
        })
        .collect();
    let mut parameters: Vec<Parameter> = parameters.into_iter().collect::<Read<_>>()?;
    parameters.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(parameters)
}

/// Source: google.spanner.v1.PartitionQueryRequest.params, and
/// https://cloud.google.com/spanner/docs/reference/standard-sql/lexical#query_parameters; for PostgreSQL
/// https://cloud.google.com/spanner/docs/postgresql-interface (`$1` is `p1`)
fn parameter_name(key: &str) -> Result<String, String> {
    if let Some(name) = key.strip_prefix('@') {
        return Err(format!("is named without the @; write {name}"));
    }
    if let Some(number) = key.strip_prefix('$') {
        return Err(format!("is named without the $; write p{number}"));
    }
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let fits = (1..=128).contains(&key.len())
        && key.chars().all(allowed)
        && !key.starts_with(|c: char| c.is_ascii_digit());
    if fits {
        return Ok(key.to_owned());
    }
    Err(
        "is no name of a parameter: it must be at most 128 letters, digits and underscores, and not \
         begin with a digit; p1 is the name of $1"
            .to_owned(),
    )
}

fn table(field: &Field<'_>, report: &mut Report) -> Read<TableOperation> {
    let section = Section::open(field, TABLE.members, UnknownKeys::Refused, report)?;
    let table = section.read(&NAME, report, name);
    let index = section.read_optional(&INDEX, report, name);
    let columns = section.read(&COLUMNS, report, columns);
    let key_set = section.read(&KEY_SET, report, keys::read);
    section.close();
    Ok(TableOperation {
        table: table?,
        index: index?,
        columns: columns?,
        key_set: key_set?,
    })
}

fn columns(field: &Field<'_>, report: &mut Report) -> Read<Vec<String>> {
    let fields = field.list(report, "a list of names of columns")?;
    if fields.is_empty() {
        return Err(field.problem(report, "names no column; name at least one"));
    }
    let mut seen = BTreeSet::new();
    let columns: Vec<_> = fields
        .iter()
        .map(|field| {
            let column = name(field, report)?;
            if seen.insert(column.clone()) {
                return Ok(column);
            }
            Err(field.problem(report, format!("{column} is named twice")))
        })
        .collect();
    columns.into_iter().collect()
}
