//! The requests of change streams.

use std::time::Duration;

use acequia_core::{KeyRange, Resume, Timestamp};
use bytes::Bytes;
use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::read_change_stream_request::StartFrom;
use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::row_range::{EndKey, StartKey};
use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::{
    ReadChangeStreamRequest, RowRange, StreamContinuationToken, StreamContinuationTokens,
    StreamPartition,
};

/// What one partition's stream is asked for.
#[derive(Clone, Debug)]
pub struct PartitionRead<'a> {
    /// The row keys.
    pub range: &'a KeyRange,
    /// Where it goes on.
    pub from: &'a Resume,
    /// The last instant that is read, inclusive; none reads without end.
    pub end: Option<Timestamp>,
    /// How often a quiet stream says that it is alive.
    pub heartbeat: Duration,
}

/// The request, without table and profile.
///
/// Source: `google.bigtable.v2.ReadChangeStreamRequest`: a start time or tokens, never both; the tokens
/// tile the partition.
pub fn read_change_stream(read: &PartitionRead<'_>) -> ReadChangeStreamRequest {
    ReadChangeStreamRequest {
        partition: Some(partition(read.range)),
        start_from: Some(start_from(read.from)),
        end_time: read.end.map(timestamp),
        heartbeat_duration: prost_types::Duration::try_from(read.heartbeat).ok(),
        ..ReadChangeStreamRequest::default()
    }
}

fn start_from(from: &Resume) -> StartFrom {
    match from.tokens() {
        [] => StartFrom::StartTime(timestamp(next_micro(from.at))),
        tokens => StartFrom::ContinuationTokens(StreamContinuationTokens {
            tokens: tokens
                .iter()
                .map(|token| StreamContinuationToken {
                    partition: Some(partition(&token.range)),
                    token: token.token.to_string(),
                })
                .collect(),
        }),
    }
}

/// Commit timestamps are whole microseconds, and the service cuts a start down to one; what was asked
/// for in between would read what lies before it.
fn next_micro(at: Timestamp) -> Timestamp {
    let micros = at.as_microsecond();
    match Timestamp::from_microsecond(micros) {
        Ok(whole) if whole >= at => whole,
        Ok(_) => Timestamp::from_microsecond(micros.saturating_add(1)).unwrap_or(at),
        Err(_) => at,
    }
}

/// Both bounds are always set: the service refuses a range without one, and an empty one is none.
///
/// Source: flink-connector-gcp, ADR-0097: `partition.row_range must be the form of [start_key, end_key)`.
fn partition(range: &KeyRange) -> StreamPartition {
    StreamPartition {
        row_range: Some(RowRange {
            start_key: Some(StartKey::StartKeyClosed(Bytes::copy_from_slice(
                range.start(),
            ))),
            end_key: Some(EndKey::EndKeyOpen(Bytes::copy_from_slice(range.end()))),
        }),
    }
}

/// An instant as it stands in a message.
pub(crate) fn timestamp(at: Timestamp) -> prost_types::Timestamp {
    let nanos = at.subsec_nanosecond();
    let before = i64::from(nanos < 0);
    prost_types::Timestamp {
        seconds: at.as_second().saturating_sub(before),
        nanos: if nanos < 0 {
            nanos.saturating_add(1_000_000_000)
        } else {
            nanos
        },
    }
}

#[cfg(test)]
mod tests {
    use acequia_core::{Covered, RangeToken};

    use super::*;

    fn read(range: &KeyRange, from: &Resume) -> ReadChangeStreamRequest {
        read_change_stream(&PartitionRead {
            range,
            from,
            end: None,
            heartbeat: Duration::from_secs(5),
        })
    }

    #[test]
    fn both_bounds_of_the_whole_key_space_are_set_and_empty() {
        let from = Resume::fresh(Timestamp::from_second(5).unwrap());
        let request = read(&KeyRange::all(), &from);
        let range = request.partition.unwrap().row_range.unwrap();
        assert_eq!(
            range.start_key,
            Some(StartKey::StartKeyClosed(Bytes::new()))
        );
        assert_eq!(range.end_key, Some(EndKey::EndKeyOpen(Bytes::new())));
    }

    #[test]
    fn a_start_between_two_microseconds_begins_at_the_later() {
        let one_tick_after = Timestamp::new(5, 1_001).unwrap();
        let request = read(&KeyRange::all(), &Resume::fresh(one_tick_after));
        let Some(StartFrom::StartTime(start)) = request.start_from else {
            panic!("a fresh position has no token");
        };
        assert_eq!((start.seconds, start.nanos), (5, 2_000));
    }

    #[test]
    fn tokens_are_sent_each_with_its_own_range_and_without_a_start() {
        let parts = ["[a, b)", "[b, c)"].map(|text| text.parse::<KeyRange>().unwrap());
        let tokens = parts.iter().map(|range| RangeToken {
            range: range.clone(),
            token: format!("token of {range}").into(),
        });
        let from = Resume {
            at: Timestamp::UNIX_EPOCH,
            covered: Covered::Tokens(tokens.collect()),
        };
        let request = read(&"[a, c)".parse().unwrap(), &from);
        let Some(StartFrom::ContinuationTokens(sent)) = request.start_from else {
            panic!("tokens are sent as tokens");
        };
        let sent: Vec<_> = sent.tokens.into_iter().map(|sent| sent.token).collect();
        assert_eq!(sent, ["token of [a, b)", "token of [b, c)"]);
    }
}
