//! What would be read, for people.

use std::fmt;

use crate::check::{ColumnSeen, FamilySeen, SourceSeen, TableSeen};

/// A line or a few on what is read.
pub(super) fn of_source(
    source: &SourceSeen,
    line: &mut impl FnMut(&str, String) -> fmt::Result,
) -> fmt::Result {
    match source {
        SourceSeen::Spanner(seen) => {
            line("database", format!("{} ({})", seen.database, seen.dialect))?;
            let stream = format!("{} ({})", seen.change_stream, seen.partition_mode);
            line("stream", stream)
        }
        SourceSeen::Bigtable(seen) => {
            line("table", seen.table.clone())?;
            let cluster = seen.cluster.as_ref();
            let cluster = cluster.map_or_else(String::new, |id| format!(" (cluster {id})"));
            line("profile", format!("{}{cluster}", seen.app_profile))?;
            match seen.partitions {
                Some(partitions) => line("partitions", format!("{partitions} now")),
                None => Ok(()),
            }
        }
        SourceSeen::Snapshot(seen) => {
            line("database", format!("{} ({})", seen.database, seen.dialect))?;
            line("reads", seen.reads.clone())?;
            match seen.partitions {
                Some(partitions) => line("partitions", format!("{partitions} now")),
                None => Ok(()),
            }
        }
    }
}

/// A column family.
pub(super) fn of_family(family: &FamilySeen) -> String {
    let FamilySeen { name, passes } = family;
    format!("{name} {}", passing(*passes, "is not asked about"))
}

/// A watched table with its columns.
pub(super) fn of_watched(table: &TableSeen) -> String {
    let mut text = format!("{} {}", table.name, passing(table.passes, "is watched"));
    if table.passes == Some(false) {
        return text;
    }
    let named = |wanted: fn(&ColumnSeen) -> bool| -> Vec<&str> {
        let columns = table.columns.iter().filter(|column| wanted(column));
        columns.map(|column| column.name.as_str()).collect()
    };
    for (what, columns) in [
        ("key", named(|column| column.is_key)),
        (
            "columns",
            named(|column| !column.is_key && column.passes != Some(false)),
        ),
        (
            "left out",
            named(|column| !column.is_key && column.passes == Some(false)),
        ),
    ] {
        if !columns.is_empty() {
            text.push_str(&format!("; {what}: {}", columns.join(", ")));
        }
    }
    text
}

fn passing(passes: Option<bool>, unasked: &'static str) -> &'static str {
    match passes {
        Some(true) => "passes",
        Some(false) => "is left out",
        None => unasked,
    }
}
