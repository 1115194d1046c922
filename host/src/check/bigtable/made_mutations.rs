//! Mutations of the table's families that nobody wrote, to try components on.
//!
//! They go the way of real ones: messages as the service sends them, the assembler, the names filter's
//! plan. A family has one of each kind of entry, whatever its type is: which of them it takes is the
//! table's to change.

use std::collections::BTreeSet;

use acequia_decode::Malformed;
use acequia_decode::bigtable::{Assembler, MutationBatch, Names, NamesPlan, Step, WrongPlan};
use bytes::Bytes;
use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::mutation::{
    AddToCell, DeleteFromColumn, DeleteFromFamily, MergeToCell, Mutation as Kind, SetCell,
};
use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::read_change_stream_response::{
    DataChange, MutationChunk, StreamRecord, data_change::Type,
};
use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::{
    Mutation, ReadChangeStreamResponse, TimestampRange, Value, value,
};
use jiff::Timestamp;
use prost::Message;

use crate::bigtable::request::timestamp;
use crate::check::components::Made;
use crate::config::BigtableChangeStream;
use crate::guest::{CallError, NamesFilter};
use crate::source::bigtable_stream::options;

/// Families that mutations are made of. A component that answers to so many answers to the others.
const FAMILIES_MAX: usize = 64;

/// Stands in for a qualifier, a value, a token and, where none is known, a cluster.
const MADE: &str = "made-for-a-check";

/// Why there are no mutations.
#[derive(Debug, thiserror::Error)]
pub(super) enum MakeError {
    /// What was made is no mutation.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// The plan does not fit.
    #[error(transparent)]
    Plan(#[from] WrongPlan),
    /// The names filter gave up.
    #[error(transparent)]
    Names(#[from] CallError),
}

/// Makes a mutation of each kind of entry, and one of garbage collection, for each family, as far as
/// they pass what is configured.
pub(super) async fn make(
    mut names: Option<&mut NamesFilter>,
    stream: &BigtableChangeStream,
    families: &BTreeSet<String>,
    cluster: Option<&str>,
) -> Result<Made, MakeError> {
    let families = families.iter().take(FAMILIES_MAX);
    let of = format!("{} column families", families.len());
    // A cluster that does not pass would leave nothing to try.
    let cluster = match stream.source_clusters.first() {
        Some(passing) => passing.as_str(),
        None => cluster.unwrap_or(MADE),
    };
    let mut assembler = Assembler::new(options(stream, names.is_some()));
    let mut batch = MutationBatch::of_table(stream.table.table.clone());
    for (change, number) in families
        .flat_map(|family| changes(family, cluster))
        .zip(0..)
    {
        assembler.push(message(change, number))?;
        loop {
            match assembler.next(&mut batch)? {
                Step::Empty => break,
                Step::Unplanned(asked) => {
                    assembler.plan(&plan(names.as_deref_mut(), &asked).await?)?;
                }
                Step::Mutation(_) | Step::Heartbeat { .. } | Step::Close { .. } => {}
            }
        }
    }
    Ok(Made {
        batch: batch.into(),
        of,
    })
}

/// What the filter says of families. It is asked about the made qualifier, too, and what it says of
/// that decides nothing: no table has it.
async fn plan(names: Option<&mut NamesFilter>, asked: &Names) -> Result<NamesPlan, CallError> {
    let families = match names {
        Some(names) => names.plan_names(asked).await?.families,
        None => vec![true; asked.families.len()],
    };
    let columns = asked.columns.iter();
    Ok(NamesPlan {
        families,
        columns: columns.map(|of| vec![true; of.qualifiers.len()]).collect(),
    })
}

/// A message that holds a whole mutation, of a row of its own.
fn message(change: DataChange, number: usize) -> Bytes {
    let now = timestamp(whole_second());
    let response = ReadChangeStreamResponse {
        stream_record: Some(StreamRecord::DataChange(DataChange {
            row_key: format!("{MADE}-{number}").into(),
            commit_timestamp: Some(now),
            done: true,
            token: MADE.to_owned(),
            estimated_low_watermark: Some(now),
            ..change
        })),
    };
    response.encode_to_vec().into()
}

/// Commit timestamps are whole microseconds.
fn whole_second() -> Timestamp {
    Timestamp::from_second(Timestamp::now().as_second()).unwrap_or_default()
}

/// Source: `google.bigtable.v2.ReadChangeStreamResponse.DataChange`: garbage collection has no cluster,
/// and deletes.
fn changes(family: &str, cluster: &str) -> Vec<DataChange> {
    let by_user = kinds(family).map(|kind| DataChange {
        r#type: Type::User.into(),
        source_cluster_id: cluster.to_owned(),
        chunks: vec![chunk(kind)],
        ..DataChange::default()
    });
    let collected = DataChange {
        r#type: Type::GarbageCollection.into(),
        chunks: vec![chunk(delete_cells(family))],
        ..DataChange::default()
    };
    by_user.into_iter().chain([collected]).collect()
}

fn chunk(kind: Kind) -> MutationChunk {
    MutationChunk {
        mutation: Some(Mutation {
            mutation: Some(kind),
        }),
        ..MutationChunk::default()
    }
}

/// Each kind of entry, the inputs of aggregates as a number and as bytes.
///
/// Source: google/bigtable/v2/data.proto, `Mutation`; the service turns `DeleteFromRow` into deletions
/// of families.
fn kinds(family: &str) -> [Kind; 5] {
    let family_name = family.to_owned();
    [
        Kind::SetCell(SetCell {
            family_name: family_name.clone(),
            column_qualifier: MADE.into(),
            timestamp_micros: 1,
            value: MADE.into(),
        }),
        delete_cells(family),
        Kind::DeleteFromFamily(DeleteFromFamily {
            family_name: family_name.clone(),
        }),
        Kind::AddToCell(AddToCell {
            family_name: family_name.clone(),
            column_qualifier: Some(of(value::Kind::RawValue(MADE.into()))),
            timestamp: Some(of(value::Kind::RawTimestampMicros(1))),
            input: Some(of(value::Kind::IntValue(1))),
        }),
        Kind::MergeToCell(MergeToCell {
            family_name,
            column_qualifier: Some(of(value::Kind::RawValue(MADE.into()))),
            timestamp: Some(of(value::Kind::RawTimestampMicros(1))),
            input: Some(of(value::Kind::RawValue(MADE.into()))),
        }),
    ]
}

fn delete_cells(family: &str) -> Kind {
    Kind::DeleteFromColumn(DeleteFromColumn {
        family_name: family.to_owned(),
        column_qualifier: MADE.into(),
        time_range: Some(TimestampRange::default()),
    })
}

fn of(kind: value::Kind) -> Value {
    Value {
        r#type: None,
        kind: Some(kind),
    }
}
