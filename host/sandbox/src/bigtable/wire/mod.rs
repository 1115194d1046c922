//! From what the log holds to `google.bigtable.v2.ReadChangeStreamResponse` messages, encoded.
//!
//! ```text
//! Mutation -> chunks (entry) -> messages (layout) -> Bytes
//! ```

mod entry;
mod layout;

use bytes::Bytes;
use googleapis_tonic_google_bigtable_v2::google::{
    bigtable::v2::{
        ReadChangeStreamResponse, RowRange, StreamContinuationToken, StreamPartition,
        read_change_stream_response::{CloseStream, Heartbeat, StreamRecord},
        row_range::{EndKey, StartKey},
    },
    rpc,
};
use jiff::Timestamp;
use prost::Message;
use tonic::Code;

pub(crate) use layout::{Ending, messages};

use super::history::KeyRange;

/// The message of a heartbeat.
pub(crate) fn heartbeat(range: &KeyRange, token: String, watermark: Timestamp) -> Bytes {
    encode(StreamRecord::Heartbeat(Heartbeat {
        continuation_token: Some(continuation(range, token)),
        estimated_low_watermark: Some(instant(watermark)),
    }))
}

/// The message that ends a stream whose bound is reached.
pub(crate) fn closed_at_the_bound() -> Bytes {
    encode(StreamRecord::CloseStream(CloseStream {
        status: Some(rpc::Status::default()),
        continuation_tokens: Vec::new(),
        new_partitions: Vec::new(),
    }))
}

/// The message that ends a stream whose range is no partition any more.
///
/// Source: `google/bigtable/v2/bigtable.proto`, `CloseStream`: tokens and new partitions belong
/// together by their places. The text is the one that the service is known to send.
pub(crate) fn closed_as_misaligned(
    tokens: Vec<(KeyRange, String)>,
    new_partitions: Vec<KeyRange>,
) -> Bytes {
    let tokens = tokens
        .iter()
        .map(|(range, token)| continuation(range, token.clone()));
    encode(StreamRecord::CloseStream(CloseStream {
        status: Some(rpc::Status {
            code: Code::OutOfRange as i32,
            message: "Partition boundaries are misaligned.".to_owned(),
            details: Vec::new(),
        }),
        continuation_tokens: tokens.collect(),
        new_partitions: new_partitions.iter().map(partition).collect(),
    }))
}

/// A range with both of its bounds set, as the service sends them.
pub(crate) fn partition(range: &KeyRange) -> StreamPartition {
    StreamPartition {
        row_range: Some(RowRange {
            start_key: Some(StartKey::StartKeyClosed(range.start.clone())),
            end_key: Some(EndKey::EndKeyOpen(range.end.clone())),
        }),
    }
}

fn continuation(range: &KeyRange, token: String) -> StreamContinuationToken {
    StreamContinuationToken {
        partition: Some(partition(range)),
        token,
    }
}

/// An instant as it stands in a message.
pub(crate) fn encoded(at: Timestamp) -> Vec<u8> {
    instant(at).encode_to_vec()
}

fn encode(record: StreamRecord) -> Bytes {
    let response = ReadChangeStreamResponse {
        stream_record: Some(record),
    };
    response.encode_to_vec().into()
}

fn instant(instant: Timestamp) -> prost_types::Timestamp {
    let micros = instant.as_microsecond();
    prost_types::Timestamp {
        seconds: micros.div_euclid(1_000_000),
        nanos: i32::try_from(micros.rem_euclid(1_000_000)).map_or(0, |micros| micros * 1_000),
    }
}
