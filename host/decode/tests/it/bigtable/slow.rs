//! The obvious reading, by the generated types.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::Value;
use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::mutation::Mutation as Kind;
use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::read_change_stream_response::{
    DataChange, MutationChunk, data_change::Type,
};
use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::value::Kind as ValueKind;
use prost_types::Timestamp;

use super::drive::{Cell, Keep, Row};

/// What a mutation in one message says, without the entries that do not pass.
pub(crate) fn row(change: &DataChange, keep: Keep) -> Row {
    let commit = change.commit_timestamp.unwrap();
    let commit_timestamp = printed(commit);
    let key = STANDARD.encode(&change.row_key);
    let (tie_breaker, cluster) = (change.tiebreaker, &change.source_cluster_id);
    let cells: Vec<_> = change.chunks.iter().map(cell).collect();
    let passes = |cell: &&Cell| {
        let column = Some(&cell.qualifier[..]).filter(|_| cell.kind != 2);
        keep(&cell.family, None) && column.is_none_or(|column| keep(&cell.family, Some(column)))
    };
    let entries: Vec<_> = cells.iter().filter(passes).cloned().collect();
    Row {
        id: format!("{commit_timestamp}/{tie_breaker}/{cluster}/{key}"),
        row_key: change.row_key.to_vec(),
        is_garbage_collection: u8::from(change.r#type() == Type::GarbageCollection),
        source_cluster_id: cluster.clone(),
        commit_timestamp,
        commit_time: (commit.seconds, commit.nanos as u32),
        tie_breaker,
        low_watermark: printed(change.estimated_low_watermark.unwrap()),
        dropped: (cells.len() - entries.len()) as u32,
        entries,
        token: change.token.clone(),
    }
}

fn cell(chunk: &MutationChunk) -> Cell {
    let mutation = chunk.mutation.clone().unwrap();
    match mutation.mutation.unwrap() {
        Kind::SetCell(cell) => Cell {
            kind: 0,
            family: cell.family_name,
            qualifier: cell.column_qualifier.to_vec(),
            timestamp_micros: cell.timestamp_micros,
            value: cell.value.to_vec(),
            ..Cell::default()
        },
        Kind::DeleteFromColumn(column) => {
            let range = column.time_range.unwrap_or_default();
            Cell {
                kind: 1,
                family: column.family_name,
                qualifier: column.column_qualifier.to_vec(),
                range: (range.start_timestamp_micros, range.end_timestamp_micros),
                ..Cell::default()
            }
        }
        Kind::DeleteFromFamily(family) => Cell {
            kind: 2,
            family: family.family_name,
            ..Cell::default()
        },
        Kind::AddToCell(added) => {
            let values = (added.column_qualifier, added.timestamp, added.input);
            aggregate(3, added.family_name, values)
        }
        Kind::MergeToCell(merged) => {
            let values = (merged.column_qualifier, merged.timestamp, merged.input);
            aggregate(4, merged.family_name, values)
        }
        Kind::DeleteFromRow(_) => panic!("not in a change stream"),
    }
}

fn aggregate(
    kind: u8,
    family: String,
    (qualifier, timestamp, input): (Option<Value>, Option<Value>, Option<Value>),
) -> Cell {
    let kind_of = |value: Option<Value>| value.unwrap().kind.unwrap();
    let mut cell = Cell {
        kind,
        family,
        ..Cell::default()
    };
    if let ValueKind::RawValue(bytes) = kind_of(qualifier) {
        cell.qualifier = bytes.to_vec();
    }
    if let ValueKind::RawTimestampMicros(micros) = kind_of(timestamp) {
        cell.timestamp_micros = micros;
    }
    match kind_of(input) {
        ValueKind::IntValue(number) => cell.addend = Some(number),
        ValueKind::RawValue(bytes) => cell.value = bytes.to_vec(),
        other => panic!("no input: {other:?}"),
    }
    cell
}

/// RFC 3339 with six digits, by way of `prost-types`.
fn printed(at: Timestamp) -> String {
    let seconds = Timestamp { nanos: 0, ..at };
    let micros = at.nanos / 1_000;
    format!("{}.{micros:06}Z", seconds.to_string().trim_end_matches('Z'))
}
