//! Which of the watched tables and columns pass, asked of the component that decides it in a run.

use crate::check::components::{self, Guests};
use crate::check::findings::Findings;
use crate::check::{ColumnSeen, TableSeen, Topic, WouldRead};
use crate::config::SpannerChangeStream;
use crate::guest::NamesFilter;
use crate::spanner::watch_list::{WatchList, WatchedTable};

/// Asks about every watched table.
pub(super) async fn look(
    stream: &SpannerChangeStream,
    guests: &mut Guests,
    watch_list: &WatchList,
    findings: &mut Findings,
    would_read: &mut WouldRead,
) {
    let mut names = guests.names.as_mut();
    for table in &watch_list.tables {
        let plan = match &mut names {
            Some(names) => plan(names, table, findings).await,
            None => None,
        };
        // One that gave up on a table may give up on each.
        if plan.is_none() {
            names = None;
        }
        would_read.tables.push(seen(table, plan));
    }
    if names.is_some() && !watch_list.tables.is_empty() {
        tell(stream, &would_read.tables, findings);
    }
}

/// Whether a table passes, and which of its columns outside the key.
struct Plan {
    table: bool,
    columns: Vec<bool>,
}

async fn plan(
    names: &mut NamesFilter,
    table: &WatchedTable,
    findings: &mut Findings,
) -> Option<Plan> {
    let columns: Vec<String> = beside_the_key(table).map(str::to_owned).collect();
    match names.plan(&table.name, &columns).await {
        Ok(plan) => Some(Plan {
            table: plan.table,
            columns: plan.columns,
        }),
        Err(error) => {
            let asked = format!("table {}", table.name);
            components::names_filter_stopped(names, &asked, &error, findings);
            None
        }
    }
}

fn beside_the_key(table: &WatchedTable) -> impl Iterator<Item = &str> {
    let columns = table.columns.iter().filter(|column| !column.is_key);
    columns.map(|column| column.name.as_str())
}

fn seen(table: &WatchedTable, plan: Option<Plan>) -> TableSeen {
    let table_passes = plan.as_ref().map(|plan| plan.table);
    let mut answers = plan.into_iter().flat_map(|plan| plan.columns);
    let columns = table.columns.iter().map(|column| ColumnSeen {
        name: column.name.clone(),
        r#type: column.type_text.clone(),
        is_key: column.is_key,
        passes: if column.is_key {
            table_passes
        } else {
            answers.next()
        },
    });
    TableSeen {
        name: table.name.clone(),
        passes: table_passes,
        columns: columns.collect(),
    }
}

fn tell(stream: &SpannerChangeStream, tables: &[TableSeen], findings: &mut Findings) {
    const REMEDY: &str = "correct the include and exclude lists, or the names filter: patterns match \
                          a whole name, and a column's is table.column";
    let passing = || tables.iter().filter(|table| table.passes == Some(true));
    let columns = || {
        passing()
            .flat_map(|table| &table.columns)
            .filter(|column| !column.is_key)
    };
    let passing_columns = columns()
        .filter(|column| column.passes == Some(true))
        .count();
    let of_columns = match columns().count() {
        0 => "they have no columns outside their keys".to_owned(),
        all => format!("of their {all} columns outside the keys, {passing_columns} pass"),
    };
    let counted = format!(
        "{} of {} watched tables pass; {of_columns}",
        passing().count(),
        tables.len(),
    );
    // Where a table has nothing but its key there is nothing to remove.
    let keys_only = columns().count() > 0 && passing_columns == 0;
    if passing().count() == 0 {
        findings.failure(
            Topic::Filters,
            format!("nothing passes: {counted}; every record would be dropped"),
            REMEDY,
        );
    } else if keys_only && stream.skip_messages_without_change {
        findings.failure(
            Topic::Filters,
            format!("nothing is left: {counted}; skip-messages-without-change drops every record"),
            REMEDY,
        );
    } else if keys_only {
        findings.warning(Topic::Filters, format!("only keys pass: {counted}"), REMEDY);
    } else {
        findings.ok(Topic::Filters, counted);
    }
}
