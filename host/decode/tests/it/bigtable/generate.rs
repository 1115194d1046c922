//! Random streams.

use bytes::Bytes;
use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::mutation::{
    AddToCell, DeleteFromColumn, MergeToCell, Mutation as Kind, SetCell,
};
use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::read_change_stream_response::{
    DataChange, MutationChunk, data_change::Type,
};
use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::value::Kind as ValueKind;
use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::{TimestampRange, Value};

use super::frames::{at, delete_family, ended, entry};
use crate::random::Random;

/// A mutation in one message.
pub(crate) fn change(random: &mut Random) -> DataChange {
    let is_garbage_collection = random.once_in(5);
    let chunks = random.below(8);
    let chunks = (0..chunks).map(|_| chunk(random)).collect();
    let mut row_key = bytes(random, 12);
    if row_key.is_empty() {
        row_key = Bytes::from_static(b"\0");
    }
    DataChange {
        r#type: match is_garbage_collection {
            true => Type::GarbageCollection.into(),
            false => Type::User.into(),
        },
        source_cluster_id: match is_garbage_collection {
            true => String::new(),
            false => random.pick(&["c1", "cluster-2"]).to_owned(),
        },
        row_key,
        commit_timestamp: at(signed(random) >> 34, random.below(1_000_000) as i32),
        tiebreaker: random.next() as i32,
        chunks,
        estimated_low_watermark: at(signed(random) >> 34, random.below(1_000_000) as i32),
        token: format!("t{}", random.text(9)),
        ..ended(DataChange::default())
    }
}

/// One whole entry.
fn chunk(random: &mut Random) -> MutationChunk {
    let family_name = random.pick(&["f", "fam-2", "g"]).to_owned();
    let column_qualifier = bytes(random, 4);
    match random.below(8) {
        0 => delete_family(&family_name),
        1 => entry(Kind::DeleteFromColumn(DeleteFromColumn {
            family_name,
            column_qualifier,
            time_range: random.once_in(2).then(|| TimestampRange {
                start_timestamp_micros: signed(random),
                end_timestamp_micros: signed(random),
            }),
        })),
        2 => entry(Kind::AddToCell(AddToCell {
            family_name,
            column_qualifier: value(ValueKind::RawValue(column_qualifier)),
            timestamp: value(ValueKind::RawTimestampMicros(signed(random))),
            input: input(random),
        })),
        3 => entry(Kind::MergeToCell(MergeToCell {
            family_name,
            column_qualifier: value(ValueKind::RawValue(column_qualifier)),
            timestamp: value(ValueKind::RawTimestampMicros(signed(random))),
            input: input(random),
        })),
        _ => entry(Kind::SetCell(SetCell {
            family_name,
            column_qualifier,
            timestamp_micros: signed(random),
            value: bytes(random, 200),
        })),
    }
}

fn input(random: &mut Random) -> Option<Value> {
    value(match random.once_in(2) {
        true => ValueKind::IntValue(signed(random)),
        false => ValueKind::RawValue(bytes(random, 20)),
    })
}

fn value(kind: ValueKind) -> Option<Value> {
    Some(Value {
        kind: Some(kind),
        ..Value::default()
    })
}

/// A number of any size.
fn signed(random: &mut Random) -> i64 {
    let shift = random.below(64);
    (random.next() as i64) >> shift
}

fn bytes(random: &mut Random, longest: usize) -> Bytes {
    let len = random.below(longest + 1);
    (0..len).map(|_| random.next() as u8).collect()
}
