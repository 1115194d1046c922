//! Feeding a filter.

use std::collections::BTreeMap;
use std::io::BufRead;

use super::lines::{TableLine, Take, VerdictLine, line};
use super::{Counts, ReplayError};
use crate::guest::{NamesFilter, RecordFilter};
use crate::recording::{Reader, Recorded};

/// Every batch, in order. A filter never sees gaps.
pub(super) async fn feed_records(
    filter: &mut RecordFilter,
    recording: Reader<impl BufRead>,
    to: &mut dyn Take,
) -> Result<Counts, ReplayError> {
    let mut counts = Counts {
        unit: "record",
        ..Counts::default()
    };
    for part in recording {
        let Recorded::Batch(batch) = part? else {
            continue;
        };
        let verdicts = filter.keep(&batch).await?;
        counts.fed += batch.records();
        counts.batches += 1;
        for (id, &keep) in batch.ids().iter().zip(&verdicts) {
            counts.passed += usize::from(keep);
            counts.failed += usize::from(!keep);
            let source = std::str::from_utf8(id).unwrap_or_default();
            to.output(line(&VerdictLine { source, keep }))?;
        }
    }
    Ok(counts)
}

/// Every name, by table. Columns of the key are kept whatever a filter says, so it is not asked.
pub(super) async fn feed_names(
    filter: &mut NamesFilter,
    mut recording: Reader<impl BufRead>,
    to: &mut dyn Take,
) -> Result<Counts, ReplayError> {
    // A table may be described anywhere in the file.
    for part in recording.by_ref() {
        part?;
    }
    let mut counts = Counts {
        unit: "table",
        ..Counts::default()
    };
    for (table, columns) in names(&recording) {
        let plan = filter.plan(table, &columns).await?;
        counts.fed += 1;
        counts.passed += usize::from(plan.table);
        counts.failed += usize::from(!plan.table);
        let columns = columns.iter().map(String::as_str);
        to.output(line(&TableLine {
            table,
            keep: plan.table,
            columns: columns.zip(plan.columns).collect(),
        }))?;
    }
    Ok(counts)
}

/// The tables by name, with all columns that any description of them has.
fn names(recording: &Reader<impl BufRead>) -> BTreeMap<&str, Vec<String>> {
    let mut tables: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for table in recording.tables() {
        let known = tables.entry(table.name()).or_default();
        for column in table.columns().iter().filter(|column| !column.is_key) {
            if !known.contains(&column.name) {
                known.push(column.name.clone());
            }
        }
    }
    tables
}
