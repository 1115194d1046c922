//! Messages of the generated types, written short.

use bytes::Bytes;
use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::mutation::{
    DeleteFromColumn, DeleteFromFamily, Mutation as Kind, SetCell,
};
use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::read_change_stream_response::{
    CloseStream, DataChange, Heartbeat, MutationChunk, StreamRecord, data_change::Type,
    mutation_chunk::ChunkInfo,
};
use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::row_range::{EndKey, StartKey};
use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::{
    Mutation, ReadChangeStreamResponse, RowRange, StreamContinuationToken, StreamPartition,
};
use prost::Message as _;
use prost_types::Timestamp;

pub(crate) fn frame(record: StreamRecord) -> Bytes {
    let response = ReadChangeStreamResponse {
        stream_record: Some(record),
    };
    response.encode_to_vec().into()
}

pub(crate) fn data(change: DataChange) -> Bytes {
    frame(StreamRecord::DataChange(change))
}

pub(crate) fn at(seconds: i64, micros: i32) -> Option<Timestamp> {
    Some(Timestamp {
        seconds,
        nanos: micros * 1_000,
    })
}

/// A user's mutation in one message.
pub(crate) fn whole(chunks: impl IntoIterator<Item = MutationChunk>) -> DataChange {
    ended(DataChange {
        r#type: Type::User.into(),
        source_cluster_id: "c1".to_owned(),
        row_key: Bytes::from_static(b"row"),
        commit_timestamp: at(100, 7),
        tiebreaker: 1,
        chunks: chunks.into_iter().collect(),
        ..DataChange::default()
    })
}

/// The first message of a user's mutation that goes on.
pub(crate) fn first(chunks: impl IntoIterator<Item = MutationChunk>) -> DataChange {
    DataChange {
        done: false,
        token: String::new(),
        estimated_low_watermark: None,
        ..whole(chunks)
    }
}

/// A message in the middle of a mutation.
pub(crate) fn more(chunks: impl IntoIterator<Item = MutationChunk>) -> DataChange {
    DataChange {
        r#type: Type::Continuation.into(),
        chunks: chunks.into_iter().collect(),
        ..DataChange::default()
    }
}

/// The last message of a mutation.
pub(crate) fn ended(change: DataChange) -> DataChange {
    DataChange {
        done: true,
        token: "token".to_owned(),
        estimated_low_watermark: at(90, 0),
        ..change
    }
}

pub(crate) fn entry(kind: Kind) -> MutationChunk {
    MutationChunk {
        chunk_info: None,
        mutation: Some(Mutation {
            mutation: Some(kind),
        }),
    }
}

pub(crate) fn set(family: &str, qualifier: &[u8], value: &[u8]) -> MutationChunk {
    entry(Kind::SetCell(SetCell {
        family_name: family.to_owned(),
        column_qualifier: Bytes::copy_from_slice(qualifier),
        timestamp_micros: 5_000,
        value: Bytes::copy_from_slice(value),
    }))
}

pub(crate) fn delete_column(family: &str, qualifier: &[u8]) -> MutationChunk {
    entry(Kind::DeleteFromColumn(DeleteFromColumn {
        family_name: family.to_owned(),
        column_qualifier: Bytes::copy_from_slice(qualifier),
        time_range: None,
    }))
}

pub(crate) fn delete_family(family: &str) -> MutationChunk {
    entry(Kind::DeleteFromFamily(DeleteFromFamily {
        family_name: family.to_owned(),
    }))
}

/// A piece of the cell `f:q`.
pub(crate) fn piece(size: i32, offset: i32, is_last: bool, value: &[u8]) -> MutationChunk {
    MutationChunk {
        chunk_info: Some(ChunkInfo {
            chunked_value_size: size,
            chunked_value_offset: offset,
            last_chunk: is_last,
        }),
        ..set("f", b"q", value)
    }
}

pub(crate) fn partition(start: &str, end: &str) -> StreamPartition {
    let key = |key: &str| Bytes::copy_from_slice(key.as_bytes());
    StreamPartition {
        row_range: Some(RowRange {
            start_key: Some(StartKey::StartKeyClosed(key(start))),
            end_key: Some(EndKey::EndKeyOpen(key(end))),
        }),
    }
}

pub(crate) fn token(start: &str, end: &str, token: &str) -> StreamContinuationToken {
    StreamContinuationToken {
        partition: Some(partition(start, end)),
        token: token.to_owned(),
    }
}

pub(crate) fn heartbeat(text: &str, seconds: i64) -> Bytes {
    frame(StreamRecord::Heartbeat(Heartbeat {
        continuation_token: Some(token("", "", text)),
        estimated_low_watermark: at(seconds, 0),
    }))
}

pub(crate) fn close(
    code: i32,
    tokens: impl IntoIterator<Item = StreamContinuationToken>,
    targets: impl IntoIterator<Item = StreamPartition>,
) -> Bytes {
    let mut close = CloseStream {
        status: Some(Default::default()),
        continuation_tokens: tokens.into_iter().collect(),
        new_partitions: targets.into_iter().collect(),
    };
    let status = close.status.as_mut().unwrap();
    status.code = code;
    if code != 0 {
        status.message = "Partition boundaries are misaligned.".to_owned();
    }
    frame(StreamRecord::CloseStream(close))
}
