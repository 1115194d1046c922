//! Feeding a filter.

use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;

use acequia_decode::bigtable::MutationBatch;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::lines::{FamilyLine, TableLine, Take, VerdictLine, line};
use super::{Counts, ReplayError, Unit};
use crate::batch::{Batch, Shape};
use crate::guest::{NamesFilter, RecordFilter};
use crate::recording::{Reader, Recorded};

/// Every batch, in order. A filter never sees control records.
pub(super) async fn feed_records(
    filter: &mut RecordFilter,
    recording: Reader<impl BufRead>,
    to: &mut dyn Take,
) -> Result<Counts, ReplayError> {
    let mut counts = Counts {
        unit: Unit::Record,
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

/// Every name in the file.
pub(super) async fn feed_names(
    filter: &mut NamesFilter,
    recording: Reader<impl BufRead>,
    to: &mut dyn Take,
) -> Result<Counts, ReplayError> {
    match recording.shape() {
        Shape::Spanner | Shape::Rows => feed_tables(filter, recording, to).await,
        Shape::Bigtable => feed_families(filter, recording, to).await,
    }
}

/// Names by table. Columns of the key are kept whatever a filter says, so it is not asked.
async fn feed_tables(
    filter: &mut NamesFilter,
    mut recording: Reader<impl BufRead>,
    to: &mut dyn Take,
) -> Result<Counts, ReplayError> {
    // A table may be described anywhere in the file.
    for part in recording.by_ref() {
        part?;
    }
    let mut counts = Counts {
        unit: Unit::Table,
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

/// Names by family, as entries speak of them.
async fn feed_families(
    filter: &mut NamesFilter,
    recording: Reader<impl BufRead>,
    to: &mut dyn Take,
) -> Result<Counts, ReplayError> {
    let mut families: BTreeMap<String, BTreeSet<Vec<u8>>> = BTreeMap::new();
    for part in recording {
        let Recorded::Batch(batch) = part? else {
            continue;
        };
        if let Batch::Bigtable(batch) = batch.as_ref() {
            collect(batch, &mut families);
        }
    }
    let mut counts = Counts {
        unit: Unit::Family,
        ..Counts::default()
    };
    for (family, qualifiers) in &families {
        let keep = filter.families(&[family]).await?.first() == Some(&true);
        let qualifiers: Vec<&[u8]> = qualifiers.iter().map(Vec::as_slice).collect();
        let passes = filter.qualifiers(family, &qualifiers).await?;
        counts.fed += 1;
        counts.passed += usize::from(keep);
        counts.failed += usize::from(!keep);
        let shown = qualifiers
            .iter()
            .map(|qualifier| STANDARD.encode(qualifier));
        to.output(line(&FamilyLine {
            family,
            keep,
            qualifiers: shown.zip(passes).collect(),
        }))?;
    }
    Ok(counts)
}

fn collect(batch: &MutationBatch, families: &mut BTreeMap<String, BTreeSet<Vec<u8>>>) {
    for entry in (0..batch.mutations()).flat_map(|index| batch.entries_of(index)) {
        let known = families.entry(entry.family().to_owned()).or_default();
        known.extend(entry.qualifier().map(<[u8]>::to_vec));
    }
}

/// The tables by name, with all columns that any description of them has.
fn names(recording: &Reader<impl BufRead>) -> BTreeMap<&str, Vec<String>> {
    let mut tables: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (table, columns) in recording.tables() {
        // A query has no table that could be chosen; its columns are its own.
        if table.is_empty() {
            continue;
        }
        let known = tables.entry(table).or_default();
        for column in columns {
            if !known.iter().any(|known| known == column) {
                known.push(column.to_owned());
            }
        }
    }
    tables
}
